//! Compares the checksums of all algorithms' frames, outside the clock.

use crate::fault::first_difference;
use crate::pools::Pools;
use crate::repetition::guarded;
use crate::{Case, Cell, InputError, Outcome, PairFault, Sample};
use broadphase::{Algorithm, Settings};

/// The algorithm that the others are compared with wherever it was measured: brute force, the
/// first of the registry.
pub fn reference() -> &'static Algorithm {
    &broadphase::ALGORITHMS[0]
}

/// Up to so many objects a wrong frame is played again and its first wrong pair found by brute
/// force: within a second.
const MAX_OBJECTS_TO_LOCATE: usize = 20_000;

/// A cell that disagrees.
pub(crate) struct Disagreement {
    /// Its index.
    pub(crate) cell: usize,
    /// Where and how it disagrees.
    pub(crate) reason: String,
}

/// The cells of which some frame differs from the first repetition of brute force, or where that
/// was not measured (or not so far), of the first algorithm that was.
///
/// All repetitions show the same boxes, so every frame has one right checksum. Where two
/// algorithms differ and neither is brute force, brute force judges afterwards which is wrong, and
/// where that would take too long, both are. Cells whose own pair lists were found wrong before, or
/// which panicked, are left as they are.
pub(crate) fn find_disagreements(
    case: &Case,
    settings: &Settings,
    cells: &[Cell],
    rows: &[&Algorithm],
    pools: &Pools,
) -> Result<Vec<Disagreement>, InputError> {
    let locate = |index: usize, frame: u32| {
        pools.install(cells[index].threads, || locate(case, rows[index], settings, frame))
    };
    let first_lists = first_lists(cells);
    let mut disagreements: Vec<Disagreement> = Vec::new();
    for (index, cell) in cells.iter().enumerate() {
        if !matches!(cell.outcome, Outcome::Ok | Outcome::Skipped(_)) {
            continue;
        }
        let differs = |s: &&Sample| first_lists[s.frame as usize].checksum != s.checksum;
        let Some(&Sample { frame, repeat, .. }) = cell.samples.iter().find(differs) else {
            continue;
        };
        let other = first_lists[frame as usize].cell;
        let reason = |from: &str, fault: Option<PairFault>| {
            let fault = fault.map(|fault| format!("; {fault}")).unwrap_or_default();
            format!("frame {frame} of repetition {repeat}: its pairs differ from {from}{fault}")
        };
        let own_fault = locate(index, frame)?;
        if other == index {
            let reason = reason("its own first repetition", own_fault);
            disagreements.push(Disagreement { cell: index, reason });
            continue;
        }
        let other_fault = if cells[other].algorithm == reference().id || own_fault.is_some() {
            None
        } else {
            let fault = locate(other, frame)?;
            let reason = reason(cell.algorithm, fault);
            disagreements.push(Disagreement { cell: other, reason });
            fault
        };
        if other_fault.is_none() {
            let reason = reason(cells[other].algorithm, own_fault);
            disagreements.push(Disagreement { cell: index, reason });
        }
    }
    Ok(disagreements)
}

/// What the first list of a frame was, and whose.
struct FirstList {
    checksum: u64,
    cell: usize,
}

/// For each frame the list that the others are compared with.
fn first_lists(cells: &[Cell]) -> Vec<FirstList> {
    let mut lists = Vec::new();
    let (trusted, others): (Vec<_>, Vec<_>) =
        cells.iter().enumerate().partition(|(_, cell)| cell.algorithm == reference().id);
    for (index, cell) in trusted.into_iter().chain(others) {
        let first = cell.samples.iter().filter(|s| s.repeat == 0);
        let missing = first.skip(lists.len());
        lists.extend(missing.map(|s| FirstList { checksum: s.checksum, cell: index }));
    }
    lists
}

/// Plays the case again up to a frame that is known to be the algorithm's first wrong one, and
/// finds its first wrong pair by brute force.
///
/// `None` where that would take long, or where the fault does not come again.
fn locate(
    case: &Case,
    algorithm: &Algorithm,
    settings: &Settings,
    frame: u32,
) -> Result<Option<PairFault>, InputError> {
    if case.n > MAX_OBJECTS_TO_LOCATE {
        return Ok(None);
    }
    let mut playback = case.start()?;
    let mut suspect = guarded(|| (algorithm.build)(settings)).ok();
    let mut pairs = Vec::new();
    for at in 0..=frame {
        playback.advance()?;
        playback.check()?;
        pairs.clear();
        let shown = playback.frame();
        let found = guarded(|| {
            let suspect = suspect.as_mut()?;
            suspect.update(&shown);
            suspect.find_pairs(&shown, &mut pairs);
            Some(())
        });
        if !matches!(found, Ok(Some(()))) {
            return Ok(None);
        }
        pairs.sort_unstable();
        if at < frame {
            playback.respond(&pairs);
        }
    }
    let shown = playback.frame();
    let mut right = Vec::new();
    let mut brute_force = (reference().build)(&Settings::new(case.n));
    brute_force.update(&shown);
    brute_force.find_pairs(&shown, &mut right);
    right.sort_unstable();
    Ok(first_difference(&right, &pairs).map(|fault| fault.in_frame(&shown)))
}
