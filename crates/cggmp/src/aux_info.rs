//! Figure 7, the part that makes auxiliary information, for [`Session`]: every party's Paillier
//! modulus N and its ring-Pedersen setup (N̂, s, t), with the proofs that they are what they should
//! be.
//!
//! 1. [`Committed`](rounds::Committed): V_i = H(sid, i, N_i, N̂_i, s_i, t_i, Πprm_i, rid_i, u_i) is
//!    broadcast.
//! 2. [`Revealed`](rounds::Revealed): what V_i commits to is broadcast.
//! 3. [`Proving`](rounds::Proving): Πmod of N_i is broadcast, Πfac of N_i under N̂_j goes to each
//!    party j; both are bound to sid, i (and j) and rid.
//! 4. [`Confirming`](rounds::Confirming): a digest of everything public is broadcast. The result is
//!    confirmed when all n digests agree; otherwise it is given out as
//!    [unconfirmed](AuxInfo::is_confirmed), and does not presign.
//!
//! The moduli are made of primes that were searched for before ([`AuxSecrets::generate`]): that
//! takes minutes, everything here takes seconds.
//!
//! The result serves any number of keys of the same parties, over any curve.
//!
//! # Deviations
//!
//! All in `docs/paper.md`:
//! - The figure makes it together with a refresh of the key; here it is a protocol of its own.
//! - Πmod is asked for N only. That s is a power of t, which Πprm shows, is what hides; that N̂ is a
//!   product of two primes is of use to its owner alone.
//! - The moduli of all parties are checked to have no factors in common.
//! - A confirm round, without which one party can hold a result that another has aborted.
//!
//! [`Session`]: quorate_session::Session
#![allow(rustdoc::private_intra_doc_links, reason = "the rounds are private; auditors read these")]

mod info;
mod reveal;
mod rounds;
mod search;
mod secrets;

pub use info::{AuxInfo, AuxPublic};
pub use search::{AuxProgress, AuxSearch, AuxStep};
pub use secrets::AuxSecrets;

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;

use quorate_bignum::Engine;
use quorate_paillier::Level;
use quorate_session::{
    Abort, Binding, Inbox, Judgement, Limits, Next, Outbox, ParamError, Protocol, Round, Run,
};
use quorate_zk::{pi_fac, pi_mod};
use zeroize::Zeroizing;

use crate::MAX_PARTIES;
use crate::history::{BroadcastLog, Step};

/// Bytes of the tables that are made for each peer's setup, unless the caller says otherwise. They
/// make every commitment for that peer twice to three times as fast. Larger ones are slower for
/// secret exponents, which read a table whole.
pub const TABLE_BYTES: usize = 50 << 10;

/// The making of auxiliary information, a protocol for [`quorate_session::Session`].
#[derive(Debug)]
pub struct AuxInfoGen(());

/// What a party brings to [`AuxInfoGen`].
#[derive(Clone)]
pub struct AuxInfoParams {
    engine: Engine,
    secrets: Arc<AuxSecrets>,
    table_bytes: usize,
}

impl AuxInfoParams {
    /// The party's own keys, and the engine to work with.
    #[must_use]
    pub const fn new(engine: Engine, secrets: Arc<AuxSecrets>) -> Self {
        Self { engine, secrets, table_bytes: TABLE_BYTES }
    }

    /// These parameters with tables of at most this many bytes for each peer's setup, instead of
    /// [`TABLE_BYTES`]; none with 0.
    #[must_use]
    pub const fn with_table_bytes(mut self, table_bytes: usize) -> Self {
        self.table_bytes = table_bytes;
        self
    }

    fn level(&self) -> Level {
        self.secrets.level()
    }
}

impl fmt::Debug for AuxInfoParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuxInfoParams").field("level", &self.level()).finish_non_exhaustive()
    }
}

/// What all must agree on.
pub(crate) fn bind_level(level: Level, binding: &mut Binding) {
    binding.append_u64("level", level.modulus_bits().into());
}

/// The limits of the rounds.
pub(crate) fn limits(level: Level, round: Round) -> Limits {
    match round {
        Round(2) => Limits { broadcast: reveal::length(level), direct: 0 },
        Round(3) => {
            let (broadcast, direct) = (pi_mod::proof_bytes(level), pi_fac::proof_bytes(level));
            Limits { broadcast, direct }
        }
        _ => Limits { broadcast: 32, direct: 0 },
    }
}

/// What judging evidence has in common with the rounds.
pub(crate) mod evidence {
    pub(crate) use super::reveal::{Reveal, digest};
    pub(crate) use super::rounds::{confirmed, roles};
}

/// Where a party stands.
pub struct State(At, BroadcastLog);

enum At {
    Committed(rounds::Committed),
    Revealed(rounds::Revealed),
    Proving(rounds::Proving),
    Confirming(rounds::Confirming),
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State").finish_non_exhaustive()
    }
}

impl Protocol for AuxInfoGen {
    const NAME: &'static str = "quorate-cggmp aux-info";
    const CODE: u8 = 17;
    const ROUNDS: u8 = 4;

    type Params = AuxInfoParams;
    type State = State;
    type Output = AuxInfo;

    fn bind(params: &AuxInfoParams, binding: &mut Binding) {
        bind_level(params.level(), binding);
    }

    fn limits(params: &AuxInfoParams, _parties: usize, round: Round) -> Limits {
        limits(params.level(), round)
    }

    fn hedge(params: &AuxInfoParams) -> Option<Zeroizing<Vec<u8>>> {
        Some(params.secrets.key().to_secret_bytes())
    }

    fn start(params: AuxInfoParams, run: &Run) -> Result<(State, Outbox), ParamError> {
        if run.parties().len() > MAX_PARTIES {
            return Err(ParamError::TooManyParties);
        }
        let (state, outbox) = rounds::Committed::new(params, run)?;
        let history = BroadcastLog::new(Self::CODE, &outbox);
        Ok((State(At::Committed(state), history), outbox))
    }

    fn next(state: State, run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        let State(at, history) = state;
        history.go_on((run, inbox), at.next(run, inbox), State)
    }

    fn judge(state: State, run: &Run, inbox: Inbox<'_>) -> Judgement<AuxInfo> {
        let State(at, history) = state;
        let judged = match at {
            At::Committed(_) => (rounds::digests(inbox).map(drop), None),
            At::Revealed(round) => (round.receive(run, inbox).map(drop), None),
            At::Proving(round) => (round.verify(run, inbox), None),
            At::Confirming(round) => {
                let (info, confirmed) = round.confirm(inbox);
                (confirmed, Some(info))
            }
        };
        history.judgement(run, judged)
    }
}

impl At {
    fn next(self, run: &Run, inbox: Inbox<'_>) -> Result<Step<Self, AuxInfo>, Abort> {
        let (at, outbox) = match self {
            Self::Committed(round) => {
                let (state, outbox) = round.next(inbox)?;
                (Self::Revealed(state), outbox)
            }
            Self::Revealed(round) => {
                let (state, outbox) = round.next(run, inbox)?;
                (Self::Proving(state), outbox)
            }
            Self::Proving(round) => {
                let (state, outbox) = round.next(run, inbox)?;
                (Self::Confirming(state), outbox)
            }
            Self::Confirming(round) => {
                let (info, confirmed) = round.confirm(inbox);
                return Ok(Step::Ended(info, confirmed));
            }
        };
        Ok(Step::Next(at, outbox))
    }
}
