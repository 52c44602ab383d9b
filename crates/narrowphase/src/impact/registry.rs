//! The times of impact.

use super::moving_pair::MovingPair;
use super::moving_sat::{moving_sat, moving_sat_of_boxes};
use super::reference::bilateral;
use super::sampling::{bisection, halving, substeps};
use super::swept_boxes::swept_boxes;
use super::{Impact, Motion, TimeOfImpact};
use crate::body::Body;
use crate::registry::{self, MethodEntry};
use Exactness::{Never, ToTolerance, Translation};
use std::fmt;

/// Most static tests of a step.
pub const MAX_SUBSTEPS: u32 = 1024;

/// Static tests of a step, unless a number is given.
const DEFAULT_SUBSTEPS: u32 = 8;

/// A method to find the first contact.
pub type ImpactKind = MethodEntry<ImpactProperties>;

/// Properties of a method that finds the first contact.
#[derive(Clone, Copy, Debug)]
pub struct ImpactProperties {
    /// The growth of its time.
    pub cost: &'static str,
    /// For which motions its answers are right.
    pub exactness: Exactness,
    /// Whether `@k=K` sets its number of static tests.
    pub has_substeps: bool,
    /// Creates an instance with this many static tests.
    pub build: fn(u32) -> Box<dyn TimeOfImpact + Send>,
}

impl ImpactProperties {
    /// A method without parameters.
    const fn new(
        cost: &'static str,
        exactness: Exactness,
        build: fn(u32) -> Box<dyn TimeOfImpact + Send>,
    ) -> Self {
        Self { cost, exactness, has_substeps: false, build }
    }
}

/// For which motions the answers of a method are right. Where they are not, misses and false alarms are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exactness {
    /// For none.
    Never,
    /// For bodies that do not rotate, to rounding.
    Translation,
    /// For all, to the tolerance of its search.
    ToTolerance,
}

/// A method with its number of static tests.
#[derive(Clone, Copy, Debug)]
pub struct ImpactMethod {
    /// The method.
    pub kind: &'static ImpactKind,
    /// Static tests of a step; without effect unless [`ImpactProperties::has_substeps`].
    pub substeps: u32,
}

/// Why a text names no method.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ImpactMethodError {
    /// No entry has this id.
    #[error("unknown time of impact `{0}`")]
    Unknown(String),
    /// The number of static tests is wrong.
    #[error("expected `@k=K` with K from 1 to {MAX_SUBSTEPS}, found `@{0}`")]
    Substeps(String),
    /// The method has no such parameter.
    #[error("`{0}` has no parameters")]
    NoParameter(&'static str),
}

impl ImpactMethod {
    /// Creates an instance.
    #[must_use]
    pub fn build(&self) -> Box<dyn TimeOfImpact + Send> {
        (self.kind.build)(self.substeps)
    }
}

impl PartialEq for ImpactMethod {
    fn eq(&self, other: &Self) -> bool {
        self.kind.id == other.kind.id && self.substeps == other.substeps
    }
}

impl Eq for ImpactMethod {}

/// The id, with its number of static tests if it has one: `substeps@k=8`.
impl fmt::Display for ImpactMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.id)?;
        if self.kind.has_substeps {
            write!(f, "@k={}", self.substeps)?;
        }
        Ok(())
    }
}

const SUBSTEPS: ImpactProperties = ImpactProperties {
    has_substeps: true,
    ..ImpactProperties::new("K static tests", Never, |count| substeps(count, false))
};

