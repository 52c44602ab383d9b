//! Pairs of a mesh that moves: the boxes of its vertices, edges and faces around two of its frames.
//!
//! ```sh
//! cargo run --release -p sim --example swept_mesh -- FIRST.ply SECOND.ply
//! ```
//!
//! Both files are binary PLY of triangles, with the same faces. Prints how many boxes of edges overlap each other, and how
//! many of vertices overlap those of faces; each also without the pairs that share a vertex.
//!
//! A swept box is that of an element over both frames, closed, its bounds moved outwards to the next `f32`.

use broadphase::{Aabb, Auto, BroadPhase, Frame, join};
use glam::Vec3;
use std::error::Error;

/// A triangle mesh.
struct Mesh {
    vertices: Vec<Vec3>,
    faces: Vec<[u32; 3]>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [first, second] = &arguments[..] else { return Err("expected two PLY files".into()) };
    let meshes = [read_ply(first)?, read_ply(second)?];
    let [Mesh { vertices, faces }, other] = &meshes;
    if *faces != other.faces || vertices.len() != other.vertices.len() {
        return Err("the two meshes have different vertices or faces".into());
    }
    let edges = edges_of(faces);
    let vertices: Vec<[u32; 1]> = (0..vertices.len() as u32).map(|vertex| [vertex]).collect();
    let share = |a: &[u32], b: &[u32]| a.iter().any(|vertex| b.contains(vertex));

    let (mut pairs, mut auto) = (Vec::new(), Auto::default());
    auto.pairs(&Frame::new(&swept(&edges, &meshes)), &mut pairs);
    let apart = pairs.iter().filter(|p| !share(&edges[p.a as usize], &edges[p.b as usize])).count();
    println!("edges with edges: {} pairs, {apart} without a common vertex", pairs.len());

    let mut pairs = Vec::new();
    join(&swept(&vertices, &meshes), &swept(faces, &meshes), &mut pairs);
    let apart = pairs.iter().filter(|p| !share(&[p.a], &faces[p.b as usize])).count();
    println!("vertices with faces: {} pairs, {apart} without a common vertex", pairs.len());
    Ok(())
}

/// The edges of faces, each once, the lower vertex first.
fn edges_of(faces: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let of_face =
        |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]].map(|[i, j]| [i.min(j), i.max(j)]);
    let mut edges: Vec<_> = faces.iter().flat_map(of_face).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// The box of each element around its vertices in both meshes, rounded outwards.
fn swept<const N: usize>(elements: &[[u32; N]], meshes: &[Mesh; 2]) -> Vec<Aabb> {
    let swept = |element: &[u32; N]| {
        let places = meshes.iter().flat_map(|mesh| element.map(|v| mesh.vertices[v as usize]));
        let b = places.fold(Aabb::EMPTY, |all, at| all.union(&Aabb::new(at, at)));
        let to = |corner: Vec3, next: fn(f32) -> f32| Vec3::from(corner.to_array().map(next));
        Aabb::new(to(b.min, f32::next_down), to(b.max, f32::next_up))
    };
    elements.iter().map(swept).collect()
}

/// Reads a binary PLY file with vertices of three floats and faces of three vertices, in either byte order.
fn read_ply(path: &str) -> Result<Mesh, Box<dyn Error>> {
    let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    parse_ply(&bytes).ok_or_else(|| {
        format!("{path}: expected binary PLY of finite float x, y, z and triangles of int or uint")
            .into()
    })
}

/// The mesh of a file whose length is that of such vertices and faces.
fn parse_ply(bytes: &[u8]) -> Option<Mesh> {
    const END: &[u8] = b"end_header\n";
    let end = bytes.windows(END.len()).position(|window| window == END)? + END.len();
    let header = std::str::from_utf8(&bytes[..end]).ok()?;
    let after = |start: &str| header.lines().find_map(|line| line.strip_prefix(start));
    let word: fn([u8; 4]) -> u32 = match after("format binary_")? {
        "big_endian 1.0" => u32::from_be_bytes,
        "little_endian 1.0" => u32::from_le_bytes,
        _ => return None,
    };
    let count = |element: &str| after(element)?.trim().parse::<usize>().ok();
    let (vertices, faces) = (count("element vertex")?, count("element face")?);
    let (of_vertices, of_faces) = bytes[end..].split_at_checked(vertices.checked_mul(12)?)?;
    let floats: Vec<f32> =
        of_vertices.as_chunks().0.iter().map(|bytes| f32::from_bits(word(*bytes))).collect();
    let face = |[sides, corners @ ..]: &[u8; 13]| {
        let [a, b, c] = corners.as_chunks().0 else { return None };
        let corners = [a, b, c].map(|corner| word(*corner));
        (*sides == 3 && corners.iter().all(|v| (*v as usize) < vertices)).then_some(corners)
    };
    let (of_faces, []) = of_faces.as_chunks() else { return None };
    let triangles: Vec<[u32; 3]> = of_faces.iter().map(face).collect::<Option<_>>()?;
    let is_whole = triangles.len() == faces && floats.iter().all(|float| float.is_finite());
    let vertices = floats.chunks_exact(3).map(Vec3::from_slice).collect();
    is_whole.then_some(Mesh { vertices, faces: triangles })
}
