/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-pcapng.c - reads a pcapng file (draft-ietf-opsawg-pcapng) block by block
 *
 * A block is a type, its length, a body, and the length again; bodies may end with options. A
 * section starts with a header block, which shows the byte order. The description of an interface
 * comes before the interface's packets.
 */
#include "core/capture/gilk-pcapng.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-open-uncompressed.h"

enum {
  SECTION = 0x0a0d0d0a, INTERFACE = 1, OLD_PACKET = 2, SIMPLE_PACKET = 3, PACKET = 6,
  ORDER = 0x1a2b3c4d, MAJOR = 1,
  /* Sizes in bytes. HEAD: a block's type and length; FRAME: its type and both lengths; SECTION_MIN:
   * the smallest section header. */
  HEAD = 8, FRAME = 12, SECTION_MIN = 28,
  OPTION_END = 0, OPTION_RESOLUTION = 9, OPTION_OFFSET = 14,  /* codes of the options if_tsresol,
                                                               * if_tsoffset */
  BINARY = 0x80,      /* flag in if_tsresol: the resolution is a power of 2, not of 10 */
  BINARY_MAX = 63, DECIMAL_MAX = 19,
  INTERFACES_MAX = 1 << 16,
  BYTES_MAX = 1 << 18,
};

typedef struct {
  guint16 link_type;
  guint32 snapshot;               /* maximum number of captured bytes; 0: no limit */
  guint64 ticks;                  /* number of clock ticks in a second */
  gint64  offset;                 /* in seconds */
} Interface;

struct _GilkPcapng {
  FILE    *file;
  gboolean has_section;           /* a section header was read */
  gboolean swapped;               /* the section's byte order differs from this machine's */
  GArray  *interfaces;            /* the section's interfaces (element-type Interface) */
  guint32  left;                  /* number of bytes of the body not read yet */
  char    *damage;
  uint8_t  bytes[BYTES_MAX];
};

GilkPcapng *
gilk_pcapng_new (FILE *file)
{
  GilkPcapng *pcapng = g_new0 (GilkPcapng, 1);

  pcapng->file = file;
  pcapng->interfaces = g_array_new (FALSE, FALSE, sizeof (Interface));

  return pcapng;
}

void
gilk_pcapng_free (GilkPcapng *pcapng)
{
  if (pcapng == NULL)
    return;
  fclose (pcapng->file);
  g_array_unref (pcapng->interfaces);
  g_free (pcapng->damage);
  g_free (pcapng);
}

const char *
gilk_pcapng_damage (const GilkPcapng *pcapng)
{
  return pcapng->damage;
}

/* ---- reading bytes; on failure @damage is set, except at the end of the file ---- */

static gboolean
set_damage (GilkPcapng *pcapng, const char *why)
{
  g_free (pcapng->damage);
  pcapng->damage = g_strdup (why);

  return FALSE;
}

/* Reads @n bytes. Returns FALSE if the file is damaged, or if it has ended; at the end sets @block
 * (nullable) to GILK_PCAPNG_END. */
static gboolean
read_file (GilkPcapng *pcapng, gpointer to, gsize n, GilkPcapngBlock *block)
{
  const char *fault;
  gsize got;

  errno = 0;
  got = fread (to, 1, n, pcapng->file);
  if (got == n)
    return TRUE;
  if (ferror (pcapng->file))
    {
      fault = gilk_uncompressed_fault (errno);
      return set_damage (pcapng, fault != NULL ? fault : g_strerror (errno));
    }
  if (got > 0 || block == NULL)
    return set_damage (pcapng, _("the file ends within a pcapng block"));
  *block = GILK_PCAPNG_END;

  return FALSE;
}

/* Reads @n bytes of the block's body. */
static gboolean
take (GilkPcapng *pcapng, gpointer to, guint32 n)
{
  if (n > pcapng->left)
    return set_damage (pcapng, _("a pcapng block is shorter than its contents"));
  pcapng->left -= n;

  return read_file (pcapng, to, n, NULL);
}

static gboolean
skip (GilkPcapng *pcapng, guint32 n)
{
  if (n > pcapng->left)
    return set_damage (pcapng, _("a pcapng block is shorter than its contents"));
  while (n > 0)
    {
      uint8_t unused[4096];
      const guint32 piece = MIN (n, sizeof unused);

      if (!take (pcapng, unused, piece))
        return FALSE;
      n -= piece;
    }

  return TRUE;
}

