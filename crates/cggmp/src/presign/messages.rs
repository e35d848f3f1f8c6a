//! The messages of presigning.

use alloc::vec::Vec;

use quorate_paillier::level::ELL;
use quorate_paillier::{Ciphertext, EncryptionKey, Level};
use quorate_session::{Fault, Limits, PartyId, PerParty, Round, wire::Reader};

use super::factor::{ByFactor, Pair};
use super::red_alert::messages::{decryption_length, product_proofs_length};
use crate::EcdsaCurve;
use crate::proofs::read_ciphertexts;
use crate::wire::{POINT, SCALAR};

/// Bytes of a Πelog: e, z, u.
pub(crate) const ELOG: usize = 3 * SCALAR;

/// Round 4: an empty body. The echo of the sums is in its frame.
pub(crate) const CONFIRMATION: &[u8] = &[];

/// Bytes of a Πenc-elg: e, S, z1, z2, w, z3.
pub(crate) fn enc_elg_bytes(level: Level) -> usize {
    let short = level.response_bytes(ELL);
    level.modulus_bytes().saturating_mul(3).saturating_add(SCALAR + short + SCALAR + short)
}

/// Bytes of a Πaff-g: e, S, T, z1, z2, w, w_y, z3, z4.
pub(crate) fn aff_g_bytes(level: Level) -> usize {
    let [short, mask] = [ELL, level.ell_prime()].map(|bits| level.response_bytes(bits));
    level.modulus_bytes().saturating_mul(6).saturating_add(SCALAR + 3 * short + mask)
}

/// The limits of the rounds of presigning, and of the red alert.
pub(crate) fn limits(level: Level, parties: usize, round: Round) -> Limits {
    let ciphertexts = |count: usize| level.ciphertext_bytes().saturating_mul(count);
    let peers = parties.saturating_sub(1);
    match round {
        Round(1) => Limits {
            broadcast: ciphertexts(2).saturating_add(5 * POINT),
            direct: enc_elg_bytes(level).saturating_mul(2),
        },
        Round(2) => Limits {
            broadcast: peers.saturating_mul(2 * 32).saturating_add(POINT + ELOG),
            direct: aff_g_bytes(level).saturating_mul(2).saturating_add(ciphertexts(4)),
        },
        Round(3) => Limits { broadcast: SCALAR + 2 * POINT + ELOG, direct: 0 },
        // A red alert; a confirmation is empty.
        Round(4) => Limits { broadcast: decryption_length(level, peers), direct: 0 },
        _ => Limits { broadcast: product_proofs_length(level, peers), direct: 0 },
    }
}

/// Round 1, broadcast: `K_i, G_i, Y_i, A_i, B_i`.
#[derive(Clone)]
pub(crate) struct Round1Broadcast<C: EcdsaCurve> {
    pub(crate) k: Ciphertext,
    pub(crate) g: Ciphertext,
    pub(crate) y: C::Point,
    pub(crate) a: [C::Point; 2],
    pub(crate) b: [C::Point; 2],
}

impl<C: EcdsaCurve> Round1Broadcast<C> {
    /// `K ‖ G ‖ Y ‖ A ‖ B`
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.k.to_bytes();
        bytes.extend(self.g.to_bytes());
        let points = [self.y, self.a[0], self.a[1], self.b[0], self.b[1]];
        bytes.extend_from_slice(C::encode_points(&points).as_flattened());
        bytes
    }

    /// Figure 8, round 2: membership. Both ciphertexts are units below `N_j²`, no point is the
    /// identity.
    pub(crate) fn from_bytes(bytes: &[u8], key: &EncryptionKey) -> Result<Self, Fault> {
        let mut reader = Reader::new(bytes);
        let len = key.level().ciphertext_bytes();
        let ciphertexts = [reader.bytes(len)?, reader.bytes(len)?];
        let [k, g] = read_ciphertexts(key, ciphertexts)?;
        let mut point = || read_point::<C>(&mut reader);
        let opening = Self { k, g, y: point()?, a: [point()?, point()?], b: [point()?, point()?] };
        reader.finish()?;
        Ok(opening)
    }
}

/// Round 1, direct: the proofs ψ0 of `(K_i, A_i)` and ψ1 of `(G_i, B_i)`.
pub(crate) struct Round1Direct<'m>(pub(crate) [&'m [u8]; 2]);

impl<'m> Round1Direct<'m> {
    pub(crate) fn from_bytes(bytes: &'m [u8], level: Level) -> Result<Self, Fault> {
        let mut reader = Reader::new(bytes);
        let length = enc_elg_bytes(level);
        let proofs = [reader.bytes(length)?, reader.bytes(length)?];
        reader.finish()?;
        Ok(Self(proofs))
    }
}

