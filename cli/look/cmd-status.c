/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd-status.c - gilk status and gilk disarm: list armed patches, and restore the kernel text
 */
#include <glib/gi18n.h>
#include <string.h>

#include "cli/base/kernel.h"
#include "cli/base/names.h"
#include "cli/base/output.h"
#include "core/link/gilk-lab.h"

typedef struct {
  gboolean all, numeric;
} Options;

static gboolean
is_armed (const struct ilk_patch_status *patch)
{
  return patch->state == ILK_STATE_TRAPPED || patch->state == ILK_STATE_ARMED;
}

/* Returns whether the kernel text still contains the patch's 5-byte bounce jump, even if the 2-byte
 * jump that led to it was removed. */
static gboolean
has_bounce_jump (const struct ilk_patch_status *patch)
{
  return patch->aux_laid_mono_ns != 0 && patch->aux_restored_mono_ns == 0;
}

/* Returns whether the patch was disarmed, but is kept because a task sleeps in it. */
static gboolean
waits_for_task (const struct ilk_patch_status *patch)
{
  return patch->wait == ILK_WAIT_TASK;
}

/* Returns whether to list the patch. With @all, every patch is listed; otherwise patches that no
 * longer own kernel text or memory are omitted. */
static gboolean
is_shown (const struct ilk_patch_status *patch, gboolean all)
{
  return all || is_armed (patch) || patch->state == ILK_STATE_PREPARED ||
    patch->state == ILK_STATE_FAILED || patch->state == ILK_STATE_LENDING || has_bounce_jump (patch) ||
    waits_for_task (patch);
}

/* Returns the symbols, or NULL if they cannot be read: then addresses are shown instead of
 * names. */
static GilkSymbols *
read_symbols (Cli *cli, GilkTarget *target)
{
  gsize length = 0;
  g_autofree char *text = gilk_target_file (target, GILK_FILE_KALLSYMS, &length,
                                            cli->cancellable, NULL);

  return text != NULL ? gilk_symbols_new_parse (text, length, NULL) : NULL;
}

static void
patch_to_json (Cli *cli, const struct ilk_patch_status *patch, const char *place)
{
  CliJson *json = cli->doc;

  cli_json_row (json, NULL);
  cli_json_uint (json, "patch", patch->id);
  cli_json_string (json, "location", place);
  cli_json_address (json, "site", patch->site);
  cli_json_address (json, "slot", patch->slot);
  cli_json_uint (json, "bytes", patch->len);
  cli_json_string (json, "tactic", gilk_tactic_name (patch->tactic));
  cli_json_string (json, "state", cli_state_name (patch->state));
  if (patch->aux != 0)
    {
      cli_json_address (json, "jump", patch->aux);
      cli_json_bool (json, "jump_in_text", has_bounce_jump (patch));
    }
  cli_json_uint (json, "trap_hits", patch->trap_hits);
  cli_json_uint (json, "owner_pid", patch->owner_pid);
  if (patch->wait != ILK_WAIT_NONE)
    cli_json_string (json, "waits_for", cli_wait_name (patch->wait));
  if (waits_for_task (patch))
    {
      g_autofree char *comm = g_utf8_make_valid (patch->wait_comm,
                                                 strnlen (patch->wait_comm, sizeof patch->wait_comm));

      cli_json_uint (json, "wait_pid", patch->wait_pid);
      cli_json_string (json, "wait_comm", comm);
    }
  cli_json_end (json);
}

/* Adds a cell with the distance in bytes from the hooked address to the bounce jump, a nearby
 * 5-byte jump. The cell is empty if the kernel text contains no such jump. */
static void
add_jump (CliTable *table, const struct ilk_patch_status *patch)
{
  if (has_bounce_jump (patch))
    cli_table_cellf (table, "%+d", (int) (patch->aux - patch->site));
  else
    cli_table_cell (table, "");
}

