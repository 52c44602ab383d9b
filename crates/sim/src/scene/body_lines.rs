//! The lines about shapes and bodies: what each of them says, and whether they fit together.

use super::bodies::{MOST_SHAPES, ShapeForm};
use super::catalogue::{Catalogue, CatalogueError};
use super::fault::{Fallible, Fault};
use super::model::Scene;
use super::parse_bodies;
use super::text::{line_number, quote};
use super::tokens::Tokens;
use narrowphase::shape::MOST_PARTS;
use std::ops::Range;

/// Where the lines stand: names may be defined further down than they are used.
#[derive(Default)]
pub(super) struct BodyLines {
    /// Name and form of each shape.
    shapes: Vec<[Range<usize>; 2]>,
    /// Names of the compound and the shape of each part.
    parts: Vec<[Range<usize>; 2]>,
    /// The source of each rule of generated bodies.
    sources: Vec<(u32, Range<usize>)>,
    /// Names of the shapes of generated and placed bodies.
    used: Vec<Range<usize>>,
}

impl BodyLines {
    /// Reads a shape.
    pub(super) fn shape(
        &mut self,
        text: &str,
        scene: &mut Scene,
        tokens: &mut Tokens<'_>,
    ) -> Fallible<()> {
        let (rule, places) = parse_bodies::shape(tokens)?;
        let [name, form] = &places;
        let named = scene.shapes.iter().zip(&self.shapes).find(|(seen, _)| seen.name == rule.name);
        if let Some((_, [earlier, _])) = named {
            let what = format!("one shape named {}", quote(&rule.name));
            return Err(given_again(text, &what, earlier, name));
        }
        if scene.shapes.len() == MOST_SHAPES {
            let message = format!("expected {MOST_SHAPES} shapes at most, found one more");
            return Err(Fault::new(name.start..form.end, message, "one too many"));
        }
        scene.shapes.push(rule);
        self.shapes.push(places);
        Ok(())
    }

    /// Reads a part.
    pub(super) fn part(&mut self, scene: &mut Scene, tokens: &mut Tokens<'_>) -> Fallible<()> {
        let (rule, places) = parse_bodies::part(tokens)?;
        let parts = scene.parts.iter().filter(|part| part.compound == rule.compound);
        if parts.count() == MOST_PARTS {
            let message = format!("expected a compound of {MOST_PARTS} parts at most");
            return Err(Fault::new(places[0].clone(), message, "one part too many"));
        }
        scene.parts.push(rule);
        self.parts.push(places);
        Ok(())
    }

    /// Reads a rule of generated bodies. Returns its source, and where that stands.
    pub(super) fn generated(
        &mut self,
        text: &str,
        scene: &mut Scene,
        tokens: &mut Tokens<'_>,
    ) -> Fallible<(u32, Range<usize>)> {
        let (rule, at, names) = parse_bodies::bodies(tokens)?;
        if let Some((_, earlier)) = self.sources.iter().find(|(source, _)| *source == rule.source) {
            let what = format!("one `#!bodies` of source {}", rule.source);
            return Err(given_again(text, &what, earlier, &at));
        }
        self.sources.push((rule.source, at.clone()));
        self.used.extend(names);
        let source = rule.source;
        scene.generated_bodies.push(rule);
        Ok((source, at))
    }

    /// Reads a body placed by hand. Returns where its word `bullet` stands.
    pub(super) fn placed(
        &mut self,
        scene: &mut Scene,
        tokens: &mut Tokens<'_>,
    ) -> Fallible<Option<Range<usize>>> {
        let (body, name, bullet) = parse_bodies::placed_body(tokens)?;
        scene.placed_bodies.push(body);
        self.used.push(name);
        Ok(bullet)
    }

    /// The checks that need the whole file. Returns warnings.
    pub(super) fn check(&self, text: &str, scene: &Scene) -> Fallible<Vec<Fault>> {
        let form_of = |name: &Range<usize>| {
            let name = &text[name.clone()];
            scene.shapes.iter().find(|rule| rule.name == name).map(|rule| &rule.form)
        };
        for [compound, shape] in &self.parts {
            match form_of(compound) {
                Some(ShapeForm::Compound) => {}
                Some(_) => return Err(wrong_name(text, compound, "a compound", "no compound")),
                None => return Err(unknown_name(text, compound)),
            }
            match form_of(shape) {
                Some(ShapeForm::Compound) => {
                    let expected = "a shape that is no compound";
                    return Err(wrong_name(text, shape, expected, "a compound"));
                }
                Some(_) => {}
                None => return Err(unknown_name(text, shape)),
            }
        }
        if let Some(name) = self.used.iter().find(|name| form_of(name).is_none()) {
            return Err(unknown_name(text, name));
        }
        Catalogue::new(scene).map_err(|error| self.fault(text, &error))?;
        Ok(self.repeated_points(scene))
    }

    fn fault(&self, text: &str, error: &CatalogueError) -> Box<Fault> {
        let (at, label) = match error {
            CatalogueError::Shape { index, .. } => (&self.shapes[*index][1], "no such shape"),
            CatalogueError::Compound { index, .. } => (&self.shapes[*index][0], "no such compound"),
            CatalogueError::Unknown { name } => {
                let named = self.used.iter().find(|at| text[at.start..at.end] == *name);
                return Fault::new(
                    named.cloned().unwrap_or_default(),
                    error.to_string(),
                    "unknown",
                );
            }
        };
        Fault::new(at.clone(), error.to_string(), label)
    }

    /// Warnings about points that are given twice.
    fn repeated_points(&self, scene: &Scene) -> Vec<Fault> {
        let mut warnings = Vec::new();
        for (rule, [_, form]) in scene.shapes.iter().zip(&self.shapes) {
            let mut points: Vec<Vec<f32>> = match &rule.form {
                ShapeForm::Points(points) => points.iter().map(|p| p.to_array().to_vec()).collect(),
                ShapeForm::Polygon { corners, .. } => {
                    corners.iter().map(|corner| corner.to_array().to_vec()).collect()
                }
                _ => continue,
            };
            let count = points.len();
            points.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
            points.dedup();
            let repeated = count - points.len();
            if repeated > 0 {
                let s = if repeated == 1 { "" } else { "s" };
                let message =
                    format!("{repeated} repeated point{s} in shape {}", quote(&rule.name));
                warnings.push(*Fault::new(form.clone(), message, "counted once"));
            }
        }
        warnings
    }
}

fn given_again(text: &str, what: &str, earlier: &Range<usize>, again: &Range<usize>) -> Box<Fault> {
    let message = format!(
        "expected {what} in the file, found it on line {} and again on line {}",
        line_number(text, earlier.start),
        line_number(text, again.start),
    );
    let fault = Fault::new(again.clone(), message, "given again");
    fault.other(earlier.clone(), "given for the first time here")
}

fn unknown_name(text: &str, at: &Range<usize>) -> Box<Fault> {
    let message =
        format!("expected the name of a shape of the file, found {}", quote(&text[at.clone()]));
    Fault::new(at.clone(), message, "no shape has this name")
}

fn wrong_name(text: &str, at: &Range<usize>, expected: &str, label: &str) -> Box<Fault> {
    let message = format!("expected the name of {expected}, found {}", quote(&text[at.clone()]));
    Fault::new(at.clone(), message, label)
}
