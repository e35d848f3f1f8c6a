//! The first day of a cluster: each machine has a folder of its own, and they share one folder.
#![allow(clippy::unwrap_used, reason = "a test")]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use clap::Parser as _;
use custody_cli::{Args, Database, Folder, PublicFile, Role, Settings, run};
use quorate_envelope::Name;

/// A folder that is removed at the end.
struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("custody-cli-{name}-{}", std::process::id()));
        drop(fs::remove_dir_all(&path));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Runs a command, in which `@` stands for the folder.
    fn run(&self, command: &str) -> Result<String, String> {
        let folder = format!("{}/", self.0.display());
        let words = command.split_whitespace().map(|word| word.replace('@', &folder));
        let args = Args::try_parse_from(["custody".to_owned()].into_iter().chain(words));
        run(args.map_err(|error| error.to_string())?).map_err(|error| format!("{error:#}"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Three nodes, a gateway and the shared folder. Gives the id of the directory.
    fn cluster(&self) -> String {
        for party in 1..=3 {
            let made =
                self.run(&format!("init node --name n{party} --party {party} --dir @n{party}"));
            assert!(made.unwrap().ends_with(&format!("n{party}/n{party}.pub\n")));
        }
        self.run("init gateway --name g1 --dir @g1").unwrap();
        let id = self.run(
            "init cluster --name acme --nats nats.example:4333 --nats 10.0.0.9:4222 --out @shared \
             @n1/n1.pub @n2/n2.pub @n3/n3.pub @g1/g1.pub",
        );
        id.unwrap().trim().to_owned()
    }

    fn join(&self, who: &str, id: &str) -> Result<String, String> {
        self.run(&format!("init join --dir @{who} --cluster @shared --id {id}"))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn machines_join_the_directory_that_their_operators_compared() {
    let place = Place::new("join");
    let id = place.cluster();
    // The broker listens where the others look for it, and nobody else has its private key.
    let broker = place.path("shared/nats");
    assert!(fs::read_to_string(broker.join("nats.conf")).unwrap().starts_with("port: 4333\n"));
    fs::remove_dir_all(broker).unwrap();
    for who in ["n1", "n2", "n3", "g1"] {
        assert_eq!(place.join(who, &id).unwrap(), format!("{who} is a member of {id}\n"));
        let folder = Folder::new(place.path(who));
        let directory = folder.directory().unwrap();
        let identity = folder.identity(&Name::new(who).unwrap()).unwrap();
        identity.check_belongs_to(&directory).unwrap();
        let settings = Settings::read(&folder.path(Settings::FILE)).unwrap();
        let role = if who == "g1" { Role::Gateway } else { Role::Node };
        assert_eq!((settings.role, settings.name.as_str()), (role, who));
        assert_eq!(settings.nats, ["tls://nats.example:4333", "tls://10.0.0.9:4222"]);
        assert!(matches!(settings.database, Database::Sqlite { .. }));
        assert_eq!(settings.listen.is_some(), role == Role::Gateway);
    }
}

#[test]
fn another_id_is_refused_and_nothing_is_trusted() {
    let place = Place::new("other-id");
    let id = place.cluster();
    let last = if id.ends_with('0') { '1' } else { '0' };
    let wrong = format!("{}{last}", &id[..id.len() - 1]);
    let why = place.join("n1", &wrong).unwrap_err();
    assert!(why.contains("compare the id"), "{why}");
    assert!(Folder::new(place.path("n1")).directory().is_err());
}

#[test]
fn shared_folder_with_another_members_keys_is_refused_by_that_member() {
    let place = Place::new("substituted");
    place.cluster();
    // The maker of the shared folder puts keys of its own under the name n2.
    place.run("init node --name n2 --party 2 --dir @false").unwrap();
    fs::remove_dir_all(place.path("shared")).unwrap();
    let id = place
        .run("init cluster --name acme --nats h:4222 --out @shared @n1/n1.pub @false/n2.pub @n3/n3.pub")
        .unwrap();
    place.join("n1", id.trim()).unwrap();
    let why = place.join("n2", id.trim()).unwrap_err();
    assert!(why.contains("n2"), "{why}");
}

#[test]
fn second_directory_is_refused_by_a_machine_that_has_one() {
    let place = Place::new("second");
    let first = place.cluster();
    place.join("n1", &first).unwrap();
    fs::remove_dir_all(place.path("shared")).unwrap();
    let second = place
        .run("init cluster --name other --nats h:4222 --out @shared @n1/n1.pub @n2/n2.pub")
        .unwrap();
    let why = place.join("n1", second.trim()).unwrap_err();
    assert!(why.contains(&format!("trusts the directory {first} already")), "{why}");
}

#[test]
fn next_version_of_the_directory_has_the_new_keys_of_a_lost_machine() {
    let place = Place::new("next");
    let first = place.cluster();
    place.join("n1", &first).unwrap();
    fs::remove_dir_all(place.path("n3")).unwrap();
    place.run("init node --name n3 --party 3 --dir @n3").unwrap();
    let next = |name: &str, rest: &str| {
        let nodes = "@n1/n1.pub @n2/n2.pub @n3/n3.pub";
        place.run(&format!("init cluster --name {name} --nats h:4222 {nodes} @g1/g1.pub {rest}"))
    };
    assert!(next("other", "--after @shared --out @next").unwrap_err().contains("cluster acme"));
    assert!(next("acme", "--after @n1 --out @next").is_err());
    let second = next("acme", "--after @shared --out @next").unwrap();
    let take = |what: &str, dir: &str, cluster: &str, id: &str| {
        place.run(&format!("init {what} --dir @{dir} --cluster @{cluster} --id {}", id.trim()))
    };
    // The new machine is in the second version alone, and a machine that has it does not go back.
    assert!(take("join", "n3", "shared", &first).unwrap_err().contains("n3"));
    for who in ["n1", "n3"] {
        take("join", who, "next", &second).unwrap();
        take("join", who, "next", &second).unwrap();
    }
    let why = take("join", "n1", "shared", &first).unwrap_err();
    assert!(why.contains("already"), "{why}");
    let (before, now) = (place.path("shared/authority.pem"), place.path("next/authority.pem"));
    assert_eq!(fs::read(before).unwrap(), fs::read(now).unwrap());
    // A caller takes the directory alone.
    take("trust", "caller", "shared", &first).unwrap();
    assert!(take("trust", "caller", "next", &first).unwrap_err().contains("compare the id"));
    take("trust", "caller", "next", &second).unwrap();
    let trusted = Folder::new(place.path("caller")).directory().unwrap();
    assert_eq!(trusted.id().to_string(), second.trim());
    assert_eq!(files(&place.path("caller")).len(), 2);
}

#[test]
fn directory_of_another_cluster_is_refused_also_with_a_later_version() {
    let place = Place::new("later");
    let first = place.cluster();
    place.join("n1", &first).unwrap();
    let files = "@n1/n1.pub @n2/n2.pub";
    place.run(&format!("init cluster --name other --nats h:1 --out @other {files}")).unwrap();
    let later = format!("init cluster --name other --nats h:1 --out @later --after @other {files}");
    let id = place.run(&later).unwrap();
    let why = place.run(&format!("init join --dir @n1 --cluster @later --id {}", id.trim()));
    assert!(why.as_ref().is_err_and(|why| why.contains("of the cluster acme")), "{why:?}");
}

#[test]
fn second_join_leaves_what_the_operator_has_changed() {
    let place = Place::new("again");
    let id = place.cluster();
    place.join("n1", &id).unwrap();
    let path = place.path("n1/settings.toml");
    let changed = fs::read_to_string(&path).unwrap().replace("9100", "9177");
    fs::write(&path, &changed).unwrap();
    place.join("n1", &id).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), changed);
    assert!(
        place
            .run("init node --name n1 --party 1 --dir @n1")
            .unwrap_err()
            .contains("exists already")
    );
}

#[test]
fn an_audit_without_the_list_of_callers_accuses_nobody() {
    let place = Place::new("no-callers");
    let id = place.cluster();
    place.run(&format!("init trust --dir @trust --cluster @shared --id {id}")).unwrap();
    fs::write(place.path("n1.jsonl"), "").unwrap();
    let why = place.run("audit @n1.jsonl --dir @trust --callers @callers.json").unwrap_err();
    assert!(
        why.ends_with("callers.json is not there: copy the list of callers of a machine"),
        "{why}"
    );
}

#[test]
fn secrets_are_for_their_owner_alone_and_stay_on_their_machine() {
    let place = Place::new("secrets");
    let id = place.cluster();
    place.join("n1", &id).unwrap();
    let secrets = ["1.key", "identity.1", "nats.seed", "nats.key", "directory.id"];
    let found = files(&place.path("n1"));
    for secret in secrets {
        let path = found.iter().find(|path| path.ends_with(secret)).unwrap();
        assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o077, 0, "{secret}");
    }
    // No secret file of n1 stands in the shared folder, whole or in part.
    for secret in &secrets[..4] {
        let path = found.iter().find(|path| path.ends_with(secret)).unwrap();
        let bytes = fs::read(path).unwrap();
        for file in files(&place.path("shared")) {
            let shared = fs::read(&file).unwrap();
            assert!(!shared.windows(bytes.len()).any(|part| part == bytes), "{}", file.display());
        }
    }
    let key = place.path("n1/seal/1.key");
    fs::set_permissions(&key, fs::Permissions::from_mode(0o640)).unwrap();
    assert!(Folder::new(place.path("n1")).identity(&Name::new("n1").unwrap()).is_err());
}

#[test]
fn a_cluster_of_one_node_or_of_one_member_twice_is_refused() {
    let place = Place::new("few");
    place.cluster();
    let cluster =
        |files: &str| place.run(&format!("init cluster --name a --nats h:1 --out @two {files}"));
    assert!(cluster("@n1/n1.pub @g1/g1.pub").unwrap_err().contains("at least 2 nodes"));
    assert!(cluster("@n1/n1.pub @n1/n1.pub").is_err());
    assert!(!place.path("two").exists());
    let mut file: PublicFile =
        serde_json::from_slice(&fs::read(place.path("n2/n2.pub")).unwrap()).unwrap();
    file.party = Some(1);
    fs::write(place.path("same-number.pub"), serde_json::to_vec(&file).unwrap()).unwrap();
    assert!(cluster("@n1/n1.pub @same-number.pub").is_err());
    fs::write(place.path("long.pub"), vec![b' '; 20_000]).unwrap();
    assert!(cluster("@n1/n1.pub @long.pub").unwrap_err().contains("longer than"));
    for cut in [0, 1, 100] {
        let whole = fs::read(place.path("n2/n2.pub")).unwrap();
        fs::write(place.path("cut.pub"), &whole[..cut]).unwrap();
        assert!(cluster("@n1/n1.pub @cut.pub").is_err());
    }
}

const ED25519: [&str; 2] = [
    "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=\n-----END PUBLIC KEY-----\n",
    "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n-----END PUBLIC KEY-----\n",
];

#[test]
fn keys_of_callers_are_added_replaced_and_removed() {
    let place = Place::new("callers");
    fs::write(place.path("old.pem"), ED25519[0]).unwrap();
    fs::write(place.path("new.pem"), ED25519[1]).unwrap();
    let caller = |rest: &str| place.run(&format!("caller {rest} --callers @callers.json"));
    let one = caller("add --name payments --role request --key @old.pem").unwrap();
    let fields: Vec<_> = one.trim().split('\t').collect();
    assert_eq!(fields[..3], ["payments", "request", "ed25519"]);
    let two = caller("add --name payments --role request --key @new.pem").unwrap();
    assert_eq!(two.lines().count(), 2);
    assert!(caller("add --name payments --role request --key @new.pem").is_err());
    assert!(caller("add --name payments --role administer --key @new.pem").is_err());
    assert!(caller("add --name other --role request --key @old.pem").is_err());
    assert!(caller("remove --name payments --key-id 00").unwrap_err().contains("no key"));
    let left = caller(&format!("remove --name payments --key-id {}", fields[3])).unwrap();
    assert_eq!(left.lines().count(), 1);
    assert_eq!(caller("list").unwrap(), left);
    let last = left.trim().rsplit('\t').next().unwrap();
    assert_eq!(caller(&format!("remove --name payments --key-id {last}")).unwrap(), "");
    fs::write(place.path("not.pem"), "no key").unwrap();
    assert!(
        caller("add --name payments --role request --key @not.pem")
            .unwrap_err()
            .contains("PUBLIC KEY")
    );
}

#[test]
fn policies_are_tried_with_a_request_before_they_are_loaded() {
    let place = Place::new("policy");
    let policies = concat!(env!("CARGO_MANIFEST_DIR"), "/../policies");
    let requests = format!("{policies}/requests/administration");
    let check = |request: &str| {
        place.run(&format!(
            "policy check {policies}/administration.cedar --request {requests}/{request}.json"
        ))
    };
    assert!(check("allowed-refresh").unwrap().starts_with("allowed"));
    assert!(check("refused-requester").unwrap().starts_with("refused"));
    assert!(check("missing").unwrap_err().contains("missing.json"));
}
