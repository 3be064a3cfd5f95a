/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-export-lcov.c - exports the block coverage of a run's functions as an lcov tracefile
 *
 * A function's disassembly is the source file, one instruction per line. If the hits of a hook in a
 * block are known, the lines of the block have the hook's count. Lines of other blocks are not
 * listed, because their counts are unknown. The count of a branch is known if the branch is the
 * only edge into a counted block, or if the count of the block's other branch is known.
 */
#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-strings.h"
#include "core/base/gilk-error.h"
#include "core/export/gilk-export-private.h"

#define UNKNOWN G_MAXUINT64

static const char *const ours[] = { "*.s", NULL };

typedef struct {
  const GilkExportJob      *job;
  GilkSink                 *sink;
  GilkPartFolder            folder;
  char                     *base;     /* prefix of the source files' names in the tracefile: their
                                       * folder and "/", or "" */
  GHashTable               *files;    /* set of names of source files that are in use */
  GString                  *source, *lines, *branches;

  const GilkStoredFunction *function;
  GArray                   *blocks, *edges;   /* blocks and edges of @function: (element-type
                                               * GilkStoredBlock) and (element-type
                                               * GilkStoreEdge) */
  uint64_t                 *counts;   /* for each block: its hit count, or UNKNOWN */
  guint                    *ins;      /* for each block: number of edges into the block */
  guint                     line;     /* number of lines of the current source file written so
                                       * far */
  guint                     n_lines, n_lines_hit, n_branches, n_branches_hit;
} Lcov;

/* ---- hit counts of blocks ---- */

static gboolean
is_in_function (const GilkStoredHook *hook, const GilkStoredFunction *function)
{
  return strcmp (hook->function, function->name) == 0 && g_strcmp0 (hook->module, function->module) == 0;
}

/* Copies the blocks' counts from their hooks. A block that always runs to its end may have two
 * hooks: then the greater count is used, because the hook with the greater count was on longer. */
static void
read_counts (Lcov *lcov)
{
  g_autoptr(GHashTable) places = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint b = 0; b < lcov->blocks->len; b++)
    {
      lcov->counts[b] = UNKNOWN;
      g_hash_table_insert (places, g_array_index (lcov->blocks, GilkStoredBlock, b).name, GUINT_TO_POINTER (b + 1));
    }
  for (guint i = 0; i < lcov->job->n_hooks; i++)
    {
      const GilkStoredHook *hook = &lcov->job->hooks[i];
      guint b;

      if (!hook->hits_known || !is_in_function (hook, lcov->function))
        continue;
      b = GPOINTER_TO_UINT (g_hash_table_lookup (places, hook->block));
      if (b == 0)
        continue;
      b--;
      lcov->counts[b] = lcov->counts[b] == UNKNOWN ? hook->hits : MAX (lcov->counts[b], hook->hits);
    }
  for (guint e = 0; e < lcov->edges->len; e++)
    {
      const GilkStoreEdge *edge = &g_array_index (lcov->edges, GilkStoreEdge, e);

      if (edge->to < lcov->blocks->len)
        lcov->ins[edge->to]++;
    }
}

/* Returns the count of the block that @edge leads to, if no other edge leads there. */
static uint64_t
count_only_successor (const Lcov *lcov, const GilkStoreEdge *edge)
{
  const GilkStoredBlock *block;

  if (edge->to >= lcov->blocks->len || lcov->ins[edge->to] != 1)
    return UNKNOWN;
  block = &g_array_index (lcov->blocks, GilkStoredBlock, edge->to);

  return block->start == lcov->function->entry ? UNKNOWN : lcov->counts[edge->to];
}

/* ---- writes the lines and branches of one block ---- */

static void
put_uint (GString *text, const char *before, uint64_t value)
{
  g_string_append (text, before);
  gilk_append_uint (text, value);
}

static void
put_branch (Lcov *lcov, guint block, guint branch, uint64_t taken)
{
  put_uint (lcov->branches, "BRDA:", lcov->line);
  put_uint (lcov->branches, ",", block);
  put_uint (lcov->branches, ",", branch);
  if (lcov->counts[block] == 0)
    g_string_append (lcov->branches, ",-\n");
  else
    {
      put_uint (lcov->branches, ",", taken);
      g_string_append_c (lcov->branches, '\n');
    }
  lcov->n_branches++;
  lcov->n_branches_hit += taken > 0;
}

/* Writes the branches of a block that ends in a conditional jump. @first: index of the block's
 * first edge. */
