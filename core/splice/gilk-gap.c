/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-gap.c - bytes near a function that nothing runs, for the jumps of bounces
 *
 *   inside    alignment between two blocks, the first of which never runs on
 *   behind    the same, from the last block to the next symbol
 *   before    the 16 nops of __pfx_NAME that 6.12 puts before each function
 *
 * A gap counts only if all of its live bytes are nops or int3. Functions planned
 * together must not fight for one gap: of the nops before a function the lowest
 * room belongs to the function in front of it, the two others to itself.
 *
 * A thread may be interrupted on the jump in the room, and its stack traced: the
 * kernel's unwind entry there must be that of the site.
 */
#include "core/splice/gilk-gap.h"

#include <string.h>

#include "core/splice/gilk-orc.h"
#include "ilk/ilk-abi.h"

#define PAD_BYTES   16     /* functions begin at multiples of it */
#define ENDBR_BYTES 4
#define BEHIND_MAX  64     /* alignment is never longer */
#define REACH       128
#define SITE_BYTES  5      /* of a static call */

struct _GilkGaps {
  GilkImage *image;        /* borrowed from the graph */
  GArray *rooms;           /* uint64_t; 0: given away */
};

/* A weak function that was overridden has no symbol, but its ftrace site is a site all
 * the same: 5 bytes of nop where a function may begin, on 6.12 behind an ENDBR. */
static gboolean
may_be_fentry (const uint8_t *bytes, gsize length, uint64_t addr)
{
  static const uint8_t fentry[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };

  return (addr % PAD_BYTES == 0 || addr % PAD_BYTES == ENDBR_BYTES) &&
         memcmp (bytes, fentry, MIN (length, sizeof fentry)) == 0;
}

gsize
gilk_filler_length (const uint8_t *bytes,
                    gsize          length,
                    uint64_t       addr)
{
  /* by ModRM of 0f 1f: with no, 8-bit and 32-bit displacement, with and without SIB */
  static const struct { uint8_t modrm; guint bytes; } nops[] = {
    { 0x00, 3 }, { 0x40, 4 }, { 0x44, 5 }, { 0x80, 7 }, { 0x84, 8 },
  };
  gsize prefixes = 0;

  if (bytes[0] == 0xcc)
    return 1;
  if (may_be_fentry (bytes, length, addr))
    return 0;
  while (prefixes < length && (bytes[prefixes] == 0x66 || bytes[prefixes] == 0x2e))
    prefixes++;
  if (prefixes < length && bytes[prefixes] == 0x90)
    return prefixes + 1;
  if (prefixes + 3 > length || bytes[prefixes] != 0x0f || bytes[prefixes + 1] != 0x1f)
    return 0;
  for (guint i = 0; i < G_N_ELEMENTS (nops); i++)
    if (bytes[prefixes + 2] == nops[i].modrm && prefixes + nops[i].bytes <= length)
      return prefixes + nops[i].bytes;

  return 0;
}

static gboolean
is_filler (const uint8_t *bytes, gsize length, uint64_t addr)
{
  gsize at = 0, step;

  for (; at < length; at += step)
    if ((step = gilk_filler_length (bytes + at, length - at, addr + at)) == 0)
      return FALSE;

  return TRUE;
}

static void
add_room (GilkGaps *gaps, uint64_t room)
{
  g_array_append_val (gaps->rooms, room);
}

/* The kernel rewrites bytes there. A tail call of a static call that does nothing now is
 * a return and filler, so that a site may also begin before the gap. */
static gboolean
is_rewritten (const GilkCfg *cfg, uint64_t start, uint64_t end)
{
  guint count = 0;
  const GilkSite *sites = gilk_image_sites (cfg->image, start - (SITE_BYTES - 1), end, &count);

  for (guint i = 0; i < count; i++)
    if (sites[i].addr >= start || sites[i].kind == GILK_SITE_STATIC_CALL)
      return TRUE;

  return FALSE;
}

/* Rooms in [start, end), which control does not run into. */
static void
add_gap (GilkGaps *gaps, const GilkCfg *cfg, uint64_t start, uint64_t end)
{
  const uint8_t *bytes;

  if (end < start + ILK_BOUNCE_BYTES || is_rewritten (cfg, start, end))
    return;
  bytes = gilk_image_bytes (cfg->image, start, end - start, NULL);
  if (bytes == NULL || !is_filler (bytes, end - start, start))
    return;

  /* An int3 behind a return or jump stops the processor's speculation: one stays. */
  if (bytes[0] == 0xcc)
    start++;
  for (; start + ILK_BOUNCE_BYTES <= end; start += ILK_BOUNCE_BYTES)
    add_room (gaps, start);
}

