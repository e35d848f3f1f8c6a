//! Cut and choose: the proof that K ciphertexts, some of which are opened, hold the logarithm of a known point.
//!
//! *Statement.* `S = s·G`, and the recipient's key `Y = y·G`. In repetition k the sealer draws a seed, derives
//! `r_k` and `d_k` from it, and computes
//!
//! - `R_k = r_k·G`, `D_k = d_k·G`, `c_k = r_k + H(k, D_k, Y, d_k·Y)`.
//!
//! The hash e of all of these chooses u of the K repetitions that stay hidden. For a hidden repetition the proof
//! shows `D_k`, `c_k` and `z_k = s + r_k`, and for any other the seed. The verifier derives `(R_k, D_k, c_k)`
//! from each seed, takes `R_k = z_k·G − S` of each hidden repetition, and compares the hash. One hidden
//! repetition that follows the rule gives `s = z_k − (c_k − H(k, D_k, Y, y·D_k))`.
//!
//! Suppose that a proof verifies and holds no s. Then its hidden repetitions are exactly the u bad ones, which
//! one value of the hash in `C(K, u)` makes happen. See `docs/spec/arguments-keys.md`, "Backup".

use alloc::vec::Vec;

use quorate_curve::{Curve, Secret};
use quorate_declassify::declassify;
use quorate_session::{PartyId, Transcript, frame, wire::Reader};
use zeroize::Zeroizing;

use crate::deal::{Envelope, Label};
use crate::error::DecodeError;
use crate::schnorr::uniform;
use crate::wire::{Encoded, decoded, point_len, put_scalar, read_scalar, scalar_len};

/// The length in bytes of a seed, and of the hash e.
const SEED: usize = 32;
/// The number of blocks of 64 bytes in which the hidden repetitions are searched for. One or two are enough.
const BLOCKS: u64 = 64;

/// K, which is a power of two up to 256, and u.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Numbers {
    pub(crate) all: usize,
    pub(crate) hidden: usize,
}

/// `C(256, 64) > 2^203`, so a forger that hashes 2^75 times succeeds with a chance below 2^-128.
pub(crate) const NUMBERS: Numbers = Numbers { all: 256, hidden: 64 };

impl Numbers {
    /// The length of a proof in bytes.
    pub(crate) const fn length<C: Curve>(self) -> usize {
        let hidden = point_len::<C>().saturating_add(scalar_len::<C>().saturating_mul(2));
        let opened = self.all.saturating_sub(self.hidden).saturating_mul(SEED);
        opened.saturating_add(self.hidden.saturating_mul(hidden)).saturating_add(SEED)
    }

    /// The repetitions that e leaves hidden, a uniform set of u. They are the first u different bytes of a
    /// stream, each without the bits beyond K.
    pub(crate) fn choose(self, e: &[u8; SEED]) -> Option<Vec<bool>> {
        let mask = self.all.checked_sub(1)?;
        let mut hidden = Vec::from_iter(core::iter::repeat_n(false, self.all));
        let mut left = self.hidden;
        for block in 0..BLOCKS {
            let mut transcript = Transcript::new("quorate-keys backup hidden");
            transcript.append("e", e);
            transcript.append_u64("block", block);
            for byte in transcript.finish() {
                let place = hidden.get_mut(usize::from(byte) & mask)?;
                left = left.saturating_sub(usize::from(!*place));
                *place = true;
                if left == 0 {
                    return Some(hidden);
                }
            }
        }
        None
    }
}

/// The statement: the share, its party, and the recipient.
pub(crate) struct Statement<C: Curve> {
    /// A digest of everything to which the proof is bound.
    pub(crate) context: [u8; 32],
    pub(crate) party: PartyId,
    /// S.
    pub(crate) share: C::Point,
    /// Y.
    pub(crate) recipient: Encoded<C>,
}

/// `R_k`, `D_k` and `c_k`.
pub(crate) struct Repetition<C: Curve> {
    pub(crate) mask: C::PointBytes,
    pub(crate) key: Encoded<C>,
    pub(crate) sealed: C::Scalar,
}

/// Repetitions, and the `r_k` in them.
pub(crate) struct Drawn<C: Curve> {
    pub(crate) masks: Secret<Vec<C::Scalar>>,
    pub(crate) repetitions: Vec<Repetition<C>>,
}

