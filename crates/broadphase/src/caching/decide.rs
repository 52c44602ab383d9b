//! The choice of each frame: to answer from the cache, to mend or rebuild it, or to search all boxes.

use super::costs::Outlook;

/// How a frame is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// From the cache as it is.
    Keep,
    /// From the cache, after resting objects gave up their margins.
    Tighten,
    /// From the cache, after the escaped objects are inserted that can be.
    Insert,
    /// From a cache that is built in this frame, by a policy.
    Build(usize),
    /// By a full search; nothing is cached.
    Search,
}

/// Another policy, or a cache at all, is preferred where its mean cost is less than this share of the present
/// one.
const CLEARLY_BETTER: f32 = 0.9;

/// What is known when a frame is to be answered. Costs are in the units of
/// [`COSTS`](super::costs::COSTS).
#[derive(Clone, Copy, Debug)]
pub(super) struct Situation {
    /// The frame from the cache, if there is one.
    pub(super) kept: Option<Kept>,
    /// A full search; infinite for an algorithm that always caches.
    pub(super) search: f32,
    /// The policy with the lowest mean cost, and what it costs.
    pub(super) best: usize,
    pub(super) best_outlook: Outlook,
}

/// A cache in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Kept {
    /// Cost of the frame, the search for escaped objects aside; and that after a build.
    pub(super) running: f32,
    pub(super) rebuilt: f32,
    /// Cost of the search for escaped objects: for all, and for those that may be inserted.
    pub(super) escaped: f32,
    pub(super) idle: f32,
    /// Cost of an insertion; and that part of it that comes back with each one until the next build.
    pub(super) insertion: f32,
    pub(super) recurring: f32,
    /// What the margins of objects that rest cost in each frame; and what it costs to take these away.
    pub(super) margins: f32,
    pub(super) tightening: f32,
    /// Mean cost of its policy.
    pub(super) mean: f32,
}

/// Chooses, and keeps account of what the choices until now cost too much.
///
/// A cache wears out as objects escape, and is mended in two ways. They are inserted once the searches for
/// them have cost as much as that. All is rebuilt once insertions, and the pairs that they leave behind, have
/// cost as much as that. Margins of resting objects are taken away once they have cost as much as
/// that takes. So no repair costs more than twice what a schedule that knew the future would pay (the ski
/// rental argument). A third account decides when full searches give way to a cache.
#[derive(Debug, Default)]
pub(super) struct Account {
    /// Searches for objects that may be inserted, since the last insertion.
    idle: f32,
    /// What the margins of resting objects cost, since these were last taken away.
    margins: f32,
    /// What a rebuilt cache would have saved; or, without a cache, what one would have.
    excess: f32,
}

impl Account {
    pub(super) fn decide(&mut self, now: &Situation) -> Mode {
        let mode = match now.kept {
            Some(kept) => self.with_cache(now, &kept),
            None => self.without_cache(now),
        };
        match mode {
            Mode::Keep => {}
            Mode::Tighten => self.margins = 0.0,
            Mode::Insert => self.idle = 0.0,
            Mode::Build(_) => *self = Self::default(),
            Mode::Search if now.kept.is_some() => *self = Self::default(),
            Mode::Search => {}
        }
        mode
    }

    fn with_cache(&mut self, now: &Situation, kept: &Kept) -> Mode {
        let Situation { search, best, best_outlook, .. } = *now;
        let is_another_better = best_outlook.mean < CLEARLY_BETTER * kept.mean;
        let saved = match is_another_better {
            true => kept.running + kept.escaped - best_outlook.running,
            false => kept.running - kept.rebuilt,
        };
        self.excess += saved.max(0.0);
        self.idle += kept.idle;
        self.margins += kept.margins;
        let inserts = self.idle > kept.insertion;
        let cost = kept.running + kept.escaped;
        let is_worn = self.excess > best_outlook.build
            || (inserts && kept.insertion > 0.5 * best_outlook.build)
            || cost > search.min(best_outlook.build + best_outlook.running);
        if is_worn && best_outlook.mean.max(best_outlook.running) < search {
            return Mode::Build(best);
        }
        if cost > search {
            return Mode::Search;
        }
        if inserts {
            self.excess += kept.recurring;
            return Mode::Insert;
        }
        if self.margins > kept.tightening { Mode::Tighten } else { Mode::Keep }
    }

