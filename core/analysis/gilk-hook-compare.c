/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-compare.c - two hooks against each other
 */
#include "core/analysis/gilk-hook-compare.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/analysis/gilk-loss-rule.h"

#define LEVEL      0.95
#define REPLICATES 2000
#define SEED       2002

typedef struct {
  const double     *at;
  guint             n_at;
  GilkHookCompared *compared;
} Look;

void
gilk_hook_compared_clear (GilkHookCompared *compared)
{
  g_clear_pointer (&compared->comparison, gilk_comparison_free);
}

static void
begin (const GilkSweepSide *sides, gpointer data)
{
  Look *look = data;
  GilkHookCompared *compared = look->compared;

  for (guint i = 0; i < 2; i++)
    {
      compared->n[i] = sides[i].n;
      compared->mean[i] = sides[i].mean;
    }
  if (sides[0].n > 0 && sides[1].n > 0)
    compared->comparison = gilk_comparison_new (compared->n, look->at, look->n_at, LEVEL, REPLICATES, SEED);
}

/* All of it is, for the size of the effect; nothing, if a side is empty. */
static gboolean
wants (double low, double high, const uint64_t *below, const uint64_t *n, gpointer data)
{
  const Look *look = data;

  (void) low;
  (void) high;
  (void) below;
  (void) n;
  return look->compared->comparison != NULL;
}

static void
step (double value, const uint64_t *n, gpointer data)
{
  Look *look = data;

  if (look->compared->comparison != NULL)
    gilk_comparison_step (look->compared->comparison, value, n);
}

static void
skip (double low, double high, const uint64_t *n, gpointer data)
{
  (void) low;
  (void) high;
  (void) n;
  (void) data;
}

gboolean
gilk_hook_compare (const GilkHookSide  sides[2],
                   const double       *at,
                   guint               n_at,
                   GilkHookCompared   *compared,
                   GError            **error)
{
  static const GilkSweepViewer viewer = { begin, wants, step, skip };
  g_auto(GilkHookCompared) own = { .mean = { NAN, NAN } };
  Look look = { at, n_at, &own };

  if (!gilk_hook_sweep (sides, 2, &viewer, &look, own.cut, error))
    return FALSE;
  for (guint i = 0; i < 2; i++)
    {
      own.lost[i] = sides[i].hook->lost;
      own.loss += gilk_loss_share (own.n[i], own.lost[i]);
    }
  if (own.comparison != NULL)
    own.found = gilk_comparison_end (own.comparison);
  if (own.loss >= own.found.ks.d && own.loss > 0.0)
    own.found.ks.p = NAN;
  *compared = own;
  own.comparison = NULL;

  return TRUE;
}

const char *
gilk_delta_word (double delta)
{
  delta = fabs (delta);

  return delta < 0.147 ? N_("negligible") : delta < 0.33 ? N_("small") : delta < 0.474 ? N_("medium") : N_("large");
}
