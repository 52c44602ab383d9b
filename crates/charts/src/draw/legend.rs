//! The legend of a few names: in rows above the panels, where no curve runs.

use super::lines::{Pen, draw_marker, draw_path};
use super::measures::{Area, Drawn, GAP, HAIR, INK, LINE_HEIGHT, TEXT};
use super::svg::{Group, grouped};
use crate::{Chart, Marks, Panel, Rgb, Stack, font};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Width of the piece of line before a name.
pub(super) const STROKE_WIDTH: i32 = 130;
/// Width of the patch of colour before a name.
const PATCH_WIDTH: i32 = 66;

/// The sample before a name.
#[derive(Clone, Copy, PartialEq)]
enum Sample {
    Line(Pen),
    Patch(Rgb),
}

struct Entry<'a> {
    full_name: &'a str,
    name: String,
    sample: Sample,
    /// Left edge and row.
    left: i32,
    row: i32,
}

impl Entry<'_> {
    fn group(&self) -> Group<'_> {
        match self.sample {
            Sample::Line(pen) => Group::Named(self.full_name, pen.color),
            Sample::Patch(color) => Group::of_fill(self.full_name, color),
        }
    }
}

/// The names of all lines and layers, each once.
pub(super) struct Legend<'a> {
    entries: Vec<Entry<'a>>,
    rows: i32,
    /// Width of the samples.
    sample: i32,
}

impl<'a> Legend<'a> {
    /// Lays the names out in columns of equal width, as many as fit into `width`. Nameless entries are left
    /// out.
    pub(super) fn new(chart: &'a Chart, width: i32) -> Self {
        let mut entries: Vec<Entry<'a>> = Vec::new();
        let regular = font::regular(TEXT);
        for (full_name, sample) in chart.panels.iter().flat_map(|panel| samples(chart, panel)) {
            let known = entries.iter().any(|e| e.full_name == full_name && e.sample == sample);
            if !known && !full_name.is_empty() {
                let name = font::fitted(full_name, &regular, width - STROKE_WIDTH - 2 * GAP);
                entries.push(Entry { full_name, name, sample, left: 0, row: 0 });
            }
        }
        let widest = entries.iter().map(|e| font::width(&e.name, &regular)).max().unwrap_or(0);
        let lines = entries.iter().any(|e| matches!(e.sample, Sample::Line(_)));
        let sample = if lines { STROKE_WIDTH } else { PATCH_WIDTH };
        let column = sample + widest + 3 * GAP;
        let fitting = (width / column).max(1);
        let rows = (entries.len() as i32 + fitting - 1) / fitting;
        // As even as the rows allow: four names are 2 + 2, not 3 + 1.
        let columns = (entries.len() as i32 + rows - 1) / rows.max(1);
        for (index, entry) in (0..).zip(&mut entries) {
            (entry.left, entry.row) = (GAP + index % columns * column, index / columns);
        }
        Self { entries, rows, sample }
    }

    pub(super) fn height(&self) -> i32 {
        if self.rows == 0 { 0 } else { self.rows * LINE_HEIGHT + GAP }
    }

    pub(super) fn draw(&self, root: &Area<'_>, top: i32) -> Drawn {
        for entry in &self.entries {
            grouped(root, &entry.group(), || self.draw_entry(root, entry, top))?;
        }
        Ok(())
    }

    fn draw_entry(&self, root: &Area<'_>, entry: &Entry<'_>, top: i32) -> Drawn {
        let middle = top + entry.row * LINE_HEIGHT + LINE_HEIGHT / 2;
        let (left, right) = (entry.left, entry.left + self.sample);
        match entry.sample {
            Sample::Line(pen) => {
                draw_path(root, &[(left, middle), (right, middle)], pen)?;
                draw_marker(root, ((left + right) / 2, middle), pen)?;
            }
            Sample::Patch(Rgb(r, g, b)) => {
                let half = LINE_HEIGHT / 3;
                let corners = [(right - PATCH_WIDTH, middle - half), (right, middle + half)];
                root.draw(&Rectangle::new(corners, RGBColor(r, g, b).filled()))?;
                root.draw(&Rectangle::new(corners, INK.stroke_width(HAIR)))?;
            }
        }
        let anchor = Pos::new(HPos::Left, VPos::Center);
        let style = TextStyle::from(font::regular(TEXT)).color(&INK).pos(anchor);
        Ok(root.draw(&Text::new(entry.name.as_str(), (right + GAP, middle), style))?)
    }
}

/// The legend entries of a panel. Many lines have their names beside them, dots and factors on the axis.
fn samples<'a>(chart: &Chart, panel: &'a Panel) -> Vec<(&'a str, Sample)> {
    match &panel.marks {
        Marks::Lines(_) if chart.named_beside().is_some() => Vec::new(),
        Marks::Lines(lines) => {
            lines.iter().map(|l| (l.name.as_str(), Sample::Line(chart.pen(l)))).collect()
        }
        Marks::Dots(_) | Marks::Factors(_) => Vec::new(),
        Marks::Tiles(tiles) => {
            tiles.iter().map(|tile| (tile.name.as_str(), Sample::Patch(tile.color))).collect()
        }
        Marks::Areas(stack) | Marks::Bars(stack) => patches(stack).collect(),
        Marks::Layered(stack, lines) => {
            let lines = lines.iter().map(|l| (l.name.as_str(), Sample::Line(chart.pen(l))));
            patches(stack).chain(lines).collect()
        }
    }
}

fn patches(stack: &Stack) -> impl Iterator<Item = (&str, Sample)> {
    stack.layers.iter().map(|layer| (layer.name.as_str(), Sample::Patch(layer.color)))
}
