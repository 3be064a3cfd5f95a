/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fit-module.c - loaded into the workbench by GTK_MODULES: tells which texts do not fit
 *
 * AT-SPI gives the whole text of a label, however little of it is to be seen. From inside it can
 * be asked. A line a text, once, to the file $GILK_FIT: how it does not fit, a tab, and the text.
 */
#include <gtk/gtk.h>
#include <gmodule.h>

#define LOOK_MS 250

typedef struct {
  GHashTable *told, *now, *before;      /* lines; those of a look that the look before had too are told */
  FILE       *out;
} Fit;

G_MODULE_EXPORT void gtk_module_init (int *argc, char ***argv);

static void
tell (Fit *fit, const char *how, const char *text)
{
  char *line = g_strdup_printf ("%s\t%s", how, text);

  for (char *c = line; *c != '\0'; c++)
    if (*c == '\n')
      *c = ' ';
  if (g_hash_table_contains (fit->before, line) && g_hash_table_add (fit->told, g_strdup (line)))
    {
      fprintf (fit->out, "%s\n", line);
      fflush (fit->out);
    }
  g_hash_table_add (fit->now, line);
}

static gboolean
is_in_button (GtkWidget *widget)
{
  return gtk_widget_get_ancestor (widget, GTK_TYPE_BUTTON) != NULL;
}

static void
look_at_label (Fit *fit, GtkLabel *label)
{
  PangoLayout *layout = gtk_label_get_layout (label);
  const char *text = gtk_label_get_text (label);
  GtkAllocation place;
  int width, height;

  gtk_widget_get_allocation (GTK_WIDGET (label), &place);
  if (*text == '\0' || place.width <= 1)       /* has no place yet */
    return;
  pango_layout_get_pixel_size (layout, &width, &height);
  if (pango_layout_is_ellipsized (layout))
    tell (fit, "cut", text);
  else if (width > place.width + 1 || height > place.height + 1)
    tell (fit, "larger than its place", text);
  else if (is_in_button (GTK_WIDGET (label)) && pango_layout_get_line_count (layout) > 1 && strchr (text, '\n') == NULL)
    tell (fit, "wrapped in a button", text);
}

/* A placeholder is no label: its room is the entry's. */
static void
look_at_entry (Fit *fit, GtkEntry *entry)
{
  const char *text = gtk_entry_get_placeholder_text (entry);
  g_autoptr(PangoLayout) layout = NULL;
  GdkRectangle area;
  int width;

  if (text == NULL || *text == '\0' || gtk_entry_get_text_length (entry) > 0)
    return;
  layout = gtk_widget_create_pango_layout (GTK_WIDGET (entry), text);
  pango_layout_get_pixel_size (layout, &width, NULL);
  gtk_entry_get_text_area (entry, &area);
  if (width > area.width)
    tell (fit, "cut", text);
}

static void
look (GtkWidget *widget, gpointer data)
{
  if (!gtk_widget_get_mapped (widget))
    return;
  if (GTK_IS_LABEL (widget))
    look_at_label (data, GTK_LABEL (widget));
  else if (GTK_IS_ENTRY (widget))
    look_at_entry (data, GTK_ENTRY (widget));
  if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), look, data);
}

static gboolean
look_around (gpointer data)
{
  Fit *fit = data;
  GList *windows = gtk_window_list_toplevels ();

  for (GList *l = windows; l != NULL; l = l->next)
    look (l->data, data);
  g_list_free (windows);
  g_hash_table_unref (fit->before);
  fit->before = g_steal_pointer (&fit->now);
  fit->now = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  return G_SOURCE_CONTINUE;
}

void
gtk_module_init (int *argc, char ***argv)
{
  const char *path = g_getenv ("GILK_FIT");
  Fit *fit;

  if (path == NULL)
    return;
  fit = g_new0 (Fit, 1);
  fit->told = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  fit->now = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  fit->before = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  fit->out = fopen (path, "a");
  if (fit->out == NULL)
    g_error ("%s cannot be written", path);
  g_timeout_add (LOOK_MS, look_around, fit);
}
