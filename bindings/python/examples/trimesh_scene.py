"""Boxes of the meshes of a `trimesh` scene; those in a pair are red: `python trimesh_scene.py scene.png`."""

import sys

import broadphase
import matplotlib
import numpy as np
import trimesh

matplotlib.use("agg")
from matplotlib import pyplot
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

random = np.random.default_rng(3)
shapes = [trimesh.creation.icosphere(2), trimesh.creation.torus(1, 0.3), trimesh.creation.box((1, 1, 2)),
          trimesh.creation.cylinder(0.5, 2)]
scene = trimesh.Scene()
for number in range(60):
    placed = trimesh.transformations.random_rotation_matrix(random.random(3))
    placed[:3, 3] = random.uniform(-7, 7, 3)
    scene.add_geometry(shapes[number % 4], transform=placed)

# One mesh for each node, with its transform applied. Their bounds are float64 of shape (2, 3).
meshes = scene.dump()
boxes = np.array([mesh.bounds.ravel() for mesh in meshes])
pairs = broadphase.BroadPhase().pairs(boxes, sorted=True)
touched = np.isin(np.arange(len(meshes)), pairs)

axes = pyplot.figure(figsize=(8, 7)).add_subplot(projection="3d")
for mesh, is_touched in zip(meshes, touched):
    color = "#d62728" if is_touched else "#9ec5e8"
    axes.add_collection3d(Poly3DCollection(mesh.triangles, facecolor=color, edgecolor="k", linewidth=0.1))
axes.set(xlim=(-8, 8), ylim=(-8, 8), zlim=(-8, 8), box_aspect=(1, 1, 1))
axes.set_title(f"{len(meshes)} meshes, {len(pairs)} pairs of boxes, {touched.sum()} meshes in a pair")
axes.figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "scene.png", dpi=120)
