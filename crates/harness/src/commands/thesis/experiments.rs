//! The experiments and their scenes.

use crate::failure::Failure;
use sim::scene::Radius;
use sim::{Scene, SceneDocument};

/// Inputs of E1 and E2 in the rows: the random scene, drawn or not.
const DRAWN: &str = "random, drawn";
const NOT_DRAWN: &str = "random";
/// The input of E3.
const SETTLED: &str = "fer";
/// The two looks of E5 and of E6: the random scene, drawn with fewer and with more triangles, plain and shaded.
pub(super) const TRIANGLES: [&str; 2] = ["random, 20 triangles", "random, 80 triangles"];
pub(super) const SHADING: [&str; 2] = ["random, plain", "random, shaded"];
/// Prefixes of the inputs of E7: a speed, units/s; a radius.
pub(super) const SPEED: &str = "random, speed ";
pub(super) const RADIUS: &str = "random, radius ";
/// Speeds of E7, units/s.
pub(super) const SPEEDS: [f32; 5] = [0.1, 0.25, 0.5, 1.0, 2.0];
/// Radii of E7.
pub(super) const RADII: [f32; 5] = [0.005, 0.01, 0.02, 0.03, 0.04];

/// An experiment with rows of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Experiment {
    /// E1: random, drawn.
    RandomDrawn,
    /// E2: random, not drawn.
    Random,
    /// E3: FER, not drawn.
    Fer,
    /// E4: pictures of scenes and trees; has no rows.
    Pictures,
    /// E5: 20 against 80 triangles.
    Triangles,
    /// E6: shading on and off.
    Shading,
    /// E7: speed and size of the objects.
    SpeedAndSize,
}

impl Experiment {
    /// All of them.
    pub(super) const ALL: [Experiment; 7] = [
        Experiment::RandomDrawn,
        Experiment::Random,
        Experiment::Fer,
        Experiment::Pictures,
        Experiment::Triangles,
        Experiment::Shading,
        Experiment::SpeedAndSize,
    ];

    /// Its number, which is also its folder's name.
    pub(super) fn folder(self) -> &'static str {
        self.row().0
    }

    /// Whether it takes a graphics adapter.
    pub(super) fn is_drawn(self) -> bool {
        self.row().1
    }

    /// A short description.
    pub(super) fn summary(self) -> &'static str {
        self.row().2
    }

    fn row(self) -> (&'static str, bool, &'static str) {
        match self {
            Self::RandomDrawn => {
                ("E1", true, "random scene, drawn, 20 triangles per sphere, not shaded")
            }
            Self::Random => ("E2", false, "random scene, not drawn"),
            Self::Fer => ("E3", false, "FER, not drawn, after the objects have been set free"),
            Self::Pictures => ("E4", true, "pictures of scenes and trees"),
            Self::Triangles => {
                ("E5", true, "random scene, drawn, bsp, 20 against 80 triangles per sphere")
            }
            Self::Shading => {
                ("E6", true, "random scene, drawn, bsp, 20 triangles, plain against shaded")
            }
            Self::SpeedAndSize => ("E7", false, "random scene, not drawn, other speeds and sizes"),
        }
    }

    /// The input in its rows, if it has only one.
    pub(super) fn input(self) -> &'static str {
        match self {
            Self::RandomDrawn => DRAWN,
            Self::Fer => SETTLED,
            _ => NOT_DRAWN,
        }
    }
}

/// A scene of the thesis, built in so that the command runs in any folder.
#[derive(Clone, Copy, Debug)]
pub(super) struct BuiltIn {
    pub(super) name: &'static str,
    pub(super) text: &'static str,
}

pub(super) const RANDOM: BuiltIn =
    BuiltIn { name: "random.scene", text: include_str!("../../../../../scenes/random.scene") };
pub(super) const FER: BuiltIn =
    BuiltIn { name: "fer.scene", text: include_str!("../../../../../scenes/fer.scene") };
pub(super) const WINDOW: BuiltIn =
    BuiltIn { name: "fig-6-4.scene", text: include_str!("../../../../../scenes/fig-6-4.scene") };
pub(super) const STAIRS: BuiltIn = BuiltIn {
    name: "stepenice.scene",
    text: include_str!("../../../../../scenes/stepenice.scene"),
};
pub(super) const FALL: BuiltIn =
    BuiltIn { name: "pad.scene", text: include_str!("../../../../../scenes/pad.scene") };

impl BuiltIn {
    /// The scene with this number of objects; `None` takes its own.
    pub(super) fn scene(&self, objects: Option<u32>) -> Result<Scene, Failure> {
        let document = SceneDocument::parse(self.name, self.text.as_bytes())
            .map_err(|e| Failure::Running(format!("a built-in scene is wrong: {e}")))?;
        let scene = document.scene().clone();
        Ok(Scene { objects: objects.unwrap_or(scene.objects), ..scene })
    }
}

/// The variants of the random scene for E7, with their names.
pub(super) fn varied(objects: u32) -> Result<Vec<(String, Scene)>, Failure> {
    let scene = RANDOM.scene(Some(objects))?;
    let of_speed = |speed: f32| (format!("{}{speed}", SPEED), Scene { speed, ..scene.clone() });
    let of_radius = |radius: f32| {
        let scene = Scene { radius: Radius::Equal(radius), ..scene.clone() };
        (format!("{}{radius}", RADIUS), scene)
    };
    Ok(SPEEDS.map(of_speed).into_iter().chain(RADII.map(of_radius)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_differ_in_one_thing_each() {
        let variants = varied(50).unwrap();
        assert_eq!(variants.len(), SPEEDS.len() + RADII.len());
        assert_eq!(variants[0].0, "random, speed 0.1");
        assert!(variants[..SPEEDS.len()].iter().all(|(_, s)| s.radius == variants[0].1.radius));
        assert!(variants[SPEEDS.len()..].iter().all(|(_, s)| s.speed == 0.5));
    }
}
