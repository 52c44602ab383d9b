//! Overlays of a structure: which are offered, and what each draws. Their words are in the snapshot of the legend, their
//! primitives in one of their own.

use super::*;

const THEME: Theme = Theme::DARK;

/// An algorithm on a scene after one step, with these overlays.
fn of(id: &str, scene: Scene, overlays: &[Overlay]) -> Bench {
    let mut bench = Bench::with(scene, id);
    bench.stage().panel.view.set(Row::Sources, false);
    overlays.iter().for_each(|overlay| bench.stage().panel.view.set(*overlay, true));
    bench.steps(1);
    bench
}

fn slow(speed: f32) -> Scene {
    Scene { speed, ..crowded() }
}

fn small(objects: u32, radius: f32) -> Scene {
    Scene { objects, radius: Radius::Equal(radius), ..crowded() }
}

fn sizes(objects: u32) -> Scene {
    Scene { objects, radius: Radius::LogUniform(0.01, 0.2), ..crowded() }
}

fn boxes(bench: &mut Bench) -> Vec<WireBox> {
    bench.stage().view().boxes.to_vec()
}

/// The lines, of which those over the objects are last.
fn lines(bench: &mut Bench) -> Vec<Segment> {
    let view = bench.stage().view();
    [view.segments, view.over_objects].concat()
}

fn present(bench: &Bench) -> Vec<Aabb> {
    bench.session().motion().boxes().to_vec()
}

fn is_rgb(color: Color, [r, g, b, _]: Color) -> bool {
    color[..3] == [r, g, b]
}

/// The numbers that are drawn in the scene, or beside it.
fn numbers(bench: &Bench, in_scene: bool) -> Vec<u32> {
    let right = bench.harness.state().scene.right();
    let texts = bench.texts().into_iter().filter(|(_, at, _)| (at.right() < right) == in_scene);
    texts.filter_map(|(text, ..)| text.parse().ok()).collect()
}

#[test]
fn overlays_of_an_algorithm_are_offered_and_shown() {
    for entry in ALGORITHMS {
        let mut bench = Bench::of(entry.id);
        for overlay in Overlay::ALL {
            let name = match overlay {
                Overlay::Regions => entry.regions().noun[1],
                overlay => overlay.name(),
            };
            let name = format!("{}{}", name[..1].to_uppercase(), &name[1..]);
            let is_offered = bench.has(Role::CheckBox, &name);
            assert_eq!(is_offered, entry.shows(overlay), "{}: {name}", entry.id);
            if is_offered {
                bench.click(Role::CheckBox, &name);
                assert!(bench.draw().shows(overlay), "{}: {name}", entry.id);
            }
        }
        let none = bench.has(Role::Label, "none: all pairs are tested");
        assert_eq!(none, entry.tests_all_pairs(), "{}", entry.id);
    }
}

#[test]
fn bars_have_the_colours_of_their_objects_beside_a_picked_one() {
    for (id, overlay, scene) in [
        ("sap-matrix", Overlay::Endpoints, crowded()),
        ("sweep-grid", Overlay::Regions, small(3000, 0.01)),
        ("kd-sap", Overlay::Regions, small(3000, 0.01)),
        ("rest-grid", Overlay::Regions, Scene { speed: 0.0, ..small(400, 0.03) }),
    ] {
        let mut bench = of(id, scene, &[overlay]);
        bench.steps(if id == "rest-grid" { 20 } else { 4 });
        let object = bench.session().pairs()[0].a;
        bench.pick(Some(object));
        let (segments, all, picked) =
            (lines(&mut bench), present(&bench), bench.stage().snapshot.picked.clone().unwrap());
        let sweeps = &picked.sweeps;
        let bar = |axis: usize, b: &Aabb, color: Color| {
            let is_bar = |s: &Segment| s.a[axis] == b.min[axis] && s.b[axis] == b.max[axis];
            segments.iter().any(|s| is_bar(s) && is_rgb(s.color, color))
        };
        let mut tested = 0;
        for (other, b) in (0..).zip(&all) {
            let is_marked = overlay == Overlay::Regions && !sweeps.carried.contains(&other);
            let expected = match other {
                _ if other == object => THEME.picked,
                _ if picked.hits.contains(&other) => THEME.hit,
                _ if picked.is_known_with(other) => continue,
                _ if picked.candidates.contains(&other) => THEME.candidate,
                _ if picked.tested.contains(&other) && is_marked => THEME.tested,
                _ => continue,
            };
            assert!((0..3).any(|axis| bar(axis, b, expected)), "{id}: {other}");
            tested += usize::from(expected == THEME.tested);
        }
        if overlay == Overlay::Endpoints {
            // An object that is no candidate overlaps it on some axes.
            for (axis, b) in (0..3).flat_map(|axis| all.iter().map(move |b| (axis, b))) {
                let own = all[object as usize];
                let overlaps = b.min[axis] <= own.max[axis] && own.min[axis] <= b.max[axis];
                let green = bar(axis, b, THEME.overlap);
                assert!(overlaps || !green, "{b:?} on {axis}");
            }
            assert!(segments.iter().any(|s| is_rgb(s.color, THEME.overlap)));
        } else if id == "rest-grid" {
            let lit = |s: &&Segment| [THEME.overlap, THEME.tested].contains(&s.color);
            assert_eq!(segments.iter().filter(lit).count(), 0, "nothing is tested");
        } else {
            assert!(tested > 3 && tested < 300, "{id}: {tested}");
            bench.set_up(|panel| panel.view.set(overlay, false));
            assert!(lines(&mut bench).len() + 100 < segments.len(), "{}: no bars", id);
        }
    }
}

