//! The tables of a run as CSV (RFC 4180), with a `machine.json` that has their hashes.

use super::kept_files::{Kept, KeptFiles, OfRepetition, UNFINISHED, repetition_file};
use super::machine::Machine;
use super::warning::Warning;
use super::{OutputError, io_error};
use crate::input::{Case, GrowingHash, hash};
use crate::rows::{
    Checksum, FinishedRepetition, FrameRow, Labels, NumberOrText, RowError, StagesFile, Status,
    SummaryFile, SummaryRow, columns,
};
use csv::{Reader, ReaderBuilder, Terminator, Writer, WriterBuilder};
use serde::{Deserialize, Deserializer, Serialize, de::Error};
use sim::AtomicFile;
use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The table of frames.
const FRAMES: &str = "frames.csv";

/// The CSV table of an [`Output`].
#[derive(Clone, Debug)]
pub struct Table {
    /// Name of its file.
    pub name: &'static str,
    header: String,
    /// Whether the rows are those of cells, whose frames go into another table.
    has_frames: bool,
}

impl Table {
    /// A table of rows `R`.
    pub fn of<R: Serialize + Default>(name: &'static str) -> Self {
        Self { name, header: header::<R>(), has_frames: false }
    }

    /// `summary.csv`, with the frames of its cells in `frames.csv`.
    pub fn of_cells() -> Self {
        Self { has_frames: true, ..Self::of::<SummaryRow>(SummaryFile::NAME) }
    }

    /// Names of all tables.
    fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        Some(FRAMES).filter(|_| self.has_frames).into_iter().chain([self.name])
    }

    /// All files of an output.
    fn files(&self, folder: &Path) -> Vec<PathBuf> {
        self.names().chain([Machine::FILE]).map(|name| folder.join(name)).collect()
    }
}

/// The table of a measurement, its `machine.json`, and the folder `unfinished` until it is complete.
///
/// The table is written whole after each case, that of the frames at the end. A killed process loses at most the running
/// repetition, or the running case where repetitions are not kept: a resumed run takes all from `unfinished`.
#[derive(Debug)]
pub struct Output {
    folder: PathBuf,
    table: Table,
    machine: Machine,
    kept: KeptFiles,
    /// The table of a run that is not complete.
    text: String,
    /// Names of the repetitions whose frames are rows, in the order of these rows.
    repetitions: Vec<String>,
    /// Repetitions of cases that were not done when it was resumed.
    begun: Vec<Kept<OfRepetition>>,
    /// Damage that was found when it was resumed.
    damage: Vec<Warning>,
    /// Rows of `summary.csv` of cases that were done then.
    done: HashMap<Labels, SummaryRow>,
}

impl Output {
    /// Creates the folder and its files, so that a bad path is noticed before anything is measured.
    /// Existing results are replaced only if `replace`.
    ///
    /// # Errors
    ///
    /// Where there are results already, another run writes them, or the system refuses.
    pub fn create(
        folder: &Path,
        table: Table,
        replace: bool,
        machine: &Machine,
    ) -> Result<Self, OutputError> {
        Self::open(folder, table, machine)?.begin(replace)
    }

    /// Resumes a measurement that was killed or stopped; where none was begun, begins it.
    ///
    /// # Errors
    ///
    /// Where the results come from another measurement, are complete and not as they were left, or are being
    /// written by another run, and where the system refuses.
    pub fn resume(folder: &Path, table: Table, machine: &Machine) -> Result<Self, OutputError> {
        let mut output = Self::open(folder, table, machine)?;
        let path = folder.join(Machine::FILE);
        if !path.exists() {
            return output.begin(false);
        }
        output.machine = Machine::resume(&path, machine)?;
        output.kept.run_id.clone_from(&output.machine.run_id);
        match output.machine.finished {
            Some(_) => output.check_tables()?,
            None => output.refill()?,
        }
        if output.table.has_frames {
            let rows = SummaryFile::read(&output.path())?.rows.into_iter();
            output.done = rows.map(|row| (row.labels(), row)).collect();
        }
        Ok(output)
    }

    fn open(folder: &Path, table: Table, machine: &Machine) -> Result<Self, OutputError> {
        fs::create_dir_all(folder).map_err(io_error("make the folder", folder))?;
        let kept = KeptFiles::open(folder.join(UNFINISHED))?;
        let (folder, machine, text) = (folder.to_owned(), machine.clone(), table.header.clone());
        let (repetitions, begun, damage, done) = Default::default();
        Ok(Self { folder, table, machine, kept, text, repetitions, begun, damage, done })
    }

