-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- session-v3.sql - a session as the third version of the format had it, with samples in tables;
-- its second run was cut off, and has no index

PRAGMA application_id = 1198091371;
PRAGMA user_version = 3;
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
  end_reason    TEXT,
  boot_id       TEXT
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
CREATE TABLE loss (
  hook          INTEGER NOT NULL REFERENCES hook (id),
  cpu           INTEGER NOT NULL,
  from_ns       INTEGER NOT NULL,
  to_ns         INTEGER NOT NULL,
  lost          INTEGER NOT NULL,
  dropped       INTEGER NOT NULL,
  PRIMARY KEY (hook, cpu, from_ns)
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
  batch         INTEGER NOT NULL DEFAULT 1,
  refusal       TEXT,
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
  SELECT run, batch, patch, printf ('0x%016x', site) AS site, tactic, state, refusal,
         lower (hex (old_bytes)) AS before, lower (hex (new_bytes)) AS armed, trap_hits,
         armed_ns / 1e9 AS armed_at, spliced_ns / 1e9 AS spliced_at, restored_ns / 1e9 AS restored_at
    FROM patch;

INSERT INTO run VALUES (1,'pipeline','lab:6.1','lab','6.1.0-56-amd64','ab12','[gilk-plan]
','2026-11-20T10:00:00Z',1000,500,1763632800000000000,2500000,2,2000000000,'time is up','b007');
INSERT INTO run VALUES (2,'cut','lab:6.1','lab','6.1.0-56-amd64','ab12','[gilk-plan]
','2026-11-20T11:00:00Z',1000,500,1763636400000000000,2500000,2,NULL,NULL,'b007');
INSERT INTO instrument VALUES (1,1,'task','who was running',3,40,'sample_1_task');
INSERT INTO instrument VALUES (2,1,'count','counts',1,0,NULL);
INSERT INTO instrument VALUES (3,1,'span','entries and exits',1,8,'sample_1_span');
INSERT INTO instrument VALUES (4,2,'task','who was running',3,40,'sample_2_task');
INSERT INTO field VALUES (1,0,'pid','pid','','process',2);
INSERT INTO field VALUES (1,1,'comm','comm','','name',5);
INSERT INTO field VALUES (1,2,'big','big','B','large',0);
INSERT INTO field VALUES (3,0,'frame','frame','','where it returns to',4);
INSERT INTO field VALUES (4,0,'pid','pid','','process',2);
INSERT INTO hook VALUES (1,1,17,'sleeps','pipe_write','kernel','+0x2b1','pre','task','splice',-2128394911,-2128394911,0,0,7,NULL);
INSERT INTO hook VALUES (2,1,18,'calls','pipe_read','kernel','+0x0','pre','count','splice',-2128390911,-2128390911,0,0,3,NULL);
INSERT INTO hook VALUES (3,1,19,'in','vfs_read','kernel','+0x0','pre','span','splice',-2128380911,-2128380911,0,0,3,NULL);
INSERT INTO hook VALUES (4,1,20,'out','vfs_read','kernel','+0x40','post','span','splice',-2128380811,-2128380811,0,0,3,NULL);
INSERT INTO hook VALUES (5,2,17,'again','pipe_write','kernel','+0x2b1','pre','task','splice',-2128394911,-2128394911,0,0,7,NULL);
INSERT INTO counts VALUES (1,0,3,3,0,0,1900000000);
INSERT INTO counts VALUES (1,1,3,2,1,0,1900000000);
INSERT INTO counts VALUES (2,0,1234567890123,0,0,0,1900000000);
INSERT INTO counts VALUES (3,0,2,2,0,0,1900000000);
INSERT INTO counts VALUES (4,0,2,2,0,0,1900000000);
INSERT INTO counts VALUES (5,1,2,2,0,0,1000);
INSERT INTO loss VALUES (1,1,1000000,2000000,1,0);
INSERT INTO count_point VALUES (2,0,0);
INSERT INTO count_point VALUES (2,250000000,77);
CREATE TABLE "sample_1_task" (hook INTEGER NOT NULL, cpu INTEGER NOT NULL, t_ns INTEGER NOT NULL, "pid" INTEGER, "comm" TEXT, "big" INTEGER);
INSERT INTO sample_1_task VALUES (1,0,1000000,301,'cat',1);
INSERT INTO sample_1_task VALUES (1,0,3000000,302,'tr',-1);
INSERT INTO sample_1_task VALUES (1,0,5000000,301,'cat',NULL);
INSERT INTO sample_1_task VALUES (1,1,900000,303,'sort',7);
INSERT INTO sample_1_task VALUES (1,1,4000000,303,'sort',8);
CREATE INDEX "sample_1_task_by_hook" ON "sample_1_task" (hook, t_ns);
CREATE TABLE "sample_1_span" (hook INTEGER NOT NULL, cpu INTEGER NOT NULL, t_ns INTEGER NOT NULL, "frame" INTEGER);
INSERT INTO sample_1_span VALUES (3,0,1000,-5000);
INSERT INTO sample_1_span VALUES (4,0,3000,-5000);
INSERT INTO sample_1_span VALUES (3,0,6000,-5000);
INSERT INTO sample_1_span VALUES (4,0,9000,-5000);
CREATE INDEX "sample_1_span_by_hook" ON "sample_1_span" (hook, t_ns);
CREATE TABLE "sample_2_task" (hook INTEGER NOT NULL, cpu INTEGER NOT NULL, t_ns INTEGER NOT NULL, "pid" INTEGER);
INSERT INTO sample_2_task VALUES (5,1,70,9);
INSERT INTO sample_2_task VALUES (5,1,80,10);
CREATE VIEW "samples_task" AS SELECT h.run AS run, h.label AS hook, h.function AS function, h.block AS block, h.place AS place, s.cpu AS cpu, s.t_ns / 1e9 AS t, s."pid" AS "pid", s."comm" AS "comm", CASE WHEN s."big" < 0 THEN printf ('%llu', s."big") ELSE s."big" END AS "big" FROM "sample_1_task" s JOIN hook h ON h.id = s.hook UNION ALL SELECT h.run AS run, h.label AS hook, h.function AS function, h.block AS block, h.place AS place, s.cpu AS cpu, s.t_ns / 1e9 AS t, s."pid" AS "pid", NULL AS "comm", NULL AS "big" FROM "sample_2_task" s JOIN hook h ON h.id = s.hook;