#[test]
fn of_many_objects_a_part_is_drawn_and_reported() {
    let mut bench = of("bvh-linear", small(30_000, 0.001), &Overlay::ALL);
    bench.set_up(|panel| panel.view.tree_levels.depth = 99);
    let boxes = boxes(&mut bench).len();
    assert!(boxes > MAX_BOXES / 2 && boxes <= MAX_BOXES, "{boxes}");
    assert_eq!(lines(&mut bench).len(), MAX_PAIRS * 3 / 4 - 1, "the curve");
    let note = "15,000 of 30,000 points are drawn";
    assert!(bench.says("of these 59,999 are drawn") && bench.says(note));
    // Objects with two ticks and a bar with its ends, and the rail.
    bench.choose("sap-1-axis");
    bench.steps(1);
    assert_eq!(lines(&mut bench).len(), 2_000 * 5 + 1);
    assert!(bench.says("2,000 of 30,000 objects are drawn"));
}

#[test]
fn escaped_objects_flash_with_the_fat_boxes_that_they_left() {
    for id in ["neighbour-list", "bvh-incremental"] {
        let (mut left, mut unmarked) = (0, 0);
        for speed in [0.1, 0.3, 0.6, 1.0, 2.0] {
            let scene = Scene { speed, ..small(12, 0.05) };
            let mut bench = of(id, scene, &[Overlay::FatBoxes]);
            for _ in 0..60 {
                bench.steps(1);
                let (boxes, lines) = (boxes(&mut bench), lines(&mut bench));
                let snapshot = &bench.stage().snapshot;
                let escapes = &snapshot.changed.escapes.fresh;
                for (Escape { object, before }, fresh) in escapes {
                    // Where the scene stands still, changes of earlier steps are not marked.
                    assert_eq!(*fresh, 1.0);
                    let b = snapshot.bounds_of(*object).unwrap();
                    let is_its = |wire: &WireBox| wire.bounds == b && wire.color == THEME.mark;
                    assert!(boxes.iter().any(is_its), "{id}: {object}");
                    let Some(fat) = before.filter(|fat| fat.union(&b) != *fat) else { continue };
                    let dashes = lines.iter().filter(|dash| dash.color == THEME.mark);
                    let corners = dashes.filter(|dash| dash.a == fat.min.to_array()).count();
                    assert_eq!(corners, 3, "{id}: a dash along each axis");
                    left += 1;
                }
                let holds = |(of, _): &&(Escape, f32)| {
                    let b = snapshot.bounds_of(of.object).unwrap();
                    of.before.is_some_and(|fat| fat.union(&b) != fat)
                };
                let outside = escapes.iter().filter(holds).count();
                assert_eq!(former_fat_boxes(snapshot).count(), outside, "{id}: {escapes:?}");
                unmarked += usize::from(escapes.is_empty());
            }
        }
        assert!(left > 0 && unmarked > 0, "{id}: {left} {unmarked}");
    }
}

