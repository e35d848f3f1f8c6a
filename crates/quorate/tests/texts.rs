//! Every variant of every error, as it prints: `texts/errors.txt` is read by whoever changes one.
//! A text says what was expected, what came, and what to do.
//!
//! To write the file anew: `QUORATE_WRITE_TEXTS=1 cargo test -p quorate --features whole-key --test texts`.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::unwrap_in_result,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

use core::fmt::{Debug, Display, Write};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use quorate::frost::generic as frost;
use quorate::session::{Check, Rejection, Round};
use quorate::{Abort, Blame, Fault, PartyId, Rejected, ecdsa, session};

/// The lines of the file, by the crate's folder, the error and its variant.
#[derive(Default)]
struct Texts(BTreeMap<(&'static str, &'static str, String), String>);

impl Texts {
    fn put<E: Debug + Display>(&mut self, home: &'static str, errors: impl IntoIterator<Item = E>) {
        let path = core::any::type_name::<E>();
        let name = path.split('<').next().unwrap().rsplit("::").next().unwrap();
        for error in errors {
            let variant = format!("{error:?}");
            let text = error.to_string();
            assert!(!text.is_empty() && !text.ends_with('.') && !text.contains('\n'), "{text:?}");
            assert!(self.0.insert((home, name, variant), text).is_none(), "{error:?} twice");
        }
    }

    fn file(&self) -> String {
        let mut file = String::new();
        for ((home, name, variant), text) in &self.0 {
            // A structure prints its own name, a variant only its own.
            let of = if variant.starts_with(name) { String::new() } else { format!("{name}::") };
            writeln!(file, "{home} {of}{variant}\n    {text}").unwrap();
        }
        file
    }

    /// The variants, without their values.
    fn names(&self) -> BTreeSet<(String, String, String)> {
        let bare = |variant: &String| variant.split([' ', '(', '{']).next().unwrap().to_owned();
        let name = |(home, name, variant): &(&str, &str, String)| {
            ((*home).to_owned(), (*name).to_owned(), bare(variant))
        };
        self.0.keys().map(name).collect()
    }
}

fn party(number: u16) -> PartyId {
    PartyId::new(number).unwrap()
}

fn of_sessions(texts: &mut Texts) {
    use session::wire::ReadError;
    use session::{ParamError, RecordError, SealError};
    const HOME: &str = "session";
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
            ParamError::Inconsistent("(which)"),
            ParamError::Protocol("(which)"),
        ],
    );
    let rejected = [
        Rejected::OtherVersion { expected: 1, found: 2 },
        Rejected::OtherProtocol { expected: 1, found: 2 },
        Rejected::OtherSession,
        Rejected::OtherParameters { which: "threshold" },
        Rejected::OtherSender { named: party(7) },
        Rejected::OtherRecipient(party(7)),
        Rejected::UnknownSender(party(7)),
        Rejected::BadFrame,
        Rejected::Oversized { limit: 32, got: 33 },
    ];
    texts.put(HOME, rejected);
    texts.put(
        HOME,
        [
            SealError::Malformed,
            SealError::Version(2),
            SealError::Unauthentic,
            SealError::OtherParams,
            SealError::Diverged,
            SealError::Ended,
            SealError::Params(ParamError::Threshold),
        ],
    );
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
        Fault::InvalidModulus,
        Fault::InvalidConfirmation,
    ];
    texts.put(HOME, faults);
    texts.put(HOME, [Check::EchoMismatch, Check::ResultMismatch, Check::Internal]);
    texts.put(HOME, [ReadError::Truncated, ReadError::TrailingBytes]);
    let round = Round(2);
    let blame = |fault| Blame { party: party(7), round, fault, evidence: None };
    let rejection = |count| Rejection { from: party(7), count, last: rejected[0] };
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
    let spent = RecordError::Spent { id: [7; 32], on: [9; 32] };
    texts.put(HOME, [spent, RecordError::Table("(why)")]);
}

