//! Pictures of the view: their size and legend, and a sequence of them.

use super::command::Command;
use super::number_field::NumberField;
use super::widgets::named;
use egui::Ui;
use egui::containers::menu::{MenuButton, MenuConfig};

/// Largest side in pixels that can be typed: the pictures of larger ones may not fit into the memory of an adapter.
const MAX_SIDE: u32 = 4096;

/// The size of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PictureSize {
    /// This many times the width and height of the scene in the window.
    Times(u32),
    /// As chosen in [`PictureOptions::pixels`].
    Pixels,
}

/// How pictures of the view are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PictureOptions {
    /// Whether the legend is in them.
    pub legend: bool,
    /// Their size.
    pub size: PictureSize,
    /// Width and height for [`PictureSize::Pixels`].
    pub pixels: [u32; 2],
}

impl Default for PictureOptions {
    fn default() -> Self {
        Self { legend: false, size: PictureSize::Times(1), pixels: [1920, 1080] }
    }
}

impl PictureOptions {
    /// Width and height in pixels where the scene has that size in the window, and how much larger the picture is.
    pub fn size_of(&self, [width, height]: [u32; 2]) -> ([u32; 2], f32) {
        match self.size {
            PictureSize::Times(times) => ([width * times, height * times], times as f32),
            PictureSize::Pixels => {
                let [of_width, of_height] = [
                    self.pixels[0] as f32 / width.max(1) as f32,
                    self.pixels[1] as f32 / height.max(1) as f32,
                ];
                (self.pixels, of_width.min(of_height))
            }
        }
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
        for (size, name) in [
            (PictureSize::Times(1), "Size of the scene in the window"),
            (PictureSize::Times(2), "Twice that size"),
            (PictureSize::Pixels, "Width x height in pixels:"),
        ] {
            ui.radio_value(&mut options.size, size, name);
        }
        ui.horizontal(|ui| {
            let [width, height] = &mut options.pixels;
            for (name, side) in [("Width of pictures", width), ("Height of pictures", height)] {
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