static void
put_branches (Lcov *lcov, guint block, guint first)
{
  const GilkStoreEdge *edges = (const GilkStoreEdge *) (const void *) lcov->edges->data;
  uint64_t all = lcov->counts[block], taken, passed;
  const GilkStoreEdge *jump = NULL, *fall = NULL;

  for (guint e = first; e < lcov->edges->len && edges[e].from == block; e++)
    {
      jump = edges[e].kind == 1 ? &edges[e] : jump;
      fall = edges[e].kind == 2 ? &edges[e] : fall;
    }
  if (jump == NULL || fall == NULL || all == UNKNOWN)
    return;
  taken = count_only_successor (lcov, jump);
  passed = count_only_successor (lcov, fall);
  if (taken == UNKNOWN && passed != UNKNOWN && passed <= all)
    taken = all - passed;
  else if (passed == UNKNOWN && taken != UNKNOWN && taken <= all)
    passed = all - taken;
  if (taken == UNKNOWN || passed == UNKNOWN)
    return;
  put_branch (lcov, block, 0, taken);
  put_branch (lcov, block, 1, passed);
}

static void
put_source_line (Lcov *lcov, const char *text, gsize length)
{
  g_string_append_len (lcov->source, text, (gssize) length);
  g_string_append_c (lcov->source, '\n');
  lcov->line++;
}

static void
put_instruction (Lcov *lcov, guint block, const char *text, gsize length)
{
  g_string_append (lcov->source, "        ");
  put_source_line (lcov, text, length);
  if (lcov->counts[block] == UNKNOWN)
    return;
  put_uint (lcov->lines, "DA:", lcov->line);
  put_uint (lcov->lines, ",", lcov->counts[block]);
  g_string_append_c (lcov->lines, '\n');
  lcov->n_lines++;
  lcov->n_lines_hit += lcov->counts[block] > 0;
}

static void
put_block (Lcov *lcov, guint i, guint first_edge)
{
  const GilkStoredBlock *block = &g_array_index (lcov->blocks, GilkStoredBlock, i);
  g_autofree char *label = g_strconcat (block->name, ":", NULL);
  const char *at = block->text != NULL ? block->text : "";

  put_source_line (lcov, label, strlen (label));
  while (*at != '\0')
    {
      gsize length = strcspn (at, "\n");

      put_instruction (lcov, i, at, length);
      at += length + (at[length] == '\n');
    }
  put_branches (lcov, i, first_edge);
}

/* ---- writes the record of one function ---- */

/* Returns a unique name for the function's source file, valid on any file system. (transfer
 * none) */
static const char *
name_file (Lcov *lcov)
{
  const char *module = lcov->function->module;
  gboolean own = module != NULL && *module != '\0' && strcmp (module, "kernel") != 0;
  g_autofree char *plain = g_strconcat (own ? module : "", own ? "." : "", lcov->function->name, NULL);
  char *name;

  for (char *c = plain; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c) && strchr ("_.@-", *c) == NULL)
      *c = '_';
  plain[MIN (strlen (plain), 200u)] = '\0';
  if (*plain == '.' || *plain == '-')
    *plain = '_';
  name = g_strconcat (plain, ".s", NULL);
  for (guint i = 2; g_hash_table_contains (lcov->files, name); i++)
    {
      g_free (name);
      name = g_strdup_printf ("%s-%u.s", plain, i);
    }
  g_hash_table_add (lcov->files, name);

  return name;
}

static guint
find_entry_line (Lcov *lcov, guint *entry)
{
  guint line = 2;

  for (guint i = 0; i < lcov->blocks->len; i++)
    {
      const GilkStoredBlock *block = &g_array_index (lcov->blocks, GilkStoredBlock, i);

      if (block->start == lcov->function->entry)
        {
          *entry = i;
          return line;
        }
      line++;
      for (const char *c = block->text; c != NULL && *c != '\0';)
        {
          c += strcspn (c, "\n");
          c += *c == '\n';
          line++;
        }
    }

  return 0;
}

static void
put_record (Lcov *lcov, const char *file)
{
  GString *text = lcov->sink->text;
  guint entry = 0, line = find_entry_line (lcov, &entry);

  g_string_append_printf (text, "SF:%s%s\n", lcov->base, file);
  if (line > 0 && lcov->counts[entry] != UNKNOWN)
    {
      g_string_append_printf (text, "FN:%u,%s\n", line, lcov->function->name);
      put_uint (text, "FNDA:", lcov->counts[entry]);
      g_string_append_printf (text, ",%s\nFNF:1\nFNH:%u\n", lcov->function->name, lcov->counts[entry] > 0);
    }
  g_string_append_len (text, lcov->branches->str, (gssize) lcov->branches->len);
  if (lcov->n_branches > 0)
    g_string_append_printf (text, "BRF:%u\nBRH:%u\n", lcov->n_branches, lcov->n_branches_hit);
  g_string_append_len (text, lcov->lines->str, (gssize) lcov->lines->len);
  g_string_append_printf (text, "LF:%u\nLH:%u\nend_of_record\n", lcov->n_lines, lcov->n_lines_hit);
}

