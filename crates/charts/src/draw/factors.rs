//! Factors: bars that begin at 1, each with its label behind it.

use super::lines::{CAP, draw_interval};
use super::measures::{Area, Drawn, GAP, HAIR, INK, TEXT};
use super::stacks::HALF_BAR;
use super::svg::{Group, grouped};
use crate::{Chart, Factor, Marks, font};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Colour of bars above 1: light, so that an interval's end inside the bar is visible.
const ABOVE: RGBColor = RGBColor(110, 195, 240);
/// Colour of bars below 1: darker in grey.
const BELOW: RGBColor = RGBColor(213, 94, 0);
/// Width of the stroke that is a goal.
const GOAL: u32 = 10;
/// How far a goal's stroke extends above and below the bar, as a share of the distance from bar to bar.
const GOAL_BEYOND: f64 = 0.1;

/// Width that the labels take right of the longest bar: half of the page at most.
pub(super) fn width_of_labels(chart: &Chart, page_width: i32) -> i32 {
    let factors = chart.panels.iter().filter_map(|panel| match &panel.marks {
        Marks::Factors(factors) => Some(factors),
        _ => None,
    });
    let text = font::regular(TEXT);
    let widest = factors.flatten().map(|factor| font::width(&factor.label, &text)).max();
    widest.map_or(0, |widest| (widest + GAP).min(page_width / 2))
}

/// Draws the bars of a panel from `top` to `bottom`; no label goes beyond `right`. `place` maps a factor and
/// a category to the page, clamped to the panel. `words` states a factor.
pub(super) fn draw_factors(
    root: &Area<'_>,
    factors: &[Factor],
    [top, bottom]: [i32; 2],
    right: i32,
    place: &dyn Fn(f64, f64) -> (i32, i32),
    words: &dyn Fn(&Factor) -> String,
) -> Drawn {
    for factor in factors {
        grouped(root, &Group::Value(&words(factor)), || draw_factor(root, factor, right, place))?;
    }
    let one = place(1.0, 0.0).0;
    root.draw(&PathElement::new([(one, top), (one, bottom)], INK.stroke_width(2 * HAIR)))?;
    Ok(())
}

fn draw_factor(
    root: &Area<'_>,
    factor: &Factor,
    right: i32,
    place: &dyn Fn(f64, f64) -> (i32, i32),
) -> Drawn {
    let middle = factor.at as f64;
    let (lower, upper) = (factor.value.min(1.0), factor.value.max(1.0));
    let fill = if factor.value < 1.0 { BELOW } else { ABOVE };
    let corners = [place(lower, middle - HALF_BAR), place(upper, middle + HALF_BAR)];
    root.draw(&Rectangle::new(corners, fill.filled()))?;
    let mut end = corners[1].0;
    if let Some(ends) = factor.interval {
        let ends = ends.map(|value| place(value, middle));
        draw_interval(root, ends, (0, CAP), INK)?;
        end = end.max(ends[1].0);
    }
    if let Some(goal) = factor.goal {
        let reach = HALF_BAR + GOAL_BEYOND;
        let stroke = [middle - reach, middle + reach].map(|at| place(goal, at));
        root.draw(&PathElement::new(stroke, INK.stroke_width(GOAL)))?;
        end = end.max(stroke[0].0);
    }
    let left = end + GAP;
    let regular = font::regular(TEXT);
    let label = font::fitted(&factor.label, &regular, right - left);
    let anchor = Pos::new(HPos::Left, VPos::Center);
    let style = TextStyle::from(regular).color(&INK).pos(anchor);
    root.draw(&Text::new(label, (left, place(1.0, middle).1), style))?;
    Ok(())
}
