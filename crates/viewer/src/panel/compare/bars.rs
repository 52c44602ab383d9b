//! Medians as bars, the fastest algorithm first.

use super::View;
use super::entry::{Entry, Summary};
use super::scale::Scale;
use crate::panel::format::{compact, counted, milliseconds};
use crate::panel::widgets::MIN_TEXT;
use egui::text::{LayoutJob, TextWrapping};
use egui::{Align2, FontId, Rect, Response, Role, ScrollArea, Sense, Ui, WidgetInfo, vec2};

/// Height of a bar with the gap below it, in points.
const ROW_HEIGHT: f32 = 19.0;

/// Width of the names, of the gap after them, and of the figures, in points. Longer names differ in this width.
const NAME_WIDTH: f32 = 214.0;
const NAME_GAP: f32 = 6.0;
const FIGURE_WIDTH: f32 = 76.0;

/// Beyond the larger ratio of two bars, the shorter one cannot be read on a linear axis. Below the smaller one, the axis is
/// linear again: it does not change with each step.
const LINEAR_RATIOS: [u64; 2] = [15, 20];

/// Whether a chart has bars of which one is much longer than another; `before` is the last answer.
pub(super) fn are_uneven(view: View, entries: &[Entry<'_>], before: bool) -> bool {
    let lengths: Vec<u64> = match view {
        View::Lines => return before,
        View::Bars => fastest_first(entries).iter().map(|(_, summary)| summary.total_ns).collect(),
        View::Tests => fewest_first(entries).iter().map(|(_, tests)| *tests).collect(),
    };
    let ends = lengths.first().zip(lengths.last());
    let most = LINEAR_RATIOS[usize::from(!before)];
    ends.is_some_and(|(shortest, longest)| *longest > most.saturating_mul((*shortest).max(1)))
}

/// Shows the medians as bars, the fastest algorithm first.
pub(super) fn show_times(ui: &mut Ui, entries: &[Entry<'_>], scale: Scale) {
    let bars = fastest_first(entries);
    let axis = Axis { scale, ends: ends(&bars, scale) };
    // Parts of a sum have no lengths on a logarithmic axis.
    let parts = |summary: &Summary| match scale {
        Scale::Linear => summary.phases.iter().map(|(_, ns)| ns).collect(),
        Scale::Log => vec![summary.total_ns],
    };
    let bars = bars.iter().map(|(entry, summary)| Bar {
        entry,
        parts: parts(summary),
        figure: format!("{} ms", milliseconds(summary.total_ns as f64)),
        words: format!("{}: {}", entry.algorithm.name, summary.words()),
    });
    show(ui, bars, axis, "No step has been taken yet.");
}

/// Shows the tests of the present step as bars, the fewest first.
pub(super) fn show_tests(ui: &mut Ui, entries: &[Entry<'_>], scale: Scale) {
    let bars = fewest_first(entries);
    let tests = || bars.iter().map(|(_, tests)| *tests);
    let axis = Axis::new(scale, tests().min().unwrap_or(1), tests().max().unwrap_or(1));
    let bars = bars.iter().map(|(entry, tests)| Bar {
        entry,
        parts: vec![*tests],
        figure: compact(*tests as f64),
        words: format!("{}: {}", entry.algorithm.name, counted(*tests as usize, "pair tested")),
    });
    show(ui, bars, axis, "No algorithm has searched this step.");
}

fn show<'a, 'b: 'a>(
    ui: &mut Ui,
    bars: impl ExactSizeIterator<Item = Bar<'a, 'b>>,
    axis: Axis,
    without: &str,
) {
    if bars.len() == 0 {
        ui.weak(without);
    }
    ScrollArea::vertical().id_salt("bars").auto_shrink([false, false]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        for of_entry in bars {
            bar(ui, &of_entry, axis).on_hover_text(of_entry.words);
        }
    });
}

/// The bar of an algorithm.
struct Bar<'a, 'b> {
    entry: &'a Entry<'b>,
    /// Its parts, one after the other.
    parts: Vec<u64>,
    /// Their sum in words, and all that is known of it.
    figure: String,
    words: String,
}

/// The entries that searched the present step with the tests that they made, the fewest first.
fn fewest_first<'a, 'b>(entries: &'a [Entry<'b>]) -> Vec<(&'a Entry<'b>, u64)> {
    let tests = |entry: &'a Entry<'b>| Some((entry, entry.counted?.tests));
    let taking_part = entries.iter().filter(|entry| entry.takes_part());
    let mut bars: Vec<_> = taking_part.filter_map(tests).collect();
    bars.sort_by_key(|(_, tests)| *tests);
    bars
}

