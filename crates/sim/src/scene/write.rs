//! From a scene to text, touching only those lines of an existing file whose element changed.

use super::align::{Step, align};
use super::directives::Setting;
use super::elements::{Action, Ball, Event, LayerRule, Obstacle, Source};
use super::model::Scene;
use super::motion_lines::{self, Quantity};
use super::numbers::{numbers, shortest_number};
use super::parse::{Element, Kind};
use super::write_bodies;
use broadphase::{Axis, Layer};
use std::ops::Range;

fn source(source: &Source) -> String {
    let [corner, size] = [source.corner, source.size].map(|v| numbers(&v.to_array()));
    let floor = if source.floor { "t" } else { "f" };
    format!("i {corner}  {size}  {} {floor}", shortest_number(source.percent))
}

fn obstacle(obstacle: &Obstacle) -> String {
    let [corner, size] = [obstacle.corner, obstacle.size].map(|v| numbers(&v.to_array()));
    let normal = match obstacle.normal {
        Axis::X => "x",
        Axis::Y => "y",
        Axis::Z => "z",
    };
    format!("p {corner}  {size}  {normal}")
}

fn ball(ball: &Ball) -> String {
    let [center, velocity] = [ball.center, ball.velocity].map(|v| numbers(&v.to_array()));
    let radius = ball.radius.map_or_else(String::new, |r| format!("  {}", shortest_number(r)));
    format!("#!ball {center}  {velocity}{radius}")
}

fn event(event: &Event) -> String {
    let time = shortest_number(event.time);
    match event.action {
        Action::RemoveSource(number) => format!("#!event {time} remove-source {number}"),
        Action::Hold { attract, seconds } => {
            let key = if attract { "p" } else { "o" };
            format!("#!event {time} hold {key} {}", shortest_number(seconds))
        }
    }
}

fn layer(rule: &LayerRule) -> String {
    let Layer { group, mask, is_static } = rule.layer;
    let mut line = format!("#!layer {}", rule.target);
    // A layer rule needs at least one word, even for the default layer.
    if group != 0 || rule.layer == Layer::ALL {
        line += &format!("  group {group}");
    }
    if mask == 0 {
        line += "  meets none";
    } else if mask != u32::MAX {
        let met = (0..Layer::GROUPS).filter(|group| mask & (1 << group) != 0);
        let met: Vec<String> = met.map(|group| group.to_string()).collect();
        line += &format!("  meets {}", met.join(","));
    }
    if is_static {
        line += "  static";
    }
    line
}

/// Rewrites a file that gives `old` in `elements` so that it gives `new`; the share of the last
/// source must be filled in in both.
pub(super) fn rewrite(text: &str, elements: &[Element], old: &Scene, new: &Scene) -> String {
    let ending = match text.find('\n') {
        Some(newline) if text[..newline].ends_with('\r') => "\r\n",
        _ => "\n",
    };
    let mut rewriter = Rewriter { text, elements, ending, edits: Vec::new() };
    rewriter.settings(old, new);
    rewriter.sources(&old.sources, &new.sources);
    rewriter.list(Kind::Obstacle, &old.obstacles, &new.obstacles, obstacle);
    rewriter.list(Kind::Ball, &old.balls, &new.balls, ball);
    rewriter.list(Kind::Event, &old.events, &new.events, event);
    rewriter.list(Kind::Layer, &old.layers, &new.layers, layer);
    rewriter.list(Kind::Shape, &old.shapes, &new.shapes, write_bodies::shape);
    rewriter.list(Kind::Part, &old.parts, &new.parts, write_bodies::part);
    let (before, after) = (&old.generated_bodies, &new.generated_bodies);
    rewriter.list(Kind::Bodies, before, after, write_bodies::bodies);
    let (before, after) = (&old.placed_bodies, &new.placed_bodies);
    rewriter.list(Kind::Body, before, after, write_bodies::placed_body);
    let (before, after) = (&old.restitution, &new.restitution);
    let kind = Kind::Value(Quantity::Restitution);
    rewriter.list(kind, before, after, motion_lines::restitution_line);
    let kind = Kind::Value(Quantity::Density);
    rewriter.list(kind, &old.density, &new.density, motion_lines::density_line);
    rewriter.list(Kind::Force, &old.body_forces, &new.body_forces, motion_lines::force_line);
    rewriter.list(Kind::Drive, &old.drive, &new.drive, motion_lines::drive_line);
    rewriter.apply()
}

