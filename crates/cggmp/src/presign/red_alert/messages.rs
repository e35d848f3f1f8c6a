//! The messages of a red alert.

use alloc::vec::Vec;

use quorate_paillier::level::{ELL, REPETITIONS};
use quorate_paillier::{Ciphertext, EncryptionKey, Level};
use quorate_session::{Fault, PerParty, wire::Reader};
use quorate_zk::pi_dec;

use crate::presign::factor::{DIGEST, Pair};
use crate::proofs::{Look, read_ciphertexts};

/// Bytes of the challenge of a proof with repetitions.
const CHALLENGE: usize = REPETITIONS >> 3;

/// Bytes of a Πdec: e, and z, w, ν of each repetition.
pub(super) const fn dec_bytes(level: Level) -> usize {
    let sum = 1 + ((pi_dec::sum_bits(level) + pi_dec::SUM_SLACK) >> 3) as usize;
    CHALLENGE + REPETITIONS * (level.response_bytes(ELL) + sum + level.modulus_bytes())
}

/// Bytes of a Πaff-g*: e, and z, z', w, λ of each repetition.
pub(super) const fn aff_g_star_bytes(level: Level) -> usize {
    let (short, mask) = (level.response_bytes(ELL), level.response_bytes(level.ell_prime()));
    CHALLENGE + REPETITIONS * (short + mask + 2 * level.modulus_bytes())
}

/// Bytes of the message with Πdec, of a party with `peers` peers.
pub(crate) fn decryption_length(level: Level, peers: usize) -> usize {
    let each = level.ciphertext_bytes().saturating_mul(4).saturating_add(2 * DIGEST);
    each.saturating_mul(peers).saturating_add(dec_bytes(level))
}

/// Bytes of the message with Πaff-g*, of a party with `peers` peers.
pub(crate) fn product_proofs_length(level: Level, peers: usize) -> usize {
    aff_g_star_bytes(level).saturating_mul(peers)
}

/// A product of the factor whose sum is wrong.
pub(crate) struct Shown {
    pub(super) pair: Pair,
    /// Of the product of the other factor between the same two, in the same direction.
    pub(super) other: [u8; DIGEST],
}

/// The products between a party and one of its peers.
pub(crate) struct MtaPair {
    pub(super) sent: Shown,
    pub(super) received: Shown,
}

impl MtaPair {
    /// `D ‖ F` sent, `D ‖ F` received, the digests of the two products that are not shown.
    pub(super) fn encode_into(&self, bytes: &mut Vec<u8>) {
        for Shown { pair: Pair { d, f }, .. } in [&self.sent, &self.received] {
            bytes.extend(d.to_bytes());
            bytes.extend(f.to_bytes());
        }
        bytes.extend_from_slice(&self.sent.other);
        bytes.extend_from_slice(&self.received.other);
    }

    /// Figure 9: membership, under the keys of the party and of the peer.
    pub(super) fn read(
        reader: &mut Reader<'_>,
        [key, peer]: [&EncryptionKey; 2],
    ) -> Result<Self, Fault> {
        let mut take = || reader.bytes(key.level().ciphertext_bytes());
        let [sent_d, sent_f, received_d, received_f] = [take()?, take()?, take()?, take()?];
        let [sent_f, received_d] = two(read_ciphertexts(key, &[sent_f, received_d], Look::First)?)?;
        let [sent_d, received_f] =
            two(read_ciphertexts(peer, &[sent_d, received_f], Look::First)?)?;
        let sent = Shown { pair: Pair { d: sent_d, f: sent_f }, other: reader.array()? };
        let received = Pair { d: received_d, f: received_f };
        Ok(Self { sent, received: Shown { pair: received, other: reader.array()? } })
    }
}

fn two(read: Vec<Ciphertext>) -> Result<[Ciphertext; 2], Fault> {
    read.try_into().map_err(|_| Fault::WrongLength)
}

/// Round 4: the products of a party with each peer, and Πdec.
pub(crate) struct AlertMessage<'m> {
    pub(super) exchanged: PerParty<MtaPair>,
    pub(super) dec: &'m [u8],
}

impl AlertMessage<'_> {
    /// The products sent, by receiver.
    pub(crate) fn into_sent(self) -> PerParty<Pair> {
        self.exchanged.map(|_, exchanged| exchanged.sent.pair)
    }
}
