//! Properties of cells of the atlas: drawn, named and described.

use broadphase::benchmark::mix;
use sim::atlas::{Cell, Motion, Placement, Sizes};
use std::collections::HashSet;

#[test]
fn three_hundred_cells_contain_every_kind_and_range() {
    let cells: Vec<Cell> = (0..300).map(|number| Cell::draw(11, number)).collect();
    let placements: HashSet<_> = cells.iter().map(|cell| cell.placement).collect();
    let sizes: HashSet<_> = cells.iter().map(|cell| cell.sizes).collect();
    let motions: HashSet<_> = cells.iter().map(|cell| cell.motion).collect();
    assert_eq!(placements.len(), Placement::ALL.len());
    assert_eq!(sizes.len(), Sizes::ALL.len());
    assert_eq!(motions.len(), Motion::ALL.len());
    for cell in &cells {
        assert!((200..=200_000).contains(&cell.objects));
        assert!((0.1..=8.0).contains(&cell.overlaps), "{}", cell.overlaps);
        assert!((0.002..=2.0).contains(&cell.speed));
        assert!((0.01..=1.0).contains(&cell.movers));
        assert!(cell.churn == 0.0 || (0.001..=0.02).contains(&cell.churn));
        assert_eq!(cell.frames(), if cell.objects > 50_000 { 150 } else { 300 });
    }
    let share = |holds: fn(&Cell) -> bool| cells.iter().filter(|c| holds(c)).count();
    assert!((20..60).contains(&share(|c| c.churn > 0.0)));
    assert!((60..160).contains(&share(|c| c.changing_movers)));
    assert!((60..130).contains(&share(|c| c.movers >= 1.0)));
    assert!((70..140).contains(&share(|c| c.objects < 2000)));
}

#[test]
fn names_and_descriptions_state_the_drawn_properties() {
    let cell = Cell { movers: 0.4, overlaps: 1.234, churn: 0.005, ..Cell::plain(7) };
    assert_eq!(cell.name(), "atlas:7:0");
    assert_eq!(
        cell.describe(),
        "gas, equal, 1.2 overlaps, flight 0.05, 40 % move, 0.5 % vanish a frame"
    );
    let cell = Cell { changing_movers: true, placement: Placement::Cloth, ..cell };
    assert_eq!(
        Cell { churn: 0.0, ..cell }.describe(),
        "cloth, equal, flight 0.05, 40 % move, others each frame"
    );
}

#[test]
fn cell_is_read_from_its_name() {
    let cell = Cell::draw(7, 12);
    assert_eq!(cell.name().parse::<Cell>().unwrap(), cell);
    for (text, expected) in [
        ("atlas", "atlas:SEED:NUMBER"),
        ("atlas:7", "atlas:SEED:NUMBER"),
        ("atlas:7:12:3", "atlas:SEED:NUMBER"),
        ("gas:7:12", "atlas:SEED:NUMBER"),
        ("atlas:-1:12", "a seed after the first colon"),
        ("atlas:7:x", "a cell after the second colon"),
        ("atlas:7:4294967296", "from 0 to 4294967295"),
    ] {
        let error = text.parse::<Cell>().unwrap_err().to_string();
        assert!(error.starts_with(&format!("`{text}`: ")) && error.contains(expected), "{error}");
    }
}

#[test]
fn drawn_properties_are_the_same_on_every_machine() {
    let describe = |number| format!("{:?}", Cell::draw(11, number));
    let texts = (0..300).map(describe).collect::<String>();
    let hash = texts.bytes().fold(0, |hash, byte| mix(hash ^ u64::from(byte)));
    assert_eq!(hash, 0xb990_6132_b513_7f4a, "{hash:#018x}");
}
