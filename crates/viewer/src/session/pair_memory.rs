//! Whether the pairs of a step fit into memory, before they are searched for.

use broadphase::Frame;
use measure::{available_memory, check_pairs_fit};

/// Steps between two readings of the available memory, which take longer than a check of the pairs.
const STEPS_PER_READING: u64 = 8;

/// Bytes that always fit: as many as [`available_memory`] leaves to the system. Below, the available memory
/// is not read, which takes longer than a step of a small scene.
const UNCHECKED_BYTES: u64 = 256 << 20;

/// The memory for pairs.
#[derive(Debug, Default)]
pub(super) struct PairMemory {
    reading: Option<Reading>,
}

/// Bytes that pairs may take, as read at a step.
#[derive(Clone, Copy, Debug)]
struct Reading {
    epoch: u64,
    step: u64,
    bytes: u64,
}

impl PairMemory {
    /// Refuses a frame whose pairs do not fit into memory, where algorithms and the stages of bodies take `bytes` of each. The
    /// memory is read again after some steps, where objects were placed since (another `epoch`), and after a refusal.
    /// The next pairs also take the bytes of those that were found last, which `held` counts.
    ///
    /// # Errors
    ///
    /// A message of one line.
    pub(super) fn check(
        &mut self,
        frame: &Frame<'_>,
        (epoch, step): (u64, u64),
        bytes: u64,
        held: impl FnOnce() -> u64,
    ) -> Result<(), String> {
        if always_fit(frame.boxes.len(), bytes) {
            return Ok(());
        }
        let is_recent = |reading: &Reading| {
            let steps = reading.step..reading.step + STEPS_PER_READING;
            reading.epoch == epoch && steps.contains(&step)
        };
        let read = || {
            let bytes = available_memory().saturating_add(held());
            Reading { epoch, step, bytes }
        };
        let reading = self.reading.take().filter(is_recent).unwrap_or_else(read);
        check_pairs_fit(frame, bytes, reading.bytes).map_err(|e| format!("step {step}: {e}"))?;
        self.reading = Some(reading);
        Ok(())
    }
}

/// Whether all objects as pairs fit, where each takes `bytes`.
fn always_fit(objects: usize, bytes: u64) -> bool {
    let all = objects.saturating_mul(objects) / 2;
    bytes.saturating_mul(all as u64) <= UNCHECKED_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;
    use broadphase::Aabb;
    use glam::Vec3;

    #[test]
    fn every_step_is_checked_and_memory_read_every_eighth() {
        let at = |x: usize| Aabb::around_sphere(Vec3::X * x as f32, 0.1);
        let apart: Vec<Aabb> = (0..400_000).map(at).collect();
        let together = vec![at(0); 400_000];
        let check = |memory: &mut PairMemory, boxes: &[Aabb], at| {
            memory.check(&Frame::new(boxes), at, 72, || 0).is_ok()
        };
        for (at, is_read) in [
            ((0, 3), false),
            ((0, 4), false),
            ((0, 10), false),
            ((0, 11), true),
            ((0, 2), true),
            ((1, 4), true),
        ] {
            let mut memory = PairMemory::default();
            assert!(check(&mut memory, &apart, (0, 3)));
            assert!(check(&mut memory, &apart, at));
            let step = memory.reading.map(|reading| reading.step);
            assert_eq!(step, Some(if is_read { at.1 } else { 3 }), "{at:?}");
            assert!(!check(&mut memory, &together, at) && memory.reading.is_none(), "{at:?}");
            assert!(check(&mut memory, &together[..1000], at));
        }
    }

    #[test]
    fn check_depends_on_the_bytes_of_a_pair() {
        assert!(always_fit(0, 32) && always_fit(1000, 320));
        assert!(always_fit(4000, 32) && !always_fit(4000, 640));
        assert!(!always_fit(usize::MAX, 32) && !always_fit(usize::MAX, u64::MAX));
    }
}
