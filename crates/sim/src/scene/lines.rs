//! The lines of a scene file: how each begins, and the fields that follow.
//!
//! This table is all that reading, writing, the check for lines given twice, and the list of directives know of a line.
//! A new one has its type in the model, and its entry here.

use super::fault::Fallible;
use super::fields::*;
use super::model::*;
use broadphase::{Axis, Layer};
use glam::Vec3;
use narrowphase::shape::{MAX_POINTS, MAX_VERTICES};
use narrowphase::volume::{self, VOLUMES};
use std::ops::Range;

/// Rounding tolerance of shares, in per cent: their sum may exceed 100 by it, and a smaller last share counts
/// as 0. Shares that add up to 100 in decimals miss it by at most 6e-6 once they are `f32`.
pub(super) const SHARE_SLACK: f64 = 1e-5;

/// How far the squared length of a quaternion may be from 1: far more than rounding to seven digits.
const UNIT_TOLERANCE: f32 = 1e-5;

/// A kind of line.
#[derive(Debug)]
pub(super) struct Kind {
    /// How it begins.
    pub(super) head: &'static str,
    /// Whether it is a setting, which a file gives at most once. Otherwise it is an entry of a list.
    pub(super) once: bool,
    /// Takes its fields.
    pub(super) fields: TakeFields<Scene>,
}

const fn setting(head: &'static str, fields: TakeFields<Scene>) -> Kind {
    Kind { head, once: true, fields }
}

const fn entry(head: &'static str, fields: TakeFields<Scene>) -> Kind {
    Kind { head, once: false, fields }
}

impl Kind {
    /// All its lines for a scene, which stays as it is.
    pub(super) fn lines(&self, scene: &mut Scene) -> Vec<String> {
        let line = |index| {
            let mut fields = Fields::writing(self.head, index);
            // Only reading fails.
            let _ = (self.fields)(scene, &mut fields);
            fields.written.filter(|line| !line.is_empty())
        };
        let most = if self.once { 1 } else { usize::MAX };
        (0..most).map_while(line).collect()
    }
}

/// A line of a list: in reading that of a new entry, in writing that of an entry of the list.
fn list<T: Default>(list: &mut Vec<T>, f: &mut Fields<'_>, entry: TakeFields<T>) -> Fallible<()> {
    if f.written.is_none() {
        f.index = list.len();
        list.push(T::default());
    }
    match list.get_mut(f.index) {
        Some(value) => entry(value, f),
        None => f.presence(&mut false),
    }
}

/// A value as its fields are written.
pub(super) fn text_of<T: Copy>(mut value: T, fields: TakeFields<T>) -> String {
    let mut f = Fields::writing("", 0);
    // Only reading fails.
    let _ = fields(&mut value, &mut f);
    f.written.unwrap_or_default().trim_start().to_owned()
}

pub(super) const SOURCE: &str = "i";
pub(super) const OBJECTS: &str = "#!objects";
pub(super) const SHAPE: &str = "#!shape";
pub(super) const SPIN: &str = "#!spin";
pub(super) const PART: &str = "#!part";
pub(super) const BODY: &str = "#!body";
pub(super) const FORCE: &str = "#!force";

