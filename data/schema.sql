-- SPDX-License-Identifier: GPL-2.0-or-later
--
-- schema.sql - the format of a Gilk session file
--
-- A session is one SQLite database. This text is compiled into Gilk, which runs it to create
-- a session; it is also the documentation of the format. Any SQLite tool can read a session.
-- The views at the end are meant for people:
--
--   sqlite3 pipeline.gilk 'SELECT * FROM hooks'
--   gilk sql pipeline.gilk 'SELECT hook, comm, count(*) FROM samples_task GROUP BY 1, 2'
--
-- Conventions
--   Columns of times end in _ns: nanoseconds since the run's time zero, unless noted otherwise.
--   SQLite has only signed integers. Addresses and other unsigned 64-bit values are stored with the
--   same bits, so addresses of the kernel are negative; the views print them as unsigned.
--   A run whose end_reason is NULL is being recorded or was cut off. While FILE-recording is
--   locked it is being recorded; otherwise the next program that opens the file to record into it
--   sets end_reason to 'cut off'. Reading a session changes neither the file nor its directory.
--
-- Samples
--   Samples are stored in chunks of up to some thousands, of one instrument on one CPU, in order
--   of arrival, by column. The row of chunk has their hook and their range of times. Each column
--   is a row of chunk_column; core/pack/gilk-column.h describes the blob. The id of the row is
--
--     chunk * 16          times, in ns since time zero
--     chunk * 16 + 1      hook.id of each sample, if chunk.hook is NULL
--     chunk * 16 + 2 + p  the field at position p; a text is a dictionary and indices. Missing if
--                         the samples were too short to have the field
--
--   gilk sql presents them as tables:
--
--     samples_<instrument> (run, hook, function, block, place, cpu, t, <fields>)
--
-- Clocks
--   t_ns = (tsc - subtracted_offset - zero_tsc) * 1000000000 / tsc_hz, rounded towards zero. tsc_hz
--   is the frequency measured between the first two rows of timestamp_pair if these are far enough
--   apart, otherwise the kernel's; the third row shows its error. The TSC of a CPU may differ from
--   the reference's by an offset. An offset that is larger than its error is subtracted from that
--   CPU's samples: subtracted_offset is the offset at time zero, otherwise 0. Samples of two CPUs are
--   in the right order if their distance exceeds the residual offsets and errors of both.
--
-- Journal
--   A row of patch is written and synced to disk before the driver is told to arm the patch; its
--   bytes never change. Its state advances in one direction, and each of its times is set once:
--
--     planned    to be armed: either its start has not come, or whether it was armed is unknown
--     trapped    in the text as an int3
--     armed      in the text completely
--     lending    disarmed, but its bytes stay because a bounce uses part of them
--     restored   the text is as before; retired: its slot is free, too
--     failed     could not start when its start came; refusal has the reason
--     refused    its batch was refused, and nothing of it was armed
--     gone       unloaded with its module
--
--   Thus a run that was cut off shows what may have been in the text at that time.
--
-- Accounting
--   For each hook and CPU, hits = stored + lost holds exactly if the hook takes samples. An
--   instrument without samples (sample_bytes 0, other than count and stamp) does not report hits:
--   its 0 means unknown, and the view hooks has NULL.
--
-- Maps
--   Each variable, counter, histogram or map that a hook's probe program keeps between hits is a
--   row of map; its values are rows of map_value. They are written repeatedly during the run, all
--   values of a map at once in place of the former ones, so that a run that was cut off has the
--   latest. A value of 0 has no row. The kind of the map defines the key:
--
--     global        key 0, cpu -1: one value for all CPUs
--     counter       key 0: the sum of what was added on that CPU, unsigned 64-bit
--     histogram     the number of a bucket, 2^bits of them per octave; buckets below 2^bits hold one
--                   number each. The view maps has the bounds of each bucket: low <= value < high
--     map           the key; if signed is 0, the two's complement of an unsigned one
--     failed_reads  key 0: the number of failed reads of memory and of divisions by 0
--     full          key 0: how often a new key did not fit into the map of that name
--
--   The value of a key for all CPUs is the sum over its rows.
--
--   A map "target" of addresses, of a hook whose place is 'at', has the targets of an indirect
--   call: see the view targets.
--
-- Meanings
--   The numbers of a field, the keys of a map and the values of a histogram may stand for something
--   else, as field.meaning and map.meaning define:
--
--     symbol      an address in the kernel; its name is in the table address
--     stack       0: no stack; otherwise stack.id, with a row of stack for each call
--     errno       an error if it is from -4095 to -1
--     enum NAME   a constant of this enum of the kernel; the names are in the table value_name
--     text        a hash of the text that is a key of a map; the texts are in the table value_name
--     ns          of a histogram: nanoseconds
--     KEYS=UNIT   of a map, counter or global: the meaning of keys, or nothing, and the unit of
--                 values: errno=ns, =ns
--
--   The names are written at the end of the run, texts with the map. A number without a name is shown as a number.

