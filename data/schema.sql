-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- schema.sql - what is in a Gilk session file
--
-- A session is one SQLite database. This text is compiled into Gilk and run when a
-- session is made; it is also the documentation of the format. Open a session with
-- any SQLite tool; the views at the end are meant for people:
--
--   sqlite3 pipeline.gilk 'SELECT * FROM hooks'
--   gilk sql pipeline.gilk 'SELECT hook, comm, count(*) FROM samples_task GROUP BY 1, 2'
--
-- Conventions
--   Times end in _ns: nanoseconds since the run's time zero, unless said otherwise.
--   Addresses and other 64-bit unsigned values are kept as SQLite's signed integers
--   (kernel addresses are negative); the views print them as they are meant.
--   A run whose end_reason is NULL is being recorded, or was cut off: while
--   FILE-recording is locked it is being recorded, else whoever opens the file next to
--   record into it sets its end_reason to 'cut off'. Reading a session changes nothing in
--   it, nor beside it.
--
-- Samples
--   Samples are kept in chunks: some thousands of one instrument on one CPU, as they came,
--   column by column. A row of chunk says of which hook and from when to when; its
--   columns are rows of chunk_column, each a blob as core/pack/gilk-column.h describes it:
--
--     chunk * 16          times, in ns since time zero
--     chunk * 16 + 1      hook.id of each, where chunk.hook is NULL
--     chunk * 16 + 2 + p  the field at position p; a text as a dictionary and indices. It is
--                         not there if the samples were too short for it
--
--   SQL sees them as tables with gilk sql:
--
--     samples_<instrument> (run, hook, function, block, place, cpu, t, <fields>)
--
-- Clocks
--   t_ns = (tsc - taken_off - zero_tsc) * 1000000000 / tsc_hz, cut towards zero. tsc_hz is what was
--   measured between the first two readings of clock_reading, if they are far enough apart, else
--   the kernel's figure; the third tells how far off it was. A CPU whose counter is ahead by more than
--   the error of that has taken_off = ahead at time zero, others 0. So samples of two CPUs are
--   in the right order if they are further apart than what is left of both offsets and their errors.
--
-- Journal
--   A row of patch is written, and synced to the disk, before the driver is told to arm
--   it; its bytes stay as they are. Its state goes one way and each moment is set once:
--
--     planned    to be armed: whether it was is not known, or its start is not due
--     trapped    in the text as an int3
--     armed      in the text, whole
--     lent       out of use; its bytes stay while a bounce lies in them
--     restored   the text is as before; retired: and its slot is free
--     failed     could not start when it was due, refusal says why
--     refused    the batch was refused, nothing of it was armed
--     gone       with its module
--
--   A run that was cut off tells so what may have been in the text, and what not.
--
-- Accounting
--   For each hook and CPU: hits = stored + lost for hooks that take samples, exactly.
--   An instrument that takes no samples (sample_bytes 0, but for count and stamp) tells of
--   no hit: its 0 means unknown, and the view hooks has NULL there.
--
-- Programs
--   What a hook's probe program keeps between hits is a row of kept_thing each, its numbers are
--   rows of kept_value. They are written while the run goes on, all of a thing at once and in the
--   place of those before, so that a run that was cut off has the last ones. A number that is 0
--   has no row. What the key of a number means is its thing's kind:
--
--     global      key 0, cpu -1: one for all CPUs
--     counter     key 0: how much was added on that CPU, a sum of 64 bits without a sign
--     histogram   the number of a bucket, 2^bits of them an octave; buckets below 2^bits hold one
--                 number each. The view kept has the bounds of each: low to below high
--     map         the key, in the two's complement of an unsigned one if signed is 0
--     bad         key 0: how often something could not be read, or was divided by 0
--     missed      key 0: how often a key found no room in the map of that name
--
--   The value of a key of all CPUs is the sum over its rows.
--
--   A map "target" of addresses, of a hook whose place is 'at', tells where an indirect call goes:
--   the view targets.

-- Meanings
--   A number in a sample, the key of a map, or the values of a histogram may be more than numbers. What
--   they are, field.meaning and kept_thing.meaning tell:
--
--     symbol      an address of the kernel's; the table address has its name
--     stack       0: there was none; else a row of stack for each call
--     errno       an error if it is from -4095 to -1
--     enum NAME   of one of the kernel's enums; the table value_name has its constants
--     ns          of a histogram: nanoseconds
--     KEYS=UNIT   of a map, a counter or a global: what keys are, or nothing, and the unit of values: errno=ns, =ns
--
--   Names are written when the run ends: what has none is a number.

