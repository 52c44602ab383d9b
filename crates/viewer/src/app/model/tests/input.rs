//! The mouse over the scene, and keys, in a virtual window.

use super::*;
use egui::PointerButton::{self, Middle, Primary, Secondary};
use egui::{Event, MouseWheelUnit, Pos2, TouchPhase, vec2};

/// Two small balls, and nothing in the middle.
const CORNERS: &str = "i -3 -3 -3 6 6 6 100 f\n#!objects 0\n#!radius 0.01\n#!ball -2.9 -2.9 -2.9  0 0 0\n#!ball 2.9 2.9 2.9  0 0 0\n";

type Window = egui_kittest::Harness<'static, Model>;

/// A window on a stopped scene, whose commands are not carried out.
fn opened(text: &str) -> Window {
    let mut window = window(model(text));
    settle(&mut window);
    window
}

/// Shows the effects of input, without waiting for messages to fade.
fn settle(window: &mut Window) {
    window.run_steps(3);
}

/// A place in the scene, at a distance from its left edge.
fn at(window: &Window, x: f32) -> Pos2 {
    let scene = window.state().scene;
    Pos2::new(scene.left() + x, scene.center().y)
}

#[derive(Clone, Copy, Debug)]
enum Act {
    Move(f32),
    Press(PointerButton),
    Release(PointerButton),
    Leave,
}

/// Carries out acts of the mouse over the scene.
fn act(window: &mut Window, acts: &[Act]) {
    let mut pos = window.ctx.pointer_latest_pos().unwrap_or(at(window, 300.0));
    for act in acts {
        let button = |pos, button, pressed| Event::PointerButton {
            pos,
            button,
            pressed,
            modifiers: Modifiers::NONE,
        };
        if let Act::Move(x) = act {
            pos = at(window, *x);
        }
        window.event(match *act {
            Act::Move(_) => Event::PointerMoved(pos),
            Act::Press(which) => button(pos, which, true),
            Act::Release(which) => button(pos, which, false),
            Act::Leave => Event::WindowFocused(false),
        });
        // A click ends within 0.8 seconds, and a step is 0.25.
        window.step();
    }
    settle(window);
}

/// How often an object was clicked, of which there is none: a message says so.
fn clicks(window: &Window) -> usize {
    let shown = format!("{:?}", window.state().panel.toasts.notices());
    shown.matches("no object where you clicked").count()
}

#[test]
fn buttons_click_or_drag() {
    use Act::{Leave, Move, Press, Release};
    // Acts in the middle of the scene, with their clicks, and whether they orbit and pan.
    for (acts, clicked, orbits, pans) in [
        (vec![Press(Primary), Move(302.0), Release(Primary)], 1, false, false),
        (vec![Press(Primary), Move(330.0), Release(Primary)], 0, true, false),
        (vec![Press(Secondary), Release(Secondary)], 0, false, false),
        (vec![Press(Secondary), Move(330.0), Release(Secondary)], 0, false, true),
        (vec![Press(Middle), Move(330.0), Release(Middle)], 0, false, true),
        // It may go on over a panel.
        (vec![Press(Primary), Move(-200.0), Move(900.0), Release(Primary)], 0, true, false),
        (vec![Press(Primary), Leave, Move(330.0), Move(360.0), Release(Primary)], 0, false, false),
    ] {
        let mut window = opened(CORNERS);
        act(&mut window, &[Move(300.0)]);
        let before = window.state().camera.goal;
        act(&mut window, &acts);
        let after = window.state().camera.goal;
        let target = |camera: OrbitCamera| camera.eye() - camera.backward() * camera.distance();
        let is_moved = target(after).distance(target(before)) > 1e-3;
        let moves = [after.backward() != before.backward(), is_moved];
        assert_eq!((clicks(&window), moves), (clicked, [orbits, pans]), "{acts:?}");
    }
}

#[test]
fn edge_of_a_panel_is_dragged_without_the_camera() {
    use Act::{Move, Press, Release};
    let mut model = model(SPHERES);
    model.panel.editor.open = true;
    let mut window = window(model);
    settle(&mut window);
    for (from, moves) in [(2.0, false), (-2.0, false), (20.0, true)] {
        let before = (window.state().camera.goal, window.state().scene.left());
        act(&mut window, &[Move(from), Press(Primary), Move(from + 30.0)]);
        let after = (window.state().camera.goal, window.state().scene.left());
        act(&mut window, &[Release(Primary)]);
        assert_eq!((after.0 != before.0, after.1 == before.1), (moves, moves), "{from}");
    }
}

#[test]
fn wheel_zooms_over_the_scene_alone() {
    let mut window = opened(SPHERES);
    let turned = |window: &mut Window, pos: Pos2, unit, y| {
        let before = window.state().camera.goal.distance();
        window.hover_at(pos);
        settle(window);
        let (delta, phase, modifiers) = (vec2(0.0, y), TouchPhase::Move, Modifiers::NONE);
        let source = egui::MouseWheelSource::Unknown;
        window.event(Event::MouseWheel { unit, delta, phase, source, modifiers });
        settle(window);
        window.state().camera.goal.distance() / before
    };
    let within = at(&window, 300.0);
    let step = turned(&mut window, within, MouseWheelUnit::Line, 1.0);
    assert!(step < 1.0, "{step}");
    let smooth = turned(&mut window, within, MouseWheelUnit::Point, -40.0);
    assert!((smooth * step - 1.0).abs() < 1e-4, "{smooth}");
    let panel = Pos2::new(1200.0, 300.0);
    assert_eq!(turned(&mut window, panel, MouseWheelUnit::Line, 1.0), 1.0);
}

