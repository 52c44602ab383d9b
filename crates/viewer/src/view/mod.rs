//! The view that the user wants: plain data, and one table of what it shows or hides. Check boxes, words of the command line
//! and copied commands walk that table.

mod color_by;
mod options;

pub use color_by::ColorBy;
pub use options::{MethodOptions, ViewOptions, ViewWord, algorithm_with, camera_words};
pub(crate) use options::{expected_id, lack};

use broadphase::inspect::Overlay;
use sim::Scene;
use sim::scene::{Continuous, MoveRule, Triangles};
use std::ops::RangeInclusive;

/// Opacities that the root's plane may have.
pub const PLANE_OPACITIES: RangeInclusive<f32> = 0.0..=1.0;

/// Most objects of which the structure is drawn, and which glow after a hit, without being asked for. More overlays hide
/// each other, and copying them for every picture takes as long as a search. In a crowd of more, all would glow at all
/// times.
pub const MAX_DRAWN_BY_DEFAULT: usize = 10_000;

/// The word for no overlay.
const NONE: &str = "none";

/// A row of the table: a check box, and a word of the command line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    /// The objects.
    Objects,
    /// The sources' edges.
    Sources,
    /// The obstacles.
    Obstacles,
    /// The boxes of a recording as their edges.
    Outlines,
    /// The labels of the scene.
    Labels,
    /// Lighting of the objects.
    Shading,
    /// Glow of objects after a collision.
    Glow,
    /// A part of the algorithm's structure.
    Structure(Overlay),
    /// The boxes of bodies for the broad phase.
    Aabbs,
    /// The bounding volumes of bodies, by which candidates are tested.
    Volumes,
    /// Marks where bodies touch.
    Contacts,
    /// Contact normals at these points.
    Normals,
    /// First contacts within the step: points, normals and times.
    Impacts,
    /// Paths of the bodies that met within the step.
    Paths,
    /// Bodies that waited in the step.
    Waiting,
    /// The boxes of the parts of bodies, and the figures over them.
    Parts,
}

impl From<Overlay> for Row {
    fn from(overlay: Overlay) -> Self {
        Self::Structure(overlay)
    }
}

impl Row {
    /// The switches of `--draw`.
    pub const SWITCHES: [Self; 7] = [
        Self::Objects,
        Self::Sources,
        Self::Obstacles,
        Self::Outlines,
        Self::Labels,
        Self::Shading,
        Self::Glow,
    ];

    /// The overlays of bodies.
    pub const OF_BODIES: [Self; 8] = [
        Self::Aabbs,
        Self::Volumes,
        Self::Contacts,
        Self::Normals,
        Self::Impacts,
        Self::Paths,
        Self::Waiting,
        Self::Parts,
    ];

    /// The overlays of structures.
    pub fn of_structures() -> impl Iterator<Item = Self> {
        Overlay::ALL.into_iter().map(Self::Structure)
    }

    /// The overlays: rows of `--show`.
    pub fn overlays() -> impl Iterator<Item = Self> {
        Self::of_structures().chain(Self::OF_BODIES)
    }

    /// Whether it is an overlay of bodies.
    pub fn is_of_bodies(self) -> bool {
        Self::OF_BODIES.contains(&self)
    }