/// All kinds: first the settings, in the order in which a new file gives them, then the lists.
pub(super) static KINDS: &[Kind] = &[
    setting(OBJECTS, |s, f| f.integer(&mut s.objects, "the count of objects", 0..=u32::MAX)),
    setting("#!radius", |s, f| radius(&mut s.radius, f)),
    setting("#!speed", |s, f| f.number(&mut s.speed, "the speed", &NOT_NEGATIVE)),
    setting("#!seed", |s, f| f.integer(&mut s.seed, "the seed", 0..=u64::MAX)),
    setting("#!dt", |s, f| f.number(&mut s.dt, "the time step", &TIME_STEP)),
    setting("#!gravity", |s, f| gravity(&mut s.gravity, f)),
    setting("#!line", |s, f| {
        f.number(&mut s.line[0], "the line's x", &ANY)?;
        f.number(&mut s.line[1], "the line's y", &ANY)
    }),
    setting("#!camera", |s, f| {
        f.number(&mut s.camera.yaw, "the camera's yaw", &ANY)?;
        f.number(&mut s.camera.pitch, "the camera's pitch", &PITCH)?;
        f.number(&mut s.camera.distance, "the camera's distance", &POSITIVE)
    }),
    setting("#!triangles", |s, f| {
        let counts = [("20", Triangles::Twenty), ("80", Triangles::Eighty)];
        f.variant(&mut s.triangles, &counts, None, " triangles")
    }),
    setting("#!shading", |s, f| f.either(&mut s.shading, ["off", "on"], "")),
    setting(SPIN, |s, f| f.number(&mut s.spin, "the spin in rad/s", &NOT_NEGATIVE)),
    setting("#!continuous", |s, f| {
        let words = Continuous::ALL.map(|choice| (choice.word(), choice));
        f.variant(&mut s.continuous, &words, None, "")
    }),
    setting("#!driving", |s, f| driving(&mut s.driving, f)),
    setting("#!flat", |s, f| f.presence(&mut s.flat)),
    setting("s", |s, f| {
        f.either(&mut s.strict, ["0", "1"], ", which holds objects in the first source")
    }),
    entry(SOURCE, |s, f| list(&mut s.sources, f, source)),
    entry("p", |s, f| list(&mut s.obstacles, f, obstacle)),
    entry("#!ball", |s, f| list(&mut s.balls, f, ball)),
    entry("#!event", |s, f| list(&mut s.events, f, event)),
    entry("#!layer", |s, f| list(&mut s.layers, f, layer)),
    entry(SHAPE, |s, f| list(&mut s.shapes, f, shape)),
    entry(PART, |s, f| list(&mut s.parts, f, part)),
    entry("#!bodies", |s, f| list(&mut s.generated_bodies, f, bodies)),
    entry(BODY, |s, f| list(&mut s.placed_bodies, f, body)),
    entry("#!restitution", |s, f| {
        list(&mut s.restitution, f, |v, f| shape_value(v, f, "the restitution", &UP_TO_1))
    }),
    entry("#!density", |s, f| {
        list(&mut s.density, f, |v, f| shape_value(v, f, "the density", &DENSITY))
    }),
    entry(FORCE, |s, f| list(&mut s.body_forces, f, force)),
    entry("#!drive", |s, f| list(&mut s.drive, f, drive)),
    entry("#!label", |s, f| list(&mut s.labels, f, label)),
];

fn radius(radius: &mut Radius, f: &mut Fields<'_>) -> Fallible<()> {
    let words =
        [("uniform", Radius::Uniform(0.0, 0.0)), ("loguniform", Radius::LogUniform(0.0, 0.0))];
    f.variant(radius, &words, Some(Radius::Equal(0.0)), ", or a number for the radius")?;
    match radius {
        Radius::Equal(radius) => f.number(radius, "the radius", &RADIUS),
        Radius::Uniform(low, high) | Radius::LogUniform(low, high) => {
            f.number(low, "the smallest radius", &RADIUS)?;
            let from_low = Bound((*low).into(), RADIUS.1, "at least the smallest");
            f.number(high, "the largest radius", &from_low)
        }
    }
}

pub(super) fn gravity(gravity: &mut Gravity, f: &mut Fields<'_>) -> Fallible<()> {
    let words = [
        ("off", Gravity::Off),
        ("weak", Gravity::Weak),
        ("medium", Gravity::Medium),
        ("strong", Gravity::Strong),
    ];
    let vector = Gravity::Vector(Vec3::ZERO);
    f.variant(gravity, &words, Some(vector), ", or x, y and z of the gravity")?;
    if let Gravity::Vector(vector) = gravity {
        f.vector(vector, "the gravity along", &ANY)?;
    }
    Ok(())
}

