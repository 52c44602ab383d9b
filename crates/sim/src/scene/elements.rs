//! Reading the elements of which a file gives any number: sources, obstacles, balls, events.

use super::tokens::{Fallible, Fault, Tokens};
use super::{Action, Ball, Event, Obstacle, Source};
use broadphase::Axis;
use glam::Vec3;
use std::ops::Range;

/// A source, and where its share stands. The share is any number: which source is the last, whose
/// number is ignored, is not known yet.
pub(super) fn source(tokens: &mut Tokens<'_>) -> Fallible<(Source, Range<usize>)> {
    let corner = tokens.vector(["the corner's x", "the corner's y", "the corner's z"])?;
    let size = tokens.vector(SIDES)?;
    let percent = tokens.number("the share in per cent")?;
    let floor = tokens.choice(&[("t", true), ("f", false)], "`t` (a floor) or `f` (none)")?;
    tokens.finish("the source")?;
    let mut sides = [0.0; 3];
    for (side, (low, length)) in sides.iter_mut().zip(corner.iter().zip(size)) {
        let far = low.value + length.value;
        let holds = |v: f32| v > 0.0 && far > low.value;
        *side = if length.value > 0.0 {
            length.check(holds, "large enough to count this far from the origin")?
        } else {
            // No sphere fits between walls that coincide.
            length.positive()?
        };
    }
    let source = Source {
        corner: Vec3::from(corner.map(|n| n.value)),
        size: Vec3::from(sides),
        percent: percent.value,
        floor,
    };
    Ok((source, percent.token.at))
}

pub(super) fn obstacle(tokens: &mut Tokens<'_>) -> Fallible<Obstacle> {
    let corner = tokens.vector(["the corner's x", "the corner's y", "the corner's z"])?;
    let size = tokens.vector(SIDES)?;
    let planes = [("x", Axis::X), ("y", Axis::Y), ("z", Axis::Z)];
    let normal = tokens.choice(&planes, "`x`, `y` or `z`, the axis normal to the obstacle")?;
    tokens.finish("the obstacle")?;
    let mut sides = [0.0; 3];
    for (axis, length) in Axis::ALL.into_iter().zip(size) {
        // A negative side is reported as such, even along the normal.
        sides[axis.index()] = if axis == normal && length.value >= 0.0 {
            length.check(|v| v == 0.0, "0, along the obstacle's normal")?
        } else {
            length.not_negative()?
        };
    }
    Ok(Obstacle { corner: Vec3::from(corner.map(|n| n.value)), size: Vec3::from(sides), normal })
}

const SIDES: [&str; 3] = ["the side along x", "the side along y", "the side along z"];

pub(super) fn ball(tokens: &mut Tokens<'_>) -> Fallible<Ball> {
    let center = tokens.vector(["the ball's x", "the ball's y", "the ball's z"])?;
    let velocity = tokens.vector([
        "the ball's velocity along x",
        "the ball's velocity along y",
        "the ball's velocity along z",
    ])?;
    let radius = match tokens.take() {
        Some(token) => Some(token.number("the ball's radius")?.radius()?),
        None => None,
    };
    tokens.finish("the ball's radius")?;
    Ok(Ball {
        center: Vec3::from(center.map(|n| n.value)),
        velocity: Vec3::from(velocity.map(|n| n.value)),
        radius,
    })
}

/// An event, and where the number of the source stands that it removes.
pub(super) fn event(tokens: &mut Tokens<'_>) -> Fallible<(Event, Option<Range<usize>>)> {
    let time = tokens.number("the event's time")?.not_negative()?;
    let remove =
        tokens.choice(&[("remove-source", true), ("hold", false)], "`remove-source` or `hold`")?;
    let (action, source) = if remove {
        let (number, at) = tokens.integer("the source, counted from 1", u32::MAX.into())?;
        if number == 0 {
            let message = "expected the number of a source, counted from 1, found `0`";
            return Err(Fault::new(at, message, "the first source is 1"));
        }
        // `integer` has kept it within the bounds of a u32.
        (Action::RemoveSource(number as u32), Some(at))
    } else {
        let attract = tokens
            .choice(&[("p", true), ("o", false)], "`p` (the line attracts) or `o` (it repels)")?;
        let seconds = tokens.number("the seconds of holding")?.positive()?;
        (Action::Hold { attract, seconds }, None)
    };
    tokens.finish("the event")?;
    Ok((Event { time, action }, source))
}
