//! The list of pairs that touch.

use super::*;

#[test]
fn touching_pairs_are_listed_on_request_and_picked_by_a_click() {
    for scene in [crowded(), tumbling()] {
        let mut bench = Bench::with(scene, "bsp");
        while bench.stage().snapshot.search.found.map_or(0, |found| found.hits) < 2 {
            assert!(bench.stage().snapshot.motion.steps < 600, "no hits");
            bench.steps(1);
        }
        assert!(bench.stage().snapshot.touching.is_empty(), "only on request");
        bench.click(Role::Link, "Hits");
        bench.look();
        let snapshot = bench.stage().snapshot.clone();
        let (touching, objects) = (&snapshot.touching, &snapshot.objects);
        assert_eq!(touching.len() as u64, snapshot.search.found.unwrap().hits);
        let pair = touching[1].pair;
        let name = match &objects.bodies {
            None => format!("Sphere {}", pair.b),
            Some(bodies) => {
                let shape = bodies.shape_of[pair.b as usize] as usize;
                let name = &bodies.catalogue.shapes()[shape].name;
                format!("{}{} {}", name[..1].to_uppercase(), &name[1..], pair.b)
            }
        };
        assert!(bench.draws(&name), "{name}");
        for TouchingPair { pair, depth } in touching.iter().filter(|_| objects.bodies.is_none()) {
            let [a, b] = [pair.a, pair.b].map(|object| object as usize);
            let gap = objects.positions[a].distance(objects.positions[b]);
            let expected = f64::from(objects.radii[a] + objects.radii[b] - gap);
            assert!((depth - expected).abs() < 1e-5 && *depth >= 0.0, "{depth} {expected}");
        }
        bench.click(Role::Link, &format!("Pick {}, which touches {}", pair.b, pair.a));
        assert_eq!(bench.stage().panel.view.picked, Some(pair.b));
        bench.click(Role::Link, "Hits");
        bench.look();
        assert!(bench.stage().snapshot.touching.is_empty());
    }
}
