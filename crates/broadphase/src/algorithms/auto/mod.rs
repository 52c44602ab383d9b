//! Chooses among a sweep, a grid, a grid that keeps what rests, and a kept list, frame by frame.
//!
//! Where most objects move far in a frame, nothing that is kept pays, and each frame is searched anew:
//! by [`BoxPruning`] where a sample promises few overlaps on its axis, else by a [`SweepGrid`]. Where
//! many rest, a [`RestGrid`] searches only for the others, however far they move. Where most move but
//! little, a [`NeighbourList`] is kept. Which of these it is shows in how many objects move at all, in
//! how many would leave their inflated boxes in a frame, and how often so many that the list would be
//! made anew. What keeps something knows that itself; else a few objects are watched as if it were
//! kept.
//!
//! The grid, what rests and the list share the one [`SweepGrid`], which also sorts for the latter two. Where
//! too many objects leave in one frame, that frame is searched anew, so that a sudden motion costs little more
//! than a fresh search. A list of many objects is made again some frames after it, once it promises to be
//! worth its cost, and over five frames, so that none of them is slow; only where all leave at once again and
//! again, as they do that were inflated at once and fly on, is it made in one frame.
//!
//! [`SweepGrid`]: super::sweep_grid::SweepGrid
//! [`RestGrid`]: super::rest_grid::RestGrid

mod watch;

use super::box_pruning::BoxPruning;
use super::neighbour_list::{NeighbourList, REBUILD_SHARE};
use super::rest_grid::Rest;
use crate::{Algorithm, BroadPhase, Counters, Frame, Inspect, Pair};
use watch::{Seen, Watch};

/// Its row in the registry.
pub const ROW: Algorithm = Algorithm {
    id: "auto",
    name: "Automatic",
    summary: "a sweep or a grid where all moves, something that is kept where little does",
    source: "our own; its parts are box-pruning, sweep-grid, rest-grid and neighbour-list",
    overlays: &[],
    memory: |n| n * 64,
    build: |_| Box::<Auto>::default(),
};

/// What a frame with a kept list costs, in fresh searches: with nothing to test, for each kept pair an
/// object that is tested, where any left their inflated boxes, for each share of the objects that did, and
/// where the list is made anew. Measured.
const KEPT: f32 = 0.05;
const TESTED: f32 = 0.03;
const ASKED: f32 = 0.12;
const REPAIRED: f32 = 15.0;
const MADE: f32 = 2.5;

/// Neighbours that one that left its box meets, for which it costs one fresh search of an object more.
/// Measured.
const MET: f32 = 3.0;

/// Kept pairs of one object in so many cost, by object, as much to test as all at once. Measured.
const CHANGED: f32 = 15.0;

/// So few objects that a list made anew in one frame may hold that up.
const FEW: usize = 1024;

/// A list of no more objects than this may do so, too, where lists were made anew, or would have been, so many
/// times, one no more than so many frames after the other. Where objects fly on, all are inflated at once, and
/// so they leave at once, again and again; after a longer rest it is a sudden motion, and that frame and those
/// after it are searched anew.
const SOME: usize = 65_536;
const TIMES: u32 = 4;
const AGAIN: u32 = 32;

/// What a frame costs in which what rests is kept, in fresh searches: where all rest, for each share of
/// the objects that moves on, and where all that rests is sorted anew. Measured.
const RESTED: f32 = 0.07;
const MOVED: f32 = 1.5;
const SORTED: f32 = 1.3;

/// The same for the root of the share that begins to move in each frame. So many more are carried in each
/// until all is sorted anew, and the best time for that makes it a root.
const STARTED: f32 = 2.3;

/// The same where so many move at once that the frame is searched anew.
const IN_VAIN: f32 = 1.2;

/// What is kept gives way to something else that promises less than this part of its cost.
const BETTER: f32 = 0.7;

/// Mean cost below which a list is kept, and above which it is dropped.
const KEEP_BELOW: f32 = 0.85;
const DROP_ABOVE: f32 = 1.1;

