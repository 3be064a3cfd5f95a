/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-program-maps.c - tests that maps of a program contain the values that its text describes
 */
#include "core/base/gilk-format.h"
#include "tests/unit/program-hit.h"

static void
test_globals (void)
{
  g_autoptr(Hit) hit = hit_new ("global a = 100; global b; a += count; b -= 3; b -= count; a = a * 2; a++;"
                                "if (a > b) sample (a, b)");

  hit_it (hit);
  g_assert_cmpint (hit_value (hit, GILK_MAP_GLOBAL, "a"), ==, (100 + 4096) * 2 + 1);
  g_assert_cmpint (hit_value (hit, GILK_MAP_GLOBAL, "b"), ==, -4099);
  g_assert_cmpint (hit_sampled (hit, "a"), ==, 8393);
  g_assert_cmpint (hit_sampled (hit, "b"), ==, -4099);
}

static void
test_counters (void)
{
  g_autoptr(Hit) hit = hit_new ("{ counter a; counter b; a++; if (cpu == 1) b += count; }");

  hit_it (hit);
  hit->machine.cpu = 0;
  hit_it (hit);
  g_assert_cmpint (hit_value (hit, GILK_MAP_COUNTER, "a"), ==, 2);
  g_assert_cmpint (hit_value (hit, GILK_MAP_COUNTER, "b"), ==, 4096);
}

static void
test_histogram (void)
{
  g_autoptr(Hit) hit = hit_new ("histogram h (3); h (count); h (7)");
  const GilkProgramMap *kept = hit_map (hit, GILK_MAP_HISTOGRAM, "h");

  hit_it (hit);
  hit_it (hit);
  g_assert_cmpuint (kept->bits, ==, 3);
  g_assert_cmpuint (model_sum (hit->model, kept->area, kept->element + gilk_ops_bucket (4096, 3)), ==, 2);
  g_assert_cmpuint (model_sum (hit->model, kept->area, kept->element + 7), ==, 2);
}

/* Returns the values of a map by key, summed over all CPUs: uint64_t -> int64_t. */
static GHashTable *
by_key (const Hit *hit, const GilkProgramMap *map)
{
  GHashTable *sums = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  const guint copies = g_array_index (gilk_program_ops (hit->program)->areas, GilkOpsArea, map->area).per_cpu ? MODEL_CPUS : 1;

  for (guint slot = 0; slot < map->slots; slot++)
    for (guint cpu = 0; cpu < copies; cpu++)
      {
        uint64_t *area = hit->model->areas[map->area][cpu], *key = &area[map->slots + slot];
        int64_t *sum = g_hash_table_lookup (sums, key);

        if (area[slot] != GILK_OPS_SLOT_TAKEN)
          continue;
        if (sum == NULL)
          g_hash_table_insert (sums, g_memdup2 (key, sizeof *key), sum = g_new0 (int64_t, 1));
        *sum += (int64_t) area[2 * map->slots + slot];
      }

  return sums;
}

static int64_t
of_key (const Hit *hit, const GilkProgramMap *map, uint64_t key)
{
  g_autoptr(GHashTable) sums = by_key (hit, map);
  const int64_t *sum = g_hash_table_lookup (sums, &key);

  return sum != NULL ? *sum : 0;
}

/* Returns the value stored under @key in a table. */
static uint64_t
of_slot (const Hit *hit, const GilkProgramMap *table, uint64_t key)
{
  const uint64_t *area = hit->model->areas[table->area][0];

  for (guint slot = 0; slot < table->slots; slot++)
    if (area[slot] == GILK_OPS_SLOT_TAKEN && area[table->slots + slot] == key)
      return area[2 * table->slots + slot];

  return 0;
}

static void
test_map (void)
{
  g_autoptr(Hit) hit = hit_new ("map m[8]; m[pid] += count; m[-1]++; m[count]++");
  const GilkProgramMap *map = hit_map (hit, GILK_MAP_HASH, "m");

  for (guint i = 0; i < 10; i++)
    {
      hit->machine.registers[2] = 4096 + i;
      hit_it (hit);
    }
  g_assert_cmpint (of_key (hit, map, 40), ==, 40960 + 45);
  g_assert_cmpint (of_key (hit, map, (uint64_t) -1), ==, 10);
  g_assert_cmpint (hit_value (hit, GILK_MAP_MISSED, "m"), ==, 4);
  g_assert_false (map->is_signed);
}

