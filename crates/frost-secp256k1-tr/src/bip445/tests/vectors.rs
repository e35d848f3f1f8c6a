//! The vectors of BIP-445, version 0.6.0, whose coefficient b hashes no number of signers; all else is as it is today.
//! `tests/bip445` says where they come from.

use super::*;

/// The party that a vector blames.
fn blamed(error: &Value) -> Option<Culprit> {
    if error["type"] != "InvalidContributionError" {
        return None;
    }
    let signer = error["signer_index"].as_u64();
    Some(signer.map_or(Culprit::Coordinator, |at| Culprit::Signer(usize::try_from(at).unwrap())))
}

/// Returns whether the error has the meaning of a vector's message.
fn says(message: &str, error: &Error) -> bool {
    match error {
        Error::NotASigner => message.contains("id must be present"),
        Error::DuplicateId { .. } => message.contains("duplicate"),
        Error::OtherShare => message.contains("pubshare must be included"),
        Error::BadPublicShare { at } => message == format!("Invalid pubshare at index {at}."),
        Error::BadId { at } => {
            message == format!("The participant identifier at index {at} is out of range.")
        }
        Error::OtherKey => message.contains("key material is incorrect"),
        Error::ZeroNonce => message.contains("secnonce value is out of range"),
        Error::NumberOfSigners { .. } => message.contains("must be between t and n"),
        Error::ZeroShare => message.contains("secret share value is out of range"),
        Error::BadTweak => message.contains("tweak value is out of range"),
        Error::Infinity => message.contains("infinity"),
        Error::WrongCount { .. } => message.contains("same length"),
        _ => false,
    }
}

/// A refusal is the one that the vector wants.
fn refused<T>(test: &Value, result: Result<T, Error>) {
    let (wanted, number) = (&test["error"], &test["tc_id"]);
    let Err(error) = result else { panic!("test {number} was not refused") };
    assert_eq!(error.culprit(), blamed(wanted), "test {number}: {error}");
    if let Some(message) = wanted["message"].as_str() {
        assert!(says(message, &error), "test {number}: {message:?}, {error:?}");
    }
}

#[test]
fn nonce_gen() {
    let file = file(include_str!("../../../tests/bip445/nonce_gen_vectors.json"));
    for test in list(&file["valid_tests"]) {
        let given = |name: &str| test[name].as_str().map(unhex);
        let secret =
            given("secshare").map(|bytes| Secret::new(Secp256k1::decode_scalar(&bytes).unwrap()));
        let public = given("pubshare").map(|bytes| <[u8; 33]>::try_from(bytes).unwrap());
        let key = given("thresh_pk").map(|bytes| <[u8; 32]>::try_from(bytes).unwrap());
        let (message, extra) = (given("msg"), given("extra_in").unwrap_or_default());
        let mut inputs = NonceInputs::default().with_extra(&extra).unwrap();
        if let Some(key) = &key {
            inputs = inputs.with_key(key);
        }
        if let Some(message) = &message {
            inputs = inputs.with_message(message);
        }
        let share = secret.as_ref().zip(public.as_ref());
        assert_eq!(share.is_some(), secret.is_some() || public.is_some());
        let nonce = SecretNonce::draw(share, inputs, &mut Fixed(array(&test["rand_"])));
        let expected = &test["expected"];
        assert_eq!(nonce.public().as_slice(), bytes(&expected[1]));
        let secrets = bytes(&expected[0]);
        for (secret, wanted) in nonce.exposed().iter().zip(secrets.chunks(32)) {
            assert_eq!(Secp256k1::encode_scalar(secret), *wanted);
        }
    }
}

fn nonces(group: &Value, test: &Value) -> Vec<PublicNonce> {
    chosen(group, "pubnonces", test, "pubnonce_indices").into_iter().map(array).collect()
}

#[test]
fn nonce_agg() {
    let file = file(include_str!("../../../tests/bip445/nonce_agg_vectors.json"));
    for test in list(&file["valid_tests"]) {
        let sum = AggregateNonce::sum(&nonces(&file, test)).unwrap();
        assert_eq!(sum.as_bytes().as_slice(), bytes(&test["expected"]));
        assert!(AggregateNonce::from_bytes(sum.as_bytes()) == Ok(sum));
    }
    for test in list(&file["error_tests"]) {
        refused(test, AggregateNonce::sum(&nonces(&file, test)));
    }
}

/// The session of a test.
fn session(group: &Value, test: &Value, tweaks: &[Tweak]) -> Result<Session, Error> {
    let signers = signers(group, test)?;
    let sum = AggregateNonce::from_bytes(&array(&test["aggnonce"]))?;
    Session::with_prefix(&[], &signers, &sum, tweaks, &bytes(&test["msg"]))
}

