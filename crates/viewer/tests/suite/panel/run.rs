//! Group *Run*: choice of the algorithm, start, stop and single steps, pace.

use super::*;

/// Everything that moves, to the bit.
pub(crate) fn motion(session: &Session) -> (Vec<[u32; 3]>, Vec<[u32; 3]>, f64) {
    let bits = |vectors: &[Vec3]| vectors.iter().map(|v| v.to_array().map(f32::to_bits)).collect();
    let world = session.world().unwrap();
    (bits(world.positions()), bits(world.velocities()), world.time())
}

#[test]
fn choosing_an_algorithm_keeps_the_motion_to_the_bit() {
    // All entries of the list must be visible at this size: hidden ones cannot be clicked.
    let session = session(crowded(), "brute-force");
    let mut bench = Bench::sized(session, 1280.0, 720.0);
    bench.steps(5);
    for entry in ALGORITHMS.iter().rev() {
        let before = motion(bench.session());
        let family = ALGORITHMS.find(entry.family).unwrap();
        bench.click(Role::ComboBox, "Algorithm");
        bench.click(Role::Button, family.name);
        if let Some(variant) = entry.variant {
            let first = bench.command();
            bench.obey(first);
            bench.click(Role::ComboBox, "Variant");
            bench.click(Role::Button, variant_name(Some(variant)));
        }
        let command = bench.command();
        assert!(matches!(command, Command::Order(Order::Algorithm(chosen)) if chosen == entry));
        bench.obey(command);
        assert_eq!(bench.session().algorithm().id, entry.id);
        assert_eq!(motion(bench.session()), before, "{}", entry.id);
        let shown = bench.node(Role::ComboBox, "Algorithm").value();
        assert_eq!(shown.as_deref(), Some(family.name));
        bench.steps(2);
    }
}

#[test]
fn algorithms_have_summaries_and_variants_whole_names() {
    let mut bench = Bench::sized(session(crowded(), "bsp+scalar"), 1280.0, 720.0);
    let place = |bench: &Bench, text: &str| {
        let found = bench.texts().into_iter().rfind(|(drawn, ..)| drawn == text);
        found.unwrap_or_else(|| panic!("{text:?} is not drawn")).1
    };
    let variant = bench.node(Role::ComboBox, "Variant").rect();
    assert!(place(&bench, "one pair at a time").right() < variant.right() - 14.0);
    bench.click(Role::ComboBox, "Algorithm");
    for family in ALGORITHMS.families() {
        let (name, summary) = (place(&bench, family.name), place(&bench, family.summary));
        assert!(name.y_range().contains(summary.center().y), "{}", family.name);
        assert!(summary.left() > name.right(), "{}", family.name);
    }
}

#[test]
fn steps_are_taken_by_buttons() {
    let mut bench = Bench::of("kd-tree");
    assert!(bench.is_disabled(Role::Button, "Back"));
    let mut motions = vec![motion(bench.session())];
    for _ in 0..5 {
        let step = bench.click_and_obey(Role::Button, "Step");
        assert!(matches!(step, Command::Order(Order::Step)));
        motions.push(motion(bench.session()));
    }
    for wanted in [true, false] {
        assert!(!bench.has(Role::Button, if wanted { "Stop" } else { "Start" }));
        let name = if wanted { "Start" } else { "Stop" };
        let command = bench.click_and_obey(Role::Button, name);
        assert!(matches!(command, Command::Order(Order::Run(run)) if run == wanted));
        assert_eq!(bench.is_disabled(Role::Button, "Step"), wanted);
    }
    for step in [4, 3] {
        bench.click_and_obey(Role::Button, "Back");
        assert_eq!(motion(bench.session()), motions[step]);
    }
    assert_eq!((bench.session().recorded(), bench.session().motion_state().steps_back()), (5, 3));
    bench.click_and_obey(Role::Button, "Restart");
    assert_eq!(motion(bench.session()), motions[0]);
    assert!(bench.is_disabled(Role::Button, "Back"));
}

#[test]
fn switches_of_a_step_are_ticked_and_obeyed() {
    let mut bench = Bench::of("bsp");
    for wanted in [true, false] {
        for name in ["Objects strictly inside", "Validate every step"] {
            bench.click_and_obey(Role::CheckBox, name);
            assert_eq!(bench.is_ticked(name), wanted, "{name}");
        }
        assert_eq!((bench.world().scene().strict, bench.session().validates()), (wanted, wanted));
        bench.click(Role::CheckBox, "Vertical sync");
        bench.click(Role::CheckBox, "Dark");
        let panel = &bench.stage().panel;
        assert_eq!((panel.vsync, panel.dark), (!wanted, !wanted));
    }
}

#[test]
fn pace_is_clamped_or_unlimited() {
    let mut bench = Bench::of("bsp");
    let pace = |bench: &mut Bench| bench.stage().snapshot.engine.pace;
    for (typed, taken) in [(0.5, 0.5), (99.0, 4.0), (0.0, 0.1), (2.0, 2.0)] {
        bench.set(Role::Slider, "Speed of time", typed);
        let command = bench.command();
        bench.obey(command);
        let Pace::Times(times) = pace(&mut bench) else { panic!("no limit") };
        assert!((times - taken).abs() < 1e-6, "{typed} became {times}");
    }
    let chosen = pace(&mut bench);
    assert!(bench.says("Speed 2.00x"));
    bench.click_and_obey(Role::CheckBox, "as fast as possible");
    assert_eq!(pace(&mut bench), Pace::Unlimited);
    assert!(bench.is_disabled(Role::Slider, "Speed of time") && bench.says("Speed –"));
    bench.steps(2);
    bench.click_and_obey(Role::CheckBox, "as fast as possible");
    assert_eq!(pace(&mut bench), chosen, "as chosen before");
}

#[test]
fn simulated_time_is_never_cut_off() {
    let mut bench = Bench::of("bsp");
    for (time, shown) in
        [(0.0, "0.00 s"), (99.99, "99.99 s"), (999.99, "1000 s"), (99_999.0, "99999 s")]
    {
        bench.stage().snapshot.motion.time = time;
        bench.harness.run();
        let cut = bench.shapes(|shape| match shape {
            egui::Shape::Text(text) if text.galley.job.text == shown => Some(text.galley.elided),
            _ => None,
        });
        assert_eq!(cut, [false], "{shown}");
    }
}
