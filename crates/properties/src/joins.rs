//! Pairs between two sets.

use crate::frames::Program;
use arbitrary::Unstructured;
use broadphase::{Aabb, Join, join_by_definition};

/// A join finds the pairs of the definition in every frame: of the objects before some id with the others, and of all with
/// all.
pub(crate) fn check(bytes: &[u8]) {
    let mut bytes = Unstructured::new(bytes);
    let share: u8 = bytes.arbitrary().unwrap_or_default();
    let program = Program::decode(&mut bytes);
    let mut joins = [Join::default(), Join::default()];
    for (number, frame) in program.frames().enumerate() {
        let (first, others) = frame.boxes.split_at(frame.boxes.len() * usize::from(share) / 255);
        check_frame(&mut joins[0], [first, others], number);
        check_frame(&mut joins[1], [frame.boxes; 2], number);
    }
}

fn check_frame(join: &mut Join, [a, b]: [&[Aabb]; 2], number: usize) {
    let (mut expected, mut found) = (Vec::new(), Vec::new());
    join_by_definition(a, b, &mut expected);
    join.find_pairs(a, b, &mut found);
    found.sort_unstable();
    assert_eq!(found, expected, "frame {number}, {} and {} boxes", a.len(), b.len());
}
