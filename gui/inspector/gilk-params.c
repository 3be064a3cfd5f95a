/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-params.c - entries for an instrument's parameters, built from its description
 *
 * The entries are rebuilt only when the instrument changes, so that an entry keeps the keyboard
 * focus during the frequent updates of a run.
 */
#include "gui/inspector/gilk-inspector.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/bind/gilk-bound-plan.h"
#include "core/link/gilk-answers.h"
#include "gui/base/gilk-object.h"
#include "gui/base/gilk-text.h"

typedef struct {
  GtkEntry *entry;
  GtkLabel *note;              /* shows the parameter's help and range, or the error */
  char     *shown;             /* value that was last written into @entry or read from it; NULL:
                                * none yet */
} Row;

struct _GilkParams {
  GtkGrid                    parent_instance;

  struct ilk_instrument_desc desc;     /* the shown instrument; name "": none */
  Row                        rows[ILK_PARAMS_MAX];
  guint                      n_rows;
};

G_DEFINE_TYPE (GilkParams, gilk_params, GTK_TYPE_GRID)

gboolean
gilk_params_check (const struct ilk_param *param,
                   const char             *text,
                   GError                **error)
{
  g_autofree char *min = NULL, *max = NULL;
  uint64_t value;

  if (text[0] == '\0' ||
      (gilk_param_value (text, &value) && value >= param->min && value <= param->max))
    return TRUE;

  min = gilk_text_count (param->min);
  max = gilk_text_count (param->max);
  g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE,
               _("Invalid value: enter a whole number from %s to %s, or leave it empty for %lu."),
               min, max, (guint64) param->preset);

  return FALSE;
}

static char *
describe_param (const struct ilk_param *param)
{
  g_autofree char *min = gilk_text_count (param->min);
  g_autofree char *max = gilk_text_count (param->max);
  g_autofree char *range = g_strdup_printf (_("%s to %s"), min, max);
  g_autofree char *help = gilk_agent_translate (param->help);

  return g_strdup_printf ("%s%s%s", help, help[0] != '\0' ? " · " : "", range);
}

/* Returns whether the text of the entry is valid. If it is invalid, shows the error in the row. */
static gboolean
validate_entry (GilkParams *self,
                guint       index)
{
  const struct ilk_param *param = &self->desc.params[index];
  Row *row = &self->rows[index];
  GtkStyleContext *entry = gtk_widget_get_style_context (GTK_WIDGET (row->entry));
  GtkStyleContext *note = gtk_widget_get_style_context (GTK_WIDGET (row->note));
  g_autofree char *text = g_strstrip (g_strdup (gtk_entry_get_text (row->entry)));
  g_autofree char *help = describe_param (param);
  g_autoptr(GError) error = NULL;
  gboolean good = gilk_params_check (param, text, &error);

  if (good)
    {
      gtk_style_context_remove_class (entry, "error");
      gtk_style_context_remove_class (note, "bad");
      gtk_style_context_add_class (note, "dim-label");
    }
  else
    {
      gtk_style_context_add_class (entry, "error");
      gtk_style_context_remove_class (note, "dim-label");
      gtk_style_context_add_class (note, "bad");
    }
  gtk_entry_set_icon_from_icon_name (row->entry, GTK_ENTRY_ICON_SECONDARY,
                                     good ? NULL : "dialog-error-symbolic");
  gtk_label_set_text (row->note, good ? help : error->message);
  atk_object_set_description (gtk_widget_get_accessible (GTK_WIDGET (row->entry)),
                              good ? help : error->message);

  return good;
}

static guint
find_row (GilkParams *self,
          GtkEntry   *entry)
{
  guint index = 0;

  while (self->rows[index].entry != entry)
    index++;

  return index;
}

static void
entry_changed (GtkEntry   *entry,
               GilkParams *self)
{
  validate_entry (self, find_row (self, entry));
}

static void
entry_committed (GtkEntry   *entry,
                 GilkParams *self)
{
  guint index = find_row (self, entry);
  g_autofree char *text = g_strstrip (g_strdup (gtk_entry_get_text (entry)));
  Row *row = &self->rows[index];

  if (!validate_entry (self, index) || g_strcmp0 (text, row->shown) == 0)
    return;

  g_free (row->shown);
  row->shown = g_strdup (text);
  g_signal_emit_by_name (self, "changed", self->desc.params[index].name,
                 text[0] != '\0' ? text : NULL);
}

static gboolean
entry_focus_out (GtkEntry      *entry,
                 GdkEventFocus *event,
                 GilkParams    *self)
{
  entry_committed (entry, self);

  return GDK_EVENT_PROPAGATE;
}

