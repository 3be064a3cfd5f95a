/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-agent.c - sends a client the answers of a hostile agent
 *
 *   fuzz-agent [--seconds S] [--conversations N] [--seed S] [--from I] [--only I]
 *
 * In each conversation a client connects, reads a kernel, binds a plan and records it. Most
 * frames of the agent are valid (tests/unit/false-agent.h). In a few, words, lengths, ids or names
 * are changed; some frames are reordered, left out, duplicated, truncated or sent unsolicited; and
 * the kernel's code may be arbitrary bytes. Built with sanitizers in build-sanitize: no
 * conversation may cause a sanitizer report, hang, or fail without a message.
 *
 * Works without a reader thread and without waits (gilk_stream_new_fed), so that a conversation
 * takes less than a millisecond and is reproducible: --seed S --only I repeats conversation I of
 * --seed S.
 */
/* Promise: no answer of an agent harms the client */
#include <stdio.h>
#include <stdlib.h>
#include <glib/gstdio.h>

#include "core/base/gilk-error.h"
#include "core/link/gilk-target-private.h"
#include "core/run/gilk-armed.h"
#include "core/run/gilk-run.h"
#include "tests/fuzz/fuzz-turns.h"
#include "tests/unit/false-agent.h"

#define RUN_EVERY  16      /* one conversation in RUN_EVERY includes a run, which takes some ms */
#define TEXT_EVERY 8       /* one conversation in TEXT_EVERY has a kernel with arbitrary code */
#define PLANS      4
#define TELL_EVERY 20000

typedef struct {
  FalseAgent *agent;
  FalseAgent *pristine;
  GByteArray *out;         /* bytes that the agent sent and the client has not read yet */
  gsize       read;
  GByteArray *held;        /* frame that is sent later, after the next frame */
  guint64     random;
  guint       calm;        /* number of frames to send unchanged */
  guint       lies;        /* number of frames to change, after @calm unchanged frames */
  gboolean    gone;
  guint64     connected, images, bound, armed, runs;     /* numbers of conversations that reached
                                                            each stage */
} Mutator;

static guint
draw_below (Mutator *mutator, guint below)
{
  return fuzz_draw (&mutator->random, below);
}

static guint64
draw_interesting (Mutator *mutator)
{
  static const guint64 values[] = {
    0, 1, 2, 3, 7, 8, 31, 32, 33, 64, 255, 256, 4095, 4096, 8191, 8192, 65535, 65536, 1 << 20,
    1 << 24, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, 0x100000000ull, FALSE_TEXT,
    FALSE_TABLES, FALSE_MODULE, FALSE_ARENA, 0x7fffffffffffffffull, 0x8000000000000000ull,
    0xfffffffffffff000ull, 0xfffffffffffffffeull, 0xffffffffffffffffull,
  };

  return values[draw_below (mutator, G_N_ELEMENTS (values))] + (draw_below (mutator, 4) == 0 ? draw_below (mutator, 9) - 4 : 0);
}

/* ---- changes of the agent's frames ---- */

static void
change_word (Mutator *mutator, GByteArray *payload)
{
  const guint64 value = draw_interesting (mutator);
  const gsize size = 1u << draw_below (mutator, 4);
  const gsize place = draw_below (mutator, 4) != 0 ? draw_below (mutator, MIN (payload->len, 512) + 1)
                                          : draw_below (mutator, payload->len + 1);
  const gsize at = place / size * size;

  if (at + size <= payload->len)
    memcpy (payload->data + at, &value, size);
}

static void
change_text (Mutator *mutator, GByteArray *payload)
{
  static const char *const words[] = {
    "\n", "", " ", "\t[", "]", "ffffffffffffffff", "0000000000000000", "ffffffff80000000", "=",
    "\xff\xfe", "%s%n", "../../x", "T", "\n\n\n", "_etext", "__stop___ex_table", "[mod]", ",",
  };
  const char *word = words[draw_below (mutator, G_N_ELEMENTS (words))];
  const gsize at = draw_below (mutator, payload->len + 1), length = strlen (word);

  if (draw_below (mutator, 3) == 0)
    g_byte_array_append (payload, (const guint8 *) word, length);
  if (at + length <= payload->len)
    memcpy (payload->data + at, word, length);
}

