//! Names and labels beside the curves or bars.
//!
//! The names of many curves stand at the right, in the order of the curves. Each is as near to its curve's
//! end as the others allow.

use super::factors::width_of_labels;
use super::legend::STROKE_WIDTH;
use super::lines::{Pen, draw_marker};
use super::page::Page;
use super::panel::Plot;
use super::svg::{Anchor, At, GAP, HAIR, LINE_HEIGHT, Stroke, Svg, TEXT};
use crate::font::Font;
use crate::{Chart, Line, MAX_NAMES_ABOVE, Marks};

/// Width of the strip in which leaders run from the curves to the names.
const LEADERS: i32 = 90;

impl Chart {
    /// The lines whose names stand beside them: those of the only panel, if they are many.
    pub(super) fn named_beside(&self) -> Option<&[Line]> {
        match &self.panels[..] {
            [panel] => match &panel.marks {
                Marks::Lines(lines) if lines.len() > MAX_NAMES_ABOVE => Some(lines),
                _ => None,
            },
            _ => None,
        }
    }

    /// The pen that draws a line.
    pub(super) fn pen(&self, line: &Line) -> Pen {
        let stands_out = self.stressed.is_empty() || self.stressed.contains(&line.name);
        Pen::new(line.style, !stands_out)
    }
}

/// Width of names, samples and leaders; names take half of the page at most.
pub(super) fn width_beside(chart: &Chart, page_width: i32) -> i32 {
    let Some(lines) = chart.named_beside() else { return width_of_labels(chart, page_width) };
    let widest = lines.iter().map(|line| Font::bold(TEXT).width(&line.name)).max().unwrap_or(0);
    LEADERS + STROKE_WIDTH + 2 * GAP + widest.min(page_width / 2 - LEADERS - STROKE_WIDTH)
}

impl Plot<'_> {
    /// Draws the names right of the panel.
    pub(super) fn draw_names(&self, svg: &mut Svg) {
        let &Self { page: Page { chart, width, .. }, right: edge, top, bottom, .. } = self;
        let Some(lines) = chart.named_beside() else { return };
        let end = |line: &Line| line.points.iter().rev().find_map(|p| self.seen(p.x, p.y));
        let mut ends: Vec<(&Line, Option<At>)> = lines.iter().map(|l| (l, end(l))).collect();
        // Names of lines without a point in the panel come last.
        ends.sort_by_key(|(_, end)| end.map_or(i32::MAX, |(_, y)| y));
        let wanted: Vec<i32> = ends.iter().map(|(_, end)| end.map_or(bottom, |(_, y)| y)).collect();
        let rows = spread(&wanted, top + LINE_HEIGHT / 2, bottom - LINE_HEIGHT / 2);
        for ((line, end), row) in ends.into_iter().zip(rows) {
            let pen = chart.pen(line);
            let left = edge + LEADERS;
            svg.named(&line.name, line.style.color, |svg| {
                if let Some((x, y)) = end {
                    let leader = [(x, y), (edge + GAP / 2, y), (left - GAP / 2, row)];
                    svg.path(&leader, Stroke::solid(pen.stroke.color, HAIR));
                }
                svg.path(&[(left, row), (left + STROKE_WIDTH, row)], pen.stroke);
                draw_marker(svg, (left + STROKE_WIDTH / 2, row), pen);
                let text = left + STROKE_WIDTH + GAP;
                let font = Font { em: TEXT, is_bold: chart.stressed.contains(&line.name) };
                let name = font.fitted(&line.name, width - GAP - text);
                svg.text(&name, (text, row), font, Anchor::Left);
            });
        }
    }
}

/// Rows from `top` to `bottom`, at least a line's height apart, each near its wanted one. `wanted` ascends.
fn spread(wanted: &[i32], top: i32, bottom: i32) -> Vec<i32> {
    let mut rows = wanted.to_vec();
    let mut least = top;
    for row in &mut rows {
        *row = (*row).max(least);
        least = *row + LINE_HEIGHT;
    }
    let mut most = bottom;
    for row in rows.iter_mut().rev() {
        *row = (*row).min(most);
        most = *row - LINE_HEIGHT;
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_rows_keep_distance_order_and_bounds() {
        let top_bottom = (100, 100 + 9 * LINE_HEIGHT);
        for wanted in [vec![500; 10], vec![0; 10], vec![9999; 10], (0..10).collect::<Vec<_>>()] {
            let rows = spread(&wanted, top_bottom.0, top_bottom.1);
            assert!(rows.windows(2).all(|pair| pair[1] - pair[0] >= LINE_HEIGHT), "{rows:?}");
            assert!(rows[0] >= top_bottom.0 && rows[9] <= top_bottom.1, "{rows:?}");
        }
        assert_eq!(spread(&[200, 400], 100, 900), [200, 400], "rows with room do not move");
    }
}
