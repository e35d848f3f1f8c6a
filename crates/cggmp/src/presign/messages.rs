//! The messages of presigning. The number of presignatures is one of the run's terms, so messages do not contain it.

use alloc::vec::Vec;

use quorate_paillier::{Ciphertext, EncryptionKey, Level};
use quorate_session::{Fault, Limits, PartyId, PerParty, Round, wire::Reader};
use quorate_zk::{pi_aff_g_folded, pi_elog_folded, pi_enc_elg_folded};

use super::factor::{ByFactor, DIGEST, Pair};
use super::red_alert::messages::{decryption_length, product_proofs_length};
use crate::EcdsaCurve;
use crate::proofs::{Look, read_ciphertexts};
use crate::wire::{POINT, SCALAR};

/// Bytes of a Πelog: e, z, u.
pub(crate) const ELOG: usize = 3 * SCALAR;
/// Bytes of the Πelog of all Γ: seed, z, u.
pub(crate) const ELOG_FOLDED: usize = pi_elog_folded::PROOF_BYTES;
/// Bytes of one presignature in round 3.
const SUMS: usize = SCALAR + 2 * POINT + ELOG;

/// The round of the sums.
pub(super) const SUMMED: Round = Round(3);
/// Round 4: an empty body. The echo of the sums is in its frame.
pub(crate) const CONFIRMATION: &[u8] = &[];

/// The numbers from which the lengths of messages follow.
#[derive(Clone, Copy)]
pub(crate) struct Sizes {
    pub(crate) level: Level,
    /// The presignatures of the run.
    pub(crate) count: usize,
}

impl Sizes {
    /// The most presignatures of a run that does each round at once, and of a piece of a longer one. Tests have shorter
    /// pieces.
    pub(crate) const fn piece(self) -> usize {
        match self.level {
            Level::Bits128 | Level::Bits112 => 32,
            _ => 4,
        }
    }

    /// Returns whether the rounds of the run are done in pieces.
    pub(crate) const fn in_pieces(self) -> bool {
        self.count > self.piece()
    }

    /// Bytes of `each` ciphertexts for each presignature.
    const fn ciphertexts(self, each: usize) -> usize {
        self.level.ciphertext_bytes().saturating_mul(each).saturating_mul(self.count)
    }

    /// Bytes of the Πenc-elg of all K and G.
    const fn enc_elg(self) -> usize {
        pi_enc_elg_folded::proof_bytes(self.level, self.count.saturating_mul(2))
    }

    /// Bytes of the Πaff-g of all products.
    const fn aff_g(self) -> usize {
        pi_aff_g_folded::proof_bytes(self.level, self.count)
    }

    /// The limits of the rounds of presigning, and of the red alert.
    pub(crate) fn limits(self, parties: usize, round: Round) -> Limits {
        let Self { level, count } = self;
        let peers = parties.saturating_sub(1);
        let each = |bytes: usize| bytes.saturating_mul(count);
        match round {
            Round(1) => Limits {
                broadcast: self.ciphertexts(2).saturating_add(POINT + each(4 * POINT)),
                direct: self.enc_elg(),
            },
            Round(2) => Limits {
                broadcast: each(POINT + peers.saturating_mul(DIGEST)).saturating_add(ELOG_FOLDED),
                direct: self.ciphertexts(4).saturating_add(self.aff_g()),
            },
            Round(3) => Limits { broadcast: each(SUMS), direct: 0 },
            // A red alert, of one presignature; a confirmation is empty.
            Round(4) => Limits { broadcast: decryption_length(level, peers), direct: 0 },
            _ => Limits { broadcast: product_proofs_length(level, peers), direct: 0 },
        }
    }
}

/// Round 1, broadcast: `Y_i`, and for each presignature `K_i, G_i, A_i, B_i`.
#[derive(Clone)]
pub(crate) struct Round1Broadcast<C: EcdsaCurve> {
    pub(crate) y: LatePoint<C>,
    pub(crate) each: Vec<Opening<C>>,
}

/// k and γ of one presignature, encrypted and committed to.
#[derive(Clone)]
pub(crate) struct Opening<C: EcdsaCurve> {
    pub(crate) k: Ciphertext,
    pub(crate) g: Ciphertext,
    pub(crate) a: [LatePoint<C>; 2],
    pub(crate) b: [LatePoint<C>; 2],
}

/// A point of round 1. Not all of them are needed in every round after.
#[derive(Clone, Copy)]
pub(crate) enum LatePoint<C: EcdsaCurve> {
    Point(C::Point),
    /// Decoded by the run before it was sealed, and again each time that it is asked for.
    Bytes([u8; POINT]),
}

