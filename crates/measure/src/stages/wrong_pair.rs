//! A wrong answer in words, and its pair as a scene.

use broadphase::Pair;
use sim::scene::SceneError;
use sim::stages::{BodyList, MovingBodies, WrongAnswer, moving_pair_scene, pair_scene};
use sim::{AtomicFile, Scene};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Where the bodies of a wrong answer are.
pub(super) struct FaultPlace<'a, B> {
    /// The scene that has their shapes.
    pub(super) scene: &'a Scene,
    /// Where the pair is written; the folder is made if there is none.
    pub(super) folder: Option<&'a Path>,
    /// All bodies of the frame.
    pub(super) bodies: &'a B,
}

/// What is wrong with the answer of `method`, and the file that shows the pair.
pub(super) fn describe<B: BodyList>(
    method: &str,
    wrong: &WrongAnswer,
    place: &FaultPlace<'_, B>,
) -> String {
    describe_fault(method, wrong.pair, &wrong.to_string(), place)
}

/// What is wrong with what `method` knows of a pair, and the file that shows the pair.
pub(super) fn describe_fault<B: BodyList>(
    method: &str,
    pair: Pair,
    fault: &str,
    place: &FaultPlace<'_, B>,
) -> String {
    let text = text_of(method, pair, &fault, place);
    with_scene(method, pair, text, fault, place, still(pair, place))
}

/// What is wrong with a first contact within a step of these seconds, and the file that shows the pair in motion.
pub(super) fn describe_impact<B: MovingBodies>(
    method: &str,
    wrong: &WrongAnswer,
    seconds: f64,
    place: &FaultPlace<'_, B>,
) -> String {
    let pair = wrong.pair;
    let [a, b] = [pair.a, pair.b].map(|object| place.bodies.moving(object as usize));
    let names = [pair.a, pair.b].map(|object| place.bodies.name_of(object as usize));
    let text = text_of(method, pair, wrong, place);
    let motion = |motion: &narrowphase::impact::Motion| {
        format!("{:?} and {:?}", motion.velocity.to_array(), motion.spin.to_array())
    };
    let fact = format!("{wrong}; velocities and spins {}, {}", motion(&a.1), motion(&b.1));
    let scene = moving_pair_scene(place.scene, names, [(&a.0, &a.1), (&b.0, &b.1)], seconds);
    with_scene(method, pair, text, &fact, place, scene)
}

fn text_of<B: BodyList>(
    method: &str,
    pair: Pair,
    fault: &impl std::fmt::Display,
    place: &FaultPlace<'_, B>,
) -> String {
    let names = [pair.a, pair.b].map(|object| place.bodies.name_of(object as usize));
    let Pair { a, b } = pair;
    format!("`{method}` is wrong about bodies {a} and {b} ({} and {}): {fault}", names[0], names[1])
}

/// The pair as it is now, as a scene.
fn still<B: BodyList>(pair: Pair, place: &FaultPlace<'_, B>) -> Result<String, SceneError> {
    let objects = [pair.a, pair.b].map(|object| object as usize);
    let [a, b] = objects.map(|object| place.bodies.body(object));
    pair_scene(place.scene, objects.map(|object| place.bodies.name_of(object)), [&a, &b])
}

/// Writes the scene of a pair, with `fact` in a comment, and appends its file to `text`.
fn with_scene<B: BodyList>(
    method: &str,
    pair: Pair,
    text: String,
    fact: &str,
    place: &FaultPlace<'_, B>,
    scene: Result<String, SceneError>,
) -> String {
    let Some(folder) = place.folder else { return text };
    match write_pair(method, pair, fact, folder, scene) {
        Ok(path) => format!("{text}; {} has the pair", path.display()),
        Err(error) => format!("{text}; the pair cannot be written: {error}"),
    }
}

fn write_pair(
    method: &str,
    pair: Pair,
    fact: &str,
    folder: &Path,
    scene: Result<String, SceneError>,
) -> io::Result<PathBuf> {
    let scene = scene.map_err(io::Error::other)?;
    std::fs::create_dir_all(folder)?;
    // Another case of the run may have a pair of the same numbers.
    let stem = format!("wrong-{method}-{}-{}", pair.a, pair.b);
    let mut path = folder.join(format!("{stem}.scene"));
    let mut number = 1;
    while path.exists() {
        number += 1;
        path = folder.join(format!("{stem}-{number}.scene"));
    }
    let mut file = AtomicFile::create(&path)?;
    writeln!(file, "# `{method}` is wrong about this pair: {fact}.")?;
    file.write_all(scene.as_bytes())?;
    file.commit()?;
    Ok(path)
}
