//! Neighbour lists with a skin: the pairs of inflated boxes, kept for as long as they hold.
//!
//! Every box is inflated by a skin. While an object stays in its inflated box, the pairs of the
//! inflated boxes hold all of its pairs, and a frame is a look at each object and an exact test of
//! each kept pair: no structure is searched at all. This is the neighbour list of molecular dynamics
//! (Verlet 1967), with four differences. The list is repaired by object: what left its inflated box
//! gets a larger one, which holds the old one unless it went far, and looks for those that it did not
//! meet before, in the columns that made the list. The inflated box of an object that moves reaches
//! ahead along its way. Where few objects moved at all, only their pairs are tested again. And in a
//! list that holds for long, pairs that overlap wherever in their inflated boxes the two are (as far
//! as these know their sizes) are not tested at all.
//!
//! Where so many leave that repair costs more than to begin anew, the whole list is built by a
//! [`SweepGrid`] over the inflated boxes. Where everything moves fast, that is every frame, and the
//! list is a waste: see `auto`.

mod candidates;
mod cores;
mod inspect;
mod look;
mod making;
mod nearby;
mod repair;
mod skin;
mod steps;
mod test;
mod validate;

use super::sweep_grid::SweepGrid;
use crate::scratch::renew;
use crate::simd::level;
use crate::{Aabb, Algorithm, BroadPhase, Counters, Frame, Inspect, Pair};
use candidates::Candidates;
use fearless_simd::dispatch;
use look::Kept;
use nearby::Nearby;
use repair::Leavers;
pub(super) use skin::Skin;

/// Its row in the registry.
pub const ROW: Algorithm = Algorithm {
    id: "neighbour-list",
    name: "Neighbour list",
    summary: "keeps the pairs of inflated boxes; only what left its box looks for neighbours again",
    source: "Verlet 1967; list repair by object is our own",
    overlays: &[],
    memory: |n| n * 84,
    build: |_| Box::<NeighbourList>::default(),
};

/// The list is built anew where more than one object in this many left its box in one frame.
pub(super) const REBUILD_SHARE: usize = 8;

/// Pairs are tested one by one where fewer than one object in this many changed.
const FEW_CHANGED: usize = 4;

/// Where many objects change, all are taken to change but in one frame of so many.
const FRAMES_PER_LOOK: u32 = 16;

/// A list has held when it is so many frames old.
const HELD: u32 = 8;

/// Time O(n + c + m q) for c kept pairs and m objects that left their boxes and met q others; O(n)
/// and the pairs of changed objects where few change. Repair also lists all whose inflated boxes are
/// others than those that the list was made of, in each frame in which any left. Memory, the grid and
/// room to spare included, about 250 bytes an object and 40 a kept pair; up to 100 a pair once the pairs
/// of changed objects are tested by object.
#[derive(Debug, Default)]
pub struct NeighbourList {
    /// The inflated box of each object.
    fat: Vec<Aabb>,
    /// The box that each object had when somebody looked at what changed, or when it was inflated, last.
    last: Vec<Aabb>,
    /// What the box of each object holds while it does not leave; empty where that is not used.
    cores: Vec<Aabb>,
    skin: Skin,
    candidates: Candidates,
    search: SweepGrid,
    nearby: Nearby,
    /// Objects whose box is another one than in the frame before; none where all are taken for such.
    changed: Vec<u32>,
    /// The same in the frame before, and how many of `changed` are not among them.
    changed_before: Vec<u32>,
    started: usize,
    /// Whether all objects are taken for changed, and the boxes before are not looked at.
    are_all_changed: bool,
    /// Objects that left their inflated boxes.
    left: Vec<u32>,
    leavers: Leavers,
    frame: u32,
    /// The frame in which the list was made.
    made_in: u32,
    /// Place of each candidate in `live`; [`NONE`] for one that does not overlap.
    live_at: Vec<u32>,
    /// Numbers of the candidates that overlap, while they are kept.
    live: Vec<u32>,
    is_live_kept: bool,
    /// Whether the last update was followed by a search to its end.
    is_answered: bool,
    is_rebuilt: bool,
    /// Whether there is no list, and the search answers by itself.
    is_bypassed: bool,
    /// How many of those that left have asked for neighbours, boxes compared for that, and neighbours met.
    asked: usize,
    compared: u64,
    met: u64,
    tests: u64,
    tested: Tested,
}

