//! A participant's steps.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use quorate_curve::{Curve, Secp256k1, Secret};
use quorate_declassify::{declassify, declassify_slice};
use quorate_frost::session::PartyId;
use quorate_frost::session::rand_core::CryptoRng;
use quorate_sharing::Polynomial;
use zeroize::Zeroizing;

use super::Scalar;
use super::certificate::{Purpose, signed_by, transcript, unsigned_vartime};
use super::error::{Error, Malformed};
use super::host::{HostKey, HostPublicKey};
use super::investigation::Investigation;
use super::messages::{Contribution, Sums};
#[cfg(test)]
use super::outcome::Raw;
use super::outcome::{Outcome, sum};
use super::output::{Output, made};
use super::pads::{received, sent};
use super::params::{Params, id_of};
use super::schnorr::{POSSESSION, sign, verify_vartime};
use super::wire::{SIGNATURE, add_to};
use crate::taproot::{tagged_bytes, x_only};

/// A participant that has sent its contribution, and waits for the coordinator's sums. There is nothing secret in it.
pub struct Participant {
    params: Params,
    me: PartyId,
    /// a_0·G, as it was sent.
    constant: [u8; 33],
    /// The public nonce, as it was sent.
    nonce: HostPublicKey,
}

/// The reason why step 2 fails.
#[derive(Debug)]
pub enum Step2Error {
    /// A reason with the party to suspect, if there is one.
    Because(Error),
    /// The share does not fit, by whose fault an investigation says.
    WrongShare(Box<Investigation>),
}

impl Participant {
    /// *participant_step1*: the first message to the coordinator, 33·t + 32·n + 97 bytes.
    ///
    /// # Errors
    /// [`Error::NotAParticipant`], [`Error::Randomness`], [`Error::Internal`].
    pub fn start(
        host: &HostKey,
        params: &Params,
        rng: &mut impl CryptoRng,
    ) -> Result<(Self, Vec<u8>), Error> {
        let me = params.me(host)?;
        let mut random = Secret::new([0; 32]);
        rng.fill_bytes(random.expose_mut());
        let bits = random.expose().iter().fold(0, |bits, byte| bits | byte);
        // Public: it is so for a broken generator alone, and then nothing is made of it.
        if declassify(bits == 0) {
            return Err(Error::Randomness);
        }
        let seed = Secret::make(|| {
            let parts = [host.seed().as_slice(), random.expose(), &params.context()];
            tagged_bytes("BIP DKG/encpedpop seed", parts)
        });
        let polynomial = polynomial(&seed, params.coefficients())?;
        let commitment = polynomial.commit();
        let constant = *commitment.bytes().first().ok_or(Error::Internal)?;
        let nonce = Secret::try_make(|| {
            let bytes = tagged_bytes("BIP DKG/encpedpop secnonce", [seed.expose().as_slice()]);
            Secp256k1::decode_scalar(Zeroizing::new(bytes).as_slice())
        });
        let nonce = nonce.ok_or(Error::Internal)?;
        let public = declassify(Secp256k1::mul_base(nonce.expose()));
        let public = Secp256k1::encode_point(&public);
        let pads = sent(host, (&nonce, &public), params, me);
        let shares = polynomial.evaluate_many(params.parties().as_slice());
        let mut encrypted: Vec<Scalar> = pads.expose().clone();
        add_to(&mut encrypted, shares.expose());
        // Ciphertexts, made to be sent.
        declassify_slice(&mut encrypted);
        let contribution = Contribution {
            commitment: commitment.points().to_vec(),
            proof: possession(&polynomial, &seed, me)?,
            nonce: public,
            shares: encrypted,
        };
        let participant = Self { params: params.clone(), me, constant, nonce: public };
        Ok((participant, contribution.to_bytes()))
    }

    /// The number of this participant.
    #[must_use]
    pub const fn id(&self) -> PartyId {
        self.me
    }

    /// *participant_step2*: checks the coordinator's first message, of 162·n + 33·(t − 1) bytes, and signs the
    /// result. The signature, 64 bytes, is for the coordinator.
    ///
    /// **Keep the host key for good once the signature has been sent**, whatever comes next. The others may finish
    /// with it, and use the key.
    ///
    /// # Errors
    /// [`Step2Error::WrongShare`] if the share does not fit. Otherwise an [`Error`] with the party to suspect, or
    /// [`Error::OtherHostKey`]. The run is over, and no signature has been made.
    pub fn step2(
        self,
        host: &HostKey,
        message: &[u8],
        rng: &mut impl CryptoRng,
    ) -> Result<(Finalizing, [u8; SIGNATURE]), Step2Error> {
        let finalizing = self.check(host, message)?;
        let (me, text) = (finalizing.me, &finalizing.transcript);
        let signature = signed_by(host, me, Purpose::Certificate, text, rng)?;
        Ok((finalizing, signature))
    }

    /// Performs all checks of step 2.
    fn check(self, host: &HostKey, message: &[u8]) -> Result<Finalizing, Step2Error> {
        if self.params.party_of(host.public()) != Some(self.me) {
            return Err(Error::OtherHostKey.into());
        }
        let sums = Sums::read(message, &self.params).map_err(Error::BadCoordinatorMessage)?;
        let place = self.params.parties().position(self.me).ok_or(Error::Internal)?;
        if sums.nonces.get(place) != Some(&self.nonce) {
            return Err(Error::NotMine.into());
        }
        let pads = received(host, &sums.nonces, &self.params, self.me)?;
        self.check_constants(&sums, place)?;
        let total = sum(&sums.constants, &sums.others);
        let outcome = Outcome::of(&total, &self.params)?;
        let encrypted = *sums.shares.get(place).ok_or(Error::Internal)?;
        let share = Secret::make(|| pads.expose().iter().fold(encrypted, |sum, pad| sum - *pad));
        let secret = outcome.tweaked(&share);
        let shares = outcome.share_of(self.me, &self.params);
        let (tweaked, public) = shares.ok_or(Error::Internal)?;
        // The verdict is told to all.
        if declassify(Secp256k1::mul_base(secret.expose()) != tweaked) {
            let Self { params, me, .. } = self;
            let investigation = Investigation { params, me, encrypted, public, pads };
            return Err(Step2Error::WrongShare(Box::new(investigation)));
        }
        outcome.check(&self.params)?;
        let transcript = transcript(&self.params, &total, &sums.nonces, &sums.shares);
        Ok(Finalizing { params: self.params, me: self.me, transcript, outcome, secret })
    }

