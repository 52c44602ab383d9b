//! The window on a test double of its system.

use super::*;
use crate::platform::{Files as _, Question};
use std::sync::atomic::Ordering::SeqCst;

#[test]
fn window_needs_no_thread_file_or_dialog_but_its_platforms() {
    let double = Double::leaked();
    double.write(Path::new("scenes/own.scene"), SPHERES.as_bytes()).unwrap();
    let mut begun = start_of(SPHERES.as_bytes(), "bsp", double);
    begun.opened.path = Some("own.scene".into());
    begun.view.step = Some(0);
    begun.settings_path = Some("viewer.toml".into());
    let mut model = start(Model::new(begun, double.platform()));
    let simulation = std::thread::spawn(|| double.let_go());
    assert!(model.shipped_scenes.contains(&PathBuf::from("scenes/own.scene")));

    let ask = |model: &mut Model, question| {
        model.ask(question);
        model.take_snapshot();
    };
    ask(&mut model, Question::Save);
    let [Notice::Problem(text)] = &model.panel.toasts.notices()[..] else {
        panic!("{:?}", model.panel.toasts.notices())
    };
    assert!(text.contains("no file dialog"), "{text}");
    *double.answer.lock().unwrap() = Some("new.scene".into());
    ask(&mut model, Question::Save);
    let new = Path::new("new.scene");
    wait(&mut model, "the saved scene", |model| model.scene_file.path() == Some(new));
    assert!(double.text(new).unwrap().contains("objects 7"));
    *double.input.lock().unwrap() = Some(Input::boxes("gas:50".parse().unwrap()));
    ask(&mut model, Question::Load);
    wait(&mut model, "the boxes", |model| model.snapshot.objects.boxes.len() == 50);

    for seconds in 0..3 {
        model.keep_files(seconds * 1_000_000_000);
    }
    model.simulation.end();
    assert_eq!(simulation.join().unwrap(), ["simulation"]);
    assert_eq!(double.let_go(), ["settings"]);
    assert!(double.text("viewer.toml").unwrap().contains("new.scene"));
}

#[test]
fn dialog_that_cannot_open_does_not_block_the_next() {
    let double = Double::leaked();
    let mut model = Model::new(start_of(SPHERES.as_bytes(), "bsp", double), double.platform());
    *double.answer.lock().unwrap() = Some("new.scene".into());
    double.is_exhausted.store(true, SeqCst);
    model.ask(Question::Save);
    let [Notice::Problem(text)] = &model.panel.toasts.notices()[..] else {
        panic!("{:?}", model.panel.toasts.notices())
    };
    assert!(text.starts_with("no file dialog ("), "{text}");
    assert!(model.changes.1.try_recv().is_err() && !model.asking);
    double.is_exhausted.store(false, SeqCst);
    model.ask(Question::Save);
    assert!(model.changes.1.try_recv().is_ok() && model.asking);
    model.ask(Question::Save);
    assert!(model.changes.1.try_recv().is_err(), "one dialog is open");
}
