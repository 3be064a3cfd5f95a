/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-capture.h - when packets were seen by tcpdump or its like: a pcap or pcapng file
 *
 * Nothing in it is believed: libpcap reads it, and what it cannot read is an error or, behind
 * packets that it could, the end.
 *
 * Threads: any; a capture does not change.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct {
  gint64 *unix_ns;          /* of each packet, in the order of the file */
  gsize   n;
  guint64 skipped;          /* packets that the filter left out */
  gsize   same, backwards;  /* packets with the time of the one before, or an earlier one */
  gint64  resolution_ns;    /* what all times are a multiple of; 0: fewer than two packets */
  char   *damage;           /* why there may be more packets than could be read; NULL: there are not */
} GilkCapture;

/**
 * gilk_capture_read:
 * @filter: (nullable): what tcpdump takes, as "tcp port 80"; other packets are left out
 * GILK_ERROR_FORMAT if it is no capture, GILK_ERROR_USAGE if the filter does not fit it.
 * (transfer full)
 */
GilkCapture *gilk_capture_read (const char *path, const char *filter, GCancellable *cancellable,
                                GError **error);
void         gilk_capture_free (GilkCapture *capture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkCapture, gilk_capture_free)

G_END_DECLS
