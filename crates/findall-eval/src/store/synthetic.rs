//! Vectors that lie in clusters, as questions do: a few of many clusters are near each other, and within one the questions
//! differ a little. Each follows from its number alone, so that they need not be kept.

use findall_store::DIMENSIONS;

/// A small random source with a fixed course.
pub struct RandomSource(u64);

impl RandomSource {
    /// The same seed gives the same course.
    pub fn new(seed: u64) -> Self {
        // splitmix64, so that neighbouring seeds have nothing in common.
        let mut state = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Self((state ^ (state >> 31)) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Below `limit`, which is not 0.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// About normal: the sum of four even ones.
    fn normal(&mut self) -> f32 {
        let bits = self.next();
        (0..4).map(|part| ((bits >> (16 * part)) & 0xffff) as f32 / 65_536.0 - 0.5).sum::<f32>() * 1.73
    }
}

/// How many questions lie around one centre, about.
const CLUSTER: u64 = 50;
/// How far they lie from it: cosines of about 0.8 within a cluster.
const SPREAD: f32 = 0.5;

/// The vector of question `number` among `count`; numbers from `count` on are new questions around the same centres.
pub fn vector(number: u64, count: u64) -> Vec<f32> {
    let mut own = RandomSource::new(number ^ 0x5eed);
    let centre = own.below((count / CLUSTER).max(1));
    // Centres in turn gather around topics, so that clusters have neighbours.
    let mut topic = RandomSource::new((centre / 20) ^ 0x7091c);
    let mut around = RandomSource::new(centre ^ 0xce27e);
    let values = (0..DIMENSIONS).map(|_| topic.normal() + around.normal() + SPREAD * 1.4 * own.normal());
    let values: Vec<f32> = values.collect();
    let length = values.iter().map(|value| value * value).sum::<f32>().sqrt();
    values.iter().map(|value| value / length).collect()
}
