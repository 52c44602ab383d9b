//! The name of an input in the rows, in its parts.

use sim::GeneratedSpec;

/// What the name of an input in the rows says.
#[derive(Clone, Debug, PartialEq)]
pub struct InputName {
    /// A file, a kind of generated boxes, or a cell of the atlas.
    pub kind: String,
    /// Share of the objects that moves, 0 to 1: the kind's usual one unless the name has another.
    pub moving: f32,
}

impl InputName {
    /// Reads [`GeneratedSpec::name`], `brownian --moving 0.1`. Any other name is a kind of which all
    /// objects move. A number of worlds after it is none of its parts.
    pub fn read(name: &str) -> Self {
        let name = name.split(" --worlds ").next().unwrap_or(name);
        let is_share = |share: &f32| (0.0..=1.0).contains(share);
        let split = name
            .split_once(" --moving ")
            .and_then(|(kind, share)| Some((kind, share.trim().parse().ok().filter(is_share)?)));
        let (kind, moving) = match split {
            Some((kind, moving)) => (kind, Some(moving)),
            None => (name, None),
        };
        let usual = || spec(kind, 1).map_or(1.0, |spec| spec.moving);
        Self { kind: kind.to_owned(), moving: moving.unwrap_or_else(usual) }
    }

    /// The generated boxes of this name; `None` where it names no kind of them.
    pub fn boxes(&self, objects: u64) -> Option<GeneratedSpec> {
        Some(GeneratedSpec { moving: self.moving, ..spec(&self.kind, objects)? })
    }
}

fn spec(kind: &str, objects: u64) -> Option<GeneratedSpec> {
    format!("{kind}:{objects}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_gives_kind_and_moving_share() {
        let read = |name| {
            let InputName { kind, moving } = InputName::read(name);
            (kind, moving)
        };
        assert_eq!(read("brownian --moving 0.25"), ("brownian".to_owned(), 0.25));
        assert_eq!(read("brownian --moving 0.25 --worlds 40"), ("brownian".to_owned(), 0.25));
        assert_eq!(read("brownian"), ("brownian".to_owned(), 1.0));
        assert_eq!(read("statics"), ("statics".to_owned(), 0.1));
        for other in ["a --moving b", "a --moving NaN", "a --moving 7", "random.scene"] {
            assert_eq!(read(other), (other.to_owned(), 1.0));
        }
    }
}
