/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-time-entries.c - entries for a hook's start and stop times, and for the length of a
 * plan's runs
 */
#include "gui/plan/gilk-time-entries.h"

#include <glib/gi18n.h>
#include <string.h>

#include "gui/base/gilk-windows.h"

#define AFTER     "after "
#define PROPOSALS 20

/* Proposes hooks to start after: those that have a stop time and whose label contains the text
 * typed after the word "after". */
static void
propose_hooks (GtkEntry      *start,
               GilkPlanModel *model)
{
  GtkListStore *store = GTK_LIST_STORE (gtk_entry_completion_get_model (gtk_entry_get_completion (start)));
  const char *text = gtk_entry_get_text (start);
  gsize typed = MIN (strlen (text), strlen (AFTER));
  guint n = gilk_plan_model_n_hooks (model), left = PROPOSALS;

  gtk_list_store_clear (store);
  if (typed == 0 || strncmp (text, AFTER, typed) != 0)
    return;
  for (guint i = 0; i < n && left > 0; i++)
    {
      const GilkPlanHook *hook = gilk_plan_model_hook (model, i);
      g_autofree char *proposal = NULL;

      if (hook->stop_ns == 0 || strstr (hook->label, text + typed) == NULL)
        continue;
      proposal = g_strconcat (AFTER, hook->label, NULL);
      gtk_list_store_insert_with_values (store, NULL, -1, 0, proposal, -1);
      left--;
    }
}

/* Accepts every proposal, because propose_hooks() has already filtered them. */
static gboolean
accept_proposal (GtkEntryCompletion *completion,
                 const char         *key,
                 GtkTreeIter        *iter,
                 gpointer            unused)
{
  return TRUE;
}

void
gilk_times_entry_init (GtkEntry      *start,
                       GtkEntry      *stop,
                       GilkPlanModel *model)
{
  g_autoptr(GtkEntryCompletion) completion = gtk_entry_completion_new ();
  g_autoptr(GtkListStore) store = gtk_list_store_new (1, G_TYPE_STRING);

  gtk_entry_completion_set_model (completion, GTK_TREE_MODEL (store));
  gtk_entry_completion_set_text_column (completion, 0);
  gtk_entry_completion_set_match_func (completion, accept_proposal, NULL, NULL);
  gtk_entry_completion_set_popup_set_width (completion, FALSE);
  g_signal_connect_object (start, "changed", G_CALLBACK (propose_hooks), model, 0);
  gtk_entry_set_completion (start, completion);
  gilk_times_entry_show_error (start, stop, NULL, FALSE);
}

void
gilk_times_entry_show_error (GtkEntry     *start,
                             GtkEntry     *stop,
                             const GError *error,
                             gboolean      by_start)
{
  gilk_entry_show_problem (start, error != NULL && by_start ? error->message : NULL,
                           _("A time of the run, such as 5s, or “after HOOK” to start when that "
                             "hook stops, with or without a delay: “after writes + 1s”"));
  gilk_entry_show_problem (stop, error != NULL && !by_start ? error->message : NULL,
                           _("A time of the run, such as 9s. For a hook that starts after another: its duration, such "
                             "as +4s"));
}

/* ---- entry for the length of a plan's runs ---- */

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
