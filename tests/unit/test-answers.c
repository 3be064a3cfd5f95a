/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-answers.c - tests that each wrong answer of an agent ends the connection with an error that
 * quotes it
 *
 * Changes one answer of an otherwise correct conversation. Sanitizers detect any access out of
 * bounds.
 */
/* Promise: each wrong answer of an agent ends the connection with an error that quotes it */
#include "core/base/gilk-error.h"
#include "core/image/gilk-image.h"
#include "tests/unit/false-agent-socket.h"

typedef struct {
  guint       type;           /* type of the answer to change */
  guint       nth;            /* which answer of this type to change, from 0 */
  gsize       offset;         /* offset of the value in the payload */
  uint64_t    value;
  gsize       size;           /* size of the value; 0: the payload is cut at @offset */
  const char *from, *to;      /* if @from is not NULL, the text @from in the payload is replaced
                                 with @to */
  const char *says;           /* expected part of the error message */
  guint       seen;
} Wrong;

static guint
on_frame (FalseAgent *agent, struct gilk_frame *head, GByteArray *payload, gpointer data)
{
  Wrong *wrong = data;

  if (head->type != wrong->type || wrong->seen++ != wrong->nth)
    return 1;
  if (wrong->from != NULL)
    {
      g_autofree char *text = g_strndup ((const char *) payload->data, payload->len);
      g_auto (GStrv) parts = g_strsplit (text, wrong->from, 2);
      g_autofree char *joined = g_strjoinv (wrong->to, parts);

      g_assert_cmpuint (g_strv_length (parts), ==, 2);
      g_byte_array_set_size (payload, 0);
      g_byte_array_append (payload, (const uint8_t *) joined, strlen (joined));
    }
  else if (wrong->size == 0)
    g_byte_array_set_size (payload, wrong->offset);
  else
    memcpy (payload->data + wrong->offset, &wrong->value, wrong->size);
  head->length = payload->len;

  return 1;
}

static void
ignore_samples (guint cpu, const void *cells, gsize bytes, gpointer user_data)
{
}

