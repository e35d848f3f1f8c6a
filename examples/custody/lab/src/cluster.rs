//! A cluster of processes, each with a folder of its own, over a real NATS server.

use core::fmt::Debug;
use core::time::Duration;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context as _, Result, anyhow};
use custody_audit::{Log, export, import};
use custody_cli::Folder;
use custody_client::{CallerSecret, Change, Client, Endpoint, PinnedKey};
use custody_core::{KeyId, KeySpec, PartyId, Scheme};
use quorate_envelope::TrustedDirectory;
use quorate_purpose::Kind;

use crate::http;
use crate::machines::{self, Machine, Options};
use crate::place::Place;
use crate::process::{Process, port};
use crate::work::spec;

/// The patience of tests. Machines of CI are slow.
pub const PATIENCE: Duration = Duration::from_secs(240);
/// The lines of each log that are shown when something fails.
const LINES: usize = 12;

/// Nodes, gateways, the broker, an administrator and a requester.
#[derive(Debug)]
pub struct Cluster {
    // Processes end before their folder is removed.
    broker: Option<Process>,
    processes: BTreeMap<String, Process>,
    machines: Vec<Machine>,
    options: Options,
    port: u16,
    /// The folder: `n1` and so on of machines, `shared`, and a file `n1.log` for each process.
    pub place: Place,
    /// The directory of members.
    pub directory: TrustedDirectory,
    /// A client of the first gateway that may do everything to keys.
    pub administrator: Client,
    /// A client of the first gateway that may ask for signatures.
    pub requester: Client,
}

impl Cluster {
    /// Sets the machines up by the command line, and starts them.
    ///
    /// # Errors
    /// The error of a command.
    pub fn start(options: Options) -> Result<Self> {
        let (place, port) = (Place::new(&options.name)?, port()?);
        let (root, payments) = (CallerSecret::generate()?, CallerSecret::generate()?);
        let callers = [("root", "administer", &root), ("payments", "request", &payments)];
        let machines = machines::make(&place, &options, port, &callers)?;
        let directory = Folder::new(place.path("g1")).directory()?;
        let address = machines.iter().find_map(|machine| machine.listen);
        let endpoint = format!("http://127.0.0.1:{}", address.context("no gateway")?);
        let name = directory.directory().deployment().as_str();
        let client =
            |secret| Ok::<_, anyhow::Error>(Client::new(Endpoint::plain(&endpoint)?, secret, name));
        let (administrator, requester) = (client(root)?, client(payments)?);
        let mut cluster = Self {
            broker: None,
            processes: BTreeMap::new(),
            machines,
            options,
            port,
            place,
            directory,
            administrator,
            requester,
        };
        cluster.start_broker()?;
        for name in cluster.names() {
            cluster.up(&name)?;
        }
        Ok(cluster)
    }

