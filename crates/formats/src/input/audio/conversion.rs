//! Converts unsupported samples into a form that the service supports: 16 bits, one channel (mixed from all), and a
//! supported rate. Only a few thousand samples are in memory at a time.

use std::time::Duration;

use rubato::audioadapter_buffers::direct::InterleavedSlice;
use rubato::audioadapter_buffers::owned::InterleavedOwned;
use rubato::{Async, FixedAsync, Resampler as _, SincInterpolationParameters};

use super::detected::AudioSplitter;
use super::pcm::{PcmFormat, SampleEncoding};
use super::queue::AudioQueue;

/// Target rate in Hz if the service does not support the rate of the file. The usual rate of speech recognition.
const FALLBACK_RATE: u32 = 16_000;
/// Samples to resample at a time: 30 ms at 16 kHz.
const CHUNK_SAMPLES: usize = 480;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WavSample {
    Unsigned8,
    /// Signed integer of 2 to 4 bytes, little-endian.
    Signed(usize),
    Float32,
    Float64,
}

impl WavSample {
    fn bytes(self) -> usize {
        match self {
            Self::Unsigned8 => 1,
            Self::Signed(bytes) => bytes,
            Self::Float32 => 4,
            Self::Float64 => 8,
        }
    }

    /// Decodes one sample. The full range is -1 to 1, but float samples may exceed it.
    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)] // samples are sent with 16 bits
    fn decode(self, bytes: &[u8]) -> f32 {
        match self {
            Self::Unsigned8 => bytes.first().map_or(0.0, |byte| (f32::from(*byte) - 128.0) / 128.0),
            Self::Signed(_) => {
                let number = bytes.iter().rev().fold(0, |number: u32, byte| number << 8 | u32::from(*byte));
                let unused = 8 * (4 - bytes.len().min(4));
                (number << unused).cast_signed() as f32 / 2_147_483_648.0
            }
            Self::Float32 => bytes.try_into().map_or(0.0, f32::from_le_bytes),
            Self::Float64 => bytes.try_into().map_or(0.0, |bytes| f64::from_le_bytes(bytes) as f32),
        }
    }
}

pub struct WavConverter {
    sample: WavSample,
    channels: usize,
    rate: u32,
    sent: PcmFormat,
    /// Bytes of samples that are still to come, if the header has the size.
    remaining: Option<u64>,
    /// Incomplete frame at the end of the last block.
    partial: Vec<u8>,
    resampler: Option<ChunkResampler>,
}

impl WavConverter {
    /// Returns `None` without channels, or for an impossible rate.
    pub fn new(sample: WavSample, channels: u64, rate: u32, remaining: Option<u64>) -> Option<(Self, PcmFormat)> {
        let channels = usize::try_from(channels).ok().filter(|channels| *channels > 0)?;
        let mut sent = PcmFormat { encoding: SampleEncoding::S16le, rate };
        let mut resampler = None;
        if !sent.is_supported() {
            sent.rate = FALLBACK_RATE;
            resampler = Some(ChunkResampler::new(rate, FALLBACK_RATE)?);
        }
        Some((Self { sample, channels, rate, sent, remaining, partial: Vec::new(), resampler }, sent))
    }

    fn frame_bytes(&self) -> usize {
        self.sample.bytes() * self.channels
    }

    #[allow(clippy::cast_precision_loss)] // there are at most 65535 channels
    fn mix(&self, frame: &[u8]) -> f32 {
        let sum: f32 = frame.chunks_exact(self.sample.bytes()).map(|sample| self.sample.decode(sample)).sum();
        sum / self.channels as f32
    }

    #[allow(clippy::cast_possible_truncation)] // the number is in the range
    fn push_samples(&self, samples: &[f32], queue: &mut AudioQueue) {
        let rounded = samples.iter().map(|sample| (sample * 32_768.0).round().clamp(-32_768.0, 32_767.0) as i16);
        let bytes: Vec<u8> = rounded.flat_map(i16::to_le_bytes).collect();
        let micros = samples.len() as u64 * 1_000_000 / u64::from(self.sent.rate);
        queue.push(&bytes, micros, self.sent.sample_bytes());
    }
}

