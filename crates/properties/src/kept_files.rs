//! The files of a killed run, damaged.

use crate::files;
use crate::run::{Run, run};
use arbitrary::{Result, Unstructured};
use measure::{FinishedRepetition, Output, Table, UNFINISHED};
use std::fs;
use std::path::Path;

/// Damage to the files of a run is reported, and what they have is measured again. Rows and repetitions that are
/// believed are as they were written, and a repetition that is kept then is there the next time.
pub(crate) fn check(bytes: &[u8]) {
    let run = run();
    let mut texts: Vec<_> = run.files.iter().map(|(_, text)| Some(text.clone())).collect();
    let mut bytes = Unstructured::new(bytes);
    while !bytes.is_empty() && damage(&mut texts, &mut bytes).is_ok() {}
    let folder = files::folder("run");
    write(run, &texts, &folder);
    let is_intact = |at: &usize| texts[*at].as_ref() == Some(&run.files[*at].1);
    let all = 0..texts.len();
    let is_same_run =
        all.clone().filter(|at| run.files[*at].0 == "machine.json").all(|at| is_intact(&at));
    let Ok(mut output) = Output::resume(&folder, Table::of_cells(), &run.machine) else {
        assert!(!all.clone().all(|at| is_intact(&at)), "an intact run is refused");
        return;
    };
    // The first file has the rows of a case, and names its repetitions.
    let rows = String::from_utf8_lossy(&run.files[0].1);
    let repetitions = all.filter(|at| run.files[*at].0.contains("/repetition-"));
    let is_of_rows = |at: &usize| {
        let name = Path::new(&run.files[*at].0).file_name().unwrap_or_default();
        rows.contains(&*name.to_string_lossy())
    };
    let (of_rows, begun): (Vec<usize>, Vec<usize>) = repetitions.partition(is_of_rows);
    let has_rows = is_intact(&0) && of_rows.iter().all(is_intact);
    let table = fs::read(folder.join("summary.csv")).unwrap_or_default();
    let is_empty = table.iter().filter(|byte| **byte == b'\n').count() == 1;
    assert!(is_empty || table == run.text("summary.csv"), "a changed table is believed");
    assert!(is_empty != has_rows || !is_same_run, "a case is lost");
    let mut kept = output.take_begun(&run.case);
    assert!(kept.iter().all(|kept| run.kept.contains(kept)), "it was not kept like this");
    if is_same_run {
        let intact = begun.iter().filter(|at| is_intact(at)).count();
        assert_eq!(kept.len(), intact, "a repetition is lost or doubled");
        let is_damaged = |at: &&usize| texts[**at].is_some() && !is_intact(at);
        let repetitions = of_rows.iter().chain(&begun).filter(is_damaged).count();
        let rows = usize::from(texts[0].is_some() && !has_rows);
        assert_eq!(output.damage().len(), repetitions + rows);
    }
    if let Some(next) = run.kept.iter().find(|next| !kept.contains(next)) {
        output.keep(&run.case, next).unwrap_or_else(|error| panic!("{error}"));
        kept.push(next.clone());
    }
    drop(output);
    let again = Output::resume(&folder, Table::of_cells(), &run.machine);
    let mut again = again.unwrap_or_else(|error| panic!("a resumed run is refused: {error}"));
    assert_eq!(sorted(again.take_begun(&run.case)), sorted(kept));
    assert_eq!(again.damage(), []);
}

/// Writes the files, and nothing else, into the folder.
fn write(run: &Run, texts: &[Option<Vec<u8>>], folder: &Path) {
    let unfinished = folder.join(UNFINISHED);
    // It may be there from the check before.
    let _ = fs::remove_dir_all(&unfinished);
    fs::create_dir(&unfinished).unwrap_or_else(|error| panic!("{error}"));
    for ((name, _), text) in run.files.iter().zip(texts) {
        let path = folder.join(name);
        match text {
            Some(text) => files::replace(&path, text),
            None => drop(fs::remove_file(path)),
        }
    }
}

fn sorted(mut kept: Vec<FinishedRepetition>) -> Vec<FinishedRepetition> {
    kept.sort_by(|a, b| (&a.algorithm, a.repeat).cmp(&(&b.algorithm, b.repeat)));
    kept
}

/// Damages one of the files. A removed one stays removed.
fn damage(texts: &mut [Option<Vec<u8>>], bytes: &mut Unstructured<'_>) -> Result<()> {
    let [file, kind]: [u8; 2] = bytes.arbitrary()?;
    let file = usize::from(file) % texts.len();
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
