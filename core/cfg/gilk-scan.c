/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-scan.c - builds the graphs of a whole kernel, one after the other
 *
 * Only one graph is in memory at a time: a callback that needs a graph for longer must take a
 * reference to it.
 */
#include "core/cfg/gilk-scan.h"

#include <gio/gio.h>
#include <glib/gi18n.h>

#include "core/base/gilk-error.h"

#define REPORT_EVERY 1024   /* number of functions between progress reports */
#define SHORT_BLOCK  5      /* size of a jump in bytes; a smaller block counts as short */

static void
add_totals (GilkScan *totals, const GilkCfg *cfg)
{
  totals->functions++;
  totals->refused += cfg->refusal != 0;
  totals->by_refusal[MIN (cfg->refusal, G_N_ELEMENTS (totals->by_refusal) - 1)]++;
  totals->blocks += cfg->n_blocks;
  totals->edges += cfg->n_edges;
  totals->insns += cfg->n_insns;

  for (guint i = 0; i < cfg->n_blocks; i++)
    {
      uint64_t length = cfg->blocks[i].end - cfg->blocks[i].start;

      totals->bytes += length;
      totals->short_blocks += length < SHORT_BLOCK;
    }
}

gboolean
gilk_scan (GilkFunctions      *functions,
           GilkScanFunc        func,
           gpointer            user_data,
           GilkScan           *totals,
           const GilkProgress *progress,
           GCancellable       *cancellable,
           GError            **error)
{
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  GilkScan sum = { 0 };
  guint count;
  const GilkFunction *all = gilk_functions_all (functions, &count);

  for (guint i = 0; i < count; i++)
    {
      g_autoptr(GilkCfg) cfg = NULL;
      g_autoptr(GError) unreadable = NULL;

      if (i % REPORT_EVERY == 0)
        {
          if (g_cancellable_set_error_if_cancelled (cancellable, error))
            return FALSE;
          gilk_progress (progress, _("Building graphs"), (double) i / count);
        }

      cfg = gilk_cfg_new (functions, &all[i], decoder, &unreadable);
      if (g_error_matches (unreadable, GILK_ERROR, GILK_ERROR_NOT_FOUND))
        {
          /* Count the function as refused: its module was unloaded, or it is outside the known
           * text. */
          sum.functions++;
          sum.refused++;
          sum.by_refusal[ILK_REFUSAL_NOT_TEXT]++;
          continue;
        }
      if (cfg == NULL)
        {
          g_propagate_error (error, g_steal_pointer (&unreadable));
          return FALSE;
        }
      add_totals (&sum, cfg);
      if (func != NULL)
        func (cfg, user_data);
    }

  gilk_progress (progress, _("Building graphs"), 1.0);
  if (totals != NULL)
    *totals = sum;
  return TRUE;
}