/// Tests an object, below which one sweep is faster than a grid of them. Measured: 50 to 110, by how
/// alike the boxes are.
const SWEEP_BELOW: f64 = 80.0;

/// A sweep is kept up to so many times as many, or a guess that varies would have it to and fro.
const HYSTERESIS: f64 = 1.3;

/// Frames between two looks at which of the two it is: the first few, and the most of them.
const FRAMES_PER_LOOK: [u32; 2] = [16, 128];

/// How much of the mean cost the newest frame makes up.
const NEWEST: f32 = 0.125;

/// Time and memory of the part that is chosen.
#[derive(Debug)]
pub struct Auto {
    list: NeighbourList,
    resting: Rest,
    pruning: BoxPruning,
    part: Part,
    /// What is there for the next frame.
    kept: Kept,
    /// Frames until the next look at how to search anew, and how many there were between the last two.
    until_look: u32,
    per_look: u32,
    /// Objects at the last look.
    looked_at: usize,
    watch: Watch,
    /// Mean cost of a frame with a kept list, in fresh searches: what it was, or would have been. Where it is
    /// made again in one frame, and where over several.
    list_costs: [f32; 2],
    /// The same of one in which what rests is kept.
    rest_cost: f32,
    /// How many others one that left its inflated box met, lately.
    met: f32,
    /// How many pairs an object the list kept when there was one.
    candidates: f32,
    /// Frames since the list was made anew, or would have been, and how many times it was before, one soon
    /// after the other.
    since_made: u32,
    made_before: u32,
    /// Whether the list answered the last frame for the last time.
    is_list_spent: bool,
    /// Whether nothing moved in the last frame in which what rests was kept.
    is_still: bool,
    /// Whether what rests is kept from this frame on.
    is_begun: bool,
    objects: usize,
}

impl Default for Auto {
    /// Of the motion nothing is known, and the first frames after all boxes were inflated at once
    /// promise too much: a list has to prove its worth.
    fn default() -> Self {
        Self {
            list: NeighbourList::default(),
            resting: Rest::default(),
            pruning: BoxPruning::default(),
            part: Part::default(),
            kept: Kept::default(),
            until_look: 0,
            per_look: 0,
            looked_at: 0,
            watch: Watch::default(),
            list_costs: [2.0; 2],
            rest_cost: 1.0,
            met: 0.0,
            since_made: u32::MAX,
            made_before: 0,
            candidates: 2.0,
            is_list_spent: false,
            is_still: false,
            is_begun: false,
            objects: 0,
        }
    }
}

/// What answers in a frame. The grid is in the list's hands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Grid,
    Sweep,
    Resting,
    List,
}

/// What is kept from frame to frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kept {
    #[default]
    Nothing,
    Resting,
    List,
}

impl Auto {
    /// Notes what a frame costs with a list, of whose objects a share changed and another left; or in which
    /// it would be made anew.
    fn note_left(&mut self, changed: f32, share: Option<f32>) {
        let costs = match share {
            Some(share) if share <= 1.0 / REBUILD_SHARE as f32 => {
                let asked = if share > 0.0 { ASKED } else { 0.0 };
                // Where few change, the others' pairs are copied, for a tenth of it.
                let tested = (changed * CHANGED).clamp(0.1, 1.0) * self.candidates * TESTED;
                [(KEPT + tested + asked + share * (REPAIRED + self.met / MET), NEWEST); 2]
            }
            _ => {
                let is_again = self.since_made <= AGAIN;
                self.made_before = if is_again { self.made_before.saturating_add(1) } else { 0 };
                self.since_made = 0;
                // Over several: this frame is searched anew, and the list is made in a later one: not in the
                // next, since where rest has ended, motion goes on for a while.
                [(MADE, NEWEST), (MADE + 1.0, 2.0 * NEWEST)]
            }
        };
        for (mean, (cost, weight)) in self.list_costs.iter_mut().zip(costs) {
            *mean += (cost - *mean) * weight;
        }
    }

