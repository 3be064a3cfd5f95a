/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fit-module.c - loaded into the workbench by GTK_MODULES: reports texts that do not fit, and texts
 * with low contrast
 *
 * AT-SPI returns the whole text of a label, even if only part is visible, so this module asks GTK.
 * Contrast with the background is low if it is below 4.5 : 1 in the current theme. Insensitive
 * widgets may have low contrast. Text on a picture is not checked. Each text is reported once, as a
 * line of the file $GILK_FIT: the problem, a tab, and the text.
 */
#include <gtk/gtk.h>
#include <gmodule.h>
#include <math.h>

#define LOOK_MS 250

typedef struct {
  /* @told: problems already reported; @now: problems found in this pass; @before: problems found in
   * the previous pass. A problem is reported if two successive passes find it. */
  GHashTable *told, *now, *before;
  FILE       *out;
} Fit;

G_MODULE_EXPORT void gtk_module_init (int *argc, char ***argv);

static void
report_problem (Fit *fit, const char *how, const char *text)
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
check_label (Fit *fit, GtkLabel *label)
{
  PangoLayout *layout = gtk_label_get_layout (label);
  const char *text = gtk_label_get_text (label);
  GtkAllocation place;
  int width, height;

  gtk_widget_get_allocation (GTK_WIDGET (label), &place);
  /* Skip the label: it does not have a size yet, or is invisible. */
  if (*text == '\0' || place.width <= 1 || gtk_widget_get_opacity (GTK_WIDGET (label)) == 0)
    return;
  pango_layout_get_pixel_size (layout, &width, &height);
  if (pango_layout_is_ellipsized (layout))
    report_problem (fit, "cut", text);
  else if (width > place.width + 1 || height > place.height + 1)
    report_problem (fit, "larger than its place", text);
  else if (is_in_button (GTK_WIDGET (label)) && pango_layout_get_line_count (layout) > 1 && strchr (text, '\n') == NULL)
    report_problem (fit, "wrapped in a button", text);
}

static double
to_linear (double c)
{
  return c <= 0.04045 ? c / 12.92 : pow ((c + 0.055) / 1.055, 2.4);
}

static double
compute_luminance (const GdkRGBA *c)
{
  return 0.2126 * to_linear (c->red) + 0.7152 * to_linear (c->green) + 0.0722 * to_linear (c->blue);
}

static GdkRGBA
blend_over (const GdkRGBA *top, double alpha, const GdkRGBA *bottom)
{
  return (GdkRGBA) { top->red * alpha + bottom->red * (1 - alpha), top->green * alpha + bottom->green * (1 - alpha),
                     top->blue * alpha + bottom->blue * (1 - alpha), 1 };
}

/* Gets the background of @widget's children. Returns FALSE if it is not a single colour. */
static gboolean
find_ground (GtkWidget *widget, GdkRGBA *ground)
{
  GtkStyleContext *context;
  g_autoptr(GdkRGBA) colour = NULL;
  cairo_pattern_t *picture = NULL;
  gboolean plain;

  if (widget == NULL)
    return FALSE;
  context = gtk_widget_get_style_context (widget);
  gtk_style_context_get (context, gtk_style_context_get_state (context), "background-color", &colour,
                         "background-image", &picture, NULL);
  plain = picture == NULL;
  g_clear_pointer (&picture, cairo_pattern_destroy);
  if (!plain)
    return FALSE;
  if (colour->alpha < 1 && !find_ground (gtk_widget_get_parent (widget), ground))
    return FALSE;
  *ground = blend_over (colour, colour->alpha, ground);
  return TRUE;
}

static void
check_contrast (Fit *fit, GtkLabel *label)
{
  GtkStyleContext *context = gtk_widget_get_style_context (GTK_WIDGET (label));
  GtkStateFlags state = gtk_style_context_get_state (context);
  GdkRGBA ground = { 0 }, text;
  double opacity = 1, light, dark, contrast;

  if ((state & GTK_STATE_FLAG_INSENSITIVE) != 0 || gtk_widget_get_opacity (GTK_WIDGET (label)) == 0 || *gtk_label_get_text (label) == '\0' ||
      !find_ground (GTK_WIDGET (label), &ground))
    return;
  for (GtkWidget *w = GTK_WIDGET (label); w != NULL; w = gtk_widget_get_parent (w))
    {
      double own;

      gtk_style_context_get (gtk_widget_get_style_context (w), gtk_widget_get_state_flags (w), "opacity", &own, NULL);
      opacity *= own * gtk_widget_get_opacity (w);
    }
  gtk_style_context_get_color (context, state, &text);
  text = blend_over (&text, text.alpha * opacity, &ground);
  light = MAX (compute_luminance (&text), compute_luminance (&ground));
  dark = MIN (compute_luminance (&text), compute_luminance (&ground));
  contrast = (light + 0.05) / (dark + 0.05);
  if (contrast < 4.5)
    {
      g_autofree char *how = g_strdup_printf ("faint, %.1f : 1", contrast);

      report_problem (fit, how, gtk_label_get_text (label));
    }
}

/* Checks an entry's placeholder text, which is not in a label but must fit into the entry. */
static void
check_entry (Fit *fit, GtkEntry *entry)
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
    report_problem (fit, "cut", text);
}

static void
check_widget (GtkWidget *widget, gpointer data)
{
  if (!gtk_widget_get_mapped (widget))
    return;
  if (GTK_IS_LABEL (widget))
    {
      check_label (data, GTK_LABEL (widget));
      check_contrast (data, GTK_LABEL (widget));
    }
  else if (GTK_IS_ENTRY (widget))
    check_entry (data, GTK_ENTRY (widget));
  if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), check_widget, data);
}

static gboolean
check_windows (gpointer data)
{
  Fit *fit = data;
  GList *windows = gtk_window_list_toplevels ();

  for (GList *l = windows; l != NULL; l = l->next)
    if (!GTK_IS_FILE_CHOOSER_DIALOG (l->data))          /* GTK's own */
      check_widget (l->data, data);
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
  /* With this low priority, check_windows() runs after all layout that is due, so that two passes
   * never see the same unfinished layout. */
  g_timeout_add_full (G_PRIORITY_LOW, LOOK_MS, check_windows, fit, NULL);
}
