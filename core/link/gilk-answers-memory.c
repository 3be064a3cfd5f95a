/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-answers-memory.c - validation of the agent's answers about memory for hooks
 *
 * Addresses in these answers are emitted into code without further checks.
 */
#include "core/link/gilk-answers.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#define KERNEL_FROM    0xff00000000000000ull     /* also with five-level page tables */

static gboolean
is_possible (const struct ilk_area *area)
{
  uint64_t end;

  if (area->at == 0 || area->at % sizeof (uint64_t) != 0)
    return FALSE;

  /* The address of a per-CPU area is an offset and may have any value. */
  return (area->flags & ILK_AREA_PER_CPU) != 0 ||
         (area->at >= KERNEL_FROM && !__builtin_add_overflow (area->at, area->bytes, &end));
}

gboolean
gilk_answer_memory (const GByteArray *answer,
                    struct ilk_area  *areas,
                    guint             count,
                    GError          **error)
{
  g_autoptr (GHashTable) ids = g_hash_table_new (NULL, NULL);
  g_autofree struct ilk_area *given = g_new (struct ilk_area, count);

  if (!gilk_answer_struct (answer, given, count * sizeof *given, error))
    return FALSE;
  for (guint i = 0; i < count; i++)
    {
      if (given[i].bytes != areas[i].bytes || given[i].flags != areas[i].flags)
        return gilk_answer_invalid (error, _("area %u of a size or kind other than requested"), i + 1);
      if (given[i].id == 0 || !g_hash_table_add (ids, GUINT_TO_POINTER (given[i].id)))
        return gilk_answer_invalid (error, _("duplicate area id %u"), given[i].id);
      if (!is_possible (&given[i]))
        return gilk_answer_invalid (error, _("an area of %u bytes at 0x%" PRIx64), given[i].bytes,
                                    (guint64) given[i].at);
    }
  for (guint i = 0; i < count; i++)
    areas[i] = given[i];

  return TRUE;
}

gboolean
gilk_answer_pin (const GByteArray *answer,
                 struct ilk_pin   *pin,
                 GError          **error)
{
  struct ilk_pin answered;

  if (!gilk_answer_struct (answer, &answered, sizeof answered, error))
    return FALSE;
  if (answered.address != pin->address || memcmp (answered.module, pin->module, sizeof answered.module) != 0)
    return gilk_answer_invalid (error, _("a module other than the one requested"));
  pin->refusal = answered.refusal;

  return TRUE;
}
