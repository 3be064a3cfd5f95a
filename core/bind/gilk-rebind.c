/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-rebind.c - finds the block or instruction of a planned hook, or reports why it cannot be
 * found
 */
#include "core/bind/gilk-bound-plan.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/cfg/gilk-cfg.h"
#include "core/plan/gilk-plan-point.h"

static gboolean G_GNUC_PRINTF (4, 5)
fail_rebind (GError **error, GilkErrorCode code, const GilkPlanHook *hook, const char *format, ...)
{
  g_autofree char *what = NULL;
  va_list args;

  va_start (args, format);
  what = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, GILK_ERROR, (int) code, _("Hook %s (%s%s%s) does not match this kernel: %s"),
               hook->label, hook->function, hook->block != NULL ? "" : " ",
               hook->block != NULL ? hook->block : hook->anchor, what);

  return FALSE;
}

/* Returns the indices of the function's blocks in the order in which anchors such as "return#2"
 * count them: the blocks of the hot part, then those of the cold part. */
static GArray *
list_blocks_in_order (const GilkCfg *cfg)
{
  GArray *order = g_array_sized_new (FALSE, FALSE, sizeof (guint), cfg->n_blocks);

  for (guint cold = 0; cold <= 1; cold++)
    for (guint i = 0; i < cfg->n_blocks; i++)
      if (((cfg->blocks[i].flags & GILK_BLOCK_COLD) != 0) == cold)
        g_array_append_val (order, i);

  return order;
}

/* ---- finding a hook on the kernel that the plan was made on ---- */

typedef struct {
  const GilkPlan *plan;
  const char     *release, *build_id;   /* current kernel; nullable */
} Kernels;

/* Returns the kernel's name, such as "6.1.0-56-amd64". @with_build: append the build id */
static char *
name_kernel (const char *release, const char *build_id, gboolean with_build)
{
  if (release == NULL)
    release = _("another kernel");
  if (!with_build || build_id == NULL)
    return g_strdup (release);

  return g_strdup_printf (_("%s (build %.8s)"), release, build_id);
}

/* Fails unless the plan was made on the kernel that it is bound to. @what: sentence in the error
 * message that says why the hook is valid only on the plan's own kernel */
static gboolean
check_kernel (const Kernels *kernels, const GilkPlanHook *hook, const char *what, GError **error)
{
  const GilkPlan *plan = kernels->plan;
  gboolean alike = g_strcmp0 (plan->kernel, kernels->release) == 0;
  g_autofree char *was = name_kernel (plan->kernel, plan->build_id, alike);
  g_autofree char *is = name_kernel (kernels->release, kernels->build_id, alike);

  if (gilk_plan_matches_kernel (plan, kernels->release, kernels->build_id))
    return TRUE;

  return fail_rebind (error, GILK_ERROR_STALE, hook, _("%s, but the plan was made on %s, and this is %s. Place the hook again."), what, was, is);
}

/* ---- finding a hook by offset and fingerprint ---- */

static int
find_block_at_offset (const GilkCfg *cfg, const char *offset)
{
  uint64_t addr;

  return gilk_cfg_parse_offset (cfg, offset, &addr) ? gilk_cfg_block_at (cfg, addr) : -1;
}

/*
 * Returns TRUE if the hook is in front of the function's first instruction, and that instruction is
 * not the target of a branch. The function's name then identifies the probe point on any kernel,
 * whatever the code there is.
 */
static gboolean
is_entry (const GilkCfg *cfg, const GilkPlanHook *hook)
{
  const GilkBlock *entry = &cfg->blocks[cfg->entry];

  return hook->where == GILK_WHERE_PRE && hook->block != NULL && find_block_at_offset (cfg, hook->block) == (int) cfg->entry &&
         entry->start == cfg->function->hot.start && entry->n_in == 0;
}

