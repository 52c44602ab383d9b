//! Colours of a scene in a dark and in a light window.

use broadphase::Axis;
use colorous::VIRIDIS;

/// A colour as displays take it (sRGB), with straight alpha; 255 is opaque.
pub type Color = [u8; 4];

/// The colours of a scene.
///
/// Spheres have cool colours, so that hits, planes and the selection stand out. A colour has one meaning in all
/// overlays; those between two objects become warmer the nearer these are: [`overlap`](Self::overlap),
/// [`candidate`](Self::candidate), [`hit`](Self::hit).
#[derive(Clone, Debug, PartialEq)]
pub struct Theme {
    /// Background at the upper edge.
    pub background_top: [u8; 3],
    /// Background at the lower edge.
    pub background_bottom: [u8; 3],
    /// Darkening of the background towards the corners, 0 to 1.
    pub vignette: f32,
    /// Colours of the spheres, by a hash of the object's number.
    pub spheres: &'static [Color],
    /// Objects that touch: a sphere that has just hit another, or touches the inspected one.
    pub hit: Color,
    /// Objects whose boxes overlap: a candidate pair.
    pub candidate: Color,
    /// Objects that the inspected one was tested against.
    pub tested: Color,
    /// Objects that may overlap: on one axis, or by their fat AABBs.
    pub overlap: Color,
    /// A contact point that is new, one that is kept, and one of which this is unknown, over bodies that have just hit
    /// or are picked, and over the background.
    pub contacts: [Color; 3],
    /// The inspected sphere.
    pub picked: Color,
    /// Edges of the sources.
    pub source: Color,
    /// Glass of the obstacles. Its alpha is that of a pane's middle seen from the front.
    pub pane: Color,
    /// Edges of the obstacles.
    pub pane_edge: Color,
    /// Glass of the selected obstacle.
    pub selected_pane: Color,
    /// Edges of the selected obstacle.
    pub selected_pane_edge: Color,
    /// Splitting planes normal to x, y and z. Each plane has its own opacity.
    pub planes: [[u8; 3]; 3],
    /// The part of the colour scale, within 0 to 1, that stands out from the background.
    pub scale: [f32; 2],
    /// Boxes of a tree's leaves.
    pub leaf: Color,
    /// Fat AABBs of resting, slow, moving and stale objects.
    pub cached: [Color; 4],
    /// Recent changes: exchanged ends, planes that moved, objects that escaped.
    pub mark: Color,
    /// Nodes that were just rotated.
    pub rotated: Color,
    /// Rails of sorted lists.
    pub rail: Color,
    /// Lower and upper ends of intervals.
    pub ends: [Color; 2],
    /// Strength of ambient, key, fill and rim light.
    pub lights: [f32; 4],
    /// Share of a colour that the back of a scene loses; see [`Haze`](super::Haze).
    pub haze: f32,
}

impl Theme {
    /// For a dark window.
    pub const DARK: Theme = Theme {
        background_top: [38, 46, 66],
        background_bottom: [13, 15, 22],
        vignette: 0.14,
        spheres: &[
            [86, 156, 236, 255],
            [64, 196, 214, 255],
            [124, 138, 245, 255],
            [96, 216, 184, 255],
            [158, 196, 246, 255],
            [72, 120, 214, 255],
        ],
        hit: [255, 140, 40, 255],
        candidate: [255, 221, 87, 255],
        tested: [0, 235, 255, 255],
        overlap: [190, 235, 150, 255],
        contacts: [[255, 60, 255, 255], [170, 255, 60, 255], [130, 0, 255, 255]],
        picked: [255, 255, 255, 255],
        source: [168, 186, 218, 215],
        pane: [150, 205, 235, 28],
        pane_edge: [190, 228, 250, 140],
        selected_pane: [255, 240, 205, 90],
        selected_pane_edge: [255, 246, 224, 255],
        planes: [[255, 104, 112], [96, 232, 136], [112, 156, 255]],
        scale: [0.2, 0.6],
        leaf: [226, 205, 175, 255],
        cached: [
            [150, 156, 168, 255],
            [120, 150, 255, 255],
            [196, 104, 255, 255],
            [190, 100, 150, 255],
        ],
        mark: [255, 92, 214, 255],
        rotated: [255, 56, 48, 255],
        rail: [196, 206, 226, 200],
        ends: [[96, 200, 255, 255], [178, 132, 255, 255]],
        lights: [0.30, 1.05, 0.30, 0.50],
        haze: 0.4,
    };

