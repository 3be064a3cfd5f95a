/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keys.c - writes the guide's page of keyboard shortcuts, from the table that the GUI itself uses
 *
 *   keys >keys.page
 */
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "gui/base/gilk-actions-table.h"

/* GTK's names of keys, and the labels that are printed on the keys. */
static const struct {
  const char *name, *key;
} names[] = {
  { "Control", "Ctrl" }, { "plus", "+" }, { "equal", "=" }, { "minus", "-" }, { "question", "?" }, { "comma", "," }, { "space", "Space" },
  { "bracketleft", "[" }, { "bracketright", "]" }, { "Return", "Enter" }, { "KP_Add", "+ (number pad)" }, { "KP_Subtract", "- (number pad)" },
};

static void
print_key (const char *name)
{
  g_autofree char *key = g_strdup (name);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (names[i].name, name) == 0)
      {
        g_free (key);
        key = g_strdup (names[i].key);
      }
  if (strlen (key) == 1)
    key[0] = g_ascii_toupper (key[0]);
  printf ("<key>%s</key>", key);
}

/* Prints a keyboard shortcut that is in GTK's notation, such as "<Control><Shift>p". */
static void
print_accel (const char *accel)
{
  g_auto(GStrv) parts = g_strsplit_set (accel, "<>", -1);

  printf ("<keyseq>");
  for (guint i = 0; parts[i] != NULL; i++)
    if (parts[i][0] != '\0')
      print_key (parts[i]);
  printf ("</keyseq>");
}

static void
print_row (const Action *action)
{
  g_autofree char *title = g_markup_escape_text (action->title, -1);

  printf ("      <tr><td><p>");
  for (guint i = 0; i < G_N_ELEMENTS (action->accels) && action->accels[i] != NULL; i++)
    {
      printf (i > 0 ? ", " : "");
      print_accel (action->accels[i]);
    }
  printf ("</p></td><td><p>%s</p></td></tr>\n", title);
}

int
main (void)
{
  printf ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<!-- SPDX-License-Identifier: GPL-2.0-or-later; made by data/help/keys.c -->\n"
          "<page xmlns=\"http://projectmallard.org/1.0/\" type=\"topic\" id=\"keys\">\n"
          "  <info>\n"
          "    <link type=\"guide\" xref=\"index#begin\"/>\n"
          "    <link type=\"seealso\" xref=\"workbench\"/>\n"
          "    <desc>Every key of the workbench, and what it does.</desc>\n"
          "  </info>\n"
          "  <title>All keys of the workbench</title>\n"
          "  <p>The same list is under <keyseq><key>Ctrl</key><key>?</key></keyseq>. Keys of the graph, the schedule, plots and "
          "programs work while that has the keyboard: <key>F6</key> goes from pane to pane. Any action can be found by its name, "
          "too: <keyseq><key>Ctrl</key><key>Shift</key><key>P</key></keyseq>.</p>\n");
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    {
      if (i == 0 || strcmp (actions[i].group, actions[i - 1].group) != 0)
        printf ("%s  <section id=\"group%u\">\n    <title>%s</title>\n    <table rules=\"rows\">\n",
                i > 0 ? "    </table>\n  </section>\n" : "", i, actions[i].group);
      if (actions[i].accels[0] != NULL)
        print_row (&actions[i]);
    }
  printf ("    </table>\n  </section>\n</page>\n");

  return 0;
}