pub(super) fn driving(Driving { rule, speed }: &mut Driving, f: &mut Fields<'_>) -> Fallible<()> {
    let words =
        [("refuse", MoveRule::Refuse("")), ("slide", MoveRule::Slide), ("walk", MoveRule::Walk)];
    f.variant(rule, &words, None, ", which move driven bodies")?;
    if let MoveRule::Refuse(id) = rule {
        let ids: Vec<&str> = VOLUMES.iter().map(|kind| kind.id).collect();
        let expected = format!("a bounding volume, {}", quoted(&ids));
        let find = |text: &str| volume::find(text).map(|kind| kind.id).ok_or(0..text.len());
        f.parsed(id, ToString::to_string, &expected, find)?;
    }
    f.if_given(true, |f| f.number(speed, "the speed of driven bodies", &POSITIVE))
}

fn source(source: &mut Source, f: &mut Fields<'_>) -> Fallible<()> {
    f.vector(&mut source.corner, "the corner's", &ANY)?;
    for (axis, name) in AXES.into_iter().enumerate() {
        let side = format_args!("the side along {name}");
        // No sphere fits between walls that coincide.
        f.number(&mut source.size[axis], side, &POSITIVE)?;
        let is_large_enough = source.corner[axis] + source.size[axis] > source.corner[axis];
        let must = "large enough to be representable this far from the origin";
        f.check(is_large_enough, format_args!("{side} to be {must}"), must)?;
    }
    f.gap();
    // The share of the last source is ignored, and which source is the last is not known yet.
    f.number(&mut source.percent, "the share in per cent", &ANY)?;
    f.mark(Mark::Share);
    f.either(&mut source.floor, ["f", "t"], ", without a floor or with one")
}

fn obstacle(obstacle: &mut Obstacle, f: &mut Fields<'_>) -> Fallible<()> {
    f.vector(&mut obstacle.corner, "the corner's", &ANY)?;
    f.vector(&mut obstacle.size, "the side along", &NOT_NEGATIVE)?;
    let words = [("x", Axis::X), ("y", Axis::Y), ("z", Axis::Z)];
    f.variant(&mut obstacle.normal, &words, None, ", the axis normal to the obstacle")?;
    let normal = obstacle.normal.index();
    let message = "the side along the obstacle's normal is read as 0";
    // Files of the program of 2008 have such sides, which it ignored.
    if obstacle.size[normal] != 0.0 && f.warn(f.places[normal].clone(), message, "not 0") {
        obstacle.size[normal] = 0.0;
    }
    Ok(())
}

fn ball(Ball { center, velocity, radius }: &mut Ball, f: &mut Fields<'_>) -> Fallible<()> {
    f.vector(center, "the ball's", &ANY)?;
    f.vector(velocity, "the ball's velocity along", &ANY)?;
    f.if_given(radius.is_some(), |f| {
        f.number(radius.get_or_insert_default(), "the ball's radius", &RADIUS)
    })
}

fn event(event: &mut Event, f: &mut Fields<'_>) -> Fallible<()> {
    f.number(&mut event.time, "the event's time", &NOT_NEGATIVE)?;
    let hold = Action::Hold { attract: false, seconds: 0.0 };
    let words = [("remove-source", Action::RemoveSource(0)), ("hold", hold)];
    f.variant(&mut event.action, &words, None, "")?;
    match &mut event.action {
        Action::RemoveSource(number) => source_number(number, f),
        Action::Hold { attract, seconds } => {
            f.either(attract, ["o", "p"], ": the line repels, or attracts")?;
            f.number(seconds, "the seconds of holding", &POSITIVE)
        }
    }
}

fn source_number(number: &mut u32, f: &mut Fields<'_>) -> Fallible<()> {
    f.integer(number, "the source, counted from 1", 1..=u32::MAX)?;
    f.mark(Mark::Source);
    Ok(())
}

fn layer_target(target: &mut LayerTarget, f: &mut Fields<'_>) -> Fallible<()> {
    let words = [
        ("source", LayerTarget::Source(0)),
        ("balls", LayerTarget::Balls),
        ("bodies", LayerTarget::Bodies),
    ];
    f.variant(target, &words, None, ", the objects of the layer")?;
    if let LayerTarget::Source(number) = target { source_number(number, f) } else { Ok(()) }
}

