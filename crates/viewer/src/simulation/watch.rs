//! What is to be shown of a simulation, beyond the spheres themselves.

/// What the spheres' colours tell.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum ColorBy {
    /// Nothing: colours that set neighbours apart.
    #[default]
    Plain,
    /// Speed.
    Velocity,
    /// Collisions lately.
    Collisions,
    /// Pairs that the algorithm tested with the sphere in the last step.
    Tests,
    /// The leaf or cell in which it stands.
    Region,
    /// The source that holds it.
    Source,
}

impl ColorBy {
    /// All of them, in the order of the panel.
    pub const ALL: [ColorBy; 6] = [
        ColorBy::Plain,
        ColorBy::Velocity,
        ColorBy::Collisions,
        ColorBy::Tests,
        ColorBy::Region,
        ColorBy::Source,
    ];

    /// Its name in the panel.
    pub fn name(self) -> &'static str {
        match self {
            ColorBy::Plain => "plain",
            ColorBy::Velocity => "speed [units/s]",
            ColorBy::Collisions => "collisions",
            ColorBy::Tests => "tests",
            ColorBy::Region => "leaf or cell",
            ColorBy::Source => "source",
        }
    }

    /// What the colours mean, in a sentence.
    pub fn meaning(self) -> &'static str {
        match self {
            ColorBy::Plain => "Colours only set neighbours apart",
            ColorBy::Velocity => "Speed in units per second",
            ColorBy::Collisions => "Collisions lately: each counts 1, and half after 70 steps",
            ColorBy::Tests => "Pairs with the sphere that the algorithm tested in the last step",
            ColorBy::Region => {
                "The first leaf or cell in which the sphere stands; grey where there is none"
            }
            ColorBy::Source => "The source whose walls hold the sphere; grey for free ones",
        }
    }
}

/// What a snapshot should hold. What is not asked for costs nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Watch {
    /// What the spheres' colours tell.
    pub color: ColorBy,
    /// The tree's planes.
    pub planes: bool,
    /// Leaves or cells with their counts.
    pub regions: bool,
    /// The boxes of a tree at these depths.
    pub tree_boxes: Option<Levels>,
    /// Sorted lists.
    pub endpoints: bool,
    /// The order of the objects along a curve.
    pub curve: bool,
    /// An object to look at closely.
    pub picked: Option<u32>,
}

/// Levels of a tree; its root has depth 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Levels {
    /// The deepest one.
    pub depth: u32,
    /// Without those above it.
    pub only: bool,
}

impl Levels {
    /// Whether it is one of them.
    pub fn contains(self, depth: u32) -> bool {
        depth == self.depth || (!self.only && depth < self.depth)
    }
}
