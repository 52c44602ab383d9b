//! Sequences of pictures.

use super::*;
use crate::offscreen::Picture;

fn picture() -> Result<Picture, String> {
    Ok(Picture { width: 1, height: 1, rgba: vec![1, 2, 3, 255] })
}

/// A model on a test double whose simulation runs.
fn on_double() -> (&'static Double, Model, std::thread::JoinHandle<Vec<String>>) {
    let double = Double::leaked();
    let model = start(Model::new(start_of(SPHERES.as_bytes(), "bsp", double), double.platform()));
    (double, model, std::thread::spawn(|| double.let_go()))
}

fn record(model: &mut Model, record: bool) {
    model.obey(Command::RecordPictures(record));
}

/// Waits for the next step to be due, and adds its picture. Returns the step.
fn take(model: &mut Model) -> u64 {
    let start = std::time::Instant::now();
    while !model.is_picture_due() {
        assert!(start.elapsed() < Duration::from_secs(600) && model.records_pictures());
        model.take_snapshot();
        std::thread::sleep(Duration::from_millis(1));
    }
    let step = model.snapshot.motion.steps;
    model.add_picture(picture());
    step
}

#[test]
fn each_step_has_one_picture_until_the_sequence_is_ended() {
    let (double, mut model, simulation) = on_double();
    let says = |model: &Model, part: &str| {
        let notices = model.panel.toasts.notices();
        assert!(notices.iter().any(|of| format!("{of:?}").contains(part)), "{part}: {notices:?}");
    };
    record(&mut model, true);
    let steps: Vec<u64> = (0..5).map(|_| take(&mut model)).collect();
    assert!(steps.windows(2).all(|pair| pair[1] == pair[0] + 1), "{steps:?}");
    record(&mut model, false);
    assert!(!model.is_picture_due() && model.recorded_pictures().is_none());
    let files = || double.files.lock().unwrap().keys().cloned().collect::<Vec<_>>();
    let names =
        files().into_iter().map(|path| path.file_name().unwrap().to_str().unwrap().to_owned());
    assert!(names.eq((1..=5).map(|number| format!("{number:06}.png"))));
    says(&model, "Done(\"5 pictures are in ");

    // A full disk ends it, and so does motion of its own.
    record(&mut model, true);
    take(&mut model);
    *double.read_only.lock().unwrap() = Some("results".into());
    take(&mut model);
    assert!(model.recorded_pictures().is_none());
    says(&model, "000002.png: ");
    record(&mut model, true);
    assert!(model.recorded_pictures().is_none(), "its folder cannot be created");
    *double.read_only.lock().unwrap() = None;
    record(&mut model, true);
    take(&mut model);
    model.obey(Order::Run(true).into());
    wait(&mut model, "the motion", |model| model.snapshot.engine.running);
    assert!(!model.is_picture_due() && !model.records_pictures());
    assert_eq!(files().len(), 5 + 2);
    model.simulation.end();
    simulation.join().unwrap();
}
