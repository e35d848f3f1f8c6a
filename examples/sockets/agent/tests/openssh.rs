//! OpenSSH and git, unchanged, with a committee in the process.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::std_instead_of_core,
    reason = "a test fails by panicking"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use quorate::ecdsa::Level;
use quorate_purpose::Kind;
use sockets_agent::serve;
use sockets_backend::committee::Trial;
use sockets_backend::encoding::ssh;
use sockets_backend::{Backend as _, Committee, Key, Limits, Scheme, UnixSocket};
use sockets_testkit::{Folder, Running, free_port, program, run};

const KINDS: &[Kind] = &[Kind::SshSignature, Kind::SshUserAuth];

/// A committee behind an agent.
struct Trying {
    folder: Folder,
    committee: Arc<Committee>,
    agent: PathBuf,
}

impl Trying {
    async fn start(policy: Option<&str>) -> Self {
        let folder = Folder::new();
        let mut trial = Trial { level: Level::Toy, ..Trial::new(folder.join("committee")) };
        if let Some(policy) = policy {
            trial.policies = vec![("policy".to_owned(), policy.to_owned())];
        }
        let committee = Arc::new(Committee::start(trial).await.unwrap());
        let agent = folder.join("agent");
        let socket = UnixSocket::bind(&agent).unwrap();
        let limits = Limits { within: Duration::from_secs(120), ..Limits::default() };
        tokio::spawn(serve(socket, committee.clone(), limits));
        Self { folder, committee, agent }
    }

    async fn key(&self, name: &str, scheme: Scheme) -> Key {
        self.committee.create(&self.committee.spec(name, scheme, KINDS)).await.unwrap()
    }

    /// A program with this agent, and without the configuration of whoever runs the test.
    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.folder.path()).env("SSH_AUTH_SOCK", &self.agent);
        command.env("HOME", self.folder.path()).env("GIT_CONFIG_NOSYSTEM", "1");
        command
    }

    /// Runs a program without holding the threads that the committee needs.
    async fn run(&self, program: &Path, arguments: &[&str]) -> Output {
        let mut command = self.command(program);
        command.args(arguments);
        tokio::task::spawn_blocking(move || run(&mut command)).await.unwrap()
    }

    async fn succeed(&self, program: &Path, arguments: &[&str]) -> String {
        let output = self.run(program, arguments).await;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{} {arguments:?}: {out}{err}", program.display());
        out
    }
}

/// A key in the form of `authorized_keys`.
fn line(key: &Key) -> String {
    let blob = ssh::public_key(key.scheme, &key.public_key).unwrap();
    let algorithm = ssh::algorithm(key.scheme).unwrap();
    format!("{algorithm} {} {}", BASE64_STANDARD.encode(blob), key.name)
}

#[tokio::test(flavor = "multi_thread")]
async fn ssh_add_lists_keys_and_ssh_keygen_signs_files_that_it_verifies() {
    let (Some(ssh_add), Some(ssh_keygen)) = (program("ssh-add"), program("ssh-keygen")) else {
        return;
    };
    let trying = Trying::start(None).await;
    let keys = [("ed25519", Scheme::Ed25519), ("p256", Scheme::EcdsaP256)];
    for (name, scheme) in keys {
        let key = trying.key(name, scheme).await;
        trying.folder.write(&format!("{name}.pub"), line(&key));
        trying.folder.write("allowed", format!("me {}\n", line(&key)));
        let listed = trying.succeed(&ssh_add, &["-L"]).await;
        assert!(listed.lines().any(|listed| listed == line(&key)), "{listed}");
        trying.folder.write("file", format!("content for {name}"));
        std::fs::remove_file(trying.folder.join("file.sig")).ok();
        let public = format!("{name}.pub");
        trying.succeed(&ssh_keygen, &["-Y", "sign", "-f", &public, "-n", "file", "file"]).await;
        let verify = ["-Y", "verify", "-f", "allowed", "-I", "me", "-n", "file", "-s", "file.sig"];
        let mut command = trying.command(&ssh_keygen);
        command.args(verify);
        let path = trying.folder.join("file");
        let verified = tokio::task::spawn_blocking(move || {
            command.stdin(std::fs::File::open(path).unwrap()).output().unwrap()
        });
        let verified = verified.await.unwrap();
        assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));
    }
    let listed = trying.succeed(&ssh_add, &["-l"]).await;
    assert!(listed.contains("ed25519 (ED25519)") && listed.contains("p256 (ECDSA)"), "{listed}");
    // The keys are not those of the agent to remove or to lock.
    assert!(!trying.run(&ssh_add, &["-D"]).await.status.success());
}

