//! What a command line says about the view: step, overlays, colours and camera.

use crate::camera::OrbitCamera;
use crate::composer::DrawOptions;
use crate::draw_switches::DrawSwitch;
use crate::parts::PicturePart;
use crate::session::Methods;
use crate::simulation::ColorBy;
use broadphase::inspect::OverlaySet;
use glam::Vec3;
use narrowphase::BoxKind;
use narrowphase::narrow::NarrowPhaseKind;
use narrowphase::volume::VolumeKind;
use sim::Scene;
use sim::scene::CameraPose;

/// Largest absolute value of a camera's angles and distance. No scene is visible from farther away.
const FARTHEST: f32 = 1e6;

/// A view as options of the command line; what is missing is left as it is by default.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ViewOptions {
    /// The step to show, stopped.
    pub step: Option<u64>,
    /// The parts of the structure to draw; `None` where that was not said: all of them in the window, none in a picture.
    pub parts: Option<Vec<PicturePart>>,
    /// Opacity of the root's plane, 0 to 1.
    pub plane_opacity: Option<f32>,
    /// The value that colours show.
    pub color: Option<ColorBy>,
    /// The object that is picked.
    pub pick: Option<u32>,
    /// The camera.
    pub camera: Option<OrbitCamera>,
    /// How pairs of bodies are found and tested.
    pub methods: MethodOptions,
    /// Switches of the group *Draw*.
    pub switches: Vec<DrawSwitch>,
}

/// Methods that a command line chooses.
#[derive(Clone, Copy, Debug, Default)]
pub struct MethodOptions {
    /// The bounding volume.
    pub volume: Option<&'static VolumeKind>,
    /// The narrow phase.
    pub narrow: Option<&'static NarrowPhaseKind>,
    /// How the boxes for the broad phase are computed.
    pub box_kind: Option<BoxKind>,
}

impl MethodOptions {
    /// The methods of the stages, in place of others.
    pub fn over(self, others: Methods) -> Methods {
        Methods {
            volume: self.volume.unwrap_or(others.volume),
            narrow: self.narrow.unwrap_or(others.narrow),
        }
    }

    /// Whether a method is chosen.
    pub fn are_chosen(self) -> bool {
        self != Self::default()
    }
}

impl PartialEq for MethodOptions {
    fn eq(&self, other: &Self) -> bool {
        let ids = |of: &Self| (of.volume.map(|kind| kind.id), of.narrow.map(|kind| kind.id));
        ids(self) == ids(other) && self.box_kind == other.box_kind
    }
}

impl ViewOptions {
    /// The parts that were named.
    pub fn named_parts(&self) -> &[PicturePart] {
        self.parts.as_deref().unwrap_or_default()
    }

    /// Switches on what the window draws of a scene with `objects` objects, unless parts are named: all parts of the
    /// structure, and what the scene [is about](DrawOptions::begin_scene).
    pub fn apply_in_window(&self, options: &mut DrawOptions, scene: &Scene, objects: usize) {
        options.overlays = OverlaySet::NONE;
        if self.parts.is_none() {
            options.overlays = OverlaySet::ALL;
            options.begin_scene(scene, objects);
        }
        self.apply(options);
    }

    /// The object to pick among `objects` ones.
    ///
    /// # Errors
    ///
    /// If there is no such object: in words.
    pub fn picked_among(&self, objects: usize) -> Result<Option<u32>, String> {
        match self.pick {
            Some(object) if object as usize >= objects => Err(format!(
                "there is no object {object} to pick: objects are numbered from 0, and there are {objects}"
            )),
            pick => Ok(pick),
        }
    }

    /// Switches on what is to be drawn.
    pub fn apply(&self, options: &mut DrawOptions) {
        for part in self.named_parts() {
            part.switch_on(options);
        }
        options.plane_opacity = self.plane_opacity.unwrap_or(options.plane_opacity);
        options.color = self.color.unwrap_or(options.color);
        self.switches.iter().for_each(|switch| switch.apply(options));
    }
}

/// Writes a camera as [`parse_camera`] reads it.
pub fn camera_words(camera: &OrbitCamera) -> String {
    let CameraPose { yaw, pitch, distance } = camera.pose();
    let numbers = [yaw, pitch, distance].map(|number| number.to_string()).join(",");
    match camera.target {
        Vec3::ZERO => numbers,
        Vec3 { x, y, z } => format!("{numbers},{x},{y},{z}"),
    }
}

