//! The checks of a scene that need the whole file.

use super::bodies::{LARGEST_TURN, MAX_SHAPES, ShapeForm};
use super::catalogue::{Catalogue, CatalogueError};
use super::elements::{LayerTarget, Source};
use super::fault::{Fallible, Fault};
use super::fields::{LARGEST, Mark, SHARE, SMALLEST_LENGTH};
use super::lines::{BODY, FORCE, OBJECTS, PART, SHAPE, SHARE_SLACK, SOURCE, SPIN};
use super::model::Scene;
use super::parse::{Element, Parsed};
use super::text::{first_line, quote};
use narrowphase::Shape;
use narrowphase::shape::{MAX_PARTS, ShapeError};
use std::collections::HashMap;
use std::ops::Range;

/// Sets the last share to the remainder of 100. Fails with the first source that brings the sum of the others
/// above 100, and that sum.
pub(super) fn fill_last_share(sources: &mut [Source]) -> Result<(), (usize, f64)> {
    let Some((last, others)) = sources.split_last_mut() else {
        return Ok(());
    };
    let mut sum = 0.0;
    for (index, source) in others.iter().enumerate() {
        // In f64 the sum of f32 shares is exact for all that matters.
        sum += f64::from(source.percent);
        if sum > 100.0 + SHARE_SLACK {
            return Err((index, sum));
        }
    }
    let rest = 100.0 - sum;
    last.percent = if rest < SHARE_SLACK { 0.0 } else { rest as f32 };
    Ok(())
}

/// Checks the lines of a file against each other, and fills in the last share. Returns warnings.
pub(super) fn check(text: &str, parsed: &mut Parsed) -> Fallible<Vec<Fault>> {
    let Parsed { scene, elements, .. } = parsed;
    check_sources(text, scene, elements)?;
    let is_static = scene.layer_of(LayerTarget::Bodies).is_static;
    let lines = Lines { text, scene, elements, is_static };
    if scene.total_objects() == 0 {
        // The count is 0 only if the directive says so.
        let at = lines.of(OBJECTS).next().map_or(0..0, |element| element.span.clone());
        let message = "expected at least one object, found `#!objects 0` and no ball or body";
        return Err(Fault::new(at, message, "nothing would move"));
    }
    lines.check_limits()?;
    for (mark, at) in elements.iter().flat_map(|element| &element.marks) {
        lines.check_mark(*mark, at)?;
    }
    let catalogue = Catalogue::new(scene).map_err(|error| lines.wrong_shape(&error))?;
    lines.check_scales(&catalogue)?;
    let mut warnings = lines.idle_forces();
    warnings.extend(lines.repeated_points(&catalogue));
    warnings.extend(lines.fast_spins());
    Ok(warnings)
}

fn check_sources(text: &str, scene: &mut Scene, elements: &[Element]) -> Fallible<()> {
    let sources = &mut scene.sources;
    let Some((_, all_but_last)) = sources.split_last() else {
        let start = first_line(text);
        let message = "a scene needs at least one source, found none in the whole file";
        return Err(Fault::new(start..start, message, "no line of the file begins with `i`")
            .help("the smallest scene is the line `i -1 -1 -1  2 2 2  100 t`"));
    };
    let lines = elements.iter().filter(|element| element.kind.head() == SOURCE);
    let shares: Vec<_> = lines.map(|element| element.at(Mark::Share)).collect();
    for (source, at) in all_but_last.iter().zip(&shares) {
        if !SHARE.holds(source.percent) {
            let (found, must) = (quote(&text[at.clone()]), SHARE.text);
            let message = format!("expected the share to be {must}, found {found}");
            return Err(Fault::new(at.clone(), message, format!("must be {must}")));
        }
    }
    fill_last_share(sources).map_err(|(index, sum)| {
        // Further digits are those of rounding to f32, not of the file.
        let sum = (sum * 1e5).round() / 1e5;
        let message = format!("expected shares that add up to 100 at most, found {sum}");
        Fault::new(shares[index].clone(), message, "the sum passes 100 here")
    })
}

/// A scene and its lines.
struct Lines<'a> {
    text: &'a str,
    scene: &'a Scene,
    elements: &'a [Element],
    /// Whether the layer of placed bodies makes them static.
    is_static: bool,
}

