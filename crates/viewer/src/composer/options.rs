//! The switches of a picture: what is drawn, and what is highlighted.

use crate::simulation::{ColorBy, Levels, Watch};
use broadphase::inspect::{Overlay, OverlaySet};
use broadphase::registry::Algorithm;
use sim::Scene;
use sim::scene::{Continuous, MoveRule, Triangles};
use std::ops::RangeInclusive;

/// Opacities that the root's plane may have.
pub const PLANE_OPACITIES: RangeInclusive<f32> = 0.0..=1.0;

/// Most objects of which the parts of a structure are drawn, and which glow after a hit, without being asked for. The
/// parts of more hide each other, and copying them for every picture takes as long as a search. In a crowd of more, all
/// would glow at all times.
pub const MAX_DRAWN_BY_DEFAULT: usize = 10_000;

/// The panel's switches for drawing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DrawOptions {
    /// The objects.
    pub objects: bool,
    /// The sources' edges.
    pub sources: bool,
    /// The obstacles.
    pub obstacles: bool,
    /// The parts of the structure.
    pub overlays: OverlaySet,
    /// Deepest level of planes; the root has depth 0.
    pub plane_depth: u32,
    /// Opacity of the root's plane, of [`PLANE_OPACITIES`]; deeper ones are more transparent.
    pub plane_opacity: f32,
    /// The depths of these boxes.
    pub tree_levels: Levels,
    /// The boxes of bodies for the broad phase.
    pub body_boxes: bool,
    /// The bounding volumes of bodies, by which candidates are tested.
    pub volumes: bool,
    /// Marks where bodies touch.
    pub contact_points: bool,
    /// Contact normals at these points.
    pub contact_normals: bool,
    /// First contacts within the step: points, normals and times.
    pub impacts: bool,
    /// Paths of the bodies that met within the step.
    pub paths: bool,
    /// Bodies that waited in the step.
    pub waiting: bool,
    /// The boxes of the parts of bodies, and the figures over them.
    pub parts: bool,
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
    pub fn of_scene(scene: &Scene) -> Self {
        Self {
            objects: true,
            sources: true,
            obstacles: true,
            overlays: OverlaySet::NONE,
            plane_depth: 3,
            plane_opacity: 0.2,
            tree_levels: Levels { depth: 3, only: false },
            body_boxes: false,
            volumes: false,
            contact_points: false,
            contact_normals: false,
            impacts: false,
            paths: false,
            waiting: false,
            parts: false,
            shading: scene.shading,
            outlines: false,
            glow: None,
            color: ColorBy::Plain,
            triangles: scene.triangles,
        }
    }

    /// Whether objects glow after a collision where there are `objects`.
    pub fn glows(&self, objects: usize) -> bool {
        self.glow.unwrap_or(objects <= MAX_DRAWN_BY_DEFAULT)
    }

    /// Switches on what a scene is about: first contacts where motion is continuous, volumes that keep driven bodies from
    /// moving, parts of bodies that walk, and touching bodies of a plane by their colour. All parts of a structure are
    /// switched off where its objects are too many to draw them unasked, and where they would hide driven bodies or few fast
    /// ones.
    pub fn begin_scene(&mut self, scene: &Scene, objects: usize) {
        let is_continuous = scene.continuous != Continuous::Off;
        let is_driven = scene.placed_bodies.iter().any(|body| body.is_driven);
        let rule = scene.driving.rule;
        self.impacts |= is_continuous;
        self.paths |= is_continuous;
        self.waiting |= is_continuous;
        self.volumes |= is_driven && rule.volume().is_some();
        let walks = rule == MoveRule::Walk;
        self.parts |= is_driven && scene.flat && walks;
        if scene.flat && scene.has_bodies() && !walks && self.color == ColorBy::Plain {
            self.color = ColorBy::Touching;
        }
        // The areas of 004 belong to its rule.
        let hides = is_driven && rule.volume().is_none() || is_continuous && scene.objects == 0;
        if hides || objects > MAX_DRAWN_BY_DEFAULT {
            self.overlays = OverlaySet::NONE;
        }
    }

    /// Whether a part of an algorithm's structure is drawn.
    pub fn shows_structure(&self, algorithm: &Algorithm) -> bool {
        algorithm.overlays.iter().any(|caption| self.shows(caption.overlay))
    }

    /// Whether an overlay is switched on, and the algorithm has it.
    pub fn draws(&self, overlay: Overlay, algorithm: &Algorithm) -> bool {
        self.shows(overlay) && algorithm.shows(overlay)
    }

    /// Whether an overlay is switched on.
    pub fn shows(&self, overlay: Overlay) -> bool {
        self.overlays.contains(overlay)
    }

    /// The parts that a snapshot must hold for this.
    pub fn watch(&self, picked: Option<u32>) -> Watch {
        Watch {
            color: self.color,
            overlays: self.overlays,
            tree_levels: self.tree_levels,
            touching: false,
            contact_events: false,
            impacts: self.impacts || self.paths || self.waiting,
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
