#!/bin/sh
# Makes the pictures of docs/algorithms.md again, all or those of the ids given, by the viewer and
# ImageMagick: docs/pictures/make.sh [ID..]. VIEWER may name a viewer that is built.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
asked=" $* "

# Of each algorithm: its id, with parameters where defaults are for more objects, a scene in docs/pictures/scenes, what
# is drawn of its structure, the object that is picked, and the step where something happens, else step 60.
while read -r algorithm scene show picked step; do
  # Parameters are no part of the picture's name.
  id=${algorithm%@*}
  case "$asked" in "  " | *" $id "*) ;; *) continue ;; esac
  ${VIEWER:-cargo run --release --quiet --} "docs/pictures/scenes/$scene.scene" \
    --algorithm "$algorithm" --show "$show" ${picked:+--pick "$picked"} --headless --size 640x480 \
    --frames "${step:-60}" --step "${step:-60}" --force --csv "$work/frames.csv" --screenshot "$work/$id.png" >"$work/log" </dev/null
  # A tenth of the bytes, and hardly a difference to be seen.
  convert "$work/$id.png" +dither -colors 255 -strip -define png:exclude-chunks=date,time \
    "PNG8:docs/pictures/algorithms/$id.png"
  echo "docs/pictures/algorithms/$id.png"
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
