/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-figure-notes.c - a run's notes, as flags in figures over time
 */
#include "core/figure/gilk-figure-private.h"

#include "core/figure/gilk-selection.h"
#include "core/store/gilk-store-notes.h"

static void
clear_flag (gpointer data)
{
  g_free (((GilkFigureFlag *) data)->text);
}

/* Leaves out notes on other hooks. */
gboolean
gilk_figure_add_notes (GilkFigure             *figure,
                       const GilkFigureSource *source,
                       GError                **error)
{
  g_autoptr(GArray) notes = NULL;

  if (gilk_selection_axis (figure->kind) != GILK_SELECTION_TIME || figure->message != NULL)
    return TRUE;
  notes = gilk_store_notes (source->store, source->hook->run, error);
  if (notes == NULL)
    return FALSE;
  for (guint i = 0; i < notes->len; i++)
    {
      const GilkStoredNote *note = &g_array_index (notes, GilkStoredNote, i);
      GilkFigureFlag flag = { i + 1, note->from_ns / 1e9, note->to_ns / 1e9, NULL };

      if (note->from_ns == GILK_NOTE_WHOLE_RUN || (note->hook != 0 && note->hook != source->hook->id) ||
          flag.to < figure->x.from || flag.from > figure->x.to)
        continue;
      if (figure->flags == NULL)
        {
          figure->flags = g_array_new (FALSE, FALSE, sizeof (GilkFigureFlag));
          g_array_set_clear_func (figure->flags, clear_flag);
        }
      flag.text = g_strdup (note->text);
      g_array_append_val (figure->flags, flag);
    }

  return TRUE;
}