    /// Mean cost of a frame with a kept list, in fresh searches.
    fn list_cost(&self) -> f32 {
        self.list_costs[usize::from(!self.may_be_made_at_once())]
    }

    /// Whether a list that is made in one frame may hold that up.
    fn may_be_made_at_once(&self) -> bool {
        let is_soon_again = self.since_made <= AGAIN && self.made_before >= TIMES;
        self.objects <= FEW || (self.objects <= SOME && is_soon_again)
    }

    /// Notes what a frame costs in which what rests is kept, of whose objects a share moves on, and another
    /// began to move.
    fn note_moved(&mut self, on: f32, started: f32) {
        self.note_rest_cost(RESTED + MOVED * on + STARTED * started.sqrt());
    }

    fn note_rest_cost(&mut self, cost: f32) {
        self.rest_cost += (cost - self.rest_cost) * NEWEST;
    }

    /// Notes what the watched objects did.
    fn watch(&mut self, frame: &Frame<'_>) -> Option<Seen> {
        let seen = self.watch.look(frame.boxes);
        if let Some(seen) = seen {
            self.note_left(seen.moved, Some(seen.left));
        }
        seen
    }

    /// Brings the kept list up to date; false where this frame must be searched anew.
    fn keep_list(&mut self, frame: &Frame<'_>) -> bool {
        let may_be_made = self.may_be_made_at_once();
        let left = if may_be_made {
            self.list.refresh(frame);
            self.list.left()
        } else {
            self.list.refresh_unless_hopeless(frame)
        };
        if let Some(met) = self.list.met_by_one() {
            self.met += (met - self.met) * 2.0 * NEWEST;
        }
        let of_all = |some: usize| some as f32 / self.objects.max(1) as f32;
        let is_whole = left.is_some() || may_be_made;
        if is_whole {
            self.candidates = of_all(self.list.candidates());
        }
        let (changed, started) = self
            .list
            .changed()
            .map_or((1.0, 0.0), |[changed, started]| (of_all(changed), of_all(started)));
        self.note_left(changed, left.map(of_all));
        self.note_moved(changed - started, started);
        if !is_whole || self.list_cost() > DROP_ABOVE {
            self.begin_anew();
        } else if self.rest_cost < self.list_cost() * BETTER {
            self.begin_resting(frame);
        }
        self.is_list_spent = self.kept != Kept::List;
        is_whole
    }

    /// Brings what rests up to date.
    fn keep_resting(&mut self, frame: &Frame<'_>) {
        self.resting.update(self.list.grid_mut(), frame);
        let share = self.resting.moving();
        let was_still = std::mem::replace(&mut self.is_still, share == Some(0.0));
        if was_still && self.is_still {
            // Nor did any that are watched.
            self.watch.skip();
            self.note_left(0.0, Some(0.0));
        } else {
            self.watch(frame);
        }
        if let Some(share) = share {
            // The first time is the price of the change, which is paid but once.
            let is_again = self.resting.is_rebuilt() && !std::mem::take(&mut self.is_begun);
            let sorted = if is_again { SORTED } else { 0.0 };
            self.note_rest_cost(sorted + RESTED + MOVED * share);
        } else if !frame.is_stopped() {
            // So many move at once that this frame was searched anew.
            self.rest_cost = self.rest_cost.max(IN_VAIN);
        }
        if self.rest_cost > DROP_ABOVE {
            self.begin_anew();
        }
    }

    /// Makes a list; that of many objects over several frames. True where it answers this one.
    fn begin_list(&mut self, frame: &Frame<'_>) -> bool {
        if self.may_be_made_at_once() {
            self.list.begin(frame);
            return true;
        }
        if !self.list.prepare(frame.boxes) {
            return false;
        }
        let is_whole = self.list.begin_prepared(frame);
        if !is_whole {
            self.note_left(1.0, None);
            self.begin_anew();
        }
        is_whole
    }

    /// Keeps what rests from the next frame on.
    fn begin_resting(&mut self, frame: &Frame<'_>) {
        self.resting.begin(frame);
        self.begin_anew();
        self.kept = Kept::Resting;
        (self.is_still, self.is_begun) = (false, true);
    }

