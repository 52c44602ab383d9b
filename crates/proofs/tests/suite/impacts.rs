//! First contacts of moving bodies: the reference against dense sampling, all exact methods against the reference.

use std::collections::BTreeMap;

use glam::DVec3;

use super::{pairs_of_each, random_numbers, shapes};
use narrowphase::Body;
use narrowphase::PairCache;
use narrowphase::Reference;
use narrowphase::Shape;
use narrowphase::impact::{
    Exactness, Impact, ImpactReference, KnownImpact, Motion, TIMES_OF_IMPACT, TimeOfImpact, find,
};
use narrowphase::random_pairs::{Placing, random_poses};
use narrowphase::{BAND, size_of_pair};
use proofs::oracle;

/// The step of all trials, in seconds.
const LIMIT: f64 = 1.0;

/// Two bodies in motion.
#[derive(Clone, Copy)]
pub(super) struct Trial<'a> {
    a: (Body<'a>, Motion),
    b: (Body<'a>, Motion),
}

impl std::fmt::Debug for Trial<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [a, b] = [&self.a, &self.b];
        write!(f, "{:?} {:?}, {:?} {:?}", a.0.pose, a.1, b.0.pose, b.1)
    }
}

/// How the bodies of a trial move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Translation,
    /// At the nearest, the velocity is perpendicular to the axis of the gap, which is hardly more than rounding.
    Grazing,
    Spin,
}

impl<'a> Trial<'a> {
    /// The poses of `placing` are those at a random time within the step, or shortly before or after it.
    pub(super) fn random(
        a: &'a Shape,
        b: &'a Shape,
        placing: Placing,
        kind: Kind,
        uniform: &mut impl FnMut() -> f64,
    ) -> Self {
        let poses = random_poses(a, b, placing, uniform);
        let radii = a.bounding_radius() + b.bounding_radius();
        let vector = |uniform: &mut dyn FnMut() -> f64| {
            DVec3::new(uniform(), uniform(), uniform()) * 2.0 - DVec3::ONE
        };
        let mut velocity = vector(uniform) * radii * libm::exp10(2.0 * uniform() - 1.0);
        if kind == Kind::Grazing {
            let axis = axis_of_gap(&Body::new(a, poses[0]), &Body::new(b, poses[1]));
            velocity -= axis * axis.dot(velocity);
        }
        let common = vector(uniform) * radii;
        let spins =
            [0, 1].map(|_| if kind == Kind::Spin { vector(uniform) * 6.0 } else { DVec3::ZERO });
        let [one, other] = [common, common + velocity];
        let motion = [one, other].into_iter().zip(spins);
        let mut motion = motion.map(|(velocity, spin)| Motion { velocity, spin });
        let [one, other] = [motion.next().unwrap(), motion.next().unwrap()];
        let back = LIMIT * (1.2 - 1.4 * uniform());
        Self {
            a: (one.body_after(&Body::new(a, poses[0]), -back), one),
            b: (other.body_after(&Body::new(b, poses[1]), -back), other),
        }
    }

    fn bodies_at(&self, time: f64) -> [Body<'a>; 2] {
        [self.a.1.body_after(&self.a.0, time), self.b.1.body_after(&self.b.0, time)]
    }

    fn rotates(&self) -> bool {
        self.a.1.spin != DVec3::ZERO || self.b.1.spin != DVec3::ZERO
    }

    fn band(&self) -> f64 {
        // Poses of the world are rounded: both moved by some of their sizes.
        BAND * size_of_pair(&self.a.0, &self.b.0)
    }

    pub(super) fn find(&self, method: &mut dyn TimeOfImpact) -> Impact {
        method.find(
            (&self.a.0, &self.a.1),
            (&self.b.0, &self.b.1),
            LIMIT,
            &mut PairCache::default(),
        )
    }

    pub(super) fn known(&self) -> KnownImpact {
        let (a, b) = ((&self.a.0, &self.a.1), (&self.b.0, &self.b.1));
        ImpactReference::default().examine(a, b, LIMIT)
    }
}

