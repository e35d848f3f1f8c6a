//! The vectors of version 0.3.0. `tests/chilldkg` says where they come from. Every test of every file is run; two kinds
//! cannot be said here, where randomness comes from a generator: they are counted as such.

use quorate_frost::CommitteeError;
use quorate_testkit::unhex;
use serde_json::Value;

use super::*;
use crate::chilldkg::outcome::Raw;
use crate::chilldkg::{Malformed, recover, recover_public};

fn bytes(value: &Value) -> Vec<u8> {
    unhex(value.as_str().unwrap())
}

fn array<const N: usize>(value: &Value) -> [u8; N] {
    bytes(value).try_into().unwrap()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn all(value: &Value) -> Vec<Vec<u8>> {
    list(value).iter().map(bytes).collect()
}

fn chosen(pool: &Value, places: &Value) -> Vec<Vec<u8>> {
    let place = |at: &Value| usize::try_from(at.as_u64().unwrap()).unwrap();
    list(places).iter().map(|at| bytes(&pool[place(at)])).collect()
}

/// The party of a draft's identifier.
fn of(id: &Value) -> PartyId {
    party(u16::try_from(id.as_u64().unwrap() + 1).unwrap())
}

/// *SessionParams*, with the draft's thresholds.
fn params(value: &Value) -> Result<Params, Error> {
    let keys = list(&value["hostpubkeys"]).iter().map(array).collect();
    Params::drafted(keys, threshold(value))
}

fn threshold(params: &Value) -> u16 {
    u16::try_from(params["t"].as_u64().unwrap()).unwrap()
}

/// Returns whether an error is of the kind that the draft raises.
fn is_kind(error: &Error, wanted: &Value) -> bool {
    let id = &wanted["participantId"];
    match wanted["type"].as_str().unwrap() {
        "ThresholdOrCountError" => {
            matches!(error, Error::Committee(CommitteeError::Threshold { .. }))
        }
        "InvalidHostPubkeyError" => *error == Error::BadHostPublicKey { of: of(id) },
        "DuplicateHostPubkeyError" => {
            let (first, second) = (of(&wanted["participantId1"]), of(&wanted["participantId2"]));
            *error == Error::DuplicateHostPublicKey { first, second }
        }
        "HostSeckeyError" => {
            matches!(error, Error::BadHostKey | Error::NotAParticipant | Error::OtherHostKey)
        }
        "RandomnessError" => *error == Error::Randomness,
        "RecoveryDataError" => {
            matches!(error, Error::BadRecoveryData | Error::UncertifiedRecoveryData { .. })
        }
        "ValueError" => matches!(
            error,
            Error::BadHostKey
                | Error::WrongCount { .. }
                | Error::BadMessage { why: Malformed::Length { .. }, .. }
                | Error::BadCoordinatorMessage(Malformed::Length { .. })
        ),
        "FaultyParticipantError" => error.suspect() == Some(Suspect::Participant(of(id))),
        "FaultyParticipantOrCoordinatorError" => {
            error.suspect() == Some(Suspect::ParticipantOrCoordinator(of(id)))
        }
        "FaultyCoordinatorError" => error.suspect() == Some(Suspect::Coordinator),
        other => panic!("{other}"),
    }
}

/// Returns whether an error and the draft's message have the same meaning.
fn says(error: &Error, message: &str) -> bool {
    match message {
        "Host secret key does not match any host public key"
        | "Host secret key does not match any host public key in the recovery data" => {
            *error == Error::NotAParticipant
        }
        "Host secret key does not match the one used in participant_step1" => {
            *error == Error::OtherHostKey
        }
        "Coordinator replied with wrong pubnonce"
        | "Coordinator sent unexpected first group element for local participant id" => {
            *error == Error::NotMine
        }
        "invalid public nonce" => matches!(error, Error::BadNonce { .. }),
        "Participant sent invalid commitment" => matches!(error, Error::NoCommitment { .. }),
        "Participant sent invalid proof-of-knowledge" => matches!(error, Error::WrongProof { .. }),
        "Participant sent invalid partial secshare" => matches!(error, Error::WrongShare { .. }),
        "Participant has provided an invalid signature for the certificate" => {
            matches!(error, Error::WrongSignature { .. })
        }
        "Coordinator has provided a certificate with an invalid signature" => {
            *error == Error::WrongCertificate
        }
        "Sum of partial pubshares not equal to pubshare" => *error == Error::PublicSharesDoNotAddUp,
        "Sum of encrypted partial secshares not equal to encrypted secshare" => {
            *error == Error::SharesDoNotAddUp
        }
        "Coordinator fiddled with the share from me to myself" => *error == Error::OwnShareAltered,
        "Failed to deserialize recovery data" | "Invalid session parameters in recovery data" => {
            *error == Error::BadRecoveryData
        }
        "Invalid certificate in recovery data" => {
            matches!(error, Error::UncertifiedRecoveryData { .. })
        }
        other => panic!("{other}"),
    }
}

/// A refusal is the one that the vector wants.
fn refused<T>(test: &Value, result: Result<T, Error>) {
    let (wanted, number) = (&test["expectedError"], &test["tcId"]);
    let Err(error) = result else { panic!("test {number} was not refused") };
    assert!(is_kind(&error, wanted), "test {number}: {wanted}, {error:?}");
    if let Some(message) = wanted["message"].as_str() {
        assert!(says(&error, message), "test {number}: {message}, {error:?}");
    }
}

/// Runs each test of each group of a file, and counts them.
fn each(text: &str, run: impl Fn(&Value, &Value, bool)) {
    let file: Value = serde_json::from_str(text).unwrap();
    let alone = [file.clone()];
    let groups = file["testGroups"].as_array().map_or(alone.as_slice(), Vec::as_slice);
    let mut count = 0;
    for group in groups {
        for (name, valid) in [("validTestCases", true), ("errorTestCases", false)] {
            for test in list(&group[name]) {
                run(group, test, valid);
                count += 1;
            }
        }
    }
    assert_eq!(file["totalTests"], count);
}

/// The draft's output.
fn same_output(raw: &Raw, expected: &Value) {
    let output = &expected["dkgOutput"];
    assert_eq!(raw.secret.map(Vec::from), output["secshare"].as_str().map(unhex));
    assert_eq!(raw.key.as_slice(), bytes(&output["threshPk"]));
    assert_eq!(raw.shares.concat(), all(&output["pubshares"]).concat());
}

/// Compares the public output in this crate's types, which have no thresholds of 1.
fn same_public(public: &PublicOutput, expected: &Value) {
    let output = &expected["dkgOutput"];
    assert_eq!(public.threshold_key().as_slice(), bytes(&output["threshPk"]));
    assert_eq!(public.public_shares().concat(), all(&output["pubshares"]).concat());
    assert_eq!(public.package().verifying_key().as_bytes()[1..], bytes(&output["threshPk"])[1..]);
}

/// A share, up to the sign of the key.
fn same_share(output: &Output, expected: &Value) {
    let secret = *output.share.secret_share().secret().expose();
    let odd = output.public.threshold_key()[0] == 3;
    let secret = Secp256k1::encode_scalar(&if odd { -secret } else { secret });
    assert_eq!(secret.as_slice(), bytes(&expected["dkgOutput"]["secshare"]));
}

#[test]
fn hostpubkey_gen() {
    each(include_str!("../../../tests/chilldkg/hostpubkey_gen_vectors.json"), |_, test, valid| {
        let host = HostKey::from_bytes(&bytes(&test["hostseckey"]));
        if !valid {
            return refused(test, host);
        }
        let host = host.unwrap();
        assert_eq!(host.public().as_slice(), bytes(&test["expectedHostpubkey"]));
        assert_eq!(host.to_bytes().as_slice(), bytes(&test["hostseckey"]));
    });
}

#[test]
fn params_hash() {
    each(include_str!("../../../tests/chilldkg/params_hash_vectors.json"), |_, test, valid| {
        let params = params(&test["params"]);
        if !valid {
            return refused(test, params);
        }
        assert_eq!(params.unwrap().digest().as_slice(), bytes(&test["expectedParamsHash"]));
    });
}

/// *participant_step1*
fn step1(test: &Value, params: &Params, host: &HostKey) -> Result<(Participant, Vec<u8>), Error> {
    Participant::start(host, params, &mut Fixed(array(&test["random"])))
}

#[test]
fn participant_step1() {
    each(
        include_str!("../../../tests/chilldkg/participant_step1_vectors.json"),
        |_, test, valid| {
            if bytes(&test["random"]).len() != 32 {
                // A generator gives as many bytes as it is asked for.
                return assert_eq!(test["comment"], "length of randomness is not 32 bytes");
            }
            let made = || {
                let host = HostKey::from_bytes(&bytes(&test["hostseckey"]))?;
                step1(test, &params(&test["params"])?, &host)
            };
            if valid {
                assert_eq!(made().unwrap().1, bytes(&test["expectedPmsg1"]));
            } else {
                refused(test, made());
            }
        },
    );
}

/// The first step of a group.
fn started(group: &Value) -> (HostKey, Participant) {
    let host = HostKey::from_bytes(&bytes(&group["hostseckey"])).unwrap();
    let params = params(&group["params"]).unwrap();
    let (participant, message) = step1(group, &params, &host).unwrap();
    assert_eq!(message, bytes(&group["pmsg1"]));
    assert_eq!(participant.id(), params.party_of(host.public()).unwrap());
    (host, participant)
}

/// *participant_step2*, whose generator gives the group's bytes.
fn step2(
    group: &Value,
    participant: Participant,
    host: &HostKey,
    message: &Value,
) -> Result<(Finalizing, [u8; 64]), Step2Error> {
    participant.step2(host, &bytes(message), &mut Fixed(array(&group["auxRand"])))
}

#[test]
fn participant_step2() {
    each(
        include_str!("../../../tests/chilldkg/participant_step2_vectors.json"),
        |group, test, valid| {
            if !test["auxRand"].is_null() {
                return assert_eq!(test["comment"], "length of aux randomness is not 32 bytes");
            }
            let (host, participant) = started(group);
            let other = test["hostseckey"].as_str().map(unhex);
            let other = other.map(|bytes| HostKey::from_bytes(&bytes).unwrap());
            let made = step2(group, participant, other.as_ref().unwrap_or(&host), &test["cmsg1"]);
            if valid {
                let (_, signature) = made.unwrap();
                return assert_eq!(signature.as_slice(), bytes(&test["expectedPmsg2"]));
            }
            let unknown = "UnknownFaultyParticipantOrCoordinatorError";
            match made {
                Err(Step2Error::WrongShare(_)) => {
                    assert_eq!(test["expectedError"]["type"], unknown, "test {}", test["tcId"]);
                }
                Err(Step2Error::Because(why)) => refused::<()>(test, Err(why)),
                Ok(_) => panic!("test {} was not refused", test["tcId"]),
            }
        },
    );
}

#[test]
fn participant_finalize() {
    each(
        include_str!("../../../tests/chilldkg/participant_finalize_vectors.json"),
        |group, test, valid| {
            let (host, participant) = started(group);
            let threshold = threshold(&group["params"]);
            let (state, signature) = step2(group, participant, &host, &group["cmsg1"]).unwrap();
            assert_eq!(signature.as_slice(), bytes(&group["pmsg2"]));
            let message = bytes(&test["cmsg2"]);
            let raw = state.raw(&message);
            let finalized = state.finalize(&message);
            if !valid {
                refused(test, finalized);
                return refused(test, raw);
            }
            let (raw, expected) = (raw.unwrap(), &test["expectedOutput"]);
            same_output(&raw, expected);
            assert_eq!(raw.data, bytes(&expected["recoveryData"]));
            if threshold == 1 {
                let wrong = CommitteeError::Threshold { threshold: 1, parties: raw.shares.len() };
                return assert_eq!(finalized.unwrap_err(), Error::Committee(wrong));
            }
            let output = finalized.unwrap();
            same_public(&output.public, expected);
            same_share(&output, expected);
            assert_eq!(output.public.recovery_data(), raw.data);
        },
    );
}

#[test]
fn participant_investigate() {
    each(
        include_str!("../../../tests/chilldkg/participant_investigate_vectors.json"),
        |group, test, _| {
            let (host, participant) = started(group);
            let at = usize::try_from(test["cmsg1Index"].as_u64().unwrap()).unwrap();
            let made = step2(group, participant, &host, &group["cmsg1Pool"][at]);
            let Err(Step2Error::WrongShare(investigation)) = made else {
                panic!("test {}", test["tcId"])
            };
            refused::<()>(test, Err(investigation.judge(&bytes(&test["cinvMsg"]))));
        },
    );
}

#[test]
fn coordinator_step1() {
    each(
        include_str!("../../../tests/chilldkg/coordinator_step1_vectors.json"),
        |group, test, valid| {
            let messages = chosen(&group["pmsg1Pool"], &test["pmsg1Indices"]);
            let made = params(&test["params"]).and_then(|of| Coordinator::start(&of, &messages));
            if valid {
                assert_eq!(made.unwrap().1, bytes(&test["expectedCmsg1"]));
            } else {
                refused(test, made);
            }
        },
    );
}

#[test]
fn coordinator_finalize() {
    each(
        include_str!("../../../tests/chilldkg/coordinator_finalize_vectors.json"),
        |group, test, valid| {
            let params = params(&group["params"]).unwrap();
            let messages = all(&group["pmsgs1"]);
            let (coordinator, sums) = Coordinator::start(&params, &messages).unwrap();
            assert_eq!(sums, bytes(&group["cmsg1"]));
            let signatures = chosen(&group["pmsg2Pool"], &test["pmsg2Indices"]);
            let raw = coordinator.raw(&signatures);
            let finalized = coordinator.finalize(&signatures);
            if !valid {
                refused(test, finalized);
                return refused(test, raw);
            }
            let ((certificate, raw), expected) = (raw.unwrap(), &test["expectedOutput"]);
            assert_eq!(certificate, bytes(&expected["cmsg2"]));
            assert_eq!(raw.data, bytes(&expected["recoveryData"]));
            same_output(&raw, expected);
            if params.threshold() > 1 {
                let (certificate, public) = finalized.unwrap();
                assert_eq!(certificate, bytes(&expected["cmsg2"]));
                assert_eq!(public.recovery_data(), bytes(&expected["recoveryData"]));
                same_public(&public, expected);
            }
        },
    );
}

#[test]
fn coordinator_investigate() {
    each(
        include_str!("../../../tests/chilldkg/coordinator_investigate_vectors.json"),
        |group, test, _| {
            let params = params(&group["params"]).unwrap();
            let made = Coordinator::investigate(&params, &all(&group["pmsgs1"])).unwrap();
            assert_eq!(made, all(&test["expectedCinvMsgs"]));
        },
    );
}

#[test]
fn recover_vectors() {
    each(include_str!("../../../tests/chilldkg/recover_vectors.json"), |_, test, valid| {
        let (data, expected) = (bytes(&test["recoveryData"]), &test["expectedOutput"]);
        let output = test["hostseckey"]
            .as_str()
            .map(|bytes| HostKey::from_bytes(&unhex(bytes)).and_then(|host| recover(&host, &data)));
        let public = match output {
            Some(Ok(output)) => {
                same_share(&output, expected);
                Ok(output.public)
            }
            Some(Err(why)) => Err(why),
            None => recover_public(&data),
        };
        if !valid {
            return refused(test, public);
        }
        let public = public.unwrap();
        same_public(&public, expected);
        assert_eq!(public.params(), &params(&expected["params"]).unwrap());
        assert_eq!(public.recovery_data(), data);
    });
}
