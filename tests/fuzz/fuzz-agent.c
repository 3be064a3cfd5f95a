/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-agent.c - sends a client the answers of a hostile agent
 *
 *   fuzz-agent [--seconds S] [--conversations N] [--seed S] [--from I] [--only I]
 *
 * In each conversation a client connects, reads a kernel, binds a plan and records it. The agent's
 * frames are valid ones (tests/unit/false-agent.h), of which a few are changed: words, lengths,
 * ids, names, order; left out, doubled, unsolicited, cut off; and the kernel's code may be any
 * bytes. Built with sanitizers in build-sanitize: no conversation may be reported, hang, or fail
 * without a message.
 *
 * No thread reads and nothing waits (gilk_stream_new_fed), so that a conversation takes less than a
 * millisecond and is reproducible: number I of --seed S is --seed S --only I.
 */
#include <stdio.h>
#include <stdlib.h>
#include <glib/gstdio.h>

#include "core/base/gilk-error.h"
#include "core/cfg/gilk-cfg.h"
#include "core/run/gilk-run-private.h"
#include "core/target/gilk-target-private.h"
#include "tests/fuzz/fuzz-turns.h"
#include "tests/unit/false-agent.h"

#define RUN_EVERY  16      /* one conversation in RUN_EVERY has a run and a session: some ms */
#define TEXT_EVERY 8       /* one conversation in TEXT_EVERY has other code */
#define PLANS      4
#define TELL_EVERY 20000

typedef struct {
  FalseAgent *agent;
  FalseAgent *pristine;
  GByteArray *out;         /* sent, not yet read */
  gsize       read;
  GByteArray *held;        /* a frame to be sent after the next */
  guint64     random;
  guint       calm;        /* number of frames to leave valid */
  guint       lies;        /* number of further frames to change */
  gboolean    gone;
  guint64     connected, images, bound, armed, runs;     /* how far conversations got */
} Liar;

static guint
draw (Liar *liar, guint below)
{
  return fuzz_draw (&liar->random, below);
}

static guint64
interesting (Liar *liar)
{
  static const guint64 values[] = {
    0, 1, 2, 3, 7, 8, 31, 32, 33, 64, 255, 256, 4095, 4096, 8191, 8192, 65535, 65536, 1 << 20,
    1 << 24, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 0x100000000ull, FALSE_TEXT,
    FALSE_TABLES, FALSE_MODULE, FALSE_ARENA, 0x7fffffffffffffffull, 0x8000000000000000ull,
    0xfffffffffffff000ull, 0xfffffffffffffffeull, 0xffffffffffffffffull,
  };

  return values[draw (liar, G_N_ELEMENTS (values))] + (draw (liar, 4) == 0 ? draw (liar, 9) - 4 : 0);
}

/* ---- changes ---- */

static void
change_word (Liar *liar, GByteArray *payload)
{
  const guint64 value = interesting (liar);
  const gsize size = 1u << draw (liar, 4);
  const gsize place = draw (liar, 4) != 0 ? draw (liar, MIN (payload->len, 512) + 1)
                                          : draw (liar, payload->len + 1);
  const gsize at = place / size * size;

  if (at + size <= payload->len)
    memcpy (payload->data + at, &value, size);
}

static void
change_text (Liar *liar, GByteArray *payload)
{
  static const char *const words[] = {
    "\n", "", " ", "\t[", "]", "ffffffffffffffff", "0000000000000000", "ffffffff80000000", "=",
    "\xff\xfe", "%s%n", "../../x", "T", "\n\n\n", "_etext", "__stop___ex_table", "[mod]", ",",
  };
  const char *word = words[draw (liar, G_N_ELEMENTS (words))];
  const gsize at = draw (liar, payload->len + 1), length = strlen (word);

  if (draw (liar, 3) == 0)
    g_byte_array_append (payload, (const guint8 *) word, length);
  if (at + length <= payload->len)
    memcpy (payload->data + at, word, length);
}

