//! Figures from the rows of measurements: read, grouped, described as charts.

mod cells;
mod frame_times;
mod lines;
mod over_n;
mod read;
mod scaling;
mod shares;
mod stages;
mod styles;

pub use cells::{Cell, Counts, Key, PHASES};
pub use read::{Cells, read_cells, read_folders};
pub use styles::{style_of, variant_style};

use charts::Chart;
use measure::StageRow;
use std::collections::HashMap;

/// What can be drawn from measurements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// Median time of update and pairs over the number of objects, both logarithmic.
    Time,
    /// Mean time of update and pairs, which counts rare slow frames, over the number of objects.
    Mean,
    /// Frames per second over the number of objects.
    Fps,
    /// How many times as fast as brute force, over the number of objects.
    SpeedUp,
    /// Shares of update, pairs, response and drawing.
    Shares,
    /// How many times as fast as on one thread, over the number of threads.
    Threads,
    /// Median time over the share of objects that move.
    Moving,
    /// Time per test of the stages after the broad phase, from stages.csv.
    Stages,
    /// Candidates that bounding volumes let pass, from stages.csv.
    Volumes,
    /// Wrong answers of times of impact, from stages.csv.
    Impacts,
}

impl Figure {
    /// All figures, in the order of a page.
    pub const ALL: [Self; 10] = [
        Figure::Time,
        Figure::Mean,
        Figure::Fps,
        Figure::SpeedUp,
        Figure::Shares,
        Figure::Threads,
        Figure::Moving,
        Figure::Stages,
        Figure::Volumes,
        Figure::Impacts,
    ];

    /// Its word on the command line and in names of files.
    pub fn word(self) -> &'static str {
        match self {
            Figure::Time => "time",
            Figure::Mean => "mean",
            Figure::Fps => "fps",
            Figure::SpeedUp => "speed-up",
            Figure::Shares => "shares",
            Figure::Threads => "threads",
            Figure::Moving => "moving",
            Figure::Stages => "stages",
            Figure::Volumes => "volumes",
            Figure::Impacts => "impacts",
        }
    }

    /// What it shows.
    pub fn caption(self) -> &'static str {
        match self {
            Figure::Time => "Median time of update and pairs; bars are its 95 % interval",
            Figure::Mean => {
                "Mean time of update and pairs: rare slow frames, as full rebuilds, count as well"
            }
            Figure::Fps => {
                "Frames per second: update, pairs, response and drawing, by their median"
            }
            Figure::SpeedUp => "How many times as fast as brute force, by median time",
            Figure::Shares => "Where the time of a frame goes",
            Figure::Threads => "How many times as fast as on one thread, by median time",
            Figure::Moving => "Median time over the share of objects that move",
            Figure::Stages => {
                "Median time per test of each stage and method; bars are its 95 % interval"
            }
            Figure::Volumes => "What each bounding volume lets pass, of all candidates",
            Figure::Impacts => "Misses and false alarms of each time of impact, of all candidates",
        }
    }

    /// What must have been measured for it.
    pub fn needs(self) -> &'static str {
        match self {
            Figure::Time => "a median time",
            Figure::Mean => "a mean time: frames.csv, or mean_ns in summary.csv",
            Figure::Fps => "frames per second",
            Figure::SpeedUp => "brute-force and another algorithm on the same input",
            Figure::Shares => "times of update and pairs",
            Figure::Threads => "the same case on 1 and on more threads",
            Figure::Moving => "the same boxes with several shares of moving objects (--moving)",
            Figure::Stages => "times of stages: stages.csv",
            Figure::Volumes => "bounding volumes: stages.csv",
            Figure::Impacts => "times of impact: stages.csv",
        }
    }

    /// Its charts, at least one for each input for which there are figures, with a name of the input.
    pub fn charts(self, cells: &[Cell], stages: &[StageRow]) -> Vec<(String, Chart)> {
        let of_stages = |chart: fn(&stages::Group<'_>) -> Option<Chart>| {
            let groups = stages::groups(stages).into_iter();
            groups
                .filter_map(|group| Some((chart(&group)?, group)))
                .map(|(c, g)| (g.name, c))
                .collect()
        };
        match self {
            Figure::Stages => return of_stages(stages::times),
            Figure::Volumes => return of_stages(stages::shares),
            Figure::Impacts => return of_stages(stages::faults),
            _ => {}
        }
        let named = |input: &str, chart: Option<Chart>| {
            chart.map(|chart| (input.to_owned(), chart)).into_iter().collect()
        };
        let one_input = |input: &str, cells: &[&Cell]| match self {
            Figure::Time => over_n::time(input, cells),
            Figure::Mean => over_n::mean(input, cells),
            Figure::Fps => over_n::fps(input, cells),
            Figure::SpeedUp => over_n::speed_up(input, cells),
            Figure::Shares => named(input, shares::shares(input, cells)),
            Figure::Threads => named(input, scaling::threads(input, cells)),
            Figure::Moving => named(input, scaling::moving(input, cells)),
            Figure::Stages | Figure::Volumes | Figure::Impacts => Vec::new(),
        };
        let mut inputs: Vec<(&str, Vec<&Cell>)> = Vec::new();
        let mut places = HashMap::new();
        for cell in cells {
            let input: &str = match self {
                Figure::Moving => &cell.name.kind,
                _ => &cell.input,
            };
            let at = *places.entry(input).or_insert(inputs.len());
            if at == inputs.len() {
                inputs.push((input, Vec::new()));
            }
            inputs[at].1.push(cell);
        }
        inputs.into_iter().flat_map(|(input, cells)| one_input(input, &cells)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use charts::{Axis, Line, Marks, Panel, Point, Style};

    #[test]
    fn characters_hidden_in_messages_are_hidden_in_charts() {
        let is_hidden = |c: &char| sim::is_terminal_control(*c) && !matches!(c, '\n' | '\r' | '\t');
        let name: String = (0..=0x10_ffff).filter_map(char::from_u32).filter(is_hidden).collect();
        let line = Line { name, style: Style::nth(0), points: vec![Point::new(1.0, 1.0)] };
        let chart = Chart::new(Axis::linear("x"), Axis::linear("y"))
            .with(Panel::new(Marks::Lines(vec![line])));
        assert_eq!(chart.svg().unwrap().chars().find(is_hidden), None);
    }
}
