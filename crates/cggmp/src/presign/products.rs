//! The products of round 2: a secret of the sender times the receiver's k, masked.

use alloc::vec::Vec;

use quorate_bignum::{SecretInteger, SecretProduct};
use quorate_paillier::{Ciphertext, DecryptionKey, EncryptionKey, Error, Plaintext, Randomizer};
use quorate_session::{PartyId, Run};
use quorate_zk::pi_aff_g;

use crate::proofs::RunBinding;

/// What is multiplied with the receiver's k.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Factor {
    /// γ: D and F, for δ.
    Gamma,
    /// x: D̂ and F̂, for χ.
    Share,
}

impl Factor {
    /// In the order of the messages.
    pub(crate) const BOTH: [Self; 2] = [Self::Gamma, Self::Share];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Gamma => "gamma",
            Self::Share => "share",
        }
    }

    /// The role of its Πaff-g.
    pub(crate) const fn role(self) -> &'static str {
        match self {
            Self::Gamma => "presign aff-g gamma",
            Self::Share => "presign aff-g share",
        }
    }
}

/// `D_{j,i}` under the receiver's key and `F_{j,i}` under the sender's.
#[derive(Clone)]
pub(crate) struct Pair {
    pub(crate) d: Ciphertext,
    pub(crate) f: Ciphertext,
}

impl Pair {
    /// What round 2 broadcasts of it.
    pub(crate) fn digest(
        &self,
        names: RunBinding,
        factor: Factor,
        from: PartyId,
        to: PartyId,
    ) -> [u8; 32] {
        let mut transcript = names.transcript("quorate-cggmp presign product");
        transcript.append("factor", factor.name().as_bytes());
        transcript.append_u64("from", from.get().into());
        transcript.append_u64("to", to.get().into());
        transcript.append("D", &self.d.to_bytes());
        transcript.append("F", &self.f.to_bytes());
        transcript.finish32()
    }
}

/// The mask of a product, before it is made.
pub(crate) struct Mask {
    /// `−β`, uniform in `±2^ℓ'`.
    pub(crate) y: SecretInteger,
    /// The randomizer of `D`.
    pub(crate) rho: Randomizer,
    /// The randomizer of `F`.
    pub(crate) rho_y: Randomizer,
    plain: [Plaintext; 2],
}

impl Mask {
    /// Draws a mask for a product with party `to`, when that party's k is known: two runs from one seed
    /// in which it differs have different masks.
    pub(crate) fn draw(
        run: &Run,
        factor: Factor,
        to: PartyId,
        (theirs, ours): (&EncryptionKey, &EncryptionKey),
    ) -> Result<Self, Error> {
        let mut rng = run.rng_for(factor.name(), to);
        let y = SecretInteger::random_half_range(&mut rng, theirs.level().ell_prime());
        let rho = Randomizer::random(&mut rng, theirs)?;
        let rho_y = Randomizer::random(&mut rng, ours)?;
        let plain = [theirs.plaintext(&y), ours.plaintext(&y)];
        Ok(Self { y, rho, rho_y, plain })
    }

    /// What Πaff-g says is known of a product with `x`.
    pub(crate) const fn witness<'a>(&'a self, x: &'a SecretInteger) -> pi_aff_g::Witness<'a> {
        pi_aff_g::Witness { x, y: &self.y, rho: &self.rho, rho_y: &self.rho_y }
    }

    /// `D = x·K ⊕ enc_j(−β; ρ)` and `F = enc_i(−β; ρ_y)`, to be evaluated.
    pub(crate) fn products<'a>(
        &'a self,
        x: &'a SecretInteger,
        k: &'a Ciphertext,
        own: &'a DecryptionKey,
    ) -> Result<[SecretProduct<'a>; 2], Error> {
        let [for_d, for_f] = &self.plain;
        let d = k.key().affine(x, k, for_d, &self.rho)?;
        Ok([d, own.encryption(for_f, &self.rho_y)?])
    }
}

/// One product to be made.
pub(crate) struct Draft {
    pub(crate) to: PartyId,
    pub(crate) factor: Factor,
    pub(crate) mask: Mask,
}

/// One product sent.
pub(crate) struct Sent {
    pub(crate) to: PartyId,
    pub(crate) factor: Factor,
    pub(crate) mask: Mask,
    pub(crate) pair: Pair,
}

/// The digests that a party broadcasts, for its peers in ascending order, for γ and for x.
pub(crate) type Digests = Vec<[[u8; 32]; 2]>;

/// Products received: by sender, for γ and for x.
pub(crate) type Received = Vec<(PartyId, [Pair; 2])>;

/// The pair of a factor.
pub(crate) const fn of(pairs: &[Pair; 2], factor: Factor) -> &Pair {
    let [gamma, share] = pairs;
    match factor {
        Factor::Gamma => gamma,
        Factor::Share => share,
    }
}
