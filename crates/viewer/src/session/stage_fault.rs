//! A wrong answer about a pair of bodies.

use broadphase::Pair;
use narrowphase::impact::Impact;
use narrowphase::{Answer, Judgement};
use sim::stages::{ContactFault, WrongAnswer};
use std::fmt;

/// A step after the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The bounding volume.
    Volume,
    /// The narrow phase.
    Narrow,
    /// The contact sets.
    Contacts,
    /// The first contacts within the step.
    Impact,
    /// The reference of volumes, narrow phases and first contacts.
    Reference,
}

/// The first wrong answer of a method that must not give any.
#[derive(Clone, Debug, PartialEq)]
pub struct StageFault {
    /// The step, counted from 1.
    pub step: u64,
    /// What answered.
    pub stage: Stage,
    /// The method's display name; empty for the reference and for contact sets.
    pub name: &'static str,
    /// The method's id; empty for the reference and for contact sets.
    pub id: &'static str,
    /// What is wrong.
    pub found: Wrong,
}

/// What is wrong about two bodies.
#[derive(Clone, Debug, PartialEq)]
pub enum Wrong {
    /// An answer, and what the reference knows.
    Answer(WrongAnswer),
    /// Their contact sets, as the oracle says.
    Contacts(ContactFault),
    /// A first contact within the step.
    Impact(WrongImpact),
}

/// A first contact, and what the reference knows of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WrongImpact {
    /// The bodies.
    pub pair: Pair,
    /// The method's answer.
    pub found: Impact,
    /// The reference's answer.
    pub known: Impact,
}

/// The fault in words: "it finds no contact of the bodies 3 and 17, which touch after 0.0123 s". If the
/// reference has no answer, it is at fault.
impl fmt::Display for WrongImpact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pair: Pair { a, b }, found, known } = self;
        match (found, known) {
            (_, Impact::Failed) => {
                return write!(f, "it gives no answer about the first contact of {a} and {b}");
            }
            (Impact::Failed, _) => write!(f, "it gives no answer about the bodies {a} and {b}")?,
            (Impact::Never, _) => write!(f, "it finds no contact of the bodies {a} and {b}")?,
            (Impact::Overlapping, _) => {
                write!(f, "it says that the bodies {a} and {b} touch at the start")?
            }
            (Impact::At { first, .. }, _) => {
                write!(f, "it says that the bodies {a} and {b} touch after {first:.4e} s")?;
            }
        }
        match known {
            Impact::Failed => Ok(()),
            Impact::Never => write!(f, ", which do not touch in the step"),
            Impact::Overlapping => write!(f, ", which touch at its start"),
            Impact::At { first, .. } => write!(f, ", which touch after {first:.4e} s"),
        }
    }
}

impl StageFault {
    /// The bodies.
    pub fn pair(&self) -> Pair {
        match &self.found {
            Wrong::Answer(found) => found.pair,
            Wrong::Contacts(found) => found.pair,
            Wrong::Impact(found) => found.pair,
        }
    }
}

