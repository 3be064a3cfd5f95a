/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-dwarf-lines.c - finds source lines by address, and addresses by source line
 */
#include <string.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-memory.h"
#include "core/debug/gilk-dwarf-private.h"

enum { LINES_MAX = 1 << 24, PATH_LONGEST = 4096 };

GILK_DEFINE_CLEAR (clear_line, GilkDwarfLine, line, gilk_free_all (line->function, line->file))

static char *
copy_name (Dwarf_Die *die)
{
  const char *name = dwarf_diename (die);

  return g_strdup (name != NULL && g_utf8_validate (name, -1, NULL) ? name : NULL);
}

static char *
make_path (Dwarf_Die *unit, const char *path)
{
  return path != NULL && strlen (path) < PATH_LONGEST && g_utf8_validate (path, -1, NULL) ? gilk_dwarf_file (unit, path)
                                                                                          : NULL;
}

/* ---- lines of an address ---- */

static guint
read_number (Dwarf_Die *die, guint name)
{
  Dwarf_Attribute attribute;
  Dwarf_Word number;

  if (dwarf_formudata (dwarf_attr (die, name, &attribute), &number) != 0 || number > G_MAXINT32)
    return 0;

  return (guint) number;
}

/* Returns the file and line of the call that the compiler replaced by @inlined, a copy of the
 * function. */
static GilkDwarfLine
get_call_line (Dwarf_Die *unit, Dwarf_Die *inlined)
{
  const guint index = read_number (inlined, DW_AT_call_file);
  Dwarf_Files *files;
  size_t n;

  return (GilkDwarfLine) {
    .file = dwarf_getsrcfiles (unit, &files, &n) == 0 && index < n
            ? make_path (unit, dwarf_filesrc (files, index, NULL, NULL)) : NULL,
    .line = read_number (inlined, DW_AT_call_line), .column = read_number (inlined, DW_AT_call_column),
  };
}

static GilkDwarfLine
get_own_line (Dwarf_Die *unit, uint64_t addr)
{
  Dwarf_Line *found = dwarf_getsrc_die (unit, addr);
  GilkDwarfLine line = { .file = NULL };
  int number = 0, column = 0;

  if (found == NULL)
    return line;
  line.file = make_path (unit, dwarf_linesrc (found, NULL, NULL));
  if (dwarf_lineno (found, &number) == 0)
    line.line = (guint) MAX (number, 0);
  if (dwarf_linecol (found, &column) == 0)
    line.column = (guint) MAX (column, 0);

  return line;
}

GArray *
gilk_dwarf_lines (GilkDwarf *dwarf,
                  uint64_t   addr)
{
  GArray *lines = gilk_array_new (sizeof (GilkDwarfLine), clear_line);
  GilkDwarfScopes scopes;
  GilkDwarfLine line;

  addr -= dwarf->bias;
  if (!gilk_dwarf_scopes (dwarf, addr, &scopes) && scopes.n == 0)
    return lines;
  line = get_own_line (&scopes.dies[0], addr);
  for (guint i = scopes.n; i-- > 1;)
    {
      if (!gilk_dwarf_is_function (&scopes.dies[i]))
        continue;
      line.function = copy_name (&scopes.dies[i]);
      line.is_inlined = dwarf_tag (&scopes.dies[i]) == DW_TAG_inlined_subroutine;
      g_array_append_val (lines, line);
      if (!line.is_inlined)
        return lines;
      line = get_call_line (&scopes.dies[0], &scopes.dies[i]);
    }
  /* No function contains this code; it may be assembly code. */
  if (line.line != 0)
    g_array_append_val (lines, line);
  else
    clear_line (&line);

  return lines;
}

/* ---- addresses of a line ---- */

typedef struct {
  GilkDwarf  *dwarf;
  const char *file;
  guint       line, nearest;
  guint       begins;        /* first line of the function that contains @locations; 0: unknown */
  GArray     *locations;     /* (element-type GilkDwarfLocation): locations found so far */
  GHashTable *seen;  /* table from the offset of a scope's DIE to its index in @locations, plus 1 */
} Search;

GILK_DEFINE_CLEAR (clear_location, GilkDwarfLocation, location,
                   gilk_free_all (location->function, location->into))

GArray *
gilk_dwarf_locations_new (void)
{
  GArray *locations = gilk_array_new (sizeof (GilkDwarfLocation), clear_location);

  return locations;
}

GILK_DEFINE_ORDER (compare_locations, GilkDwarfLocation, addr)

void
gilk_dwarf_locations_sort (GArray *locations)
{
  g_array_sort (locations, compare_locations);
}

/* Returns whether @path ends with the components @end, as "fs/pipe.c" ends with "pipe.c". */
static gboolean
ends_with (const char *path, const char *end)
{
  const gsize length = strlen (path), tail = strlen (end);

  return tail <= length && strcmp (path + length - tail, end) == 0 && (tail == length || path[length - tail - 1] == '/');
}

/*
 * Returns the index of the scope whose source contains the requested line; 0: none. This is the
 * function of the same file that starts last before the line. It need not be the
 * innermost scope, because code around an inlined copy may also have rows for the line in the line
 * table.
 */
