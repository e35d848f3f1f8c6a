//! The context that a proof is bound to beside its statement, and the secrets that a party may use of its own.

use quorate_paillier::{DecryptionKey, EncryptionKey, Pedersen, PedersenTrapdoor};
use quorate_session::{PartyId, SessionId, Transcript};

/// Where a proof belongs: it verifies there and nowhere else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofContext<'a> {
    /// The session, first into every transcript.
    pub session: SessionId,
    /// The prover.
    pub prover: PartyId,
    /// The verifier that it is made for; nothing if it is broadcast.
    pub verifier: Option<PartyId>,
    /// The rest of what distinguishes this proof from the others of the session: protocol, round, the role of its
    /// statement (`"k"`, `"gamma"`), joint randomness. Two proofs of one session with the same prover, verifier
    /// and figure never share it.
    pub instance: &'a [u8],
}

impl<'a> ProofContext<'a> {
    /// The context of a proof that is broadcast.
    #[must_use]
    pub const fn new(session: SessionId, prover: PartyId, instance: &'a [u8]) -> Self {
        Self { session, prover, verifier: None, instance }
    }

    /// This context, for one verifier.
    #[must_use]
    pub const fn to(self, verifier: PartyId) -> Self {
        Self { verifier: Some(verifier), ..self }
    }

    /// The transcript of a figure, with this context absorbed.
    pub(crate) fn transcript(&self, figure: &'static str) -> Transcript {
        let mut transcript = Transcript::new("zk");
        transcript.append("session", self.session.as_bytes());
        transcript.append("figure", figure.as_bytes());
        transcript.append_u64("prover", self.prover.get().into());
        // Numbers of parties start at 1.
        transcript.append_u64("verifier", self.verifier.map_or(0, PartyId::get).into());
        transcript.append("instance", self.instance);
        transcript
    }
}

/// The secrets of the party at work. Whatever a proof has under its own moduli goes through their factors.
#[derive(Clone, Copy, Debug, Default)]
pub struct Own<'a> {
    /// The party's Paillier key.
    pub key: Option<&'a DecryptionKey>,
    /// The party's ring-Pedersen setup, with which it verifies what others prove to it.
    pub setup: Option<&'a PedersenTrapdoor>,
}

impl<'a> Own<'a> {
    /// Both secrets.
    #[must_use]
    pub const fn new(key: &'a DecryptionKey, setup: &'a PedersenTrapdoor) -> Self {
        Self { key: Some(key), setup: Some(setup) }
    }

    /// The secret key of this public key, if it is the party's own.
    pub(crate) fn key_of(&self, key: &EncryptionKey) -> Option<&'a DecryptionKey> {
        self.key.filter(|own| own.encryption_key() == key)
    }

    /// The trapdoor of this setup, if it is the party's own.
    pub(crate) fn trapdoor_of(&self, setup: &Pedersen) -> Option<&'a PedersenTrapdoor> {
        self.setup.filter(|own| own.pedersen() == setup)
    }
}
