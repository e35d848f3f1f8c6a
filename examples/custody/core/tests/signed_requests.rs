//! Signatures of requests.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::too_many_lines,
    clippy::integer_division_remainder_used
)]

mod common;

use common::{NONCE, NOW, Secret, all_roles, caller, key, request, signed};
use custody_core::{
    Callers, Operation, Parameters, Reason, Refusal, RequestId, Role, SignedRequest,
};

fn target() -> String {
    format!("/v1/keys/{}/sign?wait=5", key())
}

const BODY: &str = r#"{"purpose":"YWJj"}"#;

fn sample(secret: &Secret) -> SignedRequest {
    request(secret, "POST", &target(), BODY)
}

fn reason(result: Result<impl Sized, Refusal>) -> Option<Reason> {
    result.err().map(|refusal| refusal.reason)
}

/// A request whose signature is right, over a base and headers of the test's own.
fn custom(
    secret: &Secret,
    method: &str,
    target: &str,
    input: &str,
    lines: &[(&str, &str)],
) -> SignedRequest {
    let mut request = request(secret, "POST", "/v1/keys", BODY);
    request.head.method = method.to_owned();
    request.head.target = target.to_owned();
    request.head.signature_input = format!("sig={input}");
    let digest = request.head.content_digest.clone();
    let mut base: String = lines
        .iter()
        .map(|(name, value)| format!("\"{name}\": {value}\n").replace("DIGEST", &digest))
        .collect();
    base.push_str(&format!("\"@signature-params\": {input}"));
    request.head.signature = base64_field("sig", &secret.sign(base.as_bytes()));
    request
}

fn base64_field(name: &str, bytes: &[u8]) -> String {
    use base64::Engine as _;
    format!("{name}=:{}:", base64::engine::general_purpose::STANDARD.encode(bytes))
}

fn parameters(secret: &Secret) -> String {
    format!(
        "created={NOW};expires={};nonce=\"{NONCE}\";keyid=\"{}\";tag=\"quorate-custody\"",
        NOW + 60,
        secret.id()
    )
}

#[test]
fn signed_request_verifies_under_both_algorithms() {
    for secret in [Secret::ed25519(1), Secret::p256(2)] {
        let verified = sample(&secret).verify(&all_roles(&secret), NOW).unwrap();
        assert_eq!(verified.id, RequestId::of(&secret.id(), NONCE));
        assert_eq!(
            (verified.caller.name.as_str(), verified.wait, verified.expires),
            ("all", 5, NOW + 60)
        );
        assert_eq!(verified.operation.key(), Some(key()));
        let Operation::Sign(_, sign) = verified.operation else { panic!() };
        assert_eq!(sign.purpose, b"abc");
    }
}

#[test]
fn encoded_request_verifies_after_decoding() {
    let secret = Secret::ed25519(1);
    let bytes = postcard::to_stdvec(&sample(&secret)).unwrap();
    let decoded: SignedRequest = postcard::from_bytes(&bytes).unwrap();
    assert_eq!(decoded, sample(&secret));
    assert!(decoded.verify(&all_roles(&secret), NOW).is_ok());
}

#[test]
fn altered_request_is_refused() {
    let secret = Secret::ed25519(1);
    let callers = all_roles(&secret);
    let alter = |change: fn(&mut SignedRequest)| {
        let mut request = sample(&secret);
        change(&mut request);
        reason(request.verify(&callers, NOW))
    };
    let bad = Some(Reason::BadSignature);
    assert_eq!(alter(|_| ()), None);
    assert_eq!(alter(|request| request.head.method = "GET".into()), bad);
    assert_eq!(alter(|request| request.head.target = request.head.target.replace("ab", "ac")), bad);
    assert_eq!(
        alter(|request| request.head.target = request.head.target.replace("wait=5", "wait=6")),
        bad
    );
    assert_eq!(
        alter(|request| request.head.target = request.head.target.replace("?wait=5", "")),
        bad
    );
    assert_eq!(alter(|request| request.body.push(b' ')), bad);
    assert_eq!(
        alter(|request| request.head.signature_input =
            request.head.signature_input.replace("cdef", "cdee")),
        bad
    );
    assert_eq!(
        alter(|request| request.head.content_digest = base64_field("sha-256", &[1; 32])),
        bad
    );
    assert_eq!(alter(|request| request.head.signature = base64_field("sig", &[1; 64])), bad);
    // A body that fits its digest, under the signature of another.
    assert_eq!(
        alter(|request| {
            request.body = b"{}".to_vec();
            request.head.content_digest =
                "sha-256=:RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=:".into();
        }),
        bad
    );
}

