/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-frames.c - feeds mutated streams to the agent's parser and requests
 *
 *   fuzz-frames [SECONDS [SEED]]
 *
 * Whole requests are concatenated, then bytes are flipped, removed, repeated and inserted, and the
 * result is parsed, resynchronised and dispatched as in gilkd.c. Built with AddressSanitizer; every
 * payload is an allocation of its exact size, so that any access past its end is detected. Requests
 * that would change the machine are left out, because the program may run as root.
 */
/* Promise: no frame harms the agent */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/gilkd.h"

#define STREAM_MAX 8192u

static uint64_t state;

/* Draws a random number with xorshift64*: the same seed gives the same run on every machine. */
static uint32_t
draw_below (uint32_t below)
{
  state ^= state >> 12;
  state ^= state << 25;
  state ^= state >> 27;

  return (uint32_t) ((state * 2685821657736338717ull) >> 32) % below;
}

/* Returns whether the request may change the machine: with a loaded driver, the request could
 * disarm patches that other clients armed. */
static int
changes_machine (uint16_t type)
{
  return type == GILK_DRIVER_LOAD || type == GILK_DRIVER_UNLOAD ||
         type == GILK_INSTRUMENT_LOAD || type == GILK_INSTRUMENT_UNLOAD ||
         (type >= GILK_RESERVE && type != GILK_CALLS && gilkd_driver_exists ());
}

/* Returns whether a request is slow and takes no input to mutate. Such requests are rarely made. */
static int
is_slow (uint16_t type)
{
  return type == GILK_GET_FILE || type == GILK_GET_TYPES || type == GILK_DOCTOR || type == GILK_KERNEL_LOG || type == GILK_CALLS;
}

/* Returns whether the request makes the agent kill itself. */
static int
is_deadly (uint16_t       type,
           const uint8_t *payload,
           size_t         length)
{
  struct gilk_calls wish;

  if (type != GILK_CALLS || length != sizeof wish)
    return 0;
  memcpy (&wish, payload, sizeof wish);

  return (wish.flags & GILK_CALLS_KILL_AGENT) != 0;
}

/* Makes a valid or nearly valid CALLS request that lasts a few milliseconds. */
static size_t
make_calls (uint8_t *payload)
{
  const struct gilk_calls wish = {
    .path = draw_below (6), .threads = draw_below (8) ? draw_below (5) : draw_below (70),
    .calls = draw_below (8) ? draw_below (100000) : GILK_WIRE_CALLS_MAX + draw_below (2),
    .limit_ms = draw_below (20), .flags = draw_below (8) ? 0 : 2 * draw_below (8),
  };

  memcpy (payload, &wish, sizeof wish);
  return sizeof wish;
}

static size_t
make_use (uint8_t *payload)
{
  const struct gilk_use use = { .way = draw_below (8) ? GILK_WAY_BPF : draw_below (3), .ring_bytes = draw_below (2) ? 0 : 1u << draw_below (20) };

  memcpy (payload, &use, sizeof use);
  return sizeof use;
}

/* Makes an EVENT_BIND request for patches that may exist, with events that may be valid. */
static size_t
make_events (uint8_t *payload)
{
  struct gilk_event_point *events = (struct gilk_event_point *) payload;
  const uint32_t n = 1 + draw_below (4);

  memset (events, 0, n * sizeof *events);
  for (uint32_t i = 0; i < n; i++)
    {
      events[i].patch = 1 + draw_below (4);
      events[i].kind = 1 + draw_below (4);
      events[i].amount = events[i].kind == GILK_EVENT_TRACEPOINT ? draw_below (8) == 0 : draw_below (GILK_EVENT_NS_MIN * 2);
      if (events[i].kind == GILK_EVENT_TRACEPOINT)
        memcpy (events[i].name, "sched_switch", 13);
      if (draw_below (8) == 0)
        events[i].name[draw_below (GILK_EVENT_NAME_MAX)] = (char) draw_below (256);
    }

  return n * sizeof *events;
}