static void
change_length (Mutator *mutator, GByteArray *payload)
{
  const guint before = payload->len;

  if (draw_below (mutator, 2) == 0)
    {
      g_byte_array_set_size (payload, draw_below (mutator, before + 1));
      return;
    }
  g_byte_array_set_size (payload, before + 1 + draw_below (mutator, draw_below (mutator, 8) == 0 ? 40000 : 200));
  for (guint i = before; i < payload->len; i++)
    payload->data[i] = before > 0 && draw_below (mutator, 2) ? payload->data[i % before]
                                                    : (guint8) draw_below (mutator, 256);
}

static void
change_head (Mutator *mutator, struct gilk_frame *head)
{
  switch (draw_below (mutator, 8))
    {
    case 0: head->type = (guint16) draw_below (mutator, 50); break;
    case 1: head->seq = draw_below (mutator, 3) ? head->seq + draw_below (mutator, 5) - 2 : 0; break;
    case 2: head->status = draw_below (mutator, 200); break;
    case 3: head->flags ^= GILK_FRAME_MORE; break;
    case 4: head->magic ^= 1u << draw_below (mutator, 32); break;
    case 5: head->flags = (guint16) draw_interesting (mutator); break;
    case 6: head->status = (guint32) draw_interesting (mutator); break;
    default: head->reserved = draw_below (mutator, 2); break;
    }
}

/* Sends the client a frame that it did not request. */
static void
send_unrequested (Mutator *mutator)
{
  struct gilk_frame head = {
    .magic = GILK_WIRE_MAGIC, .type = draw_below (mutator, 4) ? GILK_SAMPLES + (guint16) draw_below (mutator, 2) : (guint16) draw_below (mutator, 50),
    .seq = draw_below (mutator, 4) ? 0 : draw_below (mutator, 100), .length = ILK_CELL * draw_below (mutator, 9) + 8,
  };
  guint32 cells[8 * ILK_CELL / 4 + 2];

  for (guint i = 0; i < G_N_ELEMENTS (cells); i++)
    cells[i] = draw_below (mutator, 3) ? 1 : (guint32) draw_interesting (mutator);
  cells[1] = head.length - 8;
  if (draw_below (mutator, 10) == 0)
    head = (struct gilk_frame) { .magic = GILK_WIRE_MAGIC, .type = GILK_BYE };
  g_byte_array_append (mutator->out, (const guint8 *) &head, sizeof head);
  g_byte_array_append (mutator->out, (const guint8 *) cells, head.length);
}

static void
hold_back_frame (Mutator *mutator, const struct gilk_frame *head, const GByteArray *payload)
{
  g_byte_array_append (mutator->held, (const guint8 *) head, sizeof *head);
  if (payload->len > 0)
    g_byte_array_append (mutator->held, payload->data, payload->len);
}

/* Changes a frame; returns how many times to send it. */
static guint
mutate_frame (Mutator *mutator, struct gilk_frame *head, GByteArray *payload)
{
  guint times = 1;

  switch (draw_below (mutator, 16))
    {
    case 0: times = 0; break;
    case 1: times = 2 + draw_below (mutator, 2); break;
    case 2: change_head (mutator, head); break;
    case 3: change_length (mutator, payload); break;
    case 4: change_text (mutator, payload); break;
    case 5: send_unrequested (mutator); break;
    case 6: mutator->gone = draw_below (mutator, 2); break;
    case 7:
      head->status = 1 + draw_below (mutator, 133);
      g_byte_array_set_size (payload, draw_below (mutator, 2) ? 0 : MIN (payload->len, 40));
      break;
    case 8:
      if (payload->len > 0)
        payload->data[draw_below (mutator, payload->len)] ^= (guint8) (1 << draw_below (mutator, 8));
      break;
    default:
      for (guint n = 1 + draw_below (mutator, 3); n > 0; n--)
        change_word (mutator, payload);
      break;
    }
  head->length = payload->len;
  if (draw_below (mutator, 40) == 0)
    head->length += draw_below (mutator, 5) - 2;
  else if (draw_below (mutator, 20) == 0)
    {
      hold_back_frame (mutator, head, payload);
      times = 0;
    }

  return times;
}

