//! Switches of the group *Draw* as named on the command line: `objects=off`.

use crate::composer::DrawOptions;
use std::fmt;
use std::str::FromStr;

/// The words for the switches.
const WORDS: [(&str, Drawn); 6] = [
    ("objects", Drawn::Objects),
    ("sources", Drawn::Sources),
    ("obstacles", Drawn::Obstacles),
    ("outlines", Drawn::Outlines),
    ("shading", Drawn::Shading),
    ("glow", Drawn::Glow),
];

/// What a switch is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Drawn {
    Objects,
    Sources,
    Obstacles,
    Outlines,
    Shading,
    Glow,
}

/// A switch, and whether it is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawSwitch {
    of: Drawn,
    on: bool,
}

impl DrawSwitch {
    /// Switches it in options.
    pub fn apply(self, options: &mut DrawOptions) {
        let switch = match self.of {
            Drawn::Objects => &mut options.objects,
            Drawn::Sources => &mut options.sources,
            Drawn::Obstacles => &mut options.obstacles,
            Drawn::Outlines => &mut options.outlines,
            Drawn::Shading => &mut options.shading,
            Drawn::Glow => return options.glow = Some(self.on),
        };
        *switch = self.on;
    }

    /// The switches in which `options` differ from `default`, for a picture of `objects` objects.
    pub fn between(options: &DrawOptions, default: &DrawOptions, objects: usize) -> Vec<Self> {
        let state = |of: Drawn, options: &DrawOptions| match of {
            Drawn::Objects => options.objects,
            Drawn::Sources => options.sources,
            Drawn::Obstacles => options.obstacles,
            Drawn::Outlines => options.outlines,
            Drawn::Shading => options.shading,
            Drawn::Glow => options.glows(objects),
        };
        let all = WORDS.iter().map(|(_, of)| Self { of: *of, on: state(*of, options) });
        all.filter(|switch| switch.on != state(switch.of, default)).collect()
    }
}

impl fmt::Display for DrawSwitch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = WORDS.iter().find(|(_, of)| *of == self.of).map_or("", |(word, _)| word);
        write!(f, "{word}={}", if self.on { "on" } else { "off" })
    }
}

impl FromStr for DrawSwitch {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = || {
            let words: Vec<_> = WORDS.iter().map(|(word, _)| *word).collect();
            format!("expected one of {} with =on or =off, not {text:?}", words.join(", "))
        };
        let (word, state) = text.split_once('=').ok_or_else(expected)?;
        let known = WORDS.iter().find(|(known, _)| *known == word);
        let on = match state {
            "on" => true,
            "off" => false,
            _ => return Err(expected()),
        };
        known.map(|(_, of)| Self { of: *of, on }).ok_or_else(expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::composer::MAX_DRAWN_BY_DEFAULT;

    #[test]
    fn switches_that_differ_are_read_as_they_are_written() {
        let default = DrawOptions::of_scene(&sim::Scene::default());
        let options = DrawOptions {
            objects: false,
            obstacles: false,
            outlines: true,
            shading: !default.shading,
            glow: Some(false),
            ..default
        };
        let switches = DrawSwitch::between(&options, &default, 10);
        let words: Vec<String> = switches.iter().map(DrawSwitch::to_string).collect();
        let shading = if default.shading { "shading=off" } else { "shading=on" };
        assert_eq!(words, ["objects=off", "obstacles=off", "outlines=on", shading, "glow=off"]);
        let mut read = default;
        words.iter().for_each(|word| word.parse::<DrawSwitch>().unwrap().apply(&mut read));
        assert_eq!(read, options);
        assert!(DrawSwitch::between(&default, &default, 10).is_empty());
        for bad in ["", "objects", "objects=", "objects=no", "lists=on", "=on"] {
            let refusal = bad.parse::<DrawSwitch>().unwrap_err();
            assert!(refusal.starts_with("expected one of objects, sources, "), "{refusal}");
            assert!(refusal.ends_with(&format!("with =on or =off, not {bad:?}")), "{refusal}");
        }
    }

    #[test]
    fn glow_that_is_off_by_itself_is_not_written() {
        let default = DrawOptions::of_scene(&sim::Scene::default());
        let written = |glow: Option<bool>, objects: usize| -> Vec<String> {
            let options = DrawOptions { glow, ..default };
            let switches = DrawSwitch::between(&options, &default, objects);
            switches.iter().map(DrawSwitch::to_string).collect()
        };
        for objects in [10, MAX_DRAWN_BY_DEFAULT + 1] {
            assert!(written(None, objects).is_empty());
        }
        assert!(written(Some(false), MAX_DRAWN_BY_DEFAULT + 1).is_empty());
        assert_eq!(written(Some(true), MAX_DRAWN_BY_DEFAULT + 1), ["glow=on"]);
    }
}
