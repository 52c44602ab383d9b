//! The switches of a picture: what is drawn, and what is highlighted.

use crate::simulation::{ColorBy, Levels, Watch};
use sim::scene::Triangles;

/// What is drawn, as the panel's switches say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawOptions {
    /// The spheres.
    pub objects: bool,
    /// The sources' edges.
    pub sources: bool,
    /// The obstacles.
    pub obstacles: bool,
    /// The tree's planes, where the algorithm has a tree.
    pub planes: bool,
    /// Planes down to this depth; the root's has depth 0.
    pub plane_depth: u32,
    /// How much the root's plane hides, 0 to 1; deeper ones hide less.
    pub plane_opacity: f32,
    /// Leaves or cells, each brighter the more objects stand in it.
    pub regions: bool,
    /// The boxes of a tree.
    pub tree_boxes: bool,
    /// Those at these depths.
    pub tree_levels: Levels,
    /// Sorted lists of endpoints.
    pub endpoints: bool,
    /// The order of the objects along a curve.
    pub curve: bool,
    /// Spheres are lit.
    pub shading: bool,
    /// Spheres that have just hit another glow.
    pub hits: bool,
    /// What the spheres' colours tell.
    pub color: ColorBy,
    /// How finely spheres are drawn.
    pub triangles: Triangles,
}

impl DrawOptions {
    /// Everything but the structure, in the way the scene asks for.
    pub fn of_scene(scene: &sim::Scene) -> Self {
        Self {
            objects: true,
            sources: true,
            obstacles: true,
            planes: false,
            plane_depth: 3,
            plane_opacity: 0.2,
            regions: false,
            tree_boxes: false,
            tree_levels: Levels { depth: 4, only: false },
            endpoints: false,
            curve: false,
            shading: scene.shading,
            hits: true,
            color: ColorBy::Plain,
            triangles: scene.triangles,
        }
    }

    /// What a simulation must show for this.
    pub fn watch(&self, picked: Option<u32>) -> Watch {
        Watch {
            color: self.color,
            planes: self.planes,
            regions: self.regions,
            tree_boxes: self.tree_boxes.then_some(self.tree_levels),
            endpoints: self.endpoints,
            curve: self.curve,
            picked,
        }
    }
}

/// Elements that are selected in the panel, drawn lighter than the others.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Selection {
    /// Number of a source.
    pub source: Option<u32>,
    /// Place of an obstacle in the scene.
    pub obstacle: Option<usize>,
    /// The line that attracts and repels, at this x and y.
    pub line: Option<[f32; 2]>,
}
