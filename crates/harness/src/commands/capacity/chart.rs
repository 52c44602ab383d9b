//! The chart: the share of lost pairs over the pairs an object, a panel for each buffer.

use super::curve::Curve;
use super::rows::{Buffer, Capacity};
use charts::{Axis, Chart, Line, Marks, Panel, Point, Style};
use std::collections::BTreeSet;

/// Height of a panel, mm.
const PANEL_MM: f64 = 36.0;

/// The chart; `None` without capacities in pairs an object.
pub(super) fn chart(curves: &[Curve]) -> Option<Chart> {
    let losses = curves.iter().flat_map(|curve| &curve.losses);
    let capacities: BTreeSet<Capacity> = losses.map(|(capacity, _)| *capacity).collect();
    if !capacities.iter().all(|capacity| capacity.per_object) {
        return None;
    }
    let values: Vec<f64> = capacities.iter().map(|capacity| capacity.pairs as f64).collect();
    let (first, last) = (*values.first()?, *values.last()?);
    let x = Axis::log("capacity, pairs an object").within(first, last.max(2.0 * first));
    let mut chart = Chart::new(x.labelled_at(values), Axis::shares("pairs lost")).wide();
    for buffer in Buffer::ALL {
        let lines = lines(curves, buffer, &capacities);
        let title = buffer.title().to_owned();
        chart = chart.with(Panel { title, marks: Marks::Lines(lines) });
    }
    Some(Chart { panel_mm: PANEL_MM, ..chart })
}

/// The worst and the middle input at each capacity, and a list that grows.
fn lines(curves: &[Curve], buffer: Buffer, capacities: &BTreeSet<Capacity>) -> Vec<Line> {
    let shares = |capacity: Capacity| {
        let of_buffer = curves.iter().filter(|curve| curve.buffer == buffer);
        let losses = of_buffer.filter_map(|curve| curve.loss(capacity));
        let mut shares: Vec<f64> = losses.map(|loss| loss.of_all).collect();
        shares.sort_by(f64::total_cmp);
        shares
    };
    let line = |name: &str, look: usize, of: &dyn Fn(&[f64]) -> Option<f64>| {
        let point = |at: &Capacity| Some(Point::new(at.pairs as f64, of(&shares(*at))?));
        let points = capacities.iter().filter_map(point).collect();
        Line { name: name.to_owned(), style: Style::nth(look), points }
    };
    vec![
        line("worst input", 0, &|shares| shares.last().copied()),
        line("median input", 1, &|shares| shares.get(shares.len() / 2).copied()),
        line("this library", 2, &|_| Some(0.0)),
    ]
}