/* Tests that a table is shared by all CPUs, that take() removes the key, and that the key's slot
 * starts at 0 again. */
static void
test_table (void)
{
  g_autoptr(Hit) puts = hit_new ("table t[8]; t[tid] = now; t[7] += 3");
  g_autoptr(Hit) takes = hit_new ("common table t[8]; t[tid] = now; global got; global none; "
                                  "got += take (t, tid) + t[7]; none += take (t, tid); t[count] += 5; t[count] += 1; "
                                  "none += t[count] - 6; got += take (t, count)");
  const GilkProgramMap *table = hit_map (puts, GILK_MAP_HASH, "t");
  const GilkOpsArea *area = &g_array_index (gilk_program_ops (puts->program)->areas, GilkOpsArea, table->area);

  g_assert_false (area->per_cpu);
  g_assert_cmpuint (area->elements, ==, 25);
  g_assert_true (table->is_signed);
  g_assert_false (table->is_common);
  for (guint cpu = 0; cpu < 2; cpu++)
    {
      puts->machine.cpu = cpu;
      puts->machine.now = 1000 + cpu;
      hit_it (puts);
    }
  g_assert_cmpuint (of_slot (puts, table, 42), ==, 1001);
  g_assert_cmpuint (of_slot (puts, table, 7), ==, 6);

  g_assert_true (hit_map (takes, GILK_MAP_HASH, "t")->is_common && hit_map (takes, GILK_MAP_MISSED, "t")->is_common);
  for (guint i = 0; i < 100; i++)
    {
      takes->machine.registers[2] = 1000 + i;
      hit_it (takes);
    }
  g_assert_cmpint (hit_value (takes, GILK_MAP_GLOBAL, "got"), ==, 100 * (1000 + 6));
  g_assert_cmpint (hit_value (takes, GILK_MAP_GLOBAL, "none"), ==, 0);
  g_assert_cmpint (hit_value (takes, GILK_MAP_MISSED, "t"), ==, 0);
}

/* Returns the sum of the key that is @text of @n words, which is stored beside the key, in full. */
static int64_t
of_text (const Hit *hit, const GilkProgramMap *map, const char *text, guint n)
{
  uint64_t words[GILK_TEXT_WORDS] = { 0 };
  const uint64_t *area = hit->model->areas[map->area][0];
  int64_t key;

  memcpy (words, text, strlen (text));
  key = gilk_map_text_key (words, n);
  for (guint slot = 0; slot < map->slots; slot++)
    if (area[slot] == GILK_OPS_SLOT_TAKEN && (int64_t) area[map->slots + slot] == key)
      for (guint i = 0; i < n; i++)
        g_assert_cmphex (area[gilk_map_text_first (map, i) + slot], ==, words[i]);

  return of_key (hit, map, (uint64_t) key);
}

/* Tests keys that are text: the thread's name, of which the bytes after its end do not matter, and strings. */
static void
test_text_keys (void)
{
  g_autoptr(Hit) hit = hit_new ("map by[8]; map files[16]; table seen[8]; global got; by[comm] += count; "
                                "files[string (file->f_name, 24)]++; seen[comm] = 5; got += seen[comm]; "
                                "got += 100 * take (seen, comm); got += 1000 * seen[comm]");
  const GilkProgramMap *by = hit_map (hit, GILK_MAP_HASH, "by"), *files = hit_map (hit, GILK_MAP_HASH, "files");
  static const char *const names[] = { "sh", "eight-88", "fifteen--bytes." };

  g_assert_cmpuint (by->words, ==, 2);
  g_assert_cmpuint (files->words, ==, 3);
  g_assert_cmpstr (by->meaning, ==, GILK_MEANING_TEXT);
  g_assert_true (by->is_signed);
  hit->machine.registers[2] = 4096;
  for (guint round = 0; round < 12; round++)
    {
      char comm[16];

      memset (comm, 'a' + (int) round, sizeof comm);
      comm[15] = '\0';
      g_strlcpy (comm, names[round % 3], sizeof comm);
      hit_comm (hit, comm);
      g_snprintf ((char *) hit->machine.memory + 0x100 + 176, 48, "%s", round < 9 ? "a" : "a name that is longer than 24 bytes");
      hit_it (hit);
    }
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_cmpint (of_text (hit, by, names[i], 2), ==, 4 * 4096);
  g_assert_cmpint (of_text (hit, files, "a", 3), ==, 9);
  g_assert_cmpint (of_text (hit, files, "a name that is longer th", 3), ==, 3);
  g_assert_cmpint (hit_value (hit, GILK_MAP_GLOBAL, "got"), ==, 12 * 505);
  g_assert_cmpint (hit_value (hit, GILK_MAP_MISSED, "by"), ==, 0);
}

