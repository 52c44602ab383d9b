//! Drawing of a structure: primitives with their legend, in colours by their meaning.

use crate::scene_renderer::{Color, Theme};
use crate::simulation::Picked;
use crate::view::{Row, View};
use broadphase::inspect::PairMark;
use broadphase::{Aabb, Axis};
use glam::Vec3;

/// A colour by its meaning. The theme decides on the colour itself.
#[derive(Clone, Copy, Debug)]
pub enum Ink {
    /// An object, in the colour in which it is drawn; in the legend by its number.
    Object(u32),
    /// A place between 0 and 1 on the colour scale.
    Scale(f32),
    /// A plane, by its normal.
    Plane(Axis),
    /// A cached object, by its role.
    Cached(usize),
    /// This colour.
    Fixed(Color),
    /// A colour of the theme.
    Of(fn(&Theme) -> Color),
}

impl Ink {
    pub(crate) const HIT: Self = Self::Of(|theme| theme.hit);
    pub(crate) const SOURCE: Self = Self::Of(|theme| theme.source);
    pub(super) const CANDIDATE: Self = Self::Of(|theme| theme.candidate);
    pub(super) const TESTED: Self = Self::Of(|theme| theme.tested);
    pub(super) const OVERLAP: Self = Self::Of(|theme| theme.overlap);
    pub(super) const PICKED: Self = Self::Of(|theme| theme.picked);
    pub(super) const OWN: Self = Self::Of(|theme| theme.selected_pane_edge);
    pub(super) const LEAF: Self = Self::Of(|theme| theme.leaf);
    pub(super) const MARK: Self = Self::Of(|theme| theme.mark);
    pub(super) const ROTATED: Self = Self::Of(|theme| theme.rotated);
    pub(super) const RAIL: Self = Self::Of(|theme| theme.rail);

    /// The colour of an object that a search met with the picked one, or of that one; `None` of others.
    pub(crate) fn beside(picked: &Picked, object: u32) -> Option<Self> {
        if object == picked.object {
            Some(Self::PICKED)
        } else if picked.touches(object) {
            Some(Self::HIT)
        } else if picked.concerns(object) {
            Some(Self::CANDIDATE)
        } else {
            picked.is_tested_with(object).then_some(Self::TESTED)
        }
    }

    /// The colour, given that of an object.
    pub fn color(self, theme: &Theme, object: impl Fn(u32) -> Color) -> Color {
        match self {
            Self::Object(number) => object(number),
            Self::Scale(share) => {
                let [r, g, b] = theme.on_scale(share);
                [r, g, b, 255]
            }
            Self::Plane(axis) => theme.plane(axis),
            Self::Cached(role) => theme.cached.get(role).copied().unwrap_or(theme.rail),
            Self::Fixed(color) => color,
            Self::Of(color) => color(theme),
        }
    }
}

/// How a primitive is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Its colour.
    pub ink: Ink,
    /// The share of the colour's opacity.
    pub share: f32,
    /// The width of its lines in points.
    pub width: f32,
}

/// A full colour with a width.
pub(super) fn solid(ink: Ink, width: f32) -> Style {
    Style { ink, share: 1.0, width }
}

/// A share of a colour with a width.
pub(super) fn faint(ink: Ink, share: f32, width: f32) -> Style {
    Style { ink, share, width }
}

/// One end of a line.
#[derive(Clone, Copy, Debug)]
pub enum End {
    /// A place in the scene.
    At(Vec3),
    /// A place on the rail of an axis, next to the scene as the camera sees it.
    Rail {
        /// The axis.
        axis: Axis,
        /// The place on it.
        place: f32,
        /// Its distance from the scene, in shares of the scene's longest side.
        distance: f32,
        /// Whether the rail is next to the picked object's leaf instead.
        of_leaf: bool,
    },
}

/// Where a label is.
#[derive(Clone, Copy, Debug)]
pub enum Anchor {
    /// At a place; fainter at the far side of the scene.
    Near(Vec3),
    /// At a place, as it is.
    At(End),
    /// At the upper left corner of a box as it is seen, the further along its edge the deeper the box is in its tree.
    Corner(Aabb, u32),
}

/// A text in the scene.
#[derive(Clone, Debug)]
pub struct Label {
    /// Its place.
    pub at: Anchor,
    /// Its words.
    pub text: String,
    /// Height of its letters in points; `None` for the smallest legible ones.
    pub size: Option<f32>,
}

