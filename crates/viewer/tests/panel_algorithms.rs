//! What shows the algorithms at work, clicked without a window: comparison, funnel, inspector.

#![allow(clippy::unwrap_used, reason = "this is a test")]

mod common;

use broadphase::compare::PairFault;
use broadphase::{
    ALGORITHMS, Algorithm, BroadPhase, Counters, Frame, Inspect, Kind, Pair, Settings,
};
use common::bench::Bench;
use common::row;
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use glam::Vec3;
use measure::FrameRow;
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use viewer::camera::Ray;
use viewer::composer::Composer;
use viewer::panel::Command;
use viewer::picking::nearest_sphere;
use viewer::scene_renderer::Theme;
use viewer::simulation::{ColorBy, Order};

/// A right algorithm that spoils its list before it hands it on.
struct Spoiled {
    right: Box<dyn BroadPhase>,
    spoil: fn(&Frame<'_>, &mut Vec<Pair>),
}

impl BroadPhase for Spoiled {
    fn update(&mut self, frame: &Frame<'_>) {
        self.right.update(frame);
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.right.find_pairs(frame, pairs);
        pairs.sort_unstable();
        (self.spoil)(frame, pairs);
    }

    fn counters(&self) -> Counters {
        self.right.counters()
    }

    fn heap_bytes(&self) -> usize {
        self.right.heap_bytes()
    }

    fn validate(&self, frame: &Frame<'_>) {
        self.right.validate(frame);
    }

