//! A cluster of processes, each with a folder of its own, over a real NATS server.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::panic,
    clippy::too_many_lines,
    clippy::expect_used,
    reason = "each test uses a part, and fails by panicking"
)]

use core::sync::atomic::{AtomicU16, Ordering};
use core::time::Duration;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use clap::Parser as _;
use custody_cli::{Args, Folder, run};
use custody_client::{CallerSecret, Client, Endpoint};
use quorate_envelope::TrustedDirectory;

/// The patience of the tests. Machines of CI are slow.
pub const PATIENCE: Duration = Duration::from_secs(240);

/// A folder that is removed at the end.
pub struct Place(pub PathBuf);

impl Place {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("custody-cli-{name}-{}", std::process::id()));
        drop(fs::remove_dir_all(&path));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Runs a command, in which `@` stands for the folder.
    pub fn run(&self, command: &str) -> Result<String, String> {
        let folder = format!("{}/", self.0.display());
        let words = command.split_whitespace().map(|word| word.replace('@', &folder));
        let args = Args::try_parse_from(["custody".to_owned()].into_iter().chain(words));
        run(args.map_err(|error| error.to_string())?).map_err(|error| format!("{error:#}"))
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

/// A process that is killed with the value.
pub struct Process(Child);

impl Process {
    fn spawn(command: &mut Command, log: &Path) -> Self {
        let log = fs::OpenOptions::new().create(true).append(true).open(log).unwrap();
        let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        Self(command.spawn().unwrap())
    }

    /// Runs the machine of a folder, with further arguments.
    pub fn run(place: &Place, who: &str, more: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_custody"));
        command.arg("run").arg("--dir").arg(place.path(who)).args(more).env("RUST_LOG", "info");
        Self::spawn(&mut command, &place.path(&format!("{who}.log")))
    }

    pub fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// A free port of this machine, below those that outgoing connections take.
pub fn port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let first = u16::try_from(std::process::id().wrapping_mul(37) & 0x1fff).unwrap() + 20_000;
    loop {
        let port = first + NEXT.fetch_add(1, Ordering::Relaxed);
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

/// The NATS server, if it is installed.
pub fn nats_server() -> Option<PathBuf> {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let go = std::env::var_os("HOME").map(|home| PathBuf::from(home).join("go/bin"));
    std::env::split_paths(&paths)
        .chain(go)
        .map(|path| path.join("nats-server"))
        .find(|path| path.is_file())
}

/// Three nodes, a gateway, and the broker.
pub struct Cluster {
    pub place: Place,
    broker: Option<Process>,
    port: u16,
    listen: u16,
    pub machines: Vec<(String, Option<Process>)>,
    pub administrator: Client,
    pub requester: Client,
    pub directory: TrustedDirectory,
}

impl Cluster {
    /// Sets the machines up by the command line, and starts them.
    pub fn start(name: &str, policy: &str, nats: &Path) -> Self {
        let place = Place::new(name);
        let (port, listen) = (port(), port());
        for party in 1..=3 {
            place
                .run(&format!("init node --name n{party} --party {party} --dir @n{party}"))
                .unwrap();
        }
        place.run("init gateway --name g1 --dir @g1").unwrap();
        let files = "@n1/n1.pub @n2/n2.pub @n3/n3.pub @g1/g1.pub";
        let id = place.run(&format!(
            "init cluster --name acme --nats 127.0.0.1:{port} --out @shared {files}"
        ));
        let id = id.unwrap();
        let (administrator, requester) =
            (CallerSecret::generate().unwrap(), CallerSecret::generate().unwrap());
        for (name, secret) in [("root", &administrator), ("payments", &requester)] {
            fs::write(place.path(&format!("{name}.pem")), secret.public().to_pem()).unwrap();
            quorate_store::file::replace(
                place.path(&format!("{name}.key")),
                secret.to_pem().unwrap().as_bytes(),
            )
            .unwrap();
        }
        for who in ["n1", "n2", "n3", "g1"] {
            place
                .run(&format!("init join --dir @{who} --cluster @shared --id {}", id.trim()))
                .unwrap();
            for (name, role) in [("root", "administer"), ("payments", "request")] {
                let caller = format!(
                    "caller add --callers @{who}/callers.json --name {name} --role {role} --key @{name}.pem"
                );
                place.run(&caller).unwrap();
            }
            if who != "g1" {
                fs::write(place.path(&format!("{who}/policies/test.cedar")), policy).unwrap();
            }
            let settings = place.path(&format!("{who}/settings.toml"));
            let text = fs::read_to_string(&settings).unwrap();
            let text = text
                .replace("9100", &self::port().to_string())
                .replace("8443", &listen.to_string());
            // Primes of 1024 bits take seconds also without optimisation.
            fs::write(&settings, if who == "g1" { text } else { text + "moduli = \"2048\"\n" })
                .unwrap();
        }
        let directory = Folder::new(place.path("g1")).directory().unwrap();
        let client = |secret| {
            Client::new(
                Endpoint::plain(&format!("http://127.0.0.1:{listen}")).unwrap(),
                secret,
                "acme",
            )
        };
        let mut cluster = Self {
            administrator: client(administrator),
            requester: client(requester),
            place,
            broker: None,
            port,
            listen,
            machines: Vec::new(),
            directory,
        };
        cluster.start_broker(nats);
        ["n1", "n2", "n3", "g1"].into_iter().for_each(|who| cluster.up(who));
        cluster
    }

    /// The address of the gateway.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.listen)
    }

    pub fn start_broker(&mut self, nats: &Path) {
        let mut command = Command::new(nats);
        command.args(["-c", "nats.conf", "-a", "127.0.0.1", "-p", &self.port.to_string()]);
        command.current_dir(self.place.path("shared/nats"));
        self.broker = Some(Process::spawn(&mut command, &self.place.path("nats.log")));
    }

    /// Kills the broker.
    pub fn stop_broker(&mut self) {
        self.broker.take().unwrap().kill();
    }

    /// Starts a machine.
    pub fn up(&mut self, who: &str) {
        self.up_with(who, &[]);
    }

    /// Starts a machine with further arguments.
    pub fn up_with(&mut self, who: &str, more: &[&str]) {
        let process = Process::run(&self.place, who, more);
        self.machines.push((who.to_owned(), Some(process)));
    }

    /// Kills a machine with SIGKILL.
    pub fn kill(&mut self, who: &str) {
        let place = self.machines.iter().position(|(name, _)| name == who).unwrap();
        self.machines.remove(place).1.unwrap().kill();
    }

    /// Repeats an attempt until it succeeds.
    pub async fn until<T, E: core::fmt::Debug>(
        &self,
        what: &str,
        mut attempt: impl AsyncFnMut() -> Result<T, E>,
    ) -> T {
        let begun = Instant::now();
        loop {
            match attempt().await {
                Ok(done) => return done,
                Err(why) if begun.elapsed() > PATIENCE => {
                    panic!("{what}: {why:?}\n{}", self.logs())
                }
                Err(_) => tokio::time::sleep(Duration::from_millis(200)).await,
            }
        }
    }

    /// The ends of all logs.
    pub fn logs(&self) -> String {
        let log = |name: &str| {
            let text =
                fs::read_to_string(self.place.path(&format!("{name}.log"))).unwrap_or_default();
            let lines: Vec<_> = text.lines().collect();
            format!(
                "== {name}\n{}\n",
                lines.iter().rev().take(12).rev().copied().collect::<Vec<_>>().join("\n")
            )
        };
        ["n1", "n2", "n3", "g1", "nats"].map(log).concat()
    }
}