#[test]
fn order_of_components_and_parameters_and_alg_are_the_callers_choice() {
    for (secret, algorithm) in
        [(Secret::ed25519(1), "ed25519"), (Secret::p256(2), "ecdsa-p256-sha256")]
    {
        let input = format!(
            "(\"content-digest\" \"@path\" \"@query\" \"@method\");tag=\"quorate-custody\";keyid=\"{}\";alg=\"{algorithm}\";\
             nonce=\"{NONCE}\";expires={};created={NOW}",
            secret.id(),
            NOW + 60
        );
        let path = format!("/v1/keys/{}/sign", key());
        let lines = [
            ("content-digest", "DIGEST"),
            ("@path", &path),
            ("@query", "?wait=5"),
            ("@method", "POST"),
        ];
        let request = custom(&secret, "POST", &target(), &input, &lines);
        assert_eq!(reason(request.verify(&all_roles(&secret), NOW)), None);
        let other = input.replace(algorithm, "rsa-pss-sha512");
        let request = custom(&secret, "POST", &target(), &other, &lines);
        assert_eq!(reason(request.verify(&all_roles(&secret), NOW)), Some(Reason::BadSignature));
    }
}

#[test]
fn signature_that_covers_less_or_more_is_refused() {
    let secret = Secret::ed25519(1);
    let path = format!("/v1/keys/{}/sign", key());
    let all = [
        ("@method", "POST"),
        ("@path", &path),
        ("@query", "?wait=5"),
        ("content-digest", "DIGEST"),
    ];
    let check = |target: &str, lines: &[(&str, &str)]| {
        let names: Vec<_> = lines.iter().map(|(name, _)| format!("\"{name}\"")).collect();
        let input = format!("({});{}", names.join(" "), parameters(&secret));
        reason(custom(&secret, "POST", target, &input, lines).verify(&all_roles(&secret), NOW))
    };
    assert_eq!(check(&target(), &all), None);
    for left_out in 0..all.len() {
        let mut lines = all.to_vec();
        lines.remove(left_out);
        assert_eq!(check(&target(), &lines), Some(Reason::BadSignature), "{}", all[left_out].0);
    }
    assert_eq!(check(&path, &all), Some(Reason::BadSignature), "a query that is not there");
    // RFC 9421, section 2.2.7: `?` is the query of a target without one.
    let none =
        [("@method", "POST"), ("@path", &path), ("@query", "?"), ("content-digest", "DIGEST")];
    assert_eq!(check(&path, &none), Some(Reason::BadSignature));
    assert_eq!(check(&target(), &[]), Some(Reason::Malformed));
    for extra in [("@authority", "a"), ("content-type", "application/json"), ("@method", "POST")] {
        let mut lines = all.to_vec();
        lines.push(extra);
        assert_eq!(check(&target(), &lines), Some(Reason::Malformed), "{}", extra.0);
    }
}

