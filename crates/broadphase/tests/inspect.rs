//! What `Inspect` and `DebugDraw` report agrees with counters, boxes and pairs.
#![allow(clippy::unwrap_used, reason = "clippy sees only functions marked as tests")]

mod common;

use broadphase::inspect::{
    CacheState, CachedPair, DebugDraw, Endpoint, FatBox, NO_REGION, Overlay, Region, SplitPlane,
    SweepBlock, TreeBox, Work,
};
use broadphase::registry::{ALGORITHMS, Algorithm, Settings, find};
use broadphase::{Aabb, BroadPhase, Frame, Pair};
use common::{inputs, pairs_by_definition, plain, run_frame};
use glam::Vec3;
use std::collections::{HashMap, HashSet};

const WORLD: Aabb = Aabb { min: Vec3::NEG_ONE, max: Vec3::ONE };
const EVERYWHERE: Aabb = Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY };

/// Calls `check` with every algorithm after every frame of every input.
fn for_each_frame(
    sizes: &[usize],
    mut check: impl FnMut(&'static Algorithm, &str, &dyn BroadPhase, &[Aabb]),
) {
    for row in ALGORITHMS {
        for n in sizes {
            for (input, frames) in inputs(*n, 3, 1739) {
                for world in [WORLD, Aabb::EMPTY] {
                    let settings = Settings::new(*n).world(world);
                    let mut algorithm = row.create(&settings).unwrap();
                    for (number, boxes) in frames.iter().enumerate() {
                        run_frame(&mut *algorithm, &plain(boxes));
                        let name = format!("{} on {input} ({n} objects), frame {number}", row.id);
                        check(row, &name, &*algorithm, boxes);
                    }
                }
            }
        }
    }
}

/// The same for the algorithms that show an overlay, on inputs in which they cache objects, search for all, and do
/// both.
fn for_each_frame_with(
    overlay: Overlay,
    sizes: &[usize],
    mut check: impl FnMut(&'static Algorithm, &str, &dyn BroadPhase, &[Aabb]),
) {
    for row in ALGORITHMS.iter().filter(|row| row.shows(overlay)) {
        for n in sizes {
            let motions: [(&str, Motion); 3] =
                [("crawl", crawl), ("few jump", few), ("all jump", all)];
            for (motion, place) in motions {
                let mut algorithm = row.create(&Settings::new(*n)).unwrap();
                for number in 0..24 {
                    let around = |i| Aabb::around_sphere(place(number, i, *n), 0.55);
                    let mut boxes: Vec<Aabb> = (0..*n).map(around).collect();
                    // One object appears and vanishes.
                    if let Some(last) = boxes.last_mut().filter(|_| number % 6 == 5) {
                        *last = Aabb::EMPTY;
                    }
                    run_frame(&mut *algorithm, &plain(&boxes));
                    let name = format!("{}, {n} objects {motion}, frame {number}", row.id);
                    check(row, &name, &*algorithm, &boxes);
                }
            }
        }
    }
}

/// The centre of object i of n in a frame.
type Motion = fn(usize, usize, usize) -> Vec3;

/// A place on a lattice.
fn site(i: usize) -> Vec3 {
    Vec3::from([i % 8, i / 8 % 8, i / 64].map(|place| place as f32))
}

/// A place anywhere, another one in each frame.
fn anywhere(number: usize, i: usize, n: usize) -> Vec3 {
    let turn = (number * 7919 + i * 104_729) as f32;
    let side = 0.5 * (n as f32).cbrt();
    Vec3::new(turn.sin(), (turn * 1.7).sin(), (turn * 2.3).sin()) * side
}

/// All move a little, and in each frame another one far.
fn crawl(number: usize, i: usize, n: usize) -> Vec3 {
    if i == number { anywhere(number, i, n) } else { site(i) + 0.004 * number as f32 }
}

/// Every tenth moves far, the others rest.
fn few(number: usize, i: usize, n: usize) -> Vec3 {
    if i.is_multiple_of(10) { anywhere(number, i, n) } else { site(i) }
}

/// All move far.
fn all(number: usize, i: usize, n: usize) -> Vec3 {
    anywhere(number, i, n)
}

fn tests_by_object(algorithm: &dyn BroadPhase, objects: usize) -> Vec<u32> {
    let mut tests = vec![u32::MAX; objects];
    algorithm.inspect().tests_by_object(&mut tests);
    tests
}

fn regions(algorithm: &dyn BroadPhase) -> Vec<Region> {
    let mut regions = Vec::new();
    algorithm.inspect().regions(&mut |region| regions.push(region));
    regions
}

fn regions_of(algorithm: &dyn BroadPhase, object: usize) -> Vec<Region> {
    let mut regions = Vec::new();
    algorithm.inspect().regions_of(object as u32, &mut |region| regions.push(region));
    regions
}

/// A leaf between drawn planes: its half-open cell, and the finite part of it.
type Leaf = (Aabb, Aabb);

/// The planes of a full tree, parents first and low sides first.
#[derive(Default)]
struct Planes(Vec<SplitPlane>);

impl DebugDraw for Planes {
    fn plane(&mut self, plane: SplitPlane) {
        self.0.push(plane);
    }
}

impl Planes {
    fn of(algorithm: &dyn BroadPhase) -> Self {
        let mut planes = Self::default();
        algorithm.debug_draw(&mut planes);
        planes
    }

    /// The leaves from low to high; none before the planes are placed.
    fn leaves(&self, depth: u32) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        if let Some(root) = self.0.first() {
            cut(&mut self.0.iter(), depth, (EVERYWHERE, root.cell), &mut leaves);
        }
        leaves
    }
}

fn cut<'a>(
    planes: &mut impl Iterator<Item = &'a SplitPlane>,
    depth: u32,
    cell: Leaf,
    leaves: &mut Vec<Leaf>,
) {
    if depth == 0 {
        leaves.push(cell);
        return;
    }
    let plane = planes.next().expect("the tree is not full");
    let (mut low, mut high) = (cell, cell);
    for (low, high) in [(&mut low.0, &mut high.0), (&mut low.1, &mut high.1)] {
        low.max[plane.axis.index()] = plane.position;
        high.min[plane.axis.index()] = plane.position;
    }
    cut(planes, depth - 1, low, leaves);
    cut(planes, depth - 1, high, leaves);
}

