#!/bin/sh
# Makes the pictures of docs/algorithms.md again, all or those of the ids given, by the viewer and
# ImageMagick: docs/pictures/make.sh [ID..]. VIEWER may name a viewer that is built.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
asked=" $* "

# Of each algorithm: its id, with parameters where defaults are for more objects, a scene in docs/pictures/scenes, what
# is drawn of its structure, and the object that is picked, if any.
while read -r algorithm scene show picked; do
  # Parameters are no part of the picture's name.
  id=${algorithm%@*}
  case "$asked" in "  " | *" $id "*) ;; *) continue ;; esac
  ${VIEWER:-cargo run --release --quiet --} "docs/pictures/scenes/$scene.scene" \
    --algorithm "$algorithm" --show "$show" ${picked:+--pick "$picked"} --headless --frames 60 --size 640x480 \
    --force --csv "$work/frames.csv" --screenshot "$work/$id.png" >"$work/log" </dev/null
  # A tenth of the bytes, and hardly a difference to be seen.
  convert "$work/$id.png" +dither -colors 255 -strip -define png:exclude-chunks=date,time \
    "PNG8:docs/pictures/algorithms/$id.png"
  echo "docs/pictures/algorithms/$id.png"
done <<'TABLE'
bsp crowds planes:9,regions
kd-tree crowds planes:9,regions
sap-matrix cube lists
areas map regions
sap-1-axis long lists 11
sap-incremental ends lists
box-pruning thin lists,blocks 30
grid-uniform map regions
grid-hashed islands regions
grid-hierarchical sizes regions
octree-loose@leaf-size=2 mixed regions 20
bsp-semi-adjusting crowds planes:9,regions
kd-sap crowds planes:9,regions
bvh-top-down map boxes:3
bvh-bottom-up islands boxes:2
bvh-linear rows curve,boxes:3
bvh-incremental slow boxes:3,fat
sweep-grid sweeps regions,blocks 700
rest-grid resting regions,fat
neighbour-list slow fat,pairs
auto many fat,pairs
TABLE
