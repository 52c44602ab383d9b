//! `harness plot`: figures from CSV files.

use crate::console;
use crate::failure::Failure;
use crate::page_files::{PageFile, refuse_input};
use charts::Chart;
use clap::{Args, value_parser};
use report::{Cells, Figure, read_cells, read_folders, whole_plan};
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct PlotOptions {
    /// summary.csv and frames.csv of runs, where frames complete the summary of the same run; or the
    /// folder of a run, or those of all its shards
    #[arg(required = true, value_name = "CSV")]
    pub(crate) files: Vec<PathBuf>,

    /// Which figures; `all` are those for which there are data
    #[arg(long, value_name = "all|FIGURE,..", value_delimiter = ',', default_value = "time")]
    #[arg(value_parser = figures)]
    figures: Vec<Vec<Figure>>,

    /// Where to: .svg or .png, or both by two names. If there are several charts, figure and input
    /// are appended to the name
    #[arg(long, required = true, value_name = "F.svg,F.png", value_delimiter = ',')]
    pub(crate) out: Vec<PathBuf>,

    /// Resolution of PNG files, dots per inch; a chart is a column of 88 mm wide
    #[arg(long, value_name = "DPI", default_value = "300")]
    #[arg(value_parser = value_parser!(u32).range(30..=2400))]
    pub(crate) dpi: u32,

    /// Replace files that are there already
    #[arg(long)]
    pub(crate) force: bool,

    /// Print nothing but errors
    #[arg(long)]
    pub(crate) quiet: bool,
}

impl PlotOptions {
    /// The figures asked for, each once, in their own order.
    pub(crate) fn figures(&self) -> Vec<Figure> {
        Figure::ALL.into_iter().filter(|f| self.figures.concat().contains(f)).collect()
    }

    /// Whether figures without data are to be passed over.
    pub(crate) fn all_figures(&self) -> bool {
        self.figures.iter().any(|named| named.len() > 1)
    }
}

/// All figures, or the one of a word.
fn figures(word: &str) -> Result<Vec<Figure>, String> {
    if word == "all" {
        return Ok(Figure::ALL.to_vec());
    }
    let figure = Figure::ALL.into_iter().find(|figure| figure.word() == word);
    let known = Figure::ALL.map(|figure| format!("\n{}: {}", figure.word(), figure.needs()));
    figure
        .map(|figure| vec![figure])
        .ok_or_else(|| format!("expected all, or one of{}", known.concat()))
}

/// Draws the figures that are asked for, in the formats that the names ask for.
pub(crate) fn plot(options: &PlotOptions) -> Result<(), Failure> {
    let are_png = options.out.iter().map(|out| is_png(out)).collect::<Result<Vec<_>, _>>()?;
    let read = read(&options.files)?;
    // Printed also with `quiet`: a figure must not look complete where it is not.
    for row in &read.left_out {
        console::note(&format!("left out: {row}"));
    }
    let charts = charts(options, &read)?;

    // All files are opened before the first is drawn.
    let mut jobs = Vec::new();
    for (suffix, chart) in &charts {
        for (out, is_png) in options.out.iter().zip(&are_png) {
            let path = if charts.len() == 1 { out.clone() } else { completed(out, suffix) };
            refuse_input(&path, &options.files)?;
            jobs.push((PageFile::create(&path, options.force)?, path, chart, *is_png));
        }
    }
    for (file, path, chart, is_png) in jobs {
        let bytes = match is_png {
            true => chart.png(options.dpi.into()),
            false => chart.svg().map(String::into_bytes),
        };
        let undrawable = |e| Failure::Running(format!("cannot draw {}: {e}", path.display()));
        let bytes = bytes.map_err(undrawable)?;
        file.write(&bytes)?;
        if !options.quiet {
            console::print(&format!("{}\n", path.display()))?;
        }
    }
    Ok(())
}

/// Reads CSV files, or folders of runs: where there are several, all shards of one plan.
fn read(paths: &[PathBuf]) -> Result<Cells, Failure> {
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) =
        paths.iter().cloned().partition(|path| path.is_dir());
    if folders.is_empty() {
        return Ok(read_cells(&files)?);
    }
    if let Some(file) = files.first() {
        return Err(Failure::Usage(format!(
            "{} is a file, {} a folder: give either files or folders",
            file.display(),
            folders[0].display()
        )));
    }
    let mut sources = whole_plan(&folders)?;
    let read = read_folders(&folders)?;
    console::warn_unfinished(&mut sources);
    Ok(read)
}

