//! All algorithms over the whole input, and the page of it.

use super::*;
use crate::measuring::{MeasuringState, Ranking};
use crate::session::Session;
use broadphase::Aabb;
use measure::{CaseOptions, Status, SummaryFile};
use sim::{GeneratedBoxes, TraceWriter};
use std::fs;
use tempfile::TempDir;

const FRAMES: usize = 12;

/// Writes a trace of flying cubes; without any, of an object that is absent.
fn write_trace(path: &Path, objects: u32) {
    let number = objects.max(1);
    let mut boxes = GeneratedBoxes::new(&format!("gas:{number}").parse().unwrap());
    let mut writer = TraceWriter::create(path, number, 0.02).unwrap();
    let mut frame = Vec::new();
    for _ in 0..FRAMES {
        boxes.next_frame(&mut frame);
        frame[objects as usize..].fill(Aabb::EMPTY);
        writer.write_frame(&frame).unwrap();
    }
    writer.finish().unwrap();
}

/// A folder with a trace, and a window in it that shows the trace.
fn recorded(objects: u32, platform: Platform) -> (TempDir, Model) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.bpt");
    write_trace(&path, objects);
    let case = Input::open(&path).unwrap().cases(&CaseOptions::default()).unwrap().remove(0);
    let auto = registry::find("auto").unwrap();
    let session = Session::of_case(&case, auto, platform.clock, None).unwrap();
    let start = Start {
        opened: Opened { document: None, path: Some(path), boxes: Some(case) },
        session,
        folder: folder.path().to_owned(),
        ..start_of(SPHERES.as_bytes(), "bsp", platform.clock)
    };
    (folder, super::start(Model::new(start, platform)))
}

fn system() -> Platform {
    Platform::system(running_clock())
}

