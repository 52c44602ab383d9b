//! A road of 10,000 km: positions in `f64`, and an origin for each region.
//!
//! ```text
//! one origin: {(0, 1), (10, 11)}
//! an origin per region: {(0, 1)}
//! ```

use broadphase::glam::DVec3;
use broadphase::{Aabb, Layer, Space, SpaceError};
use std::collections::{BTreeMap, BTreeSet};

/// Length of a region in metres. Within it, floats are at most 0.25 mm apart.
const LENGTH: f64 = 4096.0;

/// Objects have sides of a metre.
const HALF: f64 = 0.5;

/// Inserts an object. The difference from the origin is rounded in `f64`, then outwards.
fn insert(space: &mut Space, user: u64, x: f64, origin: f64) -> Result<(), SpaceError> {
    let center = DVec3::X * (x - origin);
    space.insert(Aabb::from_f64(center - HALF, center + HALF), Layer::ALL, user)?;
    Ok(())
}

fn pairs(space: &mut Space) -> BTreeSet<(u64, u64)> {
    let step = space.step();
    step.pairs()
        .map(|pair| pair.users.into())
        .map(|(a, b): (u64, u64)| (a.min(b), a.max(b)))
        .collect()
}

fn main() -> Result<(), SpaceError> {
    // Two objects that touch on the border of two regions; far away, two that are 0.4 m apart.
    let objects = [(0, LENGTH - 0.5), (1, LENGTH + 0.25), (10, 1e7), (11, 1e7 + 1.4)];

    let mut world = Space::new();
    for (user, x) in objects {
        insert(&mut world, user, x, 0.0)?;
    }
    println!("one origin: {:?}", pairs(&mut world));

    // An object is in each region that it touches. So both regions of a border may report a pair: a set has it once.
    let mut regions: BTreeMap<i64, Space> = BTreeMap::new();
    for (user, x) in objects {
        let [first, last] = [x - HALF, x + HALF].map(|end| (end / LENGTH).floor() as i64);
        for region in first..=last {
            insert(regions.entry(region).or_default(), user, x, region as f64 * LENGTH)?;
        }
    }
    let all: BTreeSet<_> = regions.values_mut().flat_map(pairs).collect();
    println!("an origin per region: {all:?}");
    Ok(())
}