    /// Its word on the command line.
    pub fn word(self) -> &'static str {
        self.names()[0]
    }

    /// Its name in the panel.
    pub fn name(self) -> &'static str {
        self.names()[1]
    }

    /// Its word, its name, and its meaning in a sentence, which is empty where the name says it.
    pub fn names(self) -> [&'static str; 3] {
        match self {
            Self::Objects => ["objects", "Objects", ""],
            Self::Sources => ["sources", "Sources", ""],
            Self::Obstacles => ["obstacles", "Obstacles", ""],
            Self::Outlines => [
                "outlines",
                "Outlines",
                "Every box as its edges; off: only boxes that would hide others",
            ],
            Self::Labels => ["labels", "Labels", "Texts of the scene's file"],
            Self::Shading => ["shading", "Shading", ""],
            Self::Glow => [
                "glow",
                "Glow after a hit",
                "Objects that hit another are orange for a moment, unless one is picked; off by itself above 10,000 objects",
            ],
            Self::Structure(overlay) => [overlay.word(), overlay.name(), overlay.meaning()],
            Self::Aabbs => ["aabbs", "AABBs", "The boxes that the broad phase has of the bodies"],
            Self::Volumes => [
                "volumes",
                "Bounding volumes",
                "Outlines of the volumes by which the candidates are tested",
            ],
            Self::Contacts => [
                "contacts",
                "Contact points",
                "Where bodies touch: small marks where the same features met in the step before, large ones elsewhere",
            ],
            Self::Normals => {
                ["normals", "Normals", "The axis of least penetration at each contact point"]
            }
            Self::Impacts => [
                "impacts",
                "First contacts",
                "Where bodies first touch in the step, with normals; the colour is the time within the step",
            ],
            Self::Paths => [
                "paths",
                "Paths",
                "Paths of the bodies that met: start, first contact, end of the step",
            ],
            Self::Waiting => {
                ["waiting", "Waiting", "Bodies that had too many contacts in the step, and waited"]
            }
            Self::Parts => [
                "parts",
                "Parts",
                "The AABB of each part of a body, and the figure that the parts stand for",
            ],
        }
    }

    fn bit(self) -> u32 {
        let others = || Self::SWITCHES.into_iter().chain(Self::OF_BODIES);
        1 << match self {
            Self::Structure(overlay) => overlay as usize,
            _ => Overlay::ALL.len() + others().position(|row| row == self).unwrap_or_default(),
        }
    }
}

/// Levels of a tree. Its root has depth 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Levels {
    /// The deepest one.
    pub depth: u32,
    /// Excludes the levels above it.
    pub only: bool,
}

impl Levels {
    /// Whether a depth is among them.
    pub fn contains(self, depth: u32) -> bool {
        depth == self.depth || (!self.only && depth < self.depth)
    }
}

/// Some of the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rows {
    bits: u32,
    /// Whether the user chose whether objects glow; else their number decides.
    glow_is_chosen: bool,
}

/// Everything that is to be seen of a simulation, but for the step and the camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The rows that are shown.
    pub rows: Rows,
    /// Deepest level of planes; the root has depth 0.
    pub plane_depth: u32,
    /// Opacity of the root's plane, of [`PLANE_OPACITIES`]; deeper ones are more transparent.
    pub plane_opacity: f32,
    /// The depths of the boxes of a tree.
    pub tree_levels: Levels,
    /// The value that the objects' colours show.
    pub color: ColorBy,
    /// The mesh of the spheres.
    pub triangles: Triangles,
    /// The object to inspect.
    pub picked: Option<u32>,
    /// The list of pairs that touch.
    pub touching: bool,
    /// The list of contacts of bodies that began and ended.
    pub contact_events: bool,
}

impl Default for View {
    /// Everything except overlays.
    fn default() -> Self {
        let rows = Row::SWITCHES.into_iter().filter(|row| *row != Row::Outlines);
        Self {
            rows: Rows { bits: rows.fold(0, |bits, row| bits | row.bit()), glow_is_chosen: false },
            plane_depth: 3,
            plane_opacity: 0.2,
            tree_levels: Levels { depth: 3, only: false },
            color: ColorBy::Plain,
            triangles: Triangles::Twenty,
            picked: None,
            touching: false,
            contact_events: false,
        }
    }
}

impl View {
    /// Everything except overlays, with the scene's settings.
    pub fn of_scene(scene: &Scene) -> Self {
        let view = Self { triangles: scene.triangles, ..Self::default() };
        view.with(Row::Shading, scene.shading)
    }

    /// Whether a row is shown.
    pub fn shows(&self, row: impl Into<Row>) -> bool {
        self.rows.bits & row.into().bit() != 0
    }

    /// Shows a row, or hides it.
    pub fn set(&mut self, row: impl Into<Row>, on: bool) {
        let (row, rows) = (row.into(), &mut self.rows);
        rows.glow_is_chosen |= row == Row::Glow;
        rows.bits = if on { rows.bits | row.bit() } else { rows.bits & !row.bit() };
    }

    /// The same view with a row shown or hidden.
    #[must_use]
    pub fn with(mut self, row: impl Into<Row>, on: bool) -> Self {
        self.set(row, on);
        self
    }

    /// The same view with these overlays of structures alone.
    #[must_use]
    pub fn with_structure(mut self, overlays: &[Overlay]) -> Self {
        Overlay::ALL.iter().for_each(|overlay| self.set(*overlay, overlays.contains(overlay)));
        self
    }