#[test]
fn signature_without_a_parameter_or_with_an_unknown_one_is_refused() {
    let secret = Secret::ed25519(1);
    let lines = [("@method", "POST"), ("@path", "/v1/keys"), ("content-digest", "DIGEST")];
    let check = |parameters: &str| {
        let input = format!("(\"@method\" \"@path\" \"content-digest\"){parameters}");
        reason(
            custom(&secret, "POST", "/v1/keys", &input, &lines)
                .head
                .verify(&all_roles(&secret), NOW),
        )
    };
    let all = parameters(&secret);
    assert_eq!(check(&format!(";{all}")), None);
    let names: Vec<_> = all.split(';').collect();
    for name in &names {
        let without: Vec<_> = names.iter().filter(|other| other != &name).copied().collect();
        assert_eq!(check(&format!(";{}", without.join(";"))), Some(Reason::Malformed), "{name}");
        assert_eq!(check(&format!(";{all};{name}")), Some(Reason::Malformed), "{name} twice");
    }
    assert_eq!(check(""), Some(Reason::Malformed));
    assert_eq!(check(&format!(";{all};more=1")), Some(Reason::Malformed));
    assert_eq!(
        check(&format!(";{}", all.replace("quorate-custody", "other"))),
        Some(Reason::Malformed)
    );
    assert_eq!(check(&format!(";{}", all.replace(NONCE, "short"))), Some(Reason::Malformed));
    assert_eq!(
        check(&format!(";{}", all.replace(NONCE, &"a".repeat(129)))),
        Some(Reason::Malformed)
    );
}

/// Some parsers of structured fields take these for the same, and some for something else.
#[test]
fn second_spelling_of_a_header_is_refused() {
    let secret = Secret::ed25519(1);
    let callers = all_roles(&secret);
    let check = |field: fn(&mut SignedRequest) -> &mut String, from: &str, to: &str| {
        let mut request = sample(&secret);
        let value = field(&mut request);
        assert!(value.contains(from), "{value} has no {from}");
        *value = value.replacen(from, to, 1);
        let refused = reason(request.verify(&callers, NOW));
        assert!(matches!(refused, Some(Reason::Malformed)), "{from} → {to}: {refused:?}");
    };
    let input: fn(&mut SignedRequest) -> &mut String = |request| &mut request.head.signature_input;
    let spellings = [
        ("sig=(", " sig=("),
        ("sig=(", "sig= ("),
        ("sig=(", "sig=( "),
        ("sig=(", "Sig=("),
        ("sig=(", "=("),
        ("\" \"@path", "\"  \"@path"),
        ("\" \"@path", "\"\t\"@path"),
        ("\"@path\"", "\"@path\";sf"),
        ("\"@path\"", "\"@Path\""),
        ("\"@path\"", "@path"),
        ("\"@path\"", "\"@path\";req"),
        (");created", ") ;created"),
        (");created", "); created"),
        ("created=1", "created=01"),
        ("created=1", "created=+1"),
        ("created=1", "created=-1"),
        (";expires", ".0;expires"),
        ("keyid=\"", "keyid=\"\\\""),
        ("keyid=\"", "keyid="),
        ("tag=\"quorate-custody\"", "tag=quorate-custody"),
        ("tag=\"quorate-custody\"", "tag=\"quorate-custody\" "),
        ("tag=\"quorate-custody\"", "tag=\"quorate-custody\";"),
        ("tag=\"quorate-custody\"", "tag=\"quorate-custody\", other=()"),
        ("tag=\"quorate-custody\"", "tag=\"quorate\\-custody\""),
        ("tag=\"quorate-custody\"", "tag=\"quorate-custody\";tag=\"quorate-custody\""),
        ("created", "Created"),
    ];
    for (from, to) in spellings {
        check(input, from, to);
    }
    let digest: fn(&mut SignedRequest) -> &mut String = |request| &mut request.head.content_digest;
    let signature: fn(&mut SignedRequest) -> &mut String = |request| &mut request.head.signature;
    for field in [digest, signature] {
        for (from, to) in [("=:", "= :"), ("=:", "=: "), ("=:", "=:="), ("=:", "="), ("=:", "=:A")]
        {
            check(field, from, to);
        }
        for end in [";a", " ", ",", ", a=:AA==:", "\n"] {
            let mut request = sample(&secret);
            field(&mut request).push_str(end);
            assert_eq!(reason(request.verify(&callers, NOW)), Some(Reason::Malformed), "{end:?}");
        }
    }
    for label in ["Sig", " sig", "9sig", "si g", "sig;a"] {
        let mut request = sample(&secret);
        for header in [&mut request.head.signature_input, &mut request.head.signature] {
            *header = header.replacen("sig", label, 1);
        }
        assert_eq!(reason(request.verify(&callers, NOW)), Some(Reason::Malformed), "{label}");
    }
    check(digest, "sha-256", "SHA-256");
    check(digest, "sha-256", "sha-512");
    check(signature, "sig", "other");
    // Without padding, and with bits in the last digit that decode to nothing.
    check(digest, "=:", ":");
    let mut request = sample(&secret);
    let at = request.head.signature.len() - 4;
    let digit = request.head.signature.as_bytes()[at];
    request.head.signature.replace_range(at..=at, char::from(digit + 1).encode_utf8(&mut [0; 4]));
    assert_eq!(reason(request.verify(&callers, NOW)), Some(Reason::Malformed));
}