static gboolean
find_by_offset (const GilkCfg *cfg, const GilkPlanHook *hook, guint *block, GError **error)
{
  int at = find_block_at_offset (cfg, hook->block);

  if (at < 0)
    return fail_rebind (error, GILK_ERROR_NOT_FOUND, hook, _("no block starts at this offset. See gilk cfg %s for "
                                                             "the function's blocks."), hook->function);
  *block = (guint) at;

  return TRUE;
}

static gboolean
find_by_old_fingerprint (const GilkCfg *cfg, const Kernels *kernels, const GilkPlanHook *hook, guint *block,
                         GError **error)
{
  int at = find_block_at_offset (cfg, hook->block);
  char print[17] = "";

  if (kernels->plan->kernel == NULL ||
      !gilk_plan_matches_kernel (kernels->plan, kernels->release, kernels->build_id))
    return is_entry (cfg, hook) ? find_by_offset (cfg, hook, block, error) :
           fail_rebind (error, GILK_ERROR_STALE, hook,
                        _("the hook's fingerprint is of an old format, which does not distinguish calls and is valid "
                          "only on the kernel that the plan names in kernel=. Use gilk plan renew on %s, or place "
                          "the hook again."),
                        kernels->plan->kernel != NULL ? kernels->plan->kernel : _("that kernel"));
  if (at >= 0)
    gilk_cfg_old_fingerprint (cfg, (guint) at, print);
  if (strcmp (print, hook->fingerprint) != 0)
    return fail_rebind (error, GILK_ERROR_STALE, hook, _("the block is not the one that was planned. Check the function and "
                                                         "place the hook again."));
  *block = (guint) at;

  return TRUE;
}

/* ---- finding an instruction ---- */

static gboolean
parse_insn_offset (const GilkCfg *cfg, const char *offset, uint64_t *addr)
{
  return gilk_cfg_parse_offset (cfg, offset, addr) && gilk_cfg_insn_at (cfg, *addr) >= 0;
}

static gboolean
find_insn_by_offset (const GilkCfg *cfg, const GilkPlanHook *hook, uint64_t *place, GError **error)
{
  uint64_t addr;

  if (!parse_insn_offset (cfg, hook->block, &addr))
    return fail_rebind (error, GILK_ERROR_NOT_FOUND, hook, _("no instruction starts at this offset. See gilk cfg %s "
                                                             "for the function's instructions."), hook->function);
  *place = addr;

  return TRUE;
}

static gboolean
find_insn_by_fingerprint (const GilkCfg *cfg, const GilkPlanHook *hook, uint64_t *place, gboolean *moved, GError **error)
{
  uint64_t addr, planned = 0;
  guint found;

  if (gilk_cfg_is_graph (cfg, hook->fingerprint))
    {
      char print[GILK_FINGERPRINT_SIZE] = "";

      if (parse_insn_offset (cfg, hook->block, &addr))
        gilk_cfg_insn_fingerprint (cfg, addr, print);
      if (print[0] == '\0' || strcmp (print, hook->fingerprint) == 0)
        return find_insn_by_offset (cfg, hook, place, error);
      return fail_rebind (error, GILK_ERROR_STALE, hook, _("the hook's fingerprint belongs to another instruction of "
                                                           "the function. Place the hook again."));
    }
  found = gilk_cfg_find_insn_fingerprint (cfg, hook->fingerprint, &addr);
  if (found != 1)
    return fail_rebind (error, found == 0 ? GILK_ERROR_STALE : GILK_ERROR_AMBIGUOUS, hook,
                        _("the function has changed since the plan was made, and the block "
                          "with the hook's instruction is gone or no longer unique. Check the "
                          "function and place the hook again."));
  *moved = !gilk_cfg_parse_offset (cfg, hook->block, &planned) || planned != addr;
  *place = addr;

  return TRUE;
}

/* ---- finding a block by its fingerprint ---- */

