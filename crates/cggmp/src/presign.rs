//! Figure 8: presigning in three rounds, for [`Session`], by any t or more of a key's parties.
//!
//! 1. [Round 1](round1::AwaitingOpenings): k_i, γ_i encrypted as K_i, G_i and committed to as A_i, B_i under a base
//!    Y_i, all broadcast; to each party Πenc-elg for both.
//! 2. [Round 2](round2::AwaitingProducts): Γ_i = γ_iG with Πelog is broadcast; to each party j the products
//!    D_{j,i} = γ_i·K_j ⊕ enc_j(−β), D̂_{j,i} = x_i·K_j ⊕ enc_j(−β̂) with F_{j,i} = enc_i(−β),
//!    F̂_{j,i} = enc_i(−β̂), and Πaff-g for both.
//! 3. [Round 3](round3::AwaitingSums): δ_i, S_i = χ_iΓ, Δ_i = k_iΓ with Πelog are broadcast.
//! 4. [`Confirming`](confirm::Confirming): an empty message is broadcast, whose frame echoes the
//!    sums.
//!
//! After round 3 δG = ΣΔ_j and δX = ΣS_j must hold. If they do not, the red alert ([`red_alert`])
//! takes the place of round 4, in one round or two, in which everybody proves what it did and the
//! culprits are named. Once the echoes of round 4 agree, so do the outcomes: there is a
//! [`Presignature`], or everybody is in the alert.
//!
//! x_i is the signer's share weighted for this set of signers (`λ_i·x_i`), so that t-of-n is n-of-n
//! among the signers.
//!
//! # Deviations
//!
//! All in `docs/paper.md`:
//! - The red alert needs every D and F in a form that all parties agree on. Round 2 broadcasts a
//!   digest of each pair; the pairs themselves are broadcast when they are needed.
//! - F encrypts −β, and the sum of Πdec takes D ⊖ F.
//! - The randomizer of F is one of the sender's own key.
//! - The figure ends with round 3. Without an echo of the sums one party can be told others than the
//!   rest, and raise an alert that nobody answers.
//!
//! [`Session`]: quorate_session::Session
#![allow(rustdoc::private_intra_doc_links, reason = "the rounds are private; auditors read these")]

pub(crate) mod confirm;
mod id;
mod inventory;
mod list;
pub(crate) mod opening;
mod presignature;
pub(crate) mod products;
pub(crate) mod round1;
pub(crate) mod round2;
pub(crate) mod round3;
mod stored;
#[cfg(test)]
mod tests;

pub use id::PresignatureId;
pub use inventory::Presignatures;
pub(crate) use list::by_party;
pub use presignature::{Presignature, PresignatureInfo};

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use quorate_bignum::Engine;
use quorate_paillier::level::ELL;
use quorate_paillier::{EncryptionKey, Level, Pedersen};
use quorate_session::{
    Abort, Binding, Inbox, Judgement, Limits, Next, Outbox, ParamError, PartyId, Protocol, Round,
    Run,
};
use zeroize::Zeroizing;

use crate::history::BroadcastLog;
use crate::red_alert::{self, Alert};
use crate::wire::{POINT, SCALAR};
use crate::{AdditiveShare, AuxInfo, AuxPublic, EcdsaCurve, KeyInfo, KeyShare};

/// Presigning over a curve, a protocol for [`quorate_session::Session`]. The parties of the session
/// are the signers.
pub struct Presign<C>(PhantomData<C>);

/// What a signer brings to presigning: its share of the key, which is that of the derived key where
/// one is to sign, and its auxiliary information.
pub struct PresignParams<C: EcdsaCurve> {
    engine: Engine,
    key: Arc<KeyShare<C>>,
    aux: Arc<AuxInfo>,
}

impl<C: EcdsaCurve> PresignParams<C> {
    /// The share, the auxiliary information, and the engine to work with.
    #[must_use]
    pub const fn new(engine: Engine, key: Arc<KeyShare<C>>, aux: Arc<AuxInfo>) -> Self {
        Self { engine, key, aux }
    }

    /// Whatever all signers must agree on: the curve, the key with its epoch and derivation, the
    /// moduli of everybody.
    pub(crate) fn bind(&self, binding: &mut Binding) {
        bind(self.key.info(), self.aux.public(), binding);
    }

    pub(crate) fn hedge(&self) -> Zeroizing<Vec<u8>> {
        self.key.to_bytes()
    }

    pub(crate) fn level(&self) -> Level {
        self.aux.level()
    }
}

