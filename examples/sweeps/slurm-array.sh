#!/usr/bin/env bash
# Measures all shards of a plan as a Slurm job array, one shard a task.
#
#   sbatch --array=1-SHARDS slurm-array.sh SHARDS OUT atlas|run OPTIONS..
#
# HARNESS is the program, "harness" unless set. A task that was killed or requeued completes its shard;
# single tasks can be submitted again (--array=3,5). When all are done:
#
#   harness atlas --redraw OUT/shard-* --out OUT/page
#
#SBATCH --job-name=broad-phase
#SBATCH --exclusive
#SBATCH --time=06:00:00
#SBATCH --requeue
set -euo pipefail

if [ $# -lt 3 ]; then
  echo "usage: sbatch --array=1-SHARDS $0 SHARDS OUT atlas|run OPTIONS.." >&2
  exit 2
fi
shards=$1 out=$2
shift 2
shard=$SLURM_ARRAY_TASK_ID
srun --ntasks=1 "${HARNESS:-harness}" "$@" \
  --shard "$shard/$shards" --out "$out/shard-$shard" --resume --quiet
