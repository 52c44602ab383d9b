//! Lines of shapes, their parts, and bodies.

use super::bodies::{
    AxisAngle, BodiesRule, ExactPose, PartRule, PlacedBody, ShapeForm, ShapeRule, ShapeShare,
};
use super::numbers::{numbers, shortest_number};
use glam::Vec3;

pub(super) fn shape(rule: &ShapeRule) -> String {
    let form = match &rule.form {
        ShapeForm::Sphere { radius } => format!("sphere {}", shortest_number(*radius)),
        ShapeForm::Box { size } => format!("box {}", vector(*size)),
        ShapeForm::Capsule { radius, length } => {
            format!("capsule {}", numbers(&[*radius, *length]))
        }
        ShapeForm::Cylinder { radius, height, sides } => {
            format!("cylinder {} {sides}", numbers(&[*radius, *height]))
        }
        ShapeForm::Cone { radius, height, sides } => {
            format!("cone {} {sides}", numbers(&[*radius, *height]))
        }
        ShapeForm::Tetrahedron { side } => format!("tetrahedron {}", shortest_number(*side)),
        ShapeForm::Hull { points, seed } => format!("hull {points} {seed}"),
        ShapeForm::Points(points) => {
            let points: Vec<String> = points.iter().map(|point| vector(*point)).collect();
            format!("points {}", points.join("  "))
        }
        ShapeForm::Polygon { depth, corners } => {
            let corners = corners.iter().map(|corner| numbers(&corner.to_array()));
            let corners: Vec<String> = corners.collect();
            format!("polygon {}  {}", shortest_number(*depth), corners.join("  "))
        }
        ShapeForm::Compound => "compound".to_owned(),
    };
    format!("#!shape {} {form}", rule.name)
}

pub(super) fn part(rule: &PartRule) -> String {
    let rotation = rule.rotation.map_or_else(String::new, |turn| format!("  {}", rotation(turn)));
    format!("#!part {} {}  {}{rotation}", rule.compound, rule.shape, vector(rule.position))
}

pub(super) fn bodies(rule: &BodiesRule) -> String {
    let share =
        |share: &ShapeShare| format!("  {} {}", share.shape, shortest_number(share.percent));
    let shares: String = rule.shares.iter().map(share).collect();
    format!("#!bodies source {}{shares}", rule.source)
}

pub(super) fn placed_body(body: &PlacedBody) -> String {
    let mut line =
        format!("#!body {}  {}  {}", body.shape, vector(body.center), vector(body.velocity));
    if let Some(ExactPose { scale, position, rotation }) = body.exact {
        let numbers = [&[scale][..], &position.to_array(), &rotation.to_array()].concat();
        line += "  exact";
        // The shortest digits that read back as the same `f64`.
        numbers.iter().for_each(|number| line += &format!(" {number:?}"));
    } else if body.scale != 1.0 {
        line += &format!("  scale {}", shortest_number(body.scale));
    }
    if let Some(turn) = body.rotation.filter(|_| body.exact.is_none()) {
        line += &format!("  rotate {}", rotation(turn));
    }
    if body.spin != Vec3::ZERO {
        line += &format!("  spin {}", vector(body.spin));
    }
    for (is_given, word) in [
        (body.is_static, "  static"),
        (body.is_bullet, "  bullet"),
        (body.is_kinematic, "  kinematic"),
        (body.is_driven, "  driven"),
    ] {
        line += if is_given { word } else { "" };
    }
    line
}

fn vector(v: Vec3) -> String {
    numbers(&v.to_array())
}

fn rotation(turn: AxisAngle) -> String {
    format!("{} {}", vector(turn.axis), shortest_number(turn.degrees))
}