static guint16
order16 (const GilkPcapng *pcapng, guint16 value)
{
  return pcapng->swapped ? GUINT16_SWAP_LE_BE (value) : value;
}

static guint32
order32 (const GilkPcapng *pcapng, guint32 value)
{
  return pcapng->swapped ? GUINT32_SWAP_LE_BE (value) : value;
}

static gboolean
take16 (GilkPcapng *pcapng, guint16 *values, guint n)
{
  if (!take (pcapng, values, n * (guint) sizeof *values))
    return FALSE;
  for (guint i = 0; i < n; i++)
    values[i] = order16 (pcapng, values[i]);

  return TRUE;
}

static gboolean
take32 (GilkPcapng *pcapng, guint32 *values, guint n)
{
  if (!take (pcapng, values, n * (guint) sizeof *values))
    return FALSE;
  for (guint i = 0; i < n; i++)
    values[i] = order32 (pcapng, values[i]);

  return TRUE;
}

/* ---- sections ---- */

/* Reads a block's length and, for a section header, the byte order. */
static gboolean
read_length (GilkPcapng *pcapng, guint32 type, guint32 *length)
{
  guint32 order;

  if (!read_file (pcapng, length, sizeof *length, NULL))
    return FALSE;
  pcapng->left = 0;
  if (type == SECTION)
    {
      if (!read_file (pcapng, &order, sizeof order, NULL))
        return FALSE;
      pcapng->swapped = order == GUINT32_SWAP_LE_BE (ORDER);
      if (order != ORDER && !pcapng->swapped)
        return set_damage (pcapng, _("a section header has no valid byte-order mark"));
    }
  *length = order32 (pcapng, *length);
  if (*length % 4 != 0 || *length < (type == SECTION ? SECTION_MIN : FRAME))
    return set_damage (pcapng, _("a pcapng block has an impossible length"));
  pcapng->left = *length - FRAME - (type == SECTION ? (guint32) sizeof order : 0);

  return TRUE;
}

static gboolean
read_section (GilkPcapng *pcapng)
{
  guint16 version[2];

  g_array_set_size (pcapng->interfaces, 0);
  pcapng->has_section = TRUE;
  if (!take16 (pcapng, version, G_N_ELEMENTS (version)))
    return FALSE;

  return version[0] == MAJOR || set_damage (pcapng, _("a section has an unknown version of the format"));
}

/* ---- interfaces ---- */

static gboolean
set_resolution (GilkPcapng *pcapng, Interface *interface, uint8_t value)
{
  guint exponent = value & ~BINARY;

  if (exponent > ((value & BINARY) != 0 ? BINARY_MAX : DECIMAL_MAX))
    return set_damage (pcapng, _("an interface has an impossible clock resolution"));
  for (interface->ticks = 1; exponent > 0; exponent--)
    interface->ticks *= (value & BINARY) != 0 ? 2 : 10;

  return TRUE;
}

static gboolean
read_option (GilkPcapng *pcapng, Interface *interface, guint16 code, guint16 length)
{
  const guint32 padding = (4 - length % 4u) % 4u;
  uint8_t resolution;
  guint64 offset;

  if (code == OPTION_RESOLUTION && length == sizeof resolution)
    return take (pcapng, &resolution, length) && set_resolution (pcapng, interface, resolution) && skip (pcapng, padding);
  if (code != OPTION_OFFSET || length != sizeof offset)
    return skip (pcapng, length + padding);
  if (!take (pcapng, &offset, length))
    return FALSE;
  interface->offset = (gint64) (pcapng->swapped ? GUINT64_SWAP_LE_BE (offset) : offset);

  return TRUE;
}

static gboolean
read_interface (GilkPcapng *pcapng, GilkPcapngPacket *packet)
{
  Interface interface = { .ticks = 1000000 };
  guint16 link[2], option[2];

  if (!take16 (pcapng, link, G_N_ELEMENTS (link)) || !take32 (pcapng, &interface.snapshot, 1))
    return FALSE;
  while (pcapng->left > 0)
    {
      if (!take16 (pcapng, option, G_N_ELEMENTS (option)))
        return FALSE;
      if (option[0] == OPTION_END)
        break;
      if (!read_option (pcapng, &interface, option[0], option[1]))
        return FALSE;
    }
  if (pcapng->interfaces->len >= INTERFACES_MAX)
    return set_damage (pcapng, _("a section has too many interfaces"));
  packet->link_type = interface.link_type = link[0];
  g_array_append_val (pcapng->interfaces, interface);

  return TRUE;
}

