//! Times of the last steps over an axis, and the axis of bars.

use super::widgets::MIN_TEXT;
use crate::session::HISTORY_STEPS;
use egui::{
    Align2, Color32, FontId, Mesh, Painter, Pos2, Rangef, Rect, Response, Sense, Shape, Stroke, Ui,
    pos2, vec2,
};

/// Higher times are cut off if they exceed all but the rare ones by this factor.
const PEAK_RATIO: f64 = 1.5;

/// The meaning of equal distances on an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Scale {
    /// Equal differences.
    #[default]
    Linear,
    /// Equal ratios.
    Log,
}

impl Scale {
    /// The place of a value. 0 has no logarithm.
    fn place(self, value: f64) -> f64 {
        match self {
            Scale::Linear => value,
            Scale::Log => value.max(1.0).log10(),
        }
    }
}

/// An axis from 0, or from a power of ten, to the largest value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    scale: Scale,
    ends: [f64; 2],
}

impl Axis {
    pub(super) fn new(scale: Scale, least: f64, most: f64) -> Self {
        let high = scale.place(most);
        let low = match scale {
            Scale::Linear => 0.0,
            // A little below, so that a power of ten itself has a bar.
            Scale::Log => (scale.place(least) - 0.1).floor(),
        };
        Self { scale, ends: [low, high.max(low + 1e-9)] }
    }

    pub(super) fn is_linear(self) -> bool {
        self.scale == Scale::Linear
    }

    /// Where a value is, 0 to 1.
    pub(super) fn share(self, value: f64) -> f32 {
        let [low, high] = self.ends;
        ((self.scale.place(value) - low) / (high - low)).clamp(0.0, 1.0) as f32
    }

    fn is_exceeded_by(self, value: f64) -> bool {
        self.scale.place(value) > self.ends[1]
    }

    /// Round values from end to end: two to four at equal distances, or powers of ten with twice and five times those if
    /// they are few.
    fn marks(self) -> Vec<f64> {
        let [low, high] = self.ends;
        let rough = ((high - low) / 3.0).max(1e-6);
        let values: Vec<f64> = match self.scale {
            Scale::Linear => {
                let power = 10f64.powf(rough.log10().floor());
                let round = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power);
                let step = round.into_iter().find(|step| *step >= rough).unwrap_or(rough);
                (0..5).map(|number| f64::from(number) * step).collect()
            }
            Scale::Log => {
                let digits: &[f64] = if high - low < 2.5 { &[1.0, 2.0, 5.0] } else { &[1.0] };
                let powers = (low.floor() as i32)..=(high.ceil() as i32);
                powers.flat_map(|p| digits.iter().map(move |digit| digit * 10f64.powi(p))).collect()
            }
        };
        let within = |value: &f64| (low..=high).contains(&self.scale.place(*value));
        values.into_iter().filter(within).collect()
    }
}

/// The top of an axis of these values, and whether the highest one is cut off: one peak would flatten all other steps for
/// seconds. One value `in_so_many` may be cut off.
pub(super) fn top(values: &[u64], in_so_many: usize) -> (f64, bool) {
    let Some(peak) = values.iter().max() else { return (0.0, false) };
    let rank = values.len().saturating_sub(1 + values.len().div_ceil(in_so_many));
    let typical = *values.to_vec().select_nth_unstable(rank).1;
    let (peak, top) = (*peak as f64, PEAK_RATIO * typical as f64);
    if peak > top { (top, true) } else { (peak, false) }
}

/// The words of an axis of times in ns; none for those that are too short to be shown.
pub(super) fn milliseconds_from(shortest_ns: u64) -> impl Fn(f64) -> String {
    move |ns| match ns {
        ns if ns > 0.0 && ns < shortest_ns as f64 => String::new(),
        ns => format!("{} ms", ns.round() / 1e6),
    }
}

/// Draws a line through points, of dashes of this length in points, if any.
pub(super) fn line(painter: &Painter, points: &[Pos2], dash: Option<f32>, stroke: Stroke) {
    painter.extend(match dash {
        None => vec![Shape::line(points.to_vec(), stroke)],
        Some(length) => Shape::dashed_line(points, stroke, length, 0.6 * length),
    });
}

/// Half of the width of the mark of a value above the axis, in points.
const MARK: f32 = 4.0;

/// The place of a plot. Its newest step is at the right edge.
pub(super) struct Plot {
    rect: Rect,
    axis: Axis,
    painter: Painter,
}

impl Plot {
    /// Lays out a plot of this height over the whole width, with an axis of values in these words at its left.
    pub(super) fn new(
        ui: &mut Ui,
        height: f32,
        axis: Axis,
        axis_width: f32,
        in_words: impl Fn(f64) -> String,
    ) -> (Self, Response) {
        let size = vec2(ui.available_width(), height);
        let (place, response) = ui.allocate_exact_size(size, Sense::hover());
        let rect = place.with_min_x(place.left() + axis_width);
        let plot = Self { rect, axis, painter: ui.painter_at(rect) };
        let grid = Stroke::new(1.0, ui.visuals().text_color().gamma_multiply(0.15));
        let (font, color) = (FontId::proportional(MIN_TEXT), ui.visuals().weak_text_color());
        let mut below = f32::INFINITY;
        for value in axis.marks() {
            let y = plot.y(value);
            plot.painter.hline(rect.x_range(), y, grid);
            let at = y.max(rect.top() + 0.5 * MIN_TEXT).min(rect.bottom() - 0.5 * MIN_TEXT);
            if below - at > MIN_TEXT {
                let end = pos2(rect.left() - 5.0, at);
                let text = in_words(value);
                ui.painter().text(end, Align2::RIGHT_CENTER, text, font.clone(), color);
                below = at;
            }
        }
        (plot, response)
    }