/// Which candidates the last search tested.
#[derive(Clone, Copy, Debug, Default)]
enum Tested {
    #[default]
    Nothing,
    All,
    /// All but those that are sure.
    Others,
    Changed,
}

impl NeighbourList {
    /// Finds what changed and what left its inflated box.
    fn look(&mut self, boxes: &[Aabb]) {
        let (were_many, were_looked_at) = (self.is_much_changed(), !self.are_all_changed);
        std::mem::swap(&mut self.changed, &mut self.changed_before);
        renew(&mut self.changed);
        let most = self.most_left();
        self.left.clear();
        self.left.reserve(most + look::ROOM);
        let Self { fat, cores, last, changed, left, .. } = self;
        let kept = Kept { fat, cores };
        self.are_all_changed = were_many && !self.frame.is_multiple_of(FRAMES_PER_LOOK);
        if self.are_all_changed {
            dispatch!(level(), simd => look::look_who_left(simd, boxes, kept, left, most));
        } else {
            look::look(boxes, kept, last, changed, left, most);
            // The look may have ended before it had seen all.
            self.are_all_changed = self.is_hopeless();
        }
        let are_both_known = were_looked_at && !self.are_all_changed;
        self.started = if are_both_known { new_in(&self.changed, &self.changed_before) } else { 0 };
    }

    /// Whether the list was made some frames ago.
    fn has_held(&self) -> bool {
        self.frame.wrapping_sub(self.made_in) >= HELD
    }

    /// Whether so many objects changed that all pairs are tested again.
    fn is_much_changed(&self) -> bool {
        self.are_all_changed || self.changed.len() >= self.fat.len() / FEW_CHANGED
    }

    /// As many as may leave their boxes and be repaired sensibly.
    fn most_left(&self) -> usize {
        self.fat.len() / REBUILD_SHARE
    }

    /// Whether more left.
    fn is_hopeless(&self) -> bool {
        self.left.len() > self.most_left()
    }
}

/// How many of some objects are not among others, both in their order.
fn new_in(objects: &[u32], others: &[u32]) -> usize {
    let mut others = others.iter().peekable();
    let is_new = |object: &&u32| {
        while others.next_if(|other| other < object).is_some() {}
        others.peek() != Some(object)
    };
    objects.iter().filter(is_new).count()
}

impl BroadPhase for NeighbourList {
    fn update(&mut self, frame: &Frame<'_>) {
        self.step();
        self.refresh(frame);
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        if frame.is_stopped() {
            return;
        }
        if self.is_bypassed {
            self.search.find_pairs(frame, pairs);
            return;
        }
        if self.is_rebuilt || self.is_much_changed() || !self.candidates.are_numbered() {
            self.is_live_kept = false;
            self.test_all(frame, pairs);
            return;
        }
        if self.is_live_kept {
            self.test_changed(frame.boxes);
        } else {
            self.test_all_and_keep(frame.boxes);
        }
        self.is_answered = true;
        let candidates = self.candidates.pairs();
        let live = self.live.iter().map(|number| candidates[*number as usize]);
        if frame.layers.is_empty() {
            pairs.extend(live);
        } else {
            pairs.extend(live.filter(|pair| frame.admits(pair.a, pair.b)));
        }
    }

    fn counters(&self) -> Counters {
        if self.is_bypassed {
            return self.search.counters();
        }
        let built = if self.is_rebuilt { self.search.counters() } else { Counters::default() };
        Counters {
            tests: self.tests + self.compared + built.tests,
            listings: self.candidates.pairs().len() as u64,
            rebuilds: u64::from(self.is_rebuilt),
            ..built
        }
    }

    fn heap_bytes(&self) -> usize {
        (self.fat.capacity() + self.cores.capacity() + self.last.capacity()) * size_of::<Aabb>()
            + (self.changed.capacity()
                + self.changed_before.capacity()
                + self.left.capacity()
                + self.live_at.capacity()
                + self.live.capacity())
                * size_of::<u32>()
            + self.skin.heap_bytes()
            + self.candidates.heap_bytes()
            + self.nearby.heap_bytes()
            + self.leavers.heap_bytes()
            + self.search.heap_bytes()
    }

