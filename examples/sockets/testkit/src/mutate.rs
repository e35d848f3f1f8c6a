//! Messages that were damaged.

/// Damaged forms of a message, the same at each call: every prefix, every single bit that is flipped, bytes that are
/// repeated, and others in the place of each field of four bytes.
pub fn mutations(message: &[u8]) -> impl Iterator<Item = Vec<u8>> + '_ {
    let prefixes = (0..message.len()).map(|end| message[..end].to_vec());
    let flips = (0..message.len() * 8).map(|bit| {
        let mut bytes = message.to_vec();
        bytes[bit >> 3] ^= 1 << (bit & 7);
        bytes
    });
    let longer =
        (0..message.len()).map(|at| [&message[..at], &message[at..], &message[at..]].concat());
    let numbers = (0..message.len().saturating_sub(3)).flat_map(|at| {
        [0, 1, 0x7fff_ffff, 0xffff_ffff_u32].map(|number| {
            let mut bytes = message.to_vec();
            bytes[at..at + 4].copy_from_slice(&number.to_be_bytes());
            bytes
        })
    });
    prefixes.chain(flips).chain(longer).chain(numbers)
}