fn mismatches() -> [frost::Mismatch; 3] {
    [
        frost::Mismatch::WrongKey,
        frost::Mismatch::WrongEpoch { expected: 1, got: 0 },
        frost::Mismatch::WrongEpoch { expected: 1, got: 1 },
    ]
}

fn of_frosts_keys(texts: &mut Texts) {
    use frost::{AcceptError, DealError, DecodeError, TweakError};
    const HOME: &str = "frost";
    texts.put(
        HOME,
        [
            DecodeError::Truncated,
            DecodeError::TrailingBytes,
            DecodeError::UnknownVersion { found: 2 },
            DecodeError::WrongKind { expected: "a key share", found: "commitments" },
            DecodeError::WrongSuite { expected: "FROST-ED25519-SHA512-v1", found: 6 },
            DecodeError::BadIdentifier(0),
            DecodeError::BadIdentifier(9),
            DecodeError::BadOrder,
            DecodeError::BadPoint,
            DecodeError::BadScalar,
            DecodeError::BadParties { got: 0 },
            DecodeError::BadParties { got: 1 },
            DecodeError::BadThreshold { threshold: 4, parties: 3 },
            DecodeError::NoSigners,
            DecodeError::WrongLength { expected: 32, got: 33 },
            DecodeError::WrongCount { expected: 3, got: 2 },
            DecodeError::BadState(3),
            DecodeError::Inconsistent("(which)"),
            DecodeError::NotTheSenders { sender: party(7), named: party(9) },
        ],
    );
    texts.put(HOME, mismatches());
    texts.put(
        HOME,
        [
            DealError::BadThreshold { threshold: 4, parties: 3 },
            DealError::BadKey,
            DealError::Randomness,
            DealError::ZeroShare,
        ],
    );
    texts.put(
        HOME,
        [
            AcceptError::WrongThreshold { expected: 2, got: 3 },
            AcceptError::OtherPackage,
            AcceptError::InvalidShare,
        ],
    );
    texts.put(HOME, [TweakError::Degenerate, TweakError::Mismatch(mismatches()[0])]);
}

fn of_frosts_signatures(texts: &mut Texts) {
    use frost::{
        AggregateError, BatchError, DecodeError, InvalidSignature, PackageError, ReceiptError,
        ShareRejected, SignError,
    };
    const HOME: &str = "frost";
    let why = mismatches()[1];
    texts.put(
        HOME,
        [
            PackageError::Malformed(vec![(party(7), DecodeError::Truncated)]),
            PackageError::Mismatch { party: party(7), why },
            PackageError::Empty,
            PackageError::DuplicateParty(party(7)),
            PackageError::UnknownParty(party(7)),
            PackageError::TooFewSigners { got: 1, need: 2 },
            PackageError::MessageTooLong,
            PackageError::IdentityCommitment,
        ],
    );
    texts.put(
        HOME,
        [
            SignError::NotASigner,
            SignError::CommitmentMismatch,
            SignError::Mismatch(why),
            SignError::OtherPackage,
            SignError::Unconfirmed,
            SignError::TooFewSigners { got: 2, need: 3 },
            SignError::UnknownParty(party(7)),
            SignError::IdentityCommitment,
            SignError::Tweak,
        ],
    );
    texts.put(
        HOME,
        [
            AggregateError::Mismatch { party: None, why },
            AggregateError::Mismatch { party: Some(party(7)), why },
            AggregateError::OtherPackage(party(7)),
            AggregateError::UnknownParty(party(7)),
            AggregateError::TooFewSigners { got: 1, need: 2 },
            AggregateError::MissingShares(vec![party(7), party(9)]),
            AggregateError::UnexpectedShare(party(7)),
            AggregateError::DuplicateShare(party(7)),
            AggregateError::IdentityCommitment,
            AggregateError::Cheaters(vec![party(7)]),
            AggregateError::Cheaters(vec![party(7), party(9)]),
        ],
    );
    texts.put(
        HOME,
        [
            ShareRejected::Malformed(DecodeError::BadScalar),
            ShareRejected::Conflicting,
            ShareRejected::NotASigner,
            ShareRejected::Mismatch(why),
            ShareRejected::OtherPackage,
        ],
    );
    texts.put(HOME, [ReceiptError]);
    texts.put(HOME, [InvalidSignature]);
    texts.put(HOME, [BatchError { invalid: vec![3] }, BatchError { invalid: vec![3, 40] }]);
}