/// An entry of the legend.
#[derive(Clone, Debug)]
pub enum Entry {
    /// A line between what is above and below.
    Rule,
    /// A heading.
    Heading(String),
    /// A figure.
    Figure(String),
    /// A sentence.
    Line(String),
    /// Something to do.
    Hint(String),
    /// A note about things that are not drawn.
    Note(String),
    /// The meaning of a colour.
    Swatch(Ink, String),
    /// The meaning of dashes.
    Dashes(Ink, String),
    /// The colour scale between two labels.
    Scale(String, String),
    /// Colours of objects from 0 to a value.
    Colors([[u8; 3]; 9], String),
    /// A small tree, depth first.
    Tree(Vec<Node>),
    /// Intervals on an axis.
    Axis(AxisChart),
    /// A square for each pair of `n` objects, and the picked object.
    Matrix(Vec<PairMark>, usize, Option<u32>),
}

/// A node of a small tree.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its depth below the root.
    pub depth: u32,
    /// Its colour.
    pub ink: Ink,
    /// Beside it, or below a leaf.
    pub text: Option<String>,
    /// The number of objects in a leaf, where that is its text.
    pub objects: Option<u32>,
    /// Whether nothing is below it.
    pub is_leaf: bool,
    /// Whether the picked object is in it.
    pub is_way: bool,
    /// Nodes that the search rejected or did not reach are hollow.
    pub is_filled: bool,
    /// The colour of its frame, if it has just changed.
    pub changed: Option<Ink>,
}

/// Intervals of few objects on one axis, a row for each.
#[derive(Clone, Debug, Default)]
pub struct AxisChart {
    /// Object, ends and colour of each interval, and the share of that colour.
    pub rows: Vec<(u32, [f32; 2], Ink, f32)>,
    /// Places with their rows, which are circled and joined.
    pub circled: Vec<(f32, usize)>,
}

/// The primitives, labels and legend of rows of a view.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// The rows, one of which has to be shown; none if the group is always shown.
    pub rows: Vec<Row>,
    /// Boxes drawn as their edges.
    pub boxes: Vec<(Aabb, Style)>,
    /// Lines.
    pub lines: Vec<([End; 2], Style)>,
    /// Lines that no object hides.
    pub over: Vec<([Vec3; 2], Style)>,
    /// Spheres, drawn as the circles that the camera sees: centre and radius.
    pub spheres: Vec<(Vec3, f32, Style)>,
    /// Rectangles across an axis, with their depth. A colour other than that of the axis has this opacity, those of axes a
    /// share of the view's.
    pub planes: Vec<(Aabb, Axis, u32, f32, Option<Ink>)>,
    /// Texts.
    pub labels: Vec<Label>,
    /// The legend; without entries, the group has none.
    pub legend: Vec<Entry>,
    /// A row whose legend stands for this one while it is shown.
    pub told_by: Option<Row>,
}

impl Group {
    /// Whether a view shows it.
    pub fn is_shown(&self, view: &View) -> bool {
        self.rows.is_empty() || self.rows.iter().any(|row| view.shows(*row))
    }

    pub(super) fn of(row: impl Into<Row>) -> Self {
        Self { rows: vec![row.into()], ..Self::default() }
    }

    pub(super) fn wire(&mut self, bounds: Aabb, style: Style) {
        self.boxes.push((bounds, style));
    }

    pub(super) fn line(&mut self, a: Vec3, b: Vec3, style: Style) {
        self.lines.push(([End::At(a), End::At(b)], style));
    }

    pub(super) fn label(&mut self, at: Anchor, text: impl ToString, size: Option<f32>) {
        self.labels.push(Label { at, text: text.to_string(), size });
    }

    pub(super) fn title(&mut self, text: impl Into<String>, meaning: &str) {
        self.legend.extend([Entry::Heading(text.into()), Entry::Line(meaning.to_owned())]);
    }

    pub(super) fn swatch(&mut self, ink: Ink, meaning: impl Into<String>) {
        self.legend.push(Entry::Swatch(ink, meaning.into()));
    }

    pub(super) fn dashes(&mut self, ink: Ink, meaning: impl Into<String>) {
        self.legend.push(Entry::Dashes(ink, meaning.into()));
    }

    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.legend.push(Entry::Line(text.into()));
    }

    pub(super) fn hint(&mut self, text: impl Into<String>) {
        self.legend.push(Entry::Hint(text.into()));
    }

    pub(super) fn figure(&mut self, text: impl Into<String>) {
        self.legend.push(Entry::Figure(text.into()));
    }

    pub(super) fn note(&mut self, text: impl Into<String>) {
        self.legend.push(Entry::Note(text.into()));
    }
}
