//! The values of marks in words: the titles that a browser shows under the mouse.

use super::page::Page;
use crate::scale::Ruler;
use crate::{Dot, Factor, Layer, Line, Point};

impl Page<'_> {
    /// A point of a curve: the curve's name, then a line for each axis.
    pub(super) fn point_words(&self, line: &Line, point: &Point) -> String {
        let x = quantity(&self.chart.x.label, &self.x, point.x, None);
        let y = quantity(&self.chart.y.label, &self.y, point.y, point.interval);
        [&line.name[..], &x, &y].join("\n")
    }

    /// The value of a category.
    pub(super) fn dot_words(&self, dot: &Dot) -> String {
        let value = quantity(&self.chart.x.label, &self.x, dot.value, dot.interval);
        [self.y.label(dot.at as f64), value].join("\n")
    }

    /// The factor of a category.
    pub(super) fn factor_words(&self, factor: &Factor) -> String {
        let value = quantity(&self.chart.x.label, &self.x, factor.value, factor.interval);
        let goal = factor.goal.map(|goal| quantity("goal", &self.x, goal, None));
        let lines = [Some(self.y.label(factor.at as f64)), Some(value), goal];
        lines.into_iter().flatten().collect::<Vec<_>>().join("\n")
    }

    /// A layer of the bar at a category.
    pub(super) fn bar_words(&self, layer: &Layer, at: f64, index: usize) -> String {
        let value = quantity(&layer.name, &self.x, layer.values[index], None);
        [self.y.label(at), value].join("\n")
    }
}

/// `label: value (low to high)`.
fn quantity(label: &str, ruler: &Ruler, value: f64, interval: Option<[f64; 2]>) -> String {
    let label = if label.is_empty() { String::new() } else { format!("{label}: ") };
    let ends = interval.map(|ends| ends.map(|end| ruler.value(end)));
    let ends = ends.map(|[low, high]| format!(" ({low} to {high})")).unwrap_or_default();
    format!("{label}{}{ends}", ruler.value(value))
}
