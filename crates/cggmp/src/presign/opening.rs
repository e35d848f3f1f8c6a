//! What a signer broadcasts in round 1, and the secrets behind it.

use alloc::vec::Vec;

use quorate_bignum::SecretInteger;
use quorate_curve::{Secret, random_nonzero_scalar};
use quorate_paillier::{Ciphertext, EncryptionKey, Randomizer};
use quorate_session::{Fault, Run, wire::Reader};
use quorate_zk::centred;

use super::Env;
use super::products::Factor;
use crate::EcdsaCurve;
use crate::proofs::number;
use crate::wire::POINT;

/// A scalar with its centred representative, which is what goes into Paillier.
pub(crate) struct Hidden<C: EcdsaCurve> {
    pub(crate) scalar: Secret<C::Scalar>,
    pub(crate) integer: SecretInteger,
}

impl<C: EcdsaCurve> Hidden<C> {
    pub(crate) fn new(scalar: C::Scalar) -> Self {
        Self { integer: centred::<C>(&scalar), scalar: Secret::new(scalar) }
    }
}

/// A signer's secrets of one presignature.
pub(crate) struct SignerSecrets<C: EcdsaCurve> {
    /// `λ_i·x_i`
    pub(crate) x: Hidden<C>,
    /// `k_i`
    pub(crate) k: Hidden<C>,
    /// `γ_i`
    pub(crate) gamma: Hidden<C>,
    /// `a_i`
    pub(crate) a: Secret<C::Scalar>,
    /// `b_i`
    pub(crate) b: Secret<C::Scalar>,
    /// The randomizer of `K_i`: `ρ_i`.
    pub(crate) rho: Randomizer,
    /// The randomizer of `G_i`: `ν_i`.
    pub(crate) nu: Randomizer,
}

/// `K_i, G_i, Y_i, A_i, B_i`
#[derive(Clone)]
pub(crate) struct Round1Broadcast<C: EcdsaCurve> {
    pub(crate) k: Ciphertext,
    pub(crate) g: Ciphertext,
    pub(crate) y: C::Point,
    pub(crate) a: [C::Point; 2],
    pub(crate) b: [C::Point; 2],
}

impl<C: EcdsaCurve> SignerSecrets<C> {
    /// Draws everything. None is zero, so that no point is the identity.
    pub(crate) fn draw(run: &Run, env: &Env<C>) -> Result<Self, quorate_paillier::Error> {
        let scalar = |purpose| draw::<C>(run, purpose);
        let key = env.aux.secrets().encryption_key();
        Ok(Self {
            x: Hidden::new(*env.share.secret().expose()),
            k: Hidden::new(scalar("k")?),
            gamma: Hidden::new(scalar("gamma")?),
            a: Secret::new(scalar("a")?),
            b: Secret::new(scalar("b")?),
            rho: Randomizer::random(&mut run.rng("rho"), key)?,
            nu: Randomizer::random(&mut run.rng("nu"), key)?,
        })
    }

    /// What is multiplied with the k of the others.
    pub(crate) const fn factor(&self, factor: Factor) -> &SecretInteger {
        match factor {
            Factor::Gamma => &self.gamma.integer,
            Factor::Share => &self.x.integer,
        }
    }
}

impl<C: EcdsaCurve> Round1Broadcast<C> {
    /// Figure 8, round 1: `K = enc(k; ρ)`, `G = enc(γ; ν)`, `A = (aG, aY + kG)`, `B = (bG, bY + γG)`.
    pub(crate) fn new(
        env: &Env<C>,
        secrets: &SignerSecrets<C>,
        run: &Run,
    ) -> Result<Self, quorate_paillier::Error> {
        let list = [(&secrets.k.integer, &secrets.rho), (&secrets.gamma.integer, &secrets.nu)];
        let made = env.aux.secrets().key().encrypt_many(&env.engine, &list)?;
        let [k, g] =
            <[Ciphertext; 2]>::try_from(made).map_err(|_| quorate_paillier::Error::Inconsistent)?;
        // A random point; its logarithm is forgotten here.
        let y = Secret::new(draw::<C>(run, "Y")?);
        let y = C::mul_base(y.expose());
        let commit = |randomness: &C::Scalar, value: &C::Scalar| {
            [C::mul_base(randomness), C::mul(&y, randomness) + C::mul_base(value)]
        };
        let a = commit(secrets.a.expose(), secrets.k.scalar.expose());
        let b = commit(secrets.b.expose(), secrets.gamma.scalar.expose());
        Ok(Self { k, g, y, a, b })
    }

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

/// A scalar other than zero, of its own stream.
fn draw<C: EcdsaCurve>(
    run: &Run,
    purpose: &'static str,
) -> Result<C::Scalar, quorate_paillier::Error> {
    let drawn = random_nonzero_scalar::<C>(&mut run.rng(purpose));
    drawn.map_err(|_| quorate_bignum::Error::Randomness.into())
}

/// Numbers of one sender under one key, checked together.
pub(crate) fn read_ciphertexts<const N: usize>(
    key: &EncryptionKey,
    bytes: [&[u8]; N],
) -> Result<[Ciphertext; N], Fault> {
    let read = Ciphertext::many_from_bytes(key, &bytes).into_iter().collect::<Result<Vec<_>, _>>();
    read.map_err(number)?.try_into().map_err(|_| Fault::WrongLength)
}

/// A point that is not the identity.
pub(crate) fn read_point<C: EcdsaCurve>(reader: &mut Reader<'_>) -> Result<C::Point, Fault> {
    let bytes: [u8; POINT] = reader.array()?;
    if bytes == C::encode_point(&C::identity()) {
        return Err(Fault::IdentityCommitment);
    }
    C::decode_point(&bytes).ok_or(Fault::InvalidPoint)
}
