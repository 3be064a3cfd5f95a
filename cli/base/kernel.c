/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kernel.c - connects to the target and loads its kernel's symbols, for all commands
 */
#include "cli/base/kernel.h"

#include <glib/gi18n.h>

#include "cli/base/output.h"
#include "core/base/gilk-error.h"
#include "core/cfg/gilk-function.h"
#include "core/doctor/gilk-doctor.h"

GilkTarget *
cli_open_target (Cli *cli, GError **error)
{
  GilkTarget *target;

  if (!cli_choose_default_target (cli, error))
    return NULL;
  target = gilk_target_open (cli->target, cli_progress_for_core (cli->progress), cli->cancellable, error);
  cli_progress_clear (cli->progress);
  if (target == NULL)
    return NULL;
  gilk_target_use_cache (target);
  cli_remember_target (cli);

  return target;
}

/* Fails at once if the data given with --debug are damaged or of another kernel, rather than at
 * the end of a run. */
static gboolean
use_debug (Cli *cli, CliKernel *kernel, GError **error)
{
  g_autoptr(GError) local = NULL;
  g_autofree char *file = NULL;

  if (cli->debug == NULL)
    return TRUE;
  gilk_debug_use (gilk_image_debug (kernel->image), cli->debug);
  file = gilk_debug_file (gilk_image_debug (kernel->image), NULL, cli->cancellable, &local);
  if (file != NULL || (g_error_matches (local, GILK_ERROR, GILK_ERROR_NOT_FOUND) && g_file_test (cli->debug, G_FILE_TEST_EXISTS)))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));

  return FALSE;
}

gboolean
cli_kernel_open (Cli *cli, CliKernel *kernel, GError **error)
{
  kernel->target = cli_open_target (cli, error);
  if (kernel->target == NULL)
    return FALSE;

  kernel->image = gilk_image_open (kernel->target, cli_progress_for_core (cli->progress),
                                   cli->cancellable, error);
  cli_progress_clear (cli->progress);
  if (kernel->image == NULL)
    return FALSE;

  if (!use_debug (cli, kernel, error))
    return FALSE;
  kernel->functions = gilk_functions_new (kernel->image);
  return TRUE;
}

void
cli_kernel_clear (CliKernel *kernel)
{
  g_clear_pointer (&kernel->functions, gilk_functions_unref);
  g_clear_pointer (&kernel->image, gilk_image_unref);
  g_clear_pointer (&kernel->target, gilk_target_unref);
}

void
cli_kernel_to_json (Cli *cli, GilkTarget *target)
{
  if (cli->doc == NULL)
    return;

  cli_json_string (cli->doc, "target", gilk_target_spec (target));
  cli_json_string (cli->doc, "hostname", gilk_target_hostname (target));
  cli_json_string (cli->doc, "release", gilk_target_release (target));
  cli_json_string (cli->doc, "build_id", gilk_target_build_id (target));
}

void
cli_kernel_note_ready (Cli *cli, GilkTarget *target)
{
  g_autoptr(GHashTable) facts = gilk_target_doctor (target, cli->cancellable, NULL);
  g_autofree char *why = facts != NULL ? gilk_doctor_find_blocker (facts) : NULL;

  if (cli->doc != NULL)
    {
      cli_json_bool (cli->doc, "ready", facts != NULL && why == NULL);
      cli_json_string (cli->doc, "not_ready_reason", why);
    }
  else if (why != NULL)
    cli_note (cli, _("Nothing can be armed on %s. %s"), cli->target, why);
}

const char *
cli_module_name (const CliKernel *kernel, const GilkFunction *function)
{
  return gilk_functions_module_name (kernel->functions, function);
}

uint64_t
cli_function_bytes (const GilkFunction *function)
{
  return function->hot.end - function->hot.start + function->cold.end - function->cold.start;
}

GilkCfg *
cli_kernel_cfg (const CliKernel *kernel, const char *name, GilkDecoder *decoder, GError **error)
{
  const GilkFunction *function = gilk_functions_lookup (kernel->functions, name, error);

  return function != NULL ? gilk_cfg_new (kernel->functions, function, decoder, error) : NULL;
}

gboolean
cli_refuse (Cli *cli, const char *name, GilkRefusal refusal, GError **error)
{
  cli->refusal = refusal;
  g_set_error (error, GILK_ERROR, GILK_ERROR_REFUSED, _("%s cannot be hooked: %s %s"), name, gilk_refusal_cause (refusal),
               gilk_refusal_remedy (refusal));
  return FALSE;
}

char *
cli_symbolise (GilkSymbols *symbols, uint64_t addr)
{
  const GilkSymbol *symbol = symbols != NULL ? gilk_symbols_at (symbols, addr) : NULL;

  if (symbol == NULL)
    return g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", (guint64) addr);
  if (symbol->addr == addr)
    return g_strdup (symbol->name);
  return g_strdup_printf ("%s+0x%" G_GINT64_MODIFIER "x", symbol->name,
                          (guint64) (addr - symbol->addr));
}
