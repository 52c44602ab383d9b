//! The part of a texture that a scene is drawn into.

/// Where a scene is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// A view of the texture, in the renderer's format.
    pub view: &'a wgpu::TextureView,
    /// Width and height of the whole texture.
    pub size: [u32; 2],
    /// The part that shows the scene; the rest has one colour.
    pub viewport: Viewport,
}

impl<'a> Target<'a> {
    /// A target whose scene fills the texture.
    pub fn whole(view: &'a wgpu::TextureView, size: [u32; 2]) -> Self {
        let viewport = Viewport { x: 0, y: 0, width: size[0], height: size[1] };
        Self { view, size, viewport }
    }
}

/// A part of a texture, in pixels from its upper left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Viewport {
    /// Left edge.
    pub x: u32,
    /// Upper edge.
    pub y: u32,
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
}

impl Viewport {
    /// The part of it that lies on a texture of that size.
    pub(super) fn within(self, size: [u32; 2]) -> Self {
        let (x, y) = (self.x.min(size[0]), self.y.min(size[1]));
        let (width, height) = (self.width.min(size[0] - x), self.height.min(size[1] - y));
        Self { x, y, width, height }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn viewport_is_cut_off_at_the_borders_of_its_texture() {
        let wide = Viewport { x: 10, y: 0, width: 100, height: 5 };
        assert_eq!(wide.within([60, 20]), Viewport { x: 10, y: 0, width: 50, height: 5 });
        assert_eq!(wide.within([5, 20]).width, 0);
    }
}
