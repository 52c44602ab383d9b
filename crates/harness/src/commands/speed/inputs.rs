//! The parts of the measurement, and the inputs of each.

use super::changes;
use crate::study::StudyRow;
use GeneratedKind::{
    Brownian, Cluster, Gas, Jitter, Line, Plane, SameX, Stadium, Statics, Terdiman,
};
use clap::ValueEnum;
use sim::{GeneratedKind, GeneratedSpec, Scene};

/// A part of the measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SpeedPart {
    /// A few objects: all of our registry and the peers.
    Small,
    /// All other inputs: our champions and the peers.
    Inputs,
    /// The frames in which the motion changes.
    Changes,
    /// Several threads against one: two, and all of the machine.
    Threads,
    /// Every input again, as a trace: our champions and the programs of `--program`.
    Programs,
}

impl SpeedPart {
    pub(super) const ALL: [Self; 5] =
        [Self::Small, Self::Inputs, Self::Changes, Self::Threads, Self::Programs];

    /// The part of a row.
    pub(super) fn of(row: &StudyRow) -> Option<Self> {
        Self::ALL.into_iter().find(|part| part.folder() == row.part)
    }

    /// The folder of its rows, and its word in them.
    pub(super) fn folder(self) -> &'static str {
        self.names()[0]
    }

    /// Its name in messages.
    pub(super) fn title(self) -> &'static str {
        self.names()[1]
    }

    fn names(self) -> [&'static str; 2] {
        match self {
            SpeedPart::Small => ["small", "few objects"],
            SpeedPart::Inputs => ["inputs", "every input, with the peers"],
            SpeedPart::Changes => ["changes", "changes of motion"],
            SpeedPart::Threads => ["threads", "several threads"],
            SpeedPart::Programs => ["programs", "every input, with external programs"],
        }
    }

    /// Whether our algorithms are compared with peers.
    pub(super) fn has_peers(self) -> bool {
        matches!(self, SpeedPart::Small | SpeedPart::Inputs)
    }

    /// Whether our algorithms are compared with others: with peers or with programs.
    pub(super) fn has_others(self) -> bool {
        self.has_peers() || self == SpeedPart::Programs
    }

    /// Whether the traces of the command line belong to it.
    pub(super) fn has_traces(self) -> bool {
        matches!(self, SpeedPart::Inputs | SpeedPart::Programs)
    }
}

/// Boxes that algorithms are measured on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Input {
    pub(super) what: What,
    pub(super) objects: u32,
}

/// Where the boxes come from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum What {
    /// Generated, with this share of moving boxes; `None` takes the usual one.
    Boxes(GeneratedKind, Option<f32>),
    /// Recorded from a physics engine.
    Pile(Pile),
    /// Boxes that rest, fly as a gas, and rest again.
    Changing,
}

/// Which part of the simulation of a pile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pile {
    /// Layers of bodies fall, and land on each other.
    Falling,
    /// All bodies lie and tremble.
    Settled,
}

impl Pile {
    pub(super) fn name(self) -> &'static str {
        match self {
            Pile::Falling => "falling-pile",
            Pile::Settled => "settled-pile",
        }
    }

    /// Its first step, in steps of 1/60 s. In the falling pile the lowest layers have landed by then. In the settled one
    /// no body travels any more, but all tremble. Some hundred steps later the solver repeats itself: nine of ten of
    /// 10,000 boxes are then bitwise equal from step to step, which would be another input.
    pub(super) fn first_step(self) -> u32 {
        match self {
            Pile::Falling => 60,
            Pile::Settled => 260,
        }
    }
}

impl Input {
    /// Its name in the rows, without the number of objects and the share of moving boxes.
    pub(super) fn kind(&self) -> &'static str {
        match self.what {
            What::Boxes(kind, _) => kind.name(),
            What::Pile(pile) => pile.name(),
            What::Changing => changes::NAME,
        }
    }
}

/// Whether a word of `--only` is this name, or that and a number of objects.
pub(super) fn is_called(word: &str, name: &str, objects: u32) -> bool {
    word == name || word == format!("{name}:{objects}")
}

/// Generated boxes, with the usual seed.
pub(super) fn spec(kind: GeneratedKind, moving: Option<f32>, objects: u32) -> GeneratedSpec {
    let moving = moving.unwrap_or(kind.usual_moving());
    GeneratedSpec { kind, objects, seed: Scene::default().seed, moving }
}

const fn boxes(kind: GeneratedKind, objects: u32) -> Input {
    Input { what: What::Boxes(kind, None), objects }
}

