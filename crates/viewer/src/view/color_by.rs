//! The values that the objects' colours can show.

/// The value that the objects' colours show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
        self.names()[1]
    }

    /// Its word on the command line, its name, and the meaning of its colours, in a sentence.
    pub fn names(self) -> [&'static str; 3] {
        match self {
            ColorBy::Plain => ["plain", "one hue each", "Colours only distinguish neighbours"],
            ColorBy::Velocity => ["speed", "speed [units/s]", "Speed in units per second"],
            ColorBy::Collisions => [
                "collisions",
                "collisions",
                "Recent collisions: each counts 1, and half after 70 steps",
            ],
            ColorBy::Tests => [
                "tests",
                "tests",
                "Pairs with the object that the algorithm tested in the last step",
            ],
            ColorBy::Region => [
                "region",
                "leaf or cell",
                "The first leaf or cell that lists the object; grey if there is none",
            ],
            ColorBy::Source => [
                "source",
                "source",
                "The source that the object started in, wherever it is now; grey for objects outside of all",
            ],
            ColorBy::Layer => [
                "layer",
                "layer",
                "Group, mask and static: two objects can be a pair if these allow it",
            ],
            ColorBy::Resting => [
                "resting",
                "resting",
                "Moving objects, those that neither move nor rotate, and static ones",
            ],
            ColorBy::Touching => [
                "touching",
                "touching",
                "Red exactly in the steps in which the object touches another one; contact points are cyan when new, white \
                 when kept",
            ],
        }
    }

    /// Whether only a scene has it: a recording has neither collisions nor sources.
    pub fn is_of_scenes(self) -> bool {
        matches!(self, ColorBy::Collisions | ColorBy::Source | ColorBy::Touching)
    }
}
