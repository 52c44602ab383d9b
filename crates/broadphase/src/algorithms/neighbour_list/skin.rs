//! How far boxes are inflated.

use crate::Aabb;
use crate::sample::{few, room};
use crate::scratch::resize_roomy;
use glam::Vec3;

/// Frames that a box is inflated for, ahead of an object that goes on as it did.
const FRAMES_AHEAD: f32 = 8.0;

/// Smallest and largest skin, as a share of the side of a usual box. Measured.
const THINNEST: f32 = 0.04;
const THICKEST: f32 = 0.2;

/// Largest skin of a box, as a share of its own side.
const OWN_THICKEST: f32 = 0.6;

/// Furthest that a box reaches ahead, as a share of its own side, and of that of a usual box.
const OWN_FARTHEST: f32 = 3.0;
const FARTHEST: f32 = 1.0;

/// The skin of all objects, and where each was when its box was inflated last.
#[derive(Debug, Default)]
pub(in crate::algorithms) struct Skin {
    /// On every side, units.
    thickness: f32,
    /// Furthest that a box reaches ahead, units.
    farthest: f32,
    /// The lower corner of each object when it was inflated, and in which frame that was.
    anchors: Vec<Vec3>,
    inflated_in: Vec<u32>,
    frame: u32,
    sides: Vec<f32>,
}

impl Skin {
    /// Another number of objects, of which nothing is known.
    pub(in crate::algorithms) fn resize(&mut self, objects: usize) {
        self.anchors.clear();
        resize_roomy(&mut self.anchors, objects, Vec3::NAN);
        self.inflated_in.clear();
        resize_roomy(&mut self.inflated_in, objects, 0);
    }

    /// A frame has begun.
    pub(in crate::algorithms) fn step(&mut self) {
        self.frame = self.frame.wrapping_add(1);
    }

    /// Chooses the thickness for boxes that are all inflated now.
    pub(in crate::algorithms) fn begin(&mut self, boxes: &[Aabb]) {
        let (mut speed, mut moving) = (0.0f32, 0.0f32);
        self.sides.clear();
        self.sides.reserve(room(boxes.len()));
        for (object, b) in few(boxes).1.filter(|(_, b)| !b.is_empty()) {
            self.sides.push(side(b));
            let moved = self.motion(object, b).length();
            if moved > 0.0 && moved.is_finite() {
                moving += 1.0;
                speed += (moved - speed) / moving;
            }
        }
        // Not the mean, which one floor among small boxes decides.
        let middle = self.sides.len() / 2;
        let side = match self.sides.len() {
            0 => 0.0,
            _ => *self.sides.select_nth_unstable_by(middle, f32::total_cmp).1,
        };
        let wanted = if moving > 0.0 { speed * 2.0 } else { 0.0 };
        let (thinnest, thickest) = (side * THINNEST, side * THICKEST);
        self.thickness = finite(wanted.clamp(thinnest, thickest.max(thinnest)));
        self.farthest = finite(side * FARTHEST);
    }

    /// An object's way in a frame, since it was inflated last; zero where that is not known.
    #[inline(always)]
    fn motion(&self, object: usize, b: &Aabb) -> Vec3 {
        let way = b.min - self.anchors[object];
        // Most boxes that are inflated together rest, or nothing is known of them.
        if way == Vec3::ZERO || !way.is_finite() {
            return Vec3::ZERO;
        }
        let age = self.frame.wrapping_sub(self.inflated_in[object]).max(1) as f32;
        way / age
    }

    /// The inflated box of an object, which is empty where that is absent.
    #[inline(always)]
    pub(in crate::algorithms) fn inflate(&mut self, object: u32, b: &Aabb) -> Aabb {
        let object = object as usize;
        if b.is_empty() {
            self.anchors[object] = Vec3::NAN;
            return Aabb::EMPTY;
        }
        // A box far smaller than the others would meet too many in a skin made for those.
        let side = side(b);
        let thickness = self.thickness.min(side * OWN_THICKEST);
        let motion = self.motion(object, b);
        self.anchors[object] = b.min;
        self.inflated_in[object] = self.frame;
        let fat = grown(b, thickness);
        if motion == Vec3::ZERO {
            return fat;
        }
        let farthest = self.farthest.min(side * OWN_FARTHEST);
        let ahead = (motion * FRAMES_AHEAD).clamp_length_max(farthest);
        let ahead = if ahead.is_finite() { ahead } else { Vec3::ZERO };
        let low = (fat.min + ahead.min(Vec3::ZERO)).max(Vec3::MIN);
        let high = (fat.max + ahead.max(Vec3::ZERO)).min(Vec3::MAX);
        Aabb::new(low.min(b.min), high.max(b.max))
    }

    pub(in crate::algorithms) fn heap_bytes(&self) -> usize {
        self.anchors.capacity() * size_of::<Vec3>()
            + (self.inflated_in.capacity() + self.sides.capacity()) * size_of::<u32>()
    }
}

/// A box with so much more on every side.
#[inline(always)]
fn grown(b: &Aabb, by: f32) -> Aabb {
    const OUTWARDS: [f32; 6] = [-1.0, -1.0, -1.0, 1.0, 1.0, 1.0];
    let flat: &[f32; 6] = bytemuck::cast_ref(b);
    // Alike for all six, so that the compiler sees vectors in it. Bounds near the largest number must not
    // become infinite, and those that are, stay so.
    let grown: [f32; 6] = std::array::from_fn(|at| {
        let outwards = OUTWARDS[at] * (flat[at] + OUTWARDS[at] * by);
        outwards.min(f32::MAX).max(OUTWARDS[at] * flat[at]) * OUTWARDS[at]
    });
    bytemuck::cast(grown)
}

/// The mean side of a box; 0 where that is no number.
fn side(b: &Aabb) -> f32 {
    finite(b.size().element_sum() / 3.0)
}

fn finite(value: f32) -> f32 {
    if value.is_finite() { value } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_floor_among_small_boxes_makes_no_thick_skins_nor_large_boxes_for_small_ones() {
        let floor = Aabb::new(Vec3::splat(-1e6), Vec3::splat(1e6));
        let pebble = Aabb::around_sphere(Vec3::ZERO, 0.001);
        for usual in [Aabb::around_sphere(Vec3::ONE, 0.5), floor] {
            let mut boxes = vec![usual; 500];
            (boxes[0], boxes[7]) = (floor, pebble);
            let mut skin = Skin::default();
            skin.resize(boxes.len());
            for way in [0.0, 0.5, 50.0] {
                for b in &mut boxes {
                    *b = Aabb::new(b.min + way, b.max + way);
                }
                skin.step();
                skin.begin(&boxes);
                for (object, b) in boxes.iter().enumerate() {
                    let fat = skin.inflate(object as u32, b);
                    let grown = (fat.size() - b.size()).max_element() / b.size().max_element();
                    assert!(grown <= 4.3, "object {object}: {grown} of its size");
                    let most = if usual == floor { f32::INFINITY } else { 2.0 };
                    let grown = (fat.size() - b.size()).max_element();
                    assert!(grown <= most, "object {object}: by {grown}");
                    assert!(fat.min.cmple(b.min).all() && fat.max.cmpge(b.max).all());
                }
            }
        }
    }
}
