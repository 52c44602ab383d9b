//! A wrong answer about two bodies, for display.

use crate::session::StageFault;
use sim::AtomicFile;
use std::io::{self, Write};
use std::path::Path;

/// A wrong answer, and the scene that reproduces it.
#[derive(Clone, Debug)]
pub struct ShownFault {
    /// What is wrong.
    pub fault: StageFault,
    /// The text of a scene of the two bodies, or why there is none.
    pub scene: Result<String, String>,
}

impl ShownFault {
    /// Writes the scene into a new file, with what is wrong as a comment. An existing file is not replaced.
    pub(super) fn write(&self, path: &Path) -> Result<(), String> {
        let problem = |error: &dyn ToString| {
            format!("cannot write {}: {}", path.display(), error.to_string())
        };
        let scene = self.scene.as_ref().map_err(|error| problem(error))?;
        if path.exists() {
            return Err(problem(&"it exists already"));
        }
        let write = || -> io::Result<()> {
            let mut file = AtomicFile::create_with_folder(path)?;
            writeln!(file, "# {}", self.fault)?;
            file.write_all(scene.as_bytes())?;
            file.commit()
        };
        write().map_err(|error| problem(&error))
    }
}
