//! Stacked layers, as areas or as bars.

use super::measures::{Area, Drawn, HAIR};
use super::svg::{Group, grouped};
use crate::{Layer, Rgb, Stack};
use plotters::prelude::*;

/// Half the thickness of a bar; the distance from bar to bar is 1.
pub(super) const HALF_BAR: f64 = 0.34;

/// Draws the layers as areas over the horizontal axis. `place` maps a value pair to the page, clamped to the
/// panel.
pub(super) fn draw_areas(
    root: &Area<'_>,
    stack: &Stack,
    place: &dyn Fn(f64, f64) -> (i32, i32),
) -> Drawn {
    let edges = edges(stack);
    for (layer, pair) in stack.layers.iter().zip(edges.windows(2)) {
        let along = |edge: &[f64]| -> Vec<(i32, i32)> {
            stack.at.iter().zip(edge).map(|(&at, &sum)| place(at, sum)).collect()
        };
        let (lower, upper) = (along(&pair[0]), along(&pair[1]));
        let outline: Vec<_> = lower.iter().chain(upper.iter().rev()).copied().collect();
        grouped(root, &Group::of_fill(&layer.name, layer.color), || {
            root.draw(&Polygon::new(outline, color(layer.color).filled()))?;
            Ok(root.draw(&PathElement::new(upper, WHITE.stroke_width(HAIR)))?)
        })?;
    }
    Ok(())
}

/// Draws the layers as horizontal bars, the first category on top. `words` states the value of a layer at a
/// category.
pub(super) fn draw_bars(
    root: &Area<'_>,
    stack: &Stack,
    place: &dyn Fn(f64, f64) -> (i32, i32),
    words: &dyn Fn(&Layer, usize) -> String,
) -> Drawn {
    let edges = edges(stack);
    for (layer, pair) in stack.layers.iter().zip(edges.windows(2)) {
        for (index, &at) in stack.at.iter().enumerate() {
            let from = place(pair[0][index], at - HALF_BAR);
            let to = place(pair[1][index], at + HALF_BAR);
            grouped(root, &Group::Value(&words(layer, index)), || {
                root.draw(&Rectangle::new([from, to], color(layer.color).filled()))?;
                if to.0 > from.0 {
                    root.draw(&PathElement::new([(to.0, from.1), to], WHITE.stroke_width(HAIR)))?;
                }
                Ok(())
            })?;
        }
    }
    Ok(())
}

/// The lower edge of the lowest layer, then the upper edge of each.
fn edges(stack: &Stack) -> Vec<Vec<f64>> {
    let mut edges = vec![vec![0.0; stack.at.len()]];
    for layer in &stack.layers {
        let upper = edges[edges.len() - 1].iter().zip(&layer.values).map(|(sum, v)| sum + v);
        edges.push(upper.collect());
    }
    edges
}

fn color(Rgb(r, g, b): Rgb) -> RGBColor {
    RGBColor(r, g, b)
}
