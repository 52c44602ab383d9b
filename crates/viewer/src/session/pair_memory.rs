//! Whether the pairs of a step fit into memory, before they are searched for.

use broadphase::Frame;
use measure::{available_memory, check_pairs_fit, pairs_memory};

/// Steps between two checks: motion makes a scene dense step by step.
const STEPS_PER_CHECK: u64 = 8;

/// Bytes that always fit: as many as [`available_memory`] leaves to the system. Below, the available memory
/// is not read, which takes longer than a step of a small scene.
const FEW_BYTES: u64 = 256 << 20;

/// What was found to fit last.
#[derive(Debug, Default)]
pub(super) struct PairMemory {
    fitted: Option<Fitted>,
}

#[derive(Debug)]
struct Fitted {
    epoch: u64,
    step: u64,
    bytes: u64,
}

impl PairMemory {
    /// Refuses a frame whose pairs do not fit into memory, where algorithms and the stages of bodies take `bytes` of each. A
    /// frame soon after one that did fit is not checked, unless objects were placed since (another `epoch`), or there are
    /// other algorithms or stages. `held` is the number of pairs in present lists, whose memory the next ones take.
    ///
    /// # Errors
    ///
    /// A message of one line.
    pub(super) fn check(
        &mut self,
        frame: &Frame<'_>,
        (epoch, step): (u64, u64),
        bytes: u64,
        held: usize,
    ) -> Result<(), String> {
        let is_recent = |fitted: &Fitted| {
            (fitted.epoch, fitted.bytes) == (epoch, bytes)
                && (fitted.step..fitted.step + STEPS_PER_CHECK).contains(&step)
        };
        if always_fit(frame.boxes.len(), bytes) || self.fitted.as_ref().is_some_and(is_recent) {
            return Ok(());
        }
        self.fitted = None;
        let available = available_memory().saturating_add(pairs_memory(held));
        let fits = check_pairs_fit(frame, bytes, available);
        fits.map_err(|e| format!("step {step}: {e}"))?;
        self.fitted = Some(Fitted { epoch, step, bytes });
        Ok(())
    }
}

/// Whether all objects as pairs fit, where each takes `bytes`.
fn always_fit(objects: usize, bytes: u64) -> bool {
    let all = objects.saturating_mul(objects) / 2;
    bytes.saturating_mul(all as u64) <= FEW_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;
    use broadphase::Aabb;
    use glam::Vec3;

    #[test]
    fn new_objects_and_other_algorithms_are_checked_at_once() {
        let at = |x: usize| Aabb::around_sphere(Vec3::X * x as f32, 0.1);
        let apart: Vec<Aabb> = (0..400_000).map(at).collect();
        let together = vec![at(0); 400_000];
        let fits = |memory: &mut PairMemory, boxes: &[Aabb], at, bytes| {
            memory.check(&Frame::new(boxes), at, bytes, 0).is_ok()
        };
        let fitted = || {
            let mut memory = PairMemory::default();
            assert!(fits(&mut memory, &apart, (0, 3), 72));
            memory
        };
        for (at, bytes, is_checked) in [
            ((0, 4), 72, false),
            ((0, 10), 72, false),
            ((0, 11), 72, true),
            ((0, 2), 72, true),
            ((1, 4), 72, true),
            ((0, 4), 144, true),
        ] {
            let mut memory = fitted();
            let is_refused = !fits(&mut memory, &together, at, bytes);
            assert_eq!(is_refused, is_checked, "{at:?}, {bytes} bytes");
            assert!(!is_refused || !fits(&mut memory, &together, at, bytes), "once is enough");
            assert!(fits(&mut PairMemory::default(), &together[..1000], at, bytes));
        }
    }

    #[test]
    fn check_depends_on_the_bytes_of_a_pair() {
        assert!(always_fit(0, 32) && always_fit(1000, 320));
        assert!(always_fit(4000, 32) && !always_fit(4000, 640));
        assert!(!always_fit(usize::MAX, 32) && !always_fit(usize::MAX, u64::MAX));
    }
}
