/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-program.c - compiles arbitrary text as probe programs, and runs valid programs
 *
 *   fuzz-program [--seconds S] [--programs N] [--seed S]
 *
 * Half of the programs are corrupted: bytes or words are left out, duplicated or changed. Each is
 * refused with a position, or accepted; accepted programs obey the rules of operations. The other
 * half runs twice: as operations, and in an interpreter of the language that uses only the syntax
 * tree. Both must produce the same samples, the same maps, and the same number of bad accesses.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/fuzz/fuzz-program.h"

#define HITS 4

typedef struct {
  GilkBtf *btf;
  uint64_t random;
  uint64_t programs, spoilt, taken, equal, refused, hits, samples, bad;
} Fuzz;

/* ---- compiling corrupt programs ---- */

static void
corrupt_text (Fuzz *fuzz, GString *text)
{
  static const char *const words[] = {
    "(", ")", "{", "}", "[", "]", "->", ".", "*", "&", "if (", "let ", "=", "1", "file", "sample (", ";", "/*",
    "'", "\"",
    "(struct file *)", "every (1)", "map m", "0x", "%", "%rax", "else", "\n", "\xff", "sizeof (", "once", "comm",
    "->f_own",
    "global ", "return", "-", "!", "99999999999", "/", "->f_done", "(bool)", "struct", "file->f_private", "**", "[0]",
  };
  const gsize at = draw_below (&fuzz->random, (guint) text->len + 1);
  const gsize some = 1 + draw_below (&fuzz->random, 12), length = MIN (text->len - at, some);

  switch (draw_below (&fuzz->random, 5))
    {
    case 0: g_string_erase (text, (gssize) at, (gssize) length); break;
    case 1: g_string_insert (text, (gssize) at, words[draw_below (&fuzz->random, G_N_ELEMENTS (words))]); break;
    case 2:
      if (at < text->len)
        text->str[at] = (char) (1 + draw_below (&fuzz->random, 255));
      break;
    case 3:
      {
        g_autofree char *part = g_strndup (text->str + at, length);

        g_string_insert (text, (gssize) draw_below (&fuzz->random, (guint) text->len + 1), part);
        break;
      }
    default: g_string_truncate (text, at); break;
    }
}

static void
draw_bytes (Fuzz *fuzz, GString *text)
{
  g_string_truncate (text, 0);
  for (guint i = draw_below (&fuzz->random, 200); i > 0; i--)
    g_string_append_c (text, (char) (1 + draw_below (&fuzz->random, draw_below (&fuzz->random, 2) ? 127 : 255)));
}

static void
try_spoilt (Fuzz *fuzz, const char *text)
{
  const GilkProgramPlace place = program_place (fuzz->btf);
  g_autoptr(GError) error = NULL;
  GilkProgramError where = { 0 };
  g_autoptr(GilkProgram) program = gilk_program_new (text, &place, &where, &error);

  fuzz->spoilt++;
  if (program != NULL)
    {
      fuzz->taken++;
      return;
    }
  if (!g_error_matches (error, GILK_ERROR, GILK_ERROR_USAGE) || where.line == 0 || where.column == 0 ||
      (gsize) where.offset + where.length > strlen (text) || !g_utf8_validate (error->message, -1, NULL))
    g_error ("refused, but not well: %s\n%s", error->message, text);
}

/* ---- running a valid program twice, and comparing the results ---- */

static uint64_t
draw_word (Fuzz *fuzz)
{
  static const uint64_t words[] = {
    0, 1, 2, 3, 255, 256, 4096, INT32_MAX, UINT64_C (0x80000000), UINT32_MAX, INT64_MAX, UINT64_C (1) << 63,
    UINT64_MAX,
    UINT64_MAX - 1, FILE_AT, INODE_AT, NOWHERE, USER_FILE_AT, USER_INODE_AT,
  };

  if (draw_below (&fuzz->random, 3) != 0)
    return words[draw_below (&fuzz->random, G_N_ELEMENTS (words))];

  return (uint64_t) draw_below (&fuzz->random, UINT32_MAX) << 32 | draw_below (&fuzz->random, UINT32_MAX);
}

static void
change_machine (Fuzz *fuzz, Hit *hit)
{
  ModelMachine *machine = &hit->machine;

  for (guint i = 0; i < 16; i++)
    if (i != 7 || draw_below (&fuzz->random, 8) == 0)
      machine->registers[i] = draw_word (fuzz);
  if (draw_below (&fuzz->random, 2))
    machine->registers[7] = FILE_AT;
  for (guint i = 0; i < 12; i++)
    hit_poke (hit, FILE_AT + 8 * draw_below (&fuzz->random, 24), 8, draw_word (fuzz));
  machine->cpu = draw_below (&fuzz->random, MODEL_CPUS);
  machine->now += draw_below (&fuzz->random, 1000);
  machine->blind = draw_below (&fuzz->random, 4) == 0;
}