fn layer(LayerRule { target, layer }: &mut LayerRule, f: &mut Fields<'_>) -> Fallible<()> {
    layer_target(target, f)?;
    f.key(text_of(*target, layer_target));
    f.in_any_order(true, |f| {
        // A layer rule needs at least one word, even for the default layer.
        if f.option("group", layer.group != 0 || *layer == Layer::ALL) {
            f.integer(&mut layer.group, "the group", 0..=Layer::GROUPS - 1)?;
        }
        if f.option("meets", layer.mask != u32::MAX) {
            let expected = "`all`, `none`, or groups from 0 to 31 with commas between them and no \
                            blanks";
            f.parsed(&mut layer.mask, |mask| text_of_groups(*mask), expected, parse_groups)?;
        }
        layer.is_static |= f.option("static", layer.is_static);
        Ok(())
    })
}

/// The groups of a text, as bits; on failure the part that is no group.
fn parse_groups(text: &str) -> Result<u32, Range<usize>> {
    let mut start = 0;
    let group = |piece: &str| {
        let at = start..start + piece.len();
        start = at.end + 1;
        let is_number = piece.bytes().all(|b| b.is_ascii_digit());
        let group = piece.parse::<u8>().ok().filter(|g| is_number && *g < Layer::GROUPS);
        group.map(|group| 1 << group).ok_or(at)
    };
    match text {
        "all" => Ok(u32::MAX),
        "none" => Ok(0),
        _ => text.split(',').map(group).try_fold(0, |mask, bit| Ok(mask | bit?)),
    }
}

/// The groups of some bits, not all.
fn text_of_groups(mask: u32) -> String {
    let met = (0..Layer::GROUPS).filter(|group| mask & (1 << group) != 0);
    let met: Vec<String> = met.map(|group| group.to_string()).collect();
    if met.is_empty() { "none".to_owned() } else { met.join(",") }
}

fn shape(rule: &mut ShapeRule, f: &mut Fields<'_>) -> Fallible<()> {
    f.name(&mut rule.name, "the shape's name", Mark::NewShape)?;
    f.key(&rule.name);
    let forms = [
        ("sphere", ShapeForm::Sphere { radius: 0.0 }),
        ("box", ShapeForm::Box { size: Vec3::ZERO }),
        ("capsule", ShapeForm::Capsule { radius: 0.0, length: 0.0 }),
        ("cylinder", ShapeForm::Cylinder { radius: 0.0, height: 0.0, sides: 16 }),
        ("cone", ShapeForm::Cone { radius: 0.0, height: 0.0, sides: 16 }),
        ("tetrahedron", ShapeForm::Tetrahedron { side: 0.0 }),
        ("hull", ShapeForm::Hull { points: 0, seed: 1 }),
        ("points", ShapeForm::Points(Vec::new())),
        ("polygon", ShapeForm::Polygon { depth: 0.0, corners: Vec::new() }),
        ("compound", ShapeForm::Compound),
    ];
    f.variant(&mut rule.form, &forms, None, "")?;
    f.mark(Mark::Form);
    match &mut rule.form {
        ShapeForm::Sphere { radius } => f.number(radius, "the radius", &SIDE),
        ShapeForm::Box { size } => f.vector(size, "the side along", &SIDE),
        ShapeForm::Capsule { radius, length } => {
            f.number(radius, "the radius", &SIDE)?;
            f.number(length, "the length", &ANY)?;
            let range = "0 (a ball) or from 1e-9 to 1e9";
            let expected = format_args!("the length to be {range}");
            f.check(*length == 0.0 || SIDE.holds(*length), expected, range)
        }
        ShapeForm::Cylinder { radius, height, sides }
        | ShapeForm::Cone { radius, height, sides } => {
            f.number(radius, "the radius", &SIDE)?;
            f.number(height, "the height", &SIDE)?;
            f.if_given(true, |f| f.integer(sides, "the number of sides", 3..=64))
        }
        ShapeForm::Tetrahedron { side } => f.number(side, "the side", &SIDE),
        ShapeForm::Hull { points, seed } => {
            f.integer(points, "the number of points", 4..=MAX_VERTICES as u32)?;
            f.if_given(true, |f| f.integer(seed, "the seed", 0..=u64::MAX))
        }
        ShapeForm::Points(points) => f.list(points, "points", 4..=MAX_POINTS, |f, point, _| {
            f.vector(point, "a point's", &ANY)
        }),
        ShapeForm::Polygon { depth, corners } => {
            f.number(depth, "the depth", &SIDE)?;
            f.gap();
            f.list(corners, "corners of the polygon", 3..=64, |f, [x, z]: &mut [f32; 2], _| {
                f.number(x, "a corner's x", &ANY)?;
                f.number(z, "a corner's z", &ANY)
            })
        }
        ShapeForm::Compound => Ok(()),
    }
}

