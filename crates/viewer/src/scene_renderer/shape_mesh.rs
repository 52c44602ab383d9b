//! Triangles of a shape: what is drawn, and what a click meets. Spheres have a mesh of their own, and a click meets
//! their exact surface.

use super::icosphere::{Mesh, icosahedron, subdivide};
use glam::{DVec3, Vec3};
use narrowphase::shape::Core;
use narrowphase::{Part, Shape};
use std::f64::consts::{FRAC_PI_2, TAU};

/// Corners of a capsule's cross-section, and rings of each of its round ends. Round surfaces are inscribed: a drawn
/// capsule has at most 10 % less volume than the tested one, a ball of a compound 20 %.
const SECTORS: u32 = 12;
const RINGS: u32 = 3;

/// A corner of a triangle as the GPU reads it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct MeshVertex {
    /// In the shape's frame.
    pub position: Vec3,
    /// Unit vector to the outside: of the face, or of the round surface.
    pub normal: Vec3,
}

/// The surfaces of all parts of a shape. Those of parts that overlap go through each other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShapeMesh {
    /// Each face has its own.
    pub vertices: Vec<MeshVertex>,
    /// Indices of vertices, counterclockwise from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl ShapeMesh {
    /// Triangulates a shape in its own frame and size.
    pub fn of(shape: &Shape) -> Self {
        let mut mesh = Self::default();
        for part in shape.parts() {
            let core = part.core();
            match (core.vertices(), part.radius()) {
                (_, 0.0) => mesh.add_faces(core),
                (&[from, to], radius) => mesh.add_capsule(from, to, radius),
                _ => mesh.add_rounded(part),
            }
        }
        mesh
    }

    /// A mesh of the unit sphere.
    pub(super) fn of_unit_sphere(Mesh { vertices, triangles }: Mesh) -> Self {
        let vertex = |position| MeshVertex { position, normal: position };
        Self { vertices: vertices.into_iter().map(vertex).collect(), triangles }
    }

    /// The corners of all triangles.
    pub fn corners(&self) -> impl Iterator<Item = [Vec3; 3]> {
        let position = |index: u32| self.vertices[index as usize].position;
        self.triangles.iter().map(move |triangle| triangle.map(position))
    }

    fn push(&mut self, position: DVec3, normal: DVec3) -> u32 {
        let (position, normal) = (position.as_vec3(), normal.as_vec3());
        self.vertices.push(MeshVertex { position, normal });
        self.vertices.len() as u32 - 1
    }

    /// Each face as a fan about its first vertex.
    fn add_faces(&mut self, core: &Core) {
        for face in core.faces() {
            let first = self.vertices.len() as u32;
            for vertex in &face.vertices {
                self.push(core.vertices()[usize::from(*vertex)], face.normal);
            }
            let end = self.vertices.len() as u32;
            self.triangles.extend((first + 1..end - 1).map(|second| [first, second, second + 1]));
        }
    }

    /// Two hemispheres, and the cylinder between their equators.
    fn add_capsule(&mut self, from: DVec3, to: DVec3, radius: f64) {
        let axis = (to - from).normalize_or(DVec3::Z);
        let (u, v) = axis.any_orthonormal_pair();
        let first = self.vertices.len() as u32;
        for (center, side) in [(from, -1.0), (to, 1.0)] {
            for ring in 0..=RINGS {
                // From the pole of the first end to that of the second one.
                let step = if side < 0.0 { RINGS - ring } else { ring };
                let (height, width) = (FRAC_PI_2 * f64::from(step) / f64::from(RINGS)).sin_cos();
                for sector in 0..SECTORS {
                    let (sin, cos) = (TAU * f64::from(sector) / f64::from(SECTORS)).sin_cos();
                    let normal = axis * (side * height) + (u * cos + v * sin) * width;
                    self.push(center + normal * radius, normal);
                }
            }
        }
        let bands = 2 * RINGS + 1;
        for band in 0..bands {
            for sector in 0..SECTORS {
                let corner = |ring: u32, sector: u32| first + ring * SECTORS + sector % SECTORS;
                let [a, b] = [corner(band, sector), corner(band, sector + 1)];
                let [d, c] = [corner(band + 1, sector), corner(band + 1, sector + 1)];
                // At the poles all corners of a ring are one point.
                if band > 0 {
                    self.triangles.push([a, b, c]);
                }
                if band + 1 < bands {
                    self.triangles.push([a, c, d]);
                }
            }
        }
    }

    /// The furthest points of a part in the directions of a sphere's vertices.
    fn add_rounded(&mut self, part: &Part) {
        let core = part.core();
        let divisions = if core.vertices().len() > 1 { 2 } else { 1 };
        let sphere = (0..divisions).fold(icosahedron(), |mesh, _| subdivide(&mesh));
        let first = self.vertices.len() as u32;
        for normal in &sphere.vertices {
            let normal = normal.as_dvec3();
            let corner = core.vertices()[core.support(normal)];
            self.push(corner + normal * part.radius(), normal);
        }
        let triangles = sphere.triangles.iter();
        self.triangles.extend(triangles.map(|of| of.map(|vertex| first + vertex)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use narrowphase::Pose;

    /// The volume inside, by the divergence theorem.
    fn volume(mesh: &ShapeMesh) -> f32 {
        mesh.corners().map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
    }

    /// Flat faces have the normals of their triangles; round ones deviate.
    fn check(name: &str, shape: &Shape, least: f64) {
        let is_flat = shape.parts().iter().all(|part| part.radius() == 0.0);
        let least_cosine = if is_flat { 0.999_99 } else { 0.7 };
        let mesh = ShapeMesh::of(shape);
        let share = f64::from(volume(&mesh)) / shape.mass().volume;
        assert!((least..1.0 + 1e-5).contains(&share), "{name}: {share} of the volume");
        for (triangle, [a, b, c]) in mesh.triangles.iter().zip(mesh.corners()) {
            let outward = (b - a).cross(c - a).normalize();
            for index in triangle {
                let normal = mesh.vertices[*index as usize].normal;
                assert!((normal.length() - 1.0).abs() < 1e-6, "{name}");
                assert!(
                    normal.dot(outward) > least_cosine,
                    "{name}: {normal} of a triangle {outward}"
                );
            }
        }
    }

    #[test]
    fn meshes_enclose_the_volume_of_their_shape() {
        let cuboid = Shape::cuboid(DVec3::new(1.0, 2.0, 4.0)).unwrap();
        check("cuboid", &cuboid, 1.0 - 1e-5);
        check("cylinder", &Shape::cylinder(0.6, 1.0, 16).unwrap(), 1.0 - 1e-5);
        check("cone", &Shape::cone(0.6, 1.0, 16).unwrap(), 1.0 - 1e-5);
        check("tetrahedron", &Shape::tetrahedron(2.0).unwrap(), 1.0 - 1e-5);
        check("hull", &Shape::hull(30, 7).unwrap(), 1.0 - 1e-5);
        let polygon = Shape::polygon(0.5, &[[0.0, 0.0], [2.0, 0.0], [1.0, 3.0]]).unwrap();
        check("polygon", &polygon.shape, 1.0 - 1e-5);
        check("capsule", &Shape::capsule(0.5, 1.5).unwrap(), 0.9);
        check("sphere", &Shape::sphere(2.0).unwrap(), 0.8);
        let ball = Shape::sphere(0.3).unwrap();
        let at = |x: f64| Pose { position: DVec3::X * x, ..Pose::IDENTITY };
        let parts = [(&cuboid, at(0.0)), (&ball, at(3.0)), (&ball, at(-3.0))];
        check("compound", &Shape::compound(&parts).unwrap(), 0.98);
    }

    #[test]
    fn faces_have_corners_of_their_own_with_one_normal() {
        let mesh = ShapeMesh::of(&Shape::cuboid(DVec3::ONE).unwrap());
        assert_eq!((mesh.vertices.len(), mesh.triangles.len()), (24, 12));
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.map(|index| mesh.vertices[index as usize].normal);
            assert!(a == b && b == c, "{a} {b} {c}");
        }
    }
}
