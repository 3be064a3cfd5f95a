/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-target-private.h - contents of a target, for core/link only
 */
#pragma once

#include "core/link/gilk-request.h"
#include "core/link/gilk-stream.h"

G_BEGIN_DECLS

typedef struct _GilkLease GilkLease;

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

/* Bytes that were received but not parsed yet. The buffer grows to the size of the largest
 * frame. */
typedef struct {
  uint8_t *bytes;          /* buffer, aligned to ILK_CELL; its first byte is the start of a frame */
  gsize    room, used;
  gsize    need;           /* number of bytes that must still arrive before parsing can continue */
} GilkReceiver;

/*
 * Locks, in this order:
 *
 *   close_lock    serialises closing
 *   write_lock    serialises the bytes of requests
 *   samples_lock  held while the samples function runs
 *   lock          protects the fields after it, as noted; no callback runs while it is held
 */
struct _GilkTarget {
  gatomicrefcount refs;
  char           *spec;
  gboolean        caches;  /* the disk cache may be used; set before other threads use the target */
  gboolean        fed;            /* the stream has no descriptors (gilk_stream_new_fed()), and therefore no
                                   * reader thread */
  GMutex          close_lock;
  GThread        *reader;         /* reader thread; NULL: the stream is closed, or does not need
                                   * such a thread */
  GilkReceiver    received;       /* input from the stream; used only by the reader thread */
  gboolean        ended;          /* the stream is unusable; used only by the reader thread */

  GMutex          lock;           /* protects all members below, unless noted otherwise */
  GCond           changed;
  GHashTable     *pending;        /* table from the sequence number of a waiting request to its
                                   * GilkAnswer */
  uint32_t        next_seq;
  GError         *lost;           /* reason why the target was lost; never changes once set */
  GilkLoss        loss;           /* set by the reader before @lost; valid once @lost is set */
  GArray         *listeners;      /* (element-type GilkLostListener): functions to call when the
                                   * target is lost */
  gulong          last_listener;
  gulong          calling;        /* id of the listener whose function is running; 0: none */
  GThread        *caller;  /* thread that runs the function of the listener whose id is @calling */
  gboolean        all_called;     /* all listeners were called, because the target is lost; a new
                                   * listener is called at once */
  GilkLimits      limits;
  gboolean        has_timestamp;
  struct ilk_timestamp_pair first_timestamp;
  gint64          last_input;     /* time of the last input from the agent, in µs of the monotonic
                                   * clock */
  char           *cache_key;      /* key under which files of this boot are cached, see
                                   * gilk-boot-cache.h; NULL: none */
  gboolean        in_frame;       /* part of a frame was received, but not all of it */
  gboolean        closing;
  gint            broken;         /* atomic: a write failed, so the reader thread will end */

  GMutex          write_lock;
  GilkStream     *stream;         /* stream to the agent; NULL: the stream is closed. Cleared while
                                   * write_lock and lock are held */
  GMutex          samples_lock;
  GilkSamplesFunc samples_func;
  gpointer        samples_data;
  uint8_t        *cells;          /* buffer for unpacked samples, which may be NULL; used only by
                                   * the reader thread */

  GilkLease      *lease;          /* heartbeat to the agent; NULL: none. Used only by threads that
                                   * open and close the target */

  uint32_t        hello_seq;
  gboolean        synced;         /* the answer to HELLO has arrived, so input starts at a frame;
                                   * used only by the reader thread */
  struct gilk_hello_answer hello;
  gint            has_driver;     /* atomic */
  gint            way;            /* atomic: how hooks get into the kernel (enum gilk_way) */
  char           *build_id;
};

/* Works like gilk_target_open(), but over an existing stream. @stream: (transfer full) */
GilkTarget *gilk_target_open_stream (GilkStream *stream, const char *spec,
                                     GCancellable *cancellable, GError **error);

/* Returns a copy of the error that ended the target; NULL while it is connected. */
GError    *gilk_target_lost_error (GilkTarget *target);
/* Works like gilk_target_lost_error(), but waits up to @ms milliseconds for the error. */
GError    *gilk_target_await_lost (GilkTarget *target, guint ms);
/* Records that the target was lost because the other side ended the stream. Returns the error,
 * which includes the last error output of the stream. */
GError    *gilk_target_end_of_stream (GilkTarget *target);
/* Records that the target was lost because its agent was restarted. Returns the error. */
GError    *gilk_target_agent_restarted (GilkTarget *target);

/* The function of the reader thread: handles frames until the stream ends, then notifies the
 * listeners. */
gpointer gilk_target_read_frames (gpointer target);
void     gilk_target_notify_lost (GilkTarget *target, GError *error);
void     gilk_target_answer_free (gpointer answer);

/* Works like gilk_target_wait(). @timeout: maximum time in µs without input from the agent */
GByteArray *gilk_target_wait_for (GilkTarget *target, guint type, uint32_t seq, gint64 timeout,
                                  GCancellable *cancellable, GError **error);

/* Writes all bytes of a request. May be called by any thread. */
gboolean    gilk_target_write (GilkTarget *target, struct gilk_frame *head, GBytes **parts,
                               guint n_parts, GError **error);

G_END_DECLS
