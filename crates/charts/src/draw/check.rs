//! Checks a chart before it is drawn, and finds the range of its values.

use crate::{Axis, Chart, ChartError, Line, Marks, Scale, Stack};

/// Least and greatest value on the horizontal axis, and on the vertical one. Each value has a place on its axis.
pub(super) fn check(chart: &Chart) -> Result<[[f64; 2]; 2], ChartError> {
    let (mut x, mut y) = (Reach::of(&chart.x), Reach::of(&chart.y));
    let category = |at: usize| format!("category {at}");
    for panel in &chart.panels {
        match &panel.marks {
            Marks::Lines(lines) => take_lines(lines, [&mut x, &mut y])?,
            // Bars are horizontal: they grow to the right.
            Marks::Bars(stack) => take_stack(stack, [&mut y, &mut x])?,
            Marks::Layered(stack, lines) => {
                take_stack(stack, [&mut x, &mut y])?;
                take_lines(lines, [&mut x, &mut y])?;
            }
            Marks::Dots(dots) => dots.iter().try_for_each(|dot| {
                y.take(&category(dot.at), [dot.at as f64])?;
                let ends = dot.interval.into_iter().flatten();
                x.take(&category(dot.at), ends.chain([dot.value]))
            })?,
            Marks::Factors(factors) => factors.iter().try_for_each(|factor| {
                y.take(&category(factor.at), [factor.at as f64])?;
                let ends = factor.interval.into_iter().flatten().chain(factor.goal);
                // The bar begins at 1.
                x.take(&category(factor.at), ends.chain([factor.value, 1.0]))
            })?,
            Marks::Tiles(tiles) => tiles.iter().try_for_each(|tile| {
                x.take(&tile.name, tile.x)?;
                y.take(&tile.name, tile.y)
            })?,
        }
    }
    Ok([x.ends()?, y.ends()?])
}

fn take_lines(lines: &[Line], [x, y]: [&mut Reach<'_>; 2]) -> Result<(), ChartError> {
    for line in lines {
        for point in &line.points {
            x.take(&line.name, [point.x])?;
            y.take(&line.name, point.interval.into_iter().flatten().chain([point.y]))?;
        }
    }
    Ok(())
}

fn take_stack(stack: &Stack, [places, sums]: [&mut Reach<'_>; 2]) -> Result<(), ChartError> {
    for layer in &stack.layers {
        let (expected, found) = (stack.at.len(), layer.values.len());
        if expected != found {
            return Err(ChartError::Length { series: layer.name.clone(), expected, found });
        }
        places.take(&layer.name, stack.at.iter().copied())?;
        for (index, &value) in layer.values.iter().enumerate() {
            let all: f64 = stack.layers.iter().filter_map(|l| l.values.get(index)).sum();
            // Layers show their thickness only if the axis begins at 0. On a logarithmic one they have none: bars show
            // where they end.
            let base = (sums.axis.scale != Scale::Log).then_some(0.0);
            sums.take(&layer.name, [value, all].into_iter().chain(base))?;
        }
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

    fn take(
        &mut self,
        series: &str,
        values: impl IntoIterator<Item = f64>,
    ) -> Result<(), ChartError> {
        for value in values {
            if !value.is_finite() || (self.axis.scale == Scale::Log && value <= 0.0) {
                let (series, axis) = (series.to_owned(), self.axis.label.clone());
                return Err(ChartError::NoPlace { series, axis, value });
            }
            (self.least, self.most) = (self.least.min(value), self.most.max(value));
        }
        Ok(())
    }

    fn ends(&self) -> Result<[f64; 2], ChartError> {
        if self.least > self.most { Err(ChartError::Empty) } else { Ok([self.least, self.most]) }
    }
}