fn part(part: &mut PartRule, f: &mut Fields<'_>) -> Fallible<()> {
    f.name(&mut part.compound, "the name of a compound", Mark::Compound)?;
    f.name(&mut part.shape, "the name of the part's shape", Mark::Convex)?;
    f.gap();
    f.vector(&mut part.position, "the part's", &ANY)?;
    f.if_given(part.rotation.is_some(), |f| axis_angle(&mut part.rotation, f))
}

fn axis_angle(rotation: &mut Option<AxisAngle>, f: &mut Fields<'_>) -> Fallible<()> {
    let rotation = rotation.get_or_insert_default();
    f.vector(&mut rotation.axis, "the axis'", &ANY)?;
    f.check(rotation.axis != Vec3::ZERO, "an axis of rotation", "without a direction")?;
    f.is_apart = false;
    f.number(&mut rotation.degrees, "the angle in degrees", &ANY)
}

fn bodies(rule: &mut BodiesRule, f: &mut Fields<'_>) -> Fallible<()> {
    f.word(&[("source", true)], false, ", whose objects are bodies")?;
    source_number(&mut rule.source, f)?;
    f.key(format_args!("source {}", rule.source));
    f.gap();
    f.list(&mut rule.shares, "shapes", 1..=MAX_SHAPES, |f, share: &mut ShapeShare, earlier| {
        f.name(&mut share.shape, "the name of a shape", Mark::Shape)?;
        let most = format_args!("{MAX_SHAPES} shapes at most");
        f.check(earlier.len() < MAX_SHAPES, most, "one too many")?;
        let is_new = earlier.iter().all(|other| other.shape != share.shape);
        f.check(is_new, "each shape once in a line", "given again")?;
        f.number(&mut share.percent, "the share in per cent", &SHARE)?;
        let shares = earlier.iter().chain([&*share]);
        let sum: f64 = shares.map(|share| f64::from(share.percent)).sum();
        let expected = "shares that add up to 100 at most";
        f.check(sum <= 100.0 + SHARE_SLACK, expected, "the sum passes 100 here")
    })
}

fn body(body: &mut PlacedBody, f: &mut Fields<'_>) -> Fallible<()> {
    f.name(&mut body.shape, "the name of a shape", Mark::Shape)?;
    // Without a scale, a wrong size is that of the shape.
    f.mark(Mark::Scale);
    f.gap();
    f.vector(&mut body.center, "the body's", &ANY)?;
    f.vector(&mut body.velocity, "the body's velocity along", &ANY)?;
    f.in_any_order(false, |f| {
        if f.take_if("exact") {
            exact_pose(body, f)?;
        }
        if f.option("scale", body.scale != 1.0) {
            f.number(&mut body.scale, "the scale", &RADIUS)?;
            f.mark(Mark::Scale);
        }
        if f.option("rotate", body.rotation.is_some()) {
            axis_angle(&mut body.rotation, f)?;
        }
        if f.option("spin", body.spin != Vec3::ZERO) {
            f.vector(&mut body.spin, "the spin about", &ANY)?;
        }
        body.is_static |= f.option("static", body.is_static);
        body.is_bullet |= f.option("bullet", body.is_bullet);
        for (word, is_moved) in
            [("kinematic", &mut body.is_kinematic), ("driven", &mut body.is_driven)]
        {
            if f.option(word, *is_moved) {
                *is_moved = true;
                f.mark(Mark::Mover);
            }
        }
        let roles = [body.is_static, body.is_kinematic, body.is_driven];
        let is_one = roles.into_iter().filter(|is_role| *is_role).count() <= 1;
        f.check(is_one, "at most one of `static`, `kinematic` and `driven`", "one more")
    })
}

