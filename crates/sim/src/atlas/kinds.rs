//! The kinds of generated boxes, and those that a cell is drawn from: placements, sizes and motions.

/// Declares an enum of kinds with `ALL` and `name`.
macro_rules! kinds {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $kind:ident = $text:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$doc])* $kind,)*
        }

        impl $name {
            /// Every kind.
            pub const ALL: &'static [Self] = &[$(Self::$kind),*];

            /// Its name on command lines, in descriptions and tables.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $text,)*
                }
            }
        }
    };
}

kinds! {
    /// A named kind of generated boxes.
    GeneratedKind {
        /// Equal cubes that fly through the cube in straight lines; walls reflect.
        Gas = "gas",
        /// Gaussian clusters that drift, of boxes with log-normal sizes: 95 % within a ratio of 10 to 1.
        Cluster = "cluster",
        /// Equal cubes, of which a tenth gets a new velocity in each frame.
        Brownian = "brownian",
        /// Equal cubes, each at a random offset from its place in every frame, at most 2 % of its side
        /// along each axis.
        Jitter = "jitter",
        /// Flat squares, all in the plane z = 0.
        Plane = "plane",
        /// Segments on the x axis.
        Line = "line",
        /// Equal cubes that all have the same x.
        SameX = "same-x",
        /// One huge resting box around all others, up to ten large resting ones, and tiny moving ones.
        Stadium = "stadium",
        /// The public golden case: 11,811 pairs of 10,000 boxes, 1,144,045 of 100,000. Nothing moves,
        /// and the seed is fixed.
        Terdiman = "terdiman",
        /// Equal cubes that overlap about ten others each. A tenth of them flies through the cube; the
        /// others are static, and no two of those make a pair.
        Statics = "statics",
    }
}

kinds! {
    /// Where the objects of a cell start.
    Placement {
        /// Uniform in a cube.
        Gas = "gas",
        /// Gaussian clusters in a cube.
        Clusters = "clusters",
        /// Uniform in a square; all centres in one plane.
        Plane = "plane",
        /// Uniform on a straight line.
        Line = "line",
        /// Uniform on the surface of a sphere.
        Shell = "shell",
        /// Two to eight parallel planes.
        Layers = "layers",
        /// Columns of boxes that touch the box below.
        Stack = "stack",
        /// The triangles of a sheet with moving vertices.
        Cloth = "cloth",
        /// Nine in ten are the static triangles of a ground, the others are bodies above it.
        Terrain = "terrain",
    }
}

kinds! {
    /// How large the objects of a cell are, relative to the usual side, 1.
    Sizes {
        /// Equal cubes.
        Equal = "equal",
        /// Cubes, sides uniform from 0.5 to 1.5.
        Uniform = "uniform",
        /// Cubes, log-normal sides: 95 % within a ratio of 10 to 1.
        LogNormal = "log-normal",
        /// Equal boxes, a tenth as thick on one axis.
        Flat = "flat",
        /// Equal cubes, and one box around everything.
        OneGiant = "one giant",
        /// Equal cubes, and one wide flat box below everything.
        Ground = "ground",
    }
}

kinds! {
    /// How the objects of a cell move.
    Motion {
        /// Straight flight; the walls of the occupied space reflect.
        Flight = "flight",
        /// A random push to every velocity in each frame, with friction.
        Pushes = "random pushes",
        /// An independent random displacement in each frame.
        RandomWalk = "random walk",
        /// An independent random displacement from a fixed place in each frame.
        Jitter = "jitter",
        /// Neighbouring objects share a velocity.
        DriftingGroups = "drifting groups",
        /// Velocities along one axis in proportion to the place on another, reversed periodically.
        Shear = "shear",
        /// Circles about the nearest of several centres.
        Orbits = "orbits",
        /// Expansion from the middle of the space, and contraction back.
        Expansion = "expansion",
        /// Objects fall, land, rest, and are dropped again at times.
        Fall = "fall",
        /// Flight in which all objects stop and start together.
        StopAndGo = "stop and go",
        /// Objects rest or are slow; about one in 200 jumps in each frame.
        Teleports = "teleports",
    }
}
