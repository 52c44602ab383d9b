//! Neighbour lists with a skin: the pairs of inflated boxes, kept for as long as they hold.
//!
//! Every box is inflated by a skin. While an object stays in its inflated box, the pairs of the
//! inflated boxes hold all of its pairs, and a frame is a look at each object and an exact test of
//! each kept pair: no structure is searched at all. This is the neighbour list of molecular dynamics
//! (Verlet 1967), with three differences. The list is repaired by object: what left its inflated box
//! drops its own pairs, gets a new inflated box and looks for neighbours in a grid that is kept for
//! that. The inflated box of an object that moves reaches ahead along its way. And where few objects
//! moved at all, only their pairs are tested again.
//!
//! Where so many leave that repair costs more than to begin anew, the whole list is built by a
//! [`SweepGrid`] over the inflated boxes. Where everything moves fast, that is every frame, and the
//! list is a waste: see `auto`.

mod candidates;
mod cells;
mod inspect;
mod look;
mod skin;
mod test;
mod validate;

use super::sweep_grid::SweepGrid;
use crate::scratch::{renew, resize_roomy};
use crate::simd::{level, narrow_level};
use crate::{Aabb, Algorithm, BroadPhase, Counters, Frame, Inspect, Pair};
use candidates::{Candidates, NONE};
use cells::Cells;
use fearless_simd::dispatch;
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
pub(super) const REBUILD_SHARE: usize = 6;

/// Where many objects change, all are taken to change but in one frame of so many.
const FRAMES_PER_LOOK: u32 = 16;

/// The list is built anew where those that left meet more objects than this for each object there is,
/// and these.
const MOST_QUERIES: usize = 64;
const FEWEST_QUERIES: usize = 4096;

/// Frames over which the boxes of a list to come are inflated, so that none of them is slow.
const PREPARED_IN: usize = 4;

/// Pairs are tested one by one where fewer than one object in this many changed.
const FEW_CHANGED: usize = 4;

/// Time O(n + c + m q) for c kept pairs and m objects that left their boxes and met q others; O(n)
/// and the pairs of changed objects where few change. Memory about 300 bytes an object, the grids
/// for building and for repair included, and 24 a kept pair.
#[derive(Debug, Default)]
pub struct NeighbourList {
    /// The inflated box of each object.
    fat: Vec<Aabb>,
    /// The box that each object had when its pairs were last tested.
    last: Vec<Aabb>,
    skin: Skin,
    candidates: Candidates,
    cells: Cells,
    search: SweepGrid,
    /// Objects whose box is another one than in the frame before; none where all are taken for such.
    changed: Vec<u32>,
    /// Whether all objects are taken for changed, and the boxes before are not looked at.
    are_all_changed: bool,
    /// Objects that left their inflated boxes.
    left: Vec<u32>,
    /// For each object the number of the frame in which it left; 0 for never.
    left_in: Vec<u32>,
    frame: u32,
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
    /// Objects met by those that left, and how many of these have asked.
    queries: u64,
    asked: usize,
    tests: u64,
    tested: Tested,
}

/// Which candidates the last search tested.
#[derive(Clone, Copy, Debug, Default)]
enum Tested {
    #[default]
    Nothing,
    All,
    Changed,
}