    fn without_cache(&mut self, now: &Situation) -> Mode {
        let Situation { search, best, best_outlook, .. } = *now;
        if search.is_infinite() {
            return Mode::Build(best);
        }
        // When a motion has just begun, the mean is still that of rest.
        let is_better = best_outlook.mean.max(best_outlook.running) < CLEARLY_BETTER * search;
        self.excess = (self.excess + search - best_outlook.mean).max(0.0);
        let is_worth_it = self.excess > best_outlook.build - search;
        if is_better && is_worth_it { Mode::Build(best) } else { Mode::Search }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRESH: Outlook = Outlook { mean: 30.0, running: 20.0, build: 150.0 };
    const SITUATION: Situation =
        Situation { kept: None, search: 100.0, best: 3, best_outlook: FRESH };
    const KEPT: Kept = Kept {
        running: 20.0,
        rebuilt: 20.0,
        escaped: 0.0,
        idle: 0.0,
        insertion: 5.0,
        recurring: 1.0,
        margins: 0.0,
        tightening: 12.0,
        mean: 30.0,
    };

    /// The first frame that is not answered as the one before would be, and its mode.
    fn first_action(now: Situation) -> Option<(usize, Mode)> {
        let mut account = Account::default();
        let modes = (0..500).map(|frame| (frame, account.decide(&now)));
        modes.into_iter().find(|(_, mode)| !matches!(mode, Mode::Keep | Mode::Search))
    }

    #[test]
    fn each_situation_leads_to_its_mode_in_time() {
        let kept = |kept| Situation { kept: Some(kept), ..SITUATION };
        let outlook = |best_outlook| Situation { best_outlook, ..SITUATION };
        let better = Outlook { mean: 12.0, running: 10.0, ..FRESH };
        let build = |frame| Some((frame, Mode::Build(3)));
        for (name, now, expected) in [
            ("a cache saves 70 a frame, and costs 50 more now", SITUATION, build(0)),
            ("one saves 20 a frame", outlook(Outlook { mean: 80.0, ..FRESH }), build(2)),
            ("one saves hardly anything", outlook(Outlook { mean: 95.0, ..FRESH }), None),
            ("a motion has just begun", outlook(Outlook { running: 200.0, ..FRESH }), None),
            ("no cache pays", outlook(Outlook { mean: 200.0, ..FRESH }), None),
            ("nothing has escaped", kept(KEPT), None),
            (
                "idle objects cost 2 a frame, an insertion 5",
                kept(Kept { escaped: 2.0, idle: 2.0, ..KEPT }),
                Some((2, Mode::Insert)),
            ),
            (
                "margins of resting objects cost 5 a frame",
                kept(Kept { margins: 5.0, ..KEPT }),
                Some((2, Mode::Tighten)),
            ),
            ("fast objects are searched for", kept(Kept { escaped: 30.0, ..KEPT }), None),
            ("pairs left behind cost 10 a frame", kept(Kept { running: 30.0, ..KEPT }), build(15)),
            (
                "another policy would save 10 a frame",
                Situation { kept: Some(KEPT), ..outlook(better) },
                build(15),
            ),
        ] {
            assert_eq!(first_action(now), expected, "{name}");
        }
    }

    #[test]
    fn a_sudden_motion_is_answered_in_its_frame() {
        let all = Kept { escaped: 300.0, idle: 300.0, insertion: 500.0, ..KEPT };
        for (mean, expected) in [(30.0, Mode::Build(3)), (200.0, Mode::Search)] {
            let best_outlook = Outlook { mean, ..FRESH };
            let now = Situation { kept: Some(all), best_outlook, ..SITUATION };
            assert_eq!(Account::default().decide(&now), expected);
        }
        // Where a full search is out of the question.
        let now = Situation { search: f32::INFINITY, ..SITUATION };
        assert_eq!(Account::default().decide(&now), Mode::Build(3));
    }
}