static guint
on_frame (FalseAgent *agent, struct gilk_frame *head, GByteArray *payload, gpointer data)
{
  Mutator *mutator = data;

  if (mutator->calm > 0)
    {
      mutator->calm--;
      return 1;
    }
  if (mutator->lies == 0)
    return 1;
  mutator->lies--;
  mutator->calm = draw_below (mutator, 6);

  return mutate_frame (mutator, head, payload);
}

/* ---- the stream between client and agent ---- */

static gboolean
take_request (gpointer data, const struct iovec *parts, guint count)
{
  Mutator *mutator = data;
  g_autoptr (GByteArray) request = g_byte_array_new ();
  g_autofree guint8 *payload = NULL;
  struct gilk_frame head;

  if (mutator->gone)
    return FALSE;
  for (guint i = 0; i < count; i++)
    if (parts[i].iov_len > 0)
      g_byte_array_append (request, parts[i].iov_base, (guint) parts[i].iov_len);
  memcpy (&head, request->data, sizeof head);
  payload = g_memdup2 (request->data + sizeof head, head.length);
  false_agent_answer (mutator->agent, &head, payload, mutator->out);
  if (mutator->held->len > 0)
    {
      g_byte_array_append (mutator->out, mutator->held->data, mutator->held->len);
      g_byte_array_set_size (mutator->held, 0);
    }

  return TRUE;
}

static gssize
give_answer (gpointer data, guint8 *out, gsize length)
{
  Mutator *mutator = data;
  const gsize there = mutator->out->len - mutator->read;
  const gsize part = MIN (there, length);

  if (part == 0)
    return mutator->gone ? 0 : GILK_STREAM_IDLE;
  memcpy (out, mutator->out->data + mutator->read, part);
  mutator->read += part;
  if (mutator->read == mutator->out->len)
    {
      g_byte_array_set_size (mutator->out, 0);
      mutator->read = 0;
    }

  return (gssize) part;
}

/* ---- the client's part of a conversation ---- */

/* Checks that a failed call has set an error with a code and a message. */
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
run_armed (Mutator *mutator, GilkTarget *target, GilkImage *image, const GilkBoundPlan *bound)
{
  const struct gilk_samples_start wish = { .period_ms = 20 };
  struct gilk_samples_end end;
  struct gilk_rings rings;
  GilkArmed armed;
  struct ilk_arm arm;

  gilk_armed_init (&armed, target, bound, NULL);
  TRY (gilk_target_samples_start (target, &wish, NULL, NULL, &rings, NULL, error));
  TRY (gilk_armed_prepare (&armed, image, NULL, error) && gilk_armed_arm (&armed, &arm, NULL, error) &&
       ++mutator->armed);
  TRY (gilk_armed_disarm (&armed, error));
  TRY (gilk_target_rings (target, &rings, NULL, error));
  TRY (gilk_target_samples_freeze (target, NULL, error));
  TRY (gilk_target_samples_stop (target, &end, NULL, error));
  gilk_armed_release (&armed);
  gilk_armed_clear (&armed);
}

static void
run_recorded (Mutator *mutator, GilkBoundPlan *bound, GilkImage *image, const char *path)
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
    mutator->runs++;
  /* The run's thread has a reference to the run until the thread ends. The last notification has a
   * reference until it is delivered. */
  while (g_atomic_int_get (&G_OBJECT (run)->ref_count) > 1)
    if (!g_main_context_iteration (context, FALSE))
      g_thread_yield ();
  g_main_context_pop_thread_default (context);
  gilk_store_close (store, NULL);
  g_object_unref (run);
  g_unlink (path);
}

