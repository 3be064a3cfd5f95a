/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-notes-panel.c - notes on a run: list, editing and undo
 */
#include "gui/results/gilk-results-panels.h"

#include <glib/gi18n.h>

#include "gui/base/gilk-object.h"
#include "gui/base/gilk-panes.h"
#include "gui/base/gilk-windows.h"

struct _GilkNotesPanel {
  GtkBox             parent_instance;

  GilkResultsChoice *choice;
  GilkNoteSteps     *steps;
  gboolean           writing;      /* a write is in progress; only one may run at a time */
};

G_DEFINE_TYPE (GilkNotesPanel, gilk_notes_panel, GTK_TYPE_BOX)

/* ---- writing notes to the session ---- */

typedef struct {
  GilkNotesPanel *panel;
  GilkNoteStep   *step;
  GilkNoteAction  way;
  GilkStoredNote *before;          /* the note before the change; NULL: there was none */
} Writing;

static GilkSessionRun *
find_run (GilkNotesPanel *self,
          gint64           id)
{
  for (guint i = 0; self->choice->session != NULL && i < self->choice->session->runs->len; i++)
    if (g_array_index (self->choice->session->runs, GilkSessionRun, i).run.id == id)
      return &g_array_index (self->choice->session->runs, GilkSessionRun, i);

  return NULL;
}

static void
note_written (GObject      *object,
              GAsyncResult *result,
              gpointer      user_data)
{
  Writing *writing = user_data;
  GilkNotesPanel *self = writing->panel;
  g_autoptr(GError) error = NULL;
  gint64 id;
  g_autoptr(GArray) notes = gilk_session_note_finish (result, &id, &error);
  GilkSessionRun *run = find_run (self, writing->step->note->run);

  self->writing = FALSE;
  if (notes == NULL)
    g_signal_emit_by_name (self, "failed", error);
  /* Free the step if another session was opened while the note was being written. */
  if (run == NULL || self->steps == NULL)
    gilk_note_step_free (writing->step);
  else if (notes == NULL)
    gilk_note_steps_put_back (self->steps, writing->step, writing->way);
  else
    {
      gilk_note_steps_record (self->steps, writing->step, writing->way, writing->before, id);
      g_array_unref (run->notes);
      run->notes = g_steal_pointer (&notes);
      g_signal_emit_by_name (self, "written");
    }
  g_signal_emit_by_name (self, "steps-changed");
  g_clear_pointer (&writing->before, gilk_stored_note_free);
  g_object_unref (self);
  g_free (writing);
}

/* Returns a copy of the note's current state. (transfer full) (nullable) */
static GilkStoredNote *
copy_note (GilkNotesPanel      *self,
           const GilkStoredNote *note)
{
  const GilkSessionRun *run = find_run (self, note->run);

  for (guint i = 0; run != NULL && note->id != 0 && i < run->notes->len; i++)
    if (g_array_index (run->notes, GilkStoredNote, i).id == note->id)
      return gilk_stored_note_copy (&g_array_index (run->notes, GilkStoredNote, i));

  return NULL;
}

/* Starts to write the change @step (transfer full) to the session. */
static void
write_step (GilkNotesPanel *self,
            GilkNoteStep    *step,
            GilkNoteAction   way)
{
  Writing *writing = g_new0 (Writing, 1);

  *writing = (Writing) { g_object_ref (self), step, way, copy_note (self, step->note) };
  self->writing = TRUE;
  gilk_session_note_async (self->choice->session->path, step->note, step->remove, NULL, note_written, writing);
}

/* ---- undo and redo ---- */

gboolean
gilk_notes_panel_can_step (GilkNotesPanel *self,
                           GilkNoteAction  action)
{
  return self->choice->session != NULL && !self->writing && gilk_note_steps_can (self->steps, action);
}

void
gilk_notes_panel_step (GilkNotesPanel *self,
                       GilkNoteAction  action)
{
  if (gilk_notes_panel_can_step (self, action))
    write_step (self, gilk_note_steps_pop (self->steps, action), action);
}

void
gilk_notes_panel_reset (GilkNotesPanel *self)
{
  g_clear_pointer (&self->steps, gilk_note_steps_free);
  self->steps = gilk_note_steps_new ();
  g_signal_emit_by_name (self, "steps-changed");
}

/* ---- entering the text of a note ---- */

typedef struct {
  GilkNotesPanel *panel;
  GtkWidget      *popover, *entry;
  GilkStoredNote *note;
} Editing;

static void
editing_free (gpointer data,
              GClosure *closure)
{
  Editing *editing = data;

  gilk_stored_note_free (editing->note);
  g_free (editing);
}

