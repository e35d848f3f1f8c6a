//! Descendants, a backup and a proof of health.

use quorate::frost::ed25519::Ed25519Sha512;
use quorate::frost::generic::keys::{Backup, BackupKey, HealthChallenge};
use quorate::frost::generic::{Frost, RootSuite};
use quorate::frost::secp256k1::Secp256k1Sha256;
use quorate::frost::secp256k1_tr::TaprootInternal;

use super::Values;
use super::life::of;
use crate::data::id;
use crate::group::{Group, rng};

type Suite = Secp256k1Sha256;

pub(super) fn values() -> Values {
    let mut values = Values::new();
    let dealt = child::<Suite>(&mut values, "secp256k1");
    child::<Ed25519Sha512>(&mut values, "Ed25519");
    child::<TaprootInternal>(&mut values, "Taproot");
    backup(&mut values, &dealt);
    values
}

/// A dealt key, its descendant at m/0/7 and party 1's share of that.
fn child<S: RootSuite>(values: &mut Values, name: &str) -> Group<S> {
    let dealt = Group::<S>::dealt(2, &of([1, 7, 65535]), &mut rng(1));
    let path = "m/0/7".parse().unwrap();
    values.put(&format!("{name}, chain code of the root"), &dealt.public.public_chain_code());
    let public = dealt.public.descendant(&path).unwrap();
    values.put(&format!("{name}, public key package of m/0/7"), &public.to_bytes());
    let share = dealt.share(id(1)).descendant(&dealt.public, &path).unwrap();
    values.put(&format!("{name}, share of m/0/7, party 1"), &share.to_bytes());
    dealt
}

fn backup(values: &mut Values, dealt: &Group<Suite>) {
    let (share, public) = (dealt.share(id(1)).secret_share(), dealt.public.shared());
    let offline = BackupKey::<Frost<Suite>>::generate(&mut rng(17)).unwrap();
    values.put("recipient of the backup", &offline.recipient().to_bytes());
    let sealed = Backup::seal(share, public, offline.recipient(), b"known", &mut rng(18)).unwrap();
    let restored = offline.restore(&sealed, public).unwrap();
    assert_eq!(restored.to_bytes(), share.to_bytes());
    values.put_digest("the backup", &sealed.to_bytes());
    let challenge = HealthChallenge::new(&mut rng(19)).unwrap();
    values.put("challenge", &challenge.to_bytes());
    values.put("health proof", &share.prove_health(&challenge, &mut rng(20)).to_bytes());
    let drill = offline.drill(&sealed, public, &challenge, &mut rng(21)).unwrap();
    values.put("drill", &drill.to_bytes());
}
