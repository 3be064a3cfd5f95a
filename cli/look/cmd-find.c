/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd-find.c - gilk find: finds functions by part of their name
 */
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>

#include "cli/base/kernel.h"
#include "cli/base/output.h"
#include "cli/look/find-tracepoints.h"
#include "core/base/gilk-refusal.h"
#include "core/cfg/gilk-function.h"
#include "core/cfg/gilk-locate.h"

#define LIMIT_PRESET 40
#define ALIASES_SHOWN 2      /* maximum number of aliases shown per function */

typedef struct {
  gboolean details;        /* show the number of blocks and instructions, too: needs each function's
                            * graph */
  int      limit;          /* maximum number of functions to list; 0: no limit */
} Options;

typedef struct {
  guint blocks, insns, refusal;
  gboolean known;
} Details;

static Details
get_details (const CliKernel *kernel, GilkDecoder *decoder, const GilkFunction *function)
{
  Details details = { .refusal = function->refusal };
  g_autoptr(GilkCfg) cfg = gilk_cfg_new (kernel->functions, function, decoder, NULL);

  if (cfg != NULL)
    {
      details.blocks = cfg->n_blocks;
      details.insns = cfg->n_insns;
      details.refusal = cfg->refusal;
      details.known = TRUE;
    }
  return details;
}

static void
write_json (Cli *cli, const CliKernel *kernel, const GilkFunction *function, const Details *details)
{
  g_autofree char *full_name = gilk_functions_name (kernel->functions, function);
  g_autoptr(GPtrArray) aliases = gilk_functions_aliases (kernel->functions, function);

  cli_json_row (cli->doc, NULL);
  cli_json_string (cli->doc, "name", function->name);
  cli_json_string (cli->doc, "full_name", full_name);
  cli_json_array (cli->doc, "aliases");
  for (guint i = 0; i < aliases->len; i++)
    cli_json_string (cli->doc, NULL, g_ptr_array_index (aliases, i));
  cli_json_end (cli->doc);
  cli_json_string (cli->doc, "module", cli_module_name (kernel, function));
  cli_json_address (cli->doc, "address", function->hot.start);
  cli_json_uint (cli->doc, "bytes", cli_function_bytes (function));
  if (details != NULL && details->known)
    {
      cli_json_uint (cli->doc, "blocks", details->blocks);
      cli_json_uint (cli->doc, "instructions", details->insns);
    }
  if (details != NULL || function->refusal != 0)
    {
      guint refusal = details != NULL ? details->refusal : function->refusal;

      cli_json_string (cli->doc, "refusal", refusal != 0 ? gilk_refusal_name (refusal) : NULL);
    }
  cli_json_end (cli->doc);
}

static void
add_row (CliTable *table, const CliKernel *kernel, const GilkFunction *function,
         const Details *details)
{
  guint refusal = details != NULL ? details->refusal : function->refusal;
  guint ordinal = gilk_functions_ordinal (kernel->functions, function);
  g_autoptr(GPtrArray) aliases = gilk_functions_aliases (kernel->functions, function);
  g_autoptr(GString) names = g_string_new (function->name);

  if (ordinal != 0)
    g_string_append_printf (names, "@%u", ordinal);
  for (guint i = 0; i < MIN (aliases->len, ALIASES_SHOWN); i++)
    g_string_append_printf (names, " = %s", (const char *) g_ptr_array_index (aliases, i));
  if (aliases->len > ALIASES_SHOWN)
    g_string_append_printf (names, ngettext (" and %u more", " and %u more", aliases->len - ALIASES_SHOWN),
                            aliases->len - ALIASES_SHOWN);
  cli_table_cell (table, names->str);
  cli_table_cell (table, cli_module_name (kernel, function));
  cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) cli_function_bytes (function));
  if (details != NULL)
    {
      cli_table_cellf (table, details->known ? "%u" : "-", details->blocks);
      cli_table_cellf (table, details->known ? "%u" : "-", details->insns);
    }
  cli_table_cell (table, refusal != 0 ? gilk_refusal_name (refusal) : "");
  cli_table_tint (table, CLI_TINT_BAD);
}