/// Binds a run to the public side of a key and of auxiliary information.
pub(crate) fn bind<C: EcdsaCurve>(key: &KeyInfo<C>, aux: &AuxPublic, binding: &mut Binding) {
    binding.append("curve", C::NAME.as_bytes());
    binding.append("key", key.verifying_key().as_bytes());
    binding.append_u64("epoch of the key", key.epoch().into());
    binding.append("set of key shares", &key.to_bytes());
    binding.append("aux-info", &aux.digest());
}

impl<C: EcdsaCurve> Clone for PresignParams<C> {
    fn clone(&self) -> Self {
        Self { engine: self.engine, key: Arc::clone(&self.key), aux: Arc::clone(&self.aux) }
    }
}

impl<C: EcdsaCurve> fmt::Debug for PresignParams<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PresignParams").field("key", self.key.info()).finish_non_exhaustive()
    }
}

/// What a signer has at hand in every round.
pub(crate) struct Env<C: EcdsaCurve> {
    pub(crate) engine: Engine,
    pub(crate) key: Arc<KeyShare<C>>,
    pub(crate) aux: Arc<AuxInfo>,
    /// `λ_i·x_i`
    pub(crate) share: AdditiveShare<C>,
}

impl<C: EcdsaCurve> Env<C> {
    fn new(params: PresignParams<C>, run: &Run) -> Result<Self, ParamError> {
        let PresignParams { engine, key, aux } = params;
        if key.party() != run.me() || aux.party() != run.me() {
            return Err(ParamError::Inconsistent("the share or the aux-info of another party"));
        }
        if !key.is_confirmed() {
            return Err(ParamError::Inconsistent("the key is not confirmed by all of its parties"));
        }
        if !aux.is_confirmed() {
            return Err(ParamError::Inconsistent("the aux-info is not confirmed by all parties"));
        }
        let share = key.additive(run.parties());
        let share = share.map_err(|_| ParamError::Inconsistent("these parties cannot sign"))?;
        if !run.parties().iter().all(|party| aux.parties().contains(party)) {
            return Err(ParamError::Inconsistent("aux-info without one of the signers"));
        }
        Ok(Self { engine, key, aux, share })
    }

    pub(crate) fn own(&self) -> quorate_zk::Own<'_> {
        self.aux.secrets().own()
    }

    /// `N_j`
    pub(crate) fn key_of(&self, party: PartyId) -> Option<&EncryptionKey> {
        self.aux.encryption_key(party)
    }

    /// `(N̂_j, s_j, t_j)`
    pub(crate) fn setup_of(&self, party: PartyId) -> Option<&Pedersen> {
        self.aux.pedersen(party)
    }

    /// `λ_j·X_j`
    pub(crate) fn share_point(&self, party: PartyId) -> C::Point {
        // Every signer has one.
        self.share.info().share_point(party).copied().unwrap_or(C::identity())
    }
}

/// Where a signer stands.
pub struct State<C: EcdsaCurve>(Place<C>);

#[allow(clippy::large_enum_variant, reason = "one is alive at a time")]
enum Place<C: EcdsaCurve> {
    Presigning(Stage<C>),
    Confirming(confirm::Confirming<C>, BroadcastLog),
}

/// Presigning up to its sums, alone or within another protocol.
pub(crate) struct Stage<C: EcdsaCurve> {
    at: At<C>,
    history: BroadcastLog,
}

pub(crate) enum At<C: EcdsaCurve> {
    AwaitingOpenings(round1::AwaitingOpenings<C>),
    AwaitingProducts(round2::AwaitingProducts<C>),
    AwaitingSums(round3::AwaitingSums<C>),
    Alert(Alert<C>),
}

/// What comes of a step of presigning.
#[allow(clippy::large_enum_variant, reason = "one is alive at a time")]
pub(crate) enum Step<C: EcdsaCurve> {
    Next(At<C>, Outbox),
    /// A piece of the round's work.
    Work(At<C>),
    Done(Presignature<C>),
}

/// A step, with the broadcasts of the run so far.
#[allow(clippy::large_enum_variant, reason = "made once and taken apart at once")]
pub(crate) enum Staged<C: EcdsaCurve> {
    Next(Stage<C>, Outbox),
    Work(Stage<C>),
    Done(Presignature<C>, BroadcastLog),
}

impl<C: EcdsaCurve> Stage<C> {
    /// Starts presigning within a protocol of this code.
    pub(crate) fn start(
        params: PresignParams<C>,
        run: &Run,
        code: u8,
    ) -> Result<(Self, Outbox), ParamError> {
        let env = Env::new(params, run)?;
        let failed = |_| ParamError::Inconsistent("the first message cannot be made");
        let (state, outbox) = round1::AwaitingOpenings::new(env, run).map_err(failed)?;
        let history = BroadcastLog::new(code, &outbox);
        Ok((Self { at: At::AwaitingOpenings(state), history }, outbox))
    }

