//! Stacked layers, as areas or as bars.

use super::svg::{At, HAIR, Stroke, Svg, WHITE};
use crate::{Layer, Stack};

/// Half the thickness of a bar; the distance from bar to bar is 1.
pub(super) const HALF_BAR: f64 = 0.34;

/// Draws the layers as areas over the horizontal axis. `place` maps a value pair to the page, clamped to the
/// panel.
pub(super) fn draw_areas(svg: &mut Svg, stack: &Stack, place: &dyn Fn(f64, f64) -> At) {
    let edges = edges(stack);
    for (layer, pair) in stack.layers.iter().zip(edges.windows(2)) {
        let along = |edge: &[f64]| -> Vec<At> {
            stack.at.iter().zip(edge).map(|(&at, &sum)| place(at, sum)).collect()
        };
        let (lower, upper) = (along(&pair[0]), along(&pair[1]));
        let outline: Vec<_> = lower.iter().chain(upper.iter().rev()).copied().collect();
        svg.named(&layer.name, layer.color, |svg| {
            svg.polygon(&outline, layer.color);
            svg.path(&upper, Stroke::solid(WHITE, HAIR));
        });
    }
}

/// Draws the layers as horizontal bars, the first category on top. `words` states the value of a layer at a
/// category.
pub(super) fn draw_bars(
    svg: &mut Svg,
    stack: &Stack,
    place: &dyn Fn(f64, f64) -> At,
    words: &dyn Fn(&Layer, usize) -> String,
) {
    let edges = edges(stack);
    for (layer, pair) in stack.layers.iter().zip(edges.windows(2)) {
        for (index, &at) in stack.at.iter().enumerate() {
            let from = place(pair[0][index], at - HALF_BAR);
            let to = place(pair[1][index], at + HALF_BAR);
            svg.value(&words(layer, index), |svg| {
                svg.rect([from, to], layer.color);
                if to.0 > from.0 {
                    svg.path(&[(to.0, from.1), to], Stroke::solid(WHITE, HAIR));
                }
            });
        }
    }
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