static void
list_matches (Cli *cli, const CliKernel *kernel, const GArray *matches, guint shown,
              const Options *options)
{
  g_autoptr(CliTable) table = cli_table_new (options->details
                                             ? _("~FUNCTION|<MODULE|>BYTES|>BLOCKS|>INSNS|<REFUSED")
                                             : _("~FUNCTION|<MODULE|>BYTES|<REFUSED"));
  g_autoptr(GilkDecoder) decoder = options->details ? gilk_decoder_new () : NULL;

  for (guint i = 0; i < shown; i++)
    {
      const GilkFunction *function = g_array_index (matches, GilkMatch, i).function;
      Details details = { 0 };

      if (g_cancellable_is_cancelled (cli->cancellable))
        return;
      if (options->details)
        {
          gilk_progress (cli_progress_for_core (cli->progress), _("Building graphs"),
                         (double) i / shown);
          details = get_details (kernel, decoder, function);
        }
      if (cli->doc != NULL)
        write_json (cli, kernel, function, options->details ? &details : NULL);
      else
        add_row (table, kernel, function, options->details ? &details : NULL);
    }
  cli_progress_clear (cli->progress);
  cli_print_table (cli, table);
}

/* ---- finding where a function was inlined ---- */

/* Returns whether @pattern is a whole name. Inlining is looked up only for whole names, not for
 * parts of names or globs. */
static gboolean
is_whole_name (const char *pattern)
{
  g_autofree char *path = NULL;

  if (gilk_function_is_user (pattern) && !gilk_function_split_user (pattern, &path, &pattern))
    return FALSE;

  return *pattern != '\0' &&
         pattern[strspn (pattern, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "_:-")] == '\0';
}

static char *
format_location (GilkFunctions *functions, const GilkDwarfLocation *location)
{
  const GilkFunction *function = gilk_functions_at (functions, location->addr);
  g_autofree char *name = function != NULL ? gilk_functions_name (functions, function) : NULL;
  g_autofree char *offset = function != NULL ? gilk_locate_offset_text (function, location->addr) : NULL;

  return function != NULL ? g_strconcat (name, offset, NULL) : NULL;
}

/* Returns the locations at which the function is inlined; NULL if there are none, or debug data are
 * missing. */
static GArray *
find_inlined (Cli *cli, const CliKernel *kernel, const char *name, gboolean *more)
{
  g_autoptr(GArray) locations = NULL;

  gilk_progress (cli_progress_for_core (cli->progress), _("Searching for inlined copies"), -1.0);
  locations = gilk_locate_inlined (kernel->functions, name, more, cli->cancellable, NULL);
  cli_progress_clear (cli->progress);

  return locations != NULL && locations->len > 0 ? g_steal_pointer (&locations) : NULL;
}

static void
add_location (Cli *cli, CliTable *table, const char *place, const GilkDwarfLocation *location)
{
  if (cli->doc == NULL)
    {
      cli_table_cell (table, place);
      cli_table_cell (table, location->into != NULL ? location->into : "");
      return;
    }
  cli_json_row (cli->doc, NULL);
  cli_json_string (cli->doc, "location", place);
  cli_json_address (cli->doc, "address", location->addr);
  cli_json_string (cli->doc, "into", location->into);
  cli_json_end (cli->doc);
}

/* Lists up to @limit of @locations. @more: whether more locations exist */
static void
list_inlined (Cli *cli, const CliKernel *kernel, const char *name, const GArray *locations, guint limit, gboolean more)
{
  g_autoptr(CliTable) table = cli_table_new (_("~INLINED AT|<INTO"));
  GilkFunctions *functions = gilk_locate_functions (kernel->functions, name, NULL);
  guint n = 0;

  cli_json_array (cli->doc, "inlined");
  for (guint i = 0; functions != NULL && locations != NULL && i < locations->len; i++)
    {
      const GilkDwarfLocation *location = &g_array_index (locations, GilkDwarfLocation, i);
      g_autofree char *place = format_location (functions, location);

      if (place != NULL && n++ < limit)
        add_location (cli, table, place, location);
    }
  cli_json_end (cli->doc);
  if (n > 0)
    cli_print_table (cli, table);
  if (more)
    cli_note (cli, _("The function is inlined in more than %d places."), GILK_DWARF_LOCATIONS_MAX);
  else if (n > 0)
    cli_note (cli, ngettext ("The function is inlined in %u place; --hook %s:inlined hooks that "
                             "place.",
                             "The function is inlined in %u places; --hook %s:inlined hooks all "
                             "these places.", n), n, name);
}

