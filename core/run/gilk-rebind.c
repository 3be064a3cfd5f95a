/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-rebind.c - finds the block that a plan means, or says why not
 */
#include "core/run/gilk-rebind.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/gilk-error.h"

static gboolean G_GNUC_PRINTF (4, 5)
fail (GError **error, GilkErrorCode code, const GilkPlanHook *hook, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, GILK_ERROR, (int) code, "The hook %s (%s%s%s) does not fit this kernel: %s",
               hook->label, hook->function, hook->block != NULL ? "" : " ",
               hook->block != NULL ? hook->block : hook->anchor, what);

  return FALSE;
}

/* Blocks in the order people count them: the function's own, then its cold part. */
static GArray *
in_order (const GilkCfg *cfg)
{
  GArray *order = g_array_sized_new (FALSE, FALSE, sizeof (guint), cfg->n_blocks);

  for (guint cold = 0; cold <= 1; cold++)
    for (guint i = 0; i < cfg->n_blocks; i++)
      if (((cfg->blocks[i].flags & GILK_BLOCK_COLD) != 0) == cold)
        g_array_append_val (order, i);

  return order;
}

/* ---- by offset and fingerprint ---- */

static gboolean
has_print (const GilkCfg *cfg, guint block, const char *print)
{
  char actual[17];

  gilk_cfg_fingerprint (cfg, block, actual);

  return strcmp (actual, print) == 0;
}

static guint
search_print (const GilkCfg *cfg, const char *print, guint *block)
{
  guint found = 0;

  for (guint i = 0; i < cfg->n_blocks; i++)
    if (has_print (cfg, i, print))
      {
        *block = i;
        found++;
      }

  return found;
}

static int
block_at_offset (const GilkCfg *cfg, const char *offset)
{
  uint64_t addr;

  return gilk_cfg_parse_offset (cfg, offset, &addr) ? gilk_cfg_block_at (cfg, addr) : -1;
}

static gboolean
by_offset_alone (const GilkCfg *cfg, const GilkPlanHook *hook, const char *release,
                 const char *made_on, guint *block, GError **error)
{
  int at = block_at_offset (cfg, hook->block);

  if (made_on != NULL && release != NULL && strcmp (made_on, release) != 0)
    return fail (error, GILK_ERROR_STALE, hook, "it has no fingerprint and was planned on %s, "
                 "while this is %s. Place the hook again.", made_on, release);
  if (at < 0)
    return fail (error, GILK_ERROR_NOT_FOUND, hook, "no block begins there. See gilk cfg %s for "
                 "its blocks.", hook->function);
  *block = (guint) at;

  return TRUE;
}

static gboolean
by_print (const GilkCfg *cfg, const GilkPlanHook *hook, const char *made_on, guint *block,
          gboolean *moved, GError **error)
{
  int at = block_at_offset (cfg, hook->block);
  guint found;

  if (at >= 0 && has_print (cfg, (guint) at, hook->fingerprint))
    {
      *block = (guint) at;
      return TRUE;
    }

  found = search_print (cfg, hook->fingerprint, block);
  if (found == 1)
    {
      *moved = TRUE;
      return TRUE;
    }

  return fail (error, GILK_ERROR_STALE, hook, "the block is not the one that was planned%s%s, and "
               "%s in the function has its instructions. Look at the function and place the hook "
               "again.", made_on != NULL ? " on " : "", made_on != NULL ? made_on : "",
               found == 0 ? "no other" : "more than one");
}

/* ---- by anchor ---- */

/* TRUE if a symbol of that name lies at @addr: aliases and namesakes count. */
static gboolean
is_named (GilkSymbols *symbols, uint64_t addr, const char *name)
{
  guint count, low = 0, high;
  const GilkSymbol *all = gilk_symbols_all (symbols, &count);

  for (high = count; low < high;)
    {
      guint middle = low + (high - low) / 2;

      if (all[middle].addr < addr)
        low = middle + 1;
      else
        high = middle;
    }
  for (; low < count && all[low].addr == addr; low++)
    if (strcmp (all[low].name, name) == 0)
      return TRUE;

  return FALSE;
}