static void
change_length (Liar *liar, GByteArray *payload)
{
  const guint before = payload->len;

  if (draw (liar, 2) == 0)
    {
      g_byte_array_set_size (payload, draw (liar, before + 1));
      return;
    }
  g_byte_array_set_size (payload, before + 1 + draw (liar, draw (liar, 8) == 0 ? 40000 : 200));
  for (guint i = before; i < payload->len; i++)
    payload->data[i] = before > 0 && draw (liar, 2) ? payload->data[i % before]
                                                    : (guint8) draw (liar, 256);
}

static void
change_head (Liar *liar, struct gilk_frame *head)
{
  switch (draw (liar, 8))
    {
    case 0: head->type = (guint16) draw (liar, 50); break;
    case 1: head->seq = draw (liar, 3) ? head->seq + draw (liar, 5) - 2 : 0; break;
    case 2: head->status = draw (liar, 200); break;
    case 3: head->flags ^= GILK_FRAME_MORE; break;
    case 4: head->magic ^= 1u << draw (liar, 32); break;
    case 5: head->flags = (guint16) interesting (liar); break;
    case 6: head->status = (guint32) interesting (liar); break;
    default: head->reserved = draw (liar, 2); break;
    }
}

/* Sends a frame that was not requested. */
static void
say_unasked (Liar *liar)
{
  struct gilk_frame head = {
    .magic = GILK_WIRE_MAGIC, .type = draw (liar, 4) ? GILK_SAMPLES + (guint16) draw (liar, 2) : (guint16) draw (liar, 50),
    .seq = draw (liar, 4) ? 0 : draw (liar, 100), .length = ILK_CELL * draw (liar, 9) + 8,
  };
  guint32 cells[8 * ILK_CELL / 4 + 2];

  for (guint i = 0; i < G_N_ELEMENTS (cells); i++)
    cells[i] = draw (liar, 3) ? 1 : (guint32) interesting (liar);
  cells[1] = head.length - 8;
  if (draw (liar, 10) == 0)
    head = (struct gilk_frame) { .magic = GILK_WIRE_MAGIC, .type = GILK_BYE };
  g_byte_array_append (liar->out, (const guint8 *) &head, sizeof head);
  g_byte_array_append (liar->out, (const guint8 *) cells, head.length);
}

static void
hold (Liar *liar, const struct gilk_frame *head, const GByteArray *payload)
{
  g_byte_array_append (liar->held, (const guint8 *) head, sizeof *head);
  if (payload->len > 0)
    g_byte_array_append (liar->held, payload->data, payload->len);
}

/* Changes a frame; returns how often to send it. */
static guint
lie (Liar *liar, struct gilk_frame *head, GByteArray *payload)
{
  guint times = 1;

  switch (draw (liar, 16))
    {
    case 0: times = 0; break;
    case 1: times = 2 + draw (liar, 2); break;
    case 2: change_head (liar, head); break;
    case 3: change_length (liar, payload); break;
    case 4: change_text (liar, payload); break;
    case 5: say_unasked (liar); break;
    case 6: liar->gone = draw (liar, 2); break;
    case 7:
      head->status = 1 + draw (liar, 133);
      g_byte_array_set_size (payload, draw (liar, 2) ? 0 : MIN (payload->len, 40));
      break;
    case 8:
      if (payload->len > 0)
        payload->data[draw (liar, payload->len)] ^= (guint8) (1 << draw (liar, 8));
      break;
    default:
      for (guint n = 1 + draw (liar, 3); n > 0; n--)
        change_word (liar, payload);
      break;
    }
  head->length = payload->len;
  if (draw (liar, 40) == 0)
    head->length += draw (liar, 5) - 2;
  else if (draw (liar, 20) == 0)
    {
      hold (liar, head, payload);
      times = 0;
    }

  return times;
}

