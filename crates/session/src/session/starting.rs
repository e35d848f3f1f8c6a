//! The start of a run: the values that its parties agree on, and the seed.

use alloc::vec::Vec;

use rand_core::CryptoRng;
use zeroize::{Zeroize, Zeroizing};

use super::{Rejections, Session, Step};
use crate::{
    Binding, Bound, Limits, ParamError, Parties, PartyId, Protocol, Round, Run, SessionId,
    Transcript, binding, frame, log::Log,
};

impl<P: Protocol> Session<P> {
    /// Begins a run.
    ///
    /// Every party needs the same `sid`, `parties` and [bound](Protocol::bind) parameters. The session draws
    /// 32 bytes from `rng`, and hashes them with the session id, the party and the secrets that the
    /// protocol [hedges](Protocol::hedge) with.
    ///
    /// # Errors
    /// [`ParamError`] if `me` is not one of `parties` or the protocol refuses the parameters.
    pub fn start(
        sid: SessionId,
        me: PartyId,
        parties: &Parties,
        params: P::Params,
        rng: &mut impl CryptoRng,
    ) -> Result<Step<P>, ParamError> {
        #[cfg(feature = "tracing")]
        let _span = tracing::trace_span!("start", protocol = P::NAME).entered();
        let mut fresh = Zeroizing::new([0; 32]);
        rng.fill_bytes(fresh.as_mut_slice());
        let bound = Self::bound(sid, parties, |binding| P::bind(&params, binding));
        let seed = seed::<P>(&fresh, &bound.context(), me, &params);
        wipe_stack();
        Self::begin(Run::new(sid, me, parties.clone(), bound, seed), params)
    }

    pub(super) fn begin(run: Run, params: P::Params) -> Result<Step<P>, ParamError> {
        if !run.parties().contains(run.party_id()) {
            return Err(ParamError::NotAParty(run.party_id()));
        }
        let count = run.parties().len();
        let limits: Vec<Limits> =
            (1..=P::ROUNDS).map(|round| P::limits(&params, count, Round(round))).collect();
        // A round in which nobody says anything would let a party run ahead of the others.
        if limits.is_empty() || limits.contains(&Limits { broadcast: 0, direct: 0 }) {
            return Err(ParamError::Protocol("a round without messages"));
        }
        if run.bound().len() > binding::ITEMS {
            return Err(ParamError::Protocol("more items bound than a frame can tell"));
        }
        let room = room(&limits, count).ok_or(ParamError::TooLarge)?;
        let (state, outbox) = P::start(params, &run)?;
        let session = Self {
            run,
            limits,
            log: Log::new(room),
            missing: 0,
            echo: None,
            working: None,
            rejections: Rejections::default(),
            state,
        };
        session.enter(outbox).ok_or(ParamError::Protocol("messages beyond the protocol's limits"))
    }

    /// Binds the values that the parties of a run agree on, for code that looks at its frames
    /// afterwards. `bind` appends what the protocol [binds](Protocol::bind).
    pub fn bound(sid: SessionId, parties: &Parties, bind: impl FnOnce(&mut Binding)) -> Bound {
        let mut binding = Binding::new(P::NAME, P::CODE, sid, parties);
        bind(&mut binding);
        binding.finish()
    }

    /// The [context](crate::Run::context) that a run with these parameters has. A store finds what it holds of the
    /// run under this context, a tombstone included, before the run is started.
    #[must_use]
    pub fn context_of(sid: SessionId, parties: &Parties, params: &P::Params) -> [u8; 32] {
        Self::bound(sid, parties, |binding| P::bind(params, binding)).context()
    }
}

/// The bytes that a sealed session has left beside one message of each kind to and from each party, as long as the limits
/// allow. `None` if those alone do not fit: the lengths in a sealed session have four bytes.
fn room(limits: &[Limits], parties: usize) -> Option<usize> {
    // A MiB is for the seed, the parties, the ends of rounds, and the container.
    const MOST: usize = 0xfff0_0000;
    const BESIDE: usize = frame::HEADER + frame::PREFIX + frame::ECHO + 8;
    let messages = |limit: usize, number: usize| match limit {
        0 => 0,
        _ => limit.saturating_add(BESIDE).saturating_mul(number),
    };
    let both = parties.saturating_mul(2);
    limits.iter().try_fold(MOST, |left, of| {
        left.checked_sub(messages(of.broadcast, parties))?.checked_sub(messages(of.direct, both))
    })
}

/// Wipes the stack below its caller, where hashing the secrets of the protocol has left copies. When a session is moved,
/// its unused bytes move too, with whatever stood there.
#[inline(never)]
fn wipe_stack() {
    [0_u64; 1024].zeroize();
}

/// The seed: fresh bytes, hedged with the session, the party and the secrets of the protocol.
#[inline(never)]
fn seed<P: Protocol>(
    fresh: &[u8; 32],
    context: &[u8; 32],
    me: PartyId,
    params: &P::Params,
) -> Zeroizing<[u8; 32]> {
    let mut transcript = Transcript::new("seed");
    transcript.append("context", context);
    transcript.append_u64("party", me.get().into());
    transcript.append("fresh", fresh);
    // The context is public and binds the session id; the hedge keeps the seed secret if `fresh` isn't.
    transcript.append_list("hedge", P::hedge(params).iter().map(|secret| secret.as_slice()));
    Zeroizing::new(transcript.finish32())
}
