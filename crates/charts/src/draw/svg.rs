//! The SVG document that plotters draws into. Unlike plotters' own, it has groups: the marks of one name, and
//! a mark with its value, which a browser shows under the mouse.

use super::lines::Pen;
use super::measures::{Area, Drawn, UNITS_PER_MM};
use crate::font::PLOTTERS_FACTOR;
use crate::{Line, Rgb};
use plotters::element::{Drawable, PointCollection};
use plotters::prelude::{DrawingBackend, RGBColor};
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingErrorKind, FontStyle,
    FontTransform,
};
use std::convert::Infallible;
use std::fmt::{Display, Write};

/// An SVG document while it is drawn.
pub(super) struct Svg<'a> {
    document: &'a mut String,
    size: (u32, u32),
}

impl<'a> Svg<'a> {
    /// Begins a document in an empty string. `size` is in units; the document states it in millimetres, so that
    /// the chart prints at its true size.
    pub(super) fn new(document: &'a mut String, size: (u32, u32)) -> Self {
        let (width, height) = size;
        let [width_mm, height_mm] = [width, height].map(|units| f64::from(units) / UNITS_PER_MM);
        document.push_str("<svg");
        let mut svg = Self { document, size };
        svg.attributes(&[
            ("width", &format_args!("{width_mm:.2}mm")),
            ("height", &format_args!("{height_mm:.2}mm")),
            ("viewBox", &format_args!("0 0 {width} {height}")),
            ("xmlns", &"http://www.w3.org/2000/svg"),
        ]);
        svg.document.push_str(">\n");
        svg
    }

    fn attributes(&mut self, attributes: &[(&str, &dyn Display)]) {
        for (name, value) in attributes {
            self.document.push_str(&format!(" {name}=\""));
            self.text(&value.to_string());
            self.document.push('"');
        }
    }

    /// An element without content, unless it is transparent.
    fn shape(&mut self, tag: &str, color: BackendColor, attributes: &[(&str, &dyn Display)]) {
        if color.alpha > 0.0 {
            self.document.push_str(&format!("<{tag}"));
            self.attributes(attributes);
            if color.alpha < 1.0 {
                self.attributes(&[("opacity", &color.alpha)]);
            }
            self.document.push_str("/>\n");
        }
    }

    /// Text without markup. The name of a file may contain characters that XML does not have, and others that disguise it:
    /// they are replaced.
    fn text(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '<' => self.document.push_str("&lt;"),
                '>' => self.document.push_str("&gt;"),
                '&' => self.document.push_str("&amp;"),
                '"' => self.document.push_str("&quot;"),
                '\n' | '\r' | '\t' => self.document.push(c),
                '\u{fffe}' | '\u{ffff}' => self.document.push(char::REPLACEMENT_CHARACTER),
                _ if c.is_control() || is_hidden(c) => {
                    self.document.push(char::REPLACEMENT_CHARACTER);
                }
                _ => self.document.push(c),
            }
        }
    }
}

