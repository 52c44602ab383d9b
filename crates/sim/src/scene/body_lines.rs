//! The lines about shapes and bodies: what each of them says, and whether they fit together.

use super::bodies::{MAX_PARTS_OF_ALL, MAX_SHAPES, ShapeForm, ShapeRule};
use super::catalogue::{Catalogue, CatalogueError};
use super::elements::LayerTarget;
use super::fault::{Fallible, Fault};
use super::model::Scene;
use super::parse_bodies::{self, BodyPlaces};
use super::text::{line_number, quote};
use super::tokens::{LARGEST, SMALLEST_LENGTH, Tokens};
use narrowphase::Shape;
use narrowphase::shape::{MAX_PARTS, ShapeError};
use std::collections::HashMap;
use std::ops::Range;

/// Where the lines stand: names may be defined further down than they are used.
#[derive(Default)]
pub(super) struct BodyLines {
    /// Name and form of each shape.
    shapes: Vec<[Range<usize>; 2]>,
    /// Names of the compound and the shape of each part.
    parts: Vec<[Range<usize>; 2]>,
    /// How many parts each compound has.
    part_counts: HashMap<String, usize>,
    /// Where each source's rule of generated bodies names it.
    sources: HashMap<u32, Range<usize>>,
    /// Names of the shapes of generated and placed bodies.
    used: Vec<Range<usize>>,
    /// Where the scale of each placed body stands, or its name.
    scales: Vec<Range<usize>>,
    /// The words `kinematic` and `driven` of placed bodies.
    movers: Vec<Range<usize>>,
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
        if scene.shapes.len() == MAX_SHAPES {
            let message = format!("expected {MAX_SHAPES} shapes at most, found one more");
            return Err(Fault::new(name.start..form.end, message, "one too many"));
        }
        scene.shapes.push(rule);
        self.shapes.push(places);
        Ok(())
    }

    /// Reads a part.
    pub(super) fn part(&mut self, scene: &mut Scene, tokens: &mut Tokens<'_>) -> Fallible<()> {
        let (rule, places) = parse_bodies::part(tokens)?;
        let count = self.part_counts.entry(rule.compound.clone()).or_default();
        let most_of_all = format!("expected {MAX_PARTS_OF_ALL} parts of all compounds at most");
        let most = format!("expected a compound of {MAX_PARTS} parts at most");
        for (count, limit, message) in
            [(*count, MAX_PARTS, most), (self.parts.len(), MAX_PARTS_OF_ALL, most_of_all)]
        {
            if count == limit {
                return Err(Fault::new(places[0].clone(), message, "one part too many"));
            }
        }
        *count += 1;
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
        if let Some(earlier) = self.sources.insert(rule.source, at.clone()) {
            let what = format!("one `#!bodies` of source {}", rule.source);
            return Err(given_again(text, &what, &earlier, &at));
        }
        self.used.extend(names);
        let source = rule.source;
        scene.generated_bodies.push(rule);
        Ok((source, at))
    }

    /// Reads a body placed by hand.
    pub(super) fn placed(&mut self, scene: &mut Scene, tokens: &mut Tokens<'_>) -> Fallible<()> {
        let (body, BodyPlaces { name, scale, motion }) = parse_bodies::placed_body(tokens)?;
        if !body.is_static {
            self.movers.extend(motion);
        }
        scene.placed_bodies.push(body);
        self.scales.push(scale.unwrap_or_else(|| name.clone()));
        self.used.push(name);
        Ok(())
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
        let catalogue = Catalogue::new(scene).map_err(|error| self.fault(text, scene, &error))?;
        self.check_scales(scene, &catalogue)?;
        if let Some(at) = self.movers.first()
            && scene.layer_of(LayerTarget::Bodies).is_static
        {
            let found = quote(&text[at.clone()]);
            let message =
                format!("expected a body that `#!layer` does not make static, found {found}");
            return Err(Fault::new(at.clone(), message, "cannot move"));
        }
        Ok(self.repeated_points(scene, catalogue.duplicates()))
    }

    fn fault(&self, text: &str, scene: &Scene, error: &CatalogueError) -> Box<Fault> {
        let CatalogueError::Shape { index, source } = error else {
            // All names were found before.
            return Fault::new(0..0, error.to_string(), "unknown");
        };
        let [name, form] = &self.shapes[*index];
        let is_compound = scene.shapes[*index].form == ShapeForm::Compound;
        if let ShapeError::PartPose(at) = source {
            let of_this =
                |places: &&[Range<usize>; 2]| text[places[0].clone()] == text[name.clone()];
            if let Some([compound, shape]) = self.parts.iter().filter(of_this).nth(*at) {
                let at = compound.start..shape.end;
                return Fault::new(at, error.to_string(), "no such part");
            }
        }
        let (at, label) =
            if is_compound { (name, "no such compound") } else { (form, "no such shape") };
        Fault::new(at.clone(), error.to_string(), label)
    }

    /// Bodies are no larger and no smaller than other objects can be.
    fn check_scales(&self, scene: &Scene, catalogue: &Catalogue) -> Fallible<()> {
        let limits = f64::from(SMALLEST_LENGTH)..=f64::from(LARGEST);
        for (body, at) in scene.placed_bodies.iter().zip(&self.scales) {
            let shape = catalogue.find(&body.shape).map(|index| &catalogue.shapes()[index].shape);
            let radius = shape.map_or(1.0, Shape::bounding_radius) * f64::from(body.scale);
            if !limits.contains(&radius) {
                let message = format!(
                    "expected a body with a bounding radius from {SMALLEST_LENGTH:e} to {LARGEST:e}, \
                     found {:e}",
                    radius as f32
                );
                return Err(Fault::new(at.clone(), message, "the scale times that of the shape"));
            }
        }
        Ok(())
    }

    /// Warnings about points that are given twice.
    fn repeated_points(&self, scene: &Scene, duplicates: &[usize]) -> Vec<Fault> {
        let shapes = scene.shapes.iter().zip(&self.shapes).zip(duplicates);
        let repeated = shapes.filter(|(_, count)| **count > 0);
        let warning = |((rule, [_, form]), count): ((&ShapeRule, &[Range<usize>; 2]), &usize)| {
            let s = if *count == 1 { "" } else { "s" };
            let message = format!("{count} repeated point{s} in shape {}", quote(&rule.name));
            *Fault::new(form.clone(), message, "counted once")
        };
        repeated.map(warning).collect()
    }
}

pub(super) fn given_again(
    text: &str,
    what: &str,
    earlier: &Range<usize>,
    again: &Range<usize>,
) -> Box<Fault> {
    let message = format!(
        "expected {what} in the file, found it on line {} and again on line {}",
        line_number(text, earlier.start),
        line_number(text, again.start),
    );
    let fault = Fault::new(again.clone(), message, "given again");
    fault.other(earlier.clone(), "given for the first time here")
}

pub(super) fn unknown_name(text: &str, at: &Range<usize>) -> Box<Fault> {
    let message =
        format!("expected the name of a shape of the file, found {}", quote(&text[at.clone()]));
    Fault::new(at.clone(), message, "no shape has this name")
}

fn wrong_name(text: &str, at: &Range<usize>, expected: &str, label: &str) -> Box<Fault> {
    let message = format!("expected the name of {expected}, found {}", quote(&text[at.clone()]));
    Fault::new(at.clone(), message, label)
}