static void
note_entered (GtkEntry *entry,
              Editing  *editing)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_entry_get_text (entry)));

  if (*text == '\0')
    {
      gilk_entry_show_problem (entry, _("A note cannot be empty. Enter some text."), NULL);
      return;
    }
  g_free (editing->note->text);
  editing->note->text = g_steal_pointer (&text);
  write_step (editing->panel, gilk_note_step_new (editing->note, FALSE), GILK_NOTE_DO);
  gtk_popover_popdown (GTK_POPOVER (editing->popover));
}

static void
popover_closed (GtkWidget *popover)
{
  gtk_widget_destroy (popover);
}

/* Opens an entry at @anchor to edit the text of @note (transfer full). */
static void
edit_note (GilkNotesPanel *self,
           GtkWidget       *anchor,
           GilkStoredNote  *note)
{
  Editing *editing = g_new0 (Editing, 1);
  g_autofree char *when = gilk_stored_note_when (note), *words = g_strdup_printf (_("Note on %s"), when);
  GtkWidget *popover = gtk_popover_new (anchor), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *label = gtk_label_new (words), *entry = gtk_entry_new ();

  *editing = (Editing) { self, popover, entry, note };
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_entry_set_max_length (GTK_ENTRY (entry), GILK_NOTE_BYTES / 4);
  gtk_entry_set_width_chars (GTK_ENTRY (entry), 34);
  gtk_entry_set_placeholder_text (GTK_ENTRY (entry), _("Your note; Enter saves it"));
  gtk_entry_set_text (GTK_ENTRY (entry), note->text != NULL ? note->text : "");
  atk_object_set_name (gtk_widget_get_accessible (entry), words);
  g_object_set (box, "margin", 10, NULL);
  gtk_box_pack_start (GTK_BOX (box), label, FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (box), entry, FALSE, FALSE, 0);
  gtk_container_add (GTK_CONTAINER (popover), box);
  gtk_widget_show_all (box);
  g_signal_connect_data (entry, "activate", G_CALLBACK (note_entered), editing, editing_free, 0);
  g_signal_connect_after (popover, "closed", G_CALLBACK (popover_closed), NULL);
  gtk_popover_popup (GTK_POPOVER (popover));
  gtk_widget_grab_focus (entry);
}

void
gilk_notes_panel_add (GilkNotesPanel    *self,
                      GtkWidget         *anchor,
                      GilkSelectionRange place)
{
  const GilkSessionRun *run = gilk_results_run (self->choice);
  GilkStoredNote *note;

  if (run == NULL)
    return;
  note = g_new0 (GilkStoredNote, 1);
  note->run = run->run.id;
  note->author = g_strdup (g_get_user_name ());
  note->from_ns = note->to_ns = GILK_NOTE_WHOLE_RUN;
  if (gilk_selection_is_set (&place))
    {
      note->from_ns = (gint64) (CLAMP (place.from, 0.0, 1e9) * 1e9);
      note->to_ns = MAX (note->from_ns, (gint64) (CLAMP (place.to, 0.0, 1e9) * 1e9));
    }
  edit_note (self, anchor, note);
}

/* ---- list of notes ---- */

static const GilkStoredNote *
get_note (GilkNotesPanel *self,
          GtkWidget       *button)
{
  const GilkSessionRun *run = gilk_results_run (self->choice);
  guint i = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (button), "note"));

  return run != NULL && i < run->notes->len ? &g_array_index (run->notes, GilkStoredNote, i) : NULL;
}

static void
edit_clicked (GtkWidget       *button,
              GilkNotesPanel *self)
{
  const GilkStoredNote *note = get_note (self, button);

  if (note != NULL)
    edit_note (self, button, gilk_stored_note_copy (note));
}

static void
remove_clicked (GtkWidget       *button,
                GilkNotesPanel *self)
{
  const GilkStoredNote *note = get_note (self, button);

  if (note != NULL)
    write_step (self, gilk_note_step_new (note, TRUE), GILK_NOTE_DO);
}

static void
position_clicked (GtkWidget       *button,
                  GilkNotesPanel *self)
{
  const GilkStoredNote *note = get_note (self, button);

  if (note == NULL || note->from_ns == GILK_NOTE_WHOLE_RUN || note->to_ns <= note->from_ns)
    return;
  gilk_selection_mark (self->choice->selection, GILK_SELECTION_TIME, NULL, note->from_ns / 1e9, note->to_ns / 1e9);
  gilk_results_choice_range_changed (self->choice);
}

static void
add_clicked (GtkWidget       *button,
             GilkNotesPanel *self)
{
  gilk_notes_panel_add (self, button, gilk_selection_time (self->choice->selection));
}

static GtkWidget *
new_icon_button (GilkNotesPanel *self,
                 const char      *icon,
                 const char      *name,
                 guint            note,
                 GCallback        clicked)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon, GTK_ICON_SIZE_MENU);

  gtk_button_set_relief (GTK_BUTTON (button), GTK_RELIEF_NONE);
  gtk_widget_set_valign (button, GTK_ALIGN_START);
  gtk_widget_set_tooltip_text (button, name);
  atk_object_set_name (gtk_widget_get_accessible (button), name);
  gtk_style_context_add_class (gtk_widget_get_style_context (button), "panel-button");
  g_object_set_data (G_OBJECT (button), "note", GUINT_TO_POINTER (note));
  g_signal_connect_object (button, "clicked", clicked, self, 0);

  return button;
}

