//! How far boxes are inflated.

use crate::Aabb;
use crate::sample::{few, room};
use crate::scratch::resize_roomy;
use glam::{Vec3, Vec3A};

/// Frames that a box is inflated for, ahead of an object that goes on as it did.
const FRAMES_AHEAD: f32 = 5.0;

/// Smallest and largest skin, as a share of the side of a usual box. Measured.
const THINNEST: f32 = 0.04;
const THICKEST: f32 = 0.1;

/// Largest skin of a box, as a share of its own side.
const OWN_THICKEST: f32 = 0.6;

/// Furthest that a box reaches ahead, as a share of its own side, and of that of a usual box.
const OWN_FARTHEST: f32 = 8.0;
const FARTHEST: f32 = 2.5;

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
            let moved = self.way(object, b, 1.0).length();
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

    /// An object's way in some frames, as it went since it was inflated last; zero where that is not known.
    #[inline(always)]
    fn way(&self, object: usize, b: &Aabb, frames: f32) -> Vec3A {
        let way = Vec3A::from(b.min) - Vec3A::from(self.anchors[object]);
        let age = self.frame.wrapping_sub(self.inflated_in[object]).max(1) as f32;
        Vec3A::select(way.is_finite_mask(), way, Vec3A::ZERO) * (frames / age)
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
        let farthest = Vec3A::splat(self.farthest.min(side * OWN_FARTHEST));
        let ahead = self.way(object, b, FRAMES_AHEAD).clamp(-farthest, farthest);
        self.anchors[object] = b.min;
        self.inflated_in[object] = self.frame;
        let (min, max) = (Vec3A::from(b.min), Vec3A::from(b.max));
        let low = min - thickness + ahead.min(Vec3A::ZERO);
        let high = max + thickness + ahead.max(Vec3A::ZERO);
        // Bounds near the largest number must not become infinite, and those that are, stay so.
        let low = low.max(Vec3A::MIN).min(min);
        let high = high.min(Vec3A::MAX).max(max);
        Aabb::new(low.into(), high.into())
    }

    pub(in crate::algorithms) fn heap_bytes(&self) -> usize {
        self.anchors.capacity() * size_of::<Vec3>()
            + (self.inflated_in.capacity() + self.sides.capacity()) * size_of::<u32>()
    }
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
                    let most = OWN_FARTHEST + 2.0 * OWN_THICKEST;
                    assert!(grown <= most * 1.01, "object {object}: {grown} of its size");
                    // The bounds of the floor are rounded to a sixteenth.
                    let of_usual = FARTHEST + 2.0 * THICKEST + 0.125;
                    let most = if usual == floor { f32::INFINITY } else { of_usual };
                    let grown = (fat.size() - b.size()).max_element();
                    assert!(grown <= most, "object {object}: by {grown}");
                    assert!(fat.min.cmple(b.min).all() && fat.max.cmpge(b.max).all());
                }
            }
        }
    }
}