static gboolean
find_by_fingerprint (const GilkCfg *cfg, const GilkPlanHook *hook, guint *block, gboolean *moved,
                     GError **error)
{
  gboolean twin = g_str_has_suffix (hook->fingerprint, ":twin");
  guint found;

  if (gilk_cfg_is_graph (cfg, hook->fingerprint))
    {
      guint only = G_MAXUINT;

      if (twin || gilk_cfg_find_fingerprint (cfg, hook->fingerprint, &only) != 1 ||
          find_block_at_offset (cfg, hook->block) == (int) only)
        return find_by_offset (cfg, hook, block, error);
      return fail_rebind (error, GILK_ERROR_STALE, hook, _("the hook's fingerprint belongs to another block of the "
                                                           "function. Place the hook again."));
    }
  if (is_entry (cfg, hook))
    return find_by_offset (cfg, hook, block, error);
  if (twin)
    return fail_rebind (error, GILK_ERROR_AMBIGUOUS, hook,
                        _("the function has changed since the plan was made, and the planned block was one of "
                          "several identical blocks. Check the function and place the hook again."));

  found = gilk_cfg_find_fingerprint (cfg, hook->fingerprint, block);
  if (found > 1)
    return fail_rebind (error, GILK_ERROR_AMBIGUOUS, hook,
                        _("the function has changed since the plan was made, and %u of its "
                          "blocks now match the planned one. Check the function and place the "
                          "hook again."), found);
  if (found == 0)
    return fail_rebind (error, GILK_ERROR_STALE, hook,
                        _("the function has changed since the plan was made, and no block of "
                          "it matches the planned one and its neighbours. Check the function "
                          "and place the hook again."));
  *moved = find_block_at_offset (cfg, hook->block) != (int) *block;

  return TRUE;
}

/* ---- finding a block or instruction by its anchor ---- */

/* Returns TRUE if a symbol at @addr has this @name. An address may have several symbols, and
 * several addresses may have symbols with this name. */
static gboolean
is_named (GilkSymbols *symbols, uint64_t addr, const char *name)
{
  guint count;
  const GilkSymbol *at = gilk_symbols_exactly (symbols, addr, &count);

  for (guint i = 0; i < count; i++)
    if (strcmp (at[i].name, name) == 0)
      return TRUE;

  return FALSE;
}

/* Returns the index of the first instruction, at @from or later, that calls @symbol; the index
 * after the block's last instruction if there is none. */
static guint
find_call (const GilkCfg *cfg, guint block, guint from, const char *symbol)
{
  GilkSymbols *symbols = gilk_image_symbols (cfg->image);
  const GilkBlock *b = &cfg->blocks[block];
  guint end = b->first_insn + b->n_insns;

  for (; from < end; from++)
    {
      const GilkInsn *insn = &cfg->insns[from];
      gboolean leaves = insn->branch == GILK_BRANCH_CALL || (b->ending == GILK_END_TAIL_CALL && from + 1 == end);

      if (leaves && insn->target != 0 && is_named (symbols, insn->target, symbol))
        break;
    }

  return from;
}

/*
 * Counts how often a block matches the hook's anchor, which is a call of @symbol or, if @symbol is
 * NULL, a return. A block counts at most once, or with GILK_WHERE_AT once for each matching
 * instruction. @found: number of matches in earlier blocks. If match number @nth of the function is
 * in this block, sets @place to its address.
 */
static guint
count_matches (const GilkCfg *cfg, guint block, const GilkPlanHook *hook, const char *symbol, guint found, guint nth,
               uint64_t *place)
{
  const GilkBlock *b = &cfg->blocks[block];
  guint end = b->first_insn + b->n_insns, n = 0;

  if (symbol == NULL && b->ending != GILK_END_RETURN)
    return 0;
  for (guint i = symbol != NULL ? find_call (cfg, block, b->first_insn, symbol) : end - 1; i < end;
       i = symbol != NULL ? find_call (cfg, block, i + 1, symbol) : end)
    {
      n++;
      if (found + n == nth)
        *place = hook->where == GILK_WHERE_AT ? cfg->insns[i].addr : b->start;
      if (hook->where != GILK_WHERE_AT)
        break;
    }

  return n;
}

