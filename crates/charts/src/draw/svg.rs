//! An SVG document while it is drawn.

use crate::Rgb;
use crate::font::{FAMILIES, Font};
use std::fmt::{self, Display};

/// Units per millimetre: fine enough that curves look smooth in print. All lengths are whole units.
pub(super) const UNITS_PER_MM: f64 = 20.0;
/// Size of all text but titles, 7 points.
pub(super) const TEXT: i32 = 49;
/// Size of titles, 8 points.
pub(super) const TITLE: i32 = 56;
/// From one line of text to the next.
pub(super) const LINE_HEIGHT: i32 = 68;
/// Gap between neighbouring parts.
pub(super) const GAP: i32 = 24;
/// Width of thin lines: frame, ticks, grid.
pub(super) const HAIR: i32 = 3;

pub(super) const WHITE: Rgb = Rgb(255, 255, 255);
pub(super) const INK: Rgb = Rgb(40, 40, 40);

/// A place on the page: units from the left and from the top.
pub(super) type At = (i32, i32);

/// A kind of line.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Stroke {
    pub(super) color: Rgb,
    pub(super) width: i32,
    /// Lengths drawn and left out in turn, in widths of the line; empty where nothing is left out.
    pub(super) dash: &'static [f64],
}

impl Stroke {
    /// An unbroken line.
    pub(super) fn solid(color: Rgb, width: i32) -> Self {
        Self { color, width, dash: &[] }
    }
}

impl Display for Stroke {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stroke=\"{}\" stroke-width=\"{}\"", self.color, self.width)?;
        if !self.dash.is_empty() {
            let lengths = self.dash.iter().map(|length| length * f64::from(self.width));
            let lengths: Vec<_> = lengths.map(|length| format!("{length:.1}")).collect();
            write!(f, " stroke-dasharray=\"{}\"", lengths.join(" "))?;
        }
        Ok(())
    }
}

/// The paint of an area.
pub(super) fn fill(color: Rgb) -> String {
    format!("fill=\"{color}\"")
}

/// The paint of an outline.
pub(super) fn outline(stroke: Stroke) -> String {
    format!("fill=\"none\" {stroke}")
}

/// Which part of a text is at its place.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    TopLeft,
    Left,
    Right,
    Center,
    /// The middle of its upper edge.
    Top,
    /// The middle of a text that runs upwards.
    Upwards,
}

/// The document.
pub(super) struct Svg {
    document: String,
}

impl Svg {
    /// A document with what `draw` draws. It states its size in millimetres, so that the chart prints at its true size.
    pub(super) fn document([width, height]: [i32; 2], draw: impl FnOnce(&mut Self)) -> String {
        let [width_mm, height_mm] = [width, height].map(|units| f64::from(units) / UNITS_PER_MM);
        let mut svg = Self { document: String::new() };
        svg.line(format_args!(
            "<svg width=\"{width_mm:.2}mm\" height=\"{height_mm:.2}mm\" \
             viewBox=\"0 0 {width} {height}\" xmlns=\"http://www.w3.org/2000/svg\">"
        ));
        svg.rect([(0, 0), (width, height)], fill(WHITE));
        draw(&mut svg);
        svg.line("</svg>");
        svg.document
    }

    fn line(&mut self, element: impl Display) {
        self.document += &format!("{element}\n");
    }

    pub(super) fn path(&mut self, path: &[At], stroke: Stroke) {
        let line = outline(stroke);
        self.line(format_args!("<polyline {line} points=\"{}\"/>", points(path)));
    }

    pub(super) fn polygon(&mut self, corners: &[At], color: Rgb) {
        self.line(format_args!("<polygon {} points=\"{}\"/>", fill(color), points(corners)));
    }

    /// A rectangle between two corners.
    pub(super) fn rect(&mut self, [(ax, ay), (bx, by)]: [At; 2], paint: impl Display) {
        let (x, y, width, height) = (ax.min(bx), ay.min(by), (bx - ax).abs(), (by - ay).abs());
        self.line(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" {paint}/>"
        ));
    }

    pub(super) fn disc(&mut self, (x, y): At, radius: i32, paint: impl Display) {
        self.line(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" {paint}/>"));
    }

    pub(super) fn text(&mut self, text: &str, (x, y): At, font: Font, anchor: Anchor) {
        if text.is_empty() {
            return;
        }
        let (side, down) = match anchor {
            Anchor::TopLeft => ("start", "0.76em"),
            Anchor::Left => ("start", "0.5ex"),
            Anchor::Right => ("end", "0.5ex"),
            Anchor::Center | Anchor::Upwards => ("middle", "0.5ex"),
            Anchor::Top => ("middle", "0.76em"),
        };
        let weight = if font.is_bold { " font-weight=\"bold\"" } else { "" };
        let turn = match anchor {
            Anchor::Upwards => format!(" transform=\"rotate(270 {x} {y})\""),
            _ => String::new(),
        };
        self.line(format_args!(
            "<text x=\"{x}\" y=\"{y}\" dy=\"{down}\" text-anchor=\"{side}\" \
             font-family=\"{FAMILIES}\" font-size=\"{}\" fill=\"{INK}\"{weight}{turn}>\n{}\n</text>",
            font.em,
            escaped(text)
        ));
    }

    /// Draws the marks of a line, layer or category, or its entry in the legend.
    pub(super) fn named(&mut self, name: &str, color: Rgb, draw: impl FnOnce(&mut Self)) {
        self.line(format_args!("<g data-name=\"{}\" color=\"{color}\">", escaped(name)));
        draw(self);
        self.line("</g>");
    }

    /// Draws a mark with its values in words, which a browser shows under the mouse.
    pub(super) fn value(&mut self, words: &str, draw: impl FnOnce(&mut Self)) {
        self.line(format_args!("<g class=\"value\"><title>{}</title>", escaped(words)));
        draw(self);
        self.line("</g>");
    }
}

fn points(path: &[At]) -> String {
    path.iter().map(|(x, y)| format!("{x},{y} ")).collect()
}

/// Text without markup. The name of a file may contain characters that XML does not have, and others that disguise it:
/// they are replaced.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '&' => escaped += "&amp;",
            '"' => escaped += "&quot;",
            '\n' | '\r' | '\t' => escaped.push(c),
            _ if c.is_control() || is_hidden(c) => escaped.push(char::REPLACEMENT_CHARACTER),
            _ => escaped.push(c),
        }
    }
    escaped
}

/// Whether XML lacks a character, or it changes the direction of the text after it, or has no width.
fn is_hidden(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}'
        | '\u{e0000}'..='\u{e007f}')
}