    /// Checks that the party's own constant is there, and that the others prove that they know theirs.
    fn check_constants(&self, sums: &Sums, place: usize) -> Result<(), Error> {
        let constants = Secp256k1::encode_points(&sums.constants);
        if constants.get(place) != Some(&self.constant) {
            return Err(Error::NotMine);
        }
        let claims = self.params.parties().iter().zip(&constants).zip(&sums.proofs);
        for ((of, constant), proof) in claims.filter(|((of, _), _)| *of != self.me) {
            if *constant == [0; 33] {
                return Err(Error::NoCommitment { of });
            }
            if !verify_vartime(&POSSESSION, x_only(constant), &[&id_of(of)], proof) {
                return Err(Error::WrongProof { of });
            }
        }
        Ok(())
    }
}

/// The polynomial of a seed: each coefficient is a hash of it and its place.
fn polynomial(seed: &Secret<[u8; 32]>, count: usize) -> Result<Polynomial<Secp256k1>, Error> {
    let mut coefficients = Zeroizing::new(Vec::with_capacity(count));
    for place in (0..u32::MAX).take(count) {
        let coefficient = Secret::try_make(|| {
            let parts = [seed.expose().as_slice(), &place.to_be_bytes()];
            let bytes = Zeroizing::new(tagged_bytes("BIP DKG/vss coeffs", parts));
            Secp256k1::decode_scalar(bytes.as_slice())
        });
        coefficients.push(*coefficient.ok_or(Error::Internal)?.expose());
    }
    Ok(Polynomial::from_coefficients(core::mem::take(&mut *coefficients)))
}

/// The proof of possession of a_0: a signature of the participant's identifier.
fn possession(
    polynomial: &Polynomial<Secp256k1>,
    seed: &Secret<[u8; 32]>,
    me: PartyId,
) -> Result<[u8; SIGNATURE], Error> {
    let random =
        Secret::make(|| tagged_bytes("BIP DKG/simplpedpop aux", [seed.expose().as_slice()]));
    let secret = Secret::new(*polynomial.constant());
    sign(&POSSESSION, &secret, &[&id_of(me)], random.expose()).ok_or(Error::Internal)
}

impl From<Error> for Step2Error {
    fn from(why: Error) -> Self {
        Self::Because(why)
    }
}

impl fmt::Display for Step2Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Because(why) => write!(f, "{why}"),
            Self::WrongShare(_) => f.write_str(
                "the share does not fit: ask the coordinator for an investigation message",
            ),
        }
    }
}

impl core::error::Error for Step2Error {}

impl fmt::Debug for Participant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Participant").field("me", &self.me).finish_non_exhaustive()
    }
}

/// A participant that has signed, and waits for the certificate. It is wiped when dropped.
///
/// If it is lost, or the certificate never comes, the share is not lost: [`recover`](super::recover) makes it from
/// the host key and the recovery data of any participant that finished.
pub struct Finalizing {
    params: Params,
    me: PartyId,
    transcript: Vec<u8>,
    outcome: Outcome,
    secret: Secret<Scalar>,
}

impl Finalizing {
    /// *participant_finalize*: verifies the certificate, the coordinator's second message of 64·n bytes.
    ///
    /// # Errors
    /// [`Error::BadCoordinatorMessage`], [`Error::WrongCertificate`]. **They do not mean that there is no key**:
    /// others may have got a right certificate. Keep the host key, and [`recover`](super::recover) when somebody
    /// shows recovery data.
    pub fn finalize(self, certificate: &[u8]) -> Result<Output, Error> {
        let recovery_data = self.certified(certificate)?;
        let share = Some((self.me, &self.secret));
        let (public, share) = made(self.params, &self.outcome, share, recovery_data)?;
        Ok(Output { share: share.ok_or(Error::Internal)?, public })
    }

    /// The recovery data: transcript ‖ certificate, if that is right.
    fn certified(&self, certificate: &[u8]) -> Result<Vec<u8>, Error> {
        let (got, expected) = (certificate.len(), self.params.count().saturating_mul(SIGNATURE));
        if got != expected {
            return Err(Error::BadCoordinatorMessage(Malformed::Length { got, expected }));
        }
        match unsigned_vartime(&self.params, &self.transcript, certificate) {
            Some(_) => Err(Error::WrongCertificate),
            None => Ok([self.transcript.as_slice(), certificate].concat()),
        }
    }

    /// Finalizes as [`Self::finalize`], for any threshold, in the draft's form.
    #[cfg(test)]
    pub(super) fn raw(&self, certificate: &[u8]) -> Result<Raw, Error> {
        let data = self.certified(certificate)?;
        let (key, shares) = self.outcome.encoded();
        Ok(Raw { secret: Some(Secp256k1::encode_scalar(self.secret.expose())), key, shares, data })
    }
}

impl fmt::Debug for Finalizing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Finalizing").field("me", &self.me).finish_non_exhaustive()
    }
}
