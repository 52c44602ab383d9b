//! Cells of the atlas and named kinds: drawn, named and described.

use broadphase::benchmark::mix;
use sim::GeneratedSpec;
use sim::atlas::{BoxesNameError, Cell, Motion, Placement, Sizes};
use std::collections::HashSet;
use std::str::FromStr;

#[test]
fn three_hundred_cells_contain_every_kind_and_range() {
    let cells: Vec<Cell> = (0..300).map(|number| Cell::draw(11, number)).collect();
    let kinds = cells.iter().flat_map(|cell| {
        [cell.placement.name(), cell.sizes.name(), cell.motion.name()].into_iter().zip(0..)
    });
    let all = Placement::ALL.len() + Sizes::ALL.len() + Motion::ALL.len();
    assert_eq!(kinds.collect::<HashSet<_>>().len(), all);
    for cell in &cells {
        assert!((200..=200_000).contains(&cell.objects));
        assert!((0.1..=8.0).contains(&cell.overlaps), "{}", cell.overlaps);
        assert!((0.002..=2.0).contains(&cell.speed));
        assert!((0.01..=1.0).contains(&cell.movers));
        assert!(cell.churn == 0.0 || (0.001..=0.02).contains(&cell.churn));
        assert_eq!(cell.frames(), if cell.objects > 50_000 { 150 } else { 300 });
    }
    let texts = cells.iter().map(|cell| format!("{cell:?}")).collect::<String>();
    let hash = texts.bytes().fold(0, |hash, byte| mix(hash ^ u64::from(byte)));
    assert_eq!(hash, 0xb990_6132_b513_7f4a, "the same on every machine: {hash:#018x}");
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
        Cell { churn: 0.0, movers: 0.0996, ..cell }.describe(),
        "cloth, equal, flight 0.05, 10 % move, others each frame"
    );
    assert_eq!(Cell::draw(7, 12).name().parse::<Cell>().unwrap(), Cell::draw(7, 12));
}

/// The error of a name of boxes.
fn error<T: FromStr<Err = BoxesNameError>>(text: &str) -> String {
    text.parse::<T>().err().unwrap().to_string()
}

#[test]
fn invalid_name_is_refused_with_what_was_expected() {
    let kinds =
        "one of gas, cluster, brownian, jitter, plane, line, same-x, stadium, terdiman, statics";
    for (text, error, expected) in [
        ("atlas", error::<Cell> as fn(&str) -> String, "atlas:SEED:NUMBER"),
        ("atlas:7", error::<Cell>, "atlas:SEED:NUMBER"),
        ("atlas:7:12:3", error::<Cell>, "atlas:SEED:NUMBER"),
        ("gas:7:12", error::<Cell>, "atlas:SEED:NUMBER"),
        ("atlas:-1:12", error::<Cell>, "a seed after the first colon"),
        ("atlas:7:x", error::<Cell>, "a cell after the second colon"),
        ("atlas:7:4294967296", error::<Cell>, "from 0 to 4294967295"),
        ("gas", error::<GeneratedSpec>, "NAME:N"),
        ("fog:10", error::<GeneratedSpec>, kinds),
        ("gas:0", error::<GeneratedSpec>, "objects after the colon, 1 to 4294967295"),
        ("gas:-1", error::<GeneratedSpec>, "a number of objects"),
        ("gas:1e3", error::<GeneratedSpec>, "a number of objects"),
        ("gas:5000000000", error::<GeneratedSpec>, "a number of objects"),
    ] {
        let error = error(text);
        assert!(error.starts_with(&format!("`{text}`: ")) && error.contains(expected), "{error}");
    }
}
