//! Bodies in their colours, by the meshes of their shapes.

use super::paint::Paint;
use crate::scene_renderer::{BodiesView, BodyInstance, ShapeMesh, SphereInstance};
use crate::simulation::{ShownBodies, Snapshot};
use narrowphase::Shape;
use sim::scene::Catalogue;
use std::sync::Arc;

/// Lists for the renderer, reused from frame to frame. Meshes are made once for each world.
#[derive(Debug, Default)]
pub(super) struct Bodies {
    /// Source of the meshes.
    catalogue: Option<Arc<Catalogue>>,
    meshes: Arc<[ShapeMesh]>,
    of_mesh: Vec<Vec<BodyInstance>>,
}

impl Bodies {
    pub(super) fn clear(&mut self) {
        self.of_mesh.iter_mut().for_each(Vec::clear);
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
        for (object, shape) in bodies.shape_of.iter().map(|shape| *shape as usize).enumerate() {
            let (position, color) =
                (snapshot.objects.positions[object].to_array(), paint.color(object));
            if bodies.catalogue.shapes()[shape].shape.is_ball() {
                let radius = snapshot.objects.radii[object];
                spheres.push(SphereInstance { center: position, radius, color });
                continue;
            }
            let (scale, rotation) = (bodies.scales[object], bodies.rotations[object].to_array());
            self.of_mesh[shape].push(BodyInstance { position, scale, rotation, color });
        }
    }

    fn make_meshes(&mut self, catalogue: &Arc<Catalogue>) {
        if self.catalogue.as_ref().is_some_and(|made| Arc::ptr_eq(made, catalogue)) {
            return;
        }
        // Balls are drawn as spheres: their meshes are empty.
        let mesh = |shape: &Shape| {
            if shape.is_ball() { ShapeMesh::default() } else { ShapeMesh::of(shape) }
        };
        self.meshes = catalogue.shapes().iter().map(|named| mesh(&named.shape)).collect();
        self.of_mesh = vec![Vec::new(); self.meshes.len()];
        self.catalogue = Some(catalogue.clone());
    }

    /// Input of the renderer; `None` without bodies.
    pub(super) fn view(&self) -> Option<BodiesView<'_>> {
        let Self { meshes, of_mesh, .. } = self;
        let is_drawn = of_mesh.iter().any(|bodies| !bodies.is_empty());
        is_drawn.then_some(BodiesView { meshes, of_mesh })
    }
}