    /// For a light window.
    pub const LIGHT: Theme = Theme {
        background_top: [250, 251, 253],
        background_bottom: [212, 219, 230],
        vignette: 0.04,
        spheres: &[
            [48, 112, 204, 255],
            [22, 142, 164, 255],
            [92, 98, 208, 255],
            [36, 158, 128, 255],
            [104, 150, 216, 255],
            [42, 82, 168, 255],
        ],
        hit: [236, 100, 16, 255],
        candidate: [190, 140, 0, 255],
        tested: [0, 222, 255, 255],
        overlap: [70, 140, 40, 255],
        contacts: [[130, 0, 190, 255], [0, 130, 50, 255], [110, 70, 0, 255]],
        picked: [20, 22, 28, 255],
        source: [84, 98, 124, 190],
        pane: [92, 140, 176, 30],
        pane_edge: [58, 96, 132, 150],
        selected_pane: [250, 200, 90, 90],
        selected_pane_edge: [214, 140, 10, 255],
        planes: [[226, 48, 58], [30, 160, 72], [48, 92, 226]],
        scale: [0.0, 0.6],
        leaf: [130, 96, 60, 255],
        cached: [
            [110, 116, 128, 255],
            [48, 92, 226, 255],
            [130, 40, 220, 255],
            [150, 60, 110, 255],
        ],
        mark: [190, 24, 140, 255],
        rotated: [200, 0, 0, 255],
        rail: [60, 70, 92, 220],
        ends: [[0, 116, 190, 255], [120, 60, 200, 255]],
        lights: [0.42, 0.92, 0.28, 0.22],
        haze: 0.4,
    };

    /// The colour of a sphere, by the number of its object.
    pub fn sphere(&self, object: usize) -> Color {
        // Objects with neighbouring numbers are often close; a hash gives them different colours.
        let mixed = (object as u32).wrapping_mul(0x9E37_79B9).rotate_left(15);
        self.spheres[mixed as usize % self.spheres.len()]
    }

    /// The colour at a place between 0 and 1 on a scale that stands out from the background.
    pub fn on_scale(&self, share: f32) -> [u8; 3] {
        let [first, last] = self.scale;
        let share = if share > 0.0 { share.min(1.0) } else { 0.0 };
        VIRIDIS.eval_continuous(f64::from(first + (last - first) * share)).into_array()
    }

    /// Colour of the planes normal to an axis.
    pub(crate) fn plane(&self, normal: Axis) -> Color {
        let [r, g, b] = self.planes[normal.index()];
        [r, g, b, 255]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Least distance of two colours with different meanings, summed over the channels.
    const LEAST: u32 = 90;

    #[test]
    fn every_sphere_colour_is_used() {
        for theme in [Theme::DARK, Theme::LIGHT] {
            for color in theme.spheres {
                assert!((0..100).any(|object| theme.sphere(object) == *color), "{color:?}");
            }
        }
    }

    #[test]
    fn colours_with_a_meaning_differ() {
        let distance =
            |a: Color, b: Color| (0..3).map(|i| u32::from(a[i].abs_diff(b[i]))).sum::<u32>();
        let opaque = |[r, g, b]: [u8; 3]| [r, g, b, 255];
        for theme in [Theme::DARK, Theme::LIGHT] {
            // The scale is that of depths, levels, occupancy and order.
            let scale = [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| opaque(theme.on_scale(share)));
            let Theme { hit, candidate, tested, overlap, picked, mark, rotated, leaf, .. } = theme;
            let [resting, slow, moving, _] = theme.cached;
            let plane = opaque(theme.planes[0]);
            let meanings = [
                hit, candidate, tested, overlap, picked, mark, rotated, leaf, resting, slow,
                moving, plane,
            ];
            for (place, a) in meanings.into_iter().enumerate() {
                for b in meanings[..place].iter().chain(&scale) {
                    assert!(distance(a, *b) >= LEAST, "{a:?} and {b:?}");
                }
            }
            // Contact points stand out from bodies and background.
            let under = [hit, picked, candidate, tested, opaque(theme.background_bottom)];
            for (place, mark) in theme.contacts.iter().enumerate() {
                let others = theme.contacts[..place].iter().chain(&under).chain(theme.spheres);
                for other in others {
                    assert!(distance(*mark, *other) >= 140, "{mark:?} over {other:?}");
                }
            }
        }
    }

    #[test]
    fn y_z_planes_are_red_x_z_planes_green_and_x_y_planes_blue() {
        for theme in [Theme::DARK, Theme::LIGHT] {
            for axis in Axis::ALL {
                let color = theme.plane(axis);
                let strongest = (0..3).max_by_key(|&i| color[i]).unwrap();
                assert_eq!(strongest, axis.index());
            }
        }
    }
}
