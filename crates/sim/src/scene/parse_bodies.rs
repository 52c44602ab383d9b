//! Reading shapes, their parts, and bodies.

use super::bodies::{
    AxisAngle, BodiesRule, ExactPose, MAX_SHAPES, PartRule, PlacedBody, ShapeForm, ShapeRule,
    ShapeShare, is_shape_name,
};
use super::fault::{Fallible, Fault};
use super::parse_elements::source_number;
use super::text::quote;
use super::tokens::{Token, Tokens};
use glam::{DQuat, DVec3, Vec2, Vec3};
use narrowphase::shape::{LENGTHS, MAX_POINTS, MAX_VERTICES};
use std::ops::Range;

/// How far the squared length of a quaternion may be from 1: far more than rounding.
const UNIT_TOLERANCE: f64 = 1e-9;

/// Sides of a round shape without a number.
const DEFAULT_SIDES: u8 = 16;

/// Seed of random points without a number.
const DEFAULT_HULL_SEED: u64 = 1;

/// A shape, and where its name and its form stand.
pub(super) fn shape(tokens: &mut Tokens<'_>) -> Fallible<(ShapeRule, [Range<usize>; 2])> {
    let name = shape_name(tokens, "the shape's name")?;
    let expected = "`sphere`, `box`, `capsule`, `cylinder`, `cone`, `tetrahedron`, `hull`, \
                    `points`, `polygon` or `compound`";
    let kind = tokens.expect(expected)?;
    let form = match kind.text {
        "sphere" => ShapeForm::Sphere { radius: tokens.number("the radius")?.side()? },
        "box" => {
            let [x, y, z] =
                tokens.vector(["the side along x", "the side along y", "the side along z"])?;
            ShapeForm::Box { size: Vec3::new(x.side()?, y.side()?, z.side()?) }
        }
        "capsule" => {
            let radius = tokens.number("the radius")?.side()?;
            let length = tokens.number("the length")?;
            let must = "0 (a ball) or from 1e-9 to 1e9";
            let length = length.check(|v| v == 0.0 || LENGTHS.contains(&f64::from(v)), must)?;
            ShapeForm::Capsule { radius, length }
        }
        "cylinder" => {
            let (radius, height, sides) = round(tokens)?;
            ShapeForm::Cylinder { radius, height, sides }
        }
        "cone" => {
            let (radius, height, sides) = round(tokens)?;
            ShapeForm::Cone { radius, height, sides }
        }
        "tetrahedron" => ShapeForm::Tetrahedron { side: tokens.number("the side")?.side()? },
        "hull" => hull(tokens)?,
        "points" => ShapeForm::Points(points(tokens)?),
        "polygon" => polygon(tokens)?,
        "compound" => ShapeForm::Compound,
        _ => return Err(kind.unexpected(expected, "not one of these")),
    };
    tokens.finish("the shape")?;
    let at = kind.at.start..tokens.taken();
    Ok((ShapeRule { name: name.text.to_owned(), form }, [name.at, at]))
}

/// Radius, height and sides of a cylinder or a cone.
fn round(tokens: &mut Tokens<'_>) -> Fallible<(f32, f32, u8)> {
    let radius = tokens.number("the radius")?.side()?;
    let height = tokens.number("the height")?.side()?;
    let sides = if tokens.is_at_end() {
        DEFAULT_SIDES
    } else {
        within(tokens, "the number of sides", 3..=64)? as u8
    };
    Ok((radius, height, sides))
}

fn hull(tokens: &mut Tokens<'_>) -> Fallible<ShapeForm> {
    let points = within(tokens, "the number of points", 4..=MAX_VERTICES as u64)? as u32;
    let seed = match tokens.is_at_end() {
        true => DEFAULT_HULL_SEED,
        false => tokens.integer("the seed", u64::MAX)?.0,
    };
    Ok(ShapeForm::Hull { points, seed })
}

fn points(tokens: &mut Tokens<'_>) -> Fallible<Vec<Vec3>> {
    let start = tokens.taken();
    let mut points = Vec::new();
    while !tokens.is_at_end() {
        let point = tokens.vector(["a point's x", "a point's y", "a point's z"])?;
        points.push(Vec3::from(point.map(|number| number.value)));
    }
    let count = points.len();
    if (4..=MAX_POINTS).contains(&count) {
        return Ok(points);
    }
    let message = format!("expected 4 to {MAX_POINTS} points, found {count}");
    let label = if count < 4 { "too few to enclose a volume" } else { "too many" };
    Err(Fault::new(start..tokens.taken(), message, label))
}