fn of_ecdsas_keys(texts: &mut Texts) {
    use ecdsa::{
        DecodeError, DeriveError, InvalidSignature, NumberError, SignersError, WholeKeyError,
    };
    const HOME: &str = "cggmp";
    texts.put(
        HOME,
        [
            DecodeError::Truncated,
            DecodeError::TrailingBytes,
            DecodeError::TooLong,
            DecodeError::UnknownVersion { found: 2 },
            DecodeError::WrongKind { expected: "a key share", found: "a presignature" },
            DecodeError::WrongCurve { expected: "P-256", found: "secp256k1" },
            DecodeError::BadIdentifier(0),
            DecodeError::BadIdentifier(9),
            DecodeError::BadOrder,
            DecodeError::BadParties { got: 129 },
            DecodeError::BadThreshold { threshold: 4, parties: 3 },
            DecodeError::BadPoint,
            DecodeError::BadScalar,
            DecodeError::HighS,
            DecodeError::BadRecoveryId(9),
            DecodeError::BadDer("(what was expected)"),
            DecodeError::BadFlag(7),
            DecodeError::BadPem("(what was expected)"),
            DecodeError::Numbers(NumberError::NotBlum),
            DecodeError::Inconsistent("(which)"),
            DecodeError::Damaged,
        ],
    );
    texts.put(
        HOME,
        [
            SignersError::TooFew { got: 1, need: 2 },
            SignersError::Unknown(party(7)),
            SignersError::NotASigner,
            SignersError::Inconsistent,
        ],
    );
    texts.put(
        HOME,
        [
            DeriveError::Hardened,
            DeriveError::BadPath,
            DeriveError::TooDeep,
            DeriveError::NoSuchChild(7),
            DeriveError::Identity,
        ],
    );
    texts.put(HOME, [InvalidSignature]);
    texts.put(
        HOME,
        [
            WholeKeyError::BadThreshold,
            WholeKeyError::TooManyParties,
            WholeKeyError::ZeroKey,
            WholeKeyError::Randomness,
            WholeKeyError::TooFew { got: 1, need: 2 },
            WholeKeyError::DuplicateParty(party(7)),
            WholeKeyError::Mixed,
            WholeKeyError::Inconsistent,
        ],
    );
}

