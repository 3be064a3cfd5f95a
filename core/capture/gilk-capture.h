/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-capture.h - packet times from a pcap or pcapng file, as tcpdump and Wireshark write it
 *
 * The file may be compressed. It is not trusted. If its start cannot be read, that is an error;
 * damage further on ends the capture at that point.
 *
 * Threads: any; a capture does not change.
 */
#pragma once

#include <glib.h>

#include "core/base/gilk-cancellable.h"

G_BEGIN_DECLS

typedef struct {
  gint64 *unix_ns;          /* time of each packet, in file order */
  gsize   n;
  guint64 skipped;          /* number of packets that the filter rejected */
  gsize   same, backwards;  /* @same, @backwards: numbers of packets with the same time as the
                             * previous packet, and with an earlier time */
  gint64  resolution_ns;    /* greatest common divisor of all times, in ns; 0: fewer than two
                             * packets */
  guint64 unusable;         /* number of packets without a time, or of a link type that the filter
                             * does not fit */
  char   *unusable_why;     /* why packets are unusable, as text for the user; NULL: none is
                             * unusable */
  char   *damage;           /* why reading stopped early; NULL: the whole file was read */
} GilkCapture;

/**
 * gilk_capture_read:
 * @filter: (nullable): a tcpdump expression such as "tcp port 80"; other packets are skipped
 * Reads the times of the packets. Fails with GILK_ERROR_FORMAT if the file is not a capture,
 * GILK_ERROR_USAGE if the filter fits none of its link types.
 * (transfer full)
 */
GilkCapture *gilk_capture_read (const char *path, const char *filter, GCancellable *cancellable,
                                GError **error);
void         gilk_capture_free (GilkCapture *capture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkCapture, gilk_capture_free)

G_END_DECLS