/// The part of a repetition that the proof shows.
#[derive(Clone, PartialEq, Eq)]
enum Shown<C: Curve> {
    Opened([u8; SEED]),
    Hidden { key: Encoded<C>, sealed: C::Scalar, z: C::Scalar },
}

/// The proof.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Proof<C: Curve> {
    e: [u8; SEED],
    /// In the order of k.
    shown: Vec<Shown<C>>,
}

impl<C: Curve> Statement<C> {
    /// The envelope of `r_k`.
    fn envelope(&self, k: u64, key: Encoded<C>) -> Envelope<C> {
        let (context, party) = (self.context, self.party);
        let label = Label::Backup(k);
        Envelope { context, label, from: party, to: party, key, recipient: self.recipient }
    }

    /// K seeds, which hash the secret together with random bytes.
    pub(crate) fn seeds(
        &self,
        numbers: Numbers,
        share: &Secret<C::Scalar>,
        random: &[u8; 32],
    ) -> Zeroizing<Vec<[u8; SEED]>> {
        let secret = Zeroizing::new(C::encode_scalar(share.expose()));
        let mut transcript = frame::transcript(&self.context, "quorate-keys backup seed");
        transcript.append("secret", (*secret).as_ref());
        transcript.append("random", random);
        let mut seeds = Zeroizing::new(Vec::with_capacity(numbers.all));
        for k in (0u64..).take(numbers.all) {
            let mut transcript = transcript.clone();
            transcript.append_u64("repetition", k);
            seeds.push(transcript.finish32());
        }
        seeds
    }

    /// The repetitions that these seeds determine.
    pub(crate) fn draw<'s>(
        &self,
        seeds: impl ExactSizeIterator<Item = (u64, &'s [u8; SEED])> + Clone,
    ) -> Drawn<C> {
        let scalars = |what: &'static str| {
            let mut all = Vec::with_capacity(seeds.len());
            for (k, seed) in seeds.clone() {
                let mut transcript = frame::transcript(&self.context, "quorate-keys backup draw");
                transcript.append_u64("repetition", k);
                transcript.append(what, seed);
                all.push(*uniform::<C>(&transcript).expose());
            }
            Secret::new(all)
        };
        let (masks, keys) = (scalars("mask"), scalars("key"));
        let (_, mask_bytes) = C::mul_base_many(masks.expose());
        let (points, bytes) = C::mul_base_many(keys.expose());
        let encoded = points.into_iter().zip(bytes).map(|(point, bytes)| Encoded { point, bytes });
        let secrets = masks.expose().iter().zip(keys.expose());
        let each = seeds.zip(secrets).zip(mask_bytes.into_iter().zip(encoded));
        let repetitions = each.map(|(((k, _), (r, d)), (mask, key))| {
            let envelope = self.envelope(k, key);
            Repetition { mask, key, sealed: envelope.seal(&envelope.sent(d), r) }
        });
        Drawn { repetitions: repetitions.collect(), masks }
    }

    /// e.
    pub(crate) fn hash(&self, repetitions: &[Repetition<C>]) -> [u8; SEED] {
        let mut transcript = frame::transcript(&self.context, "quorate-keys backup challenge");
        transcript.append_list("R", repetitions.iter().map(|one| one.mask));
        transcript.append_list("D", repetitions.iter().map(|one| one.key.bytes));
        transcript.append_list("c", repetitions.iter().map(|one| C::encode_scalar(&one.sealed)));
        transcript.finish32()
    }

    /// The proof of repetitions that were drawn from `seeds`. `None` has a negligible chance.
    pub(crate) fn respond(
        &self,
        numbers: Numbers,
        seeds: &[[u8; SEED]],
        drawn: &Drawn<C>,
        share: &Secret<C::Scalar>,
    ) -> Option<Proof<C>> {
        // The hash of commitments, some of which are published and the others hiding.
        let e = declassify(self.hash(&drawn.repetitions));
        let hidden = numbers.choose(&e)?;
        let secrets = seeds.iter().zip(drawn.masks.expose());
        let each = hidden.into_iter().zip(secrets).zip(&drawn.repetitions);
        let shown = each.map(|((hidden, (seed, r)), one)| {
            if hidden {
                let z = *share.expose() + *r;
                Shown::Hidden { key: one.key, sealed: one.sealed, z }
            } else {
                Shown::Opened(*seed)
            }
        });
        Some(Proof { e, shown: shown.collect() })
    }
}

