//! Reading and writing the settings that a file gives at most once: `s`, and the `#!` directives, which
//! extend the thesis' format so that a run is repeatable.

use super::bodies::Continuous;
use super::fault::Fallible;
use super::model::Scene;
use super::motion_lines::{self, Quantity};
use super::numbers::{numbers, shortest_number};
use super::settings::{CameraPose, Gravity, Radius, Triangles};
use super::tokens::Tokens;
use glam::Vec3;

/// A value that a file gives at most once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    Strict,
    Objects,
    Radius,
    Speed,
    Seed,
    Dt,
    Gravity,
    Line,
    Camera,
    Triangles,
    Shading,
    Spin,
    Continuous,
    Driving,
    Flat,
}

impl Setting {
    /// All settings, in the order in which a new file gives them.
    pub(super) const ALL: [Setting; 15] = [
        Setting::Objects,
        Setting::Radius,
        Setting::Speed,
        Setting::Seed,
        Setting::Dt,
        Setting::Gravity,
        Setting::Line,
        Setting::Camera,
        Setting::Triangles,
        Setting::Shading,
        Setting::Spin,
        Setting::Continuous,
        Setting::Driving,
        Setting::Flat,
        Setting::Strict,
    ];

    /// The setting of a directive.
    fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|setting| setting.head().strip_prefix("#!") == Some(name))
    }

    /// How its line begins.
    pub(super) fn head(self) -> &'static str {
        match self {
            Setting::Strict => "s",
            Setting::Objects => "#!objects",
            Setting::Radius => "#!radius",
            Setting::Speed => "#!speed",
            Setting::Seed => "#!seed",
            Setting::Dt => "#!dt",
            Setting::Gravity => "#!gravity",
            Setting::Line => "#!line",
            Setting::Camera => "#!camera",
            Setting::Triangles => "#!triangles",
            Setting::Shading => "#!shading",
            Setting::Spin => "#!spin",
            Setting::Continuous => "#!continuous",
            Setting::Driving => "#!driving",
            Setting::Flat => "#!flat",
        }
    }

    /// Its line for `scene`; `None` where no line says what the scene is.
    pub(super) fn text(self, scene: &Scene) -> Option<String> {
        let values = match self {
            Setting::Strict => u8::from(scene.strict).to_string(),
            Setting::Objects => scene.objects.to_string(),
            Setting::Radius => match scene.radius {
                Radius::Equal(r) => shortest_number(r),
                Radius::Uniform(a, b) => format!("uniform {}", numbers(&[a, b])),
                Radius::LogUniform(a, b) => format!("loguniform {}", numbers(&[a, b])),
            },
            Setting::Speed => shortest_number(scene.speed),
            Setting::Seed => scene.seed.to_string(),
            Setting::Dt => shortest_number(scene.dt),
            Setting::Gravity => scene.gravity.to_string(),
            Setting::Line => numbers(&scene.line),
            Setting::Camera => {
                numbers(&[scene.camera.yaw, scene.camera.pitch, scene.camera.distance])
            }
            Setting::Triangles => scene.triangles.count().to_string(),
            Setting::Shading => (if scene.shading { "on" } else { "off" }).to_owned(),
            Setting::Spin => shortest_number(scene.spin),
            Setting::Continuous => scene.continuous.word().to_owned(),
            Setting::Driving => scene.driving.to_string(),
            Setting::Flat => return scene.flat.then(|| self.head().to_owned()),
        };
        Some(format!("{} {values}", self.head()))
    }

    /// Reads its values into `scene`.
    pub(super) fn parse(self, tokens: &mut Tokens<'_>, scene: &mut Scene) -> Fallible<()> {
        match self {
            Setting::Strict => {
                scene.strict = tokens.choice(
                    &[("0", false), ("1", true)],
                    "`0` (objects may leave the first source) or `1` (they stay in it)",
                )?;
            }
            Setting::Objects => {
                let (count, _) = tokens.integer("the count of objects", u32::MAX.into())?;
                // `integer` has checked that it fits a u32.
                scene.objects = count as u32;
            }
            Setting::Radius => scene.radius = radius(tokens)?,
            Setting::Speed => scene.speed = tokens.number("the speed")?.not_negative()?,
            Setting::Seed => scene.seed = tokens.integer("the seed", u64::MAX)?.0,
            Setting::Dt => {
                let dt = tokens.number("the time step")?;
                scene.dt = dt.check(|v| v > 0.0 && v <= 1.0, "greater than 0, at most 1")?;
            }
            Setting::Gravity => scene.gravity = gravity(tokens)?,
            Setting::Line => {
                scene.line =
                    [tokens.number("the line's x")?.value, tokens.number("the line's y")?.value];
            }
            Setting::Camera => {
                let pitch_range = |v: f32| (-89.0..=89.0).contains(&v);
                scene.camera = CameraPose {
                    yaw: tokens.number("the camera's yaw")?.value,
                    pitch: tokens
                        .number("the camera's pitch")?
                        .check(pitch_range, "within -89 and 89")?,
                    distance: tokens.number("the camera's distance")?.positive()?,
                };
            }
            Setting::Triangles => {
                scene.triangles = tokens.choice(
                    &[("20", Triangles::Twenty), ("80", Triangles::Eighty)],
                    "`20` or `80` triangles",
                )?;
            }
            Setting::Shading => {
                scene.shading = tokens.choice(&[("on", true), ("off", false)], "`on` or `off`")?;
            }
            Setting::Spin => scene.spin = tokens.number("the spin in rad/s")?.not_negative()?,
            Setting::Continuous => {
                let words = Continuous::ALL.map(|choice| (choice.word(), choice));
                scene.continuous = tokens.choice(&words, "`off`, `bullets` or `all`")?;
            }
            Setting::Driving => scene.driving = motion_lines::driving(tokens)?,
            Setting::Flat => scene.flat = true,
        }
        tokens.finish(&format!("`{}` and its values", self.head()))
    }
}

