//! Stacked layers, as areas or as bars.

use super::panel::Plot;
use super::svg::{At, HAIR, Stroke, Svg, WHITE, fill};
use crate::Stack;

/// Half the thickness of a bar; the distance from bar to bar is 1.
pub(super) const HALF_BAR: f64 = 0.34;

impl Plot<'_> {
    /// Draws the layers as areas over the horizontal axis.
    pub(super) fn draw_areas(&self, svg: &mut Svg, stack: &Stack) {
        let edges = edges(stack);
        for (layer, pair) in stack.layers.iter().zip(edges.windows(2)) {
            let along = |edge: &[f64]| -> Vec<At> {
                stack.at.iter().zip(edge).map(|(&at, &sum)| self.clamped(at, sum)).collect()
            };
            let (lower, upper) = (along(&pair[0]), along(&pair[1]));
            let outline: Vec<_> = lower.iter().chain(upper.iter().rev()).copied().collect();
            svg.named(&layer.name, layer.color, |svg| {
                svg.polygon(&outline, layer.color);
                svg.path(&upper, Stroke::solid(WHITE, HAIR));
            });
        }
    }

    /// Draws the layers as horizontal bars, the first category on top.
    pub(super) fn draw_bars(&self, svg: &mut Svg, stack: &Stack) {
        let edges = edges(stack);
        for (layer, pair) in stack.layers.iter().zip(edges.windows(2)) {
            for (index, &at) in stack.at.iter().enumerate() {
                let from = self.clamped(pair[0][index], at - HALF_BAR);
                let to = self.clamped(pair[1][index], at + HALF_BAR);
                svg.value(&self.page.bar_words(layer, at, index), |svg| {
                    svg.rect([from, to], fill(layer.color));
                    if to.0 > from.0 {
                        svg.path(&[(to.0, from.1), to], Stroke::solid(WHITE, HAIR));
                    }
                });
            }
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
