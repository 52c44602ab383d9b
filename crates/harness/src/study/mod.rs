//! Shared by the commands that write a page of their own: `speed`, `thesis`, `atlas`, `capacity`, `bodies --experiments`.
//!
//! A [`Study`] measures into a folder of rows. Its page and charts come from these rows alone, so
//! `--redraw` writes them again. `--resume` completes a run that was killed.

mod page;
mod row;
mod statement;

use crate::cli::StudyOptions;
use crate::commands::series::{Series, Setting};
use crate::console::note_resume;
use crate::failure::Failure;
use crate::page_files::{PageFile, cannot, make_folder, remove_old};
use crate::{Process, console};
use broadphase::registry::Algorithm;
use measure::{Exit, FolderLock, Machine, SummaryRow, UNFINISHED, Written};
#[cfg(test)]
pub(crate) use page::tests::assert_published;
pub(crate) use page::{Page, of_lines};
pub(crate) use row::{By, RowFile, StudyRow, write_rows};
use sim::{Scene, SceneDocument};
pub(crate) use statement::{
    Bound, Checked, Claim, Kind, Outcome, Statement, Verdict, claim, holds, not_measured,
    with_interval,
};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// The algorithm that chooses among the others.
pub(crate) const AUTO: &str = "auto";

/// The fast algorithms: `auto` and those that it chooses from.
pub(crate) const CHAMPIONS: [&str; 5] =
    ["box-pruning", FULL_SEARCH, "rest-grid", "neighbour-list", AUTO];

/// The fastest algorithm that caches nothing: each of its frames is a full search.
pub(crate) const FULL_SEARCH: &str = "sweep-grid";

/// The champions, in the order of [`CHAMPIONS`].
pub(crate) fn champions() -> impl Iterator<Item = &'static Algorithm> {
    CHAMPIONS.iter().filter_map(|id| broadphase::registry::find(id))
}

/// A scene that is built in, so that a command runs in any folder.
pub(crate) fn built_in(name: &str, text: &str) -> Result<Scene, Failure> {
    let wrong = |e| Failure::Running(format!("a built-in scene is wrong: {e}"));
    Ok(SceneDocument::parse(name, text.as_bytes()).map_err(wrong)?.scene().clone())
}

/// A command that measures into a folder, and writes a page about the rows there.
pub(crate) struct Study<'a> {
    /// The subcommand's name; page and folder are named after it.
    pub(crate) name: &'static str,
    pub(crate) options: &'a StudyOptions,
    /// Whether only page and charts are written, from rows that exist.
    pub(crate) is_redraw: bool,
}

/// A study that is measured.
pub(crate) struct Bench<'a> {
    pub(crate) files: &'a Files,
    pub(crate) options: &'a StudyOptions,
    pub(crate) setting: Setting<'a>,
    /// How the rows so far end the program.
    pub(crate) exit: Exit,
}

impl Study<'_> {
    /// Runs the study. `measure` measures what is not measured yet. `report` reads and checks the rows; `None` if they get
    /// no page.
    pub(crate) fn run(
        &self,
        process: &Process,
        measure: impl FnOnce(&mut Bench<'_>) -> Result<(), Failure>,
        report: impl FnOnce(&Files) -> Result<Option<Page>, Failure>,
    ) -> Result<(), Failure> {
        let (options, mut exit) = (self.options, Exit::Ok);
        let setting = Setting::new(process, options);
        let of_machine = || Path::new("results").join(setting.machine.slug());
        let folder = options.out.clone().unwrap_or_else(of_machine);
        let files = Files { folder, name: self.name };
        if !self.is_redraw {
            let warnings = setting.machine.warnings.iter().filter(|_| !options.quiet);
            warnings.for_each(console::warn);
            let mut bench = Bench { files: &files, options, setting, exit };
            measure(&mut bench).inspect_err(|failure| {
                if matches!(failure, Failure::Stopped) && !options.quiet {
                    note_resume(options.out.as_deref(), options.force);
                }
            })?;
            exit = bench.exit;
        }
        if let Some(page) = report(&files)? {
            page.write(&files, options.quiet)?;
        }
        // Each error was reported when it was found.
        Failure::unless_ok(exit)
    }
}

