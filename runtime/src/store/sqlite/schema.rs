//! The tables. A migration that was shipped is never edited: the next one is appended.

/// `GWRT`, in the file's header.
pub(super) const APPLICATION_ID: i64 = 0x4757_5254;

/// Step `n` takes a file from version `n` to `n + 1`.
pub(super) const MIGRATIONS: &[&str] = &[V1];

const V1: &str = "
CREATE TABLE gw_scope (
  hash BLOB PRIMARY KEY,
  path TEXT NOT NULL                                -- the segments as JSON, for people
) STRICT, WITHOUT ROWID;

CREATE TABLE gw_graph (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, version INTEGER NOT NULL, fingerprint BLOB NOT NULL,
  UNIQUE (name, version, fingerprint)
) STRICT;

-- One row a thread, of constant size: the only thing that is ever compared and swapped.
CREATE TABLE gw_thread (
  uid       INTEGER PRIMARY KEY AUTOINCREMENT,      -- never used again: a late writer of a deleted thread finds nothing
  scope     BLOB    NOT NULL REFERENCES gw_scope,
  name      TEXT    NOT NULL,
  seq       INTEGER NOT NULL,
  status    INTEGER NOT NULL,                       -- 0 idle, 1 running, 2 paused, 3 stopped, 4 deleted (tombstone)
  run       BLOB,
  worker    BLOB,
  turn      BLOB    NOT NULL,
  graph     INTEGER NOT NULL REFERENCES gw_graph,
  first_seq INTEGER NOT NULL DEFAULT 1,             -- oldest row kept
  snap_seq  INTEGER NOT NULL DEFAULT 0,             -- newest snapshot
  debt      INTEGER NOT NULL DEFAULT 0,             -- bytes of rows since that snapshot
  at        INTEGER NOT NULL,                       -- microseconds, never falls
  UNIQUE (scope, name),
  CHECK ((status = 1) = (run IS NOT NULL) AND (worker IS NULL OR run IS NOT NULL))
) STRICT;
CREATE INDEX gw_thread_scope ON gw_thread (scope, uid);
CREATE INDEX gw_thread_running ON gw_thread (uid) WHERE status = 1;
CREATE INDEX gw_thread_deleted ON gw_thread (at) WHERE status = 4;

CREATE TABLE gw_row (
  uid       INTEGER NOT NULL REFERENCES gw_thread ON DELETE CASCADE,
  seq       INTEGER NOT NULL,
  commit_id BLOB    NOT NULL,                       -- answers: was that me?
  kind      INTEGER NOT NULL,
  turn      BLOB    NOT NULL,
  run       BLOB,
  path      TEXT    NOT NULL,                       -- empty: the root frame
  ord       INTEGER NOT NULL,
  place     TEXT    NOT NULL,
  graph     INTEGER NOT NULL,
  at        INTEGER NOT NULL,
  body      BLOB    NOT NULL,
  crc       INTEGER NOT NULL,                       -- over everything else
  PRIMARY KEY (uid, seq)
) STRICT;

CREATE TABLE gw_snapshot (
  uid INTEGER NOT NULL REFERENCES gw_thread ON DELETE CASCADE,
  seq INTEGER NOT NULL, body BLOB NOT NULL, crc INTEGER NOT NULL,
  PRIMARY KEY (uid, seq)
) STRICT;

CREATE TABLE gw_question (
  uid        INTEGER NOT NULL REFERENCES gw_thread ON DELETE CASCADE,
  id         BLOB    NOT NULL,
  scope      BLOB    NOT NULL,
  gen        INTEGER NOT NULL,                      -- raised by a reissue
  state      INTEGER NOT NULL,                      -- 0 open, 1 answered, 2 abandoned, 3 expired, 4 superseded
  opened     INTEGER NOT NULL,
  opened_at  INTEGER NOT NULL,
  closed     INTEGER,
  path       TEXT    NOT NULL,
  place      TEXT    NOT NULL,
  digest     BLOB    NOT NULL,
  expires    INTEGER,
  expiry_way INTEGER NOT NULL,
  notify     INTEGER NOT NULL,
  outbox     INTEGER NOT NULL,                      -- its message is not yet delivered
  graph      INTEGER NOT NULL,
  body       BLOB    NOT NULL,
  crc        INTEGER NOT NULL,                      -- over what never changes
  answer     BLOB,                                  -- digest of the answer taken
  PRIMARY KEY (uid, id)
) STRICT, WITHOUT ROWID;                            -- one page less in each commit that asks or answers
CREATE INDEX gw_question_open ON gw_question (scope, opened_at, uid, id) WHERE state = 0;
CREATE INDEX gw_question_due ON gw_question (expires, uid, id) WHERE state = 0 AND expiry_way = 1;
CREATE INDEX gw_question_outbox ON gw_question (uid, id) WHERE state = 0 AND outbox = 1;

CREATE TABLE gw_label (
  uid INTEGER NOT NULL, id BLOB NOT NULL, n INTEGER NOT NULL, label TEXT NOT NULL,
  PRIMARY KEY (uid, id, n),
  FOREIGN KEY (uid, id) REFERENCES gw_question ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX gw_label_label ON gw_label (label, uid, id);

CREATE TABLE gw_request (
  uid INTEGER NOT NULL REFERENCES gw_thread ON DELETE CASCADE, key TEXT NOT NULL, seq INTEGER NOT NULL,
  PRIMARY KEY (uid, key)
) STRICT, WITHOUT ROWID;
";
