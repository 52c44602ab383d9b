//! The page of a chart, laid out from top to bottom.

use super::beside::width_beside;
use super::legend::Legend;
use super::svg::{Anchor, GAP, LINE_HEIGHT, Svg, TEXT, TITLE, UNITS_PER_MM};
use crate::font::Font;
use crate::scale::Ruler;
use crate::{Chart, Scale};

/// The layout that every part is drawn by.
pub(super) struct Page<'a> {
    pub(super) chart: &'a Chart,
    pub(super) x: Ruler,
    pub(super) y: Ruler,
    pub(super) legend: Legend<'a>,
    pub(super) width: i32,
    /// Width of the names that stand beside the curves.
    pub(super) beside: i32,
    pub(super) panel_height: i32,
}

/// Height of a line of text; 0 if it is empty.
pub(super) fn line_of(text: &str) -> i32 {
    if text.is_empty() { 0 } else { LINE_HEIGHT }
}

impl<'a> Page<'a> {
    /// `extent`: the ends of the values on the horizontal axis, and on the vertical one.
    pub(super) fn new(chart: &'a Chart, extent: [[f64; 2]; 2]) -> Self {
        let [width, panel_height] =
            [chart.width_mm, chart.panel_mm].map(|mm| (mm * UNITS_PER_MM).round() as i32);
        let beside = width_beside(chart, width);
        let names_beside = chart.named_beside().map_or(0, <[_]>::len) as i32;
        let panel_height = panel_height.max(names_beside * LINE_HEIGHT);
        // A number is about five digits wide, half a letter's height each, and needs a gap of that width.
        // Round numbers of a logarithmic axis are shorter.
        let spacing = if chart.x.scale == Scale::Log { 5 } else { 6 };
        let x_room = ((width - beside) / (spacing * TEXT)).max(2) as usize;
        let y_room = (panel_height / (2 * LINE_HEIGHT)).max(2) as usize;
        let [[left, right], [bottom, top]] = extent;
        Self {
            chart,
            x: Ruler::new(&chart.x, left, right, x_room),
            y: Ruler::new(&chart.y, bottom, top, y_room),
            legend: Legend::new(chart, width - 2 * GAP),
            width,
            beside,
            panel_height,
        }
    }

    pub(super) fn height(&self) -> i32 {
        let panels: i32 = self.chart.panels.iter().map(|panel| line_of(&panel.title)).sum();
        let areas = self.chart.panels.len() as i32 * (self.panel_height + GAP);
        GAP + line_of(&self.chart.title)
            + self.legend.height()
            + panels
            + areas
            + self.x_label_height()
            + GAP
    }

    /// Height of the numbers and the axis' name.
    pub(super) fn x_label_height(&self) -> i32 {
        LINE_HEIGHT + line_of(&self.chart.x.label)
    }

    /// Width of the numbers, the rotated name of the axis, and the gaps beside them.
    pub(super) fn y_label_width(&self) -> i32 {
        let label = |&tick: &f64| Font::regular(TEXT).width(&self.y_label(tick));
        let labels = self.y.ticks.iter().map(label);
        labels.max().unwrap_or(0) + line_of(&self.chart.y.label) + 2 * GAP
    }

    pub(super) fn draw(&self, svg: &mut Svg) {
        let font = Font::bold(TITLE);
        let title = font.fitted(&self.chart.title, self.width - 2 * GAP);
        svg.text(&title, (GAP, GAP), font, Anchor::TopLeft);
        let mut top = GAP + line_of(&self.chart.title);
        self.legend.draw(svg, top);
        top += self.legend.height();
        for (index, panel) in self.chart.panels.iter().enumerate() {
            top = self.draw_panel(svg, panel, top, index + 1 == self.chart.panels.len());
        }
    }

    /// The label at a place of the vertical axis. Names take half of the page at most.
    pub(super) fn y_label(&self, place: f64) -> String {
        Font::regular(TEXT).fitted(&self.y.label(place), self.width / 2)
    }

    /// The part of the last number that extends beyond the end of the horizontal axis.
    pub(super) fn last_x_label_overhang(&self) -> i32 {
        let half = |tick: &f64| Font::regular(TEXT).width(&self.x.label(*tick)) / 2;
        // At least that of a short number, so that charts of one page have equal areas.
        self.x.ticks.last().map_or(0, half).max(TEXT)
    }
}

#[cfg(test)]
mod tests {
    use super::super::check::check;
    use super::*;
    use crate::{Axis, Line, Marks, Numbers, Panel, Point, Style};

    #[test]
    fn last_number_fits_on_the_page() {
        for (from, to, numbers) in [
            (1.0, 300.0, Numbers::Plain),
            (97_150.0, 97_450.0, Numbers::Plain),
            (1_234_000.0, 1_234_500.0, Numbers::Plain),
            (0.0, 1.0, Numbers::Percent),
        ] {
            let points = [from, to].map(|x| Point::new(x, 1.0)).to_vec();
            let line = Line { name: "a".to_owned(), style: Style::nth(0), points };
            let x = Axis { numbers, ..Axis::linear("step") };
            let chart =
                Chart::new(x, Axis::linear("ms")).with(Panel::new(Marks::Lines(vec![line])));
            let page = Page::new(&chart, check(&chart).unwrap());
            let label = page.x.label(*page.x.ticks.last().unwrap());
            let width = Font::regular(TEXT).width(&label);
            assert!(2 * page.last_x_label_overhang() + 1 >= width, "{label} is {width} wide");
        }
    }
}