fn gravity(tokens: &mut Tokens<'_>) -> Fallible<Gravity> {
    let expected = "`off`, `weak`, `medium`, `strong`, or x, y and z of the gravity";
    let first = tokens.expect(expected)?;
    if let Some(strength) = Gravity::ALL.into_iter().find(|known| known.word() == first.text) {
        return Ok(strength);
    }
    if first.text.starts_with(char::is_alphabetic) && first.text.parse::<f32>().is_err() {
        return Err(first.unexpected(expected, "not one of these"));
    }
    Ok(Gravity::Vector(Vec3::new(
        first.number("the gravity along x")?.value,
        tokens.number("the gravity along y")?.value,
        tokens.number("the gravity along z")?.value,
    )))
}

fn radius(tokens: &mut Tokens<'_>) -> Fallible<Radius> {
    let expected = "a number, `uniform` or `loguniform` for the radius";
    let first = tokens.expect(expected)?;
    let range = match first.text {
        "uniform" => Radius::Uniform,
        "loguniform" => Radius::LogUniform,
        text if text.parse::<f32>().is_err() && text.starts_with(char::is_alphabetic) => {
            return Err(first.unexpected(expected, "not one of these"));
        }
        _ => return Ok(Radius::Equal(first.number("the radius")?.length()?)),
    };
    let low = tokens.number("the smallest radius")?.length()?;
    let high = tokens.number("the largest radius")?;
    let high = high.check(|v| v >= low, "at least the smallest")?;
    Ok(range(low, high))
}

/// The kinds of directives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Directive {
    Setting(Setting),
    Ball,
    Event,
    Layer,
    Shape,
    Part,
    Bodies,
    Body,
    Value(Quantity),
    Force,
    Drive,
}

impl Directive {
    /// Those of which a file gives any number.
    const LISTS: [(&str, Self); 11] = [
        ("ball", Self::Ball),
        ("event", Self::Event),
        ("layer", Self::Layer),
        ("shape", Self::Shape),
        ("part", Self::Part),
        ("bodies", Self::Bodies),
        ("body", Self::Body),
        ("restitution", Self::Value(Quantity::Restitution)),
        ("density", Self::Value(Quantity::Density)),
        ("force", Self::Force),
        ("drive", Self::Drive),
    ];

    pub(super) fn find(name: &str) -> Option<Self> {
        let list = Self::LISTS.iter().find(|(word, _)| *word == name);
        list.map(|(_, list)| *list).or_else(|| Setting::find(name).map(Directive::Setting))
    }

    /// All names, for the warning about an unknown one.
    pub(super) fn names() -> String {
        let settings = Setting::ALL.iter().filter_map(|s| s.head().strip_prefix("#!"));
        let lists = Self::LISTS.iter().map(|(word, _)| *word);
        settings.chain(lists).collect::<Vec<_>>().join(", ")
    }
}
