//! Factors: bars that begin at 1, each with its label behind it.

use super::lines::{CAP, draw_interval};
use super::panel::Plot;
use super::stacks::HALF_BAR;
use super::svg::{Anchor, GAP, HAIR, INK, Stroke, Svg, TEXT, fill};
use crate::font::Font;
use crate::{Chart, Factor, Marks, Rgb};

/// Colour of bars above 1: light, so that an interval's end inside the bar is visible.
const ABOVE: Rgb = Rgb(110, 195, 240);
/// Colour of bars below 1: darker in grey.
const BELOW: Rgb = Rgb(213, 94, 0);
/// Width of the stroke that is a goal.
const GOAL: i32 = 10;
/// How far a goal's stroke extends above and below the bar, as a share of the distance from bar to bar.
const GOAL_BEYOND: f64 = 0.1;

/// Width that the labels take right of the longest bar: half of the page at most.
pub(super) fn width_of_labels(chart: &Chart, page_width: i32) -> i32 {
    let factors = chart.panels.iter().filter_map(|panel| match &panel.marks {
        Marks::Factors(factors) => Some(factors),
        _ => None,
    });
    let widest = factors.flatten().map(|factor| Font::regular(TEXT).width(&factor.label)).max();
    widest.map_or(0, |widest| (widest + GAP).min(page_width / 2))
}

impl Plot<'_> {
    /// Draws the bars, and the line at 1. No label goes beyond the page.
    pub(super) fn draw_factors(&self, svg: &mut Svg, factors: &[Factor]) {
        for factor in factors {
            svg.value(&self.page.factor_words(factor), |svg| self.draw_factor(svg, factor));
        }
        let one = self.clamped(1.0, 0.0).0;
        svg.path(&[(one, self.top), (one, self.bottom)], Stroke::solid(INK, 2 * HAIR));
    }

    fn draw_factor(&self, svg: &mut Svg, factor: &Factor) {
        let middle = factor.at as f64;
        let (lower, upper) = (factor.value.min(1.0), factor.value.max(1.0));
        let color = if factor.value < 1.0 { BELOW } else { ABOVE };
        let corners =
            [self.clamped(lower, middle - HALF_BAR), self.clamped(upper, middle + HALF_BAR)];
        svg.rect(corners, fill(color));
        let mut end = corners[1].0;
        if let Some(ends) = factor.interval {
            let ends = ends.map(|value| self.clamped(value, middle));
            draw_interval(svg, ends, (0, CAP), INK);
            end = end.max(ends[1].0);
        }
        if let Some(goal) = factor.goal {
            let reach = HALF_BAR + GOAL_BEYOND;
            let stroke = [middle - reach, middle + reach].map(|at| self.clamped(goal, at));
            svg.path(&stroke, Stroke::solid(INK, GOAL));
            end = end.max(stroke[0].0);
        }
        let (font, left) = (Font::regular(TEXT), end + GAP);
        let label = font.fitted(&factor.label, self.page.width - GAP - left);
        svg.text(&label, (left, self.clamped(1.0, middle).1), font, Anchor::Left);
    }
}
