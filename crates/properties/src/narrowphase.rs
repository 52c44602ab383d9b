//! Two bodies: what every method of the narrow phase answers, and where they touch.

use crate::shapes::{body_scale, is_thin, pose, shape};
use arbitrary::{Result, Unstructured};
use broadphase::benchmark::mix;
use narrowphase::contact::Contacts;
use narrowphase::narrow::{NARROW_PHASES, NarrowPhaseKind};
use narrowphase::random_pairs::{Placing, random_poses};
use narrowphase::volume::{Placed, VOLUMES, VolumeKind};
use narrowphase::{
    Answer, BAND, Body, BoxKind, NarrowPhase, PairCache, Pose, Reference, Shape, Verdict,
    size_of_pair,
};
use proofs::{AnswerFault, answer_fault, contact_fault, oracle};

/// Poses of a pair: a cache goes from one to the next.
const MAX_POSES: usize = 4;

/// The reference agrees with the oracle, every method with the reference, no exact volume or box rejects bodies that
/// touch, and their contact sets are where both are.
pub(crate) fn check(bytes: &[u8]) {
    let mut bytes = Unstructured::new(bytes);
    let Ok(Some(pair)) = pair(&mut bytes) else { return };
    let mut trial = Trial::new(&pair.shapes);
    for _ in 0..MAX_POSES {
        let Ok(poses) = poses(&pair.shapes, &mut bytes) else { return };
        let [a, b] = [0, 1].map(|which| Body {
            shape: &pair.shapes[which],
            scale: pair.scales[which],
            pose: poses[which],
        });
        trial.check(&a, &b);
        if bytes.is_empty() {
            return;
        }
    }
}

/// Two bodies that are tested against each other.
struct Pair {
    shapes: [Shape; 2],
    scales: [f64; 2],
}

/// `None` where a shape is refused.
fn pair(bytes: &mut Unstructured<'_>) -> Result<Option<Pair>> {
    let kind: u8 = bytes.arbitrary()?;
    let Ok(first) = shape(bytes)? else { return Ok(None) };
    let second = if kind.is_multiple_of(8) { Ok(first.clone()) } else { shape(bytes)? };
    let Ok(second) = second else { return Ok(None) };
    let shapes = [first, second];
    let mut scale = |number: usize| {
        let radius = shapes[number].bounding_radius();
        if kind & (64 << number) == 0 { Ok(1.0) } else { body_scale(radius, bytes) }
    };
    let scales = [scale(0)?, scale(1)?];
    Ok(Some(Pair { shapes, scales }))
}

