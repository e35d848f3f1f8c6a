//! Recovery: the results that a host key and recovery data give, and those that they do not.

use super::*;
use crate::chilldkg::{Malformed, recover, recover_public};

#[test]
fn a_crash_after_step_2_loses_nothing() {
    for (threshold, count) in [(2, 2), (2, 3), (3, 5)] {
        let started = Started::new(threshold, count, 40);
        let (coordinator, sums) = started.coordinate();
        let hosts = hosts(count, 1);
        let done = started.step2(|_| sums.clone()).into_iter().map(Result::unwrap);
        let (mut states, signatures): (Vec<_>, Vec<_>) = done.unzip();
        let (certificate, public) = coordinator.finalize(&signatures).unwrap();
        // One finishes, all others are gone.
        let one = states.remove(0).finalize(&certificate).unwrap();
        drop(states);
        assert_eq!(recover_public(one.public.recovery_data()).unwrap(), public);
        for (at, host) in hosts.iter().enumerate() {
            let output = recover(host, one.public.recovery_data()).unwrap();
            assert_eq!(output.public, public);
            assert_eq!(usize::from(output.share.id().get()), at + 1);
            if at == 0 {
                assert_eq!(output.share.to_bytes(), one.share.to_bytes());
            }
        }
    }
}

#[test]
fn each_share_is_restored_as_it_was() {
    let run = Run::new(3, 5, 41);
    let length = 4 + 33 * 3 + 162 * 5;
    assert_eq!(run.public.recovery_data().len(), length);
    for (host, output) in run.hosts.iter().zip(&run.outputs) {
        // Of the backup's bytes alone.
        let host = HostKey::from_bytes(host.to_bytes().as_slice()).unwrap();
        let again = recover(&host, run.public.recovery_data()).unwrap();
        assert_eq!(again.share.to_bytes(), output.share.to_bytes());
        assert_eq!(again.public, run.public);
    }
}

#[test]
fn one_host_key_restores_all_its_runs() {
    let runs = [Run::new(2, 3, 42), Run::new(3, 3, 43), Run::new(2, 4, 44)];
    let host = &hosts(1, 1)[0];
    for run in &runs {
        let again = recover(host, run.public.recovery_data()).unwrap();
        assert_eq!(again.share.to_bytes(), run.outputs[0].share.to_bytes());
    }
    let keys: Vec<_> = runs.iter().map(|run| run.public.threshold_key()).collect();
    assert!((1..3).all(|at| !keys[..at].contains(&keys[at])));
}

#[test]
fn data_that_the_others_made_up_is_refused() {
    // Everybody but party 1 signs a run in which party 1 took no part.
    let run = Run::new(2, 3, 45);
    let (mut data, host) = (run.public.recovery_data().to_vec(), &run.hosts[0]);
    let forged = data.len() - 3 * 64;
    data[forged..forged + 64].fill(1);
    let why = Error::UncertifiedRecoveryData { of: party(1) };
    assert_eq!(recover(host, &data).unwrap_err(), why);
    assert_eq!(recover_public(&data).unwrap_err(), why);
    // One's own signature is verified before those of the others.
    let mut data = run.public.recovery_data().to_vec();
    data[forged..].fill(1);
    let why = Error::UncertifiedRecoveryData { of: party(3) };
    assert_eq!(recover(&run.hosts[2], &data).unwrap_err(), why);
    let stranger = &hosts(1, 100)[0];
    let why = recover(stranger, run.public.recovery_data()).unwrap_err();
    assert_eq!(why, Error::NotAParticipant);
}

#[test]
fn certificates_of_two_runs_do_not_mix() {
    let (one, two) = (Run::new(2, 3, 46), Run::new(2, 3, 47));
    let (one, two) = (one.public.recovery_data(), two.public.recovery_data());
    let text = one.len() - 3 * 64;
    let mixed = [&one[..text], &two[text..]].concat();
    let why = Error::UncertifiedRecoveryData { of: party(1) };
    assert_eq!(recover_public(&mixed).unwrap_err(), why);
    // One signature in another's place.
    let mut swapped = one.to_vec();
    swapped[text..text + 128].rotate_left(64);
    assert_eq!(recover_public(&swapped).unwrap_err(), why);
}

