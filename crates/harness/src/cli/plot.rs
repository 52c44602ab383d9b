//! `harness plot`.

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, value_parser};
use report::Figure;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct PlotOptions {
    /// summary.csv and frames.csv of runs, where frames complete the summary of the same run; or the
    /// folder of a run, or those of all its shards
    #[arg(required = true, value_name = "CSV")]
    pub(crate) files: Vec<PathBuf>,

    /// Which figures; `all` are those for which there are data
    #[arg(long, value_name = "all|FIGURE,..", value_delimiter = ',', default_value = "time")]
    #[arg(value_parser = figure_or_all())]
    figures: Vec<String>,

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
        let wanted = |f: &Figure| self.all_figures() || self.figures.iter().any(|w| w == f.word());
        Figure::ALL.into_iter().filter(wanted).collect()
    }

    /// Whether figures without data are to be passed over.
    pub(crate) fn all_figures(&self) -> bool {
        self.figures.iter().any(|word| word == "all")
    }
}

fn figure_or_all() -> PossibleValuesParser {
    let all = PossibleValue::new("all");
    let each =
        Figure::ALL.into_iter().map(|figure| PossibleValue::new(figure.word()).help(help(figure)));
    PossibleValuesParser::new(std::iter::once(all).chain(each))
}

/// The help of a figure's word.
fn help(figure: Figure) -> &'static str {
    match figure {
        Figure::Time => {
            "Median time of update and pairs over the number of objects, both logarithmic"
        }
        Figure::Mean => {
            "Mean time of update and pairs, which counts rare slow frames, over the number of objects"
        }
        Figure::Fps => "Frames per second over the number of objects",
        Figure::SpeedUp => "How many times as fast as brute force, over the number of objects",
        Figure::Shares => "Shares of update, pairs, response and drawing",
        Figure::Threads => "How many times as fast as on one thread, over the number of threads",
        Figure::Moving => "Median time over the share of objects that move",
        Figure::Stages => "Time per test of the stages after the broad phase, from stages.csv",
        Figure::Volumes => "What bounding volumes let pass, from stages.csv",
        Figure::Impacts => "Misses and false alarms of times of impact, from stages.csv",
    }
}