fn touches(b: &Aabb, cell: &Aabb) -> bool {
    !b.is_empty() && b.min.cmplt(cell.max).all() && cell.min.cmple(b.max).all()
}

#[test]
fn tests_by_object_sum_to_twice_the_counter() {
    let mut counted = 0;
    for_each_frame(&[0, 1, 2, 9, 10, 50, 250, 600], |row, name, algorithm, boxes| {
        let tests = tests_by_object(algorithm, boxes.len());
        let sum: u64 = tests.iter().map(|tests| u64::from(*tests)).sum();
        assert_eq!(sum, 2 * algorithm.counters().tests, "{name}");
        counted += sum;
        // `sap-matrix` tests exactly the pairs that it reports. An algorithm that caches pairs does not test
        // them again. All others test at least each pair that they report.
        let mut partners = vec![0; boxes.len()];
        for pair in pairs_by_definition(boxes) {
            partners[pair.a as usize] += 1;
            partners[pair.b as usize] += 1;
        }
        for (object, (tests, partners)) in tests.iter().zip(&partners).enumerate() {
            let fits = match row.family {
                "sap-matrix" => tests == partners,
                "sap-incremental" | "rest-grid" | "neighbour-list" | "auto"
                    if algorithm.counters().rebuilds == 0 =>
                {
                    true
                }
                _ => tests >= partners,
            };
            assert!(fits, "{name}: object {object} has {tests} tests and {partners} partners");
        }
    });
    assert!(counted > 100_000, "the inputs need few tests: {counted}");
}

