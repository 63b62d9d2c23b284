//! Conversion of samples in WAV files.
#![allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, clippy::cast_sign_loss)] // samples are small numbers

use std::f64::consts::TAU;

use super::*;
use crate::input::audio::conversion::ChunkResampler;

/// Returns the frames of a tone at half amplitude, equal on all channels.
fn tone(hz: f64, rate: u32, seconds: f64, channels: usize, encode: impl Fn(f64) -> Vec<u8>) -> Vec<u8> {
    let frames = (f64::from(rate) * seconds) as u32;
    let sample = |n: u32| 0.5 * (f64::from(n) * hz * TAU / f64::from(rate)).sin();
    (0..frames).flat_map(|n| encode(sample(n)).repeat(channels)).collect()
}

fn signed16(sample: f64) -> Vec<u8> {
    ((sample * 32_767.0) as i16).to_le_bytes().to_vec()
}

fn samples(chunks: &[AudioChunk]) -> Vec<f64> {
    let bytes: Vec<u8> = chunks.iter().flat_map(|chunk| chunk.data.to_vec()).collect();
    bytes.chunks_exact(2).map(|pair| f64::from(i16::from_le_bytes([pair[0], pair[1]])) / 32_768.0).collect()
}

/// Returns the amplitude of a tone in the samples, without the start and end: 0.5 for a tone at half amplitude.
fn amplitude(samples: &[f64], hz: f64, rate: u32) -> f64 {
    let middle = &samples[1000..samples.len() - 1000];
    let angle = |n: usize| n as f64 * hz * TAU / f64::from(rate);
    let (mut re, mut im) = (0.0, 0.0);
    for (n, sample) in middle.iter().enumerate() {
        re += sample * angle(n).cos();
        im += sample * angle(n).sin();
    }
    2.0 * re.hypot(im) / middle.len() as f64
}

#[test]
fn a_tone_keeps_its_frequency_amplitude_and_time_at_another_rate() {
    for rate in [11_025, 22_050, 24_000, 32_000, 88_200, 96_000, 192_000] {
        let data = tone(440.0, rate, 1.0, 1, signed16);
        let (content_type, chunks) = read(&wav(1, 1, rate, 16, 0, &data), &options(None)).unwrap();
        assert_eq!(content_type, "audio/pcm;encoding=s16le;rate=16000", "{rate} Hz");
        let sent = samples(&chunks);
        assert_eq!(sent.len(), 16_000, "{rate} Hz");
        let (_, time) = total(&chunks);
        assert!(time > 999 * MS && time <= 1000 * MS, "{rate} Hz: {time:?}");
        let amplitude = |hz| amplitude(&sent, hz, 16_000);
        assert!((amplitude(440.0) - 0.5).abs() < 0.01, "{rate} Hz: {}", amplitude(440.0));
        assert!(amplitude(430.0) < 0.05 && amplitude(450.0) < 0.05 && amplitude(880.0) < 0.01, "{rate} Hz");
        // The tone starts with the first samples, without a delay.
        assert!((sent[9] - 0.5).abs() < 0.1, "{rate} Hz: {:?}", &sent[..20]);
    }
}

#[test]
fn resamples_44100_hz_to_16000_hz_without_a_shift() {
    let mut resampler = ChunkResampler::new(44_100, 16_000).unwrap();
    let tone: Vec<f32> = (0..44_100u16).map(|n| (f64::from(n) * 440.0 * TAU / 44_100.0).sin() as f32).collect();
    let mut sent = Vec::new();
    for part in tone.chunks(777) {
        sent.extend(resampler.push(part));
    }
    sent.extend(resampler.finish());
    assert_eq!(sent.len(), 16_000);
    for (n, sample) in sent.iter().enumerate().skip(100).take(15_800) {
        let exact = (n as f64 * 440.0 * TAU / 16_000.0).sin();
        // An offset of one sample would be a difference of 0.17.
        assert!((f64::from(*sample) - exact).abs() < 0.17, "sample {n} is {sample}, not {exact}");
    }
}

#[test]
fn drops_frequencies_that_the_target_rate_cannot_hold() {
    // Without a low-pass filter, 10 kHz would become 6 kHz.
    let data = tone(10_000.0, 96_000, 1.0, 1, signed16);
    let (_, chunks) = read(&wav(1, 1, 96_000, 16, 0, &data), &options(None)).unwrap();
    assert!(samples(&chunks).iter().skip(100).take(15_800).all(|sample| sample.abs() < 0.001));
}

#[test]
fn channels_are_mixed_and_other_samples_become_16_bits() {
    let signed = |bits: u32| {
        move |sample: f64| {
            let number = (sample * f64::from(1u32 << (bits - 1))) as i32;
            number.to_le_bytes()[..bits as usize / 8].to_vec()
        }
    };
    let unsigned8 = |sample: f64| vec![(sample * 128.0 + 128.0) as u8];
    for (tag, bits, data) in [
        (1, 8, tone(440.0, 16_000, 1.0, 2, unsigned8)),
        (1, 16, tone(440.0, 16_000, 1.0, 2, signed16)),
        (1, 24, tone(440.0, 16_000, 1.0, 2, signed(24))),
        (1, 32, tone(440.0, 16_000, 1.0, 2, signed(32))),
        (3, 32, tone(440.0, 16_000, 1.0, 2, |sample| (sample as f32).to_le_bytes().to_vec())),
        (3, 64, tone(440.0, 16_000, 1.0, 2, |sample| sample.to_le_bytes().to_vec())),
    ] {
        let size = u32::try_from(data.len()).unwrap();
        let mut file = wav(tag, 2, 16_000, bits, size, &data);
        file.extend(b"LIST\x04\0\0\0tail");
        let (content_type, chunks) = read(&file, &options(None)).unwrap();
        assert_eq!(content_type, "audio/pcm;encoding=s16le;rate=16000", "{tag} {bits}");
        let (bytes, time) = total(&chunks);
        assert!(bytes == 32_000 && time > 999 * MS && time <= 1000 * MS, "{tag} {bits}: {bytes} {time:?}");
        let amplitude = amplitude(&samples(&chunks), 440.0, 16_000);
        assert!((amplitude - 0.5).abs() < 0.01, "{tag} {bits}: {amplitude}");
    }
    let opposite: Vec<u8> = [i16::MAX, -i16::MAX].iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<_>>().repeat(100);
    let (_, chunks) = read(&wav(1, 2, 44_100, 16, 0, &opposite), &options(None)).unwrap();
    assert_eq!(samples(&chunks), [0.0; 100]);
    // An incomplete frame at the end is dropped, and samples that are too loud are clipped.
    let loud: Vec<u8> = [2.0f32, -2.0, 1.0].iter().flat_map(|n| n.to_le_bytes()).chain([0; 3]).collect();
    let (_, chunks) = read(&wav(3, 1, 48_000, 32, 0, &loud), &options(None)).unwrap();
    assert_eq!(chunks[0].data.to_vec(), [0xFF, 0x7F, 0x00, 0x80, 0xFF, 0x7F]);
}
