/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-hook-field.c - the values of a figure: a field of the samples, or a value derived from them
 */
#include "core/analysis/gilk-hook-samples.h"

#include <glib/gi18n.h>

GilkFieldKind
gilk_field_kind (const char *field)
{
  static const char *const names[] = {
    [GILK_FIELD_TIME] = GILK_TIME, [GILK_FIELD_INTERVAL] = GILK_INTERVAL, [GILK_FIELD_ELAPSED] = GILK_ELAPSED,
  };

  for (GilkFieldKind kind = GILK_FIELD_OWN + 1; kind < G_N_ELEMENTS (names); kind++)
    if (g_strcmp0 (field, names[kind]) == 0)
      return kind;

  return GILK_FIELD_OWN;
}

const char *
gilk_field_name (const char *field)
{
  switch (gilk_field_kind (field))
    {
    case GILK_FIELD_INTERVAL:
      return _("time between hits");
    case GILK_FIELD_ELAPSED:
      return _("duration of calls");
    case GILK_FIELD_OWN:
    case GILK_FIELD_TIME:
    default:
      return field;
    }
}

gboolean
gilk_field_is_duration (const char *field)
{
  return gilk_field_kind (field) == GILK_FIELD_INTERVAL || gilk_field_kind (field) == GILK_FIELD_ELAPSED;
}
