-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- session-v1.sql - a session as the first version of the format had it

PRAGMA application_id = 1198091371;
PRAGMA user_version = 1;
CREATE TABLE run (
  id            INTEGER PRIMARY KEY,
  title         TEXT,
  target        TEXT NOT NULL,
  hostname      TEXT,
  release       TEXT,
  build_id      TEXT,
  plan          TEXT NOT NULL,
  started       TEXT NOT NULL,
  zero_tsc      INTEGER NOT NULL,
  zero_mono_ns  INTEGER NOT NULL,
  zero_unix_ns  INTEGER NOT NULL,
  tsc_khz       INTEGER NOT NULL,
  n_cpus        INTEGER NOT NULL,
  duration_ns   INTEGER,
  end_reason    TEXT
);
CREATE TABLE instrument (
  id            INTEGER PRIMARY KEY,
  run           INTEGER NOT NULL REFERENCES run (id),
  name          TEXT NOT NULL,
  help          TEXT,
  version       INTEGER NOT NULL,
  sample_bytes  INTEGER NOT NULL,
  sample_table  TEXT,
  UNIQUE (run, name)
);
CREATE TABLE field (
  instrument    INTEGER NOT NULL REFERENCES instrument (id),
  position      INTEGER NOT NULL,
  name          TEXT NOT NULL,
  column_name   TEXT NOT NULL,
  unit          TEXT NOT NULL,
  help          TEXT,
  type          INTEGER NOT NULL,
  PRIMARY KEY (instrument, position)
) WITHOUT ROWID;
CREATE TABLE hook (
  id            INTEGER PRIMARY KEY,
  run           INTEGER NOT NULL REFERENCES run (id),
  iid           INTEGER NOT NULL,
  label         TEXT NOT NULL,
  function      TEXT NOT NULL,
  module        TEXT,
  block         TEXT NOT NULL,
  place         TEXT NOT NULL,
  instrument    TEXT NOT NULL,
  tactic        TEXT NOT NULL,
  addr          INTEGER NOT NULL,
  site          INTEGER NOT NULL,
  start_ns      INTEGER NOT NULL,
  stop_ns       INTEGER NOT NULL,
  cost          INTEGER NOT NULL,
  fingerprint   TEXT
);
CREATE TABLE counts (
  hook          INTEGER NOT NULL REFERENCES hook (id),
  cpu           INTEGER NOT NULL,
  hits          INTEGER NOT NULL DEFAULT 0,
  stored        INTEGER NOT NULL DEFAULT 0,
  lost          INTEGER NOT NULL DEFAULT 0,
  dropped       INTEGER NOT NULL DEFAULT 0,
  at_ns         INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (hook, cpu)
) WITHOUT ROWID;
CREATE TABLE count_point (
  hook          INTEGER NOT NULL REFERENCES hook (id),
  t_ns          INTEGER NOT NULL,
  hits          INTEGER NOT NULL,
  PRIMARY KEY (hook, t_ns)
) WITHOUT ROWID;
CREATE TABLE patch (
  run           INTEGER NOT NULL REFERENCES run (id),
  patch         INTEGER NOT NULL,
  site          INTEGER NOT NULL,
  slot          INTEGER NOT NULL,
  tactic        TEXT NOT NULL,
  state         TEXT NOT NULL,
  old_bytes     BLOB NOT NULL,
  new_bytes     BLOB NOT NULL,
  trap_hits     INTEGER NOT NULL,
  armed_ns      INTEGER,
  spliced_ns    INTEGER,
  restored_ns   INTEGER,
  PRIMARY KEY (run, patch)
) WITHOUT ROWID;
CREATE TABLE function (
  id            INTEGER PRIMARY KEY,
  run           INTEGER NOT NULL REFERENCES run (id),
  name          TEXT NOT NULL,
  module        TEXT,
  entry         INTEGER NOT NULL
);
CREATE TABLE block (
  function      INTEGER NOT NULL REFERENCES function (id),
  position      INTEGER NOT NULL,
  name          TEXT NOT NULL,
  start         INTEGER NOT NULL,
  end           INTEGER NOT NULL,
  cold          INTEGER NOT NULL,
  text          TEXT,
  PRIMARY KEY (function, position)
) WITHOUT ROWID;
CREATE TABLE edge (
  function      INTEGER NOT NULL REFERENCES function (id),
  position      INTEGER NOT NULL,
  from_block    INTEGER NOT NULL,
  to_block      INTEGER NOT NULL,
  kind          INTEGER NOT NULL,
  back          INTEGER NOT NULL,
  PRIMARY KEY (function, position)
) WITHOUT ROWID;
CREATE TABLE note (
  id            INTEGER PRIMARY KEY,
  run           INTEGER REFERENCES run (id),
  written       TEXT NOT NULL,
  t_ns          INTEGER,
  text          TEXT NOT NULL
);
CREATE VIEW hooks AS
  SELECT h.run, h.label AS hook, h.function, h.module, h.block, h.place, h.instrument, h.tactic,
         printf ('0x%016x', h.addr) AS address, h.cost,
         h.start_ns / 1e9 AS start, nullif (h.stop_ns, 0) / 1e9 AS stop,
         CASE WHEN coalesce (sum (c.hits), 0) > 0 OR h.instrument IN ('count', 'stamp', 'span') OR
                   NOT EXISTS (SELECT 1 FROM instrument i WHERE i.run = h.run AND
                               i.name = h.instrument AND i.sample_bytes = 0)
              THEN coalesce (sum (c.hits), 0) END AS hits, coalesce (sum (c.stored), 0) AS stored,
         coalesce (sum (c.lost), 0) AS lost, coalesce (sum (c.dropped), 0) AS dropped
    FROM hook h LEFT JOIN counts c ON c.hook = h.id
   GROUP BY h.id;
