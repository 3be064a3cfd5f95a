/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-stream.h - byte stream to an agent, over a child process, ssh or a socket, and the frames
 * in it
 *
 * Private to core/link.
 *
 * Threads: one thread reads; threads that write must be serialised by the caller's lock; any thread
 * may call gilk_stream_shut().
 */
#pragma once

#include <glib.h>
#include <stdint.h>
#include <sys/uio.h>

#include "agent/gilk-wire.h"
#include "core/base/gilk-cancellable.h"
#include "core/base/gilk-progress.h"

#ifndef GILK_SOCKET
#define GILK_SOCKET "/run/gilk/gilkd.sock"
#endif

G_BEGIN_DECLS

typedef struct _GilkStream GilkStream;

/* Opens a stream to an agent. @spec: the target, as in gilk_target_open() */
GilkStream *gilk_stream_open (const char *spec, const GilkProgress *progress,
                              GCancellable *cancellable, GError **error);
/* Frees the stream. Must not be called while a thread reads or writes. */
void        gilk_stream_free (GilkStream *stream);

#define GILK_STREAM_IDLE -2

/*
 * Blocks for up to @timeout_ms (-1: without limit). Returns the number of bytes read; 0 at the end
 * of the stream or after gilk_stream_shut(); GILK_STREAM_IDLE after the timeout; -1 with @error.
 */
gssize   gilk_stream_read  (GilkStream *stream, uint8_t *out, gsize length, int timeout_ms,
                            GError **error);
/* Writes all of @parts. On failure the stream is unusable; G_IO_ERROR_BROKEN_PIPE means that the
 * other side has closed it, and the caller must set a proper message. */
gboolean gilk_stream_write (GilkStream *stream, struct iovec *parts, guint count, GError **error);
/* Ends the stream in both directions: the agent sees that its client has hung up; all reads return
 * 0 and all writes fail. May be called by any thread. */
void     gilk_stream_shut  (GilkStream *stream);

/*
 * Functions of a stream without a descriptor, for tests and fuzzers. @write takes a whole request;
 * @read can read the answer as soon as @write returns. @read works like gilk_stream_read() with a
 * timeout of 0. The same thread writes and reads.
 */
typedef struct {
  gboolean (*write) (gpointer data, const struct iovec *parts, guint count);
  gssize   (*read)  (gpointer data, uint8_t *out, gsize length);
} GilkStreamFuncs;

GilkStream *gilk_stream_new_fed (const GilkStreamFuncs *funcs, gpointer data);
/* Returns TRUE for a stream without descriptors (gilk_stream_new_fed()), which needs no reader
 * thread. */
gboolean    gilk_stream_is_fed  (GilkStream *stream);

/* Returns the last output of the child to its standard error, as one line. (transfer full)
 * (nullable) */
char       *gilk_stream_last_output (GilkStream *stream);

/* Returns an error that says why no agent answers on @spec, and what to do. @words: (nullable):
 * from gilk_stream_last_output(). (transfer full) */
GError     *gilk_stream_no_agent_error (const char *spec, const char *words);

/* Returns a socket connected to an agent in lab @name; -1 with @error. *@lock_fd: (out): descriptor
 * that holds the lock of the lab's port. In gilk-stream-lab.c. */
int    gilk_stream_lab_connect (const char *name, int *lock_fd, const GilkProgress *progress,
                                GCancellable *cancellable, GError **error);
/* Returns the command that starts a local agent; or connects to a local agent, sets *@fd, and
 * returns NULL. In gilk-agent-launch.c. */
char **gilk_stream_local_command (uint32_t uid, const char *socket, int *fd, GError **error);
/* Returns the command that starts an agent for a kernel file instead of a running kernel; NULL with
 * @error. In gilk-agent-launch.c. */
char **gilk_stream_file_command (const char *path, GError **error);
/* Connects to the Unix socket at @path. Returns the socket; -1 with @error. */
int    gilk_stream_unix_connect (const char *path, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkStream, gilk_stream_free)

/*
 * Client side of the framing in agent/gilk-wire.h.
 *
 * The functions work on bytes in memory, so tests and fuzzers need no stream.
 *
 * Threads: any. gilk_frame_parse() leaves @head untouched until the whole header has arrived.
 */

typedef enum {
  GILK_FRAME_INCOMPLETE,
  GILK_FRAME_COMPLETE,
  GILK_FRAME_BAD,          /* the bytes are invalid; gilkd never sends them */
} GilkFrameState;

/* Returns whether @bytes starts with a complete frame, a part of a frame, or an invalid one. Copies
 * the header to @head once the header is complete. */
GilkFrameState gilk_frame_parse (const uint8_t *bytes, gsize length, struct gilk_frame *head);

/* Returns how many bytes in front of the answer to HELLO @seq the caller must discard: remains of
 * an earlier client's answers. The answer to HELLO itself may be incomplete. */
gsize gilk_frame_resync (const uint8_t *bytes, gsize length, uint32_t seq);

/* Returns whether @bytes ends with a BYE event. An agent that restarts sends BYE even if it is in
 * the middle of another frame. */
gboolean gilk_frame_ends_with_bye (const uint8_t *bytes, gsize length);

/* Returns the header of a request. */
struct gilk_frame gilk_frame_request (guint type, uint32_t seq, gsize length);

/* Returns the agent's error message as valid UTF-8, "" if it sent none. (transfer full) */
char *gilk_frame_error_text (const void *bytes, gsize length);

G_END_DECLS
