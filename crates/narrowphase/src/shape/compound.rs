//! Shapes of several convex parts.

use super::{LENGTHS, MAX_PARTS, Part, Shape, ShapeError};
use crate::pose::Pose;

impl Shape {
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
        Ok(Self::with_inertia(about_origin.collect())?.authored_at(origin))
    }
}
