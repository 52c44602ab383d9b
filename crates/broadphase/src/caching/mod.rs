//! Pairs that are cached for several frames: neighbour lists with fat AABBs.
//!
//! Every box is enlarged to a *fat AABB*, and all pairs of fat AABBs are found once: the *candidate pairs*.
//! While an object stays in its fat AABB, its pairs are among them. Then a frame is a check of each object and
//! an exact test of each candidate pair (Verlet 1967; the neighbour lists of molecular dynamics). Three
//! techniques make it fast for all kinds of motion:
//!
//! - An object that rests keeps its own box as fat AABB. Pairs of two such objects are copied, not tested.
//! - No list is repaired object by object. An escaped object is searched for in each later frame, in the
//!   sorted columns of the fat AABBs and among the other escaped objects. Its candidate pairs
//!   stay, and are still tested exactly; only pairs that are no candidates are added. Objects that have become
//!   slow enough are inserted again, many at once. Did not pay: repairing the list object by object
//!   (six times a rebuild's cost per object), and lists by object with a grid (0.7 to 1.3 full
//!   searches in each such frame).
//! - Each policy for fat AABBs is simulated with a sample of the objects ([`forecast`]). When to rebuild, and
//!   with which policy, follows from counted work ([`decide`]), but for the first frames ([`begin`]).
//!
//! Between two builds and insertions only the list of escaped objects and the pairs of resting ones change.

mod begin;
mod bias;
mod costs;
mod decide;
mod forecast;
mod inspect;
mod pair_cache;
mod policy;
mod preset;

use crate::managed::Structure;
use crate::memory::memory;
use crate::{Counters, Frame, Pair};
pub(crate) use preset::{Always, RestingOnly, WherePays};

use bias::Bias;
use costs::{Outlook, Scene};
use decide::{Account, CacheCosts, Mode, Situation};
use forecast::Forecast;
use pair_cache::{Check, PairCache};
use preset::{Caches, Preset};
use std::marker::PhantomData;
use std::ops::Range;

/// The cost of a build corrects the forecast only if a full search was at most this many frames
/// ago.
const RECENT: u32 = 8;

/// Frames are counted up to this number.
const BEGINNING: u32 = 3;

/// Movers that a sample may miss, in units of the objects that each sampled one stands for.
const UNSEEN: f32 = 1.5;

/// Answers frames from a cache, or by a full search of its grid where that is cheaper.
#[derive(Clone, Debug)]
pub struct Caching<P> {
    preset: PhantomData<P>,
    cache: PairCache,
    forecast: Forecast,
    account: Account,
    mode: Mode,
    /// Frames so far, at most `BEGINNING`.
    frames: u32,
    /// Pairs of the last frame, and the cost of a full search; 0 before the first frame.
    pairs: usize,
    search: f32,
    /// Frames since the last full search.
    since_search: u32,
    /// Cost of a frame just after the last build.
    rebuilt: f32,
    /// Cost of the last build in relation to a full search, as forecast just after it.
    built_ratio: f32,
    bias: Bias,
}

memory!(Caching<P>: cache, forecast);

impl<P: Preset> Default for Caching<P> {
    fn default() -> Self {
        Self::of(0)
    }
}

impl<P: Preset> Caching<P> {
    /// A cache without objects, for a value of [`Grid::COLUMNS`](crate::columns::Grid::COLUMNS).
    pub(crate) fn of(columns: usize) -> Self {
        Self {
            preset: PhantomData,
            cache: PairCache::of(columns),
            forecast: Forecast::default(),
            account: Account::default(),
            mode: Mode::Search,
            frames: 0,
            pairs: 0,
            search: 0.0,
            since_search: u32::MAX,
            rebuilt: 0.0,
            built_ratio: 1.0,
            bias: Bias::default(),
        }
    }

    /// The policies that may be used.
    fn allowed(&self) -> Range<usize> {
        match P::CACHES {
            Caches::Resting => policy::RESTING..policy::RESTING + 1,
            Caches::Always | Caches::Any => 0..policy::POLICIES,
        }
    }

    /// Brings the cache up to date with a frame. False where a full search is cheaper.
    fn update_cache(&mut self, frame: &Frame<'_>) -> bool {
        let objects = frame.boxes.len();
        let is_first = self.search == 0.0;
        if is_first {
            self.search = first_search(objects);
        }
        let scene = Scene {
            objects: objects as f32,
            pairs: self.pairs as f32,
            search: self.search,
            columns: self.cache.columns.grid.counters().nodes as f32,
        };
        self.forecast.step(frame.boxes, scene);
        self.since_search = self.since_search.saturating_add(1);
        let check = self.cache.check(frame);
        self.frames = BEGINNING.min(self.frames + 1);
        // Where objects came or went in the second frame, not all motions are known.
        let is_second =
            P::CACHES == Caches::Any && self.frames == 2 && self.forecast.knows_one_motion(objects);
        self.mode = match is_first || is_second {
            true => self.begin(is_second),
            false => self.decide(check, scene),
        };
        let is_answered = match self.mode {
            Mode::Keep => self.cache.list_escaped(frame),
            Mode::Insert => self.cache.insert(frame) && self.cache.list_escaped(frame),
            Mode::Build(policy) => self.build(policy, frame),
            Mode::Search => false,
        };
        if !is_answered {
            if self.mode != Mode::Search {
                self.account.forget_cache();
            }
            self.mode = Mode::Search;
            self.cache.clear();
            self.cache.pass(frame.boxes);
        }
        is_answered
    }

    /// The cost of a policy.
    fn outlook(&self, policy: usize) -> Outlook {
        let outlook = self.forecast.outlook(policy);
        Outlook { mean: outlook.mean * self.bias.ratio(policy), ..outlook }
    }

