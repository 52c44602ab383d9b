//! What the user asks for by the panels, keys and file dialogs.

use crate::simulation::Order;
use std::path::PathBuf;
use std::time::Duration;

/// The longest response delay that can be asked for.
pub const MOST_RESPONSE_DELAY: Duration = Duration::from_millis(100);

/// A request of the user.
#[derive(Clone, Debug)]
pub enum Command {
    /// Something that the simulation does.
    Order(Order),
    /// Wait for the screen, or draw as fast as possible.
    Vsync(bool),
    /// Dark or light.
    Dark(bool),
    /// Suggest things to try, or no longer.
    Suggestions(bool),
    /// Fit the whole scene in view.
    FrameAll,
    /// Read a scene file.
    Load(PathBuf),
    /// Ask for a scene file to read.
    AskForScene,
    /// Write the scene, with all edits, into a file.
    Save(PathBuf),
    /// Ask where to write the scene.
    AskWhereToSave,
    /// Write the recorded frames into `results/`.
    ExportFrames,
    /// Write a summary of them there.
    ExportSummary,
    /// Write the view as a picture there.
    ExportPicture,
    /// Write the chart of the compared algorithms, or of the phases, there.
    ExportChart(ChartFormat),
    /// Remove all notices.
    DismissNotices,
}

impl From<Order> for Command {
    fn from(order: Order) -> Self {
        Command::Order(order)
    }
}

/// File format of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChartFormat {
    /// Scalable.
    Svg,
    /// Pixels.
    Png,
}