impl<C: Curve> Proof<C> {
    /// Seals a share. `None` has a negligible chance.
    pub(crate) fn make(
        statement: &Statement<C>,
        numbers: Numbers,
        share: &Secret<C::Scalar>,
        random: &[u8; 32],
    ) -> Option<Self> {
        let seeds = statement.seeds(numbers, share, random);
        let numbered: Vec<_> = (0u64..).zip(seeds.iter()).collect();
        let drawn = statement.draw(numbered.into_iter());
        statement.respond(numbers, &seeds, &drawn, share)
    }

    /// Returns whether the proof verifies.
    pub(crate) fn verifies(&self, statement: &Statement<C>) -> bool {
        let each = || (0u64..).zip(&self.shown);
        let seeds: Vec<_> = each()
            .filter_map(|(k, shown)| match shown {
                Shown::Opened(seed) => Some((k, seed)),
                Shown::Hidden { .. } => None,
            })
            .collect();
        let (mut hidden, mut responses) = (Vec::new(), Vec::new());
        for (_, shown) in each() {
            if let Shown::Hidden { key, sealed, z } = shown {
                hidden.push((*key, *sealed));
                responses.push(*z);
            }
        }
        // R = z·G − S
        let (points, _) = C::mul_base_many(&responses);
        let masks: Vec<_> = points.into_iter().map(|point| point - statement.share).collect();
        let hidden = hidden.into_iter().zip(C::encode_points(&masks));
        let mut hidden = hidden.map(|((key, sealed), mask)| Repetition { mask, key, sealed });
        let mut opened = statement.draw(seeds.into_iter()).repetitions.into_iter();
        let all = self.shown.iter().map_while(|shown| match shown {
            Shown::Opened(_) => opened.next(),
            Shown::Hidden { .. } => hidden.next(),
        });
        let all: Vec<_> = all.collect();
        all.len() == self.shown.len() && statement.hash(&all) == self.e
    }

    /// The scalar that each hidden repetition gives. It is the share if the repetition follows the rule.
    pub(crate) fn open<'p>(
        &'p self,
        statement: &'p Statement<C>,
        y: &'p Secret<C::Scalar>,
    ) -> impl Iterator<Item = Secret<C::Scalar>> + 'p {
        (0u64..).zip(&self.shown).filter_map(|(k, shown)| {
            let Shown::Hidden { key, sealed, z } = shown else { return None };
            let envelope = statement.envelope(k, *key);
            let r = envelope.open(&envelope.shared(y.expose()), sealed);
            Some(Secret::make(|| *z - *r.expose()))
        })
    }

    /// The repetitions that stayed hidden.
    #[cfg(test)]
    pub(crate) fn hidden(&self) -> Vec<usize> {
        let hidden = |shown: &Shown<C>| matches!(shown, Shown::Hidden { .. });
        self.shown.iter().enumerate().filter(|(_, one)| hidden(one)).map(|(k, _)| k).collect()
    }

    /// e ‖ for each k the seed, or `D_k ‖ c_k ‖ z_k`.
    pub(crate) fn put(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.e);
        for shown in &self.shown {
            match shown {
                Shown::Opened(seed) => bytes.extend_from_slice(seed),
                Shown::Hidden { key, sealed, z } => {
                    key.put(bytes);
                    put_scalar::<C>(bytes, sealed);
                    put_scalar::<C>(bytes, z);
                }
            }
        }
    }

    pub(crate) fn read(reader: &mut Reader<'_>, numbers: Numbers) -> Result<Self, DecodeError> {
        reader.expect(1, numbers.length::<C>())?;
        let e = reader.array()?;
        let hidden = numbers.choose(&e).ok_or(DecodeError::Inconsistent(NO_CHOICE))?;
        let mut shown = Vec::with_capacity(numbers.all);
        for hidden in hidden {
            shown.push(if hidden {
                let key = decoded(Encoded::read(reader))?;
                let sealed = decoded(read_scalar::<C>(reader))?;
                Shown::Hidden { key, sealed, z: decoded(read_scalar::<C>(reader))? }
            } else {
                Shown::Opened(reader.array()?)
            });
        }
        Ok(Self { e, shown })
    }
}

const NO_CHOICE: &str = "the challenge of a backup chooses no set";
