//! The times of the last steps as lines.

use super::entry::Entry;
use crate::panel::chart::ticks;
use crate::session::{HISTORY_STEPS, SearchTime};
use egui::Ui;
use egui_plot::{GridMark, HoverPosition, Line, LineStyle, Plot, PlotPoint, PlotPoints};

/// The axis of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Scale {
    #[default]
    Linear,
    Log,
}

/// Least time on a logarithmic axis, in ms: 0 has no logarithm.
const LEAST_MS: f64 = 1e-6;

pub(super) fn show(ui: &mut Ui, entries: &[Entry], scale: Scale) {
    let place = |ns: u64| on_axis(ns as f64 / 1e6, scale);
    let shown = || entries.iter().filter(|entry| entry.takes_part());
    let least = shown()
        .flat_map(|entry| entry.times.iter().map(|time| place(time.update_ns)))
        .reduce(f64::min);
    let ground = match scale {
        Scale::Linear => 0.0,
        Scale::Log => least.unwrap_or(-3.0).floor(),
    };
    let top = place(shown().filter_map(|entry| typical(&entry.times)).max().unwrap_or(0));
    let top = match scale {
        Scale::Linear => (1.2 * top).max(1e-3),
        Scale::Log => (top + 0.15).max(ground + 1.0),
    };
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
                Some(format!("{plot_name}: {:.3} ms", off_axis(position.y, scale)))
            }
            _ => None,
        });
    let plot = match scale {
        Scale::Linear => plot.y_grid_spacer(|input| ticks(input.bounds.1)),
        Scale::Log => plot.y_grid_spacer(|input| decades(input.bounds)),
    };
    plot.show(ui, |plot| {
        // Room for the label at the right end.
        plot.set_plot_bounds_x(-(HISTORY_STEPS as f64)..=8.0);
        plot.set_plot_bounds_y(ground..=top);
        for entry in shown() {
            let first = 1.0 - entry.times.len() as f64;
            let points = |of: fn(&SearchTime) -> u64| {
                let at = |(i, time): (usize, &SearchTime)| {
                    PlotPoint::new(first + i as f64, place(of(time)))
                };
                PlotPoints::Owned(entry.times.iter().enumerate().map(at).collect())
            };
            let update = Line::new("", points(|time| time.update_ns))
                .id((entry.row.id, "update"))
                .color(entry.color.gamma_multiply(0.6))
                .width(0.75)
                .allow_hover(false)
                .fill(ground as f32)
                .fill_alpha(0.14);
            plot.line(update);
            let width = match entry.style {
                LineStyle::Dotted { .. } => 1.0,
                _ if entry.drives => 2.5,
                _ => 1.5,
            };
            let total = Line::new(entry.row.name, points(SearchTime::total_ns))
                .id((entry.row.id, "total"))
                .color(entry.color)
                .style(entry.style)
                .width(width);
            plot.line(total);
        }
    });
}

/// The 95th percentile of an algorithm's times. Rarer peaks are cut off: they would flatten all
/// lines.
fn typical(times: &[SearchTime]) -> Option<u64> {
    let mut totals: Vec<u64> = times.iter().map(SearchTime::total_ns).collect();
    measure::percentile(&mut totals, 95)
}

/// Place of a time on the axis.
fn on_axis(ms: f64, scale: Scale) -> f64 {
    match scale {
        Scale::Linear => ms,
        Scale::Log => ms.max(LEAST_MS).log10(),
    }
}

/// The time at a place, in ms.
fn off_axis(place: f64, scale: Scale) -> f64 {
    match scale {
        Scale::Linear => place,
        Scale::Log => 10f64.powf(place),
    }
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
    fn axis_places_convert_back_to_times() {
        for scale in [Scale::Linear, Scale::Log] {
            for ms in [0.002, 1.0, 750.0] {
                let back = off_axis(on_axis(ms, scale), scale);
                assert!((back - ms).abs() < 1e-9 * ms, "{ms} became {back}");
            }
        }
        assert!(on_axis(0.0, Scale::Log).is_finite());
    }
}
