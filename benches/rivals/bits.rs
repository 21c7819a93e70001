//! Cells of an 8x8 board as the bits of a word, a1 first.

/// Every cell but those of the first file.
pub const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
/// Every cell but those of the last file.
pub const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = LOW << 7;

/// Place of set bit number `k` (from 0) of each byte.
const IN_BYTE: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut k) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][k] = bit;
                k += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// The set bit number `k`, from 0, alone; there must be more than `k`.
pub fn select(bits: u64, k: u32) -> u64 {
    // how many bits are set in each byte and those below it
    let pairs = bits - (bits >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let sums = ((fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(LOW);
    // the bytes up to which at most k are set lie below the one looked for
    let below = (u64::from(k) * LOW + HIGH - sums) & HIGH;
    let byte = below.count_ones() * 8;
    let before = (sums << 8) >> byte & 0xff;
    let place = IN_BYTE[(bits >> byte & 0xff) as usize][(u64::from(k) - before) as usize];
    1 << (byte + u32::from(place))
}

/// The set bits, lowest first, each alone.
pub fn each(mut bits: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let lowest = bits & bits.wrapping_neg();
        bits ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}
