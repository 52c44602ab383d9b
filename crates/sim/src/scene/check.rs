//! The checks of a scene that need the whole file.

use super::catalogue::{Catalogue, CatalogueError, NamedShape};
use super::fault::{Fallible, Fault};
use super::fields::{Mark, RADIUS, SHARE};
use super::lines::{BODY, FORCE, OBJECTS, PART, SHAPE, SHARE_SLACK, SOURCE, SPIN};
use super::model::{LARGEST_TURN, LayerTarget, MAX_SHAPES, PlacedBody, ShapeForm, Source};
use super::parse::{Element, Parsed};
use super::text::{first_line, quote};
use narrowphase::Shape;
use narrowphase::shape::{MAX_PARTS, ShapeError};
use std::iter::zip;
use std::ops::Range;

/// Sets the last share to what the others leave of 100.
pub(super) fn fill_last_share(sources: &mut [Source]) {
    if let Some((last, others)) = sources.split_last_mut() {
        // In f64 the sum of f32 shares is exact for all that matters.
        let rest = 100.0 - others.iter().map(|source| f64::from(source.percent)).sum::<f64>();
        last.percent = if rest < SHARE_SLACK { 0.0 } else { rest as f32 };
    }
}

impl Parsed<'_> {
    /// Checks the lines of a file against each other. Returns warnings.
    pub(super) fn check(&self) -> Fallible<Vec<Fault>> {
        self.check_sources()?;
        if self.scene.total_objects() == 0 {
            // The count is 0 only if the directive says so.
            let at = self.of(OBJECTS).next().map_or(0..0, |element| element.span.clone());
            let message = "expected at least one object, found `#!objects 0` and no ball or body";
            return Err(Fault::new(at, message, "nothing would move"));
        }
        if let Some(shape) = self.of(SHAPE).nth(MAX_SHAPES) {
            let message = format!("expected {MAX_SHAPES} shapes at most, found one more");
            return Err(Fault::new(shape.at(Mark::NewShape), message, "one too many"));
        }
        for (mark, at) in self.elements.iter().flat_map(|element| &element.marks) {
            self.check_mark(*mark, at)?;
        }
        let catalogue = Catalogue::new(&self.scene).map_err(|error| self.wrong_shape(&error))?;
        self.check_scales(&catalogue)?;
        Ok(self.warnings(&catalogue))
    }

    fn of(&self, head: &'static str) -> impl Iterator<Item = &Element> {
        self.elements.iter().filter(move |element| element.kind.head == head)
    }

    fn check_sources(&self) -> Fallible<()> {
        let Some((_, all_but_last)) = self.scene.sources.split_last() else {
            let start = first_line(self.text);
            let message = "a scene needs at least one source, found none in the whole file";
            let fault = Fault::new(start..start, message, "no line of the file begins with `i`");
            let help = "the smallest scene is the line `i -1 -1 -1  2 2 2  100 t`";
            return Err(fault.with_help(Some(help)));
        };
        let mut sum = 0.0;
        for (source, line) in zip(all_but_last, self.of(SOURCE)) {
            let at = line.at(Mark::Share);
            if !SHARE.holds(source.percent) {
                let (found, must) = (quote(&self.text[at.clone()]), SHARE.2);
                let message = format!("expected the share to be {must}, found {found}");
                return Err(Fault::new(at, message, format!("must be {must}")));
            }
            sum += f64::from(source.percent);
            if sum > 100.0 + SHARE_SLACK {
                // Further digits are those of rounding to f32, not of the file.
                let sum = (sum * 1e5).round() / 1e5;
                let message = format!("expected shares that add up to 100 at most, found {sum}");
                return Err(Fault::new(at, message, "the sum passes 100 here"));
            }
        }
        Ok(())
    }

    /// Whether the layer of placed bodies makes them static.
    fn has_static_bodies(&self) -> bool {
        self.scene.layer_of(LayerTarget::Bodies).is_static
    }

    /// Checks whether what a token names exists, and is what it has to be.
    fn check_mark(&self, mark: Mark, at: &Range<usize>) -> Fallible<()> {
        let found = &self.text[at.clone()];
        let number: usize = found.parse().unwrap_or_default();
        let form = || self.scene.shapes.iter().find(|rule| rule.name == found).map(|r| &r.form);
        let (sources, bodies) = (self.scene.sources.len(), self.scene.placed_bodies.len());
        let (expected, label) = match mark {
            Mark::Source if number > sources => {
                ("a source of the file", &*format!("the file has {sources}"))
            }
            Mark::Body if number > bodies => {
                ("the number of a body", &*format!("the file has {bodies} `#!body` lines"))
            }
            Mark::Shape | Mark::Compound | Mark::Convex if form().is_none() => {
                ("the name of a shape of the file", "no shape has this name")
            }
            Mark::Compound if form() != Some(&ShapeForm::Compound) => {
                ("the name of a compound", "no compound")
            }
            Mark::Convex if form() == Some(&ShapeForm::Compound) => {
                ("the name of a shape that is no compound", "a compound")
            }
            Mark::Mover if self.has_static_bodies() => {
                ("a body that `#!layer` does not make static", "cannot move")
            }
            _ => return Ok(()),
        };
        let message = format!("expected {expected}, found {}", quote(found));
        Err(Fault::new(at.clone(), message, label))
    }

    fn wrong_shape(&self, error: &CatalogueError) -> Box<Fault> {
        // All names were found before.
        let CatalogueError::Shape { index, source } = error else {
            return Fault::new(0..0, error.to_string(), "no such shape");
        };
        let rule = &self.scene.shapes[*index];
        let parts = zip(&self.scene.parts, self.of(PART));
        let mut parts = parts.filter(|(part, _)| part.compound == rule.name).map(|(_, line)| line);
        let (line, mark) = match source {
            ShapeError::PartPose(part) => (parts.nth(*part), Mark::Compound),
            ShapeError::PartCount(MAX_PARTS..) => (parts.nth(MAX_PARTS), Mark::Compound),
            _ if rule.form == ShapeForm::Compound => (self.of(SHAPE).nth(*index), Mark::NewShape),
            _ => (self.of(SHAPE).nth(*index), Mark::Form),
        };
        let at = line.map_or(0..0, |line| line.at(mark));
        Fault::new(at, error.to_string(), "no such shape")
    }

    /// Bodies are no larger and no smaller than other objects can be.
    fn check_scales(&self, catalogue: &Catalogue) -> Fallible<()> {
        for (body, line) in zip(&self.scene.placed_bodies, self.of(BODY)) {
            let shape = catalogue.find(&body.shape).map(|index| &catalogue.shapes()[index].shape);
            let radius = shape.map_or(1.0, Shape::bounding_radius) * f64::from(body.scale);
            if !RADIUS.holds(radius) {
                let expected = "expected a body with a bounding radius from 1e-12 to 1e12";
                let message = format!("{expected}, found {:e}", radius as f32);
                let label = "the scale times that of the shape";
                return Err(Fault::new(line.at(Mark::Scale), message, label));
            }
        }
        Ok(())
    }

    /// Warnings of forces that move nothing, of points that are given twice, and of rotations that are slowed down.
    fn warnings(&self, catalogue: &Catalogue) -> Vec<Fault> {
        let scene = &self.scene;
        let mut warnings = Vec::new();
        let mut warn = |at, message: String, label| warnings.push(*Fault::new(at, message, label));
        for (force, line) in zip(&scene.body_forces, self.of(FORCE)) {
            let body = &scene.placed_bodies[force.body as usize - 1];
            let is_moved = !(body.is_static || body.is_kinematic || body.is_driven);
            let message = if !is_moved || self.has_static_bodies() {
                "a force does not move a static, kinematic or driven body"
            } else if scene.flat && force.force.y != 0.0 {
                "a force along y does not move a body of a flat scene"
            } else {
                continue;
            };
            warn(line.at(Mark::Body), message.to_owned(), "has no effect");
        }
        for (shape, line) in zip(catalogue.shapes(), self.of(SHAPE)) {
            let NamedShape { duplicates, name, .. } = shape;
            if *duplicates > 0 {
                let s = if *duplicates == 1 { "" } else { "s" };
                let message = format!("{duplicates} repeated point{s} in shape {}", quote(name));
                warn(line.at(Mark::Form), message, "counted once");
            }
        }
        let limit = LARGEST_TURN / f64::from(scene.dt);
        let spin_of = |body: &PlacedBody| match body.is_static || body.is_driven {
            true => 0.0,
            false if scene.flat => f64::from(body.spin.y.abs()),
            false => body.spin.as_dvec3().length(),
        };
        let spins = scene.placed_bodies.iter().map(spin_of);
        let generated = self.of(SPIN).filter(|_| !scene.generated_bodies.is_empty());
        let generated = generated.map(|line| (f64::from(scene.spin), line));
        for (spin, line) in spins.zip(self.of(BODY)).chain(generated) {
            if spin > limit {
                let slow =
                    format!("{limit:.3} rad/s: {LARGEST_TURN} rad in a step of {} s", scene.dt);
                let message = format!("a spin of {spin} rad/s is slowed down to {slow}");
                warn(line.span.clone(), message, "too fast to be followed");
            }
        }
        warnings
    }
}
