//! The outlines of bounding volumes, for display.

use super::picked::Picked;
use crate::session::Session;
use glam::Vec3;
use narrowphase::volume::Outline;

/// Most volumes that are outlined, so that a snapshot takes a few milliseconds: a 26-DOP takes 20 to 30 us.
pub const MAX_VOLUMES: usize = 200;

/// Of two faces that share an edge, the one that runs along it in this direction has it drawn. No edge of a shape at
/// rest is normal to it.
const DIRECTION: Vec3 = Vec3::new(0.531, 0.713, 0.458);

/// The volumes of some bodies.
#[derive(Clone, Debug, Default)]
pub struct ShownVolumes {
    /// Spheres: centre and radius.
    pub spheres: Vec<(Vec3, f32)>,
    /// The edges of all others.
    pub edges: Vec<[Vec3; 2]>,
    /// Number of bodies whose volumes these are.
    pub number: usize,
    /// How many times as large as its body a volume is, on average over these. `None` where there are none, or one is
    /// all of space.
    pub ratio: Option<f64>,
}

impl ShownVolumes {
    /// Outlines the volumes by which the last candidates were tested: those of the picked body and its candidates,
    /// then those of the others, by number, as far as they are drawn.
    pub(super) fn fill(&mut self, session: &Session, picked: Option<&Picked>) {
        self.spheres.clear();
        self.edges.clear();
        (self.number, self.ratio) = (0, None);
        let Some(bodies) = session.world().and_then(sim::World::bodies) else { return };
        if !session.is_searched() {
            return;
        }
        let is_first = |object: u32| picked.is_some_and(|picked| picked.concerns(object));
        let first = picked.iter().flat_map(|picked| {
            [picked.object].into_iter().chain(picked.candidates.iter().copied())
        });
        let others = (0..bodies.states().len() as u32).filter(|object| !is_first(*object));
        let mut sum = Some(0.0);
        for object in first.chain(others).take(MAX_VOLUMES) {
            let volume = session.stages().volume_of(bodies, object as usize);
            let Some((outline, ratio)) = volume else { return };
            self.add(&outline);
            self.number += 1;
            sum = sum.zip(ratio).map(|(sum, ratio)| sum + ratio);
        }
        self.ratio = sum.filter(|_| self.number > 0).map(|sum| sum / self.number as f64);
    }

    fn add(&mut self, outline: &Outline) {
        match outline {
            Outline::Sphere { center, radius } => {
                self.spheres.push((center.as_vec3(), *radius as f32));
            }
            Outline::Faces(faces) => {
                for face in faces {
                    let ends = face.iter().zip(face.iter().cycle().skip(1));
                    let ends = ends.map(|(from, to)| [from.as_vec3(), to.as_vec3()]);
                    self.edges.extend(ends.filter(|[from, to]| (*to - *from).dot(DIRECTION) > 0.0));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;

    #[test]
    fn each_edge_of_a_polyhedron_is_drawn_once() {
        let corner = |bits: usize| {
            let place = |axis: usize| if bits & (1 << axis) == 0 { -1.0 } else { 1.0 };
            DVec3::new(place(0), place(1), place(2))
        };
        // Counterclockwise from outside.
        let faces =
            [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let mut shown = ShownVolumes::default();
        shown.add(&Outline::Faces(faces.map(|face| face.map(corner).to_vec()).to_vec()));
        assert_eq!(shown.edges.len(), 12);
        let mut middles: Vec<[i32; 3]> =
            shown.edges.iter().map(|[a, b]| (*a + *b).as_ivec3().to_array()).collect();
        middles.sort_unstable();
        middles.dedup();
        assert_eq!(middles.len(), 12);
    }
}