#[test]
fn regions_of_plane_trees_are_their_cells_and_list_objects() {
    let mut straddlers = 0;
    for_each_frame(&[0, 1, 9, 10, 50, 260], |row, name, algorithm, boxes| {
        if !matches!(row.family, "bsp" | "kd-tree") {
            return;
        }
        let counters = algorithm.counters();
        let leaves = Planes::of(algorithm).leaves(counters.depth);
        let regions = regions(algorithm);
        assert_eq!(regions.len(), leaves.len(), "{name}: number of regions");
        let mut objects = vec![0; regions.len()];
        let mut first = vec![7; boxes.len()];
        algorithm.inspect().region_by_object(&mut first);
        for (object, b) in boxes.iter().enumerate() {
            let touched = (0..).zip(&leaves).filter(|(_, leaf)| touches(b, &leaf.0));
            let touched: Vec<u32> = touched.map(|(leaf, _)| leaf).collect();
            let found = regions_of(algorithm, object);
            let indices: Vec<u32> = found.iter().map(|region| region.index).collect();
            assert_eq!(indices, touched, "{name}: regions of object {object}");
            assert!(found.iter().all(|region| *region == regions[region.index as usize]), "{name}");
            let expected = touched.first().copied().unwrap_or(NO_REGION);
            assert_eq!(first[object], expected, "{name}: first region of object {object}");
            let is_covered = leaves.is_empty() || b.is_empty() || !found.is_empty();
            assert!(is_covered, "{name}: object {object} is in no region");
            indices.iter().for_each(|region| objects[*region as usize] += 1);
            straddlers += usize::from(found.len() > 1);
        }
        for (index, (region, (_, bounds))) in (0..).zip(regions.iter().zip(&leaves)) {
            let objects = objects[index as usize];
            let expected = Region { index, bounds: *bounds, depth: counters.depth, objects };
            assert_eq!(*region, expected, "{name}");
        }
        if !regions.is_empty() {
            let listed: u32 = regions.iter().map(|region| region.objects).sum();
            assert_eq!(u64::from(listed), counters.listings, "{name}: listings");
        }
    });
    assert!(straddlers > 1000, "few objects are in two regions: {straddlers}");
}

#[test]
fn object_counts_of_regions_agree_with_regions_of() {
    for_each_frame(&[1, 10, 260], |_, name, algorithm, boxes| {
        let regions = regions(algorithm);
        assert!((0..).zip(&regions).all(|(index, region)| region.index == index), "{name}: order");
        let mut objects = vec![0; regions.len()];
        let mut first = vec![7; boxes.len()];
        algorithm.inspect().region_by_object(&mut first);
        for (object, b) in boxes.iter().enumerate() {
            let found = regions_of(algorithm, object);
            assert!(found.is_sorted_by_key(|region| region.index), "{name}: object {object}");
            assert!(found.iter().all(|region| *region == regions[region.index as usize]), "{name}");
            let expected = found.first().map_or(NO_REGION, |region| region.index);
            assert_eq!(first[object], expected, "{name}: first region of object {object}");
            assert!(found.is_empty() || !b.is_empty(), "{name}: absent object {object} is listed");
            found.iter().for_each(|region| objects[region.index as usize] += 1);
        }
        let listed: Vec<_> = regions.iter().map(|region| region.objects).collect();
        assert_eq!(objects, listed, "{name}: objects of the regions");
    });
}

/// Counts the items drawn of each overlay.
#[derive(Default)]
struct Drawn(HashMap<Overlay, usize>);

impl Drawn {
    fn add(&mut self, overlay: Overlay) {
        *self.0.entry(overlay).or_default() += 1;
    }
}

impl DebugDraw for Drawn {
    fn plane(&mut self, _: SplitPlane) {
        self.add(Overlay::Planes);
    }

    fn tree_box(&mut self, _: TreeBox) {
        self.add(Overlay::TreeBoxes);
    }

    fn endpoint(&mut self, _: Endpoint) {
        self.add(Overlay::Endpoints);
    }

