/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-breadcrumb.c - position in a function: function › loop › block, each a link to its block
 */
#include "gui/window/gilk-function-view.h"

#include <glib/gi18n.h>

#include "core/base/gilk-strings.h"
#include "core/cfg/gilk-cfg.h"

#define LINK "block:"

static void
append_link (GString    *markup,
             GPtrArray  *names,
             const char *text,
             guint       block)
{
  g_autofree char *link = g_markup_printf_escaped ("<a href=\"" LINK "%u\">%s</a>", block, text);

  g_string_append_printf (markup, "%s%s", markup->len > 0 ? " › " : "", link);
  g_ptr_array_add (names, g_strdup (text));
}

/* Shows @markup, and gives its links the accessible names @names. GTK gives links no names, so a
 * screen reader would call each of them just "link". */
static void
show_links (GtkLabel   *label,
            const char *markup,
            GPtrArray  *names)
{
  AtkObject *accessible = gtk_widget_get_accessible (GTK_WIDGET (label));

  gtk_label_set_track_visited_links (label, FALSE);
  gtk_label_set_markup (label, markup);
  for (guint i = 0; i < names->len; i++)
    {
      g_autoptr(AtkObject) link = atk_object_ref_accessible_child (accessible, (int) i);

      if (link != NULL)
        atk_object_set_name (link, g_ptr_array_index (names, i));
    }
}

void
gilk_breadcrumb_show (GtkLabel            *label,
                      const GilkGraphData *data,
                      guint                block)
{
  g_autoptr(GArray) heads = gilk_cfg_loops_around (data->cfg, block);
  g_autoptr(GString) markup = g_string_new (NULL);
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *title = g_markup_escape_text (data->graph->titles[block], -1);

  append_link (markup, names, data->name, data->cfg->entry);
  for (guint i = 0; i < heads->len; i++)
    {
      guint head = g_array_index (heads, guint, i);
      g_autofree char *text = g_strdup_printf (_("loop %s"), data->graph->titles[head]);

      append_link (markup, names, text, head);
    }
  g_string_append_printf (markup, " › %s", title);
  show_links (label, markup->str, names);
}

void
gilk_breadcrumb_show_calls (GtkLabel            *label,
                            const GilkGraphData *data)
{
  g_autoptr(GString) markup = g_string_new (NULL);
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  append_link (markup, names, data->name, data->cfg->entry);
  g_string_append_printf (markup, " › %s", _("call graph"));
  show_links (label, markup->str, names);
}

int
gilk_breadcrumb_block (const char *uri)
{
  uint64_t block;

  if (!g_str_has_prefix (uri, LINK) || !gilk_parse_unsigned (uri + strlen (LINK), 10, 0, G_MAXINT, &block))
    return -1;

  return (int) block;
}
