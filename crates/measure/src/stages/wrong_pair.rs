//! A wrong answer in words.

use broadphase::Pair;
use narrowphase::impact::Impact;
use narrowphase::{Answer, Judgement};
use sim::stages::{BodyList, MovingBodies, WrongAnswer};

/// What is wrong with the answer of `method`.
pub(super) fn describe<B: BodyList>(method: &str, wrong: &WrongAnswer, bodies: &B) -> String {
    let WrongAnswer { pair, answer, judgement, verdict } = wrong;
    let names = [pair.a, pair.b].map(|object| bodies.name_of(object as usize));
    let said = match (judgement, answer) {
        (Judgement::NotAsked, _) => {
            let Pair { a, b } = pair;
            return format!("`{method}` answers about {a} and {b}, which are no candidate");
        }
        (Judgement::Failed, _) => "gives no answer for",
        (Judgement::WrongWitness, Answer::Separated { .. }) => {
            "gives an axis that does not separate"
        }
        (Judgement::WrongWitness, _) => "gives a point that is not inside both of",
        (_, Answer::Separated { .. }) => "separates",
        (_, _) => "reports contact of",
    };
    format!(
        "`{method}` {said} bodies {} and {} ({} and {}), whose gap is {:.3e}",
        pair.a, pair.b, names[0], names[1], verdict.gap
    )
}

/// What the oracle finds wrong with what `method` knows of a pair.
pub(super) fn describe_fault<B: BodyList>(
    method: &str,
    pair: Pair,
    fault: &str,
    bodies: &B,
) -> String {
    let names = [pair.a, pair.b].map(|object| bodies.name_of(object as usize));
    let Pair { a, b } = pair;
    let [of_a, of_b] = names;
    format!("`{method}` is wrong about bodies {a} and {b} ({of_a} and {of_b}): {fault}")
}

/// The fault of the first contact that `method` found of a pair, within a step of these seconds. Without a right answer
/// the oracle contradicts it.
pub(super) fn describe_impact<B: MovingBodies>(
    method: &str,
    pair: Pair,
    (found, right): (Impact, Option<Impact>),
    seconds: f64,
    bodies: &B,
) -> String {
    let said = |impact| match impact {
        Impact::Never => "never touch".to_owned(),
        Impact::Overlapping => "touch at the start".to_owned(),
        Impact::At { first, .. } => format!("first touch at {:.9} steps", first / seconds),
        Impact::Failed => "have no answer".to_owned(),
    };
    let names = [pair.a, pair.b].map(|object| bodies.name_of(object as usize));
    let found = said(found);
    let right = right.map_or_else(|| "do not by the oracle".to_owned(), said);
    format!(
        "by `{method}` bodies {} and {} ({} and {}) {found}, but they {right}",
        pair.a, pair.b, names[0], names[1]
    )
}