    fn curve(&mut self, _: Vec3) {
        self.add(Overlay::Curve);
    }
}

/// The number of parts that an algorithm shows of each overlay.
fn shown(algorithm: &dyn BroadPhase) -> HashMap<Overlay, usize> {
    let mut drawn = Drawn::default();
    algorithm.debug_draw(&mut drawn);
    let inspect = algorithm.inspect();
    inspect.regions(&mut |_| drawn.add(Overlay::Regions));
    inspect.fat_boxes(&mut |_| drawn.add(Overlay::FatBoxes));
    inspect.cached_pairs(&mut |_| drawn.add(Overlay::CachedPairs));
    inspect.blocks(&mut |_| drawn.add(Overlay::Blocks));
    inspect.matrix(&mut |_| drawn.add(Overlay::Matrix));
    drawn.0
}

#[test]
fn algorithms_show_the_overlays_they_declare() {
    for row in ALGORITHMS {
        let before = shown(&*row.create(&Settings::new(100)).unwrap());
        assert!(before.is_empty(), "{} before its first frame: {before:?}", row.id);
    }
    // Some show a part only in some frames: while pairs are cached, or while none are.
    for overlay in Overlay::ALL {
        let mut seen = HashMap::<&str, HashSet<Overlay>>::new();
        for_each_frame_with(overlay, &[100, 500], |row, name, algorithm, _| {
            for (shown, _) in shown(algorithm) {
                assert!(row.shows(shown), "{name}: {shown:?} is not declared");
                seen.entry(row.id).or_default().insert(shown);
            }
        });
        for row in ALGORITHMS.iter().filter(|row| row.shows(overlay)) {
            let is_seen = seen.get(row.id).is_some_and(|seen| seen.contains(&overlay));
            assert!(is_seen, "{} never shows {overlay:?}", row.id);
        }
    }
    // Without a structure, nothing is shown.
    for row in ALGORITHMS.iter().filter(|row| row.overlays.is_empty()) {
        let mut algorithm = row.create(&Settings::new(60)).unwrap();
        run_frame(&mut *algorithm, &plain(&lattice()));
        assert!(shown(&*algorithm).is_empty(), "{}", row.id);
    }
}

fn fat_boxes(algorithm: &dyn BroadPhase) -> Vec<FatBox> {
    let mut boxes = Vec::new();
    algorithm.inspect().fat_boxes(&mut |fat| boxes.push(fat));
    boxes
}

#[test]
fn fat_aabbs_contain_their_objects_while_these_are_cached() {
    let mut seen = HashMap::<CacheState, usize>::new();
    for_each_frame_with(Overlay::FatBoxes, &[1, 10, 250], |_, name, algorithm, boxes| {
        let fat_boxes = fat_boxes(algorithm);
        let objects: HashSet<u32> = fat_boxes.iter().map(|fat| fat.object).collect();
        assert_eq!(objects.len(), fat_boxes.len(), "{name}: an object is shown twice");
        for FatBox { object, bounds, state } in fat_boxes {
            let b = boxes[object as usize];
            let is_inside = b.is_empty() || bounds.union(&b) == bounds;
            match state {
                CacheState::Resting => assert_eq!(bounds, b, "{name}: object {object} rests"),
                CacheState::Slow => assert!(is_inside, "{name}: {object} is not in its fat AABB"),
                CacheState::Moving | CacheState::Stale => {}
            }
            *seen.entry(state).or_default() += 1;
        }
        let is_cached = !objects.is_empty();
        let lost = (0..).zip(boxes).find(|(object, b)| !b.is_empty() && !objects.contains(object));
        assert!(!is_cached || lost.is_none(), "{name}: {lost:?} is not shown");
    });
    assert!(CacheState::ALL.iter().all(|state| seen.contains_key(state)), "{seen:?}");
}