#[test]
fn gripped_object_is_pulled_instead_of_the_camera() {
    use Act::{Move, Press, Release};
    let mut model = model("i -3 -3 -3 6 6 6 100 f\n#!objects 0\n#!radius 1\n#!ball 0 0 0  0 0 0\n");
    model.panel.view.picked = Some(0);
    let mut model = start(model);
    model.update_view();
    wait(&mut model, "the picked ball", |model| model.snapshot.picked.is_some());
    let mut window = window(model);
    settle(&mut window);
    let (scene, picked) = (window.state().scene, window.state().snapshot.picked.clone().unwrap());
    let size = glam::Vec2::new(scene.width(), scene.height());
    let x = window.state().shown_camera().project(picked.center, size).unwrap().x;
    let before = window.state().camera.goal;
    let grips = |window: &Window| window.state().grip.is_some_and(|grip| grip.pulls);
    act(&mut window, &[Move(x), Press(Primary), Move(x + 2.0)]);
    assert!(!grips(&window), "it may become a click");
    act(&mut window, &[Move(x + 30.0)]);
    assert!(grips(&window));
    act(&mut window, &[Move(x + 30.0), Release(Primary)]);
    assert!(!grips(&window));
    assert_eq!(window.state().camera.goal, before);
}

/// Presses or releases a key. Returns the commands that it caused.
fn key(window: &mut Window, key: Key, pressed: bool) -> Vec<Command> {
    if pressed {
        window.key_down(key);
    } else {
        window.key_up(key);
    }
    settle(window);
    std::mem::take(&mut window.state_mut().commands)
}

/// A scene with a driven body.
fn driven() -> Window {
    let mut window = opened(SCENE);
    Arc::make_mut(&mut window.state_mut().snapshot.input.scene).placed_bodies[0].is_driven = true;
    window
}

#[test]
fn letters_drive_only_where_they_are_let() {
    let mut window = driven();
    assert!(matches!(key(&mut window, Key::S, true)[..], [Command::Order(Order::Run(_))]));
    key(&mut window, Key::S, false);
    assert!(window.state().drive.is_none());
    window.state_mut().panel.drive = true;
    assert!(key(&mut window, Key::S, true).is_empty(), "it drives");
    let down = DriveKeys { down: true, ..DriveKeys::NONE };
    assert_eq!(window.state().drive, down);
    assert!(key(&mut window, Key::D, true).is_empty());
    assert_eq!(window.state().drive, DriveKeys { right: true, ..down });
    // Drive is no longer ticked when the key is released.
    window.state_mut().panel.drive = false;
    key(&mut window, Key::S, false);
    window.state_mut().panel.drive = true;
    key(&mut window, Key::D, false);
    assert!(window.state().drive.is_none());
    assert!(matches!(key(&mut window, Key::Space, true)[..], [Command::Order(Order::Run(_))]));
}

#[test]
fn keys_are_held_until_released_or_the_focus_is_lost() {
    let mut window = driven();
    for pressed in [Key::ArrowUp, Key::ArrowLeft, Key::P] {
        assert!(key(&mut window, pressed, true).is_empty());
    }
    let both = DriveKeys { up: true, left: true, ..DriveKeys::NONE };
    assert_eq!((window.state().drive, window.state().hold), (both, Hold::Attract));
    key(&mut window, Key::ArrowUp, false);
    assert_eq!(window.state().drive, DriveKeys { up: false, ..both });
    key(&mut window, Key::O, true);
    assert_eq!(window.state().hold, Hold::None, "both pull");
    key(&mut window, Key::P, false);
    assert_eq!(window.state().hold, Hold::Repel);
    window.event(Event::WindowFocused(false));
    settle(&mut window);
    assert!(window.state().drive.is_none() && window.state().hold == Hold::None);
}

#[test]
fn held_key_repeats_steps_and_switches_once() {
    let mut window = opened(SPHERES);
    let number = |pressed| {
        let commands = [true, true, true].map(|down| key(&mut window, pressed, down).len());
        key(&mut window, pressed, false);
        commands.iter().sum::<usize>()
    };
    assert_eq!([Key::Period, Key::Plus, Key::R, Key::F].map(number), [3, 3, 1, 1]);
    assert_eq!(window.state().snapshot.input.response_delay, Duration::from_millis(3));
}

#[test]
fn keys_with_control_are_the_windows_and_tab_hides_panels() {
    let mut window = opened(SPHERES);
    for (modifiers, pressed, number) in [
        (Modifiers::COMMAND, Key::S, 0),
        (Modifiers::ALT, Key::S, 0),
        (Modifiers::SHIFT, Key::S, 1),
        (Modifiers::COMMAND, Key::Z, 1),
    ] {
        window.key_press_modifiers(modifiers, pressed);
        settle(&mut window);
        let commands = std::mem::take(&mut window.state_mut().commands);
        assert_eq!(commands.len(), number, "{modifiers:?} {pressed:?}");
    }
    for hidden in [true, false] {
        assert!(key(&mut window, Key::Tab, true).is_empty());
        key(&mut window, Key::Tab, false);
        assert_eq!(window.state().panel.hidden, hidden);
    }
    assert_eq!(window.ctx.memory(|memory| memory.focused()), None);
}

#[test]
fn edited_text_takes_keys() {
    use egui::accesskit::Role;
    use egui_kittest::kittest::Queryable as _;
    let mut window = driven();
    key(&mut window, Key::P, true);
    assert_eq!(window.state().hold, Hold::Attract);
    window.get_all_by_role(Role::SpinButton).next().unwrap().click();
    settle(&mut window);
    assert!(window.ctx.text_edit_focused());
    assert_eq!(window.state().hold, Hold::None, "its release may be that of the field");
    assert!(key(&mut window, Key::S, true).is_empty());
}
