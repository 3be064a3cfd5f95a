/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfg-calls.c - gilk cfg --callers, --callees, --call-graph: shows direct and recorded callers
 * and callees
 */
#include "cli/look/cfg.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli/base/output.h"
#include "cli/base/session.h"
#include "core/plot/gilk-calls-picture.h"
#include "core/store/gilk-store-calls.h"

/* Formats an address within @function, such as "+0x41", or ".cold+0x3" in the function's cold part.
 * (transfer full) */
static char *
format_offset (const GilkFunction *function, uint64_t site)
{
  gboolean hot = site - function->hot.start < function->hot.end - function->hot.start;

  return g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", hot ? "" : ".cold",
                          (guint64) (site - (hot ? function->hot.start : function->cold.start)));
}

static void
write_partners_json (Cli *cli, const CliKernel *kernel, const GArray *partners, const char *key)
{
  cli_json_array (cli->doc, key);
  for (guint i = 0; i < partners->len; i++)
    {
      const GilkCallPartner *partner = &g_array_index (partners, GilkCallPartner, i);
      g_autofree char *name = gilk_functions_name (kernel->functions, partner->function);

      cli_json_row (cli->doc, NULL);
      cli_json_string (cli->doc, "function", name);
      cli_json_string (cli->doc, "module", cli_module_name (kernel, partner->function));
      cli_json_address (cli->doc, "address", partner->site);
      cli_json_uint (cli->doc, "calls", partner->n - partner->n_tail);
      cli_json_uint (cli->doc, "tail_calls", partner->n_tail);
      cli_json_uint (cli->doc, "recorded", partner->seen);
      cli_json_end (cli->doc);
    }
  cli_json_end (cli->doc);
}

static void
write_partners_table (Cli *cli, const CliKernel *kernel, const GArray *partners, const GilkFunction *function, gboolean callers)
{
  g_autoptr(CliTable) table = cli_table_new (callers ? _("~CALLER|<MODULE|>CALLS|>TAIL|>SEEN|<FIRST AT")
                                             : _("~CALLEE|<MODULE|>CALLS|>TAIL|>SEEN|<FIRST AT"));

  for (guint i = 0; i < partners->len; i++)
    {
      const GilkCallPartner *partner = &g_array_index (partners, GilkCallPartner, i);
      g_autofree char *name = gilk_functions_name (kernel->functions, partner->function);
      g_autofree char *place = format_offset (callers ? partner->function : function, partner->site);

      cli_table_cell (table, name);
      cli_table_cell (table, cli_module_name (kernel, partner->function));
      cli_table_cellf (table, "%u", partner->n - partner->n_tail);
      cli_table_cellf (table, "%u", partner->n_tail);
      cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) partner->seen);
      cli_table_cell (table, place);
    }
  cli_print_table (cli, table);
  if (partners->len == 0)
    cli_note (cli, callers ? _("%s has no direct callers; it may be called through a pointer.")
                   : _("%s makes no direct calls."), function->name);
}

static gboolean
read_seen_calls (Cli *cli, CliKernel *kernel, const char *path, GArray **seen, GError **error)
{
  g_auto(CliSession) session = { 0 };

  if (!cli_session_open (cli, path, 0, &session, error) || !cli_session_check_kernel (&session, kernel->target, path, error))
    return FALSE;
  *seen = gilk_store_seen_calls (session.store, session.run->id, kernel->functions, error);

  return *seen != NULL;
}

