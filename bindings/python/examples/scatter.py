"""Boxes that overlap others, as a scatter of centres, with a line for each pair: `python scatter.py pairs.png`."""

import sys

import broadphase
import matplotlib
import numpy as np

matplotlib.use("agg")
from matplotlib import pyplot
from mpl_toolkits.mplot3d.art3d import Line3DCollection

random = np.random.default_rng(1)
centers = random.normal(size=(600, 3)).astype(np.float32)
half_sides = random.uniform(0.03, 0.18, (600, 1)).astype(np.float32)
boxes = np.hstack([centers - half_sides, centers + half_sides])

pairs = broadphase.BroadPhase().pairs(boxes)
partners = np.bincount(pairs.ravel(), minlength=len(boxes))

axes = pyplot.figure(figsize=(8, 7), layout="constrained").add_subplot(projection="3d")
points = axes.scatter(*centers.T, c=partners, s=400 * half_sides.ravel(), cmap="viridis_r", edgecolors="none", alpha=0.6)
axes.add_collection(Line3DCollection(centers[pairs], colors="crimson", linewidths=1.5))
axes.set(title=f"{len(boxes):,} boxes, {len(pairs):,} pairs", xlabel="x", ylabel="y")
axes.set(xlim=(-2.5, 2.5), ylim=(-2.5, 2.5), zlim=(-2.5, 2.5))
axes.figure.colorbar(points, label="boxes that a box overlaps", shrink=0.6, pad=0.08)
axes.figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "pairs.png", dpi=120)
