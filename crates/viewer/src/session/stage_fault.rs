//! A wrong answer about a pair of bodies.

use broadphase::Pair;
use sim::stages::WrongAnswer;
use std::fmt;

/// A step after the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The bounding volume.
    Volume,
    /// The narrow phase.
    Narrow,
    /// The reference of volumes and narrow phases.
    Reference,
}

/// The first wrong answer of a method that must not give any.
#[derive(Clone, Debug, PartialEq)]
pub struct StageFault {
    /// The step, counted from 1.
    pub step: u64,
    /// What answered.
    pub stage: Stage,
    /// The method's display name; empty for the reference.
    pub name: &'static str,
    /// The method's id; empty for the reference.
    pub id: &'static str,
    /// The answer, and what the reference knows.
    pub wrong: WrongAnswer,
}

impl StageFault {
    /// The bodies.
    pub fn pair(&self) -> Pair {
        self.wrong.pair
    }
}

/// What is wrong in plain words, with the pair and both answers.
impl fmt::Display for StageFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, stage, name, id, wrong } = self;
        write!(f, "step {step}: ")?;
        match stage {
            Stage::Volume => write!(f, "the bounding volume {name} ({id})")?,
            Stage::Narrow => write!(f, "the narrow phase {name} ({id})")?,
            Stage::Reference => write!(f, "the reference")?,
        }
        let Pair { a, b } = wrong.pair;
        write!(f, " is wrong about the bodies {a} and {b}: {wrong}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use narrowphase::impact::Impact;

    #[test]
    fn faults_name_method_pair_and_both_answers() {
        let text = |stage, found, known, gap| {
            let wrong = WrongAnswer { pair: Pair { a: 3, b: 17 }, found, known, gap };
            StageFault { step: 5, stage, name: "GJK", id: "gjk", wrong }.to_string()
        };
        let about = "is wrong about the bodies 3 and 17: it";
        for (stage, named) in [
            (Stage::Narrow, "the narrow phase GJK (gjk)"),
            (Stage::Volume, "the bounding volume GJK (gjk)"),
            (Stage::Reference, "the reference"),
        ] {
            assert_eq!(
                text(stage, Impact::Never, Impact::Overlapping, Some(-0.25)),
                format!("step 5: {named} {about} separates them; they overlap by 2.5000e-1")
            );
        }
    }
}