PRAGMA application_id = 1198091371;     -- 0x47696C6B, "Gilk"
PRAGMA user_version = 1;                -- of this schema

-- One recording.
CREATE TABLE run (
  id            INTEGER PRIMARY KEY,
  title         TEXT,                   -- of the plan
  target        TEXT NOT NULL,          -- as given: lab:6.1, local, ssh:HOST
  hostname      TEXT,
  release       TEXT,                   -- uname -r
  build_id      TEXT,                   -- the kernel's GNU build id, lower-case hex
  plan          TEXT NOT NULL,          -- the plan's text, as it was run
  started       TEXT NOT NULL,          -- ISO 8601, UTC
  zero_tsc      INTEGER NOT NULL,       -- time stamp counter at time zero
  zero_mono_ns  INTEGER NOT NULL,       -- the target's CLOCK_MONOTONIC at time zero
  zero_unix_ns  INTEGER NOT NULL,       -- this machine's clock at time zero, since 1970
  tsc_khz       INTEGER NOT NULL,       -- the counter's rate, as the target's kernel has it
  n_cpus        INTEGER NOT NULL,
  duration_ns   INTEGER,
  end_reason    TEXT,                   -- 'stopped', 'time is up', or what went wrong
  boot_id       TEXT,                   -- of the target: what it booted since has other text
  tsc_hz        INTEGER                 -- see Clocks; NULL: 1000 * tsc_khz
);

-- The target's CLOCK_MONOTONIC and a time stamp counter read together, see Clocks.
CREATE TABLE clock_reading (
  run           INTEGER NOT NULL REFERENCES run (id),
  position      INTEGER NOT NULL,       -- 0 before the run, 1 at time zero, 2 at its end
  tsc           INTEGER NOT NULL,       -- of the reference's counter
  mono_ns       INTEGER NOT NULL,
  error         INTEGER NOT NULL,       -- ticks that the counter may have been off then, either way, at most
  PRIMARY KEY (run, position)
) WITHOUT ROWID;

-- The time stamp counter of a CPU against that of the reference, the CPU whose own offset is 0. Of
-- a CPU that is not here nothing is known.
CREATE TABLE cpu_clock (
  run           INTEGER NOT NULL REFERENCES run (id),
  position      INTEGER NOT NULL,       -- 1 at time zero, 2 at the run's end
  cpu           INTEGER NOT NULL,
  ahead         INTEGER NOT NULL,       -- ticks
  error         INTEGER NOT NULL,       -- of these, either way, at most
  taken_off     INTEGER NOT NULL,       -- ticks by which this CPU's samples were set back
  PRIMARY KEY (run, position, cpu)
) WITHOUT ROWID;

-- What a hit of a hook costs on the target, measured before the run, while it went on and at its end: the hook's
-- own code with the jumps or the trap to it and back, as if it were alone in its patch, called over and
-- over. Of hook, by its instrument, tactic and cost.
CREATE TABLE cost (
  run           INTEGER NOT NULL REFERENCES run (id),
  instrument    TEXT NOT NULL,
  tactic        TEXT NOT NULL,
  instructions  INTEGER NOT NULL,       -- hook.cost
  ns            REAL NOT NULL,          -- median of the measurements
  low_ns        REAL NOT NULL,          -- with 95 % the mean over the run is in here: by Student's t of the measurements'
  high_ns       REAL NOT NULL,          -- spread, or of a single one what its rounds say of another round
  least_ns      REAL NOT NULL,          -- the fastest row of calls
  PRIMARY KEY (run, instrument, tactic, instructions)
) WITHOUT ROWID;

-- The measurements of a cost, in order.
CREATE TABLE cost_measurement (
  run           INTEGER NOT NULL REFERENCES run (id),
  instrument    TEXT NOT NULL,
  tactic        TEXT NOT NULL,
  instructions  INTEGER NOT NULL,
  position      INTEGER NOT NULL,       -- 0: before the run
  t_ns          INTEGER,                -- since time zero, or NULL: before it
  ns            REAL NOT NULL,          -- median of the rows of calls
  least_ns      REAL NOT NULL,
  PRIMARY KEY (run, instrument, tactic, instructions, position)
) WITHOUT ROWID;

