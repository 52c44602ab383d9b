//! The choice of each frame: answer from the cache, repair or rebuild it, or search all boxes.

use super::costs::Outlook;

/// How a frame is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// From the cache as it is.
    Keep,
    /// From the cache, after the escaped objects are inserted that can be.
    Insert,
    /// From a cache that is built in this frame, by a policy.
    Build(usize),
    /// By a full search, without a cache.
    Search,
}

/// Another policy, or a cache instead of full searches, is preferred where its mean cost is less than this share of the
/// present one.
const CLEARLY_BETTER: f32 = 0.9;

/// Each cache without use makes the next one rarer, up to this many in a row.
const MAX_UNUSED: u32 = 6;

/// The input of a choice. Costs are in the units of [`costs`](super::costs).
#[derive(Clone, Copy, Debug)]
pub(super) struct Situation {
    /// A frame from the cache, if there is one.
    pub(super) cached: Option<CacheCosts>,
    /// A full search; infinite for an algorithm that always caches.
    pub(super) search: f32,
    /// The policy with the lowest mean cost, and its cost.
    pub(super) best: usize,
    pub(super) best_outlook: Outlook,
    /// Whether too many objects escaped from a cache in this frame.
    pub(super) has_expired: bool,
}

/// The costs of a cache in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CacheCosts {
    /// Cost of the frame without the search for escaped objects; and the same just after the last build.
    pub(super) running: f32,
    pub(super) rebuilt: f32,
    /// Cost of the search for escaped objects: for all, for all after a rebuild, and for those that may be inserted.
    pub(super) escaped: f32,
    pub(super) escaped_rebuilt: f32,
    pub(super) idle: f32,
    /// Cost of an insertion; and the part of it that recurs with each one until the columns are sorted again.
    pub(super) insertion: f32,
    pub(super) recurring: f32,
    /// Mean cost of its policy.
    pub(super) mean: f32,
}

/// Chooses, and sums up the excess cost of earlier choices.
///
/// A cache degrades as objects escape, and is repaired in two ways. Escaped objects are inserted once the
/// searches for them have cost as much as an insertion. All is rebuilt once insertions, and the pairs that
/// they leave behind, have cost as much as a build. With each repair alone, the total is at most twice that of the
/// optimal schedule in hindsight (the ski rental argument). A further account decides when full searches are
/// replaced by a cache.
#[derive(Clone, Debug, Default)]
pub(super) struct Account {
    /// Cost of searches for objects that may be inserted, since the last insertion.
    idle: f32,
    /// Cost that a rebuilt cache would have saved; or, without a cache, that a cache would have.
    excess: f32,
    /// Caches in a row that served no frame but that of their build, at most `MAX_UNUSED`: the layers or the number of objects
    /// changed at once.
    unused: u32,
}

impl Account {
    pub(super) fn decide(&mut self, now: &Situation) -> Mode {
        let mode = match now.cached {
            Some(cached) => self.with_cache(now, &cached),
            None => self.without_cache(now),
        };
        match mode {
            Mode::Keep => self.unused = 0,
            Mode::Insert => (self.idle, self.unused) = (0.0, 0),
            Mode::Build(_) => {
                self.forget_cache();
                self.unused = MAX_UNUSED.min(self.unused + 1);
            }
            Mode::Search if now.cached.is_some() => self.forget_cache(),
            Mode::Search => {}
        }
        mode
    }

    /// Starts the accounts from zero after a cache is dropped.
    pub(super) fn forget_cache(&mut self) {
        *self = Self { unused: self.unused, ..Self::default() };
    }

    fn with_cache(&mut self, now: &Situation, cached: &CacheCosts) -> Mode {
        let Situation { search, best, best_outlook, .. } = *now;
        let cost = cached.running + cached.escaped;
        let is_another_better = best_outlook.mean < CLEARLY_BETTER * cached.mean;
        let saved = match is_another_better {
            true => cost - best_outlook.running,
            false => cost - cached.rebuilt - cached.escaped_rebuilt,
        };
        self.excess += saved.max(0.0);
        self.idle += cached.idle;
        let inserts = self.idle > cached.insertion;
        let is_worn = self.excess > best_outlook.build
            || (inserts && cached.insertion > 0.5 * best_outlook.build)
            || cost > search.min(best_outlook.build + best_outlook.running);
        if is_worn && best_outlook.mean.max(best_outlook.running) < search {
            return Mode::Build(best);
        }
        if cost > search {
            return Mode::Search;
        }
        if inserts {
            self.excess += cached.recurring;
            return Mode::Insert;
        }
        Mode::Keep
    }

