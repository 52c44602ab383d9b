//! Files that appear whole or not at all: charts, pages.

use crate::failure::Failure;
use charts::Chart;
use measure::{is_same_file, remove_files};
use sim::{AtomicFile, refuse_link};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Resolution of PNG files, dots per inch.
const DPI: f64 = 300.0;

/// A file that is open for writing before its content exists; it appears whole or not at all.
pub(crate) struct PageFile {
    path: PathBuf,
    file: AtomicFile,
}

impl PageFile {
    /// Makes sure that the file can be written. An existing file is replaced only if `replace`, also one that
    /// appears before this is written.
    pub(crate) fn create(path: &Path, replace: bool) -> Result<Self, Failure> {
        refuse_existing(path, replace)?;
        let file = AtomicFile::create(path).map_err(|e| cannot("write", path, &e))?;
        Ok(Self { path: path.to_owned(), file: file.replacing(replace) })
    }

    /// Writes all of it.
    pub(crate) fn write(mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.file
            .write_all(bytes)
            .and_then(|()| self.file.commit())
            .map_err(|e| cannot("write", &self.path, &e))
    }
}

/// Refuses to replace an existing file unless `replace`, and a symbolic link always.
pub(crate) fn refuse_existing(path: &Path, replace: bool) -> Result<(), Failure> {
    refuse_link(path).map_err(|e| cannot("write", path, &e))?;
    if path.exists() && !replace {
        return Err(Failure::Running(format!(
            "{} exists already: choose another name, or --force to replace it",
            path.display()
        )));
    }
    Ok(())
}

/// Refuses an output that is one of the inputs: also with --force, which is about earlier outputs.
pub(crate) fn refuse_input(out: &Path, inputs: &[PathBuf]) -> Result<(), Failure> {
    if inputs.iter().any(|input| is_same_file(input, out)) {
        let out = out.display();
        return Err(Failure::Usage(format!("--out: {out} is an input: choose another name")));
    }
    Ok(())
}

/// Refuses a name with another ending: a mistake could replace a file of another kind, such as an input.
pub(crate) fn require_ending(out: &Path, ending: &str) -> Result<(), Failure> {
    if has_ending(out, ending) {
        return Ok(());
    }
    let out = out.display();
    Err(Failure::Usage(format!("--out {out}: expected a name that ends in .{ending}")))
}

pub(crate) fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending))
}

/// Removes the existing ones of the files, if that is allowed, and no other run writes one of them.
pub(crate) fn remove_old(mut files: Vec<PathBuf>, allowed: bool) -> Result<(), Failure> {
    files.retain(|path| path.exists() || path.is_symlink());
    files.iter().try_for_each(|path| refuse_existing(path, allowed))?;
    Ok(remove_files(&files)?)
}

/// Draws a chart into an SVG file and a PNG file of the same name, in place of existing ones.
pub(crate) fn write_chart(svg_path: &Path, chart: &Chart) -> Result<(), Failure> {
    let paths = [svg_path, &svg_path.with_extension("png")];
    let [svg, png] = paths.map(|path| image(chart, path, DPI));
    let images = [svg?, png?];
    paths
        .iter()
        .zip(images)
        .try_for_each(|(path, image)| PageFile::create(path, true)?.write(&image))
}

/// A chart as the content of a file: PNG if its name says so, else SVG.
pub(crate) fn image(chart: &Chart, path: &Path, dpi: f64) -> Result<Vec<u8>, Failure> {
    let image = match has_ending(path, "png") {
        true => chart.png(dpi),
        false => chart.svg().map(String::into_bytes),
    };
    image.map_err(|e| Failure::Running(format!("cannot draw {}: {e}", path.display())))
}

/// Makes a folder, unless it is there.
pub(crate) fn make_folder(folder: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|e| cannot("make the folder", folder, &e))
}

/// The error of an action on a path.
pub(crate) fn cannot(action: &str, path: &Path, error: &std::io::Error) -> Failure {
    Failure::Running(format!("cannot {action} {}: {error}", path.display()))
}
