//! A wrong answer in words.

use broadphase::Pair;
use sim::stages::{BodyList, WrongAnswer};

/// What is wrong with the answer of `method`: both bodies and both answers.
pub(super) fn describe<B: BodyList>(method: &str, wrong: &WrongAnswer, bodies: &B) -> String {
    describe_fault(method, wrong.pair, &wrong.to_string(), bodies)
}

/// What is wrong with what `method` knows of a pair.
pub(super) fn describe_fault<B: BodyList>(
    method: &str,
    pair: Pair,
    fault: &str,
    bodies: &B,
) -> String {
    let name = |object: u32| &bodies.shapes()[bodies.shape_of(object as usize)].name;
    let [of_a, of_b] = [pair.a, pair.b].map(name);
    let Pair { a, b } = pair;
    format!("`{method}` is wrong about bodies {a} and {b} ({of_a} and {of_b}): {fault}")
}