/* Sends the requests that a recording run sends, up to the first error. */
static gboolean
run_conversation (GilkTarget *target, GError **error)
{
  struct ilk_reserve_patch patches[2] = { { .bytes = 64 }, { .bytes = 64 } };
  struct ilk_reserve_hook hooks[2] = { { 0 }, { 0 } };
  struct ilk_prepare_patch items[1] = { { .code_len = 8 } };
  struct ilk_prepare_hook hook_items[1] = { { 0 } };
  static const uint8_t blob[8] = { 0 };
  struct ilk_info info;
  struct ilk_counter *counters = NULL;
  struct gilk_samples_end end;
  struct gilk_clocks clocks;
  g_autoptr (GArray) cpus = NULL;
  g_autoptr (GArray) rows = NULL;
  g_autoptr (GArray) moments = NULL;
  struct ilk_area areas[3] = { { .bytes = 16 }, { .bytes = 32, .flags = ILK_AREA_PER_CPU }, { .bytes = 64 } };
  struct ilk_memory_read reads[2] = { { .bytes = 8, .offset = 8 }, { .cpu = 1, .bytes = 32 } };
  g_autoptr (GByteArray) kept = NULL;
  struct ilk_arm arm;
  g_autoptr (GHashTable) facts = gilk_target_doctor (target, NULL, error);
  g_autoptr (GArray) descs = facts ? gilk_target_instruments (target, NULL, error) : NULL;
  g_auto (GStrv) names = descs ? gilk_target_instrument_files (target, NULL, error) : NULL;
  g_autoptr (GilkImage) image = names ? gilk_image_open (target, NULL, NULL, error) : NULL;
  g_autoptr (GArray) status = NULL;
  gboolean good = image != NULL && gilk_target_driver_info (target, &info, NULL, error);
  const struct gilk_samples_start wish = { .period_ms = 20 };
  const struct gilk_calls calls = { .path = GILK_CALLS_PGID, .threads = 2, .calls = 100, .limit_ms = 10 };
  struct gilk_calls_made made;
  struct gilk_rings rings;
  uint32_t iids[2];
  uint8_t orc[6];
  GilkFrameBase base;

  if (!good)
    return FALSE;
  gilk_image_orc (image, FALSE_TEXT + 5, orc, &base);
  /* Like a run, allocate counters once, for the initial number of CPUs. */
  counters = g_new0 (struct ilk_counter, 2 * info.nr_cpus);
  good = gilk_target_samples_start (target, &wish, ignore_samples, NULL, &rings, NULL, error) &&
         gilk_target_reserve (target, patches, 2, hooks, 2, NULL, error) &&
         gilk_target_memory (target, areas, G_N_ELEMENTS (areas), NULL, error);
  reads[0].id = areas[0].id;
  reads[1].id = areas[1].id;
  items[0].id = patches[0].id;
  hook_items[0].iid = iids[0] = hooks[0].iid;
  iids[1] = hooks[1].iid;
  good = good &&
         gilk_target_prepare (target, items, 1, hook_items, 1, blob, sizeof blob, NULL, error) &&
         gilk_target_arm (target, &arm, NULL, error) &&
         gilk_target_driver_info (target, &info, NULL, error) &&
         gilk_target_counters (target, iids, 2, TRUE, counters, NULL, error) &&
         gilk_image_matches_driver (image, &info, error) &&
         (status = gilk_target_status (target, FALSE, NULL, NULL, error)) != NULL &&
         gilk_target_clocks (target, &clocks, NULL, NULL, error) &&
         gilk_target_clocks (target, &clocks, &cpus, NULL, error) &&
         (rows = gilk_target_measure (target, 1, 2, 16, 5, NULL, error)) != NULL && rows->len == 5 &&
         gilk_target_set_intervals (target, 1, 1000000, blob, sizeof blob, NULL, error) &&
         (moments = gilk_target_intervals (target, NULL, error)) != NULL && moments->len == 4 &&
         gilk_target_calls (target, &calls, &made, NULL, error) && made.calls == 90 &&
         (kept = gilk_target_memory_read (target, reads, G_N_ELEMENTS (reads), NULL, error)) != NULL &&
         kept->len == 40 &&
         gilk_target_rings (target, &rings, NULL, error) &&
         gilk_target_samples_stop (target, &end, NULL, error);
  for (guint i = 0; good && i < 2; i++)
    g_assert_cmpuint (iids[i], <=, 65536);
  g_free (counters);

  return good;
}

static void
test_right (void)
{
  Wrong none = { .type = G_MAXUINT };
  g_autoptr (GError) error = NULL;
  FalseSocket s;
  GilkTarget *target = false_socket_open (&s, 2, on_frame, &none);

  run_conversation (target, &error);
  g_assert_no_error (error);
  gilk_target_unref (target);
  false_socket_stop (&s);
}

#define AT(type, field) offsetof (struct type, field), .size = sizeof ((struct type *) 0)->field
#define IN(outer, type, field) sizeof (struct outer) + AT (type, field)

