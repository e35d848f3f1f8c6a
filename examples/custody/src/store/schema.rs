//! The tables.

/// Jobs, runs, what came for them and what goes out, and the marks of what was released.
pub(super) const RUNS: &str = "
    CREATE TABLE IF NOT EXISTS jobs (
        sid BYTEA PRIMARY KEY, digest BYTEA NOT NULL, context BYTEA NOT NULL, outcome BYTEA)
        /*lite WITHOUT ROWID*/;
    -- Nothing is ever deleted here: a run that has ended leaves its tombstone.
    CREATE TABLE IF NOT EXISTS runs (
        context BYTEA PRIMARY KEY, kind BYTEA NOT NULL, sid BYTEA NOT NULL, tag BYTEA NOT NULL,
        job BYTEA NOT NULL, sealed BYTEA NOT NULL, party BIGINT NOT NULL, slot BIGINT NOT NULL,
        deadline BIGINT NOT NULL, longest BIGINT NOT NULL, ended BIGINT NOT NULL DEFAULT 0);
    CREATE INDEX IF NOT EXISTS runs_deadline ON runs (deadline) WHERE ended = 0;
    CREATE INDEX IF NOT EXISTS runs_open ON runs (context) WHERE ended = 0;
    CREATE INDEX IF NOT EXISTS runs_tag ON runs (tag, context) WHERE ended = 0;
    CREATE TABLE IF NOT EXISTS inbox (
        place BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        context BYTEA NOT NULL, sender BIGINT NOT NULL, round BIGINT NOT NULL, kind BIGINT NOT NULL,
        id BYTEA NOT NULL, sealed BYTEA NOT NULL, tag BYTEA, opening BYTEA, cost BIGINT NOT NULL,
        until BIGINT NOT NULL, parked BIGINT NOT NULL, taken BIGINT NOT NULL DEFAULT 0,
        UNIQUE (context, sender, round, kind, id));
    CREATE INDEX IF NOT EXISTS inbox_until ON inbox (until) WHERE parked = 1;
    CREATE INDEX IF NOT EXISTS inbox_tag ON inbox (tag, sender, place) WHERE parked = 1;
    -- A message, once, and those who have not acknowledged it.
    CREATE TABLE IF NOT EXISTS packets (
        id BYTEA PRIMARY KEY, context BYTEA NOT NULL, sealed BYTEA NOT NULL, until BIGINT NOT NULL);
    CREATE INDEX IF NOT EXISTS packets_until ON packets (until);
    CREATE INDEX IF NOT EXISTS packets_context ON packets (context);
    CREATE TABLE IF NOT EXISTS canary (one BIGINT PRIMARY KEY CHECK (one = 1), sealed BYTEA NOT NULL);
    CREATE TABLE IF NOT EXISTS outbox (
        id BYTEA NOT NULL, recipient BIGINT NOT NULL, due BIGINT NOT NULL,
        attempts BIGINT NOT NULL DEFAULT 0, PRIMARY KEY (id, recipient)) /*lite WITHOUT ROWID*/;
    CREATE INDEX IF NOT EXISTS outbox_due ON outbox (due);

    -- Totals, in a row of each stripe: what counts is their sum.
    CREATE TABLE IF NOT EXISTS totals (
        stripe BIGINT PRIMARY KEY, open BIGINT NOT NULL, messages BIGINT NOT NULL,
        outbox BIGINT NOT NULL, parked BIGINT NOT NULL);
    CREATE TABLE IF NOT EXISTS parked (
        sender BIGINT NOT NULL, stripe BIGINT NOT NULL, bytes BIGINT NOT NULL,
        PRIMARY KEY (sender, stripe)) /*lite WITHOUT ROWID*/;

    -- The last marks, in a ring.
    CREATE TABLE IF NOT EXISTS marks (
        slot BIGINT PRIMARY KEY, number BIGINT NOT NULL UNIQUE, epoch BIGINT NOT NULL, head BYTEA NOT NULL);

    -- The number of the last mark that the ledger has confirmed: a ledger that has come less far was put back.
    CREATE TABLE IF NOT EXISTS confirmed (one BIGINT PRIMARY KEY CHECK (one = 1), number BIGINT NOT NULL);

    -- Sealed bytes cannot be compressed.
    /*pg
    ALTER TABLE runs ALTER COLUMN sealed SET STORAGE EXTERNAL, ALTER COLUMN job SET STORAGE EXTERNAL;
    ALTER TABLE inbox ALTER COLUMN sealed SET STORAGE EXTERNAL;
    ALTER TABLE packets ALTER COLUMN sealed SET STORAGE EXTERNAL;
    */
";

/// The number of columns that only the databases of older releases have. Those kept a run by the code of its protocol.
pub(super) const OLDER: &str = "
    /*lite SELECT count(*) FROM pragma_table_info('runs') WHERE name = 'protocol'*/
    /*pg SELECT count(*) FROM information_schema.columns WHERE table_schema = current_schema()
        AND table_name = 'runs' AND column_name = 'protocol'*/";

/// What was spent, with the share that was given for it; the last mark; and the digests of the new shares that the node has
/// given its word for. Nothing is ever deleted here.
pub(super) const LEDGER: &str = "
    CREATE TABLE IF NOT EXISTS spent (id BYTEA PRIMARY KEY, digest BYTEA NOT NULL, share BYTEA)
        /*lite WITHOUT ROWID*/;
    CREATE TABLE IF NOT EXISTS witness (
        one BIGINT PRIMARY KEY CHECK (one = 1),
        number BIGINT NOT NULL, epoch BIGINT NOT NULL, head BYTEA NOT NULL);
    CREATE TABLE IF NOT EXISTS words (
        key_id BYTEA NOT NULL, epoch BIGINT NOT NULL, digest BYTEA NOT NULL, PRIMARY KEY (key_id, epoch));
";
