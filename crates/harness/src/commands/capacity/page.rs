//! The page `capacity.md`: what each capacity loses, what is counted, and which engines drop pairs.

use super::rows::{Buffer, Capacity, Curve, Loss};
use crate::study::Page;
use measure::Machine;
use measure::numbers::{mean_count, thousands};

/// Engines that drop pairs or contacts where a buffer is full: each with the place that says so, as it was read.
const ENGINES: [&str; 5] = [
    "**MuJoCo Warp**, `naconmax`: the broad phase returns without writing a pair once `naconmax` pairs of all worlds are \
     written (`_add_geom_pair` in `mujoco_warp/_src/collision_driver.py`, revision a7e93142). Contacts beyond it are not \
     written either (`write_contact` in `collision_core.py`, revision 255c1513). Its buffer is *one list for the pairs of a \
     frame*.",
    "**PhysX** 5.7.0 on GPUs, `PxGpuDynamicsMemoryConfig::foundLostPairsCapacity`, 262,144 by default: two lists, of pairs \
     found and of pairs lost since the frame before. *\"The application needs to increase [it], otherwise, the simulation \
     will miss interactions\"* (`PxgCudaBroadPhaseSap::gpuDMABack`, revision 176bc52d). The list of pairs found is *one list \
     for the pairs that began*.",
    "**Jolt** 5.5.0, `inMaxBodyPairs`: *\"The body pair cache is full, this means that too many bodies contacted. Some contacts \
     were ignored.\"* (`EPhysicsUpdateError::BodyPairCacheFull`). In 5.6.0, anything beyond `inMaxBodyPairs` or \
     `inMaxContactConstraints` *\"will fall through the world\"* (`ContactConstraintManager::Init`). Its buffer is *one list for \
     the pairs of a frame*.",
    "**MJX** (MuJoCo in JAX), `max_geom_pairs`, off by default: it *\"limits the number of pairs we process in a collision \
     function\"* (`mjx/mujoco/mjx/_src/collision_driver.py`, revision 00db12af): it keeps the nearest candidates of each group \
     of shape types.",
    "No engine named here has *a list for each object*. It shows what a bound on crowded objects would lose.",
];

/// The definition of a lost pair.
const DEFINITION: [&str; 5] = [
    "A list of length C that P pairs are written to loses those beyond its end: P - C, if that is above 0. Which \
     pairs are lost depends on the engine.",
    "*One list for the pairs of a frame* holds all pairs of overlapping boxes. With k pairs an object, C is k times the number \
     of objects.",
    "*One list for the pairs that began* holds the pairs that the frame before did not have. In frame 0 all pairs begin.",
    "*A list for each object* has C = k, and holds the pairs of which the object has the lower id.",
    "Pairs are those that `auto` finds, after the filters of layers, compared with brute force in each frame, or with \
     `sweep-grid` from 10^10 tests on. Inputs without pairs have rows and no line here. A scene moves on with all of them: a \
     loss has no effect on later frames. Engines with larger bounds have more pairs. This library appends to a list that \
     grows, and loses none.",
];

/// The results in a few lines, for the head of the page and for a terminal.
pub(super) fn summary(curves: &[Curve]) -> Vec<String> {
    let line = |buffer: Buffer| {
        let of_buffer: Vec<&Curve> = curves.iter().filter(|c| c.buffer == buffer).collect();
        let (first, _) = *of_buffer.first()?.losses.first()?;
        let lost = |curve: &Curve| curve.loss(first).unwrap_or_default().of_all;
        let worst = of_buffer.iter().max_by(|a, b| lost(a).total_cmp(&lost(b)))?;
        let losing = of_buffer.iter().filter(|curve| lost(curve) > 0.0).count();
        let safe = |(capacity, _): &&(Capacity, Loss)| {
            of_buffer.iter().all(|curve| curve.loss(*capacity).is_some_and(|l| l.of_all == 0.0))
        };
        let safe = of_buffer[0].losses.iter().find(safe).map(|(capacity, _)| *capacity);
        let safe = safe.map_or("no capacity is enough for all".to_owned(), |capacity| {
            format!("from {} on none does", capacity.text())
        });
        Some(format!(
            "{}: with {}, {losing} of {} inputs lose pairs, {} {} % of them; {safe}.",
            buffer.title(),
            first.text(),
            of_buffer.len(),
            worst.input,
            percent(lost(worst)),
        ))
    };
    let ours = "This library: 0 lost on all inputs, since its lists grow.".to_owned();
    Buffer::ALL.into_iter().filter_map(line).chain([ours]).collect()
}

/// The page.
pub(super) fn page(
    curves: &[Curve],
    summary: &[String],
    has_chart: bool,
    machine: &Machine,
) -> Page {
    let about = "The share of pairs that an engine loses if its list of pairs has a fixed length. Computed by `harness capacity` \
                 from [the rows](capacity/capacity.csv), which have every frame. Counts, no times: they are the same on every \
                 machine.";
    let mut page = Page::new("The price of a fixed buffer", about, summary);
    if has_chart {
        page.chart("Share of lost pairs over the capacity, by buffer", "capacity/lost.svg");
    }
    page.section("Engines that drop");
    page.list(ENGINES);
    page.section("What is counted");
    page.list(DEFINITION);
    for buffer in Buffer::ALL {
        let curves: Vec<&Curve> = curves.iter().filter(|curve| curve.buffer == buffer).collect();
        if let Some(first) = curves.first() {
            page.section(buffer.title());
            let unit = if first.losses[0].0.per_object { "an object" } else { "a frame" };
            page.paragraph(&format!(
                "Pairs lost in all frames, in %; in brackets, those of the worst frame. Capacities are in pairs {unit}."
            ));
            let capacities = first.losses.iter().map(|(at, _)| thousands(at.pairs as f64));
            let capacities: Vec<String> = capacities.collect();
            let named = ["input", "n", "frames", "pairs a frame"].into_iter();
            let columns = named.chain(capacities.iter().map(String::as_str)).chain(["ours"]);
            page.wide_table(columns, curves.into_iter().map(row));
        }
    }
    page.section("Machine");
    page.machine(machine, "capacity/machine.json");
    page
}

fn row(curve: &Curve) -> Vec<String> {
    let share = |loss: &Loss| match loss.of_all {
        0.0 => "0".to_owned(),
        _ => format!("{} ({})", percent(loss.of_all), percent(loss.worst_frame)),
    };
    let named = [
        curve.input.clone(),
        thousands(curve.n as f64),
        curve.frames.to_string(),
        mean_count(curve.pairs as f64 / curve.frames as f64),
    ];
    let shares = curve.losses.iter().map(|(_, loss)| share(loss));
    named.into_iter().chain(shares).chain(["0".to_owned()]).collect()
}

/// A share in per cent. A small one is not shown as 0.
fn percent(share: f64) -> String {
    match 100.0 * share {
        percent if percent > 0.0 && percent < 0.05 => "<0.1".to_owned(),
        percent => format!("{percent:.1}"),
    }
}
