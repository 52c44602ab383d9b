//! A bar over the kept steps, with pairs, time and events along it: a click or a drag shows another step.

mod figures;

use super::bookmarks;
use super::command::Command;
use super::figures::{MOTION_COLOR, PAIRS_COLOR, RESPONSE_COLOR, UPDATE_COLOR};
use super::format::{compact, counted, megabytes, milliseconds_from};
use super::state::PanelState;
use super::status::Status;
use super::view_menu;
use crate::session::{Peak, Timeline};
use crate::simulation::{Order, Snapshot};
use egui::{
    Align, Color32, CursorIcon, Layout, Pos2, Rect, Response, Sense, Shape, Stroke, Ui, WidgetInfo,
    pos2, vec2,
};
use sim::scene::{Action, Event};
use std::ops::RangeInclusive;

/// Height of the strip in points.
pub const SCRUBBER_HEIGHT: f32 = 62.0;

/// Height of the graph in points.
const GRAPH_HEIGHT: f32 = 28.0;

/// A click goes to the highest peak within this many points of it; the pointer names events as near.
const PEAK_REACH: f32 = 3.0;

/// Height of the tick of an event in points.
const TICK_HEIGHT: f32 = 9.0;

pub(super) fn show(
    ui: &mut Ui,
    state: &mut PanelState,
    snapshot: &Snapshot,
    status: &Status<'_>,
    commands: &mut Vec<Command>,
) {
    ui.add_space(3.0);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        // From the right, so that figures are cut short and not the buttons.
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            view_menu::show(ui, state, commands);
            bookmarks::show(ui, &mut state.bookmarks, snapshot, status, commands);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| figures::show(ui, snapshot));
        });
    });
    graph(ui, &mut state.dragged_to, snapshot, commands);
}

/// The events of the scene within the kept steps, with the step of each.
fn events(snapshot: &Snapshot) -> impl Iterator<Item = (u64, &Event)> {
    let dt = f64::from(snapshot.input.scene.dt);
    let steps =
        snapshot.input.scene.events.iter().map(move |event| (step_of(event.time, dt), event));
    steps.filter(|(step, _)| snapshot.motion.kept.contains(step))
}

/// The step, counted from 1, that an event at this time takes place in: step n lasts from (n - 1) dt to n dt. The quotient of
/// two numbers of 24 bits is not rounded to a whole number.
fn step_of(time: f32, dt: f64) -> u64 {
    (f64::from(time) / dt) as u64 + 1
}

/// The action of an event.
fn event_in_words(event: &Event) -> String {
    match event.action {
        Action::RemoveSource(source) => format!("source {source} is removed"),
        Action::Hold { attract, seconds } => {
            let does = if attract { "attracts" } else { "repels" };
            format!("the line {does} for {seconds} s")
        }
    }
}

/// The colours of pairs and time.
fn colors(ui: &Ui) -> [Color32; 2] {
    let dark = ui.visuals().dark_mode;
    let time = if dark { RESPONSE_COLOR } else { Color32::from_rgb(0xa8, 0x62, 0x00) };
    let pairs = if dark { PAIRS_COLOR } else { UPDATE_COLOR };
    [pairs, time]
}

/// Steps along the width of the bar.
#[derive(Clone, Copy, Debug)]
struct Bar {
    rect: Rect,
    first: u64,
    last: u64,
}

impl Bar {
    fn new(rect: Rect, steps: &RangeInclusive<u64>) -> Self {
        Self { rect, first: *steps.start(), last: *steps.end() }
    }

    /// Where a step is.
    fn x(&self, step: u64) -> f32 {
        let steps = (self.last - self.first).max(1) as f64;
        let share = (step as f64 - self.first as f64) / steps;
        self.rect.left() + self.rect.width() * share.clamp(0.0, 1.0) as f32
    }

    /// The step at a place.
    fn step(&self, x: f32) -> u64 {
        let share =
            f64::from(((x - self.rect.left()) / self.rect.width().max(1.0)).clamp(0.0, 1.0));
        self.first + (share * (self.last - self.first) as f64).round() as u64
    }

