//! The picture as pixels, for whoever shows no SVG.

use std::sync::Arc;

use graphwright_layout::Page;
use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb::Database};

use super::Diagram;

/// More pixels than this on a side are not drawn.
const MOST_PIXELS: f32 = 16_384.0;

/// What a picture stands on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ground {
    /// White.
    #[default]
    Light,
    /// Nearly black.
    Dark,
}

/// Why there is no PNG.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PngError {
    /// It would be larger than a program can hold.
    #[error("the picture would be {width} by {height} pixels large: draw it as SVG, or with a smaller depth or scale")]
    TooLarge {
        /// Pixels from left to right.
        width: f32,
        /// Pixels from top to bottom.
        height: f32,
    },
    /// The program that draws could not.
    #[error("the picture could not be drawn as PNG")]
    Drawing(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Diagram<'_> {
    /// PNG, so many pixels for each one of the SVG; 2.0 is sharp on most screens.
    ///
    /// Names are set in Noto Sans, which comes with this feature under the Apache License 2.0. Letters that it lacks stay
    /// empty boxes.
    ///
    /// # Errors
    /// [`PngError::TooLarge`] above 16 384 pixels on a side.
    pub fn png(&self, ground: Ground, scale: f32) -> Result<Vec<u8>, PngError> {
        let (page, colour) = match ground {
            Ground::Light => (Page::Light, Color::WHITE),
            Ground::Dark => (Page::Dark, Color::from_rgba8(13, 17, 23, 255)),
        };
        let mut fonts = Database::new();
        fonts.load_font_data(notosans::REGULAR_TTF.to_vec());
        fonts.load_font_data(notosans::BOLD_TTF.to_vec());
        let options = Options { fontdb: Arc::new(fonts), font_family: "Noto Sans".to_owned(), ..Options::default() };
        let tree = Tree::from_str(&self.picture().svg(page), &options).map_err(|error| PngError::Drawing(error.into()))?;
        let (width, height) = ((tree.size().width() * scale).ceil(), (tree.size().height() * scale).ceil());
        if !(width >= 1.0 && height >= 1.0 && width <= MOST_PIXELS && height <= MOST_PIXELS) {
            return Err(PngError::TooLarge { width, height });
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "they have just been compared")]
        let pixels = Pixmap::new(width as u32, height as u32);
        let mut pixels = pixels.ok_or(PngError::TooLarge { width, height })?;
        pixels.fill(colour);
        resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
        pixels.encode_png().map_err(|error| PngError::Drawing(error.into()))
    }
}
