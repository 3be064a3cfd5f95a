/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd-targets.c - gilk targets: lists the targets that this machine can reach
 *
 * Labs (virtual machines for tests) are listed by the script lab/lab, which knows the running ones.
 * Nothing is booted, and no password is asked for.
 */
#include <glib/gi18n.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cli/base/kernel.h"
#include "cli/base/output.h"

static const char *const stock_labs[] = { "6.1", "6.12" };

/* Returns the lines of "lab/lab status" without its heading; NULL on failure. */
static char **
read_lab_status (void)
{
  g_autofree char *script = cli_lab_script ();
  g_autofree char *out = NULL;
  char *argv[] = { script, (char *) "status", NULL };
  int status;

  if (script == NULL ||
      !g_spawn_sync (NULL, argv, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &out, NULL, &status, NULL) ||
      !g_spawn_check_wait_status (status, NULL))
    return NULL;
  return g_strsplit (strchr (out, '\n') != NULL ? strchr (out, '\n') + 1 : "", "\n", -1);
}

static void
add_target (Cli *cli, CliTable *table, const char *target, const char *state, const char *kernel,
            const char *how)
{
  if (cli->doc != NULL)
    {
      cli_json_row (cli->doc, NULL);
      cli_json_string (cli->doc, "target", target);
      cli_json_string (cli->doc, "state", state);
      cli_json_string (cli->doc, "release", *kernel != '\0' ? kernel : NULL);
      cli_json_string (cli->doc, "description", how);
      cli_json_end (cli->doc);
      return;
    }
  cli_table_cell (table, target);
  cli_table_cell (table, state);
  cli_table_tint (table, strcmp (state, "up") == 0 ? CLI_TINT_GOOD : CLI_TINT_NONE);
  cli_table_cell (table, kernel);
  cli_table_cell (table, how);
}

/* Parses a line of the status: NAME FLAVOUR RELEASE ACCEL CPUS PID STATE. */
static void
add_lab (Cli *cli, CliTable *table, const char *line, gboolean seen[])
{
  g_auto(GStrv) words = g_regex_split_simple (" +", line, 0, 0);
  g_autofree char *target = NULL;
  g_autofree char *how = NULL;

  if (g_strv_length (words) < 7)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (stock_labs); i++)
    seen[i] |= strcmp (words[0], stock_labs[i]) == 0;
  target = g_strdup_printf ("lab:%s", words[0]);
  how = g_strdup_printf (_("QEMU with %s, %s CPUs"), words[3], words[4]);
  add_target (cli, table, target, words[6], words[2], how);
}

gboolean
cmd_targets (Cli *cli, int argc, char **argv, GError **error)
{
  g_autoptr(CliTable) table = cli_table_new (_("<TARGET|<STATE|<KERNEL|~HOW"));
  gboolean seen[G_N_ELEMENTS (stock_labs)] = { FALSE };
  g_auto(GStrv) lines = NULL;
  struct utsname name = { 0 };
  char **words;

  if (!cli_parse (cli, argc, argv, NULL, NULL, 0, 0, &words, error))
    return FALSE;
  cli_json_array (cli->doc, "targets");

  lines = read_lab_status ();
  for (guint i = 0; lines != NULL && lines[i] != NULL; i++)
    add_lab (cli, table, lines[i], seen);
  for (guint i = 0; i < G_N_ELEMENTS (stock_labs); i++)
    {
      g_autofree char *target = g_strdup_printf ("lab:%s", stock_labs[i]);

      if (!seen[i])
        add_target (cli, table, target, "down", "", _("a stock Debian kernel in QEMU, booted on demand"));
    }
  uname (&name);
  add_target (cli, table, "local", "here", name.release,
              geteuid () == 0 ? _("this machine") : _("this machine; gilkd is started with pkexec or sudo"));

  cli_json_end (cli->doc);
  cli_print_table (cli, table);
  cli_note (cli, _("Also ssh:HOST (uses your own ssh, and needs gilkd on HOST), unix:PATH, and file:VMLINUX to look at a kernel that does not run."));
  return TRUE;
}