static const Wrong wrongs[] = {
  { GILK_DRIVER_INFO, 0, AT (ilk_info, nr_cpus), .value = 0, .says = "processors" },
  { GILK_DRIVER_INFO, 0, AT (ilk_info, nr_cpus), .value = 1u << 30, .says = "processors" },
  { GILK_DRIVER_INFO, 1, AT (ilk_info, nr_cpus), .value = 64, .says = "64 processors" },
  { GILK_DRIVER_INFO, 0, AT (ilk_info, hooks_max), .value = G_MAXUINT32, .says = "hooks" },
  { GILK_DRIVER_INFO, 0, AT (ilk_info, ring_bytes), .value = 12345, .says = "rings" },
  { GILK_DRIVER_INFO, 0, AT (ilk_info, arena_bytes), .value = G_MAXUINT64, .says = "arena" },
  { GILK_DRIVER_INFO, 0, AT (ilk_info, tsc_khz), .value = G_MAXUINT64, .says = "kHz" },
  { GILK_DRIVER_INFO, 0, AT (ilk_info, clock.cpu), .value = 2, .says = "processor 2" },
  { GILK_DRIVER_INFO, 0, 100, .says = "100 bytes" },
  { GILK_ARM, 0, AT (ilk_arm, zero.cpu), .value = 7, .says = "processor 7" },
  { GILK_ARM, 0, AT (ilk_arm, zero.mono_ns), .value = G_MAXUINT64, .says = "a clock shows" },
  { GILK_INTERVAL_TIMES, 0, 12, .says = "size of 12 bytes" },
  { GILK_INTERVAL_TIMES, 0, 8, .value = 900, .size = 8, .says = "interval 1 starts at 900" },
  { GILK_INTERVAL_TIMES, 0, 24, .value = G_MAXUINT64, .size = 8, .says = "interval 3 starts at" },
  { GILK_MEASURE, 0, 32, .says = "32 bytes for 5 costs" },
  { GILK_CALLS, 0, AT (gilk_calls_made, calls), .value = 101, .says = "101 of 100 calls" },
  { GILK_CALLS, 0, AT (gilk_calls_made, wrong), .value = 91, .says = "of 100 calls" },
  { GILK_CALLS, 0, AT (gilk_calls_made, threads), .value = 3, .says = "3 of 2 threads" },
  { GILK_CALLS, 0, AT (gilk_calls_made, threads), .value = 0, .says = "0 of 2 threads" },
  { GILK_CALLS, 0, 24, .says = "24 bytes" },
  { GILK_CLOCKS, 0, AT (gilk_clocks, pair.cpu), .value = 2, .says = "processor 2" },
  { GILK_CLOCKS, 0, AT (gilk_clocks, count), .value = 2, .says = "for 2 processors" },
  { GILK_CLOCKS, 1, AT (gilk_clocks, count), .value = 3, .says = "for 3 processors" },
  { GILK_CLOCKS, 1, AT (gilk_clocks, count), .value = G_MAXUINT32, .says = "processors" },
  { GILK_CLOCKS, 1, AT (gilk_clocks, reference), .value = 2, .says = "relative to processor 2" },
  { GILK_CLOCKS, 1, AT (gilk_clocks, reference), .value = 1, .says = "the clock of processor 1" },
  { GILK_INSTRUMENTS, 0, 100, .says = "100 bytes" },
  { GILK_INSTRUMENTS, 0, AT (ilk_instrument_desc, field_count), .value = 9999, .says = "9999" },
  { GILK_INSTRUMENTS, 0, AT (ilk_instrument_desc, sample_bytes), .value = 9999, .says = "9999" },
  { GILK_INSTRUMENTS, 0, AT (ilk_instrument_desc, name[0]), .value = ';', .says = "name" },
  { GILK_INSTRUMENTS, 0, AT (ilk_instrument_desc, fields[1].offset), .value = 20,
    .says = "field 2" },
  { GILK_INSTRUMENTS, 0, AT (ilk_instrument_desc, params[0].min), .value = 100,
    .says = "parameter 1" },
  { GILK_INSTRUMENT_FILES, .from = "task", .to = "../x", .says = "../x" },
  { GILK_GET_FILE, 4, .from = " Live", .to = "\n; 1 2 3 Live", .says = "name of a module" },
  { GILK_GET_FILE, 1, .from = "__stop___ex_table", .to = "__stop___gone",
    .says = NULL },
  { GILK_GET_FILE, 1, .from = "fn_3", .to = "fn\xff", .says = "not a symbol" },
  { GILK_GET_FILE, 1, .from = "ffffffff8110000c", .to = "ffffffff90000000",
    .says = "__stop___ex_table" },
  { GILK_GET_FILE, 1, .from = "ffffffff8110000c", .to = "ffffffffffffffff",
    .says = "__stop___ex_table" },
  { GILK_GET_FILE, 1, .from = "ffffffff81101460", .to = "ffffffffffffffff", .says = NULL },
  { GILK_GET_FILE, 1, .from = "ffffffff81010000", .to = "ffffffffffffffff", .says = "_etext" },
  { GILK_READ_TEXT, 0, 3, .says = "3 bytes" },
  { GILK_RESERVE, 0, IN (gilk_batch, ilk_reserve_patch, slot), .value = G_MAXUINT64,
    .says = "slot" },
  { GILK_RESERVE, 0, sizeof (struct gilk_batch) + 2 * sizeof (struct ilk_reserve_patch) + 4,
    .value = G_MAXUINT32, .size = 4, .says = "hook id 4294967295" },
  { GILK_RESERVE, 0, sizeof (struct gilk_batch) + 2 * sizeof (struct ilk_reserve_patch) + 4,
    .value = 0, .size = 4, .says = "hook id 0" },
  { GILK_RESERVE, 0, sizeof (struct gilk_batch) + 2 * sizeof (struct ilk_reserve_patch) + 4,
    .value = 2, .size = 4, .says = "hook id 2" },
  { GILK_RESERVE, 0, AT (gilk_batch, hook_count), .value = 9, .says = "9 hooks" },
  { GILK_PREPARE, 0, IN (gilk_batch, ilk_prepare_patch, id), .value = 77, .says = "77" },
  { GILK_COUNTERS, 0, 24, .says = "24 bytes" },
  { GILK_DRIVER_INFO, 0, AT (ilk_info, task_comm), .value = 1u << 30, .says = "struct task_struct" },
  { GILK_DRIVER_INFO, 0, AT (ilk_info, task_pid), .value = G_MAXUINT32, .says = "struct task_struct" },
  { GILK_MEMORY, 0, 48, .says = "48 bytes where 72 were expected" },
  { GILK_MEMORY, 0, AT (ilk_area, bytes), .value = 8, .says = "area 1 has another size or kind" },
  { GILK_MEMORY, 0, AT (ilk_area, flags), .value = ILK_AREA_PER_CPU, .says = "area 1 has another size or kind" },
  { GILK_MEMORY, 0, AT (ilk_area, id), .value = 0, .says = "area id 0" },
  { GILK_MEMORY, 0, AT (ilk_area, id), .value = 3, .says = "area id 3" },
  { GILK_MEMORY, 0, AT (ilk_area, at), .value = 0, .says = "16 bytes at 0x0" },
  { GILK_MEMORY, 0, AT (ilk_area, at), .value = 0x7fff12345000, .says = "at 0x7fff12345000" },
  { GILK_MEMORY, 0, AT (ilk_area, at), .value = FALSE_AREAS + 4, .says = "at 0xffffc90000000004" },
  { GILK_MEMORY, 0, AT (ilk_area, at), .value = 0xfffffffffffffff8, .says = "at 0xfffffffffffffff8" },
  { GILK_MEMORY, 0, IN (ilk_area, ilk_area, at), .value = 0x40004, .says = "32 bytes at 0x40004" },
  { GILK_MEMORY, 0, IN (ilk_area, ilk_area, at), .value = 0, .says = "32 bytes at 0x0" },
  { GILK_MEMORY_READ, 0, 32, .says = "32 bytes where 40 were expected" },
  { GILK_STATUS, 0, AT (ilk_status, count), .value = G_MAXUINT32, .says = "patches" },
  { GILK_STATUS, 1, AT (ilk_patch_status, len), .value = 4000, .says = "4000 bytes" },
  { GILK_SAMPLES, 0, AT (gilk_samples, cpu), .value = 5000, .says = "processor 5000" },
  { GILK_SAMPLES, 0, AT (gilk_samples, bytes), .value = 31, .says = "samples" },
  { GILK_SAMPLES, 0, IN (gilk_samples, ilk_record, iid), .value = G_MAXUINT32,
    .says = "hook 4294967295" },
  { GILK_SAMPLES, 0, IN (gilk_samples, ilk_record, len), .value = G_MAXUINT32,
    .says = "a sample of" },
  { GILK_SAMPLES, 0, IN (gilk_samples, ilk_record, iid), .value = 0, .says = "hook 0" },
  { GILK_SAMPLES_START, 0, AT (gilk_rings, ring_bytes), .value = 12345, .says = "rings" },
  { GILK_RINGS, 0, AT (gilk_rings, frozen), .value = 2, .says = "rings" },
  { GILK_SAMPLES_STOP, 0, 8, .says = "8 bytes" },
};

