/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-results-samples.c - the page of samples one by one, of the time and values looked at
 */
#include "gui/gilk-results-private.h"

#include <string.h>

#include "gui/gilk-results-figures.h"
#include "gui/gilk-samples-view.h"

static gboolean
has_field (GilkResultsView *self,
           const char      *name)
{
  const GArray *fields = gilk_results_fields (self);

  for (guint i = 0; i < fields->len; i++)
    if (g_strcmp0 (g_array_index (fields, GilkStoredField, i).name, name) == 0)
      return TRUE;

  return FALSE;
}

static char *
bound (const char *field,
       const char *sign,
       double      value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup_printf ("%s %s %s", field, sign, g_ascii_formatd (text, sizeof text, "%.9g", value));
}

GStrv
gilk_results_conditions (GilkResultsView *self)
{
  const char *field = gilk_look_field (self->look);
  GilkLookSpan values = gilk_look_values (self->look, field);
  g_autoptr(GPtrArray) all = g_ptr_array_new ();

  if (gilk_look_is_set (&values) && has_field (self, field))
    {
      g_ptr_array_add (all, bound (field, ">=", values.from));
      g_ptr_array_add (all, bound (field, "<=", values.to));
    }
  g_ptr_array_add (all, NULL);

  return (GStrv) g_ptr_array_steal (all, NULL);
}

void
gilk_results_show_samples (GilkResultsView *self)
{
  const GilkStoredHook *hook = gilk_results_hook (self);
  const GilkLookSpan time = gilk_look_time (self->look);
  g_auto(GStrv) conditions = gilk_results_conditions (self);

  gtk_stack_set_visible_child_name (self->picture, "samples");
  gilk_results_show_hook_loss (self, hook);
  gilk_figures_clear (self->figures);
  gtk_label_set_text (self->figures_title, hook->label);
  gilk_figures_hook (self->figures, hook, gilk_results_run (self)->costs);
  gilk_samples_view_show (self->samples, self->session->path, hook, time.from, time.to,
                          (const char *const *) conditions);
}