static guint
tamper (FalseAgent *agent, struct gilk_frame *head, GByteArray *payload, gpointer data)
{
  Liar *liar = data;

  if (liar->calm > 0)
    {
      liar->calm--;
      return 1;
    }
  if (liar->lies == 0)
    return 1;
  liar->lies--;
  liar->calm = draw (liar, 6);

  return lie (liar, head, payload);
}

/* ---- the stream ---- */

static gboolean
take_request (gpointer data, const struct iovec *parts, guint count)
{
  Liar *liar = data;
  g_autoptr (GByteArray) request = g_byte_array_new ();
  g_autofree guint8 *payload = NULL;
  struct gilk_frame head;

  if (liar->gone)
    return FALSE;
  for (guint i = 0; i < count; i++)
    if (parts[i].iov_len > 0)
      g_byte_array_append (request, parts[i].iov_base, (guint) parts[i].iov_len);
  memcpy (&head, request->data, sizeof head);
  payload = g_memdup2 (request->data + sizeof head, head.length);
  false_agent_answer (liar->agent, &head, payload, liar->out);
  if (liar->held->len > 0)
    {
      g_byte_array_append (liar->out, liar->held->data, liar->held->len);
      g_byte_array_set_size (liar->held, 0);
    }

  return TRUE;
}

static gssize
give_answer (gpointer data, guint8 *out, gsize length)
{
  Liar *liar = data;
  const gsize there = liar->out->len - liar->read;
  const gsize part = MIN (there, length);

  if (part == 0)
    return liar->gone ? 0 : GILK_STREAM_IDLE;
  memcpy (out, liar->out->data + liar->read, part);
  liar->read += part;
  if (liar->read == liar->out->len)
    {
      g_byte_array_set_size (liar->out, 0);
      liar->read = 0;
    }

  return (gssize) part;
}

/* ---- the client ---- */

/* Checks that a failure has a code and a message. */
static void
check_error (GError **error)
{
  g_assert_nonnull (*error);
  g_assert_true ((*error)->domain == GILK_ERROR);
  g_assert_cmpstr ((*error)->message, !=, "");
  g_assert_true (g_utf8_validate ((*error)->message, -1, NULL));
  g_clear_error (error);
}

#define TRY(call) \
  do { g_autoptr (GError) error_ = NULL; GError **error = &error_; if (!(call)) check_error (error); } while (0)

static void
run_armed (Liar *liar, GilkTarget *target, GilkImage *image, const GilkBoundPlan *bound)
{
  const struct gilk_samples_start wish = { .period_ms = 20 };
  struct gilk_samples_end end;
  struct gilk_rings rings;
  GilkArmed armed;
  struct ilk_arm arm;

  gilk_armed_init (&armed, target, bound, NULL);
  TRY (gilk_target_samples_start (target, &wish, NULL, NULL, &rings, NULL, error));
  TRY (gilk_armed_prepare (&armed, image, NULL, error) && gilk_armed_arm (&armed, &arm, NULL, error) &&
       ++liar->armed);
  TRY (gilk_armed_disarm (&armed, error));
  TRY (gilk_target_rings (target, &rings, NULL, error));
  TRY (gilk_target_samples_freeze (target, NULL, error));
  TRY (gilk_target_samples_stop (target, &end, NULL, error));
  gilk_armed_forget (&armed);
  gilk_armed_clear (&armed);
}

static void
run_recorded (Liar *liar, GilkBoundPlan *bound, GilkImage *image, const char *path)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GError) error = NULL;
  GilkStore *store = gilk_store_open (path, &error);
  GilkRun *run;

  g_assert_no_error (error);
  g_main_context_push_thread_default (context);
  run = gilk_run_new (bound, image, store, 1, GILK_CONSENT_NONE);
  gilk_run_start (run);
  while (gilk_run_state (run) != GILK_RUN_DONE && gilk_run_state (run) != GILK_RUN_FAILED)
    g_main_context_iteration (context, TRUE);
  if (gilk_run_state (run) == GILK_RUN_FAILED)
    g_assert_cmpstr (gilk_run_error (run)->message, !=, "");
  else
    liar->runs++;
  /* The run's thread holds references to the run and the target a little longer; its last
   * notification holds one until it is delivered. */
  while (g_atomic_int_get (&G_OBJECT (run)->ref_count) > 1)
    if (!g_main_context_iteration (context, FALSE))
      g_thread_yield ();
  g_main_context_pop_thread_default (context);
  gilk_store_close (store, NULL);
  g_object_unref (run);
  g_unlink (path);
}

