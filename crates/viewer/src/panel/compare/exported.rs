//! The chart that the comparison shows, as plain data for a file.

use super::entry::{Entry, entries};
use super::scale::Scale;
use super::{CompareState, View, bars, lines};
use crate::chart_export::{rgb, style};
use crate::panel::figures::{PAIRS_COLOR, SEARCH};
use crate::simulation::Snapshot;
use charts::{Axis, Chart, Layer, Line, Marks, Panel, Point, Stack};
use measure::SearchPhase;

/// Height of a bar in mm, and the least height of a chart of bars.
const BAR_MM: f64 = 4.0;
const MIN_MM: f64 = 30.0;

/// The lines or bars on the axis that the window shows, with a light background.
pub(crate) fn chart(snapshot: &Snapshot, state: &CompareState) -> Chart {
    let entries = entries(snapshot, false);
    let view = state.view(1 + snapshot.compared.len());
    let scale = state.scale(view, &entries);
    match view {
        View::Lines => of_lines(&entries, scale),
        View::Bars => of_bars(&entries, scale),
        View::Tests => of_tests(&entries, scale),
    }
}

fn of_lines(entries: &[Entry<'_>], scale: Scale) -> Chart {
    let lines::PlottedTimes { entries, totals, is_smooth, ends: (ground, top), above } =
        lines::PlottedTimes::new(entries, scale);
    // What is above the axis runs along its end, as in the window.
    let place = |ns: u64| scale.milliseconds_at(scale.place(ns).clamp(ground, top));
    let lines = entries.iter().zip(&totals).map(|(entry, totals)| {
        let times = entry.times.iter().zip(totals);
        let points = times.map(|(time, ns)| Point::new(time.step as f64, place(*ns)));
        Line {
            name: entry.algorithm.id.to_owned(),
            style: style(entry.color, entry.style),
            points: points.collect(),
        }
    });
    let title =
        if is_smooth { "update + pairs, running medians [ms]" } else { "update + pairs [ms]" };
    let [low, high] = [ground, top].map(|end| scale.milliseconds_at(end));
    Chart::new(Axis::linear("step"), axis(scale, title).within(low, high))
        .with(Panel { title: above.unwrap_or_default(), marks: Marks::Lines(lines.collect()) })
}

fn of_bars(entries: &[Entry<'_>], scale: Scale) -> Chart {
    let bars = bars::fastest_first(entries);
    let layer = |(name, color): (&str, _), of: &dyn Fn(&super::entry::Summary) -> u64| Layer {
        name: name.to_owned(),
        color: rgb(color),
        values: bars.iter().map(|(_, summary)| of(summary).max(1) as f64 / 1e6).collect(),
    };
    let title = "median [ms]";
    // Parts of a sum have no lengths on a logarithmic axis.
    let (axis, layers) = match scale {
        Scale::Linear => {
            let part = |(phase, color): (SearchPhase, _)| {
                layer((phase.name(), color), &|summary| summary.phases[phase])
            };
            (axis(scale, title), SEARCH.map(part).into())
        }
        Scale::Log => {
            let [low, high] = bars::ends(&bars, scale).map(|end| scale.milliseconds_at(end));
            let sum = layer(("update + pairs", PAIRS_COLOR), &|m| m.total_ns);
            (axis(scale, title).within(low, high), vec![sum])
        }
    };
    named_bars(axis, bars.iter().map(|(entry, _)| *entry), layers)
}

fn of_tests(entries: &[Entry<'_>], scale: Scale) -> Chart {
    let bars = bars::fewest_first(entries);
    let values = bars.iter().map(|(_, tests)| (*tests).max(1) as f64).collect();
    let tests = Layer { name: "tests".to_owned(), color: rgb(PAIRS_COLOR), values };
    let axis = axis(scale, "pairs tested in the step");
    named_bars(axis, bars.iter().map(|(entry, _)| *entry), vec![tests])
}

fn named_bars<'a, 'b: 'a>(
    axis: Axis,
    entries: impl ExactSizeIterator<Item = &'a Entry<'b>>,
    layers: Vec<Layer>,
) -> Chart {
    let number = entries.len();
    let names = entries.map(|entry| entry.algorithm.id.to_owned()).collect();
    let at = (0..number).map(|place| place as f64).collect();
    let mut chart = Chart::new(axis, Axis::categories("", names))
        .with(Panel::new(Marks::Bars(Stack { at, layers })));
    chart.panel_mm = (BAR_MM * number as f64).max(MIN_MM);
    chart
}

fn axis(scale: Scale, title: &str) -> Axis {
    match scale {
        Scale::Linear => Axis::linear(title),
        Scale::Log => Axis::log(title),
    }
}

#[cfg(test)]
mod tests {
    use super::super::palette;
    use super::*;

    #[test]
    fn thirty_two_algorithms_differ_in_colour_or_dash() {
        let of = |place| style(palette::color(place, false), palette::style(place));
        let styles: Vec<_> = (0..32).map(of).collect();
        for (place, one) in styles.iter().enumerate() {
            assert!(!styles[..place].contains(one), "{place} looks like another");
        }
    }
}
