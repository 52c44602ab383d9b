//! Laws that hold for every input: each [`Property`] decodes any bytes, and panics if it is violated.
//!
//! The fuzz targets in `fuzz/` search for bytes that violate one. The test `corpus` replays the bytes in
//! `fuzz/corpus/`, a folder for each property. So both decode and check in the same way.

mod files;
mod frames;
mod joins;
mod kept_files;
mod messages;
mod narrowphase;
mod pair_events;
mod queries;
mod resume;
mod run;
mod scene;
#[cfg(feature = "viewer")]
mod settings;
mod shapes;
mod space;
mod tables;
mod trace;
mod world;
mod worlds;

/// A law that holds for any bytes.
#[derive(Debug)]
pub struct Property {
    /// The name of its fuzz target and of its folder of inputs.
    pub name: &'static str,
    /// Decodes bytes, and panics if the property does not hold for them.
    pub check: fn(&[u8]),
}

/// Every property of this build.
pub static PROPERTIES: &[Property] = &[
    Property { name: "charts", check: tables::check_charts },
    Property { name: "frames", check: frames::check },
    Property { name: "joins", check: joins::check },
    Property { name: "kept_files", check: kept_files::check },
    Property { name: "narrowphase", check: narrowphase::check },
    Property { name: "pair_events", check: pair_events::check },
    Property { name: "queries", check: queries::check },
    Property { name: "resume", check: resume::check },
    Property { name: "scene", check: scene::check },
    #[cfg(feature = "viewer")]
    Property { name: "settings", check: settings::check },
    Property { name: "space", check: space::check },
    Property { name: "tables", check: tables::check },
    Property { name: "trace", check: trace::check },
    Property { name: "world", check: world::check },
    Property { name: "worlds", check: worlds::check },
];

/// Checks a property by its name.
///
/// # Panics
///
/// If it does not hold for these bytes, or this build has no such property.
pub fn check(name: &str, bytes: &[u8]) {
    let property = PROPERTIES.iter().find(|property| property.name == name);
    (property.unwrap_or_else(|| panic!("there is no property `{name}`")).check)(bytes);
}
