//! The lines of a scene file: how each begins, and the fields that follow.
//!
//! This table is all that reading, writing, the check for lines given twice, and the list of directives know of a line.
//! A new one has its type in the model, and its entry here.

use super::bodies::{
    AxisAngle, BodiesRule, BodyForce, Continuous, MAX_SHAPES, PartRule, PlacedBody, ShapeForm,
    ShapeRule, ShapeShare, ShapeValue,
};
use super::driving::{DriveKeys, DriveStep, Driving, MoveRule};
use super::elements::{Action, Ball, Event, LayerRule, LayerTarget, Obstacle, Source};
use super::fault::Fallible;
use super::fields::{
    ANY, Bound, DENSITY, Fields, Mark, NOT_NEGATIVE, PITCH, POSITIVE, Quoted, RADIUS, SHARE, SIDE,
    TIME_STEP, UP_TO_1, Writer,
};
use super::model::Scene;
use super::settings::{Gravity, Radius, Triangles};
use broadphase::{Axis, Layer};
use glam::{Vec2, Vec3};
use narrowphase::shape::{MAX_POINTS, MAX_VERTICES};
use narrowphase::volume::{self, VOLUMES};
use std::fmt;
use std::ops::Range;

/// Rounding tolerance of shares, in per cent: their sum may exceed 100 by it, and a smaller last share counts
/// as 0. Shares that add up to 100 in decimals miss it by at most 6e-6 once they are `f32`.
pub(super) const SHARE_SLACK: f64 = 1e-5;

const AXES: [&str; 3] = ["x", "y", "z"];

/// How far the squared length of a quaternion may be from 1: far more than rounding to seven digits.
const UNIT_TOLERANCE: f32 = 1e-5;

/// A kind of line: how it begins, the number of its lines, and the fields of one of them.
#[derive(Debug)]
pub(super) struct Kind(
    &'static str,
    Option<fn(&Scene) -> usize>,
    fn(&mut Scene, usize, &mut Fields<'_>) -> Fallible<()>,
);

/// The number of lines of a setting, which a file gives at most once.
const ONCE: Option<fn(&Scene) -> usize> = None;

impl Kind {
    pub(super) fn head(&self) -> &'static str {
        self.0
    }

    pub(super) fn is_setting(&self) -> bool {
        self.1.is_none()
    }

    fn count(&self, scene: &Scene) -> usize {
        self.1.map_or(1, |count| count(scene))
    }

    /// Reads a line into `scene`.
    pub(super) fn read(&self, scene: &mut Scene, fields: &mut Fields<'_>) -> Fallible<()> {
        let count = self.count(scene);
        (self.2)(scene, count, fields)
    }

    /// All its lines for a scene, which stays as it is.
    pub(super) fn lines(&self, scene: &mut Scene) -> Vec<String> {
        let mut lines = Vec::new();
        for index in 0..self.count(scene) {
            let mut fields = Fields::Write(Writer::new(self.0));
            let written = (self.2)(scene, index, &mut fields);
            if let (Ok(()), Fields::Write(Writer { line, .. })) = (written, fields) {
                lines.push(line);
            }
        }
        lines.retain(|line| !line.is_empty());
        lines
    }
}