/// The charts with the suffixes of their file names.
fn charts(options: &PlotOptions, read: &Cells) -> Result<Vec<(String, Chart)>, Failure> {
    let mut charts = Vec::new();
    let figures = options.figures();
    for figure in &figures {
        let of_figure = figure.charts(&read.cells, &read.stages);
        if of_figure.is_empty() && !options.all_figures() {
            return Err(nothing(*figure));
        }
        let several = of_figure.len() > 1;
        for (input, chart) in of_figure {
            let mut suffix =
                if figures.len() > 1 { figure.word().to_owned() } else { String::new() };
            if several {
                suffix = [suffix, file_word(&input)].join("-");
            }
            charts.push((suffix.trim_matches('-').to_owned(), chart));
        }
    }
    if charts.is_empty() {
        return Err(nothing(Figure::Time));
    }
    distinguish(&mut charts);
    Ok(charts)
}

/// Inputs of the same name in different folders get a number each.
fn distinguish<T>(charts: &mut [(String, T)]) {
    // By wanted name, the last number. Names that end in a number may be taken already.
    let (mut taken, mut numbers) = (HashSet::new(), HashMap::new());
    for (name, _) in charts {
        let wanted = name.clone();
        while !taken.insert(name.clone()) {
            let number = numbers.entry(wanted.clone()).or_insert(1);
            *number += 1;
            *name = format!("{wanted}-{number}");
        }
    }
}

fn nothing(figure: Figure) -> Failure {
    Failure::BadFile(format!(
        "there is nothing to draw for `{}`: it takes {}",
        figure.word(),
        figure.needs()
    ))
}

/// Whether a name asks for PNG, not SVG.
fn is_png(path: &Path) -> Result<bool, Failure> {
    let ending = path.extension().map(OsStr::to_ascii_lowercase);
    match ending.as_deref().and_then(OsStr::to_str) {
        Some("svg") => Ok(false),
        Some("png") => Ok(true),
        _ => Err(Failure::Usage(format!(
            "--out {}: the name ends in .svg or .png, which says what is written",
            path.display()
        ))),
    }
}

/// `figure.svg` and `time-random` become `figure-time-random.svg`.
fn completed(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push("-");
    name.push(suffix);
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

/// Most bytes of an input's name in a file's name, which may have 255 on most systems.
const MAX_FILE_WORD: usize = 120;

/// An input as a part of a file's name: `scenes/fer.scene` becomes `fer`. A long one is cut to its end.
fn file_word(input: &str) -> String {
    let known = [".scene", ".bpt"].iter().find_map(|extension| input.strip_suffix(extension));
    let path = Path::new(known.unwrap_or(input));
    let stem = path.file_name().map_or_else(|| input.to_owned(), |n| n.to_string_lossy().into());
    let word = |c: char| if c.is_alphanumeric() || c == '.' { c } else { '-' };
    let mut text = String::new();
    for c in stem.chars().map(word) {
        if c != '-' || !text.ends_with('-') {
            text.push(c);
        }
    }
    let beyond = text.len().saturating_sub(MAX_FILE_WORD);
    text[text.ceil_char_boundary(beyond)..].trim_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_numbered_and_completed_before_the_extension() {
        let mut charts = ["a", "b", "a", "a-2", "a", "b"].map(|name| (name.to_owned(), ()));
        distinguish(&mut charts);
        assert_eq!(charts.map(|(name, ())| name), ["a", "b", "a-2", "a-2-2", "a-3", "b-2"]);
        assert_eq!(completed(Path::new("a/b.c.svg"), "fps"), Path::new("a/b.c-fps.svg"));
        assert_eq!(file_word("scenes/fer.scene"), "fer");
        assert_eq!(file_word("brownian --moving 0.1"), "brownian-moving-0.1");
        assert_eq!(file_word(&("ž".repeat(300) + " end")), "ž".repeat(58) + "-end");
    }
}
