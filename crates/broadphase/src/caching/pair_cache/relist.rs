//! Columns sorted again, once their stale and loose entries have cost enough: those of objects that escaped, and those that
//! are larger than the fat AABB of their object ([`Fit`](crate::columns::Fit)).

use super::super::costs::COSTS;
use super::state::State;
use super::{ESCAPES, PairCache};
use crate::Frame;
use crate::parallel::{tasks_for, threads_for};

impl PairCache {
    /// The cost of the stale and loose entries in the last frame; and the cost of sorting all columns again.
    pub(in crate::caching) fn misfits(&self) -> [f32; 2] {
        let all = COSTS.relist * self.states.len() as f32
            + COSTS.retain * self.pairs.candidates().len() as f32;
        [COSTS.detour * self.columns.detours() as f32, all]
    }

    /// Lists all objects in the columns again, each by the fat AABB that it has now, and none that has escaped. False, with
    /// an unusable cache, if the frame is stopped.
    #[must_use]
    pub(in crate::caching) fn relist(&mut self, frame: &Frame<'_>) -> bool {
        self.strip();
        self.columns.relist(&Frame { boxes: &self.fat, ..*frame });
        self.states.iter_mut().for_each(State::relist);
        self.inserted.clear();
        self.settled = 0;
        // There may be other columns now.
        self.columns.make_room(self.states.len() / ESCAPES, tasks_for(threads_for(usize::MAX, 1)));
        !frame.is_stopped()
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::decide::Mode;
    use super::super::super::{Caches, Caching};
    use crate::algorithms::brute_force::AllPairs;
    use crate::benchmark::mix;
    use crate::managed::Structure;
    use crate::{Aabb, Frame, Pair};
    use glam::Vec3;

    /// The boxes of a frame: a cube of objects at rest, of which two layers tremble from frame 10 on.
    fn trembling_layers(number: u64) -> Vec<Aabb> {
        const SIDE: usize = 16;
        let place =
            |i: usize| Vec3::from([i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE].map(|at| at as f32));
        let way = |i: usize| {
            let bits = mix(number << 32 | i as u64);
            Vec3::from([0, 8, 16].map(|shift| (bits >> shift & 255) as f32 / 255.0 - 0.5))
        };
        let around = |i: usize| match number >= 10 && i % SIDE < 2 {
            true => Aabb::around_sphere(place(i) + way(i), 0.47),
            false => Aabb::around_sphere(place(i), 0.47),
        };
        (0..SIDE * SIDE * SIDE).map(around).collect()
    }

    fn sorted_pairs(structure: &mut impl Structure, boxes: &[Aabb]) -> Vec<Pair> {
        let (frame, mut pairs) = (Frame::new(boxes), Vec::new());
        structure.update(&frame);
        structure.find_pairs(&frame, &mut pairs);
        pairs.sort_unstable();
        pairs
    }

    #[test]
    #[cfg(feature = "rayon")]
    fn columns_are_sorted_again_on_any_number_of_threads() {
        let mut all = Vec::new();
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut caching = Caching::new(Caches::Resting);
            let mut modes = Vec::new();
            for number in 0..40 {
                let boxes = trembling_layers(number);
                let found = pool.install(|| sorted_pairs(&mut caching, &boxes));
                modes.push(caching.mode);
                let mut reference = AllPairs::default();
                assert_eq!(found, sorted_pairs(&mut reference, &boxes), "frame {number}");
                if modes.ends_with(&[Mode::Relist]) {
                    assert!(caching.counters().nodes > 1, "one column");
                    caching.validate(&Frame::new(&boxes));
                }
            }
            assert!(modes.contains(&Mode::Relist), "{modes:?}");
            all.push(modes);
        }
        assert_eq!(all[0], all[1]);
    }
}