static void
use_image (Liar *liar, GilkTarget *target, GilkImage *image, gboolean record, const char *path)
{
  static const char *const texts[PLANS] = {
    "[gilk-plan]\nversion=1\n[hook a]\nfunction=fn_0\nblock=+0x0\nwhere=pre\ninstrument=count\n"
    "[hook b]\nfunction=fn_1\nblock=+0x18\nwhere=pre\ninstrument=stamp\n",
    "[gilk-plan]\nversion=1\n[hook a]\nfunction=mod_a\nblock=+0x0\nwhere=pre\ninstrument=args\n"
    "[hook b]\nfunction=fn_2\nblock=+0x13\nwhere=post\ninstrument=span\n",
    "[gilk-plan]\nversion=1\n[hook a]\nfunction=fn_4\nblock=+0x0\nwhere=pre\ninstrument=count\n"
    "tactic=clone\n[hook b]\nfunction=fn_5\nblock=+0x18\nwhere=pre\ninstrument=stamp\ntactic=trap\n",
    "[gilk-plan]\nversion=1\n[hook a]\nfunction=user:" FALSE_PROGRAM_PATH ":branch\nanchor=entry\nwhere=pre\n"
    "instrument=count\n[hook b]\nfunction=user:" FALSE_PROGRAM_PATH ":plain\nanchor=return\nwhere=post\n"
    "instrument=stamp\n",
  };
  const char *text = texts[draw (liar, PLANS)];
  g_autoptr (GError) local = NULL;
  g_autoptr (GilkPlan) plan = gilk_plan_parse (text, strlen (text), "fuzz.plan", &local);
  g_autoptr (GilkFunctions) functions = gilk_functions_new (image);
  g_autoptr (GilkBoundPlan) bound = NULL;

  g_assert_no_error (local);
  bound = gilk_bound_plan_new (plan, functions, image, NULL, NULL, &local);
  if (bound == NULL)
    {
      check_error (&local);
      return;
    }
  TRY (gilk_bound_plan_check (bound, error));
  if (record)
    run_recorded (liar, g_steal_pointer (&bound), image, path);
  else if (gilk_bound_plan_check (bound, NULL) && ++liar->bound)
    run_armed (liar, target, image, bound);
}

static void
use_types (GilkTypes *types)
{
  g_autoptr (GilkBtf) kernel = NULL;
  g_autoptr (GilkBtf) module = NULL;
  g_autofree char *path = NULL;

  TRY (kernel = gilk_types_get (types, NULL, NULL, error));
  TRY (module = gilk_types_get (types, "mod", NULL, error));
  if (module != NULL)
    path = gilk_btf_path_at (module, gilk_btf_find (module, "struct file"), 24, 4);
}