static GtkWidget *
new_row (GilkNotesPanel      *self,
         const GilkStoredNote *note,
         guint                 i)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 2), *text = gtk_label_new (NULL);
  g_autofree char *when = gilk_stored_note_when (note), *head = g_strdup_printf ("%u · %s", i + 1, when);
  g_autofree char *words = g_markup_printf_escaped ("<b>%s</b>\n%s", head, note->text);
  g_autofree char *edits = g_strdup_printf (_("Edit note %u"), i + 1), *removes = g_strdup_printf (_("Remove note %u"), i + 1);
  g_autofree char *name = g_strdup_printf (_("Note %u, %s: %s"), i + 1, when, note->text);
  GtkWidget *place = gtk_button_new ();

  gtk_label_set_markup (GTK_LABEL (text), words);
  gtk_label_set_xalign (GTK_LABEL (text), 0);
  gtk_label_set_line_wrap (GTK_LABEL (text), TRUE);
  gtk_label_set_line_wrap_mode (GTK_LABEL (text), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_max_width_chars (GTK_LABEL (text), 24);
  gtk_container_add (GTK_CONTAINER (place), text);
  gtk_button_set_relief (GTK_BUTTON (place), GTK_RELIEF_NONE);
  gtk_style_context_add_class (gtk_widget_get_style_context (place), "note-row");
  gtk_widget_set_tooltip_text (place, note->to_ns > note->from_ns ? _("Select this time range in all plots") : note->author);
  atk_object_set_name (gtk_widget_get_accessible (place), name);
  g_object_set_data (G_OBJECT (place), "note", GUINT_TO_POINTER (i));
  g_signal_connect_object (place, "clicked", G_CALLBACK (position_clicked), self, 0);
  gtk_box_pack_start (GTK_BOX (row), place, TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (row), new_icon_button (self, "document-edit-symbolic", edits, i, G_CALLBACK (edit_clicked)), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (row), new_icon_button (self, "user-trash-symbolic", removes, i, G_CALLBACK (remove_clicked)), FALSE, FALSE, 0);

  return row;
}

void
gilk_notes_panel_update (GilkNotesPanel *self)
{
  const GilkSessionRun *run = gilk_results_run (self->choice);
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 2), *title = gtk_label_new (_("Notes"));

  gilk_panes_clear (GTK_CONTAINER (self));
  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_style_context_add_class (gtk_widget_get_style_context (title), "section");
  gtk_box_pack_start (GTK_BOX (head), title, TRUE, TRUE, 0);
  gtk_box_pack_start (GTK_BOX (head), new_icon_button (self, "list-add-symbolic", _("Add a note (N in a plot: at the "
                                                                                    "cursor or on the selection)"),
                                                       0, G_CALLBACK (add_clicked)), FALSE, FALSE, 0);
  gtk_box_pack_start (GTK_BOX (self), head, FALSE, FALSE, 0);
  for (guint i = 0; i < MIN (run->notes->len, 100); i++)
    gtk_box_pack_start (GTK_BOX (self), new_row (self, &g_array_index (run->notes, GilkStoredNote, i), i), FALSE, FALSE, 0);
  gtk_widget_show_all (GTK_WIDGET (self));
}

/* ---- GObject life cycle ---- */

void
gilk_notes_panel_set_choice (GilkNotesPanel    *self,
                             GilkResultsChoice *choice)
{
  self->choice = g_object_ref (choice);
}

static void
gilk_notes_panel_dispose (GObject *object)
{
  GilkNotesPanel *self = GILK_NOTES_PANEL (object);

  g_clear_pointer (&self->steps, gilk_note_steps_free);
  G_OBJECT_CLASS (gilk_notes_panel_parent_class)->dispose (object);
}

static void
gilk_notes_panel_finalize (GObject *object)
{
  g_clear_object (&GILK_NOTES_PANEL (object)->choice);
  G_OBJECT_CLASS (gilk_notes_panel_parent_class)->finalize (object);
}

static void
gilk_notes_panel_class_init (GilkNotesPanelClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gilk_notes_panel_dispose;
  G_OBJECT_CLASS (klass)->finalize = gilk_notes_panel_finalize;
  gilk_add_signal (klass, "failed", 1, G_TYPE_ERROR);
  gilk_add_signal (klass, "steps-changed", 0);
  gilk_add_signal (klass, "written", 0);
}

static void
gilk_notes_panel_init (GilkNotesPanel *self)
{
  self->steps = gilk_note_steps_new ();
}