static gboolean
calls (const GilkCfg *cfg, guint block, const char *symbol)
{
  GilkSymbols *symbols = gilk_image_symbols (cfg->image);
  const GilkBlock *b = &cfg->blocks[block];

  for (guint i = b->first_insn; i < b->first_insn + b->n_insns; i++)
    {
      const GilkInsn *insn = &cfg->insns[i];
      gboolean leaves = insn->flow == GILK_FLOW_CALL ||
                        (b->ending == GILK_END_TAIL_CALL && i + 1 == b->first_insn + b->n_insns);

      if (leaves && insn->target != 0 && is_named (symbols, insn->target, symbol))
        return TRUE;
    }

  return FALSE;
}

static gboolean
matches (const GilkCfg *cfg, guint block, const char *symbol)
{
  if (symbol == NULL)
    return cfg->blocks[block].ending == GILK_END_RETURN;

  return calls (cfg, block, symbol);
}

/* "call:SYMBOL#2" and "return#2"; @symbol NULL for returns, @nth 0 without a number. */
static char *
split_anchor (const char *anchor, guint *nth)
{
  const char *hash = strchr (anchor, '#');
  gsize length = hash != NULL ? (gsize) (hash - anchor) : strlen (anchor);

  *nth = hash != NULL ? (guint) strtoul (hash + 1, NULL, 10) : 0;
  if (!g_str_has_prefix (anchor, "call:"))
    return NULL;

  return g_strndup (anchor + strlen ("call:"), length - strlen ("call:"));
}

static gboolean
by_anchor (const GilkCfg *cfg, const GilkPlanHook *hook, guint *block, GError **error)
{
  g_autoptr(GArray) order = in_order (cfg);
  g_autofree char *symbol = NULL, *what = NULL;
  guint nth, found = 0;

  if (strcmp (hook->anchor, "entry") == 0)
    {
      *block = cfg->entry;
      return TRUE;
    }

  symbol = split_anchor (hook->anchor, &nth);
  for (guint i = 0; i < order->len; i++)
    {
      guint candidate = g_array_index (order, guint, i);

      if (!matches (cfg, candidate, symbol))
        continue;
      found++;
      if (found == MAX (nth, 1))
        *block = candidate;
    }
  if (nth == 0 && found == 1)
    return TRUE;
  if (nth != 0 && nth <= found)
    return TRUE;

  what = symbol != NULL ? g_strconcat ("calls ", symbol, NULL) : g_strdup ("returns");
  if (found == 0)
    return fail (error, GILK_ERROR_NOT_FOUND, hook, "no block of it %s. See gilk cfg %s for what "
                 "its blocks do.", what, hook->function);
  if (nth != 0)
    return fail (error, GILK_ERROR_NOT_FOUND, hook, "only %u of its blocks %s %s. Write a number "
                 "up to that.", found, found == 1 ? "is such that it" : "are such that each", what);

  return fail (error, GILK_ERROR_AMBIGUOUS, hook, "%u of its blocks do that. Say which, as in "
               "anchor=%s#1.", found, hook->anchor);
}

gboolean
gilk_rebind (const GilkCfg      *cfg,
             const GilkPlanHook *hook,
             const char         *release,
             const char         *made_on,
             guint              *block,
             gboolean           *moved,
             GError            **error)
{
  *moved = FALSE;
  if (cfg->n_blocks == 0)
    return fail (error, GILK_ERROR_NOT_FOUND, hook, "the function has no blocks. Choose another.");
  if (hook->anchor != NULL)
    return by_anchor (cfg, hook, block, error);
  if (hook->fingerprint[0] == '\0')
    return by_offset_alone (cfg, hook, release, made_on, block, error);

  return by_print (cfg, hook, made_on, block, moved, error);
}