/* Tests keys of a program that needs more values at one time than there are: numbers of values are used again. */
static void
test_many_texts (void)
{
  g_autoptr(Hit) hit = hit_new ("map a[8]; map b[8]; map c[8]; a[string (file->f_name, 128)]++; b[string (file->f_name, 128)]++; "
                                "c[string (file->f_name, 128)]++");

  g_snprintf ((char *) hit->machine.memory + 0x100 + 176, 48, "a name of forty bytes, of eight words");
  hit_it (hit);
  for (guint i = 0; i < 3; i++)
    {
      const char name[] = { (char) ('a' + i), '\0' };

      g_assert_cmpint (of_text (hit, hit_map (hit, GILK_MAP_HASH, name), "a name of forty bytes, of eight words", 16), ==, 1);
    }
}

/* Tests that a map whose texts are too large for a copy per CPU is shared by all CPUs. */
static void
test_large_texts (void)
{
  g_autoptr(Hit) hit = hit_new ("map small[512]; map large[1024]; small[comm]++; large[comm]++");
  const GArray *areas = gilk_program_ops (hit->program)->areas;

  g_assert_true (g_array_index (areas, GilkOpsArea, hit_map (hit, GILK_MAP_HASH, "small")->area).per_cpu);
  g_assert_false (g_array_index (areas, GilkOpsArea, hit_map (hit, GILK_MAP_HASH, "large")->area).per_cpu);
  hit_it (hit);
  g_assert_cmpint (of_text (hit, hit_map (hit, GILK_MAP_HASH, "large"), "kworker/1:2", 2), ==, 1);
}

/* Tests the function ns(), which converts clock ticks to nanoseconds: 1,040 ticks at 2.6 GHz, and
 * the ticks of one second. */
static void
test_ns (void)
{
  g_autoptr(Hit) hit = hit_new ("global a; global b; a = ns (now); b = ns (2600000000)");

  hit->machine.now = 1040;
  hit_it (hit);
  g_assert_cmpint (hit_value (hit, GILK_MAP_GLOBAL, "a"), ==, 400);
  g_assert_cmpint (ABS (hit_value (hit, GILK_MAP_GLOBAL, "b") - 1000000000), <, 1000);
}

/* Tests that a map holds as many keys as gilk-probes(7) promises, per CPU or shared; additional
 * keys are counted as missed. */
static void
test_map_room (void)
{
  static const struct { const char *text; guint places; } maps[] = {
    { "map d[8]; d[count]++", 8 }, { "map d[1024]; d[count]++", 1024 }, { "map d[2048]; d[count]++", 2048 },
    { "map d[32768]; d[count]++", 32768 },
  };

  for (guint m = 0; m < G_N_ELEMENTS (maps); m++)
    for (guint full = 0; full < 2; full++)
      {
        g_autoptr(Hit) hit = hit_new (maps[m].text);
        const GilkProgramMap *map = hit_map (hit, GILK_MAP_HASH, "d");
        const guint keys = full != 0 ? maps[m].places : maps[m].places / 2;
        g_autoptr(GHashTable) sums = NULL;
        guint found = 0;

        for (guint round = 0; round < 2; round++)
          for (guint key = 0; key < keys; key++)
            {
              hit->machine.registers[2] = 4096 + 8 * key;
              hit_it (hit);
            }
        g_assert_cmpuint (map->slots, ==, maps[m].places);
        sums = by_key (hit, map);
        for (guint key = 0; key < keys; key++)
          {
            const int64_t *sum = g_hash_table_lookup (sums, &(uint64_t) { 4096 + 8 * key });

            g_assert_true (sum == NULL || *sum == 2);
            found += sum != NULL;
          }
        g_test_message ("%s: %u of %u keys", maps[m].text, found, keys);
        g_assert_cmpint (hit_value (hit, GILK_MAP_MISSED, NULL), ==, 2 * (keys - found));
        g_assert_cmpuint (100 * found, >=, maps[m].places == 8 ? 100 * keys : (full != 0 ? 84 : 98) * keys);
      }
}

