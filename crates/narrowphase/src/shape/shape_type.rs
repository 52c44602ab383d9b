//! A shape: convex parts about a centre of mass.

use glam::DVec3;

use super::{LENGTHS, MAX_PARTS, MassProperties, Part, ShapeError};
use crate::body::Pose;
use crate::bounds::Bounds;

/// One convex part, or a compound of several. The origin is the centre of mass.
///
/// Constructors take coordinates in a frame of the author's choice;
/// [`center_of_mass`](Self::center_of_mass) is where the origin is in that frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    parts: Vec<Part>,
    center_of_mass: DVec3,
    mass: MassProperties,
    bounds: Bounds,
    bounding_radius: f64,
}

impl Shape {
    /// Parts in the author's frame, with a volume.
    pub(crate) fn from_parts(parts: Vec<Part>) -> Self {
        let (mass, center_of_mass) = MassProperties::of_parts(&parts);
        let to_center = Pose { position: -center_of_mass, ..Pose::IDENTITY };
        let parts: Vec<Part> = parts.iter().map(|part| part.moved(&to_center)).collect();
        let reach = |part: &Part| part.reach_from(DVec3::ZERO);
        let bounding_radius = parts.iter().map(reach).fold(0.0, f64::max);
        let bounds = Bounds::of_parts(&parts, &Pose::IDENTITY, 1.0);
        Self { parts, center_of_mass, mass, bounds, bounding_radius }
    }

    /// Parts in the author's frame, with a volume and moments of inertia.
    pub(super) fn with_inertia(parts: Vec<Part>) -> Result<Self, ShapeError> {
        let shape = Self::from_parts(parts);
        if shape.mass.has_inverse() { Ok(shape) } else { Err(ShapeError::Inertia) }
    }

    /// Convex shapes at poses. A pose places the frame that the shape's constructor had, not its
    /// centre of mass. Parts may overlap; the mass of the overlap counts as often.
    ///
    /// # Errors
    ///
    /// [`ShapeError::PartCount`], [`ShapeError::NestedCompound`], [`ShapeError::PartPose`],
    /// [`ShapeError::Inertia`].
    pub fn compound(parts: &[(&Self, Pose)]) -> Result<Self, ShapeError> {
        if !(1..=MAX_PARTS).contains(&parts.len()) {
            return Err(ShapeError::PartCount(parts.len()));
        }
        let placed = parts.iter().enumerate().map(|(at, (shape, pose))| {
            // The largest element of a vector passes NaN over.
            let is_finite = pose.position.is_finite();
            let is_near = is_finite && pose.position.abs().max_element() <= *LENGTHS.end();
            if !is_near || !pose.rotation.is_normalized() {
                return Err(ShapeError::PartPose(at));
            }
            let [part] = shape.parts() else { return Err(ShapeError::NestedCompound(at)) };
            let pose = Pose { rotation: pose.rotation.normalize(), ..*pose };
            Ok((part, Pose { position: pose.point(shape.center_of_mass()), ..pose }))
        });
        let placed: Vec<(&Part, Pose)> = placed.collect::<Result<_, _>>()?;
        // About the first part: small parts far from the author's origin would lose digits.
        let origin = placed[0].1.position;
        let about_origin = placed
            .iter()
            .map(|(part, pose)| part.moved(&Pose { position: pose.position - origin, ..*pose }));
        let shape = Self::with_inertia(about_origin.collect())?;
        Ok(Self { center_of_mass: origin + shape.center_of_mass, ..shape })
    }

    /// The convex parts, at least one.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Whether it is a single convex part.
    #[must_use]
    pub fn is_convex(&self) -> bool {
        self.parts.len() == 1
    }

    /// Whether it is a sphere about its origin.
    #[must_use]
    pub fn is_ball(&self) -> bool {
        matches!(&*self.parts, [part] if part.core().vertices().len() == 1)
    }

    /// The centre of mass in the frame of the constructor's coordinates. A point `p` of that frame
    /// is `p - center_of_mass` in the shape's.
    #[must_use]
    pub fn center_of_mass(&self) -> DVec3 {
        self.center_of_mass
    }

    /// Volume and inertia.
    #[must_use]
    pub fn mass(&self) -> &MassProperties {
        &self.mass
    }

    /// The smallest box in the shape's own frame.
    #[must_use]
    pub fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// Radius of the smallest sphere about the centre of mass that encloses the shape.
    #[must_use]
    pub fn bounding_radius(&self) -> f64 {
        self.bounding_radius
    }
}
