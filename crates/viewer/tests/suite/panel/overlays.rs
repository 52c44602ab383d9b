//! Overlays of a structure: which are offered, and what each draws. Their words are in the snapshot of the legend.

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

/// The nodes of the tree.
fn nodes(bench: &Bench) -> Vec<TreeBox> {
    bench.marks(Overlay::TreeBoxes, |mark| match mark {
        Mark::Node(node) => Some(node),
        _ => None,
    })
}

fn boxes(bench: &mut Bench) -> Vec<WireBox> {
    bench.stage().view().boxes.to_vec()
}

/// The lines, of which those over the objects are last.
fn lines(bench: &mut Bench) -> Vec<Segment> {
    let view = bench.stage().view();
    [view.segments, view.over_objects].concat()
}

fn colors(bench: &mut Bench) -> Vec<Color> {
    bench.stage().view().spheres.iter().map(|sphere| sphere.color).collect()
}

fn picked(bench: &Bench) -> Picked {
    bench.harness.state().snapshot.picked.clone().unwrap()
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
fn boxes_of_a_tree_are_drawn_by_depth() {
    let mut bench = of("bvh-linear", crowded(), &[]);
    assert!(boxes(&mut bench).is_empty() && !bench.has(Role::Slider, "depth"));
    bench.click(Role::CheckBox, "Boxes");
    let nodes = nodes(&bench);
    let is_leaf = |b: &&WireBox| is_rgb(b.color, THEME.leaf);
    for depth in 0..8 {
        bench.click(Role::Button, "up to");
        bench.set(Role::Slider, "depth", f64::from(depth));
        let up_to = nodes.iter().filter(|node| node.depth <= depth).count();
        assert_eq!(boxes(&mut bench).len(), up_to, "up to {depth}");
        assert!(bench.says(&format!("{up_to} of 99 boxes")));
        bench.click(Role::Button, "only");
        let (boxes, nodes) = (boxes(&mut bench), nodes.iter().filter(|node| node.depth == depth));
        let leaves = nodes.clone().filter(|node| node.is_leaf).count();
        let drawn = (boxes.len(), boxes.iter().filter(is_leaf).count());
        assert_eq!(drawn, (nodes.count(), leaves), "only {depth}");
        // The colours span the depths that are drawn.
        let deepest = THEME.on_scale(if depth == 0 { 0.0 } else { 1.0 });
        assert!(boxes.iter().all(|b| is_leaf(&b) || b.color[..3] == deepest));
    }
    let mut bench = of("bvh-bottom-up", crowded(), &[Overlay::TreeBoxes]);
    let leaves = boxes(&mut bench).iter().filter(is_leaf).count();
    assert_eq!(leaves, 50, "all leaves, and few above");
}

#[test]
fn endpoint_lists_have_rails_ticks_and_bars() {
    let mut bench = of("sap-matrix", crowded(), &[Overlay::Endpoints]);
    let segments = lines(&mut bench);
    assert_eq!(segments.iter().filter(|s| s.color == THEME.rail).count(), 3);
    for (axis, color) in [(0, 0), (1, 1)] {
        // Every endpoint has a tick at its place on the axis.
        let ticks =
            segments.iter().filter(|s| is_rgb(s.color, THEME.ends[color]) && s.width == 2.0);
        let ends = present(&bench).into_iter().map(|b| [b.min, b.max][color][axis]);
        for end in ends {
            assert!(ticks.clone().any(|tick| tick.a[axis] == end && tick.b[axis] == end), "{end}");
        }
        assert_eq!(ticks.count(), 150);
    }
    // The rails lie outside of the scene.
    let inside = |p: [f32; 3]| Vec3::from(p).abs().max_element() < 1.0;
    assert!(!segments.iter().any(|s| inside(s.a) || inside(s.b)));
    bench.click(Role::CheckBox, "Endpoints");
    assert!(lines(&mut bench).is_empty());
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
        let (segments, all, picked) = (lines(&mut bench), present(&bench), picked(&bench));
        let sweeps = &picked.sweeps;
        let bar = |axis: usize, b: &Aabb, color: Color| {
            let is_bar = |s: &Segment| s.a[axis] == b.min[axis] && s.b[axis] == b.max[axis];
            segments.iter().any(|s| is_bar(s) && is_rgb(s.color, color))
        };
        let mut tested = 0;
        for (other, b) in (0..).zip(&all) {
            let is_told = overlay == Overlay::Regions && !sweeps.carried.contains(&other);
            let expected = match other {
                _ if other == object => THEME.picked,
                _ if picked.hits.contains(&other) => THEME.hit,
                _ if picked.is_known_with(other) => continue,
                _ if picked.candidates.contains(&other) => THEME.candidate,
                _ if picked.tested.contains(&other) && is_told => THEME.tested,
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
fn a_curve_joins_all_objects_in_its_order() {
    let few = Scene { objects: 9, ..crowded() };
    let mut bench = of("bvh-linear", few, &[Overlay::TreeBoxes, Overlay::Curve]);
    let points = bench.marks(Overlay::Curve, |mark| match mark {
        Mark::Point(point) => Some(point.to_array()),
        _ => None,
    });
    let segments = lines(&mut bench);
    let ends: Vec<_> = segments.iter().map(|s| [s.a, s.b]).collect();
    assert_eq!(ends, points.windows(2).map(|ends| [ends[0], ends[1]]).collect::<Vec<_>>());
    assert_eq!((points.len(), segments[0].color[..3].to_vec()), (9, THEME.on_scale(0.0).to_vec()));
    assert_eq!(segments[7].color[..3], THEME.on_scale(1.0));
    // The places of few objects stand below the tree as well.
    let all: Vec<u32> = (0..9).collect();
    assert!(numbers(&bench, false).windows(9).any(|part| part == all), "below the tree");
    let in_scene: HashSet<u32> = numbers(&bench, true).into_iter().collect();
    assert_eq!(in_scene, all.into_iter().collect(), "at the objects");
    assert!(["x", "y", "z"].iter().any(|axis| bench.draws(axis)), "the axes of inner nodes");
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
fn fat_boxes_surround_the_boxes_of_their_objects() {
    let mut bench = of("neighbour-list", slow(0.01), &[Overlay::FatBoxes]);
    bench.steps(3);
    let boxes = boxes(&mut bench).into_iter().filter(|b| is_rgb(b.color, THEME.cached[1]));
    let (fat, tight): (Vec<_>, Vec<_>) = boxes.partition(|b| b.width > 1.0);
    assert_eq!((fat.len(), tight.len()), (50, 50));
    for b in &present(&bench) {
        let around = |fat: &WireBox| fat.bounds != *b && fat.bounds.union(b) == fat.bounds;
        assert!(fat.iter().any(around) && tight.iter().any(|of| of.bounds == *b), "{b:?}");
    }
    let mut bench = of("rest-grid", slow(0.0), &[Overlay::FatBoxes]);
    bench.steps(20);
    let rests = |mark: Mark<'_>| matches!(mark, Mark::Box(BoxMark { role: 0, .. })).then_some(());
    let resting = bench.marks(Overlay::FatBoxes, rests).len();
    let is_grey = |[r, g, b, _]: &Color| r.abs_diff(*b) < 20 && g.abs_diff(*r) < 20;
    assert!(resting > 0, "nothing rests");
    assert_eq!(colors(&mut bench).iter().filter(|color| is_grey(color)).count(), resting);
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
fn cached_pairs_are_lines_and_those_that_overlap_stand_out() {
    let mut bench = of("neighbour-list", slow(0.01), &[Overlay::CachedPairs]);
    bench.steps(3);
    let segments = lines(&mut bench);
    let centers = bench.session().world().unwrap().positions().to_vec();
    let overlapping: Vec<_> = segments.iter().filter(|s| s.width == 2.0).collect();
    assert_eq!(overlapping.len(), bench.session().pairs().len());
    for pair in bench.session().pairs() {
        let [a, b] = [pair.a, pair.b].map(|object| centers[object as usize]);
        let near = |end: Vec3, at: [f32; 3]| end.abs_diff_eq(Vec3::from(at), 1e-5);
        assert!(overlapping.iter().any(|s| near(a, s.a) && near(b, s.b)), "{pair:?}");
    }
    let cached = bench.cached_pairs();
    assert!(segments.len() == cached.len() && cached.len() > overlapping.len());
    let object = cached[0].pair.a;
    bench.pick(Some(object));
    let number = cached.iter().filter(|of| [of.pair.a, of.pair.b].contains(&object)).count();
    let is_lit = |b: &&WireBox| b.color == THEME.overlap && b.width == 2.0;
    assert_eq!(boxes(&mut bench).iter().filter(is_lit).count(), number);
    let view = bench.stage().view();
    let opaque = view.over_objects.iter().filter(|line| line.width > 2.0).count();
    assert_eq!((view.over_objects.len(), opaque), (cached.len(), number));
}

#[test]
fn loose_bounds_are_dashed_for_the_picked_sphere_alone() {
    let mut bench = of("octree-loose", small(400, 0.03), &[Overlay::TreeBoxes]);
    let dashes = |bench: &mut Bench| -> Vec<Segment> {
        let own = |s: &Segment| s.color == THEME.selected_pane_edge;
        lines(bench).into_iter().filter(own).collect()
    };
    assert!(dashes(&mut bench).is_empty());
    let (mut whole, mut cut) = (0, 0);
    for object in 0..40 {
        bench.pick(Some(object));
        let dashes = dashes(&mut bench);
        let space = bench.stage().snapshot.objects.space;
        let loose = picked(&bench).loose[0];
        if space.union(&loose) == space {
            assert_eq!(dashes.len(), 12 * 16, "a cube of sixteen dashes an edge");
            whole += 1;
        } else {
            // Cut off at the walls, near which objects may be.
            let mut ends = dashes.iter().flat_map(|s| [s.a, s.b]).flatten();
            assert!(!dashes.is_empty() && ends.all(|end| end.abs() < 1.1));
            cut += 1;
        }
    }
    assert!(whole > 0 && cut > 0, "{whole} {cut}");
}

#[test]
fn cells_have_the_colours_of_their_levels() {
    let mut bench = of("grid-hierarchical", sizes(50), &[Overlay::Regions]);
    let boxes = boxes(&mut bench);
    let mut levels: BTreeMap<u32, usize> = BTreeMap::new();
    for_each_region(bench.session().structure().inspect(), &mut |cell| {
        *levels.entry(cell.region.depth).or_default() += 1;
    });
    assert!(levels.len() > 1, "{levels:?}");
    for (depth, number) in &levels {
        let share = *depth as f32 / (levels.len() - 1) as f32;
        let color = THEME.on_scale(0.35 + 0.65 * share);
        let of_level = boxes.iter().filter(|wire| wire.color[..3] == color);
        assert_eq!(of_level.count(), *number, "level {depth}");
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
fn blocks_of_the_column_of_a_picked_object_are_drawn() {
    let mut bench = of("sweep-grid", small(3000, 0.02), &[Overlay::Blocks]);
    let with_width = |bench: &mut Bench, width: f32| -> Vec<Color> {
        boxes(bench).iter().filter(|b| b.width == width).map(|b| b.color).collect()
    };
    let longest = bench.marks(Overlay::Blocks, |mark| match mark {
        Mark::Block(block) => Some(block.place + 1),
        _ => None,
    });
    let fullest = *longest.iter().max().unwrap();
    assert_eq!(with_width(&mut bench, 1.25).len(), fullest as usize, "of the fullest column");
    let mut on_border = 0;
    for object in 0..200 {
        bench.pick(Some(object));
        let blocks = bench.marks(Overlay::Blocks, |mark| match mark {
            Mark::Block(block) => Some((block.region, block.objects.contains(&object))),
            _ => None,
        });
        let own: HashSet<u32> = blocks.iter().filter(|of| of.1).map(|of| of.0).collect();
        let of_own = blocks.iter().filter(|of| own.contains(&of.0)).count();
        assert_eq!(with_width(&mut bench, 1.25).len(), of_own, "{object}");
        let compared = with_width(&mut bench, 1.75);
        let [own, ahead] = [THEME.picked, THEME.overlap]
            .map(|color| compared.iter().filter(|of| **of == color).count());
        // The own blocks of several columns are not ahead.
        on_border += usize::from(own > 1);
        let plural = if ahead == 1 { "" } else { "s" };
        let label = format!("{ahead} block{plural} ahead that it is compared with");
        assert_eq!(bench.says(&label), ahead > 0, "{object}: {own} own, {ahead} ahead");
    }
    assert!(on_border > 0, "no object is in two columns");

    let mut bench = of("box-pruning", crowded(), &[Overlay::Endpoints]);
    let before = lines(&mut bench).len();
    bench.show(&[Overlay::Blocks.into()]);
    let segments = lines(&mut bench);
    let begins = bench.marks(Overlay::Blocks, |mark| match mark {
        Mark::Block(block) => Some((block.axis.index(), block.bounds.min[block.axis.index()])),
        _ => None,
    });
    assert_eq!((begins.len(), segments.len()), (4, before + 4), "a bar each");
    let begins_a_bar = |(axis, low): &(usize, f32)| segments.iter().any(|s| s.a[*axis] == *low);
    assert!(begins.iter().all(begins_a_bar));
}

#[test]
fn objects_cut_by_a_plane_have_its_colour_and_lists_are_named() {
    let mut bench = of("kd-sap", crowded(), &[Overlay::Planes]);
    let is_of_plane = |color: &Color| THEME.planes.iter().any(|p| color[..3] == p[..]);
    let (colors, boxes) = (colors(&mut bench), boxes(&mut bench));
    let (mut held, mut texts) = (0, Vec::new());
    for_each_region(bench.session().structure().inspect(), &mut |list| {
        let number = list.region.objects;
        texts.push(match list.plane {
            Some(plane) => format!("{number} at plane {}", plane.name()),
            None => format!("{number}, sweep {}", list.axis.unwrap().name()),
        });
        let Some(plane) = list.plane else { return };
        let [r, g, b] = THEME.planes[plane.index()];
        for object in list.objects {
            assert_eq!(colors[*object as usize], [r, g, b, 255], "{object}");
            held += 1;
        }
    });
    assert!(held > 0);
    assert_eq!(colors.iter().filter(|of| is_of_plane(of)).count(), held);
    assert_eq!(boxes.iter().filter(|b| is_of_plane(&b.color)).count(), held, "outlined, too");
    bench.show(&[Overlay::Regions.into()]);
    texts.retain(|text| !text.starts_with('0'));
    assert!(texts.len() > 3 && texts.iter().all(|text| bench.draws(text)), "{texts:?}");
}

#[test]
fn tests_of_brute_force_are_lines_of_the_picked_object() {
    let mut bench = of("brute-force", crowded(), &[]);
    assert!(lines(&mut bench).is_empty());
    bench.pick(Some(7));
    assert_eq!(lines(&mut bench).len(), 49, "a line for each other object");
    bench.choose("bsp");
    assert_eq!(lines(&mut bench).len(), picked(&bench).candidates.len());
}

#[test]
fn moved_planes_flash_and_are_dashed_where_they_were() {
    let mut bench = of("kd-tree", crowded(), &[Overlay::Planes]);
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
            bench.stage().view().planes.iter().filter(|p| p.color == Some(THEME.mark)).count();
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
fn way_of_a_picked_object_through_a_structure_is_drawn() {
    for (id, overlay, scene) in [
        ("bsp", Overlay::Planes, crowded()),
        ("kd-tree", Overlay::Planes, crowded()),
        ("bvh-linear", Overlay::TreeBoxes, crowded()),
        ("octree-loose", Overlay::Regions, sizes(400)),
        ("grid-hierarchical", Overlay::Regions, sizes(50)),
    ] {
        let mut bench = of(id, scene, &[overlay]);
        let faintest = |boxes: &[WireBox]| boxes.iter().map(|b| b.color[3]).min();
        let before = faintest(&boxes(&mut bench));
        let is_divided = overlay == Overlay::Planes;
        let reached = if is_divided { Outcome::Rejected } else { Outcome::Searched };
        let object = (0..50).find(|object| {
            bench.pick(Some(*object));
            picked(&bench).visited.iter().any(|node| node.outcome == reached)
        });
        assert!(object.is_some(), "{id}: nothing is {reached:?}");
        let picked = picked(&bench);
        let nodes = |outcome| picked.visited.iter().filter(move |node| node.outcome == outcome);
        let (boxes, lines) = (boxes(&mut bench), lines(&mut bench));
        // Drawn up to the walls.
        let is_drawn = |node: &Visited, color: Color| {
            let covers = |b: &WireBox| node.bounds.union(&b.bounds) == node.bounds;
            boxes.iter().any(|b| is_rgb(b.color, color) && covers(b))
        };
        assert!(nodes(Outcome::Holds).all(|node| is_drawn(node, THEME.picked)), "{id}");
        assert!(nodes(Outcome::Searched).all(|node| is_drawn(node, THEME.overlap)), "{id}");
        let green = boxes.iter().filter(|b| is_rgb(b.color, THEME.overlap)).count();
        assert_eq!(green, nodes(Outcome::Searched).count(), "{id}");
        let dashes = lines.iter().filter(|s| is_rgb(s.color, THEME.rail)).count();
        assert!(nodes(Outcome::Rejected).count() == 0 || dashes > 0, "{id}");
        if id == "octree-loose" {
            let bright = boxes.iter().filter(|b| b.color == THEME.overlap).count();
            assert_eq!(bright, 1, "the one whose reach is dashed");
        }
        if overlay == Overlay::TreeBoxes {
            // The rest of the tree steps back; in the diagram, rejected nodes are hollow.
            assert!(faintest(&boxes) < before, "{before:?}");
            let Stage { snapshot, panel, .. } = bench.stage();
            let legend = snapshot.drawing.legend(&panel.view);
            let mut entries = legend.iter();
            let has_hollow = entries.any(|entry| match entry {
                Entry::Tree(nodes) => nodes.iter().any(|node| !node.is_filled),
                _ => false,
            });
            assert!(has_hollow);
        }
    }
}

#[test]
fn boxes_on_the_way_have_their_numbers() {
    for id in ["bvh-bottom-up", "bvh-top-down"] {
        let mut bench = of(id, Scene { objects: 8, ..crowded() }, &[Overlay::TreeBoxes]);
        bench.set_up(|panel| panel.view.tree_levels = Levels { depth: 9, only: false });
        bench.pick(Some(3));
        let nodes = nodes(&bench);
        let numbers = numbers(&bench, true);
        for visited in &picked(&bench).visited {
            let node = nodes.iter().find(|node| node.bounds == visited.bounds).unwrap();
            let is_numbered = node.step.is_none_or(|step| numbers.contains(&step));
            assert!(is_numbered || visited.outcome != Outcome::Holds, "{id}: {node:?}");
        }
    }
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
fn sources_step_back_beside_a_structure() {
    let halves = vec![sim::scene::Source { percent: 50.0, ..crowded().sources[0] }; 2];
    for (sources, step_back) in [(halves, true), (crowded().sources, false)] {
        let mut bench = of("kd-tree", Scene { sources, ..crowded() }, &[]);
        bench.show(&[Row::Sources]);
        let opacity = |bench: &mut Bench| {
            let boxes = boxes(bench);
            let source = boxes.iter().find(|b| is_rgb(b.color, THEME.source));
            source.expect("no source is drawn").color[3]
        };
        let whole = opacity(&mut bench);
        bench.show(&[Overlay::Regions.into()]);
        assert_eq!(opacity(&mut bench) < whole / 2, step_back);
    }
}

#[test]
fn cells_are_drawn_within_the_walls() {
    let flat = sim::scene::Source { size: Vec3::new(2.0, 2.0, 0.4), ..crowded().sources[0] };
    let scene = Scene { sources: vec![flat], ..small(50, 0.05) };
    let mut bench = of("octree-loose", scene, &[Overlay::Regions]);
    let (occupied, mut reach_out) = (bench.stage().snapshot.objects.occupied, 0);
    for_each_region(bench.session().structure().inspect(), &mut |cell| {
        reach_out += u32::from(occupied.union(&cell.region.bounds) != occupied);
    });
    assert!(reach_out > 0, "no cell reaches out");
    let boxes = boxes(&mut bench);
    let cells: Vec<_> = boxes.iter().filter(|wire| wire.width == 1.5).collect();
    let is_within = |wire: &&WireBox| occupied.union(&wire.bounds) == occupied;
    assert!(cells.len() > 3 && cells.iter().all(is_within));
}
