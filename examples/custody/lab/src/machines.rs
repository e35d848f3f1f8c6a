//! The folders of a cluster's machines, as the command line makes them.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use custody_client::CallerSecret;

use crate::databases::Databases;
use crate::place::Place;
use crate::process::port;
use crate::work::POLICY;

/// The parts of a cluster.
#[derive(Clone, Debug)]
pub struct Options {
    /// The name of its folder.
    pub name: String,
    /// The program of the machines.
    pub program: PathBuf,
    /// The program of the broker.
    pub nats: PathBuf,
    /// The number of nodes: n1, n2 and so on.
    pub nodes: u16,
    /// The number of gateways: g1, g2 and so on.
    pub gateways: u16,
    /// The policy of each node.
    pub policy: String,
    /// Lines that the settings of each node get in addition.
    pub node_settings: String,
    /// The databases of all machines on a server of PostgreSQL. By default each machine has files of SQLite.
    pub databases: Option<Arc<Databases>>,
}

impl Options {
    /// Three nodes and a gateway, with moduli of 2048 bits, whose primes take seconds also without optimisation.
    #[must_use]
    pub fn new(name: &str, program: impl Into<PathBuf>, nats: PathBuf) -> Self {
        Self {
            name: name.to_owned(),
            program: program.into(),
            nats,
            nodes: 3,
            gateways: 1,
            policy: POLICY.to_owned(),
            node_settings: "moduli = \"2048\"\n".to_owned(),
            databases: None,
        }
    }

    fn nodes(&self) -> impl Iterator<Item = String> + use<> {
        (1..=self.nodes).map(|number| format!("n{number}"))
    }

    fn gateways(&self) -> impl Iterator<Item = String> + use<> {
        (1..=self.gateways).map(|number| format!("g{number}"))
    }
}

/// A machine and its ports.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    pub(crate) name: String,
    pub(crate) probes: u16,
    /// The port for callers, of a gateway.
    pub(crate) listen: Option<u16>,
}

/// Makes the folders of all machines, with a list of callers in each, and the shared folder.
pub(crate) fn make(
    place: &Place,
    options: &Options,
    broker: u16,
    callers: &[(&str, &str, &CallerSecret)],
) -> Result<Vec<Machine>> {
    for (name, _, secret) in callers {
        fs::write(place.path(format!("{name}.pem")), secret.public().to_pem())?;
        let secret = secret.to_pem()?;
        quorate_store::file::replace(place.path(format!("{name}.key")), secret.as_bytes())?;
    }
    for (number, name) in (1..).zip(options.nodes()) {
        place.run(&format!("init node --name {name} --party {number} --dir @{name}"))?;
    }
    for name in options.gateways() {
        place.run(&format!("init gateway --name {name} --dir @{name}"))?;
    }
    let names: Vec<_> = options.nodes().chain(options.gateways()).collect();
    let files: Vec<_> = names.iter().map(|name| format!("@{name}/{name}.pub")).collect();
    let cluster = format!("init cluster --name acme --nats 127.0.0.1:{broker} --out @shared");
    let id = place.run(&format!("{cluster} {}", files.join(" ")))?;
    let machine = |name: &String| {
        place.run(&format!("init join --dir @{name} --cluster @shared --id {}", id.trim()))?;
        for (caller, role, _) in callers {
            let list = format!("@{name}/callers.json");
            place.run(&format!(
                "caller add --callers {list} --name {caller} --role {role} --key @{caller}.pem"
            ))?;
        }
        set(place, options, name)
    };
    names.iter().map(machine).collect()
}

/// Gives the settings of a machine ports of their own, and its database.
fn set(place: &Place, options: &Options, name: &str) -> Result<Machine> {
    let is_gateway = name.starts_with('g');
    let (probes, listen) = (port()?, if is_gateway { Some(port()?) } else { None });
    let path = place.path(name).join("settings.toml");
    let mut settings = fs::read_to_string(&path)?.replace("9100", &probes.to_string());
    if let Some(listen) = listen {
        settings = settings.replace("8443", &listen.to_string());
    } else {
        fs::write(place.path(name).join("policies/test.cedar"), &options.policy)?;
        settings.push_str(&options.node_settings);
    }
    if let Some(databases) = &options.databases {
        settings = databases.put_in(&settings, is_gateway);
    }
    fs::write(&path, settings)?;
    Ok(Machine { name: name.to_owned(), probes, listen })
}