static gboolean
find_by_anchor (const GilkCfg *cfg, const GilkPlanHook *hook, uint64_t *place, GError **error)
{
  g_autoptr(GArray) order = list_blocks_in_order (cfg);
  g_auto(GilkAnchor) anchor = { 0 };
  g_autoptr(GError) local = NULL;
  const char *symbol;
  guint nth, found = 0;
  uint64_t addr = 0;

  if (!gilk_anchor_parse (hook->anchor, &anchor, &local))
    return fail_rebind (error, GILK_ERROR_USAGE, hook, "%s", local->message);
  if (anchor.kind == GILK_ANCHOR_ENTRY)
    {
      *place = cfg->blocks[cfg->entry].start;
      return TRUE;
    }

  symbol = anchor.symbol;
  nth = anchor.nth;
  for (guint i = 0; i < order->len; i++)
    found += count_matches (cfg, g_array_index (order, guint, i), hook, symbol, found, MAX (nth, 1), &addr);
  if ((nth == 0 && found == 1) || (nth != 0 && nth <= found))
    {
      *place = addr;
      return TRUE;
    }

  if (found == 0 && symbol == NULL)
    return fail_rebind (error, GILK_ERROR_NOT_FOUND, hook,
                        _("the function has no block that returns. See gilk cfg %s for its blocks."), hook->function);
  if (found == 0)
    return fail_rebind (error, GILK_ERROR_NOT_FOUND, hook,
                        _("the function has no block that calls %s. See gilk cfg %s for its blocks."), symbol, hook->function);
  if (nth != 0 && symbol == NULL)
    return fail_rebind (error, GILK_ERROR_NOT_FOUND, hook,
                        ngettext ("the function has only %u block that returns. Write a smaller number.",
                                  "the function has only %u blocks that return. Write a smaller number.", found),
                        found);
  if (nth != 0)
    return fail_rebind (error, GILK_ERROR_NOT_FOUND, hook,
                        ngettext ("the function has only %u block that calls %s. Write a smaller number.",
                                  "the function has only %u blocks that call %s. Write a smaller number.", found),
                        found, symbol);

  return fail_rebind (error, GILK_ERROR_AMBIGUOUS, hook,
                      _("%u blocks of the function match. Choose one, for example anchor=%s#1."),
                      found, hook->anchor);
}

gboolean
gilk_rebind (const GilkCfg      *cfg,
             const GilkPlan     *plan,
             const GilkPlanHook *hook,
             const char         *release,
             const char         *build_id,
             uint64_t           *place,
             gboolean           *moved,
             GError            **error)
{
  const Kernels kernels = { plan, release, build_id };
  gboolean found, at = hook->where == GILK_WHERE_AT;
  guint block;

  *moved = FALSE;
  if (cfg->n_blocks == 0)
    return fail_rebind (error, GILK_ERROR_NOT_FOUND, hook, _("the function has no blocks. Choose another."));
  if (strchr (hook->function, '@') != NULL &&
      !check_kernel (&kernels, hook, _("functions of the same name are numbered by address"), error))
    return FALSE;
  if (hook->anchor != NULL)
    return find_by_anchor (cfg, hook, place, error);
  if (hook->fingerprint[0] == '\0' && !is_entry (cfg, hook) &&
      !check_kernel (&kernels, hook, _("the hook has no fingerprint"), error))
    return FALSE;
  if (at)
    return hook->fingerprint[0] == '\0' ? find_insn_by_offset (cfg, hook, place, error)
                                        : find_insn_by_fingerprint (cfg, hook, place, moved, error);
  if (hook->fingerprint[0] == '\0')
    found = find_by_offset (cfg, hook, &block, error);
  else if (strchr (hook->fingerprint, ':') == NULL)
    found = find_by_old_fingerprint (cfg, &kernels, hook, &block, error);
  else
    found = find_by_fingerprint (cfg, hook, &block, moved, error);
  if (found)
    *place = cfg->blocks[block].start;

  return found;
}
