//! The reported versions are those that are built.

#[test]
fn reported_versions_are_those_of_the_lock_file() {
    let lock: toml::Table = include_str!("../../../../Cargo.lock").parse().unwrap();
    let packages = lock["package"].as_array().unwrap();
    let is_locked = |name: &str, version: &str| {
        let named = |p: &&toml::Value| p["name"].as_str() == Some(name);
        packages.iter().filter(named).any(|p| p["version"].as_str() == Some(version))
    };
    for (name, version) in peers::VERSIONS {
        assert!(is_locked(name, version), "{name} {version} is not what is locked");
    }
}