/// Poses on a lattice, where features coincide, or random ones where methods are likely to fail.
fn poses(shapes: &[Shape; 2], bytes: &mut Unstructured<'_>) -> Result<[Pose; 2]> {
    let kind: u8 = bytes.arbitrary()?;
    let Some(placing) = Placing::ALL.get(usize::from(kind % 8)) else {
        return Ok([pose(bytes)?, pose(bytes)?]);
    };
    let mut state: u64 = bytes.arbitrary::<u16>()?.into();
    let mut uniform = || {
        state += 1;
        // 53 bits. Neither 0 nor 1.
        ((mix(state << 8 | 1) >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    };
    Ok(random_poses(&shapes[0], &shapes[1], *placing, &mut uniform))
}

/// Methods that keep state from pose to pose.
struct Trial {
    reference: Reference,
    contacts: Contacts,
    methods: Vec<Method>,
    volumes: Vec<(&'static VolumeKind, Box<dyn narrowphase::volume::Volume>)>,
}

struct Method {
    kind: &'static NarrowPhaseKind,
    method: Box<dyn NarrowPhase + Send>,
    cache: PairCache,
}

impl Trial {
    fn new(shapes: &[Shape; 2]) -> Self {
        let method = |kind: &'static NarrowPhaseKind| Method {
            kind,
            method: (kind.build)(),
            cache: PairCache::default(),
        };
        // Answers of another library at the ends of its range are measured by the proofs.
        let ours = NARROW_PHASES.iter();
        Self {
            reference: Reference::new(),
            contacts: Contacts::new(),
            methods: ours.map(method).collect(),
            volumes: VOLUMES.iter().map(|kind| (kind, (kind.fit)(shapes, false))).collect(),
        }
    }

    fn check(&mut self, a: &Body<'_>, b: &Body<'_>) {
        let verdict = self.reference.examine(a, b);
        self.check_reference(&verdict, a, b);
        let is_thin = [a, b].into_iter().any(|body| is_thin(body.shape));
        for Method { kind, method, cache } in &mut self.methods {
            let answer = method.test(a, b, cache);
            let fault = answer_fault(answer, kind.band, &verdict, a, b);
            // Triangles that are needles have points that are not exact. GJK may end without an answer, and says so.
            let is_excused = match fault {
                Some(AnswerFault::Unproved) => kind.family() == "triangles",
                Some(AnswerFault::Failed) => kind.family() == "gjk",
                _ => false,
            };
            if is_thin && is_excused {
                continue;
            }
            assert_eq!(fault, None, "{}: {answer:?}: {verdict:?}, {a:?}, {b:?}", kind.id);
        }
        let touches = matches!(verdict.answer, Answer::Touching { .. }) && !verdict.is_in_band;
        for (kind, volume) in &self.volumes {
            let mut numbers = vec![f64::NAN; 2 * volume.width()];
            let (first, second) = numbers.split_at_mut(volume.width());
            volume.place(0, a.scale, a.pose.rotation, first);
            volume.place(1, b.scale, b.pose.rotation, second);
            let first = Placed { shape: 0, position: a.pose.position, numbers: first };
            let second = Placed { shape: 1, position: b.pose.position, numbers: second };
            let passes = volume.overlap(&first, &second);
            assert!(passes || !touches || !kind.exact, "{} rejects: {verdict:?}", kind.id);
            let size = volume.volume(&first);
            assert!(
                size.is_none_or(|size| size >= 0.0 && size.is_finite()),
                "{}: {size:?}",
                kind.id
            );
        }
        for kind in BoxKind::ALL {
            let overlap = a.bounds(kind).overlaps(&b.bounds(kind));
            assert!(overlap || !touches, "{} boxes are apart: {verdict:?}", kind.id());
        }
        self.check_contacts(a, b, is_thin);
    }

    fn check_reference(&mut self, verdict: &Verdict, a: &Body<'_>, b: &Body<'_>) {
        let size = size_of_pair(a, b);
        let gap = oracle::signed_gap(a, b);
        let differs = |other: f64| {
            let difference = (gap - other).abs();
            difference.is_nan() || difference > BAND * size
        };
        assert!(!differs(verdict.gap), "the gap is {gap:e} of {size:e}: {verdict:?}, {a:?}, {b:?}");
        let fault = answer_fault(verdict.answer, BAND, verdict, a, b);
        assert_eq!(fault, None, "the reference: {verdict:?}");
        let touching: Vec<_> =
            self.reference.parts().iter().filter(|part| part.gap <= 0.0).copied().collect();
        let near = self.reference.near(a, b, 0.0).iter().filter(|part| part.gap <= 0.0).copied();
        assert!(near.eq(touching), "parts that touch are not among those that are near");
        let swapped = self.reference.examine(b, a).gap;
        assert!(!differs(swapped), "the gap is {swapped:e} from the other body: {verdict:?}");
    }

    fn check_contacts(&mut self, a: &Body<'_>, b: &Body<'_>, is_thin: bool) {
        let parts = self.reference.near(a, b, 0.0);
        self.contacts.find(a, b, parts);
        let is_finite = |point: &narrowphase::contact::ContactPoint| {
            point.position.is_finite() && point.depth.is_finite()
        };
        assert!(self.contacts.points().iter().all(is_finite), "{:?}", self.contacts.points());
        let has_point = |set| !self.contacts.points_of(set).is_empty();
        assert!(self.contacts.sets().iter().all(has_point), "a contact set without a point");
        // Points clipped against a face that is hardly wider than rounding may lie outside of it.
        if is_thin {
            return;
        }
        assert_eq!(
            contact_fault(&self.contacts, a, b),
            None,
            "{:?}, {a:?}, {b:?}",
            self.contacts.sets()
        );
    }
}
