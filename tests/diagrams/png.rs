//! The picture as pixels.

use graphwright::diagram::{Ground, PngError};

use super::agent::AGENT;

/// Width, height, and RGBA of each pixel.
fn decoded(png: &[u8]) -> (u32, u32, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Rgba, png::BitDepth::Eight));
    (info.width, info.height, pixels)
}

/// Pixels that are about this dark.
fn count(pixels: &[u8], least: u8, most: u8) -> usize {
    pixels.chunks(4).filter(|pixel| pixel[..3].iter().all(|part| (least..=most).contains(part))).count()
}

#[test]
fn there_is_ink_in_it() {
    let light = AGENT.diagram().png(Ground::Light, 1.0).unwrap();
    let (width, height, pixels) = decoded(&light);
    assert!(width > 300 && height > 300, "{width} by {height}");
    let all = (width * height) as usize;
    assert!(count(&pixels, 255, 255) > all / 2, "a white ground");
    assert!(count(&pixels, 0, 110) > all / 200, "and lines on it: {} of {all}", count(&pixels, 0, 110));

    // Letters, too: without them there is less of it.
    let nameless = graphwright::topology::Topology { places: &[], ..super::agent::agent() };
    let (_, _, fewer) = decoded(&nameless.diagram().png(Ground::Light, 1.0).unwrap());
    assert!(count(&fewer, 0, 90) < count(&pixels, 0, 90));

    let (_, _, pixels) = decoded(&AGENT.diagram().png(Ground::Dark, 1.0).unwrap());
    assert!(count(&pixels, 0, 40) > all / 2, "a dark ground");
    assert!(count(&pixels, 150, 255) > all / 300, "and light lines on it");
}

#[test]
fn its_letters_are_drawn() {
    // What is drawn of a name is wider for a longer name, and no box of a letter that is missing.
    let ink = |label: &'static str| {
        let places =
            vec![graphwright::topology::Place { title: Some(label), ..super::agent::place("a", graphwright::topology::Role::Plain) }];
        let topology = graphwright::topology::Topology { places: places.leak(), ways: &[], ..super::agent::agent() };
        let (width, _, pixels) = decoded(&topology.diagram().png(Ground::Light, 2.0).unwrap());
        (width, count(&pixels, 0, 90))
    };
    let (dots, letters) = (ink("........"), ink("MMMMMMMM"));
    assert!(letters.1 > dots.1 + 500, "{dots:?} {letters:?}");
}

#[test]
fn what_would_be_too_large_is_refused() {
    assert!(matches!(AGENT.diagram().png(Ground::Light, 1e6), Err(PngError::TooLarge { .. })));
    assert!(matches!(AGENT.diagram().png(Ground::Light, f32::NAN), Err(PngError::TooLarge { .. })));
    assert!(matches!(AGENT.diagram().png(Ground::Light, -1.0), Err(PngError::TooLarge { .. })));
}
