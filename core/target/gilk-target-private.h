/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-target-private.h - a target's insides, for core/target alone
 *
 * Requests come in two halves: sending many before waiting hides the round trip
 * of a distant machine.
 */
#pragma once

#include "core/target/gilk-stream.h"
#include "core/target/gilk-target.h"

G_BEGIN_DECLS

typedef struct {
  GByteArray *payload;
  uint32_t    status;
  gboolean    done;
  gboolean    too_long;
} GilkAnswer;

/*
 * Locks:
 *   lock          pending requests, why the stream broke, the clock of last input
 *   write_lock    one request's bytes at a time; lock is never taken inside
 *   samples_lock  held while the samples function runs
 */
struct _GilkTarget {
  gatomicrefcount refs;
  char           *spec;
  GilkStream     *stream;
  GThread        *reader;

  GMutex          lock;
  GCond           changed;
  GHashTable     *pending;        /* seq -> GilkAnswer */
  uint32_t        next_seq;
  GError         *lost;           /* set once, by the reader */
  gint64          last_input;     /* monotonic us */
  gboolean        in_frame;       /* some of a frame is there, and the rest is not */
  gboolean        closing;
  gint            broken;         /* atomic: a write failed, the reader is about to end */
  void          (*lost_func) (GilkTarget *, const GError *, gpointer);
  gpointer        lost_data;

  GMutex          write_lock;
  GMutex          samples_lock;
  GilkSamplesFunc samples_func;
  gpointer        samples_data;

  uint32_t        hello_seq;
  gboolean        synced;         /* reader only */
  struct gilk_hello_answer hello;
  gint            has_driver;     /* atomic */
  char           *build_id;
};

/* Body of the reader thread. */
gpointer    gilk_target_read_frames (gpointer target);
void        gilk_target_answer_free (gpointer answer);

/* As gilk_target_wait(); @timeout in us without a byte from the agent. */
GByteArray *gilk_target_wait_for (GilkTarget *target, guint type, uint32_t seq, gint64 timeout,
                                  GCancellable *cancellable, GError **error);

/* Sends the @parts as one payload. Returns the seq to wait for, 0 with @error. */
uint32_t    gilk_target_send (GilkTarget *target, guint type, GBytes **parts, guint n_parts,
                              GError **error);
uint32_t    gilk_target_send_bytes (GilkTarget *target, guint type,
                                    const void *payload, gsize length, GError **error);
/* The whole answer. Every seq sent must be waited for or forgotten. */
GByteArray *gilk_target_wait (GilkTarget *target, guint type, uint32_t seq,
                              GCancellable *cancellable, GError **error);
void        gilk_target_forget (GilkTarget *target, uint32_t seq);

/* Events go to @func from now on, until it is cleared; returns when none is under way. */
void        gilk_target_set_samples_func (GilkTarget *target, GilkSamplesFunc func,
                                          gpointer user_data);
gboolean    gilk_target_reads_samples (GilkTarget *target);
void        gilk_target_set_has_driver (GilkTarget *target, gboolean there);

G_END_DECLS