PRAGMA application_id = 1198091371;     -- 0x47696C6B, "Gilk"
PRAGMA user_version = 1;                -- version of this schema

-- A recording.
CREATE TABLE run (
  id            INTEGER PRIMARY KEY,
  title         TEXT,                   -- of the plan
  target        TEXT NOT NULL,          -- as given: lab:6.1, local, ssh:HOST
  hostname      TEXT,
  release       TEXT,                   -- uname -r
  build_id      TEXT,                   -- the kernel's GNU build id, lower-case hex
  plan          TEXT NOT NULL,          -- text of the plan as it was run
  started       TEXT NOT NULL,          -- ISO 8601, UTC
  zero_tsc      INTEGER NOT NULL,       -- time stamp counter at time zero
  zero_mono_ns  INTEGER NOT NULL,       -- the target's CLOCK_MONOTONIC at time zero
  zero_unix_ns  INTEGER NOT NULL,       -- this machine's clock at time zero, since 1970
  tsc_khz       INTEGER NOT NULL,       -- frequency of the TSC according to the target's kernel
  n_cpus        INTEGER NOT NULL,
  duration_ns   INTEGER,
  end_reason    TEXT,                   -- 'stopped', 'time is up', or an error
  boot_id       TEXT,                   -- of the target; after another boot addresses differ
  tsc_hz        INTEGER                 -- see Clocks; NULL: 1000 * tsc_khz
);

-- The target's CLOCK_MONOTONIC and the TSC of the reference CPU, read together: see Clocks.
CREATE TABLE timestamp_pair (
  run           INTEGER NOT NULL REFERENCES run (id),
  position      INTEGER NOT NULL,       -- 0 before the run, 1 at time zero, 2 at its end
  tsc           INTEGER NOT NULL,
  mono_ns       INTEGER NOT NULL,
  error         INTEGER NOT NULL,       -- maximum error of tsc at mono_ns, in ticks, either way
  PRIMARY KEY (run, position)
) WITHOUT ROWID;

-- The TSC of a CPU compared with that of the reference, the CPU whose own offset is 0. A CPU
-- without a row was not measured.
CREATE TABLE cpu_clock (
  run           INTEGER NOT NULL REFERENCES run (id),
  position      INTEGER NOT NULL,       -- 1 at time zero, 2 at the run's end
  cpu           INTEGER NOT NULL,
  ahead         INTEGER NOT NULL,       -- offset in ticks; positive: ahead of the reference
  error         INTEGER NOT NULL,       -- maximum error of the offset in ticks, either way
  subtracted_offset INTEGER NOT NULL,   -- ticks subtracted from this CPU's samples
  PRIMARY KEY (run, position, cpu)
) WITHOUT ROWID;

