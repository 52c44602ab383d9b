//! The lines about masses, forces and driving: their reading, writing, and checks against other lines.

use super::bodies::{BodyForce, PlacedBody, ShapeValue};
use super::body_lines::{given_again, unknown_name};
use super::driving::{DriveKeys, DriveStep, Driving, MoveRule};
use super::elements::LayerTarget;
use super::fault::{Fallible, Fault};
use super::model::Scene;
use super::numbers::{numbers, shortest_number};
use super::parse_bodies::shape_name;
use super::tokens::{LARGEST, SMALLEST_LENGTH, Tokens};
use glam::Vec3;
use narrowphase::volume::{self, VOLUMES};
use std::collections::HashMap;
use std::ops::Range;

/// A number that shapes have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Quantity {
    Restitution,
    Density,
}

/// Where the lines stand: what they name may follow further down.
#[derive(Default)]
pub(super) struct MotionLines {
    /// Where each value is given.
    values: HashMap<(Quantity, Option<String>), Range<usize>>,
    /// Names of shapes, in the order of the file.
    shapes: Vec<Range<usize>>,
    /// The bodies that forces name.
    forces: Vec<Range<usize>>,
}

impl MotionLines {
    /// Reads the restitution or the density of a shape, or of all objects.
    pub(super) fn value(
        &mut self,
        quantity: Quantity,
        text: &str,
        scene: &mut Scene,
        tokens: &mut Tokens<'_>,
    ) -> Fallible<()> {
        let start = tokens.next_token_at();
        let (value, word) = match quantity {
            Quantity::Restitution => {
                let number = tokens.number("the restitution")?;
                (number.check(|v| (0.0..=1.0).contains(&v), "within 0 and 1")?, "restitution")
            }
            Quantity::Density => {
                let number = tokens.number("the density")?;
                let must = format!("within {SMALLEST_LENGTH:e} and {LARGEST:e}");
                let range = SMALLEST_LENGTH..=LARGEST;
                (number.check(|v| range.contains(&v), &must)?, "density")
            }
        };
        let shape = match tokens.is_at_end() {
            true => None,
            false => Some(shape_name(tokens, "the name of a shape")?),
        };
        tokens.finish(&format!("the {word}"))?;
        let at = shape.as_ref().map_or(start..tokens.taken(), |shape| shape.at.clone());
        let name = shape.map(|shape| shape.text.to_owned());
        if let Some(earlier) = self.values.insert((quantity, name.clone()), at.clone()) {
            let whose = name.map_or_else(
                || "without a shape".to_owned(),
                |name| format!("of shape {}", super::text::quote(&name)),
            );
            return Err(given_again(text, &format!("one {word} {whose}"), &earlier, &at));
        }
        if name.is_some() {
            self.shapes.push(at);
        }
        match quantity {
            Quantity::Restitution => &mut scene.restitution,
            Quantity::Density => &mut scene.density,
        }
        .push(ShapeValue { shape: name, value });
        Ok(())
    }

    /// Reads a force on a body.
    pub(super) fn force(&mut self, scene: &mut Scene, tokens: &mut Tokens<'_>) -> Fallible<()> {
        let what = "the body's number, from 1 in the order of the `#!body` lines";
        let (body, at) = tokens.integer(what, u32::MAX.into())?;
        let force = tokens.vector(["the force along x", "the force along y", "the force along z"]);
        let force = Vec3::from(force?.map(|number| number.value));
        let seconds = tokens.number("the force's seconds")?.positive()?;
        tokens.finish("the force")?;
        // `integer` has checked that it fits a u32.
        scene.body_forces.push(BodyForce { body: body as u32, force, seconds });
        self.forces.push(at);
        Ok(())
    }

