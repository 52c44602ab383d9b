//! Requests of the user by panels, keys and file dialogs.

use super::bookmarks::Bookmark;
use super::toasts::UnsavedEdits;
use crate::camera::Side;
use crate::platform::Question;
use crate::simulation::Order;
use measure::BoxesSpec;
use std::path::PathBuf;
use std::time::Duration;

/// The longest response delay that can be asked for.
pub const MAX_RESPONSE_DELAY: Duration = Duration::from_millis(100);

/// A request of the user.
#[derive(Clone, Debug)]
pub enum Command {
    /// Something that the simulation does.
    Order(Order),
    /// Suggest things to try, or no longer.
    Suggestions(bool),
    /// Fit the scene in view.
    FrameAll,
    /// Zoom to the picked object and those whose boxes overlap its box.
    FramePicked,
    /// Look from a side towards the camera's target.
    LookFrom(Side),
    /// Show the step of a bookmark from its camera.
    Show(Bookmark),
    /// Copy a command line that shows the same.
    CopyCommand,
    /// Read a scene or a trace.
    Load(PathBuf),
    /// Generate boxes, and play them.
    PlayBoxes(BoxesSpec),
    /// Write the scene, with all edits, into a file.
    Save(PathBuf),
    /// Write the recorded frames into `results/`.
    ExportFrames,
    /// Write the view as a picture there.
    ExportPicture,
    /// Begin a sequence of pictures there, one of each step, or end it.
    RecordPictures(bool),
    /// Write when contacts of bodies began and ended there.
    ExportEvents,
    /// Write the page of the last measurement there.
    ExportReport,
    /// Measure all algorithms over the whole input.
    MeasureAll,
    /// Stop that.
    StopMeasuring,
    /// Ask for a file to read or to write.
    Ask(Question),
    /// Open edits that were not saved.
    OpenEdits(UnsavedEdits),
    /// Discard the edits in this file.
    DiscardEdits(PathBuf),
}

impl From<Order> for Command {
    fn from(order: Order) -> Self {
        Command::Order(order)
    }
}
