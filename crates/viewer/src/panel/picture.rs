//! Pictures of the view: their size and legend, and a sequence of them.

use super::command::Command;
use super::number_field::NumberField;
use super::widgets::named;
use egui::Ui;
use egui::containers::menu::{MenuButton, MenuConfig};

/// Largest side in pixels that can be typed: the pictures of larger ones may not fit into the memory of an adapter.
const MAX_SIDE: u32 = 4096;

/// How pictures of the view are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PictureOptions {
    /// Whether the legend is in them.
    pub legend: bool,
    /// Width and height in pixels; `None` for those of the scene in the window.
    pub pixels: Option<[u32; 2]>,
}

/// Size in pixels of a picture at first.
const PIXELS: [u32; 2] = [1920, 1080];

impl PictureOptions {
    /// Width and height in pixels where the scene has that size in the window, and how much larger the picture is.
    pub fn size_of(&self, window: [u32; 2]) -> ([u32; 2], f32) {
        let Some(size) = self.pixels else { return (window, 1.0) };
        let [of_width, of_height] =
            [0, 1].map(|side| size[side] as f32 / window[side].max(1) as f32);
        (size, of_width.min(of_height))
    }
}

/// A menu with the options, and the button that begins a sequence.
pub(super) fn show(
    ui: &mut Ui,
    options: &mut PictureOptions,
    recorded: Option<u32>,
    commands: &mut Vec<Command>,
) {
    let config = MenuConfig::new().close_behavior(egui::PopupCloseBehavior::CloseOnClickOutside);
    let (button, _) = MenuButton::new("...").config(config).ui(ui, |ui| {
        ui.checkbox(&mut options.legend, "With the legend");
        let mut is_sized = options.pixels.is_some();
        if ui.checkbox(&mut is_sized, "Width x height in pixels:").changed() {
            options.pixels = is_sized.then_some(PIXELS);
        }
        ui.horizontal(|ui| {
            let sides = ["Width of pictures", "Height of pictures"];
            for (name, side) in sides.into_iter().zip(options.pixels.iter_mut().flatten()) {
                NumberField::new(name, side, 1..=MAX_SIDE).show(ui);
            }
        });
        ui.separator();
        let record = ui.add_enabled(recorded.is_none(), egui::Button::new("Record pictures"));
        let meaning = "Take one step after another, and write a picture of each, for a video, into a new folder in results/";
        if record.on_hover_text(meaning).clicked() {
            commands.push(Command::RecordPictures(true));
            ui.close();
        }
    });
    named(button, "Picture options")
        .on_hover_text("Size and legend of pictures; a sequence of them");
}