fn polygon(tokens: &mut Tokens<'_>) -> Fallible<ShapeForm> {
    let depth = tokens.number("the depth")?.side()?;
    let start = tokens.taken();
    let mut corners = Vec::new();
    while !tokens.is_at_end() {
        let x = tokens.number("a corner's x")?.value;
        let z = tokens.number("a corner's z")?.value;
        corners.push(Vec2::new(x, z));
    }
    let count = corners.len();
    if (3..=64).contains(&count) {
        return Ok(ShapeForm::Polygon { depth, corners });
    }
    let message = format!("expected 3 to 64 corners of the polygon, found {count}");
    let label = if count < 3 { "too few to enclose an area" } else { "too many" };
    Err(Fault::new(start..tokens.taken(), message, label))
}

/// A whole number of a range.
fn within(
    tokens: &mut Tokens<'_>,
    what: &str,
    range: std::ops::RangeInclusive<u64>,
) -> Fallible<u64> {
    let (value, at) = tokens.integer(what, u64::MAX)?;
    if range.contains(&value) {
        return Ok(value);
    }
    let (least, most) = range.into_inner();
    let message = format!("expected {what} to be within {least} and {most}, found {value}");
    Err(Fault::new(at, message, format!("must be within {least} and {most}")))
}

/// A part, and where the names of the compound and of the part's shape stand.
pub(super) fn part(tokens: &mut Tokens<'_>) -> Fallible<(PartRule, [Range<usize>; 2])> {
    let compound = shape_name(tokens, "the name of a compound")?;
    let shape = shape_name(tokens, "the name of the part's shape")?;
    let position = tokens.vector(["the part's x", "the part's y", "the part's z"])?;
    let rotation = match tokens.is_at_end() {
        true => None,
        false => Some(axis_angle(tokens)?),
    };
    tokens.finish("the part")?;
    let rule = PartRule {
        compound: compound.text.to_owned(),
        shape: shape.text.to_owned(),
        position: Vec3::from(position.map(|number| number.value)),
        rotation,
    };
    Ok((rule, [compound.at, shape.at]))
}

/// The bodies that a source generates, where the source's number stands, and where the names do.
pub(super) fn bodies(
    tokens: &mut Tokens<'_>,
) -> Fallible<(BodiesRule, Range<usize>, Vec<Range<usize>>)> {
    tokens.choice(&[("source", ())], "`source`, whose objects are bodies")?;
    let (source, at) = source_number(tokens)?;
    let mut shares: Vec<ShapeShare> = Vec::new();
    let mut places = Vec::new();
    let mut sum = 0.0;
    while shares.is_empty() || !tokens.is_at_end() {
        let name = shape_name(tokens, "the name of a shape")?;
        let number = tokens.number("the share in per cent")?;
        let share_at = number.token.at.clone();
        let percent = number.check(|v| (0.0..=100.0).contains(&v), "within 0 and 100")?;
        sum += f64::from(percent);
        if sum > 100.0 + super::parse::SHARE_SLACK {
            let sum = (sum * 1e5).round() / 1e5;
            let message = format!("expected shares that add up to 100 at most, found {sum}");
            return Err(Fault::new(share_at, message, "the sum passes 100 here"));
        }
        if shares.iter().any(|share| share.shape == name.text) {
            let message =
                format!("expected each shape once in a line, found {} again", quote(name.text));
            return Err(Fault::new(name.at, message, "given again"));
        }
        if shares.len() == MAX_SHAPES {
            let message = format!("expected {MAX_SHAPES} shapes at most, found one more");
            return Err(Fault::new(name.at, message, "one too many"));
        }
        shares.push(ShapeShare { shape: name.text.to_owned(), percent });
        places.push(name.at);
    }
    Ok((BodiesRule { source, shares }, at, places))
}

/// Where the words of a body stand.
pub(super) struct BodyPlaces {
    pub(super) name: Range<usize>,
    /// Of the number.
    pub(super) scale: Option<Range<usize>>,
    /// The word `static`, `kinematic` or `driven`.
    pub(super) motion: Option<Range<usize>>,
}

