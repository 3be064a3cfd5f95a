/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * coverage-plan.c - the plan of gilk coverage: a counter in each block of given functions
 */
#include "cli/record/plan.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli/base/bound.h"
#include "cli/base/output.h"
#include "core/base/gilk-refusal.h"
#include "core/emit/gilk-inline.h"
#include "core/splice/gilk-splice.h"

#define FUNCTIONS_MAX 20000
#define NAMES_SHOWN   8

typedef struct {
  Cli         *cli;
  CliKernel   *kernel;
  GilkPlan    *plan;
  GilkDecoder *decoder;
  GHashTable  *known;               /* set of GilkFunction */
  GString     *refused;             /* names of refused functions */
  guint        n_refused;
} CoveragePlan;

static void
note_refused (CoveragePlan *coverage, const GilkFunction *function, guint refusal)
{
  if (coverage->n_refused++ < NAMES_SHOWN)
    g_string_append_printf (coverage->refused, "%s%s (%s)", coverage->n_refused > 1 ? ", " : "", function->name,
                            gilk_refusal_name (refusal));
}

static gboolean
is_reached (const GilkCfg *cfg, guint block)
{
  return cfg->blocks[block].n_in > 0 || block == cfg->entry;
}

static void
add_block (CoveragePlan *coverage, const GilkCfg *cfg, const char *function, guint block, GilkWhere where)
{
  g_autofree char *label = g_strdup_printf ("block-%u", coverage->plan->hooks->len + 1);
  GilkPlanHook *hook = gilk_plan_hook_new (label, function, where, gilk_inline_name (GILK_INLINE_COUNT));

  hook->block = gilk_cfg_offset_name (cfg, cfg->blocks[block].start);
  gilk_cfg_fingerprint (cfg, block, hook->fingerprint);
  g_ptr_array_add (coverage->plan->hooks, hook);
}

static gboolean
add_function (CoveragePlan *coverage, const GilkFunction *function, GError **error)
{
  g_autoptr(GilkCfg) cfg = NULL;
  g_autofree GilkCirculationPoint *points = NULL;
  g_autofree char *name = NULL;
  guint refusal = function->refusal;

  if (!g_hash_table_add (coverage->known, (gpointer) function))
    return TRUE;
  if (refusal == 0)
    {
      cfg = gilk_cfg_new (coverage->kernel->functions, function, coverage->decoder, error);
      if (cfg == NULL)
        return FALSE;
      refusal = cfg->refusal;
    }
  if (refusal != 0)
    {
      note_refused (coverage, function, refusal);
      return TRUE;
    }
  name = gilk_functions_name (coverage->kernel->functions, function);
  points = gilk_count_points (cfg, coverage->decoder);
  for (guint i = 0; i < cfg->n_blocks; i++)
    if (is_reached (cfg, i))
      add_block (coverage, cfg, name, i, points[i].possible ? points[i].where : GILK_WHERE_PRE);
  return TRUE;
}

static gboolean
add_name (CoveragePlan *coverage, const char *name, GError **error)
{
  const GilkFunction *function;
  g_autoptr(GArray) found = NULL;

  if (strpbrk (name, "*?") == NULL)
    {
      function = gilk_functions_lookup (coverage->kernel->functions, name, error);
      return function != NULL && add_function (coverage, function, error);
    }
  found = gilk_functions_find (coverage->kernel->functions, name, FUNCTIONS_MAX);
  if (found->len == 0)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                   _("No function of the target matches %s. \"gilk find\" lists functions."), name);
      return FALSE;
    }
  for (guint i = 0; i < found->len; i++)
    if (!add_function (coverage, g_array_index (found, GilkMatch, i).function, error))
      return FALSE;
  return TRUE;
}

/* Removes hooks that could not be bound together with the others. Returns whether there were
 * any. */
static gboolean
remove_unbound (GilkPlan *plan, const GilkBoundPlan *bound)
{
  for (guint i = bound->hooks->len; i-- > 0;)
    if (g_array_index (bound->hooks, GilkBoundHook, i).error != NULL)
      g_ptr_array_remove_index (plan->hooks, i);
  return bound->n_failed > 0;
}

static GilkBoundPlan *
bind_blocks (CoveragePlan *coverage, GError **error)
{
  guint wanted = coverage->plan->hooks->len;
  GilkBoundPlan *bound;

  for (;;)
    {
      /* Binding takes over the plan, so each attempt gets a copy. */
      g_autoptr(GilkPlan) plan = gilk_plan_copy (coverage->plan);

      bound = cli_bind (coverage->cli, coverage->kernel, plan, error);
      if (bound == NULL || !remove_unbound (coverage->plan, bound))
        break;
      gilk_bound_plan_free (bound);
    }
  if (bound != NULL && coverage->plan->hooks->len < wanted)
    cli_note (coverage->cli, ngettext ("%u block cannot be counted, and is not in the figures.",
                                       "%u blocks cannot be counted, and are not in the figures.",
                                  wanted - coverage->plan->hooks->len),
              wanted - coverage->plan->hooks->len);
  return bound;
}

static GilkBoundPlan *
bind_functions (CoveragePlan *coverage, char **names, GError **error)
{
  for (; *names != NULL; names++)
    if (!add_name (coverage, *names, error))
      return NULL;
  if (coverage->n_refused > 0)
    cli_note (coverage->cli, ngettext ("%u function cannot be hooked: %s%s.", "%u functions cannot be hooked: %s%s.",
                                       coverage->n_refused),
              coverage->n_refused, coverage->refused->str, coverage->n_refused > NAMES_SHOWN ? ", …" : "");
  if (coverage->plan->hooks->len > ILK_BATCH_MAX)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("These functions have %u blocks, and a run has at most %d hooks. Cover fewer functions at a time."),
                   coverage->plan->hooks->len, ILK_BATCH_MAX);
      return NULL;
    }
  if (coverage->plan->hooks->len == 0)
    {
      g_set_error_literal (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                           _("None of these functions can be hooked. Name others."));
      return NULL;
    }
  return bind_blocks (coverage, error);
}

GilkBoundPlan *
cli_coverage_bind (Cli *cli, CliKernel *kernel, char **names, const char *title, GError **error)
{
  g_autoptr(GilkPlan) plan = gilk_plan_new ();
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  g_autoptr(GHashTable) known = g_hash_table_new (NULL, NULL);
  g_autoptr(GString) refused = g_string_new (NULL);
  CoveragePlan coverage = { cli, kernel, plan, decoder, known, refused, 0 };

  plan->title = g_strdup (title);
  gilk_plan_set_origin (plan, gilk_target_release (kernel->target), gilk_target_build_id (kernel->target));
  return bind_functions (&coverage, names, error);
}
