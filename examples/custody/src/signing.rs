//! Signing with a presignature, as a protocol of one round: each signer says its share, and each puts them together.
//!
//! Spending comes before: a session begins with a share that was [released](crate::vault::Vault::release) against the
//! record of its claim. So a session that is opened again, or begun twice, says the same share.

use quorate::session::{
    Abort, Binding, Check, Fault, Inbox, Limits, Next, Outbox, ParamError, Protocol, Round, Run,
};
use quorate_cggmp::{CombineError, Derived, MessageDigest, PresignatureInfo, Secp256k1, Signature};

/// The protocol.
pub struct SignOff;

/// A signer's parameters.
pub struct Params {
    /// The public side of the presignature.
    pub info: PresignatureInfo<Secp256k1>,
    /// The key.
    pub key: Derived<Secp256k1>,
    /// The digest of the message.
    pub digest: MessageDigest,
    /// The signer's own share. It is no secret any more.
    pub share: Vec<u8>,
}

impl Protocol for SignOff {
    const NAME: &'static str = "custody signing";
    const CODE: u8 = 240;
    const ROUNDS: u8 = 1;
    type Params = Params;
    type State = Params;
    type Output = Signature<Secp256k1>;

    fn bind(params: &Params, binding: &mut Binding) {
        // Of its digest are its name, signers and key.
        binding.append("presignature", params.info.digest());
        binding.append("message", params.digest.as_bytes());
    }

    fn limits(params: &Params, _: usize, _: Round) -> Limits {
        Limits { broadcast: params.share.len(), direct: 0 }
    }

    fn start(params: Params, _: &Run) -> Result<(Params, Outbox), ParamError> {
        let share = params.share.clone();
        Ok((params, Outbox::broadcast(share)))
    }

    fn next(params: Params, run: &Run, inbox: Inbox<'_>) -> Result<Next<Self>, Abort> {
        let Params { info, key, digest, share } = &params;
        let peers = inbox.each().map(|message| (message.from, message.broadcast));
        // Verified in there before it comes out; whoever sent a wrong share is named.
        match info.combine(key, *digest, peers.chain([(run.me(), share.as_slice())])) {
            Ok(signature) => Ok(Next::Done(signature)),
            Err(CombineError::Cheaters(cheaters)) => {
                let blamed = cheaters.into_iter().filter(|(party, _)| *party != run.me());
                Err(inbox.blame(blamed.map(|(party, _)| (party, Fault::InvalidSignatureShare))))
            }
            Err(_) => Err(Abort::unattributed(run.round(), Check::ResultMismatch)),
        }
    }
}