    fn inspect(&self) -> &dyn Inspect {
        self.right.inspect()
    }
}

fn spoiled(settings: &Settings, spoil: fn(&Frame<'_>, &mut Vec<Pair>)) -> Box<dyn BroadPhase> {
    Box::new(Spoiled { right: row("bsp").create(settings).unwrap(), spoil })
}

const fn wrong(id: &'static str, build: fn(&Settings) -> Box<dyn BroadPhase>) -> Algorithm {
    Algorithm {
        name: id,
        summary: "wrong on purpose",
        source: "this test",
        ..Algorithm::new(id, Kind::Other, build)
    }
}

/// The third pair is left out.
static FORGETFUL: Algorithm = wrong("forgetful", |settings| {
    spoiled(settings, |_, pairs| {
        if pairs.len() > 2 {
            pairs.remove(2);
        }
    })
});

/// A pair of boxes that lie apart is put in.
static INVENTIVE: Algorithm = wrong("inventive", |settings| {
    spoiled(settings, |frame, pairs| pairs.extend(first_apart(frame.boxes)))
});

/// The last pair is told twice.
static REPETITIVE: Algorithm = wrong("repetitive", |settings| {
    spoiled(settings, |_, pairs| pairs.extend(pairs.last().copied()))
});

fn first_apart(boxes: &[broadphase::Aabb]) -> Option<Pair> {
    let apart = (1..boxes.len()).find(|&other| !boxes[0].overlaps(&boxes[other]));
    apart.map(|other| Pair::new(0, other as u32))
}

fn shadow_ids(bench: &Bench) -> Vec<&'static str> {
    bench.harness.state().snapshot.shadows.iter().map(|shadow| shadow.row.id).collect()
}

/// A bench with the comparison open.
fn comparing(algorithm: &str) -> Bench {
    let mut bench = Bench::of(algorithm);
    bench.stage().panel.compare.open = true;
    bench.harness.run();
    bench
}

fn names(bench: &Bench, wanted: Role) -> Vec<String> {
    let nodes = bench.harness.root().children_recursive();
    let nodes = nodes.filter(|node| node.accesskit_node().role() == wanted);
    nodes.filter_map(|node| node.accesskit_node().label()).collect()
}

#[test]
fn ticking_an_algorithm_lets_it_run_and_unticking_ends_it() {
    let mut bench = comparing("kd-tree");
    bench.click_and_obey(Role::CheckBox, "BSP tree");
    bench.click_and_obey(Role::CheckBox, "Brute force");
    assert_eq!(shadow_ids(&bench), ["brute-force", "bsp"]);
    bench.steps(4);
    let times = |bench: &Bench| -> Vec<usize> {
        let shadows = &bench.harness.state().snapshot.shadows;
        shadows.iter().map(|shadow| shadow.times.len()).collect()
    };
    assert_eq!(times(&bench), [4, 4]);
    bench.click_and_obey(Role::CheckBox, "Brute force");
    assert_eq!((shadow_ids(&bench), times(&bench)), (vec!["bsp"], vec![4]));
    bench.click_and_obey(Role::Button, "All");
    let others: Vec<_> =
        ALGORITHMS.iter().map(|row| row.id).filter(|id| *id != "kd-tree").collect();
    assert_eq!(shadow_ids(&bench), others);
    assert!(bench.is_disabled(Role::Button, "All"));
    bench.click_and_obey(Role::Button, "None");
    assert!(shadow_ids(&bench).is_empty());
    assert!(bench.is_disabled(Role::Button, "None"));
}

#[test]
fn the_algorithm_that_runs_always_takes_part_and_is_no_shadow() {
    for row in ALGORITHMS {
        let mut bench = comparing(row.id);
        assert!(bench.is_ticked(row.name) && bench.is_disabled(Role::CheckBox, row.name));
        bench.click(Role::CheckBox, row.name);
        bench.assert_no_command();
        bench.obey(Order::Shadows(ALGORITHMS.iter().collect()));
        assert!(!shadow_ids(&bench).contains(&row.id), "{}", row.id);
        assert_eq!(shadow_ids(&bench).len(), ALGORITHMS.len() - 1);
    }
}

#[test]
fn a_shadow_that_is_chosen_changes_places_with_the_one_that_ran() {
    let mut bench = comparing("kd-tree");
    bench.obey(Order::Shadows(vec![row("bsp"), row("brute-force")]));
    bench.steps(3);
    bench.choose("bsp");
    assert_eq!(bench.session().algorithm().id, "bsp");
    assert_eq!(shadow_ids(&bench), ["kd-tree", "brute-force"]);
    bench.steps(2);
    bench
        .harness
        .get_by_label_contains("All 3 algorithms found the same pairs in each of the last 5");
    // One that took no part comes alone.
    bench.choose("sap-matrix");
    assert_eq!(shadow_ids(&bench), ["kd-tree", "brute-force"]);
    bench.harness.get_by_label("All 3 algorithms are compared from the next step on.");
}

#[test]
fn frames_of_shadows_are_exported_with_the_search_alone() {
    let mut bench = comparing("kd-tree");
    bench.obey(Order::Shadows(vec![row("bsp"), row("sap-matrix")]));
    bench.steps(5);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("frames.csv");
    assert_eq!(bench.session().export(&path).unwrap(), 15);
    let rows: Vec<FrameRow> =
        csv::Reader::from_path(&path).unwrap().deserialize().map(Result::unwrap).collect();
    for of_step in rows.chunks(3) {
        let ids: Vec<&str> = of_step.iter().map(|row| row.algorithm.as_str()).collect();
        assert_eq!(ids, ["kd-tree", "bsp", "sap-matrix"]);
        let answered: Vec<bool> = of_step
            .iter()
            .map(|row| {
                assert_eq!(row.response_ns.is_some(), row.hits.is_some());
                row.response_ns.is_some()
            })
            .collect();
        assert_eq!(answered, [true, false, false]);
        for row in of_step {
            assert_eq!((row.frame, row.checksum), (of_step[0].frame, of_step[0].checksum));
            assert!(row.update_ns > 0 && row.pairs_ns > 0 && row.heap_bytes > 0);
        }
    }
}

#[test]
fn the_verdict_counts_the_steps_in_which_all_agreed() {
    let mut bench = comparing("kd-tree");
    bench.harness.get_by_label_contains("Tick other algorithms");
    bench.obey(Order::Shadows(ALGORITHMS.iter().collect()));
    let all = format!("All {} algorithms", ALGORITHMS.len());
    bench.harness.get_by_label(&format!("{all} are compared from the next step on."));
    bench.steps(1);
    bench.harness.get_by_label_contains(&format!("{all} found the same pairs in the last step"));
    bench.steps(6);
    let pairs = bench.session().pairs().len();
    let verdict = |steps, pairs| {
        format!(
            "found the same pairs in each of the last {steps} steps; {pairs} pairs in this one."
        )
    };
    bench.harness.get_by_label(&format!("{all} {}", verdict(7, pairs)));
    bench.obey(Order::StepBack);
    let pairs = bench.session().pairs().len();
    bench.harness.get_by_label(&format!("{all} {}", verdict(6, pairs)));
    bench.choose("bsp");
    bench.harness.get_by_label(&format!("{all} found the same pairs in each of the last 6 steps."));
    bench.choose("kd-tree");
    // Another scene begins anew; ordering the same again does not.
    bench.obey(Order::Shadows(ALGORITHMS.iter().collect()));
    assert_eq!(bench.session().agreed_steps(), 6);
    bench.obey(Order::Shadows(vec![row("bsp")]));
    assert_eq!(bench.session().agreed_steps(), 6, "who is left has agreed so far");
    bench.steps(2);
    bench
        .harness
        .get_by_label_contains("Both algorithms found the same pairs in each of the last 8");
    bench.obey(Order::Restart);
    assert_eq!(bench.session().agreed_steps(), 0);
    bench.obey(Order::Shadows(Vec::new()));
    bench.steps(2);
    assert_eq!(bench.session().agreed_steps(), 0, "one alone agrees with nobody");
}

#[test]
fn a_wrong_algorithm_stops_the_run_and_is_named_whichever_of_the_two_runs() {
    for wrong in [&FORGETFUL, &INVENTIVE, &REPETITIVE] {
        for wrong_runs in [false, true] {
            let mut bench = comparing("kd-tree");
            // What the right one finds in the step.
            let mut other = Bench::of("kd-tree");
            other.steps(4);
            let right = other.session().pairs().to_vec();
            let boxes = other.session().boxes().to_vec();
            assert!(right.len() > 2);
            bench.steps(3);
            if wrong_runs {
                bench.obey(Order::Algorithm(wrong));
                bench.obey(Order::Shadows(vec![row("kd-tree")]));
            } else {
                bench.obey(Order::Shadows(vec![row("brute-force"), wrong]));
            }
            bench.obey(Order::Run(true));
            bench.steps(1);
            let disagreement = bench.stage().snapshot.disagreement.unwrap();
            let fault = match wrong.id {
                "forgetful" => PairFault::Missing(right[2]),
                "inventive" => PairFault::Extra(first_apart(&boxes).unwrap()),
                _ => PairFault::Duplicate(*right.last().unwrap()),
            };
            assert_eq!((disagreement.wrong.id, disagreement.fault), (wrong.id, fault));
            assert_eq!((disagreement.other.id, disagreement.step), ("kd-tree", 4));
            let state = bench.harness.state();
            assert!(!state.snapshot.running, "it has stopped");
            assert_eq!(state.snapshot.agreed_steps, 0);
            let pair = disagreement.pair();
            assert_eq!(state.panel.picked, Some(pair.a));
            // In the strip, and in the notices over the scene.
            let text = disagreement.to_string();
            assert_eq!(bench.harness.query_all_by_label(&text).count(), 2, "{text}");

            // Both are seen, and the line between them, whatever the list says.
            let mut composer = Composer::default();
            let view = bench.stage().view(&mut composer);
            assert_eq!(view.spheres[pair.a as usize].color, Theme::DARK.picked);
            assert_eq!(view.spheres[pair.b as usize].color, Theme::DARK.hit);
            let ends = [pair.a, pair.b].map(|object| view.spheres[object as usize].center);
            assert!(view.segments.iter().any(|s| [s.a, s.b] == ends && s.color == Theme::DARK.hit));
            for end in ends {
                let center = |at: &viewer::scene_renderer::WireBox| {
                    at.bounds.center().distance(Vec3::from(end)) < 1e-5
                };
                let marked = |at: &&viewer::scene_renderer::WireBox| {
                    at.color == Theme::DARK.hit && center(at)
                };
                assert!(view.boxes.iter().any(|at| marked(&at)), "{}", wrong.id);
            }

            // Each of the two can be looked at; the other one stays marked.
            bench.click(Role::Link, &format!("Sphere {}", pair.b));
            assert_eq!(bench.harness.state().panel.picked, Some(pair.b));
            let mut composer = Composer::default();
            let view = bench.stage().view(&mut composer);
            assert_eq!(view.spheres[pair.a as usize].color, Theme::DARK.hit);
            assert_eq!(view.spheres[pair.b as usize].color, Theme::DARK.picked);

            // Without the wrong one there is nothing to tell.
            bench.obey(Order::Shadows(Vec::new()));
            assert!(bench.stage().snapshot.disagreement.is_none());
        }
    }
}

#[test]
fn a_disagreement_is_over_with_the_next_step_that_is_right_or_taken_back() {
    let mut bench = comparing("kd-tree");
    bench.obey(Order::Shadows(vec![&FORGETFUL]));
    bench.steps(1);
    assert!(bench.stage().snapshot.disagreement.is_some());
    bench.obey(Order::StepBack);
    assert!(bench.stage().snapshot.disagreement.is_none());
    bench.steps(1);
    assert!(bench.stage().snapshot.disagreement.is_some());
    // The other one may be looked at meanwhile: it is told once.
    bench.stage().panel.picked = None;
    bench.stage().look();
    bench.harness.run();
    assert_eq!(bench.harness.state().panel.picked, None);
}

/// Searches of [`COUNTED`]. Only one test uses it.
static SEARCHES: AtomicU64 = AtomicU64::new(0);

static COUNTED: Algorithm = wrong("counted", |settings| {
    spoiled(settings, |_, _| {
        SEARCHES.fetch_add(1, SeqCst);
    })
});

#[test]
fn what_is_not_ticked_costs_no_search() {
    let mut bench = comparing("kd-tree");
    bench.obey(Order::Shadows(vec![&COUNTED]));
    bench.steps(3);
    assert_eq!(SEARCHES.load(SeqCst), 3);
    bench.obey(Order::Shadows(Vec::new()));
    bench.steps(3);
    assert_eq!(SEARCHES.load(SeqCst), 3, "it was unticked");
    bench.obey(Order::Algorithm(&COUNTED));
    assert_eq!(SEARCHES.load(SeqCst), 4, "one search to be looked at while standing still");
    bench.steps(3);
    assert_eq!(SEARCHES.load(SeqCst), 7, "one search a step");
}

#[test]
fn bars_tell_the_median_of_each_algorithm_and_lines_can_be_logarithmic() {
    let mut bench = comparing("kd-tree");
    bench.obey(Order::Shadows(ALGORITHMS.iter().collect()));
    bench.steps(5);
    bench.click(Role::Button, "Log");
    bench.click(Role::Button, "Bars");
    assert!(bench.is_disabled(Role::Button, "Log"), "bars add up on a linear axis only");
    for row in ALGORITHMS {
        // The clock ticks once a millisecond, and is read before and after each phase.
        bench.harness.get_by_label(&format!("{}: 2.000 ms", row.name));
    }
    bench.click(Role::Button, "Lines");
    assert!(!bench.is_disabled(Role::Button, "Log"));
    bench.assert_no_command();
}

#[test]
fn what_was_not_compared_yet_has_a_dash_and_no_ratio() {
    let mut bench = comparing("kd-tree");
    bench.obey(Order::Shadows(vec![row("bsp")]));
    let dashes = |bench: &Bench| bench.harness.query_all_by_label("     –").count();
    assert_eq!(dashes(&bench), 2);
    bench.steps(3);
    assert_eq!((dashes(&bench), bench.harness.query_all_by_label("  1.00").count()), (0, 2));
    bench.choose("brute-force");
    assert_eq!(dashes(&bench), 2, "the one that runs has no time to compare with");
    assert_eq!(bench.harness.query_all_by_label("  0.00").count(), 0);
}

#[test]
fn the_funnel_shows_the_last_step() {
    for algorithm in ALGORITHMS {
        let mut bench = Bench::of(algorithm.id);
        bench.steps(6);
        let last = *bench.session().history().last().unwrap();
        assert!(last.tests > 0 && last.pairs > last.hits);
        for (name, number) in [
            ("All pairs", 1225),
            ("Tests", last.tests),
            ("Candidates", last.pairs),
            ("Hits", last.hits),
        ] {
            let label = bench.harness.get_by_label(name);
            let meaning = label.accesskit_node().data().description().unwrap().to_owned();
            let figure = bench.figure(&meaning);
            assert_eq!(figure.trim().replace(',', ""), number.to_string(), "{name}");
        }
    }
}

/// A sphere with hits and other candidates, after some steps.
fn sociable(bench: &mut Bench) -> u32 {
    bench.steps(5);
    let pairs = bench.session().pairs().to_vec();
    let degree = |object: u32| pairs.iter().filter(|p| p.a == object || p.b == object).count();
    (0..50).max_by_key(|&object| degree(object)).unwrap()
}

fn pick(bench: &mut Bench, object: Option<u32>) {
    bench.stage().panel.picked = object;
    bench.stage().look();
    bench.harness.run();
}

#[test]
fn a_picked_sphere_shows_what_the_algorithm_knows_of_it() {
    let mut bench = Bench::of("kd-tree");
    let object = sociable(&mut bench);
    pick(&mut bench, Some(object));
    let picked = bench.stage().snapshot.picked.clone().unwrap();
    assert!(picked.candidates.len() > 1 && picked.tests > 0 && !picked.regions.is_empty());
    bench.harness.get_by_label(&format!("Sphere {object}"));
    for (meaning, figure) in [
        ("Its speed in units per second", format!("{:.3}", picked.velocity.length())),
        ("Its radius", "0.1500".to_owned()),
        ("Number of the source whose walls hold it", "1".to_owned()),
        ("Spheres whose boxes overlap its box", picked.candidates.len().to_string()),
        ("Candidates that touch it", picked.hits.len().to_string()),
    ] {
        assert_eq!(bench.figure(meaning), figure, "{meaning}");
    }
    bench.harness.get_by_label(&format!("{} of 49", picked.tests));
    for region in &picked.regions[..picked.regions.len().min(8)] {
        let (index, depth, objects) = (region.index, region.depth, region.objects);
        bench.harness.get_by_label(&format!("leaf {index}: depth {depth}, {objects} objects"));
    }
    let mut links = names(&bench, Role::Link);
    links.sort();
    let mut expected: Vec<String> = picked.candidates.iter().map(u32::to_string).collect();
    expected.sort();
    assert_eq!(links, expected);

    let neighbour = picked.candidates[0];
    bench.click(Role::Link, &neighbour.to_string());
    assert_eq!(bench.harness.state().panel.picked, Some(neighbour));
    bench.stage().look();
    bench.harness.run();
    bench.harness.get_by_label(&format!("Sphere {neighbour}"));

    bench.choose("brute-force");
    bench.harness.get_by_label("Brute force: no leaves or cells");
}

#[test]
fn a_picked_sphere_is_let_go_by_its_button_or_by_a_click_beside_everything() {
    let mut bench = Bench::of("bsp");
    bench.steps(2);
    pick(&mut bench, Some(3));
    bench.harness.get_by_label("Sphere 3");
    bench.click(Role::Button, "Close");
    assert_eq!(bench.harness.state().panel.picked, None);
    assert!(bench.harness.query_by_label("Sphere 3").is_none());

    let world = bench.session().world();
    let at = |origin| {
        let ray = Ray { origin, direction: Vec3::X };
        nearest_sphere(ray, world.positions(), world.radii())
    };
    let (toward, beside) = (at(world.positions()[3] - Vec3::X * 9.0), at(Vec3::splat(5.0)));
    pick(&mut bench, toward);
    bench.harness.get_by_label(&format!("Sphere {}", toward.unwrap()));
    pick(&mut bench, beside);
    assert!(bench.harness.query_by_label_contains("Sphere ").is_none());
}

#[test]
fn of_many_neighbours_a_dozen_are_named() {
    let scene =
        sim::Scene { radius: sim::scene::Radius::Equal(0.6), objects: 40, ..common::crowded() };
    let mut bench = Bench::new(common::session(scene, "brute-force"));
    let object = sociable(&mut bench).min(39);
    pick(&mut bench, Some(object));
    let picked = bench.stage().snapshot.picked.clone().unwrap();
    let near = picked.candidates.len() - picked.hits.len();
    for number in [picked.hits.len(), near].into_iter().filter(|number| *number > 12) {
        let more = format!("and {} more", number - 12);
        assert!(bench.harness.query_all_by_label(&more).next().is_some(), "{more}");
    }
    assert!(picked.candidates.len() > 24, "{}", picked.candidates.len());
    assert_eq!(names(&bench, Role::Link).len(), picked.hits.len().min(12) + near.min(12));
}

#[test]
fn the_legend_tells_how_full_the_leaves_are() {
    let mut bench = Bench::of("kd-tree");
    bench.steps(3);
    bench.stage().panel.draw.regions = true;
    bench.stage().look();
    bench.harness.run();
    bench.harness.get_by_label("8 leaves");
    let counters = bench.session().structure().counters();
    let most = bench.stage().snapshot.structure.regions.most;
    let mean = counters.listings as f64 / 8.0;
    bench.harness.get_by_label(&format!("objects: mean {mean:.1}, most {most}"));
    bench.harness.get_by_label(&format!("{} stand in several", counters.straddlers));
    bench.click(Role::CheckBox, "Leaves");
    assert!(bench.harness.query_by_label("8 leaves").is_none());
}

#[test]
fn the_chart_tells_medians_of_steps_and_of_drawing() {
    let mut bench = Bench::of("bsp");
    bench.harness.get_by_label("Step –");
    bench.harness.get_by_label("Drawing –");
    bench.steps(4);
    bench.obey(Order::Drawn { epoch: 0, step: 4, render_ns: 7_000_000 });
    let step = bench.session().history().spread(|f| f.collision_ns() + f.motion_ns).unwrap();
    let [median, p95] = [step.median_ns, step.p95_ns].map(|ns| ns as f64 / 1e6);
    bench.harness.get_by_label(&format!("Step {median:.2}, p95 {p95:.2} ms"));
    bench.harness.get_by_label("Drawing 7.00, p95 7.00 ms");
}

#[test]
fn every_control_has_a_name_of_its_own_with_everything_open() {
    let is_control = |role| {
        use Role::{Button, CheckBox, ComboBox, Link, RadioButton, Slider, SpinButton, TextInput};
        [Button, CheckBox, ComboBox, Link, RadioButton, Slider, SpinButton, TextInput]
            .contains(&role)
    };
    for row in ALGORITHMS {
        // So wide that the strip has room for its chart beside everything else.
        let session = common::session(common::crowded(), row.id);
        let mut bench = Bench::sized(session, 1600.0, 1400.0);
        bench.stage().panel.compare.open = true;
        bench.obey(Order::Shadows(vec![&FORGETFUL]));
        bench.steps(1);
        let panel = &mut bench.stage().panel;
        (panel.help, panel.more.open, panel.draw.regions) = (true, true, true);
        panel.draw.color = ColorBy::Tests;
        bench.stage().look();
        bench.harness.run();
        let mut seen = HashSet::new();
        for node in bench.harness.root().children_recursive() {
            let control = node.accesskit_node();
            if is_control(control.role()) {
                let name = control.label().unwrap_or_default();
                assert!(!name.trim().is_empty(), "{node:?}");
                assert!(seen.insert((control.role(), name)), "a second {node:?}");
            }
        }
        for expected in ["All", "None", "Lines", "Bars", "Linear", "Log", "Close"] {
            assert!(seen.contains(&(Role::Button, expected.to_owned())), "{expected}");
        }
        assert!(seen.contains(&(Role::CheckBox, FORGETFUL.name.to_owned())));
    }
}

#[test]
fn an_algorithm_without_room_in_memory_is_told_and_the_others_run() {
    static GREEDY: Algorithm =
        Algorithm { memory: |_| u64::MAX, ..wrong("greedy", |_| unreachable!("it has no room")) };
    let mut bench = comparing("kd-tree");
    let command: Command = Order::Shadows(vec![row("bsp"), &GREEDY, row("sap-matrix")]).into();
    bench.obey(command);
    assert_eq!(shadow_ids(&bench), ["bsp", "sap-matrix"]);
    bench.harness.get_by_label_contains("greedy needs");
}

#[test]
fn a_variant_stands_below_its_family_and_goes_by_what_is_different() {
    let mut bench = Bench::of("bvh-top-down+sah");
    bench.stage().panel.compare.open = true;
    bench.harness.run();
    let shown = bench.harness.get_by_role_and_label(Role::Label, "+ sah").rect();
    let family = bench.node(Role::CheckBox, row("bvh-top-down").name).rect();
    assert!(shown.top() > family.top() && shown.top() < family.bottom() + 10.0);
    assert!(bench.is_disabled(Role::CheckBox, row("bvh-top-down+sah").name));
}
