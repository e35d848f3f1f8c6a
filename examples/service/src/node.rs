//! The process of a node: it hands packets to the runner, and does what the client orders.

use core::time::Duration;
use std::{path::Path, sync::Arc};

use futures_util::{SinkExt as _, TryStreamExt as _, future::try_join3, stream};
use quorate::ecdsa::{AuxInfoGen, Keygen, Level, PresignMany, Secp256k1};
use quorate::envelope::{Envelope, Messages, Name};
use quorate::frost::ed25519::Dkg;
use quorate::runner::{App, EndKind, IncomingPacket, Job, Time};
use quorate::{Parties, PartyId, SessionId, session::Protocol};
use quorate_store::{SqliteStore, file};
use quorate_tokio::{Builder, Handle, Links, Place, Places};
use sha2::{Digest as _, Sha256};
use tokio::net::TcpListener;
use tokio::sync::{SetOnce, mpsc};
use tokio::time::timeout;

use crate::app::{self, Node, Record};
use crate::net::{self, ANSWER, Connection, End, ORDER, PACKET, REFUSED};
use crate::{Result, YEAR};

struct Server {
    end: Arc<End>,
    handle: Handle<SqliteStore, Node>,
    packets: mpsc::Sender<IncomingPacket>,
    ready: SetOnce<()>,
}

/// Serves until the process is killed.
pub(crate) async fn serve(root: &Path, number: &str, level: Level) -> Result<()> {
    let me = PartyId::new(number.parse()?).ok_or("nodes are numbered from 1")?;
    let end = Arc::new(End::open(root, &format!("n{me}"))?);
    let _lock = file::lock(end.folder.join("lock"))?; // a folder has one process
    let (linked, opened) = (Arc::clone(&end), Arc::clone(&end));
    let (packets, mut received) = mpsc::channel(256);
    let incoming = stream::poll_fn(move |cx| received.poll_recv(cx));
    let links = Links::new(move |peer| Arc::clone(&linked).link(peer));
    let open = move || app::open(me, level, opened);
    let builder = Builder::new().on_event(|event| eprintln!("{event:?}"));
    let (handle, mut service) = builder.spawn(open, incoming, links).await?;
    let server = Arc::new(Server { end, handle, packets, ready: SetOnce::new() });
    let stopped = async { Err(format!("{:?}", service.stopped().await).into()) };
    try_join3(accept(Arc::clone(&server)), server.load_keys(), stopped).await.map(|((), (), ())| ())
}

/// Accepts connections, at most 64 at a time, of which a member has 16. One that is silent makes room for others.
async fn accept(server: Arc<Server>) -> Result<()> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?.to_string();
    file::replace(server.end.folder.join("address"), address.as_bytes())?;
    let places = Places::new(64, 16);
    loop {
        let place = places.wait().await;
        let Ok((stream, from)) = listener.accept().await else { continue };
        let server = Arc::clone(&server);
        tokio::spawn(async move {
            // Over at the first frame that is not a member's.
            let served = server.serve(net::framed(stream), place).await;
            served.unwrap_or_else(|why| eprintln!("the connection from {from} is over: {why}"));
        });
    }
}

impl Server {
    async fn serve(&self, mut connection: Connection, mut place: Place<Name>) -> Result<()> {
        let mut silence = Duration::from_secs(5);
        while let Ok(next) = timeout(silence, connection.try_next()).await {
            let Some(envelope) = next? else { break };
            let opened = self.end.unseal(&envelope)?;
            let (kind, party, name) = (opened.header.kind, opened.party, opened.sender().clone());
            place.take_as(name.clone())?;
            silence = Duration::from_secs(600); // of a member, in a place of its own
            // Replays do no harm: runs know their packets, jobs their names; nonces and presignatures are gone.
            match (kind, party) {
                (PACKET, Some(from)) => {
                    for message in opened.replayable() {
                        self.packets.send(IncomingPacket { from, bytes: message.to_vec() }).await?;
                    }
                }
                (ORDER, None) => {
                    let (kind, mut parts) = match self.order(opened.replayable()).await {
                        Ok(results) => (ANSWER, results),
                        Err(why) => (REFUSED, vec![why.to_string().into_bytes()]),
                    };
                    parts.insert(0, Sha256::digest(&envelope).to_vec());
                    let parts = parts.iter().map(Vec::as_slice);
                    let answer = self.end.seal(Envelope::to(&name, kind).messages(parts))?;
                    timeout(Duration::from_secs(5), connection.send(answer)).await??;
                }
                _ => return Err("expected a node's packet, or the client's order".into()),
            }
        }
        Ok(())
    }

    async fn order(&self, order: Messages) -> Result<Vec<Vec<u8>>> {
        self.ready.wait().await;
        if let Some(run) = order.first().filter(|w| order.len() == 1 && w.starts_with(b"stock ")) {
            if self.handle.with_app(|node, _| node.stock.len()).await? >= 64 {
                return Err("the stock is full".into());
            }
            self.run::<PresignMany<Secp256k1>>(&String::from_utf8_lossy(run), 2, 600_000).await?;
        }
        self.handle.with(move |runner, _| app::answer(runner, &order)).await?
    }

    /// Makes the keys with all nodes, once. After that the store has the outcomes of these runs, and gives them at once.
    async fn load_keys(&self) -> Result<()> {
        let ed25519 = self.run::<Dkg>("the Ed25519 key", 3, YEAR).await?;
        let ecdsa = self.run::<Keygen<Secp256k1>>("the ECDSA key", 3, YEAR).await?.map(Arc::new);
        let aux = self.run::<AuxInfoGen>("auxiliary information", 3, YEAR).await?.map(Arc::new);
        let load = move |runner: &mut app::Runner, _| {
            let node = runner.app();
            (node.ed25519, node.ecdsa, node.aux) = (ed25519, ecdsa, aux);
            runner.recover() // runs that wait for the keys continue
        };
        self.handle.with(load).await??;
        Ok(self.ready.set(())?)
    }

    /// Starts a job, or joins it, and waits for its end. Its name is used once, and all nodes make the same of it.
    async fn run<P>(&self, name: &str, parties: u16, within: Time) -> Result<Record<P>>
    where
        P: Protocol,
        Node: App<P>,
    {
        let sid = SessionId::new(Sha256::digest(name).into());
        let deadline = self.handle.now().saturating_add(within);
        let job = Job { sid, parties: Parties::numbered(parties)?, body: Vec::new(), deadline };
        let outcome = self.handle.run::<P>(job).await?;
        // An unconfirmed key is stored, and does not sign: confirm it when all nodes say that they have it.
        let done = outcome.kind == EndKind::Done;
        if done { Ok(outcome.record()?) } else { Err(format!("{name}: {outcome:?}").into()) }
    }
}
