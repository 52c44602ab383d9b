//! Overlays of bodies: boxes for the broad phase, bounding volumes, contacts, first contacts, parts.

use super::drawing::{Entry, Group, Ink, Style, faint, solid};
use super::{MAX_BOXES, Source, strength};
use crate::format::compact;
use crate::session::Session;
use crate::simulation::{ShownBodies, Snapshot};
use crate::view::{ColorBy, Row, View};
use broadphase::Aabb;
use glam::Vec3;
use narrowphase::volume::Outline;
use narrowphase::{Body, Bounds, Part};
use sim::scene::MoveRule;
use sim::stages::Tally;
use sim::{Bodies, World};
use std::collections::HashMap;

/// Most volumes that are outlined, so that a snapshot takes a few milliseconds: a 26-DOP takes 20 to 30 us.
pub const MAX_VOLUMES: usize = 200;

/// Of two faces that share an edge, the one that runs along it in this direction has it drawn. No edge of a shape at
/// rest is normal to it.
const DIRECTION: Vec3 = Vec3::new(0.531, 0.713, 0.458);

/// Half the size of a contact point's mark, new, kept or unknown, and the length of a normal, in radii of the smaller
/// body.
const MARKS: [f32; 3] = [0.16, 0.1, 0.16];
const NORMAL: f32 = 0.8;

/// The same of first contacts.
const IMPACT: f32 = 0.2;
const IMPACT_NORMAL: f32 = 1.0;

/// The colours of new, kept and unknown contact points.
const CONTACTS: [Ink; 3] = [
    Ink::Of(|theme| theme.contacts[0]),
    Ink::Of(|theme| theme.contacts[1]),
    Ink::Of(|theme| theme.contacts[2]),
];

/// Colours of new and kept contact points where bodies that touch are red: as in the thesis (000 §6.2).
const OF_TOUCHING: [Ink; 2] = [Ink::Fixed([0, 255, 255, 255]), Ink::Fixed([255; 4])];

/// Outline of a standing figure's trunk and legs, in shares of its height: along x from its right edge, and above its feet.
const TRUNK: [[f32; 2]; 11] = [
    [-0.34, 0.64],
    [-0.45, 0.60],
    [-0.45, 0.0],
    [-0.37, 0.0],
    [-0.35, 0.28],
    [-0.33, 0.0],
    [-0.25, 0.0],
    [-0.25, 0.60],
    [-0.34, 0.64],
    [-0.35, 0.58],
    [-0.31, 0.36],
];

/// Centre and radius of its head, and sides of the polygon that draws it.
const HEAD: ([f32; 2], f32) = ([-0.2, 0.8], 0.2);
const SIDES: usize = 24;

/// Bodies, with the session that they are of.
#[derive(Clone, Copy)]
struct Of<'a> {
    snapshot: &'a Snapshot,
    shown: &'a ShownBodies,
    session: &'a Session,
    bodies: &'a Bodies,
    view: &'a View,
}

