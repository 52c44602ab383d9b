//! The methods that the thesis compares, as entries of our registry.

/// The four methods of the thesis, by the ids of their algorithm entries.
#[derive(Debug)]
pub(super) struct Methods {
    /// The name on the page.
    pub(super) name: &'static str,
    pub(super) brute_force: &'static str,
    pub(super) bsp: &'static str,
    pub(super) kd_tree: &'static str,
    pub(super) sap_matrix: &'static str,
}

/// The default entries. Some are vectorised, brute force above all.
pub(super) const VECTORISED: Methods = Methods {
    name: "vectorised",
    brute_force: "brute-force",
    bsp: "bsp",
    kd_tree: "kd-tree",
    sap_matrix: "sap-matrix",
};

/// The scalar entries: like for like with the thesis, which measured scalar code.
pub(super) const SCALAR: Methods = Methods {
    name: "scalar",
    brute_force: "brute-force+scalar",
    bsp: "bsp+scalar",
    kd_tree: "kd-tree+scalar",
    sap_matrix: "sap-matrix+scalar",
};

/// The tree of the work that the thesis compares itself with (8.7). It has no scalar entry.
pub(super) const SEMI_ADJUSTING: &str = "bsp-semi-adjusting";

/// Both sets, in the order of the page.
pub(super) const SETS: [&Methods; 2] = [&VECTORISED, &SCALAR];

impl Methods {
    /// All four ids, brute force first.
    pub(super) fn ids(&self) -> [&'static str; 4] {
        [self.brute_force, self.bsp, self.kd_tree, self.sap_matrix]
    }

    /// All ids but that of brute force.
    pub(super) fn without_brute_force(&self) -> [&'static str; 3] {
        [self.bsp, self.kd_tree, self.sap_matrix]
    }
}

/// Whether the adapter is the processor: then claims about drawing cannot be compared with the thesis.
pub(super) fn is_software(adapter: &str) -> bool {
    adapter.contains("software")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_is_in_the_registry() {
        for id in SETS.into_iter().flat_map(Methods::ids).chain([SEMI_ADJUSTING]) {
            assert!(broadphase::registry::find(id).is_some(), "{id}");
        }
    }
}