static void
use_image (Mutator *mutator, GilkTarget *target, GilkImage *image, gboolean record, const char *path)
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
  const char *text = texts[draw_below (mutator, PLANS)];
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
    run_recorded (mutator, g_steal_pointer (&bound), image, path);
  else if (gilk_bound_plan_check (bound, NULL) && ++mutator->bound)
    run_armed (mutator, target, image, bound);
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
use_target (Mutator *mutator, GilkTarget *target, gboolean record, const char *path)
{
  g_autoptr (GilkImage) image = NULL;
  g_autoptr (GHashTable) facts = NULL;
  g_autoptr (GArray) descs = NULL;
  g_autoptr (GArray) status = NULL;
  g_auto (GStrv) names = NULL;
  g_autofree char *sum = NULL;
  g_autoptr (GArray) cpus = NULL;
  const struct gilk_calls calls = { .path = 1 + draw_below (mutator, 4), .calls = draw_below (mutator, 1000), .limit_ms = 1 };
  struct ilk_area areas[3] = { { .bytes = 8 }, { .bytes = 4096, .flags = ILK_AREA_PER_CPU }, { .bytes = 64 } };
  const struct ilk_memory_read reads[3] = { { .id = 1, .bytes = 8 }, { .id = 2, .bytes = 4096 }, { .id = 9, .bytes = 64 } };
  struct gilk_watch_point watches[2] = { { .patch = 1, .access = GILK_WATCH_WRITE, .bytes = 8 },
                                         { .patch = 2, .slot = 1, .access = GILK_WATCH_EXECUTE, .bytes = 8 } };
  struct gilk_event_counter events[2] = { { .key = GILK_EVENT_KEY (1, 0) }, { .key = GILK_EVENT_KEY (0, 1) } };
  uint32_t refusal;
  const uint32_t watched[2] = { 1, 2 };
  struct gilk_watch_status states[2];
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
  TRY (gilk_target_memory (target, areas, 1 + draw_below (mutator, 3), NULL, error));
  TRY (kept = gilk_target_memory_read (target, reads, draw_below (mutator, 4), NULL, error));
  TRY (gilk_target_bind_watchpoints (target, watches, 1 + draw_below (mutator, 2), NULL, error));
  TRY (gilk_target_watchpoint_status (target, watched, 1 + draw_below (mutator, 2), states, NULL, error));
  TRY (gilk_target_events (target, events, 1 + draw_below (mutator, 2), GILK_EVENTS_PROBE, NULL, error));
  TRY (gilk_target_crash (target, 1, 0, &refusal, NULL, error));
  TRY (descs = gilk_target_instruments (target, NULL, error));
  TRY (names = gilk_target_instrument_files (target, NULL, error));
  TRY (types = gilk_target_types (target, "mod", NULL, error));
  TRY (image = gilk_image_open (target, NULL, NULL, error));
  if (image != NULL && draw_below (mutator, 2) == 0)
    use_types (gilk_image_types (image));
  if (image != NULL && ++mutator->images)
    use_image (mutator, target, image, record, path);
  if (image != NULL && draw_below (mutator, 4) == 0)
    TRY (sum = gilk_image_checksum (image, "ilk", NULL, NULL, error));
  TRY (status = gilk_target_status (target, TRUE, NULL, NULL, error));
}

static void
change_code (Mutator *mutator)
{
  for (guint n = 1 + draw_below (mutator, 40); n > 0; n--)
    mutator->agent->text[draw_below (mutator, FALSE_FUNCTIONS * FALSE_STRIDE)] = (guint8) draw_below (mutator, 256);
  for (guint n = draw_below (mutator, 20); n > 0; n--)
    mutator->agent->tables[draw_below (mutator, sizeof mutator->agent->tables)] = (guint8) draw_below (mutator, 256);
  for (guint n = draw_below (mutator, 20); n > 0; n--)
    mutator->agent->module[draw_below (mutator, sizeof mutator->agent->module)] = (guint8) draw_below (mutator, 256);
}