const fn moving(kind: GeneratedKind, objects: u32, share: f32) -> Input {
    Input { what: What::Boxes(kind, Some(share)), objects }
}

const fn pile(pile: Pile, objects: u32) -> Input {
    Input { what: What::Pile(pile), objects }
}

const fn changing(objects: u32) -> Input {
    Input { what: What::Changing, objects }
}

/// The inputs of each part.
pub(super) struct Inputs {
    /// Few objects: our whole registry is measured, with the peers.
    pub(super) small: &'static [Input],
    /// All other inputs: the champions, with the peers.
    pub(super) every: &'static [Input],
    /// Changes of motion.
    pub(super) changes: &'static [Input],
    /// Several threads against one.
    pub(super) threads: &'static [Input],
}

/// The full run.
pub(super) static FULL: Inputs = Inputs {
    small: &[boxes(Gas, 100), boxes(Gas, 200)],
    every: &[
        boxes(Gas, 1_000),
        boxes(Gas, 5_000),
        boxes(Gas, 20_000),
        boxes(Gas, 100_000),
        boxes(Gas, 1_000_000),
        boxes(Cluster, 1_000),
        boxes(Cluster, 100_000),
        boxes(Stadium, 5_000),
        moving(Brownian, 100_000, 0.01),
        moving(Brownian, 100_000, 0.05),
        moving(Brownian, 100_000, 0.20),
        boxes(Jitter, 100_000),
        pile(Pile::Falling, 10_000),
        pile(Pile::Settled, 10_000),
        boxes(Terdiman, 10_000),
        boxes(Terdiman, 100_000),
        boxes(Statics, 20_000),
        boxes(Plane, 100_000),
        boxes(Line, 100_000),
        boxes(SameX, 100_000),
    ],
    changes: &[changing(20_000)],
    threads: &[
        boxes(Gas, 100_000),
        boxes(Gas, 1_000_000),
        boxes(Cluster, 100_000),
        boxes(Terdiman, 100_000),
    ],
};

/// The quick run: one of each, with fewer objects.
pub(super) static QUICK: Inputs = Inputs {
    small: &[boxes(Gas, 100), boxes(Gas, 200)],
    every: &[
        boxes(Gas, 2_000),
        boxes(Gas, 20_000),
        boxes(Cluster, 10_000),
        boxes(Stadium, 5_000),
        moving(Brownian, 10_000, 0.01),
        moving(Brownian, 10_000, 0.05),
        moving(Brownian, 10_000, 0.20),
        boxes(Jitter, 10_000),
        pile(Pile::Falling, 1_000),
        pile(Pile::Settled, 1_000),
        boxes(Terdiman, 10_000),
        boxes(Statics, 5_000),
        boxes(Plane, 10_000),
        boxes(Line, 10_000),
        boxes(SameX, 10_000),
    ],
    changes: &[changing(5_000)],
    threads: &[boxes(Gas, 20_000), boxes(Terdiman, 10_000)],
};

/// The run of tests, in a build that is not optimised.
#[cfg(test)]
pub(super) static TINY: Inputs = Inputs {
    small: &[boxes(Gas, 200)],
    every: &[boxes(Gas, 300)],
    changes: &[changing(300)],
    threads: &[boxes(Gas, 300)],
};

/// The name of an input on pages: `brownian --moving 0.05` of 100,000 is `brownian 100k, 5 %
/// moving`.
pub(super) fn title(name: &str, n: u64) -> String {
    let number = match n {
        1_000_000.. if n.is_multiple_of(1_000_000) => format!("{}M", n / 1_000_000),
        1_000.. if n.is_multiple_of(1_000) => format!("{}k", n / 1_000),
        _ => n.to_string(),
    };
    let share = |text: &str| text.parse::<f64>().ok().map(|share| 100.0 * share);
    match name.split_once(" --moving ") {
        Some((kind, text)) => match share(text) {
            Some(percent) => format!("{kind} {number}, {percent:.0} % moving"),
            None => format!("{name} {number}"),
        },
        None => format!("{} {number}", name.replace('-', " ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn title_has_the_number_of_objects_and_the_moving_share() {
        for (name, n, expected) in [
            ("gas", 200, "gas 200"),
            ("gas", 20_000, "gas 20k"),
            ("gas", 1_000_000, "gas 1M"),
            ("same-x", 1_500, "same x 1500"),
            ("brownian --moving 0.05", 100_000, "brownian 100k, 5 % moving"),
            ("falling-pile", 10_000, "falling pile 10k"),
        ] {
            assert_eq!(title(name, n), expected);
        }
    }
}
