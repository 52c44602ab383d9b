//! The window: spheres, planes and panel on the GPU, or the same scene without a window.
