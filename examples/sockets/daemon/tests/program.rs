//! The program `quorate-sockets`.
#![allow(
    clippy::unwrap_used,
    clippy::unwrap_in_result,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::std_instead_of_core,
    reason = "a test fails by panicking"
)]

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use quorate_purpose::Kind;
#[cfg(feature = "privval")]
use quorate_purpose::{
    Time,
    comet::{BlockId, Place, Vote, VoteStep},
};
use serde_json::Value;
use sockets_backend::committee::Trial;
use sockets_backend::{Backend as _, Committee, Scheme};
#[cfg(feature = "pkcs11")]
use sockets_pkcs11_wire as wire;
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

/// Runs the program with a configuration, and gives the reason why it does not start.
fn refused(folder: &Folder, config: &str) -> String {
    let path = folder.write("sockets.toml", config);
    let mut command = sockets();
    command.arg("run").arg("--config").arg(path).stdout(Stdio::null()).stderr(Stdio::piped());
    let (mut running, since) = (Running(command.spawn().unwrap()), Instant::now());
    let status = loop {
        assert!(since.elapsed() < Duration::from_secs(20), "it has started: {config}");
        std::thread::sleep(Duration::from_millis(20));
        if let Some(status) = running.0.try_wait().unwrap() {
            break status;
        }
    };
    let mut told = String::new();
    running.0.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    assert!(!status.success(), "{config}\n{told}");
    told
}