impl Bench<'_> {
    /// Prepares a folder of data, and makes sure that the page can be written: hours later would be too late.
    ///
    /// Tables, charts and manifests of an earlier run there are removed unless that run is resumed, so that no old file is
    /// taken for a new one. With `may_exist` the page may be there: the folder holds several parts. Then the setting
    /// replaces what a part left.
    ///
    /// Returns a lock that is held until the last file is written: between two tables none of them is locked.
    pub(crate) fn prepare(&mut self, data: &Path, may_exist: bool) -> Result<FolderLock, Failure> {
        let Self { files, options, .. } = *self;
        make_folder(data)?;
        let lock = FolderLock::take(data)?;
        if !options.resume {
            let own = ["md", "csv", "svg", "png"].map(|ending| files.file(ending));
            let old = if may_exist { Vec::new() } else { own.to_vec() };
            remove_old([old, results(data)?].concat(), options.force)?;
        }
        PageFile::create(&files.page(), options.force || options.resume || may_exist)?;
        self.setting.options.force = true;
        Ok(lock)
    }

    /// Measures a part into its folder. `subject` is what its warnings are about.
    pub(crate) fn part(
        &mut self,
        folder: &str,
        series: &Series<'_>,
        subject: Option<&str>,
    ) -> Result<(), Failure> {
        let (folder, mut rows) = (self.files.data().join(folder), Vec::new());
        series.measure(&folder, &self.setting, subject, &mut rows)?;
        self.add(rows.iter().map(SummaryRow::exit));
        Ok(())
    }

    /// Takes account of how rows end the program.
    pub(crate) fn add(&mut self, exits: impl Iterator<Item = Exit>) {
        self.exit = exits.fold(self.exit, Exit::max);
    }

    /// Writes a line to standard error, unless quiet.
    pub(crate) fn note(&self, line: &str) {
        if !self.options.quiet {
            console::note(line);
        }
    }
}

/// Whether a file is a manifest, a table, or a chart, which is written as SVG and as PNG. Other files are the user's.
fn is_result(path: &Path) -> bool {
    let is_table = || fs::read(path).is_ok_and(|text| text.starts_with(b"run_id,"));
    match path.extension().and_then(OsStr::to_str) {
        Some("json") => path.ends_with("machine.json"),
        Some("csv") => is_table(),
        Some("svg" | "png") => ["svg", "png"].iter().all(|end| path.with_extension(end).exists()),
        _ => false,
    }
}

/// Tables, manifests and charts of an earlier run in a folder and below it, and folders of unfinished runs.
pub(crate) fn results(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut found = Vec::new();
    for entry in entries.map_err(|e| cannot("read", folder, &e))? {
        let path = entry.path();
        match path.is_dir() && !path.is_symlink() && !path.ends_with(UNFINISHED) {
            true => found.extend(results(&path)?),
            false if path.ends_with(UNFINISHED) => found.push(path),
            false => found.extend(Some(path).filter(|path| is_result(path))),
        }
    }
    Ok(found)
}

/// The files of a study: all named after its command.
pub(crate) struct Files {
    /// The folder that holds all others.
    pub(crate) folder: PathBuf,
    name: &'static str,
}

impl Files {
    /// The file with this ending: of the page `md`, of the rows `csv`, of the chart `svg`.
    pub(crate) fn file(&self, ending: &str) -> PathBuf {
        self.data().with_extension(ending)
    }

    /// The page: `NAME.md`.
    pub(crate) fn page(&self) -> PathBuf {
        self.file("md")
    }

    /// The folder of the measured data: `NAME`.
    pub(crate) fn data(&self) -> PathBuf {
        self.folder.join(self.name)
    }
}

/// Adds a table to a `machine.json`, so that `--redraw` can check it. In a copy in another folder it replaces the listed
/// tables. `name` is its path from the folder of `to`.
pub(crate) fn note_table(from: &Path, to: &Path, name: &str, table: &Path) -> Result<(), Failure> {
    let mut machine = Machine::read_unchecked(from)?;
    if from != to {
        machine.tables.clear();
    }
    let written = Written::of_file(table, &machine.run_id)?;
    machine.tables.insert(name.to_owned(), written);
    Ok(machine.write(to)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_a_user_are_no_results() {
        let folder = tempfile::tempdir().unwrap();
        let part = folder.path().join("part");
        fs::create_dir(&part).unwrap();
        for (name, text) in [
            ("summary.csv", "run_id,input"),
            ("notes.csv", "id,run_id,"),
            ("machine.json", "{}"),
            ("notes.json", "{}"),
            ("chart.svg", ""),
            ("chart.png", ""),
            ("photo.png", ""),
            ("pile.bpt", ""),
        ] {
            fs::write(part.join(name), text).unwrap();
        }
        let mut found = results(folder.path()).unwrap();
        found.sort();
        let expected = ["chart.png", "chart.svg", "machine.json", "summary.csv"];
        assert_eq!(found, expected.map(|name| part.join(name)));
    }
}