static guint
find_written_scope (const Search *search, GilkDwarfScopes *scopes, guint *begins)
{
  guint best = 0;

  *begins = 0;
  for (guint i = 1; i < scopes->n; i++)
    {
      const char *file = gilk_dwarf_is_function (&scopes->dies[i]) ? dwarf_decl_file (&scopes->dies[i]) : NULL;
      int line = 0;

      if (file == NULL || !ends_with (file, search->file) || dwarf_decl_line (&scopes->dies[i], &line) != 0 ||
          line > (int) search->line || line < (int) *begins)
        continue;
      best = i;
      *begins = (guint) line;
    }

  return best;
}

/* Accepts a function that starts at line @begins, unless an accepted function starts later. The
 * function that starts last contains the line, so locations in other functions are discarded. */
static gboolean
accept_function (Search *search, guint begins)
{
  if (begins < search->begins)
    return FALSE;
  if (begins > search->begins)
    {
      g_array_set_size (search->locations, 0);
      g_hash_table_remove_all (search->seen);
    }
  search->begins = begins;

  return TRUE;
}

static void
add_location (Search *search, uint64_t addr)
{
  GilkDwarfScopes scopes;
  GilkDwarfLocation location = { .addr = addr + search->dwarf->bias }, *before;
  guint inner, begins;
  gpointer key;

  if (!gilk_dwarf_scopes (search->dwarf, addr, &scopes))
    return;
  inner = find_written_scope (search, &scopes, &begins);
  if (!accept_function (search, begins) || search->locations->len >= GILK_DWARF_LOCATIONS_MAX)
    return;
  if (inner == 0)
    for (inner = scopes.n - 1; inner > 1 && !gilk_dwarf_is_function (&scopes.dies[inner]);)
      inner--;
  key = GSIZE_TO_POINTER (dwarf_dieoffset (&scopes.dies[inner]));
  if (g_hash_table_contains (search->seen, key))
    {
      before = &g_array_index (search->locations, GilkDwarfLocation, GPOINTER_TO_SIZE (g_hash_table_lookup (search->seen, key)) - 1);
      before->addr = MIN (before->addr, location.addr);
      return;
    }
  location.function = copy_name (&scopes.dies[inner]);
  location.into = copy_name (&scopes.dies[1]);
  g_array_append_val (search->locations, location);
  g_hash_table_insert (search->seen, key, GSIZE_TO_POINTER (search->locations->len));
}

/* Returns an array with one byte for each file of the unit, non-zero if the file matches; NULL if
 * no file matches. (transfer full) */
static guint8 *
find_files (const Search *search, Dwarf_Die *unit, size_t *n)
{
  Dwarf_Files *files;
  guint8 *meant;
  gboolean any = FALSE;

  if (dwarf_getsrcfiles (unit, &files, n) != 0 || *n > LINES_MAX)
    return NULL;
  meant = g_new0 (guint8, *n + 1);
  for (size_t i = 0; i < *n; i++)
    {
      const char *path = dwarf_filesrc (files, i, NULL, NULL);

      meant[i] = path != NULL && ends_with (path, search->file);
      any |= meant[i];
    }
  if (!any)
    g_clear_pointer (&meant, g_free);

  return meant;
}

static void
search_unit (Search *search, Dwarf_Die *unit)
{
  Dwarf_Lines *lines;
  size_t n, n_files;
  g_autofree guint8 *meant = find_files (search, unit, &n_files);

  if (meant == NULL || dwarf_getsrclines (unit, &lines, &n) != 0)
    return;
  for (size_t i = 0; i < MIN (n, LINES_MAX); i++)
    {
      Dwarf_Line *each = dwarf_onesrcline (lines, i);
      const char *path = NULL;
      Dwarf_Addr addr;
      bool begins = false, ends = false;
      int number = 0;

      if (each == NULL || dwarf_lineno (each, &number) != 0 || number < (int) search->line ||
          dwarf_lineendsequence (each, &ends) != 0 || ends || dwarf_linebeginstatement (each, &begins) != 0 || !begins ||
          dwarf_lineaddr (each, &addr) != 0 || (path = dwarf_linesrc (each, NULL, NULL)) == NULL ||
          !ends_with (path, search->file))
        continue;
      if (number == (int) search->line)
        add_location (search, addr);
      else if (search->nearest == 0 || (guint) number < search->nearest)
        search->nearest = (guint) number;
    }
}

/* Searches the units whose main source file has the requested name. With @all, searches every unit,
 * because any unit may include a header. */
static void
search_units (Search *search, gboolean all)
{
  for (guint i = 0; i < search->dwarf->units->len; i++)
    {
      Dwarf_Die unit;
      const char *name;

      if (dwarf_offdie (search->dwarf->dwarf, g_array_index (search->dwarf->units, Dwarf_Off, i), &unit) == NULL)
        continue;
      name = dwarf_diename (&unit);
      if (all || (name != NULL && ends_with (name, search->file)))
        search_unit (search, &unit);
    }
}

GArray *
gilk_dwarf_locations (GilkDwarf  *dwarf,
                      const char *file,
                      guint       line,
                      guint      *nearest)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  Search search = { .dwarf = dwarf, .file = file, .line = line, .seen = seen };

  search.locations = gilk_dwarf_locations_new ();
  gilk_dwarf_index (dwarf);
  search_units (&search, FALSE);
  if (search.locations->len == 0 && search.nearest == 0)
    search_units (&search, TRUE);
  gilk_dwarf_locations_sort (search.locations);
  *nearest = search.nearest;

  return search.locations;
}
