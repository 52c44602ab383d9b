//! Scene files as text, read and edited.

use sim::{Scene, SceneDocument};

/// The document of a text that must be a scene.
pub(crate) fn document(text: &str) -> SceneDocument {
    match SceneDocument::parse("test.scene", text.as_bytes()) {
        Ok(document) => document,
        Err(error) => panic!("{error}"),
    }
}

/// The text after an edit of the scene.
pub(crate) fn edited(text: &str, edit: impl FnOnce(&mut Scene)) -> String {
    let mut document = document(text);
    let mut scene = document.scene().clone();
    edit(&mut scene);
    document.set_scene(scene.clone()).unwrap_or_else(|error| panic!("{error}"));
    let text = document.to_text();
    let again = self::document(&text);
    assert_eq!(again.scene(), document.scene(), "{text}");
    // All but the last share, which follows from the others.
    let (mut wanted, mut found) = (scene, again.scene().clone());
    wanted.sources.last_mut().unwrap().percent = 0.0;
    found.sources.last_mut().unwrap().percent = 0.0;
    assert_eq!(wanted, found, "{text}");
    text
}
