//! Moments of a motion, now and then. A step is shown by the ordinary steps from the moment before it.

use super::heat::Heat;
use broadphase::{Aabb, Pair};
use sim::WorldState;
use std::collections::VecDeque;

/// Nanoseconds of steps between two moments: about what is taken again to show a step.
const SPACING_NS: u64 = 30_000_000;

/// Most steps between two moments that are stored fast.
const SPACING_STEPS: u64 = 30;

/// The steps between two moments take at least this many times as long as to store one, and those between two copies of the
/// structures as long as to copy them.
const MIN_SHARE: u64 = 20;

/// Most nanoseconds of steps, and most steps, between two moments.
const MAX_SPACING_NS: u64 = 300_000_000;
const MAX_SPACING_STEPS: u64 = 300;

/// Steps that can be gone back, where there is memory: ten seconds at 60 steps a second.
const MAX_STEPS: u64 = 600;

/// Objects, and the bytes for them or fewer.
const SMALL: (u64, u64) = (3_000, 64 << 20);

/// Objects, and the bytes for them or more.
const LARGE: (u64, u64) = (100_000, 512 << 20);

/// Moments may take one in this many bytes of the available memory. The rest is for the algorithms.
const MEMORY_SHARE: u64 = 4;

/// Bytes for the moments of a number of objects, within the `available` ones.
pub(super) fn room(objects: u64, available: u64) -> usize {
    let beyond = objects.clamp(SMALL.0, LARGE.0) - SMALL.0;
    let wanted = SMALL.1 + beyond * (LARGE.1 - SMALL.1) / (LARGE.0 - SMALL.0);
    usize::try_from(wanted.min(available / MEMORY_SHARE)).unwrap_or(usize::MAX)
}

/// When the next moment is stored.
#[derive(Debug, Default)]
pub(super) struct Spacing {
    /// The last moment's step.
    last: Option<u64>,
    /// A change since then that is no input of a step: an edit, or a step that did not end as others do. No steps are taken
    /// again across one.
    changed: bool,
    /// Nanoseconds of the steps since the last moment, and of storing it.
    since_ns: u64,
    stored_ns: u64,
    /// The same of the last copies of the structures.
    since_copied_ns: u64,
    copied_ns: u64,
}

impl Spacing {
    /// A change that is no input.
    pub(super) fn change(&mut self) {
        self.changed = true;
    }

    /// Whether there was a change since the last moment.
    pub(super) fn has_changed(&self) -> bool {
        self.changed && self.last.is_some()
    }

    /// A step took so long.
    pub(super) fn step(&mut self, ns: u64) {
        self.since_ns = self.since_ns.saturating_add(ns);
        self.since_copied_ns = self.since_copied_ns.saturating_add(ns);
    }

    /// Whether a moment is due before the step after `step`.
    pub(super) fn is_due(&self, step: u64) -> bool {
        let is_far = |last: u64| {
            let is_cheap = self.since_ns >= MIN_SHARE * self.stored_ns;
            (is_cheap && (self.since_ns >= SPACING_NS || step - last >= SPACING_STEPS))
                || self.since_ns >= MAX_SPACING_NS
                || step - last >= MAX_SPACING_STEPS
        };
        self.has_changed() || self.last.is_none_or(|last| step > last && is_far(last))
    }

    /// A moment is stored.
    pub(super) fn stored(&mut self, step: u64) {
        (self.last, self.changed, self.since_ns) = (Some(step), false, 0);
    }

    /// Storing the last moment took so long. Returns whether copies of the structures are due.
    pub(super) fn took(&mut self, ns: u64) -> bool {
        self.stored_ns = ns;
        self.since_copied_ns >= MIN_SHARE * self.copied_ns
    }

    /// Copying the structures took so long.
    pub(super) fn copied(&mut self, ns: u64) {
        (self.since_copied_ns, self.copied_ns) = (0, ns);
    }

    /// Other steps follow: a moment is due.
    pub(super) fn forget(&mut self) {
        self.last = None;
    }
}

/// Everything that a step of a scene changes.
#[derive(Debug, Default)]
pub(super) struct Moment {
    pub(super) world: WorldState,
    pub(super) heat: Heat,
    /// The boxes that were searched in the step. Empty in a moment that steps are taken from.
    pub(super) boxes: Vec<Aabb>,
    /// The pairs in contact in it.
    pub(super) contacts: Vec<Pair>,
    /// Bytes on the heap, as counted when it was stored.
    pub(super) bytes: usize,
}

/// The moments of consecutive steps, the last one last.
#[derive(Debug)]
pub(super) struct Moments {
    ring: VecDeque<Moment>,
    bytes: usize,
    max_bytes: usize,
}

impl Moments {
    /// No moments yet. They will take at most `max_bytes`; the last one is kept in any case.
    pub(super) fn new(max_bytes: usize) -> Self {
        Self { ring: VecDeque::new(), bytes: 0, max_bytes }
    }

