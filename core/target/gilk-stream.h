/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-stream.h - the byte stream to an agent, however it is made
 *
 * Private to core/target.
 *
 * Threads: one reads; those who write hold a lock of the caller's; gilk_stream_shut() is for any.
 */
#pragma once

#include <gio/gio.h>
#include <stdint.h>
#include <sys/uio.h>

#include "core/base/gilk-progress.h"

#ifndef GILK_SOCKET
#define GILK_SOCKET "/run/gilk/gilkd.sock"
#endif

G_BEGIN_DECLS

typedef struct _GilkStream GilkStream;

/* @spec as in gilk_target_open(). */
GilkStream *gilk_stream_open (const char *spec, const GilkProgress *progress,
                              GCancellable *cancellable, GError **error);
/* Neither reader nor writer may be inside. */
void        gilk_stream_free (GilkStream *stream);

#define GILK_STREAM_IDLE -2

/*
 * Blocks for up to @timeout_ms (-1: for ever). Returns bytes read; 0 at the end of the stream
 * or after gilk_stream_shut(); GILK_STREAM_IDLE after the timeout; -1 with @error.
 */
gssize      gilk_stream_read  (GilkStream *stream, uint8_t *out, gsize length, int timeout_ms,
                               GError **error);
/* Writes all of it or breaks the stream. G_IO_ERROR_BROKEN_PIPE where the other side has ended it, which is
 * for the caller to put into words. */
gboolean    gilk_stream_write (GilkStream *stream, struct iovec *parts, guint count, GError **error);
/* Ends it in both directions: the agent sees its client hang up, reads return 0 and writes
 * fail, now and always. Any thread. */
void        gilk_stream_shut  (GilkStream *stream);

/*
 * A stream without a descriptor, for tests and fuzzers. @write takes a whole request; what
 * it is answered with is there for @read when it returns. @read is as gilk_stream_read()
 * with a timeout of 0. One thread writes and reads.
 */
typedef struct {
  gboolean (*write) (gpointer data, const struct iovec *parts, guint count);
  gssize   (*read)  (gpointer data, uint8_t *out, gsize length);
} GilkStreamFuncs;

GilkStream *gilk_stream_new_fed (const GilkStreamFuncs *funcs, gpointer data);
/* TRUE: nobody has to wait for what is to be read. */
gboolean    gilk_stream_is_fed  (GilkStream *stream);

/* What a child wrote to its standard error last, one line. (transfer full) (nullable) */
char       *gilk_stream_last_words (GilkStream *stream);

/* Why no agent answers on @spec, and what to do; @words: (nullable) gilk_stream_last_words().
 * (transfer full) */
GError     *gilk_stream_no_agent (const char *spec, const char *words);

/* For gilk-stream-lab.c: a connected socket of the lab @name; *@lock_fd holds its port. */
int         gilk_stream_lab_connect (const char *name, int *lock_fd, const GilkProgress *progress,
                                     GCancellable *cancellable, GError **error);
/* For gilk-stream-local.c. */
char      **gilk_stream_local_way (uint32_t uid, const char *socket, int *fd, GError **error);
/* A connected socket, -1 with @error. */
int         gilk_stream_unix_connect (const char *path, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkStream, gilk_stream_free)

G_END_DECLS
