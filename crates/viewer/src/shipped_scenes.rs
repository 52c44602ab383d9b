//! The scenes of the repository, compiled in: an installed program has something to show in any folder.

use crate::platform::Files;
use measure::{Input, InputError};
use std::path::{Path, PathBuf};

/// The folder of the scenes in the repository.
const FOLDER: &str = "scenes";

/// Names and texts of the scenes.
const SCENES: [(&str, &str); 17] = [
    ("bullet.scene", include_str!("../../../scenes/bullet.scene")),
    ("cars.scene", include_str!("../../../scenes/cars.scene")),
    ("characters.scene", include_str!("../../../scenes/characters.scene")),
    ("contacts.scene", include_str!("../../../scenes/contacts.scene")),
    ("fer.scene", include_str!("../../../scenes/fer.scene")),
    ("fig-6-4.scene", include_str!("../../../scenes/fig-6-4.scene")),
    ("first.scene", include_str!("../../../scenes/first.scene")),
    ("jacks.scene", include_str!("../../../scenes/jacks.scene")),
    ("lab.scene", include_str!("../../../scenes/lab.scene")),
    ("layers.scene", include_str!("../../../scenes/layers.scene")),
    ("pad.scene", include_str!("../../../scenes/pad.scene")),
    ("paper.scene", include_str!("../../../scenes/paper.scene")),
    ("random.scene", include_str!("../../../scenes/random.scene")),
    ("rods.scene", include_str!("../../../scenes/rods.scene")),
    ("simple-shapes.scene", include_str!("../../../scenes/simple-shapes.scene")),
    ("stepenice.scene", include_str!("../../../scenes/stepenice.scene")),
    ("zoo.scene", include_str!("../../../scenes/zoo.scene")),
];

/// An input that was opened by its path.
#[derive(Debug)]
pub(crate) struct OpenedInput {
    pub(crate) input: Input,
    /// The file. Where a built-in scene is shown, the path that it is saved to.
    pub(crate) path: PathBuf,
    /// The message that a built-in scene is shown.
    pub(crate) note: Option<String>,
}

/// Opens a scene or a trace. A path without a file may name a built-in scene, as `fer.scene` or `scenes/fer.scene`.
pub(crate) fn open(files: &dyn Files, path: &Path) -> Result<OpenedInput, InputError> {
    let built_in = SCENES.iter().find(|(name, _)| is_path_of(path, name) && !files.exists(path));
    let Some((name, text)) = built_in else {
        let input = files.open(path)?;
        return Ok(OpenedInput { input, path: path.to_owned(), note: None });
    };
    // A file of this name is another scene.
    let saved_to = if files.exists(Path::new(name)) { path } else { Path::new(name) };
    Ok(OpenedInput {
        input: Input::of_bytes(Path::new(name), text.as_bytes())?,
        path: saved_to.to_owned(),
        note: Some(format!(
            "{}: there is no such file; the built-in scene is shown",
            path.display()
        )),
    })
}

/// Whether a path names a built-in scene of this text.
pub(crate) fn has(path: &Path, text: &str) -> bool {
    SCENES.iter().any(|(name, built_in)| is_path_of(path, name) && *built_in == text)
}

fn is_path_of(path: &Path, name: &str) -> bool {
    path == Path::new(name) || path == Path::new(FOLDER).join(name)
}

/// The built-in scenes, and further scene files of the folder `scenes` in `folder`.
pub(crate) fn listed(files: &dyn Files, folder: &Path) -> Vec<PathBuf> {
    let names = files.names(&folder.join(FOLDER)).into_iter();
    let names = names.filter(|name| name.extension().is_some_and(|ending| ending == "scene"));
    let built_in = SCENES.iter().map(|(name, _)| PathBuf::from(name));
    let mut scenes: Vec<PathBuf> =
        names.chain(built_in).map(|name| Path::new(FOLDER).join(name)).collect();
    scenes.sort();
    scenes.dedup();
    scenes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::System;
    use crate::platform::double::Double;

    #[test]
    fn every_scene_of_the_repository_is_built_in() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut in_folder = System.names(&root.join(FOLDER));
        in_folder.sort();
        assert_eq!(SCENES.map(|(name, _)| PathBuf::from(name)).to_vec(), in_folder);
        let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
        let named = readme
            .split(['`', '/', ' ', '\n'])
            .filter(|word| word.ends_with(".scene") && !word.contains('*'));
        let missing: Vec<_> = named.filter(|name| !in_folder.contains(&name.into())).collect();
        assert_eq!(missing, ["own.scene"; 0]);
        for (name, _) in SCENES {
            let opened = open(Double::leaked(), Path::new(name)).unwrap();
            assert_eq!((opened.input.name, opened.input.warnings), (name.to_owned(), vec![]));
        }
    }

    #[test]
    fn listed_scenes_are_the_built_in_ones_and_those_of_the_folder() {
        let double = Double::leaked();
        for name in ["scenes/b.scene", "scenes/fer.scene", "scenes/notes.txt", "other/c.scene"] {
            double.write(&Path::new("here").join(name), b"").unwrap();
        }
        let listed = listed(double, Path::new("here"));
        assert_eq!(listed.len(), SCENES.len() + 1);
        assert_eq!(listed[0], Path::new("scenes/b.scene"));
    }
}