/// What is wrong in plain words, with the pair and its gap.
impl fmt::Display for StageFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, stage, name, id, found } = self;
        write!(f, "step {step}: ")?;
        match stage {
            Stage::Volume => write!(f, "the bounding volume {name} ({id}) is wrong: ")?,
            Stage::Narrow => write!(f, "the narrow phase {name} ({id}) is wrong: ")?,
            Stage::Contacts => write!(f, "the contact sets are wrong: ")?,
            Stage::Impact => write!(f, "the first contact by {name} ({id}) is wrong: ")?,
            Stage::Reference => write!(f, "the reference is wrong: ")?,
        }
        let WrongAnswer { pair: Pair { a, b }, answer, judgement, verdict } = match found {
            Wrong::Answer(found) => found,
            Wrong::Contacts(ContactFault { pair: Pair { a, b }, text }) => {
                return write!(f, "of the bodies {a} and {b}, {text}");
            }
            Wrong::Impact(found) => return write!(f, "{found}"),
        };
        match (judgement, answer) {
            (Judgement::NotAsked, _) => {
                return write!(f, "it answers about {a} and {b}, which are no candidate");
            }
            (Judgement::Failed, _) | (_, Answer::Failed) => {
                write!(f, "it gives no answer about the bodies {a} and {b}")?;
            }
            (Judgement::WrongWitness, Answer::Separated { .. }) => {
                write!(f, "its axis does not separate the bodies {a} and {b}")?;
            }
            (Judgement::WrongWitness, Answer::Touching { .. }) => {
                write!(f, "its common point is not in both bodies {a} and {b}")?;
            }
            (_, Answer::Separated { .. }) => write!(f, "it separates the bodies {a} and {b}")?,
            (_, Answer::Touching { .. }) => write!(f, "it says that the bodies {a} and {b} touch")?,
        }
        match verdict.gap {
            gap if gap > 0.0 => write!(f, ", which are {gap:.4e} apart"),
            gap if gap <= 0.0 => write!(f, ", which overlap by {:.4e}", -gap),
            _ => write!(f, ", whose poses are not finite"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;
    use narrowphase::Verdict;

    #[test]
    fn faults_name_method_pair_and_gap() {
        let text = |stage, answer, judgement, gap| {
            let verdict = Verdict { answer, gap, is_in_band: false };
            let pair = Pair { a: 3, b: 17 };
            let found = Wrong::Answer(WrongAnswer { pair, answer, judgement, verdict });
            StageFault { step: 5, stage, name: "GJK", id: "gjk", found }.to_string()
        };
        let (apart, touch) =
            (Answer::Separated { axis: Some(DVec3::X) }, Answer::Touching { point: None });
        let wrong = Judgement::Wrong;
        assert_eq!(
            text(Stage::Narrow, apart, wrong, -0.25),
            "step 5: the narrow phase GJK (gjk) is wrong: it separates the bodies 3 and 17, which overlap \
             by 2.5000e-1"
        );
        assert!(
            text(Stage::Volume, apart, wrong, -0.25)
                .starts_with("step 5: the bounding volume GJK (gjk) is wrong: it separates")
        );
        for (answer, judgement, expected) in [
            (apart, Judgement::NotAsked, "it answers about 3 and 17, which are no candidate"),
            (touch, wrong, "it says that the bodies 3 and 17 touch, which are 5.0000e-1 apart"),
            (apart, Judgement::WrongWitness, "its axis does not separate the bodies 3 and 17"),
            (touch, Judgement::WrongWitness, "its common point is not in both bodies 3 and 17"),
            (Answer::Failed, Judgement::Failed, "it gives no answer about the bodies 3 and 17"),
        ] {
            let text = text(Stage::Reference, answer, judgement, 0.5);
            let expected = format!("step 5: the reference is wrong: {expected}");
            assert!(text.starts_with(&expected), "{text}");
        }
        assert!(
            text(Stage::Narrow, Answer::Failed, Judgement::Failed, f64::NAN)
                .ends_with("not finite")
        );
        let pair = Pair { a: 3, b: 17 };
        let found = Wrong::Contacts(ContactFault { pair, text: "a set is 2 deep".to_owned() });
        let contacts = StageFault { step: 5, stage: Stage::Contacts, name: "", id: "", found };
        assert_eq!(
            contacts.to_string(),
            "step 5: the contact sets are wrong: of the bodies 3 and 17, a set is 2 deep"
        );
        assert_eq!(contacts.pair(), Pair { a: 3, b: 17 });
    }

    #[test]
    fn wrong_first_contacts_name_both_times() {
        let at = |first| Impact::At { first, last: first, axis: DVec3::X };
        let pair = Pair { a: 3, b: 17 };
        for (found, known, expected) in [
            (
                Impact::Never,
                at(0.0125),
                "it finds no contact of the bodies 3 and 17, which touch after 1.2500e-2 s",
            ),
            (
                at(0.5),
                Impact::Never,
                "it says that the bodies 3 and 17 touch after 5.0000e-1 s, which do not touch in the step",
            ),
            (
                Impact::Failed,
                Impact::Overlapping,
                "it gives no answer about the bodies 3 and 17, which touch at its start",
            ),
        ] {
            let found = Wrong::Impact(WrongImpact { pair, found, known });
            let (name, id) = ("Moving SAT", "moving-sat");
            let fault = StageFault { step: 5, stage: Stage::Impact, name, id, found };
            let text = format!(
                "step 5: the first contact by Moving SAT (moving-sat) is wrong: {expected}"
            );
            assert_eq!((fault.to_string(), fault.pair()), (text, pair));
        }
    }
}