#[test]
fn exchanged_ends_are_marked_and_few_objects_framed() {
    for (objects, is_framed) in [(12, true), (13, false)] {
        let scene = Scene { objects, ..crowded() };
        let mut bench = of("sap-incremental", scene, &[Overlay::Endpoints]);
        let mut exchanged = 0;
        for _ in 0..60 {
            bench.steps(1);
            let boxes = boxes(&mut bench);
            let marked = boxes.iter().filter(|b| b.color == THEME.mark).count();
            let lines = lines(&mut bench);
            let snapshot = &bench.stage().snapshot;
            let exchanges = &snapshot.changed.exchanges;
            let work = snapshot.search.work.iter().find(|work| work.name == "exchanges").unwrap();
            assert_eq!(exchanges.now as u64, work.count);
            // Those of this step are opaque: a lower and an upper end each, and their bars.
            let ends = lines.iter().filter(|s| s.color == THEME.mark).count();
            assert_eq!(ends, 4 * exchanges.now);
            assert_eq!(marked, if is_framed { 2 * exchanges.now } else { 0 });
            let fresh = exchanges.fresh.iter().find(|(_, fresh)| *fresh == 1.0).map(|(of, _)| *of);
            let Some(axis) = fresh.map(|of| of.axis) else { continue };
            exchanged += 1;
            let label = format!("The list on {}, a row for each object:", axis.name());
            assert_eq!(bench.says(&label), is_framed, "{objects}");
            if is_framed {
                let boxes = present(&bench);
                let low = |object: u32| boxes[object as usize].min[axis.index()];
                let mut order: Vec<u32> = (0..objects).collect();
                order.sort_by(|a, b| low(*a).total_cmp(&low(*b)));
                let is_order = |part: &[u32]| part == order;
                assert!(numbers(&bench, false).windows(order.len()).any(is_order), "{order:?}");
            }
        }
        assert!(exchanged > 0, "no ends are exchanged");
    }
}

#[test]
fn moved_planes_flash_and_are_dashed_where_they_were() {
    let mut bench = of("kd-tree", crowded(), &[Overlay::Planes]);
    // Planes below the drawn depth flash, too.
    bench.set_up(|panel| panel.view.plane_depth = 0);
    let (mut seen, mut unseen) = (0, 0);
    for _ in 0..120 {
        bench.steps(1);
        let moved = bench.stage().snapshot.changed.planes.fresh.clone();
        let lines = lines(&mut bench);
        let dashes: Vec<&Segment> = lines.iter().filter(|s| s.color == THEME.mark).collect();
        let before = || moved.iter().filter_map(|(moved, _)| moved.before);
        let is_there =
            |at: &&Segment| before().any(|plane| at.a[plane.axis.index()] == plane.position);
        assert_eq!(dashes.is_empty(), before().next().is_none());
        assert!(dashes.iter().all(is_there));
        let flashing =
            bench.stage().view().rectangles.iter().filter(|of| is_rgb(of.fill, THEME.mark)).count();
        assert_eq!(flashing, moved.len());
        seen += u32::from(!dashes.is_empty());
        unseen += u32::from(dashes.is_empty());
        // Objects on both sides are counted; those that are cut twice.
        let Some((plane, _)) = moved.last() else { continue };
        let (axis, at) = (plane.now.axis.index(), plane.now.position);
        let boxes = present(&bench);
        let inside = boxes.iter().filter(|b| b.overlaps(&plane.now.cell));
        let low = inside.clone().filter(|b| b.min[axis] < at).count();
        let high = inside.filter(|b| b.max[axis] >= at).count();
        let [below, above] = [low, high].map(|on| on * on.saturating_sub(1) / 2);
        let now = format!("now: {low} | {high} objects, {below} + {above} pairs");
        assert!(bench.says(&now), "{now}");
    }
    assert!(seen > 0 && unseen > 0, "{seen} {unseen}");
}

#[test]
fn diagrams_of_trees_have_all_nodes_and_stay_when_picked() {
    for id in ["bsp", "kd-sap"] {
        let mut bench = of(id, crowded(), &[Overlay::Planes, Overlay::Regions]);
        for object in [None, Some(7)] {
            bench.pick(object);
            let inspect = bench.session().structure().inspect();
            let (planes, mut lists) = (planes_of(inspect).len(), 0);
            for_each_region(inspect, &mut |_| lists += 1);
            let Stage { snapshot, panel, .. } = bench.stage();
            let legend = snapshot.drawing.legend(&panel.view);
            let mut entries = legend.into_iter();
            let nodes = entries.find_map(|entry| match entry {
                Entry::Tree(nodes) => Some(nodes),
                _ => None,
            });
            let nodes = nodes.unwrap();
            let texts = |is_leaf| {
                let of_kind = nodes.iter().filter(move |node| node.is_leaf == is_leaf);
                of_kind.filter_map(|node| node.text.clone()).collect::<Vec<_>>()
            };
            let leaves = lists - if id == "kd-sap" { planes } else { 0 };
            assert_eq!((texts(false).len(), texts(true).len()), (planes, leaves), "{id}");
            assert!(texts(false).iter().all(|text| text.starts_with(['x', 'y', 'z'])));
            assert!(texts(true).iter().all(|text| text.parse::<u32>().is_ok()));
        }
    }
    let mut bench = of("octree-loose", crowded(), &[Overlay::TreeBoxes]);
    for object in [Some(7), None] {
        bench.pick(object);
        assert!(bench.says("its root on top"), "{object:?}");
    }
    let leaves =
        |bench: &mut Bench| boxes(bench).iter().filter(|b| is_rgb(b.color, THEME.leaf)).count();
    assert!(leaves(&mut bench) > 0);
    bench.show(&[Overlay::Regions.into()]);
    assert_eq!(leaves(&mut bench), 0, "they are drawn as cells");
}

