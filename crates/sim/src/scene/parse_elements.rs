//! Reading the repeatable elements: sources, obstacles, balls, events, layers.

use super::elements::{Action, Ball, Event, LayerRule, LayerTarget, Obstacle, Source};
use super::fault::{Fallible, Fault};
use super::text::quote;
use super::tokens::{Token, Tokens};
use broadphase::{Axis, Layer};
use glam::Vec3;
use std::ops::Range;

/// A source, and the place of its share in the text. The share may be any number: that of the last source is ignored, and
/// which source is the last is not known yet.
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
            length.check(holds, "large enough to be representable this far from the origin")?
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
        Some(token) => Some(token.number("the ball's radius")?.length()?),
        None => None,
    };
    tokens.finish("the ball's radius")?;
    Ok(Ball {
        center: Vec3::from(center.map(|n| n.value)),
        velocity: Vec3::from(velocity.map(|n| n.value)),
        radius,
    })
}

/// An event, and where the number of a removed source stands.
pub(super) fn event(tokens: &mut Tokens<'_>) -> Fallible<(Event, Option<Range<usize>>)> {
    let time = tokens.number("the event's time")?.not_negative()?;
    let remove =
        tokens.choice(&[("remove-source", true), ("hold", false)], "`remove-source` or `hold`")?;
    let (action, source) = if remove {
        let (number, at) = source_number(tokens)?;
        (Action::RemoveSource(number), Some(at))
    } else {
        let attract = tokens
            .choice(&[("p", true), ("o", false)], "`p` (the line attracts) or `o` (it repels)")?;
        let seconds = tokens.number("the seconds of holding")?.positive()?;
        (Action::Hold { attract, seconds }, None)
    };
    tokens.finish("the event")?;
    Ok((Event { time, action }, source))
}

pub(super) fn source_number(tokens: &mut Tokens<'_>) -> Fallible<(u32, Range<usize>)> {
    let (number, at) = tokens.integer("the source, counted from 1", u32::MAX.into())?;
    if number == 0 {
        let message = "expected the number of a source, counted from 1, found `0`";
        return Err(Fault::new(at, message, "the first source is 1"));
    }
    // `integer` has checked that it fits a u32.
    Ok((number as u32, at))
}

/// A layer rule, and where its target stands.
pub(super) fn layer(tokens: &mut Tokens<'_>) -> Fallible<(LayerRule, Range<usize>)> {
    let expected = "`source`, `balls` or `bodies`, the objects of the layer";
    let first = tokens.expect(expected)?;
    let (target, at) = match first.text {
        "source" => {
            let (number, at) = source_number(tokens)?;
            (LayerTarget::Source(number), at)
        }
        "balls" => (LayerTarget::Balls, first.at),
        "bodies" => (LayerTarget::Bodies, first.at),
        _ => return Err(first.unexpected(expected, "not one of these")),
    };
    let mut layer = Layer::ALL;
    let mut words = vec!["group", "meets", "static"];
    let mut required = true;
    while let Some(word) = tokens.word(&mut words, required)? {
        match word.text {
            "group" => {
                let (group, _) = tokens.integer("the group", LAST_GROUP.into())?;
                // `integer` has checked that it fits a u8.
                layer.group = group as u8;
            }
            "meets" => layer.mask = mask(&tokens.expect(GROUPS_MET)?)?,
            _ => layer.is_static = true,
        }
        required = false;
    }
    tokens.finish("the layer")?;
    Ok((LayerRule { target, layer }, at))
}

const LAST_GROUP: u8 = Layer::GROUPS - 1;

const GROUPS_MET: &str = "`all`, `none`, or groups with commas between them and no blanks";

/// The groups that a layer meets.
fn mask(token: &Token<'_>) -> Fallible<u32> {
    match token.text {
        "all" => return Ok(u32::MAX),
        "none" => return Ok(0),
        text if text.starts_with(char::is_alphabetic) => {
            return Err(token.unexpected(GROUPS_MET, "not one of these"));
        }
        _ => {}
    }
    let mut mask = 0;
    let mut start = token.at.start;
    for piece in token.text.split(',') {
        let at = start..start + piece.len();
        let is_number = piece.bytes().all(|b| b.is_ascii_digit());
        match piece.parse::<u8>() {
            Ok(group) if is_number && group <= LAST_GROUP => mask |= 1 << group,
            _ => {
                let found = if piece.is_empty() { "nothing".to_owned() } else { quote(piece) };
                let message = format!("expected a group from 0 to {LAST_GROUP}, found {found}");
                let fault = Fault::new(at, message, "not a group");
                return Err(fault.help("groups stand with commas between them and no blanks: 0,2"));
            }
        }
        start += piece.len() + 1;
    }
    Ok(mask)
}
