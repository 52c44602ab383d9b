//! Where bodies touch at the time of their first contact.

use super::{Impact, Motion};
use crate::body::Body;
use crate::bounds::Bounds;
use crate::contact::Contacts;
use crate::pair::{BAND, rounding_of, size_of_pair};
use crate::reference::{PartVerdict, Reference};
use glam::DVec3;

/// Contact sets at the time of the first contact. It keeps its memory from pair to pair.
///
/// ```
/// use glam::DVec3;
/// use narrowphase::impact::{Impact, ImpactContacts, ImpactReference, Motion};
/// use narrowphase::{Body, Pose, Shape};
///
/// let cube = Shape::cuboid(DVec3::ONE)?;
/// let a = Body::new(&cube, Pose::IDENTITY);
/// let b = Body::new(&cube, Pose { position: DVec3::X * 3.0, ..Pose::IDENTITY });
/// let motion = Motion { velocity: DVec3::X * -4.0, spin: DVec3::ZERO };
/// let (a, b) = ((&a, &Motion::NONE), (&b, &motion));
/// let impact = ImpactReference::default().examine(a, b, 1.0).impact;
/// assert!(matches!(impact, Impact::At { first, .. } if (first - 0.5).abs() < 1e-12));
/// let mut contacts = ImpactContacts::default();
/// assert_eq!(contacts.find(a, b, impact).points().len(), 4);
/// # Ok::<(), narrowphase::shape::ShapeError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ImpactContacts {
    /// The contacts that were found last.
    pub contacts: Contacts,
    reference: Reference,
    parts: Vec<PartVerdict>,
}

impl ImpactContacts {
    /// The contact sets at the poses of `impact`, with its axis as the normal of the parts that it is the axis of (000
    /// §3.2). None if there is no contact, or the bodies are apart at its time.
    pub fn find(&mut self, a: (&Body, &Motion), b: (&Body, &Motion), impact: Impact) -> &Contacts {
        let Self { contacts, reference, parts } = self;
        parts.clear();
        let Some(time) = impact.start() else {
            contacts.find(a.0, b.0, parts);
            return contacts;
        };
        let (one, other) = (a.1.body_after(a.0, time), b.1.body_after(b.0, time));
        let rounding = rounding_of(one.pose.position).max(rounding_of(other.pose.position));
        let reach = BAND * size_of_pair(a.0, b.0) + rounding;
        parts.extend(reference.near(&one, &other, reach).iter().filter(|part| part.gap <= reach));
        if let Impact::At { axis, .. } = impact {
            // They touch: what is left of a gap is rounding.
            parts.iter_mut().for_each(|part| part.gap = part.gap.min(0.0));
            let along = |part: &PartVerdict| part.axis.dot(axis);
            let first = parts.iter_mut().max_by(|p, q| along(p).total_cmp(&along(q)));
            first.into_iter().for_each(|part| part.axis = axis);
        }
        contacts.find(&one, &other, parts);
        contacts
    }
}

/// A region in which bodies touch, roughly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ApproximateContact {
    /// The middle of the region.
    pub point: DVec3,
    /// A unit vector against the velocity of the second body as seen from the first.
    pub normal: DVec3,
    /// Half the region's size along the world's axes.
    pub half_size: DVec3,
}

/// The region that 001 takes from positions and velocities alone, its third way: where the boxes of both bodies overlap at
/// the time of `impact`, with the direction of the relative motion as the normal. `None` if there is no contact.
#[must_use]
pub fn approximate_contact(
    a: (&Body, &Motion),
    b: (&Body, &Motion),
    impact: Impact,
) -> Option<ApproximateContact> {
    let time = impact.start()?;
    let [one, other] = [a, b].map(|(body, motion)| {
        let body = motion.body_after(body, time);
        Bounds::of_parts(body.shape.parts(), &body.pose, body.scale)
    });
    let (low, high) = (one.min.max(other.min), one.max.min(other.max));
    let between = b.0.pose.position - a.0.pose.position;
    let against = (a.1.velocity - b.1.velocity).try_normalize();
    let normal = against.or(between.try_normalize()).unwrap_or(DVec3::X);
    // Boxes that only touch may be apart by rounding.
    Some(ApproximateContact {
        point: 0.5 * (low + high),
        normal,
        half_size: (0.5 * (high - low)).max(DVec3::ZERO),
    })
}