/// The entries with times, the fastest first.
fn fastest_first<'a, 'b>(entries: &'a [Entry<'b>]) -> Vec<(&'a Entry<'b>, Summary)> {
    let mut bars: Vec<_> =
        entries.iter().filter_map(|entry| Some((entry, entry.summary?))).collect();
    bars.sort_by_key(|(_, summary)| summary.total_ns);
    bars
}

/// Places on the axis of a bar without length, and of the longest bar.
fn ends(bars: &[(&Entry<'_>, Summary)], scale: Scale) -> [f64; 2] {
    let drawn = |summary: &Summary| match scale {
        Scale::Linear => summary.phases.total_ns(),
        Scale::Log => summary.total_ns,
    };
    let times = || bars.iter().map(|(_, summary)| drawn(summary));
    Axis::new(scale, times().min().unwrap_or(1), times().max().unwrap_or(1)).ends
}

/// Lengths of bars.
#[derive(Clone, Copy, Debug)]
struct Axis {
    scale: Scale,
    /// Place of a bar without length, and of the longest bar.
    ends: [f64; 2],
}

impl Axis {
    /// From 0, or from the power of ten below the shortest time, to the longest one.
    fn new(scale: Scale, shortest_ns: u64, longest_ns: u64) -> Self {
        let [shortest, longest] = [shortest_ns, longest_ns].map(|ns| scale.place(ns.max(1)));
        let ground = match scale {
            Scale::Linear => 0.0,
            // A little below, so that a power of ten itself has a bar.
            Scale::Log => (shortest - 0.1).floor(),
        };
        Self { scale, ends: [ground, longest] }
    }

    /// The length of a bar as a share of the longest one's.
    fn share(&self, ns: u64) -> f32 {
        let [ground, longest] = self.ends;
        ((self.scale.place(ns) - ground) / (longest - ground)).clamp(0.0, 1.0) as f32
    }
}

fn bar(ui: &mut Ui, Bar { entry, parts, figure, .. }: &Bar<'_, '_>, axis: Axis) -> Response {
    let size = vec2(ui.available_width(), ROW_HEIGHT);
    let (row, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| {
        WidgetInfo::labeled(Role::Label, true, format!("{}: {figure}", entry.algorithm.name))
    });
    let painter = ui.painter().with_clip_rect(row.intersect(ui.clip_rect()));
    let visuals = ui.visuals();
    let text = if entry.drives { visuals.strong_text_color() } else { visuals.text_color() };
    let font = FontId::proportional(MIN_TEXT);
    let names = Rect::from_min_size(row.min, vec2(NAME_WIDTH.min(0.5 * row.width()), row.height()));
    let mut name = LayoutJob::simple_singleline(entry.algorithm.name.to_owned(), font, text);
    name.wrap = TextWrapping::truncate_at_width(names.width() - NAME_GAP);
    let name = painter.layout_job(name);
    painter.galley(row.left_center() - vec2(0.0, 0.5 * name.size().y), name, text);

    let length = (row.right() - FIGURE_WIDTH - names.right()).max(0.0);
    let end = |ns: u64| names.right() + length * axis.share(ns);
    let middle = row.y_range().shrink(3.0);
    let (mut sum, mut left) = (0, names.right());
    for (place, ns) in parts.iter().enumerate() {
        sum += ns;
        let part = Rect::from_x_y_ranges(left..=end(sum), middle);
        // The last phase has the full colour, those before it are lighter.
        let shade = 0.45_f32.powi((parts.len() - 1 - place) as i32);
        painter.rect_filled(part, 0.0, entry.color.gamma_multiply(shade));
        left = end(sum);
    }
    let at = egui::pos2(left + 5.0, row.center().y);
    painter.text(at, Align2::LEFT_CENTER, figure, FontId::monospace(MIN_TEXT), text);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithmic_bars_show_the_fastest_too() {
        let [linear, log] = [Scale::Linear, Scale::Log].map(|s| Axis::new(s, 20_000, 20_000_000));
        assert_eq!([linear.share(20_000_000), log.share(20_000_000)], [1.0; 2]);
        assert!(linear.share(20_000) < 0.002 && log.share(20_000) > 0.08);
        let tenfold = [20_000, 200_000, 2_000_000].map(|ns| log.share(ns));
        let [a, b, c] = tenfold;
        assert!(((c - b) - (b - a)).abs() < 1e-6, "equal ratios, equal lengths: {tenfold:?}");
        for scale in [Scale::Linear, Scale::Log] {
            assert!(Axis::new(scale, 0, 0).share(0).is_finite());
            assert_eq!(Axis::new(scale, 1000, 1000).share(1000), 1.0);
        }
    }
}