static void
add_row (CliTable *table, const struct ilk_patch_status *patch, const char *place)
{
  cli_table_cellf (table, "%u", patch->id);
  cli_table_cell (table, place);
  cli_table_cellf (table, "%u", patch->len);
  cli_table_cell (table, gilk_tactic_name (patch->tactic));
  add_jump (table, patch);
  cli_table_cell (table, cli_state_name (patch->state));
  cli_table_tint (table, is_armed (patch) ? CLI_TINT_GOOD : CLI_TINT_DIM);
  cli_table_cellf (table, "%" G_GUINT64_FORMAT, (guint64) patch->trap_hits);
  cli_table_cellf (table, "%u", patch->owner_pid);
}

static guint
list_patches (Cli *cli, GilkTarget *target, const GArray *patches, const Options *options)
{
  g_autoptr(CliTable) table = cli_table_new (_(">PATCH|^SITE|>BYTES|<TACTIC|>JUMP AT|<STATE|>TRAP HITS|>OWNER PID"));
  g_autoptr(GilkSymbols) symbols = NULL;
  gboolean asked = options->numeric;
  guint in_force = 0;

  for (guint i = 0; i < patches->len; i++)
    {
      const struct ilk_patch_status *patch = &g_array_index (patches, struct ilk_patch_status, i);
      g_autofree char *place = NULL;

      in_force += is_armed (patch);
      if (!is_shown (patch, options->all))
        continue;
      if (!asked)
        symbols = read_symbols (cli, target);
      asked = TRUE;
      place = cli_symbolise (symbols, patch->site);
      if (cli->doc != NULL)
        patch_to_json (cli, patch, place);
      else
        add_row (table, patch, place);
    }
  if (cli_table_n_rows (table) > 0)
    cli_print_table (cli, table);
  return in_force;
}

/* Prints the tasks that disarmed patches wait for. */
static void
print_waiting (Cli *cli, const GArray *patches)
{
  for (guint i = 0; i < patches->len; i++)
    {
      const struct ilk_patch_status *patch = &g_array_index (patches, struct ilk_patch_status, i);
      g_autofree char *valid = NULL, *comm = NULL;

      if (!waits_for_task (patch))
        continue;
      valid = g_utf8_make_valid (patch->wait_comm,
                                 strnlen (patch->wait_comm, sizeof patch->wait_comm));
      comm = g_strescape (valid, NULL);
      cli_print (cli, _("Patch %u is disarmed, but task %s (%u) sleeps in its clone of the function; the clone and the "
                        "driver are kept until the task leaves it.\n"),
                 patch->id, comm, patch->wait_pid);
    }
}

/* If the target is a lab that is not running, prints that nothing is armed, and returns TRUE. Does
 * not boot the lab. */
static gboolean
is_lab_down (Cli *cli)
{
  const char *lab = cli->target_named ? gilk_lab_name (cli->target) : NULL;

  if (lab == NULL || gilk_lab_is_running (lab))
    return FALSE;
  cli_json_string (cli->doc, "target", cli->target);
  cli_json_bool (cli->doc, "up", FALSE);
  cli_print (cli, _("Nothing is armed: %s is not running.\n"), cli->target);

  return TRUE;
}

/* Returns whether to request the list of hooks from the target. If the target is the file of a
 * kernel, requests it as well, because the error explains why there are none. */
static gboolean
may_have_hooks (GilkTarget *target)
{
  return gilk_target_has_driver (target) || gilk_target_kernel_file (target) != NULL;
}

