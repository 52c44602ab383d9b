//! Clicks on the picture.

use super::*;
use crate::session::Session;
use crate::view_options::ViewOptions;
use broadphase::registry;
use glam::Vec3;
use measure::MonotonicClock;
use sim::SceneDocument;

/// An L in the x-z plane: its long arm is along x, its short one along z. It is rotated by 30 degrees about y.
const SCENE: &str = "\
i -3 -3 -3 6 6 6 100 f
#!objects 0
#!shape cube box 1 1 1
#!shape arm compound
#!part arm cube 0 0 0
#!part arm cube 1 0 0
#!part arm cube 2 0 0
#!part arm cube 0 0 1
#!body arm 0 0 0  0 0 0 rotate 0 1 0 30
";

fn model(text: &str) -> Model {
    let document = SceneDocument::parse("clicked.scene", text.as_bytes()).unwrap();
    let row = registry::find("bsp").unwrap();
    let clock: &'static dyn Clock = Box::leak(Box::new(MonotonicClock::new()));
    let session = Session::new("clicked.scene", document.scene(), row, clock, None).unwrap();
    let start = Start {
        opened: Opened { document: Some(document), path: None },
        session,
        first: false,
        view: ViewOptions::default(),
        compared: Vec::new(),
        folder: PathBuf::new(),
        settings: Settings::default(),
        settings_path: None,
        notices: Vec::new(),
    };
    Model::new(start, clock)
}

fn picked(model: &mut Model, at: Vec3) -> Option<u32> {
    model.click(Ray { origin: at - Vec3::Y * 5.0, direction: Vec3::Y });
    model.panel.picked
}

#[test]
fn click_during_motion_picks_the_body_and_not_its_sphere() {
    let mut model = model(SCENE);
    model.snapshot.running = true;
    // On the long arm, 1.55 along x and -0.25 along z of the centre of mass in the body's frame.
    let arm = Vec3::new(1.217, 0.0, -0.991);
    assert_eq!(picked(&mut model, arm), Some(0));
    // The same by the inverse rotation, which is within the bounding sphere.
    assert_eq!(picked(&mut model, Vec3::new(1.467, 0.0, 0.558)), None);
    assert_eq!(picked(&mut model, -arm), None);
    model.panel.picked = Some(0);
    model.panel.draw.objects = false;
    assert_eq!(picked(&mut model, arm), None, "hidden bodies are not picked");
}

#[test]
fn click_during_motion_picks_spheres_by_their_surface() {
    let mut model = model("i -3 -3 -3 6 6 6 100 f\n#!objects 1\n#!radius 0.5\n");
    model.snapshot.running = true;
    let center = model.snapshot.positions[0];
    assert_eq!(picked(&mut model, center + Vec3::X * 0.49), Some(0));
    assert_eq!(picked(&mut model, center + Vec3::X * 0.51), None);
}