#[test]
fn every_altered_byte_is_found() {
    let run = Run::new(2, 2, 48);
    let data = run.public.recovery_data();
    for at in 0..data.len() {
        for bit in [1, 0x80] {
            let mut altered = data.to_vec();
            altered[at] ^= bit;
            assert!(recover(&run.hosts[0], &altered).is_err(), "byte {at}");
            assert!(recover_public(&altered).is_err(), "byte {at}");
        }
    }
    for length in 0..data.len() {
        assert_eq!(recover_public(&data[..length]).unwrap_err().suspect(), None, "{length} bytes");
    }
    for more in [1, 161] {
        let longer = [data, &[0; 161][..more]].concat();
        assert_eq!(recover_public(&longer).unwrap_err(), Error::BadRecoveryData);
    }
    assert!(recover_public(&[data, &[0; 162]].concat()).is_err());
}

#[test]
fn a_header_that_promises_much_costs_nothing() {
    for threshold in [0, 1, 2, 0xffff, 0x1_0000, u32::MAX] {
        let mut data = alloc::vec![0; 4 + 162 * 3];
        data[..4].copy_from_slice(&threshold.to_be_bytes());
        assert!(recover_public(&data).is_err());
        assert!(recover_public(&data[..4]).is_err());
    }
}

#[test]
fn acknowledgements_of_all_are_needed() {
    let run = Run::new(2, 3, 49);
    let signed = |at: usize| run.outputs[at].acknowledge(&run.hosts[at], &mut rng(1)).unwrap();
    let mut acknowledgements = [signed(0), signed(1), signed(2)].map(Vec::from);
    run.public.verify_acknowledgements(&acknowledgements).unwrap();
    let why = run.public.verify_acknowledgements(&acknowledgements[..2]).unwrap_err();
    assert_eq!(why, Error::WrongCount { got: 2, expected: 3 });
    // Another's host key does not acknowledge for this one.
    let why = run.outputs[0].acknowledge(&run.hosts[1], &mut rng(1)).unwrap_err();
    assert_eq!(why, Error::OtherHostKey);
    // A signature of the certificate is no acknowledgement, and none of another run is one of this.
    let data = run.public.recovery_data();
    let other = Run::new(2, 3, 50);
    let other = other.outputs[1].acknowledge(&run.hosts[1], &mut rng(1)).unwrap();
    let certificate = &data[data.len() - 3 * 64..];
    for wrong in [&certificate[64..128], &other, &signed(0)] {
        acknowledgements[1] = wrong.to_vec();
        let why = run.public.verify_acknowledgements(&acknowledgements).unwrap_err();
        assert_eq!(why, Error::WrongAcknowledgement { from: party(2) });
        assert_eq!(why.suspect(), Some(Suspect::Participant(party(2))));
    }
    acknowledgements[1].truncate(63);
    let why = run.public.verify_acknowledgements(&acknowledgements).unwrap_err();
    let length = Malformed::Length { got: 63, expected: 64 };
    assert_eq!(why, Error::BadMessage { from: party(2), why: length });
}

#[test]
fn an_acknowledgement_is_of_the_drafts_text() {
    // There is no vector of it: prefix, identifier from 0, recovery data, as another library hashes and verifies.
    let run = Run::new(2, 3, 51);
    let mut text = b"BIP DKG/recovery acknowledgment\0\0".to_vec();
    assert_eq!(text.len(), 33);
    text.extend_from_slice(&1u32.to_be_bytes());
    text.extend_from_slice(run.public.recovery_data());
    let signature = run.outputs[1].acknowledge(&run.hosts[1], &mut rng(1)).unwrap();
    let key = k256::schnorr::VerifyingKey::from_slice(&run.hosts[1].public()[1..]).unwrap();
    let signature = k256::schnorr::Signature::from_slice(&signature).unwrap();
    key.verify_raw(&text, &signature).unwrap();
}
