//! Times of impact by id: command lines, panels, tests and documentation iterate over this list.

use super::{Discrete, MovingSat, TimeOfImpact};
use std::fmt;

/// Most static tests of a step.
pub const MAX_SUBSTEPS: u32 = 1024;

/// Static tests of a step, unless a number is given.
const DEFAULT_SUBSTEPS: u32 = 8;

/// A method to find the first contact.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ImpactKind {
    /// Its name on command lines and in tables: that of its family, or the family, a `+` and the variant.
    pub id: &'static str,
    /// Its display name.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// What its time grows with.
    pub cost: &'static str,
    /// Where it is described.
    pub source: &'static str,
    /// Whether it is an adapter to another library, measured for comparison.
    pub peer: bool,
    /// For which motions its answers are right.
    pub exactness: Exactness,
    /// Whether `@k=K` sets its number of static tests.
    pub has_substeps: bool,
    /// Creates an instance with this many static tests.
    pub build: fn(u32) -> Box<dyn TimeOfImpact + Send>,
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
    /// Static tests of a step; without effect unless [`ImpactKind::has_substeps`].
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

const MOVING_SAT: ImpactKind = ImpactKind {
    id: "moving-sat",
    name: "Moving axes",
    summary: "takes the largest first and the smallest last time at which projections on an axis touch",
    cost: "faces x vertices, and edges x edges",
    source: "001; 000 §3.1, algorithms 3.1 and 3.2",
    peer: false,
    exactness: Exactness::Translation,
    has_substeps: false,
    build: |_| Box::new(MovingSat::new()),
};

/// Every method. Variants follow their family.
pub static TIMES_OF_IMPACT: &[ImpactKind] = &[
    ImpactKind {
        id: "discrete",
        name: "End of the step",
        summary: "tests the poses at the start and at the end of the step only",
        cost: "two static tests",
        source: "003; 000 §4.1",
        peer: false,
        exactness: Exactness::Never,
        has_substeps: false,
        build: |_| Box::new(Discrete::default()),
    },
    MOVING_SAT,
    ImpactKind {
        id: "moving-sat+boxes",
        name: "Moving axes (boxes)",
        summary: "like moving-sat, but takes the 15 axes of two boxes by shorter formulas",
        cost: "15 axes of two boxes",
        build: |_| Box::new(MovingSat::with_boxes()),
        ..MOVING_SAT
    },
];

/// The method with this id, as `discrete` or `substeps@k=8`.
///
/// # Errors
///
/// If there is none, or its parameter is wrong.
pub fn find(text: &str) -> Result<ImpactMethod, ImpactMethodError> {
    let (id, parameter) = text.split_once('@').map_or((text, None), |(id, k)| (id, Some(k)));
    let kind = TIMES_OF_IMPACT.iter().find(|kind| kind.id == id);
    let kind = kind.ok_or_else(|| ImpactMethodError::Unknown(id.to_owned()))?;
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
