//! Files of a node that are restored to older copies, lost, or put in another's place.

use std::fs;

use crate::cluster::{Cluster, presignature};

/// The files of a node before it spends a presignature, and after.
struct Restored {
    cluster: Cluster,
    spent: Vec<u8>,
}

impl Restored {
    async fn new(name: &str) -> Self {
        let mut cluster = Cluster::with_keys(name).await;
        let [one, two] = cluster.presign("1").await;
        let (stock, two) = (one.unwrap(), two.unwrap());
        assert_eq!(stock, two);
        cluster.kill(1);
        cluster.copy("n1", "before");
        cluster.start(1);
        let spent = presignature(&stock[0]);
        cluster.ask(1, &[b"spend", &spent, b"pay 5 to Carol"]).await.unwrap();
        cluster.ask(2, &[b"spend", &spent, b"pay 5 to Carol"]).await.unwrap();
        for more in cluster.presign("2").await {
            assert_eq!(more.unwrap().len(), 7);
        }
        cluster.kill(1);
        cluster.copy("n1", "after");
        Self { cluster, spent }
    }

    /// Puts older copies of these files into the folder of node 1, and starts it.
    fn restore(&mut self, files: &[&str]) {
        self.cluster.copy("after", "n1");
        for name in files {
            for end in ["", "-wal", "-shm"] {
                let (old, new) = (format!("before/{name}{end}"), format!("n1/{name}{end}"));
                drop(fs::remove_file(self.cluster.root.join(&new)));
                drop(fs::copy(self.cluster.root.join(old), self.cluster.root.join(new)));
            }
        }
        self.cluster.start(1);
    }
}

#[tokio::test]
async fn restored_file_gives_no_second_share_and_the_node_goes_on() {
    let mut restored = Restored::new("restored").await;
    let key = restored.cluster.ask(2, &[b"ecdsa"]).await;
    let sets: [&[&str]; 5] =
        [&["stock"], &["spent.db"], &["node.db"], &["stock", "spent.db"], &["stock", "node.db"]];
    for (files, number) in sets.into_iter().zip(10..) {
        restored.restore(files);
        let cluster = &mut restored.cluster;
        let second = cluster.ask(1, &[b"spend", &restored.spent, b"pay 6 to Carol"]).await;
        let why = second.unwrap_err();
        assert!(
            why == "it is not in stock" || why.starts_with("already spent"),
            "{files:?}: {why}"
        );
        // No key is lost, and the node is of use.
        assert_eq!(cluster.ask(1, &[b"ecdsa"]).await, key);
        let [one, two] = cluster.presign(&number.to_string()).await;
        let (one, two) = (one.unwrap(), two.unwrap());
        let new = one.iter().find(|held| two.contains(held)).unwrap();
        for node in [1, 2] {
            let order: &[&[u8]] = &[b"spend", &presignature(new), b"pay 7 to Carol"];
            cluster.ask(node, order).await.unwrap();
        }
        let noticed = cluster.said(1).contains("was restored to an older copy");
        assert_eq!(noticed, number > 10, "{files:?}: a stock alone needs no notice");
        cluster.kill(1);
    }
}

#[tokio::test]
async fn backup_without_what_was_spent_has_the_keys_and_an_empty_stock() {
    let mut restored = Restored::new("backup").await;
    let key = restored.cluster.ask(2, &[b"ecdsa"]).await;
    restored.cluster.copy("before", "n1");
    for end in ["", "-wal", "-shm"] {
        drop(fs::remove_file(restored.cluster.root.join(format!("n1/spent.db{end}"))));
    }
    restored.cluster.start(1);
    let cluster = &restored.cluster;
    assert_eq!(cluster.ask(1, &[b"ecdsa"]).await, key);
    let second = cluster.ask(1, &[b"spend", &restored.spent, b"pay 6 to Carol"]).await;
    assert_eq!(second.unwrap_err(), "it is not in stock");
    let [one, two] = cluster.presign("3").await;
    assert_eq!((one.unwrap().len(), two.unwrap().len()), (4, 11));
}

#[tokio::test]
async fn missing_database_with_the_keys_stops_the_node() {
    let mut cluster = Cluster::with_keys("missing").await;
    let key = cluster.ask(1, &[b"ecdsa"]).await.unwrap();
    cluster.kill(1);
    cluster.copy("n1", "whole");
    for end in ["", "-wal", "-shm"] {
        drop(fs::remove_file(cluster.root.join(format!("n1/node.db{end}"))));
    }
    for _ in 0..2 {
        let why = cluster.start_in_vain(1);
        assert!(why.contains("look whether its disk is mounted"), "{why}");
    }
    cluster.copy("whole", "n1");
    cluster.start(1);
    assert_eq!(cluster.ask(1, &[b"ecdsa"]).await.unwrap(), key);
}

#[tokio::test]
async fn files_that_are_missing_cut_or_of_another_node_stop_the_node() {
    let cluster = Cluster::new("files");
    cluster.copy("n1", "whole");
    let unsealed = "sealed under another key";
    for (file, of_n2) in [
        ("seal.key", Some(unsealed)),
        ("identity", Some(unsealed)),
        ("directory", None),
        ("directory.id", None),
    ] {
        let path = cluster.folder(1).join(file);
        fs::remove_file(&path).unwrap();
        let why = cluster.start_in_vain(1);
        assert!(why.contains(&format!("n1/{file}: No such file")), "{why}");
        if let Some(expected) = of_n2 {
            fs::copy(cluster.folder(2).join(file), &path).unwrap();
            let why = cluster.start_in_vain(1);
            assert!(why.contains(expected), "{why}");
        }
        cluster.copy("whole", "n1");
        let whole = fs::read(&path).unwrap();
        fs::write(&path, &whole[..whole.len() - 1]).unwrap();
        cluster.start_in_vain(1);
        cluster.copy("whole", "n1");
    }
    cluster.copy("n2", "n1");
    let why = cluster.start_in_vain(1);
    assert!(why.contains("expected the identity of n1, got that of n2"), "{why}");
}