    /// The names of all machines.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.machines.iter().map(|machine| machine.name.clone()).collect()
    }

    /// The addresses of the gateways.
    #[must_use]
    pub fn addresses(&self) -> Vec<String> {
        let ports = self.machines.iter().filter_map(|machine| machine.listen);
        ports.map(|port| format!("http://127.0.0.1:{port}")).collect()
    }

    /// A client of a gateway with the secret of `root` or `payments`.
    ///
    /// # Errors
    /// If there is no such caller.
    pub fn client(&self, caller: &str, address: &str) -> Result<Client> {
        let secret = fs::read_to_string(self.place.path(format!("{caller}.key")))?;
        let name = self.directory.directory().deployment().as_str();
        Ok(Client::new(Endpoint::plain(address)?, CallerSecret::from_pem(&secret)?, name))
    }

    /// Starts the broker.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start_broker(&mut self) -> Result<()> {
        let mut command = Command::new(&self.options.nats);
        command.args(["-c", "nats.conf", "-a", "127.0.0.1", "-p", &self.port.to_string()]);
        command.current_dir(self.place.path("shared/nats"));
        self.broker = Some(Process::spawn(&mut command, &self.place.path("nats.log"))?);
        Ok(())
    }

    /// Kills the broker.
    pub fn kill_broker(&mut self) {
        self.broker = None;
    }

    /// The command that runs a machine.
    #[must_use]
    pub fn command(&self, who: &str) -> Command {
        let mut command = Command::new(&self.options.program);
        command.arg("run").arg("--dir").arg(self.place.path(who)).env("RUST_LOG", "info");
        command
    }

    /// Starts a machine with a command.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn spawn(&mut self, who: &str, mut command: Command) -> Result<()> {
        let process = Process::spawn(&mut command, &self.place.path(format!("{who}.log")))?;
        self.processes.insert(who.to_owned(), process);
        Ok(())
    }

    /// Starts a machine.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn up(&mut self, who: &str) -> Result<()> {
        self.spawn(who, self.command(who))
    }

    /// Kills a machine with SIGKILL.
    pub fn kill(&mut self, who: &str) {
        self.processes.remove(who);
    }

    /// The numbers of all processes, with the names of their machines. The broker's name is `nats`.
    #[must_use]
    pub fn processes(&self) -> BTreeMap<String, u32> {
        let broker = self.broker.iter().map(|broker| ("nats".to_owned(), broker.id()));
        let machines = self.processes.iter().map(|(name, process)| (name.clone(), process.id()));
        machines.chain(broker).collect()
    }

    /// The number of a machine's process, while it runs.
    pub fn process(&mut self, who: &str) -> Option<u32> {
        let process = self.processes.get_mut(who)?;
        (!process.has_ended()).then(|| process.id())
    }

    /// Gets a page of a machine's probes, as `/metrics`: its status and its text.
    ///
    /// # Errors
    /// If nobody answers.
    pub async fn probe(&self, who: &str, path: &str) -> Result<(u16, String)> {
        let machine = self.machines.iter().find(|machine| machine.name == who);
        http::get(machine.context("no such machine")?.probes, path).await
    }

    /// Waits until a machine is ready.
    ///
    /// # Errors
    /// If it is not ready in the end.
    pub async fn ready(&self, who: &str) -> Result<()> {
        self.until(who, async || match self.probe(who, "/readyz").await? {
            (200, _) => Ok(()),
            (_, why) => Err(anyhow!(why)),
        })
        .await
    }

    /// Makes a key of the nodes 1 to 3, and pins it.
    ///
    /// # Errors
    /// If none is made in the end.
    pub async fn make(&self, scheme: Scheme, kind: Kind) -> Result<PinnedKey> {
        self.make_of(&spec(scheme, kind)).await
    }

    /// Makes a key as specified, and pins it.
    ///
    /// # Errors
    /// If none is made in the end.
    pub async fn make_of(&self, spec: &KeySpec) -> Result<PinnedKey> {
        let directory = self.directory.directory();
        let make = async || self.administrator.create_key(spec, directory, PATIENCE).await;
        self.until("a key", make).await
    }

    /// Refreshes the shares of a key.
    ///
    /// # Errors
    /// If it fails in the end.
    pub async fn refresh(&self, key: KeyId) -> Result<()> {
        let refresh = async || self.administrator.change(key, &Change::Refresh, PATIENCE).await;
        self.until("a refresh", refresh).await.map(drop)
    }

    /// Compares the logs of all nodes, as anybody with the directory and the list of callers can.
    ///
    /// # Errors
    /// The findings of `custody audit`.
    pub async fn audit(&self) -> Result<String> {
        let mut files = String::new();
        for number in (1..=self.options.nodes).filter_map(PartyId::new) {
            let log = self.log(number).await?;
            let mut text = Vec::new();
            let end = log.end.context("no end")?;
            export(&mut text, &log.node, log.start, log.entries.into_iter().map(Ok), end)?;
            let file = format!("n{number}.jsonl");
            fs::write(self.place.path(&file), text)?;
            files += &format!("@{file} ");
        }
        self.place.run(&format!("audit {files} --dir @g1 --callers @g1/callers.json"))
    }

    /// The whole log of a node, of which it exports a part at a time.
    ///
    /// # Errors
    /// If it is empty, or cannot be had.
    pub async fn log(&self, node: PartyId) -> Result<Log> {
        let mut whole: Option<Log> = None;
        loop {
            let last = whole.as_ref().and_then(|log| log.entries.last());
            let after = last.map(|entry| entry.sequence);
            let part = self.administrator.audit(node, after).await?;
            if part.is_empty() {
                return whole.context("the log is empty");
            }
            let part = import(part.as_bytes(), u64::MAX)?;
            match &mut whole {
                Some(log) => {
                    log.entries.extend(part.entries);
                    log.end = part.end;
                }
                None => whole = Some(part),
            }
        }
    }

    /// Repeats an attempt until it succeeds.
    ///
    /// # Errors
    /// The last failure, once the [`PATIENCE`] is over, with the ends of all logs.
    pub async fn until<T, E: Debug>(
        &self,
        what: &str,
        mut attempt: impl AsyncFnMut() -> Result<T, E>,
    ) -> Result<T> {
        let begun = Instant::now();
        loop {
            match attempt().await {
                Ok(done) => return Ok(done),
                Err(why) if begun.elapsed() > PATIENCE => {
                    return Err(anyhow!("{what}: {why:?}\n{}", self.logs()));
                }
                Err(_) => tokio::time::sleep(Duration::from_millis(200)).await,
            }
        }
    }

    /// The ends of all logs.
    #[must_use]
    pub fn logs(&self) -> String {
        let log = |name: &String| {
            let path: PathBuf = self.place.path(format!("{name}.log"));
            let text = fs::read_to_string(path).unwrap_or_default();
            let from = text.lines().count().saturating_sub(LINES);
            let lines: Vec<_> = text.lines().skip(from).collect();
            format!("== {name}\n{}\n", lines.join("\n"))
        };
        let names = self.names();
        names.iter().chain([&"nats".to_owned()]).map(log).collect()
    }
}