gboolean
cli_cfg_calls (Cli        *cli,
               CliKernel  *kernel,
               const char *name,
               gboolean    callers,
               gboolean    callees,
               const char *session,
               GError    **error)
{
  const GilkFunction *function = gilk_functions_lookup (kernel->functions, name, error);
  g_autoptr(GilkCallGraph) calls = NULL;
  g_autoptr(GArray) seen = NULL;

  if (function == NULL || (session != NULL && !read_seen_calls (cli, kernel, session, &seen, error)))
    return FALSE;
  calls = gilk_call_graph_new (kernel->functions, cli_progress_for_core (cli->progress), cli->cancellable, error);
  cli_progress_clear (cli->progress);
  if (calls == NULL)
    return FALSE;
  cli_json_string (cli->doc, "function", function->name);
  for (gboolean which = TRUE; which >= FALSE; which--)
    {
      g_autoptr(GArray) partners = gilk_call_graph_partners (calls, function, which, seen);

      if (!(which ? callers : callees))
        continue;
      if (cli->doc != NULL)
        write_partners_json (cli, kernel, partners, which ? "callers" : "callees");
      else
        write_partners_table (cli, kernel, partners, function, which);
    }

  return TRUE;
}

/* ---- gilk cfg --call-graph: shows callers and callees of a function, on several levels ---- */

typedef struct {
  Cli            *cli;
  CliKernel      *kernel;
  GilkCallAround *around;
  GHashTable     *hits;        /* number of hits by function, from a session; NULL: no session was
                                * given */
} View;

gboolean
cli_call_graph_parse_levels (const char *text, CliCallGraphOptions *options, GError **error)
{
  guint up = 1, down = 1;
  char rest;

  if (text != NULL && sscanf (text, "%1u,%1u%c", &up, &down, &rest) != 2)
    {
      if (sscanf (text, "%1u%c", &up, &rest) != 1)
        up = GILK_AROUND_LEVELS + 1;
      down = up;
    }
  if (up > GILK_AROUND_LEVELS || down > GILK_AROUND_LEVELS)
    return gilk_fail (error, GILK_ERROR_USAGE,
                      _("Invalid call-graph depth “%s”. Give a number of levels up to %d, e.g. 2, "
                        "or one number for callers and one for callees, e.g. 3,1."),
                      text, GILK_AROUND_LEVELS);
  options->up = up;
  options->down = down;

  return TRUE;
}

static gboolean
read_indirect_calls (View *view, const char *path, GArray **seen, GError **error)
{
  g_auto(CliSession) session = { 0 };

  if (!cli_session_open (view->cli, path, 0, &session, error) ||
      !cli_session_check_kernel (&session, view->kernel->target, path, error))
    return FALSE;
  *seen = gilk_store_seen_calls (session.store, session.run->id, view->kernel->functions, error);
  if (*seen != NULL)
    view->hits = gilk_store_call_hits (session.store, session.run->id, view->kernel->functions, error);

  return view->hits != NULL;
}

/* ---- printing the call graph as text or JSON ---- */

static void
write_json (const View *view)
{
  CliJson *json = view->cli->doc;
  const GilkCallAround *around = view->around;

  cli_json_array (json, "nodes");
  for (guint i = 0; i < around->n_nodes; i++)
    {
      const GilkAroundNode *node = &around->nodes[i];
      g_autofree char *name = gilk_functions_name (view->kernel->functions, node->function);
      uint64_t count;

      cli_json_row (json, NULL);
      cli_json_int (json, "level", node->level);
      cli_json_string (json, node->more > 0 ? "more_of" : "function", name);
      if (node->more > 0)
        cli_json_uint (json, "more", node->more);
      else
        {
          cli_json_string (json, "module", cli_module_name (view->kernel, node->function));
          cli_json_uint (json, "callers", node->n_callers);
          if (gilk_call_hits_get (view->hits, node->function, &count))
            cli_json_uint (json, "hits", count);
        }
      cli_json_end (json);
    }
  cli_json_end (json);

  cli_json_array (json, "edges");
  for (guint i = 0; i < around->n_edges; i++)
    {
      const GilkAroundEdge *edge = &around->edges[i];

      cli_json_row (json, NULL);
      cli_json_uint (json, "from", edge->from);
      cli_json_uint (json, "to", edge->to);
      cli_json_uint (json, "calls", edge->n - edge->n_tail);
      cli_json_uint (json, "tail_calls", edge->n_tail);
      cli_json_uint (json, "recorded", edge->seen);
      cli_json_bool (json, "back", edge->back);
      cli_json_end (json);
    }
  cli_json_end (json);
}