#[test]
fn pairs_are_cached_or_have_a_moving_object() {
    let mut cached_and_found = 0;
    for_each_frame_with(Overlay::CachedPairs, &[3, 120], |_, name, algorithm, boxes| {
        let states: HashMap<u32, FatBox> =
            fat_boxes(algorithm).into_iter().map(|fat| (fat.object, fat)).collect();
        let mut cached = HashMap::new();
        algorithm.inspect().cached_pairs(&mut |CachedPair { pair, is_resting }| {
            assert_eq!(cached.insert(pair, is_resting), None, "{name}: {pair:?} is cached twice");
        });
        if states.is_empty() {
            assert!(cached.is_empty(), "{name}");
            return;
        }
        let state = |object: u32| states[&object].state;
        let is_searched = |object| matches!(state(object), CacheState::Moving | CacheState::Stale);
        let found: HashSet<Pair> = pairs_by_definition(boxes).into_iter().collect();
        for pair in &found {
            let is_known = cached.contains_key(pair) || is_searched(pair.a) || is_searched(pair.b);
            assert!(is_known, "{name}: {pair:?} is neither cached nor searched for");
            cached_and_found += usize::from(cached.contains_key(pair));
        }
        for (pair, is_resting) in cached {
            let both = [pair.a, pair.b].map(|object| states[&object]);
            let rest = both.iter().all(|fat| fat.state == CacheState::Resting);
            assert!(!is_resting || (rest && found.contains(&pair)), "{name}: {pair:?} rests");
            assert!(both[0].bounds.overlaps(&both[1].bounds), "{name}: {pair:?}");
        }
    });
    assert!(cached_and_found > 3000, "{cached_and_found}");
}

/// Sixty small boxes on a lattice, none of which overlap.
fn lattice() -> Vec<Aabb> {
    let at = |i: usize| Vec3::from([i % 4, i / 4 % 4, i / 16].map(|place| place as f32));
    (0..60).map(|i| Aabb::around_sphere(at(i), 0.2)).collect()
}

#[test]
fn object_beyond_its_fat_aabb_escapes_in_that_frame_alone() {
    for id in ["neighbour-list", "bvh-incremental", "bvh-incremental+object"] {
        let mut boxes = lattice();
        let mut algorithm = find(id).unwrap().create(&Settings::new(boxes.len())).unwrap();
        let escapes = |algorithm: &dyn BroadPhase| {
            let mut escaped = Vec::new();
            algorithm.inspect().escapes(&mut |object| escaped.push(object));
            escaped
        };
        for _ in 0..4 {
            run_frame(&mut *algorithm, &plain(&boxes));
        }
        assert_eq!(escapes(&*algorithm), [], "{id}");
        boxes[17] = Aabb::around_sphere(boxes[17].center() + 0.5, 0.2);
        run_frame(&mut *algorithm, &plain(&boxes));
        assert_eq!(escapes(&*algorithm), [17], "{id}");
        run_frame(&mut *algorithm, &plain(&boxes));
        assert_eq!(escapes(&*algorithm), [], "{id}");
    }
}