impl<C: EcdsaCurve> LatePoint<C> {
    /// `None` for bytes that are not vouched for.
    pub(crate) fn point(&self) -> Option<C::Point> {
        match self {
            Self::Point(point) => Some(*point),
            Self::Bytes(bytes) => C::decode_point(bytes),
        }
    }

    fn read(reader: &mut Reader<'_>, look: Look) -> Result<Self, Fault> {
        Ok(match look {
            Look::First => Self::Point(read_point::<C>(reader)?),
            Look::Again => Self::Bytes(reader.array()?),
        })
    }
}

/// Both points of A or of B.
pub(crate) fn both<C: EcdsaCurve>([one, other]: &[LatePoint<C>; 2]) -> Option<[C::Point; 2]> {
    Some([one.point()?, other.point()?])
}

impl<C: EcdsaCurve> Round1Broadcast<C> {
    /// `K ‖ G` of each, `Y`, `A ‖ B` of each.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let ciphertexts = self.each.iter().flat_map(|opening| [&opening.k, &opening.g]);
        let mut bytes: Vec<u8> = ciphertexts.flat_map(Ciphertext::to_bytes).collect();
        let both = |opening: &Opening<C>| [opening.a, opening.b].concat();
        let points = core::iter::once(self.y).chain(self.each.iter().flat_map(both));
        // What a party encodes are points that it made.
        let points: Vec<_> =
            points.map(|point| point.point().unwrap_or_else(C::identity)).collect();
        bytes.extend_from_slice(C::encode_points(&points).as_flattened());
        bytes
    }

    /// Figure 8, round 2: membership. All ciphertexts are units below `N_j²`, no point is the
    /// identity.
    pub(crate) fn from_bytes(
        bytes: &[u8],
        key: &EncryptionKey,
        count: usize,
        look: Look,
    ) -> Result<Self, Fault> {
        let mut reader = Reader::new(bytes);
        let numbers = take_ciphertexts(&mut reader, key.level(), count.saturating_mul(2))?;
        let mut ciphertexts = read_ciphertexts(key, &numbers, look)?.into_iter();
        let y = LatePoint::read(&mut reader, look)?;
        let mut each = Vec::with_capacity(count);
        while let (Some(k), Some(g)) = (ciphertexts.next(), ciphertexts.next()) {
            let mut point = || LatePoint::read(&mut reader, look);
            each.push(Opening { k, g, a: [point()?, point()?], b: [point()?, point()?] });
        }
        reader.finish()?;
        Ok(Self { y, each })
    }
}

/// Round 1, direct: the proof of all `(K_i, A_i)` and `(G_i, B_i)`.
pub(crate) struct Round1Direct<'m>(pub(crate) &'m [u8]);

impl<'m> Round1Direct<'m> {
    pub(crate) fn from_bytes(bytes: &'m [u8], sizes: Sizes) -> Result<Self, Fault> {
        let mut reader = Reader::new(bytes);
        let proof = reader.bytes(sizes.enc_elg())?;
        reader.finish()?;
        Ok(Self(proof))
    }
}

/// Round 2, broadcast.
pub(crate) struct Round2Broadcast<C: EcdsaCurve> {
    /// `Γ_i` of each presignature.
    pub(crate) gammas: Vec<C::Point>,
    /// Πelog of all of them.
    pub(crate) elog: [u8; ELOG_FOLDED],
    /// Of the products for each peer, for each presignature.
    pub(crate) digests: PerParty<Vec<[u8; DIGEST]>>,
}

impl<C: EcdsaCurve> Round2Broadcast<C> {
    /// `Γ_i` of each, Πelog, the digests for each peer.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = C::encode_points(&self.gammas).as_flattened().to_vec();
        bytes.extend_from_slice(&self.elog);
        for digests in self.digests.values() {
            bytes.extend_from_slice(digests.as_flattened());
        }
        bytes
    }

    /// Reads the broadcast of a sender that has these peers.
    pub(crate) fn from_bytes(
        bytes: &[u8],
        peers: impl Iterator<Item = PartyId>,
        count: usize,
    ) -> Result<Self, Fault> {
        let mut reader = Reader::new(bytes);
        reader.expect(count, POINT)?;
        let gammas = (0..count).map(|_| read_point::<C>(&mut reader));
        let gammas = gammas.collect::<Result<_, Fault>>()?;
        let elog = reader.array()?;
        let mut digests = |peer| {
            let (digests, _) = reader.bytes(count.saturating_mul(DIGEST))?.as_chunks();
            Ok((peer, digests.to_vec()))
        };
        let digests = peers.map(&mut digests).collect::<Result<_, Fault>>()?;
        reader.finish()?;
        Ok(Self { gammas, elog, digests })
    }
}