    /// The step that a click means: the highest peak near it, else the step itself.
    fn clicked(&self, x: f32, timeline: &Timeline) -> u64 {
        let step = self.step(x);
        let peaks = [pairs_of(timeline), times_of(timeline)].into_iter().flat_map(peaks);
        let near = peaks.filter(|(of, _)| (self.x(*of) - x).abs() <= PEAK_REACH);
        let highest = near.max_by(|(a, a_height), (b, b_height)| {
            a_height.total_cmp(b_height).then(b.abs_diff(step).cmp(&a.abs_diff(step)))
        });
        highest.map_or(step, |(peak, _)| peak)
    }
}

/// The graph of the pairs, and that of the times.
fn pairs_of(timeline: &Timeline) -> Vec<Peak> {
    timeline.bins().filter_map(|(_, bin)| bin.pairs).collect()
}

fn times_of(timeline: &Timeline) -> Vec<Peak> {
    timeline.bins().filter_map(|(_, bin)| bin.time).collect()
}

/// The steps of a graph, each with its height above the lowest one, 0 to 1. A flat graph has no peaks.
fn peaks(graph: Vec<Peak>) -> impl Iterator<Item = (u64, f64)> {
    let values = || graph.iter().map(|peak| peak.value);
    let [low, high] = [values().min(), values().max()].map(Option::unwrap_or_default);
    let height = move |value| (value - low) as f64 / (high - low).max(1) as f64;
    graph.into_iter().map(move |peak| (peak.step, height(peak.value)))
}

fn graph(
    ui: &mut Ui,
    dragged_to: &mut Option<u64>,
    snapshot: &Snapshot,
    commands: &mut Vec<Command>,
) {
    let size = vec2(ui.available_width(), GRAPH_HEIGHT);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let bar = Bar::new(rect.shrink2(vec2(4.0, 1.0)), &snapshot.motion.kept);
    let response = response.on_hover_cursor(CursorIcon::PointingHand);
    go(&response, bar, dragged_to, snapshot, commands);
    let shown = dragged_to.unwrap_or(snapshot.motion.steps);
    response.widget_info(|| {
        let mut info = WidgetInfo::slider(true, shown as f64, "Step shown");
        info.label = Some("Step shown".to_owned());
        info
    });
    paint(ui, bar, snapshot, shown);
    if let Some(at) = response.hover_pos() {
        response.on_hover_text_at_pointer(in_words(bar, at.x, snapshot));
    }
}

/// Orders the step under a click or a drag.
fn go(
    response: &Response,
    bar: Bar,
    dragged_to: &mut Option<u64>,
    snapshot: &Snapshot,
    commands: &mut Vec<Command>,
) {
    let at = response.interact_pointer_pos();
    let wanted = match at {
        Some(at) if response.dragged() => Some(bar.step(at.x)),
        Some(at) if response.clicked() => Some(bar.clicked(at.x, &snapshot.timeline)),
        _ => None,
    };
    let present = dragged_to.unwrap_or(snapshot.motion.steps);
    if let Some(step) = wanted.filter(|step| *step != present) {
        commands.push(Order::GoTo(step).into());
    }
    let is_held = response.dragged() || response.is_pointer_button_down_on();
    *dragged_to = wanted.or(*dragged_to).filter(|_| is_held);
}

/// The step at a place, and the events near it.
fn in_words(bar: Bar, x: f32, snapshot: &Snapshot) -> String {
    let step = bar.step(x);
    let (pairs, time_ns) = snapshot.timeline.figures(step);
    let mut words = format!("step {}", compact(step as f64));
    if let Some(pairs) = pairs {
        words += &format!(": {}", counted(pairs as usize, "candidate"));
    }
    if let Some(ns) = time_ns {
        let shortest_ns = snapshot.engine.shortest_ns;
        words += &format!(", search {} ms", milliseconds_from(shortest_ns, ns as f64));
    }
    for (step, event) in events(snapshot) {
        if (bar.x(step) - x).abs() <= PEAK_REACH {
            let step = compact(step as f64);
            words += &format!("\nEvent in step {step}: {}", event_in_words(event));
        }
    }
    words + "\nClick or drag to show it; a click near a peak shows the peak\n" + &kept(snapshot)
}

