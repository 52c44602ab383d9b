//! The first frames: whether a cache is built before costs are known, and by which policy.

use super::Caching;
use super::decide::Mode;
use super::policy::{FIRST, MIN_LIFE, RESTING};
use super::preset::{Caches, Preset};

/// Where less than this share of the objects moves, and this share of those is short-lived, only objects at rest are cached. No
/// cache is built where this share of the objects is too fast for it: one is dropped where 0.6 have escaped.
const HALF: f32 = 0.5;

/// Movers that would leave the fat AABBs of the first policy within this many frames are short-lived.
const SHORT_LIFE: f32 = 6.0;

impl<P: Preset> Caching<P> {
    /// The mode of the first frame, and of `auto` in the second. The first one is searched: that is faster than a cache of it,
    /// and no motion is known.
    pub(super) fn begin(&self, is_second: bool) -> Mode {
        match P::CACHES {
            Caches::Always => Mode::Build(FIRST),
            Caches::Any if is_second => self.first_cache().map_or(Mode::Search, Mode::Build),
            Caches::Any | Caches::Resting => Mode::Search,
        }
    }

    /// The policy of a cache in the second frame, or `None` if it does not pay. Objects that did not move since the first
    /// frame count as resting.
    fn first_cache(&self) -> Option<usize> {
        let escaping_within = |frames: f32| self.forecast.escaping_within(frames, FIRST);
        let moving = self.forecast.sample.moving_share();
        if moving < HALF && escaping_within(SHORT_LIFE) > HALF * moving {
            return Some(RESTING);
        }
        (escaping_within(MIN_LIFE) < HALF).then_some(FIRST)
    }
}

#[cfg(test)]
mod tests {
    use super::super::WherePays;
    use super::*;
    use crate::managed::Structure;
    use crate::{Aabb, Frame};
    use glam::Vec3;

    /// Enough for the largest sample.
    const OBJECTS: usize = 8192;

    /// The mode of the second frame, and the tests of a third one that is equal to it. Of ten objects, `near` move by 0.01 of
    /// their side before the second, and `far` by `distance`. Their margin is 0.08.
    fn begin([near, far]: [usize; 2], distance: f32) -> (Mode, u64) {
        let place = |i: usize| Vec3::from([i % 16, i / 16 % 16, i / 256].map(|at| at as f32 * 0.9));
        let way = |i: usize| match i * 7 % 10 {
            kind if kind < near => 0.01,
            kind if kind < near + far => distance,
            _ => 0.0,
        };
        let boxes = |moves: f32| -> Vec<_> {
            let at = |i| place(i) + Vec3::X * way(i) * moves;
            (0..OBJECTS).map(|i| Aabb::around_sphere(at(i), 0.5)).collect()
        };
        let mut caching = Caching::<WherePays>::default();
        let modes = [0.0, 1.0, 1.0].map(|moves| {
            let boxes = boxes(moves);
            let frame = Frame::new(&boxes);
            caching.update(&frame);
            caching.find_pairs(&frame, &mut Vec::new());
            caching.validate(&frame);
            caching.mode
        });
        (modes[1], caching.counters().tests)
    }

    #[test]
    fn first_cache_suits_the_motion_between_two_frames() {
        for (near, far, distance, expected) in [
            (0, 0, 0.3, Mode::Build(FIRST)),
            (3, 1, 0.3, Mode::Build(FIRST)),
            (1, 3, 0.3, Mode::Build(RESTING)),
            (0, 4, 0.02, Mode::Build(RESTING)),
            (0, 4, 0.012, Mode::Build(FIRST)),
            (4, 2, 0.3, Mode::Build(FIRST)),
            (2, 4, 0.3, Mode::Build(FIRST)),
            (10, 0, 0.3, Mode::Build(FIRST)),
            (0, 6, 0.3, Mode::Search),
            (0, 6, 0.02, Mode::Build(FIRST)),
        ] {
            let (mode, _) = begin([near, far], distance);
            assert_eq!(mode, expected, "of ten, {near} move by 0.01, {far} by {distance}");
        }
    }

    #[test]
    fn objects_without_motion_rest_in_the_first_cache() {
        let tests = [0, 1, 10].map(|near| begin([near, 0], 0.0).1);
        assert_eq!(tests[0], 0, "pairs of resting objects are copied");
        assert!(tests[1] > 0 && tests[1] < tests[2] / 2, "{tests:?}");
    }
}