/* Tests that the result of ns() has a unit, even if a variable defined by "let" holds the result,
 * and that a value computed from the result does not have a unit. */
static void
test_unit (void)
{
  static const char text[] =
    "let t = ns (now); sample (a = ns (now), b = t, c = t - ns (5), d = now, e = t * 2, f = (u32) t)";
  static const char *const units[] = { "ns", "ns", "ns", "", "", "ns" };
  g_autoptr(GilkBtf) btf = program_btf ();
  g_autoptr(GError) error = NULL;
  GilkProgramPlace place = program_place (btf);
  g_autoptr(GilkProgram) program = gilk_program_new (text, &place, NULL, &error);
  const struct ilk_field *fields;
  guint n;

  g_assert_no_error (error);
  fields = gilk_program_fields (program, &n);
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (units));
  for (guint i = 0; i < n; i++)
    g_assert_cmpstr (fields[i].unit, ==, units[i]);
}

/* Tests that globals, counters and maps also have a unit, unless they have a number as initial
 * value or a number is added to them. */
static void
test_value_unit (void)
{
  static const char text[] = "counter a; counter b; global c; global d = 5; map e[16]; map f[16]; table g[16]; a += ns (now); b += ns (now); b++; "
                             "c = ns (now); d = ns (now); e[pid] += ns (now); f[pid] += ns (now); f[pid]++; g[tid] = ns (now)";
  static const struct { const char *name, *unit; } wanted[] = {
    { "a", "ns" }, { "b", NULL }, { "c", "ns" }, { "d", NULL }, { "e", "ns" }, { "f", NULL }, { "g", "ns" },
  };
  g_autoptr(GilkBtf) btf = program_btf ();
  g_autoptr(GError) error = NULL;
  GilkProgramPlace place = program_place (btf);
  g_autoptr(GilkProgram) program = gilk_program_new (text, &place, NULL, &error);
  guint n, seen = 0;
  const GilkProgramMap *kept;

  g_assert_no_error (error);
  kept = gilk_program_maps (program, &n);
  for (guint i = 0; i < n; i++)
    for (guint k = 0; k < G_N_ELEMENTS (wanted); k++)
      if (strcmp (kept[i].name, wanted[k].name) == 0 && kept[i].kind != GILK_MAP_MISSED)
        {
          g_assert_cmpstr (kept[i].unit, ==, wanted[k].unit);
          seen++;
        }
  g_assert_cmpuint (seen, ==, G_N_ELEMENTS (wanted));
}

/* Tests that histograms to which only values of one unit are added have this unit. */
static void
test_histogram_unit (void)
{
  static const char text[] = "histogram a; histogram b; histogram c; histogram d; let t = ns (now); a (t); a (ns (5)); b (now); "
                             "c (t); c (now); d (now); d (t)";
  g_autoptr(Hit) hit = hit_new (text);

  g_assert_cmpstr (hit_map (hit, GILK_MAP_HISTOGRAM, "a")->meaning, ==, GILK_MEANING_NS);
  g_assert_null (hit_map (hit, GILK_MAP_HISTOGRAM, "b")->meaning);
  g_assert_null (hit_map (hit, GILK_MAP_HISTOGRAM, "c")->meaning);
  g_assert_null (hit_map (hit, GILK_MAP_HISTOGRAM, "d")->meaning);
}

/* Tests the name "frame" in programs: the address of the return address, which distinguishes the
 * calls of a function. */
