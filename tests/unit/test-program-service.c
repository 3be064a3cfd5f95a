/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-program-service.c - checks programs that read event counters, and programs that crash the
 * kernel
 */
#include "core/language/gilk-event-names.h"
#include "tests/unit/program-hit.h"

#define TASK_CLOCK (UINT64_C (2) << 56)
#define RAW        (UINT64_C (5) << 56 | 0x1c2)

/* ---- tests of programs that read event counters ---- */

static void
test_names (void)
{
  guint n;
  const GilkEventName *names = gilk_event_names (&n);

  g_assert_cmpuint (n, ==, 15);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *text = gilk_event_text (names[i].key);

      g_assert_cmpuint (gilk_event_key (names[i].name), ==, names[i].key);
      g_assert_cmpstr (text, ==, names[i].name);
      g_assert_cmpuint (GILK_EVENT_TYPE (names[i].key) == 1, ==, names[i].is_software);
    }
  g_assert_cmpuint (gilk_event_key ("nothing"), ==, 0);
  g_assert_cmpuint (gilk_event_key ("task_clock"), ==, TASK_CLOCK);
}

static void
test_is_read (void)
{
  g_assert_true (gilk_code_reads_events ("if (once) { let a = event (cycles); }"));
  g_assert_true (gilk_code_reads_events ("sample(event(0x1c2))"));
  g_assert_false (gilk_code_reads_events ("let event = 1; sample(event)"));
  g_assert_false (gilk_code_reads_events ("// event(cycles)\ncount()"));
  g_assert_false (gilk_code_reads_events ("marker(\"event(\", 1); my_event (2)"));
  g_assert_false (gilk_code_reads_events ("@ event(cycles)"));
  g_assert_false (gilk_code_reads_events (""));
}

/* Tests the values of event counters. In the model, reading a counter returns its key. */
static void
test_values (void)
{
  g_autoptr(Hit) hit = hit_new ("table t[16]; t[1] = event (task_clock); "
                                "sample (event (instructions), raw = event (0x1c2), twice = event (task_clock) + t[1])");
  g_autoptr(GArray) keys = gilk_ops_events (gilk_program_ops (hit->program));

  g_assert_cmpuint (keys->len, ==, 3);
  hit_it (hit);
  g_assert_cmpint (hit_sampled (hit, "instructions"), ==, (int64_t) gilk_event_key ("instructions"));
  g_assert_cmpint (hit_sampled (hit, "raw"), ==, (int64_t) RAW);
  g_assert_cmpint (hit_sampled (hit, "twice"), ==, (int64_t) (2 * TASK_CLOCK));
  g_assert_cmpint (hit_sampled (hit, "bad"), ==, 0);
  g_assert_cmpint (hit_field (hit, "instructions")->type, ==, ILK_FIELD_U64);
}

/* Tests a program whose event counter cannot be read: conditions on the counter are false, fields
 * are marked bad, and a "let" ends the hit. */
static void
test_bad (void)
{
  g_autoptr(Hit) hit = hit_new ("global a; global b; if (event (cycles) >= 0) a += 1; else a += 2; "
                                "sample (x = event (cycles), y = 3); let c = event (cycles); b += 1");

  hit->machine.blind = TRUE;
  hit_it (hit);
  g_assert_cmpint (hit_value (hit, GILK_MAP_GLOBAL, "a"), ==, 0);
  g_assert_cmpint (hit_value (hit, GILK_MAP_GLOBAL, "b"), ==, 0);
  g_assert_cmpint (hit_value (hit, GILK_MAP_BAD, "bad"), ==, 3);
  g_assert_cmpint (hit_sampled (hit, "x"), ==, 0);
  g_assert_cmpint (hit_sampled (hit, "y"), ==, 3);
  g_assert_cmpint (hit_sampled (hit, "bad"), ==, 1);
}

/* ---- test of comparisons with a thread's name ---- */