    /// Whether a list is to be made.
    fn is_list_wanted(&self) -> bool {
        let least = if self.kept == Kept::Resting { BETTER } else { 1.0 };
        self.list_cost() < KEEP_BELOW && self.list_cost() <= self.rest_cost * least
    }

    /// Says that the next frame, or this one, is searched anew.
    fn begin_anew(&mut self) {
        self.kept = Kept::Nothing;
        (self.until_look, self.per_look) = (0, 0);
        self.watch.forget();
    }

    /// Searches a frame anew.
    fn search(&mut self, frame: &Frame<'_>) {
        let is_another_scene = self.objects.abs_diff(self.looked_at) > self.looked_at / 8;
        if self.until_look == 0 || is_another_scene {
            self.looked_at = self.objects;
            let stays = if self.part == Part::Sweep { HYSTERESIS } else { 1.0 };
            let few = SWEEP_BELOW * self.objects as f64 * stays;
            let is_few = self.pruning.expected_tests(frame.boxes) < few;
            self.part = if is_few { Part::Sweep } else { Part::Grid };
            self.per_look = (2 * self.per_look).clamp(FRAMES_PER_LOOK[0], FRAMES_PER_LOOK[1]);
            self.until_look = self.per_look;
        }
        self.until_look -= 1;
        if self.part == Part::Sweep {
            self.pruning.update(frame);
        } else {
            self.list.search_only(frame);
        }
    }
}

impl BroadPhase for Auto {
    fn update(&mut self, frame: &Frame<'_>) {
        self.list.step();
        self.since_made = self.since_made.saturating_add(1);
        if std::mem::take(&mut self.is_list_spent) {
            self.list.forget();
        }
        if self.objects != frame.boxes.len() {
            let are_fewer = frame.boxes.len() < self.objects;
            self.objects = frame.boxes.len();
            if self.kept == Kept::List || (self.kept == Kept::Resting && are_fewer) {
                // What is kept is of other objects: this frame is searched anew.
                self.note_left(1.0, None);
                self.note_rest_cost(IN_VAIN);
                self.begin_anew();
            }
            self.list.forget();
        } else if self.kept == Kept::List {
            if self.keep_list(frame) {
                self.part = Part::List;
                return;
            }
        } else if self.is_list_wanted() {
            if self.begin_list(frame) {
                self.kept = Kept::List;
                self.part = Part::List;
                return;
            }
        } else {
            self.list.forget();
        }
        if self.kept == Kept::Resting {
            self.part = Part::Resting;
            self.keep_resting(frame);
            return;
        }
        if let Some(seen) = self.watch(frame) {
            self.note_moved(seen.moved - seen.started, seen.started);
        }
        self.search(frame);
        if self.rest_cost < KEEP_BELOW && !self.is_list_wanted() {
            // What rests shows in the next frame.
            self.begin_resting(frame);
        }
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        match self.part {
            Part::Sweep => self.pruning.find_pairs(frame, pairs),
            Part::Resting => self.resting.find_pairs(self.list.grid_mut(), frame, pairs),
            Part::Grid | Part::List => self.list.find_pairs(frame, pairs),
        }
    }

    fn counters(&self) -> Counters {
        match self.part {
            Part::Sweep => self.pruning.counters(),
            Part::Resting => self.resting.counters(self.list.grid()),
            Part::Grid | Part::List => self.list.counters(),
        }
    }

    fn heap_bytes(&self) -> usize {
        self.list.heap_bytes()
            + self.resting.heap_bytes()
            + self.pruning.heap_bytes()
            + self.watch.heap_bytes()
    }

    fn validate(&self, frame: &Frame<'_>) {
        match self.part {
            Part::Sweep => self.pruning.validate(frame),
            Part::Resting => self.resting.validate(self.list.grid(), frame),
            Part::Grid | Part::List => self.list.validate(frame),
        }
    }

    fn inspect(&self) -> &dyn Inspect {
        self
    }
}