/* ---- packets ---- */

static gint64
time_from_ticks (const Interface *interface, guint64 ticks)
{
  const __int128 second = 1000000000;
  const __int128 ns = (interface->offset + (__int128) (ticks / interface->ticks)) * second +
                      ticks % interface->ticks * second / interface->ticks;

  return ns >= 0 && ns <= G_MAXINT64 ? (gint64) ns : -1;
}

static gboolean
set_interface (GilkPcapng *pcapng, guint32 number, const Interface **interface, GilkPcapngPacket *packet)
{
  if (number >= pcapng->interfaces->len)
    return set_damage (pcapng, _("a packet belongs to an interface that the file does not "
                                 "describe"));
  *interface = &g_array_index (pcapng->interfaces, Interface, number);
  packet->link_type = (*interface)->link_type;

  return TRUE;
}

static gboolean
read_contents (GilkPcapng *pcapng, guint32 captured, GilkPcapngPacket *packet)
{
  packet->bytes = pcapng->bytes;
  packet->captured = MIN (captured, BYTES_MAX);

  return take (pcapng, pcapng->bytes, packet->captured) && skip (pcapng, captured - packet->captured);
}

/* Reads a packet block. The two kinds of packet blocks differ in their first words. */
static gboolean
read_packet (GilkPcapng *pcapng, guint32 type, GilkPcapngPacket *packet)
{
  guint32 number, words[4];
  guint16 halves[2];
  const Interface *interface;

  if (type == OLD_PACKET ? !take16 (pcapng, halves, G_N_ELEMENTS (halves)) : !take32 (pcapng, &number, 1))
    return FALSE;
  if (!take32 (pcapng, words, G_N_ELEMENTS (words)) ||
      !set_interface (pcapng, type == OLD_PACKET ? halves[0] : number, &interface, packet))
    return FALSE;
  packet->has_time = TRUE;
  packet->unix_ns = time_from_ticks (interface, (guint64) words[0] << 32 | words[1]);
  packet->length = words[3];

  return read_contents (pcapng, words[2], packet);
}

static gboolean
read_simple_packet (GilkPcapng *pcapng, GilkPcapngPacket *packet)
{
  const Interface *interface;
  guint32 captured;

  if (!take32 (pcapng, &packet->length, 1) || !set_interface (pcapng, 0, &interface, packet))
    return FALSE;
  captured = interface->snapshot > 0 ? MIN (packet->length, interface->snapshot) : packet->length;

  return read_contents (pcapng, captured, packet);
}

/* ---- blocks ---- */

static gboolean
read_body (GilkPcapng *pcapng, guint32 type, GilkPcapngBlock *block, GilkPcapngPacket *packet)
{
  *block = GILK_PCAPNG_PACKET;
  switch (type)
    {
    case SECTION:
      *block = GILK_PCAPNG_OTHER;
      return read_section (pcapng);
    case INTERFACE:
      *block = GILK_PCAPNG_INTERFACE;
      return read_interface (pcapng, packet);
    case PACKET: case OLD_PACKET:
      return read_packet (pcapng, type, packet);
    case SIMPLE_PACKET:
      return read_simple_packet (pcapng, packet);
    default:
      *block = GILK_PCAPNG_OTHER;
      return TRUE;
    }
}

static gboolean
read_block (GilkPcapng *pcapng, guint32 type, GilkPcapngBlock *block, GilkPcapngPacket *packet)
{
  guint32 length, again;

  if (type != SECTION && !pcapng->has_section)
    return set_damage (pcapng, _("the file does not start with a section header"));
  if (!read_length (pcapng, type, &length) || !read_body (pcapng, type, block, packet) || !skip (pcapng, pcapng->left) ||
      !read_file (pcapng, &again, sizeof again, NULL))
    return FALSE;

  return order32 (pcapng, again) == length || set_damage (pcapng, _("the two length fields of a pcapng block "
                                                                    "differ"));
}

GilkPcapngBlock
gilk_pcapng_next (GilkPcapng       *pcapng,
                  GilkPcapngPacket *packet)
{
  GilkPcapngBlock block = GILK_PCAPNG_DAMAGE;
  guint32 type;

  *packet = (GilkPcapngPacket) { 0 };
  if (pcapng->damage != NULL || !read_file (pcapng, &type, sizeof type, &block))
    return block;

  return read_block (pcapng, order32 (pcapng, type), &block, packet) ? block : GILK_PCAPNG_DAMAGE;
}
