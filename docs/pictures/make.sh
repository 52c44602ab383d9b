#!/bin/sh
# Makes the pictures of docs/ and README.md again, all or those of the names given, by the viewer and ImageMagick, that of
# the window also by xvfb-run: docs/pictures/make.sh [NAME..]. VIEWER may name a viewer that is built.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
asked=" $* "
[ -n "${VIEWER:-}" ] || cargo build --release --quiet
viewer=$(realpath "${VIEWER:-${CARGO_TARGET_DIR:-target}/release/viewer}")

wants() {
  case "$asked" in "  " | *" $1 "*) ;; *) return 1 ;; esac
}

# A picture of a step without a window: input, step, file, further options.
draw() {
  input=$1 step=$2 file=$3
  shift 3
  $viewer "$input" "$@" --headless --frames "$step" --step "$step" --force \
    --csv "$work/frames.csv" --screenshot "$file" >"$work/log" </dev/null
}

# A tenth of the bytes, and hardly a difference to be seen.
compress() {
  convert "$1" +dither -colors 255 -strip -define png:exclude-chunks=date,time "PNG8:$2"
  echo "$2"
}

# Of each algorithm: its id, with parameters where defaults are for more objects, a scene in docs/pictures/scenes, what
# is drawn of its structure, the object that is picked, and the step where something happens, else step 60.
while read -r algorithm scene show picked step; do
  # Parameters are no part of the picture's name.
  id=${algorithm%@*}
  wants "$id" || continue
  draw "docs/pictures/scenes/$scene.scene" "${step:-60}" "$work/$id.png" \
    --algorithm "$algorithm" --show "$show" ${picked:+--pick "$picked"} --size 640x480
  compress "$work/$id.png" "docs/pictures/algorithms/$id.png"
done <<'TABLE'
brute-force mixed none 7
bsp@depth=2 crowds planes:9,regions 10
kd-tree@depth=2 crowds planes:9,regions 10 24
sap-matrix matrix lists 3
areas map regions 38
sap-1-axis long lists 11
sap-incremental ends lists 1
box-pruning thin lists,blocks 22
grid-uniform map regions 38
grid-hashed islands regions 12
grid-hierarchical sizes regions 3 90
octree-loose@leaf-size=2 nested regions,boxes:0 2
bsp-semi-adjusting@leaf-size=16 wander planes:9,regions 31 42
kd-sap@leaf-size=16 halves planes:9,regions 12
bvh-top-down few boxes:9 3 186
bvh-bottom-up pairs boxes:6 1
bvh-linear rows curve,boxes:9 12
bvh-incremental few boxes:4,fat 10 162
sweep-grid@columns=4 sweeps regions 17
rest-grid@columns=3 resting regions,fat,pairs 3
neighbour-list slow fat,pairs 11
auto many fat,pairs 5
TABLE

if wants fer; then
  draw scenes/fer.scene 300 "$work/fer.png" --algorithm kd-tree --planes 2 --size 1280x640
  # Few colours would leave bands in its background.
  convert "$work/fer.png" -strip -define png:exclude-chunks=date,time docs/pictures/fer.png
  echo docs/pictures/fer.png
fi

# The window after half a minute of comparing. The pointer is in the middle of the screen, beside it.
if wants compare; then
  # shellcheck disable=SC2016 # The inner shell expands them.
  XDG_CONFIG_HOME=$work XDG_RUNTIME_DIR=$work xvfb-run -a -s "-screen 0 2600x1500x24" sh -c '
    $1 scenes/fer.scene --algorithm kd-tree --compare brute-force,sweep-grid >"$3" 2>&1 &
    sleep 40
    import -window root -crop 1280x720+0+0 +repage "$2"
    kill $!' sh "$viewer" "$work/compare.png" "$work/log"
  compress "$work/compare.png" docs/pictures/compare.png
fi

# The scenes of motion within a step and of driving, side by side: scene, step, what is drawn.
wants motion || exit 0
set --
while read -r scene step options; do
  # shellcheck disable=SC2086 # The options are words.
  draw "scenes/$scene.scene" "$step" "$work/$scene.png" --algorithm areas --size 800x500 $options
  set -- "$@" "$work/$scene.png"
done <<'TABLE'
bullet 10 --show impacts,paths
paper 8 --show impacts,paths
cars 11 --show impacts,paths
rods 40 --show impacts,paths,waiting
simple-shapes 244 --show contacts --color touching
characters 150 --show parts,aabbs
lab 150 --show volumes --volume sphere --pick 12
TABLE
montage "$@" -gravity center -crop 660x440+0+0 +repage -resize 480x320 -geometry +2+2 -tile 4x "$work/motion.png"
compress "$work/motion.png" docs/pictures/motion.png