#[tokio::test(flavor = "multi_thread")]
async fn git_signs_a_commit_and_verifies_it() {
    let (Some(git), Some(_)) = (program("git"), program("ssh-keygen")) else { return };
    let trying = Trying::start(None).await;
    let key = trying.key("laptop", Scheme::Ed25519).await;
    trying.folder.write("allowed", format!("me@example.org {}\n", line(&key)));
    let allowed = trying.folder.join("allowed");
    let settings = [
        ("init.defaultBranch", "main".to_owned()),
        ("user.name", "Me".to_owned()),
        ("user.email", "me@example.org".to_owned()),
        ("gpg.format", "ssh".to_owned()),
        ("user.signingKey", format!("key::{}", line(&key))),
        ("gpg.ssh.allowedSignersFile", allowed.display().to_string()),
        ("commit.gpgSign", "true".to_owned()),
    ];
    for (name, value) in settings {
        trying.succeed(&git, &["config", "--global", name, &value]).await;
    }
    trying.succeed(&git, &["init", "-q", "repository"]).await;
    let commit = ["-C", "repository", "commit", "-q", "--allow-empty", "-m", "signed"];
    trying.succeed(&git, &commit).await;
    let verified = trying.run(&git, &["-C", "repository", "verify-commit", "HEAD"]).await;
    let text = String::from_utf8_lossy(&verified.stderr).into_owned();
    assert!(verified.status.success() && text.contains("Good \"git\" signature"), "{text}");
    assert!(text.contains("me@example.org"), "{text}");
}

/// The user who runs the test.
fn user() -> String {
    let output = run(Command::new("id").arg("-un"));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
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
        if !trying.folder.join("host").exists() {
            let make = ["-q", "-t", "ed25519", "-N", "", "-f", "host"];
            trying.succeed(&ssh_keygen, &make).await;
        }
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
        let arguments = [
            "-F",
            "none",
            "-p",
            &self.port,
            "-o",
            &known,
            "-o",
            "StrictHostKeyChecking=yes",
            "-o",
            "BatchMode=yes",
            "-o",
            "ConnectTimeout=60",
            &to,
            "echo logged in",
        ];
        trying.run(ssh, &arguments).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sshd_lets_the_keys_of_the_committee_in() {
    let Some(ssh) = program("ssh") else { return };
    let trying = Trying::start(None).await;
    for (name, scheme) in [("ed25519", Scheme::Ed25519), ("p256", Scheme::EcdsaP256)] {
        let key = trying.key(name, scheme).await;
        let Some(sshd) = Sshd::start(&trying, &line(&key)).await else { return };
        let output = sshd.login(&trying, &ssh).await;
        let text = String::from_utf8_lossy(&output.stderr);
        let log = std::fs::read_to_string(trying.folder.join("sshd.log")).unwrap();
        assert!(output.status.success(), "{name}: {text}\n{log}");
        assert_eq!(output.stdout, b"logged in\n", "{name}");
    }
}

/// The policy that ships for SSH keys, for this user, at one server: it is a host key that this test does not have.
#[tokio::test(flavor = "multi_thread")]
async fn policy_that_knows_servers_refuses_another_one_and_allows_git() {
    let (Some(ssh), Some(ssh_keygen)) = (program("ssh"), program("ssh-keygen")) else { return };
    let rules = include_str!("../../../custody/policies/ssh-user.cedar");
    let rules = rules.replace("\"deployer\"", "\"sockets\"").replace("\"ssh\"", "\"\"");
    let rules = rules.replace("\"deploy\"", &format!("{:?}", user()));
    let keys = r#"@id("keys") permit (principal, action == Action::"create-key", resource);"#;
    let trying = Trying::start(Some(&format!("{rules}\n{keys}"))).await;
    let key = trying.key("deploy", Scheme::Ed25519).await;
    let Some(sshd) = Sshd::start(&trying, &line(&key)).await else { return };
    let output = sshd.login(&trying, &ssh).await;
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && text.contains("agent refused operation"), "{text}");
    let (_, public) =
        (trying.folder.write("file", "x"), trying.folder.write("key.pub", line(&key)));
    let public = public.display().to_string();
    let sign = |namespace| ["-Y", "sign", "-f", public.as_str(), "-n", namespace, "file"];
    assert!(!trying.run(&ssh_keygen, &sign("file")).await.status.success());
    trying.succeed(&ssh_keygen, &sign("git")).await;
}
