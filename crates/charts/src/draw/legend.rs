//! The legend of a few names: in rows above the panels, where no curve runs.

use super::lines::{Pen, draw_marker};
use super::svg::{Anchor, GAP, INK, LINE_HEIGHT, Stroke, Svg, TEXT, fill, outline};
use crate::font::Font;
use crate::{Chart, Line, Marks, Panel, Rgb, Stack};

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

/// The names of all lines and layers, each once.
pub(super) struct Legend<'a> {
    entries: Vec<Entry<'a>>,
    /// Width of the samples.
    sample: i32,
}

impl<'a> Legend<'a> {
    /// Lays the names out in columns of equal width, as many as fit into `width`. Nameless entries are left
    /// out.
    pub(super) fn new(chart: &'a Chart, width: i32) -> Self {
        let mut entries: Vec<Entry<'a>> = Vec::new();
        let font = Font::regular(TEXT);
        for (full_name, sample) in chart.panels.iter().flat_map(|panel| samples(chart, panel)) {
            let known = entries.iter().any(|e| e.full_name == full_name && e.sample == sample);
            if !known && !full_name.is_empty() {
                let name = font.fitted(full_name, width - STROKE_WIDTH - 2 * GAP);
                entries.push(Entry { full_name, name, sample, left: 0, row: 0 });
            }
        }
        let widest = entries.iter().map(|e| font.width(&e.name)).max().unwrap_or(0);
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
        Self { entries, sample }
    }

    pub(super) fn height(&self) -> i32 {
        self.entries.last().map_or(0, |last| (last.row + 1) * LINE_HEIGHT + GAP)
    }

    pub(super) fn draw(&self, svg: &mut Svg, top: i32) {
        for entry in &self.entries {
            let color = match entry.sample {
                Sample::Line(pen) => pen.stroke.color,
                Sample::Patch(color) => color,
            };
            svg.named(entry.full_name, color, |svg| self.draw_entry(svg, entry, top));
        }
    }

    fn draw_entry(&self, svg: &mut Svg, entry: &Entry<'_>, top: i32) {
        let middle = top + entry.row * LINE_HEIGHT + LINE_HEIGHT / 2;
        let (left, right) = (entry.left, entry.left + self.sample);
        match entry.sample {
            Sample::Line(pen) => {
                svg.path(&[(left, middle), (right, middle)], pen.stroke);
                draw_marker(svg, ((left + right) / 2, middle), pen);
            }
            Sample::Patch(color) => {
                let half = LINE_HEIGHT / 3;
                let corners = [(right - PATCH_WIDTH, middle - half), (right, middle + half)];
                svg.rect(corners, fill(color));
                svg.rect(corners, outline(Stroke::solid(INK, 1)));
            }
        }
        svg.text(&entry.name, (right + GAP, middle), Font::regular(TEXT), Anchor::Left);
    }
}

/// The legend entries of a panel. Many lines have their names beside them, dots and factors on the axis.
fn samples<'a>(chart: &Chart, panel: &'a Panel) -> Vec<(&'a str, Sample)> {
    match &panel.marks {
        Marks::Lines(_) if chart.named_beside().is_some() => Vec::new(),
        Marks::Lines(lines) => curves(chart, lines).collect(),
        Marks::Dots(_) | Marks::Factors(_) => Vec::new(),
        Marks::Tiles(tiles) => {
            tiles.iter().map(|tile| (tile.name.as_str(), Sample::Patch(tile.color))).collect()
        }
        Marks::Bars(stack) => patches(stack).collect(),
        Marks::Layered(stack, lines) => patches(stack).chain(curves(chart, lines)).collect(),
    }
}

fn patches(stack: &Stack) -> impl Iterator<Item = (&str, Sample)> {
    stack.layers.iter().map(|layer| (layer.name.as_str(), Sample::Patch(layer.color)))
}

fn curves<'a>(chart: &Chart, lines: &'a [Line]) -> impl Iterator<Item = (&'a str, Sample)> {
    lines.iter().map(|line| (line.name.as_str(), Sample::Line(chart.pen(line))))
}