    fn validate(&self, frame: &Frame<'_>) {
        if self.is_bypassed {
            self.search.validate(frame);
        } else {
            self.validate_list(frame.boxes);
        }
    }

    fn inspect(&self) -> &dyn Inspect {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn who_comes_back_to_where_it_was_long_ago_is_found() {
        // All tremble, so that nobody looks at what changed but now and then; one goes away for some
        // frames, and then stands exactly where it stood when somebody looked last.
        let home = Vec3::splat(0.25);
        for back_in in 3..3 * FRAMES_PER_LOOK {
            let mut list = NeighbourList::default();
            for number in 0..4 * FRAMES_PER_LOOK {
                let mut boxes: Vec<_> = (0..64)
                    .map(|i| Vec3::splat(i as f32 * 2.0 + (number * 7 + i) as f32 % 5.0 * 0.002))
                    .map(|center| Aabb::around_sphere(center, 0.5))
                    .collect();
                let is_away = (2..back_in).contains(&number);
                let at = if is_away { home + Vec3::X * 40.0 } else { home };
                boxes.push(Aabb::around_sphere(at, 0.5));
                let frame = Frame::new(&boxes, 0.1);
                let mut pairs = Vec::new();
                list.update(&frame);
                list.validate(&frame);
                list.find_pairs(&frame, &mut pairs);
                let expected = if is_away { vec![] } else { vec![Pair::new(0, 64)] };
                assert_eq!(pairs, expected, "back in frame {back_in}, now {number}");
            }
        }
    }

    #[test]
    fn columns_that_one_thread_kept_sorted_are_asked_where_there_are_two() {
        let mut rng = ChaCha8Rng::seed_from_u64(8);
        let mut draw =
            |reach: f32| Vec3::from(std::array::from_fn(|_| rng.random_range(-reach..reach)));
        let mut bodies: Vec<_> = (0..5000).map(|_| (draw(9.0), draw(0.1))).collect();
        let pools = [1, 2]
            .map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
        let (mut list, mut grid) = (NeighbourList::default(), SweepGrid::default());
        let (mut is_kept, mut asked) = (false, 0);
        for number in 0..120 {
            for (at, way) in &mut bodies {
                *way =
                    Vec3::select(at.abs().cmpgt(Vec3::splat(9.0)), -at.signum() * way.abs(), *way);
                *at += *way;
            }
            let boxes: Vec<_> =
                bodies.iter().map(|(at, _)| Aabb::around_sphere(*at, 0.5)).collect();
            let frame = Frame::new(&boxes, 0.1);
            let threads = number / 3 % 2;
            let mut pairs = [Vec::new(), Vec::new()];
            pools[threads].install(|| {
                list.update(&frame);
                list.find_pairs(&frame, &mut pairs[0]);
            });
            grid.update(&frame);
            grid.find_pairs(&frame, &mut pairs[1]);
            pairs.iter_mut().for_each(|pairs| pairs.sort_unstable());
            assert!(pairs[0] == pairs[1], "frame {number}");
            is_kept = if list.is_rebuilt { list.nearby.is_sorted() } else { is_kept };
            asked += usize::from(threads == 1 && is_kept && !list.is_rebuilt && list.asked > 0);
        }
        assert!(asked > 5, "{asked}");
    }

    #[test]
    fn who_began_to_move_is_told_from_who_goes_on() {
        assert_eq!(new_in(&[1, 2, 5, 9], &[0, 2, 3, 9]), 2);
        assert_eq!(new_in(&[], &[4]), 0);
        assert_eq!(new_in(&[4, 7], &[]), 2);
    }

    #[test]
    fn what_is_left_of_a_list_that_was_forgotten_is_not_asked_for() {
        let boxes = vec![Aabb::around_sphere(Vec3::ZERO, 0.5); 3];
        let mut list = NeighbourList::default();
        list.update(&Frame::new(&boxes, 0.1));
        assert_eq!(list.candidates.pairs().len(), 3);
        list.forget();
        let (none, mut pairs) = (Frame::new(&[], 0.1), Vec::new());
        list.update(&none);
        list.find_pairs(&none, &mut pairs);
        assert_eq!(pairs, []);
    }
}