fn axis_of_gap(a: &Body, b: &Body) -> DVec3 {
    let mut reference = Reference::new();
    reference.examine(a, b);
    let nearest = reference.parts().iter().min_by(|one, other| one.gap.total_cmp(&other.gap));
    nearest.unwrap().axis
}

/// The gap as a function of time: that of the static reference, or of the oracle, which is a hundred times as slow.
struct Gaps<'a> {
    trial: Trial<'a>,
    reference: Reference,
    with_oracle: bool,
}

impl Gaps<'_> {
    fn at(&mut self, time: f64) -> f64 {
        let [a, b] = self.trial.bodies_at(time);
        if self.with_oracle {
            oracle::signed_gap(&a, &b)
        } else {
            self.reference.examine(&a, &b).gap
        }
    }

    /// The least gap up to `until`, and when it is: samples, then thirds about the lowest one.
    fn least(&mut self, until: f64) -> (f64, f64) {
        const SAMPLES: u32 = 24;
        let at = |i: u32| until * f64::from(i) / f64::from(SAMPLES);
        let samples: Vec<f64> = (0..=SAMPLES).map(|i| self.at(at(i))).collect();
        let lowest =
            (0..=SAMPLES).min_by(|i, j| samples[*i as usize].total_cmp(&samples[*j as usize]));
        let lowest = lowest.unwrap();
        let mut ends = [at(lowest.saturating_sub(1)), at((lowest + 1).min(SAMPLES))];
        for _ in 0..60 {
            let thirds = [1.0, 2.0].map(|third| ends[0] + (ends[1] - ends[0]) * third / 3.0);
            let [one, other] = thirds.map(|time| self.at(time));
            if one <= other { ends[1] = thirds[1] } else { ends[0] = thirds[0] }
        }
        let refined = 0.5 * (ends[0] + ends[1]);
        let candidates = [refined, at(lowest)].map(|time| (self.at(time), time));
        if candidates[0].0 <= candidates[1].0 { candidates[0] } else { candidates[1] }
    }
}

/// The fault of the reference's answer, if it has one.
fn fault_of_reference(trial: &Trial, known: KnownImpact, with_oracle: bool) -> Option<String> {
    let band = trial.band();
    let mut gaps = Gaps { trial: *trial, reference: Reference::new(), with_oracle };
    let (least, at) = gaps.least(LIMIT);
    let [start, end] = [gaps.at(0.0), gaps.at(LIMIT)];
    match known.impact {
        Impact::Failed => return Some("failed".to_owned()),
        Impact::Overlapping if start > band => return Some(format!("gap {start:e} at the start")),
        Impact::Overlapping => {}
        Impact::Never if least < -band => return Some(format!("gap {least:e} at {at}")),
        Impact::Never => {}
        Impact::At { first, axis, .. } => {
            let gap = gaps.at(first);
            if gap.abs() > band || start < -band {
                return Some(format!("gap {gap:e} at {first}, {start:e} at the start"));
            }
            // A moment earlier, since the gap there is hardly more than rounding.
            let (before, at) = gaps.least(first);
            if before < -band {
                return Some(format!("gap {before:e} at {at}, before {first}"));
            }
            if (axis.length() - 1.0).abs() > 1e-12 {
                return Some(format!("axis {axis}"));
            }
        }
    }
    let is_near = |gap: f64, width: f64| gap.abs() <= width * band;
    // The least gap is exact for convex bodies that do not rotate: it has one minimum.
    let is_exact = !trial.rotates() && trial.a.0.shape.is_convex() && trial.b.0.shape.is_convex();
    let grazes = |width: f64| {
        is_near(least, width) || is_near(start, width) || (least >= end && is_near(end, width))
    };
    if is_exact && known.is_grazing != grazes(1.0) && grazes(0.95) == grazes(1.05) {
        let grazing = known.is_grazing;
        return Some(format!("grazing {grazing}, gaps {start:e} {least:e} {end:e}"));
    }
    None
}

