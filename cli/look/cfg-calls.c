/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfg-calls.c - gilk cfg --callers, --callees: lists direct and recorded callers and callees
 */
#include "cli/look/cfg.h"

#include <glib/gi18n.h>

#include "cli/base/output.h"
#include "cli/base/session.h"
#include "core/store/gilk-store-calls.h"

/* Formats an address within @function: "+0x41", in the cold part ".cold+0x3". (transfer full) */
static char *
format_offset (const GilkFunction *function, uint64_t site)
{
  gboolean hot = site - function->hot.start < function->hot.end - function->hot.start;

  return g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", hot ? "" : ".cold",
                          (guint64) (site - (hot ? function->hot.start : function->cold.start)));
}

static void
write_json (Cli *cli, const CliKernel *kernel, const GArray *partners, const char *key)
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
write_table (Cli *cli, const CliKernel *kernel, const GArray *partners, const GilkFunction *function, gboolean callers)
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
  if (cli->doc != NULL)
    cli_json_string (cli->doc, "function", function->name);
  for (gboolean which = TRUE; which >= FALSE; which--)
    {
      g_autoptr(GArray) partners = gilk_call_graph_partners (calls, function, which, seen);

      if (!(which ? callers : callees))
        continue;
      if (cli->doc != NULL)
        write_json (cli, kernel, partners, which ? "callers" : "callees");
      else
        write_table (cli, kernel, partners, function, which);
    }

  return TRUE;
}
