//! The times of the last steps as lines.

use super::entry::Entry;
use super::scale::Scale;
use crate::panel::chart::ticks;
use crate::panel::format::milliseconds;
use crate::session::HISTORY_STEPS;
use egui::{Align2, RichText, Ui};
use egui_plot::{
    GridMark, HoverPosition, ItemId, Line, LineStyle, Plot, PlotPoint, PlotPoints, Text,
};
use measure::SearchPhase;

/// Above this number of algorithms, lines are running medians: single peaks would cover each other.
const MAX_WITH_PEAKS: usize = 8;

/// Steps of a running median.
const MEDIAN_STEPS: usize = 15;

/// Most algorithms named that are above the axis.
const MAX_ABOVE: usize = 4;

/// What the lines show.
struct PlottedTimes<'a, 'b> {
    entries: Vec<&'a Entry<'b>>,
    /// The times of each in ns, or their running medians.
    totals: Vec<Vec<u64>>,
    /// Both ends of the axis.
    ends: (f64, f64),
    /// The algorithms above it, in words.
    above: Option<String>,
}

impl<'a, 'b> PlottedTimes<'a, 'b> {
    fn new(entries: &'a [Entry<'b>], scale: Scale) -> Self {
        let entries: Vec<_> = entries.iter().filter(|entry| entry.takes_part()).collect();
        let is_smooth = entries.len() > MAX_WITH_PEAKS;
        let totals: Vec<Vec<u64>> = entries.iter().map(|entry| totals(entry, is_smooth)).collect();
        let ends = bounds(&totals, scale);
        let above = above(&entries, &totals, scale, ends.1);
        Self { entries, totals, ends, above }
    }
}

/// Shows the lines. `hovered` is the line under the pointer: its update is filled, else that of the driving
/// algorithm.
pub(super) fn show(ui: &mut Ui, entries: &[Entry<'_>], scale: Scale, hovered: &mut Option<ItemId>) {
    let PlottedTimes { entries: shown, totals, ends: (ground, top), above, .. } =
        PlottedTimes::new(entries, scale);
    let plot = plot(scale);
    let filled = |entry: &Entry<'_>| match *hovered {
        Some(hovered) => hovered == ItemId::new(line_of(entry)),
        None => entry.drives,
    };
    let drawn = plot.show(ui, |plot| {
        // Room for the label at the right end.
        plot.set_plot_bounds_x(-(HISTORY_STEPS as f64)..=8.0);
        plot.set_plot_bounds_y(ground..=top);
        for (entry, totals) in shown.iter().zip(&totals) {
            let points = |times: &mut dyn Iterator<Item = u64>| {
                let first = 1.0 - totals.len() as f64;
                let at = |(i, ns): (usize, u64)| PlotPoint::new(first + i as f64, scale.place(ns));
                PlotPoints::Owned(times.enumerate().map(at).collect())
            };
            // One area at most: those of many algorithms cover each other, and take long to draw.
            if filled(entry) {
                let times = &mut entry.times.iter().map(|time| time.phases[SearchPhase::Update]);
                let update = Line::new("", points(times))
                    .id((entry.algorithm.id, "update"))
                    .color(entry.color.gamma_multiply(0.6))
                    .width(0.75)
                    .allow_hover(false)
                    .fill(ground as f32)
                    .fill_alpha(0.14);
                plot.line(update);
            }
            let width = match entry.style {
                LineStyle::Dotted { .. } => 1.0,
                _ if entry.drives => 2.5,
                _ => 1.5,
            };
            let total = Line::new(entry.algorithm.name, points(&mut totals.iter().copied()))
                .id(line_of(entry))
                .color(entry.color)
                .style(entry.style)
                .width(width);
            plot.line(total);
        }
        if let Some(above) = above {
            let place = PlotPoint::new(-(HISTORY_STEPS as f64), top);
            let text = Text::new("above", place, RichText::new(above).small());
            plot.text(text.anchor(Align2::LEFT_TOP).allow_hover(false));
        }
    });
    *hovered = drawn.hovered_plot_item;
}

/// The empty plot of times on a scale.
fn plot(scale: Scale) -> Plot<'static> {
    let plot = Plot::new(("compared times", scale == Scale::Log))
        .show_axes([true, true])
        .show_x(false)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_axis_zoom_drag(false)
        .allow_double_click_reset(false)
        .show_grid([false, true])
        .x_axis_formatter(|mark, _| match mark.value {
            0.0 => "now".to_owned(),
            ago => format!("{:.0} steps ago", -ago),
        })
        .x_grid_spacer(|_| {
            let marks = (0..3).map(|hundred| f64::from(hundred) * -100.0);
            marks.map(|value| GridMark { value, step_size: 100.0 }).collect()
        })
        .y_axis_min_width(56.0)
        .y_axis_formatter(move |mark, _| match scale {
            Scale::Linear => format!("{} ms", (mark.value * 1e6).round() / 1e6),
            Scale::Log => format!("{} ms", significant(10f64.powf(mark.value))),
        })
        .label_formatter(move |hover| match hover {
            HoverPosition::NearDataPoint { plot_name, position, .. } if !plot_name.is_empty() => {
                let ms = scale.milliseconds_at(position.y);
                Some(format!("{plot_name}: {} ms", milliseconds(ms * 1e6)))
            }
            _ => None,
        });
    match scale {
        Scale::Linear => plot.y_grid_spacer(|input| ticks(input.bounds.1)),
        Scale::Log => plot.y_grid_spacer(|input| decades(input.bounds)),
    }
}

