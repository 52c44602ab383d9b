//! Boxes that rest, fly, and rest again: the cost of the frames after a change of motion.

use crate::commands::inputs::trace_case;
use crate::failure::Failure;
use crate::page_files::make_folder;
use crate::study::FULL_SEARCH;
use measure::{Case, FrameTime, PairedRatio, paired_ratio};
use sim::atlas::TIME_STEP;
use sim::{GeneratedBoxes, GeneratedSpec, TraceWriter};
use std::collections::BTreeMap;
use std::path::Path;

/// The input's name.
pub(super) const NAME: &str = "rest-gas-rest";
/// Frames of each of the three stretches.
pub(super) const STRETCH: u32 = 40;
/// Frames of warm-up, within the first rest.
pub(super) const WARMUP: u32 = 30;
/// Frames after a change of which the worst counts, from the first frame of the new motion on. Chosen to
/// include the rebuild of a neighbour list once all objects rest.
pub(super) const AFTER: u32 = 20;
/// The algorithm whose median frame a worst frame is compared with. It caches nothing, so that its time does
/// not depend on the motion.
pub(super) const BASELINE: &str = FULL_SEARCH;

/// The first frames of the trace in `folder`, which is written if it is missing.
pub(super) fn case(
    folder: &Path,
    gas: &GeneratedSpec,
    warmup: u32,
    frames: u32,
) -> Result<Case, Failure> {
    let path = folder.join(format!("{NAME}-{}-seed-{}.bpt", gas.objects, gas.used_seed()));
    if !path.exists() {
        make_folder(folder)?;
        write(&path, gas).map_err(|e| Failure::Running(e.to_string()))?;
    }
    trace_case(&path, NAME, warmup, frames)
}

fn write(path: &Path, gas: &GeneratedSpec) -> Result<(), sim::TraceError> {
    let mut gas_boxes = GeneratedBoxes::new(gas);
    let mut writer = TraceWriter::create(path, gas.objects, TIME_STEP)?;
    let mut boxes = Vec::new();
    for frame in 0..3 * STRETCH {
        if frame == 0 || frame / STRETCH == 1 {
            gas_boxes.next_frame(&mut boxes);
        }
        writer.write_frame(&boxes)?;
    }
    writer.finish()
}

/// The worst frame after a change over the baseline's median frame of the same round and change: the larger
/// ratio of the two changes, the median of the rounds.
///
/// The median of an even number of frames is the lower of the middle two.
pub(super) fn worst_over_median(base: &[FrameTime], own: &[FrameTime]) -> Option<PairedRatio> {
    let base = by_change(base);
    // The baseline's median frame and the worst frame of each round, numbered as the same frame to be paired.
    let mut rounds: BTreeMap<u32, [FrameTime; 2]> = BTreeMap::new();
    for (key, own) in by_change(own) {
        let (Some(base), Some(worst)) = (base.get(&key), own.last()) else { continue };
        let found = [base[(base.len() - 1) / 2], *worst].map(|time| FrameTime { frame: 0, ..time });
        let ratio = |[base, worst]: [FrameTime; 2]| worst.ns as f64 / base.ns.max(1) as f64;
        let of_round = rounds.entry(key.0).or_insert(found);
        if ratio(found) > ratio(*of_round) {
            *of_round = found;
        }
    }
    paired_ratio(rounds.values().map(|round| round[0]), rounds.values().map(|round| round[1]))
}

/// The frames soon after a change of motion by round and change, 1 or 2, the fastest first.
fn by_change(times: &[FrameTime]) -> BTreeMap<(u32, u32), Vec<FrameTime>> {
    let mut found: BTreeMap<(u32, u32), Vec<FrameTime>> = BTreeMap::new();
    for time in times.iter().filter(|time| time.frame % STRETCH < AFTER) {
        let change = time.frame / STRETCH;
        if (1..=2).contains(&change) {
            found.entry((time.repeat, change)).or_default().push(*time);
        }
    }
    found.values_mut().for_each(|times| times.sort_by_key(|time| time.ns));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worst_frame_after_the_worse_change_counts() {
        let times = |ns: fn(u32) -> u64| -> Vec<FrameTime> {
            let frames = (0..6).flat_map(|repeat| (30..120).map(move |frame| (repeat, frame)));
            frames.map(|(repeat, frame)| FrameTime { repeat, frame, ns: ns(frame) }).collect()
        };
        let base = times(|frame| if frame == 44 { 9_000 } else { 1_000 });
        let own = times(|frame| match frame {
            39 | 60 | 100 => 90_000,
            47 => 1_300,
            80 => 2_500,
            _ => 200,
        });
        let found = worst_over_median(&base, &own).unwrap();
        assert!((found.ratio.ratio - 2.5).abs() < 1e-9, "{found:?}");
        assert_eq!(found.rounds, 6);
        assert_eq!(worst_over_median(&base[..5], &own), None, "no frame after a change");
    }
}