-- What an instrument said about itself when the run began.
CREATE TABLE instrument (
  id            INTEGER PRIMARY KEY,
  run           INTEGER NOT NULL REFERENCES run (id),
  name          TEXT NOT NULL,
  help          TEXT,
  version       INTEGER NOT NULL,
  sample_bytes  INTEGER NOT NULL,       -- payload of its samples; 0: times only, or none
  takes_samples INTEGER NOT NULL,       -- 1: it does, 0: it only counts
  UNIQUE (run, name)
);

-- The fields of an instrument's samples, in order.
CREATE TABLE field (
  instrument    INTEGER NOT NULL REFERENCES instrument (id),
  position      INTEGER NOT NULL,
  name          TEXT NOT NULL,
  column_name   TEXT NOT NULL,          -- for SQL
  unit          TEXT NOT NULL,          -- 'ns', 'B', ''
  help          TEXT,
  type          INTEGER NOT NULL,       -- 0 u64, 1 s64, 2 u32, 3 s32, 4 hex64, 5 text
  meaning       TEXT,                   -- what its numbers are, see Meanings; NULL: numbers
  PRIMARY KEY (instrument, position)
) WITHOUT ROWID;

-- A probe point with an instrument bound.
CREATE TABLE hook (
  id            INTEGER PRIMARY KEY,
  run           INTEGER NOT NULL REFERENCES run (id),
  iid           INTEGER NOT NULL,       -- the driver's number for it
  label         TEXT NOT NULL,          -- unique in the run
  function      TEXT NOT NULL,
  module        TEXT,                   -- 'kernel', or the module's name
  block         TEXT NOT NULL,          -- offset of its block, or instruction: +0x2b1, .cold+0x10
  place         TEXT NOT NULL,          -- 'pre' or 'post' of a block, 'at': before an instruction
  instrument    TEXT NOT NULL,
  tactic        TEXT NOT NULL,          -- 'splice', 'trap', ...
  addr          INTEGER NOT NULL,       -- of the block, or instruction
  site          INTEGER NOT NULL,       -- first byte that was overwritten
  start_ns      INTEGER NOT NULL,
  stop_ns       INTEGER NOT NULL,       -- 0: until the run ended
  cost          INTEGER NOT NULL,       -- predicted instructions added to each hit
  fingerprint   TEXT,                   -- of the block's instructions
  switched      INTEGER NOT NULL DEFAULT 0  -- 1: off and on, see ab_block
);

-- The probe program that a hook ran.
CREATE TABLE program (
  hook          INTEGER PRIMARY KEY REFERENCES hook (id),
  name          TEXT,                   -- in the plan, if it has one
  code          TEXT NOT NULL           -- as it was run
);

-- What a program keeps between hits, see Programs.
CREATE TABLE kept_thing (
  id            INTEGER PRIMARY KEY,
  hook          INTEGER NOT NULL REFERENCES hook (id),
  position      INTEGER NOT NULL,       -- 0, 1, ..., as the program declares them
  name          TEXT NOT NULL,
  kind          TEXT NOT NULL,          -- 'global', 'counter', 'histogram', 'map', 'bad', 'missed'
  bits          INTEGER NOT NULL,       -- of a histogram: 2^bits buckets an octave, else 0
  slots         INTEGER NOT NULL,       -- of a map: room for so many keys on each CPU, else 0
  signed        INTEGER NOT NULL,       -- 1: a global's value, or a map's keys, have a sign
  meaning       TEXT,                   -- of a map's keys, or a histogram's values, see Meanings, or NULL
  UNIQUE (hook, name, kind)
);

CREATE TABLE kept_value (
  kept          INTEGER NOT NULL REFERENCES kept_thing (id),
  key           INTEGER NOT NULL,       -- see Programs
  cpu           INTEGER NOT NULL,       -- -1: of all CPUs
  value         INTEGER NOT NULL,
  PRIMARY KEY (kept, key, cpu)
) WITHOUT ROWID;

-- When those hooks that are switched were on, and when off: blocks of time that come in pairs, one of each kind,
-- in the order that the plan's seed draws.
CREATE TABLE ab_block (
  run           INTEGER NOT NULL REFERENCES run (id),
  position      INTEGER NOT NULL,
  from_ns       INTEGER NOT NULL,
  to_ns         INTEGER NOT NULL,
  hooks_on      INTEGER NOT NULL,
  whole         INTEGER NOT NULL,       -- 0: the run ended in it
  PRIMARY KEY (run, position)
) WITHOUT ROWID;

