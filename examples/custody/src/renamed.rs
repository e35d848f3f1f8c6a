//! A protocol under another code, where two kinds of keys share one: runners on one store are told apart by it.

use core::marker::PhantomData;

use quorate::session::zeroize::Zeroizing;
use quorate::session::{
    Abort, Binding, Inbox, Judgement, Limits, Next, Outbox, ParamError, Protocol, Round, Run,
};

/// The protocol `P` under this code.
pub struct Renamed<P, const CODE: u8>(PhantomData<P>);

impl<P: Protocol, const CODE: u8> Protocol for Renamed<P, CODE> {
    const NAME: &'static str = P::NAME;
    const CODE: u8 = CODE;
    const ROUNDS: u8 = P::ROUNDS;
    type Params = P::Params;
    type State = P::State;
    type Output = P::Output;

    fn bind(params: &P::Params, binding: &mut Binding) {
        P::bind(params, binding);
    }

    fn limits(params: &P::Params, parties: usize, round: Round) -> Limits {
        P::limits(params, parties, round)
    }

    fn hedge(params: &P::Params) -> Option<Zeroizing<Vec<u8>>> {
        P::hedge(params)
    }

    fn start(params: P::Params, run: &Run) -> Result<(P::State, Outbox), ParamError> {
        P::start(params, run)
    }

    fn next(state: P::State, run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        Ok(match P::next(state, run, inbox)? {
            Next::Round(state, outbox) => Next::Round(state, outbox),
            Next::Work(state) => Next::Work(state),
            Next::Done(output) => Next::Done(output),
            Next::Unconfirmed(output, why) => Next::Unconfirmed(output, why),
        })
    }

    fn judge(state: P::State, run: &Run, inbox: Inbox<'_>) -> Judgement<P::Output> {
        P::judge(state, run, inbox)
    }
}