/// The fault of the answer of an exact method, if it has one.
fn fault_of_method(trial: &Trial, known: KnownImpact, found: Impact) -> Option<String> {
    let band = trial.band();
    let mut gaps = Gaps { trial: *trial, reference: Reference::new(), with_oracle: false };
    let has_one_kind = match (found, known.impact) {
        (Impact::Failed, _) => return Some("failed".to_owned()),
        (Impact::Never, Impact::Never)
        | (Impact::Overlapping, Impact::Overlapping)
        | (Impact::At { .. }, Impact::At { .. }) => true,
        _ => known.is_grazing,
    };
    if !has_one_kind {
        return Some("another kind".to_owned());
    }
    let Impact::At { first, last, axis } = found else { return None };
    if !(first > 0.0 && first <= LIMIT && last >= first) || (axis.length() - 1.0).abs() > 1e-12 {
        return Some("no times, or no axis".to_owned());
    }
    let gap = gaps.at(first);
    if gap.abs() > band {
        return Some(format!("gap {gap:e}, band {band:e}"));
    }
    let (before, at) = gaps.least(first);
    if before < -band {
        return Some(format!("gap {before:e} at {at}, before it"));
    }
    let [a, b] = trial.bodies_at(first);
    let along = gap_of_axis([&a, &b], axis, band);
    if along < -band && !known.is_grazing {
        return Some(format!("gap {along:e} along the axis"));
    }
    fault_of_last(trial, &mut gaps, first, last)
}

/// The greatest gap along an axis of parts that touch to a band.
fn gap_of_axis([a, b]: [&Body; 2], axis: DVec3, band: f64) -> f64 {
    let mut reference = Reference::new();
    let touching = reference.near(a, b, band).iter();
    let along = touching.map(|part| oracle::gap_along(a, part.part_a, b, part.part_b, axis));
    along.fold(f64::NEG_INFINITY, f64::max)
}

/// Two convex bodies touch from the first to the last time, and at no other: the gap is a convex function of time.
fn fault_of_last(trial: &Trial, gaps: &mut Gaps, first: f64, last: f64) -> Option<String> {
    let knows_last = last != first || !trial.rotates();
    let is_convex = trial.a.0.shape.is_convex() && trial.b.0.shape.is_convex();
    if !knows_last || !is_convex || trial.rotates() || !last.is_finite() {
        return None;
    }
    // Later poses are coarser.
    let band = trial.band() * (1.0 + last);
    let gap = gaps.at(last);
    let between = gaps.at(0.5 * (first + last));
    let is_right = gap.abs() <= band && between <= band;
    (!is_right).then(|| format!("gap {gap:e} at the parting, {between:e} half way to it"))
}

/// Counts of answers by method, and the first few that are wrong.
#[derive(Default)]
struct Tally {
    counts: BTreeMap<(String, &'static str), u64>,
    faults: Vec<String>,
}

impl Tally {
    fn count(
        &mut self,
        method: &str,
        what: &'static str,
        fault: Option<String>,
        pair: &dyn Fn() -> String,
    ) {
        let what = if fault.is_some() { "wrong" } else { what };
        *self.counts.entry((method.to_owned(), what)).or_default() += 1;
        if let Some(fault) = fault
            && self.faults.len() < 12
        {
            self.faults.push(format!("{method}: {fault}: {}", pair()));
        }
    }
}

fn kind_of(known: KnownImpact) -> &'static str {
    match known.impact {
        _ if known.is_grazing => "grazing",
        Impact::Never => "never",
        Impact::Overlapping => "overlapping",
        Impact::At { .. } => "at",
        Impact::Failed => "failed",
    }
}