    fn begin(mut self, replace: bool) -> Result<Self, OutputError> {
        let files = self.table.files(&self.folder);
        if let Some(path) = files.iter().find(|path| !replace && path.exists()) {
            return Err(OutputError::Exists(path.clone()));
        }
        if !replace && self.kept.has_records()? {
            return Err(OutputError::Exists(self.kept.folder.clone()));
        }
        self.check_writable()?;
        // It marks a run that can be resumed: it is removed first. `machine.json` would not describe the tables of another
        // command, and earlier versions of the program wrote the last two.
        let tables = [FRAMES, SummaryFile::NAME, StagesFile::NAME];
        let names =
            [Machine::FILE].into_iter().chain(tables).chain(["unfinished.jsonl", "worlds.csv"]);
        for path in names.map(|name| self.folder.join(name)).chain(files) {
            if path.exists() {
                fs::remove_file(&path).map_err(io_error("remove", &path))?;
            }
        }
        self.kept.clear()?;
        self.kept.run_id.clone_from(&self.machine.run_id);
        self.write_machine()?;
        self.write_table(AtomicFile::commit_unsynced)?;
        Ok(self)
    }

    /// Makes sure that all files can be written: hours later would be too late.
    fn check_writable(&self) -> Result<(), OutputError> {
        self.table.files(&self.folder).iter().try_for_each(|path| {
            AtomicFile::create(path).map(drop).map_err(io_error("write", path))
        })
    }

    /// Checks the tables of a complete run. A missing one is an error: it is not replaced by an empty one.
    fn check_tables(&self) -> Result<(), OutputError> {
        for name in self.table.names() {
            let Some(written) = self.machine.tables.get(name) else {
                let path = self.folder.join(Machine::FILE);
                let problem = format!("expected `{name}` of the `tables`");
                return Err(RowError::unreadable(&path, problem).into());
            };
            written.check(&self.folder.join(name), self.run_id())?;
        }
        Ok(())
    }

    /// Completes the table from what is kept. All of that is checked before a file is changed.
    fn refill(&mut self) -> Result<(), OutputError> {
        let content = self.kept.content()?;
        self.check_writable()?;
        for name in &content.damaged {
            let damage = Warning::damaged(&self.kept.folder.join(name));
            self.machine.warn(&damage);
            self.damage.push(damage);
        }
        self.write_machine()?;
        // Their warnings are stated by now, also if this process is killed.
        content.damaged.iter().try_for_each(|name| self.kept.remove(name))?;
        for (repetitions, rows) in content.cases {
            self.text += &rows;
            self.repetitions.extend(repetitions);
        }
        self.begun = content.begun;
        self.write_table(AtomicFile::commit_unsynced)
    }

    /// Damage that was found when it was resumed: what it concerns is measured again.
    pub fn damage(&self) -> &[Warning] {
        &self.damage
    }

    /// The `run_id` of the rows; a resumed run keeps that of its first process.
    pub fn run_id(&self) -> &str {
        &self.machine.run_id
    }

    /// The path of the table.
    pub fn path(&self) -> PathBuf {
        self.folder.join(self.table.name)
    }

    /// The row of a cell that was complete when it was resumed.
    pub fn done_row(&self, labels: &Labels) -> Option<&SummaryRow> {
        self.done.get(labels)
    }

    /// Repetitions of a case that was begun when it was resumed.
    pub fn take_begun(&mut self, case: &Case) -> Vec<FinishedRepetition> {
        let is_its = |((of, ..), _): &mut Kept<OfRepetition>| {
            (&of.input, of.n, of.seed) == (&case.input, case.n as u64, case.seed)
        };
        let finished = |((of, repeat, spent_ns, outcome), rows): Kept<OfRepetition>| {
            let Labels { algorithm, threads, .. } = of;
            let rows = csv_reader(&rows).into_deserialize().filter_map(Result::ok);
            let samples = rows.map(|row: FrameRow| row.labelled(&Labels::default())).collect();
            FinishedRepetition { algorithm, threads, repeat, spent_ns, outcome, samples }
        };
        self.begun.extract_if(.., is_its).map(finished).collect()
    }

    /// Keeps a repetition of the case that is being measured. It is handed to the system when this
    /// returns.
    ///
    /// # Errors
    ///
    /// Where the system refuses: a full disk.
    pub fn keep(
        &mut self,
        case: &Case,
        repetition: &FinishedRepetition,
    ) -> Result<(), OutputError> {
        let FinishedRepetition { repeat, spent_ns, outcome, samples, .. } = repetition;
        let labels = case.labels(self.run_id(), &repetition.algorithm, repetition.threads);
        let rows = csv_lines(samples.iter().map(|row| row.clone().labelled(&labels)));
        let rows = rows.map_err(io_error("set rows for", &self.folder.join(FRAMES)))?;
        self.kept.keep_repetition(&(labels, *repeat, *spent_ns, outcome.clone()), &rows)
    }