/// An entry of a list, or a new one at its end.
fn entry<T: Default>(list: &mut Vec<T>, index: usize) -> &mut T {
    if index == list.len() {
        list.push(T::default());
    }
    &mut list[index]
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
    Kind(OBJECTS, ONCE, |s, _, f| f.integer(&mut s.objects, "the count of objects", 0..=u32::MAX)),
    Kind("#!radius", ONCE, |s, _, f| radius(&mut s.radius, f)),
    Kind("#!speed", ONCE, |s, _, f| f.number(&mut s.speed, "the speed", &NOT_NEGATIVE)),
    Kind("#!seed", ONCE, |s, _, f| f.integer(&mut s.seed, "the seed", 0..=u64::MAX)),
    Kind("#!dt", ONCE, |s, _, f| f.number(&mut s.dt, "the time step", &TIME_STEP)),
    Kind("#!gravity", ONCE, |s, _, f| gravity(&mut s.gravity, f)),
    Kind("#!line", ONCE, |s, _, f| {
        f.number(&mut s.line[0], "the line's x", &ANY)?;
        f.number(&mut s.line[1], "the line's y", &ANY)
    }),
    Kind("#!camera", ONCE, |s, _, f| {
        f.number(&mut s.camera.yaw, "the camera's yaw", &ANY)?;
        f.number(&mut s.camera.pitch, "the camera's pitch", &PITCH)?;
        f.number(&mut s.camera.distance, "the camera's distance", &POSITIVE)
    }),
    Kind("#!triangles", ONCE, |s, _, f| {
        let counts = [("20", Triangles::Twenty), ("80", Triangles::Eighty)];
        f.variant(&mut s.triangles, &counts, None, " triangles")
    }),
    Kind("#!shading", ONCE, |s, _, f| f.either(&mut s.shading, ["off", "on"], "")),
    Kind(SPIN, ONCE, |s, _, f| f.number(&mut s.spin, "the spin in rad/s", &NOT_NEGATIVE)),
    Kind("#!continuous", ONCE, |s, _, f| {
        let words = Continuous::ALL.map(|choice| (choice.word(), choice));
        f.variant(&mut s.continuous, &words, None, "")
    }),
    Kind("#!driving", ONCE, |s, _, f| driving(&mut s.driving, f)),
    Kind("#!flat", ONCE, |s, _, f| f.presence(&mut s.flat)),
    Kind("s", ONCE, |s, _, f| {
        f.either(&mut s.strict, ["0", "1"], ", which holds objects in the first source")
    }),
    Kind(SOURCE, Some(|s| s.sources.len()), |s, i, f| source(entry(&mut s.sources, i), f)),
    Kind("p", Some(|s| s.obstacles.len()), |s, i, f| obstacle(entry(&mut s.obstacles, i), f)),
    Kind("#!ball", Some(|s| s.balls.len()), |s, i, f| ball(entry(&mut s.balls, i), f)),
    Kind("#!event", Some(|s| s.events.len()), |s, i, f| event(entry(&mut s.events, i), f)),
    Kind("#!layer", Some(|s| s.layers.len()), |s, i, f| layer(entry(&mut s.layers, i), f)),
    Kind(SHAPE, Some(|s| s.shapes.len()), |s, i, f| shape(entry(&mut s.shapes, i), f)),
    Kind(PART, Some(|s| s.parts.len()), |s, i, f| part(entry(&mut s.parts, i), f)),
    Kind("#!bodies", Some(|s| s.generated_bodies.len()), |s, i, f| {
        bodies(entry(&mut s.generated_bodies, i), f)
    }),
    Kind(BODY, Some(|s| s.placed_bodies.len()), |s, i, f| body(entry(&mut s.placed_bodies, i), f)),
    Kind("#!restitution", Some(|s| s.restitution.len()), |s, i, f| {
        restitution(entry(&mut s.restitution, i), f)
    }),
    Kind("#!density", Some(|s| s.density.len()), |s, i, f| density(entry(&mut s.density, i), f)),
    Kind(FORCE, Some(|s| s.body_forces.len()), |s, i, f| force(entry(&mut s.body_forces, i), f)),
    Kind("#!drive", Some(|s| s.drive.len()), |s, i, f| drive(entry(&mut s.drive, i), f)),
];

fn radius(radius: &mut Radius, f: &mut Fields<'_>) -> Fallible<()> {
    let words =
        [("uniform", Radius::Uniform(0.0, 0.0)), ("loguniform", Radius::LogUniform(0.0, 0.0))];
    f.variant(radius, &words, Some(Radius::Equal(0.0)), ", or a number for the radius")?;
    match radius {
        Radius::Equal(radius) => f.number(radius, "the radius", &RADIUS),
        Radius::Uniform(low, high) | Radius::LogUniform(low, high) => {
            f.number(low, "the smallest radius", &RADIUS)?;
            let from_low = Bound { low: (*low).into(), text: "at least the smallest", ..RADIUS };
            f.number(high, "the largest radius", &from_low)
        }
    }
}

