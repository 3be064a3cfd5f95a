/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-length-entry.c - entry for the length of a plan's runs
 */
#include "gui/plan/gilk-length-entry.h"

#include <glib/gi18n.h>

#include "gui/base/gilk-entry-problem.h"

struct _GilkLengthEntry {
  GtkEntry parent_instance;

  GilkPlanModel *model;
};

G_DEFINE_FINAL_TYPE (GilkLengthEntry, gilk_length_entry, GTK_TYPE_ENTRY)

gboolean
gilk_length_entry_get (GilkLengthEntry *self,
                       uint64_t        *ns,
                       GError         **error)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_entry_get_text (GTK_ENTRY (self))));

  *ns = 0;

  return *text == '\0' || gilk_parse_length (text, ns, error);
}

static void
check_length (GilkLengthEntry *self)
{
  g_autoptr(GError) error = NULL;
  uint64_t ns = 0;

  if (self->model == NULL)
    return;
  if (gilk_length_entry_get (self, &ns, &error))
    gilk_plan_model_set_length (self->model, ns);
  if (error == NULL)
    gilk_plan_check_schedule (gilk_plan_model_plan (self->model), ns, &error);
  gilk_entry_show_problem (GTK_ENTRY (self), error != NULL ? error->message : NULL,
                           _("How long the run lasts, such as 500ms, 10s or 2m; empty: until Stop"));
}

void
gilk_length_entry_set_model (GilkLengthEntry *self,
                             GilkPlanModel   *model)
{
  self->model = g_object_ref (model);
  g_signal_connect_object (model, "changed", G_CALLBACK (check_length), self, G_CONNECT_SWAPPED);
  check_length (self);
}

static void
gilk_length_entry_dispose (GObject *object)
{
  GilkLengthEntry *self = GILK_LENGTH_ENTRY (object);

  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  g_clear_object (&self->model);
  G_OBJECT_CLASS (gilk_length_entry_parent_class)->dispose (object);
}

static void
gilk_length_entry_class_init (GilkLengthEntryClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gilk_length_entry_dispose;
}

static void
gilk_length_entry_init (GilkLengthEntry *self)
{
  g_signal_connect (self, "changed", G_CALLBACK (check_length), NULL);
}