-- The cost of a hit of a hook on the target, measured before, during and after the run: the time
-- of the hook's own code with the jumps or the trap to it and back, as if it were alone in its
-- patch, in several copies that are called repeatedly. A hook's cost is found by its instrument, tactic and cost.
CREATE TABLE cost (
  run           INTEGER NOT NULL REFERENCES run (id),
  instrument    TEXT NOT NULL,
  tactic        TEXT NOT NULL,
  instructions  INTEGER NOT NULL,       -- hook.cost
  ns            REAL NOT NULL,          -- median of the measurements
  low_ns        REAL NOT NULL,          -- 95 % confidence interval of the mean over runs: by
  high_ns       REAL NOT NULL,          -- Student's t, or for a single measurement from its rounds
  min_ns        REAL NOT NULL,          -- the fastest series of calls
  PRIMARY KEY (run, instrument, tactic, instructions)
) WITHOUT ROWID;

-- The measurements of a cost, in order.
CREATE TABLE cost_measurement (
  run           INTEGER NOT NULL REFERENCES run (id),
  instrument    TEXT NOT NULL,
  tactic        TEXT NOT NULL,
  instructions  INTEGER NOT NULL,
  position      INTEGER NOT NULL,       -- 0: before the run
  t_ns          INTEGER,                -- NULL: before time zero
  ns            REAL NOT NULL,          -- trimmed mean of the copies' medians
  min_ns        REAL NOT NULL,
  PRIMARY KEY (run, instrument, tactic, instructions, position)
) WITHOUT ROWID;

-- An instrument as it described itself at the start of the run.
CREATE TABLE instrument (
  id            INTEGER PRIMARY KEY,
  run           INTEGER NOT NULL REFERENCES run (id),
  name          TEXT NOT NULL,
  help          TEXT,
  version       INTEGER NOT NULL,
  sample_bytes  INTEGER NOT NULL,       -- payload of its samples; 0: times only, or no samples
  takes_samples INTEGER NOT NULL,       -- 1: takes samples, 0: only counts
  UNIQUE (run, name)
);

-- The fields of an instrument's samples, in order.
CREATE TABLE field (
  instrument    INTEGER NOT NULL REFERENCES instrument (id),
  position      INTEGER NOT NULL,
  name          TEXT NOT NULL,
  column_name   TEXT NOT NULL,          -- its name in SQL
  unit          TEXT NOT NULL,          -- 'ns', 'B', ''
  help          TEXT,
  type          INTEGER NOT NULL,       -- 0 u64, 1 s64, 2 u32, 3 s32, 4 hex64, 5 text
  meaning       TEXT,                   -- see Meanings; NULL: plain numbers
  PRIMARY KEY (instrument, position)
) WITHOUT ROWID;

-- A probe point bound to an instrument.
CREATE TABLE hook (
  id            INTEGER PRIMARY KEY,
  run           INTEGER NOT NULL REFERENCES run (id),
  iid           INTEGER NOT NULL,       -- the driver's number for it
  label         TEXT NOT NULL,          -- unique in the run
  function      TEXT NOT NULL,
  module        TEXT,                   -- 'kernel', or the module's name
  block         TEXT NOT NULL,          -- offset of its block or instruction: +0x2b1, .cold+0x10
  place         TEXT NOT NULL,          -- 'pre' or 'post' of a block; 'at': before an instruction
  instrument    TEXT NOT NULL,
  tactic        TEXT NOT NULL,          -- 'splice', 'trap', ...
  addr          INTEGER NOT NULL,       -- of the block or instruction
  site          INTEGER NOT NULL,       -- first byte that was overwritten
  start_ns      INTEGER NOT NULL,
  stop_ns       INTEGER NOT NULL,       -- 0: until the end of the run
  cost          INTEGER NOT NULL,       -- predicted number of instructions added to each hit
  fingerprint   TEXT,                   -- of the block's instructions
  switched      INTEGER NOT NULL DEFAULT 0  -- 1: switched on and off, see interval
);

-- The probe program of a hook.
CREATE TABLE program (
  hook          INTEGER PRIMARY KEY REFERENCES hook (id),
  name          TEXT,                   -- in the plan, if it has one
  code          TEXT NOT NULL           -- as it was run
);