#[test]
fn request_outside_its_time_is_refused() {
    let secret = Secret::ed25519(1);
    let (callers, id) = (all_roles(&secret), secret.id());
    let check = |method: &str, target: &str, body: &str, created: u64, expires: u64| {
        let parameters = Parameters { key_id: &id, nonce: NONCE, cluster: None, created, expires };
        reason(
            signed(&secret, method, target, body, &parameters)
                .and_then(|request| request.verify(&callers, NOW)),
        )
    };
    let post = |created, expires| check("POST", &target(), BODY, created, expires);
    assert_eq!(post(NOW, NOW + 1), None);
    assert_eq!(post(NOW + 60, NOW + 61), None);
    assert_eq!(post(NOW + 61, NOW + 62), Some(Reason::NotYet));
    assert_eq!(post(NOW - 60, NOW), Some(Reason::Expired));
    assert_eq!(post(NOW + 2, NOW + 2), Some(Reason::Expired));
    let week = 7 * 24 * 3600;
    assert_eq!(post(NOW, NOW + week), None);
    assert_eq!(post(NOW, NOW + week + 1), Some(Reason::Limit));
    assert_eq!(post(0, NOW + 1), Some(Reason::Limit));
    assert_eq!(check("GET", "/v1/keys", "", NOW, NOW + 300), None);
    assert_eq!(check("GET", "/v1/keys", "", NOW, NOW + 301), Some(Reason::Limit));
}

#[test]
fn request_for_another_cluster_is_refused() {
    let secret = Secret::ed25519(1);
    let id = secret.id();
    let request = |cluster| {
        let parameters =
            Parameters { key_id: &id, nonce: NONCE, cluster, created: NOW, expires: NOW + 60 };
        signed(&secret, "POST", &target(), BODY, &parameters).unwrap()
    };
    let of = |name: &str| all_roles(&secret).of_cluster(name);
    assert_eq!(reason(request(Some("acme")).verify(&of("acme"), NOW)), None);
    let bad = Some(Reason::BadSignature);
    for (cluster, callers) in [
        (Some("acme"), of("acme-test")),
        (Some("acme-test"), of("acme")),
        (None, of("acme")),
        (Some("acme"), all_roles(&secret)),
    ] {
        assert_eq!(reason(request(cluster).verify(&callers, NOW)), bad, "{cluster:?}");
    }
    // The name is under the signature.
    let mut altered = request(Some("acme"));
    altered.head.signature_input = altered.head.signature_input.replace("acme", "other");
    assert_eq!(reason(altered.verify(&of("other"), NOW)), bad);
    for tag in ["quorate-custodyacme", "quorate:acme", "acme"] {
        let mut altered = request(Some("acme"));
        let input = &mut altered.head.signature_input;
        *input = input.replace("quorate-custody:acme", tag);
        assert_eq!(reason(altered.verify(&of("acme"), NOW)), Some(Reason::Malformed), "{tag}");
    }
}

