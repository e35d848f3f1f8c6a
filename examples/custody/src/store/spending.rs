//! Presignatures, what they were spent on, and the signatures that came of it.

use quorate::To;
use quorate::session::{SealError, SpentTable};
use quorate_cggmp::{PartialSignature, Presignature, PresignatureInfo, Secp256k1};
use rusqlite::{OptionalExtension, params};

use super::{OUTBOX, Store, StoreError, post, swap};
use crate::runner::End;

impl Store {
    /// A presigning is over: as [`Store::finish`], for its presignature.
    ///
    /// # Errors
    /// As there.
    pub fn finish_presigning(
        &mut self,
        end: &End,
        presignature: &Presignature<Secp256k1>,
    ) -> Result<(), StoreError> {
        let (info, sealed) = (presignature.info().to_bytes(), presignature.seal(&self.key));
        let tx = self.db.transaction()?;
        tx.execute(
            "INSERT INTO presignatures (id, info, sealed) VALUES (?, ?, ?)",
            params![presignature.id().name(), info, sealed],
        )?;
        swap(&tx, end.last, &end.tombstone)?;
        Ok(tx.commit()?)
    }

    /// The presignature, public part only; in this example there is one.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn presignature_info(&self) -> Result<Option<PresignatureInfo<Secp256k1>>, StoreError> {
        let sql = "SELECT info FROM presignatures";
        let bytes: Option<Vec<u8>> = self.db.query_row(sql, [], |row| row.get(0)).optional()?;
        let info = bytes.map(|bytes| PresignatureInfo::from_bytes(&bytes)).transpose();
        info.map_err(|_| StoreError::Seal(SealError::Malformed))
    }

    /// The presignature, unless its share was released.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn presignature(&self) -> Result<Option<Presignature<Secp256k1>>, StoreError> {
        let sql = "SELECT sealed FROM presignatures WHERE sealed IS NOT NULL";
        let bytes: Option<Vec<u8>> = self.db.query_row(sql, [], |row| row.get(0)).optional()?;
        Ok(bytes.map(|sealed| Presignature::open(&sealed, &self.key)).transpose()?)
    }

    /// A share of the signature takes the place of the presignature, and is on its way to all.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn release(
        &mut self,
        topic: &str,
        share: &PartialSignature<Secp256k1>,
    ) -> Result<(), StoreError> {
        let tx = self.db.transaction()?;
        post(&tx, &self.key, topic, To::Everyone, &share.to_bytes())?;
        let sql = "UPDATE presignatures SET sealed = NULL WHERE id = ?";
        tx.execute(sql, [share.presignature().name()])?;
        Ok(tx.commit()?)
    }

    /// The node's own share of the signature, once it is released.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn released(&self, topic: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let sql = "SELECT sealed FROM outbox WHERE topic = ?";
        let bytes: Option<Vec<u8>> =
            self.db.query_row(sql, [topic], |row| row.get(0)).optional()?;
        let open = |sealed: Vec<u8>| Ok(self.key.open_bytes(OUTBOX, &sealed)?.to_vec());
        bytes.map(open).transpose()
    }

    /// Stores a signature.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn put_signature(&self, digest: &[u8; 32], signature: &[u8; 65]) -> Result<(), StoreError> {
        let sql = "INSERT OR IGNORE INTO signatures (digest, signature) VALUES (?, ?)";
        self.db.execute(sql, params![digest, signature])?;
        Ok(())
    }

    /// A signature, once there is one.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn signature(&self, digest: &[u8; 32]) -> Result<Option<[u8; 65]>, StoreError> {
        let sql = "SELECT signature FROM signatures WHERE digest = ?";
        Ok(self.db.query_row(sql, [digest], |row| row.get(0)).optional()?)
    }
}

/// The one place where a presignature is spent.
impl SpentTable for Store {
    type Error = StoreError;

    fn record(&mut self, id: &[u8; 32], digest: &[u8; 32]) -> Result<[u8; 32], StoreError> {
        let sql = "INSERT INTO spent (id, digest) VALUES (?, ?) ON CONFLICT (id) DO NOTHING";
        self.db.execute(sql, params![id, digest])?;
        Ok(self.db.query_row("SELECT digest FROM spent WHERE id = ?", [id], |row| row.get(0))?)
    }
}