static void
test_comm (void)
{
  static const char *const texts[] = { "", "sh", "seven-7", "eight-88", "fourteen-bytes", "fifteen--bytes." };
  static const char *const others[] = { "s", "shh", "seven-", "seven-77", "eight-8", "eight-888", "fifteen--bytes" };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autofree char *code = g_strdup_printf ("global a; global b; global c; if (comm == \"%s\") a += 1; else b += 1; "
                                               "if (\"%s\" != comm || once) c += 1; c += 10 * (comm == \"%s\")", texts[i],
                                               texts[i], texts[i]);
      g_autoptr(Hit) hit = hit_new (code);
      char comm[16] = { 0 };

      g_strlcpy (comm, texts[i], sizeof comm);
      if (strlen (texts[i]) + 1 < sizeof comm)
        comm[15] = 7;              /* garbage after the string's end */
      comm[strlen (texts[i])] = '\0';
      hit_comm (hit, comm);
      hit_it (hit);
      g_assert_cmpint (hit_value (hit, GILK_MAP_GLOBAL, "a"), ==, 1);
      g_assert_cmpint (hit_value (hit, GILK_MAP_GLOBAL, "c"), ==, 11);
      for (guint k = 0; k < G_N_ELEMENTS (others); k++)
        {
          memset (comm, 0, sizeof comm);
          g_strlcpy (comm, others[k], sizeof comm);
          hit_comm (hit, comm);
          hit_it (hit);
          g_assert_cmpint (hit_value (hit, GILK_MAP_GLOBAL, "b"), ==, k + 1);
        }
    }
}

/* ---- tests of maps that are too large for per-CPU memory ---- */

static void
test_large_maps (void)
{
  g_autoptr(Hit) hit = hit_new ("map small[1024]; map large[32768]; small[tid] += 2; large[tid] += 3");
  const GArray *areas = gilk_program_ops (hit->program)->areas;
  const GilkProgramMap *small = hit_map (hit, GILK_MAP_HASH, "small"), *large = hit_map (hit, GILK_MAP_HASH, "large");

  g_assert_true (g_array_index (areas, GilkOpsArea, small->area).per_cpu);
  g_assert_false (g_array_index (areas, GilkOpsArea, large->area).per_cpu);
  g_assert_cmpuint (8 * g_array_index (areas, GilkOpsArea, small->area).elements, <=, ILK_AREA_CPU_BYTES_MAX);
  g_assert_cmpuint (8 * g_array_index (areas, GilkOpsArea, large->area).elements, <=, ILK_AREA_BYTES_MAX);
  hit_it (hit);
  hit->machine.cpu = 1;
  hit_it (hit);
  g_assert_cmpint (hit_value (hit, GILK_MAP_MISSED, "large"), ==, 0);
}

/* ---- tests of programs that crash the kernel ---- */

static void
test_crash (void)
{
  static const char words[40] = "thirty-nine bytes are room for a text..";
  g_autoptr(Hit) hit = hit_new ("if (count > 5) crash (\"thirty-nine bytes are room for a text..\")");
  uint64_t sum = 0, word;

  for (guint i = 0; i < ILK_CRASH_WORDS; i++)
    {
      memcpy (&word, words + 8 * i, sizeof word);
      sum += word;
    }
  g_assert_true (gilk_ops_calls_service (gilk_program_ops (hit->program), ILK_SERVICE_CRASH));
  hit->machine.registers[2] = 5;
  hit_it (hit);
  g_assert_cmpuint (hit->model->run.marked, ==, 0);
  hit->machine.registers[2] = 6;
  hit_it (hit);
  g_assert_cmpuint (hit->model->run.marked, ==, sum);
}

static void
test_not_allowed (void)
{
  g_autoptr(GilkBtf) btf = program_btf ();
  GilkProgramPlace place = program_place (btf);
  GilkProgramError where = { 0 };
  g_autoptr(GError) error = NULL;

  place.crash = FALSE;
  g_assert_null (gilk_program_new ("count (); crash (\"x\")", &place, &where, &error));
  g_assert_cmpuint (where.column, ==, 11);
  g_assert_nonnull (strstr (error->message, "--allow-crash"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/program-service/names", test_names);
  g_test_add_func ("/program-service/is-read", test_is_read);
  g_test_add_func ("/program-service/values", test_values);
  g_test_add_func ("/program-service/bad", test_bad);
  g_test_add_func ("/program-service/comm", test_comm);
  g_test_add_func ("/program-service/large-maps", test_large_maps);
  g_test_add_func ("/program-service/crash", test_crash);
  g_test_add_func ("/program-service/not-allowed", test_not_allowed);

  return g_test_run ();
}
