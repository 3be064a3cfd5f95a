/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-callees.c - finds the callees of a function, and their callees
 *
 * The first function can be called from anywhere, so its original needs a jump to the clone at its
 * entry. Clones of its callees are called only by other clones, which skip the callee's ftrace
 * site. A tracer that is active at such a site would miss these calls, so traced callees are not
 * cloned.
 */
#include "core/splice/gilk-clone.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-refusal.h"

#define PROGRESS_INTERVAL 16             /* number of functions between two progress reports */

typedef struct {
  GilkFunctions *functions;
  GilkImage     *image;
  GilkDecoder   *decoder;
  guint          depth;
  GArray        *reached;    /* (element-type GilkCallee): functions found so far, in the order in
                              * which they were found */
  GHashTable    *known;      /* set of GilkFunction: functions found so far */
} Search;

static void
clear_reached (gpointer data)
{
  GilkCallee *reached = data;

  g_clear_pointer (&reached->cfg, gilk_cfg_unref);
}

static void
add_function (Search *search, const GilkFunction *function, guint depth)
{
  const GilkCallee reached = { .function = function, .depth = depth };

  if (g_hash_table_add (search->known, (gpointer) function))
    g_array_append_val (search->reached, reached);
}

/* ---- checks ---- */

static gboolean
is_traced (GilkImage *image, const GilkFunction *function)
{
  static const uint8_t nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
  guint count = 0;
  const GilkSite *sites =
    gilk_image_sites (image, function->hot.start, function->hot.start + 16, &count);

  for (guint i = 0; i < count; i++)
    if (sites[i].kind == GILK_SITE_FENTRY)
      {
        const uint8_t *bytes = gilk_image_bytes (image, sites[i].addr, sizeof nop, NULL);

        return bytes == NULL || memcmp (bytes, nop, sizeof nop) != 0;
      }

  return FALSE;
}

static guint
check_function (const Search *search, const GilkCallee *reached)
{
  guint refusal = gilk_clone_check (reached->cfg, reached->depth > 0);

  if (refusal == 0 && reached->depth > 0 && is_traced (search->image, reached->function))
    return GILK_REFUSAL_CLONE_TRACED;

  return refusal;
}

/* ---- following calls ---- */

/*
 * Returns the function that @insn calls or jumps to; NULL if it is not a direct call or tail call,
 * or if the target is not a function.
 */
static const GilkFunction *
find_callee (const Search *search, const GilkCfg *cfg, const GilkInsn *insn)
{
  const GilkFunction *callee;

  if (insn->target == 0 || gilk_cfg_block_around (cfg, insn->target) >= 0 ||
      gilk_image_is_return_thunk (search->image, insn->target) ||
      gilk_image_is_indirect_thunk (search->image, insn->target) || gilk_image_is_static_call (cfg->image, insn->addr))
    return NULL;
  callee = gilk_functions_at (search->functions, insn->target);

  return callee != NULL && callee->hot.start == insn->target ? callee : NULL;
}

static void
follow_calls (Search *search, const GilkCfg *cfg, guint depth)
{
  g_autofree gboolean *reached = gilk_cfg_reached (cfg);

  for (guint b = 0; b < cfg->n_blocks; b++)
    for (guint i = 0; reached[b] && i < cfg->blocks[b].n_insns; i++)
      {
        const GilkFunction *callee =
          find_callee (search, cfg, &cfg->insns[cfg->blocks[b].first_insn + i]);

        if (callee != NULL)
          add_function (search, callee, depth);
      }
}

GArray *
gilk_callees_find (GilkFunctions      *functions,
                   GilkImage          *image,
                   const GilkFunction *first,
                   guint               depth,
                   GilkDecoder        *decoder,
                   const GilkProgress *progress,
                   GCancellable       *cancellable,
                   GError            **error)
{
  g_autoptr(GHashTable) known = g_hash_table_new (NULL, NULL);
  g_autoptr(GArray) all = g_array_new (FALSE, TRUE, sizeof (GilkCallee));
  Search search = { functions, image, decoder, depth, all, known };

  g_array_set_clear_func (all, clear_reached);
  add_function (&search, first, 0);
  for (guint i = 0; i < all->len; i++)
    {
      GilkCallee *reached = &g_array_index (all, GilkCallee, i);

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      if (i % PROGRESS_INTERVAL == 0)
        gilk_progress (progress, _("Following calls"), -1);
      reached->refusal = reached->function->refusal;
      if (reached->refusal != 0)
        continue;
      reached->cfg = gilk_cfg_new (functions, reached->function, decoder, error);
      if (reached->cfg == NULL)
        return NULL;
      reached->refusal = check_function (&search, reached);
      if (reached->refusal == 0 && reached->depth < depth)
        follow_calls (&search, reached->cfg, reached->depth + 1);
    }

  return g_steal_pointer (&all);
}

GilkCirculation *
gilk_callees_circulation (GilkCfg *cfg,
                 gboolean fewest)
{
  g_autofree GilkCirculationPoint *points = g_new0 (GilkCirculationPoint, cfg->n_blocks + 1);
  g_autofree gboolean *reached = gilk_cfg_reached (cfg);

  for (guint i = 0; i < cfg->n_blocks; i++)
    points[i] = (GilkCirculationPoint) { reached[i], GILK_WHERE_PRE, 1 };

  return gilk_circulation_new (cfg, points,
                               fewest ? GILK_CIRCULATION_FEWEST : GILK_CIRCULATION_ALL);
}