static void
fail_difference (const char *text, const Hit *hit, const char *name, int64_t has, int64_t wants)
{
  g_autofree char *ops = gilk_ops_text (hit->model->ops);

  g_error ("%s is %" G_GINT64_FORMAT " by operations, %" G_GINT64_FORMAT " by the language:\n%s\n%s", name, has,
           wants, text, ops);
}

static void
compare_values (const char *text, const Hit *hit, const char *name, int64_t has, int64_t wants)
{
  if (has != wants)
    fail_difference (text, hit, name, has, wants);
}

static void
compare_samples (const char *text, const Hit *hit, const Oracle *oracle)
{
  const GArray *samples = oracle_samples (oracle);
  guint count, at = 0;
  const struct ilk_field *fields = gilk_program_fields (hit->program, &count);
  const gboolean has_bad = count > 0 && strcmp (fields[count - 1].name, "bad") == 0;
  const uint8_t *payload = hit->model->run.samples->data;

  compare_values (text, hit, "samples", (int64_t) hit->model->run.n_samples * (count + (has_bad ? 0 : 1)), samples->len);
  for (guint s = 0; s < hit->model->run.n_samples; s++, payload += hit->model->ops->payload)
    for (guint i = 0; i < count + (has_bad ? 0 : 1); i++, at++)
      {
        int64_t has = 0, wants = g_array_index (samples, int64_t, at);

        if (i < count)
          {
            memcpy (&has, payload + fields[i].offset, fields[i].size);
            if (fields[i].size == 4)
              wants = (uint32_t) wants;
          }
        compare_values (text, hit, i < count ? fields[i].name : "bad", has, wants);
      }
}

static int64_t
map_sum (const Hit *hit, const GilkProgramMap *map, int64_t key)
{
  const guint cpus = g_array_index (hit->model->ops->areas, GilkOpsArea, map->area).per_cpu ? MODEL_CPUS : 1;
  uint64_t sum = 0;

  for (guint i = 0; i < map->slots * cpus; i++)
    {
      const uint64_t *area = hit->model->areas[map->area][i % cpus];
      const guint slot = i / cpus;

      if (area[slot] == GILK_OPS_SLOT_TAKEN && area[map->slots + slot] == (uint64_t) key)
        sum += area[2 * map->slots + slot];
    }

  return (int64_t) sum;
}

/* Returns the number of slots of @map in use. */
static guint
count_taken_slots (const Hit *hit, const GilkProgramMap *map)
{
  guint n = 0;

  for (guint slot = 0; slot < map->slots; slot++)
    n += hit->model->areas[map->area][0][slot] == GILK_OPS_SLOT_TAKEN;

  return n;
}

static void
compare_kept (const char *text, const Hit *hit, const Oracle *oracle)
{
  GHashTableIter iter;
  gpointer key, value;
  guint in_table = 0;

  g_hash_table_iter_init (&iter, oracle_kept (oracle));
  while (g_hash_table_iter_next (&iter, &key, &value))
    {
      const char *name = key, *bracket = strchr (name, '[');
      const int64_t wants = *(int64_t *) value;

      in_table += g_str_has_prefix (name, "t0@");
      if (strpbrk (name, "@#") != NULL)
        continue;
      if ((*name == 'm' || *name == 't') && bracket != NULL)
        compare_values (text, hit, name,
                        map_sum (hit, hit_map (hit, GILK_MAP_HASH, *name == 'm' ? "m0" : "t0"),
                                 g_ascii_strtoll (bracket + 1, NULL, 10)), wants);
      else if (*name == 'm' || *name == 't')
        compare_values (text, hit, name, hit_value (hit, GILK_MAP_MISSED, *name == 'm' ? "m0" : "t0"), wants);
      else if (*name == 'h')
        compare_values (text, hit, name,
                        (int64_t) model_sum (hit->model, hit_map (hit, GILK_MAP_HISTOGRAM, "h0")->area,
                                             (guint) g_ascii_strtoll (bracket + 1, NULL, 10)), wants);
      else
        compare_values (text, hit, name, hit_value (hit, *name == 'g' ? GILK_MAP_GLOBAL : GILK_MAP_COUNTER, name), wants);
    }
  compare_values (text, hit, "keys of t0", count_taken_slots (hit, hit_map (hit, GILK_MAP_HASH, "t0")), in_table);
}

