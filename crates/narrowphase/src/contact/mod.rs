//! Contact sets: where two touching bodies touch, how deep, and which features take part.
//!
//! The features of both parts that are furthest along the axis of least penetration are clipped
//! against each other (000 §2.5, 3.2). The result is a point, a segment or a convex polygon.
//!
//! ```
//! use glam::DVec3;
//! use narrowphase::contact::{ContactKind, Contacts, Extent};
//! use narrowphase::{Body, Pose, Reference, Shape};
//!
//! let cube = Shape::cuboid(DVec3::ONE)?;
//! let above = Pose { position: DVec3::new(0.5, 0.9, 0.0), ..Pose::IDENTITY };
//! let (a, b) = (Body::new(&cube, Pose::IDENTITY), Body::new(&cube, above));
//! let mut reference = Reference::new();
//! reference.examine(&a, &b);
//! let mut contacts = Contacts::new();
//! contacts.find(&a, &b, reference.parts());
//! let set = &contacts.sets()[0];
//! assert_eq!(set.kind, ContactKind::FaceFace);
//! assert!((set.depth - 0.1).abs() < 1e-12 && set.normal.distance(DVec3::Y) < 1e-12);
//! assert!(matches!(set.extent, Extent::Polygon { area } if (area - 0.5).abs() < 1e-12));
//! # Ok::<(), narrowphase::shape::ShapeError>(())
//! ```

mod clip;
mod feature;
mod flat;
mod patch;

use std::ops::Range;

use glam::DVec3;

use crate::body::Body;
use crate::pair::Frame;
use crate::reference::PartVerdict;

pub use feature::{ContactKind, Feature};

use clip::Clipper;
use patch::Patch;

/// Where two parts touch.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactSet {
    /// Index of the first body's part.
    pub part_a: usize,
    /// Index of the second body's part.
    pub part_b: usize,
    /// Which features meet.
    pub kind: ContactKind,
    /// A unit vector of the world from the first to the second part: the axis of least penetration.
    pub normal: DVec3,
    /// The penetration depth, at least 0.
    pub depth: f64,
    /// Its size.
    pub extent: Extent,
    points: Range<usize>,
}

/// The size of a contact set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Extent {
    /// One point.
    Point,
    /// Two points at this distance.
    Segment {
        /// Length of the segment.
        length: f64,
    },
    /// Three or more points of a convex polygon, counterclockwise seen against the normal.
    Polygon {
        /// Area of the polygon, in the plane perpendicular to the normal.
        area: f64,
    },
}

/// A point of a contact set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// A point of the world in the middle between both surfaces, along the normal. It may be outside of a body that leans
    /// or is thinner than the overlap, by half the depth at most.
    pub position: DVec3,
    /// How far the surfaces overlap here, along the normal. Negative where they are apart.
    pub depth: f64,
    /// The same from frame to frame while the same features meet.
    pub id: PointId,
    /// Whether the pair had this point in the last frame too, once [`ContactMemory::mark`] was
    /// asked.
    pub is_kept: bool,
}

/// Which features of which parts meet at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PointId {
    /// Index of the first body's part.
    pub part_a: u8,
    /// Index of the second body's part.
    pub part_b: u8,
    /// Feature of the first part.
    pub feature_a: Feature,
    /// Feature of the second part.
    pub feature_b: Feature,
}

/// The contact sets of a pair of bodies, one for each pair of parts that touch. It keeps its memory
/// from pair to pair.
#[derive(Clone, Debug, Default)]
pub struct Contacts {
    /// Whether bodies stay in their x-z planes and rotate about y only. Then sets are as they are seen along y: a corner on a
    /// side is one point, two sides are one segment. Points are in the middle between the planes of both bodies. Sets whose
    /// normal is along y stay as they are in space.
    pub is_flat: bool,
    sets: Vec<ContactSet>,
    points: Vec<ContactPoint>,
    clipper: Clipper,
}

impl Contacts {
    /// Without sets.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Finds the sets of `a` and `b`. `parts` is what [`Reference::parts`](crate::Reference::parts)
    /// has after both were examined.
    ///
    /// # Panics
    ///
    /// If `parts` is of bodies with more parts.
    pub fn find(&mut self, a: &Body, b: &Body, parts: &[PartVerdict]) {
        self.sets.clear();
        self.points.clear();
        let frame = Frame::new(a, b);
        for verdict in parts.iter().filter(|verdict| verdict.gap <= 0.0) {
            let (part_a, part_b) = (verdict.part_a, verdict.part_b);
            let pair = frame.parts(&a.shape.parts()[part_a], &b.shape.parts()[part_b]);
            let patch = Patch::new(&pair, a.pose.rotation.conjugate() * verdict.axis);
            let mut extent = self.clipper.clip(&patch);
            let start = self.points.len();
            self.points.extend(self.clipper.corners().iter().map(|corner| {
                let (local, depth) = patch.lifted(corner.at);
                ContactPoint {
                    position: a.pose.point(local),
                    depth,
                    id: PointId {
                        part_a: part_a as u8,
                        part_b: part_b as u8,
                        feature_a: corner.a,
                        feature_b: corner.b,
                    },
                    is_kept: false,
                }
            }));
            let [feature_a, feature_b] = patch.features();
            let mut kind = ContactKind::of(feature_a, feature_b);
            if self.is_flat && flat::is_seen(verdict.axis) {
                extent = flat::keep_ends(&mut self.points, start, verdict.axis, [a, b]);
                kind = flat::kind([(a, part_a, feature_a), (b, part_b, feature_b)]);
            }
            self.sets.push(ContactSet {
                part_a,
                part_b,
                kind,
                normal: verdict.axis,
                depth: -verdict.gap,
                extent,
                points: start..self.points.len(),
            });
        }
    }

    /// The sets of the pair that was asked for last.
    #[must_use]
    pub fn sets(&self) -> &[ContactSet] {
        &self.sets
    }

    /// The points of one of the [`sets`](Self::sets), at least one.
    #[must_use]
    pub fn points_of(&self, set: &ContactSet) -> &[ContactPoint] {
        &self.points[set.points.clone()]
    }

    /// The points of all sets.
    #[must_use]
    pub fn points(&self) -> &[ContactPoint] {
        &self.points
    }
}

/// Memory of a pair from frame to frame, which separates new points from kept ones (000
/// §6.2).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContactMemory {
    ids: Vec<PointId>,
}

impl ContactMemory {
    /// Marks the points that the last call saw too, and remembers those of this frame. Call it in
    /// each frame, after [`Contacts::find`].
    pub fn mark(&mut self, contacts: &mut Contacts) {
        for point in &mut contacts.points {
            point.is_kept = self.ids.binary_search(&point.id).is_ok();
        }
        self.ids.clear();
        self.ids.extend(contacts.points.iter().map(|point| point.id));
        self.ids.sort_unstable();
    }
}
