/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wait.c - waits until a run or a fleet has ended, and handles Ctrl-C
 */
#include "cli/base/wait.h"

#include "cli/base/terminal.h"
#include "core/base/gilk-error.h"

typedef struct {
  gpointer    object;
  CliWaitFunc stop;
} Wait;

static gboolean
on_interrupt (GCancellable *cancellable, gpointer data)
{
  const Wait *wait = data;

  wait->stop (wait->object);

  return G_SOURCE_REMOVE;
}

void
cli_wait (Cli *cli, gpointer object, CliWaitFunc start, CliWaitFunc stop)
{
  g_autoptr(GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr(GSource) interrupt = g_cancellable_source_new (cli->cancellable);
  Wait wait = { object, stop };
  gulong ended = g_signal_connect_swapped (object, "ended", G_CALLBACK (g_main_loop_quit), loop);

  g_source_set_callback (interrupt, G_SOURCE_FUNC (on_interrupt), &wait, NULL);
  g_source_attach (interrupt, NULL);
  start (object);
  g_main_loop_run (loop);
  cli_interrupts_hold (NULL);
  g_source_destroy (interrupt);
  g_signal_handler_disconnect (object, ended);
  cli_progress_clear (cli->progress);
}

static void
start_run (gpointer run)
{
  gilk_run_start (run);
}

static void
stop_run (gpointer run)
{
  gilk_run_stop (run);
}

void
cli_wait_for_run (Cli *cli, GilkRun *run, const char *stopping)
{
  cli_interrupts_hold (stopping);
  cli_wait (cli, run, start_run, stop_run);
}

gboolean
cli_wait_check_run (GilkRun *run, GError **error)
{
  if (gilk_run_error (run) != NULL)
    g_propagate_error (error, g_error_copy (gilk_run_error (run)));
  else if (gilk_run_cut_short (run) != NULL)
    g_set_error_literal (error, GILK_ERROR, GILK_ERROR_FAILED, gilk_run_cut_short (run));
  else
    return TRUE;

  return FALSE;
}
