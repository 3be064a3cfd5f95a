/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-session-heads.h - the sessions of a folder, and what each holds in short, read by a worker
 *
 * For the main thread: heads come one by one, the newest first, so that a folder of many is of use at once.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct {
  char    *path;
  gint64   changed;            /* seconds, of the file */
  guint64  bytes;
  guint    runs;
  char    *title, *target, *kernel;    /* of its last run; "" */
  char    *started;            /* ISO 8601, likewise */
  gboolean cut_off;            /* its last run has no end, and nothing records it any more */
  char    *problem;            /* why nothing is known of it; NULL */
} GilkSessionHead;

void gilk_session_head_free (GilkSessionHead *head);

/* @head: (transfer none) */
typedef void (*GilkSessionHeadFunc) (const GilkSessionHead *head, gpointer user_data);

/* @func is called until all are told or @cancellable is cancelled, not afterwards; then @done. */
void     gilk_session_heads_read   (const char *folder, GCancellable *cancellable, GilkSessionHeadFunc func,
                                    GAsyncReadyCallback done, gpointer user_data);
/* Their number, -1 with @error if the folder cannot be read. */
gssize   gilk_session_heads_finish (GAsyncResult *result, GError **error);

G_END_DECLS
