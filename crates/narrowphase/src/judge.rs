//! A method's answer against the reference's.

use crate::answer::Answer;
use crate::body::Body;
use crate::contact::Contacts;
use crate::oracle;
use crate::pair::{BAND, rounding_of, size_of_pair};
use crate::reference::{PartVerdict, Verdict};

/// What an answer is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Judgement {
    /// As the reference answers, with a witness that holds, if it has one.
    Right,
    /// The gap is within the band, where either answer is right.
    InBand,
    /// Not as the reference answers.
    Wrong,
    /// As the reference answers, with an axis that does not separate, or a point that is not in
    /// both bodies. Of the reference itself, a missing witness too.
    WrongWitness,
    /// The method did not terminate.
    Failed,
    /// The pair is none of those that the method was asked about.
    NotAsked,
}

impl Judgement {
    /// Whether no error is to be reported.
    #[must_use]
    pub fn is_accepted(self) -> bool {
        matches!(self, Self::Right | Self::InBand)
    }
}

/// Compares an answer with the reference's verdict on the same bodies, and checks its witness by
/// the [`oracle`].
///
/// `band` is the method's: [`BAND`], or what a peer achieves. It allocates, and takes
/// longer than a test: call it outside of a timed region.
#[must_use]
pub fn judge(answer: Answer, band: f64, verdict: &Verdict, a: &Body, b: &Body) -> Judgement {
    let size = size_of_pair(a, b);
    let is_in_band = verdict.gap.abs() <= band * size;
    let holds = match answer {
        Answer::Failed => return Judgement::Failed,
        Answer::Separated { axis } => {
            if verdict.gap <= 0.0 && !is_in_band {
                return Judgement::Wrong;
            }
            axis.is_none_or(|axis| oracle::axis_separates(a, b, axis))
        }
        Answer::Touching { point } => {
            if verdict.gap > 0.0 && !is_in_band {
                return Judgement::Wrong;
            }
            point.is_none_or(|point| oracle::is_common_point(a, b, point))
        }
    };
    of_witness(is_in_band, holds)
}

/// Checks the reference by the witnesses of its own answer: a common point, or an axis of each pair of parts. A missing
/// witness is a wrong one. `parts` is what [`Reference::parts`](crate::Reference::parts) has after both bodies were
/// examined.
///
/// It takes as long as the witnesses have features, and allocates: call it outside of a timed region.
#[must_use]
pub fn judge_reference(verdict: &Verdict, parts: &[PartVerdict], a: &Body, b: &Body) -> Judgement {
    let holds = match verdict.answer {
        Answer::Failed => return Judgement::Failed,
        Answer::Touching { point } => {
            point.is_some_and(|point| oracle::is_common_point(a, b, point))
        }
        Answer::Separated { .. } => {
            let others = b.shape.parts().len();
            let of_pair = |(at, part): (usize, &PartVerdict)| {
                let PartVerdict { part_a, part_b, axis, .. } = *part;
                (part_a, part_b) == (at / others, at % others)
                    && oracle::axis_separates_parts(a, part_a, b, part_b, axis)
            };
            parts.len() == a.shape.parts().len() * others && parts.iter().enumerate().all(of_pair)
        }
    };
    of_witness(verdict.is_in_band, holds)
}

fn of_witness(is_in_band: bool, holds: bool) -> Judgement {
    match (is_in_band, holds) {
        (true, _) => Judgement::InBand,
        (false, true) => Judgement::Right,
        (false, false) => Judgement::WrongWitness,
    }
}

/// How far the ends of a contact point may be outside of the bodies, relative to the size of the pair: points of a
/// feature may be behind the furthest one.
const BEHIND: f64 = 3e-7;

/// Checks the contact sets of touching bodies by the [`oracle`]: each depth along its normal, the deepest one against
/// the gap of the bodies, and that each point is in both bodies and between their surfaces. Returns what is wrong.
///
/// It allocates, and takes a tenth of a millisecond and more.
#[must_use]
pub fn contact_fault(contacts: &Contacts, a: &Body, b: &Body) -> Option<String> {
    fault_within(contacts, a, b, [size_of_pair(a, b), oracle::WITNESS, 0.0])
}

/// [`contact_fault`] of bodies at the time of their first contact, which are apart or overlap by rounding. `size` is that of
/// the pair as the step begins, to which the search for the contact refers; `rounding` is that of the bodies' places, a length.
/// Without a common point, contact points are as far behind as those of their features.
#[must_use]
pub fn first_contact_fault(
    contacts: &Contacts,
    a: &Body,
    b: &Body,
    [size, rounding]: [f64; 2],
) -> Option<String> {
    fault_within(contacts, a, b, [size, BEHIND, rounding])
}

