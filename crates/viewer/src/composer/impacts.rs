//! First contacts within the step, the paths of the bodies that met, and bodies that waited.

use crate::scene_renderer::{Segment, Theme, WireBox};
use crate::simulation::{MAX_BOXES, Snapshot};
use crate::view::{Row, View};
use glam::Vec3;

/// Half the size of a first contact's mark and the length of its normal, in radii of the smaller body.
const MARK: f32 = 0.2;
const NORMAL: f32 = 1.0;

/// A mark at each first contact with its normal, both in the colour of its time, and two lines for the path of each body:
/// up to the contact, and from there to the end of the step. Of the first [`MAX_BOXES`] contacts at most.
pub(super) fn compose(
    snapshot: &Snapshot,
    options: &View,
    theme: &Theme,
    segments: &mut Vec<Segment>,
) {
    let Some(bodies) = &snapshot.objects.bodies else { return };
    let mut add = |a: Vec3, b: Vec3, color, width| {
        segments.push(Segment { a: a.to_array(), b: b.to_array(), color, width });
    };
    for impact in bodies.impacts.contacts.iter().take(MAX_BOXES) {
        if options.shows(Row::Paths) {
            for [start, met, end] in impact.paths {
                add(start, met, theme.overlap, 2.0);
                add(met, end, theme.hit, 2.0);
            }
        }
        if options.shows(Row::Impacts) {
            let [r, g, b] = theme.on_scale(impact.share);
            let color = [r, g, b, 255];
            for axis in Vec3::AXES {
                let aside = axis * (MARK * impact.radius);
                add(impact.point - aside, impact.point + aside, color, 2.5);
            }
            let tip = impact.point + impact.normal * (NORMAL * impact.radius);
            add(impact.point, tip, color, 1.5);
        }
    }
}

/// A box around each body that waited.
pub(super) fn compose_waiting(
    snapshot: &Snapshot,
    options: &View,
    theme: &Theme,
    boxes: &mut Vec<WireBox>,
) {
    let Some(bodies) = snapshot.objects.bodies.as_ref().filter(|_| options.shows(Row::Waiting))
    else {
        return;
    };
    let waiting = bodies.impacts.waiting.iter().take(MAX_BOXES);
    let bounds = waiting.filter_map(|object| snapshot.bounds_of(*object));
    boxes.extend(bounds.map(|bounds| WireBox { bounds, color: theme.rotated, width: 2.0 }));
}