static void
run_conversation (Mutator *mutator, guint64 seed, guint64 number, const char *path)
{
  static const GilkStreamFuncs funcs = { take_request, give_answer };
  const gboolean record = number % RUN_EVERY == 0, other_code = number % TEXT_EVERY == 1;
  g_autoptr (GError) error = NULL;
  GilkTarget *target;

  mutator->random = (seed + 1) * 0x9e3779b97f4a7c15ull ^ (number + 1) * 0xbf58476d1ce4e5b9ull;
  mutator->random |= 1;
  g_random_set_seed (draw_below (mutator, G_MAXINT32));
  g_byte_array_set_size (mutator->out, 0);
  g_byte_array_set_size (mutator->held, 0);
  mutator->read = 0;
  mutator->gone = FALSE;
  mutator->calm = draw_below (mutator, 4) == 0 ? draw_below (mutator, 8) : draw_below (mutator, 45);
  mutator->lies = 1 + draw_below (mutator, 4);
  mutator->agent->n_cpus = 1u << draw_below (mutator, 3);
  if (other_code)
    {
      change_code (mutator);
      if (draw_below (mutator, 2))
        mutator->lies = 0;
    }

  target = gilk_target_open_stream (gilk_stream_new_fed (&funcs, mutator), "fuzz", NULL, &error);
  if (target == NULL)
    check_error (&error);
  else
    {
      mutator->connected++;
      use_target (mutator, target, record, path);
      gilk_target_unref (target);
    }
  if (other_code)
    {
      memcpy (mutator->agent->text, mutator->pristine->text, sizeof mutator->agent->text);
      memcpy (mutator->agent->tables, mutator->pristine->tables, sizeof mutator->agent->tables);
      memcpy (mutator->agent->module, mutator->pristine->module, sizeof mutator->agent->module);
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
  Mutator mutator = { 0 };
  gint64 number;

  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, NULL))
    return 2;
  g_log_set_always_fatal (G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING | G_LOG_FLAG_FATAL |
                          G_LOG_LEVEL_ERROR);
  mutator.agent = false_agent_new (2);
  mutator.pristine = false_agent_new (2);
  mutator.agent->tamper = on_frame;
  mutator.agent->tamper_data = &mutator;
  mutator.out = g_byte_array_new ();
  mutator.held = g_byte_array_new ();

  if (only >= 0)
    run_conversation (&mutator, (guint64) seed, (guint64) only, path);
  for (number = from; only < 0 && number - from < conversations &&
         (seconds == 0 || g_get_monotonic_time () - begin < seconds * G_USEC_PER_SEC); number++)
    {
      if (g_getenv ("GILK_FUZZ_TRACE") != NULL)
        fprintf (stderr, "%" G_GINT64_FORMAT "\n", number);
      run_conversation (&mutator, (guint64) seed, (guint64) number, path);
      if (seconds == 0 && (number + 1) % TELL_EVERY == 0)
        fprintf (stderr, "# conversation %" G_GINT64_FORMAT " of seed %" G_GINT64_FORMAT " was held\n",
                 number + 1, seed);
    }

  g_byte_array_unref (mutator.out);
  g_byte_array_unref (mutator.held);
  false_agent_free (mutator.agent);
  false_agent_free (mutator.pristine);
  g_rmdir (dir);
  printf ("1..1\nok 1 - %" G_GINT64_FORMAT " conversations of seed %" G_GINT64_FORMAT ", %.0f s, "
          "no fault (%" G_GUINT64_FORMAT " connected, %" G_GUINT64_FORMAT " saw a kernel, %"
          G_GUINT64_FORMAT " bound a plan, %" G_GUINT64_FORMAT " armed it, %" G_GUINT64_FORMAT
          " recorded)\n", number - from, seed, (double) (g_get_monotonic_time () - begin) / 1e6,
          mutator.connected, mutator.images, mutator.bound, mutator.armed, mutator.runs);
  return 0;
}
