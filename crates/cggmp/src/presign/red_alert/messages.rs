//! The messages of a red alert.

use alloc::vec::Vec;

use quorate_paillier::level::{ELL, REPETITIONS};
use quorate_paillier::{EncryptionKey, Level};
use quorate_session::{Fault, PerParty, wire::Reader};
use quorate_zk::pi_dec;

use crate::presign::factor::Pair;
use crate::proofs::read_ciphertexts;

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

/// Bytes of the message with Πdec, of a party with so many peers.
pub(crate) fn decryption_length(level: Level, peers: usize) -> usize {
    let products = level.ciphertext_bytes().saturating_mul(4).saturating_mul(peers);
    products.saturating_add(dec_bytes(level))
}

/// Bytes of the message with Πaff-g*, of a party with so many peers.
pub(crate) fn product_proofs_length(level: Level, peers: usize) -> usize {
    aff_g_star_bytes(level).saturating_mul(peers)
}

/// The products between a party and one of its peers.
pub(crate) struct MtaPair {
    pub(super) sent: Pair,
    pub(super) received: Pair,
}

impl MtaPair {
    /// `D ‖ F` sent, `D ‖ F` received.
    pub(super) fn encode_into(&self, bytes: &mut Vec<u8>) {
        for Pair { d, f } in [&self.sent, &self.received] {
            bytes.extend(d.to_bytes());
            bytes.extend(f.to_bytes());
        }
    }

    /// Figure 9: membership, under the keys of the party and of the peer.
    pub(super) fn read(
        reader: &mut Reader<'_>,
        [key, peer]: [&EncryptionKey; 2],
    ) -> Result<Self, Fault> {
        let mut take = || reader.bytes(key.level().ciphertext_bytes());
        let [sent_d, sent_f, received_d, received_f] = [take()?, take()?, take()?, take()?];
        let [sent_f, received_d] = read_ciphertexts(key, [sent_f, received_d])?;
        let [sent_d, received_f] = read_ciphertexts(peer, [sent_d, received_f])?;
        let sent = Pair { d: sent_d, f: sent_f };
        Ok(Self { sent, received: Pair { d: received_d, f: received_f } })
    }
}

/// Round 4: the products of a party with each peer, and Πdec.
pub(crate) struct AlertMessage<'m> {
    pub(super) exchanged: PerParty<MtaPair>,
    pub(super) dec: &'m [u8],
}

impl AlertMessage<'_> {
    /// The products sent, by receiver.
    pub(crate) fn into_sent(self) -> PerParty<Pair> {
        self.exchanged.map(|_, exchanged| exchanged.sent)
    }
}