#[test]
fn strangers_are_refused_before_their_body_is_read() {
    let (known, stranger) = (Secret::ed25519(1), Secret::ed25519(2));
    let request = sample(&stranger);
    assert_eq!(reason(request.head.verify(&all_roles(&known), NOW)), Some(Reason::UnknownCaller));
    // The stranger names the key of the other.
    let mut request = sample(&stranger);
    request.head.signature_input =
        request.head.signature_input.replace(&stranger.id(), &known.id());
    assert_eq!(reason(request.head.verify(&all_roles(&known), NOW)), Some(Reason::BadSignature));
}

#[test]
fn both_keys_are_valid_during_a_rotation_and_one_after_it() {
    let (old, new) = (Secret::ed25519(1), Secret::p256(2));
    let callers =
        |keys: &[&Secret]| Callers::new(vec![caller("one", &[Role::Request], keys)]).unwrap();
    let both = callers(&[&old, &new]);
    for secret in [&old, &new] {
        assert_eq!(sample(secret).verify(&both, NOW).unwrap().caller.name, "one");
    }
    let after = callers(&[&new]);
    assert_eq!(reason(sample(&old).verify(&after, NOW)), Some(Reason::UnknownCaller));
    assert_eq!(reason(sample(&new).verify(&after, NOW)), None);
}

#[test]
fn second_request_with_a_nonce_is_a_conflict_and_a_repeated_one_is_not() {
    let secret = Secret::p256(1);
    let callers = all_roles(&secret);
    let first = sample(&secret).verify(&callers, NOW).unwrap();
    assert_eq!(sample(&secret).verify(&callers, NOW).unwrap().check_same(first.digest), Ok(()));
    let other =
        request(&secret, "POST", &target(), r#"{"purpose":"YWJk"}"#).verify(&callers, NOW).unwrap();
    assert_eq!(other.id, first.id);
    assert_eq!(reason(other.check_same(first.digest)), Some(Reason::RequestConflict));
    // (r, n − s) is the other signature of the same bytes, and the same request.
    let mut mirrored = sample(&secret);
    let signature = {
        use base64::Engine as _;
        let base64 = mirrored.head.signature.trim_start_matches("sig=:").trim_end_matches(':');
        base64::engine::general_purpose::STANDARD.decode(base64).unwrap()
    };
    let signature = p256::ecdsa::Signature::from_slice(&signature).unwrap();
    let minus_s = -*signature.s().as_ref();
    let signature =
        p256::ecdsa::Signature::from_scalars(signature.r().to_bytes(), minus_s.to_bytes());
    mirrored.head.signature = base64_field("sig", &signature.unwrap().to_bytes());
    let mirrored = mirrored.verify(&callers, NOW).unwrap();
    assert_eq!((mirrored.id, mirrored.digest), (first.id, first.digest));
}

#[test]
fn values_beyond_their_limits_are_refused() {
    let secret = Secret::ed25519(1);
    let callers = all_roles(&secret);
    let fields: [fn(&mut SignedRequest) -> &mut String; 5] = [
        |request| &mut request.head.method,
        |request| &mut request.head.target,
        |request| &mut request.head.content_digest,
        |request| &mut request.head.signature_input,
        |request| &mut request.head.signature,
    ];
    for field in fields {
        let mut request = sample(&secret);
        *field(&mut request) = "a".repeat(1025);
        assert_eq!(reason(request.verify(&callers, NOW)), Some(Reason::Limit));
    }
    let long = format!("{BODY}{}", " ".repeat(SignedRequest::MAX_BODY));
    assert_eq!(
        reason(request(&secret, "POST", &target(), &long).verify(&callers, NOW)),
        Some(Reason::Limit)
    );
}

/// Every header that is accepted here is what a parser of RFC 9651 reads and writes again.
#[test]
fn random_headers_do_not_panic_and_accepted_ones_are_canonical() {
    use sfv::{Dictionary, FieldType as _, Parser};
    let secret = Secret::ed25519(1);
    let callers = all_roles(&secret);
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).unwrap()
    };
    let alphabet = "sig=():;,\"@methodpat?/\\ 0123 \t\n\u{e4}-.%&AZ*";
    let alphabet: Vec<char> = alphabet.chars().collect();
    let mut reached = 0;
    for _ in 0..20_000 {
        let mut request = sample(&secret);
        let head = &mut request.head;
        let fields = [
            &mut head.target,
            &mut head.content_digest,
            &mut head.signature_input,
            &mut head.signature,
        ];
        let field = fields.into_iter().nth(random(4)).unwrap();
        let mut characters: Vec<char> = field.chars().collect();
        for _ in 0..=random(3) {
            let at = random(characters.len());
            match random(3) {
                0 => characters[at] = alphabet[random(alphabet.len())],
                1 => characters.insert(at, alphabet[random(alphabet.len())]),
                _ => drop(characters.remove(at)),
            }
        }
        *field = characters.into_iter().collect();
        let refused = reason(request.verify(&callers, NOW));
        if refused != Some(Reason::Malformed) {
            reached += 1;
            for header in [
                &request.head.content_digest,
                &request.head.signature_input,
                &request.head.signature,
            ] {
                let parsed = Parser::new(header).parse::<Dictionary>().unwrap();
                assert_eq!(parsed.serialize().as_ref(), Some(header));
            }
        }
        assert!(refused.is_some() || request == sample(&secret), "{:?}", request.head);
    }
    assert!(reached > 1000, "{reached}");
}