-- Totals of a hook on one CPU. Exact, also where samples were lost.
CREATE TABLE counts (
  hook          INTEGER NOT NULL REFERENCES hook (id),
  cpu           INTEGER NOT NULL,
  hits          INTEGER NOT NULL DEFAULT 0,
  stored        INTEGER NOT NULL DEFAULT 0,   -- samples that are here
  lost          INTEGER NOT NULL DEFAULT 0,   -- samples that found no room
  dropped       INTEGER NOT NULL DEFAULT 0,   -- re-entries not taken
  at_ns         INTEGER NOT NULL DEFAULT 0,   -- when these figures were read
  PRIMARY KEY (hook, cpu)
) WITHOUT ROWID;

-- Samples that are missing, and when: between two readings of the hook's counters, the
-- first asked for at from_ns at the earliest, the second there by to_ns.
CREATE TABLE loss (
  hook          INTEGER NOT NULL REFERENCES hook (id),
  cpu           INTEGER NOT NULL,
  from_ns       INTEGER NOT NULL,
  to_ns         INTEGER NOT NULL,
  lost          INTEGER NOT NULL,       -- samples that found no room
  dropped       INTEGER NOT NULL,       -- re-entries not taken
  PRIMARY KEY (hook, cpu, from_ns)
) WITHOUT ROWID;

-- Samples of any hook that a CPU lost, and where they are missing in what came of it: behind a
-- sample at from_ns (0: there was none), before one at to_ns, or before that was seen. Rings that
-- are overwritten lose what is oldest.
CREATE TABLE gap (
  id            INTEGER PRIMARY KEY,
  run           INTEGER NOT NULL REFERENCES run (id),
  cpu           INTEGER NOT NULL,
  from_ns       INTEGER NOT NULL,
  to_ns         INTEGER NOT NULL,
  lost          INTEGER NOT NULL
);

-- Samples of one instrument on one CPU, in the order in which they came. Those of one hook
-- and CPU are so in order of chunk.id, too.
CREATE TABLE chunk (
  id            INTEGER PRIMARY KEY,
  instrument    INTEGER NOT NULL REFERENCES instrument (id),
  hook          INTEGER REFERENCES hook (id),   -- NULL: of several, see chunk_column
  cpu           INTEGER NOT NULL,
  n             INTEGER NOT NULL,
  first_ns      INTEGER NOT NULL,       -- the earliest of them
  last_ns       INTEGER NOT NULL,       -- the latest
  lost_before   INTEGER NOT NULL DEFAULT 0  -- samples of any hook that the CPU lost between what was
                                        -- written before and this, and all written at once have it
);

CREATE INDEX chunk_by_hook ON chunk (instrument, hook, first_ns);

CREATE TABLE chunk_column (
  id            INTEGER PRIMARY KEY,    -- see Samples
  data          BLOB NOT NULL,
  codec         INTEGER NOT NULL DEFAULT 0  -- 1: data is a zstd frame of what it should be
);

-- For plots, of columns of numbers: what they look like from afar.
CREATE TABLE chunk_groups (             -- to look at samples from afar, of chunks of one hook
  id            INTEGER PRIMARY KEY,    -- that of the column
  least         INTEGER NOT NULL,       -- of all
  greatest      INTEGER NOT NULL,
  lengths       BLOB,                   -- of times alone: how many samples each group of tiles
                                        -- has, as core/pack/gilk-tiling.h says
  bounds        BLOB NOT NULL           -- least and greatest of each group, as 64-bit
                                        -- little-endian integers
);
CREATE TABLE chunk_tiles (              -- the same of tiles
  id            INTEGER PRIMARY KEY,
  lengths       BLOB,
  bounds        BLOB NOT NULL
);
CREATE TABLE chunk_sketch (             -- how values are spread: of fields of chunks of one hook that have
                                        -- a thousand and more
  id            INTEGER PRIMARY KEY,
  data          BLOB NOT NULL           -- as core/pack/gilk-sketch.h says
);