/// Whether a character changes the direction of the text after it, or has no width.
fn is_hidden(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

type Done = Result<(), DrawingErrorKind<Infallible>>;

impl DrawingBackend for Svg<'_> {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Done {
        Ok(())
    }

    /// Ends the document; to be called once.
    fn present(&mut self) -> Done {
        self.document.push_str("</svg>\n");
        Ok(())
    }

    fn draw_pixel(&mut self, (x, y): BackendCoord, color: BackendColor) -> Done {
        self.draw_rect((x, y), (x + 1, y + 1), &color, true)
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Done {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        (left, top): BackendCoord,
        (right, bottom): BackendCoord,
        style: &S,
        fill: bool,
    ) -> Done {
        let (fill, stroke) = paint(style, fill);
        self.shape(
            "rect",
            style.color(),
            &[
                ("x", &left),
                ("y", &top),
                ("width", &(right - left)),
                ("height", &(bottom - top)),
                ("fill", &fill),
                ("stroke", &stroke),
            ],
        );
        Ok(())
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Done {
        let (fill, stroke) = paint(style, false);
        let (points, width) = (points(path), style.stroke_width());
        let attributes: [(&str, &dyn Display); 4] =
            [("fill", &fill), ("stroke", &stroke), ("stroke-width", &width), ("points", &points)];
        self.shape("polyline", style.color(), &attributes);
        Ok(())
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        corners: I,
        style: &S,
    ) -> Done {
        let (fill, points) = (paint(style, true).0, points(corners));
        self.shape("polygon", style.color(), &[("fill", &fill), ("points", &points)]);
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        (x, y): BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Done {
        let (fill, stroke) = paint(style, fill);
        self.shape(
            "circle",
            style.color(),
            &[
                ("cx", &x),
                ("cy", &y),
                ("r", &radius),
                ("fill", &fill),
                ("stroke", &stroke),
                ("stroke-width", &style.stroke_width()),
            ],
        );
        Ok(())
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        (x, y): BackendCoord,
    ) -> Done {
        let anchor = match style.anchor().h_pos {
            HPos::Left => "start",
            HPos::Right => "end",
            HPos::Center => "middle",
        };
        let below = match style.anchor().v_pos {
            VPos::Top => "0.76em",
            VPos::Center => "0.5ex",
            VPos::Bottom => "-0.5ex",
        };
        self.document.push_str("<text");
        self.attributes(&[
            ("x", &x),
            ("y", &y),
            ("dy", &below),
            ("text-anchor", &anchor),
            ("font-family", &style.family().as_str()),
            ("font-size", &(style.size() / PLOTTERS_FACTOR)),
            ("fill", &hex(style.color())),
        ]);
        if let FontStyle::Bold = style.style() {
            self.attributes(&[("font-weight", &"bold")]);
        }
        let degrees = match style.transform() {
            FontTransform::None => 0,
            FontTransform::Rotate90 => 90,
            FontTransform::Rotate180 => 180,
            FontTransform::Rotate270 => 270,
        };
        if degrees != 0 {
            self.attributes(&[("transform", &format_args!("rotate({degrees} {x} {y})"))]);
        }
        self.document.push_str(">\n");
        self.text(text);
        self.document.push_str("\n</text>\n");
        Ok(())
    }
}

/// Fill and stroke of a shape.
fn paint(style: &impl BackendStyle, fill: bool) -> (String, String) {
    let (color, none) = (hex(style.color()), "none".to_owned());
    if fill { (color, none) } else { (none, color) }
}

fn hex(color: BackendColor) -> String {
    let (r, g, b) = color.rgb;
    format!("#{r:02X}{g:02X}{b:02X}")
}

fn points(path: impl IntoIterator<Item = BackendCoord>) -> String {
    path.into_iter().fold(String::new(), |mut points, (x, y)| {
        // Writing to a string cannot fail.
        let _ = write!(points, "{x},{y} ");
        points
    })
}

/// What a group of elements is.
pub(super) enum Group<'a> {
    /// The marks of a line, layer or category, and its entry in the legend.
    Named(&'a str, RGBColor),
    /// A mark, with its values in words.
    Value(&'a str),
}

impl<'a> Group<'a> {
    /// The group of a line, in its colour where it stands out.
    pub(super) fn of_line(line: &'a Line) -> Self {
        Group::Named(&line.name, Pen::new(line.style, false).color)
    }

    /// The group of a layer or a tile.
    pub(super) fn of_fill(name: &'a str, Rgb(r, g, b): Rgb) -> Self {
        Group::Named(name, RGBColor(r, g, b))
    }
}

/// The begin of a group, or the end of the last one that was begun.
enum Edge<'a> {
    Begin(&'a Group<'a>),
    End,
}

/// Draws the elements of a group.
pub(super) fn grouped(root: &Area<'_>, group: &Group<'_>, draw: impl FnOnce() -> Drawn) -> Drawn {
    root.draw(&Edge::Begin(group))?;
    draw()?;
    Ok(root.draw(&Edge::End)?)
}

impl<'a> PointCollection<'a, BackendCoord> for &'a Edge<'_> {
    type Point = BackendCoord;
    type IntoIter = std::iter::Empty<BackendCoord>;

    fn point_iter(self) -> Self::IntoIter {
        std::iter::empty()
    }
}

impl Drawable<Svg<'_>> for Edge<'_> {
    fn draw<I: Iterator<Item = BackendCoord>>(
        &self,
        _: I,
        svg: &mut Svg<'_>,
        _: (u32, u32),
    ) -> Done {
        match self {
            Edge::Begin(Group::Named(name, color)) => {
                svg.document.push_str("<g");
                svg.attributes(&[("data-name", name), ("color", &hex(BackendStyle::color(color)))]);
                svg.document.push_str(">\n");
            }
            Edge::Begin(Group::Value(words)) => {
                svg.document.push_str("<g class=\"value\"><title>");
                svg.text(words);
                svg.document.push_str("</title>\n");
            }
            Edge::End => svg.document.push_str("</g>\n"),
        }
        Ok(())
    }
}
