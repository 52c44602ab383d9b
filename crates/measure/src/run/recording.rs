//! Writes the boxes of a case as a trace.

use crate::input::Case;
use crate::play::{Observer, RunError, find_sorted};
use crate::process::{Untimed, available_memory};
use broadphase::registry::{Algorithm, Settings};
use sim::{TraceError, TraceWriter};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Writes all frames of a case as a trace, and returns the case that plays it, with the same labels. Only
/// the layers are lost.
///
/// `algorithm` finds the pairs that a scene responds to. The observer is called while objects are placed and after
/// each frame. No file is left unless the trace is complete. A file that is there by then is replaced only if
/// `replaces`.
///
/// # Errors
///
/// Where the input fails, the algorithm refuses, the trace cannot be written, or `stop` is set.
pub fn record_case(
    case: &Case,
    algorithm: &Algorithm,
    path: &Path,
    replaces: bool,
    observer: &mut dyn Observer,
    stop: &AtomicBool,
) -> Result<Case, RunError> {
    let settings = Settings::new(case.n).world(case.space()).memory_limit(available_memory());
    let mut instance = case.has_response().then(|| algorithm.create(&settings)).transpose()?;
    let objects = u32::try_from(case.n).map_err(|_| {
        let message = format!("{} objects are too many for a trace", case.n);
        RunError::Trace(TraceError::refused(path)(message))
    })?;
    let mut goes_on = |placed| {
        observer.objects_placed(placed, case.n);
        !stop.load(Ordering::Relaxed)
    };
    let playback = case.start(available_memory(), stop, &mut goes_on)?;
    let mut playback = playback.ok_or(RunError::Stopped)?;
    let writer = TraceWriter::create(path, objects, playback.time_step())?;
    let mut writer = writer.replacing(replaces);
    let mut pairs = Vec::new();
    for frame in 0..case.total_frames() {
        playback.advance(&Untimed)?;
        playback.search(|frame| -> Result<(), RunError> {
            writer.write_frame(frame.boxes)?;
            if let Some(instance) = &mut instance {
                find_sorted(&mut **instance, frame, &mut pairs);
            }
            // Pairs may be missing.
            if frame.is_stopped() { Err(RunError::Stopped) } else { Ok(()) }
        })??;
        playback.respond(&Untimed, &pairs)?;
        observer.frame_done(frame);
    }
    writer.finish()?;
    let mut recorded =
        Case::of_trace(&*case.input, path.to_owned(), case.n, case.warmup, case.frames);
    recorded.seed = case.seed;
    Ok(recorded)
}