static void
use_target (Liar *liar, GilkTarget *target, gboolean record, const char *path)
{
  g_autoptr (GilkImage) image = NULL;
  g_autoptr (GHashTable) facts = NULL;
  g_autoptr (GArray) descs = NULL;
  g_autoptr (GArray) status = NULL;
  g_auto (GStrv) names = NULL;
  g_autofree char *sum = NULL;
  g_autoptr (GArray) cpus = NULL;
  const struct gilk_calls calls = { .path = 1 + draw (liar, 4), .calls = draw (liar, 1000), .limit_ms = 1 };
  struct ilk_area areas[3] = { { .bytes = 8 }, { .bytes = 4096, .flags = ILK_AREA_PER_CPU }, { .bytes = 64 } };
  const struct ilk_memory_read reads[3] = { { .id = 1, .bytes = 8 }, { .id = 2, .bytes = 4096 }, { .id = 9, .bytes = 64 } };
  struct ilk_watch watches[2] = { { .iid = 1, .access = ILK_WATCH_WRITE, .bytes = 8 },
                                  { .iid = 2, .access = ILK_WATCH_EXECUTE, .bytes = 8 } };
  struct ilk_counted events[2] = { { .key = ILK_EVENT (1, 0) }, { .key = ILK_EVENT (0, 1) } };
  uint32_t refusal;
  const uint32_t watched[2] = { 1, 2 };
  struct ilk_watch_status states[2];
  g_autoptr (GByteArray) kept = NULL;
  struct gilk_calls_made made;
  struct gilk_clocks clocks;
  g_autoptr (GBytes) types = NULL;
  struct ilk_info info;

  TRY (facts = gilk_target_doctor (target, NULL, error));
  TRY (gilk_target_load_driver (target, NULL, error));
  TRY (gilk_target_driver_info (target, &info, NULL, error));
  TRY (gilk_target_clocks (target, &clocks, NULL, NULL, error));
  TRY (gilk_target_clocks (target, &clocks, &cpus, NULL, error));
  TRY (gilk_target_calls (target, &calls, &made, NULL, error));
  TRY (gilk_target_memory (target, areas, 1 + draw (liar, 3), NULL, error));
  TRY (kept = gilk_target_memory_read (target, reads, draw (liar, 4), NULL, error));
  TRY (gilk_target_watch (target, watches, 1 + draw (liar, 2), NULL, error));
  TRY (gilk_target_watch_status (target, watched, 1 + draw (liar, 2), states, NULL, error));
  TRY (gilk_target_events (target, events, 1 + draw (liar, 2), ILK_EVENTS_TRY, NULL, error));
  TRY (gilk_target_crash (target, 1, 0, &refusal, NULL, error));
  TRY (descs = gilk_target_instruments (target, NULL, error));
  TRY (names = gilk_target_instrument_files (target, NULL, error));
  TRY (types = gilk_target_types (target, "mod", NULL, error));
  TRY (image = gilk_image_open (target, NULL, NULL, error));
  if (image != NULL && draw (liar, 2) == 0)
    use_types (gilk_image_types (image));
  if (image != NULL && ++liar->images)
    use_image (liar, target, image, record, path);
  if (image != NULL && draw (liar, 4) == 0)
    TRY (sum = gilk_image_checksum (image, "ilk", NULL, NULL, error));
  TRY (status = gilk_target_status (target, TRUE, NULL, NULL, error));
}

static void
change_code (Liar *liar)
{
  for (guint n = 1 + draw (liar, 40); n > 0; n--)
    liar->agent->text[draw (liar, FALSE_FUNCTIONS * FALSE_STRIDE)] = (guint8) draw (liar, 256);
  for (guint n = draw (liar, 20); n > 0; n--)
    liar->agent->tables[draw (liar, sizeof liar->agent->tables)] = (guint8) draw (liar, 256);
  for (guint n = draw (liar, 20); n > 0; n--)
    liar->agent->module[draw (liar, sizeof liar->agent->module)] = (guint8) draw (liar, 256);
}

