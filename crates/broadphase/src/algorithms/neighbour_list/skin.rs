//! How far boxes are inflated.

use crate::Aabb;
use crate::sample::{few, room};
use crate::scratch::resize_roomy;
use glam::{Vec3, Vec3A};

/// Smallest skin, as a share of the side of a usual box. Measured.
const THINNEST: f32 = 0.04;

/// Largest skin of a box, as a share of its own side.
const OWN_THICKEST: f32 = 0.6;

/// How far boxes are inflated at the most.
#[derive(Clone, Copy, Debug)]
struct Reach {
    /// Frames that a box is inflated for, ahead of an object that goes on as it did.
    frames: f32,
    /// Largest skin, as a share of the side of a usual box.
    thickest: f32,
    /// Furthest that a box reaches ahead along each axis, as a share of its own side, and of that of a usual
    /// box.
    own_farthest: f32,
    farthest: f32,
    /// An inflated box grows by the new one that its object needs, as long as it does not meet more than so
    /// many times what that would meet: then it is replaced. One that goes on after it left makes its box
    /// twice as long on each axis.
    grown: f32,
}

/// Where most objects go on as they went, and where not: there, one that moves fast is soon elsewhere than
/// ahead. Measured.
const GOING_ON: Reach =
    Reach { frames: 5.0, thickest: 0.1, own_farthest: 8.0, farthest: 2.5, grown: 9.0 };
const TURNING: Reach =
    Reach { frames: 8.0, thickest: 0.2, own_farthest: 3.0, farthest: 1.0, grown: 5.0 };

/// Objects go on where what their ways have in common with those before is more than this share of them.
const IN_COMMON: f32 = 0.5;

/// The skin of all objects, and where each was when its box was inflated last.
#[derive(Debug)]
pub(in crate::algorithms) struct Skin {
    reach: Reach,
    /// On every side, units.
    thickness: f32,
    /// Furthest that a box reaches ahead, units.
    farthest: f32,
    /// The lower corner of each object when it was inflated, and in which frame that was.
    anchors: Vec<Vec3>,
    inflated_in: Vec<u32>,
    frame: u32,
    sides: Vec<f32>,
    /// How a few of the objects went before all were inflated last, units a frame.
    ways: Vec<Vec3A>,
}

impl Default for Skin {
    fn default() -> Self {
        Self {
            reach: TURNING,
            thickness: 0.0,
            farthest: 0.0,
            anchors: Vec::new(),
            inflated_in: Vec::new(),
            frame: 0,
            sides: Vec::new(),
            ways: Vec::new(),
        }
    }
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

    /// Chooses how far boxes reach that are all inflated now.
    pub(in crate::algorithms) fn begin(&mut self, boxes: &[Aabb]) {
        let (mut speed, mut moving, mut in_common) = (0.0f32, 0.0f32, 0.0f32);
        self.sides.clear();
        self.sides.reserve(room(boxes.len()));
        self.ways.reserve(room(boxes.len()).saturating_sub(self.ways.len()));
        for (number, (object, b)) in few(boxes).1.enumerate() {
            if number == self.ways.len() {
                self.ways.push(Vec3A::ZERO);
            }
            let before = std::mem::replace(&mut self.ways[number], Vec3A::ZERO);
            if b.is_empty() {
                continue;
            }
            self.sides.push(side(b));
            let way = self.way(object, b, 1.0);
            let moved = way.length();
            if moved > 0.0 && moved.is_finite() {
                moving += 1.0;
                speed += (moved - speed) / moving;
                // Of two ways as long, and in one direction: one.
                let shared = way.dot(before) / moved.max(before.length()).powi(2);
                in_common += if shared.is_finite() { shared } else { 0.0 };
                self.ways[number] = way;
            }
        }
        self.reach = if in_common > IN_COMMON * moving { GOING_ON } else { TURNING };
        // Not the mean, which one floor among small boxes decides.
        let middle = self.sides.len() / 2;
        let side = match self.sides.len() {
            0 => 0.0,
            _ => *self.sides.select_nth_unstable_by(middle, f32::total_cmp).1,
        };
        let wanted = if moving > 0.0 { speed * 2.0 } else { 0.0 };
        let (thinnest, thickest) = (side * THINNEST, side * self.reach.thickest);
        self.thickness = finite(wanted.clamp(thinnest, thickest.max(thinnest)));
        self.farthest = finite(side * self.reach.farthest);
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
        let farthest = Vec3A::splat(self.farthest.min(side * self.reach.own_farthest));
        let ahead = self.way(object, b, self.reach.frames).clamp(-farthest, farthest);
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

    /// How many times as much as the one that its object needs an inflated box may meet that grew.
    pub(super) fn grown(&self) -> f32 {
        self.reach.grown
    }

    pub(in crate::algorithms) fn heap_bytes(&self) -> usize {
        self.anchors.capacity() * size_of::<Vec3>()
            + (self.inflated_in.capacity() + self.sides.capacity()) * size_of::<u32>()
            + self.ways.capacity() * size_of::<Vec3A>()
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
                    let most = GOING_ON.own_farthest + 2.0 * OWN_THICKEST;
                    assert!(grown <= most * 1.01, "object {object}: {grown} of its size");
                    // The bounds of the floor are rounded to a sixteenth.
                    let of_usual = GOING_ON.farthest + 2.0 * TURNING.thickest + 0.125;
                    let most = if usual == floor { f32::INFINITY } else { of_usual };
                    let grown = (fat.size() - b.size()).max_element();
                    assert!(grown <= most, "object {object}: by {grown}");
                    assert!(fat.min.cmple(b.min).all() && fat.max.cmpge(b.max).all());
                }
            }
        }
    }

    #[test]
    fn boxes_reach_far_ahead_of_objects_that_go_on_and_not_of_those_that_turn() {
        for (turns, reach) in [(false, GOING_ON), (true, TURNING)] {
            let mut boxes = vec![Aabb::around_sphere(Vec3::ZERO, 0.5); 100];
            let mut skin = Skin::default();
            skin.resize(boxes.len());
            let mut ahead = Vec3::ZERO;
            for number in 0..5 {
                let way = if turns && number % 2 == 1 { -Vec3::ONE } else { Vec3::ONE };
                boxes.iter_mut().for_each(|b| *b = Aabb::new(b.min + way, b.max + way));
                skin.step();
                skin.begin(&boxes);
                for (object, b) in (0..).zip(&boxes) {
                    let fat = skin.inflate(object, b);
                    ahead = if way.x > 0.0 { fat.max - b.max } else { b.min - fat.min };
                }
            }
            let expected = reach.farthest + reach.thickest;
            assert!((ahead - expected).abs().max_element() < 1e-3, "turns {turns}: {ahead}");
        }
    }
}