    /// Writes the rows of the cells of a case, whose repetitions are kept.
    ///
    /// # Errors
    ///
    /// As [`add_case`](Self::add_case).
    pub fn add_cells(&mut self, rows: &[SummaryRow]) -> Result<(), OutputError> {
        let with_frames = rows.iter().filter(|row| row.status == Status::Ok);
        let names = with_frames
            .flat_map(|row| (0..row.repeats).map(|repeat| repetition_file(&row.labels(), repeat)));
        self.add(rows, names.collect())
    }

    /// Writes the rows of a case.
    ///
    /// # Errors
    ///
    /// Where a row cannot be written as CSV, the run was complete already, and where the system refuses.
    pub fn add_case<R: Serialize>(&mut self, rows: &[R]) -> Result<(), OutputError> {
        self.add(rows, Vec::new())
    }

    fn add<R: Serialize>(
        &mut self,
        rows: &[R],
        repetitions: Vec<String>,
    ) -> Result<(), OutputError> {
        if self.machine.finished.is_some() {
            return Err(OutputError::Exists(self.path()));
        }
        let rows = csv_lines(rows).map_err(io_error("set rows for", &self.path()))?;
        self.kept.keep_case(&repetitions, &rows)?;
        self.text += &rows;
        self.repetitions.extend(repetitions);
        // Killed before, the run is resumed with the rows that are kept.
        self.write_table(AtomicFile::commit_unsynced)
    }

    /// Adds a warning to `machine.json` at once: a kill would lose it otherwise.
    ///
    /// # Errors
    ///
    /// Where the system refuses.
    pub fn warn(&mut self, warning: &Warning) -> Result<(), OutputError> {
        self.machine.warn(warning);
        self.write_machine()
    }

    /// Completes the measurement. The warnings go into `machine.json`.
    ///
    /// # Errors
    ///
    /// Where the system refuses, and where a repetition was damaged during the run.
    pub fn finish(mut self, date: &str, warnings: &[Warning]) -> Result<(), OutputError> {
        warnings.iter().for_each(|warning| self.machine.warn(warning));
        if self.machine.finished.is_none() {
            let mut content = GrowingHash::default();
            content.add(self.text.as_bytes());
            let mut tables = vec![(self.table.name, Written::new(&content, self.run_id()))];
            self.write_table(AtomicFile::commit)?;
            if self.table.has_frames {
                tables.push((FRAMES, self.write_frames()?));
            }
            self.machine.tables =
                tables.into_iter().map(|(name, w)| (name.to_owned(), w)).collect();
        }
        self.machine.finished = Some(date.to_owned());
        self.write_machine()?;
        self.kept.clear()
    }

    /// Writes the frames of all cells, one repetition after the other.
    fn write_frames(&self) -> Result<Written, OutputError> {
        let path = self.folder.join(FRAMES);
        let mut file = AtomicFile::create(&path).map_err(io_error("write", &path))?;
        let mut content = GrowingHash::default();
        let mut put = |lines: &str| {
            content.add(lines.as_bytes());
            file.write_all(lines.as_bytes()).map_err(io_error("write", &path))
        };
        put(&header::<FrameRow>())?;
        self.repetitions.iter().try_for_each(|name| put(&self.kept.frames(name)?))?;
        file.commit().map_err(io_error("write", &path))?;
        Ok(Written::new(&content, self.run_id()))
    }

    fn write_table(&self, commit: fn(AtomicFile) -> io::Result<()>) -> Result<(), OutputError> {
        write_file(&self.path(), &self.text, commit)
    }

    fn write_machine(&self) -> Result<(), OutputError> {
        self.machine.write(&self.folder.join(Machine::FILE))
    }
}

/// Writes a file that appears whole or not at all.
pub(super) fn write_file(
    path: &Path,
    content: &str,
    commit: fn(AtomicFile) -> io::Result<()>,
) -> Result<(), OutputError> {
    let write = || {
        let mut file = AtomicFile::create(path)?;
        file.write_all(content.as_bytes())?;
        commit(file)
    };
    write().map_err(io_error("write", path))
}

/// Removes existing files, and the files that a run kept in a folder, unless another run writes there.
///
/// # Errors
///
/// Where another run writes there, and where the system refuses.
pub fn remove_files(paths: &[PathBuf]) -> Result<(), OutputError> {
    let (folders, files): (Vec<&PathBuf>, Vec<&PathBuf>) =
        paths.iter().partition(|path| path.is_dir());
    let kept = folders.into_iter().map(|path| KeptFiles::open(path.clone()));
    let kept = kept.collect::<Result<Vec<KeptFiles>, OutputError>>()?;
    files.iter().try_for_each(|path| fs::remove_file(path).map_err(io_error("remove", path)))?;
    kept.iter().try_for_each(KeptFiles::clear)
}