struct Rewriter<'a> {
    text: &'a str,
    elements: &'a [Element],
    ending: &'static str,
    edits: Vec<(Range<usize>, String)>,
}

impl<'a> Rewriter<'a> {
    fn of_kind(&self, kind: Kind) -> Vec<&'a Element> {
        self.elements.iter().filter(|element| element.kind == kind).collect()
    }

    fn settings(&mut self, old: &Scene, new: &Scene) {
        let elements = self.elements;
        let is_setting = |element: &&Element| matches!(element.kind, Kind::Setting(_));
        let last = elements.iter().rev().find(is_setting);
        let default = Scene::default();
        for setting in Setting::ALL {
            let wanted = setting.text(new);
            match (self.of_kind(Kind::Setting(setting)).first(), wanted) {
                (Some(_), wanted) if wanted == setting.text(old) => {}
                (Some(element), Some(wanted)) => self.replace(element, wanted),
                (Some(element), None) => self.edits.push((element.line.clone(), String::new())),
                (None, wanted) if wanted == setting.text(&default) => {}
                (None, Some(wanted)) => self.insert_after(last, &wanted),
                (None, None) => {}
            }
        }
    }

    fn list<T: PartialEq>(&mut self, kind: Kind, old: &[T], new: &[T], text: fn(&T) -> String) {
        let places = self.of_kind(kind);
        let mut previous = None;
        for step in align(old, new, T::eq) {
            match step {
                Step::Keep(from, _) => previous = Some(places[from]),
                Step::Change(from, to) => {
                    self.replace(places[from], text(&new[to]));
                    previous = Some(places[from]);
                }
                Step::Remove(from) => self.edits.push((places[from].line.clone(), String::new())),
                Step::Insert(to) => self.insert_into(&places, previous, &text(&new[to])),
            }
        }
    }

    fn sources(&mut self, old: &[Source], new: &[Source]) {
        let places = self.of_kind(Kind::Source);
        // The share of the last source changes without an edit of that source.
        let same = |a: &Source, b: &Source| Source { percent: b.percent, ..*a } == *b;
        let mut previous = None;
        for step in align(old, new, same) {
            match step {
                Step::Keep(from, to) | Step::Change(from, to) => {
                    // The number of the last source is ignored in reading.
                    let is_ignored = from + 1 == old.len() && to + 1 < new.len();
                    if is_ignored || old[from] != new[to] {
                        self.replace(places[from], source(&new[to]));
                    }
                    previous = Some(places[from]);
                }
                Step::Remove(from) => self.edits.push((places[from].line.clone(), String::new())),
                Step::Insert(to) => self.insert_into(&places, previous, &source(&new[to])),
            }
        }
    }

    /// Changes the element's line to `wanted`.
    fn replace(&mut self, element: &Element, wanted: String) {
        self.edits.push((element.span.clone(), wanted));
    }

    /// Inserts an entry of a list behind the entry before it, or before the first.
    fn insert_into(&mut self, places: &[&Element], previous: Option<&Element>, wanted: &str) {
        match (previous, places.first()) {
            (None, Some(first)) => {
                let start = first.line.start;
                self.edits.push((start..start, format!("{wanted}{}", self.ending)));
            }
            _ => self.insert_after(previous, wanted),
        }
    }

    /// Inserts a line after that of `previous`, or at the end of the file.
    fn insert_after(&mut self, previous: Option<&Element>, wanted: &str) {
        let at = previous.map_or(self.text.len(), |element| element.line.end);
        let starts_a_line = at == 0 || self.text[..at].ends_with('\n');
        let line = if starts_a_line {
            format!("{wanted}{}", self.ending)
        } else {
            format!("{}{wanted}", self.ending)
        };
        self.edits.push((at..at, line));
    }

    fn apply(mut self) -> String {
        // A stable sort: insertions at one place keep their order, and precede an edit that starts there.
        self.edits.sort_by_key(|(at, _)| (at.start, at.end));
        let mut text = String::with_capacity(self.text.len());
        let mut copied = 0;
        for (at, replacement) in &self.edits {
            text += &self.text[copied..at.start];
            text += replacement;
            copied = at.end;
        }
        text + &self.text[copied..]
    }
}