/// Another implementation of RFC 9421 signs, and verifies what is signed here.
#[test]
fn httpsig_signs_and_verifies_the_same() {
    use httpsig::prelude::message_component::{HttpMessageComponent, HttpMessageComponentId};
    use httpsig::prelude::{
        AlgorithmName, HttpSignatureBase, HttpSignatureHeaders, HttpSignatureParams, PublicKey,
        SecretKey,
    };

    let cases = [
        (Secret::ed25519(1), AlgorithmName::Ed25519, [1; 32]),
        (Secret::p256(2), AlgorithmName::EcdsaP256Sha256, [2; 32]),
    ];
    for (secret, algorithm, seed) in cases {
        let ours = sample(&secret);
        let path = format!("/v1/keys/{}/sign", key());
        let lines = [
            "\"@method\": POST".to_owned(),
            format!("\"@path\": {path}"),
            "\"@query\": ?wait=5".to_owned(),
            format!("\"content-digest\": {}", ours.head.content_digest),
        ];
        let lines = lines.map(|line| HttpMessageComponent::try_from(line.as_str()).unwrap());
        let names = ["@method", "@path", "@query", "content-digest"];
        let names = names.map(|name| HttpMessageComponentId::try_from(name).unwrap());
        let mut parameters = HttpSignatureParams::try_new(&names).unwrap();
        parameters.set_created(NOW).set_expires(NOW + 60).set_nonce(NONCE);
        parameters.set_keyid(&secret.id()).set_tag("quorate-custody");

        let base = HttpSignatureBase::try_new(&lines, &parameters).unwrap();
        let their_key = SecretKey::from_bytes(&algorithm, &seed).unwrap();
        let headers = base.build_signature_headers(&their_key, Some("theirs")).unwrap();
        let mut theirs = ours.clone();
        theirs.head.signature = headers.signature_header_value();
        theirs.head.signature_input = headers.signature_input_header_value();
        assert_eq!(reason(theirs.verify(&all_roles(&secret), NOW)), None, "{algorithm}");

        let headers =
            HttpSignatureHeaders::try_parse(&ours.head.signature, &ours.head.signature_input)
                .unwrap();
        let base = HttpSignatureBase::try_new(&lines, headers["sig"].signature_params()).unwrap();
        let public = PublicKey::from_pem(&algorithm, &secret.pem()).unwrap();
        base.verify_signature_headers(&public, &headers["sig"]).unwrap();
    }
}
