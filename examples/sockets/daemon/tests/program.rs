//! The program `quorate-sockets`.
#![allow(
    clippy::unwrap_used,
    clippy::unwrap_in_result,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::std_instead_of_core,
    reason = "a test fails by panicking"
)]

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use quorate_purpose::Kind;
#[cfg(feature = "privval")]
use quorate_purpose::{
    Time,
    comet::{BlockId, Place, Vote, VoteStep},
};
use serde_json::Value;
use sockets_backend::committee::Trial;
use sockets_backend::{Backend as _, Committee, Scheme};
#[cfg(feature = "privval")]
use sockets_privval::{Answer, Request, SignedVote, VoteRequest};
use sockets_testkit::{Folder, Running, program, run};

fn sockets() -> Command {
    Command::new(env!("CARGO_BIN_EXE_quorate-sockets"))
}

/// Starts the program, and gives the first line that it prints.
fn started(command: &mut Command) -> (Running, String) {
    let mut running = Running(command.stdout(Stdio::piped()).spawn().unwrap());
    let mut line = String::new();
    BufReader::new(running.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    (running, line.trim().to_owned())
}

/// The lines of `ssh-add -L`.
fn listed(ssh_add: &Path, agent: &Path) -> String {
    let output = run(Command::new(ssh_add).arg("-L").env("SSH_AUTH_SOCK", agent));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn trial_keeps_its_keys_in_its_folder() {
    let Some(ssh_add) = program("ssh-add") else { return };
    let folder = Folder::new();
    let agent = folder.join("agent");
    let mut keys = vec![];
    for _ in 0..2 {
        let mut command = sockets();
        command.arg("try").arg("--folder").arg(folder.join("trial")).arg("--agent").arg(&agent);
        let (_running, line) = started(&mut command);
        assert_eq!(line, format!("export SSH_AUTH_SOCK={}", agent.display()));
        keys.push(listed(&ssh_add, &agent));
    }
    assert!(keys[0].starts_with("ssh-ed25519 ") && keys[0].ends_with(" ssh\n"), "{}", keys[0]);
    assert_eq!(keys[0], keys[1]);
}

#[test]
fn trial_without_a_socket_is_refused() {
    let output = run(sockets().arg("try"));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && text.contains("expected a socket"), "{text}");
}

/// The configuration for a committee of this test, whose second key the agent does not show.
async fn config(folder: &Folder, committee: &Committee) -> String {
    let kinds = &[Kind::SshSignature, Kind::SshUserAuth];
    let mut keys = String::new();
    for name in ["laptop", "other"] {
        let key = committee.create(&committee.spec(name, Scheme::Ed25519, kinds)).await.unwrap();
        let path = folder.join(&format!("committee/keys/{}.json", key.id));
        let file: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        folder.write(&format!("{name}.json"), file["pin"].to_string());
        keys += &format!("[[keys]]\nname = {name:?}\npin = \"{name}.json\"\n");
    }
    let address = committee.address().unwrap();
    format!(
        "[service]\ngateway = \"http://{address}\"\nsecret = \"committee/sockets.pem\"\n{keys}[sockets.agent]\n\
         path = \"agent\"\nkeys = [\"laptop\"]\nlimits = {{ within = 60 }}\n"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn service_signs_with_the_keys_of_the_configuration() {
    let (Some(ssh_add), Some(ssh_keygen)) = (program("ssh-add"), program("ssh-keygen")) else {
        return;
    };
    let folder = Folder::new();
    let committee = Committee::start(Trial::new(folder.join("committee"))).await.unwrap();
    let path = folder.write("sockets.toml", config(&folder, &committee).await);
    let agent = folder.join("agent");
    let signed = tokio::task::spawn_blocking(move || {
        let (running, _) = started(sockets().arg("run").arg("--config").arg(path));
        let keys = listed(&ssh_add, &agent);
        assert!(keys.ends_with(" laptop\n") && keys.lines().count() == 1, "{keys}");
        let (key, file) = (folder.write("key.pub", keys), folder.write("file", "content"));
        let mut sign = Command::new(ssh_keygen);
        sign.args(["-Y", "sign", "-n", "file", "-f"]).arg(key).arg(file);
        let output = run(sign.env("SSH_AUTH_SOCK", &agent));
        drop(running);
        (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
    });
    let (success, text) = signed.await.unwrap();
    assert!(success, "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn configuration_that_is_wrong_is_refused_with_its_file() {
    let folder = Folder::new();
    let committee = Committee::start(Trial::new(folder.join("committee"))).await.unwrap();
    let good = config(&folder, &committee).await;
    drop(committee);
    let cases = [
        (good.replace("[sockets.agent]", "[sockets.other]"), "unknown field"),
        (good.replace("path = \"agent\"\n", ""), "missing field"),
        (good.replace("\"other\"", "\"laptop\""), "two keys have the name"),
        (good.replace("http://", "https://"), "needs `roots`"),
        (good.replace("committee/sockets.pem", "none.pem"), "none.pem is missing"),
        (good.replace("laptop.json", "sockets.toml"), "sockets.toml"),
        (good.replace("pin =", "purposes = [\"ssh\"]\npin ="), "no kind of purpose"),
        ("keys = []".to_owned(), "missing field"),
        #[cfg(feature = "privval")]
        (
            format!("{good}[sockets.privval]\nnodes = [\"127.0.0.1:1\"]\nkey = \"laptop\"\n"),
            "expected tcp://HOST:PORT",
        ),
    ];
    for (text, why) in cases {
        let path = folder.write("sockets.toml", &text);
        let output = run(sockets().arg("run").arg("--config").arg(path));
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && told.contains(why), "{text}\n{told}");
    }
}

#[cfg(feature = "privval")]
const CHAIN: &str = "chain-1";

/// A node of a chain that waits for its signer.
#[cfg(feature = "privval")]
struct Node(std::os::unix::net::UnixListener, Option<std::os::unix::net::UnixStream>);

#[cfg(feature = "privval")]
impl Node {
    /// Asks the signer that is connected, or the next one that connects.
    fn ask(&mut self, request: &Request) -> Answer {
        use std::io::{Read as _, Write as _};
        let stream = self.1.get_or_insert_with(|| self.0.accept().unwrap().0);
        let message = request.to_bytes();
        let low = u8::try_from(message.len() & 0x7f).unwrap();
        let length = match message.len() >> 7 {
            0 => vec![low],
            high => vec![low | 0x80, u8::try_from(high).unwrap()],
        };
        stream.write_all(&[length, message].concat()).unwrap();
        let (mut length, mut shift) = (0, 0);
        loop {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            length |= usize::from(byte[0] & 0x7f) << shift;
            shift += 7;
            if byte[0] & 0x80 == 0 {
                break;
            }
        }
        let mut answer = vec![0; length];
        stream.read_exact(&mut answer).unwrap();
        Answer::from_bytes(&answer, CHAIN).unwrap()
    }

    fn vote(&mut self, height: u64, block: u8, seconds: i64) -> Result<SignedVote, String> {
        let place = Place::new(CHAIN, height, 0).unwrap();
        let block = BlockId { hash: [block; 32], parts: 1, parts_hash: [2; 32] };
        let time = Time::from_seconds(seconds);
        let vote = Vote::new(VoteStep::Precommit, place, Some(block), time).unwrap();
        let (address, extension) = (vec![], vec![]);
        let request = VoteRequest { vote, address, index: 0, extension, skip_extension: true };
        match self.ask(&Request::SignVote(Box::new(request))) {
            Answer::Vote(signed) => signed.map(|signed| *signed).map_err(|why| why.description),
            other => panic!("{other:?}"),
        }
    }
}

/// The whole program is killed between two votes, and all of its nodes with it.
#[cfg(feature = "privval")]
#[test]
fn validator_that_is_killed_signs_nothing_that_contradicts_its_last_vote() {
    let folder = Folder::new();
    let path = folder.join("node");
    let address = format!("unix://{}", path.display());
    let listener = std::os::unix::net::UnixListener::bind(&path).unwrap();
    let mut node = Node(listener, None);
    let start = || {
        let mut command = sockets();
        command.arg("try").arg("--folder").arg(folder.join("trial")).arg("--privval").arg(&address);
        started(&mut command)
    };
    let (running, line) = start();
    assert_eq!(line, format!("priv_validator_laddr = {address:?}"));
    let key = node.ask(&Request::PubKey { chain: CHAIN.to_owned() });
    assert!(matches!(key, Answer::PubKey(Ok(_))), "{key:?}");
    let first = node.vote(7, 1, 10).unwrap();
    // `Running` kills it, and nothing in the process hears of that.
    drop(running);
    node.1 = None;
    let (_running, _) = start();
    assert_eq!(node.ask(&Request::PubKey { chain: CHAIN.to_owned() }), key);
    assert_eq!(node.vote(7, 1, 11).unwrap(), first);
    for (height, block) in [(7, 2), (6, 1)] {
        let why = node.vote(height, block, 12).unwrap_err();
        assert!(why.contains("contradicts"), "{why}");
    }
    node.vote(8, 2, 13).unwrap();
}

#[cfg(feature = "kms")]
#[test]
fn interface_of_aws_wants_tls_where_others_reach_it() {
    let folder = Folder::new();
    let mut command = sockets();
    command.arg("try").arg("--folder").arg(folder.join("trial")).args(["--kms", "0.0.0.0:0"]);
    let output = run(&mut command);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && text.contains("needs `tls`"), "{text}");
}
