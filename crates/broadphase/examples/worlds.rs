//! 4,096 worlds in one call: in each, two arms of three links reach over a common table.
//!
//! ```text
//! 4096 worlds, 11264 pairs
//! world 0: (0, 1) (0, 4) (3, 6)
//! world 5: (0, 1) (0, 4) (3, 6)
//! ```

use broadphase::glam::Vec3;
use broadphase::{Aabb, Pair, WorldBoxes, WorldPairs, Worlds, WorldsError};

const WORLDS: u16 = 4096;

fn main() -> Result<(), WorldsError> {
    let table = [Aabb::new(Vec3::new(-2.0, -1.0, -0.1), Vec3::new(4.0, 1.0, 0.0))];
    // Ids: the table is 0, the links of the first arm 1 to 3, of the second 4 to 6. Neighbours of an arm always touch.
    let joints = [[1, 2], [2, 3], [4, 5], [5, 6]].map(|[a, b]| Pair { a, b });
    let (mut boxes, mut starts) = (Vec::new(), vec![0]);
    for world in 0..WORLDS {
        let lift = f32::from(world % 8) * 0.1;
        let link = |x: f32, z: f32| Aabb::around_sphere(Vec3::new(x, 0.0, z), 0.3);
        boxes.extend([link(0.0, 0.3), link(0.5, 0.5), link(1.0, 0.5 + lift)]);
        boxes.extend([link(2.5, 0.3), link(2.0, 0.5), link(1.5, 0.5 - lift * 0.1)]);
        starts.push(boxes.len() as u32);
    }

    // Kept between steps: the scratch and the list of pairs are reused.
    let (mut search, mut pairs) = (Worlds::default(), WorldPairs::default());
    let excluded = [&joints[..]];
    let worlds = WorldBoxes::new(&boxes, &starts).shared(&table).excluded(&excluded);
    search.find_pairs(&worlds, &mut pairs)?;

    println!("{} worlds, {} pairs", pairs.worlds(), pairs.pairs().len());
    for world in [0, 5] {
        let mut found = pairs.of(world).to_vec();
        found.sort_unstable();
        let found: Vec<_> = found.iter().map(ToString::to_string).collect();
        println!("world {world}: {}", found.join(" "));
    }
    Ok(())
}
