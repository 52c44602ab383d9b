//! The shapes of a scene, built.

use super::model::{AxisAngle, Scene, ShapeForm, ShapeRule};
use glam::DQuat;
use narrowphase::shape::{FromPoints, ShapeError};
use narrowphase::{Pose, Shape};

/// The shapes that a scene names, in its order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Catalogue {
    shapes: Vec<NamedShape>,
}

/// A built shape and its name.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedShape {
    /// Its name in the scene.
    pub name: String,
    /// The shape itself.
    pub shape: Shape,
    /// How many of the points that the scene gives equal an earlier one.
    pub duplicates: usize,
}

/// Why the shapes of a scene cannot be built.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CatalogueError {
    /// A shape cannot be built.
    #[error("{source}")]
    Shape {
        /// Its index in the scene.
        index: usize,
        /// The reason.
        source: ShapeError,
    },
    /// A name that no shape has.
    #[error("expected the name of a shape of the scene, found `{name}`")]
    Unknown {
        /// The name.
        name: String,
    },
}

impl Catalogue {
    /// Builds all shapes of a scene.
    ///
    /// # Errors
    ///
    /// If a shape cannot be built, or a body or a part names one that does not exist.
    pub fn new(scene: &Scene) -> Result<Self, CatalogueError> {
        let convex =
            |(index, rule)| convex(rule).map_err(|source| CatalogueError::Shape { index, source });
        let shapes: Result<Vec<_>, _> = scene.shapes.iter().enumerate().map(convex).collect();
        let mut shapes = shapes?;
        for (index, ShapeRule { name, form }) in scene.shapes.iter().enumerate() {
            if *form == ShapeForm::Compound {
                shapes[index] = Some(compound(index, name, scene, &shapes)?);
            }
        }
        let catalogue = Self { shapes: shapes.into_iter().flatten().collect() };
        let shares = scene.generated_bodies.iter().flat_map(|rule| &rule.shares);
        let bodies = scene.placed_bodies.iter().map(|body| &body.shape);
        let mut names = shares.map(|share| &share.shape).chain(bodies);
        match names.find(|name| catalogue.find(name).is_none()) {
            Some(name) => Err(CatalogueError::Unknown { name: name.clone() }),
            None => Ok(catalogue),
        }
    }

    /// The shapes, in the order of the scene.
    pub fn shapes(&self) -> &[NamedShape] {
        &self.shapes
    }

    /// Index of the shape with this name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.shapes.iter().position(|shape| shape.name == name)
    }

    /// [`find`](Self::find) for a name in the scene of the shapes, whose names were all found.
    pub(crate) fn index_of(&self, name: &str) -> usize {
        self.find(name).expect("shapes of a scene are found when it is built")
    }

    /// Appends a convex shape.
    pub(crate) fn push(&mut self, name: &str, shape: Shape) {
        self.shapes.push(NamedShape { name: name.to_owned(), shape, duplicates: 0 });
    }
}

/// The shape of a rule; `None` for a compound.
fn convex(ShapeRule { name, form }: &ShapeRule) -> Result<Option<NamedShape>, ShapeError> {
    let alone = |shape| FromPoints { shape, duplicates: 0 };
    let built = match *form {
        ShapeForm::Sphere { radius } => Shape::sphere(radius.into()).map(alone),
        ShapeForm::Box { size } => Shape::cuboid(size.as_dvec3()).map(alone),
        ShapeForm::Capsule { radius, length } => {
            Shape::capsule(radius.into(), length.into()).map(alone)
        }
        ShapeForm::Cylinder { radius, height, sides } => {
            Shape::cylinder(radius.into(), height.into(), sides.into()).map(alone)
        }
        ShapeForm::Cone { radius, height, sides } => {
            Shape::cone(radius.into(), height.into(), sides.into()).map(alone)
        }
        ShapeForm::Tetrahedron { side } => Shape::tetrahedron(side.into()).map(alone),
        ShapeForm::Hull { points, seed } => Shape::hull(points as usize, seed).map(alone),
        ShapeForm::Points(ref points) => Shape::points_f32(points),
        ShapeForm::Polygon { depth, ref corners } => Shape::polygon_f32(depth, corners),
        ShapeForm::Compound => return Ok(None),
    };
    let FromPoints { shape, duplicates } = built?;
    Ok(Some(NamedShape { name: name.clone(), shape, duplicates }))
}

fn compound(
    index: usize,
    name: &str,
    scene: &Scene,
    shapes: &[Option<NamedShape>],
) -> Result<NamedShape, CatalogueError> {
    let mut parts = Vec::new();
    for rule in scene.parts.iter().filter(|part| part.compound == name) {
        let named = shapes.iter().flatten().find(|shape| shape.name == rule.shape);
        let part = named.ok_or_else(|| CatalogueError::Unknown { name: rule.shape.clone() })?;
        let rotation = rule.rotation.as_ref().map_or(DQuat::IDENTITY, AxisAngle::quaternion);
        parts.push((&part.shape, Pose { position: rule.position.as_dvec3(), rotation }));
    }
    let shape = Shape::compound(&parts);
    let shape = shape.map_err(|source| CatalogueError::Shape { index, source })?;
    Ok(NamedShape { name: name.to_owned(), shape, duplicates: 0 })
}
