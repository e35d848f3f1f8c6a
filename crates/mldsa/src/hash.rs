//! The hash functions H (SHAKE256) and G (SHAKE128) of FIPS 204, §3.7.

use shake::{ExtendableOutput, Shake128, Shake256, Shake256Reader, Update, XofReader};

/// The output stream of SHAKE256 on these strings.
pub(crate) fn shake256(parts: &[&[u8]]) -> Shake256Reader {
    let mut hash = Shake256::default();
    parts.iter().for_each(|part| hash.update(part));
    hash.finalize_xof()
}

/// H: the first `L` bytes of SHAKE256.
pub(crate) fn h<const L: usize>(parts: &[&[u8]]) -> [u8; L] {
    let mut bytes = [0; L];
    shake256(parts).read(&mut bytes);
    bytes
}

/// The output stream of SHAKE128 on these strings.
pub(crate) fn shake128(parts: &[&[u8]]) -> impl XofReader + use<> {
    let mut hash = Shake128::default();
    parts.iter().for_each(|part| hash.update(part));
    hash.finalize_xof()
}

/// The next bytes of a stream.
pub(crate) fn take<const L: usize>(stream: &mut impl XofReader) -> [u8; L] {
    let mut bytes = [0; L];
    stream.read(&mut bytes);
    bytes
}