static void
converse (Liar *liar, guint64 seed, guint64 number, const char *path)
{
  static const GilkStreamFuncs funcs = { take_request, give_answer };
  const gboolean record = number % RUN_EVERY == 0, other_code = number % TEXT_EVERY == 1;
  g_autoptr (GError) error = NULL;
  GilkTarget *target;

  liar->random = (seed + 1) * 0x9e3779b97f4a7c15ull ^ (number + 1) * 0xbf58476d1ce4e5b9ull;
  liar->random |= 1;
  g_random_set_seed (draw (liar, G_MAXINT32));
  g_byte_array_set_size (liar->out, 0);
  g_byte_array_set_size (liar->held, 0);
  liar->read = 0;
  liar->gone = FALSE;
  liar->calm = draw (liar, 4) == 0 ? draw (liar, 8) : draw (liar, 45);
  liar->lies = 1 + draw (liar, 4);
  liar->agent->n_cpus = 1u << draw (liar, 3);
  if (other_code)
    {
      change_code (liar);
      if (draw (liar, 2))
        liar->lies = 0;
    }

  target = gilk_target_open_stream (gilk_stream_new_fed (&funcs, liar), "fuzz", NULL, &error);
  if (target == NULL)
    check_error (&error);
  else
    {
      liar->connected++;
      use_target (liar, target, record, path);
      gilk_target_unref (target);
    }
  if (other_code)
    {
      memcpy (liar->agent->text, liar->pristine->text, sizeof liar->agent->text);
      memcpy (liar->agent->tables, liar->pristine->tables, sizeof liar->agent->tables);
      memcpy (liar->agent->module, liar->pristine->module, sizeof liar->agent->module);
    }
}

int
main (int argc, char **argv)
{
  gint64 seconds = 0, conversations = G_MAXINT64, seed = 1, from = 0, only = -1;
  const GOptionEntry options[] = {
    { "seconds", 0, 0, G_OPTION_ARG_INT64, &seconds, "end after so many", "S" },
    { "conversations", 0, 0, G_OPTION_ARG_INT64, &conversations, "end after so many", "N" },
    { "seed", 0, 0, G_OPTION_ARG_INT64, &seed, "other conversations", "S" },
    { "from", 0, 0, G_OPTION_ARG_INT64, &from, "begin with this one", "I" },
    { "only", 0, 0, G_OPTION_ARG_INT64, &only, "this one alone", "I" },
    { NULL },
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autofree char *dir = g_dir_make_tmp ("gilk-fuzz-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (dir, "fuzz.gilk", NULL);
  const gint64 begin = g_get_monotonic_time ();
  Liar liar = { 0 };
  gint64 number;

  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, NULL))
    return 2;
  g_log_set_always_fatal (G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING | G_LOG_FLAG_FATAL |
                          G_LOG_LEVEL_ERROR);
  liar.agent = false_agent_new (2);
  liar.pristine = false_agent_new (2);
  liar.agent->tamper = tamper;
  liar.agent->tamper_data = &liar;
  liar.out = g_byte_array_new ();
  liar.held = g_byte_array_new ();

  if (only >= 0)
    converse (&liar, (guint64) seed, (guint64) only, path);
  for (number = from; only < 0 && number - from < conversations &&
         (seconds == 0 || g_get_monotonic_time () - begin < seconds * G_USEC_PER_SEC); number++)
    {
      if (g_getenv ("GILK_FUZZ_TRACE") != NULL)
        fprintf (stderr, "%" G_GINT64_FORMAT "\n", number);
      converse (&liar, (guint64) seed, (guint64) number, path);
      if (seconds == 0 && (number + 1) % TELL_EVERY == 0)
        fprintf (stderr, "# conversation %" G_GINT64_FORMAT " of seed %" G_GINT64_FORMAT " was held\n",
                 number + 1, seed);
    }

  g_byte_array_unref (liar.out);
  g_byte_array_unref (liar.held);
  false_agent_free (liar.agent);
  false_agent_free (liar.pristine);
  g_rmdir (dir);
  printf ("1..1\nok 1 - %" G_GINT64_FORMAT " conversations of seed %" G_GINT64_FORMAT ", %.0f s, "
          "no fault (%" G_GUINT64_FORMAT " connected, %" G_GUINT64_FORMAT " saw a kernel, %"
          G_GUINT64_FORMAT " bound a plan, %" G_GUINT64_FORMAT " armed it, %" G_GUINT64_FORMAT
          " recorded)\n", number - from, seed, (double) (g_get_monotonic_time () - begin) / 1e6,
          liar.connected, liar.images, liar.bound, liar.armed, liar.runs);
  return 0;
}
