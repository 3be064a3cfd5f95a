/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-target-private.h - contents of a target, for core/link only
 *
 * Sending a request and waiting for its answer are separate functions: sending several before
 * waiting hides the round trips to a distant machine.
 */
#pragma once

#include "core/link/gilk-answers.h"
#include "core/link/gilk-lease.h"
#include "core/link/gilk-stream.h"
#include "core/link/gilk-target.h"

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
  gboolean     called;
} GilkLostListener;

/* Input that was not parsed yet. The buffer grows with the frames received. */
typedef struct {
  uint8_t *bytes;          /* aligned to ILK_CELL; a frame starts at its first byte */
  gsize    room, used;
  gsize    need;           /* bytes missing until the next parse */
} GilkReceiver;

/*
 * Locks, in this order:
 *
 *   close_lock    serialises closing
 *   write_lock    serialises the bytes of requests
 *   samples_lock  held while the samples function runs
 *   lock          protects the fields marked so; no callback runs under it
 */
struct _GilkTarget {
  gatomicrefcount refs;
  char           *spec;
  gboolean        caches;         /* set before the target is shared */
  gboolean        fed;            /* no reader thread, see gilk_stream_new_fed() */
  GMutex          close_lock;
  GThread        *reader;         /* NULL: fed, or closed */
  GilkReceiver    received;       /* reader thread only */
  gboolean        ended;          /* reader thread only: the stream is unusable */

  GMutex          lock;           /* protects all below, unless noted otherwise */
  GCond           changed;
  GHashTable     *pending;        /* seq -> GilkAnswer */
  uint32_t        next_seq;
  GError         *lost;           /* set once */
  GilkLoss        loss;           /* set by the reader before @lost; valid once that is set */
  GArray         *listeners;      /* GilkLostListener */
  gulong          last_listener;
  gulong          calling;        /* listener whose function is running; 0: none */
  GThread        *caller;         /* thread that runs it */
  gboolean        all_called;     /* functions added from now on are called at once */
  GilkLimits      limits;
  gboolean        has_timestamp;
  struct ilk_timestamp_pair first_timestamp;
  gint64          last_input;     /* monotonic us */
  char           *cache_key;      /* of the boot, see gilk-boot-cache.h; NULL: none */
  gboolean        in_frame;       /* a frame was received in part */
  gboolean        closing;
  gint            broken;         /* atomic: a write failed, the reader is about to end */

  GMutex          write_lock;
  GilkStream     *stream;         /* NULL: closed; cleared under both locks */
  GMutex          samples_lock;
  GilkSamplesFunc samples_func;
  gpointer        samples_data;
  uint8_t        *cells;          /* reader thread only: unpacked samples; NULL: none yet */

  GilkLease      *lease;          /* for the threads that open and close; NULL: none */

  uint32_t        hello_seq;
  gboolean        synced;         /* reader thread only */
  struct gilk_hello_answer hello;
  gint            has_driver;     /* atomic */
  char           *build_id;
};

gboolean gilk_target_uses_cache    (GilkTarget *target);
void     gilk_target_set_cache_key (GilkTarget *target, const char *key);
/* (transfer full) (nullable) */
char    *gilk_target_cache_key     (GilkTarget *target);

/* Works like gilk_target_open(), over an existing stream. (transfer full): @stream */
GilkTarget *gilk_target_open_stream (GilkStream *stream, const char *spec,
                                     GCancellable *cancellable, GError **error);

/*
 * Closes the connection because an answer was wrong; the agent restores what this client armed.
 * Consumes @wrong, which becomes @error. Returns FALSE. May be called by any thread.
 */
gboolean   gilk_target_reject_answer (GilkTarget *target, GError *wrong, GError **error);
/* Returns @read, which was parsed from an answer. NULL means that the answer was wrong, as @wrong
 * says; then as gilk_target_reject_answer(). */
gpointer   gilk_target_check_parsed  (GilkTarget *target, gpointer read, GError *wrong, GError **error);
/* Copies the answer to @out; closes the connection unless it has @length bytes. @answer:
 * (nullable): NULL: @error is set already */
gboolean   gilk_target_copy_struct (GilkTarget *target, const GByteArray *answer, void *out,
                                    gsize length, GError **error);
/* Returns a part of a request, without a copy: @data must outlive it. @length may be 0. */
GBytes    *gilk_target_part     (const void *data, gsize length);
/* Returns a copy of the error that ended the target; NULL while it is connected. */
GError    *gilk_target_lost_error (GilkTarget *target);
/* Works like gilk_target_lost_error(), but waits up to @ms milliseconds for the error. */
GError    *gilk_target_await_lost (GilkTarget *target, guint ms);
/* Returns the error for a stream that the other side ended, with its last output; notes the
 * loss. */
GError    *gilk_target_end_of_stream (GilkTarget *target);
/* Returns the error for an agent that was restarted; notes the loss. */
GError    *gilk_target_agent_restarted (GilkTarget *target);
GilkLimits gilk_target_limits   (GilkTarget *target);

/* Body of the reader thread, and the notification at its end. */
gpointer gilk_target_read_frames (gpointer target);
void     gilk_target_notify_lost (GilkTarget *target, GError *error);
void     gilk_target_answer_free (gpointer answer);

/* Works like gilk_target_wait(); @timeout: us without any byte from the agent */
GByteArray *gilk_target_wait_for (GilkTarget *target, guint type, uint32_t seq, gint64 timeout,
                                  GCancellable *cancellable, GError **error);

/* Sends a request with an empty answer, and waits for it. */
gboolean    gilk_target_command (GilkTarget *target, guint type, const void *payload, gsize length,
                                 GCancellable *cancellable, GError **error);
/* Sends @parts as one payload. Returns the seq to wait for; 0 with @error. */
uint32_t    gilk_target_send (GilkTarget *target, guint type, GBytes **parts, guint n_parts,
                              GError **error);
uint32_t    gilk_target_send_bytes (GilkTarget *target, guint type,
                                    const void *payload, gsize length, GError **error);
/* Writes all bytes of a request. May be called by any thread. */
gboolean    gilk_target_write (GilkTarget *target, struct gilk_frame *head, GBytes **parts,
                               guint n_parts, GError **error);
/* Returns the whole answer. Each seq must be waited for or forgotten. */
GByteArray *gilk_target_wait (GilkTarget *target, guint type, uint32_t seq,
                              GCancellable *cancellable, GError **error);
void        gilk_target_drop_answer (GilkTarget *target, uint32_t seq);

/* Sends the request for the next part; @cursor keeps the position. Sets *@bytes to the size of its
 * answer, 0 at the end. Returns its seq; 0 with @error. */
typedef uint32_t (*GilkRequestPart) (GilkTarget *target, gpointer cursor, gsize *bytes, GError **error);

/* Passes SAMPLES events to @func from now on; NULL: drops them. No call of an earlier function is
 * running when this returns. */
void     gilk_target_set_samples_func (GilkTarget *target, GilkSamplesFunc func,
                                       gpointer user_data);
gboolean gilk_target_reads_samples (GilkTarget *target);
void     gilk_target_set_has_driver (GilkTarget *target, gboolean there);

G_END_DECLS