/* Checks that the wrong answer has ended the connection: the client disconnects from the agent. */
static void
expect_end (FalseSocket *s)
{
  for (guint i = 0; i < 1000 && g_atomic_int_get (&s->clients) != 0; i++)
    g_usleep (10000);
  g_assert_cmpint (g_atomic_int_get (&s->clients), ==, 0);
}

static void
test_wrong (gconstpointer data)
{
  Wrong wrong = *(const Wrong *) data;
  g_autoptr (GError) error = NULL;
  FalseSocket s;
  GilkTarget *target = false_socket_open (&s, 2, on_frame, &wrong);

  if (wrong.says == NULL)
    {
      run_conversation (target, &error);
      g_assert_no_error (error);
    }
  else
    {
      g_assert_false (run_conversation (target, &error));
      g_test_message ("%s", error->message);
      g_assert_true (g_error_matches (error, GILK_ERROR, GILK_ERROR_PROTOCOL) ||
                     g_error_matches (error, GILK_ERROR, GILK_ERROR_FORMAT));
      g_assert_nonnull (strstr (error->message, wrong.says));
      g_assert_nonnull (strstr (error->message, "connect again"));
      expect_end (&s);
    }
  gilk_target_unref (target);
  false_socket_stop (&s);
}

/* Replaces an answer with an error answer without a message. */
static guint
fail_silently (FalseAgent *agent, struct gilk_frame *head, GByteArray *payload, gpointer data)
{
  if (head->type == GILK_DOCTOR)
    {
      g_byte_array_set_size (payload, 0);
      head->length = 0;
      head->status = ENOMEM;
    }

  return 1;
}