static void
add_row (GilkParams *self,
         guint       index)
{
  const struct ilk_param *param = &self->desc.params[index];
  g_autofree char *title = param->unit[0] != '\0' ? g_strdup_printf ("%s (%s)", param->name, param->unit)
                                                  : g_strdup (param->name);
  g_autofree char *preset = g_strdup_printf ("%" G_GUINT64_FORMAT, (guint64) param->preset);
  GtkWidget *label = gtk_label_new (title);
  GtkWidget *entry = gtk_entry_new ();
  GtkWidget *note = gtk_label_new ("");

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_xalign (GTK_LABEL (note), 0);
  gtk_label_set_line_wrap (GTK_LABEL (note), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (note), 30);
  gtk_style_context_add_class (gtk_widget_get_style_context (label), "section");
  gtk_style_context_add_class (gtk_widget_get_style_context (note), "small");
  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), preset);
  gtk_entry_set_width_chars (GTK_ENTRY (entry), 8);
  gtk_widget_set_hexpand (entry, TRUE);
  atk_object_set_name (gtk_widget_get_accessible (entry), param->name);

  self->rows[index] = (Row) { GTK_ENTRY (entry), GTK_LABEL (note), NULL };
  gtk_grid_attach (GTK_GRID (self), label, 0, 2 * index, 1, 1);
  gtk_grid_attach (GTK_GRID (self), entry, 1, 2 * index, 1, 1);
  gtk_grid_attach (GTK_GRID (self), note, 0, 2 * index + 1, 2, 1);
  g_signal_connect (entry, "changed", G_CALLBACK (entry_changed), self);
  g_signal_connect (entry, "activate", G_CALLBACK (entry_committed), self);
  g_signal_connect (entry, "focus-out-event", G_CALLBACK (entry_focus_out), self);
}

static void
clear_rows (GilkParams *self)
{
  g_autoptr(GList) children = gtk_container_get_children (GTK_CONTAINER (self));

  for (guint i = 0; i < self->n_rows; i++)
    {
      g_signal_handlers_disconnect_by_data (self->rows[i].entry, self);
      g_clear_pointer (&self->rows[i].shown, g_free);
    }
  self->n_rows = 0;
  for (GList *l = children; l != NULL; l = l->next)
    gtk_widget_destroy (l->data);
}

static void
make_rows (GilkParams                       *self,
           const struct ilk_instrument_desc *desc)
{
  clear_rows (self);
  if (desc != NULL)
    self->desc = *desc;
  else
    memset (&self->desc, 0, sizeof self->desc);
  self->n_rows = MIN (self->desc.param_count, ILK_PARAMS_MAX);
  for (guint i = 0; i < self->n_rows; i++)
    add_row (self, i);
  gtk_widget_show_all (GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), self->n_rows > 0);
}

void
gilk_params_show (GilkParams                       *self,
                  const struct ilk_instrument_desc *desc,
                  GHashTable                       *values)
{
  if (desc == NULL ? self->n_rows > 0 : memcmp (desc->params, self->desc.params, sizeof desc->params) != 0 ||
                                        desc->param_count != self->desc.param_count)
    make_rows (self, desc);

  for (guint i = 0; i < self->n_rows; i++)
    {
      const char *text = g_hash_table_lookup (values, self->desc.params[i].name);
      Row *row = &self->rows[i];

      text = text != NULL ? text : "";
      if (g_strcmp0 (row->shown, text) == 0)
        continue;
      g_free (row->shown);
      row->shown = g_strdup (text);
      gtk_entry_set_text (row->entry, text);
      validate_entry (self, i);
    }
}

void
gilk_params_reset (GilkParams *self)
{
  for (guint i = 0; i < self->n_rows; i++)
    g_clear_pointer (&self->rows[i].shown, g_free);
}

static void
gilk_params_destroy (GtkWidget *widget)
{
  clear_rows (GILK_PARAMS (widget));
  GTK_WIDGET_CLASS (gilk_params_parent_class)->destroy (widget);
}

static void
gilk_params_class_init (GilkParamsClass *klass)
{
  GTK_WIDGET_CLASS (klass)->destroy = gilk_params_destroy;
  gilk_add_signal (klass, "changed", 2, G_TYPE_STRING, G_TYPE_STRING);
}

static void
gilk_params_init (GilkParams *self)
{
  gtk_grid_set_column_spacing (GTK_GRID (self), 8);
  gtk_grid_set_row_spacing (GTK_GRID (self), 4);
}