/// Round 2, broadcast.
pub(crate) struct Round2Broadcast<C: EcdsaCurve> {
    /// `Γ_i`
    pub(crate) gamma: C::Point,
    /// Πelog of `Γ_i`.
    pub(crate) elog: [u8; ELOG],
    /// Of the products for each peer.
    pub(crate) digests: PerParty<ByFactor<[u8; 32]>>,
}

impl<C: EcdsaCurve> Round2Broadcast<C> {
    /// `Γ_i ‖ Πelog ‖ digests`
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = C::encode_point(&self.gamma).to_vec();
        bytes.extend_from_slice(&self.elog);
        for (_, digest) in self.digests.values().flat_map(ByFactor::iter) {
            bytes.extend_from_slice(digest);
        }
        bytes
    }

    /// Reads the broadcast of a sender that has these peers.
    pub(crate) fn from_bytes(
        bytes: &[u8],
        peers: impl Iterator<Item = PartyId>,
    ) -> Result<Self, Fault> {
        let mut reader = Reader::new(bytes);
        let gamma = read_point::<C>(&mut reader)?;
        let elog = reader.array()?;
        let mut digests = |peer| Ok((peer, ByFactor::try_new(|_| reader.array())?));
        let digests = peers.map(&mut digests).collect::<Result<_, Fault>>()?;
        reader.finish()?;
        Ok(Self { gamma, elog, digests })
    }
}

/// Round 2, direct: the products, and Πaff-g of each.
pub(crate) struct Round2Direct<'m> {
    pub(crate) pairs: ByFactor<Pair>,
    pub(crate) proofs: ByFactor<&'m [u8]>,
}

impl<'m> Round2Direct<'m> {
    /// `D ‖ F ‖ D̂ ‖ F̂`, then both Πaff-g.
    pub(crate) fn encode<'p>(
        pairs: impl Iterator<Item = &'p Pair>,
        proofs: impl Iterator<Item: AsRef<[u8]>>,
    ) -> Vec<u8> {
        let mut bytes: Vec<u8> =
            pairs.flat_map(|pair| [&pair.d, &pair.f]).flat_map(Ciphertext::to_bytes).collect();
        proofs.for_each(|proof| bytes.extend_from_slice(proof.as_ref()));
        bytes
    }

    /// Figure 8, round 3: membership, under the keys of the sender and of the receiver.
    pub(crate) fn from_bytes(
        bytes: &'m [u8],
        [theirs, ours]: [&EncryptionKey; 2],
    ) -> Result<Self, Fault> {
        let mut reader = Reader::new(bytes);
        let mut take = || reader.bytes(ours.level().ciphertext_bytes());
        let (d, f, d_hat, f_hat) = (take()?, take()?, take()?, take()?);
        let [d, d_hat] = read_ciphertexts(ours, [d, d_hat])?;
        let [f, f_hat] = read_ciphertexts(theirs, [f, f_hat])?;
        let proofs = ByFactor::try_new(|_| reader.bytes(aff_g_bytes(ours.level())))?;
        reader.finish()?;
        let pairs = ByFactor { gamma: Pair { d, f }, share: Pair { d: d_hat, f: f_hat } };
        Ok(Self { pairs, proofs })
    }
}

/// Round 3, broadcast.
pub(crate) struct Round3Broadcast<C: EcdsaCurve> {
    /// `δ_i`
    pub(crate) delta: C::Scalar,
    /// `S_i = χ_iΓ`
    pub(crate) s: C::Point,
    /// `Δ_i = k_iΓ`
    pub(crate) big_delta: C::Point,
    /// Πelog of `Δ_i`.
    pub(crate) elog: [u8; ELOG],
}

impl<C: EcdsaCurve> Round3Broadcast<C> {
    /// `δ_i ‖ S_i ‖ Δ_i ‖ Πelog`
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = C::encode_scalar(&self.delta).to_vec();
        bytes.extend_from_slice(C::encode_points(&[self.s, self.big_delta]).as_flattened());
        bytes.extend_from_slice(&self.elog);
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, Fault> {
        let mut reader = Reader::new(bytes);
        let delta = reader.bytes(SCALAR)?;
        let delta = C::decode_scalar(delta).ok_or(Fault::InvalidScalar)?;
        let (s, big_delta) = (read_point::<C>(&mut reader)?, read_point::<C>(&mut reader)?);
        let elog = reader.array()?;
        reader.finish()?;
        Ok(Self { delta, s, big_delta, elog })
    }
}

/// A point that is not the identity.
fn read_point<C: EcdsaCurve>(reader: &mut Reader<'_>) -> Result<C::Point, Fault> {
    let bytes: [u8; POINT] = reader.array()?;
    if bytes == C::encode_point(&C::identity()) {
        return Err(Fault::IdentityCommitment);
    }
    C::decode_point(&bytes).ok_or(Fault::InvalidPoint)
}