gboolean
cmd_status (Cli *cli, int argc, char **argv, GError **error)
{
  Options options = { 0 };
  const GOptionEntry entries[] = {
    { "all", 'a', 0, G_OPTION_ARG_NONE, &options.all, N_("Also show patches that were already restored"), NULL },
    { "numeric", 'n', 0, G_OPTION_ARG_NONE, &options.numeric,
      N_("Show addresses instead of names, without reading all kernel symbols"), NULL },
    { NULL },
  };
  g_autoptr(GilkTarget) target = NULL;
  g_autoptr(GArray) patches = NULL;
  guint pending = 0, in_force;
  char **words;

  if (!cli_parse (cli, argc, argv, entries, NULL, 0, 0, &words, error))
    return FALSE;
  if (is_lab_down (cli))
    {
      cli_json_bool (cli->doc, "driver", FALSE);
      cli_json_array (cli->doc, "patches");
      cli_json_end (cli->doc);
      cli_json_uint (cli->doc, "armed", 0);
      cli_json_uint (cli->doc, "pending", 0);
      return TRUE;
    }
  target = cli_open_target (cli, error);
  if (target == NULL)
    return FALSE;

  if (may_have_hooks (target))
    patches = gilk_target_status (target, TRUE, &pending, cli->cancellable, error);
  else
    patches = g_array_new (FALSE, FALSE, sizeof (struct ilk_patch_status));
  if (patches == NULL)
    return FALSE;

  cli_kernel_to_json (cli, target);
  cli_json_bool (cli->doc, "driver", gilk_target_has_driver (target));
  cli_json_array (cli->doc, "patches");
  in_force = list_patches (cli, target, patches, &options);
  if (cli->doc != NULL)
    {
      cli_json_end (cli->doc);
      cli_json_uint (cli->doc, "armed", in_force);
      cli_json_uint (cli->doc, "pending", pending);
    }
  else if (!gilk_target_has_driver (target))
    cli_print (cli, _("Nothing is armed on %s: the driver is not loaded.\n"), cli->target);
  else if (in_force == 0)
    cli_print (cli, _("Nothing is armed on %s.\n"), cli->target);
  if (cli->doc == NULL)
    print_waiting (cli, patches);
  if (pending > 0)
    cli_print (cli, ngettext ("%u patch is waiting for a grace period or its start time.\n",
                              "%u patches are waiting for a grace period or their start time.\n", pending),
               pending);
  return TRUE;
}

gboolean
cmd_disarm (Cli *cli, int argc, char **argv, GError **error)
{
  struct ilk_disarm disarm = { .what = ILK_DISARM_ALL_FILES };
  g_autoptr(GilkTarget) target = NULL;
  g_autoptr(GError) kept = NULL;
  char **words;

  if (!cli_parse (cli, argc, argv, NULL,
                  _("Removes the hooks of all clients on the target, also those of live runs, whose data are kept. "
                    "Kernel text is restored when the command returns."), 0, 0, &words, error))
    return FALSE;
  if (is_lab_down (cli))
    {
      cli_json_uint (cli->doc, "restored", 0);
      cli_json_uint (cli->doc, "refused", 0);
      return TRUE;
    }
  target = cli_open_target (cli, error);
  if (target == NULL)
    return FALSE;
  if (may_have_hooks (target) &&
      !gilk_target_disarm (target, &disarm, NULL, cli->cancellable, &kept) &&
      !g_error_matches (kept, GILK_ERROR, GILK_ERROR_STILL_OWNED))
    {
      g_propagate_error (error, g_steal_pointer (&kept));
      return FALSE;
    }

  if (cli->doc != NULL)
    {
      cli_kernel_to_json (cli, target);
      cli_json_uint (cli->doc, "restored", disarm.restored);
      cli_json_uint (cli->doc, "refused", disarm.refused);
    }
  else if (disarm.restored == 0 && disarm.refused == 0)
    cli_print (cli, _("Nothing was armed on %s.\n"), cli->target);
  else
    cli_print (cli, ngettext ("Restored %u patch.\n", "Restored %u patches.\n", disarm.restored),
               disarm.restored);
  if (kept == NULL)
    return TRUE;

  cli->keep_doc = TRUE;
  g_propagate_error (error, g_steal_pointer (&kept));
  return FALSE;
}