#[test]
fn blocks_hold_the_objects_of_their_regions_in_sweep_order() {
    let mut pairs_seen = 0;
    for_each_frame_with(Overlay::Blocks, &[1, 40, 600], |_, name, algorithm, boxes| {
        let mut regions_of = vec![HashSet::new(); boxes.len()];
        let mut listed = HashMap::<u32, usize>::new();
        let mut next = (0, 0);
        let mut last_begin = f32::NEG_INFINITY;
        algorithm.inspect().blocks(&mut |block: SweepBlock<'_>| {
            let SweepBlock { axis, region, place, objects, bounds } = block;
            if region != next.0 {
                (next, last_begin) = ((region, 0), f32::NEG_INFINITY);
            }
            assert_eq!((region, place), next, "{name}: order of blocks");
            next.1 += 1;
            assert!((1..=SweepBlock::LANES).contains(&objects.len()), "{name}");
            let mut all = Aabb::EMPTY;
            for object in objects {
                let b = &boxes[*object as usize];
                let begin = b.min[axis.index()];
                assert!(last_begin <= begin, "{name}: object {object} is out of order");
                last_begin = begin;
                all = all.union(b);
                regions_of[*object as usize].insert(region);
            }
            assert_eq!(bounds, all, "{name}: bounds of block {place} of region {region}");
            *listed.entry(region).or_default() += objects.len();
        });
        if listed.is_empty() {
            return;
        }
        let of_regions: HashMap<u32, usize> =
            regions(algorithm).iter().map(|r| (r.index, r.objects as usize)).collect();
        // One sweep of all boxes has no regions.
        if !of_regions.is_empty() {
            assert_eq!(listed, of_regions, "{name}: objects in the blocks of each region");
        }
        for pair in pairs_by_definition(boxes) {
            let [a, b] = [pair.a, pair.b].map(|object| &regions_of[object as usize]);
            assert!(!a.is_disjoint(b), "{name}: {pair:?} are in no common sweep");
            pairs_seen += 1;
        }
    });
    assert!(pairs_seen > 3000, "{pairs_seen}");
}

#[test]
fn matrix_counts_the_axes_on_which_pairs_overlap() {
    let mut cells_seen = 0;
    for_each_frame_with(Overlay::Matrix, &[2, 60], |_, name, algorithm, boxes| {
        let mut cells = HashMap::new();
        algorithm.inspect().matrix(&mut |cell| {
            assert_eq!(cells.insert(cell.pair, cell.axes), None, "{name}: {:?} twice", cell.pair);
        });
        for b in 0..boxes.len() as u32 {
            for a in 0..b {
                let [one, other] = [a, b].map(|object| &boxes[object as usize]);
                let is_present = !one.is_empty() && !other.is_empty();
                let overlap = one.min.cmple(other.max) & other.min.cmple(one.max);
                let axes = overlap.bitmask().count_ones() as u8;
                let expected = Some(axes).filter(|axes| is_present && *axes > 0);
                assert_eq!(cells.get(&Pair { a, b }).copied(), expected, "{name}: {a}, {b}");
            }
        }
        cells_seen += cells.len();
    });
    assert!(cells_seen > 10_000, "{cells_seen}");
}

/// The nodes of a tree of boxes, parents before children.
#[derive(Default)]
struct TreeBoxes(Vec<TreeBox>);

impl DebugDraw for TreeBoxes {
    fn tree_box(&mut self, tree_box: TreeBox) {
        self.0.push(tree_box);
    }
}

impl TreeBoxes {
    fn of(algorithm: &dyn BroadPhase) -> Vec<TreeBox> {
        let mut boxes = Self::default();
        algorithm.debug_draw(&mut boxes);
        boxes.0
    }
}

#[test]
fn steps_tell_division_from_joining() {
    for_each_frame_with(Overlay::TreeBoxes, &[2, 3, 80], |row, name, algorithm, _| {
        let boxes = TreeBoxes::of(algorithm);
        let inner = boxes.iter().filter(|b| !b.is_leaf).count() as u32;
        let mut steps: Vec<u32> = boxes.iter().filter_map(|b| b.step).collect();
        assert!(boxes.iter().all(|b| !b.is_leaf || b.step.is_none()), "{name}: leaf with a step");
        // The last box of each depth on the way down from the root.
        let mut above: Vec<u32> = Vec::new();
        for tree_box in &boxes {
            above.truncate(tree_box.depth as usize);
            let Some(step) = tree_box.step else { continue };
            let ordered = match row.family {
                "bvh-top-down" => above.last().is_none_or(|parent| *parent < step),
                "bvh-bottom-up" => above.last().is_none_or(|parent| *parent > step),
                other => panic!("{other} has steps"),
            };
            assert!(ordered, "{name}: {step} below {above:?}");
            above.push(step);
        }
        steps.sort_unstable();
        let is_stepwise = matches!(row.family, "bvh-top-down" | "bvh-bottom-up");
        let expected = if is_stepwise { (1..=inner).collect() } else { Vec::new() };
        assert_eq!(steps, expected, "{name}");
    });
}

