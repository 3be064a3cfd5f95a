/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-rows.c - manages the session of a run, and the rows of its hooks
 */
#include "core/run/gilk-run-rows.h"
#include "core/store/gilk-store-write.h"

/* ---- session ---- */

void
gilk_run_session_lock (GilkRunSession *session)
{
  gilk_run_session_assert_own (session);
  g_mutex_lock (&session->lock);
}

void
gilk_run_session_unlock (GilkRunSession *session)
{
  gilk_run_session_assert_own (session);
  g_mutex_unlock (&session->lock);
}

gboolean
gilk_run_session_sync (GilkRunSession *session, GError **error)
{
  gboolean good;

  gilk_run_session_lock (session);
  good = gilk_store_sync (session->store, error);
  gilk_run_session_unlock (session);

  return good;
}

/* ---- rows ---- */

static void
set_row (GilkRunRows *rows, guint row, const GilkArmed *armed, guint i)
{
  rows->iids[row] = armed->iids[i];
  rows->patch_of[row] = armed->patch_of[i];
  gilk_armed_program_copy (&rows->programs[row], &armed->programs[i]);
}

void
gilk_run_rows_init (GilkRunRows     *rows,
                    GilkBoundPlan   *bound,
                    const GilkArmed *armed)
{
  *rows = (GilkRunRows) {
    .bound = bound, .n = armed->n_hooks, .n_cpus = armed->info.nr_cpus,
    .iids = g_new (uint32_t, armed->n_hooks), .patch_of = g_new (uint32_t, armed->n_hooks),
    .programs = g_new0 (GilkArmedProgram, armed->n_hooks),
  };
  for (guint i = 0; i < rows->n; i++)
    set_row (rows, i, armed, i);
}

void
gilk_run_rows_clear (GilkRunRows *rows)
{
  for (guint i = 0; i < rows->n; i++)
    gilk_armed_program_clear (&rows->programs[i]);
  g_free (rows->iids);
  g_free (rows->patch_of);
  g_free (rows->programs);
  *rows = (GilkRunRows) { 0 };
}

static guint
add_instrument (GilkRunRows *rows, const struct ilk_instrument_desc *desc)
{
  GArray *known = rows->bound->instruments;

  for (guint i = 0; i < known->len; i++)
    if (g_array_index (known, struct ilk_instrument_desc, i).id == desc->id)
      return i;
  g_array_append_val (known, *desc);

  return known->len - 1;
}

static void
add_row (GilkRunRows *rows, const GilkBoundPlan *next, guint i)
{
  GilkBoundHook row = *gilk_bound_hook (next, i);

  row.cfg = row.cfg != NULL ? gilk_cfg_ref (row.cfg) : NULL;
  row.program = row.program != NULL ? gilk_program_ref (row.program) : NULL;
  row.error = NULL;
  if (row.instrument != G_MAXUINT)
    row.instrument = add_instrument (rows, &g_array_index (next->instruments, struct ilk_instrument_desc,
                                                           row.instrument));
  g_array_append_val (rows->bound->hooks, row);
}

void
gilk_run_rows_add (GilkRunRows     *rows,
                   const GilkArmed *armed,
                   const guint     *live_rows,
                   guint           *row_of)
{
  guint before = rows->n;

  g_assert (before == rows->bound->hooks->len);
  for (guint i = 0; i < armed->n_hooks; i++)
    {
      guint live = gilk_bound_hook (armed->bound, i)->live_index;

      row_of[i] = live == G_MAXUINT ? rows->bound->hooks->len : live_rows != NULL ? live_rows[live] : live;
      if (live == G_MAXUINT)
        add_row (rows, armed->bound, i);
    }

  rows->n = rows->bound->hooks->len;
  rows->iids = g_renew (uint32_t, rows->iids, rows->n);
  rows->patch_of = g_renew (uint32_t, rows->patch_of, rows->n);
  rows->programs = g_renew (GilkArmedProgram, rows->programs, rows->n);
  for (guint i = 0; i < armed->n_hooks; i++)
    if (row_of[i] >= before)
      set_row (rows, row_of[i], armed, i);
}

void
gilk_run_rows_set_stored (GilkRunRows     *rows,
                          const GilkArmed *armed,
                          const guint     *row_of)
{
  for (guint i = 0; i < armed->n_hooks; i++)
    rows->programs[row_of != NULL ? row_of[i] : i].row = armed->programs[i].row;
}