/* Makes a request for watchpoints, mostly of addresses that no kernel maps. */
static size_t
make_watches (uint8_t *payload)
{
  struct gilk_watch_point *watches = (struct gilk_watch_point *) payload;
  const uint32_t n = 1 + draw_below (5);

  memset (watches, 0, n * sizeof *watches);
  for (uint32_t i = 0; i < n; i++)
    {
      watches[i] = (struct gilk_watch_point) {
        .patch = 1 + draw_below (4), .slot = draw_below (GILK_WATCHES_MAX + 1), .access = draw_below (5),
        .address = draw_below (4) ? UINT64_C (0xfffffffffffff000) + draw_below (64) : draw_below (9), .bytes = 1u << draw_below (5),
        .flags = draw_below (4), .cpu = draw_below (2) ? 0 : draw_below (2) ? GILK_WATCH_EACH_CPU : draw_below (9),
        .rate_limit = draw_below (2) ? 0 : draw_below (2 * GILK_WATCH_RATE_MAX),
      };
      if (watches[i].flags & GILK_WATCH_MOVABLE && draw_below (8))
        watches[i].address = 0;
      if (draw_below (8) == 0)
        watches[i].module[draw_below (GILK_EVENT_NAME_MAX)] = (char) draw_below (256);
    }

  return n * sizeof *watches;
}

/* Makes a RESERVE request that succeeds. */
static void
make_reservation (struct gilk_batch *batch)
{
  struct ilk_reserve_patch *patches = (struct ilk_reserve_patch *) (batch + 1);

  memset (patches, 0, batch->patch_count * sizeof *patches + batch->hook_count * sizeof (struct ilk_reserve_hook));
  for (uint32_t i = 0; i < batch->patch_count; i++)
    patches[i].bytes = 64;
  batch->blob_bytes = 0;
}

/* Makes the items of a PREPARE request refer to patches, hooks, code and maps that may exist. */
static void
make_programs (struct gilk_batch *batch)
{
  struct ilk_prepare_patch *patches = (struct ilk_prepare_patch *) (batch + 1);
  struct ilk_prepare_hook *hooks = (struct ilk_prepare_hook *) (patches + batch->patch_count);
  const uint64_t code[] = {
    0x18 | draw_below (3) << 12 | (uint64_t) GILK_BPF_HANDLE (draw_below (8), draw_below (3)) << 32, (uint64_t) draw_below (64) << 32,
    0xb7, 0x95,
  };

  for (uint32_t i = 0; i < batch->patch_count; i++)
    {
      const uint32_t tactic = draw_below (2) ? GILK_TACTIC_KPROBE : GILK_TACTIC_TRACEPOINT + draw_below (5);
      const int has_site = tactic == GILK_TACTIC_KPROBE || tactic == GILK_TACTIC_FENTRY;

      patches[i] = (struct ilk_prepare_patch) {
        .id = 1 + draw_below (4), .tactic = tactic, .site = has_site ? 1 + draw_below (9) : 0, .code = 8 * draw_below (4),
        .code_len = 8 * draw_below (5), .replaces = draw_below (4) ? 0 : draw_below (4), .aux = tactic == GILK_TACTIC_FENTRY ? draw_below (3) : draw_below (8) == 0,
      };
    }
  for (uint32_t i = 0; i < batch->hook_count; i++)
    hooks[i] = (struct ilk_prepare_hook) { .iid = 1 + draw_below (4), .patch = 1 + draw_below (4), .flags = draw_below (8) };
  batch->blob_bytes = sizeof code;
  memcpy (hooks + batch->hook_count, code, sizeof code);
}

static size_t
append_bytes (uint8_t    *stream,
              size_t      at,
              const void *bytes,
              size_t      length)
{
  if (at + length > STREAM_MAX)
    return at;
  memcpy (stream + at, bytes, length);

  return at + length;
}

/* Makes a payload in which the counts of items mostly match its length, so that it passes the first
 * checks and reaches later ones. */
