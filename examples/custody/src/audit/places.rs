//! Where the records of a custody are, for either fitting.

use std::fs;
use std::path::{Path, PathBuf};

use quorate::PartyId;
use quorate_examples::failure::Failure;

use crate::deployment::Deployment;
use crate::deployment::settings::{self, beside};
use crate::sql::Address;

/// The records of a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NodePlace {
    /// The node.
    pub node: PartyId,
    /// Its database.
    pub database: Address,
    /// Its ledger.
    pub ledger: Address,
}

/// The records of a custody.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Places {
    /// Those of the nodes.
    pub nodes: Vec<NodePlace>,
    /// The gateway's database.
    pub gateway: Address,
    /// The records of frames that were sent.
    pub records: Vec<PathBuf>,
    /// What the gateway has logged.
    pub log: Option<PathBuf>,
}

impl Places {
    /// Those of a folder: a deployment's, or a demonstration's with this record.
    ///
    /// # Errors
    /// A [`Failure`] if it is neither, or settings cannot be read.
    pub fn find(dir: &Path, record: Option<&Path>) -> Result<Self, Failure> {
        if dir.join("plan").is_file() {
            return Self::embedded(dir, record);
        }
        Self::served(&Deployment::open(dir)?)
    }

    fn embedded(dir: &Path, record: Option<&Path>) -> Result<Self, Failure> {
        let place = |node: PartyId| NodePlace {
            node,
            database: Address::Sqlite(dir.join(format!("node-{node}/node.sqlite"))),
            ledger: Address::Sqlite(dir.join(format!("ledgers/node-{node}.sqlite"))),
        };
        let mut nodes: Vec<NodePlace> = Vec::new();
        for number in 1..=3 {
            nodes.extend(PartyId::new(number).map(place));
        }
        let gateway = Address::Sqlite(dir.join("gateway.sqlite"));
        Ok(Self {
            nodes,
            gateway,
            records: record.map(Path::to_owned).into_iter().collect(),
            log: None,
        })
    }

    fn served(deployment: &Deployment) -> Result<Self, Failure> {
        let mut nodes: Vec<NodePlace> = Vec::new();
        for (number, worker) in deployment.workers() {
            let Some(node) = PartyId::new(number) else { continue };
            if nodes.iter().any(|place| place.node == node) {
                continue;
            }
            let file = deployment.path(&format!("n{number}/{worker}.json"));
            let read: settings::Node = settings::read(&file)?;
            nodes.push(NodePlace {
                node,
                database: address(&file, &read.database),
                ledger: address(&file, &read.ledger),
            });
        }
        let file = deployment.path("g1/gateway.json");
        let gateway: settings::Gateway = settings::read(&file)?;
        let records = fs::read_dir(deployment.path("record")).into_iter().flatten().flatten();
        let mut records: Vec<PathBuf> = records.map(|entry| entry.path()).collect();
        records.sort();
        let log = Some(deployment.path("log/g1.log")).filter(|path| path.is_file());
        Ok(Self { nodes, gateway: address(&file, &gateway.database), records, log })
    }
}

fn address(file: &Path, text: &str) -> Address {
    let Ok(address) = text.parse();
    match address {
        Address::Sqlite(path) => Address::Sqlite(beside(file, &path)),
        server => server,
    }
}
