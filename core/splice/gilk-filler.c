/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-filler.c - finds filler: bytes near a function that never run
 *
 *   inside:   alignment between two blocks, if the first block does not fall through.
 *   after:    alignment between the last block and the next symbol.
 *   before:   the 16 nops of __pfx_NAME in front of each function on 6.12.
 *
 * Bytes count as filler only if all of them are nops or int3. Functions that are planned at the
 * same time must not compete for filler. The nops in front of a function have space for the jumps
 * of three bounces: the lowest jump is for the previous function, the other two are for this one.
 */
#include "core/splice/gilk-splice.h"

#include <string.h>

#include "ilk/ilk-abi.h"

#define ENDBR_BYTES 4
#define BEHIND_MAX  64     /* maximum length, in bytes, of the padding that aligns the code after a
                            * function */
#define SITE_BYTES  5      /* size of a static call's site, in bytes */

typedef struct {
  const GilkCfg *cfg;
  GilkFillerFunc    func;
  gpointer       user_data;
} Search;

/* Returns whether the bytes may be an ftrace site. An overridden weak function lacks a symbol, but
 * its ftrace site is still patched: a 5-byte nop where a function may start, on 6.12 after an
 * ENDBR. */
static gboolean
may_be_fentry (const uint8_t *bytes, gsize length, uint64_t addr)
{
  static const uint8_t fentry[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };

  return (addr % GILK_PAD_BYTES == 0 || addr % GILK_PAD_BYTES == ENDBR_BYTES) &&
         memcmp (bytes, fentry, MIN (length, sizeof fentry)) == 0;
}

gsize
gilk_filler_length (const uint8_t *bytes,
                    gsize          length,
                    uint64_t       addr)
{
  /* known forms of the nop 0f 1f, by their ModRM byte: displacement of 0, 8 or 32 bits, with or
   * without SIB */
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

/* Returns whether the kernel itself patches bytes in the range. Also checks the site of a static
 * call that starts before the range, because a static tail call without a target consists of a
 * return and filler. */
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

/* Passes the filler in [start, end) to search->func if it is usable. The caller must have checked
 * that control cannot fall through into it. */
static void
offer_gap (const Search *search, uint64_t start, uint64_t end)
{
  const GilkCfg *cfg = search->cfg;
  const uint8_t *bytes;

  if (end < start + ILK_BOUNCE_BYTES || is_rewritten (cfg, start, end))
    return;
  bytes = gilk_image_bytes (cfg->image, start, end - start, NULL);
  if (bytes == NULL || !is_filler (bytes, end - start, start))
    return;

  /* Skip an int3 after a return or jump: it stops speculation, and must stay. */
  if (bytes[0] == 0xcc)
    start++;
  search->func (start, end, search->user_data);
}

/* Returns TRUE if it is certain that control never falls through the block's end. A block that ends
 * with a call of a function that never returns does not count as certain, because such functions
 * are recognised only by name. */
gboolean
gilk_never_runs_on (const GilkBlock *block)
{
  return block->ending == GILK_END_RETURN || block->ending == GILK_END_JUMP ||
         block->ending == GILK_END_TAIL_CALL || block->ending == GILK_END_INDIRECT;
}

static void
search_range (const Search *search, const GilkRange *range)
{
  const GilkCfg *cfg = search->cfg;

  for (guint i = 0; i < cfg->n_blocks; i++)
    {
      const GilkBlock *block = &cfg->blocks[i];
      const GilkBlock *next = i + 1 < cfg->n_blocks ? block + 1 : NULL;

      if (block->start < range->start || block->start >= range->end || !gilk_never_runs_on (block))
        continue;
      if (next != NULL && next->start < range->end)
        offer_gap (search, block->end, next->start);
      else if (range->end < block->end + BEHIND_MAX)
        offer_gap (search, block->end, range->end);
    }
}

/* Returns whether the 16 bytes at @addr are the nops in front of a function, not yet
 * overwritten. */
static gboolean
is_pad (const GilkCfg *cfg, uint64_t addr)
{
  const GilkSymbol *symbol = gilk_symbols_at (gilk_image_symbols (cfg->image), addr);
  const GilkArea *area = gilk_image_area (cfg->image, addr);
  const uint8_t *bytes;

  if (symbol == NULL || symbol->addr != addr || !g_str_has_prefix (symbol->name, "__pfx_") ||
      symbol->module != cfg->function->module || area == NULL || area->kind != GILK_AREA_TEXT)
    return FALSE;
  bytes = gilk_image_bytes (cfg->image, addr, GILK_PAD_BYTES, NULL);
  for (guint i = 0; bytes != NULL && i < GILK_PAD_BYTES; i++)
    if (bytes[i] != 0x90)
      return FALSE;

  return bytes != NULL;
}

void
gilk_fillers_foreach (const GilkCfg *cfg,
                   GilkFillerFunc    func,
                   gpointer       user_data)
{
  const GilkFunction *function = cfg->function;
  const Search search = { .cfg = cfg, .func = func, .user_data = user_data };

  search_range (&search, &function->hot);
  if (function->cold.start != 0)
    search_range (&search, &function->cold);
  if (is_pad (cfg, function->hot.start - GILK_PAD_BYTES))
    func (function->hot.start - GILK_PAD_BYTES + ILK_BOUNCE_BYTES, function->hot.start, user_data);
  if (is_pad (cfg, function->hot.end))
    func (function->hot.end, function->hot.end + ILK_BOUNCE_BYTES, user_data);
}