/// The steps that can be shown, and the memory that they take.
fn kept(snapshot: &Snapshot) -> String {
    let [first, last] = [snapshot.motion.kept.start(), snapshot.motion.kept.end()]
        .map(|step| compact(*step as f64));
    let [bytes, most] = snapshot.motion.kept_bytes.map(|bytes| megabytes(bytes as f64));
    format!("Steps {first} to {last} are kept, in {bytes} of at most {most}")
}

/// The area of the pairs, the line of the times, and the step that is shown.
fn paint(ui: &Ui, bar: Bar, snapshot: &Snapshot, shown: u64) {
    let painter = ui.painter_at(bar.rect.expand2(vec2(4.0, 1.0)));
    painter.rect_filled(bar.rect, 2.0, ui.visuals().extreme_bg_color);
    let [pairs_color, time_color] = colors(ui);
    let bottom = bar.rect.bottom();
    let [most_pairs, most_time] = [pairs_of(&snapshot.timeline), times_of(&snapshot.timeline)]
        .map(|graph| graph.iter().map(|peak| peak.value).max().unwrap_or(0));
    let y = |value: u64, top: u64| {
        bottom - (bar.rect.height() - 2.0) * (value as f64 / top.max(1) as f64) as f32
    };
    let steps_per_point = (bar.last - bar.first).max(1) as f32 / bar.rect.width().max(1.0);
    let bin_width = (snapshot.timeline.width() as f32 / steps_per_point).max(1.0);
    let mut line: Vec<Pos2> = Vec::new();
    for (_, bin) in snapshot.timeline.bins() {
        let (Some(pairs), time) = (bin.pairs, bin.time) else {
            // Steps that were not searched.
            add_line(&painter, &mut line, time_color);
            continue;
        };
        if !(bar.first..=bar.last).contains(&pairs.step) {
            continue;
        }
        let x = bar.x(pairs.step);
        let column =
            Rect::from_min_max(pos2(x, y(pairs.value, most_pairs)), pos2(x + bin_width, bottom));
        painter.rect_filled(column.intersect(bar.rect), 0.0, pairs_color.gamma_multiply(0.45));
        match time {
            Some(time) => line.push(pos2(bar.x(time.step), y(time.value, most_time))),
            // Steps under an earlier algorithm have no time.
            None => add_line(&painter, &mut line, time_color),
        }
    }
    add_line(&painter, &mut line, time_color);
    let ticks = bar.rect.top()..=bar.rect.top() + TICK_HEIGHT;
    for (step, _) in events(snapshot) {
        painter.vline(bar.x(step), ticks.clone(), Stroke::new(2.5, MOTION_COLOR));
    }
    let x = bar.x(shown);
    let mark = ui.visuals().strong_text_color();
    painter.vline(x, bar.rect.y_range(), Stroke::new(2.0, mark));
    painter.circle_filled(pos2(x, bar.rect.top() + 3.0), 3.5, mark);
}

fn add_line(painter: &egui::Painter, points: &mut Vec<Pos2>, color: Color32) {
    let points = std::mem::take(points);
    match points[..] {
        [] => {}
        [one] => {
            painter.circle_filled(one, 1.0, color);
        }
        _ => {
            painter.add(Shape::line(points, Stroke::new(1.0, color)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_take_place_in_the_step_of_their_time() {
        let dt = f64::from(1.0_f32 / 60.0);
        for step in 0..5000_u64 {
            let time = (step as f64 * dt) as f32;
            let at = step_of(time, dt);
            let (begin, end) = ((at - 1) as f64 * dt, at as f64 * dt);
            assert!((begin..end).contains(&f64::from(time)), "{time} is not in step {at}");
        }
        assert_eq!([0.1, 0.35, 1.0].map(|time| step_of(time, f64::from(0.1_f32))), [2, 4, 10]);
    }
}