    /// Whether objects glow after a collision where there are `objects`.
    pub fn glows(&self, objects: usize) -> bool {
        self.shows(Row::Glow) && (self.rows.glow_is_chosen || objects <= MAX_DRAWN_BY_DEFAULT)
    }

    /// Switches on what a scene is about: first contacts where motion is continuous, volumes that keep driven bodies from
    /// moving, parts of bodies that walk, and the colour of touching bodies in a plane; a scene without bodies switches that
    /// colour off. The structure is hidden where its objects are too many to draw it unasked, and where it would hide driven
    /// bodies or few fast ones.
    pub fn begin_scene(&mut self, scene: &Scene, objects: usize) {
        let is_continuous = scene.continuous != Continuous::Off;
        let is_driven = scene.placed_bodies.iter().any(|body| body.is_driven);
        let rule = scene.driving.rule;
        let walks = rule == MoveRule::Walk;
        for (row, is_about) in [
            (Row::Impacts, is_continuous),
            (Row::Paths, is_continuous),
            (Row::Waiting, is_continuous),
            (Row::Volumes, is_driven && rule.volume().is_some()),
            (Row::Parts, is_driven && scene.flat && walks),
        ] {
            self.set(row, self.shows(row) || is_about);
        }
        if scene.flat && scene.has_bodies() && !walks && self.color == ColorBy::Plain {
            self.color = ColorBy::Touching;
        } else if self.color == ColorBy::Touching && !scene.has_bodies() {
            self.color = ColorBy::Plain;
        }
        // The areas of 004 belong to its rule.
        let hides = is_driven && rule.volume().is_none() || is_continuous && scene.objects == 0;
        if hides || objects > MAX_DRAWN_BY_DEFAULT {
            *self = self.with_structure(&[]);
        }
    }

    /// The options of the command line that make `default` this view: overlays that apply, and switches that differ. The
    /// depths of hidden overlays are left out.
    pub fn words(&self, default: &Self, applies: impl Fn(Row) -> bool) -> Vec<String> {
        let mut words = Vec::new();
        let mut add = |option: &str, value: String| words.extend([option.to_owned(), value]);
        let offered: Vec<Row> = Row::overlays().filter(|row| applies(*row)).collect();
        let shown = offered.iter().filter(|row| self.shows(**row)).map(|row| self.overlay(*row));
        let shown: Vec<String> = shown.collect();
        match (&offered[..], &shown[..]) {
            ([], _) => {}
            // Without a word, the window would draw the whole structure.
            (_, []) => add("--show", NONE.to_owned()),
            _ => add("--show", shown.join(",")),
        }
        if self.plane_opacity != default.plane_opacity
            && offered.contains(&Overlay::Planes.into())
            && self.shows(Overlay::Planes)
        {
            add("--plane-opacity", self.plane_opacity.to_string());
        }
        let state =
            |view: &Self, row| (view.shows(row), row == Row::Glow && view.rows.glow_is_chosen);
        let switches =
            Row::SWITCHES.iter().filter(|row| state(self, **row) != state(default, **row));
        let switch =
            |row: &Row| format!("{}={}", row.word(), ON_OFF[usize::from(!self.shows(*row))]);
        let switches: Vec<String> = switches.map(switch).collect();
        if !switches.is_empty() {
            add("--draw", switches.join(","));
        }
        if self.color != default.color {
            add("--color", self.color.names()[0].to_owned());
        }
        if let Some(picked) = self.picked {
            add("--pick", picked.to_string());
        }
        words
    }

    /// An overlay as a value of `--show`.
    fn overlay(&self, row: Row) -> String {
        let word = row.word();
        match (row, self.tree_levels) {
            (Row::Structure(Overlay::Planes), _) => format!("{word}:{}", self.plane_depth),
            (Row::Structure(Overlay::TreeBoxes), Levels { depth, only: false }) => {
                format!("{word}:{depth}")
            }
            (Row::Structure(Overlay::TreeBoxes), Levels { depth, .. }) => {
                format!("{word}:={depth}")
            }
            _ => word.to_owned(),
        }
    }
}

/// The states of a switch on the command line.
const ON_OFF: [&str; 2] = ["on", "off"];

#[cfg(test)]
mod tests;
