/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-sweep.c - passes the numbers of hooks to a sweep
 */
#include "core/analysis/gilk-hook-numbers.h"

#include <glib/gi18n.h>

#include "core/analysis/gilk-hook-samples.h"
#include "core/base/gilk-error.h"

#define HINTS 8192

typedef struct {
  GilkSweep *sweep;
  guint      side;
} Share;

static void
add_numbers (const double *values, gsize n, gpointer data)
{
  const Share *share = data;

  gilk_sweep_add (share->sweep, share->side, values, n);
}

static gboolean
add_side (GilkHookNumbers *numbers, guint side, GilkSweep *sweep, GError **error)
{
  guint n = gilk_hook_numbers_shares (numbers);
  g_autofree Share *shares = g_new (Share, n);
  g_autofree gpointer *pointers = g_new (gpointer, n);
  gboolean good;

  for (guint i = 0; i < n; i++)
    {
      shares[i] = (Share) { gilk_sweep_fork (sweep), side };
      pointers[i] = &shares[i];
    }
  good = gilk_hook_numbers_pass (numbers, add_numbers, pointers, error);
  for (guint i = 0; i < n; i++)
    gilk_sweep_join (sweep, shares[i].sweep);

  return good;
}

/* Adds the numbers of all sides to @sweep. @data: an array of GILK_SWEEP_SIDES pointers to
 * GilkHookNumbers, NULL for a missing side */
static gboolean
add_sides (GilkSweep *sweep, gpointer data, GError **error)
{
  GilkHookNumbers *const *numbers = data;

  for (guint side = 0; side < GILK_SWEEP_SIDES; side++)
    if (numbers[side] != NULL && !add_side (numbers[side], side, sweep, error))
      return FALSE;

  return TRUE;
}

gboolean
gilk_hook_sweep_passes (GilkSweep  *sweep,
                        gboolean  (*pass) (GilkSweep *sweep, gpointer data, GError **error),
                        gpointer    data,
                        GError    **error)
{
  do
    if (!pass (sweep, data, error))
      return FALSE;
  while (gilk_sweep_again (sweep));
  if (!gilk_sweep_is_inconsistent (sweep))
    return TRUE;
  g_set_error_literal (error, GILK_ERROR, GILK_ERROR_FAILED,
                       _("Samples were recorded during the query. Repeat it after the run has ended."));

  return FALSE;
}

/* Returns the inverse of the field's resolution. Times and durations are in seconds, with a
 * resolution of 1 ns. */
static double
get_inverse_unit (const char *field)
{
  return gilk_field_kind (field) != GILK_FIELD_OWN ? 1e9 : 1.0;
}

gboolean
gilk_hook_sweep (const GilkHookSide    *sides,
                 guint                  n,
                 const GilkSweepViewer *viewer,
                 gpointer               data,
                 uint64_t              *cut,
                 GError               **error)
{
  GilkHookNumbers *numbers[GILK_SWEEP_SIDES] = { NULL };
  g_autofree double *hint = g_new (double, n * HINTS);
  g_autoptr(GilkSweep) sweep = NULL;
  gboolean good = TRUE;
  gsize hints = 0;

  g_assert (n >= 1 && n <= GILK_SWEEP_SIDES);
  for (guint side = 0; good && side < n; side++)
    {
      numbers[side] = gilk_hook_numbers_new (sides[side].store, sides[side].hook, &sides[side].ask, 1.0, error);
      good = numbers[side] != NULL;
      if (good)
        hints += gilk_hook_numbers_peek (numbers[side], hint + hints, HINTS);
    }
  if (good)
    {
      sweep = gilk_sweep_new (get_inverse_unit (sides[0].ask.field), 0, hint, hints, viewer, data);
      good = gilk_hook_sweep_passes (sweep, add_sides, numbers, error);
    }
  for (guint side = 0; side < n; side++)
    {
      if (good && cut != NULL)
        cut[side] = gilk_hook_numbers_cut (numbers[side]);
      gilk_hook_numbers_free (numbers[side]);
    }

  return good;
}