impl NeighbourList {
    /// Finds what changed and what left its inflated box.
    fn look(&mut self, boxes: &[Aabb]) {
        let were_many = self.is_much_changed();
        renew(&mut self.changed);
        let most = self.most_left();
        self.left.clear();
        self.left.reserve(most + look::ROOM);
        let Self { fat, last, changed, left, .. } = self;
        self.are_all_changed = were_many && !self.frame.is_multiple_of(FRAMES_PER_LOOK);
        if self.are_all_changed {
            dispatch!(level(), simd => look::look_who_left(simd, boxes, fat, left, most));
        } else {
            look::look(boxes, fat, last, changed, left, most);
            // The look may have ended before it had seen all.
            self.are_all_changed = self.is_hopeless();
        }
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

    /// Makes the list anew of all boxes.
    fn rebuild(&mut self, frame: &Frame<'_>) {
        let boxes = frame.boxes;
        self.skin.begin(boxes);
        self.make_room(boxes.len());
        self.inflate_up_to(boxes.len(), boxes);
        self.find_candidates(frame);
    }

    /// Makes room for the inflated boxes of so many objects, of which there are none now.
    fn make_room(&mut self, objects: usize) {
        for list in [&mut self.fat, &mut self.last] {
            list.clear();
            if list.capacity() < objects {
                list.reserve_exact(objects + objects / 8 + 64);
            }
        }
    }

    /// Inflates the boxes from the first one that is not up to one.
    fn inflate_up_to(&mut self, end: usize, boxes: &[Aabb]) {
        let first = self.fat.len();
        let (skin, boxes) = (&mut self.skin, &boxes[first..end]);
        self.fat.extend((first as u32..).zip(boxes).map(|(object, b)| skin.inflate(object, b)));
        self.last.extend_from_slice(boxes);
    }

    /// Finds the pairs of the inflated boxes.
    fn find_candidates(&mut self, frame: &Frame<'_>) {
        self.is_rebuilt = true;
        self.queries = 0;
        let fat = Frame { boxes: &self.fat, layers: &[], ..*frame };
        let search = &mut self.search;
        self.candidates.refill(|pairs| {
            search.update(&fat);
            search.find_pairs(&fat, pairs);
        });
        self.cells.forget();
        self.is_live_kept = false;
        if frame.is_stopped() {
            // The list may not be whole.
            self.forget();
        }
    }

    /// Gives the objects that left new inflated boxes and new candidates; false, with a list that must
    /// not be used, where they meet so many that to begin anew is faster.
    #[must_use]
    fn repair(&mut self, boxes: &[Aabb]) -> bool {
        let most_queries = (boxes.len() * MOST_QUERIES + FEWEST_QUERIES) as u64;
        self.candidates.link(boxes.len());
        self.cells.make(&self.fat, self.skin.farthest());
        let left = std::mem::take(&mut self.left);
        for object in &left {
            self.left_in[*object as usize] = self.frame;
            self.drop_candidates(*object);
            let fat = self.skin.inflate(*object, &boxes[*object as usize]);
            self.fat[*object as usize] = fat;
            // A look takes it for granted that the last box is in the inflated one.
            self.last[*object as usize] = boxes[*object as usize];
            self.cells.replace(*object, &fat);
        }
        for object in &left {
            let fat = self.fat[*object as usize];
            if fat.is_empty() {
                continue;
            }
            if self.queries > most_queries {
                break;
            }
            self.asked += 1;
            let (cells, fats, left_in) = (&self.cells, &self.fat, &self.left_in);
            let (candidates, live_at) = (&mut self.candidates, &mut self.live_at);
            cells.for_each_near(&fat, |other| {
                if other == *object {
                    return;
                }
                self.queries += 1;
                // Two that left find each other twice.
                let is_first = left_in[other as usize] != self.frame || *object < other;
                if is_first && fats[other as usize].overlaps(&fat) {
                    candidates.push(Pair::new(*object, other));
                    if self.is_live_kept {
                        live_at.push(NONE);
                    }
                }
            });
        }
        self.left = left;
        self.queries <= most_queries
    }

    fn drop_candidates(&mut self, object: u32) {
        let Self { candidates, live_at, live, is_live_kept, .. } = self;
        candidates.drop_of(object, |number, last| {
            if *is_live_kept {
                bury(number, live_at, live);
                let at = live_at[last as usize];
                live_at.swap_remove(number as usize);
                if number != last && at != NONE {
                    live[at as usize] = number;
                }
            }
        });
    }

    /// Tests every candidate.
    fn test_all(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        let candidates = self.candidates.pairs();
        self.tests = candidates.len() as u64;
        self.tested = Tested::All;
        let first = pairs.len();
        dispatch!(narrow_level(), simd => test::append_overlapping(simd, candidates, frame, pairs));
        frame.drop_refused(pairs, first);
    }

    /// Tests every candidate, and remembers which overlap.
    fn test_all_and_keep(&mut self, boxes: &[Aabb]) {
        self.tests = self.candidates.pairs().len() as u64;
        self.tested = Tested::All;
        self.candidates.link(boxes.len());
        renew(&mut self.live);
        renew(&mut self.live_at);
        for (number, pair) in (0..).zip(self.candidates.pairs()) {
            let [a, b] = [pair.a, pair.b].map(|object| &boxes[object as usize]);
            if a.overlaps(b) {
                self.live_at.push(self.live.len() as u32);
                self.live.push(number);
            } else {
                self.live_at.push(NONE);
            }
        }
        self.is_live_kept = true;
    }

    /// Tests the candidates of the objects that changed.
    fn test_changed(&mut self, boxes: &[Aabb]) {
        self.tests = 0;
        self.tested = Tested::Changed;
        let Self { candidates, live_at, live, changed, .. } = self;
        for object in changed.iter() {
            candidates.for_each_of(*object, |number| {
                self.tests += 1;
                let pair = candidates.pairs()[number as usize];
                let is_live = boxes[pair.a as usize].overlaps(&boxes[pair.b as usize]);
                if is_live == (live_at[number as usize] != NONE) {
                    return;
                }
                if is_live {
                    live_at[number as usize] = live.len() as u32;
                    live.push(number);
                } else {
                    bury(number, live_at, live);
                }
            });
        }
    }
}

/// Takes a candidate from those that overlap.
fn bury(number: u32, live_at: &mut [u32], live: &mut Vec<u32>) {
    let at = std::mem::replace(&mut live_at[number as usize], NONE);
    if at != NONE {
        live.swap_remove(at as usize);
        if let Some(moved) = live.get(at as usize) {
            live_at[*moved as usize] = at;
        }
    }
}

/// What [`Auto`](super::auto::Auto) needs to choose, frame by frame.
impl NeighbourList {
    /// A frame has begun: to be called once in each, whoever answers it.
    pub(super) fn step(&mut self, objects: usize) {
        (self.is_rebuilt, self.is_bypassed) = (false, false);
        (self.queries, self.asked, self.tests) = (0, 0, 0);
        self.tested = Tested::Nothing;
        // What changed in a frame that nobody asked for was not tested.
        self.is_live_kept &= std::mem::replace(&mut self.is_answered, false);
        self.skin.step();
        self.frame = self.frame.wrapping_add(1);
        if self.frame == 0 || self.left_in.len() != objects {
            self.left_in.clear();
            resize_roomy(&mut self.left_in, objects, 0);
            self.frame = 1;
        }
    }

