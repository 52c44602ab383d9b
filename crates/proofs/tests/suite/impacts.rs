//! First contacts of moving bodies at random: the reference and all exact methods against dense sampling, with the oracle for
//! one trial of 64. Methods that enlarge bodies or bisect the step miss no contact.

use glam::{DQuat, DVec3};

use super::{pairs_of_each, random_numbers, shapes};
use narrowphase::impact::{
    Exactness, Impact, ImpactReference, KnownImpact, Motion, TIMES_OF_IMPACT, TimeOfImpact, find,
};
use narrowphase::random_pairs::{Placing, random_poses};
use narrowphase::{BAND, Body, Pose, Reference, Shape, size_of_pair};
use proofs::oracle;

/// The step of all trials, in seconds.
const LIMIT: f64 = 1.0;

/// Most gaps of a proof that bodies do not touch.
const MAX_PROOF: u32 = 20_000;

/// Two bodies in motion.
#[derive(Clone, Copy)]
struct Trial<'a> {
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
enum Kind {
    Translation,
    /// At the nearest, the velocity is perpendicular to the axis of the gap, which is hardly more than rounding.
    Grazing,
    Spin,
}

impl<'a> Trial<'a> {
    /// The poses of `placing` are those at a random time within the step, or shortly before or after it.
    fn random(
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
            let mut reference = Reference::new();
            reference.examine(&Body::new(a, poses[0]), &Body::new(b, poses[1]));
            let axis = reference.nearest().unwrap().axis;
            velocity -= axis * axis.dot(velocity);
        }
        let common = vector(uniform) * radii;
        let spins =
            [0, 1].map(|_| if kind == Kind::Spin { vector(uniform) * 6.0 } else { DVec3::ZERO });
        let one = Motion { velocity: common, spin: spins[0] };
        let other = Motion { velocity: common + velocity, spin: spins[1] };
        let back = LIMIT * (1.2 - 1.4 * uniform());
        Self {
            a: (one.body_after(&Body::new(a, poses[0]), -back), one),
            b: (other.body_after(&Body::new(b, poses[1]), -back), other),
        }
    }

    fn bodies_at(&self, time: f64) -> [Body<'a>; 2] {
        [self.a.1.body_after(&self.a.0, time), self.b.1.body_after(&self.b.0, time)]
    }

    /// Whether the gap is a convex function of time: that of two convex bodies that do not rotate.
    fn has_convex_gap(&self) -> bool {
        [&self.a, &self.b]
            .iter()
            .all(|(body, motion)| body.shape.is_convex() && motion.spin == DVec3::ZERO)
    }

    fn band(&self) -> f64 {
        // Poses of the world are rounded: both moved by some of their sizes.
        BAND * size_of_pair(&self.a.0, &self.b.0)
    }

    fn find(&self, method: &mut dyn TimeOfImpact) -> Impact {
        method.find((&self.a.0, &self.a.1), (&self.b.0, &self.b.1), LIMIT)
    }

    fn known(&self) -> KnownImpact {
        let (a, b) = ((&self.a.0, &self.a.1), (&self.b.0, &self.b.1));
        ImpactReference::default().examine(a, b, LIMIT)
    }
}

/// The gap as a function of time: that of the static reference, or of the oracle, which is a hundred times as slow.
struct Gaps<'a> {
    trial: Trial<'a>,
    reference: Reference,
    with_oracle: bool,
    /// How often [`Gaps::stay_above`] was not decided.
    undecided: usize,
}

impl<'a> Gaps<'a> {
    fn of(trial: Trial<'a>, with_oracle: bool) -> Self {
        Self { trial, reference: Reference::new(), with_oracle, undecided: 0 }
    }

    fn at(&mut self, time: f64) -> f64 {
        let [a, b] = self.trial.bodies_at(time);
        if self.with_oracle {
            oracle::signed_gap(&a, &b)
        } else {
            self.reference.examine(&a, &b).gap
        }
    }

