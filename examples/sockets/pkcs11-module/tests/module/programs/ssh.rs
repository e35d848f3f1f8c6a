//! OpenSSH, which has digests of ECDSA signed.

use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use sockets_testkit::{Folder, Running, free_port};

use super::{Trying, program, run, text};
use crate::served::local;

/// The user who runs the test.
fn user() -> String {
    String::from_utf8(run(Command::new("id").arg("-un")).stdout).unwrap().trim().to_owned()
}

/// An sshd of this test, for the user who runs it.
struct Sshd {
    port: String,
    user: String,
    _running: Running,
}

impl Sshd {
    async fn start(trying: &Trying, authorized: &str) -> Option<Self> {
        let (sshd, ssh_keygen) = (program("sshd")?, program("ssh-keygen")?);
        let user = user();
        if user == "root" {
            // The folder for the separation of privileges, which a service manager makes otherwise.
            std::fs::create_dir_all("/run/sshd").unwrap();
        }
        trying.succeed(&ssh_keygen, &["-q", "-t", "ed25519", "-N", "", "-f", "host"]).await;
        let port = free_port().to_string();
        let host = std::fs::read_to_string(trying.folder.join("host.pub")).unwrap();
        trying.folder.write("known", format!("[127.0.0.1]:{port} {host}"));
        let (key, keys) = (trying.folder.join("host"), trying.folder.write("keys", authorized));
        let config = format!(
            "ListenAddress 127.0.0.1:{port}\nHostKey {}\nAuthorizedKeysFile {}\nStrictModes no\nUsePAM no\nPidFile none\n\
             PasswordAuthentication no\nKbdInteractiveAuthentication no\nPermitRootLogin prohibit-password\n",
            key.display(),
            keys.display(),
        );
        let config = trying.folder.write("sshd_config", config);
        let log = std::fs::File::create(trying.folder.join("sshd.log")).unwrap();
        let child = Command::new(sshd).args(["-D", "-e", "-f"]).arg(config).stderr(log).spawn();
        let running = Running(child.unwrap());
        for _ in 0..100 {
            if tokio::net::TcpStream::connect(format!("127.0.0.1:{port}")).await.is_ok() {
                return Some(Self { port, user, _running: running });
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{}", std::fs::read_to_string(trying.folder.join("sshd.log")).unwrap());
    }

    async fn login(&self, trying: &Trying, ssh: &Path) -> Output {
        let known = format!("UserKnownHostsFile={}", trying.folder.join("known").display());
        let to = format!("{}@127.0.0.1", self.user);
        let options =
            ["StrictHostKeyChecking=yes", "BatchMode=yes", "ConnectTimeout=60", known.as_str()];
        let mut arguments = vec!["-F", "none", "-p", &self.port, "-I", trying.module()];
        options.iter().for_each(|option| arguments.extend(["-o", option]));
        trying.run(ssh, &[&arguments[..], &[&to, "echo logged in"]].concat()).await
    }
}

/// The lines of `ssh-keygen -D`.
async fn listed(trying: &Trying) -> Option<String> {
    let ssh_keygen = program("ssh-keygen")?;
    let output = trying.run(&ssh_keygen, &["-D", trying.module()]).await;
    assert!(output.status.success(), "{}", text(&output));
    Some(String::from_utf8(output.stdout).unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn sshd_lets_a_key_of_the_module_in() {
    let Some(ssh) = program("ssh") else { return };
    let trying = Trying::start(Folder::new(), local(), None);
    let Some(keys) = listed(&trying).await else { return };
    assert!(
        keys.lines().filter(|line| line.starts_with("ecdsa-sha2-nistp256 ")).count() >= 2,
        "{keys}"
    );
    let Some(sshd) = Sshd::start(&trying, &keys).await else { return };
    let output = sshd.login(&trying, &ssh).await;
    let log = std::fs::read_to_string(trying.folder.join("sshd.log")).unwrap();
    assert!(output.status.success(), "{}\n{log}", text(&output));
    assert_eq!(output.stdout, b"logged in\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn committee_logs_in_with_a_key_that_it_has_made() {
    let (Some(ssh), Some(tool)) = (program("ssh"), program("pkcs11-tool")) else { return };
    let trying = Trying::committee(None).await;
    let make = ["--keypairgen", "--key-type", "EC:prime256v1", "--usage-sign", "--label", "ssh"];
    trying.succeed(&tool, &[&["--module", trying.module()], &make[..]].concat()).await;
    let Some(keys) = listed(&trying).await else { return };
    assert!(keys.starts_with("ecdsa-sha2-nistp256 "), "{keys}");
    let Some(sshd) = Sshd::start(&trying, &keys).await else { return };
    let output = sshd.login(&trying, &ssh).await;
    assert!(output.status.success(), "{}", text(&output));
    assert_eq!(output.stdout, b"logged in\n");
}