#[test]
fn rotated_boxes_are_nodes_of_the_tree() {
    let mut rotations = 0;
    for_each_frame_with(Overlay::TreeBoxes, &[200], |_, name, algorithm, _| {
        let boxes = TreeBoxes::of(algorithm);
        let mut shown = 0;
        algorithm.inspect().rotations(&mut |bounds| {
            assert!(boxes.iter().any(|b| b.bounds == bounds), "{name}: {bounds:?} is no node");
            shown += 1;
        });
        assert!(shown <= work(algorithm).get("rotations").copied().unwrap_or(0), "{name}");
        rotations += shown;
    });
    assert!(rotations > 20, "{rotations}");
}

#[test]
fn loose_bounds_contain_the_object_and_its_cell() {
    let mut larger = 0;
    for_each_frame_with(Overlay::Regions, &[10, 200], |row, name, algorithm, boxes| {
        for (object, b) in boxes.iter().enumerate() {
            let mut loose = Vec::new();
            algorithm.inspect().loose_bounds_of(object as u32, &mut |bounds| loose.push(bounds));
            if row.family != "octree-loose" {
                assert_eq!(loose, [], "{name}");
                continue;
            }
            let cells = regions_of(algorithm, object);
            assert_eq!(loose.len(), cells.len(), "{name}: object {object}");
            for (loose, cell) in loose.iter().zip(cells) {
                assert!(loose.union(&cell.bounds) == *loose, "{name}: object {object}");
                assert!(loose.overlaps(b), "{name}: object {object}");
                larger += usize::from(*loose != cell.bounds);
            }
        }
    });
    assert!(larger > 1000, "{larger}");
}

fn remarks(algorithm: &dyn BroadPhase) -> Vec<String> {
    let mut remarks = Vec::new();
    algorithm.inspect().remarks(&mut |remark| remarks.push(remark));
    remarks
}

#[test]
fn automatic_choice_states_its_reason_in_numbers() {
    let mut chosen = HashSet::new();
    // It has regions in some frames.
    for_each_frame_with(Overlay::Regions, &[60, 600], |row, name, algorithm, _| {
        for remark in remarks(algorithm) {
            assert!(remark.len() > 20 && remark.ends_with('.'), "{name}: {remark}");
        }
        if row.id != "auto" {
            return;
        }
        let remarks = remarks(algorithm);
        let [remark] = &remarks[..] else { panic!("{name}: {remarks:?}") };
        let choice = remark.strip_prefix("Chosen: ").and_then(|rest| rest.split_once(". "));
        let (choice, reason) = choice.unwrap_or_else(|| panic!("{name}: {remark}"));
        assert!(reason.contains(" sampled objects move. The "), "{name}: {remark}");
        assert!(reason.contains(" of a full search"), "{name}: {remark}");
        chosen.insert(find(choice).unwrap_or_else(|| panic!("{name}: {remark}")).id);
        // What it chose is what it shows.
        let shown = shown(algorithm);
        let is_cached = matches!(choice, "neighbour-list" | "rest-grid");
        assert_eq!(shown.contains_key(&Overlay::FatBoxes), is_cached, "{name}: {remark}");
        assert_eq!(shown.contains_key(&Overlay::Blocks), !is_cached, "{name}: {remark}");
        let has_columns = matches!(choice, "sweep-grid" | "rest-grid");
        assert_eq!(shown.contains_key(&Overlay::Regions), has_columns, "{name}: {remark}");
    });
    assert!(chosen.len() >= 2, "{chosen:?}");
}

#[test]
fn single_leaf_of_few_objects_is_explained() {
    let boxes = lattice();
    let mut tree = find("bsp-semi-adjusting").unwrap().create(&Settings::new(60)).unwrap();
    run_frame(&mut *tree, &plain(&boxes));
    let expected = "One leaf: a leaf is divided from 65 objects on, and there are 60.";
    assert_eq!(remarks(&*tree), [expected]);
}

