//! Sessions: refusals at the door, and the ends of a run.

use quorate::session::container::ContainerError;
use quorate::session::keyring::{InvalidId, KeyringError, SealKeyId};
use quorate::session::passphrase::PassphraseError;
use quorate::session::stock::RangesError;
use quorate::session::wire::ReadError;
use quorate::session::{Check, ParamError, RecordError, Rejection, Round, SealError};
use quorate::{Abort, Blame, Fault, Rejected, SealKey};

use crate::{Texts, party};

const HOME: &str = "session";

fn keyrings() -> [KeyringError; 5] {
    let id = SealKeyId::FIRST;
    let [expected, got] = [[1; 32], [2; 32]].map(|bytes| SealKey::new(bytes).fingerprint());
    [
        KeyringError::Service("no route to the service".into()),
        KeyringError::Missing(id),
        KeyringError::OtherKey { id, expected, got },
        KeyringError::Version(9),
        KeyringError::Seal(SealError::Malformed),
    ]
}

fn containers() -> [ContainerError; 9] {
    let (expected, got) = (44, 43);
    [
        ContainerError::NotAContainer,
        ContainerError::Truncated { expected, got },
        ContainerError::TrailingBytes { expected: got, got: expected },
        ContainerError::OlderVersion { expected: 1, got: 0 },
        ContainerError::NewerVersion { expected: 1, got: 2 },
        ContainerError::WrongKind { expected: "a share of a key", got: 66 },
        ContainerError::WrongCurve { expected: "P-256", got: 5 },
        ContainerError::WrongFamily { expected: "(a family)", got: 7 },
        ContainerError::Damaged,
    ]
}

fn rejected() -> [Rejected; 9] {
    [
        Rejected::OtherVersion { expected: 1, found: 2 },
        Rejected::OtherProtocol { expected: 1, found: 2 },
        Rejected::OtherSession,
        Rejected::OtherParameters { which: "threshold" },
        Rejected::OtherSender { named: party(7) },
        Rejected::OtherRecipient(party(7)),
        Rejected::UnknownSender(party(7)),
        Rejected::BadFrame,
        Rejected::Oversized { limit: 32, got: 33 },
    ]
}

pub(crate) fn refusals(texts: &mut Texts) {
    texts.put(
        HOME,
        [
            ParamError::ZeroParty,
            ParamError::TooFewParties,
            ParamError::TooManyParties,
            ParamError::DuplicateParty(party(7)),
            ParamError::NotAParty(party(7)),
            ParamError::Threshold,
            ParamError::Randomness,
            ParamError::TooMany { got: 129, most: 128 },
            ParamError::TooLarge,
            ParamError::AlreadyRecorded,
            ParamError::Inconsistent("(which)"),
            ParamError::Protocol("(which)"),
        ],
    );
    texts.put(HOME, containers());
    texts.put(HOME, rejected());
    texts.put(
        HOME,
        [
            SealError::Malformed,
            SealError::Container(ContainerError::Damaged),
            SealError::Unauthentic,
            SealError::OtherParams,
            SealError::Diverged,
            SealError::Ended,
            SealError::Params(ParamError::Threshold),
        ],
    );
    texts.put(HOME, keyrings());
    texts.put(HOME, [InvalidId]);
    texts.put(
        HOME,
        [
            PassphraseError::Truncated,
            PassphraseError::TooMuchWork,
            PassphraseError::Refused,
            PassphraseError::NoMemory,
        ],
    );
    texts.put(HOME, [ReadError::Truncated, ReadError::TrailingBytes]);
    texts.put(
        HOME,
        [
            RangesError::Truncated,
            RangesError::TooMany { most: 4, got: 5 },
            RangesError::Backwards { first: 5, last: 0 },
            RangesError::NotApart { end: 5, first: 3 },
            RangesError::OutOfRange { most: 1023, got: 1024 },
        ],
    );
    let spent = RecordError::Spent { id: [7; 32], on: [9; 32] };
    texts.put(HOME, [spent, RecordError::Table("(why)")]);
}

pub(crate) fn ends(texts: &mut Texts) {
    let faults = [
        Fault::Malformed,
        Fault::WrongLength,
        Fault::Equivocation,
        Fault::InvalidPoint,
        Fault::InvalidScalar,
        Fault::IdentityCommitment,
        Fault::InvalidDecommitment,
        Fault::InvalidProofOfPossession,
        Fault::InvalidProof,
        Fault::InvalidShare,
        Fault::InvalidSignatureShare,
        Fault::InvalidSum,
        Fault::InvalidModulus,
        Fault::InvalidConfirmation,
        Fault::FalseComplaint,
    ];
    texts.put(HOME, faults);
    texts
        .put(HOME, [Check::EchoMismatch, Check::ResultMismatch, Check::Complaint, Check::Internal]);
    let round = Round(2);
    let blame = |fault| Blame { party: party(7), round, fault, evidence: None };
    let rejection = |count| Rejection { from: party(7), count, last: rejected()[0] };
    let missing = |parties: &[u16], rejected| {
        let parties = parties.iter().copied().map(party).collect();
        Abort::Missing { round, parties, rejected }
    };
    let aborts = [
        Abort::Misbehaviour(vec![blame(faults[0]), blame(faults[9])]),
        Abort::Unattributed { round, check: Check::EchoMismatch, evidence: None },
        missing(&[7], vec![]),
        missing(&[7, 9], vec![rejection(1)]),
        missing(&[7, 9], vec![rejection(2)]),
    ];
    texts.put(HOME, aborts);
}