/// The header of a table of rows `R`, as a line.
fn header<R: Serialize + Default>() -> String {
    columns::<R>().join(",") + "\r\n"
}

/// A writer of rows without a header.
fn csv_writer<W: Write>(writer: W) -> Writer<W> {
    WriterBuilder::new().has_headers(false).terminator(Terminator::CRLF).from_writer(writer)
}

/// Writes the header of a table and its rows.
///
/// # Errors
///
/// As the writer.
pub fn write_rows<R: Serialize + Default>(
    mut to: impl Write,
    rows: impl IntoIterator<Item = R>,
) -> io::Result<()> {
    to.write_all(header::<R>().as_bytes())?;
    let mut writer = csv_writer(to);
    rows.into_iter().try_for_each(|row| writer.serialize(row))?;
    writer.flush()
}

/// Rows as lines of CSV.
fn csv_lines<R: Serialize>(rows: impl IntoIterator<Item = R>) -> io::Result<String> {
    let mut writer = csv_writer(Vec::new());
    rows.into_iter().try_for_each(|row| writer.serialize(row))?;
    let lines = writer.into_inner().map_err(|error| error.into_error())?;
    String::from_utf8(lines).map_err(io::Error::other)
}

/// A reader of rows without a header.
fn csv_reader(lines: &str) -> Reader<&[u8]> {
    ReaderBuilder::new().has_headers(false).from_reader(lines.as_bytes())
}

/// A CSV table that appears under its name only when it is whole.
#[derive(Debug)]
pub struct FramesFile {
    path: PathBuf,
    file: AtomicFile,
}

impl FramesFile {
    /// Makes sure that the file can be written, before there is anything to write; missing folders
    /// are made.
    ///
    /// # Errors
    ///
    /// Where the system refuses.
    pub fn create(path: &Path) -> Result<Self, OutputError> {
        let file = AtomicFile::create_with_folder(path).map_err(io_error("write", path))?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Makes [`write`](Self::write) fail where there is a file by then, unless `replaces`.
    pub fn replacing(self, replaces: bool) -> Self {
        Self { file: self.file.replacing(replaces), ..self }
    }

    /// Writes the header and all rows, and gives the file its name.
    ///
    /// # Errors
    ///
    /// Where the system refuses; then no file is left, and one that was there before is as it was.
    pub fn write<R: Serialize + Default>(
        self,
        rows: impl IntoIterator<Item = R>,
    ) -> Result<PathBuf, OutputError> {
        let Self { path, mut file } = self;
        let written = write_rows(&mut file, rows).and_then(|()| file.commit());
        written.map_err(io_error("write", &path))?;
        Ok(path)
    }
}

/// Length and hash of a table that a run wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Written {
    bytes: u64,
    /// Hash of the content and of the run's name.
    #[serde(deserialize_with = "text_or_number")]
    hash: Checksum,
}

/// Earlier versions wrote a number, which readers of JSON may round.
fn text_or_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Checksum, D::Error> {
    match NumberOrText::deserialize(deserializer)? {
        NumberOrText::Number(number) => Ok(Checksum(number)),
        NumberOrText::Text(text) => text.parse().map_err(D::Error::custom),
    }
}

impl Written {
    fn new(content: &GrowingHash, run_id: &str) -> Self {
        Self { bytes: content.bytes(), hash: Checksum(content.value() ^ hash(run_id.as_bytes())) }
    }

    /// A whole file.
    ///
    /// # Errors
    ///
    /// Where the file cannot be read.
    pub fn of_file(path: &Path, run_id: &str) -> Result<Self, RowError> {
        let content = GrowingHash::of_file(path).map_err(|e| RowError::unreadable(path, e))?;
        Ok(Self::new(&content, run_id))
    }

    /// Checks a whole file.
    ///
    /// # Errors
    ///
    /// Where the file is not as it was written, or cannot be read.
    pub fn check(self, path: &Path, run_id: &str) -> Result<(), RowError> {
        match Self::of_file(path, run_id)? == self {
            true => Ok(()),
            false => Err(RowError::Altered(path.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_appears_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/frames.csv");
        let file = FramesFile::create(&path).unwrap();
        assert!(!path.exists());
        drop(file);
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 0);
        FramesFile::create(&path).unwrap().write::<FrameRow>([]).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text, header::<FrameRow>());
    }
}