static void
compare_gates (const char *text, const Hit *hit, const Oracle *oracle)
{
  guint count;
  const int *gates = gilk_program_gates (hit->program, &count);

  for (guint i = 0; i < count; i++)
    compare_values (text, hit, "a gate", hit->model->run.gates[i], oracle_gates (oracle)[gates[i]]);
}

static gboolean
find_no_type (const char *name, gpointer btf)
{
  GilkCType type;

  return gilk_ctype_plain (name, &type);
}

static void
compare_runs (Fuzz *fuzz, const char *text, Hit *hit)
{
  const GilkProgramPlace place = program_place (fuzz->btf);
  GilkSource source = { .text = text };
  g_autoptr(GilkSyntax) syntax = gilk_syntax_new (&source, find_no_type, NULL);
  Oracle *oracle = oracle_new (fuzz->btf, &place, syntax);

  for (guint i = 0; i < HITS; i++)
    {
      change_machine (fuzz, hit);
      hit_it (hit);
      oracle_hit (oracle, &hit->machine);
    }
  compare_values (text, hit, "hits counted", hit->model->run.count, oracle_counts (oracle));
  compare_values (text, hit, "bad", hit_bad (hit), oracle_bad (oracle));
  compare_samples (text, hit, oracle);
  compare_kept (text, hit, oracle);
  compare_gates (text, hit, oracle);
  fuzz->hits += HITS;
  fuzz->samples += hit->model->run.n_samples;
  fuzz->bad += oracle_bad (oracle);
  oracle_free (oracle);
}

static void
try_written (Fuzz *fuzz, const char *text)
{
  const GilkProgramPlace place = program_place (fuzz->btf);
  g_autoptr(GError) error = NULL;
  g_autoptr(Hit) hit = g_new0 (Hit, 1);

  hit->program = gilk_program_new (text, &place, NULL, &error);
  if (hit->program == NULL)
    {
      if (strstr (error->message, "Division by 0") == NULL && strstr (error->message, "too long") == NULL &&
          strstr (error->message, "never true") == NULL && strstr (error->message, "always has the same result") == NULL)
        g_error ("%s\n%s", error->message, text);
      fuzz->refused++;
      hit->program = gilk_program_new ("count ()", &place, NULL, NULL);
      hit->model = model_new (gilk_program_ops (hit->program));
      return;
    }
  hit->model = model_new (gilk_program_ops (hit->program));
  hit_set_up (hit);
  compare_runs (fuzz, text, hit);
  fuzz->equal++;
}

static void
run_one (Fuzz *fuzz, Writer *writer)
{
  writer_program (writer);
  fuzz->random = writer->random ^ UINT64_C (0x5deece66d);
  if (fuzz->programs++ % 2 == 0)
    {
      try_written (fuzz, writer->text->str);
      return;
    }
  if (draw_below (&fuzz->random, 16) == 0)
    draw_bytes (fuzz, writer->text);
  for (guint i = 1 + draw_below (&fuzz->random, 4); i > 0; i--)
    corrupt_text (fuzz, writer->text);
  try_spoilt (fuzz, writer->text->str);
}

int
main (int argc, char **argv)
{
  g_autoptr(GilkBtf) btf = program_btf ();
  Fuzz fuzz = { .btf = btf, .random = 1 };
  Writer writer = { .random = 1, .text = g_string_new (NULL) };
  double seconds = 2;
  uint64_t programs = UINT64_MAX;
  gint64 begin = g_get_monotonic_time ();

  for (int i = 1; i + 1 < argc; i += 2)
    if (strcmp (argv[i], "--seconds") == 0)
      seconds = g_ascii_strtod (argv[i + 1], NULL);
    else if (strcmp (argv[i], "--programs") == 0)
      {
        programs = g_ascii_strtoull (argv[i + 1], NULL, 10);
        seconds = 1e9;
      }
    else if (strcmp (argv[i], "--seed") == 0)
      writer.random = MAX (g_ascii_strtoull (argv[i + 1], NULL, 10), 1);
  printf ("1..1\n");
  while (fuzz.programs < programs && (double) (g_get_monotonic_time () - begin) < seconds * 1e6)
    run_one (&fuzz, &writer);
  printf ("# %" PRIu64 " programs: %" PRIu64 " spoilt, of which %" PRIu64 " were taken; %" PRIu64 " run twice with %" PRIu64
          " hits, %" PRIu64 " samples, %" PRIu64 " bad; %" PRIu64 " divide by 0, are too long or compare what decides nothing\n", fuzz.programs,
          fuzz.spoilt, fuzz.taken, fuzz.equal, fuzz.hits, fuzz.samples, fuzz.bad, fuzz.refused);
  printf ("ok 1 - programs do what the language says, and what is none is refused\n");
  g_string_free (writer.text, TRUE);

  return 0;
}
