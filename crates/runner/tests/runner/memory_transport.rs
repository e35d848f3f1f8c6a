//! The transport between threads.

use core::time::Duration;
use std::time::Instant;

use quorate_runner::{Gone, IncomingPacket, MemoryTransport, Transport};
use quorate_session::{Parties, PartyId};

fn id(number: u16) -> PartyId {
    PartyId::new(number).unwrap()
}

#[test]
fn packets_arrive_in_order_with_their_senders() {
    let ends = MemoryTransport::network(&Parties::numbered(3).unwrap());
    let [mut one, mut two, mut three] = <[_; 3]>::try_from(ends).unwrap();
    assert_eq!([one.id(), two.id(), three.id()], [1, 2, 3].map(id));
    assert_eq!(three.receive(), Ok(None));
    one.send(id(3), b"first").unwrap();
    two.send(id(3), b"second").unwrap();
    // Waiting takes nothing away, and does not wait for what is there.
    let clock = Instant::now();
    three.wait(Duration::from_secs(60));
    three.wait(Duration::from_secs(60));
    assert!(clock.elapsed() < Duration::from_secs(30));
    assert_eq!(three.receive(), Ok(Some(IncomingPacket { from: id(1), bytes: b"first".to_vec() })));
    assert_eq!(
        three.receive(),
        Ok(Some(IncomingPacket { from: id(2), bytes: b"second".to_vec() }))
    );
    assert_eq!(three.receive(), Ok(None));
}

#[test]
fn a_peer_that_is_gone_is_named() {
    let ends = MemoryTransport::network(&Parties::numbered(2).unwrap());
    let [mut one, two] = <[_; 2]>::try_from(ends).unwrap();
    drop(two);
    assert_eq!(one.send(id(2), b"anybody there?"), Err(Gone(id(2))));
    assert_eq!(one.send(id(9), b"anybody there?"), Err(Gone(id(9))));
    assert_eq!(Gone(id(2)).to_string(), "party 2 is gone");
}
