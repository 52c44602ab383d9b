"""4,096 worlds of 24 falling balls above one ground, all searched in one call a frame: `python many_worlds.py worlds.png`."""

import sys
import time

import broadphase
import matplotlib
import numpy as np

matplotlib.use("agg")
from matplotlib import pyplot

worlds, balls, radius, frames = 4096, 24, 0.15, 90
random = np.random.default_rng(5)
# World i drops its balls into a box whose side grows with i: from crowded to sparse.
sides = np.linspace(0.8, 4, worlds, dtype=np.float32)[:, None, None]
centers = random.random((worlds, balls, 3), np.float32) * sides
centers[..., 2] += 0.5
speeds = random.normal(0, 0.5, centers.shape).astype(np.float32)

starts = np.arange(worlds + 1) * balls
ground = np.array([[-9, -9, -1, 9, 9, 0]], np.float32)
search = broadphase.Worlds()
contacts, seconds = np.zeros((frames, worlds), int), np.zeros(frames)
for frame in range(frames):
    boxes = np.concatenate([centers - radius, centers + radius], 2).reshape(-1, 6)
    began = time.perf_counter()
    # Id 0 is the ground in each world; its balls are 1 to 24.
    pairs, ends = search.pairs(boxes, starts, shared=ground)
    seconds[frame] = time.perf_counter() - began
    contacts[frame] = np.diff(ends)
    speeds[..., 2] -= 9.81 / 60
    centers += speeds / 60
    below = centers[..., 2] < radius
    centers[..., 2][below] = radius
    speeds[..., 2][below] *= -0.5

figure, (map_axes, time_axes) = pyplot.subplots(2, 1, figsize=(8, 7), height_ratios=[3, 1], layout="constrained")
image = map_axes.imshow(contacts.T, aspect="auto", cmap="magma", extent=[0, frames / 60, worlds, 0])
map_axes.set(ylabel="world: crowded to sparse", title=f"{worlds:,} worlds of {balls} balls and a shared ground")
figure.colorbar(image, label="pairs in a world")
time_axes.plot(np.arange(frames) / 60, seconds * 1e9 / worlds)
time_axes.set(xlabel="seconds", ylabel="ns a world", ylim=(0, None), title="time of the call")
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "worlds.png", dpi=120)
