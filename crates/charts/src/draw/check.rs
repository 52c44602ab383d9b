//! Checks a chart before it is drawn, and finds the range of its values.

use crate::{Axis, Chart, ChartError, Line, Marks, Scale, Stack};

/// Least and greatest value on each axis.
pub(super) struct Extent {
    pub(super) x: [f64; 2],
    pub(super) y: [f64; 2],
}

/// The extent of all values, each of which has a place on its axis.
pub(super) fn check(chart: &Chart) -> Result<Extent, ChartError> {
    let (mut x, mut y) = (Reach::of(&chart.x), Reach::of(&chart.y));
    for panel in &chart.panels {
        match &panel.marks {
            Marks::Lines(lines) => lines_reach(lines, &mut x, &mut y)?,
            Marks::Areas(stack) => {
                stack_reach(stack, &mut x, &mut y)?;
            }
            Marks::Layered(stack, lines) => {
                stack_reach(stack, &mut x, &mut y)?;
                lines_reach(lines, &mut x, &mut y)?;
            }
            Marks::Dots(dots) => {
                for dot in dots {
                    let name = format!("category {}", dot.at);
                    y.take(&name, dot.at as f64)?;
                    for value in dot.interval.iter().flatten().chain([&dot.value]) {
                        x.take(&name, *value)?;
                    }
                }
            }
            Marks::Factors(factors) => {
                for factor in factors {
                    let name = format!("category {}", factor.at);
                    y.take(&name, factor.at as f64)?;
                    let ends = factor.interval.iter().flatten().chain(&factor.goal);
                    // The bar begins at 1.
                    for value in ends.chain([&factor.value, &1.0]) {
                        x.take(&name, *value)?;
                    }
                }
            }
            Marks::Tiles(tiles) => {
                for tile in tiles {
                    tile.x.iter().try_for_each(|end| x.take(&tile.name, *end))?;
                    tile.y.iter().try_for_each(|end| y.take(&tile.name, *end))?;
                }
            }
            // Bars are horizontal: they grow to the right.
            Marks::Bars(stack) => stack_reach(stack, &mut y, &mut x)?,
        }
    }
    Ok(Extent { x: x.ends()?, y: y.ends()? })
}

fn lines_reach(lines: &[Line], x: &mut Reach<'_>, y: &mut Reach<'_>) -> Result<(), ChartError> {
    for line in lines {
        for point in &line.points {
            x.take(&line.name, point.x)?;
            y.take(&line.name, point.y)?;
            for end in point.interval.iter().flatten() {
                y.take(&line.name, *end)?;
            }
        }
    }
    Ok(())
}

fn stack_reach(
    stack: &Stack,
    places: &mut Reach<'_>,
    sums: &mut Reach<'_>,
) -> Result<(), ChartError> {
    for layer in &stack.layers {
        let (expected, found) = (stack.at.len(), layer.values.len());
        if expected != found {
            return Err(ChartError::Length { series: layer.name.clone(), expected, found });
        }
        for (index, &at) in stack.at.iter().enumerate() {
            places.take(&layer.name, at)?;
            let below: f64 = stack.layers.iter().filter_map(|l| l.values.get(index)).sum();
            sums.take(&layer.name, layer.values[index])?;
            sums.take(&layer.name, below)?;
        }
    }
    // Layers show their thickness only if the axis begins at 0. On a logarithmic one they have none: bars show where
    // they end.
    if !stack.at.is_empty() && !stack.layers.is_empty() && sums.axis.scale != Scale::Log {
        sums.take("the base of the stack", 0.0)?;
    }
    Ok(())
}

/// The range of the values on an axis.
struct Reach<'a> {
    axis: &'a Axis,
    least: f64,
    most: f64,
}

impl<'a> Reach<'a> {
    fn of(axis: &'a Axis) -> Self {
        Self { axis, least: f64::INFINITY, most: f64::NEG_INFINITY }
    }

    fn take(&mut self, series: &str, value: f64) -> Result<(), ChartError> {
        if !value.is_finite() || (self.axis.scale == Scale::Log && value <= 0.0) {
            let (series, axis) = (series.to_owned(), self.axis.label.clone());
            return Err(ChartError::NoPlace { series, axis, value });
        }
        (self.least, self.most) = (self.least.min(value), self.most.max(value));
        Ok(())
    }

    fn ends(&self) -> Result<[f64; 2], ChartError> {
        if self.least > self.most { Err(ChartError::Empty) } else { Ok([self.least, self.most]) }
    }
}
