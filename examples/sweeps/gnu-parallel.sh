#!/usr/bin/env bash
# Measures all shards of a plan with GNU parallel, then makes the page of them.
#
#   gnu-parallel.sh SHARDS OUT atlas|run OPTIONS..
#
# HARNESS    the program, "harness" unless set
# SSHLOGIN   machines as for `parallel --sshlogin`; they share the folder OUT. Without it, this machine
#
# One shard at a time on each machine: two at once would slow each other down. Shards that are done are
# not measured again: run the same command after a failure. The exit code is the number of shards that
# failed; their codes are in OUT/jobs.tsv. A shard with wrong pairs is complete, and on the page.
set -euo pipefail

if [ $# -lt 3 ]; then
  echo "usage: $0 SHARDS OUT atlas|run OPTIONS.." >&2
  exit 2
fi
shards=$1 out=$2 command=$3
shift 2
harness=${HARNESS:-harness}
machines=()
if [ -n "${SSHLOGIN:-}" ]; then
  machines=(--sshlogin "$SSHLOGIN" --workdir "$PWD")
fi

mkdir -p "$out"
failed=0
seq "$shards" | parallel --quote --jobs 1 "${machines[@]}" --joblog "$out/jobs.tsv" \
  "$harness" "$@" --shard "{}/$shards" --out "$out/shard-{}" --resume || failed=$?

folders=()
for shard in $(seq "$shards"); do
  folders+=("$out/shard-$shard")
done
case $command in
  atlas) "$harness" atlas --redraw "${folders[@]}" --out "$out/page" --force ;;
  run) "$harness" report "${folders[@]}" --out "$out/report.html" --force ;;
esac
exit "$failed"
