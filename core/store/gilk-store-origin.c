/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-store-origin.c - where and when a run was recorded, and the losses of each CPU
 */
#include "core/store/gilk-store-origin.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include "core/store/gilk-store-private.h"

gboolean
gilk_store_origin (GilkStore        *store,
                   gint64            run,
                   GilkStoredOrigin *origin,
                   GError          **error)
{
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, error,
    "SELECT hostname, boot_id, zero_tsc, zero_mono_ns, zero_unix_ns, tsc_khz, duration_ns FROM run WHERE id = ?", "i", run);
  GilkStoredOrigin found = { NULL };
  GError *local = NULL;

  if (stmt == NULL)
    return FALSE;
  if (gilk_sql_next (store, stmt, &local))
    {
      if (!gilk_sql_row (store, stmt, error, "SSannnN", &found.hostname, &found.boot_id, &found.zero_tsc,
                         &found.zero_mono_ns, &found.zero_unix_ns, &found.tsc_khz, &found.duration_ns))
        return FALSE;
      if (found.hostname == NULL)
        found.hostname = g_strdup ("");
      if (found.boot_id == NULL)
        found.boot_id = g_strdup ("");
      *origin = found;
      return TRUE;
    }
  if (local != NULL)
    g_propagate_error (error, local);
  else
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND, _("%s has no run %" PRId64 ". Choose another."),
                 store->path, run);

  return FALSE;
}

void
gilk_stored_origin_clear (GilkStoredOrigin *origin)
{
  g_clear_pointer (&origin->hostname, g_free);
  g_clear_pointer (&origin->boot_id, g_free);
}

/* ---- losses ---- */

static int
compare_losses (gconstpointer a, gconstpointer b)
{
  const GilkStoredCpuLoss *x = a, *y = b;

  if (x->cpu != y->cpu)
    return x->cpu < y->cpu ? -1 : 1;
  if (x->from_ns != y->from_ns)
    return x->from_ns < y->from_ns ? -1 : 1;

  return (x->hook > y->hook) - (x->hook < y->hook);
}

/* Adds the losses whose time is known. */
static gboolean
add_noted (GilkStore *store, const GilkStoredHook *hook, guint at, GArray *losses, GError **error)
{
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, error,
    "SELECT cpu, from_ns, to_ns, lost FROM loss WHERE hook = ? AND lost > 0 ORDER BY cpu", "i", hook->id);
  g_autoptr(GError) local = NULL;

  if (stmt == NULL)
    return FALSE;
  while (gilk_sql_next (store, stmt, &local))
    {
      GilkStoredCpuLoss loss = { .hook = at };

      if (!gilk_sql_row (store, stmt, &local, "uiin", &loss.cpu, &loss.from_ns, &loss.to_ns, &loss.lost))
        break;
      g_array_append_val (losses, loss);
    }

  return gilk_sql_check_end (&local, error);
}

/* Adds the losses in the CPUs' counters that exceed the sum of the losses from @first on. */
static gboolean
add_rest (GilkStore *store, const GilkStoredHook *hook, guint at, guint first, GArray *losses, GError **error)
{
  GILK_AUTO_STMT stmt = gilk_sql_prepare (store, error,
    "SELECT cpu, lost FROM counts WHERE hook = ? AND lost > 0 ORDER BY cpu", "i", hook->id);
  g_autoptr(GError) local = NULL;
  guint noted = first, end = losses->len;

  if (stmt == NULL)
    return FALSE;
  while (gilk_sql_next (store, stmt, &local))
    {
      GilkStoredCpuLoss rest = { .hook = at, .to_ns = G_MAXINT64 };
      uint64_t told = 0;

      if (!gilk_sql_row (store, stmt, &local, "un", &rest.cpu, &rest.lost))
        break;
      for (; noted < end && g_array_index (losses, GilkStoredCpuLoss, noted).cpu <= rest.cpu; noted++)
        if (g_array_index (losses, GilkStoredCpuLoss, noted).cpu == rest.cpu)
          told += MIN (g_array_index (losses, GilkStoredCpuLoss, noted).lost, G_MAXUINT64 - told);
      if (rest.lost <= told)
        continue;
      rest.lost -= told;
      g_array_append_val (losses, rest);
    }

  return gilk_sql_check_end (&local, error);
}

GArray *
gilk_store_losses_by_cpu (GilkStore            *store,
                          const GilkStoredHook *hooks,
                          guint                 n_hooks,
                          GError              **error)
{
  g_autoptr(GArray) losses = g_array_new (FALSE, FALSE, sizeof (GilkStoredCpuLoss));

  for (guint i = 0; i < n_hooks; i++)
    {
      guint first = losses->len;

      if (hooks[i].lost == 0)
        continue;
      if (!add_noted (store, &hooks[i], i, losses, error) ||
          !add_rest (store, &hooks[i], i, first, losses, error))
        return NULL;
    }
  g_array_sort (losses, compare_losses);

  return g_steal_pointer (&losses);
}

GArray *
gilk_store_gaps (GilkStore *store,
                 gint64     run,
                 GError   **error)
{
  g_autoptr(GArray) gaps = g_array_new (FALSE, FALSE, sizeof (GilkStoredGap));
  GILK_AUTO_STMT stmt = NULL;
  GError *local = NULL;

  stmt = gilk_sql_prepare (store, error, "SELECT cpu, from_ns, to_ns, lost FROM gap WHERE run = ? ORDER BY id", "i",
                           run);
  if (stmt == NULL)
    return NULL;
  while (gilk_sql_next (store, stmt, &local))
    {
      GilkStoredGap gap;

      if (!gilk_sql_row (store, stmt, &local, "uiin", &gap.cpu, &gap.from_ns, &gap.to_ns, &gap.lost))
        break;
      g_array_append_val (gaps, gap);
    }

  return gilk_sql_check_end (&local, error) ? g_steal_pointer (&gaps) : NULL;
}