-- Hits of a hook over time: cumulative, all CPUs. One that stands still has a point where it began to, and where
-- it was seen to last. In a run that was cut off the latter may be missing, and is in counts: the greatest at_ns of
-- the run is when all were looked at.
CREATE TABLE count_point (
  hook          INTEGER NOT NULL REFERENCES hook (id),
  t_ns          INTEGER NOT NULL,
  hits          INTEGER NOT NULL,
  PRIMARY KEY (hook, t_ns)
) WITHOUT ROWID;

-- Every change of kernel text: on disk before it is made, and what became of it.
CREATE TABLE patch (
  run           INTEGER NOT NULL REFERENCES run (id),
  patch         INTEGER NOT NULL,       -- the driver's number for it; negative: its bounce
  site          INTEGER NOT NULL,
  slot          INTEGER NOT NULL,       -- where the out-of-line code was
  tactic        TEXT NOT NULL,
  state         TEXT NOT NULL,          -- last state known, see Journal
  old_bytes     BLOB NOT NULL,          -- text before, and again after
  new_bytes     BLOB NOT NULL,          -- text while armed; while trapped only its first is cc
  trap_hits     INTEGER NOT NULL,       -- hits that came by int3
  armed_ns      INTEGER,                -- first byte written; NULL: never
  spliced_ns    INTEGER,                -- jump complete; NULL: never
  restored_ns   INTEGER,                -- text put back; NULL: not seen
  batch         INTEGER NOT NULL DEFAULT 1, -- of the run: 1 before it began, 2 its first change, ...
  refusal       TEXT,                   -- why it was not armed
  PRIMARY KEY (run, patch)
) WITHOUT ROWID;

-- The hooked functions as they were: graph and disassembly.
CREATE TABLE function (
  id            INTEGER PRIMARY KEY,
  run           INTEGER NOT NULL REFERENCES run (id),
  name          TEXT NOT NULL,
  module        TEXT,
  entry         INTEGER NOT NULL
);

CREATE TABLE block (
  function      INTEGER NOT NULL REFERENCES function (id),
  position      INTEGER NOT NULL,       -- by address
  name          TEXT NOT NULL,          -- +0x2b1
  start         INTEGER NOT NULL,
  end           INTEGER NOT NULL,       -- behind its last byte
  cold          INTEGER NOT NULL,       -- 1: in the function's .cold part
  text          TEXT,                   -- disassembly, one instruction a line
  PRIMARY KEY (function, position)
) WITHOUT ROWID;

CREATE TABLE edge (
  function      INTEGER NOT NULL REFERENCES function (id),
  position      INTEGER NOT NULL,
  from_block    INTEGER NOT NULL,       -- block.position
  to_block      INTEGER NOT NULL,
  kind          INTEGER NOT NULL,       -- 0 falls, 1 taken, 2 not taken, 3 jump, 4 static key, 5 fix-up
  back          INTEGER NOT NULL,       -- 1: closes a loop
  PRIMARY KEY (function, position)
) WITHOUT ROWID;

-- Names of numbers, see Meanings. Of the kernel's addresses:
CREATE TABLE address (
  run           INTEGER NOT NULL REFERENCES run (id),
  address       INTEGER NOT NULL,
  symbol        TEXT NOT NULL,
  offset        INTEGER NOT NULL,       -- from the symbol
  module        TEXT NOT NULL,          -- 'kernel', or the module's name
  PRIMARY KEY (run, address)
) WITHOUT ROWID;

-- Of stacks: where each call returns to, from within outwards.
CREATE TABLE stack (
  run           INTEGER NOT NULL REFERENCES run (id),
  id            INTEGER NOT NULL,
  depth         INTEGER NOT NULL,       -- 0, 1, ...
  address       INTEGER NOT NULL,
  PRIMARY KEY (run, id, depth)
) WITHOUT ROWID;

-- Where in the source hooks, stacks and writers are, if there were debug data when the run ended: at depth 0 the line
-- that the address is of (of a call that returns there, its line), behind it from where that was inlined.
CREATE TABLE line (
  run           INTEGER NOT NULL REFERENCES run (id),
  address       INTEGER NOT NULL,
  depth         INTEGER NOT NULL,       -- 0, 1, ...
  function      TEXT,                   -- whose code it is
  file          TEXT NOT NULL,          -- as the source tree has it: fs/pipe.c
  line          INTEGER NOT NULL,
  PRIMARY KEY (run, address, depth)
) WITHOUT ROWID;

