//! The operations that callers ask for.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]

mod common;

use base64::Engine as _;
use common::{NOW, Secret, caller, hex, key, read, request, verified};
use custody_core::{
    Approve, Callers, Child, MerkleRoot, Operation, Page, Read, Reason, Replenish, RequestDigest,
    RequestId, Reshare, Role, ScheduleDeletion, Scheme, Sign,
};
use quorate::PartyId;

fn party(number: u16) -> PartyId {
    PartyId::new(number).unwrap()
}

#[test]
fn operations_are_read() {
    let keys = format!("/v1/keys/{}", key());
    let request = RequestId::new([9; 32]);
    let requests = format!("/v1/requests/{request}");
    let sign = Sign {
        purpose: b"abc".to_vec(),
        path: "m/0/5".parse().unwrap(),
        merkle_root: Some(MerkleRoot([7; 32])),
        on_behalf: Some("ann".into()),
        context: b"releases".to_vec(),
    };
    let reshare = Reshare { threshold: 2, members: vec![party(1), party(3)] };
    let approve = Approve { digest: RequestDigest::new([8; 32]) };
    let approve_body = format!(r#"{{"digest":"{}"}}"#, hex(8));
    let cases = [
        (
            "sign",
            r#"{"purpose":"YWJj","path":"m/0/5","merkle_root":"BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=","on_behalf":"ann","context":"cmVsZWFzZXM="}"#,
            Operation::Sign(key(), sign),
        ),
        ("refresh", "", Operation::Refresh(key())),
        ("reshare", r#"{"threshold":2,"members":[1,3]}"#, Operation::Reshare(key(), reshare)),
        ("disable", "", Operation::Disable(key())),
        ("enable", "", Operation::Enable(key())),
        (
            "schedule-deletion",
            r#"{"at":5}"#,
            Operation::ScheduleDeletion(key(), ScheduleDeletion { at: 5 }),
        ),
        ("cancel-deletion", "", Operation::CancelDeletion(key())),
        ("replenish", r#"{"count":6}"#, Operation::Replenish(key(), Replenish { count: 6 })),
    ];
    for (action, body, operation) in cases {
        assert_eq!(read("POST", &format!("{keys}/{action}"), body).as_ref(), Ok(&operation));
        assert_eq!((operation.name(), operation.key()), (action, Some(key())));
        assert!(!operation.is_read());
    }
    let root = Sign {
        purpose: vec![],
        path: "m".parse().unwrap(),
        merkle_root: None,
        on_behalf: None,
        context: vec![],
    };
    assert_eq!(
        read("POST", &format!("{keys}/sign"), r#"{"purpose":""}"#),
        Ok(Operation::Sign(key(), root))
    );
    assert_eq!(
        read("POST", &format!("{requests}/approve"), &approve_body),
        Ok(Operation::Approve(request, approve))
    );
    assert_eq!(
        read("POST", &format!("{requests}/cancel?wait=60"), ""),
        Ok(Operation::Cancel(request))
    );
    let spec = r#"{"scheme":"ed25519","threshold":2,"members":[1,2,3],"labels":{"team":"a"}}"#;
    let Operation::CreateKey(spec) = read("POST", "/v1/keys", spec).unwrap() else { panic!() };
    assert_eq!((spec.scheme, spec.threshold, spec.members.len()), (Scheme::Ed25519, 2, 3));
}

#[test]
fn body_without_scripts_is_written_as_before_there_were_any() {
    let body = r#"{"purpose":"YWJj","path":"m/0/5"}"#;
    let target = format!("/v1/keys/{}/sign", key());
    let Operation::Sign(_, sign) = read("POST", &target, body).unwrap() else { panic!() };
    assert_eq!((sign.merkle_root, serde_json::to_string(&sign).unwrap().as_str()), (None, body));
    let with = Sign { merkle_root: Some(MerkleRoot([7; 32])), ..sign };
    let body = serde_json::to_string(&with).unwrap();
    assert_eq!(read("POST", &target, &body), Ok(Operation::Sign(key(), with)));
}

#[test]
fn reads_are_read() {
    let get = |target: &str| match read("GET", target, "").unwrap() {
        Operation::Read(read) => read,
        other => panic!("{other:?}"),
    };
    let all = Page { after: None, limit: 100 };
    assert_eq!(get("/v1/keys"), Read::Keys(all));
    assert_eq!(
        get(&format!("/v1/keys?limit=5&after={}", key())),
        Read::Keys(Page { after: Some(key()), limit: 5 })
    );
    assert_eq!(get(&format!("/v1/keys/{}", key())), Read::Key(key(), None));
    for path in ["m/0/5", "m%2F0%2f5"] {
        assert_eq!(
            get(&format!("/v1/keys/{}?path={path}", key())),
            Read::Key(key(), Some(Child { path: "m/0/5".parse().unwrap(), merkle_root: None }))
        );
    }
    let merkle_root = Some(MerkleRoot([8; 32]));
    for (query, path) in [("", "m"), ("path=m/0/5&", "m/0/5")] {
        assert_eq!(
            get(&format!("/v1/keys/{}?{query}merkle_root={}", key(), hex(8))),
            Read::Key(key(), Some(Child { path: path.parse().unwrap(), merkle_root }))
        );
    }
    assert_eq!(get("/v1/requests"), Read::Requests(Page { after: None, limit: 100 }));
    let request = RequestId::new([9; 32]);
    assert_eq!(get(&format!("/v1/requests/{request}?wait=30")), Read::Request(request));
    assert_eq!(
        get("/v1/audit/2?after=7"),
        Read::Audit(party(2), Page { after: Some(7), limit: 100 })
    );
}

#[test]
fn wait_is_read() {
    let wait = |target: &str| verified("POST", target, "").map(|verified| verified.wait);
    let target = format!("/v1/keys/{}/refresh", key());
    assert_eq!(wait(&target), Ok(0));
    assert_eq!(wait(&format!("{target}?wait=60")), Ok(60));
    for bad in ["61", "-1", "05", "+5", "", "1.5", "99999999999999999999"] {
        let refusal = wait(&format!("{target}?wait={bad}"));
        assert_eq!(refusal.unwrap_err().reason, Reason::Malformed, "{bad}");
    }
}

#[test]
fn other_targets_are_refused() {
    let id = key();
    let cases = [
        ("POST", "/v1/keys/".to_owned()),
        ("POST", format!("/v1/keys/{id}")),
        ("POST", format!("/v1/keys/{id}/")),
        ("POST", format!("/v1/keys/{id}/explode")),
        ("POST", format!("/v1/keys/{}/refresh", id.to_string().to_uppercase())),
        ("POST", format!("/v1/keys/{}/refresh", &id.to_string()[1..])),
        ("POST", format!("/v1/keys/{id}/refresh?")),
        ("POST", format!("/v1/keys/{id}/refresh?wait=1&wait=1")),
        ("POST", format!("/v1/keys/{id}/refresh?path=m")),
        ("POST", format!("/v1/keys/{id}/refresh?wait=1#x")),
        ("POST", format!("/v1/keys/{id}/../{id}/refresh")),
        ("POST", format!("/v1/keys/./{id}/refresh")),
        ("POST", format!("//v1/keys/{id}/refresh")),
        ("POST", format!("/v1//keys/{id}/refresh")),
        ("POST", format!("/v1/keys/{id}/%72efresh")),
        ("POST", format!("/v1/keys/{id}/refresh%2F")),
        ("POST", format!("/V1/keys/{id}/refresh")),
        ("POST", format!("http://a/v1/keys/{id}/refresh")),
        ("POST", format!("/v1/keys/{id}/refresh\nx")),
        ("GET", format!("/v1/keys/{id}/refresh")),
        ("GET", format!("/v1/keys/{id}?path=0/5")),
        ("GET", format!("/v1/keys/{id}?wait=1")),
        ("GET", format!("/v1/requests/{id}?path=m")),
        ("GET", format!("/v1/keys/{id}?path=m/00")),
        ("GET", format!("/v1/keys/{id}?path=m/2147483648")),
        ("GET", format!("/v1/keys/{id}?path=m/0'")),
        ("GET", format!("/v1/keys/{id}?path=m%252F0")),
        ("GET", format!("/v1/keys/{id}?merkle_root=")),
        ("GET", format!("/v1/keys/{id}?merkle_root={}", &hex(8)[2..])),
        ("GET", format!("/v1/keys/{id}?merkle_root={}", hex(0xab).to_uppercase())),
        ("GET", format!("/v1/keys/{id}?merkle_root=0x{}", hex(8))),
        ("GET", format!("/v1/keys/{id}?merkleroot={}", hex(8))),
        ("GET", format!("/v1/keys/{id}?merkle_root={0}&merkle_root={0}", hex(8))),
        ("POST", format!("/v1/keys/{id}/refresh?merkle_root={}", hex(8))),
        ("GET", "/v1/keys?limit=0".to_owned()),
        ("GET", "/v1/keys?limit=1001".to_owned()),
        ("GET", "/v1/keys?after=1".to_owned()),
        ("GET", "/v1/keys?wait=1".to_owned()),
        ("GET", "/v1/audit/0".to_owned()),
        ("GET", "/v1/audit/01".to_owned()),
        ("GET", "/v1/audit/65536".to_owned()),
        ("GET", "/".to_owned()),
        ("GET", String::new()),
        ("DELETE", format!("/v1/keys/{id}")),
        ("post", format!("/v1/keys/{id}/refresh")),
    ];
    for (method, target) in cases {
        assert_eq!(
            read(method, &target, "").unwrap_err().reason,
            Reason::Malformed,
            "{method} {target}"
        );
    }
}

#[test]
fn other_bodies_are_refused() {
    let sign = format!("/v1/keys/{}/sign", key());
    let bodies = [
        "",
        "[]",
        "{}",
        r#"{"purpose":1}"#,
        r#"{"purpose":"YWJj","more":1}"#,
        r#"{"purpose":"YWJj","purpose":"YWJj"}"#,
        r#"{"purpose":"YWJj"}x"#,
        r#"{"purpose":"YWJ"}"#,
        r#"{"purpose":"YWJk="}"#,
        r#"{"purpose":"YWI"}"#,
        r#"{"purpose":"YWJ="}"#,
        r#"{"purpose":"YW Jj"}"#,
        r#"{"purpose":"YWJj","path":"m/"}"#,
        r#"{"purpose":"YWJj","path":""}"#,
        r#"{"purpose":"YWJj","merkle_root":""}"#,
        r#"{"purpose":"YWJj","merkle_root":"BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBw=="}"#,
        r#"{"purpose":"YWJj","merkle_root":"BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH"}"#,
        r#"{"purpose":"YWJj","merkle_root":"0707070707070707070707070707070707070707070707070707070707070707"}"#,
    ];
    for body in bodies {
        assert_eq!(read("POST", &sign, body).unwrap_err().reason, Reason::Malformed, "{body}");
    }
    let long = format!(r#"{{"purpose":"","on_behalf":"{}"}}"#, "a".repeat(257));
    assert_eq!(read("POST", &sign, &long).unwrap_err().reason, Reason::Limit);
    assert_eq!(
        read("POST", &sign, r#"{"purpose":"","on_behalf":"a\nb"}"#).unwrap_err().reason,
        Reason::Limit
    );
    let long = base64::engine::general_purpose::STANDARD.encode([0; 256]);
    let long = format!(r#"{{"purpose":"","context":"{long}"}}"#);
    assert_eq!(read("POST", &sign, &long).unwrap_err().reason, Reason::Limit);
    for reshare in [
        r#"{"threshold":1,"members":[1,2]}"#,
        r#"{"threshold":3,"members":[1,2]}"#,
        r#"{"threshold":2,"members":[2,1]}"#,
    ] {
        let target = format!("/v1/keys/{}/reshare", key());
        assert_eq!(read("POST", &target, reshare).unwrap_err().reason, Reason::Limit, "{reshare}");
    }
    let deep = "[".repeat(100_000);
    assert_eq!(read("POST", &sign, &deep).unwrap_err().reason, Reason::Malformed);
    let refresh = format!("/v1/keys/{}/refresh", key());
    assert_eq!(read("POST", &refresh, "{}").unwrap_err().reason, Reason::Malformed);
    assert_eq!(read("GET", "/v1/keys", "{}").unwrap_err().reason, Reason::Malformed);
    let labels = r#"{"scheme":"ed25519","threshold":2,"members":[1,2],"labels":{"a":"b","a":"c"}}"#;
    assert_eq!(read("POST", "/v1/keys", labels).unwrap_err().reason, Reason::Malformed);
    let spec = r#"{"scheme":"ed25519","threshold":4,"members":[1,2,3]}"#;
    assert_eq!(read("POST", "/v1/keys", spec).unwrap_err().reason, Reason::Limit);
}

#[test]
fn caller_without_the_role_is_refused() {
    let secret = Secret::ed25519(1);
    let id = key();
    let (get, post, none) = ("GET", "POST", String::new());
    let approve = format!(r#"{{"digest":"{}"}}"#, hex(8));
    let [request_, approve_, administer] = [Role::Request, Role::Approve, Role::Administer];
    let cases = [
        (post, format!("/v1/keys/{id}/sign"), r#"{"purpose":""}"#.to_owned(), vec![request_]),
        (post, format!("/v1/keys/{id}/refresh"), none.clone(), vec![administer]),
        (post, format!("/v1/keys/{id}/disable"), none.clone(), vec![administer]),
        (post, format!("/v1/requests/{id}/approve"), approve, vec![approve_]),
        (post, format!("/v1/requests/{id}/cancel"), none.clone(), vec![request_, administer]),
        (get, "/v1/keys".to_owned(), none.clone(), vec![request_, approve_, administer]),
        (get, "/v1/requests".to_owned(), none.clone(), vec![approve_, administer]),
        (get, "/v1/audit/1".to_owned(), none, vec![approve_, administer]),
    ];
    for (method, target, body, roles) in cases {
        for role in [request_, approve_, administer] {
            let callers = Callers::new(vec![caller("one", &[role], &[&secret])]).unwrap();
            let result = request(&secret, method, &target, &body).verify(&callers, NOW);
            let reason = result.map(|_| ()).map_err(|refusal| refusal.reason);
            let expected = if roles.contains(&role) { Ok(()) } else { Err(Reason::RoleMissing) };
            assert_eq!(reason, expected, "{target} by {role}");
        }
    }
}