static size_t
make_payload (uint16_t type,
              uint8_t *payload)
{
  struct gilk_batch *batch = (struct gilk_batch *) payload;
  size_t length = draw_below (200);

  for (size_t i = 0; i < 2048; i++)
    payload[i] = draw_below (4) ? 0 : (uint8_t) draw_below (256);
  if (type == GILK_HELLO)
    {
      const struct gilk_hello hello = { GILK_WIRE_VERSION, ILK_ABI_VERSION, 1 };

      memcpy (payload, &hello, sizeof hello);
      return sizeof hello;
    }
  if (type == GILK_CALLS && draw_below (4))
    return make_calls (payload);
  if (type == GILK_USE && draw_below (4))
    return make_use (payload);
  if (type == GILK_WATCH_BIND && draw_below (4))
    return make_watches (payload);
  if (type == GILK_WATCH_STATUS && draw_below (4))
    return draw_below (6) * sizeof (struct gilk_watch_status);
  if (type == GILK_EVENTS && draw_below (4))
    return sizeof (struct gilk_events) + draw_below (10) * sizeof (struct gilk_event_counter);
  if (type == GILK_EVENT_BIND && draw_below (4))
    return make_events (payload);
  if (type == GILK_CRASH && draw_below (4))
    return sizeof (struct ilk_crash);
  if (type == GILK_MEMORY && draw_below (2))
    {
      const struct ilk_area area = { .bytes = 8 * draw_below (9), .flags = draw_below (2) };

      memcpy (payload, &area, sizeof area);
      return sizeof area;
    }
  if ((type == GILK_MEMORY || type == GILK_MEMORY_READ) && draw_below (4))
    return draw_below (8) * sizeof (struct ilk_area);
  if (type != GILK_RESERVE && type != GILK_PREPARE)
    return length;

  batch->patch_count = draw_below (4);
  batch->hook_count = draw_below (4);
  batch->blob_bytes = draw_below (64);
  if (type == GILK_PREPARE && draw_below (2))
    make_programs (batch);
  if (type == GILK_RESERVE && draw_below (2))
    make_reservation (batch);
  length = type == GILK_RESERVE
           ? batch->patch_count * sizeof (struct ilk_reserve_patch) +
             batch->hook_count * sizeof (struct ilk_reserve_hook)
           : batch->patch_count * sizeof (struct ilk_prepare_patch) +
             batch->hook_count * sizeof (struct ilk_prepare_hook);

  return sizeof *batch + length + batch->blob_bytes;
}

static size_t
make_stream (uint8_t *stream)
{
  static const uint16_t types[] = {
    GILK_HELLO, GILK_BYE, GILK_PING, GILK_GET_FILE, GILK_GET_SECTIONS, GILK_GET_TYPES, GILK_READ_TEXT, GILK_TEXT_SUMS,
    GILK_DOCTOR, GILK_KERNEL_LOG, GILK_DRIVER_INFO, GILK_INSTRUMENTS, GILK_INSTRUMENT_FILES,
    GILK_RESERVE, GILK_PREPARE, GILK_ARM, GILK_DISARM, GILK_STATUS, GILK_COUNTERS, GILK_CLOCKS, GILK_MEASURE, GILK_INTERVALS, GILK_INTERVAL_TIMES,
    GILK_MEMORY, GILK_MEMORY_READ, GILK_WATCH_BIND, GILK_WATCH_STATUS, GILK_EVENTS, GILK_EVENT_BIND, GILK_CRASH,
    GILK_SAMPLES_START, GILK_SAMPLES_STOP, GILK_SAMPLES, GILK_SAMPLES_FREEZE, GILK_RINGS,
    GILK_CALLS, GILK_USE, 999,
  };
  /* Requests in the order of a session with BPF hooks: most of them act on something that an
   * earlier request has made. */
  static const uint16_t steps[] = {
    GILK_HELLO, GILK_USE, GILK_RESERVE, GILK_EVENT_BIND, GILK_WATCH_BIND, GILK_MEMORY, GILK_PREPARE, GILK_SAMPLES_START, GILK_ARM, GILK_PREPARE, GILK_COUNTERS,
    GILK_STATUS, GILK_WATCH_STATUS, GILK_DISARM,
  };
  static uint64_t payload[2048 / 8];
  const uint32_t n_steps = draw_below (3) ? 0 : sizeof steps / sizeof steps[0];
  const uint32_t n_frames = n_steps + 1 + draw_below (6);
  size_t length = 0;

  for (uint32_t i = 0; i < n_frames; i++)
    {
      struct gilk_frame head = { .magic = GILK_WIRE_MAGIC, .seq = 1 + draw_below (9) };

      head.type = i < n_steps ? steps[i] : draw_below (3) ? types[draw_below (sizeof types / sizeof types[0])] : GILK_HELLO;
      head.length = (uint32_t) make_payload (head.type, (uint8_t *) payload);
      length = append_bytes (stream, length, &head, sizeof head);
      length = append_bytes (stream, length, payload, head.length);
    }

  return length;
}

