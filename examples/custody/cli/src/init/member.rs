//! `custody init node` and `custody init gateway`: the secrets of a machine, made on it.

use anyhow::{Context as _, Result, ensure};
use getrandom::SysRng;
use quorate::SealKey;
use quorate::session::rand_core::UnwrapErr;
use quorate_envelope::Identity;
use zeroize::Zeroizing;

use crate::args::Member;
use crate::folder::Folder;
use crate::public_file::PublicFile;
use crate::settings::Role;
use crate::transport_ca;

/// Makes the folder of a machine. An error in the middle leaves a folder that nothing uses.
pub(crate) fn member(member: &Member, role: Role) -> Result<String> {
    match role {
        Role::Node => ensure!(member.party.is_some(), "a node has a number: --party"),
        Role::Gateway => ensure!(member.party.is_none(), "a gateway has no number"),
    }
    let (folder, name) = (Folder::new(&member.dir), member.name.as_str());
    folder.make()?;
    let rng = &mut UnwrapErr(SysRng);
    folder.seal_keys().add(&SealKey::generate(rng)?).context("the seal key")?;
    let identity = Identity::generate(member.name.clone(), rng)?;
    folder.put_identity(&identity)?;
    let nkey = nkeys::KeyPair::new_user();
    let seed = Zeroizing::new(nkey.seed()?);
    folder.put(&folder.path("nats.seed"), seed.as_bytes())?;
    let (key, certificate_request) = transport_ca::request(name)?;
    folder.put(&folder.path("nats.key"), key.as_bytes())?;
    let public = PublicFile {
        name: name.to_owned(),
        party: member.party.map(|party| party.get()),
        identity: PublicFile::encode_identity(identity.public()),
        nkey: nkey.public_key(),
        certificate_request,
    };
    let path = folder.path(&format!("{name}.pub"));
    public.write(&path)?;
    Ok(format!("{}\n", path.display()))
}
