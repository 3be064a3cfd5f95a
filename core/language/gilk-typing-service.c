/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-typing-service.c - checks uses of event counters, and crash statements
 */
#include "core/language/gilk-typing.h"

#include <glib/gi18n.h>
#include <string.h>

#include "agent/gilk-wire.h"
#include "core/base/gilk-refusal.h"
#include "core/language/gilk-event-names.h"
#include "core/language/gilk-source.h"

enum { CRASH_MOST = 8 * ILK_CRASH_WORDS - 1 };

/* ---- typing of event ( ) ---- */

static gboolean
fail_unknown_event (GilkTyping *typing, const GilkNode *node)
{
  g_autofree char *nearest = NULL;
  g_autoptr(GString) all = g_string_new (NULL);
  GilkSimilar near;
  guint n;
  const GilkEventName *names = gilk_event_names (&n);

  gilk_similar_init (&near, node->name);
  for (guint i = 0; i < n; i++)
    {
      gilk_similar_add (&near, names[i].name);
      g_string_append_printf (all, "%s%s", i > 0 ? ", " : "", names[i].name);
    }
  nearest = gilk_similar_finish (&near);
  if (nearest != NULL)
    return gilk_source_fail (typing->source, node->at, _("Unknown counter %s. Did you mean %s?"), node->name, nearest);

  return gilk_source_fail (typing->source, node->at, _("Unknown counter %s. Use one of %s, or a raw number from the "
                                                       "processor's manual."), node->name, all->str);
}

/* Sets the type of event(), and replaces the event's number with its key. */
gboolean
gilk_typing_event (GilkTyping *typing,
                   GilkNode   *node)
{
  const uint64_t config = node->number;

  if (node->name != NULL)
    node->number = gilk_event_key (node->name);
  else
    node->number = GILK_EVENT_KEY (4, config);      /* PERF_TYPE_RAW */
  if (node->name != NULL && node->number == 0)
    return fail_unknown_event (typing, node);
  if (node->name == NULL && (config == 0 || config != GILK_EVENT_CONFIG (config)))
    return gilk_source_fail (typing->source, node->at,
                             _("The number of a raw counter has 1 to 56 bits."));
  node->type = gilk_ctype_number (FALSE, 8);
  node->needs = GILK_NEEDS_CRITICAL | GILK_NEEDS_GUARD | GILK_NEEDS_CHECK;

  return TRUE;
}

/* ---- typing of crash ( ) ---- */

gboolean
gilk_typing_crash (GilkTyping *typing,
                   GilkNode   *node)
{
  if (!typing->place->crash)
    return gilk_source_fail (typing->source, node->part, "%s %s", gilk_refusal_cause (GILK_REFUSAL_CRASH_OFF),
                             gilk_refusal_remedy (GILK_REFUSAL_CRASH_OFF));
  gilk_typing_add_act (typing, node, GILK_CHANGE_CRASH);
  if (*node->name == '\0' || strlen (node->name) > CRASH_MOST)
    return gilk_source_fail (typing->source, node->at, _("The text of a crash has 1 to %d bytes."), CRASH_MOST);
  node->needs = GILK_NEEDS_CRITICAL | GILK_NEEDS_GUARD;

  return TRUE;
}