static void
test_frame (void)
{
  g_autoptr(GilkBtf) btf = program_btf ();
  g_autoptr(GError) error = NULL;
  GilkProgramPlace place = program_place (btf);
  g_autoptr(GilkProgram) program = gilk_program_new ("table t[8]; t[frame] = now", &place, NULL, &error);
  g_autofree char *text = NULL;

  g_assert_no_error (error);
  text = gilk_ops_text (gilk_program_ops (program));
  g_assert_nonnull (strstr (text, "= %rsp\n"));
  place.at_entry = FALSE;
  g_assert_null (gilk_program_new ("table t[8]; t[frame] = now", &place, NULL, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
  g_assert_nonnull (strstr (error->message, "identifies a call"));
  g_clear_error (&error);
  place.at_exit = TRUE;
  g_clear_pointer (&program, gilk_program_unref);
  program = gilk_program_new ("table t[8]; global g; g = take (t, frame)", &place, NULL, &error);
  g_assert_no_error (error);
}

/* Tests the name "func" in programs: the address of the hooked function, whose keys are shown as
 * symbols. */
static void
test_func (void)
{
  g_autoptr(GilkBtf) btf = program_btf ();
  g_autoptr(GError) error = NULL;
  GilkProgramPlace place = program_place (btf);
  g_autoptr(GilkProgram) program = NULL;
  const GilkProgramMap *maps;
  guint count;

  g_assert_null (gilk_program_new ("map m[8]; m[func]++", &place, NULL, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
  g_assert_nonnull (strstr (error->message, "is not in one"));
  g_clear_error (&error);
  place.function_start = 0xffffffff81234560;
  program = gilk_program_new ("map m[8]; m[func]++", &place, NULL, &error);
  g_assert_no_error (error);
  maps = gilk_program_maps (program, &count);
  g_assert_cmpstr (maps[0].name, ==, "m");
  g_assert_cmpstr (maps[0].meaning, ==, GILK_MEANING_SYMBOL);
}

/* ---- tests of services of the driver, and of programs of watchpoints ---- */

static guint
count_calls (const Hit *hit, guint service)
{
  const GArray *ops = gilk_program_ops (hit->program)->ops;
  guint n = 0;

  for (guint i = 0; i < ops->len; i++)
    n += g_array_index (ops, GilkOp, i).kind == GILK_OP_CALL && g_array_index (ops, GilkOp, i).imm == (int64_t) service;

  return n;
}

/* Tests that a program gets a number for a stack trace. In the model, a number is computed from the
 * stack's area and the hook's point. */
static void
test_stacks (void)
{
  g_autoptr(Hit) hit = hit_new ("map by[16]; table last[16]; let s = stack (); by[s]++; last[pid] = s; sample (s, t = stack ())");
  g_autoptr(Hit) declared = hit_new ("map by[16] of stack; map errors[16] of errno; by[7]++; errors[3]++");
  g_autoptr(Hit) plain = hit_new ("map by[16]; by[7]++");
  const GilkProgramMap *stacks = hit_map (hit, GILK_MAP_STACKS, NULL);

  hit->model->run.point = 5;
  hit_it (hit);
  g_assert_cmpuint (count_calls (hit, ILK_SERVICE_STACK), ==, 2);
  g_assert_true (stacks->is_common);
  g_assert_cmpint (hit_value (hit, GILK_MAP_MISSED, stacks->name), ==, 0);
  g_assert_cmpint (hit_sampled (hit, "s"), ==, GILK_OPS_AREA_MAX + 5);
  g_assert_cmpint (hit_sampled (hit, "t"), ==, GILK_OPS_AREA_MAX + 5);
  g_assert_cmpuint (hit_field (hit, "s")->meaning, ==, ILK_MEANING_STACK);
  g_assert_cmpint (of_key (hit, hit_map (hit, GILK_MAP_HASH, "by"), GILK_OPS_AREA_MAX + 5), ==, 1);
  g_assert_cmpstr (hit_map (hit, GILK_MAP_HASH, "by")->meaning, ==, "stack");
  g_assert_null (hit_map (hit, GILK_MAP_HASH, "last")->meaning);
  g_assert_cmpstr (hit_map (declared, GILK_MAP_HASH, "by")->meaning, ==, "stack");
  g_assert_cmpstr (hit_map (declared, GILK_MAP_HASH, "errors")->meaning, ==, "errno");
  g_assert_null (hit_map (plain, GILK_MAP_HASH, "by")->meaning);
}

static gboolean
some_move (int hook, gpointer data)
{
  return hook == 10;
}

static void
test_watches (void)
{
  g_autoptr(GilkBtf) btf = program_btf ();
  GilkProgramPlace place = program_place (btf);
  static const struct {
    const char *text, *words;
  } bad[] = {
    { "watch (first)", "\",\"" }, { "watch (first, (u32) arg0)", "has 64 bits" }, { "watch (nobody, arg0)", "No hook" },
    { "watch (second, arg0)", "is not a watchpoint" }, { "sample (value)", "Unknown name" }, { "watch (first, &file)", "no address" },
  };

  place.moves = some_move;
  {
    g_autoptr(Hit) hit = hit_new_at ("watch (first, &file->f_inode); if (count > 5) watch (first, 0)", &place, gilk_btf_ref (btf));

    hit_it (hit);
    g_assert_cmpuint (count_calls (hit, GILK_SERVICE_MOVE), ==, 2);
    g_assert_cmpuint (hit->model->run.marked, !=, 0);
  }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr(GError) error = NULL;

      g_assert_null (gilk_program_new (bad[i].text, &place, NULL, &error));
      if (strstr (error->message, bad[i].words) == NULL)
        g_error ("%s: %s", bad[i].text, error->message);
    }
}

/* Tests programs that run when a watchpoint is accessed. */
static void
test_facts (void)
{
  g_autoptr(GilkBtf) btf = program_btf ();
  GilkProgramPlace place = program_place (btf);
  g_autoptr(Hit) hit = NULL;
  g_autoptr(GError) error = NULL;

  place.function = NULL;
  place.at_entry = FALSE;
  place.is_watch = TRUE;
  hit = hit_new_at ("let address = 7; sample (d = value - before, address, ip, pid, context)", &place, gilk_btf_ref (btf));
  memcpy (hit->model->run.facts, ((const uint64_t[]) { 50, 8, 3, 4, 1 }), sizeof hit->model->run.facts);
  hit_it (hit);
  g_assert_cmpint (hit_sampled (hit, "d"), ==, 42);
  g_assert_cmpint (hit_sampled (hit, "address"), ==, 7);
  g_assert_cmpint (hit_sampled (hit, "ip"), ==, 4);
  g_assert_cmpint (hit_sampled (hit, "context"), ==, 1);
  g_assert_cmpuint (hit_field (hit, "ip")->meaning, ==, ILK_MEANING_SYMBOL);
  place.may_change = TRUE;
  g_assert_null (gilk_program_new ("nullify (0)", &place, NULL, &error));
  g_clear_error (&error);
  g_assert_null (gilk_program_new ("%rdi = 3", &place, NULL, &error));
  g_assert_nonnull (strstr (error->message, "A watchpoint's program"));
  g_clear_error (&error);
  g_assert_null (gilk_program_new ("sample (arg0)", &place, NULL, &error));
}

static void
test_signals (void)
{
  g_autoptr(Hit) hit = hit_new ("if (count > 5) { notify (\"large\"); notify (\"large\"); marker (\"m\", count); marker (\"n\"); freeze; "
                                "stop run }");

  hit_it (hit);
  g_assert_cmpint (hit_value (hit, GILK_MAP_COUNTER, "stop run"), ==, 1);
  g_assert_cmpint (hit_value (hit, GILK_MAP_COUNTER, "notify: large"), ==, 2);
  g_assert_cmpint (hit_map (hit, GILK_MAP_COUNTER, "stop run")->signal, ==, GILK_SIGNAL_STOP);
  g_assert_cmpint (hit_map (hit, GILK_MAP_COUNTER, "notify: large")->signal, ==, GILK_SIGNAL_NOTIFY);
  g_assert_cmpuint (hit->model->run.marked, ==, 4096 + 'm' + 'n');
  g_assert_cmpuint (hit->model->run.freezes, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/program/kept/globals", test_globals);
  g_test_add_func ("/program/kept/counters", test_counters);
  g_test_add_func ("/program/kept/histogram", test_histogram);
  g_test_add_func ("/program/kept/map", test_map);
  g_test_add_func ("/program/kept/map-room", test_map_room);
  g_test_add_func ("/program/kept/table", test_table);
  g_test_add_func ("/program/kept/text-keys", test_text_keys);
  g_test_add_func ("/program/kept/many-texts", test_many_texts);
  g_test_add_func ("/program/kept/large-texts", test_large_texts);
  g_test_add_func ("/program/frame", test_frame);
  g_test_add_func ("/program/func", test_func);
  g_test_add_func ("/program/ns", test_ns);
  g_test_add_func ("/program/unit", test_unit);
  g_test_add_func ("/program/histogram-unit", test_histogram_unit);
  g_test_add_func ("/program/value-unit", test_value_unit);

  g_test_add_func ("/program-kept/stacks", test_stacks);
  g_test_add_func ("/program-kept/watches", test_watches);
  g_test_add_func ("/program-kept/facts", test_facts);
  g_test_add_func ("/program-kept/signals", test_signals);

  return g_test_run ();
}