/// *Sign*
fn sign(group: &Value, test: &Value, tweaks: &[Tweak]) -> Result<SignatureShare, Error> {
    let session = session(group, test, tweaks)?;
    session.sign_with(&share(group, test), id(&test["my_id"]), nonce(group, test))
}

/// *PartialSigVerify*
fn verify(
    group: &Value,
    test: &Value,
    tweaks: &[Tweak],
    psig: &SignatureShare,
    at: usize,
) -> Result<(), Error> {
    let (signers, nonces) = (signers(group, test)?, nonces(group, test));
    let sum = AggregateNonce::sum(&nonces)?;
    let session = Session::with_prefix(&[], &signers, &sum, tweaks, &bytes(&test["msg"]))?;
    session.verify_share(psig, &nonces, at)
}

/// A test that signs: the share is the expected one, and verifies only in its own place.
fn signs(group: &Value, test: &Value, tweaks: &[Tweak]) {
    let psig = sign(group, test, tweaks).unwrap();
    assert_eq!(psig.as_slice(), bytes(&test["expected"]), "test {}", test["tc_id"]);
    let me = list(&test["ids"]).iter().position(|one| one == &test["my_id"]).unwrap();
    verify(group, test, tweaks, &psig, me).unwrap();
    for other in (0..list(&test["ids"]).len()).filter(|at| *at != me) {
        let wrong = verify(group, test, tweaks, &psig, other);
        assert_eq!(wrong, Err(Error::WrongShare { at: other }), "test {}", test["tc_id"]);
    }
}

#[test]
fn sign_verify() {
    let file = file(include_str!("../../../tests/bip445/sign_verify_vectors.json"));
    for group in list(&file["test_groups"]) {
        for test in list(&group["valid_tests"]) {
            signs(group, test, &[]);
        }
        for test in list(&group["sign_error_tests"]) {
            refused(test, sign(group, test, &[]));
        }
        let at = |test: &Value| number(&test["signer_index"]);
        for test in list(&group["verify_fail_tests"]) {
            let error = verify(group, test, &[], &array(&test["psig"]), at(test)).unwrap_err();
            let at = at(test);
            assert!([Error::WrongShare { at }, Error::BadShare { at }].contains(&error), "{error}");
        }
        for test in list(&group["verify_error_tests"]) {
            refused(test, verify(group, test, &[], &array(&test["psig"]), at(test)));
        }
    }
}

#[test]
fn tweak() {
    let file = file(include_str!("../../../tests/bip445/tweak_vectors.json"));
    for group in list(&file["test_groups"]) {
        let of = |test: &Value| {
            tweaks(&chosen(group, "tweaks", test, "tweak_indices"), &test["is_xonly"])
        };
        for test in list(&group["valid_tests"]) {
            signs(group, test, &of(test));
        }
        for test in list(&group["error_tests"]) {
            // A tweak here is 32 bytes and a mode: two of the BIP's errors cannot be said.
            let scalars = chosen(group, "tweaks", test, "tweak_indices");
            let message = test["error"]["message"].as_str().unwrap();
            if scalars.len() != list(&test["is_xonly"]).len() {
                assert!(message.contains("same length"), "{message}");
            } else if scalars.iter().any(|scalar| bytes(scalar).len() != 32) {
                assert!(message.contains("32-byte array"), "{message}");
            } else {
                refused(test, sign(group, test, &of(test)));
            }
        }
    }
}

#[test]
fn det_sign() {
    let file = file(include_str!("../../../tests/bip445/det_sign_vectors.json"));
    for group in list(&file["test_groups"]) {
        let sign = |test: &Value| sign_alone(group, test, false);
        for test in list(&group["valid_tests"]) {
            let (public, psig) = sign(test).unwrap();
            let expected = &test["expected"];
            assert_eq!(public.as_slice(), bytes(&expected[0]), "test {}", test["tc_id"]);
            assert_eq!(psig.as_slice(), bytes(&expected[1]), "test {}", test["tc_id"]);
        }
        for test in list(&group["error_tests"]) {
            refused(test, sign(test));
        }
    }
}

#[test]
fn sig_agg() {
    let file = file(include_str!("../../../tests/bip445/sig_agg_vectors.json"));
    for group in list(&file["test_groups"]) {
        let aggregate = |test: &Value| {
            let tweaks = tweaks(&chosen(group, "tweaks", test, "tweak_indices"), &test["is_xonly"]);
            let psigs: Vec<_> = list(&test["psigs"]).iter().map(array).collect();
            session(group, test, &tweaks)?.aggregate(&psigs)
        };
        for test in list(&group["valid_tests"]) {
            let signature = aggregate(test).unwrap();
            assert_eq!(signature.as_slice(), bytes(&test["expected"]), "test {}", test["tc_id"]);
        }
        for test in list(&group["error_tests"]) {
            refused(test, aggregate(test));
        }
    }
}
