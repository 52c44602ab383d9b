//! The command line that shows the same again.

use crate::camera::OrbitCamera;
use crate::simulation::{ShownBodies, Snapshot};
use crate::view::{View, camera_words};
use measure::InputName;
use sim::{DEFAULT_SEED, Scene};
use std::path::Path;

/// A state to show again.
#[derive(Clone, Copy, Debug)]
pub struct Reproduction<'a> {
    /// The file of the input; `None` for generated boxes.
    pub path: Option<&'a Path>,
    /// The scene as it is in its file; `None` for other inputs.
    pub original: Option<&'a Scene>,
    /// The keys that drive bodies, in a file; `None` where the scene's own do.
    pub drive: Option<&'a Path>,
    /// The simulation.
    pub snapshot: &'a Snapshot,
    /// The view.
    pub view: &'a View,
    /// Whether the comparison is shown.
    pub compares: bool,
    /// The camera.
    pub camera: OrbitCamera,
}

impl Reproduction<'_> {
    /// The options of the program `viewer`, one word each.
    pub fn arguments(&self) -> Vec<String> {
        let Self { snapshot, view, .. } = self;
        let mut words = self.input();
        if let Some(drive) = self.drive {
            words.extend(["--drive".to_owned(), drive.display().to_string()]);
        }
        if snapshot.engine.threads > 1 {
            words.extend(["--threads".to_owned(), snapshot.engine.threads.to_string()]);
        }
        words.extend(["--algorithm".to_owned(), snapshot.algorithm.id.to_owned()]);
        if let Some(ShownBodies { methods, box_kind, .. }) = &snapshot.objects.bodies {
            let ids = [methods.volume.id, methods.narrow.id, box_kind.id()];
            for (option, id) in ["--volume", "--narrow", "--box-kind"].into_iter().zip(ids) {
                words.extend([option.to_owned(), id.to_owned()]);
            }
        }
        let default = View::of_scene(self.original.unwrap_or(&snapshot.input.scene));
        let picked = snapshot.picked.as_ref().map(|picked| picked.object);
        let view = View { picked, ..**view };
        words.extend(view.words(&default, |row| snapshot.offers(row)));
        if self.compares && !snapshot.compared.is_empty() {
            let ids: Vec<&str> =
                snapshot.compared.iter().map(|figures| figures.algorithm.id).collect();
            words.extend(["--compare".to_owned(), ids.join(",")]);
        }
        words.extend(["--step".to_owned(), snapshot.motion.steps.to_string()]);
        // In one word, since it may begin with a minus.
        words.push(format!("--camera={}", camera_words(&self.camera)));
        words
    }

    fn input(&self) -> Vec<String> {
        let Self { snapshot, original, .. } = self;
        let Some(path) = self.path else { return self.boxes() };
        let shown = path.display().to_string();
        // An option would begin with a minus.
        let mut words = vec![if shown.starts_with('-') { format!("./{shown}") } else { shown }];
        if let Some(Scene { objects, seed, .. }) = original {
            if snapshot.input.recipe.objects != *objects {
                words.extend(["--objects".to_owned(), snapshot.input.recipe.objects.to_string()]);
            }
            if snapshot.input.recipe.seed != *seed {
                words.extend(["--seed".to_owned(), snapshot.input.recipe.seed.to_string()]);
            }
        }
        words
    }

    /// Generated boxes, by their name in rows.
    fn boxes(&self) -> Vec<String> {
        let label = &self.snapshot.input.label;
        let name = InputName::read(label);
        let Some(spec) = name.boxes(self.snapshot.objects.boxes.len() as u64) else {
            // The name of a cell holds all of it.
            return vec!["--boxes".to_owned(), label.to_string()];
        };
        let mut words = vec!["--boxes".to_owned(), format!("{}:{}", name.kind, spec.objects)];
        if spec.moving != spec.kind.usual_moving() {
            words.extend(["--moving".to_owned(), spec.moving.to_string()]);
        }
        let seed = self.snapshot.motion.seed;
        if let Some(seed) = seed.filter(|seed| *seed != DEFAULT_SEED && spec.moves()) {
            words.extend(["--seed".to_owned(), seed.to_string()]);
        }
        words
    }

    /// The reason why the command does not show the same; `None` if it does.
    pub fn lack(&self) -> Option<&'static str> {
        let recipe = &self.snapshot.input.recipe;
        if self.original.is_some_and(|original| is_edited(original, recipe)) {
            Some("the edits of the scene are not in the command: save the scene first")
        } else if self.snapshot.input.by_hand {
            Some(
                "the motion was changed by hand (P, O, a drag or an edit): the command shows the scene as it is \
                 written",
            )
        } else {
            None
        }
    }
}

/// Whether a scene was edited: its file, with the scene `original`, does not show the same.
pub fn is_edited(original: &Scene, recipe: &Scene) -> bool {
    // These are not edited: a saved scene has those of the view, and keys are held.
    let Scene { objects, seed, camera, triangles, shading, .. } = *recipe;
    let drive = recipe.drive.clone();
    *recipe != Scene { objects, seed, camera, triangles, shading, drive, ..original.clone() }
}

/// A command line for a shell: words with other than plain characters are quoted.
pub fn in_shell(words: &[String]) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-+=./:,@%".contains(c);
    let quoted = |word: &String| match !word.is_empty() && word.chars().all(is_plain) {
        true => word.clone(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}
