//! Chooses among a sweep, a grid and a kept list, frame by frame.
//!
//! Where most objects move far in a frame, nothing that is kept pays, and each frame is searched anew:
//! by [`BoxPruning`] where a sample promises few overlaps on its axis, else by a [`SweepGrid`]. Where
//! objects rest, creep or jitter, or few move, a [`NeighbourList`] is kept. Which of these it is shows
//! in how many objects would leave their inflated boxes in a frame, and how often so many that the
//! list would be made anew. While the list is kept, that is known; while it is not, a few objects are
//! watched as if it were.
//!
//! List and grid share the one grid. Where too many objects leave in one frame, that frame is searched
//! anew, so that a sudden motion costs little more than a fresh search. A list of many objects is made
//! again some frames after it, once it promises to be worth its cost, and over five frames, so that none
//! of them is slow.
//!
//! [`SweepGrid`]: super::sweep_grid::SweepGrid

use super::box_pruning::BoxPruning;
use super::neighbour_list::{NeighbourList, REBUILD_SHARE, Skin};
use crate::sample::sample;
use crate::{Aabb, Algorithm, BroadPhase, Counters, Frame, Inspect, Pair};

/// Its row in the registry.
pub const ROW: Algorithm = Algorithm {
    id: "auto",
    name: "Automatic",
    summary: "a sweep or a grid where all moves, a kept neighbour list where little does",
    source: "our own; its parts are box-pruning, sweep-grid and neighbour-list",
    overlays: &[],
    memory: |n| n * 64,
    build: |_| Box::<Auto>::default(),
};

/// Objects that are watched while no list is kept: one in so many, but at least and at most these. All
/// that move fast leave in every frame, and cost far more than the other objects do.
const WATCHED_SHARE: usize = 32;
const WATCHED: [usize; 2] = [16, 256];

/// What a frame with a kept list costs, in fresh searches: with nothing to repair, for each share of
/// the objects that left their inflated boxes, and where the list is made anew. Measured.
const KEPT: f32 = 0.2;
const REPAIRED: f32 = 12.0;
const MADE: f32 = 2.5;

/// Objects that one that left its box meets, for which it costs one fresh search of an object more.
/// Measured.
const QUERIES: f32 = 8.0;

/// So few objects that a list made anew in one frame may hold that up, and what repairs cost then.
const FEW: usize = 1024;
const REPAIRED_FEW: f32 = 4.0;

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
    pruning: BoxPruning,
    part: Part,
    /// Whether the list is there for the next frame.
    is_kept: bool,
    /// Frames until the next look at how to search anew, and how many there were between the last two.
    until_look: u32,
    per_look: u32,
    /// Objects at the last look.
    looked_at: usize,
    watch: Watch,
    /// Mean cost of a frame with a kept list, in fresh searches: what it was, or would have been.
    cost: f32,
    /// How many objects one that left its inflated box met, lately.
    queries: f32,
    objects: usize,
}

impl Default for Auto {
    /// Of the motion nothing is known, and the first frames after all boxes were inflated at once
    /// promise too much: a list has to prove its worth.
    fn default() -> Self {
        Self {
            list: NeighbourList::default(),
            pruning: BoxPruning::default(),
            part: Part::default(),
            is_kept: false,
            until_look: 0,
            per_look: 0,
            looked_at: 0,
            watch: Watch::default(),
            cost: 2.0,
            queries: 0.0,
            objects: 0,
        }
    }
}

/// What answers in a frame. Grid and list are both in the list's hands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Grid,
    Sweep,
    List,
}

/// Objects whose boxes are inflated only to see how soon they leave them.
#[derive(Debug, Default)]
struct Watch {
    boxes: Vec<Aabb>,
    fat: Vec<Aabb>,
    skin: Skin,
}

impl Watch {
    /// Looks at the watched objects; returns the share of them that left, unless they are watched
    /// from now on.
    fn look(&mut self, boxes: &[Aabb]) -> Option<f32> {
        let wanted = (boxes.len() / WATCHED_SHARE).clamp(WATCHED[0], WATCHED[1]);
        self.boxes.clear();
        self.boxes.extend(sample(boxes, wanted).1.map(|(_, b)| b));
        self.skin.step();
        let is_new = self.fat.len() != self.boxes.len();
        if is_new {
            self.fat.clear();
            self.fat.resize(self.boxes.len(), Aabb::EMPTY);
            self.skin.resize(self.boxes.len());
        }
        let mut left = 0;
        let mut seen = 0;
        let is_in = |b: &Aabb, fat: &Aabb| (fat.min.cmple(b.min) & b.max.cmple(fat.max)).all();
        for (b, fat) in self.boxes.iter().zip(&self.fat) {
            seen += usize::from(!b.is_empty());
            left += usize::from(!b.is_empty() && !is_in(b, fat));
        }
        if left > 0 {
            if left * REBUILD_SHARE > seen {
                self.skin.begin(&self.boxes);
            }
            for ((object, b), fat) in (0..).zip(&self.boxes).zip(&mut self.fat) {
                if !is_in(b, fat) {
                    *fat = self.skin.inflate(object, b);
                }
            }
        }
        (!is_new).then_some(left as f32 / seen.max(1) as f32)
    }

