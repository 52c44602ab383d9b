//! Factors: bars that begin at 1, each with its label behind it.

use super::lines::{CAP, draw_interval};
use super::stacks::HALF_BAR;
use super::svg::{Anchor, At, GAP, HAIR, INK, Stroke, Svg, TEXT};
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

/// Draws the bars of a panel from `top` to `bottom`; no label goes beyond `right`. `place` maps a factor and
/// a category to the page, clamped to the panel. `words` states a factor.
pub(super) fn draw_factors(
    svg: &mut Svg,
    factors: &[Factor],
    [top, bottom]: [i32; 2],
    right: i32,
    place: &dyn Fn(f64, f64) -> At,
    words: &dyn Fn(&Factor) -> String,
) {
    for factor in factors {
        svg.value(&words(factor), |svg| draw_factor(svg, factor, right, place));
    }
    let one = place(1.0, 0.0).0;
    svg.path(&[(one, top), (one, bottom)], Stroke::solid(INK, 2 * HAIR));
}

fn draw_factor(svg: &mut Svg, factor: &Factor, right: i32, place: &dyn Fn(f64, f64) -> At) {
    let middle = factor.at as f64;
    let (lower, upper) = (factor.value.min(1.0), factor.value.max(1.0));
    let fill = if factor.value < 1.0 { BELOW } else { ABOVE };
    let corners = [place(lower, middle - HALF_BAR), place(upper, middle + HALF_BAR)];
    svg.rect(corners, fill);
    let mut end = corners[1].0;
    if let Some(ends) = factor.interval {
        let ends = ends.map(|value| place(value, middle));
        draw_interval(svg, ends, (0, CAP), INK);
        end = end.max(ends[1].0);
    }
    if let Some(goal) = factor.goal {
        let reach = HALF_BAR + GOAL_BEYOND;
        let stroke = [middle - reach, middle + reach].map(|at| place(goal, at));
        svg.path(&stroke, Stroke::solid(INK, GOAL));
        end = end.max(stroke[0].0);
    }
    let (font, left) = (Font::regular(TEXT), end + GAP);
    let label = font.fitted(&factor.label, right - left);
    svg.text(&label, (left, place(1.0, middle).1), font, Anchor::Left);
}