static char *
format_node (const View *view, guint index)
{
  const GilkAroundNode *node = &view->around->nodes[index];

  if (node->more > 0)
    return g_strdup_printf (g_dngettext (NULL, "%u more", "%u more", node->more), node->more);

  return gilk_functions_name (view->kernel->functions, node->function);
}

static void
write_table (const View *view)
{
  g_autoptr(CliTable) table = cli_table_new (_("~CALLER|~CALLEE|>CALLS|>TAIL|>SEEN"));
  const GilkCallAround *around = view->around;

  for (guint i = 0; i < around->n_edges; i++)
    {
      const GilkAroundEdge *edge = &around->edges[i];
      g_autofree char *from = format_node (view, edge->from), *to = format_node (view, edge->to);

      cli_table_cell (table, from);
      cli_table_cell (table, to);
      cli_table_cellf (table, "%u", edge->n - edge->n_tail);
      cli_table_cellf (table, "%u", edge->n_tail);
      cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) edge->seen);
    }
  cli_print_table (view->cli, table);
}

/* ---- drawing the call graph ---- */

static gboolean
write_picture (const View *view, const CliPicture *picture, GError **error)
{
  const GilkPlotStyle *style = picture->dark ? &gilk_plot_dark : &gilk_plot_light;
  g_autoptr(GilkCallsPicture) calls = gilk_calls_picture_new (view->around, view->kernel->functions, view->kernel->image,
                                                              view->hits, style, view->cli->cancellable, error);
  GilkCallsSheet sheet = { calls, style };

  return calls != NULL &&
         cli_picture_write (view->cli, picture, calls->layout->width + 2 * GILK_CALLS_MARGIN,
                            calls->layout->height + 2 * GILK_CALLS_MARGIN, gilk_calls_paint_sheet, &sheet, error);
}

static gboolean
show_graph (const View *view, const CliCallGraphOptions *options, GError **error)
{
  g_autofree char *dot = options->dot ? gilk_call_around_to_dot (view->around) : NULL;

  if (cli_picture_wanted (options->picture) && !write_picture (view, options->picture, error))
    return FALSE;
  if (view->cli->doc != NULL)
    {
      write_json (view);
      if (dot != NULL)
        cli_json_string (view->cli->doc, "dot", dot);
    }
  else if (dot != NULL)
    cli_write (dot, strlen (dot));
  else if (!cli_picture_wanted (options->picture))
    write_table (view);

  return TRUE;
}

gboolean
cli_cfg_call_graph (Cli *cli, CliKernel *kernel, const char *name, const CliCallGraphOptions *options, GError **error)
{
  const GilkFunction *function = gilk_functions_lookup (kernel->functions, name, error);
  g_autoptr(GilkCallGraph) calls = NULL;
  g_autoptr(GilkCallAround) around = NULL;
  g_autoptr(GArray) seen = NULL;
  g_autoptr(GHashTable) hits = NULL;
  GilkAroundOptions levels = { .up = options->up, .down = options->down };
  View view = { .cli = cli, .kernel = kernel };

  if (function == NULL || (options->session != NULL && !read_indirect_calls (&view, options->session, &seen, error)))
    return FALSE;
  hits = view.hits;
  calls = gilk_call_graph_new (kernel->functions, cli_progress_for_core (cli->progress), cli->cancellable, error);
  cli_progress_clear (cli->progress);
  if (calls == NULL)
    return FALSE;
  levels.seen = seen;
  levels.hits = hits;
  view.around = around = gilk_call_around_new (calls, function, &levels);

  return show_graph (&view, options, error);
}