impl AudioSplitter for WavConverter {
    fn total_time(&self, file_bytes: Option<u64>) -> Option<Duration> {
        // The header may announce more bytes than the file has.
        let bytes = self.remaining.unwrap_or(u64::MAX).min(file_bytes?);
        let frames = u128::from(bytes) / self.frame_bytes() as u128;
        u64::try_from(frames * 1_000_000 / u128::from(self.rate)).ok().map(Duration::from_micros)
    }

    fn push(&mut self, bytes: &[u8], queue: &mut AudioQueue) {
        let take = self.remaining.map_or(bytes.len(), |n| usize::try_from(n).unwrap_or(usize::MAX).min(bytes.len()));
        self.remaining = self.remaining.map(|n| n - take as u64);
        self.partial.extend_from_slice(bytes.get(..take).unwrap_or_default());
        let frames = self.partial.chunks_exact(self.frame_bytes());
        let used = self.partial.len() - frames.remainder().len();
        let mut samples: Vec<f32> = frames.map(|frame| self.mix(frame)).collect();
        self.partial.drain(..used);
        if let Some(resampler) = &mut self.resampler {
            samples = resampler.push(&samples);
        }
        self.push_samples(&samples, queue);
    }

    fn finish(&mut self, queue: &mut AudioQueue) {
        if let Some(resampler) = &mut self.resampler {
            let samples = resampler.finish();
            self.push_samples(&samples, queue);
        }
    }
}

pub struct ChunkResampler {
    resampler: Async<f32>,
    rate: u32,
    target_rate: u32,
    /// Samples of the next incomplete chunk.
    pending: Vec<f32>,
    read: u64,
    written: u64,
    /// Output samples to drop: the resampler starts with silence.
    delay: usize,
}

impl ChunkResampler {
    /// Returns `None` for rates outside of 4 to 384 kHz.
    pub fn new(rate: u32, target_rate: u32) -> Option<Self> {
        if !(4000..=384_000).contains(&rate) {
            return None;
        }
        let ratio = f64::from(target_rate) / f64::from(rate);
        let quality = SincInterpolationParameters::default();
        let resampler = Async::new_sinc(ratio, 1.0, &quality, CHUNK_SAMPLES, 1, FixedAsync::Input).ok()?;
        let delay = resampler.output_delay();
        Some(Self { resampler, rate, target_rate, pending: Vec::new(), read: 0, written: 0, delay })
    }

    pub fn push(&mut self, samples: &[f32]) -> Vec<f32> {
        self.read += samples.len() as u64;
        self.pending.extend_from_slice(samples);
        let mut results = Vec::new();
        while self.pending.len() >= CHUNK_SAMPLES {
            results.extend(self.next_chunk());
        }
        results
    }

    /// In total, the output is as long as the input.
    pub fn finish(&mut self) -> Vec<f32> {
        let all = (self.read * u64::from(self.target_rate)).div_ceil(u64::from(self.rate));
        let mut results = Vec::new();
        while self.written < all {
            let missing = usize::try_from(all - self.written).unwrap_or(usize::MAX);
            results.extend(self.next_chunk().into_iter().take(missing));
        }
        results
    }

    /// Resamples the next chunk, padded with silence at the end.
    fn next_chunk(&mut self) -> Vec<f32> {
        let count = self.pending.len().min(CHUNK_SAMPLES);
        let mut chunk: Vec<f32> = self.pending.drain(..count).collect();
        chunk.resize(CHUNK_SAMPLES, 0.0);
        // Fails only for wrong buffer sizes.
        let input = InterleavedSlice::new(chunk.as_slice(), 1, CHUNK_SAMPLES);
        let results = input.ok().and_then(|input| self.resampler.process(&input, None).ok());
        let mut results = results.map(InterleavedOwned::take_data).unwrap_or_default();
        let silent = self.delay.min(results.len());
        self.delay -= silent;
        results.drain(..silent);
        self.written += results.len() as u64;
        results
    }
}
