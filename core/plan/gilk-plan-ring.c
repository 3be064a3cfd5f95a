/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-ring.c - ring settings of a plan
 */
#include "core/plan/gilk-plan-private.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/emit/gilk-inline.h"

#define RING_MAX ((uint64_t) 64 << 20)  /* limit for any driver; a target may have less memory */

static const char *const modes[] = { "drop", "stop", "overwrite", "fifo" };

G_STATIC_ASSERT (ILK_RING_DROP == 0 && ILK_RING_STOP == 1 && ILK_RING_OVERWRITE == 2 &&
                 GILK_RING_FIFO == 3);

gboolean
gilk_parse_ring_bytes (const char *text,
                       uint64_t   *bytes,
                       GError    **error)
{
  guint64 value = 0;
  char *end = NULL;

  errno = 0;
  if (g_ascii_isdigit (*text))
    value = g_ascii_strtoull (text, &end, 10);
  if (end != NULL && errno != ERANGE && value <= RING_MAX)
    {
      if (strcmp (end, "K") == 0 || strcmp (end, "KiB") == 0)
        value <<= 10;
      else if (strcmp (end, "M") == 0 || strcmp (end, "MiB") == 0)
        value <<= 20;
      else if (*end != '\0')
        value = 0;
    }
  if (end == NULL || errno == ERANGE || value < ILK_RING_BYTES_MIN || value > RING_MAX ||
      (value & (value - 1)) != 0)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
                   _("\"%s\" is not a ring size. Write a power of two from %uK to %uM, such as 8M."),
                   text, ILK_RING_BYTES_MIN >> 10, (guint) (RING_MAX >> 20));
      return FALSE;
    }
  *bytes = value;

  return TRUE;
}

char *
gilk_format_ring_bytes (uint64_t bytes)
{
  if (bytes >= 1 << 20 && bytes % (1 << 20) == 0)
    return g_strdup_printf ("%" G_GUINT64_FORMAT "M", (guint64) (bytes >> 20));

  return g_strdup_printf ("%" G_GUINT64_FORMAT "K", (guint64) (bytes >> 10));
}

gboolean
gilk_parse_ring_mode (const char *text,
                      guint      *mode,
                      GError    **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    if (strcmp (text, modes[i]) == 0)
      {
        *mode = i;
        return TRUE;
      }
  g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
               _("\"%s\" is not a ring mode. Write drop, stop, overwrite or fifo."), text);

  return FALSE;
}

const char *
gilk_ring_mode_name (guint mode)
{
  return mode < G_N_ELEMENTS (modes) ? modes[mode] : "unknown";
}

gboolean
gilk_plan_check_ring (const GilkPlan *plan,
                      GError        **error)
{
  if (plan->ring.window_ns != 0 && plan->ring.mode != ILK_RING_OVERWRITE)
    {
      g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                   _("Only an overwriting ring has a window. Add ring-mode=overwrite, or remove ring-window=."));
      return FALSE;
    }
  for (guint i = 0; i < plan->hooks->len; i++)
    {
      const GilkPlanHook *hook = g_ptr_array_index (plan->hooks, i);

      if (!hook->triggers)
        continue;
      if (plan->ring.mode != ILK_RING_OVERWRITE)
        g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                     _("Hook %s has a trigger, but the ring does not overwrite old samples. Add ring-mode=overwrite, "
                       "or remove trigger=."), hook->label);
      else if (!gilk_inline_is (hook->instrument, GILK_INLINE_COUNT))
        g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                     _("Hook %s has a trigger, but not the instrument count. Only count reports "
                       "a hit immediately. Add a hook with instrument=count at the same point, "
                       "and move trigger= to that hook."),
                     hook->label);
      else
        continue;
      return FALSE;
    }

  return TRUE;
}