impl Inspect for Auto {
    fn tests_by_object(&self, tests: &mut [u32]) {
        match self.part {
            Part::Sweep => self.pruning.inspect().tests_by_object(tests),
            Part::Resting => self.resting.tests_by_object(self.list.grid(), tests),
            Part::Grid | Part::List => self.list.tests_by_object(tests),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Aabb;
    use glam::Vec3;

    /// What answers in each of some frames, in which objects are moved about, and how often all that
    /// rests is sorted in the last hundred of them.
    fn parts(
        objects: usize,
        frames: usize,
        way: impl Fn(usize, usize) -> Vec3,
    ) -> (Vec<Part>, usize) {
        let side = (objects as f32).cbrt();
        let home = |i: usize| {
            let place = |k: u32| (i as f32 * 0.618 * (1.7f32).powi(k as i32)).fract() * side;
            Vec3::new(place(0), place(1), place(2)) * 1.2
        };
        let mut boxes: Vec<_> = (0..objects).map(|i| Aabb::around_sphere(home(i), 0.5)).collect();
        let (mut auto, mut parts, mut sorted) = (Auto::default(), Vec::new(), 0);
        for number in 0..frames {
            for (object, b) in boxes.iter_mut().enumerate() {
                let way = way(number, object);
                *b = Aabb::new(b.min + way, b.max + way);
            }
            let (frame, mut pairs) = (Frame::new(&boxes, 0.1), Vec::new());
            auto.update(&frame);
            auto.find_pairs(&frame, &mut pairs);
            parts.push(auto.part);
            let is_sorted = auto.part == Part::Resting && auto.resting.is_rebuilt();
            sorted += usize::from(is_sorted && number + 100 >= frames);
        }
        (parts, sorted)
    }

    /// To and fro.
    fn shake(number: usize, object: usize, by: f32) -> Vec3 {
        let sign = if (number + object).is_multiple_of(2) { by } else { -by };
        Vec3::new(sign, -sign, sign)
    }

    #[test]
    fn what_answers_suits_the_motion_and_stays() {
        for objects in [1000, 20_000] {
            let last = |way: &dyn Fn(usize, usize) -> Vec3, expected: &[Part]| {
                let (parts, sorted) = parts(objects, 200, way);
                let last = &parts[100..];
                assert!(last.iter().all(|part| *part == last[0]), "{objects}: {parts:?}");
                assert!(expected.contains(&last[0]), "{objects}: {last:?}");
                assert_eq!(sorted, 0, "{objects}: what rests is sorted again and again");
            };
            let rest = |_: usize, _: usize| Vec3::ZERO;
            last(&rest, &[Part::Resting, Part::List]);
            let some = |number: usize, object: usize| {
                if object.is_multiple_of(20) { shake(number / 3, object, 0.5) } else { Vec3::ZERO }
            };
            last(&some, &[Part::Resting]);
            last(&|number, object| shake(number, object, 0.001), &[Part::List]);
            let all = |number: usize, object: usize| shake(number / 20, object, 0.8);
            last(&all, &[Part::Grid, Part::Sweep]);
        }
    }

    #[test]
    fn a_list_of_objects_that_fly_on_is_made_again_and_again() {
        // All leave their inflated boxes at once, every ten frames or so.
        for objects in [1000, 10_000] {
            let (parts, _) = parts(objects, 200, |_, _| Vec3::splat(0.02));
            assert!(parts[100..].iter().all(|part| *part == Part::List), "{objects}: {parts:?}");
        }
    }

    #[test]
    fn a_list_that_comes_to_rest_is_not_changed_to_and_fro() {
        for objects in [1000, 20_000] {
            let way = |number: usize, object: usize| {
                if number < 120 { shake(number, object, 0.001) } else { Vec3::ZERO }
            };
            let (parts, sorted) = parts(objects, 320, way);
            let last = &parts[220..];
            assert!(last.iter().all(|part| *part == last[0]), "{objects}: {parts:?}");
            assert_eq!(sorted, 0, "{objects}");
        }
    }
}
