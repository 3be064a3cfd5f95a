/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-rows.c - formats samples and counter readings as lines of text
 *
 * Text that all lines share (hooks, the names of a JSON object's members) is formatted once.
 */
#include "core/samples/gilk-rows.h"

#include <string.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-error.h"
#include "core/base/gilk-memory.h"
#include "core/base/gilk-strings.h"
#include "core/emit/gilk-inline.h"
#include "core/samples/gilk-samples.h"
#include "core/store/gilk-sql.h"
#include "core/store/gilk-store-names.h"
#include "core/store/gilk-store.h"

#define READINGS_ONCE 4096

struct _GilkRows {
  GilkRowsForm   form;
  GilkSamples   *samples;         /* samples to write; NULL: the hooks only count */
  GilkReadings  *readings;        /* readings of hooks that only count */
  GilkHookIndex *index;
  GPtrArray     *labels;          /* text at the start of each hook's lines */
  GPtrArray     *names;           /* names of columns */
  GPtrArray     *before;          /* text in front of each column's cell: a comma, and in JSON also
                                   * the member's name */
  GArray        *cells;           /* (element-type Cell): columns of the fields, to the right of
                                   * hook, cpu and time */
  GilkStoredNames *names_of;      /* names of numbers in fields; NULL: no field has numbers with
                                   * names */
  GArray        *notes;           /* (element-type Note): sorted by time; NULL: the rows lack
                                   * a column for notes */
  guint          first_note;      /* index of the first note not yet written */
};

typedef struct {
  gint64   from_ns, to_ns;
  gboolean moment;                /* the note is about a single time; it is written in the first
                                   * line at or after that time */
  char    *text;
} Note;

typedef struct {
  guint       field, type;
  const char *meaning;            /* meaning of the field's numbers, by which their names are looked
                                   * up; NULL: the numbers themselves are written */
} Cell;

/* ---- columns ---- */

char *
gilk_rows_column (const char *column,
                  const char *unit)
{
  return *unit != '\0' ? g_strconcat (column, "_", unit, NULL) : g_strdup (column);
}

static void
add_column (GilkRows *rows, char *name)
{
  GString *before = g_string_new (NULL);

  if (rows->form == GILK_ROWS_JSON)
    {
      g_string_append (before, ", ");
      gilk_append_json (before, name);
      g_string_append (before, ": ");
    }
  else
    g_string_append_c (before, ',');
  g_ptr_array_add (rows->names, name);
  g_ptr_array_add (rows->before, g_string_free (before, FALSE));
}

static void
add_labels (GilkRows *rows, const GilkRowsChoice *choice)
{
  for (guint i = 0; i < choice->n_hooks; i++)
    {
      GString *label = g_string_new (NULL);

      if (rows->form == GILK_ROWS_JSON)
        {
          g_string_append (label, "{\"hook\": ");
          gilk_append_json (label, choice->hooks[i].label);
        }
      else
        gilk_csv_append_cell (label, choice->hooks[i].label);
      g_ptr_array_add (rows->labels, g_string_free (label, FALSE));
    }
}

GILK_DEFINE_CLEAR (note_clear, Note, self, g_free (self->text))

/* Adds the column for notes, which is the last column. */
static void
add_notes (GilkRows *rows, const GArray *notes)
{
  if (rows->form != GILK_ROWS_CSV || notes == NULL || notes->len == 0)
    return;
  rows->notes = gilk_array_new (sizeof (Note), note_clear);
  for (guint i = 0; i < notes->len; i++)
    {
      const GilkStoredNote *stored = &g_array_index (notes, GilkStoredNote, i);
      const Note note = { stored->from_ns, stored->to_ns, stored->from_ns == stored->to_ns, g_strdup (stored->text) };

      g_array_append_val (rows->notes, note);
    }
  add_column (rows, g_strdup ("note"));
}

static gboolean
add_field (GilkRows *rows, GilkStore *store, gint64 run, const GilkStoredField *field, GError **error)
{
  Cell cell = { 0 };

  if (!gilk_samples_add_field (rows->samples, field->name, &cell.field, &cell.type, error))
    return FALSE;
  g_array_append_val (rows->cells, cell);
  add_column (rows, gilk_rows_column (field->column, field->unit));
  if (field->meaning == NULL || cell.type == ILK_FIELD_TEXT)
    return TRUE;
  if (rows->names_of == NULL)
    rows->names_of = gilk_store_names (store, run, error);
  if (rows->names_of == NULL)
    return FALSE;
  cell.meaning = field->meaning;
  g_array_append_val (rows->cells, cell);
  add_column (rows, g_strconcat (field->column, "_name", NULL));

  return TRUE;
}

static gboolean
open_samples (GilkRows *rows, GilkStore *store, const GilkRowsChoice *choice, GError **error)
{
  const GArray *fields = gilk_samples_fields (rows->samples);

  add_column (rows, g_strdup ("cpu"));
  add_column (rows, g_strdup ("t_ns"));
  for (guint f = 0; f < fields->len; f++)
    if (!add_field (rows, store, choice->hooks->run, &g_array_index (fields, GilkStoredField, f), error))
      return FALSE;
  for (guint i = 0; choice->conditions != NULL && choice->conditions[i] != NULL; i++)
    if (!gilk_samples_add_condition (rows->samples, choice->conditions[i], error))
      return FALSE;
  add_notes (rows, choice->notes);
  gilk_samples_set_range (rows->samples, choice->from_ns, choice->to_ns);
  gilk_samples_in_order (rows->samples);

  return TRUE;
}

GilkRows *
gilk_rows_new (GilkStore            *store,
               const GilkRowsChoice *choice,
               GilkRowsForm          form,
               GError              **error)
{
  g_autoptr(GilkRows) rows = g_new0 (GilkRows, 1);
  const GilkStoredHook *first = choice->hooks;
  gint64 samples;

  rows->form = form;
  rows->names = g_ptr_array_new_null_terminated (8, g_free, TRUE);
  rows->before = g_ptr_array_new_with_free_func (g_free);
  rows->labels = g_ptr_array_new_with_free_func (g_free);
  rows->cells = g_array_new (FALSE, FALSE, sizeof (Cell));
  rows->index = gilk_hook_index_new (choice->hooks, choice->n_hooks);
  add_labels (rows, choice);
  add_column (rows, g_strdup ("hook"));
  if (!gilk_sql_value (store, error, &samples, 0, "SELECT count (*) FROM instrument WHERE run = ? "
                       "AND name = ? AND takes_samples", "is", first->run, first->instrument))
    return NULL;
  if (samples > 0)
    {
      rows->samples = gilk_samples_new (store, choice->hooks, choice->n_hooks, error);
      return rows->samples != NULL && open_samples (rows, store, choice, error) ? g_steal_pointer (&rows) : NULL;
    }
  add_column (rows, g_strdup ("t_ns"));
  add_column (rows, g_strdup (gilk_inline_is (first->instrument, GILK_INLINE_COUNT) ? "count" : "hits"));
  add_notes (rows, choice->notes);
  rows->readings = gilk_readings_new (store, choice->hooks, choice->n_hooks, choice->from_ns,
                                      choice->to_ns, error);

  return rows->readings != NULL ? g_steal_pointer (&rows) : NULL;
}

void
gilk_rows_free (GilkRows *rows)
{
  if (rows == NULL)
    return;
  gilk_samples_free (rows->samples);
  gilk_readings_free (rows->readings);
  gilk_hook_index_free (rows->index);
  g_ptr_array_unref (rows->labels);
  g_ptr_array_unref (rows->names);
  g_ptr_array_unref (rows->before);
  g_array_unref (rows->cells);
  g_clear_pointer (&rows->notes, g_array_unref);
  g_clear_pointer (&rows->names_of, gilk_stored_names_unref);
  g_free (rows);
}

void
gilk_rows_header (GilkRows *rows,
                  GString  *lines)
{
  g_assert (rows->form == GILK_ROWS_CSV);
  gilk_csv_append_row (lines, rows->names->len, (const char *const *) rows->names->pdata);
}

/* ---- lines ---- */

static void
append_text (const GilkRows *rows, GString *lines, const char *text)
{
  if (rows->form == GILK_ROWS_JSON)
    gilk_append_json (lines, text);
  else
    gilk_csv_append_cell (lines, text);
}

static void
append_name (const GilkRows *rows, const Cell *cell, gint64 value, GString *lines)
{
  g_autofree char *name = gilk_stored_name (rows->names_of, cell->meaning, (uint64_t) value);

  if (name != NULL)
    append_text (rows, lines, name);
  else if (rows->form == GILK_ROWS_JSON)
    g_string_append (lines, "null");
}

static void
append_cell (const GilkRows *rows, const GilkSampleBlock *block, const Cell *cell, guint i, GString *lines)
{
  const guint type = cell->type, f = cell->field;

  if (block->missing[f] != NULL && block->missing[f][i])
    g_string_append (lines, rows->form == GILK_ROWS_JSON ? "null" : "");
  else if (cell->meaning != NULL)
    append_name (rows, cell, block->values[f][i], lines);
  else if (type == ILK_FIELD_TEXT)
    append_text (rows, lines, block->texts[f][i]);
  else if (type == ILK_FIELD_U64)
    gilk_append_uint (lines, (uint64_t) block->values[f][i]);
  else if (type != ILK_FIELD_HEX64)
    gilk_append_int (lines, block->values[f][i]);
  else
    {
      /* JSON has no hexadecimal numbers, and JSON readers lose low bits of large numbers. */
      const char *quote = rows->form == GILK_ROWS_JSON ? "\"" : "";

      g_string_append (lines, quote);
      gilk_append_hex (lines, (uint64_t) block->values[f][i]);
      g_string_append (lines, quote);
    }
}

static gboolean
is_over (const Note *note, gint64 t_ns)
{
  return note->to_ns < t_ns && !note->moment;
}

/* Appends the notes due at @t_ns. Lines are in order of time, so each note appears once. */
static void
append_notes (GilkRows *rows, gint64 t_ns, GString *lines)
{
  g_autoptr(GString) text = g_string_new (NULL);

  for (; rows->first_note < rows->notes->len; rows->first_note++)
    {
      const Note *note = &g_array_index (rows->notes, Note, rows->first_note);

      if (note->from_ns > t_ns)
        break;
      if (!is_over (note, t_ns))
        g_string_append_printf (text, "%s%s", text->len > 0 ? "; " : "", note->text);
    }
  g_string_append_c (lines, ',');
  gilk_csv_append_cell (lines, text->str);
}

static void
end_line (const GilkRows *rows, GString *lines)
{
  g_string_append (lines, rows->form == GILK_ROWS_JSON ? "}\n" : "\r\n");
}

static void
append_sample (GilkRows *rows, const GilkSampleBlock *block, const char *label, guint i,
               GString *lines)
{
  char **before = (char **) rows->before->pdata;

  g_string_append (lines, label);
  g_string_append (lines, before[1]);
  gilk_append_uint (lines, block->cpu[i]);
  g_string_append (lines, before[2]);
  gilk_append_int (lines, block->t_ns[i]);
  for (guint c = 0; c < rows->cells->len; c++)
    {
      g_string_append (lines, before[3 + c]);
      append_cell (rows, block, &g_array_index (rows->cells, Cell, c), i, lines);
    }
  if (rows->notes != NULL)
    append_notes (rows, block->t_ns[i], lines);
  end_line (rows, lines);
}

static gboolean
append_next_samples (GilkRows *rows, GString *lines, uint64_t *n, GError **error)
{
  GilkSampleBlock block;

  if (!gilk_samples_next (rows->samples, &block, error))
    return FALSE;
  for (guint i = 0; i < block.n; i++)
    append_sample (rows, &block,
                   rows->labels->pdata[gilk_hook_index_find (rows->index, block.hook[i])], i, lines);
  *n = block.n;

  return TRUE;
}

static gboolean
append_next_readings (GilkRows *rows, GString *lines, uint64_t *n, GError **error)
{
  char **before = (char **) rows->before->pdata;
  GilkReading reading;

  for (*n = 0; *n < READINGS_ONCE && gilk_readings_next (rows->readings, &reading, error); ++*n)
    {
      g_string_append (lines, rows->labels->pdata[reading.hook]);
      g_string_append (lines, before[1]);
      gilk_append_int (lines, reading.t_ns);
      g_string_append (lines, before[2]);
      gilk_append_uint (lines, reading.hits);
      if (rows->notes != NULL)
        append_notes (rows, reading.t_ns, lines);
      end_line (rows, lines);
    }

  return *n > 0;
}

gboolean
gilk_rows_next (GilkRows *rows,
                GString  *lines,
                uint64_t *n,
                GError  **error)
{
  uint64_t added = 0;
  GError *local = NULL;
  gboolean more = rows->samples != NULL ? append_next_samples (rows, lines, &added, &local)
                                        : append_next_readings (rows, lines, &added, &local);

  if (n != NULL)
    *n += added;
  if (local != NULL)
    g_propagate_error (error, local);

  return more && local == NULL;
}

/* ---- as a table ---- */

/* Returns the CSV field at @at and moves @at to the comma or line end after it. (transfer full) */
static char *
parse_field (const char **at)
{
  GString *text = g_string_new (NULL);
  const char *c = *at;

  if (*c == '"')
    {
      for (c++; *c != '\0' && (c[0] != '"' || c[1] == '"'); c++)
        {
          c += *c == '"';
          g_string_append_c (text, *c);
        }
      c += *c == '"';
    }
  else
    {
      g_string_append_len (text, c, (gssize) strcspn (c, ",\r\n"));
      c += strcspn (c, ",\r\n");
    }
  *at = c;

  return g_string_free (text, FALSE);
}

/* Returns the fields of the line at @at and moves @at to the next line. (transfer full) */
static GStrv
parse_line (const char **at)
{
  GPtrArray *fields = g_ptr_array_new ();

  g_ptr_array_add (fields, parse_field (at));
  while (**at == ',')
    {
      (*at)++;
      g_ptr_array_add (fields, parse_field (at));
    }
  *at += strspn (*at, "\r\n");
  g_ptr_array_add (fields, NULL);

  return (GStrv) g_ptr_array_free (fields, FALSE);
}

static void
add_lines (GilkRowsTable *table, const char *lines, guint most)
{
  guint n_columns = g_strv_length (table->columns);

  while (*lines != '\0' && table->rows->len < most)
    {
      GStrv row = parse_line (&lines);

      if (g_strv_length (row) == n_columns)
        g_ptr_array_add (table->rows, row);
      else
        g_strfreev (row);
    }
  table->more |= *lines != '\0';
}

GilkRowsTable *
gilk_rows_table_read (GilkStore            *store,
                      const GilkRowsChoice *choice,
                      guint                 most,
                      GError              **error)
{
  g_autoptr(GilkRowsTable) table = g_new0 (GilkRowsTable, 1);
  g_autoptr(GilkRows) rows = gilk_rows_new (store, choice, GILK_ROWS_CSV, error);
  g_autoptr(GString) lines = g_string_new (NULL);
  GError *local = NULL;
  const char *header;

  if (rows == NULL)
    return NULL;
  gilk_rows_header (rows, lines);
  header = lines->str;
  table->columns = parse_line (&header);
  table->rows = g_ptr_array_new_with_free_func ((GDestroyNotify) g_strfreev);
  g_string_truncate (lines, 0);
  while (!table->more && gilk_rows_next (rows, lines, NULL, &local))
    {
      add_lines (table, lines->str, most);
      g_string_truncate (lines, 0);
    }
  if (!gilk_check_end (&local, error))
    return NULL;

  return g_steal_pointer (&table);
}

void
gilk_rows_table_free (GilkRowsTable *table)
{
  g_clear_pointer (&table->columns, g_strfreev);
  g_clear_pointer (&table->rows, g_ptr_array_unref);
  g_free (table);
}
