//! The certificate of a gateway is replaced while it runs.
#![allow(clippy::unwrap_used, clippy::mod_module_files, reason = "a test")]

mod common;

use core::time::Duration;
use std::fs;

use common::{PATIENCE, Place, Process, port};
use custody_client::{CallerSecret, Client, Endpoint};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};

/// Writes a certificate for this machine under a new authority, and gives the authority.
fn issue(place: &Place) -> String {
    let mut params = CertificateParams::new(vec![]).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    fs::write(place.path("g1/tls.pem"), params.signed_by(&key, &authority).unwrap().pem()).unwrap();
    fs::write(place.path("g1/tls.key"), key.serialize_pem()).unwrap();
    authority.pem()
}

/// The folder of a gateway that reaches no broker.
fn gateway(place: &Place, listen: u16) -> CallerSecret {
    place.run("init node --name n1 --party 1 --dir @n1").unwrap();
    place.run("init node --name n2 --party 2 --dir @n2").unwrap();
    place.run("init gateway --name g1 --dir @g1").unwrap();
    let files = "@n1/n1.pub @n2/n2.pub @g1/g1.pub";
    let id =
        place.run(&format!("init cluster --name acme --nats 127.0.0.1:1 --out @shared {files}"));
    place
        .run(&format!("init join --dir @g1 --cluster @shared --id {}", id.unwrap().trim()))
        .unwrap();
    let secret = CallerSecret::generate().unwrap();
    fs::write(place.path("root.pem"), secret.public().to_pem()).unwrap();
    place
        .run("caller add --callers @g1/callers.json --name root --role administer --key @root.pem")
        .unwrap();
    let settings = place.path("g1/settings.toml");
    let text = fs::read_to_string(&settings).unwrap();
    let text = text.replace("9100", &port().to_string()).replace("8443", &listen.to_string());
    let tls = "tls = { certificate = \"tls.pem\", key = \"tls.key\" }\n";
    fs::write(&settings, text + tls).unwrap();
    secret
}

/// Waits until a client that trusts this authority alone is served.
async fn served(listen: u16, authority: &str, secret: &str) {
    let endpoint = Endpoint::tls(&format!("https://localhost:{listen}"), authority.as_bytes());
    let client = Client::new(endpoint.unwrap(), CallerSecret::from_pem(secret).unwrap(), "acme");
    let serve = async {
        // A client repeats what no service answers, so each attempt has a time of its own.
        while !matches!(
            tokio::time::timeout(Duration::from_secs(2), client.keys(None)).await,
            Ok(Ok(_))
        ) {
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    tokio::time::timeout(PATIENCE, serve).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn new_certificate_is_served_without_a_restart() {
    let (place, listen) = (Place::new("certificates"), port());
    let secret = gateway(&place, listen);
    let first = issue(&place);
    let process = Process::run(&place, "g1", &[]);
    let pem = secret.to_pem().unwrap();
    served(listen, &first, &pem).await;
    // Between the two writes the files do not fit, and the old certificate stays.
    let second = issue(&place);
    served(listen, &second, &pem).await;
    let status = place.run("status --dir @g1").unwrap_err();
    assert!(status.contains("no connection to NATS"), "{status}");
    assert!(status.contains("custody_certificate_end{certificate=\"callers\"} "), "{status}");
    process.kill();
}
