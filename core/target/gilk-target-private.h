/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-target-private.h - a target's insides, for core/target alone
 *
 * Requests come in two halves: sending many before waiting hides the round trip
 * of a distant machine.
 */
#pragma once

#include "core/target/gilk-answers.h"
#include "core/target/gilk-lease.h"
#include "core/target/gilk-stream.h"
#include "core/target/gilk-target.h"

G_BEGIN_DECLS

typedef struct {
  guint       type;
  GByteArray *payload;
  uint32_t    status;
  gboolean    done;
} GilkAnswer;

typedef struct {
  gulong       id;
  GilkLostFunc func;
  gpointer     data;
  gboolean     told;
} GilkLostListener;

/* Input not yet understood. The buffer grows with the frames that come. */
typedef struct {
  uint8_t *bytes;          /* aligned to ILK_CELL; a frame starts at its first byte */
  gsize    room, used;
  gsize    need;           /* bytes that are missing for the next look */
} GilkReceiver;

/*
 * Locks, in this order:
 *   close_lock    one close at a time
 *   write_lock    one request's bytes at a time
 *   samples_lock  held while the samples function runs
 *   lock          all that is marked so; no function of others runs inside
 */
struct _GilkTarget {
  gatomicrefcount refs;
  char           *spec;
  gboolean        caches;         /* set before others have the target */
  gboolean        fed;            /* no thread reads, see gilk_stream_new_fed() */
  GMutex          close_lock;
  GThread        *reader;         /* NULL: fed, or closed */
  GilkReceiver    received;       /* reader only */
  gboolean        ended;          /* reader only: the stream is done for */

  GMutex          lock;           /* all below, unless marked otherwise */
  GCond           changed;
  GHashTable     *pending;        /* seq -> GilkAnswer */
  uint32_t        next_seq;
  GError         *lost;           /* set once */
  GilkLoss        loss;           /* what the reader found to have ended, before it is lost; later why it is */
  GArray         *listeners;      /* GilkLostListener */
  gulong          last_listener;
  gulong          telling;        /* whose function is under way, 0 none */
  GThread        *teller;         /* by which thread */
  gboolean        all_told;       /* who is added now is told at once */
  GilkLimits      limits;
  gboolean        has_reading;
  struct ilk_clock_reading first_reading;
  gint64          last_input;     /* monotonic us */
  char           *cache_key;      /* of the boot as it was opened last, gilk-boot-cache.h; NULL: none */
  gboolean        in_frame;       /* some of a frame is there, and the rest is not */
  gboolean        closing;
  gint            broken;         /* atomic: a write failed, the reader is about to end */

  GMutex          write_lock;
  GilkStream     *stream;         /* NULL: closed; set to that under both locks */
  GMutex          samples_lock;
  GilkSamplesFunc samples_func;
  gpointer        samples_data;
  uint8_t        *cells;          /* reader only: unpacked samples; NULL: none have come */

  GilkLease      *lease;          /* whoever opens and closes; NULL: none */

  uint32_t        hello_seq;
  gboolean        synced;         /* reader only */
  struct gilk_hello_answer hello;
  gint            has_driver;     /* atomic */
  char           *build_id;
};

gboolean gilk_target_uses_cache    (GilkTarget *target);
void     gilk_target_set_cache_key (GilkTarget *target, const char *key);
/* (transfer full) (nullable) */
char    *gilk_target_cache_key     (GilkTarget *target);

/* As gilk_target_open(), over a stream that is there. (transfer full): @stream */
GilkTarget *gilk_target_open_stream (GilkStream *stream, const char *spec,
                                     GCancellable *cancellable, GError **error);

/*
 * An answer was wrong: the connection ends for @wrong, and what this client armed is
 * restored. Takes @wrong, which becomes @error. Returns FALSE. Any thread.
 */
gboolean    gilk_target_distrust (GilkTarget *target, GError *wrong, GError **error);
/* @read, which was made of an answer; NULL: it was wrong, and @wrong says why, as above. */
gpointer    gilk_target_believe  (GilkTarget *target, gpointer read, GError *wrong, GError **error);
/* The answer as a struct, or the connection is over. @answer may be NULL, with @error. */
gboolean    gilk_target_take_struct (GilkTarget *target, const GByteArray *answer, void *out,
                                     gsize length, GError **error);
/* A part of a request that outlives it; none for @length 0. */
GBytes     *gilk_target_part     (const void *data, gsize length);
/* A copy of why the target is lost, NULL while it is not. */
GError     *gilk_target_why_lost (GilkTarget *target);
/* The same, waiting up to @ms until it is. */
GError     *gilk_target_await_lost (GilkTarget *target, guint ms);
/* What to say of a stream that the other side ended, with its last words; notes what has ended. */
GError     *gilk_target_end_of_stream (GilkTarget *target);
/* The same of an agent that was started anew. */
GError     *gilk_target_agent_restarted (GilkTarget *target);
GilkLimits  gilk_target_limits   (GilkTarget *target);

/* Body of the reader thread, and its last act. */
gpointer    gilk_target_read_frames (gpointer target);
void        gilk_target_tell_lost   (GilkTarget *target, GError *error);
void        gilk_target_answer_free (gpointer answer);

/* As gilk_target_wait(); @timeout in us without a byte from the agent. */
GByteArray *gilk_target_wait_for (GilkTarget *target, guint type, uint32_t seq, gint64 timeout,
                                  GCancellable *cancellable, GError **error);

/* A request whose answer says nothing but that it was done. */
gboolean    gilk_target_tell (GilkTarget *target, guint type, const void *payload, gsize length,
                              GCancellable *cancellable, GError **error);
/* Sends the @parts as one payload. Returns the seq to wait for, 0 with @error. */
uint32_t    gilk_target_send (GilkTarget *target, guint type, GBytes **parts, guint n_parts,
                              GError **error);
uint32_t    gilk_target_send_bytes (GilkTarget *target, guint type,
                                    const void *payload, gsize length, GError **error);
/* The bytes of a request, whole. Any thread. */
gboolean    gilk_target_write (GilkTarget *target, struct gilk_frame *head, GBytes **parts,
                               guint n_parts, GError **error);
/* The whole answer. Every seq sent must be waited for or forgotten. */
GByteArray *gilk_target_wait (GilkTarget *target, guint type, uint32_t seq,
                              GCancellable *cancellable, GError **error);
void        gilk_target_forget (GilkTarget *target, uint32_t seq);

/* Sends the request for the next part of what @cursor stands for. Sets @bytes to what that must bring,
 * 0 where there is none. Returns its seq, 0 with @error. */
typedef uint32_t (*GilkAskPart) (GilkTarget *target, gpointer cursor, gsize *bytes, GError **error);
/* All parts, to @out; the next is on its way while one is taken. */
gboolean    gilk_target_ask_parts (GilkTarget *target, guint type, GilkAskPart ask, gpointer cursor,
                                   uint8_t *out, GCancellable *cancellable, GError **error);

/* Events go to @func from now on, until it is cleared; returns when none is under way. */
void        gilk_target_set_samples_func (GilkTarget *target, GilkSamplesFunc func,
                                          gpointer user_data);
gboolean    gilk_target_reads_samples (GilkTarget *target);
void        gilk_target_set_has_driver (GilkTarget *target, gboolean there);

G_END_DECLS
