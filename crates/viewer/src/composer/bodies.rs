//! Bodies in their colours, by the meshes of their shapes.

use super::paint::Paint;
use crate::scene_renderer::{BodiesView, BodyInstance, ShapeMesh, SphereInstance};
use crate::simulation::{ShownBodies, Snapshot};
use bytemuck::Zeroable;
use narrowphase::Shape;
use sim::scene::Catalogue;
use std::ops::Range;
use std::sync::Arc;

/// Lists for the renderer, reused from frame to frame. Meshes are made once for each world.
#[derive(Debug, Default)]
pub(super) struct Bodies {
    /// What the meshes were made of.
    catalogue: Option<Arc<Catalogue>>,
    meshes: Arc<[ShapeMesh]>,
    /// Whether each shape is a sphere, which has instances of its own.
    is_ball: Vec<bool>,
    instances: Vec<BodyInstance>,
    of_mesh: Vec<Range<u32>>,
}

impl Bodies {
    pub(super) fn clear(&mut self) {
        self.of_mesh.clear();
    }

    /// Fills the lists, and `spheres` with those bodies that are spheres.
    pub(super) fn fill(
        &mut self,
        bodies: &ShownBodies,
        snapshot: &Snapshot,
        paint: &Paint<'_>,
        spheres: &mut Vec<SphereInstance>,
    ) {
        self.make_meshes(&bodies.catalogue);
        self.lay_out_ranges(bodies);
        for (object, shape) in bodies.shape_of.iter().enumerate() {
            let (position, color) =
                (snapshot.objects.positions[object].to_array(), paint.color(object));
            if self.is_ball[*shape as usize] {
                let radius = snapshot.objects.radii[object];
                spheres.push(SphereInstance { center: position, radius, color });
                continue;
            }
            let (scale, rotation) = (bodies.scales[object], bodies.rotations[object].to_array());
            let range = &mut self.of_mesh[*shape as usize];
            self.instances[range.end as usize] = BodyInstance { position, scale, rotation, color };
            range.end += 1;
        }
    }

    /// Begins each mesh's range where that of the mesh before will end.
    fn lay_out_ranges(&mut self, bodies: &ShownBodies) {
        self.of_mesh.clear();
        self.of_mesh.resize(self.meshes.len(), 0..0);
        for shape in &bodies.shape_of {
            let number = u32::from(!self.is_ball[*shape as usize]);
            self.of_mesh[*shape as usize].end += number;
        }
        let mut total = 0;
        for range in &mut self.of_mesh {
            let number = range.end;
            *range = total..total;
            total += number;
        }
        self.instances.resize(total as usize, BodyInstance::zeroed());
    }

    fn make_meshes(&mut self, catalogue: &Arc<Catalogue>) {
        if self.catalogue.as_ref().is_some_and(|made| Arc::ptr_eq(made, catalogue)) {
            return;
        }
        let shapes = || catalogue.shapes().iter().map(|named| &named.shape);
        self.is_ball = shapes().map(Shape::is_ball).collect();
        // Balls are drawn as spheres: their meshes are empty.
        let mesh = |shape: &Shape| {
            if shape.is_ball() { ShapeMesh::default() } else { ShapeMesh::of(shape) }
        };
        self.meshes = shapes().map(mesh).collect();
        self.catalogue = Some(catalogue.clone());
    }

    /// What the renderer draws; `None` without bodies.
    pub(super) fn view(&self) -> Option<BodiesView<'_>> {
        let Self { meshes, instances, of_mesh, .. } = self;
        (!of_mesh.is_empty()).then_some(BodiesView { meshes, instances, of_mesh })
    }
}
