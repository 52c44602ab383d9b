//! The switches of a picture: what is drawn, and what is highlighted.

use crate::simulation::{ColorBy, Levels, Watch};
use broadphase::inspect::Overlay;
use broadphase::registry::Algorithm;
use sim::scene::Triangles;
use std::ops::RangeInclusive;

/// Opacities that the root's plane may have.
pub const PLANE_OPACITIES: RangeInclusive<f32> = 0.0..=1.0;

/// Most objects of which the parts of a structure are drawn, and which glow after a hit, without being asked for. The
/// parts of more hide each other, and copying them for every picture takes as long as a search. In a crowd of more, all
/// would glow at all times.
pub const MOST_DRAWN_UNASKED: usize = 10_000;

/// The panel's switches for drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawOptions {
    /// The objects.
    pub objects: bool,
    /// The sources' edges.
    pub sources: bool,
    /// The obstacles.
    pub obstacles: bool,
    /// Splitting planes.
    pub planes: bool,
    /// Deepest level of planes; the root has depth 0.
    pub plane_depth: u32,
    /// Opacity of the root's plane, of [`PLANE_OPACITIES`]; deeper ones are more transparent.
    pub plane_opacity: f32,
    /// Leaves or cells; those with more objects are brighter.
    pub regions: bool,
    /// The boxes of a tree.
    pub tree_boxes: bool,
    /// The depths of these boxes.
    pub tree_levels: Levels,
    /// Sorted lists of endpoints.
    pub endpoints: bool,
    /// The order of the objects along a space-filling curve.
    pub curve: bool,
    /// Fat AABBs, and how each object is cached.
    pub fat_boxes: bool,
    /// Lines between the objects of cached pairs.
    pub cached_pairs: bool,
    /// Blocks of sixteen boxes in the order of a sweep.
    pub blocks: bool,
    /// The matrix of counters, in the legend.
    pub matrix: bool,
    /// The boxes of bodies for the broad phase.
    pub body_boxes: bool,
    /// The bounding volumes of bodies, by which candidates are tested.
    pub volumes: bool,
    /// Marks where bodies touch.
    pub contact_points: bool,
    /// Contact normals at these points.
    pub contact_normals: bool,
    /// Lighting of the objects.
    pub shading: bool,
    /// The boxes of a recording as their edges.
    pub outlines: bool,
    /// Glow of objects after a collision; `None` lets their number decide.
    pub glow: Option<bool>,
    /// The value that the spheres' colours show.
    pub color: ColorBy,
    /// The mesh of the spheres.
    pub triangles: Triangles,
}

impl DrawOptions {
    /// Everything except the structure, with the scene's settings.
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
            tree_levels: Levels { depth: 3, only: false },
            endpoints: false,
            curve: false,
            fat_boxes: false,
            cached_pairs: false,
            blocks: false,
            matrix: false,
            body_boxes: false,
            volumes: false,
            contact_points: false,
            contact_normals: false,
            shading: scene.shading,
            outlines: false,
            glow: None,
            color: ColorBy::Plain,
            triangles: scene.triangles,
        }
    }

    /// Whether objects glow after a collision where there are `objects`.
    pub fn glows(&self, objects: usize) -> bool {
        self.glow.unwrap_or(objects <= MOST_DRAWN_UNASKED)
    }

    /// Switches all parts of a structure off where its objects are too many to draw them unasked.
    pub fn hide_structure_of_many(&mut self, objects: usize) {
        if objects > MOST_DRAWN_UNASKED {
            self.show_structure(false);
        }
    }

    /// Switches all parts of a structure on or off.
    pub fn show_structure(&mut self, on: bool) {
        Overlay::ALL.into_iter().for_each(|part| *self.switch_of(part) = on);
    }

    /// Whether a part of an algorithm's structure is drawn.
    pub fn shows_structure(mut self, algorithm: &Algorithm) -> bool {
        Overlay::ALL.into_iter().any(|part| *self.switch_of(part) && algorithm.shows(part))
    }

    /// The switch of a part of a structure.
    pub fn switch_of(&mut self, part: Overlay) -> &mut bool {
        match part {
            Overlay::Planes => &mut self.planes,
            Overlay::Regions => &mut self.regions,
            Overlay::TreeBoxes => &mut self.tree_boxes,
            Overlay::Endpoints => &mut self.endpoints,
            Overlay::Curve => &mut self.curve,
            Overlay::FatBoxes => &mut self.fat_boxes,
            Overlay::CachedPairs => &mut self.cached_pairs,
            Overlay::Blocks => &mut self.blocks,
            Overlay::Matrix => &mut self.matrix,
        }
    }

    /// The parts that a snapshot must hold for this.
    pub fn watch(&self, picked: Option<u32>) -> Watch {
        Watch {
            color: self.color,
            planes: self.planes,
            regions: self.regions,
            tree_boxes: self.tree_boxes.then_some(self.tree_levels),
            endpoints: self.endpoints,
            curve: self.curve,
            fat_boxes: self.fat_boxes,
            cached_pairs: self.cached_pairs,
            blocks: self.blocks,
            matrix: self.matrix,
            properties: false,
            contacts: self.contact_points || self.contact_normals,
            volumes: self.volumes,
            picked,
        }
    }
}

/// Elements that are selected in the panel, drawn lighter than the others.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Selection {
    /// Number of a source.
    pub source: Option<u32>,
    /// Index of an obstacle in the scene.
    pub obstacle: Option<usize>,
    /// The line that attracts and repels, at this x and y.
    pub line: Option<[f32; 2]>,
}
