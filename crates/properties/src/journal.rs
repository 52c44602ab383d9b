//! The files of a killed run, damaged.

use crate::files;
use crate::run::{FILES, run};
use arbitrary::{Result, Unstructured};
use measure::Output;
use std::fs;

/// Places in [`FILES`].
const JOURNAL: usize = 0;
const MACHINE: usize = 1;
const FRAMES: usize = 2;
const SUMMARY: usize = 3;

/// Damage to the files of a run is reported, or repetitions from some point on are measured again. Tables and
/// repetitions that are believed are as they were written, and a repetition that is kept then is there the next time.
pub(crate) fn check(bytes: &[u8]) {
    let run = run();
    let mut texts = run.files.clone().map(Some);
    let mut bytes = Unstructured::new(bytes);
    while !bytes.is_empty() && damage(&mut texts, &mut bytes).is_ok() {}
    let folder = files::folder("run");
    for (name, text) in FILES.iter().zip(&texts) {
        let path = folder.join(name);
        match text {
            Some(text) => files::replace(&path, text),
            // It may be missing from the check before.
            None => drop(fs::remove_file(path)),
        }
    }
    let intact = |file: usize| texts[file].as_ref() == Some(&run.files[file]);
    let Ok(mut output) = Output::resume(&folder, &run.machine) else {
        assert!(!(0..FILES.len()).all(intact), "an intact run is refused");
        return;
    };
    // Without `machine.json` and rows, another run begins.
    for file in [FRAMES, SUMMARY].into_iter().filter(|_| texts[MACHINE].is_some()) {
        let table = fs::read(folder.join(FILES[file])).unwrap_or_default();
        assert!(table == run.files[file], "a changed table is believed: {}", FILES[file]);
    }
    let mut kept = output.take_begun(&run.case);
    assert!(run.kept.starts_with(&kept), "a repetition was not kept like this");
    if intact(JOURNAL) && intact(MACHINE) {
        assert_eq!(output.damage(), None);
    }
    // A changed name of the run in `machine.json` makes the journal that of another run, which is reported.
    if intact(JOURNAL) && texts[MACHINE].is_some() && output.damage().is_none() {
        assert_eq!(kept.len(), run.kept.len(), "repetitions are lost");
    }
    if let Some(next) = run.kept.get(kept.len()) {
        output.keep(&run.case, next).unwrap_or_else(|error| panic!("{error}"));
        kept.push(next.clone());
    }
    drop(output);
    let again = Output::resume(&folder, &run.machine);
    let mut again = again.unwrap_or_else(|error| panic!("a resumed run is refused: {error}"));
    assert_eq!(again.take_begun(&run.case), kept);
    assert_eq!(again.damage(), None);
}

/// Damages one of the files, half of the times the journal. A removed one stays removed.
fn damage(texts: &mut [Option<Vec<u8>>; 4], bytes: &mut Unstructured<'_>) -> Result<()> {
    let [file, kind]: [u8; 2] = bytes.arbitrary()?;
    let file = usize::from(file % 8).saturating_sub(4);
    if kind % 16 == 15 {
        texts[file] = None;
    }
    let Some(text) = &mut texts[file] else { return Ok(()) };
    let at: u16 = bytes.arbitrary()?;
    let at = usize::from(at) % (text.len() + 1);
    let length = usize::from(bytes.arbitrary::<u8>()?).min(text.len() - at);
    match kind % 16 {
        0 | 1 => text.truncate(at),
        2..=4 => drop(text.drain(at..at + length)),
        5..=7 => {
            let bit: u8 = bytes.arbitrary()?;
            if let Some(byte) = text.get_mut(at) {
                *byte ^= 1 << (bit % 8);
            }
        }
        8 | 9 => {
            let inserted: Vec<u8> = bytes.arbitrary()?;
            drop(text.splice(at..at, inserted));
        }
        10 => *text = bytes.arbitrary()?,
        11 => {
            let zeros = vec![0; length];
            drop(text.splice(at..at + length, zeros));
        }
        _ => lines(text, kind, at, length),
    }
    Ok(())
}

/// Removes, doubles or exchanges whole lines.
fn lines(text: &mut Vec<u8>, kind: u8, first: usize, second: usize) {
    let mut lines: Vec<Vec<u8>> =
        text.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    if lines.is_empty() {
        return;
    }
    let (first, second) = (first % lines.len(), second % lines.len());
    match kind % 16 {
        12 => drop(lines.remove(first)),
        13 => lines.insert(second, lines[first].clone()),
        _ => lines.swap(first, second),
    }
    *text = lines.concat();
}
