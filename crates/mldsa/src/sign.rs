//! Signing: an attempt in three rounds (ePrint 2026/013, Figures 5 to 8), as a [`Session`](quorate_session::Session).

mod aggregate;
mod attempt;
#[cfg(test)]
mod authors;
mod mask;
#[cfg(test)]
mod rollback;
mod rounds;
pub(crate) mod terms;
pub(crate) mod view;

#[cfg(not(target_has_atomic = "ptr"))]
use alloc::rc::Rc as Shared;
#[cfg(target_has_atomic = "ptr")]
use alloc::sync::Arc as Shared;
use alloc::vec::Vec;
use core::fmt;

use quorate_session::rounds::Logged;
use quorate_session::{
    Abort, Binding, Inbox, Judgement, Limits, Next, Outbox, ParamError, Protocol, Round, Run,
    SpendReceipt,
};
use rand_core::Rng;
use zeroize::Zeroizing;

pub use self::aggregate::Attempted;
pub use self::attempt::UsedUp;

use self::rounds::{AwaitingCommitments, State};
use self::terms::Terms;
use crate::message::MessageRepresentative;
use crate::secret::{SEED, Seed};
use crate::share::KeyShare;

/// An attempt to sign a message, a protocol for [`quorate_session::Session`]: three rounds among exactly T parties,
/// where T is the threshold.
///
/// | round | broadcast | bytes |
/// |---|---|---|
/// | 1 | h_i, a hash of all w_i | 64 |
/// | 2 | w_i = A·y_i + e_i of K slots | 736·k·K |
/// | 3 | a bit for each slot that rejection sampling accepts, and z_i for these | ⌈K/8⌉ + 576·ℓ or 640·ℓ each |
///
/// The [outcome](Attempted) is a verified signature, or none: about every second attempt fails and is repeated with
/// another session id. If a party sends a wrong w, or a z that does not fit its w, each recipient names it, and the
/// blame's evidence convinces others. Round 3 has no echo. So if a signer sends two different responses there, one
/// party names it while another has the outcome.
pub struct Sign;

/// A signer's part in an attempt.
pub struct SignParams {
    share: Shared<KeyShare>,
    mu: MessageRepresentative,
    number: u64,
    receipt: SpendReceipt,
}

impl SignParams {
    /// The parameters of attempt `number` of this share, to sign a message by its representative. The receipt is
    /// that of the attempt's [record](KeyShare::attempt).
    ///
    /// A session [starts](quorate_session::Session::start) only with a receipt that [is new](SpendReceipt::is_new);
    /// any other gives [`ParamError::AlreadyRecorded`]. A session that is [opened](quorate_session::Session::open)
    /// from its seal takes any receipt for its record.
    #[must_use]
    pub const fn new(
        share: Shared<KeyShare>,
        mu: MessageRepresentative,
        number: u64,
        receipt: SpendReceipt,
    ) -> Self {
        Self { share, mu, number, receipt }
    }

    /// The terms of the attempt, if this share may make it.
    fn terms(&self, run: &Run) -> Result<Terms, ParamError> {
        if self.share.id() != run.party_id() {
            return Err(ParamError::Inconsistent("the share is another party's"));
        }
        if !self.share.is_confirmed() {
            return Err(ParamError::Inconsistent("the share is not confirmed"));
        }
        let record = self.share.attempt(self.number, run.sid(), run.parties(), &self.mu);
        let record = record.map_err(|_| ParamError::Inconsistent("the share is used up"))?;
        if *self.receipt.record() != record {
            return Err(ParamError::Inconsistent("the receipt is for another attempt"));
        }
        // An opened session has the masks with which it was started. A session that starts draws its own, and a
        // number is for one set of masks.
        if !run.is_opened() && !self.receipt.is_new() {
            return Err(ParamError::AlreadyRecorded);
        }
        Terms::new(self.share.shared_public(), run.parties(), self.mu)
    }
}

impl fmt::Debug for SignParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignParams")
            .field("share", &self.share)
            .field("message", &self.mu)
            .field("number", &self.number)
            .finish_non_exhaustive()
    }
}

impl Protocol for Sign {
    const NAME: &'static str = "quorate-mldsa sign";
    const CODE: u8 = 48;
    const FAMILY: &'static str = "";
    const ROUNDS: u8 = 3;
    const LAST_ROUND_DRAWS: bool = false;

    type Params = SignParams;
    type State = Logged<State>;
    type Output = Attempted;

    fn bind(params: &SignParams, binding: &mut Binding) {
        terms::bind(params.share.public(), &params.mu, binding);
    }

    fn limits(params: &SignParams, _parties: usize, round: Round) -> Limits {
        terms::limits(&params.share.public().set, round)
    }

    /// Hashes the seeds of the share's secrets, so that a broken generator alone does not make masks predictable.
    /// It also hashes the number of the attempt, so that a generator that repeats itself gives no mask to two
    /// attempts, even of one session id.
    fn hedge(params: &SignParams) -> Option<Zeroizing<Vec<u8>>> {
        let seeds = || params.share.seeds().map(|(_, seed)| seed.expose());
        let number = params.number.to_be_bytes();
        let length = seeds().count() * SEED + number.len();
        let mut all = Zeroizing::new(Vec::with_capacity(length));
        seeds().for_each(|seed| all.extend_from_slice(seed));
        all.extend_from_slice(&number);
        Some(all)
    }

    fn start(params: SignParams, run: &Run) -> Result<(Logged<State>, Outbox), ParamError> {
        let terms = params.terms(run)?;
        let seed = Seed::filled(|bytes| run.rng("masks").fill_bytes(bytes));
        let first = AwaitingCommitments::new(params.share, terms, seed, run);
        Ok(Logged::start(Self::CODE, first, State::Commitments))
    }

    fn next(state: Logged<State>, run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        state.next(run, inbox)
    }

    fn judge(state: Logged<State>, run: &Run, inbox: Inbox<'_>) -> Judgement<Attempted> {
        state.judge(run, inbox)
    }
}