/* Searches the kernel for functions or, if @pattern is user:PATH:PATTERN, the program at PATH. NULL
 * with @error: the program cannot be read. */
static GArray *
find_functions (const CliKernel *kernel, const char *pattern, guint limit, GError **error)
{
  GilkFunctions *functions = kernel->functions;
  g_autofree char *path = NULL;

  if (gilk_function_is_user (pattern) && gilk_function_split_user (pattern, &path, &pattern))
    functions = gilk_functions_program (functions, path, error);

  return functions != NULL ? gilk_functions_find (functions, pattern, limit) : NULL;
}

gboolean
cmd_find (Cli *cli, int argc, char **argv, GError **error)
{
  Options options = { .limit = LIMIT_PRESET };
  const GOptionEntry entries[] = {
    { "details", 'l', 0, G_OPTION_ARG_NONE, &options.details,
      N_("Also show block and instruction counts and, if debug data exist, where functions were inlined"), NULL },
    { "limit", 'n', 0, G_OPTION_ARG_INT, &options.limit,
      N_("Show at most COUNT functions, 0 for all (default 40)"), N_("COUNT") },
    { NULL },
  };
  g_auto(CliKernel) kernel = { 0 };
  g_autoptr(GArray) matches = NULL, locations = NULL;
  gboolean more = FALSE;
  char **words;
  guint limit, shown;

  if (!cli_parse (cli, argc, argv, entries,
                  _("PATTERN is part of a name, some of its letters in order (\"pipwr\" finds pipe_write), or a glob "
                    "with * and ?. The best match comes first. If nothing matches and there are debug data, places "
                    "at which a function of that name was inlined are listed. With tracepoint:SYSTEM:NAME, "
                    "tracepoints are listed with their arguments; SYSTEM and NAME can be whole names, parts of names "
                    "or globs."),
                  1, 1, &words, error))
    return FALSE;
  if (options.limit < 0)
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("Invalid --limit %d. Give a count, or 0 for all."), options.limit);
  if (!cli_kernel_open (cli, &kernel, error))
    return FALSE;

  if (g_str_has_prefix (words[0], "tracepoint:"))
    return cli_find_tracepoints (cli, &kernel, words[0], (guint) options.limit, error);
  limit = options.limit == 0 ? G_MAXUINT : (guint) options.limit + 1;
  matches = find_functions (&kernel, words[0], limit, error);
  if (matches == NULL)
    return FALSE;
  shown = options.limit == 0 ? matches->len : MIN (matches->len, (guint) options.limit);
  if ((matches->len == 0 || options.details) && is_whole_name (words[0]))
    locations = find_inlined (cli, &kernel, words[0], &more);
  if (matches->len == 0 && locations == NULL)
    {
      if (gilk_function_is_user (words[0]))
        g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                     _("No function of that program matches \"%s\". Try fewer letters. A function "
                       "that was inlined is only found by its whole name, and only if the "
                       "program's debug data are available."), words[0]);
      else
        g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                     _("No function of %s on %s matches \"%s\". Try fewer letters."),
                     gilk_target_release (kernel.target), cli->target, words[0]);
      return FALSE;
    }

  cli_kernel_to_json (cli, kernel.target);
  cli_json_array (cli->doc, "functions");
  if (matches->len > 0)
    list_matches (cli, &kernel, matches, shown, &options);
  if (g_cancellable_set_error_if_cancelled (cli->cancellable, error))
    return FALSE;
  cli_json_end (cli->doc);
  cli_json_bool (cli->doc, "more", shown < matches->len);
  list_inlined (cli, &kernel, words[0], locations, options.limit == 0 ? G_MAXUINT : (guint) options.limit, more);
  if (shown < matches->len)
    cli_note (cli, _("More functions match; --limit 0 shows all."));
  return TRUE;
}