CREATE VIEW runs AS
  SELECT r.id AS run, r.title, r.target, r.release, r.started, r.duration_ns / 1e9 AS seconds,
         r.end_reason,
         (SELECT count (*) FROM hook h WHERE h.run = r.id) AS hooks,
         (SELECT coalesce (sum (c.stored), 0) FROM hook h JOIN counts c ON c.hook = h.id
           WHERE h.run = r.id) AS samples,
         (SELECT coalesce (sum (c.lost), 0) FROM hook h JOIN counts c ON c.hook = h.id
           WHERE h.run = r.id) AS lost
    FROM run r;
CREATE VIEW patches AS
  SELECT run, patch, printf ('0x%016x', site) AS site, tactic, state,
         lower (hex (old_bytes)) AS before, lower (hex (new_bytes)) AS armed, trap_hits,
         armed_ns / 1e9 AS armed_at, spliced_ns / 1e9 AS spliced_at, restored_ns / 1e9 AS restored_at
    FROM patch;
INSERT INTO run VALUES (1, 'old', 'lab:6.1', 'lab', '6.1.0', 'abcd', '[gilk-plan]', '2023-11-14T22:13:20Z', 1000, 500, 1700000000000000000, 1000000, 1, 2000000000, 'time is up');
INSERT INTO instrument VALUES (1, 1, 'count', 'counts', 1, 0, NULL);
INSERT INTO hook VALUES (1, 1, 1, 'h', 'vfs_read', 'kernel', '+0x5', 'pre', 'count', 'splice', 16, 16, 0, 0, 3, 'ffff');
INSERT INTO counts VALUES (1, 0, 77, 0, 0, 0, 2000000000);
INSERT INTO count_point VALUES (1, 0, 0), (1, 1000000000, 77);
INSERT INTO patch VALUES (1, 7, 16, 32, 'splice', 'restored', x'9090909090', x'e901020304', 0, 1, 2, 3);
