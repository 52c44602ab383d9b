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
    let [first, second] = [read_ply(first)?, read_ply(second)?];
    if first.faces != second.faces || first.vertices.len() != second.vertices.len() {
        return Err("the two meshes have different vertices or faces".into());
    }
    let faces = &first.faces;
    let edges = edges_of(faces);
    let vertices: Vec<[u32; 1]> = (0..first.vertices.len() as u32).map(|v| [v]).collect();
    let swept = |elements: &[&[u32]]| swept(elements, [&first, &second]);
    let of_vertices = swept(&slices(&vertices));
    let of_edges = swept(&slices(&edges));
    let of_faces = swept(&slices(faces));

    let mut pairs = Vec::new();
    let (frame, mut auto) = (Frame::new(&of_edges), Auto::default());
    auto.update(&frame);
    auto.find_pairs(&frame, &mut pairs);
    let share = |a: &[u32], b: &[u32]| a.iter().any(|vertex| b.contains(vertex));
    let apart =
        pairs.iter().filter(|pair| !share(&edges[pair.a as usize], &edges[pair.b as usize]));
    println!("edges with edges: {} pairs, {} without a common vertex", pairs.len(), apart.count());

    let mut pairs = Vec::new();
    join(&of_vertices, &of_faces, &mut pairs);
    let apart = pairs.iter().filter(|pair| !share(&[pair.a], &faces[pair.b as usize]));
    println!(
        "vertices with faces: {} pairs, {} without a common vertex",
        pairs.len(),
        apart.count()
    );

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

fn slices<const N: usize>(elements: &[[u32; N]]) -> Vec<&[u32]> {
    elements.iter().map(|element| &element[..]).collect()
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
fn swept(elements: &[&[u32]], meshes: [&Mesh; 2]) -> Vec<Aabb> {
    let swept = |element: &&[u32]| {
        let places =
            meshes.iter().flat_map(|mesh| element.iter().map(|v| mesh.vertices[*v as usize]));
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
    let is_big = header.contains("format binary_big_endian 1.0");
    let properties: Vec<_> = header.lines().filter(|line| line.starts_with("property")).collect();
    let is_known = match &properties[..] {
        ["property float x", "property float y", "property float z", list] => {
            let types = ["property list uchar int ", "property list uchar uint "];
            types.iter().any(|known| list.starts_with(known))
        }
        _ => false,
    };
    if !is_known || !is_big && !header.contains("format binary_little_endian 1.0") {
        return None;
    }
    let count =
        |name: &str| header.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
    let (vertices, faces): (usize, usize) = (count("element vertex")?, count("element face")?);
    let word = |bytes: &[u8; 4]| {
        if is_big { u32::from_be_bytes(*bytes) } else { u32::from_le_bytes(*bytes) }
    };
    if header.find("element vertex")? > header.find("element face")? {
        return None;
    }
    let (of_vertices, of_faces) = bytes[end..].split_at_checked(vertices.checked_mul(12)?)?;
    let vertex =
        |all: &[[u8; 4]]| Vec3::from_slice(&[0, 1, 2].map(|at| f32::from_bits(word(&all[at]))));
    let places: Vec<Vec3> = of_vertices.as_chunks().0.chunks_exact(3).map(vertex).collect();
    let face = |face: &[u8; 13]| {
        let corners: [[u8; 4]; 3] = face[1..].as_chunks().0.try_into().ok()?;
        let corners = corners.each_ref().map(word);
        (face[0] == 3 && corners.iter().all(|v| (*v as usize) < vertices)).then_some(corners)
    };
    let triangles: Vec<[u32; 3]> =
        of_faces.as_chunks().0.iter().map(face).collect::<Option<_>>()?;
    let is_whole = places.iter().all(|place| place.is_finite()) && of_faces.len() == faces * 13;
    (triangles.len() == faces && is_whole).then_some(Mesh { vertices: places, faces: triangles })
}
