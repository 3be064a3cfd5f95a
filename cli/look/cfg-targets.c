/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfg-targets.c - gilk cfg --session: shows the recorded targets of a function's indirect calls
 */
#include "cli/look/cfg.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "cli/base/session.h"
#include "core/cfg/gilk-cfg.h"
#include "core/store/gilk-store-calls.h"

struct _CliCfgTargets {
  Cli           *cli;
  const GilkCfg *cfg;
  CliSession     session;
  GArray        *targets;              /* GilkStoredTarget: recorded targets of the whole run */
  int           *at;                   /* for each hook, index of the hooked call in @cfg, or -1 */
  char         **notes;                /* notes to show, one per instruction; NULL: no note */
};

void
cli_cfg_targets_free (CliCfgTargets *targets)
{
  for (guint i = 0; targets->notes != NULL && i < targets->cfg->n_insns; i++)
    g_free (targets->notes[i]);
  g_free (targets->notes);
  g_free (targets->at);
  g_clear_pointer (&targets->targets, g_array_unref);
  cli_session_clear (&targets->session);
  g_free (targets);
}

static const GilkStoredTarget *
get_target (const CliCfgTargets *targets, guint i)
{
  return &g_array_index (targets->targets, GilkStoredTarget, i);
}

static int
find_call (const CliCfgTargets *targets, const char *function, const char *module, const GilkStoredHook *hook)
{
  uint64_t addr;

  if (strcmp (hook->function, function) != 0 || g_strcmp0 (hook->module, module) != 0 ||
      !gilk_cfg_parse_offset (targets->cfg, hook->block, &addr))
    return -1;
  return gilk_cfg_insn_at (targets->cfg, addr);
}

/* Returns the function's name as written in hooks. (transfer full) */
static char *
get_hook_function (const CliCfgTargets *targets, CliKernel *kernel)
{
  const GilkFunction *f = targets->cfg->function;
  guint ordinal = gilk_functions_ordinal (kernel->functions, f);

  return ordinal == 0 ? g_strdup (f->name) : g_strdup_printf ("%s@%u", f->name, ordinal);
}

CliHeat *
cli_cfg_targets_heat (const CliCfgTargets *targets, CliKernel *kernel, GilkCfg *cfg)
{
  g_autofree char *name = get_hook_function (targets, kernel);

  return cli_heat_new (&targets->session, cfg, name,
                       gilk_symbols_module (gilk_image_symbols (kernel->image), cfg->function->module));
}

static void
find_calls (CliCfgTargets *targets, CliKernel *kernel)
{
  const GilkFunction *f = targets->cfg->function;
  guint n = cli_session_n_hooks (&targets->session);
  const char *module = gilk_symbols_module (gilk_image_symbols (kernel->image), f->module);
  g_autofree char *name = get_hook_function (targets, kernel);

  targets->at = g_new (int, n + 1);
  targets->notes = g_new0 (char *, targets->cfg->n_insns + 1);
  for (guint i = 0; i < n; i++)
    {
      targets->at[i] = find_call (targets, name, module, cli_session_hook (&targets->session, i));
      if (targets->at[i] >= 0 && targets->notes[targets->at[i]] == NULL)
        targets->notes[targets->at[i]] = gilk_stored_targets_text (targets->targets, i);
    }
}

CliCfgTargets *
cli_cfg_targets_new (Cli *cli, CliKernel *kernel, const GilkCfg *cfg, const char *path, GError **error)
{
  g_autoptr(CliCfgTargets) targets = g_new0 (CliCfgTargets, 1);

  targets->cli = cli;
  targets->cfg = cfg;
  if (!cli_session_open (cli, path, 0, &targets->session, error) ||
      !cli_session_check_kernel (&targets->session, kernel->target, path, error))
    return NULL;
  targets->targets = gilk_store_targets (targets->session.store, targets->session.run->id, targets->session.hooks, error);
  if (targets->targets == NULL)
    return NULL;
  find_calls (targets, kernel);
  return g_steal_pointer (&targets);
}

void
cli_cfg_targets_print (const CliCfgTargets *targets, guint index)
{
  for (guint i = 0; i < targets->targets->len; i++)
    if (targets->at[get_target (targets, i)->hook] == (int) index)
      cli_print_tinted (targets->cli, CLI_TINT_ACCENT, _("  %12s     -> %s, %" PRIu64 " times\n"), "",
                        get_target (targets, i)->name, get_target (targets, i)->count);
}

void
cli_cfg_targets_to_json (const CliCfgTargets *targets)
{
  CliJson *json = targets->cli->doc;

  cli_json_array (json, "calls");
  for (guint i = 0; i < targets->targets->len; i++)
    {
      const GilkStoredTarget *target = get_target (targets, i);
      int at = targets->at[target->hook], block;
      g_autofree char *from = NULL, *call = NULL;

      if (at < 0)
        continue;
      block = gilk_cfg_block_around (targets->cfg, targets->cfg->insns[at].addr);
      from = gilk_cfg_offset_name (targets->cfg, targets->cfg->blocks[block].start);
      call = gilk_cfg_offset_name (targets->cfg, targets->cfg->insns[at].addr);
      cli_json_row (json, NULL);
      cli_json_string (json, "from", from);
      cli_json_string (json, "call", call);
      cli_json_string (json, "to", target->name);
      cli_json_string (json, "module", target->module);
      cli_json_uint (json, "count", target->count);
      cli_json_end (json);
    }
  cli_json_end (json);
}

const char *const *
cli_cfg_targets_notes (const CliCfgTargets *targets)
{
  return (const char *const *) targets->notes;
}