#[test]
fn rotations_are_drawn_and_a_single_one_is_named() {
    let overlays = [Overlay::TreeBoxes, Overlay::FatBoxes];
    let (mut single, mut several) = (0, 0);
    for speed in [0.05, 0.6] {
        let mut bench = of("bvh-incremental", slow(speed), &overlays);
        for _ in 0..100 {
            bench.steps(1);
            let boxes = boxes(&mut bench);
            let snapshot = &bench.stage().snapshot;
            let changed = &snapshot.changed;
            let number = |color| boxes.iter().filter(|wire| is_rgb(wire.color, color)).count();
            let rotations = &changed.rotations.fresh;
            assert_eq!(number(THEME.rotated), 2 * rotations.len());
            assert_eq!(number(THEME.mark), changed.escapes.fresh.len());
            let all = snapshot.search.work.iter().find(|work| work.name == "rotations").unwrap();
            let undone = all.count - changed.rotations.now as u64;
            let lately = changed.rotations.lately;
            let (is_single, number) = (rotations.len() == 1, rotations.len());
            let label = format!("{undone} more in this step, no longer in place.");
            assert_eq!(bench.says(&label), undone > 0 && lately > 0, "{undone}");
            assert_eq!(bench.says("A went down a level, B up: "), is_single);
            assert_eq!(bench.draws("A"), is_single, "in the scene");
            single += u32::from(is_single);
            several += u32::from(number > 1);
        }
    }
    assert!(single > 0 && several > 0, "{single} {several}");
}

#[test]
fn way_of_a_picked_object_through_a_structure_is_drawn() {
    for (id, overlay, scene) in [
        ("kd-tree", Overlay::Planes, crowded()),
        ("bvh-linear", Overlay::TreeBoxes, crowded()),
        ("octree-loose", Overlay::Regions, sizes(400)),
        ("grid-hierarchical", Overlay::Regions, sizes(50)),
    ] {
        let mut bench = of(id, scene, &[overlay]);
        let mut met = HashSet::new();
        for object in 0..50 {
            bench.pick(Some(object));
            let picked = bench.stage().snapshot.picked.clone().unwrap();
            let boxes = boxes(&mut bench);
            // Drawn up to the walls.
            let is_drawn = |node: &Visited, color: Color| {
                let covers = |b: &WireBox| node.bounds.union(&b.bounds) == node.bounds;
                boxes.iter().any(|b| is_rgb(b.color, color) && covers(b))
            };
            for node in &picked.visited {
                met.insert(node.outcome == Outcome::Holds);
                assert!(match node.outcome {
                    Outcome::Holds => is_drawn(node, THEME.picked),
                    Outcome::Searched => is_drawn(node, THEME.overlap),
                    Outcome::Rejected => true,
                });
            }
        }
        assert_eq!(met.len(), 2, "{id}");
    }
}

#[test]
fn blocks_that_a_picked_object_is_compared_with_are_drawn() {
    let mut bench = of("sweep-grid", small(3000, 0.02), &[Overlay::Blocks]);
    let with_width = |bench: &mut Bench, width: f32| -> Vec<Color> {
        boxes(bench).iter().filter(|b| b.width == width).map(|b| b.color).collect()
    };
    let all = with_width(&mut bench, 1.25).len();
    assert!(all > 16 && all <= 32 && bench.says(&format!("{all} of ")), "{all} of a column");
    for object in 0..100 {
        bench.pick(Some(object));
        let compared = with_width(&mut bench, 1.75);
        let [own, ahead] = [THEME.picked, THEME.overlap]
            .map(|color| compared.iter().filter(|of| **of == color).count());
        let plural = if ahead == 1 { "" } else { "s" };
        let label = format!("{ahead} block{plural} ahead that it is compared with");
        assert_eq!(bench.says(&label), ahead > 0, "{object}: {own} own, {ahead} ahead");
        assert!(own > 0 && with_width(&mut bench, 1.25).len() <= 32 + compared.len());
    }
}