    /// The allowed policy with the lowest mean cost, and its cost.
    fn best(&self) -> (usize, Outlook) {
        let all = self.allowed().map(|policy| (policy, self.outlook(policy)));
        all.min_by(|(_, a), (_, b)| a.mean.total_cmp(&b.mean)).unwrap_or_default()
    }

    fn decide(&mut self, check: Check, scene: Scene) -> Mode {
        let (best, best_outlook) = self.best();
        let cached = (check == Check::Current).then(|| {
            let cache = &self.cache;
            let per_object = scene.search_each();
            let of_new = per_object * self.forecast.insertion_ratio(cache.policy);
            let of_escaped = |number: usize, ratio: f32| {
                costs::of_escaped(number as f32, per_object * ratio, scene.columns)
            };
            let rebuilt_ratio = self.forecast.build_ratio(cache.policy);
            let (idle, inserted) = (cache.idle() as f32, cache.inserted.len() as f32);
            let recurring = (inserted + idle) * costs::INSERTED * per_object;
            CacheCosts {
                running: cache.running(),
                rebuilt: self.rebuilt,
                escaped: of_escaped(cache.escaped.len(), self.built_ratio),
                escaped_rebuilt: of_escaped(cache.escaped.len(), rebuilt_ratio),
                idle: of_escaped(cache.idle(), self.built_ratio),
                insertion: costs::of_insertion(idle, of_new, scene.columns)
                    + cache.escaped.len() as f32 * 2.0 * costs::INFLATE
                    + recurring
                    + cache.pairs() as f32 * costs::RETAIN,
                recurring,
                mean: self.outlook(cache.policy).mean,
            }
        });
        let search = if P::CACHES == Caches::Always { f32::INFINITY } else { self.search };
        let mode = self.account.decide(&Situation {
            cached,
            search,
            best,
            best_outlook,
            has_expired: check == Check::Expired,
        });
        let counted = cached.map_or(0.0, |cached| cached.running + cached.escaped);
        let (policy, counted) = match mode {
            Mode::Search => {
                self.bias.forget();
                return mode;
            }
            Mode::Build(policy) => {
                let outlook = self.forecast.outlook(policy);
                (policy, outlook.build + outlook.running)
            }
            Mode::Insert => {
                (self.cache.policy, counted + cached.map_or(0.0, |cached| cached.insertion))
            }
            Mode::Keep => (self.cache.policy, counted),
        };
        let hidden = UNSEEN * self.forecast.sample.each_stands_for();
        let unseen = costs::of_escaped(hidden, scene.search_each(), scene.columns);
        self.bias.learn(policy, counted, self.forecast.outlook(policy).mean, unseen);
        mode
    }

    /// Builds the cache; false if the frame is stopped.
    fn build(&mut self, policy: usize, frame: &Frame<'_>) -> bool {
        if !self.cache.build(policy, self.forecast.sample.side, frame) {
            return false;
        }
        self.rebuilt = self.cache.running();
        let (objects, candidates) = (frame.boxes.len(), self.cache.pairs());
        let cost = search_cost(objects, &self.cache.columns.grid.counters(), candidates);
        // A cache of the second frame knows one motion of each object. Its cost shows little of that of later ones.
        let is_early = self.frames < BEGINNING;
        if self.since_search > RECENT {
            self.search = cost / self.forecast.build_ratio(policy);
        } else if !is_early {
            let cached = 1.0 - self.cache.escaped.len() as f32 / objects.max(1) as f32;
            self.forecast.learn_build(policy, cost / (self.search * cached));
        }
        self.built_ratio = self.forecast.build_ratio(policy);
        if self.pairs > 0 && !is_early {
            self.forecast.learn_candidates(policy, candidates as f32, self.pairs as f32);
        }
        true
    }

    /// Whether the cache was built in this frame.
    fn is_new(&self) -> bool {
        matches!(self.mode, Mode::Build(_))
    }
}

/// Cost of a full search.
fn search_cost(objects: usize, counters: &Counters, pairs: usize) -> f32 {
    costs::OBJECT * objects as f32
        + costs::LISTING * counters.listings as f32
        + costs::SWEEP_TEST * counters.tests as f32
        + costs::PAIR * pairs as f32
}

/// The same before the first count.
fn first_search(objects: usize) -> f32 {
    let n = objects as u64;
    let guess = Counters { listings: n, tests: 100 * n, ..Counters::default() };
    search_cost(objects, &guess, objects).max(1.0)
}

impl<P: Preset> Structure for Caching<P> {
    fn update(&mut self, frame: &Frame<'_>) {
        if !self.update_cache(frame) {
            self.cache.columns.grid.update(frame);
        }
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        let first = pairs.len();
        if self.mode != Mode::Search {
            self.cache.find_pairs(frame, pairs);
            self.pairs = pairs.len() - first;
            return;
        }
        self.cache.columns.grid.find_pairs(frame, pairs);
        if !frame.is_stopped() {
            let counters = self.cache.columns.grid.counters();
            (self.pairs, self.since_search) = (pairs.len() - first, 0);
            self.search = search_cost(frame.boxes.len(), &counters, self.pairs);
        }
    }

    fn counters(&self) -> Counters {
        match self.mode {
            Mode::Search => self.cache.columns.grid.counters(),
            _ => self.cache.counters(self.is_new()),
        }
    }

    fn validate(&self, frame: &Frame<'_>) {
        match self.mode {
            Mode::Search => self.cache.columns.grid.validate(frame),
            Mode::Build(_) | Mode::Keep | Mode::Insert => self.cache.validate(frame),
        }
    }
}