    fn forget(&mut self) {
        self.fat.clear();
    }

    fn heap_bytes(&self) -> usize {
        (self.boxes.capacity() + self.fat.capacity()) * size_of::<Aabb>() + self.skin.heap_bytes()
    }
}

impl Auto {
    /// Notes what a frame costs with a list, of whose objects a share left; or in which it would be
    /// made anew.
    fn note(&mut self, share: Option<f32>) {
        let is_few = self.objects <= FEW;
        let (cost, weight) = match share {
            Some(share) if share <= 1.0 / REBUILD_SHARE as f32 => {
                let repaired = if is_few { REPAIRED_FEW } else { REPAIRED };
                (KEPT + share * (repaired + self.queries / QUERIES), NEWEST)
            }
            _ if is_few => (MADE, NEWEST),
            // This frame is searched anew, and the list is made in a later one: not in the next, since
            // where rest has ended, motion goes on for a while.
            _ => (MADE + 1.0, 2.0 * NEWEST),
        };
        self.cost += (cost - self.cost) * weight;
    }

    /// Brings the kept list up to date; false where this frame must be searched anew.
    fn keep(&mut self, frame: &Frame<'_>) -> bool {
        let left = if self.objects <= FEW {
            self.list.refresh(frame);
            self.list.left()
        } else {
            self.list.refresh_unless_hopeless(frame)
        };
        if let Some(queries) = self.list.queries_of_one() {
            self.queries += (queries - self.queries) * 2.0 * NEWEST;
        }
        self.note(left.map(|left| left as f32 / self.objects.max(1) as f32));
        let is_whole = left.is_some() || self.objects <= FEW;
        if !is_whole || self.cost > DROP_ABOVE {
            self.begin_anew();
        }
        is_whole
    }

    /// Makes a list; that of many objects over several frames. True where it answers this one.
    fn begin_list(&mut self, frame: &Frame<'_>) -> bool {
        if self.objects <= FEW {
            self.list.begin(frame);
            return true;
        }
        if !self.list.prepare(frame.boxes) {
            return false;
        }
        let is_whole = self.list.begin_prepared(frame);
        if !is_whole {
            self.note(None);
            self.begin_anew();
        }
        is_whole
    }

    /// Says that the next frame, or this one, is searched anew.
    fn begin_anew(&mut self) {
        self.is_kept = false;
        (self.until_look, self.per_look) = (0, 0);
        self.watch.forget();
    }
}

impl BroadPhase for Auto {
    fn update(&mut self, frame: &Frame<'_>) {
        self.list.step(frame.boxes.len());
        if self.objects != frame.boxes.len() {
            self.objects = frame.boxes.len();
            if self.is_kept {
                // A list of other objects: this frame is searched anew.
                self.note(None);
                self.begin_anew();
            }
            self.list.forget();
        } else if self.is_kept {
            if self.keep(frame) {
                self.part = Part::List;
                return;
            }
        } else if self.cost >= KEEP_BELOW {
            self.list.forget();
        } else if self.begin_list(frame) {
            self.is_kept = true;
            self.part = Part::List;
            return;
        }
        if let Some(share) = self.watch.look(frame.boxes) {
            self.note(Some(share));
        }
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
        match self.part {
            Part::Sweep => self.pruning.update(frame),
            Part::Grid | Part::List => self.list.search_only(frame),
        }
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        match self.part {
            Part::Sweep => self.pruning.find_pairs(frame, pairs),
            Part::Grid | Part::List => self.list.find_pairs(frame, pairs),
        }
    }

    fn counters(&self) -> Counters {
        match self.part {
            Part::Sweep => self.pruning.counters(),
            Part::Grid | Part::List => self.list.counters(),
        }
    }

    fn heap_bytes(&self) -> usize {
        self.list.heap_bytes() + self.pruning.heap_bytes() + self.watch.heap_bytes()
    }

    fn validate(&self, frame: &Frame<'_>) {
        match self.part {
            Part::Sweep => self.pruning.validate(frame),
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
            Part::Grid | Part::List => self.list.tests_by_object(tests),
        }
    }
}