-- Data that a program keeps between hits: see Maps.
CREATE TABLE map (
  id            INTEGER PRIMARY KEY,
  hook          INTEGER NOT NULL REFERENCES hook (id),
  position      INTEGER NOT NULL,       -- 0, 1, ..., in order of declaration
  name          TEXT NOT NULL,
  kind          TEXT NOT NULL,          -- 'global', 'counter', 'histogram', 'map', 'failed_reads', 'full'
  bits          INTEGER NOT NULL,       -- of a histogram: 2^bits buckets per octave; otherwise 0
  slots         INTEGER NOT NULL,       -- of a map: maximum number of keys on each CPU; otherwise 0
  signed        INTEGER NOT NULL,       -- 1: the value of a global, or the keys of a map, are signed
  meaning       TEXT,                   -- of a map's keys or a histogram's values, see Meanings; or NULL
  UNIQUE (hook, name, kind)
);

CREATE TABLE map_value (
  map           INTEGER NOT NULL REFERENCES map (id),
  key           INTEGER NOT NULL,       -- see Maps
  cpu           INTEGER NOT NULL,       -- -1: of all CPUs
  value         INTEGER NOT NULL,
  PRIMARY KEY (map, key, cpu)
) WITHOUT ROWID;

-- The intervals in which switched hooks were on or off. They come in pairs, one on and one off, in
-- an order drawn with the plan's seed.
CREATE TABLE interval (
  run           INTEGER NOT NULL REFERENCES run (id),
  position      INTEGER NOT NULL,
  from_ns       INTEGER NOT NULL,
  to_ns         INTEGER NOT NULL,
  hooks_on      INTEGER NOT NULL,
  complete      INTEGER NOT NULL,       -- 0: the run ended during it
  PRIMARY KEY (run, position)
) WITHOUT ROWID;

-- Totals of a hook on one CPU. Exact, also where samples were lost.
CREATE TABLE counts (
  hook          INTEGER NOT NULL REFERENCES hook (id),
  cpu           INTEGER NOT NULL,
  hits          INTEGER NOT NULL DEFAULT 0,
  stored        INTEGER NOT NULL DEFAULT 0,   -- samples in this file
  lost          INTEGER NOT NULL DEFAULT 0,   -- samples that did not fit into the ring
  missed        INTEGER NOT NULL DEFAULT 0,   -- hits within a hit, which run nothing
  at_ns         INTEGER NOT NULL DEFAULT 0,   -- when these counters were read
  PRIMARY KEY (hook, cpu)
) WITHOUT ROWID;

-- Lost samples over time: the difference between two reads of a hook's counters, the first
-- requested no earlier than from_ns, the second answered by to_ns.
CREATE TABLE loss (
  hook          INTEGER NOT NULL REFERENCES hook (id),
  cpu           INTEGER NOT NULL,
  from_ns       INTEGER NOT NULL,
  to_ns         INTEGER NOT NULL,
  lost          INTEGER NOT NULL,       -- samples that did not fit into the ring
  missed        INTEGER NOT NULL,       -- hits within a hit, which run nothing
  PRIMARY KEY (hook, cpu, from_ns)
) WITHOUT ROWID;

-- Gaps in the samples of a CPU, whatever their hooks: samples were lost after the one at from_ns
-- (0: there was none) and before the one at to_ns, or, if none followed, before the loss was seen
-- at to_ns. Rings in overwrite mode lose the oldest samples.
CREATE TABLE gap (
  id            INTEGER PRIMARY KEY,
  run           INTEGER NOT NULL REFERENCES run (id),
  cpu           INTEGER NOT NULL,
  from_ns       INTEGER NOT NULL,
  to_ns         INTEGER NOT NULL,
  lost          INTEGER NOT NULL
);

