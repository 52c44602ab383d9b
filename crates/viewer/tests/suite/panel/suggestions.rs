//! The strip of things to try.

use super::*;

/// A stopped bench that suggests things to try.
fn suggesting() -> Bench {
    let mut bench = Bench::of("bsp");
    assert!(!bench.has(Role::Button, "See a sweep"), "only on request");
    bench.obey(Command::Suggestions(true));
    bench
}

/// The orders that a click causes, of which the last starts the motion.
fn orders(bench: &mut Bench, name: &str) -> Vec<Order> {
    bench.click(Role::Button, name);
    let commands = std::mem::take(&mut bench.stage().commands).into_iter();
    let orders = commands.map(|command| match command {
        Command::Order(order) => order,
        other => panic!("{other:?}"),
    });
    let orders: Vec<Order> = orders.collect();
    assert!(matches!(orders.last(), Some(Order::Run(true))), "{orders:?}");
    orders
}

#[test]
fn tree_sweep_and_race_are_shown_by_one_click_each() {
    let mut bench = suggesting();
    let tree = orders(&mut bench, "Watch a tree adjust");
    assert!(matches!(tree[0], Order::Algorithm(of) if of.id == "kd-tree"), "{tree:?}");
    // The crowd spreads within seconds.
    assert!(tree.iter().any(|of| matches!(of, Order::Pace(pace) if *pace == Pace::Times(0.5))));
    assert!(tree.iter().any(|of| matches!(of, Order::Restart)));
    assert!(bench.draw().shows(Overlay::Planes));

    let sweep = orders(&mut bench, "See a sweep");
    assert!(matches!(sweep[0], Order::Algorithm(of) if of.id == "sap-1-axis"), "{sweep:?}");
    assert!(bench.draw().shows(Overlay::Endpoints) && bench.draw().picked.is_some());

    let race = orders(&mut bench, "Race them all");
    let [Order::Compare(rows), Order::Run(true)] = &race[..] else { panic!("{race:?}") };
    let others = ALGORITHMS.families().filter(|entry| entry.id != "bsp");
    assert!(rows.iter().map(|row| row.id).eq(others.map(|entry| entry.id)));
    assert!(bench.stage().panel.compare.open);
}

#[test]
fn suggestions_are_closed_and_brought_back_by_the_help_sheet() {
    let mut bench = suggesting();
    let is_open = |bench: &Bench| bench.says("50 million pairs");
    let introduce = |bench: &mut Bench| {
        assert!(!is_open(bench));
        bench.click(Role::Button, "What is a broad phase?");
        assert!(is_open(bench));
        bench.set_up(|panel| panel.introduction = false);
    };
    introduce(&mut bench);
    let closed = bench.click_and_obey(Role::Button, "Close suggestions");
    assert!(matches!(closed, Command::Suggestions(false)));
    assert!(!bench.has(Role::Button, "See a sweep"));
    bench.set_up(|panel| panel.help = true);
    introduce(&mut bench);
    let opened = bench.click_and_obey(Role::CheckBox, "Suggest things to try");
    assert!(matches!(opened, Command::Suggestions(true)));
    assert!(bench.has(Role::Button, "See a sweep"));
}