    /// Brings the list up to date, or makes it anew.
    pub(super) fn refresh(&mut self, frame: &Frame<'_>) {
        if self.fat.len() != frame.boxes.len() {
            self.begin(frame);
            return;
        }
        self.look(frame.boxes);
        if self.is_hopeless() || (!self.left.is_empty() && !self.repair(frame.boxes)) {
            self.rebuild(frame);
        }
    }

    /// Brings the list up to date, unless so many objects left their boxes that it would be built anew:
    /// then `None`, and the list is forgotten. Otherwise how many left.
    pub(super) fn refresh_unless_hopeless(&mut self, frame: &Frame<'_>) -> Option<usize> {
        if self.fat.len() != frame.boxes.len() {
            return None;
        }
        self.look(frame.boxes);
        let is_whole = !self.is_hopeless() && (self.left.is_empty() || self.repair(frame.boxes));
        if !is_whole {
            self.forget();
        }
        is_whole.then_some(self.left.len())
    }

    /// How many objects one that left its box met, on average; `None` where none left.
    pub(super) fn queries_of_one(&self) -> Option<f32> {
        (self.asked > 0).then(|| self.queries as f32 / self.asked as f32)
    }

    /// How many objects left their inflated boxes; `None` where the list was built anew.
    pub(super) fn left(&self) -> Option<usize> {
        (!self.is_rebuilt).then_some(self.left.len())
    }

    /// Makes the list for objects of which nothing is known.
    pub(super) fn begin(&mut self, frame: &Frame<'_>) {
        self.skin.resize(frame.boxes.len());
        self.fat.clear();
        self.changed.clear();
        self.are_all_changed = false;
        self.left.clear();
        self.rebuild(frame);
    }

    /// Forgets the list, and what was prepared of one.
    pub(super) fn forget(&mut self) {
        self.fat.clear();
        self.candidates.clear();
    }

