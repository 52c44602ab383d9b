//! Going back in time: the pairs of a frame depend on its boxes alone.

use crate::common::{inputs, pairs_by_definition, plain, run_frame};
use broadphase::registry::{ALGORITHMS, Settings};

/// The restored frame, and the frames simulated since.
const RESTORED: usize = 10;
const FRAMES: usize = 50;

#[test]
fn restored_boxes_have_the_same_pairs_after_50_frames() {
    let (mut compared, mut began) = (0, 0);
    for (name, frames) in inputs(120, RESTORED + FRAMES, 21) {
        if frames.len() < RESTORED + FRAMES {
            continue;
        }
        let expected: Vec<_> = frames.iter().map(|boxes| pairs_by_definition(boxes)).collect();
        began += usize::from(expected[RESTORED] != expected[RESTORED + FRAMES - 1]);
        for entry in ALGORITHMS {
            let mut algorithm = entry.create(&Settings::new(120)).unwrap();
            // Twice the frames from the restored one on, with the structure of the abandoned future.
            let times = (0..frames.len()).chain(RESTORED..frames.len());
            for at in times {
                let found = run_frame(&mut *algorithm, &plain(&frames[at]));
                assert!(found == expected[at], "{} on {name}: frame {at}", entry.id);
                compared += found.len();
            }
        }
    }
    assert!(began >= 5 && compared > 100_000, "{began} inputs change, {compared} pairs");
}
