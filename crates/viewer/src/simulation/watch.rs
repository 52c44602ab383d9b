//! The parts of a simulation that are shown besides the objects.

use broadphase::inspect::{Overlay, OverlaySet};

/// The value that the objects' colours show.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum ColorBy {
    /// No value: the colours only distinguish neighbours.
    #[default]
    Plain,
    /// Speed.
    Velocity,
    /// Recent collisions.
    Collisions,
    /// Pairs that the algorithm tested with the object in the last step.
    Tests,
    /// The leaf or cell that lists the object.
    Region,
    /// The source that the object started in.
    Source,
    /// Its collision filter.
    Layer,
    /// Whether it moves or rotates.
    Resting,
    /// Whether it touches another object.
    Touching,
}

impl ColorBy {
    /// All of them, in the order of the panel.
    pub const ALL: [ColorBy; 9] = [
        ColorBy::Plain,
        ColorBy::Velocity,
        ColorBy::Collisions,
        ColorBy::Tests,
        ColorBy::Region,
        ColorBy::Source,
        ColorBy::Layer,
        ColorBy::Resting,
        ColorBy::Touching,
    ];

    /// Its name in the panel.
    pub fn name(self) -> &'static str {
        match self {
            ColorBy::Plain => "one hue each",
            ColorBy::Velocity => "speed [units/s]",
            ColorBy::Collisions => "collisions",
            ColorBy::Tests => "tests",
            ColorBy::Region => "leaf or cell",
            ColorBy::Source => "source",
            ColorBy::Layer => "layer",
            ColorBy::Resting => "resting",
            ColorBy::Touching => "touching",
        }
    }

    /// Its word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            ColorBy::Plain => "plain",
            ColorBy::Velocity => "speed",
            ColorBy::Collisions => "collisions",
            ColorBy::Tests => "tests",
            ColorBy::Region => "region",
            ColorBy::Source => "source",
            ColorBy::Layer => "layer",
            ColorBy::Resting => "resting",
            ColorBy::Touching => "touching",
        }
    }

    /// Whether only a scene has it: a recording has neither collisions nor sources.
    pub fn is_of_scenes(self) -> bool {
        matches!(self, ColorBy::Collisions | ColorBy::Source | ColorBy::Touching)
    }

    /// What the colours mean, in a sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            ColorBy::Plain => "Colours only distinguish neighbours",
            ColorBy::Velocity => "Speed in units per second",
            ColorBy::Collisions => "Recent collisions: each counts 1, and half after 70 steps",
            ColorBy::Tests => "Pairs with the object that the algorithm tested in the last step",
            ColorBy::Region => {
                "The first leaf or cell that lists the object; grey if there is none"
            }
            ColorBy::Source => {
                "The source that the object started in, wherever it is now; grey for objects outside \
                 of all"
            }
            ColorBy::Layer => "Group, mask and static: two objects can be a pair if these allow it",
            ColorBy::Resting => {
                "Moving objects, those that neither move nor rotate, and static ones"
            }
            ColorBy::Touching => {
                "Red exactly in the steps in which the object touches another one; contact points are cyan when new, white \
                 when kept"
            }
        }
    }
}

/// The optional parts of a snapshot. Parts that are not requested cost nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Watch {
    /// The value that the objects' colours show.
    pub color: ColorBy,
    /// The parts of the structure.
    pub overlays: OverlaySet,
    /// The depths of the boxes of a tree.
    pub tree_levels: Levels,
    /// The points where bodies touch.
    pub contacts: bool,
    /// The bounding volumes of bodies.
    pub volumes: bool,
    /// First contacts within the step.
    pub impacts: bool,
    /// When contacts of bodies began and ended.
    pub contact_events: bool,
    /// The list of pairs that touch.
    pub touching: bool,
    /// The object to inspect.
    pub picked: Option<u32>,
}

impl Watch {
    /// Whether an overlay is requested.
    pub fn shows(&self, overlay: Overlay) -> bool {
        self.overlays.contains(overlay)
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
