//! The reported versions are those that are built.

#[test]
fn reported_versions_are_those_of_the_lock_file() {
    let lock: toml::Table = include_str!("../../../../Cargo.lock").parse().unwrap();
    let packages = lock["package"].as_array().unwrap();
    let text = |package: &toml::Value, key: &str| package[key].as_str().map(str::to_owned);
    let locked: Vec<_> = packages.iter().map(|p| (text(p, "name"), text(p, "version"))).collect();
    for (name, version) in peers::VERSIONS {
        let is_locked = locked.contains(&(Some((*name).to_owned()), Some((*version).to_owned())));
        assert!(is_locked, "{name} {version} is not what is locked");
    }
}