fn gravity(gravity: &mut Gravity, f: &mut Fields<'_>) -> Fallible<()> {
    let words = Gravity::ALL.map(|strength| (strength.word(), strength));
    let vector = Gravity::Vector(Vec3::ZERO);
    f.variant(gravity, &words, Some(vector), ", or x, y and z of the gravity")?;
    if let Gravity::Vector(vector) = gravity {
        f.vector(vector, "the gravity along", &ANY)?;
    }
    Ok(())
}

fn driving(Driving { rule, speed }: &mut Driving, f: &mut Fields<'_>) -> Fallible<()> {
    let words =
        [("refuse", MoveRule::Refuse("")), ("slide", MoveRule::Slide), ("walk", MoveRule::Walk)];
    f.variant(rule, &words, None, ", which move driven bodies")?;
    if let MoveRule::Refuse(id) = rule {
        let ids: Vec<&str> = VOLUMES.iter().map(|kind| kind.id).collect();
        let expected = format!("a bounding volume, {}", Quoted(&ids));
        let find = |text: &str| volume::find(text).map(|kind| kind.id).ok_or(0..text.len());
        f.parsed(id, &expected, find)?;
    }
    if f.more(true) {
        f.number(speed, "the speed of driven bodies", &POSITIVE)?;
    }
    Ok(())
}

fn source(source: &mut Source, f: &mut Fields<'_>) -> Fallible<()> {
    f.vector(&mut source.corner, "the corner's", &ANY)?;
    f.gap();
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
    f.gap();
    let mut places = [const { 0..0 }; 3];
    for (axis, name) in AXES.into_iter().enumerate() {
        let side = format_args!("the side along {name}");
        f.number(&mut obstacle.size[axis], side, &NOT_NEGATIVE)?;
        places[axis] = f.at();
    }
    f.gap();
    let words = [("x", Axis::X), ("y", Axis::Y), ("z", Axis::Z)];
    f.variant(&mut obstacle.normal, &words, None, ", the axis normal to the obstacle")?;
    let normal = obstacle.normal.index();
    let at = places[normal].clone();
    let message = "the side along the obstacle's normal is read as 0";
    // Files of the program of 2008 have such sides, which it ignored.
    if obstacle.size[normal] != 0.0 && f.warn(at, message, "not 0") {
        obstacle.size[normal] = 0.0;
    }
    Ok(())
}

fn ball(ball: &mut Ball, f: &mut Fields<'_>) -> Fallible<()> {
    f.vector(&mut ball.center, "the ball's", &ANY)?;
    f.gap();
    f.vector(&mut ball.velocity, "the ball's velocity along", &ANY)?;
    f.gap();
    if f.more(ball.radius.is_some()) {
        f.number(ball.radius.get_or_insert_default(), "the ball's radius", &RADIUS)?;
    }
    Ok(())
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

fn layer(LayerRule { target, layer }: &mut LayerRule, f: &mut Fields<'_>) -> Fallible<()> {
    let words = [
        ("source", LayerTarget::Source(0)),
        ("balls", LayerTarget::Balls),
        ("bodies", LayerTarget::Bodies),
    ];
    f.variant(target, &words, None, ", the objects of the layer")?;
    if let LayerTarget::Source(number) = target {
        source_number(number, f)?;
    }
    f.key(*target);
    // A layer rule needs at least one word, even for the default layer.
    let mut words = vec![
        ("group", layer.group != 0 || *layer == Layer::ALL),
        ("meets", layer.mask != u32::MAX),
        ("static", layer.is_static),
    ];
    while let Some(word) = f.option(words.len() == 3, &mut words)? {
        match word {
            "group" => f.integer(&mut layer.group, "the group", 0..=Layer::GROUPS - 1)?,
            "meets" => {
                let mut groups = Groups(layer.mask);
                let expected = "`all`, `none`, or groups from 0 to 31 with commas between them \
                                and no blanks";
                f.parsed(&mut groups, expected, Groups::parse)?;
                layer.mask = groups.0;
            }
            _ => layer.is_static = true,
        }
    }
    Ok(())
}

/// The groups that a layer meets, as bits.
struct Groups(u32);

impl Groups {
    /// The groups of a text; on failure the part that is none.
    fn parse(text: &str) -> Result<Self, Range<usize>> {
        match text {
            "all" => return Ok(Self(u32::MAX)),
            "none" => return Ok(Self(0)),
            _ => {}
        }
        let (mut mask, mut start) = (0, 0);
        for piece in text.split(',') {
            let end = start + piece.len();
            let is_number = piece.bytes().all(|b| b.is_ascii_digit());
            let group =
                piece.parse::<u8>().ok().filter(|group| is_number && *group < Layer::GROUPS);
            mask |= 1 << group.ok_or(start..end)?;
            start = end + 1;
        }
        Ok(Self(mask))
    }
}

impl fmt::Display for Groups {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 {
            return f.write_str("none");
        }
        let met = (0..Layer::GROUPS).filter(|group| self.0 & (1 << group) != 0);
        f.write_str(&met.map(|group| group.to_string()).collect::<Vec<_>>().join(","))
    }
}