static size_t
mutate_stream (uint8_t *stream,
               size_t   length)
{
  for (uint32_t n = draw_below (8); n > 0 && length > 1; n--)
    {
      size_t at = draw_below ((uint32_t) length);
      size_t count = draw_below (32);

      switch (draw_below (5))
        {
        case 0:
          stream[at] ^= (uint8_t) (1u << draw_below (8));
          break;
        case 1:
          stream[at] = (uint8_t) draw_below (256);
          break;
        case 2:
          length = at;
          break;
        case 3:
          length = append_bytes (stream, length, stream + at, count < length - at ? count : length - at);
          break;
        default:
          if (at + 4 <= length)
            memset (stream + at, draw_below (2) ? 0xff : 0x7f, 4);
        }
    }

  return length;
}

static void
dispatch_copy (struct gilkd  *d,
               const uint8_t *payload,
               size_t         length)
{
  uint8_t *copy;

  if (changes_machine (d->client.request.type) || is_deadly (d->client.request.type, payload, length) ||
      (is_slow (d->client.request.type) && draw_below (d->client.request.type == GILK_CALLS ? 50 : 500)))
    return;

  copy = malloc (length ? length : 1);
  memcpy (copy, payload, length);
  gilkd_dispatch (d, copy, length);
  free (copy);
}

static void
feed_stream (struct gilkd *d,
             const uint8_t *stream,
             size_t         length)
{
  size_t at = 0;

  while (at < length)
    {
      struct gilk_frame head;
      enum gilkd_parse parse;
      uint8_t *exact;

      if (!d->client.in_session)
        at += gilkd_frame_resync (stream + at, length - at);
      exact = malloc (length - at + 1);
      memcpy (exact, stream + at, length - at);
      parse = gilkd_frame_parse (exact, length - at, &head);
      free (exact);
      if (parse == GILKD_PARSE_MORE)
        break;
      if (parse == GILKD_PARSE_BAD)
        {
          gilkd_session_end (d);
          at++;
          continue;
        }
      d->client.request = head;
      dispatch_copy (d, stream + at + sizeof head, head.length);
      at += sizeof head + head.length;
    }
  gilkd_session_end (d);
}

int
main (int    argc,
      char **argv)
{
  struct gilkd d;
  const uint64_t seconds = argc > 1 ? strtoull (argv[1], NULL, 10) : 5;
  const uint64_t end = gilkd_now_ms () + seconds * 1000;
  uint8_t stream[STREAM_MAX];
  unsigned long runs = 0;

  state = argc > 2 ? strtoull (argv[2], NULL, 10) : 1;
  if (state == 0)
    state = 1;
  gilkd_init (&d, -1, open ("/dev/null", O_WRONLY));
  signal (SIGPIPE, SIG_IGN);

  for (; gilkd_now_ms () < end; runs++)
    feed_stream (&d, stream, mutate_stream (stream, make_stream (stream)));

  printf ("1..1\nok 1 - %lu streams, no fault\n", runs);
  return 0;
}
