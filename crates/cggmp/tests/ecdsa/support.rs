//! Parties with keys, runs among them, and another implementation that verifies.

use quorate_cggmp::{Derived, EcdsaCurve, PresignatureInfo, Signature, SignatureShare};
use quorate_session::Transcript;

pub use quorate_cggmp::SigningGoal;

pub use quorate_paillier::level::ELL;
pub use quorate_testkit::ecdsa::*;
pub use quorate_testkit::lockstep::*;
pub use quorate_testkit::rng as seeded;

/// Sizes at the level of these tests: a number modulo N, a ciphertext, and the parts of the intervals, in bits.
pub const MODULUS: usize = FAST.modulus_bytes();
pub const CIPHERTEXT: usize = FAST.ciphertext_bytes();
pub const PRIME_BITS: u32 = FAST.prime_bits();
pub const MODULUS_BITS: u32 = FAST.modulus_bits();
pub const ELL_PRIME: u32 = FAST.ell_prime();

/// Bytes of w, the response of Πdec to the sum.
pub const SUM_RESPONSE: usize =
    1 + (quorate_zk::pi_dec::sum_bits(FAST) + quorate_zk::pi_dec::SUM_SLACK).div_ceil(8) as usize;

/// Bytes of the response to a witness of this many bits.
pub const fn response(bits: u32) -> usize {
    FAST.response_bytes(bits)
}

/// σ_i
pub fn sigma<C: EcdsaCurve>(share: &SignatureShare<C>) -> C::Scalar {
    let bytes = share.to_bytes();
    C::decode_scalar(&bytes[bytes.len() - 64..bytes.len() - 32]).unwrap()
}

/// The digest that round 2 broadcasts of products, `D ‖ F ‖ D̂ ‖ F̂`, computed as `docs/spec` says.
pub fn products_digest(
    context: &[u8; 32],
    index: u64,
    [from, to]: [u16; 2],
    products: &[u8],
) -> [u8; 32] {
    let mut both = Transcript::new("quorate-cggmp presign products");
    both.append("context", context);
    let pairs = products.chunks(products.len() / 2);
    for (factor, pair) in ["gamma", "share"].into_iter().zip(pairs) {
        let mut one = Transcript::new("quorate-cggmp presign product");
        one.append("context", context);
        one.append_u64("index", index);
        one.append("factor", factor.as_bytes());
        one.append_u64("from", from.into());
        one.append_u64("to", to.into());
        one.append("D", &pair[..pair.len() / 2]);
        one.append("F", &pair[pair.len() / 2..]);
        both.append(factor, &one.finish32());
    }
    both.finish32()
}

/// The nonce of a signature, computed from public values as `docs/spec` says.
#[derive(Clone, Copy)]
pub struct Nonce<C: EcdsaCurve> {
    pub rho: C::Scalar,
    /// r' = x(ρΓ)
    pub r: C::Scalar,
    /// m + r'e: ρσ_i = (m + r'e)·k̃_i + r'·χ̃_i.
    pub factor: C::Scalar,
}

/// Γ, out of the stored form: behind it stand two points of each signer and a digest.
pub fn gamma<C: EcdsaCurve>(info: &PresignatureInfo<C>) -> C::Point {
    let bytes = info.to_bytes();
    let at = bytes.len() - 32 - 66 * info.signers().len() - 33;
    C::decode_point(&bytes[at..at + 33]).unwrap()
}

pub fn nonce<C: EcdsaCurve>(
    info: &PresignatureInfo<C>,
    child: &Derived<C>,
    message: &[u8],
) -> Nonce<C> {
    let m = digest::<C>(message);
    let mut transcript = Transcript::new("quorate-cggmp re-randomisation");
    transcript.append("curve", C::NAME.as_bytes());
    transcript.append("name", &info.id().name());
    transcript.append("presignature", info.digest());
    transcript.append("tweak", &C::encode_scalar(&child.tweak));
    transcript.append("key", child.key.as_bytes());
    transcript.append("message", m.as_bytes());
    let rho = C::scalar_from_wide(&transcript.finish());
    let point = C::msm_vartime(&[rho], &[gamma(info)]);
    let r = C::r_vartime(&point).unwrap().0;
    Nonce { rho, r, factor: C::scalar_from_wide(m.as_bytes()) + r * child.tweak }
}

/// k̃ and χ̃ of a signer, from two shares of signatures with one presignature.
pub fn solved<C: EcdsaCurve>([one, two]: [C::Scalar; 2], nonces: [Nonce<C>; 2]) -> [C::Scalar; 2] {
    let [first, second] = nonces;
    let (one, two) = (one * first.rho, two * second.rho);
    let inverse = C::invert(&(first.factor * second.r - second.factor * first.r));
    let k = (one * second.r - two * first.r) * inverse;
    [k, (two * first.factor - one * second.factor) * inverse]
}

/// Another implementation's verdict on a signature of a message.
pub trait Verifier: EcdsaCurve {
    fn verify(key: &[u8], message: &[u8], signature: &Signature<Self>);
}

macro_rules! verifier {
    ($curve:ty, $name:ident) => {
        impl Verifier for $curve {
            fn verify(key: &[u8], message: &[u8], signature: &Signature<Self>) {
                use ::$name::ecdsa::signature::Verifier as _;
                let key = ::$name::ecdsa::VerifyingKey::from_sec1_bytes(key).unwrap();
                let bytes = signature.to_compact();
                let theirs = ::$name::ecdsa::Signature::from_slice(&bytes).unwrap();
                key.verify(message, &theirs).unwrap();
                let recovery = signature.recovery_id().unwrap().get();
                let recovery = ::$name::ecdsa::RecoveryId::from_byte(recovery).unwrap();
                let recovered =
                    ::$name::ecdsa::VerifyingKey::recover_from_msg(message, &theirs, recovery);
                assert_eq!(recovered.unwrap(), key);
            }
        }
    };
}

verifier!(quorate_cggmp::Secp256k1, k256);
verifier!(quorate_cggmp::P256, p256);