fn of_ecdsas_signatures(texts: &mut Texts) {
    use ecdsa::{
        ClaimError, CombineError, DecodeError, InsertError, IntersectError, ListFault,
        ListMismatch, NotShown, PartialError, PartialFault, PartialMismatch,
    };
    const HOME: &str = "cggmp";
    let faults = [
        PartialFault::Malformed(DecodeError::Truncated),
        PartialFault::InAnothersName(party(7)),
        PartialFault::Equation,
    ];
    let mismatches = [
        PartialMismatch::OtherFormat(DecodeError::UnknownVersion { found: 2 }),
        PartialMismatch::OtherPresignature,
        PartialMismatch::OtherPoints,
        PartialMismatch::OtherMessage,
    ];
    texts.put(HOME, faults);
    texts.put(HOME, mismatches);
    texts.put(
        HOME,
        [
            PartialError::NotASigner,
            PartialError::Fault(faults[2]),
            PartialError::Mismatch(mismatches[3]),
        ],
    );
    texts.put(
        HOME,
        [
            CombineError::Missing(vec![party(7), party(9)]),
            CombineError::Unexpected(party(7)),
            CombineError::Cheaters(vec![(party(7), faults[2])]),
            CombineError::Mismatch(vec![(party(7), mismatches[3])]),
            CombineError::Inconsistent,
        ],
    );
    texts.put(
        HOME,
        [
            ClaimError::Unknown,
            ClaimError::OtherParty,
            ClaimError::OtherKey,
            ClaimError::OtherEpoch { made: 3, now: 4 },
            ClaimError::OtherShares,
            ClaimError::OtherReceipt,
        ],
    );
    texts.put(HOME, [InsertError::OtherParty(party(7)), InsertError::SecondOfItsName]);
    let lists = [ListFault::Malformed(DecodeError::BadOrder), ListFault::InAnothersName(party(7))];
    let others = [
        ListMismatch::OtherFormat(DecodeError::UnknownVersion { found: 2 }),
        ListMismatch::OtherSigners,
    ];
    texts.put(HOME, lists);
    texts.put(HOME, others);
    texts.put(
        HOME,
        [
            IntersectError::NotASigner,
            IntersectError::Missing(vec![party(7)]),
            IntersectError::Unexpected(party(7)),
            IntersectError::Duplicate(party(7)),
            IntersectError::Cheaters(vec![(party(7), lists[0])]),
            IntersectError::Mismatch(vec![(party(7), others[1])]),
        ],
    );
    texts.put(
        HOME,
        [
            NotShown::OtherRun,
            NotShown::TooLarge,
            NotShown::Incomplete,
            NotShown::InOrder,
            NotShown::Unclear,
        ],
    );
}

fn all() -> Texts {
    let mut texts = Texts::default();
    of_sessions(&mut texts);
    of_frosts_keys(&mut texts);
    of_frosts_signatures(&mut texts);
    of_ecdsas_keys(&mut texts);
    of_ecdsas_signatures(&mut texts);
    texts
}

#[test]
fn every_text_is_the_one_that_was_reviewed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/texts/errors.txt");
    let file = all().file();
    if std::env::var_os("QUORATE_WRITE_TEXTS").is_some() {
        fs::write(&path, &file).unwrap();
    }
    let reviewed = fs::read_to_string(&path).unwrap();
    for (reviewed, now) in reviewed.lines().zip(file.lines()) {
        assert_eq!(reviewed, now);
    }
    assert_eq!(reviewed.len(), file.len());
}

fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, into);
        } else {
            into.push(path);
        }
    }
}

/// The variants of the enums with these names, read from the source: four spaces and a capital.
fn variants(source: &str, errors: &BTreeSet<String>) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut within = None;
    for line in source.lines() {
        if let Some(rest) = line.strip_prefix("pub enum ") {
            let name = rest.split(['<', ' ']).next().unwrap().to_owned();
            within = errors.contains(&name).then_some(name);
        } else if line == "}" {
            within = None;
        } else if let (Some(name), Some(rest)) = (&within, line.strip_prefix("    "))
            && rest.starts_with(|first: char| first.is_ascii_uppercase())
        {
            let variant = rest.split(['(', ' ', ',', '{']).next().unwrap();
            found.push((name.clone(), variant.to_owned()));
        }
    }
    found
}

#[test]
fn no_variant_is_left_out() {
    let printed = all().names();
    let mut seen = 0;
    for home in ["session", "frost", "cggmp"] {
        let mut files = Vec::new();
        sources(
            &Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(home).join("src"),
            &mut files,
        );
        let files: Vec<_> = files.iter().map(|file| fs::read_to_string(file).unwrap()).collect();
        // Whatever is an error; and a check, which prints within one.
        let mut errors = BTreeSet::from(["Check".to_owned()]);
        for line in files.iter().flat_map(|file| file.lines()) {
            if let Some((_, rest)) = line.split_once("core::error::Error for ") {
                errors.insert(rest.split(['<', ' ']).next().unwrap().to_owned());
            }
        }
        for (name, variant) in files.iter().flat_map(|file| variants(file, &errors)) {
            seen += 1;
            let key = (home.to_owned(), name, variant);
            assert!(printed.contains(&key), "{key:?} is not in the list");
        }
    }
    assert!(seen > 150, "{seen}");
}
