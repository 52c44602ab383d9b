//! `harness plot`: figures from CSV files.

use crate::console;
use crate::failure::Failure;
use crate::page_files::{PageFile, has_ending, image, refuse_input};
use charts::Chart;
use clap::{Args, value_parser};
use report::{Cells, Figure, read_cells, read_folders, whole_plan};
use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
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
    let is_image = |out: &Path| has_ending(out, "svg") || has_ending(out, "png");
    if let Some(out) = options.out.iter().find(|out| !is_image(out)) {
        return Err(Failure::Usage(format!(
            "--out {}: the name ends in .svg or .png, which says what is written",
            out.display()
        )));
    }
    let read = read(&options.files)?;
    // Printed also with `quiet`: a figure must not look complete where it is not.
    for row in &read.left_out {
        console::note(&format!("left out: {row}"));
    }
    let charts = charts(options, &read)?;

    // All files are opened before the first is drawn.
    let mut jobs = Vec::new();
    for (suffix, chart) in &charts {
        for out in &options.out {
            let path = if charts.len() == 1 { out.clone() } else { completed(out, suffix) };
            refuse_input(&path, &options.files)?;
            jobs.push((PageFile::create(&path, options.force)?, path, chart));
        }
    }
    for (file, path, chart) in jobs {
        file.write(&image(chart, &path, options.dpi.into())?)?;
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
    let asked = options.figures.concat();
    let figures: Vec<Figure> = Figure::ALL.into_iter().filter(|f| asked.contains(f)).collect();
    // Of all figures, those without data are passed over.
    let are_all = options.figures.iter().any(|named| named.len() > 1);
    for figure in &figures {
        let of_figure = figure.charts(&read.cells, &read.stages);
        if of_figure.is_empty() && !are_all {
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

/// `figure.svg` and `time-random` become `figure-time-random.svg`.
fn completed(path: &Path, suffix: &str) -> PathBuf {
    let [stem, ending] = [path.file_stem(), path.extension()].map(Option::unwrap_or_default);
    let parts = [stem, OsStr::new("-"), OsStr::new(suffix), OsStr::new("."), ending];
    path.with_file_name(parts.into_iter().collect::<OsString>())
}

/// Most bytes of an input's name in a file's name, which may have 255 on most systems.
const MAX_FILE_WORD: usize = 120;

/// An input as a part of a file's name: `scenes/fer.scene` becomes `fer`. A long one is cut to its end.
fn file_word(input: &str) -> String {
    let known = [".scene", ".bpt"].iter().find_map(|extension| input.strip_suffix(extension));
    let path = Path::new(known.unwrap_or(input));
    let stem = path.file_name().map_or_else(|| input.to_owned(), |n| n.to_string_lossy().into());
    let words = stem.split(|c: char| !c.is_alphanumeric() && c != '.');
    let text = words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-");
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