-- Of others.
CREATE TABLE value_name (
  run           INTEGER NOT NULL REFERENCES run (id),
  meaning       TEXT NOT NULL,
  value         INTEGER NOT NULL,
  name          TEXT NOT NULL,
  PRIMARY KEY (run, meaning, value)
) WITHOUT ROWID;

-- What a person wrote about a run.
CREATE TABLE note (
  id            INTEGER PRIMARY KEY,
  run           INTEGER REFERENCES run (id),
  written       TEXT NOT NULL,          -- ISO 8601, UTC
  t_ns          INTEGER,                -- moment it is about, or where that time begins; NULL: the whole run
  text          TEXT NOT NULL,
  to_ns         INTEGER,                -- where it ends, t_ns: a moment
  hook          INTEGER REFERENCES hook (id),   -- it is about; NULL: none alone
  author        TEXT
);

-- Checksums, by which gilk session verify finds what is not as it was written: core/store/gilk-store-checksum.c says
-- how they are made. A run has them from its end on; run 0 stands for the tables and views of this file.
CREATE TABLE row_checksum (
  run           INTEGER NOT NULL,
  name          TEXT NOT NULL,          -- of a table, 'schema' of run 0
  n             INTEGER NOT NULL,       -- rows of the run that are in it
  checksum      INTEGER NOT NULL,
  PRIMARY KEY (run, name)
) WITHOUT ROWID;

-- Of a chunk's rows in chunk, chunk_column, chunk_groups, chunk_tiles and chunk_sketch.
CREATE TABLE chunk_checksum (
  id            INTEGER PRIMARY KEY,    -- chunk.id
  checksum      INTEGER NOT NULL
);

-- ---- views ----

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

CREATE VIEW programs AS
  SELECT h.run, h.label AS hook, p.name, p.code FROM program p JOIN hook h ON h.id = p.hook;

-- What programs kept: a row a number, and one of what is 0 all over. Those of 64 bits without a
-- sign that SQLite has no integers for are texts, bounds of buckets floating point.
CREATE VIEW kept AS
  SELECT run, hook, name, kind, cpu,
         CASE WHEN kind = 'map' AND signed = 0 AND key < 0 THEN printf ('%llu', key)
              WHEN kind IN ('map', 'histogram') THEN key END AS key,
         CASE WHEN low < 0 THEN low + 18446744073709551616.0 ELSE low END AS low,
         CASE WHEN high <= 0 THEN high + 18446744073709551616.0 ELSE high END AS high,
         CASE WHEN kind <> 'map' AND signed = 0 AND value < 0 THEN printf ('%llu', value)
              ELSE value END AS value
    FROM (SELECT h.run, h.label AS hook, t.name, t.kind, t.signed, t.hook AS of, t.position,
                 nullif (v.cpu, -1) AS cpu, v.key, coalesce (v.value, 0) AS value,
                 CASE WHEN t.kind <> 'histogram' THEN NULL
                      WHEN v.key >> t.bits = 0 THEN v.key
                      ELSE (v.key - (((v.key >> t.bits) - 1) << t.bits)) << ((v.key >> t.bits) - 1)
                 END AS low,
                 CASE WHEN t.kind <> 'histogram' THEN NULL
                      WHEN (v.key + 1) >> t.bits = 0 THEN v.key + 1
                      ELSE (v.key + 1 - ((((v.key + 1) >> t.bits) - 1) << t.bits))
                           << (((v.key + 1) >> t.bits) - 1)
                 END AS high
            FROM kept_thing t JOIN hook h ON h.id = t.hook
                 LEFT JOIN kept_value v ON v.kept = t.id)
   ORDER BY of, position, key, cpu;

-- Where indirect calls went (gilk plan new --targets): edges to other functions, from an instruction.
CREATE VIEW targets AS
  SELECT h.run, h.label AS hook, h.function, h.module, h.block AS call,
         printf ('0x%016x', v.key) AS address,
         CASE WHEN a.offset <> 0 THEN printf ('%s+0x%x', a.symbol, a.offset) ELSE a.symbol END AS target,
         a.module AS target_module, sum (v.value) AS times
    FROM kept_thing t JOIN hook h ON h.id = t.hook JOIN kept_value v ON v.kept = t.id
         LEFT JOIN address a ON a.run = h.run AND a.address = v.key
   WHERE t.kind = 'map' AND t.name = 'target' AND t.meaning = 'symbol'
   GROUP BY h.id, v.key
   ORDER BY h.id, times DESC;
