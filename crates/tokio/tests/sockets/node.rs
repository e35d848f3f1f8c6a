use std::{collections::BTreeMap, convert::Infallible, error::Error, path::PathBuf};

use futures_util::{SinkExt as _, StreamExt as _, sink, stream};
use quorate_frost_ed25519::{Dkg, DkgOutput, DkgParams};
use quorate_runner::{Continuity, IncomingPacket, Job, OutgoingPacket, Runner, app_fn};
use quorate_session::{PartyId, SealKey};
use quorate_store::SqliteStore;
use tokio::net::TcpStream;
use tokio_util::codec::{FramedRead, FramedWrite, LengthDelimitedCodec as Lengths};

type Links = BTreeMap<PartyId, TcpStream>; // to each peer; in production, TLS with its certificate
type Answer<T> = Result<T, Box<dyn Error + Send + Sync>>;

async fn node(me: PartyId, links: Links, file: PathBuf, job: Job) -> Answer<Option<DkgOutput>> {
    let (mut packets, mut sinks) = (Vec::new(), BTreeMap::new());
    for (from, link) in links {
        let (read, write) = link.into_split();
        let frames = FramedRead::new(read, Lengths::new()).filter_map(async |it| it.ok());
        packets.push(frames.map(move |it| IncomingPacket { from, bytes: it.into() }).boxed());
        sinks.insert(from, FramedWrite::new(write, Lengths::new()));
    }
    let sink = sink::unfold(sinks, async |mut sinks, packet: OutgoingPacket| {
        let sink = sinks.get_mut(&packet.to).expect("a link to each peer");
        sink.send(packet.bytes.as_slice()).await.ok(); // what is lost is sent again
        Ok::<_, Infallible>(sinks)
    });
    // What this party contributes to a job, and what it keeps of the result: any two of the key's shares can sign.
    let app = app_fn::<Dkg, _>(|_| Some(DkgParams::new(2)), |_, end| end.into_output());
    let open = move || {
        let mut store = SqliteStore::open(file)?;
        let (key, continuity) = (SealKey::new([7; 32]), store.continuity(Continuity::Operator)?);
        let runner = Runner::builder(me, key.into(), continuity).protocol::<Dkg>();
        Answer::Ok(runner.open(store, app)?)
    };
    let service = quorate_tokio::Builder::new();
    let (handle, service) = service.spawn(open, stream::select_all(packets), sink).await?;
    let outcome = handle.run::<Dkg>(job).await?;
    service.shutdown(std::time::Duration::from_secs(5)).await;
    Ok(outcome.record()?)
}