/// Reads `YAW,PITCH,DISTANCE`, in degrees and units, and the target `,X,Y,Z` unless it is the origin.
///
/// # Errors
///
/// What was expected.
pub fn parse_camera(text: &str) -> Result<OrbitCamera, String> {
    let expected = || {
        format!(
            "expected YAW,PITCH,DISTANCE or YAW,PITCH,DISTANCE,X,Y,Z, as in 25,20,4.5, not {text:?}"
        )
    };
    let number = |word: &str| word.trim().parse().ok().filter(|n: &f32| n.is_finite());
    let numbers: Option<Vec<f32>> = text.split(',').map(number).collect();
    let (pose, target) = match numbers.ok_or_else(expected)?[..] {
        [yaw, pitch, distance] => ([yaw, pitch, distance], Vec3::ZERO),
        [yaw, pitch, distance, x, y, z] => ([yaw, pitch, distance], Vec3::new(x, y, z)),
        _ => return Err(expected()),
    };
    let [yaw, pitch, distance] = pose;
    if distance <= 0.0 || pose.iter().any(|number| number.abs() > FARTHEST) {
        return Err(expected());
    }
    let mut camera = OrbitCamera::from_pose(CameraPose { yaw, pitch, distance });
    camera.target = target;
    Ok(camera)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::composer::MAX_DRAWN_BY_DEFAULT;
    use sim::SceneDocument;

    #[test]
    fn window_draws_all_parts_of_few_objects_unless_some_are_named() {
        let drawn = |parts: Option<&str>, objects: usize| -> String {
            let parts = parts.map(|text| text.split(',').filter_map(|t| t.parse().ok()).collect());
            let scene = Scene::default();
            let mut options = DrawOptions::of_scene(&scene);
            let view = ViewOptions { parts, ..ViewOptions::default() };
            view.apply_in_window(&mut options, &scene, objects);
            let bvh = broadphase::registry::find("bvh-linear").unwrap();
            let shown = PicturePart::switched_on(&options, bvh, false);
            shown.iter().map(PicturePart::to_string).collect::<Vec<_>>().join(",")
        };
        assert_eq!(drawn(None, MAX_DRAWN_BY_DEFAULT), "boxes:3,curve");
        assert_eq!(drawn(None, MAX_DRAWN_BY_DEFAULT + 1), "");
        assert_eq!(drawn(Some("curve"), MAX_DRAWN_BY_DEFAULT + 1), "curve");
        assert_eq!(drawn(Some(""), 10), "", "--show none");
    }

    #[test]
    fn window_draws_what_a_scene_is_about() {
        let drawn = |text: &str, parts: Option<&str>| {
            let text = format!(
                "i -3 -3 -3 6 6 6 100 f\n#!shape cube box 1 1 1\n#!body cube 0 0 0  0 0 0  driven\n{text}\n"
            );
            let document = SceneDocument::parse("own.scene", text.as_bytes()).unwrap();
            let parts = parts.map(|_| Vec::new());
            let mut options = DrawOptions::of_scene(document.scene());
            let view = ViewOptions { parts, ..ViewOptions::default() };
            view.apply_in_window(&mut options, document.scene(), 1);
            let is_structure = options.overlays != OverlaySet::NONE;
            let by_touching = options.color == ColorBy::Touching;
            [options.impacts, options.volumes, options.parts, by_touching, is_structure]
        };
        // First contacts, volumes, parts, touching bodies by colour, structure.
        for (text, expected) in [
            ("#!objects 0\n#!continuous all", [true, false, false, false, false]),
            ("#!objects 9\n#!flat", [false, false, false, true, false]),
            ("#!flat\n#!driving walk", [false, false, true, false, false]),
            ("#!objects 9\n#!flat\n#!driving refuse obb", [false, true, false, true, true]),
        ] {
            assert_eq!(drawn(text, None), expected, "{text}");
        }
        assert_eq!(drawn("#!continuous all", Some("none")), [false; 5]);
    }

    #[test]
    fn camera_survives_the_round_trip() {
        for text in ["25,20,4.5", "350.125,-89,0.001,1,-2.5,1000"] {
            let camera = parse_camera(text).unwrap();
            assert_eq!(camera_words(&camera), text);
        }
        let mut camera = OrbitCamera::default();
        camera.orbit(glam::Vec2::new(123.0, -45.6));
        camera.zoom(0.37);
        camera.pan(glam::Vec2::new(3.1, 4.7), 700.0);
        assert_eq!(parse_camera(&camera_words(&camera)), Ok(camera), "to the bit");
    }

    #[test]
    fn invalid_cameras_are_refused() {
        for bad in
            ["", "1,2", "1,2,3,4", "1,2,x", "1,2,0", "1,2,-3", "nan,2,3", "1,2,inf", "1,2,1e9"]
        {
            let message = parse_camera(bad).unwrap_err();
            assert!(message.contains("YAW,PITCH,DISTANCE"), "{bad}: {message}");
        }
    }
}
