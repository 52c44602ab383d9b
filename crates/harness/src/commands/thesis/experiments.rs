//! The experiments and their scenes.

use super::inputs;
use crate::failure::Failure;
use sim::scene::Radius;
use sim::{Scene, SceneDocument};

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
        match self {
            Experiment::RandomDrawn => "E1",
            Experiment::Random => "E2",
            Experiment::Fer => "E3",
            Experiment::Pictures => "E4",
            Experiment::Triangles => "E5",
            Experiment::Shading => "E6",
            Experiment::SpeedAndSize => "E7",
        }
    }

    /// Whether it takes a graphics adapter.
    pub(super) fn is_drawn(self) -> bool {
        use Experiment::{Pictures, RandomDrawn, Shading, Triangles};
        matches!(self, RandomDrawn | Pictures | Triangles | Shading)
    }

    /// A short description.
    pub(super) fn summary(self) -> &'static str {
        match self {
            Experiment::RandomDrawn => "random scene, drawn, 20 triangles per sphere, not shaded",
            Experiment::Random => "random scene, not drawn",
            Experiment::Fer => "FER, not drawn, after the objects have been set free",
            Experiment::Pictures => "pictures of scenes and trees",
            Experiment::Triangles => "random scene, drawn, bsp, 20 against 80 triangles per sphere",
            Experiment::Shading => "random scene, drawn, bsp, 20 triangles, plain against shaded",
            Experiment::SpeedAndSize => "random scene, not drawn, other speeds and sizes",
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
    let of_speed =
        |speed: f32| (format!("{}{speed}", inputs::SPEED), Scene { speed, ..scene.clone() });
    let of_radius = |radius: f32| {
        let scene = Scene { radius: Radius::Equal(radius), ..scene.clone() };
        (format!("{}{radius}", inputs::RADIUS), scene)
    };
    Ok(SPEEDS.map(of_speed).into_iter().chain(RADII.map(of_radius)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_scenes_are_valid() {
        for built_in in [RANDOM, FER] {
            assert_eq!(built_in.scene(Some(7)).unwrap().objects, 7);
        }
    }

    #[test]
    fn variants_differ_in_one_thing_each() {
        let variants = varied(50).unwrap();
        assert_eq!(variants.len(), SPEEDS.len() + RADII.len());
        assert_eq!(variants[0].0, "random, speed 0.1");
        assert!(variants[..SPEEDS.len()].iter().all(|(_, s)| s.radius == variants[0].1.radius));
        assert!(variants[SPEEDS.len()..].iter().all(|(_, s)| s.speed == 0.5));
    }
}