/// The groups of bodies that the view shows, in the order in which they are drawn, each with its place in the legend.
pub(super) fn draw(source: Source<'_>) -> Vec<(usize, Group)> {
    let Source { snapshot, session, view, .. } = source;
    let bodies = session.world().and_then(World::bodies);
    let Some((shown, bodies)) = snapshot.objects.bodies.as_ref().zip(bodies) else {
        return Vec::new();
    };
    let of = Of { snapshot, shown, session, bodies, view };
    type Draw = fn(&mut Group, Of<'_>);
    let all: [(usize, Row, Draw); 8] = [
        (0, Row::Aabbs, aabbs),
        (4, Row::Parts, parts),
        (5, Row::Volumes, volumes),
        (6, Row::Contacts, |group, of| contacts(group, of, false)),
        (7, Row::Normals, |group, of| contacts(group, of, true)),
        (2, Row::Paths, paths),
        (1, Row::Impacts, impacts),
        (3, Row::Waiting, waiting),
    ];
    // A convex body is its own part, though the panel offers no check box for it.
    let applies = |row| row == Row::Parts || snapshot.offers(row);
    let shown = all.into_iter().filter(|(_, row, _)| view.shows(*row) && applies(*row));
    let groups = shown.map(|(place, row, draw)| {
        let mut group = Group::of(row);
        draw(&mut group, of);
        (place, group)
    });
    groups.collect()
}

impl Group {
    fn above(&mut self, a: Vec3, b: Vec3, style: Style) {
        self.over.push(([a, b], style));
    }

    /// A cross of this reach.
    fn cross(&mut self, point: Vec3, reach: f32, ink: Ink) {
        for axis in Vec3::AXES {
            self.above(point - axis * reach, point + axis * reach, solid(ink, 2.5));
        }
    }
}

/// The boxes of the first bodies, [`MAX_BOXES`] at most.
fn aabbs(group: &mut Group, Of { snapshot, shown, .. }: Of<'_>) {
    let ink = Ink::SOURCE;
    let all = shown.boxes.len();
    let drawn = &shown.boxes[..all.min(MAX_BOXES)];
    drawn.iter().for_each(|bounds| group.wire(*bounds, faint(ink, strength(drawn.len()), 1.0)));
    let swept = "Swept AABBs of the bodies, over all of the step, for the broad phase";
    let at_end = "AABBs of the bodies, for the broad phase";
    group.swatch(ink, if snapshot.is_continuous() { swept } else { at_end });
    group.part(drawn.len(), all, "AABBs");
}

/// Outlines of the volumes by which the last candidates were tested: those of the picked body and its candidates, then those
/// of the others, by number. In a flat scene spheres are circles in its plane, within the bodies.
fn volumes(group: &mut Group, of: Of<'_>) {
    let Of { snapshot, shown, session, bodies, .. } = of;
    let kind = shown.methods.volume;
    group.title(format!("Bounding volumes: {}", kind.name), kind.summary);
    let picked = snapshot.picked.as_ref();
    let first = picked
        .iter()
        .flat_map(|picked| [picked.object].into_iter().chain(picked.candidates.iter().copied()));
    let is_first = |object: &u32| picked.is_some_and(|picked| picked.concerns(*object));
    let others = (0..bodies.states().len() as u32).filter(|object| !is_first(object));
    let all = first.chain(others).take(if session.is_searched() { MAX_VOLUMES } else { 0 });
    let volume_of = |object: u32| session.stages().volume_of(bodies, object as usize);
    let drawn: Vec<(Outline, Option<f64>)> = all.map_while(volume_of).collect();
    let style = faint(Ink::LEAF, strength(drawn.len()), 1.25);
    let is_flat = snapshot.input.scene.flat;
    for (outline, _) in &drawn {
        let edges = match outline {
            Outline::Sphere { center, radius } if !is_flat => {
                group.spheres.push((center.as_vec3(), *radius as f32, style));
                continue;
            }
            Outline::Sphere { center, radius } => {
                circle(center.as_vec3(), [Vec3::X, Vec3::Z].map(|axis| axis * *radius as f32))
                    .collect()
            }
            Outline::Faces(faces) => edges(faces),
        };
        for [a, b] in edges {
            match is_flat {
                true => group.above(a, b, style),
                false => group.line(a, b, style),
            }
        }
    }
    let (number, all) = (drawn.len(), shown.shape_of.len());
    if number > 0 && kind.id != "none" {
        group.swatch(Ink::LEAF, "their outlines");
    }
    let sum = drawn.iter().try_fold(0.0, |sum, (_, ratio)| Some(sum + (*ratio)?));
    if let Some(sum) = sum.filter(|_| number > 0) {
        let of = if number < all { format!(" of {number}") } else { String::new() };
        let ratio = sum / number as f64;
        group.figure(format!("volume: {ratio:.2} times the body's, mean{of}"));
        let parts = |shape: &u32| shown.catalogue.shapes()[*shape as usize].shape.parts().len();
        if shown.shape_of.iter().any(|shape| parts(shape) > 1) {
            group.say("Where parts of a body overlap, its volume counts twice.");
        }
    }
    match snapshot.search.found.and_then(|found| found.stages).map(|stages| stages.volume) {
        None => {}
        Some(tally) if tally.tests == 0 => group.figure("no candidates in this step"),
        Some(tally) => {
            let [passed, tests] = [tally.passed, tally.tests].map(|number| compact(number as f64));
            group.figure(format!("{passed} of {tests} candidates pass"));
            group.figure(volume_words(&tally));
        }
    }
    if number < all && number > 0 {
        let all = compact(all as f64);
        group.note(format!(
            "The first {MAX_VOLUMES} of {all} bodies are outlined; click one for its neighbours"
        ));
    }
}

/// The edges of a polyhedron, each once, given its faces counterclockwise from outside.
fn edges(faces: &[Vec<glam::DVec3>]) -> Vec<[Vec3; 2]> {
    let ends = faces.iter().flat_map(|face| face.iter().zip(face.iter().cycle().skip(1)));
    let ends = ends.map(|(from, to)| [from.as_vec3(), to.as_vec3()]);
    ends.filter(|[from, to]| (*to - *from).dot(DIRECTION) > 0.0).collect()
}

/// Sides of the polygon that outlines a sphere.
const OUTLINE: usize = 32;

/// The sides of a circle with these radii at a right angle.
pub(crate) fn circle(middle: Vec3, [u, v]: [Vec3; 2]) -> impl Iterator<Item = [Vec3; 2]> {
    let at = move |side: usize| {
        let angle = std::f32::consts::TAU * side as f32 / OUTLINE as f32;
        middle + u * angle.cos() + v * angle.sin()
    };
    (0..OUTLINE).map(move |side| [at(side), at(side + 1)])
}

/// A mark at each contact point, its colour by whether it is new, or a line along its normal. Both are drawn over the bodies,
/// which overlap there, and for the first [`MAX_BOXES`] points at most.
fn contacts(group: &mut Group, of: Of<'_>, are_normals: bool) {
    let Of { session, bodies, view, .. } = of;
    let radius = |object: u32| bodies.body(object as usize).bounding_radius();
    let at = (session.motion().epoch(), session.steps());
    let mut inks = CONTACTS;
    if view.color == ColorBy::Touching {
        inks[..2].copy_from_slice(&OF_TOUCHING);
    }
    // By age: new, kept, unknown.
    let mut counts = [0; 3];
    let points = session.stages().contact_points(at).filter(|_| session.is_searched());
    for (place, (found, is_kept)) in points.enumerate() {
        let age = is_kept.map_or(2, usize::from);
        counts[age] += 1;
        if place >= MAX_BOXES {
            continue;
        }
        let (point, ink) = (found.point.position.as_vec3(), inks[age]);
        let radius = radius(found.pair.a).min(radius(found.pair.b)) as f32;
        if are_normals {
            let tip = point + found.normal.as_vec3() * (NORMAL * radius);
            group.above(point, tip, solid(ink, 1.5));
        } else {
            group.cross(point, MARKS[age] * radius, ink);
        }
    }
    // The marks have the same colours.
    group.told_by = are_normals.then_some(Row::Contacts);
    let what = if are_normals { "contact normal" } else { "contact point" };
    let [new, kept, unknown] = counts.map(|number| compact(number as f64));
    if counts[2] > 0 {
        group.swatch(inks[2], format!("{unknown} {what}s; the step before was not seen"));
    } else {
        group.swatch(inks[0], format!("{new} {what}s, new"));
        group.swatch(inks[1], format!("{kept} {what}s, kept from the step before"));
    }
    let all = counts.iter().sum::<usize>();
    group.part(all.min(MAX_BOXES), all, "contact points");
}

/// The box of each part of each body, [`MAX_BOXES`] at most, and the figures that some bodies stand for (000 §6.4): the
/// driven ones that walk in a plane.
fn parts(group: &mut Group, Of { snapshot, shown, .. }: Of<'_>) {
    let objects = snapshot.objects.positions.iter().enumerate();
    let bodies = || objects.clone().filter_map(|(object, at)| shown.body(object, *at));
    let number = bodies().map(|body| body.shape.parts().len()).sum::<usize>().min(MAX_BOXES);
    let style = faint(Ink::Cached(1), strength(number), 1.25);
    let parts = bodies().flat_map(|body| body.shape.parts().iter().map(move |part| (body, part)));
    for (body, part) in parts.take(MAX_BOXES) {
        group.wire(bounds_of_part(&body, part), style);
    }
    group.swatch(Ink::Cached(1), "AABB of each part of a body");
    let scene = &snapshot.input.scene;
    let walks = scene.flat && scene.driving.rule == MoveRule::Walk;
    for object in snapshot.driven().filter(|_| walks) {
        let place = snapshot.objects.positions.get(object as usize);
        let body = place.and_then(|place| shown.body(object as usize, *place));
        body.iter().for_each(|body| figure(group, body));
    }
    if !group.over.is_empty() {
        group.swatch(Ink::PICKED, "the figure that the parts stand for");
    }
}

/// The smallest box of a part where its body is.
fn bounds_of_part(body: &Body<'_>, part: &Part) -> Aabb {
    let Body { scale, pose, .. } = *body;
    let mut bounds = Bounds::EMPTY;
    for vertex in part.core().vertices() {
        let at = pose.position + pose.rotation * (*vertex * scale);
        bounds = Bounds { min: bounds.min.min(at), max: bounds.max.max(at) };
    }
    let [min, max] = bounds.grown(part.radius() * scale).outward();
    Aabb { min, max }
}

/// A standing figure as high as its body, at its right edge.
fn figure(group: &mut Group, body: &Body<'_>) {
    let bounds = body.shape.bounds();
    let height = (bounds.max.z - bounds.min.z) as f32;
    let place = |[x, z]: [f32; 2]| {
        let local =
            Vec3::new(bounds.max.x as f32 + x * height, 0.0, bounds.min.z as f32 + z * height);
        let at = body.pose.position + body.pose.rotation * (local.as_dvec3() * body.scale);
        at.as_vec3()
    };
    let mut add = |a: [f32; 2], b: [f32; 2]| {
        group.above(place(a), place(b), solid(Ink::PICKED, 2.0));
    };
    TRUNK.windows(2).for_each(|ends| add(ends[0], ends[1]));
    let ([x, z], radius) = HEAD;
    let at = |side: usize| {
        let (sin, cos) = (std::f32::consts::TAU * side as f32 / SIDES as f32).sin_cos();
        [x + radius * cos, z + radius * sin]
    };
    (0..SIDES).for_each(|side| add(at(side), at(side + 1)));
}

/// A mark at each first contact with its normal, both in the colour of its time, for the first [`MAX_BOXES`] contacts.
fn impacts(group: &mut Group, Of { session, bodies, .. }: Of<'_>) {
    let time_step = f64::from(session.motion().time_step());
    let all = bodies.impacts();
    for impact in all.iter().take(MAX_BOXES) {
        let radii =
            [impact.pair.a, impact.pair.b].map(|of| bodies.body(of as usize).bounding_radius());
        let radius = radii[0].min(radii[1]) as f32;
        let (point, ink) = (impact.point.as_vec3(), Ink::Scale((impact.time / time_step) as f32));
        group.cross(point, IMPACT * radius, ink);
        let tip = point + impact.normal.as_vec3() * (IMPACT_NORMAL * radius);
        group.above(point, tip, solid(ink, 1.5));
    }
    let meaning = "Where and when bodies first touch in the step; the line is the normal.";
    group.title(format!("First contacts: {}", compact(all.len() as f64)), meaning);
    group.legend.push(Entry::Scale("start".to_owned(), "end of the step".to_owned()));
    group.part(all.len().min(MAX_BOXES), all.len(), "first contacts");
}

/// Two lines for the path of each body of the first contacts: up to the contact, and from its last one to the end of the step.
fn paths(group: &mut Group, Of { bodies, .. }: Of<'_>) {
    let all = bodies.impacts();
    for [start, met, end] in paths_of(bodies).into_iter().take(2 * MAX_BOXES) {
        group.above(start, met, solid(Ink::OVERLAP, 2.0));
        group.above(met, end, solid(Ink::HIT, 2.0));
    }
    group.legend.push(Entry::Heading("Paths of the bodies that met".to_owned()));
    group.swatch(Ink::OVERLAP, "from the start of the step to the last contact");
    group.swatch(Ink::HIT, "from there to the end of the step");
    group.part(all.len().min(MAX_BOXES), all.len(), "first contacts");
}

/// For both bodies of each first contact the centre of mass: at its contact before, or as the step began; at this time; and
/// as the step ended, if this is its last contact, or else again at this time.
fn paths_of(bodies: &Bodies) -> Vec<[Vec3; 3]> {
    let (mut paths, mut last): (Vec<[Vec3; 3]>, HashMap<u32, usize>) = Default::default();
    for impact in bodies.impacts() {
        for (object, then) in [impact.pair.a, impact.pair.b].into_iter().zip(impact.centres) {
            let then = then.as_vec3();
            let start = match last.insert(object, paths.len()) {
                Some(before) => {
                    paths[before][2] = paths[before][1];
                    paths[before][1]
                }
                None => bodies
                    .start_of(object as usize)
                    .map_or(then, |(body, _)| body.pose.position.as_vec3()),
            };
            paths.push([start, then, bodies.states()[object as usize].position.as_vec3()]);
        }
    }
    paths
}

/// A box around each body that waited.
fn waiting(group: &mut Group, Of { snapshot, bodies, .. }: Of<'_>) {
    let all = bodies.waiting_objects();
    for bounds in all.iter().take(MAX_BOXES).filter_map(|object| snapshot.bounds_of(*object)) {
        group.wire(bounds, solid(Ink::ROTATED, 2.0));
    }
    let waiting = compact(all.len() as f64);
    group.swatch(Ink::ROTATED, format!("{waiting} bodies waited: they had too many contacts"));
}

/// Right and wrong answers about the candidates that a bounding volume let pass.
pub(crate) fn volume_words(tally: &Tally) -> String {
    let Tally { passed, false_passed, missed, .. } = *tally;
    let share = match (passed, false_passed) {
        (0, _) => "None passed".to_owned(),
        (_, 0) => "All of them touch".to_owned(),
        _ => format!("{:.0} % of them do not touch", 100.0 * false_passed as f64 / passed as f64),
    };
    if missed == 0 {
        return share;
    }
    let touching = compact((passed - false_passed + missed) as f64);
    format!("{share}; {} of {touching} touching pairs are missed", compact(missed as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use measure::{Clock, MonotonicClock};
    use sim::SceneDocument;

    #[test]
    fn path_of_a_body_leads_from_contact_to_contact() {
        // The ball passes between two blocks several times in a step.
        let text = b"i -9 -9 -9 18 18 18 100 f\n#!objects 0\n#!continuous all\n#!dt 0.1\n\
            #!shape cube box 1 1 1\n#!shape ball sphere 0.25\n#!body cube -1 0 0  0 0 0  static\n\
            #!body cube 1 0 0  0 0 0  static\n#!body ball 0 0 0  20 0 0\n";
        let document = SceneDocument::parse("ball.scene", text).unwrap();
        let entry = broadphase::registry::find("bsp").unwrap();
        let clock: &'static dyn Clock = Box::leak(Box::new(MonotonicClock::new()));
        let mut session = Session::new("ball", document.scene(), entry, clock, None).unwrap();
        session.step(sim::Hold::None).unwrap();
        let world = session.world().unwrap();
        // The ball is the second of each pair.
        let paths = paths_of(world.bodies().unwrap());
        let paths: Vec<[Vec3; 3]> = paths.into_iter().skip(1).step_by(2).collect();
        assert!(paths.len() >= 3, "{paths:?}");
        assert!(paths.windows(2).all(|two| two[0][1..] == [two[1][0]; 2]), "{paths:?}");
        assert_eq!(paths[0][0], Vec3::ZERO);
        let end = world.positions()[2];
        assert!((paths[paths.len() - 1][2] - end).length() < 1e-6, "{paths:?}");
    }
}
