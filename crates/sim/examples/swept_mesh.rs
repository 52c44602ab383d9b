//! Pairs of a mesh that moves: the boxes of its vertices, edges and faces around two of its frames.
//!
//! ```sh
//! cargo run --release -p sim --example swept_mesh -- FIRST.ply SECOND.ply [FOLDER]
//! ```
//!
//! Both files are binary PLY of triangles, with the same faces. Prints how many boxes of edges overlap each other, and how
//! many of vertices overlap those of faces; each also without the pairs that share a vertex. With a folder, the boxes are
//! written there as traces of one frame.
//!
//! A swept box is that of an element over both frames, closed, its bounds moved outwards to the next `f32`.

use broadphase::{Aabb, Auto, BroadPhase, Frame, join};
use glam::Vec3;
use sim::TraceWriter;
use std::error::Error;
use std::path::Path;

/// A triangle mesh.
struct Mesh {
    vertices: Vec<Vec3>,
    faces: Vec<[u32; 3]>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let ([first, second], folder) = match &arguments[..] {
        [first, second] => ([first, second], None),
        [first, second, folder] => ([first, second], Some(folder)),
        _ => {
            return Err("expected two PLY files, and a folder for traces if they are wanted".into());
        }
    };
    let meshes = [read_ply(first)?, read_ply(second)?];
    let [Mesh { vertices, faces }, other] = &meshes;
    if *faces != other.faces || vertices.len() != other.vertices.len() {
        return Err("the two meshes have different vertices or faces".into());
    }
    let edges = edges_of(faces);
    let vertices: Vec<[u32; 1]> = (0..vertices.len() as u32).map(|vertex| [vertex]).collect();
    let (of_vertices, of_edges) = (swept(&vertices, &meshes), swept(&edges, &meshes));
    let of_faces = swept(faces, &meshes);
    let share = |a: &[u32], b: &[u32]| a.iter().any(|vertex| b.contains(vertex));

    let (mut pairs, mut auto) = (Vec::new(), Auto::default());
    auto.pairs(&Frame::new(&of_edges), &mut pairs);
    let apart = pairs.iter().filter(|p| !share(&edges[p.a as usize], &edges[p.b as usize])).count();
    println!("edges with edges: {} pairs, {apart} without a common vertex", pairs.len());

    let mut pairs = Vec::new();
    join(&of_vertices, &of_faces, &mut pairs);
    let apart = pairs.iter().filter(|p| !share(&[p.a], &faces[p.b as usize])).count();
    println!("vertices with faces: {} pairs, {apart} without a common vertex", pairs.len());

    let all = [("vertices", of_vertices), ("edges", of_edges), ("faces", of_faces)];
    if let Some(folder) = folder {
        for (name, boxes) in &all {
            let path = Path::new(folder).join(format!("{name}.bpt"));
            let mut trace = TraceWriter::create(&path, boxes.len() as u32, 1.0 / 60.0)?;
            trace.write_frame(boxes)?;
            trace.finish()?;
        }
    }
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

fn parse_ply(bytes: &[u8]) -> Option<Mesh> {
    const END: &[u8] = b"end_header\n";
    let end = bytes.windows(END.len()).position(|window| window == END)? + END.len();
    let header = std::str::from_utf8(&bytes[..end]).ok()?;
    let is_part = |line: &&str| !line.starts_with("comment") && !line.starts_with("obj_info");
    let lines: Vec<&str> = header.lines().filter(is_part).collect();
    let &["ply", format, vertices, x, y, z, faces, list, "end_header"] = &lines[..] else {
        return None;
    };
    let is_big = match format {
        "format binary_big_endian 1.0" => true,
        "format binary_little_endian 1.0" => false,
        _ => return None,
    };
    let types = ["property list uchar int ", "property list uchar uint "];
    if [x, y, z] != ["property float x", "property float y", "property float z"]
        || !types.iter().any(|known| list.starts_with(known))
    {
        return None;
    }
    let vertices: usize = vertices.strip_prefix("element vertex")?.trim().parse().ok()?;
    let faces: usize = faces.strip_prefix("element face")?.trim().parse().ok()?;
    let word = |bytes: &[u8; 4]| {
        if is_big { u32::from_be_bytes(*bytes) } else { u32::from_le_bytes(*bytes) }
    };
    let (of_vertices, of_faces) = bytes[end..].split_at_checked(vertices.checked_mul(12)?)?;
    let vertex =
        |all: &[[u8; 4]]| Vec3::from_slice(&[0, 1, 2].map(|at| f32::from_bits(word(&all[at]))));
    let places: Vec<Vec3> = of_vertices.as_chunks().0.chunks_exact(3).map(vertex).collect();
    let face = |face: &[u8; 13]| {
        let corners: [[u8; 4]; 3] = face[1..].as_chunks().0.try_into().ok()?;
        let corners = corners.each_ref().map(word);
        (face[0] == 3 && corners.iter().all(|v| (*v as usize) < vertices)).then_some(corners)
    };
    let (of_faces, []) = of_faces.as_chunks() else { return None };
    let triangles: Vec<[u32; 3]> = of_faces.iter().map(face).collect::<Option<_>>()?;
    let is_whole = triangles.len() == faces && places.iter().all(|place| place.is_finite());
    is_whole.then_some(Mesh { vertices: places, faces: triangles })
}