    /// Adds a moment after all others, which `store` fills. The oldest ones make room for it.
    pub(super) fn push(&mut self, step: u64, store: impl FnOnce(&mut Moment)) {
        self.forget_from(step);
        // The memory of the oldest moment is reused.
        let mut moment = self.make_room(step, 1).unwrap_or_default();
        store(&mut moment);
        let last = self.ring.back().map(|last| &last.world);
        moment.bytes = moment.world.heap_bytes()
            + moment.world.recipe_bytes(last)
            + moment.heat.heap_bytes()
            + moment.contacts.capacity() * size_of::<Pair>();
        self.bytes += moment.bytes;
        self.ring.push_back(moment);
        // It may be larger than the one before.
        self.make_room(step, 0);
    }

    /// Drops the oldest moments until there is room for `more`, each as large as the last one, which is kept. Returns the
    /// last one that was dropped.
    fn make_room(&mut self, step: u64, more: usize) -> Option<Moment> {
        let each = self.ring.back()?.bytes;
        let mut dropped = None;
        while let Some(second) = self.ring.get(1)
            && (second.world.steps() + MAX_STEPS <= step
                || self.bytes + more * each > self.max_bytes)
        {
            dropped = self.ring.pop_front();
            self.bytes -= dropped.as_ref().map_or(0, |moment| moment.bytes);
        }
        dropped
    }

    /// Forgets the moments of a step and of later ones.
    pub(super) fn forget_from(&mut self, step: u64) {
        while let Some(later) = self.ring.pop_back_if(|moment| moment.world.steps() >= step) {
            self.bytes -= later.bytes;
        }
    }

    /// The last moment up to a step.
    pub(super) fn up_to(&self, step: u64) -> Option<&Moment> {
        self.ring.iter().rev().find(|moment| moment.world.steps() <= step)
    }

    /// The step of the first moment.
    pub(super) fn first(&self) -> Option<u64> {
        self.ring.front().map(|moment| moment.world.steps())
    }

    /// Bytes that they take.
    pub(super) fn heap_bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::{Hold, SceneDocument, World};

    #[test]
    fn moments_stay_within_their_bytes_and_the_last_one_is_kept() {
        // The start of a continuous world has no paths: its moment is less than half as large as all others.
        let text =
            b"i -2 -2 -2 4 4 4 100 f\n#!objects 20\n#!radius 0.2\n#!speed 2\n#!continuous all\n\
            #!shape die box 1 1 1\n#!bodies source 1 die 100\n";
        let document = SceneDocument::parse("dice.scene", text).unwrap();
        for (room, steps) in [(0, 0..=1), (100_000, 2..=30), (usize::MAX, 600..=700)] {
            let mut world = World::new(document.scene());
            let mut moments = Moments::new(room);
            for step in 0..700 {
                moments.push(step, |moment| world.store(&mut moment.world));
                world.step(Hold::None);
                world.respond(&[]);
                let kept = step - moments.first().unwrap();
                assert!(moments.ring.len() == 1 || moments.heap_bytes() <= room, "{step}");
                assert!(kept <= MAX_STEPS + 1, "{kept}");
            }
            assert!(steps.contains(&(moments.ring.len() as u64)), "{}", moments.ring.len());
            moments.forget_from(0);
            assert_eq!(moments.heap_bytes(), 0);
        }
    }

    #[test]
    fn moments_are_neither_far_apart_nor_stored_all_the_time() {
        let ms = |ms: u64| ms * 1_000_000;
        let mut spacing = Spacing::default();
        assert!(spacing.is_due(0), "the first one");
        spacing.stored(0);
        assert!(spacing.took(ms(100)), "the first copies");
        spacing.copied(ms(20));
        spacing.step(ms(299));
        assert!(!spacing.is_due(40), "storing it takes long");
        spacing.step(ms(1));
        assert!(spacing.is_due(40), "but 300 ms are to be taken again");
        spacing.stored(40);
        assert!(!spacing.took(ms(100)), "copies take longer than that");
        assert!(!spacing.is_due(339) && spacing.is_due(340), "300 steps");
        spacing.change();
        assert!(spacing.is_due(41), "an edit");
        spacing.step(ms(100));
        assert!(spacing.took(ms(1)), "20 times the time of the copies");
        spacing.stored(41);
        spacing.step(ms(29));
        assert!(!spacing.is_due(70) && spacing.is_due(71), "it is stored fast");
        spacing.step(ms(1));
        assert!(spacing.is_due(42));
    }

    #[test]
    fn room_grows_with_the_objects_within_the_available_memory() {
        let all = |objects, available| room(objects, available) >> 20;
        let plenty = 64 << 30;
        assert_eq!([0, 3_000, 100_000, u64::MAX].map(|n| all(n, plenty)), [64, 64, 512, 512]);
        assert!((280..300).contains(&all(51_500, plenty)));
        assert_eq!((all(100_000, 1 << 30), all(100_000, 0)), (256, 0));
    }
}