impl<'a> Lines<'a> {
    fn of(&self, head: &'static str) -> impl Iterator<Item = &'a Element> {
        self.elements.iter().filter(move |element| element.kind.head() == head)
    }

    fn check_limits(&self) -> Fallible<()> {
        if let Some(shape) = self.of(SHAPE).nth(MAX_SHAPES) {
            let message = format!("expected {MAX_SHAPES} shapes at most, found one more");
            return Err(Fault::new(shape.at(Mark::NewShape), message, "one too many"));
        }
        let mut counts = HashMap::new();
        for (part, element) in self.scene.parts.iter().zip(self.of(PART)) {
            let count = counts.entry(&part.compound).or_insert(0);
            *count += 1;
            if *count > MAX_PARTS {
                let message = format!("expected a compound of {MAX_PARTS} parts at most");
                return Err(Fault::new(element.at(Mark::Compound), message, "one part too many"));
            }
        }
        Ok(())
    }

    /// Checks whether what a token names exists, and is what it has to be.
    fn check_mark(&self, mark: Mark, at: &Range<usize>) -> Fallible<()> {
        let found = &self.text[at.clone()];
        let wrong = |expected: &str, label: String| {
            let message = format!("expected {expected}, found {}", quote(found));
            Err(Fault::new(at.clone(), message, label))
        };
        let number: usize = found.parse().unwrap_or_default();
        let form = || self.scene.shapes.iter().find(|rule| rule.name == found).map(|r| &r.form);
        let (sources, bodies) = (self.scene.sources.len(), self.scene.placed_bodies.len());
        match mark {
            Mark::Source if number > sources => {
                wrong("a source of the file", format!("the file has {sources}"))
            }
            Mark::Body if number > bodies => {
                let label = format!("the file has {bodies} `#!body` lines");
                wrong("the number of a body", label)
            }
            Mark::Shape | Mark::Compound | Mark::Convex if form().is_none() => {
                wrong("the name of a shape of the file", "no shape has this name".to_owned())
            }
            Mark::Compound if form() != Some(&ShapeForm::Compound) => {
                wrong("the name of a compound", "no compound".to_owned())
            }
            Mark::Convex if form() == Some(&ShapeForm::Compound) => {
                wrong("the name of a shape that is no compound", "a compound".to_owned())
            }
            Mark::Mover if self.is_static => {
                wrong("a body that `#!layer` does not make static", "cannot move".to_owned())
            }
            _ => Ok(()),
        }
    }

    fn wrong_shape(&self, error: &CatalogueError) -> Box<Fault> {
        let place = match error {
            CatalogueError::Shape { index, source: ShapeError::PartPose(part) } => {
                let name = &self.scene.shapes[*index].name;
                let parts = self.scene.parts.iter().zip(self.of(PART));
                let mut parts = parts.filter(|(part, _)| part.compound == *name);
                parts.nth(*part).map(|(_, line)| line.at(Mark::Compound))
            }
            CatalogueError::Shape { index, .. } => {
                let is_compound = self.scene.shapes[*index].form == ShapeForm::Compound;
                let mark = if is_compound { Mark::NewShape } else { Mark::Form };
                self.of(SHAPE).nth(*index).map(|line| line.at(mark))
            }
            // All names were found before.
            CatalogueError::Unknown { .. } => None,
        };
        Fault::new(place.unwrap_or_default(), error.to_string(), "no such shape")
    }

    /// Bodies are no larger and no smaller than other objects can be.
    fn check_scales(&self, catalogue: &Catalogue) -> Fallible<()> {
        let limits = f64::from(SMALLEST_LENGTH)..=f64::from(LARGEST);
        for (body, element) in self.scene.placed_bodies.iter().zip(self.of(BODY)) {
            let shape = catalogue.find(&body.shape).map(|index| &catalogue.shapes()[index].shape);
            let radius = shape.map_or(1.0, Shape::bounding_radius) * f64::from(body.scale);
            if !limits.contains(&radius) {
                let message = format!(
                    "expected a body with a bounding radius from {SMALLEST_LENGTH:e} to {LARGEST:e}, \
                     found {:e}",
                    radius as f32
                );
                return Err(Fault::new(
                    element.at(Mark::Scale),
                    message,
                    "the scale times that of the shape",
                ));
            }
        }
        Ok(())
    }

    /// Warnings of forces that move nothing.
    fn idle_forces(&self) -> Vec<Fault> {
        let mut warnings = Vec::new();
        for (force, element) in self.scene.body_forces.iter().zip(self.of(FORCE)) {
            let body = &self.scene.placed_bodies[force.body as usize - 1];
            let is_static = self.is_static || body.is_static;
            let message = if is_static || body.is_kinematic || body.is_driven {
                "a force does not move a static, kinematic or driven body"
            } else if self.scene.flat && force.force.y != 0.0 {
                "a force along y does not move a body of a flat scene"
            } else {
                continue;
            };
            warnings.push(*Fault::new(element.at(Mark::Body), message, "has no effect"));
        }
        warnings
    }

    /// Warnings of rotations that are slowed down.
    fn fast_spins(&self) -> impl Iterator<Item = Fault> {
        let spins = self.scene.placed_bodies.iter().map(|body| body.spin.as_dvec3().length());
        let bodies = spins.zip(self.of(BODY));
        let generated = self.of(SPIN).map(|element| (f64::from(self.scene.spin), element));
        let dt = self.scene.dt;
        let limit = LARGEST_TURN / f64::from(dt);
        let too_fast = bodies.chain(generated).filter(move |(spin, _)| *spin > limit);
        too_fast.map(move |(spin, element)| {
            let message = format!(
                "a spin of {spin} rad/s is slowed down to {limit:.3} rad/s: {LARGEST_TURN} rad in a step of {dt} s"
            );
            *Fault::new(element.span.clone(), message, "too fast to be followed")
        })
    }

    /// Warnings of points that are given twice.
    fn repeated_points(&self, catalogue: &Catalogue) -> Vec<Fault> {
        let shapes = self.scene.shapes.iter().zip(self.of(SHAPE)).zip(catalogue.duplicates());
        let mut warnings = Vec::new();
        for ((rule, element), count) in shapes.filter(|(_, count)| **count > 0) {
            let s = if *count == 1 { "" } else { "s" };
            let message = format!("{count} repeated point{s} in shape {}", quote(&rule.name));
            warnings.push(*Fault::new(element.at(Mark::Form), message, "counted once"));
        }
        warnings
    }
}