    /// The checks that need the whole file. Returns warnings.
    pub(super) fn check(&self, text: &str, scene: &Scene) -> Fallible<Vec<Fault>> {
        let is_known = |at: &&Range<usize>| {
            let name = &text[(*at).clone()];
            scene.shapes.iter().any(|rule| rule.name == name)
        };
        if let Some(at) = self.shapes.iter().find(|at| !is_known(at)) {
            return Err(unknown_name(text, at));
        }
        let mut warnings = Vec::new();
        for (force, at) in scene.body_forces.iter().zip(&self.forces) {
            let body = (force.body as usize).checked_sub(1);
            let Some(body) = body.and_then(|index| scene.placed_bodies.get(index)) else {
                let message = format!("expected the number of a body, found {}", force.body);
                let count = scene.placed_bodies.len();
                let label = format!("the file has {count} `#!body` lines, counted from 1");
                return Err(Fault::new(at.clone(), message, label));
            };
            let PlacedBody { is_static, is_kinematic, is_driven, .. } = body;
            let is_fixed = *is_static || scene.layer_of(LayerTarget::Bodies).is_static;
            let message = if is_fixed || *is_kinematic || *is_driven {
                "a force does not move a static, kinematic or driven body"
            } else if scene.flat && force.force.y != 0.0 {
                "a force along y does not move a body of a flat scene"
            } else {
                continue;
            };
            warnings.push(*Fault::new(at.clone(), message, "has no effect"));
        }
        Ok(warnings)
    }
}

/// Reads the values of `#!driving`.
pub(super) fn driving(tokens: &mut Tokens<'_>) -> Fallible<Driving> {
    let expected = "`refuse`, `slide` or `walk`, which move driven bodies";
    let rule = match tokens.expect(expected)? {
        token if token.text == "refuse" => MoveRule::Refuse(volume_id(tokens)?),
        token if token.text == "slide" => MoveRule::Slide,
        token if token.text == "walk" => MoveRule::Walk,
        token => return Err(token.unexpected(expected, "not one of these")),
    };
    let speed = match tokens.is_at_end() {
        true => Driving::default().speed,
        false => tokens.number("the speed of driven bodies")?.positive()?,
    };
    Ok(Driving { rule, speed })
}

fn volume_id(tokens: &mut Tokens<'_>) -> Fallible<&'static str> {
    let ids: Vec<String> = VOLUMES.iter().map(|kind| format!("`{}`", kind.id)).collect();
    let expected = format!("a bounding volume, one of {}", ids.join(", "));
    let token = tokens.expect(&expected)?;
    let kind = volume::find(token.text);
    kind.map(|kind| kind.id).ok_or_else(|| token.unexpected(&expected, "no such volume"))
}

/// Reads a `#!drive`.
pub(super) fn drive(tokens: &mut Tokens<'_>) -> Fallible<DriveStep> {
    let seconds = tokens.number("the seconds for which keys are held")?.positive()?;
    let expected = "`none`, or keys as `right` or `up+right`, of `left`, `right`, `up`, `down`, \
                    `jump`";
    let token = tokens.expect(expected)?;
    let keys =
        DriveKeys::parse(token.text).ok_or_else(|| token.unexpected(expected, "no such keys"))?;
    tokens.finish("the keys")?;
    Ok(DriveStep { seconds, keys })
}

pub(super) fn restitution_line(value: &ShapeValue) -> String {
    value_line("#!restitution", value)
}

pub(super) fn density_line(value: &ShapeValue) -> String {
    value_line("#!density", value)
}

fn value_line(head: &str, ShapeValue { shape, value }: &ShapeValue) -> String {
    let shape = shape.as_ref().map_or_else(String::new, |shape| format!(" {shape}"));
    format!("{head} {}{shape}", shortest_number(*value))
}

pub(super) fn force_line(BodyForce { body, force, seconds }: &BodyForce) -> String {
    format!("#!force {body}  {}  {}", numbers(&force.to_array()), shortest_number(*seconds))
}

pub(super) fn drive_line(DriveStep { seconds, keys }: &DriveStep) -> String {
    format!("#!drive {} {keys}", shortest_number(*seconds))
}