static void
test_no_sentence (void)
{
  g_autoptr (GError) error = NULL;
  FalseSocket s;
  GilkTarget *target = false_socket_open (&s, 2, fail_silently, NULL);

  g_assert_null (gilk_target_doctor (target, NULL, &error));
  g_assert_cmpstr (error->message, ==, g_strerror (ENOMEM));
  gilk_target_unref (target);
  false_socket_stop (&s);
}

/* Removes the text from answers that must have text. */
static guint
stay_silent (FalseAgent *agent, struct gilk_frame *head, GByteArray *payload, gpointer data)
{
  if (head->type == GILK_DOCTOR || head->type == GILK_INSTRUMENT_FILES)
    {
      g_byte_array_set_size (payload, 0);
      head->length = 0;
    }

  return 1;
}

static void
test_no_text (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GHashTable) facts = NULL;
  g_auto (GStrv) names = NULL;
  FalseSocket s;
  GilkTarget *target = false_socket_open (&s, 2, stay_silent, NULL);

  facts = gilk_target_doctor (target, NULL, &error);
  g_assert_cmpuint (g_hash_table_size (facts), ==, 0);
  names = gilk_target_instrument_files (target, NULL, &error);
  g_assert_cmpuint (g_strv_length (names), ==, 0);
  gilk_target_unref (target);
  false_socket_stop (&s);
}

/* Tests that an empty answer to the request for sections is accepted: the module has no
 * sections. */