/// A body, and where its words stand.
pub(super) fn placed_body(tokens: &mut Tokens<'_>) -> Fallible<(PlacedBody, BodyPlaces)> {
    let (mut body, mut places) = plain_body(tokens)?;
    let mut words =
        vec!["scale", "rotate", "exact", "spin", "static", "bullet", "kinematic", "driven"];
    while let Some(word) = tokens.word(&mut words, false)? {
        match word.text {
            "scale" => {
                let scale = tokens.number("the scale")?;
                places.scale = Some(scale.token.at.clone());
                body.scale = scale.length()?;
            }
            "rotate" => body.rotation = Some(axis_angle(tokens)?),
            "exact" => {
                if places.scale.is_some() || body.rotation.is_some() {
                    return Err(
                        word.unexpected("no `exact` beside `scale` or `rotate`", "has both")
                    );
                }
                let start = tokens.next_token_at();
                let exact = exact_pose(tokens, body.center)?;
                places.scale = Some(start..tokens.taken());
                body.scale = exact.scale as f32;
                body.exact = Some(exact);
                words.retain(|word| !matches!(*word, "scale" | "rotate"));
            }
            "spin" => {
                let names = ["the spin about x", "the spin about y", "the spin about z"];
                body.spin = Vec3::from(tokens.vector(names)?.map(|number| number.value));
            }
            "bullet" => body.is_bullet = true,
            _ if places.motion.is_some() => {
                let expected = "one of `static`, `kinematic` and `driven`";
                return Err(word.unexpected(expected, "one more"));
            }
            motion => {
                body.is_static = motion == "static";
                body.is_kinematic = motion == "kinematic";
                body.is_driven = motion == "driven";
                places.motion = Some(word.at);
            }
        }
    }
    tokens.finish("the body")?;
    Ok((body, places))
}

/// A body without words.
fn plain_body(tokens: &mut Tokens<'_>) -> Fallible<(PlacedBody, BodyPlaces)> {
    let name = shape_name(tokens, "the name of a shape")?;
    let center = tokens.vector(["the body's x", "the body's y", "the body's z"])?;
    let velocity = tokens.vector([
        "the body's velocity along x",
        "the body's velocity along y",
        "the body's velocity along z",
    ])?;
    let body = PlacedBody {
        shape: name.text.to_owned(),
        center: Vec3::from(center.map(|number| number.value)),
        velocity: Vec3::from(velocity.map(|number| number.value)),
        scale: 1.0,
        rotation: None,
        exact: None,
        spin: Vec3::ZERO,
        is_static: false,
        is_bullet: false,
        is_kinematic: false,
        is_driven: false,
    };
    Ok((body, BodyPlaces { name: name.at, scale: None, motion: None }))
}

/// Scale, position and orientation of a body in full; `center` is its position as it stands in front of them.
fn exact_pose(tokens: &mut Tokens<'_>, center: Vec3) -> Fallible<ExactPose> {
    let scale = tokens.exact_number("the exact scale")?;
    let start = tokens.next_token_at();
    let position = DVec3::new(
        tokens.exact_number("the exact x")?,
        tokens.exact_number("the exact y")?,
        tokens.exact_number("the exact z")?,
    );
    if position.as_vec3() != center {
        let message = "expected an exact position that rounds to the body's";
        return Err(Fault::new(start..tokens.taken(), message, "another place"));
    }
    let start = tokens.next_token_at();
    let rotation = DQuat::from_xyzw(
        tokens.exact_number("the quaternion's x")?,
        tokens.exact_number("the quaternion's y")?,
        tokens.exact_number("the quaternion's z")?,
        tokens.exact_number("the quaternion's w")?,
    );
    if (rotation.length_squared() - 1.0).abs() > UNIT_TOLERANCE {
        let message = "expected a quaternion of length 1";
        return Err(Fault::new(start..tokens.taken(), message, "of another length"));
    }
    Ok(ExactPose { scale, position, rotation })
}

fn axis_angle(tokens: &mut Tokens<'_>) -> Fallible<AxisAngle> {
    let start = tokens.next_token_at();
    let axis = tokens.vector(["the axis' x", "the axis' y", "the axis' z"])?;
    let axis = Vec3::from(axis.map(|number| number.value));
    if axis == Vec3::ZERO {
        let message = "expected an axis of rotation, found `0 0 0`";
        return Err(Fault::new(start..tokens.taken(), message, "has no direction"));
    }
    let degrees = tokens.number("the angle in degrees")?.value;
    Ok(AxisAngle { axis, degrees })
}

/// A word that can name a shape; `expected` describes it.
pub(super) fn shape_name<'a>(tokens: &mut Tokens<'a>, expected: &str) -> Fallible<Token<'a>> {
    let token = tokens.expect(expected)?;
    if is_shape_name(token.text) {
        return Ok(token);
    }
    let expected = format!("{expected}, 1 to 40 letters, digits, `-` or `_`, no number");
    Err(token.unexpected(&expected, "no such name"))
}