/// Every method. Variants follow their family.
pub static TIMES_OF_IMPACT: &[ImpactKind] = &[
    ImpactKind {
        id: "discrete",
        name: "End of the step",
        summary: "tests the poses at the start and at the end of the step only",
        source: "003; 000 §4.1",
        properties: ImpactProperties::new("two static tests", Never, |_| substeps(1, false)),
    },
    ImpactKind {
        id: "halving",
        name: "Halved displacement",
        summary: "moves bodies that overlap at the end back, by half of what is left each time",
        source: "001, the first attempt",
        properties: ImpactProperties::new(
            "two static tests, and one for each halving",
            Never,
            |_| Method::boxed(halving),
        ),
    },
    ImpactKind {
        id: "swept-boxes",
        name: "Boxes of displacements",
        summary: "tests the boxes around the whole displacements",
        source: "001, the second attempt; 000 §4.2, figures 4.2 and 4.3",
        properties: ImpactProperties::new("two boxes", Never, |_| Method::boxed(swept_boxes)),
    },
    ImpactKind {
        id: "substeps",
        name: "Static tests",
        summary: "tests the poses at K times of the step",
        source: "000 §4.2",
        properties: SUBSTEPS,
    },
    ImpactKind {
        id: "substeps+enlarged",
        name: "Static tests (enlarged)",
        summary: "like substeps, with bodies enlarged by what they move between two times",
        source: "000 §4.2; Ericson 2005",
        properties: ImpactProperties { build: |count| substeps(count, true), ..SUBSTEPS },
    },
    ImpactKind {
        id: "moving-sat",
        name: "Moving axes",
        summary: "takes the largest first and the smallest last time at which projections touch",
        source: "001; 000 §3.1, algorithms 3.1 and 3.2",
        properties: ImpactProperties::new("a few static tests by all axes", Translation, |_| {
            Method::boxed(moving_sat)
        }),
    },
    ImpactKind {
        id: "moving-sat+boxes",
        name: "Moving axes (boxes)",
        summary: "like moving-sat, but takes the 15 axes of two boxes by shorter formulas",
        source: "001; 000 §3.1, algorithms 3.1 and 3.2",
        properties: ImpactProperties::new("15 axes of two boxes", Translation, |_| {
            Method::boxed(moving_sat_of_boxes)
        }),
    },
    ImpactKind {
        id: "bilateral",
        name: "Bilateral advancement",
        summary: "follows planes between the parts until one separates no longer, and takes new ones there",
        source: "Catto 2013; conservative advancement: 000 §4.2 [10], Mirtich 1996",
        properties: ImpactProperties::new(
            "a distance for every set of planes, many where bodies rotate or graze",
            ToTolerance,
            |_| Method::boxed(bilateral),
        ),
    },
    ImpactKind {
        id: "bisection",
        name: "Bisection",
        summary: "halves the step where bodies move more than their distance, to 1/4,096",
        source: "000 §4.2, algorithm 4.1",
        properties: ImpactProperties::new(
            "two distances for each of 12 halvings, more where bodies pass closely",
            Never,
            |_| Method::boxed(bisection),
        ),
    },
];

/// The method with this id, as `discrete` or `substeps@k=8`. The former `advance` is `bilateral`.
///
/// # Errors
///
/// If there is none, or its parameter is wrong.
pub fn find(text: &str) -> Result<ImpactMethod, ImpactMethodError> {
    find_in(TIMES_OF_IMPACT, text)
}

/// [`find`] in a longer list.
///
/// # Errors
///
/// If there is none, or its parameter is wrong.
pub fn find_in(list: &'static [ImpactKind], text: &str) -> Result<ImpactMethod, ImpactMethodError> {
    let (id, parameter) = text.split_once('@').map_or((text, None), |(id, k)| (id, Some(k)));
    let present = if id == "advance" { "bilateral" } else { id };
    let kind =
        registry::find(list, present).ok_or_else(|| ImpactMethodError::Unknown(id.to_owned()))?;
    let Some(parameter) = parameter else {
        return Ok(ImpactMethod { kind, substeps: DEFAULT_SUBSTEPS });
    };
    if !kind.has_substeps {
        return Err(ImpactMethodError::NoParameter(kind.id));
    }
    let number = parameter.strip_prefix("k=").and_then(|number| number.parse().ok());
    match number.filter(|substeps| (1..=MAX_SUBSTEPS).contains(substeps)) {
        Some(substeps) => Ok(ImpactMethod { kind, substeps }),
        None => Err(ImpactMethodError::Substeps(parameter.to_owned())),
    }
}

/// A method of the registry. Its `search` is given its scratch, bodies with finite numbers and a limit above 0, and the
/// count of steps.
pub(super) struct Method<S, F> {
    scratch: S,
    search: F,
    steps: u64,
}

impl<S, F> Method<S, F>
where
    S: Default + Send + 'static,
    F: FnMut(&mut S, &MovingPair, &mut u64) -> Impact + Send + 'static,
{
    /// A method without work so far.
    pub(super) fn boxed(search: F) -> Box<dyn TimeOfImpact + Send> {
        Box::new(Self { scratch: S::default(), search, steps: 0 })
    }
}

impl<S, F: FnMut(&mut S, &MovingPair, &mut u64) -> Impact> TimeOfImpact for Method<S, F> {
    fn find(&mut self, a: (&Body, &Motion), b: (&Body, &Motion), limit: f64) -> Impact {
        let moving = MovingPair::new(a, b, limit);
        moving.map_or(Impact::Failed, |moving| {
            (self.search)(&mut self.scratch, &moving, &mut self.steps)
        })
    }

    fn steps(&self) -> u64 {
        self.steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_are_found_by_what_they_display() {
        for kind in TIMES_OF_IMPACT {
            let method = find(kind.id).unwrap();
            assert_eq!(find(&method.to_string()), Ok(method));
        }
        // The name that it had before both became one.
        assert_eq!(find("advance").unwrap().to_string(), "bilateral");
    }

    #[test]
    fn wrong_texts_are_refused_with_a_reason() {
        let error = |text: &str| find(text).unwrap_err().to_string();
        assert_eq!(error("sat"), "unknown time of impact `sat`");
        assert_eq!(error("moving-sat@k=3"), "`moving-sat` has no parameters");
        for k in ["k=0", "k=1025", "k=", "k=x", "4", ""] {
            let expected = format!("expected `@k=K` with K from 1 to 1024, found `@{k}`");
            assert_eq!(error(&format!("substeps@{k}")), expected);
        }
    }
}