/* Calls that never return are known by name only: not certain enough. */
gboolean
gilk_never_runs_on (const GilkBlock *block)
{
  return block->ending == GILK_END_RETURN || block->ending == GILK_END_JUMP ||
         block->ending == GILK_END_TAIL_CALL || block->ending == GILK_END_INDIRECT;
}

static void
add_range (GilkGaps *gaps, const GilkCfg *cfg, const GilkRange *range)
{
  for (guint i = 0; i < cfg->n_blocks; i++)
    {
      const GilkBlock *block = &cfg->blocks[i];
      const GilkBlock *next = i + 1 < cfg->n_blocks ? block + 1 : NULL;

      if (block->start < range->start || block->start >= range->end || !gilk_never_runs_on (block))
        continue;
      if (next != NULL && next->start < range->end)
        add_gap (gaps, cfg, block->end, next->start);
      else if (range->end < block->end + BEHIND_MAX)
        add_gap (gaps, cfg, block->end, range->end);
    }
}

/* Are the 16 bytes at @addr the nops before a function, and unused? */
static gboolean
is_pad (const GilkCfg *cfg, uint64_t addr)
{
  const GilkSymbol *symbol = gilk_symbols_at (gilk_image_symbols (cfg->image), addr);
  const GilkArea *area = gilk_image_area (cfg->image, addr);
  const uint8_t *bytes;

  if (symbol == NULL || symbol->addr != addr || !g_str_has_prefix (symbol->name, "__pfx_") ||
      symbol->module != cfg->function->module || area == NULL || area->kind != GILK_AREA_TEXT)
    return FALSE;
  bytes = gilk_image_bytes (cfg->image, addr, PAD_BYTES, NULL);
  for (guint i = 0; bytes != NULL && i < PAD_BYTES; i++)
    if (bytes[i] != 0x90)
      return FALSE;

  return bytes != NULL;
}

GilkGaps *
gilk_gaps_new (const GilkCfg *cfg)
{
  const GilkFunction *function = cfg->function;
  GilkGaps *gaps = g_new0 (GilkGaps, 1);

  gaps->image = cfg->image;
  gaps->rooms = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  add_range (gaps, cfg, &function->hot);
  if (function->cold.start != 0)
    add_range (gaps, cfg, &function->cold);
  if (is_pad (cfg, function->hot.start - PAD_BYTES))
    {
      add_room (gaps, function->hot.start - PAD_BYTES + ILK_BOUNCE_BYTES);
      add_room (gaps, function->hot.start - PAD_BYTES + 2 * ILK_BOUNCE_BYTES);
    }
  if (is_pad (cfg, function->hot.end))
    add_room (gaps, function->hot.end);

  return gaps;
}

void
gilk_gaps_free (GilkGaps *gaps)
{
  if (gaps == NULL)
    return;

  g_array_unref (gaps->rooms);
  g_free (gaps);
}

uint64_t
gilk_gaps_find (const GilkGaps   *gaps,
                const GilkCfg    *cfg,
                const GilkWindow *window,
                const GilkWindow *other)
{
  uint64_t site = cfg->insns[window->first].addr;

  for (guint i = 0; i < gaps->rooms->len; i++)
    {
      uint64_t room = g_array_index (gaps->rooms, uint64_t, i);
      int64_t hop = (int64_t) (room - (site + GILK_HOP_BYTES));

      if (room == 0 || hop < -REACH || hop >= REACH ||
          gilk_window_covers (cfg, window, room, ILK_BOUNCE_BYTES) ||
          !gilk_orc_same (gaps->image, site, room, ILK_BOUNCE_BYTES))
        continue;
      if (other == NULL || (room != other->bounce &&
                            !gilk_window_covers (cfg, other, room, ILK_BOUNCE_BYTES)))
        return room;
    }

  return 0;
}

void
gilk_gaps_take (GilkGaps *gaps,
                uint64_t  addr,
                guint     length)
{
  for (guint i = 0; i < gaps->rooms->len; i++)
    {
      uint64_t *room = &g_array_index (gaps->rooms, uint64_t, i);

      if (*room < addr + length && addr < *room + ILK_BOUNCE_BYTES)
        *room = 0;
    }
}