/// Round 2, direct: the products of each presignature, and the Πaff-g of all.
pub(crate) struct Round2Direct<'m> {
    pub(crate) pairs: Vec<ByFactor<Pair>>,
    pub(crate) proof: &'m [u8],
}

impl<'m> Round2Direct<'m> {
    /// `D ‖ F ‖ D̂ ‖ F̂` of each, then Πaff-g.
    pub(crate) fn encode<'p>(pairs: impl Iterator<Item = &'p Pair>, proof: &[u8]) -> Vec<u8> {
        let ciphertexts = pairs.flat_map(|pair| [&pair.d, &pair.f]);
        let mut bytes: Vec<u8> = ciphertexts.flat_map(Ciphertext::to_bytes).collect();
        bytes.extend_from_slice(proof);
        bytes
    }

    /// Figure 8, round 3: membership, under the keys of the sender and of the receiver.
    pub(crate) fn from_bytes(
        bytes: &'m [u8],
        [theirs, ours]: [&EncryptionKey; 2],
        sizes: Sizes,
        look: Look,
    ) -> Result<Self, Fault> {
        let mut reader = Reader::new(bytes);
        let numbers = take_ciphertexts(&mut reader, sizes.level, sizes.count.saturating_mul(4))?;
        let (numbers, _) = numbers.as_chunks();
        let d: Vec<&[u8]> = numbers.iter().flat_map(|[d, _, d_hat, _]| [*d, *d_hat]).collect();
        let f: Vec<&[u8]> = numbers.iter().flat_map(|[_, f, _, f_hat]| [*f, *f_hat]).collect();
        let d = read_ciphertexts(ours, &d, look)?.into_iter();
        let mut both = d.zip(read_ciphertexts(theirs, &f, look)?).map(|(d, f)| Pair { d, f });
        let mut pairs = Vec::with_capacity(sizes.count);
        while let (Some(gamma), Some(share)) = (both.next(), both.next()) {
            pairs.push(ByFactor { gamma, share });
        }
        let proof = reader.bytes(sizes.aff_g())?;
        reader.finish()?;
        Ok(Self { pairs, proof })
    }
}

/// Round 3, broadcast: the sums of each presignature.
pub(crate) struct Round3Broadcast<C: EcdsaCurve> {
    pub(crate) each: Vec<Sums<C>>,
}

/// The sums of one presignature.
pub(crate) struct Sums<C: EcdsaCurve> {
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
    /// `δ_i ‖ S_i ‖ Δ_i ‖ Πelog` of each.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let points: Vec<_> = self.each.iter().flat_map(|sums| [sums.s, sums.big_delta]).collect();
        let points = C::encode_points(&points);
        let mut bytes = Vec::with_capacity(self.each.len() * SUMS);
        for (sums, points) in self.each.iter().zip(points.chunks(2)) {
            bytes.extend_from_slice(&C::encode_scalar(&sums.delta));
            bytes.extend_from_slice(points.as_flattened());
            bytes.extend_from_slice(&sums.elog);
        }
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8], count: usize) -> Result<Self, Fault> {
        let mut reader = Reader::new(bytes);
        reader.expect(count, SUMS)?;
        let mut sums = || {
            let delta = reader.bytes(SCALAR)?;
            let delta = C::decode_scalar(delta).ok_or(Fault::InvalidScalar)?;
            let (s, big_delta) = (read_point::<C>(&mut reader)?, read_point::<C>(&mut reader)?);
            Ok(Sums { delta, s, big_delta, elog: reader.array()? })
        };
        let each = (0..count).map(|_| sums()).collect::<Result<_, Fault>>()?;
        reader.finish()?;
        Ok(Self { each })
    }
}

/// Takes `count` ciphertexts, without checking them.
fn take_ciphertexts<'m>(
    reader: &mut Reader<'m>,
    level: Level,
    count: usize,
) -> Result<Vec<&'m [u8]>, Fault> {
    let length = level.ciphertext_bytes();
    reader.expect(count, length)?;
    (0..count).map(|_| Ok(reader.bytes(length)?)).collect()
}

/// A point that is not the identity.
fn read_point<C: EcdsaCurve>(reader: &mut Reader<'_>) -> Result<C::Point, Fault> {
    let bytes: [u8; POINT] = reader.array()?;
    if bytes == C::encode_point(&C::identity()) {
        return Err(Fault::IdentityCommitment);
    }
    C::decode_point(&bytes).ok_or(Fault::InvalidPoint)
}