/// The words of older files after `exact`: scale, position and a unit quaternion in full.
fn exact_pose(body: &mut PlacedBody, f: &mut Fields<'_>) -> Fallible<()> {
    let word = f.last.clone();
    f.number(&mut body.scale, "the exact scale", &RADIUS)?;
    f.mark(Mark::Scale);
    f.vector(&mut body.center, "the exact", &ANY)?;
    let (mut vector, mut real) = (Vec3::ZERO, 1.0);
    f.vector(&mut vector, "the quaternion's", &ANY)?;
    f.number(&mut real, "the quaternion's w", &ANY)?;
    let is_unit = (vector.length_squared() + real * real - 1.0).abs() < UNIT_TOLERANCE;
    f.last.start = f.places[0].start;
    f.check(is_unit, "a quaternion of length 1", "of another length")?;
    // The platform's arc tangent differs in the last digit.
    let half = libm::atan2(vector.as_dvec3().length(), real.into());
    let degrees = (2.0 * half).to_degrees() as f32;
    body.rotation = (vector != Vec3::ZERO).then_some(AxisAngle { axis: vector, degrees });
    let message = "`exact` is no longer known: it is read as `scale` and `rotate`, to seven digits";
    f.warn(word, message, "use `scale` and `rotate`");
    Ok(())
}

/// A number for the bodies of a shape, or for all objects.
fn shape_value(
    ShapeValue { shape, value }: &mut ShapeValue,
    f: &mut Fields<'_>,
    what: &str,
    bound: &Bound,
) -> Fallible<()> {
    f.number(value, what, bound)?;
    f.if_given(shape.is_some(), |f| {
        f.name(shape.get_or_insert_default(), "the name of a shape", Mark::Shape)
    })?;
    f.key(shape.as_deref().unwrap_or("without a shape"));
    Ok(())
}

fn force(force: &mut BodyForce, f: &mut Fields<'_>) -> Fallible<()> {
    let what = "the body's number, from 1 in the order of the `#!body` lines";
    f.integer(&mut force.body, what, 1..=u32::MAX)?;
    f.mark(Mark::Body);
    f.gap();
    f.vector(&mut force.force, "the force along", &ANY)?;
    f.number(&mut force.seconds, "the force's seconds", &POSITIVE)
}

fn drive(step: &mut DriveStep, f: &mut Fields<'_>) -> Fallible<()> {
    f.number(&mut step.seconds, "the seconds for which keys are held", &POSITIVE)?;
    let expected = "`none`, or keys as `right` or `up+right`, of `left`, `right`, `up`, `down`, \
                    `jump`";
    let parse = |text: &str| DriveKeys::parse(text).ok_or(0..text.len());
    f.parsed(&mut step.keys, ToString::to_string, expected, parse)
}

fn label(label: &mut Label, f: &mut Fields<'_>) -> Fallible<()> {
    f.vector(&mut label.position, "the label's", &ANY)?;
    f.check(f.index < MAX_LABELS, format_args!("{MAX_LABELS} labels at most"), "one too many")?;
    f.list(&mut label.words, "words", 1..=12, |f, word, earlier| {
        f.is_apart &= earlier.is_empty();
        let is_word = |text: &str| text.chars().count() <= 40 && !text.contains(char::is_control);
        let parse = |text: &str| is_word(text).then(|| text.to_owned()).ok_or(0..text.len());
        f.parsed(word, String::clone, "a word of at most 40 characters", parse)
    })
}