/// The id of an algorithm's line.
fn line_of(entry: &Entry<'_>) -> (&'static str, &'static str) {
    (entry.algorithm.id, "total")
}

/// The times of an algorithm in ns, or their running median.
fn totals(entry: &Entry<'_>, smooth: bool) -> Vec<u64> {
    let totals: Vec<u64> = entry.times.iter().map(|time| time.phases.total_ns()).collect();
    if !smooth {
        return totals;
    }
    // One buffer for all: this is done for each picture.
    let mut buffer = [0; MEDIAN_STEPS];
    let median = |end: usize| {
        let last = &totals[(end + 1).saturating_sub(MEDIAN_STEPS)..=end];
        let buffer = &mut buffer[..last.len()];
        buffer.copy_from_slice(last);
        measure::median(buffer).unwrap_or_default()
    };
    (0..totals.len()).map(median).collect()
}

/// Both ends of the axis: from 0, or from the power of ten below the least time, to the 95th percentile of all
/// times. Rarer ones would flatten all lines.
fn bounds(totals: &[Vec<u64>], scale: Scale) -> (f64, f64) {
    let mut all: Vec<u64> = totals.iter().flatten().copied().collect();
    let top = scale.place(measure::percentile(&mut all, 95).unwrap_or(0));
    match scale {
        Scale::Linear => (0.0, (1.2 * top).max(1e-3)),
        Scale::Log => {
            let least = all.iter().min().map_or(-3.0, |least| scale.place(*least));
            (least.floor(), (top + 0.15).max(least.floor() + 1.0))
        }
    }
}

/// The algorithms whose last time is above the axis, in words.
fn above(shown: &[&Entry<'_>], totals: &[Vec<u64>], scale: Scale, top: f64) -> Option<String> {
    let last =
        shown.iter().zip(totals).filter_map(|(entry, totals)| Some((entry, *totals.last()?)));
    let mut above: Vec<_> = last.filter(|(_, ns)| scale.place(*ns) > top).collect();
    above.sort_by_key(|(_, ns)| std::cmp::Reverse(*ns));
    let mut names: Vec<String> = above
        .iter()
        .take(MAX_ABOVE)
        .map(|(entry, ns)| format!("{} {} ms", entry.algorithm.id, milliseconds(*ns as f64)))
        .collect();
    if above.len() > MAX_ABOVE {
        names.push(format!("{} more", above.len() - MAX_ABOVE));
    }
    (!names.is_empty()).then(|| format!("above the axis: {}", names.join(", ")))
}

/// Powers of ten between two logarithms; where they are few, also twice and five times those.
fn decades((low, high): (f64, f64)) -> Vec<GridMark> {
    let powers = (low.floor() as i32)..=(high.ceil() as i32);
    let digits: &[(f64, f64)] = match high - low {
        ..2.5 => &[(1.0, 1.0), (2.0, 0.3), (5.0, 0.3)],
        _ => &[(1.0, 1.0)],
    };
    let marks = powers.flat_map(|power| {
        digits.iter().map(move |(digit, step_size)| GridMark {
            value: f64::from(power) + digit.log10(),
            step_size: *step_size,
        })
    });
    marks.filter(|mark| (low..=high).contains(&mark.value)).collect()
}

/// A number without the rounding error of its logarithm.
fn significant(number: f64) -> f64 {
    let unit = 10f64.powf(number.log10().floor() - 2.0);
    // Scaled by a whole number, so that 0.05 stays 0.05.
    let per_unit = (1.0 / unit).round().max(1.0);
    if unit < 1.0 { (number * per_unit).round() / per_unit } else { number.round() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithmic_marks_are_round_numbers() {
        let labels = |low, high| -> Vec<f64> {
            decades((low, high)).iter().map(|mark| significant(10f64.powf(mark.value))).collect()
        };
        assert_eq!(labels(-2.0, 0.0), [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0]);
        assert_eq!(labels(-1.2, 3.4), [0.1, 1.0, 10.0, 100.0, 1000.0]);
    }

    #[test]
    fn rare_peaks_do_not_decide_the_axis() {
        // A step of 30 ms every twelfth step, of one algorithm among four.
        let mut totals = vec![vec![1_000_000; 300]; 4];
        (0..300).step_by(12).for_each(|step| totals[2][step] = 30_000_000);
        assert_eq!(bounds(&totals, Scale::Linear), (0.0, 1.2));
        let (ground, top) = bounds(&totals, Scale::Log);
        assert!(ground == 0.0 && top == 1.0, "{ground} to {top}");
        assert!(bounds(&[], Scale::Linear).1 > 0.0);
    }

    #[test]
    fn many_lines_are_running_medians() {
        let mut entry =
            super::super::entry::tests::timed([1, 9, 1, 1, 7, 1].map(|ms| ms * 1_000_000));
        assert_eq!(totals(&entry, false)[1], 9_000_000);
        assert_eq!(totals(&entry, true)[2..], [1_000_000; 4]);
        entry.times = std::borrow::Cow::default();
        assert!(totals(&entry, true).is_empty());
    }
}
