/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * refusals.c - writes the guide's page of all refusals (reasons why a hook cannot be placed), from
 * the table of their messages
 *
 *   refusals >refusals.page
 */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "core/base/gilk-refusal.h"

#define LAST 255

static const struct {
  guint       from, to;
  const char *title;
} groups[] = {
  { 1, GILK_REFUSAL_UNDECODABLE - 1, "Said by the driver" },
  { GILK_REFUSAL_UNDECODABLE, GILK_REFUSAL_FENTRY - 1, "Of whole functions" },
  { GILK_REFUSAL_FENTRY, GILK_REFUSAL_CLONE_NEVER_RETURNS - 1, "Of points" },
  { GILK_REFUSAL_CLONE_NEVER_RETURNS, GILK_REFUSAL_LIVE_BYTES - 1, "Of clones" },
  { GILK_REFUSAL_LIVE_BYTES, GILK_REFUSAL_RUNS_ON - 1, "Of changes of a run, and of spans" },
  { GILK_REFUSAL_RUNS_ON, LAST, "Of programs" },
};

static void
print_group (guint group)
{
  printf ("  <section id=\"group%u\">\n    <title>%s</title>\n    <terms>\n", group, groups[group].title);
  for (guint i = groups[group].from; i <= groups[group].to; i++)
    {
      const char *name = gilk_refusal_name (i);
      g_autofree char *cause = g_markup_escape_text (gilk_refusal_cause (i), -1);
      g_autofree char *remedy = g_markup_escape_text (gilk_refusal_remedy (i), -1);

      if (strcmp (name, "unknown") != 0)
        printf ("      <item>\n        <title><code>%s</code></title>\n        <p>%s %s</p>\n      </item>\n",
                name, cause, remedy);
    }
  printf ("    </terms>\n  </section>\n");
}

int
main (void)
{
  setlocale (LC_ALL, "C");
  printf ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<!-- SPDX-License-Identifier: GPL-2.0-or-later; made by data/help/refusals.c -->\n"
          "<page xmlns=\"http://projectmallard.org/1.0/\" type=\"topic\" id=\"refusals\">\n"
          "  <info>\n"
          "    <link type=\"guide\" xref=\"index#understand\" group=\"fifth\"/>\n"
          "    <link type=\"seealso\" xref=\"promises\"/>\n"
          "    <desc>Every name under which a point, a function or a plan is refused, with cause and remedy.</desc>\n"
          "  </info>\n"
          "  <title>Refusals</title>\n"
          "  <p>Nothing is refused without a name. The name is the same in the workbench, in what <cmd>gilk</cmd> "
          "prints, and as <code>refusal</code> in its JSON; names never change. This list is made from the table "
          "that the programs use.</p>\n");
  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    print_group (i);
  printf ("</page>\n");

  return 0;
}