-- Samples of one instrument on one CPU, in order of arrival. In order of chunk.id, so are those of
-- each hook on each CPU.
CREATE TABLE chunk (
  id            INTEGER PRIMARY KEY,
  instrument    INTEGER NOT NULL REFERENCES instrument (id),
  hook          INTEGER REFERENCES hook (id),   -- NULL: several hooks, see chunk_column
  cpu           INTEGER NOT NULL,
  n             INTEGER NOT NULL,
  first_ns      INTEGER NOT NULL,       -- the earliest time
  last_ns       INTEGER NOT NULL,       -- the latest
  lost_before   INTEGER NOT NULL DEFAULT 0  -- samples of any hook that the CPU lost between the
                                        -- previous write and this one; the same in all chunks
                                        -- written together
);

CREATE INDEX chunk_by_hook ON chunk (instrument, hook, first_ns);

CREATE TABLE chunk_column (
  id            INTEGER PRIMARY KEY,    -- see Samples
  data          BLOB NOT NULL,
  codec         INTEGER NOT NULL DEFAULT 0  -- 1: data is compressed, as a zstd frame
);

-- Summaries for plots of long ranges, of numeric columns of chunks of one hook: in groups of tiles,
CREATE TABLE chunk_groups (
  id            INTEGER PRIMARY KEY,    -- that of the column
  min_value     INTEGER NOT NULL,       -- of the whole column
  max_value     INTEGER NOT NULL,
  lengths       BLOB,                   -- of times only: the number of samples of each group of
                                        -- tiles, see core/store/gilk-store-chunk.h
  bounds        BLOB NOT NULL           -- minimum and maximum of each group, as 64-bit
                                        -- little-endian integers
);
-- in tiles,
CREATE TABLE chunk_tiles (
  id            INTEGER PRIMARY KEY,
  lengths       BLOB,
  bounds        BLOB NOT NULL
);
-- and the distribution of a field, if the chunk has at least a thousand samples.
CREATE TABLE chunk_sketch (
  id            INTEGER PRIMARY KEY,
  data          BLOB NOT NULL           -- see core/pack/gilk-sketch.h
);

-- Cumulative hits of a hook on all CPUs over time. While a counter does not change, there is a
-- point at the start and one at the end of that time. In a run that was cut off the latter may be
-- missing; it is in counts: all counters were last read at the greatest at_ns of the run.
CREATE TABLE count_point (
  hook          INTEGER NOT NULL REFERENCES hook (id),
  t_ns          INTEGER NOT NULL,
  hits          INTEGER NOT NULL,
  PRIMARY KEY (hook, t_ns)
) WITHOUT ROWID;

-- Every change of kernel text, on disk before it is made: see Journal.
CREATE TABLE patch (
  run           INTEGER NOT NULL REFERENCES run (id),
  patch         INTEGER NOT NULL,       -- the driver's number for it; negative: its bounce
  site          INTEGER NOT NULL,
  slot          INTEGER NOT NULL,       -- address of the out-of-line code
  tactic        TEXT NOT NULL,
  state         TEXT NOT NULL,          -- last known state, see Journal
  old_bytes     BLOB NOT NULL,          -- text before and after
  new_bytes     BLOB NOT NULL,          -- text while armed; while trapped its first byte is cc
  trap_hits     INTEGER NOT NULL,       -- hits by int3
  armed_ns      INTEGER,                -- first byte written; NULL: never
  spliced_ns    INTEGER,                -- jump complete; NULL: never
  restored_ns   INTEGER,                -- text restored; NULL: not observed
  batch         INTEGER NOT NULL DEFAULT 1, -- of the run: 1 before its start, 2 its first change, ...
  refusal       TEXT,                   -- why it was not armed
  PRIMARY KEY (run, patch)
) WITHOUT ROWID;

-- The hooked functions at the time of the run: control flow graph and disassembly.
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
  end           INTEGER NOT NULL,       -- address after its last byte
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

-- Names of numbers (see Meanings): of addresses in the kernel,
CREATE TABLE address (
  run           INTEGER NOT NULL REFERENCES run (id),
  address       INTEGER NOT NULL,
  symbol        TEXT NOT NULL,
  offset        INTEGER NOT NULL,       -- from the symbol
  module        TEXT NOT NULL,          -- 'kernel', or the module's name
  PRIMARY KEY (run, address)
) WITHOUT ROWID;