static void
test_no_sections (void)
{
  Wrong wrong = { .type = GILK_GET_SECTIONS };
  g_autoptr (GilkImage) image = NULL;
  g_autoptr (GError) error = NULL;
  FalseSocket s;
  GilkTarget *target = false_socket_open (&s, 2, on_frame, &wrong);

  image = gilk_image_open (target, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (wrong.seen, >, 0);
  g_clear_pointer (&image, gilk_image_unref);
  gilk_target_unref (target);
  false_socket_stop (&s);
}

/* Replaces the branch of a static key, at offset 0x85 of the text, with an int3, in the first @left
 * answers that contain this branch. */
static guint
write_key (FalseAgent *agent, struct gilk_frame *head, GByteArray *payload, gpointer data)
{
  guint *left = data;

  if (head->type != GILK_READ_TEXT || *left == 0)
    return 1;
  if (payload->len == 5 && memcmp (payload->data, agent->text + 0x85, 5) == 0)
    payload->data[0] = 0xcc;
  else if (payload->len > 0x85 && memcmp (payload->data, agent->text, 0x85) == 0)
    payload->data[0x85] = 0xcc;
  else
    return 1;
  --*left;

  return 1;
}

/* Tests that while the kernel is patching text, the client reads the text again, but only a limited
 * number of times. */
static void
test_text_in_motion (void)
{
  static const guint often[] = { 2, 1000 };

  for (guint i = 0; i < G_N_ELEMENTS (often); i++)
    {
      guint left = often[i];
      g_autoptr (GilkImage) image = NULL;
      g_autoptr (GError) error = NULL;
      const uint8_t *bytes;
      FalseSocket s;
      GilkTarget *target = false_socket_open (&s, 2, write_key, &left);

      image = gilk_image_open (target, NULL, NULL, &error);
      g_assert_no_error (error);
      bytes = gilk_image_bytes (image, FALSE_TEXT + 0x80, 16, &error);
      g_assert_no_error (error);
      g_assert_cmphex (bytes[5], ==, often[i] == 2 ? s.agent->text[0x85] : 0xcc);
      g_assert_cmpmem (bytes + 6, 10, s.agent->text + 0x86, 10);
      g_clear_pointer (&image, gilk_image_unref);
      gilk_target_unref (target);
      false_socket_stop (&s);
    }
}

/* Tests a disarm request whose answer reports that other clients still have patches: the request
 * fails with their number, and can be repeated. */
static void
test_kept (void)
{
  Wrong kept = { .type = GILK_DISARM, .offset = AT (ilk_disarm, refused), .value = 2 };
  struct ilk_disarm disarm = { .what = ILK_DISARM_ALL_FILES };
  g_autoptr (GError) error = NULL;
  FalseSocket s;
  GilkTarget *target = false_socket_open (&s, 2, on_frame, &kept);

  g_assert_false (gilk_target_disarm (target, &disarm, NULL, NULL, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_STILL_OWNED);
  g_assert_cmpuint (disarm.refused, ==, 2);
  g_assert_nonnull (strstr (error->message, "2 patches"));
  g_clear_error (&error);
  g_assert_true (gilk_target_disarm (target, &disarm, NULL, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (disarm.refused, ==, 0);
  gilk_target_unref (target);
  false_socket_stop (&s);
}

/* Tests that counters of 50,000 hooks on 256 CPUs are read, although their 300 MB exceed one
 * answer. */
static void
test_many_counters (void)
{
  enum { HOOKS = 50000, CPUS = 256 };
  g_autofree uint32_t *iids = g_new (uint32_t, HOOKS);
  struct ilk_counter *counters = g_new0 (struct ilk_counter, (gsize) HOOKS * CPUS);
  g_autoptr (GError) error = NULL;
  GilkTarget *target;
  FalseSocket s;

  for (guint i = 0; i < HOOKS; i++)
    iids[i] = i + 1;
  target = false_socket_open (&s, CPUS, NULL, NULL);
  gilk_target_counters (target, iids, HOOKS, TRUE, counters, NULL, &error);
  g_assert_no_error (error);
  for (gsize i = 0; i < (gsize) HOOKS * CPUS; i++)
    g_assert_cmpuint (counters[i].count, ==, 3);
  gilk_target_unref (target);
  false_socket_stop (&s);
  g_free (counters);
}

/* Tests that the contents of 40 areas, which exceed one answer, are requested in parts and returned
 * in order. */
static void
test_much_kept (void)
{
  enum { AREAS = 40, BYTES = ILK_AREA_BYTES_MAX / 2 - 8 };
  struct ilk_area areas[AREAS] = { { 0 } };
  struct ilk_memory_read reads[AREAS] = { { 0 } };
  g_autoptr (GByteArray) kept = NULL;
  g_autoptr (GError) error = NULL;
  const uint64_t *words;
  GilkTarget *target;
  FalseSocket s;

  for (guint i = 0; i < AREAS; i++)
    areas[i].bytes = BYTES + 8;
  target = false_socket_open (&s, 2, NULL, NULL);
  gilk_target_memory (target, areas, AREAS, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < AREAS; i++)
    reads[i] = (struct ilk_memory_read) { .id = areas[AREAS - 1 - i].id, .offset = 8, .bytes = BYTES };
  kept = gilk_target_memory_read (target, reads, AREAS, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (kept->len, ==, AREAS * BYTES);
  words = (gconstpointer) kept->data;
  for (guint i = 0; i < AREAS; i++)
    for (guint at = 0; at < BYTES; at += 8)
      if (*words++ != false_map (reads[i].id, 0, 8 + at))
        g_error ("area %u, byte %u", i, at);
  gilk_target_unref (target);
  false_socket_stop (&s);
}

/* Tests that the client itself refuses invalid reads, and that the connection is kept if the agent
 * refuses to read a missing area. */
static void
test_not_kept (void)
{
  const struct ilk_memory_read none = { .id = 7, .bytes = 8 }, empty = { .id = 1 };
  const struct ilk_memory_read long_one = { .id = 1, .bytes = ILK_AREA_BYTES_MAX + 8 };
  struct ilk_area area = { .bytes = 8 };
  g_autoptr (GByteArray) kept = NULL;
  g_autoptr (GError) error = NULL;
  FalseSocket s;
  GilkTarget *target = false_socket_open (&s, 2, NULL, NULL);

  g_assert_null (gilk_target_memory_read (target, &empty, 1, NULL, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
  g_clear_error (&error);
  g_assert_null (gilk_target_memory_read (target, &long_one, 1, NULL, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
  g_clear_error (&error);
  g_assert_false (gilk_target_memory (target, &area, ILK_BATCH_MAX + 1, NULL, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
  g_clear_error (&error);
  g_assert_null (gilk_target_memory_read (target, &none, 1, NULL, &error));
  g_assert_nonnull (error);
  g_assert_false (g_error_matches (error, GILK_ERROR, GILK_ERROR_PROTOCOL));
  g_clear_error (&error);
  kept = gilk_target_memory_read (target, NULL, 0, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (kept->len, ==, 0);
  g_assert_true (gilk_target_memory (target, &area, 1, NULL, &error));
  g_assert_cmpuint (area.id, ==, 1);
  gilk_target_unref (target);
  false_socket_stop (&s);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/answers/right", test_right);
  for (guint i = 0; i < G_N_ELEMENTS (wrongs); i++)
    {
      g_autofree char *path = g_strdup_printf ("/answers/wrong/%u-%u", wrongs[i].type, i);

      g_test_add_data_func (path, &wrongs[i], test_wrong);
    }
  g_test_add_func ("/answers/no-sentence", test_no_sentence);
  g_test_add_func ("/answers/no-text", test_no_text);
  g_test_add_func ("/answers/no-sections", test_no_sections);
  g_test_add_func ("/answers/text-in-motion", test_text_in_motion);
  g_test_add_func ("/answers/kept", test_kept);
  g_test_add_func ("/answers/many-counters", test_many_counters);
  g_test_add_func ("/answers/much-kept", test_much_kept);
  g_test_add_func ("/answers/not-kept", test_not_kept);

  return g_test_run ();
}
