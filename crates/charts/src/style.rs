//! Styles: colours, markers, dashes.

/// A colour, sRGB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rgb(pub u8, pub u8, pub u8);

/// As in SVG: `#RRGGBB`.
impl std::fmt::Display for Rgb {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{:02X}{:02X}{:02X}", self.0, self.1, self.2)
    }
}

/// The colours of Okabe and Ito, *Color Universal Design* (2008), without the yellow, which is lost
/// on white paper.
const PALETTE: [Rgb; 7] = [
    Rgb(0, 0, 0),
    Rgb(0, 114, 178),
    Rgb(213, 94, 0),
    Rgb(0, 158, 115),
    Rgb(204, 121, 167),
    Rgb(230, 159, 0),
    Rgb(86, 180, 233),
];

/// Fills for the layers of a stack, the lowest first: each clearly lighter than the one before, so that they
/// differ in grey.
pub const LAYER_COLORS: [Rgb; 4] =
    [Rgb(0, 73, 115), Rgb(213, 94, 0), Rgb(110, 195, 240), Rgb(222, 222, 222)];

/// The style of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Colour of line and markers.
    pub color: Rgb,
    /// The marker at each point.
    pub marker: Marker,
    /// How the line between the points is broken.
    pub dash: Dash,
}

/// The marker at each point of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marker {
    /// A disc.
    Circle,
    /// A square.
    Square,
    /// A triangle that points up.
    Up,
    /// A square on its corner.
    Diamond,
    /// A triangle that points down.
    Down,
    /// A ring.
    Ring,
    /// The outline of a square.
    Frame,
    /// Two crossing strokes.
    Cross,
    /// Nothing: for lines of many points.
    None,
}

/// How a line is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dash {
    /// Unbroken.
    Solid,
    /// Strokes.
    Dashed,
    /// Dots.
    Dotted,
    /// Strokes and dots in turn.
    DashDotted,
}

impl Dash {
    /// All of them.
    pub const ALL: [Dash; 4] = [Dash::Solid, Dash::Dashed, Dash::Dotted, Dash::DashDotted];

    /// Lengths drawn and left out in turn, in widths of the line; empty where nothing is left out.
    pub(crate) fn pattern(self) -> &'static [f64] {
        match self {
            Dash::Solid => &[],
            Dash::Dashed => &[5.0, 2.5],
            Dash::Dotted => &[1.2, 2.0],
            Dash::DashDotted => &[6.0, 2.2, 1.2, 2.2],
        }
    }
}

impl Style {
    /// The style number `index`, the same in every chart. The first 32 differ without colour, and the first
    /// 224 with it.
    pub fn nth(index: usize) -> Self {
        use Marker::{Circle, Cross, Diamond, Down, Frame, Ring, Square, Up};
        const MARKERS: [Marker; 8] = [Circle, Square, Up, Diamond, Down, Ring, Frame, Cross];
        Self {
            color: PALETTE[index % PALETTE.len()],
            marker: MARKERS[index % MARKERS.len()],
            // Each time that the markers start over, the dashes have advanced by one.
            dash: Dash::ALL[(index + index / MARKERS.len()) % Dash::ALL.len()],
        }
    }
}

impl Rgb {
    /// The same hue, two thirds of the way to white: text on it is legible.
    pub fn pale(self) -> Self {
        let part = |part: u8| 255 - (255 - part) / 3;
        Self(part(self.0), part(self.1), part(self.2))
    }

    /// Lightness in grey, 0 to 255 (ITU-R BT.601).
    #[cfg(test)]
    fn grey(self) -> f64 {
        0.299 * f64::from(self.0) + 0.587 * f64::from(self.1) + 0.114 * f64::from(self.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_styles_differ_without_colour() {
        let looks: Vec<Style> = (0..224).map(Style::nth).collect();
        for (index, look) in looks.iter().enumerate() {
            assert!(!looks[..index].contains(look), "{index}: {look:?}");
        }
        for (index, look) in looks[..32].iter().enumerate() {
            let same = |other: &Style| (other.marker, other.dash) == (look.marker, look.dash);
            assert!(!looks[..index].iter().any(same), "{index}: {look:?}");
        }
        for pair in looks.windows(2) {
            assert!(pair[0].marker != pair[1].marker && pair[0].dash != pair[1].dash);
        }
    }

    #[test]
    fn layers_differ_in_grey() {
        for pair in LAYER_COLORS.windows(2) {
            assert!(pair[1].grey() > pair[0].grey() + 35.0, "{pair:?}");
        }
    }

    #[test]
    fn dark_text_is_legible_on_every_pale_colour() {
        assert!(PALETTE.iter().all(|color| color.pale().grey() > 165.0));
    }

    #[test]
    fn every_line_is_visible_on_white_paper() {
        assert!(PALETTE.iter().all(|color| color.grey() < 190.0));
    }
}