fn shape(rule: &mut ShapeRule, f: &mut Fields<'_>) -> Fallible<()> {
    const OR_NONE: Bound = Bound { low: 0.0, text: "0 (a ball) or from 1e-9 to 1e9", ..SIDE };
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
        ShapeForm::Box { size } => f.vector(size, "the side along", &SIDE).map(drop),
        ShapeForm::Capsule { radius, length } => {
            f.number(radius, "the radius", &SIDE)?;
            f.number(length, "the length", &OR_NONE)?;
            let holds = *length == 0.0 || SIDE.holds(*length);
            f.check(holds, format_args!("the length to be {}", OR_NONE.text), OR_NONE.text)
        }
        ShapeForm::Cylinder { radius, height, sides }
        | ShapeForm::Cone { radius, height, sides } => {
            f.number(radius, "the radius", &SIDE)?;
            f.number(height, "the height", &SIDE)?;
            if f.more(true) {
                f.integer(sides, "the number of sides", 3..=64)?;
            }
            Ok(())
        }
        ShapeForm::Tetrahedron { side } => f.number(side, "the side", &SIDE),
        ShapeForm::Hull { points, seed } => {
            f.integer(points, "the number of points", 4..=MAX_VERTICES as u32)?;
            if f.more(true) {
                f.integer(seed, "the seed", 0..=u64::MAX)?;
            }
            Ok(())
        }
        ShapeForm::Points(points) => f.list(points, "points", 4..=MAX_POINTS, |f, point, _| {
            f.vector(point, "a point's", &ANY).map(drop)
        }),
        ShapeForm::Polygon { depth, corners } => {
            f.number(depth, "the depth", &SIDE)?;
            f.gap();
            f.list(corners, "corners of the polygon", 3..=64, |f, corner: &mut Vec2, _| {
                f.number(&mut corner.x, "a corner's x", &ANY)?;
                f.number(&mut corner.y, "a corner's z", &ANY)
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
    f.gap();
    if f.more(part.rotation.is_some()) { axis_angle(&mut part.rotation, f) } else { Ok(()) }
}

fn axis_angle(rotation: &mut Option<AxisAngle>, f: &mut Fields<'_>) -> Fallible<()> {
    let rotation = rotation.get_or_insert_default();
    let start = f.vector(&mut rotation.axis, "the axis'", &ANY)?;
    let has_direction = rotation.axis != Vec3::ZERO;
    f.check_from(start, has_direction, "expected an axis of rotation, found `0 0 0`")?;
    f.number(&mut rotation.degrees, "the angle in degrees", &ANY)
}

fn bodies(rule: &mut BodiesRule, f: &mut Fields<'_>) -> Fallible<()> {
    f.keyword("source", ", whose objects are bodies")?;
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
    f.gap();
    f.vector(&mut body.velocity, "the body's velocity along", &ANY)?;
    let mut words = vec![
        ("scale", body.scale != 1.0),
        ("rotate", body.rotation.is_some()),
        ("spin", body.spin != Vec3::ZERO),
        ("static", body.is_static),
        ("bullet", body.is_bullet),
        ("kinematic", body.is_kinematic),
        ("driven", body.is_driven),
    ];
    loop {
        if f.outdated("exact") {
            exact_pose(body, f)?;
            continue;
        }
        let Some(word) = f.option(false, &mut words)? else {
            return Ok(());
        };
        match word {
            "scale" => {
                f.number(&mut body.scale, "the scale", &RADIUS)?;
                f.mark(Mark::Scale);
            }
            "rotate" => axis_angle(&mut body.rotation, f)?,
            "spin" => drop(f.vector(&mut body.spin, "the spin about", &ANY)?),
            "static" => body.is_static = true,
            "bullet" => body.is_bullet = true,
            "kinematic" => body.is_kinematic = true,
            _ => body.is_driven = true,
        }
        if ["static", "kinematic", "driven"].contains(&word) {
            let given = [body.is_static, body.is_kinematic, body.is_driven].map(u8::from);
            let is_one = given.iter().sum::<u8>() == 1;
            f.check(is_one, "one of `static`, `kinematic` and `driven`", "one more")?;
        }
        if ["kinematic", "driven"].contains(&word) {
            f.mark(Mark::Mover);
        }
    }
}

/// The words of older files after `exact`: scale, position and a unit quaternion in full.
fn exact_pose(body: &mut PlacedBody, f: &mut Fields<'_>) -> Fallible<()> {
    let word = f.at();
    f.number(&mut body.scale, "the exact scale", &RADIUS)?;
    f.mark(Mark::Scale);
    f.vector(&mut body.center, "the exact", &ANY)?;
    let mut vector = Vec3::ZERO;
    let mut real = 1.0;
    let start = f.vector(&mut vector, "the quaternion's", &ANY)?;
    f.number(&mut real, "the quaternion's w", &ANY)?;
    let is_unit = (vector.length_squared() + real * real - 1.0).abs() < UNIT_TOLERANCE;
    f.check_from(start, is_unit, "expected a quaternion of length 1")?;
    // The platform's arc tangent differs in the last digit.
    let half = libm::atan2(vector.as_dvec3().length(), real.into());
    let degrees = (2.0 * half).to_degrees() as f32;
    body.rotation = (vector != Vec3::ZERO).then_some(AxisAngle { axis: vector, degrees });
    let message = "`exact` is no longer known: it is read as `scale` and `rotate`, to seven digits";
    f.warn(word, message, "use `scale` and `rotate`");
    Ok(())
}

fn restitution(value: &mut ShapeValue, f: &mut Fields<'_>) -> Fallible<()> {
    f.number(&mut value.value, "the restitution", &UP_TO_1)?;
    of_shape(value, f)
}

fn density(value: &mut ShapeValue, f: &mut Fields<'_>) -> Fallible<()> {
    f.number(&mut value.value, "the density", &DENSITY)?;
    of_shape(value, f)
}

fn of_shape(value: &mut ShapeValue, f: &mut Fields<'_>) -> Fallible<()> {
    if f.more(value.shape.is_some()) {
        let name = value.shape.get_or_insert_default();
        f.name(name, "the name of a shape", Mark::Shape)?;
    }
    f.key(value.shape.as_deref().unwrap_or("without a shape"));
    Ok(())
}

fn force(force: &mut BodyForce, f: &mut Fields<'_>) -> Fallible<()> {
    let what = "the body's number, from 1 in the order of the `#!body` lines";
    f.integer(&mut force.body, what, 1..=u32::MAX)?;
    f.mark(Mark::Body);
    f.gap();
    f.vector(&mut force.force, "the force along", &ANY)?;
    f.gap();
    f.number(&mut force.seconds, "the force's seconds", &POSITIVE)
}

fn drive(step: &mut DriveStep, f: &mut Fields<'_>) -> Fallible<()> {
    f.number(&mut step.seconds, "the seconds for which keys are held", &POSITIVE)?;
    let expected = "`none`, or keys as `right` or `up+right`, of `left`, `right`, `up`, `down`, \
                    `jump`";
    f.parsed(&mut step.keys, expected, |text| DriveKeys::parse(text).ok_or(0..text.len()))
}