    fn without_cache(&mut self, now: &Situation) -> Mode {
        let Situation { search, best, best_outlook, .. } = *now;
        if search.is_infinite() {
            return Mode::Build(best);
        }
        // Just after a motion begins, the mean is still that of rest.
        let is_better = best_outlook.mean.max(best_outlook.running) < CLEARLY_BETTER * search;
        self.excess = (self.excess + search - best_outlook.mean).max(0.0);
        // Each unused cache doubles what the next one must have been worth.
        let wasted = best_outlook.build * ((1 << self.unused) - 1) as f32;
        // After a cache that expired, another one needs no proof.
        let is_worth_it = now.has_expired || self.excess > best_outlook.build - search + wasted;
        if is_better && is_worth_it { Mode::Build(best) } else { Mode::Search }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRESH: Outlook = Outlook { mean: 30.0, running: 20.0, build: 150.0 };
    const SITUATION: Situation =
        Situation { cached: None, search: 100.0, best: 3, best_outlook: FRESH, has_expired: false };
    const CACHED: CacheCosts = CacheCosts {
        running: 20.0,
        rebuilt: 20.0,
        escaped: 0.0,
        escaped_rebuilt: 0.0,
        idle: 0.0,
        insertion: 5.0,
        recurring: 1.0,
        mean: 30.0,
    };

    /// The first frame with another mode than `Keep` and `Search`, and its mode.
    fn first_action(now: Situation) -> Option<(usize, Mode)> {
        let mut account = Account::default();
        let modes = (0..500).map(|frame| (frame, account.decide(&now)));
        modes.into_iter().find(|(_, mode)| !matches!(mode, Mode::Keep | Mode::Search))
    }

    #[test]
    fn each_situation_leads_to_its_mode() {
        let cached = |cached| Situation { cached: Some(cached), ..SITUATION };
        let outlook = |best_outlook| Situation { best_outlook, ..SITUATION };
        let costs = |mean| outlook(Outlook { mean, ..FRESH });
        let expired = |mean| Situation { has_expired: true, ..costs(mean) };
        let escaped =
            |escaped, escaped_rebuilt| cached(CacheCosts { escaped, escaped_rebuilt, ..CACHED });
        let better = outlook(Outlook { mean: 12.0, running: 10.0, ..FRESH });
        let idle = CacheCosts { escaped: 2.0, idle: 2.0, ..CACHED };
        let left_behind = CacheCosts { running: 30.0, ..CACHED };
        let build = |frame| Some((frame, Mode::Build(3)));
        for (name, now, expected) in [
            ("a cache saves 70 a frame, and costs 50 more now", SITUATION, build(0)),
            ("one saves 20 a frame", costs(80.0), build(2)),
            ("one saves hardly anything", costs(95.0), None),
            ("a motion has just begun", outlook(Outlook { running: 200.0, ..FRESH }), None),
            ("no cache pays", costs(200.0), None),
            ("a cache saves 20 a frame, and the last one has expired", expired(80.0), build(0)),
            ("no cache pays, and the last one has expired", expired(95.0), None),
            ("nothing has escaped", cached(CACHED), None),
            ("idle objects cost 2, an insertion 5", cached(idle), Some((2, Mode::Insert))),
            ("fast objects are searched for", escaped(30.0, 30.0), None),
            ("they would be found for 10 less in a new cache", escaped(30.0, 20.0), build(15)),
            ("pairs left behind cost 10 a frame", cached(left_behind), build(15)),
            (
                "another policy would save 10 a frame",
                Situation { cached: Some(CACHED), ..better },
                build(15),
            ),
        ] {
            assert_eq!(first_action(now), expected, "{name}");
        }
    }

    #[test]
    fn unused_caches_make_the_next_one_rarer() {
        let mut account = Account::default();
        let mut builds = |frames: std::ops::Range<usize>, now: &Situation| -> Vec<usize> {
            frames.filter(|_| matches!(account.decide(now), Mode::Build(_))).collect()
        };
        assert_eq!(builds(0..30, &SITUATION), [0, 3, 11, 27], "a cache saves 70, and costs 150");
        assert_eq!(builds(30..31, &Situation { cached: Some(CACHED), ..SITUATION }), []);
        assert_eq!(builds(31..35, &SITUATION), [31, 34], "after a frame from the cache");
    }

    #[test]
    fn sudden_motion_is_answered_in_its_frame() {
        let all = CacheCosts { escaped: 300.0, idle: 300.0, insertion: 500.0, ..CACHED };
        for (mean, expected) in [(30.0, Mode::Build(3)), (200.0, Mode::Search)] {
            let best_outlook = Outlook { mean, ..FRESH };
            let now = Situation { cached: Some(all), best_outlook, ..SITUATION };
            assert_eq!(Account::default().decide(&now), expected);
        }
        // For an algorithm that always caches.
        let now = Situation { search: f32::INFINITY, ..SITUATION };
        assert_eq!(Account::default().decide(&now), Mode::Build(3));
    }
}
