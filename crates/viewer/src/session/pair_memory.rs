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
    algorithms: usize,
    kept: u64,
}

impl PairMemory {
    /// Refuses a frame whose pairs do not fit into memory, once for each of `algorithms`, with the `kept` bytes of each
    /// pair that the stages of bodies take. A frame soon after one that did fit is not checked, unless objects were placed
    /// since (another `epoch`), or there are other algorithms or stages. `held` is the number of pairs in present lists, whose memory the next ones take.
    ///
    /// # Errors
    ///
    /// A message of one line.
    pub(super) fn check(
        &mut self,
        frame: &Frame<'_>,
        (epoch, step): (u64, u64),
        (algorithms, kept): (usize, u64),
        held: usize,
    ) -> Result<(), String> {
        let is_recent = |fitted: &Fitted| {
            (fitted.epoch, fitted.algorithms, fitted.kept) == (epoch, algorithms, kept)
                && (fitted.step..fitted.step + STEPS_PER_CHECK).contains(&step)
        };
        let always_fit = always_fit(frame.boxes.len(), algorithms, kept);
        if always_fit || self.fitted.as_ref().is_some_and(is_recent) {
            return Ok(());
        }
        self.fitted = None;
        let available = available_memory().saturating_add(pairs_memory(held));
        let fits = check_pairs_fit(frame, algorithms, kept, available);
        fits.map_err(|e| format!("step {step}: {e}"))?;
        self.fitted = Some(Fitted { epoch, step, algorithms, kept });
        Ok(())
    }
}

/// Whether all objects as pairs fit, once for each algorithm, with what the stages keep of them.
fn always_fit(objects: usize, algorithms: usize, kept: u64) -> bool {
    let all = objects.saturating_mul(objects) / 2;
    let searched = pairs_memory(all).saturating_mul(algorithms as u64);
    searched.saturating_add(kept.saturating_mul(all as u64)) <= FEW_BYTES
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
        let fits = |memory: &mut PairMemory, boxes: &[Aabb], at, algorithms| {
            memory.check(&Frame::new(boxes), at, algorithms, 0).is_ok()
        };
        let fitted = || {
            let mut memory = PairMemory::default();
            assert!(fits(&mut memory, &apart, (0, 3), (1, 0)));
            memory
        };
        for (at, algorithms, is_checked) in [
            ((0, 4), (1, 0), false),
            ((0, 10), (1, 0), false),
            ((0, 11), (1, 0), true),
            ((0, 2), (1, 0), true),
            ((1, 4), (1, 0), true),
            ((0, 4), (2, 0), true),
            ((0, 4), (1, 500), true),
        ] {
            let mut memory = fitted();
            let is_refused = !fits(&mut memory, &together, at, algorithms);
            assert_eq!(is_refused, is_checked, "{at:?}, {algorithms:?}");
            assert!(!is_refused || !fits(&mut memory, &together, at, algorithms), "once is enough");
            assert!(fits(&mut PairMemory::default(), &together[..1000], at, algorithms));
        }
    }

    #[test]
    fn check_depends_on_the_number_of_algorithms_and_on_stages() {
        assert!(always_fit(0, 1, 0) && always_fit(1000, 10, 0));
        assert!(always_fit(4000, 1, 0) && !always_fit(4000, 20, 0));
        assert!(!always_fit(usize::MAX, 1, 0));
        assert!(always_fit(500, 1, 2000) && !always_fit(4000, 1, 2000));
        assert!(!always_fit(usize::MAX, 1, u64::MAX));
    }
}