/// A consumer that makes keys could give one of them the name that a section waits for, such as that of the next key of a
/// cluster's tokens.
#[tokio::test(flavor = "multi_thread")]
async fn name_that_no_key_has_is_refused_in_every_section() {
    let folder = Folder::new();
    let committee = Committee::start(Trial::new(folder.join("committee"))).await.unwrap();
    let good = config(&folder, &committee).await;
    drop(committee);
    let list = "keys = [\"laptop\", \"ghost\"]";
    let sections = [
        #[cfg(feature = "ethereum")]
        format!("[sockets.ethereum]\nlisten = \"127.0.0.1:0\"\n{list}\n"),
        #[cfg(feature = "kms")]
        format!("[sockets.kms]\nlisten = \"127.0.0.1:0\"\n{list}\n"),
        #[cfg(feature = "kubernetes")]
        "[sockets.kubernetes]\npath = \"t\"\nkey = \"laptop\"\npublished = [\"ghost\"]\n"
            .to_owned(),
        #[cfg(feature = "pkcs11")]
        format!("[sockets.pkcs11]\npath = \"pkcs11\"\n{list}\n"),
        #[cfg(feature = "privval")]
        "[sockets.privval]\nnodes = [\"unix:///none\"]\nkey = \"ghost\"\n".to_owned(),
    ];
    let agent = good.replace("keys = [\"laptop\"]", list);
    for text in sections.map(|section| format!("{good}{section}")).into_iter().chain([agent]) {
        let told = refused(&folder, &text);
        assert!(told.contains("there is no key \"ghost\""), "{text}\n{told}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn key_under_two_names_is_refused() {
    let folder = Folder::new();
    let committee = Committee::start(Trial::new(folder.join("committee"))).await.unwrap();
    let good = config(&folder, &committee).await;
    drop(committee);
    let told = refused(&folder, &good.replace("other.json", "laptop.json"));
    assert!(told.contains(r#""laptop" and "other" are one key"#), "{told}");
}

/// The sections of sockets over HTTP.
#[cfg(feature = "http")]
const OVER_HTTP: &[&str] = &[
    #[cfg(feature = "ethereum")]
    "ethereum",
    #[cfg(feature = "kms")]
    "kms",
];

#[cfg(feature = "http")]
#[tokio::test(flavor = "multi_thread")]
async fn access_key_that_anybody_could_have_is_refused() {
    let folder = Folder::new();
    let committee = Committee::start(Trial::new(folder.join("committee"))).await.unwrap();
    let good = config(&folder, &committee).await;
    drop(committee);
    let cases = [
        (r#"{ "ID": "" }"#, "a secret of at least"),
        (r#"{ "ID": "0123456789abcdefghi" }"#, "a secret of at least"),
        (r#"{ "": "0123456789abcdefghij" }"#, "expected an access key of"),
        (r#"{ "uid 0": "0123456789abcdefghij" }"#, "expected an access key of"),
        (r#"{ "A/B": "0123456789abcdefghij" }"#, "expected an access key of"),
        ("{}", "expected an access key"),
    ];
    for socket in OVER_HTTP {
        let section = format!("{good}[sockets.{socket}]\nlisten = \"127.0.0.1:0\"\n");
        // The secret of an access key that is made would be in the log of whatever runs the program.
        let told = refused(&folder, &section);
        assert!(told.contains("expected a file with `access_keys`"), "{told}");
        for (file, why) in cases {
            private(&folder, "access.json", file.as_bytes());
            let told = refused(&folder, &format!("{section}access_keys = \"access.json\"\n"));
            assert!(told.contains(why) && !told.contains("0123456789"), "{told}");
        }
    }
}

/// The configuration of the agent has keys of Ed25519, which have no account.
#[cfg(feature = "ethereum")]
#[tokio::test(flavor = "multi_thread")]
async fn signer_of_ethereum_wants_an_account_and_a_chain_that_exists() {
    let folder = Folder::new();
    let committee = Committee::start(Trial::new(folder.join("committee"))).await.unwrap();
    let good = config(&folder, &committee).await;
    private(&folder, "access.json", br#"{ "ID": "0123456789abcdefghij" }"#);
    let section = format!(
        "{good}[sockets.ethereum]\nlisten = \"127.0.0.1:0\"\naccess_keys = \"access.json\"\n"
    );
    let told = refused(&folder, &section);
    assert!(told.contains("expected a key of ecdsa-secp256k1"), "{told}");
    let told = refused(&folder, &format!("{section}chain = 0\n"));
    assert!(told.contains("no chain has the number 0"), "{told}");
}

/// The configuration of a token that makes keys.
#[cfg(feature = "pkcs11")]
fn making(folder: &Folder, committee: &Committee) -> String {
    std::fs::create_dir(folder.join("trust")).unwrap();
    let trusted = committee.directory();
    private(folder, "trust/directory", &trusted.directory().to_bytes());
    private(folder, "trust/directory.id", &trusted.id().to_bytes());
    private(folder, "pin", b"1234\n");
    let address = committee.address().unwrap();
    format!(
        "[service]\ngateway = \"http://{address}\"\nsecret = \"committee/sockets.pem\"\n[administrator]\n\
         secret = \"committee/owner.pem\"\ntrust = \"trust\"\nkeys = \"keys\"\n[sockets.pkcs11]\npath = \"socket\"\n\
         label = \"web\"\npin = \"pin\"\n[sockets.pkcs11.new_keys]\nthreshold = 2\nmembers = [1, 2, 3]\n\
         purposes = [\"opaque-message\"]\nscope = \"pkcs11\"\n"
    )
}

/// The answer of a token to a request.
#[cfg(feature = "pkcs11")]
fn ask(socket: &Path, request: &wire::Request<'_>) -> wire::Answer {
    use std::io::Write as _;
    let mut stream = std::os::unix::net::UnixStream::connect(socket).unwrap();
    stream.write_all(&request.to_frame()).unwrap();
    let mut answers = vec![];
    stream.read_to_end(&mut answers).unwrap();
    let mut rest = answers.as_slice();
    loop {
        let (length, behind) = rest.split_first_chunk().unwrap();
        let (body, next) = behind.split_at(usize::try_from(u32::from_be_bytes(*length)).unwrap());
        match wire::Answer::from_bytes(body).unwrap() {
            wire::Answer::Wait(_) => rest = next,
            answer => return answer,
        }
    }
}

/// A web server that has a token without a list does not reach the key of the agent, nor that of a cluster's tokens.
#[cfg(feature = "pkcs11")]
#[tokio::test(flavor = "multi_thread")]
async fn token_without_a_list_has_no_keys_of_other_sockets() {
    let folder = Folder::new();
    let committee = Committee::start(Trial::new(folder.join("committee"))).await.unwrap();
    let good = config(&folder, &committee).await;
    let path = folder.write("sockets.toml", format!("{good}[sockets.pkcs11]\npath = \"pkcs11\"\n"));
    let asked = tokio::task::spawn_blocking(move || {
        let (_running, _) = started(sockets().arg("run").arg("--config").arg(path));
        ask(&folder.join("pkcs11"), &wire::Request::Describe)
    });
    let wire::Answer::Description(description) = asked.await.unwrap() else { panic!() };
    let names: Vec<_> = description.keys.iter().map(|key| key.name.as_str()).collect();
    assert_eq!(names, ["other"]);
}

/// Two programs would give one name to two keys, and neither would start again.
#[cfg(feature = "pkcs11")]
#[tokio::test(flavor = "multi_thread")]
async fn folder_of_new_keys_belongs_to_one_program() {
    let folder = Folder::new();
    let committee = Committee::start(Trial::new(folder.join("committee"))).await.unwrap();
    let config = making(&folder, &committee);
    let path = folder.write("first.toml", &config);
    let tried = tokio::task::spawn_blocking(move || {
        let (running, _) = started(sockets().arg("run").arg("--config").arg(&path));
        let other = config.replace("path = \"socket\"", "path = \"other\"");
        let told = refused(&folder, &other);
        assert!(told.contains("another process has locked it"), "{told}");
        drop(running);
        let second = folder.write("second.toml", other);
        started(sockets().arg("run").arg("--config").arg(second)).1
    });
    assert!(tried.await.unwrap().starts_with("export QUORATE_PKCS11_SOCKET="));
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

#[cfg(feature = "http")]
#[test]
fn socket_over_http_wants_tls_where_others_reach_it() {
    for socket in OVER_HTTP {
        let folder = Folder::new();
        let mut command = sockets();
        command.arg("try").arg("--folder").arg(folder.join("trial"));
        let output = run(command.args([&format!("--{socket}"), "0.0.0.0:0"]));
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && text.contains("needs `tls`"), "{text}");
    }
}

/// The library of the module, beside the programs of this build.
#[cfg(feature = "pkcs11")]
fn module() -> std::path::PathBuf {
    let folder = std::env::current_exe().unwrap().parent().unwrap().to_owned();
    folder.join("libquorate_pkcs11.so")
}

/// Runs `pkcs11-tool` with the module.
#[cfg(feature = "pkcs11")]
fn pkcs11_tool(tool: &Path, folder: &Folder, socket: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new(tool);
    command.current_dir(folder.path()).env("QUORATE_PKCS11_SOCKET", socket);
    let output = run(command.arg("--module").arg(module()).args(arguments));
    let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    assert!(output.status.success(), "{arguments:?}: {out}{err}");
    format!("{out}{err}")
}

/// Makes a key, if there is to be one, signs with it and verifies.
#[cfg(feature = "pkcs11")]
fn check_pkcs11(tool: &Path, folder: &Folder, socket: &Path, login: &[&str], makes: bool) {
    let call = |arguments: &[&str]| pkcs11_tool(tool, folder, socket, &[login, arguments].concat());
    let name = ["--label", "release"];
    if makes {
        let make = ["--keypairgen", "--key-type", "EC:edwards25519", "--usage-sign"];
        call(&[&make[..], &name].concat());
    }
    folder.write("message", "a message");
    let sign = ["--sign", "-m", "EDDSA", "-i", "message", "-o", "signature"];
    call(&[&sign[..], &name].concat());
    let verify = ["--verify", "-m", "EDDSA", "-i", "message", "--signature-file", "signature"];
    let verified = call(&[&verify[..], &name].concat());
    assert!(verified.contains("Signature is valid"), "{verified}");
}

#[cfg(feature = "pkcs11")]
#[test]
fn trial_makes_a_key_for_pkcs11_and_keeps_it() {
    let Some(tool) = program("pkcs11-tool") else { return };
    let folder = Folder::new();
    let socket = folder.join("pkcs11");
    for makes in [true, false] {
        let mut command = sockets();
        command.arg("try").arg("--folder").arg(folder.join("trial")).arg("--pkcs11").arg(&socket);
        let (_running, line) = started(&mut command);
        assert_eq!(line, format!("export QUORATE_PKCS11_SOCKET={}", socket.display()));
        check_pkcs11(&tool, &folder, &socket, &[], makes);
    }
}

#[cfg(feature = "pkcs11")]
#[tokio::test(flavor = "multi_thread")]
async fn service_makes_a_key_for_pkcs11_behind_a_pin_and_finds_it_again() {
    let Some(tool) = program("pkcs11-tool") else { return };
    let folder = Folder::new();
    let committee = Committee::start(Trial::new(folder.join("committee"))).await.unwrap();
    let config = making(&folder, &committee);
    let path = folder.write("sockets.toml", config);
    let checked = tokio::task::spawn_blocking(move || {
        let socket = folder.join("socket");
        for makes in [true, false] {
            let (_running, _) = started(sockets().arg("run").arg("--config").arg(&path));
            let listed = pkcs11_tool(&tool, &folder, &socket, &["-L"]);
            assert!(listed.contains("token label        : web"), "{listed}");
            check_pkcs11(&tool, &folder, &socket, &["--login", "--pin", "1234"], makes);
        }
    });
    checked.await.unwrap();
}

/// Writes a file that others cannot read.
#[cfg(any(feature = "http", feature = "pkcs11"))]
fn private(folder: &Folder, name: &str, content: &[u8]) {
    use std::os::unix::fs::PermissionsExt as _;
    let path = folder.write(name, content);
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600)).unwrap();
}

#[cfg(feature = "pkcs11")]
#[tokio::test(flavor = "multi_thread")]
async fn section_of_pkcs11_that_is_wrong_is_refused() {
    let folder = Folder::new();
    let committee = Committee::start(Trial::new(folder.join("committee"))).await.unwrap();
    let good = config(&folder, &committee).await;
    drop(committee);
    private(&folder, "short", b"123\n");
    let new_keys = "[sockets.pkcs11.new_keys]\nthreshold = 2\n";
    let cases = [
        (format!("keys = [\"laptop\"]\n{new_keys}members = [1, 2]\n"), "leave out `keys`"),
        (format!("{new_keys}members = [0, 1]\n"), "expected members from 1"),
        (format!("{new_keys}members = [1, 2]\npurposes = [\"tls\"]\n"), "no kind of purpose"),
        ("pin = \"short\"\n".to_owned(), "expected a PIN of 4 to 255 bytes"),
        ("pin = \"none\"\n".to_owned(), "none is missing"),
        ("[administrator]\nsecret = \"none\"\n".to_owned(), "missing field"),
    ];
    for (section, why) in cases {
        let text = format!("{good}[sockets.pkcs11]\npath = \"pkcs11\"\n{section}");
        let path = folder.write("sockets.toml", &text);
        let output = run(sockets().arg("run").arg("--config").arg(path));
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && told.contains(why), "{text}\n{told}");
    }
}

/// The client of the signer of Kubernetes, which verifies tokens; nothing if it cannot be built here.
#[cfg(feature = "kubernetes")]
fn kubernetes_client(folder: &Folder) -> Option<std::path::PathBuf> {
    let (go, client) = (program("go")?, folder.join("client"));
    let mut build = Command::new(go);
    build.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../kubernetes/tests/client"));
    let built = run(build.args(["build", "-o"]).arg(&client).arg("."));
    if !built.status.success() {
        let why = String::from_utf8_lossy(&built.stderr);
        assert!(std::env::var_os("CI").is_none(), "the client could not be built: {why}");
        eprintln!("skipped: k8s.io/externaljwt and go-jose could not be had or built: {why}");
        return None;
    }
    Some(client)
}

/// A configuration with one key of ECDSA, whose section of a socket is still to come.
#[cfg(feature = "kubernetes")]
async fn ecdsa_config(folder: &Folder, committee: &Committee, key: (Scheme, &[Kind])) -> String {
    let made = committee.create(&committee.spec("ecdsa", key.0, key.1)).await.unwrap();
    let path = folder.join(&format!("committee/keys/{}.json", made.id));
    let file: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    folder.write("ecdsa.json", file["pin"].to_string());
    let address = committee.address().unwrap();
    format!(
        "[service]\ngateway = \"http://{address}\"\nsecret = \"committee/sockets.pem\"\n\
         [[keys]]\nname = \"ecdsa\"\npin = \"ecdsa.json\"\n"
    )
}

#[cfg(feature = "kubernetes")]
fn toy(folder: &Folder) -> Trial {
    Trial { level: quorate::ecdsa::Level::Toy, ..Trial::new(folder.join("committee")) }
}

#[cfg(feature = "kubernetes")]
#[tokio::test(flavor = "multi_thread")]
async fn service_signs_tokens_for_kubernetes() {
    let folder = Folder::new();
    let committee = Committee::start(toy(&folder)).await.unwrap();
    let config = ecdsa_config(&folder, &committee, (Scheme::EcdsaP256, &[Kind::JwtClaims])).await;
    let section = "[sockets.kubernetes]\npath = \"tokens\"\nkey = \"ecdsa\"\nmax_expiration = 7200\n\
                   limits = { within = 120 }\n";
    let path = folder.write("sockets.toml", format!("{config}{section}"));
    let signed = tokio::task::spawn_blocking(move || {
        let socket = folder.join("tokens");
        let (_running, line) = started(sockets().arg("run").arg("--config").arg(path));
        assert_eq!(line, format!("--service-account-signing-endpoint={}", socket.display()));
        let Some(client) = kubernetes_client(&folder) else { return };
        let output = run(Command::new(client).arg(&socket).arg("tokens"));
        let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
        assert!(output.status.success() && out.ends_with("done\n"), "{out}{err}");
    });
    signed.await.unwrap();
}

#[cfg(feature = "kubernetes")]
#[tokio::test(flavor = "multi_thread")]
async fn section_of_kubernetes_that_is_wrong_is_refused() {
    let folder = Folder::new();
    let committee = Committee::start(Trial::new(folder.join("committee"))).await.unwrap();
    let good = config(&folder, &committee).await;
    drop(committee);
    let cases = [
        ("path = \"tokens\"\n", "missing field `key`"),
        ("path = \"tokens\"\nkey = \"laptop\"\nmax_expiration = 599\n", "at least 600 s"),
        ("path = \"tokens\"\nkey = \"laptop\"\nrefresh = 0\n", "at least a second"),
        ("path = \"none/tokens\"\nkey = \"laptop\"\n", "none/tokens"),
    ];
    for (section, why) in cases {
        let path = folder.write("sockets.toml", format!("{good}[sockets.kubernetes]\n{section}"));
        let output = run(sockets().arg("run").arg("--config").arg(path));
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && told.contains(why), "{section}\n{told}");
    }
}
