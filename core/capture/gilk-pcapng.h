/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-pcapng.h - reads a pcapng file (draft-ietf-opsawg-pcapng) block by block
 *
 * Unlike libpcap it reads packets of interfaces that differ in link type, resolution and snapshot
 * length. The file is not trusted: memory is bounded.
 *
 * Threads: one at a time.
 */
#pragma once

#include <glib.h>
#include <stdint.h>
#include <stdio.h>

G_BEGIN_DECLS

enum { GILK_PCAPNG_MAGIC = 0x0a }; /* first byte of a pcapng file; no other capture format starts
                                    * with it */

typedef enum {
  GILK_PCAPNG_PACKET,
  GILK_PCAPNG_INTERFACE,        /* description of an interface; in the packet only link_type is
                                 * set */
  GILK_PCAPNG_OTHER,            /* a block that needs no action by the caller */
  GILK_PCAPNG_END,
  GILK_PCAPNG_DAMAGE,           /* the rest of the file cannot be read */
} GilkPcapngBlock;

typedef struct {
  guint16        link_type;     /* LINKTYPE_… value; libpcap's DLT_… values differ */
  gboolean       has_time;
  gint64         unix_ns;       /* time of the packet; -1: before 1970 or beyond 64 bits */
  guint32        length;        /* length of the packet on the network, in bytes */
  guint32        captured;      /* number of @bytes; at most 256 KiB per packet */
  const uint8_t *bytes;         /* contents; valid until the next block is read */
} GilkPcapngPacket;

typedef struct _GilkPcapng GilkPcapng;

/**
 * gilk_pcapng_new:
 * @file: (transfer full): positioned at its start; it need not be seekable
 * Prepares to read the blocks of a pcapng file.
 */
GilkPcapng      *gilk_pcapng_new    (FILE *file);
void             gilk_pcapng_free   (GilkPcapng *pcapng);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkPcapng, gilk_pcapng_free)

GilkPcapngBlock  gilk_pcapng_next   (GilkPcapng *pcapng, GilkPcapngPacket *packet);
/* Returns why reading ended with GILK_PCAPNG_DAMAGE. */
const char      *gilk_pcapng_damage (const GilkPcapng *pcapng);

G_END_DECLS