/// Follows the measurement until it is complete.
fn ranking(model: &mut Model) -> Option<Arc<Ranking>> {
    let since = std::time::Instant::now();
    loop {
        model.take_snapshot();
        match model.follow_measuring() {
            Some(MeasuringState::Done(ranking)) => return Some(ranking),
            Some(_) => assert!(since.elapsed() < Duration::from_secs(600), "it does not end"),
            None => return None,
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn measured(model: &mut Model) -> Arc<Ranking> {
    model.obey(Command::MeasureAll);
    ranking(model).unwrap_or_else(|| panic!("{:?}", model.panel.toasts.notices()))
}

#[track_caller]
fn last_problem(model: &Model) -> String {
    match model.panel.toasts.notices().last() {
        Some(Notice::Problem(text)) => text.clone(),
        other => panic!("no problem: {other:?}"),
    }
}

#[test]
fn whole_recording_is_ranked_until_the_input_changes() {
    let (folder, mut model) = recorded(60, system());
    let path = |name: &str| folder.path().join(name);
    let ranking = measured(&mut model);
    let case = &ranking.case;
    assert_eq!((case.warmup, case.frames), (1, FRAMES as u32 - 1), "all frames are played");
    let ids: Vec<&str> = ranking.algorithms.iter().map(|of| &*of.row.algorithm).collect();
    let families: Vec<&str> = registry::ALGORITHMS.families().map(|entry| entry.id).collect();
    assert_eq!(ids, families);
    let tables = ranking.folder().to_owned();
    assert!(tables.starts_with(path("results")));
    for (ranked, row) in ranking.algorithms.iter().zip(SummaryFile::read(&tables).unwrap().rows) {
        assert_eq!(ranked.row, row);
        assert_eq!(row.status, Status::Ok, "{}", row.reason_text());
        assert!(ranked.worst_ns >= row.p95_ns && row.p95_ns >= row.median_ns);
    }
    assert!(!model.snapshot.engine.running, "the motion was stopped");
    drop(ranking);
    model.obey(Order::Step.into());
    wait(&mut model, "a step", |model| model.snapshot.motion.steps > 0);

    model.obey(Command::ExportReport);
    let notices = model.panel.toasts.notices();
    let Some(Notice::Done(done)) = notices.last() else { panic!("no page") };
    let written = done.strip_prefix("report written to ").unwrap().to_owned();
    let page = report::Results::read(std::slice::from_ref(&tables)).unwrap().page().unwrap();
    assert_eq!(fs::read_to_string(&written).unwrap(), page, "as of the crate `report`");
    assert!(page.contains("# Measure all"));

    // A ranking without a report leaves nothing behind.
    let second = measured(&mut model).folder().to_owned();
    write_trace(&path("b.bpt"), 9);
    model.load(&path("b.bpt"));
    wait(&mut model, "the other trace", |model| model.snapshot.objects.boxes.len() == 9);
    assert!(model.follow_measuring().is_none());
    model.obey(Command::ExportReport);
    assert!(last_problem(&model).contains("no finished measurement"));
    drop(model);
    assert!(tables.join("frames.csv").is_file(), "the tables of a reported run stay");
    assert!(!second.exists());
}

#[test]
fn edited_scene_has_no_ranking_of_the_scene_before() {
    let folder = tempfile::tempdir().unwrap();
    let mut model = started(&SPHERES.replace("objects 7", "objects 1"));
    model.folder = folder.path().to_owned();
    let ranking = measured(&mut model);
    assert_eq!((ranking.case.n, ranking.case.frames), (1, 600));
    for ranked in &ranking.algorithms {
        assert_eq!(ranked.row.status, Status::Ok, "{}", ranked.row.reason_text());
    }
    model.obey(Order::Edit(sim::Edit::Strict(true)).into());
    wait(&mut model, "the edit", |model| model.snapshot.input.recipe.strict);
    assert!(model.follow_measuring().is_none());
    let variant = registry::find("bvh-top-down+sah").unwrap();
    model.obey(Order::Compare(vec![variant]).into());
    wait(&mut model, "the variant", |model| !model.snapshot.compared.is_empty());
    let ranking = measured(&mut model);
    assert_eq!(ranking.case.input, "own.scene (edited)");
    assert_eq!(ranking.algorithms.last().unwrap().row.algorithm, variant.id);
}

#[test]
fn recordings_of_no_and_one_object_are_measured() {
    for objects in [0, 1] {
        let (_folder, mut model) = recorded(objects, system());
        let ranking = measured(&mut model);
        assert_eq!(ranking.case.n, 1);
        for ranked in &ranking.algorithms {
            assert_eq!(ranked.row.status, Status::Ok, "{}", ranked.row.reason_text());
        }
        assert!(ranking.page().is_ok_and(|page| page.contains("a.bpt")));
    }
}

#[test]
fn work_is_refused_while_all_are_measured_and_stop_ends_it() {
    let (folder, mut model) = recorded(60, system());
    model.obey(Command::MeasureAll);
    // It may not have begun, which is stopped as well.
    for order in [Order::Run(true), Order::Step, Order::Restart, Order::Threads(2)] {
        model.panel.toasts.clear();
        model.obey(order.into());
        assert!(last_problem(&model).contains("a measurement is running"));
    }
    model.panel.toasts.clear();
    model.obey(Command::StopMeasuring);
    assert!(ranking(&mut model).is_none());
    let text = "measuring was stopped; nothing of it is kept".to_owned();
    assert_eq!(model.panel.toasts.notices(), [Notice::Done(text)]);
    assert!(!folder.path().join("results").exists());
    model.obey(Order::Step.into());
    wait(&mut model, "a step", |model| model.snapshot.motion.steps > 0);
}

#[test]
fn recording_that_changes_on_disk_is_not_measured() {
    let (folder, mut model) = recorded(20, system());
    write_trace(&folder.path().join("a.bpt"), 21);
    model.obey(Command::MeasureAll);
    assert!(ranking(&mut model).is_none());
    assert!(last_problem(&model).contains("a.bpt"), "{}", last_problem(&model));
    assert!(last_problem(&model).contains("changed"), "{}", last_problem(&model));
    assert!(!folder.path().join("results").exists());
}

#[test]
fn measuring_takes_a_thread_of_the_platform_and_reports_a_full_disk() {
    let double = Double::leaked();
    let (folder, mut model) = recorded(20, double.platform());
    let simulation = std::thread::spawn(|| double.let_go());
    model.obey(Command::MeasureAll);
    let mut begun = false;
    while !begun {
        model.take_snapshot();
        begun = model.follow_measuring().is_some() && !model.measuring.as_ref().unwrap().waits();
    }
    assert_eq!(double.let_go(), ["measuring"]);
    assert!(ranking(&mut model).is_some());
    *double.read_only.lock().unwrap() = Some(folder.path().to_owned());
    model.obey(Command::ExportReport);
    assert!(last_problem(&model).contains("cannot write the report"), "{}", last_problem(&model));
    model.simulation.end();
    assert_eq!(simulation.join().unwrap(), ["simulation"]);
}
