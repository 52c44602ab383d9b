//! A case that is completed from repetitions that were kept, some of them out of place.

use crate::run::{measure, run};
use arbitrary::{Result, Unstructured};
use measure::{FinishedRepetition, MeasuredCase};

/// Samples of a repetition from which it gets no more. Each change may double them.
const MAX_SAMPLES: usize = 1000;

/// For any repetitions in any order: each cell has each frame of each repetition once.
pub(crate) fn check(bytes: &[u8]) {
    let run = run();
    let mut finished = run.kept.clone();
    let mut bytes = Unstructured::new(bytes);
    while !bytes.is_empty() && change(&mut finished, &mut bytes).is_ok() {}
    let measured = measure(&run.case, finished, &mut ());
    assert_eq!(frames(&measured), frames(&run.measured));
}

/// Changes the list, or a field that is compared before a repetition is believed. A forged checksum is
/// damage, which the files' hashes find.
fn change(finished: &mut Vec<FinishedRepetition>, bytes: &mut Unstructured<'_>) -> Result<()> {
    let [kind, which, other]: [u8; 3] = bytes.arbitrary()?;
    if finished.is_empty() {
        return Ok(());
    }
    let (which, other) = (usize::from(which) % finished.len(), usize::from(other));
    let place = other % finished.len();
    match kind % 10 {
        0 => drop(finished.remove(which)),
        1 => finished.insert(place, finished[which].clone()),
        2 => finished.swap(which, place),
        kind => {
            let one = &mut finished[which];
            let frame = other % one.samples.len().max(1);
            match kind {
                3 => one.repeat = bytes.arbitrary()?,
                4 => one.threads = bytes.arbitrary()?,
                5 => one.spent_ns = bytes.arbitrary()?,
                6 => one.algorithm = bytes.arbitrary()?,
                7 => one.samples.truncate(frame),
                8 if one.samples.len() < MAX_SAMPLES => one.samples.extend_from_within(frame..),
                _ => {
                    if let Some(sample) = one.samples.get_mut(frame) {
                        [sample.repeat, sample.frame] = bytes.arbitrary()?;
                    }
                }
            }
        }
    }
    Ok(())
}

/// The frames of all cells.
fn frames(measured: &MeasuredCase) -> Vec<(&str, u32, u32, u64)> {
    let cells = measured.cells.iter();
    let samples = cells.flat_map(|cell| cell.samples.iter().map(|s| (&*cell.algorithm, s)));
    samples.map(|(algorithm, s)| (algorithm, s.repeat, s.frame, s.checksum.0)).collect()
}
