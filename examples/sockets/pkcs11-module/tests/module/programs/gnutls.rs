//! GnuTLS: an authority and a server of TLS 1.3, whose content every signer reads.

use std::process::Stdio;
use std::time::Duration;

use sockets_testkit::{Running, free_port};

use super::{Trying, program};

/// The URI of a key.
const PRIVATE: &str = "pkcs11:token=quorate;object=ca;type=private?pin-value=1234";

async fn authority(trying: &Trying) -> Option<()> {
    let (certtool, tool) = (program("certtool")?, program("pkcs11-tool")?);
    let login = ["--module", trying.module(), "--login", "--pin", "1234"];
    let make = ["--keypairgen", "--key-type", "EC:edwards25519", "--usage-sign", "--label", "ca"];
    trying.succeed(&tool, &[&login[..], &make].concat()).await;
    let template = "cn = Quorate\nca\ncert_signing_key\nsigning_key\ndns_name = localhost\n\
                    tls_www_server\nexpiration_days = 9\nserial = 7\n";
    trying.folder.write("template", template);
    let certify =
        ["--provider", trying.module(), "--generate-self-signed", "--load-privkey", PRIVATE];
    let files = ["--template", "template", "--outfile", "certificate.pem"];
    trying.succeed(&certtool, &[&certify[..], &files].concat()).await;
    Some(())
}

#[tokio::test(flavor = "multi_thread")]
async fn certificate_of_gnutls_verifies_by_openssl() {
    let Some(openssl) = program("openssl") else { return };
    let trying = Trying::committee(Some(b"1234")).await;
    let Some(()) = authority(&trying).await else { return };
    let verify = ["verify", "-CAfile", "certificate.pem", "certificate.pem"];
    let verified = trying.succeed(&openssl, &verify).await;
    assert!(verified.contains("certificate.pem: OK"), "{verified}");
    let text = ["x509", "-in", "certificate.pem", "-noout", "-text"];
    let text = trying.succeed(&openssl, &text).await;
    assert!(text.contains("Signature Algorithm: ED25519"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn server_of_gnutls_shakes_hands_with_openssl() {
    let (Some(openssl), Some(server)) = (program("openssl"), program("gnutls-serv")) else {
        return;
    };
    let trying = Trying::committee(Some(b"1234")).await;
    let Some(()) = authority(&trying).await else { return };
    let port = free_port().to_string();
    let mut command = trying.command(&server);
    command.args(["--provider", trying.module(), "--port", &port, "--http", "--noticket"]);
    command.args(["--x509keyfile", PRIVATE, "--x509certfile", "certificate.pem"]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let _running = Running(command.spawn().unwrap());
    for _ in 0..100 {
        if tokio::net::TcpStream::connect(format!("127.0.0.1:{port}")).await.is_ok() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let to = format!("127.0.0.1:{port}");
    let connect = ["s_client", "-connect", &to, "-CAfile", "certificate.pem", "-tls1_3"];
    let more = ["-servername", "localhost", "-verify_return_error"];
    let text = trying.succeed(&openssl, &[&connect[..], &more].concat()).await;
    assert!(text.contains("Verify return code: 0 (ok)"), "{text}");
    assert!(text.to_lowercase().contains("peer signature type: ed25519"), "{text}");
}
