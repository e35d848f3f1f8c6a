//! ChillDKG, "Distributed Key Generation for FROST": **a draft** of a BIP without a number, as of its version 0.3.0
//! (commit a918968 of `BlockstreamResearch/bip-frost-dkg`, 30 July 2026).
//!
//! Key generation over a coordinator that nobody has to trust, without other channels. Participants know each other
//! by *host keys*, which encrypt the shares and sign the result. Besides the key, the run gives *recovery data*, the
//! same for all and not secret. From it, a participant that has only its host key recovers its share. The host key is
//! the backup of all keys in which it ever took part. If the draft changes, this module changes with it, without a
//! new major version: it is behind the feature `chilldkg-draft`. Its tests run all the draft's vectors.
//!
//! | step | ChillDKG | here |
//! |---|---|---|
//! | identities | *hostpubkey_gen* | [`HostKey`] |
//! | who takes part, and t | *SessionParams*, *params_hash* | [`Params::new`], [`Params::digest`] |
//! | participant, first message | *participant_step1* | [`Participant::start`] |
//! | coordinator, first message | *coordinator_step1* | [`Coordinator::start`] |
//! | participant, second message | *participant_step2* | [`Participant::step2`] |
//! | coordinator, second message and output | *coordinator_finalize* | [`Coordinator::finalize`] |
//! | participant, output | *participant_finalize* | [`Finalizing::finalize`] |
//! | whose share was wrong | *coordinator_investigate*, *participant_investigate* | [`Coordinator::investigate`], [`Investigation::judge`] |
//! | the output again | *participant_recover*, *coordinator_recover* | [`recover`], [`recover_public`] |
//! | everybody has it | *participant_recovery_ack_sign*, *…_acks_verify* | [`Output::acknowledge`], [`PublicOutput::verify_acknowledgements`] |
//!
//! The draft's participant i, counted from 0, is [party](quorate_frost::session::PartyId) i + 1 here, as in the
//! module `bip445`. Its share is the value of the polynomial at i + 1. The key is an output key that commits to no
//! script (BIP-341). This crate keeps keys with an even y-coordinate; [`PublicOutput::threshold_key`] has the
//! draft's.
//!
//! ```
//! use quorate_frost_secp256k1_tr::chilldkg::{Coordinator, HostKey, Params, Participant, recover};
//! # use chacha20::{ChaCha20Rng, rand_core::SeedableRng};
//! # let mut rng = ChaCha20Rng::from_seed([7; 32]); // yours: the operating system's
//!
//! // Each participant has made a host key, and has the public ones of all others from whom they are of.
//! let hosts = [HostKey::generate(&mut rng)?, HostKey::generate(&mut rng)?, HostKey::generate(&mut rng)?];
//! let params = Params::new(hosts.iter().map(|host| *host.public()).collect(), 2)?;
//!
//! // Step 1. What each makes goes to the coordinator, whose answer goes to all.
//! let (mut participants, mut first) = (Vec::new(), Vec::new());
//! for host in &hosts {
//!     let (participant, message) = Participant::start(host, &params, &mut rng)?;
//!     participants.push(participant);
//!     first.push(message);
//! }
//! let (coordinator, sums) = Coordinator::start(&params, &first)?;
//!
//! // Step 2. The same again. From here on a host key is not to be lost.
//! let (mut finalizing, mut second) = (Vec::new(), Vec::new());
//! for (host, participant) in hosts.iter().zip(participants) {
//!     let (state, signature) = participant.step2(host, &sums, &mut rng)?;
//!     finalizing.push(state);
//!     second.push(signature);
//! }
//! let (certificate, public) = coordinator.finalize(&second)?;
//!
//! // The first participant finishes. The second one has crashed, and recovers.
//! let mut finalizing = finalizing.into_iter();
//! let first = finalizing.next().ok_or("no state")?.finalize(&certificate)?;
//! assert_eq!(first.public, public);
//! drop(finalizing);
//! let [_, host, _] = &hosts;
//! let second = recover(host, first.public.recovery_data())?;
//! assert_eq!(second.public, public);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Who is blamed
//!
//! An [`Error`] names the party that the draft [suspects](Error::suspect). If the coordinator finds a fault in a
//! participant's message, it is that participant's. If a participant finds a fault, it may always be the
//! coordinator's doing, which relays the messages of the others. Nobody can prove anything to a third party. The
//! draft is not robust: a participant that cheats or is silent stops the run.
//!
//! # Misuse
//!
//! 1. **Host public keys from the coordinator.** Whoever supplies the host keys can pose as all other participants.
//!    Compare [`Params::digest`] with all of them, over channels that the coordinator does not control. Participants
//!    with different parameters accuse each other of wrong shares. Compare the digests before you accuse anybody.
//! 2. **A host key thrown away** because a run failed after this participant had signed (step 2). It may not have
//!    failed for the others. Keep the key; any participant that finished has recovery data.
//! 3. **A key that is used too early.** If one participant has the key, the others need not have it. Collect all
//!    [acknowledgements](Output::acknowledge) before anything is paid to it, or keep the recovery data where it
//!    cannot be lost.
//! 4. **Host key and recovery data in one place.** Together they are the share. Recovery data may be kept anywhere,
//!    the host key may not.
//! 5. **Another signing protocol.** The draft is for BIP-445, and has a proof together with its signing (ePrint
//!    2023/899). The key also signs by the rest of this crate, whose signing is different. That proof does not cover
//!    it.
//! 6. **A generator restored from a snapshot.** The contribution is a hash of the host key, the parameters and 32
//!    random bytes. The same bytes twice give the same contribution. States cannot be stored, so a run that was
//!    interrupted before step 2 is started again with other bytes.
//! 7. **A host key used for something else.** Its signatures are of texts that begin with the draft's name. A program
//!    that signs arbitrary BIP-340 hashes with the key defeats that separation.

mod certificate;
mod coordinator;
mod error;
mod host;
mod investigation;
mod messages;
mod outcome;
mod output;
mod pads;
mod params;
mod participant;
mod recovery;
mod schnorr;
mod wire;

#[cfg(test)]
mod tests;

pub use coordinator::Coordinator;
pub use error::{Error, Malformed, Suspect};
pub use host::{HostKey, HostPublicKey};
pub use investigation::Investigation;
pub use output::{Output, PublicOutput};
pub use params::Params;
pub use participant::{Finalizing, Participant, Step2Error};
pub use recovery::{recover, recover_public};

use quorate_curve::{Curve, Secp256k1};

type Scalar = <Secp256k1 as Curve>::Scalar;
type Point = <Secp256k1 as Curve>::Point;