#[test]
fn slices_of_any_length_are_filled() {
    let (_, mut frames) = inputs(60, 3, 5).swap_remove(0);
    frames[2].truncate(40);
    for row in ALGORITHMS {
        let mut algorithm = row.create(&Settings::new(60)).unwrap();
        assert_eq!(tests_by_object(&*algorithm, 3), [0; 3], "{} before its first frame", row.id);
        // After an update without a search, also when the number of objects has changed.
        for boxes in &frames {
            algorithm.update(&Frame::new(boxes));
            let all = tests_by_object(&*algorithm, boxes.len());
            let mut first = vec![7; 100];
            algorithm.inspect().region_by_object(&mut first);
            assert!(first[boxes.len()..].iter().all(|region| *region == NO_REGION), "{}", row.id);
            let short = tests_by_object(&*algorithm, 10);
            assert_eq!(short, all[..10], "{}", row.id);
            let long = tests_by_object(&*algorithm, 100);
            assert_eq!(
                (&long[..all.len()], long.iter().sum::<u32>()),
                (&all[..], all.iter().sum())
            );
            algorithm.inspect().region_by_object(&mut first[..10]);
            assert_eq!(regions_of(&*algorithm, 99), [], "{}", row.id);
            run_frame(&mut *algorithm, &plain(boxes));
        }
    }
}

/// The counts of an algorithm's own work, by name.
fn work(algorithm: &dyn BroadPhase) -> HashMap<&'static str, u64> {
    let mut counts = HashMap::new();
    algorithm.inspect().work(&mut |Work { name, meaning, count }| {
        assert!(!meaning.is_empty() && name.len() <= 15, "{name}");
        assert_eq!(counts.insert(name, count), None, "{name} is reported twice");
    });
    counts
}

#[test]
fn own_work_is_no_less_than_what_it_leads_to() {
    let mut seen = HashMap::<&str, u64>::new();
    for_each_frame(&[3, 200], |row, name, algorithm, boxes| {
        let (counters, pairs) = (algorithm.counters(), pairs_by_definition(boxes).len() as u64);
        for (what, count) in work(algorithm) {
            *seen.entry(what).or_default() += count;
            let least = match what {
                "cells written" => counters.axis_overlaps,
                "cells read" => counters.tests.max(pairs),
                // Each exchange that begins an overlap is a test.
                "exchanges" | "node pairs" | "nodes visited" => counters.tests,
                "objects swept" | "escaped objects" | "reinsertions" | "rotations"
                | "cached pairs" => 0,
                other => panic!("{}: {other}", row.id),
            };
            assert!(count >= least, "{name}: {count} {what}, at least {least}");
        }
    });
    // Without rotations: nearly all objects of these inputs move, so that trees are rebuilt.
    assert_eq!(seen.remove("rotations"), Some(0));
    assert_eq!(seen.len(), 9, "{seen:?}");
    assert!(seen.values().all(|sum| *sum > 0), "{seen:?}");
}

#[test]
fn boxes_at_rest_cause_no_work_of_motion() {
    let boxes: Vec<Aabb> = (0..300)
        .map(|i| Aabb::around_sphere(Vec3::new(i as f32 * 0.01, (i % 7) as f32, 0.0), 0.02))
        .collect();
    for id in ["sap-incremental", "bvh-incremental", "neighbour-list", "auto"] {
        let row = broadphase::registry::find(id).unwrap();
        let mut algorithm = row.create(&Settings::new(boxes.len()).world(WORLD)).unwrap();
        for _ in 0..3 {
            run_frame(&mut *algorithm, &plain(&boxes));
        }
        for what in ["exchanges", "reinsertions", "rotations", "escaped objects"] {
            assert_eq!(work(&*algorithm).get(what).copied().unwrap_or(0), 0, "{id}: {what}");
        }
    }
}