    fn y(&self, value: f64) -> f32 {
        self.rect.bottom() - self.rect.height() * self.axis.share(value)
    }

    /// The columns of the last steps.
    fn columns(&self, steps: usize) -> impl Iterator<Item = Rangef> + use<> {
        let (right, width) = (self.rect.right(), self.rect.width() / HISTORY_STEPS as f32);
        (0..steps).rev().map(move |ago| {
            let right = right - ago as f32 * width;
            Rangef::new(right - width, right)
        })
    }

    /// Fills the columns of the last steps from one value to another.
    pub(super) fn fill(&self, from: &[u64], to: &[u64], color: Color32) {
        let mut mesh = Mesh::default();
        for (columns, (from, to)) in self.columns(to.len()).zip(from.iter().zip(to)) {
            let [low, high] = [*from, *to].map(|value| self.y(value as f64));
            mesh.add_colored_rect(Rect::from_x_y_ranges(columns, high..=low), color);
        }
        self.painter.add(mesh);
    }

    /// The points of a line through the values of the last steps.
    pub(super) fn points(&self, values: &[u64]) -> Vec<Pos2> {
        let columns = self.columns(values.len());
        columns.zip(values).map(|(x, value)| pos2(x.center(), self.y(*value as f64))).collect()
    }

    /// Draws a line, and a triangle at the upper edge for each value above the axis.
    pub(super) fn line(&self, points: &[Pos2], values: &[u64], dash: Option<f32>, stroke: Stroke) {
        line(&self.painter, points, dash, stroke);
        self.mark_peaks(values, stroke.color);
    }

    /// Draws a triangle at the upper edge for each value above the axis.
    pub(super) fn mark_peaks(&self, values: &[u64], color: Color32) {
        let top = self.rect.top();
        for (x, value) in self.columns(values.len()).zip(values) {
            if self.axis.is_exceeded_by(*value as f64) {
                let x = x.center();
                let base = [x - MARK, x + MARK].map(|x| pos2(x, top + 1.5 * MARK));
                let corners = vec![pos2(x, top), base[1], base[0]];
                self.painter.add(Shape::convex_polygon(corners, color, Stroke::NONE));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_few_and_round() {
        let marks = |scale, least, most| Axis::new(scale, least, most).marks();
        assert_eq!(marks(Scale::Linear, 0.0, 1e6), [0.0, 5e5, 1e6]);
        assert_eq!(marks(Scale::Linear, 0.0, 60e6), [0.0, 20e6, 40e6, 60e6]);
        for top in [0.3e6, 7e6, 33e6, 512e6, 9e11] {
            assert!((2..=4).contains(&marks(Scale::Linear, 0.0, top).len()), "{top}");
        }
        assert_eq!(marks(Scale::Log, 13.0, 1e3), [10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0]);
        assert_eq!(marks(Scale::Log, 13.0, 3e4), [10.0, 100.0, 1e3, 1e4]);
    }

    #[test]
    fn logarithmic_axis_shows_the_smallest_value_too() {
        let [linear, log] = [Scale::Linear, Scale::Log].map(|of| Axis::new(of, 2e4, 2e7));
        assert_eq!([linear.share(2e7), log.share(2e7)], [1.0; 2]);
        assert!(linear.share(2e4) < 0.002 && log.share(2e4) > 0.08);
        let [a, b, c] = [2e4, 2e5, 2e6].map(|value| log.share(value));
        assert!(((c - b) - (b - a)).abs() < 1e-6, "equal ratios, equal lengths: {a} {b} {c}");
        for scale in [Scale::Linear, Scale::Log] {
            assert!(Axis::new(scale, 0.0, 0.0).share(0.0).is_finite());
            assert_eq!(Axis::new(scale, 1e3, 1e3).share(1e3), 1.0);
        }
    }

    #[test]
    fn rare_peaks_are_cut_off() {
        let mut times = vec![4_000_000; 300];
        assert_eq!(top(&times, 100), (4e6, false));
        times[17] = 5_000_000;
        assert_eq!(top(&times, 100), (5e6, false), "a part more is no peak");
        times[20] = 2_000_000_000;
        assert_eq!(top(&times, 100), (6e6, true));
        assert_eq!(top(&times[..25], 100), (7.5e6, true), "of a few steps too");
        // Peaks of the k-d tree come every 0.2 s.
        (0..300).step_by(12).for_each(|step| times[step] = 30_000_000);
        assert_eq!([100, 10].map(|share| top(&times, share)), [(45e6, true), (6e6, true)]);
        assert_eq!([top(&[], 100), top(&[9], 100)], [(0.0, false), (9.0, false)]);
    }

    #[test]
    fn values_above_the_axis_are_marked() {
        let mut output = egui::Context::default().run_ui(Default::default(), |ui| {
            let axis = Axis::new(Scale::Linear, 0.0, 10.0);
            let (plot, _) = Plot::new(ui, 50.0, axis, 20.0, |value| value.to_string());
            plot.mark_peaks(&[1, 11, 10, 99], Color32::RED);
        });
        output.textures_delta.clear();
        let is_mark =
            |shape: &Shape| matches!(shape, Shape::Path(path) if path.fill == Color32::RED);
        assert_eq!(output.shapes.iter().filter(|clipped| is_mark(&clipped.shape)).count(), 2);
    }
}