    /// Whether the gap stays above a level until a time, by a proof: no gap changes faster than the fastest points of both
    /// bodies approach. `None` if it comes so close that this takes too long.
    fn stay_above(&mut self, level: f64, until: f64) -> Option<bool> {
        let [(a, one), (b, other)] = [self.trial.a, self.trial.b];
        let common = one.velocity;
        let speed = [(a, one), (b, other)].map(|(body, motion)| {
            Motion { velocity: motion.velocity - common, ..motion }.speed_bound(&body)
        });
        let speed = speed[0] + speed[1];
        let mut open = vec![[0.0, until]];
        for _ in 0..MAX_PROOF {
            let Some([start, end]) = open.pop() else { return Some(true) };
            let middle = 0.5 * (start + end);
            let [a, b] = self.trial.bodies_at(middle);
            let above = self.reference.examine(&a, &b).gap - level;
            if above < 0.0 {
                return Some(false);
            }
            if above <= speed * (end - middle) {
                open.extend([[start, middle], [middle, end]]);
            }
        }
        self.undecided += 1;
        None
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

/// The fault of an answer of the reference or an exact method, if it has one.
fn fault(trial: &Trial, known: KnownImpact, found: Impact, gaps: &mut Gaps) -> Option<String> {
    let (band, start) = (trial.band(), gaps.at(0.0));
    let is_of_one_kind = std::mem::discriminant(&found) == std::mem::discriminant(&known.impact);
    if found == Impact::Failed || !is_of_one_kind && !known.is_grazing {
        return Some("failed, or another kind".to_owned());
    }
    let until = if let Impact::At { first, .. } = found { first } else { LIMIT };
    let (least, at) = gaps.least(until);
    let is_passed = found != Impact::Overlapping
        && (start < -band
            || least < -band
            || !trial.has_convex_gap() && gaps.stay_above(-band, until) == Some(false));
    if is_passed || found == Impact::Overlapping && start > band {
        return Some(format!("gap {start:e} at the start, {least:e} at {at}"));
    }
    let Impact::At { first, last, axis } = found else { return None };
    let gap = gaps.at(first);
    let are_times = first > 0.0 && first <= LIMIT && last >= first;
    if !are_times || gap.abs() > band || (axis.length() - 1.0).abs() > 1e-12 {
        return Some(format!("gap {gap:e}, band {band:e}"));
    }
    let [a, b] = trial.bodies_at(first);
    let mut reference = Reference::new();
    let touching = reference.near(&a, &b, band).iter();
    let along = touching.map(|part| oracle::gap_along(&a, part.part_a, &b, part.part_b, axis));
    let along = along.fold(f64::NEG_INFINITY, f64::max);
    if along < -band && !known.is_grazing {
        return Some(format!("gap {along:e} along the axis"));
    }
    // Two convex bodies touch from the first to the last time, and at no other: the gap is a convex function of time.
    if last == first || !trial.has_convex_gap() || !last.is_finite() {
        return None;
    }
    // Later poses are coarser.
    let band = trial.band() * (1.0 + last);
    let (gap, between) = (gaps.at(last), gaps.at(0.5 * (first + last)));
    let is_right = gap.abs() <= band && between <= band;
    (!is_right).then(|| format!("gap {gap:e} at the parting, {between:e} half way to it"))
}

/// Whether the reference says wrongly that a pair grazes, or that it does not.
fn is_grazing_wrong(trial: &Trial, known: KnownImpact, gaps: &mut Gaps) -> bool {
    let ([start, end], (least, _)) = ([0.0, LIMIT].map(|time| gaps.at(time)), gaps.least(LIMIT));
    let grazes = |width: f64| {
        let is_near = |gap: f64| gap.abs() <= width * trial.band();
        is_near(least) || is_near(start) || (least >= end && is_near(end))
    };
    // The least gap is exact where it has one minimum.
    if trial.has_convex_gap() {
        return grazes(0.95) == grazes(1.05) && known.is_grazing != grazes(1.0);
    }
    let width = 1.05 * trial.band();
    let never = known.impact == Impact::Never;
    if !known.is_grazing {
        return never && least < 0.9 * width;
    }
    // All three sizes of the bodies meet, or none does.
    start > width && least < -width || never && gaps.stay_above(width, LIMIT) == Some(true)
}

fn play(shapes: &[(&'static str, Shape)], kinds: &[Kind], placings: &[Placing], seed: u64) {
    let mut random = random_numbers(seed);
    let mut methods: Vec<_> = TIMES_OF_IMPACT.iter().map(|kind| (kind, (kind.build)(8))).collect();
    let (mut number, mut contacts, mut undecided, mut faults) = (0, 0, 0, Vec::new());
    let places = placings.iter().flat_map(|placing| kinds.iter().map(move |kind| (kind, placing)));
    for ((name_a, a), (name_b, b)) in shapes.iter().flat_map(|a| shapes.iter().map(move |b| (a, b)))
    {
        for (&kind, &placing) in places.clone() {
            for _ in 0..pairs_of_each().div_ceil(4) {
                number += 1;
                let trial = Trial::random(a, b, placing, kind, &mut random);
                let known = trial.known();
                // The oracle is slow: most trials are sampled by the static reference.
                let with_oracle = number % 64 == 0;
                let gaps = &mut Gaps::of(trial, with_oracle);
                let mut note = |id: &str, found: Impact, fault: String| {
                    let shapes = format!("{name_a}, {name_b}, {kind:?}, {placing:?}");
                    faults
                        .push(format!("{id}: {fault}: {found:?}, {known:?}: {shapes}: {trial:?}"));
                };
                let touches = !known.is_grazing && known.impact != Impact::Never;
                contacts += usize::from(touches);
                if let Some(fault) = fault(&trial, known, known.impact, gaps) {
                    note("reference", known.impact, fault);
                }
                if is_grazing_wrong(&trial, known, gaps) {
                    note("reference", known.impact, "grazing".to_owned());
                }
                gaps.with_oracle = false;
                for (entry, method) in &mut methods {
                    let is_exact = match entry.exactness {
                        Exactness::Never => false,
                        Exactness::Translation => kind != Kind::Spin,
                        Exactness::ToTolerance => true,
                    };
                    let misses_none = ["substeps+enlarged", "bisection"].contains(&entry.id);
                    let found = trial.find(&mut **method);
                    let fault = if is_exact {
                        fault(&trial, known, found, gaps)
                    } else {
                        let is_missed = touches && found == Impact::Never;
                        let is_wrong = found == Impact::Failed || misses_none && is_missed;
                        is_wrong.then(|| "failed, or missed a contact".to_owned())
                    };
                    fault.into_iter().for_each(|fault| note(entry.id, found, fault));
                }
                // Bodies that graze come too close for a proof.
                undecided += if known.is_grazing { 0 } else { gaps.undecided };
            }
        }
    }
    println!("{number} trials, {contacts} contacts, {undecided} proofs undecided");
    assert!(undecided * 20 <= number, "{undecided} of {number}");
    assert!(contacts * 6 > number || kinds == [Kind::Grazing], "{contacts} of {number}");
    assert!(
        faults.is_empty(),
        "{} faults: {}",
        faults.len(),
        faults[..faults.len().min(12)].join("\n")
    );
}

const PLACINGS: [Placing; 4] =
    [Placing::Uniform, Placing::Near, Placing::Touching, Placing::Parallel];

#[test]
fn translating_shapes_get_the_first_time_from_every_method() {
    play(&shapes::convex_shapes(), &[Kind::Translation], &PLACINGS, 21);
}

/// Speeds along the axis that separates them are rounding.
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

/// A plane with a fixed normal allows 0.4 % of the gap: each corner of a face that tilts comes nearer.
#[test]
fn boxes_that_rotate_faster_than_they_approach_are_met() {
    let shape = Shape::cuboid(DVec3::new(1.0, 2.0, 4.0)).unwrap();
    let body = |position: [f64; 3], [x, y, z, w]: [f64; 4]| {
        let rotation = DQuat::from_xyzw(x, y, z, w).normalize();
        Body::new(&shape, Pose { position: position.into(), rotation })
    };
    let motion = |velocity: [f64; 3], spin: [f64; 3]| Motion {
        velocity: DVec3::from(velocity) / 60.0,
        spin: DVec3::from(spin) / 60.0,
    };
    let trial = Trial {
        a: (
            body([-1.266293, 0.242763, -1.720523], [-0.189979, 0.846004, -0.483977, -0.118114]),
            motion([141.351593, -27.098757, 192.055664], [-45.902767, 14.566107, -35.787766]),
        ),
        b: (
            body([1.921228, -0.810790, 0.170574], [0.069802, -0.127584, -0.196202, -0.969718]),
            motion([-65.029671, -221.852890, 64.439384], [52.502499, 8.187540, 27.864879]),
        ),
    };
    let (known, gaps) = (trial.known(), &mut Gaps::of(trial, true));
    let found = trial.find(&mut *find("bilateral").unwrap().build());
    for (found, error) in [(known.impact, 1e-9), (found, 1e-7)] {
        assert_eq!(fault(&trial, known, found, gaps), None);
        let Impact::At { first, .. } = found else { panic!("{found:?}") };
        assert!((first - 0.537_115_842_88).abs() < error, "{first}");
    }
    assert_eq!((gaps.undecided, known.is_grazing), (0, false));
}
