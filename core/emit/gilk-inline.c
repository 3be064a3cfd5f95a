/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-inline.c - the table of inline instruments, which are emitted into a patch
 */
#include "core/emit/gilk-inline.h"

#include <glib/gi18n.h>
#include <string.h>

static const GilkInline inlines[] = {
  { .name = "count", .help = N_("Counts hits exactly"), .kind = GILK_INLINE_COUNT },
  { .name = "stamp", .help = N_("Records the time of each hit"), .kind = GILK_INLINE_STAMP,
    .samples = TRUE },
  { .name = "span", .help = N_("Records the time and call of each hit: pairs entries and exits"),
    .kind = GILK_INLINE_SPAN, .samples = TRUE,
    .field = {
      .name = "frame", .help = N_("stack address of the return address; identifies the call"),
      .type = ILK_FIELD_HEX64, .size = 8,
    } },
};

const GilkInline *
gilk_inlines (guint *count)
{
  *count = G_N_ELEMENTS (inlines);

  return inlines;
}

const GilkInline *
gilk_inline_by_name (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (inlines); i++)
    if (strcmp (inlines[i].name, name) == 0)
      return &inlines[i];

  return NULL;
}

gboolean
gilk_inline_is (const char         *name,
                GilkInstrumentKind  kind)
{
  const GilkInline *known = name != NULL ? gilk_inline_by_name (name) : NULL;

  return known != NULL && known->kind == kind;
}

const char *
gilk_inline_name (GilkInstrumentKind kind)
{
  for (guint i = 0; i < G_N_ELEMENTS (inlines); i++)
    if (inlines[i].kind == kind)
      return inlines[i].name;

  g_assert_not_reached ();
}

gboolean
gilk_instrument_is_of_tests (const char *name)
{
  return g_str_has_prefix (name, "gilk-") || g_str_has_prefix (name, "gilk_");
}