/// The drawn primitives: for each kind of primitive, colour and width the number, the mean opacity and the mean place; and the texts.
fn primitives(bench: &mut Bench) -> String {
    let Theme { hit, candidate, tested, overlap, picked, mark, rotated, rail, leaf, .. } = THEME;
    let Theme { source, selected_pane_edge: own, ends, cached, planes, .. } = THEME;
    let [x, y, z] = planes.map(|[r, g, b]| [r, g, b, 255]);
    let names = [
        ("hit", hit),
        ("candidate", candidate),
        ("tested", tested),
        ("overlap", overlap),
        ("picked", picked),
        ("mark", mark),
        ("rotated", rotated),
        ("rail", rail),
        ("leaf", leaf),
        ("source", source),
        ("own", own),
        ("low", ends[0]),
        ("high", ends[1]),
        ("x", x),
        ("y", y),
        ("z", z),
        ("cached 0", cached[0]),
        ("cached 1", cached[1]),
        ("cached 2", cached[2]),
    ];
    let mut sums: BTreeMap<String, [f64; 5]> = BTreeMap::new();
    let mut add = |kind: &str, color: Color, width: f32, [a, b]: [Vec3; 2]| {
        let named = names.iter().find(|(_, of)| is_rgb(color, *of));
        let name = named.map_or("scale", |(name, _)| name);
        // The second end counts twice: exchanged ends have another mean.
        let place = (a + 2.0 * b).as_dvec3();
        let values = [1.0, f64::from(color[3]), place.x, place.y, place.z];
        let sum = sums.entry(format!("{kind} {name} {width:.2}")).or_default();
        sum.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
    };
    let view = bench.stage().view();
    for sphere in view.spheres {
        add("sphere", sphere.color, sphere.radius, [sphere.center.into(); 2]);
    }
    for wire in view.boxes {
        add("box", wire.color, wire.width, [wire.bounds.min, wire.bounds.max]);
    }
    for of in view.rectangles {
        add("plane", of.fill, of.width, [of.bounds.min, of.bounds.max]);
    }
    for (kind, lines) in [("line", view.segments), ("over", view.over_objects)] {
        lines.iter().for_each(|of| add(kind, of.color, of.width, [of.a.into(), of.b.into()]));
    }
    let line = |(kind, [n, alpha, x, y, z]): (String, [f64; 5])| {
        let [alpha, x, y, z] = [alpha, x, y, z].map(|sum| sum / n);
        format!("{n} {kind}: {alpha:.0} at {x:.2} {y:.2} {z:.2}\n")
    };
    let lines: String = sums.into_iter().map(line).collect();
    let Stage { snapshot, panel, .. } = bench.stage();
    let labels = snapshot.drawing.groups(&panel.view).flat_map(|group| &group.labels);
    let texts: Vec<&str> = labels.map(|label| &label.text[..]).collect();
    format!("{lines}{}\n", texts.join(" "))
}

#[test]
fn primitives_of_every_overlay_are_those_of_the_snapshot() {
    let two = vec![sim::scene::Source { percent: 50.0, ..crowded().sources[0] }; 2];
    let flat = sim::scene::Source { size: Vec3::new(2.0, 2.0, 0.4), ..crowded().sources[0] };
    let families = ALGORITHMS.families().map(|entry| (entry.id, crowded(), 4));
    let mut text = String::new();
    for (id, scene, steps) in families.chain([
        ("kd-tree", Scene { sources: two, ..crowded() }, 0),
        ("kd-sap", small(3000, 0.01), 3),
        ("sweep-grid", small(3000, 0.01), 3),
        ("rest-grid", Scene { speed: 0.0, ..small(400, 0.03) }, 19),
        ("octree-loose", small(400, 0.03), 0),
        ("octree-loose", Scene { sources: vec![flat], ..small(50, 0.05) }, 0),
        ("grid-hierarchical", sizes(50), 0),
        ("bvh-linear", small(9, 0.15), 0),
        ("bvh-bottom-up", small(8, 0.15), 0),
        ("neighbour-list", slow(0.01), 2),
    ]) {
        let mut bench = of(id, scene, &Overlay::ALL);
        bench.stage().panel.view.set(Row::Sources, true);
        bench.steps(steps);
        let object = bench.session().pairs().first().map_or(7, |pair| pair.a);
        for picked in [None, Some(object)] {
            bench.pick(picked);
            text += &format!("== {id}, {picked:?} ==\n{}\n", primitives(&mut bench));
        }
    }
    assert_words("overlays", &text);
}
