//! Scene files as text, read and edited.

use sim::{Scene, SceneDocument};

/// A scene with every kind of line, out of order.
pub(crate) const EVERYTHING: &str = "\
# Everything that a scene file can say.
#!objects 250
#!radius loguniform 0.01 0.1
#!speed 1.5
#!seed 18446744073709551615
#!dt 0.01
#!gravity  1.0 -2 0.5
#!line 0.25 -0.5
#!camera -30 45 6
#!triangles 80
#!shading off
#!wind 3
i -1.0 -1.0 -1.0  2.0 2.0 2.0  30 t
\ti 0 0 0\t1 1 1  \t 7.0   f  \r
p -1 -1 0.0  2 2 0  z
  p 0 -1 -1  0 2 2 x
p -1 0 -1  2 -0.0 2 y

s 1
#!ball 0.5 .5 5e-1  1 0 -1
#!ball 0 0 0  0 0 0  0.25
#!event 1.5 remove-source 2
#!event 2 hold o 0.75
#!event 0 hold p 1
#!layer source 2\tstatic group 3  meets 31,0,3
  #!layer balls meets none
#!layer source 1 group 0
#!spin 0.5
#!continuous bullets
#!flat
#!driving refuse  sphere-inside
#!body jack 0 0 0.5  1 0 0  spin 0 3 0 scale 0.5  bullet
#!body die -0.5 0 0  0 0 0  static  rotate 0 2 0 45
#!body die 0 0 0  1 0 0  driven
#!body die -0.5 0 1  0 0 0  kinematic
#!bodies source 1  die 50  jack 25.5
#!part jack rod  0 0 0
#!part jack rod  0.0 0 0  1 0 0 90
#!shape ball-1 sphere 0.25
#!shape die box 1 1 2
#!shape rod capsule 0.1 1
#!shape bead capsule 0.1 0
#!shape drum cylinder 0.5 1 24
  #!shape tip cone 0.5 1
#!shape four tetrahedron 1
#!shape rock hull 16
#!shape stone hull 12 18446744073709551615
#!shape wedge points 0 0 0  1 0 0  0 1 0  0 0 1  0 0 1
#!shape tile polygon 0.5  0 0  1 0  1 1\t 0 1
#!shape jack compound
#!restitution  0.50 die
#!restitution 0
#!density 7.80
#!density 0.25 die
#!force 1  9.5 0 0  0.25
#!force 1  -1 0 0  1
#!drive 0.5 none
#!drive 1.50 up+right+jump
#!label 0 0.50 -1  not  continuous
#!label 1 2 3  2 units/s
# the end, without a newline";

/// The document of a text that must be a scene.
pub(crate) fn document(text: &str) -> SceneDocument {
    match SceneDocument::parse("test.scene", text.as_bytes()) {
        Ok(document) => document,
        Err(error) => panic!("{error}"),
    }
}

/// The text after an edit of the scene.
pub(crate) fn edited(text: &str, edit: impl FnOnce(&mut Scene)) -> String {
    let mut document = document(text);
    let mut scene = document.scene().clone();
    edit(&mut scene);
    document.set_scene(scene.clone()).unwrap_or_else(|error| panic!("{error}"));
    let text = document.to_text();
    let again = self::document(&text);
    assert_eq!(again.scene(), document.scene(), "{text}");
    // All but the last share, which follows from the others.
    let (mut wanted, mut found) = (scene, again.scene().clone());
    wanted.sources.last_mut().unwrap().percent = 0.0;
    found.sources.last_mut().unwrap().percent = 0.0;
    assert_eq!(wanted, found, "{text}");
    text
}
