//! A NATS server in a folder, with an authority and certificates of its own.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use async_nats::{Client, ConnectOptions};
use custody_nats::Bounds;
use custody_nats::nats::{Access, NatsTransport, permissions};
use nkeys::KeyPair;
use quorate_envelope::{MAX_ENVELOPE, Name};
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer};

pub const LONG: Duration = Duration::from_secs(20);
pub const MEMBERS: [&str; 4] = ["n1", "n2", "n3.zurich", "gw"];

pub fn name(text: &str) -> Name {
    Name::new(text).unwrap()
}

/// A server. It ends with the value.
pub struct Server {
    folder: PathBuf,
    port: u16,
    program: PathBuf,
    process: Option<Child>,
    issuer: Issuer<'static, rcgen::KeyPair>,
}

impl Server {
    /// `None`, and a printed line, where no server is installed.
    pub fn start(test: &str) -> Option<Self> {
        let Some(program) = program() else {
            eprintln!(
                "skipped {test}: no nats-server (go install github.com/nats-io/nats-server/v2@latest)"
            );
            return None;
        };
        let folder =
            std::env::temp_dir().join(format!("custody-nats-{}-{test}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let issuer = authority();
        fs::write(folder.join("authority.pem"), issuer.1).unwrap();
        let mut server = Self { folder, port, program, process: None, issuer: issuer.0 };
        server.issue("server");
        let seeds = MEMBERS.map(|member| (name(member), server.enrol(member)));
        server.configure(seeds.iter().map(|(name, nkey)| (name, nkey.as_str())));
        server.run();
        Some(server)
    }

    fn configure<'a>(&self, members: impl Iterator<Item = (&'a Name, &'a str)>) {
        let text = format!(
            "listen: \"127.0.0.1:{}\"\nmax_payload: {MAX_ENVELOPE}\ntls {{ cert_file: \"server.pem\", \
             key_file: \"server.key\", ca_file: \"authority.pem\", verify: true }}\n{}",
            self.port,
            permissions(members).unwrap()
        );
        fs::write(self.folder.join("server.conf"), text).unwrap();
    }

    /// Makes a certificate and an NKey. Returns the public part of the NKey.
    fn enrol(&self, member: &str) -> String {
        self.issue(member);
        let pair = KeyPair::new_user();
        fs::write(self.path(member, "nk"), pair.seed().unwrap()).unwrap();
        pair.public_key()
    }

    fn issue(&self, name: &str) {
        let params = CertificateParams::new(vec!["localhost".into(), "127.0.0.1".into()]).unwrap();
        let key = rcgen::KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        fs::write(self.path(name, "pem"), certificate.pem()).unwrap();
        fs::write(self.path(name, "key"), key.serialize_pem()).unwrap();
    }

    fn path(&self, name: &str, extension: &str) -> PathBuf {
        self.folder.join(format!("{name}.{extension}"))
    }

    pub fn run(&mut self) {
        let log = fs::File::create(self.folder.join("server.log")).unwrap();
        let mut command = Command::new(&self.program);
        command.args(["-c", "server.conf"]).current_dir(&self.folder);
        command.stdout(Stdio::null()).stderr(log);
        self.process = Some(command.spawn().unwrap());
        let started = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(started.elapsed() < LONG, "{}", self.log());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub fn kill(&mut self) {
        let mut process = self.process.take().unwrap();
        process.kill().unwrap();
        process.wait().unwrap();
    }

    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.join("server.log")).unwrap()
    }

    pub fn access(&self, member: &str) -> Access {
        Access {
            servers: vec![format!("tls://127.0.0.1:{}", self.port)],
            authority: self.folder.join("authority.pem"),
            certificate: self.path(member, "pem"),
            key: self.path(member, "key"),
            seed: fs::read_to_string(self.path(member, "nk")).unwrap().into(),
        }
    }

    pub async fn join(&self, member: &str) -> NatsTransport {
        let peers = MEMBERS.map(name).into_iter().filter(|peer| peer.as_str() != member);
        let bounds = Bounds::default();
        let access = self.access(member);
        let transport = NatsTransport::connect(name(member), peers, &access, bounds).await.unwrap();
        tokio::time::timeout(LONG, transport.monitor().connected()).await.unwrap();
        transport
    }

    /// A client of the server without the transport, with a member's NKey and the certificate in these files.
    pub async fn client(&self, member: &str, identity: Option<(&Path, &Path)>) -> Option<Client> {
        let access = self.access(member);
        let mut options = ConnectOptions::with_nkey(access.seed.to_string())
            .require_tls(true)
            .add_root_certificates(access.authority);
        if let Some((certificate, key)) = identity {
            options = options.add_client_certificate(certificate.into(), key.into());
        }
        options.connect(access.servers).await.ok()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(mut process) = self.process.take() {
            process.kill().ok();
            process.wait().ok();
        }
        fs::remove_dir_all(&self.folder).ok();
    }
}

fn authority() -> (Issuer<'static, rcgen::KeyPair>, String) {
    let mut params = CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    let key = rcgen::KeyPair::generate().unwrap();
    let pem = params.self_signed(&key).unwrap().pem();
    (Issuer::new(params, key), pem)
}

/// A certificate and key of an authority that the server does not know.
pub fn foreign_certificate(folder: &Path) -> (PathBuf, PathBuf) {
    let (issuer, _) = authority();
    let key = rcgen::KeyPair::generate().unwrap();
    let certificate = CertificateParams::new(Vec::new()).unwrap().signed_by(&key, &issuer).unwrap();
    let paths = (folder.join("foreign.pem"), folder.join("foreign.key"));
    fs::write(&paths.0, certificate.pem()).unwrap();
    fs::write(&paths.1, key.serialize_pem()).unwrap();
    paths
}

fn program() -> Option<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from).unwrap_or_default();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([home.join("go/bin")]);
    folders.map(|folder| folder.join("nats-server")).find(|program| program.is_file())
}
