//! The reader and the writer of scenes.

use sim::{Scene, SceneDiagnostic, SceneDocument};

const NAME: &str = "any.scene";

/// A line between two scenes. The second then replaces the first in its file.
const SEPARATOR: &[u8] = b"\n=\n";

/// A scene that is read has its own text, reads back as it is written, and can replace any other in a file.
/// An error names a line and a column of the text.
pub(crate) fn check(bytes: &[u8]) {
    let at = bytes.windows(SEPARATOR.len()).position(|window| window == SEPARATOR);
    let Some(at) = at else {
        read(bytes);
        return;
    };
    let (first, second) = (read(&bytes[..at]), read(&bytes[at + SEPARATOR.len()..]));
    if let (Some(mut document), Some(second)) = (first, second) {
        let wanted = second.scene().clone();
        document.set_scene(wanted.clone()).unwrap_or_else(|error| panic!("{error}"));
        let text = document.to_text();
        let again = SceneDocument::parse(NAME, text.as_bytes());
        let again = again.unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(without_last_share(again.scene()), without_last_share(&wanted), "{text}");
    }
}

/// The scene without the share that follows from the others, and may be rounded otherwise.
fn without_last_share(scene: &Scene) -> Scene {
    let mut scene = scene.clone();
    if let Some(last) = scene.sources.last_mut() {
        last.percent = 0.0;
    }
    scene
}

fn read(bytes: &[u8]) -> Option<SceneDocument> {
    let newlines = bytes.iter().filter(|&&byte| byte == b'\n').count();
    let has_place = |diagnostic: &SceneDiagnostic| {
        diagnostic.line().is_some_and(|line| (1..=newlines + 1).contains(&line))
            && diagnostic.column().is_some_and(|column| (1..=bytes.len() + 1).contains(&column))
    };
    match SceneDocument::parse(NAME, bytes) {
        Ok(document) => {
            assert_eq!(document.to_text().as_bytes(), bytes);
            for warning in document.warnings() {
                assert!(has_place(warning), "{warning}");
            }
            let written = SceneDocument::from_scene(document.scene());
            let written = written.unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(written.scene(), document.scene());
            Some(document)
        }
        Err(error) => {
            assert!(has_place(&error) && error.to_string().contains("any.scene:"), "{error}");
            None
        }
    }
}