/// `most_outside`: how far points may be outside of the bodies, in units of `size`. `moved`: how far the bodies' places are
/// rounded.
fn fault_within(
    contacts: &Contacts,
    a: &Body,
    b: &Body,
    [size, most_outside, moved]: [f64; 3],
) -> Option<String> {
    let rounding = BAND * size + moved;
    let gap = oracle::signed_gap(a, b);
    let deepest = contacts.sets().iter().map(|set| set.depth).fold(0.0, f64::max);
    if (deepest + gap.min(0.0)).abs() > rounding {
        return Some(format!(
            "the deepest contact set is {deepest:.3e} deep, the gap is {gap:.3e}"
        ));
    }
    for set in contacts.sets() {
        let along = oracle::gap_along(a, set.part_a, b, set.part_b, set.normal);
        if (along + set.depth).abs() > rounding {
            let depth = set.depth;
            return Some(format!("a set is {depth:.3e} deep, its normal has the gap {along:.3e}"));
        }
        for point in contacts.points_of(set) {
            let at = point.position;
            let outside = oracle::distance_outside(a, at).max(oracle::distance_outside(b, at));
            if outside > most_outside * size + moved + rounding_of(at) {
                return Some(format!("the contact point {at} is {outside:.3e} outside of a body"));
            }
            // The middle is between one point of each surface.
            let half = set.normal * (point.depth / 2.0);
            let outside = oracle::distance_outside(a, point.middle + half)
                .max(oracle::distance_outside(b, point.middle - half));
            if outside > BEHIND * size + moved + rounding_of(at) {
                return Some(format!(
                    "the surfaces about contact point {at} are {outside:.3e} outside of a body"
                ));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pose::Pose;
    use crate::random_pairs::{Placing, random_poses};
    use crate::reference::Reference;
    use crate::shape::Shape;
    use glam::DVec3;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Found by the fuzzer: the common point was called wrong, because it had been rounded to the world's coordinates.
    #[test]
    fn small_bodies_far_from_the_origin_have_right_witnesses() {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let mut uniform = || random.random::<f64>();
        let (mut reference, mut contacts) = (Reference::new(), Contacts::new());
        let mut touching = 0;
        for scale in [1e-3, 1e-6, 1e-9] {
            let shape = Shape::cuboid(DVec3::new(1.0, 2.0, 1.5) * scale).unwrap();
            for placing in Placing::ALL.into_iter().cycle().take(50) {
                let far = DVec3::new(3.0, -5.0, 7.0) * if scale > 1e-5 { 1e4 } else { 1.0 };
                let poses = random_poses(&shape, &shape, placing, &mut uniform);
                let [a, b] = poses
                    .map(|pose| Body::new(&shape, Pose { position: pose.position + far, ..pose }));
                let verdict = reference.examine(&a, &b);
                touching += usize::from(matches!(verdict.answer, Answer::Touching { .. }));
                let judgement = judge(verdict.answer, BAND, &verdict, &a, &b);
                assert!(judgement.is_accepted(), "{judgement:?}: {verdict:?} {a:?} {b:?}");
                contacts.find(&a, &b, reference.parts());
                assert_eq!(contact_fault(&contacts, &a, &b), None, "{verdict:?} {a:?} {b:?}");
            }
        }
        assert!(touching > 50, "{touching}");
    }

    /// A cube with a capsule beside it.
    fn cube_and_capsule() -> [Shape; 3] {
        let cube = Shape::cuboid(DVec3::ONE).unwrap();
        let pill = Shape::capsule(0.3, 1.0).unwrap();
        let aside = Pose { position: DVec3::X * 0.9, ..Pose::IDENTITY };
        let both = Shape::compound(&[(&cube, Pose::IDENTITY), (&pill, aside)]).unwrap();
        [cube, pill, both]
    }

    #[test]
    fn witness_of_every_pair_of_parts_is_checked() {
        let [cube, _, both] = cube_and_capsule();
        let mut random = ChaCha8Rng::seed_from_u64(8);
        let mut uniform = || random.random::<f64>();
        let mut reference = Reference::new();
        let (mut apart, mut touching) = (0, 0);
        for (a, b) in [(&both, &both), (&both, &cube), (&cube, &cube)] {
            for placing in Placing::ALL.into_iter().cycle().take(100) {
                let [first, second] = random_poses(a, b, placing, &mut uniform);
                let (a, b) = (Body::new(a, first), Body::new(b, second));
                let verdict = reference.examine(&a, &b);
                let mut parts = reference.parts().to_vec();
                let right = judge_reference(&verdict, &parts, &a, &b);
                assert!(right.is_accepted(), "{right:?}: {verdict:?} {a:?} {b:?}");
                if right == Judgement::InBand {
                    continue;
                }
                let wrong = Judgement::WrongWitness;
                if let Answer::Touching { point } = verdict.answer {
                    touching += 1;
                    let moved = point.map(|point| point + DVec3::splat(10.0));
                    for point in [None, moved] {
                        let verdict = Verdict { answer: Answer::Touching { point }, ..verdict };
                        assert_eq!(judge_reference(&verdict, &parts, &a, &b), wrong);
                    }
                    continue;
                }
                apart += 1;
                for at in 0..parts.len() {
                    // From the second to the first part.
                    parts[at].axis *= -1.0;
                    assert_eq!(judge_reference(&verdict, &parts, &a, &b), wrong);
                    parts[at].axis *= -1.0;
                }
                parts.pop();
                assert_eq!(judge_reference(&verdict, &parts, &a, &b), wrong, "one is missing");
            }
        }
        assert!(apart > 50 && touching > 50, "{apart} apart, {touching} touch");
    }

    #[test]
    fn contact_sets_are_right_and_wrong_ones_are_found() {
        let [cube, pill, both] = cube_and_capsule();
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let mut uniform = || random.random::<f64>();
        let (mut reference, mut contacts) = (Reference::new(), Contacts::new());
        let mut found = 0;
        for (a, b) in [(&cube, &cube), (&cube, &pill), (&both, &cube), (&both, &both)] {
            for placing in Placing::ALL.into_iter().cycle().take(200) {
                let [first, second] = random_poses(a, b, placing, &mut uniform);
                let (a, b) = (Body::new(a, first), Body::new(b, second));
                reference.examine(&a, &b);
                contacts.find(&a, &b, reference.parts());
                assert_eq!(contact_fault(&contacts, &a, &b), None, "{placing:?} {a:?} {b:?}");
                if contacts.sets().is_empty() {
                    continue;
                }
                found += 1;
                let aside = Pose { position: second.position + DVec3::splat(0.01), ..second };
                assert!(contact_fault(&contacts, &a, &Body { pose: aside, ..b }).is_some());
                contacts.find(&a, &b, &[]);
                let depth = -oracle::signed_gap(&a, &b);
                let is_deep = depth > 2.0 * BAND * size_of_pair(&a, &b);
                assert!(contact_fault(&contacts, &a, &b).is_some() || !is_deep, "{depth}");
            }
        }
        assert!(found > 300, "{found}");
    }

    /// Deep overlaps of thin bodies, of sizes that differ by a hundred million, and far from the origin.
    #[test]
    fn contact_points_are_in_both_bodies_and_others_are_found() {
        let cuboid = |x, y, z| Shape::cuboid(DVec3::new(x, y, z)).unwrap();
        let shapes = [
            Shape::sphere(1.0).unwrap(),
            Shape::capsule(0.3, 1.2).unwrap(),
            Shape::hull(12, 3).unwrap(),
            Shape::hull(120, 5).unwrap(),
            cuboid(1.0, 1e-6, 2.0),
            cuboid(1e-8, 2e-8, 1e-8),
        ];
        let mut random = ChaCha8Rng::seed_from_u64(11);
        let mut uniform = || random.random::<f64>();
        let (mut reference, mut contacts) = (Reference::new(), Contacts::new());
        let mut moved = 0;
        for (a, b) in shapes.iter().flat_map(|a| shapes.iter().map(move |b| (a, b))) {
            for placing in Placing::ALL.into_iter().cycle().take(30) {
                let far = if uniform() < 0.3 { DVec3::new(1e4, -2e4, 7e3) } else { DVec3::ZERO };
                let poses = random_poses(a, b, placing, &mut uniform);
                let [first, second] =
                    poses.map(|pose| Pose { position: pose.position + far, ..pose });
                let (a, b) = (Body::new(a, first), Body::new(b, second));
                let verdict = reference.examine(&a, &b);
                contacts.find(&a, &b, reference.parts());
                assert_eq!(contact_fault(&contacts, &a, &b), None, "{verdict:?} {a:?} {b:?}");
                let Some(point) = contacts.points.first_mut() else { continue };
                moved += usize::from(point.position != point.middle);
                let out = a.pose.position.distance(point.position) + a.bounding_radius();
                point.position += DVec3::X * out;
                let found = contact_fault(&contacts, &a, &b).expect("a point outside");
                assert!(found.contains("outside of a body"), "{found}");
            }
        }
        assert!(moved > 100, "{moved}");
    }
}