static void
make_source (Lcov *lcov)
{
  const GilkStoreEdge *edges = (const GilkStoreEdge *) (const void *) lcov->edges->data;
  g_autofree char *title = g_strdup_printf ("# %s, %s: an instruction a line, as it ran", lcov->function->name,
                                            lcov->function->module != NULL && *lcov->function->module != '\0'
                                            ? lcov->function->module : "kernel");
  guint edge = 0;

  g_string_truncate (lcov->source, 0);
  g_string_truncate (lcov->lines, 0);
  g_string_truncate (lcov->branches, 0);
  lcov->line = lcov->n_lines = lcov->n_lines_hit = lcov->n_branches = lcov->n_branches_hit = 0;
  put_source_line (lcov, title, strlen (title));
  for (guint i = 0; i < lcov->blocks->len; i++)
    {
      while (edge < lcov->edges->len && edges[edge].from < i)
        edge++;
      put_block (lcov, i, edge);
    }
}

static gboolean
put_function (Lcov *lcov, GError **error)
{
  g_autofree uint64_t *counts = g_new0 (uint64_t, lcov->blocks->len + 1);
  g_autofree guint *ins = g_new0 (guint, lcov->blocks->len + 1);
  const char *file;

  lcov->counts = counts;
  lcov->ins = ins;
  read_counts (lcov);
  make_source (lcov);
  if (lcov->n_lines == 0)
    return TRUE;
  file = name_file (lcov);
  put_record (lcov, file);

  return (lcov->job->sources == NULL ||
          gilk_part_folder_append (&lcov->folder, file, lcov->source->str, lcov->source->len, error)) &&
         gilk_sink_drain (lcov->sink, error);
}

static gboolean
put_functions (Lcov *lcov, GError **error)
{
  g_autoptr(GArray) functions = gilk_store_functions (lcov->job->store, lcov->job->run->id, error);

  for (guint i = 0; functions != NULL && i < functions->len; i++)
    {
      gboolean good;

      gilk_progress (lcov->job->progress, _("Writing functions"), (double) i / functions->len);
      lcov->function = &g_array_index (functions, GilkStoredFunction, i);
      if (!gilk_store_function (lcov->job->store, lcov->function, &lcov->blocks, &lcov->edges, error))
        return FALSE;
      good = put_function (lcov, error);
      g_array_unref (lcov->blocks);
      g_array_unref (lcov->edges);
      if (!good)
        return FALSE;
    }
  if (functions != NULL && g_hash_table_size (lcov->files) == 0)
    {
      g_set_error_literal (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                           _("No block of the functions of this run was "
                             "counted, or their disassembly was not kept. Record with hooks that count."));
      return FALSE;
    }

  return functions != NULL;
}

static void
put_test_name (Lcov *lcov)
{
  g_autofree char *name = g_strdup (lcov->job->run->title != NULL ? lcov->job->run->title : "");

  for (char *c = name; *c != '\0'; c++)
    if (!g_ascii_isalnum (*c))
      *c = '_';
  g_string_append_printf (lcov->sink->text, "TN:%s\n", name);
}

gboolean
gilk_export_lcov (const GilkExportJob *job,
                  GilkSink            *sink,
                  GError             **error)
{
  Lcov lcov = { .job = job, .sink = sink };
  gboolean good;

  if (job->sources != NULL)
    {
      g_autofree char *whole = g_canonicalize_filename (job->sources, NULL);

      if (!gilk_part_folder_open (&lcov.folder, whole, job->replace, ours, error))
        {
          gilk_part_folder_clear (&lcov.folder);
          return FALSE;
        }
      lcov.base = g_strconcat (whole, "/", NULL);
    }
  else
    lcov.base = g_strdup ("");
  lcov.files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  lcov.source = g_string_new (NULL);
  lcov.lines = g_string_new (NULL);
  lcov.branches = g_string_new (NULL);
  put_test_name (&lcov);
  good = put_functions (&lcov, error) && gilk_sink_finish (sink, error) &&
         (job->sources == NULL || gilk_part_folder_done (&lcov.folder, error));

  g_hash_table_unref (lcov.files);
  g_string_free (lcov.source, TRUE);
  g_string_free (lcov.lines, TRUE);
  g_string_free (lcov.branches, TRUE);
  gilk_part_folder_clear (&lcov.folder);
  g_free (lcov.base);

  return good;
}