-- of stacks: the return address of each call, the innermost first,
CREATE TABLE stack (
  run           INTEGER NOT NULL REFERENCES run (id),
  id            INTEGER NOT NULL,
  depth         INTEGER NOT NULL,       -- 0, 1, ...
  address       INTEGER NOT NULL,
  PRIMARY KEY (run, id, depth)
) WITHOUT ROWID;

-- and of constants of enums, and texts of keys.
CREATE TABLE value_name (
  run           INTEGER NOT NULL REFERENCES run (id),
  meaning       TEXT NOT NULL,
  value         INTEGER NOT NULL,
  name          TEXT NOT NULL,
  PRIMARY KEY (run, meaning, value)
) WITHOUT ROWID;

-- Source lines of hooks, stacks and accesses, if debug data were available at the end of the run.
-- Depth 0 is the line of the address (of a return address, the line of the call); each further
-- depth is the line where the function before was inlined.
CREATE TABLE line (
  run           INTEGER NOT NULL REFERENCES run (id),
  address       INTEGER NOT NULL,
  depth         INTEGER NOT NULL,       -- 0, 1, ...
  function      TEXT,                   -- that the line is part of
  file          TEXT NOT NULL,          -- relative to the source tree: fs/pipe.c
  line          INTEGER NOT NULL,
  PRIMARY KEY (run, address, depth)
) WITHOUT ROWID;

-- A person's note on a run.
CREATE TABLE note (
  id            INTEGER PRIMARY KEY,
  run           INTEGER REFERENCES run (id),
  written       TEXT NOT NULL,          -- ISO 8601, UTC
  t_ns          INTEGER,                -- the time that it is about, or its start; NULL: the whole run
  text          TEXT NOT NULL,
  to_ns         INTEGER,                -- the end of that time; t_ns: a single moment
  hook          INTEGER REFERENCES hook (id),   -- that it is about; NULL: no hook in particular
  author        TEXT
);

-- Checksums, by which gilk session verify detects damage; core/store/gilk-store-checksum.c describes
-- them. A run has checksums once it has ended; run 0 stands for the tables and views of this file.
CREATE TABLE row_checksum (
  run           INTEGER NOT NULL,
  name          TEXT NOT NULL,          -- of the table; 'schema' for run 0
  n             INTEGER NOT NULL,       -- number of the run's rows in it
  checksum      INTEGER NOT NULL,
  PRIMARY KEY (run, name)
) WITHOUT ROWID;

-- Checksum of a chunk's rows in chunk, chunk_column, chunk_groups, chunk_tiles and chunk_sketch.
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
         coalesce (sum (c.lost), 0) AS lost, coalesce (sum (c.missed), 0) AS missed
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

-- The maps of programs: a row for each value, and one for a map whose values are all 0. Unsigned
-- values that do not fit into SQLite's integers are texts; bounds of buckets are floating point.
CREATE VIEW maps AS
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
            FROM map t JOIN hook h ON h.id = t.hook
                 LEFT JOIN map_value v ON v.map = t.id)
   ORDER BY of, position, key, cpu;

-- Targets of indirect calls (gilk plan new --targets): from an instruction to another function.
CREATE VIEW targets AS
  SELECT h.run, h.label AS hook, h.function, h.module, h.block AS call,
         printf ('0x%016x', v.key) AS address,
         CASE WHEN a.offset <> 0 THEN printf ('%s+0x%x', a.symbol, a.offset) ELSE a.symbol END AS target,
         a.module AS target_module, sum (v.value) AS times
    FROM map t JOIN hook h ON h.id = t.hook JOIN map_value v ON v.map = t.id
         LEFT JOIN address a ON a.run = h.run AND a.address = v.key
   WHERE t.kind = 'map' AND t.name = 'target' AND t.meaning = 'symbol'
   GROUP BY h.id, v.key
   ORDER BY h.id, times DESC;
