//! Decisions of algorithms, in sentences.

use crate::inspect::frames::{Now, Seen};

/// Remarks are sentences. That of `auto` states its choice, among the alternatives by their names in the list of algorithms.
pub(crate) fn check_choice(now: &Now<'_>, seen: &mut Seen) {
    let Now { entry, name, algorithm, boxes, .. } = *now;
    let mut remarks = Vec::new();
    algorithm.inspect().remarks(&mut |remark| remarks.push(remark));
    for remark in &remarks {
        assert!(remark.len() > 20 && remark.ends_with('.'), "{name}: {remark}");
    }
    if entry.id != "auto" || boxes.is_empty() {
        return;
    }
    let mut ways = Vec::new();
    algorithm.inspect().alternatives(&mut |way| ways.push(way));
    let names: Vec<&str> = ways.iter().map(|way| way.name).collect();
    assert_eq!(names, ["Rest grid", "Neighbour list", "Grid of sweeps"]);
    assert_eq!(ways[2].cost, Some(1.0), "{name}: costs are in full searches by the grid");
    assert!(ways.iter().all(|way| way.why.starts_with("searches ")), "{name}: {ways:?}");
    let mut costs = ways.iter().filter_map(|way| way.cost);
    assert!(costs.all(|cost| cost > 0.0 && cost.is_finite()), "{name}: {ways:?}");
    let mut taken = ways.iter().filter(|way| way.is_chosen).map(|way| way.name);
    let (chosen, moving) = (taken.next().unwrap(), ways[0].why.rsplit(": ").next().unwrap());
    let is_stated = remarks[0].starts_with(&format!("Chosen: {chosen}. {moving} of "));
    let is_counted = remarks[0].ends_with(" sampled objects move.");
    assert!(taken.next().is_none() && is_stated && is_counted, "{name}: {ways:?}, {remarks:?}");
    seen.add(format!("choices of {chosen}"), 1);
}