    pub(crate) fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<Staged<C>, Abort> {
        let Self { at, mut history } = self;
        Ok(match at.next(run, inbox).map_err(|abort| history.attach(run, abort))? {
            Step::Work(at) => Staged::Work(Self { at, history }),
            Step::Next(at, outbox) => {
                history.received(run, inbox);
                history.sent(&outbox);
                Staged::Next(Self { at, history }, outbox)
            }
            Step::Done(presignature) => {
                history.received(run, inbox);
                Staged::Done(presignature, history)
            }
        })
    }
}

impl<C: EcdsaCurve> Stage<C> {
    /// The checks of the current round, of those peers that are there.
    pub(crate) fn judge(self, run: &Run, inbox: Inbox<'_>) -> Result<(), Abort> {
        let Self { at, history } = self;
        let checked = match at {
            At::AwaitingOpenings(round) => round.verify(run, inbox).map(drop),
            At::AwaitingProducts(round) => round.verify(run, inbox).map(drop),
            At::AwaitingSums(round) => round.verify(run, inbox).map(drop),
            At::Alert(alert) => alert.judge(run, inbox),
        };
        checked.map_err(|abort| history.attach(run, abort))
    }
}

impl<C: EcdsaCurve> At<C> {
    fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<Step<C>, Abort> {
        match self {
            Self::AwaitingOpenings(round) => {
                let (state, outbox) = round.next(run, inbox)?;
                Ok(Step::Next(Self::AwaitingProducts(state), outbox))
            }
            Self::AwaitingProducts(round) => {
                let (state, outbox) = round.next(run, inbox)?;
                Ok(Step::Next(Self::AwaitingSums(state), outbox))
            }
            Self::AwaitingSums(round) => round.next(run, inbox),
            Self::Alert(alert) => Ok(match alert.step(run, inbox)? {
                red_alert::Step::Working(alert) => Step::Work(Self::Alert(alert)),
                red_alert::Step::Round(alert, outbox) => Step::Next(Self::Alert(alert), outbox),
            }),
        }
    }
}

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

/// Bytes of a Πelog: e, z, u.
pub(crate) const ELOG: usize = 3 * SCALAR;

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
        Round(4) => Limits { broadcast: red_alert::decrypted_length(level, peers), direct: 0 },
        _ => Limits { broadcast: red_alert::multiplied_length(level, peers), direct: 0 },
    }
}

impl<C: EcdsaCurve> fmt::Debug for State<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State").finish_non_exhaustive()
    }
}

impl<C: EcdsaCurve> Protocol for Presign<C> {
    const NAME: &'static str = "quorate-cggmp presign";
    const CODE: u8 = 18;
    /// Three, and one that confirms or two of the red alert.
    const ROUNDS: u8 = 5;

    type Params = PresignParams<C>;
    type State = State<C>;
    type Output = Presignature<C>;

    fn bind(params: &PresignParams<C>, binding: &mut Binding) {
        params.bind(binding);
    }

    fn limits(params: &PresignParams<C>, parties: usize, round: Round) -> Limits {
        limits(params.level(), parties, round)
    }

    fn hedge(params: &PresignParams<C>) -> Option<Zeroizing<Vec<u8>>> {
        Some(params.hedge())
    }

    fn start(params: PresignParams<C>, run: &Run) -> Result<(State<C>, Outbox), ParamError> {
        let (stage, outbox) = Stage::start(params, run, Self::CODE)?;
        Ok((State(Place::Presigning(stage)), outbox))
    }

    fn next(state: State<C>, run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        let stage = match state.0 {
            Place::Presigning(stage) => stage,
            Place::Confirming(round, history) => {
                let done = round.next(inbox).map(Next::Done);
                return done.map_err(|abort| history.attach(run, abort));
            }
        };
        Ok(match stage.next(run, inbox)? {
            Staged::Next(stage, outbox) => Next::Round(State(Place::Presigning(stage)), outbox),
            Staged::Work(stage) => Next::Work(State(Place::Presigning(stage))),
            Staged::Done(presignature, mut history) => {
                let (round, outbox) = confirm::Confirming::new(presignature);
                history.sent(&outbox);
                Next::Round(State(Place::Confirming(round, history)), outbox)
            }
        })
    }

    fn judge(state: State<C>, run: &Run, inbox: Inbox<'_>) -> Judgement<Presignature<C>> {
        match state.0 {
            Place::Presigning(stage) => stage.judge(run, inbox).into(),
            Place::Confirming(round, history) => {
                round.verify(inbox).map_err(|abort| history.attach(run, abort)).into()
            }
        }
    }
}