fn play(shapes: &[(&'static str, Shape)], kinds: &[Kind], placings: &[Placing], seed: u64) {
    let mut random = random_numbers(seed);
    let mut tally = Tally::default();
    let mut methods: Vec<_> = TIMES_OF_IMPACT.iter().map(|kind| (kind, (kind.build)(8))).collect();
    let mut number = 0;
    for (name_a, a) in shapes {
        for (name_b, b) in shapes {
            for (kind, placing) in
                kinds.iter().flat_map(|kind| placings.iter().map(move |p| (*kind, *p)))
            {
                for _ in 0..pairs_of_each().div_ceil(4) {
                    number += 1;
                    let trial = Trial::random(a, b, placing, kind, &mut random);
                    let describe =
                        || format!("{name_a}, {name_b}, {kind:?}, {placing:?}: {trial:?}");
                    let known = trial.known();
                    let what = kind_of(known);
                    // The oracle is slow: most trials are sampled by the static reference.
                    let fault = fault_of_reference(&trial, known, number % 64 == 0);
                    tally.count("reference", what, fault, &|| format!("{known:?}: {}", describe()));
                    for (entry, method) in &mut methods {
                        let is_exact = match entry.exactness {
                            Exactness::Never => false,
                            Exactness::Translation => kind != Kind::Spin,
                            Exactness::ToTolerance => true,
                        };
                        if is_exact {
                            let found = trial.find(&mut **method);
                            let fault = fault_of_method(&trial, known, found);
                            tally.count(entry.id, what, fault, &|| {
                                format!("{found:?} {known:?}: {}", describe())
                            });
                        }
                    }
                }
            }
        }
    }
    for ((method, what), count) in &tally.counts {
        println!("{method}: {what} {count}");
    }
    assert!(tally.faults.is_empty(), "{}", tally.faults.join("\n"));
}

const PLACINGS: [Placing; 4] =
    [Placing::Uniform, Placing::Near, Placing::Touching, Placing::Parallel];

#[test]
fn translating_shapes_get_the_first_time_from_every_method() {
    play(&shapes::convex_shapes(), &[Kind::Translation], &PLACINGS, 21);
}

#[test]
fn grazing_shapes_get_an_answer_within_the_band() {
    play(&shapes::convex_shapes(), &[Kind::Grazing], &[Placing::Touching, Placing::Near], 22);
}

#[test]
fn spinning_shapes_get_the_first_time_from_every_method() {
    play(&shapes::convex_shapes(), &[Kind::Spin], &[Placing::Uniform, Placing::Near], 23);
}

#[test]
fn thin_shapes_get_the_first_time_from_every_method() {
    play(&shapes::thin_shapes(), &[Kind::Translation, Kind::Spin], &PLACINGS, 24);
}

#[test]
fn compounds_get_the_first_time_from_every_method() {
    let mut shapes = shapes::compounds();
    shapes.push(("cone", Shape::cone(0.5, 1.0, 7).unwrap()));
    play(&shapes, &[Kind::Translation, Kind::Spin, Kind::Grazing], &PLACINGS, 25);
}

/// Found among 14,400 grazing pairs: the speed along the axis that separates them is rounding, and had another sign in the
/// search for the last time than in that for the first one.
#[test]
fn velocity_in_a_separating_plane_never_leads_to_contact() {
    let shapes = shapes::convex_shapes();
    let sharp: Vec<_> =
        shapes.iter().filter(|(_, shape)| shape.parts()[0].radius() == 0.0).collect();
    let mut random = random_numbers(26);
    let mut method = find("moving-sat").unwrap().build();
    let mut checked = 0;
    for (name_a, a) in &sharp {
        for (name_b, b) in &sharp {
            for _ in 0..20 * pairs_of_each() {
                let trial = Trial::random(a, b, Placing::Near, Kind::Grazing, &mut random);
                let [one, other] = trial.bodies_at(0.0);
                let gap = Reference::new().examine(&one, &other).gap;
                let known = trial.known();
                if gap > 0.0 && known.impact == Impact::Never && !known.is_grazing {
                    checked += 1;
                    let found = trial.find(&mut *method);
                    assert_eq!(found, Impact::Never, "{name_a}, {name_b}: {trial:?}");
                }
            }
        }
    }
    assert!(checked > 400 * pairs_of_each(), "{checked}");
}