    /// Inflates a part of the boxes for a list that is to be made, after those of the frames before; true
    /// where that had been done for all. Such frames are searched by another, or by
    /// [`search_only`](Self::search_only).
    pub(super) fn prepare(&mut self, boxes: &[Aabb]) -> bool {
        if self.fat.is_empty() {
            self.skin.resize(boxes.len());
            self.skin.begin(boxes);
            self.make_room(boxes.len());
        }
        let first = self.fat.len();
        let part = boxes.len().div_ceil(PREPARED_IN);
        self.inflate_up_to(boxes.len().min(first + part), boxes);
        first == boxes.len()
    }

    /// Makes the list of inflated boxes that are prepared; false, without a list, where too many objects
    /// have left them since.
    pub(super) fn begin_prepared(&mut self, frame: &Frame<'_>) -> bool {
        self.are_all_changed = false;
        self.changed.clear();
        self.look(frame.boxes);
        if self.is_hopeless() {
            self.forget();
            return false;
        }
        for object in &self.left {
            self.fat[*object as usize] = self.skin.inflate(*object, &frame.boxes[*object as usize]);
        }
        self.find_candidates(frame);
        true
    }

    /// Lets the frame's boxes be searched as they are, without a list.
    pub(super) fn search_only(&mut self, frame: &Frame<'_>) {
        self.is_bypassed = true;
        self.search.update(frame);
    }
}

impl BroadPhase for NeighbourList {
    fn update(&mut self, frame: &Frame<'_>) {
        self.step(frame.boxes.len());
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
        if self.is_rebuilt || self.is_much_changed() {
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
            tests: self.tests + self.queries + built.tests,
            listings: self.candidates.pairs().len() as u64,
            rebuilds: u64::from(self.is_rebuilt),
            ..built
        }
    }

    fn heap_bytes(&self) -> usize {
        (self.fat.capacity() + self.last.capacity()) * size_of::<Aabb>()
            + (self.changed.capacity()
                + self.left.capacity()
                + self.left_in.capacity()
                + self.live_at.capacity()
                + self.live.capacity())
                * size_of::<u32>()
            + self.skin.heap_bytes()
            + self.candidates.heap_bytes()
            + self.cells.heap_bytes()
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

    /// Boxes of side 1, too far from each other to overlap when they are inflated.
    fn row() -> Vec<Aabb> {
        (0..16).map(|i| Aabb::around_sphere(Vec3::new(i as f32 * 4.0, 0.0, 0.0), 0.5)).collect()
    }

    #[test]
    fn a_list_is_prepared_over_some_frames_and_reaches_as_far_ahead_as_an_object_moves() {
        let mut boxes = row();
        let mut list = NeighbourList::default();
        // Each object in turn is the one that moves: those that are inflated first and last.
        for moving in 0..boxes.len() {
            list.forget();
            let way = Vec3::Y * 0.1;
            for number in 0..=PREPARED_IN {
                boxes[moving] = Aabb::new(boxes[moving].min + way, boxes[moving].max + way);
                list.step(boxes.len());
                assert_eq!(list.prepare(&boxes), number == PREPARED_IN);
                list.search_only(&Frame::new(&boxes, 0.1));
            }
            list.is_bypassed = false;
            assert!(list.begin_prepared(&Frame::new(&boxes, 0.1)));
            list.validate_list(&boxes);
            let ahead = list.fat[moving].max.y - boxes[moving].max.y;
            assert!((ahead - 0.84).abs() < 1e-3, "object {moving}: {ahead}");
        }
    }

    #[test]
    fn a_list_of_objects_that_left_while_it_was_prepared_is_given_up() {
        let mut boxes = row();
        let mut list = NeighbourList::default();
        for number in 0..=PREPARED_IN {
            list.step(boxes.len());
            assert_eq!(list.prepare(&boxes), number == PREPARED_IN);
        }
        boxes.iter_mut().for_each(|b| *b = Aabb::new(b.min + 9.0, b.max + 9.0));
        list.step(boxes.len());
        assert!(!list.begin_prepared(&Frame::new(&boxes, 0.1)));
        assert!(list.fat.is_empty());
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
