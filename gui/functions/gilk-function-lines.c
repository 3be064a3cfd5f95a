/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-lines.c - finds the functions that contain the code of a source line, or an inlined
 * copy of a function
 */
#include "gui/functions/gilk-function-rows.h"

#include <glib/gi18n.h>

#include "core/cfg/gilk-locate.h"

typedef struct {
  GilkFunctions *functions;
  GilkImage     *image;
  char          *text;
} LinesJob;

static void
lines_free (gpointer data)
{
  LinesJob *lines = data;

  gilk_functions_unref (lines->functions);
  gilk_image_unref (lines->image);
  g_free (lines->text);
  g_free (lines);
}

static void
lines_thread (GTask        *task,
              gpointer      source,
              gpointer      task_data,
              GCancellable *cancellable)
{
  const LinesJob *lines = task_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(GArray) spots = NULL;
  g_auto(GilkSourceLine) line = { 0 };
  GArray *rows;
  gboolean more = FALSE;
  guint nearest = 0;

  if (gilk_source_line_parse (lines->text, &line))
    spots = gilk_locate_line (lines->image, &line, &nearest, cancellable, &error);
  else
    spots = gilk_locate_inlined (lines->functions, lines->text, &more, cancellable, &error);
  if (error != NULL)
    {
      g_task_return_error (task, g_steal_pointer (&error));
      return;
    }
  rows = g_array_new (FALSE, FALSE, sizeof (GilkFunctionRow));
  for (guint i = 0; spots != NULL && i < spots->len; i++)
    {
      GilkFunctionRow row = { .addr = g_array_index (spots, GilkDwarfLocation, i).addr };

      row.function = gilk_functions_at (lines->functions, row.addr);
      row.name = row.function != NULL ? row.function->name : NULL;
      if (row.function != NULL)
        g_array_append_val (rows, row);
    }
  g_task_return_pointer (task, rows, (GDestroyNotify) g_array_unref);
}

void
gilk_function_lines_async (GilkFunctions      *functions,
                           GilkImage          *image,
                           const char         *text,
                           GCancellable       *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer            user_data)
{
  g_autoptr(GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  LinesJob *lines = g_new0 (LinesJob, 1);

  lines->functions = gilk_functions_ref (functions);
  lines->image = gilk_image_ref (image);
  lines->text = g_strdup (text);
  g_task_set_task_data (task, lines, lines_free);
  g_task_run_in_thread (task, lines_thread);
}

/* Returns a message about the result. Without debug data, an unknown name is not an error: it just
 * matches nothing. */
static char *
describe_result (const LinesJob *lines, const GArray *rows, const GError *error)
{
  const gboolean is_line = gilk_locate_kind (lines->text) == GILK_LOCATE_LINE;

  if (is_line && error != NULL)
    return g_strdup (error->message);
  if (is_line)
    return rows->len == 0 ? g_strdup (_("No code was generated for this line")) : NULL;

  return rows->len == 0 ? NULL : g_strdup_printf (ngettext ("Inlined at %u place", "Inlined at %u places", rows->len), rows->len);
}

GArray *
gilk_function_lines_finish (GAsyncResult *result,
                            char        **message)
{
  g_autoptr(GError) error = NULL;
  GArray *rows = g_task_propagate_pointer (G_TASK (result), &error);

  if (rows == NULL)
    rows = g_array_new (FALSE, FALSE, sizeof (GilkFunctionRow));
  *message = describe_result (g_task_get_task_data (G_TASK (result)), rows, error);

  return rows;
}
