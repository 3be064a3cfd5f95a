/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-fleet-status.c - status of a fleet and its members
 */
#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/fleet/gilk-fleet-private.h"

GilkFleetState
gilk_fleet_state (GilkFleet *fleet)
{
  return fleet->state;
}

guint
gilk_fleet_n_members (GilkFleet *fleet)
{
  return fleet->members->len;
}

void
gilk_fleet_member (GilkFleet *fleet, guint i, GilkFleetMember *out)
{
  const GilkFleetEntry *member = gilk_fleet_entry_at (fleet, i);
  const gboolean reached = member->state != GILK_MEMBER_PREPARING && member->target != NULL;

  *out = (GilkFleetMember) {
    .state = member->state, .spec = member->spec, .path = member->path, .refusals = member->refusals, .run = member->run,
  };
  if (reached)
    {
      out->hostname = gilk_target_hostname (member->target);
      out->release = gilk_target_release (member->target);
      out->build_id = gilk_target_build_id (member->target);
    }
  if (member->state != GILK_MEMBER_DONE && member->state != GILK_MEMBER_FAILED)
    return;
  out->run_number = member->run_number;
  out->error = member->error;
}

char *
gilk_fleet_progress_text (GilkFleet *fleet, guint i, double *fraction)
{
  GilkFleetEntry *member = gilk_fleet_entry_at (fleet, i);
  char *doing;

  g_mutex_lock (&fleet->lock);
  doing = g_strdup (member->progress_text);
  *fraction = member->fraction;
  g_mutex_unlock (&fleet->lock);

  return doing;
}

gboolean
gilk_fleet_is_complete (GilkFleet *fleet)
{
  return gilk_fleet_check_complete (fleet, NULL);
}

static gboolean
is_listed (const GPtrArray *items, const GilkConsentItem *item)
{
  for (guint i = 0; i < items->len; i++)
    {
      const GilkConsentItem *other = g_ptr_array_index (items, i);

      if (other->needs == item->needs && g_str_equal (other->label, item->label) && g_str_equal (other->statement, item->statement))
        return TRUE;
    }

  return FALSE;
}

GPtrArray *
gilk_fleet_consent_items (GilkFleet *fleet)
{
  GPtrArray *all = NULL;

  for (guint i = 0; i < fleet->members->len; i++)
    {
      const GilkFleetEntry *member = gilk_fleet_entry_at (fleet, i);
      g_autoptr(GPtrArray) items = member->bound != NULL ? gilk_consent_items (member->bound) : NULL;

      if (all == NULL)
        all = g_steal_pointer (&items);
      while (items != NULL && items->len > 0)
        {
          if (is_listed (all, g_ptr_array_index (items, 0)))
            g_ptr_array_remove_index (items, 0);
          else
            g_ptr_array_add (all, g_ptr_array_steal_index (items, 0));
        }
    }

  return all != NULL ? all : g_ptr_array_new ();
}

gboolean
gilk_fleet_check_consent (GilkFleet *fleet, GilkConsent granted, GError **error)
{
  for (guint i = 0; i < fleet->members->len; i++)
    {
      const GilkFleetEntry *member = gilk_fleet_entry_at (fleet, i);

      if (member->bound != NULL && !gilk_consent_check (member->bound, granted, error))
        return FALSE;
    }

  return TRUE;
}

/* Sets @error to that of the first failed member, with the number of members that failed. */
static void
set_first_error (GError **error, const GilkFleetEntry *first, GError *why, guint n, guint of)
{
  if (n == 1)
    g_set_error (error, why->domain, why->code, _("%s: %s"), first->spec, why->message);
  else
    g_set_error (error, why->domain, why->code, _("%u of %u targets failed. The first, %s: %s"), n, of, first->spec,
                 why->message);
}

gboolean
gilk_fleet_check_complete (GilkFleet *fleet, GError **error)
{
  const GilkFleetEntry *refuses = NULL;
  guint n = 0;

  if (!gilk_fleet_check_results (fleet, error))
    return FALSE;
  for (guint i = 0; i < fleet->members->len; i++)
    {
      n += gilk_fleet_entry_at (fleet, i)->refusals->len;
      if (refuses == NULL && gilk_fleet_entry_at (fleet, i)->refusals->len > 0)
        refuses = gilk_fleet_entry_at (fleet, i);
    }
  if (refuses != NULL)
    {
      const GilkFleetRefusal *first = refuses->refusals->pdata[0];

      g_set_error (error, GILK_ERROR, GILK_ERROR_REFUSED,
                   ngettext ("%u hook cannot be placed on every target. On %s, %s: %s",
                             "%u hooks cannot be placed on every target. The first, on %s, %s: %s", n),
                   n, refuses->spec, first->label, first->text);
    }

  return refuses == NULL;
}

gboolean
gilk_fleet_check_results (GilkFleet *fleet, GError **error)
{
  const GilkFleetEntry *first = NULL;
  guint n = 0;

  for (guint i = 0; i < fleet->members->len; i++)
    {
      const GilkFleetEntry *member = gilk_fleet_entry_at (fleet, i);

      if (member->state == GILK_MEMBER_PREPARING || member->state == GILK_MEMBER_RUNNING || member->error == NULL)
        continue;
      n++;
      if (first == NULL)
        first = member;
    }
  if (first != NULL)
    set_first_error (error, first, first->error, n, fleet->members->len);

  return first == NULL;
}

gboolean
gilk_fleet_start_delay (GilkFleet *fleet, guint i, double *after_s, double *error_s)
{
  const GilkFleetEntry *member = gilk_fleet_entry_at (fleet, i);
  gint64 first = G_MAXINT64, first_error = 0;
  GilkRunZero zero;

  if (member->run == NULL || !gilk_run_zero (member->run, &zero))
    return FALSE;
  for (guint k = 0; k < fleet->members->len; k++)
    {
      GilkRunZero other;

      if (gilk_fleet_entry_at (fleet, k)->run != NULL && gilk_run_zero (gilk_fleet_entry_at (fleet, k)->run, &other) && other.us < first)
        {
          first = other.us;
          first_error = k != i ? other.error_us : 0;
        }
    }
  *after_s = (double) (zero.us - first) / 1e6;
  *error_s = zero.us > first ? (double) (zero.error_us + first_error) / 1e6 : 0.0;

  return TRUE;
}

char *
gilk_fleet_path (const char *path, const char *spec)
{
  g_autofree char *folder = g_path_get_dirname (path), *base = g_path_get_basename (path), *name = NULL;
  g_autofree char *safe = g_strcanon (g_strdup (spec), G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._+", '-');
  const gboolean is_session = g_str_has_suffix (base, ".gilk") && strlen (base) > strlen (".gilk");

  if (is_session)
    base[strlen (base) - strlen (".gilk")] = '\0';
  name = g_strdup_printf ("%s-%s%s", base, safe, is_session ? ".gilk" : "");

  return strchr (path, '/') != NULL ? g_build_filename (folder, name, NULL) : g_steal_pointer (&name);
}
