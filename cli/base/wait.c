/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wait.c - waits until a run or a fleet has ended, and handles Ctrl-C
 */
#include "cli/base/wait.h"

#include <gio/gio.h>
#include <glib-unix.h>
#include <signal.h>

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

/*
 * Turns Ctrl-C, SIGTERM and SIGHUP into cancellation.
 *
 * A separate thread handles the signals, because calls of the library block the main thread. It has
 * a main context of its own and calls only thread-safe functions. While exiting would lose data,
 * such as while a run is stopping, interrupts are held: a signal only prints the reason. A command
 * that only reads data is cancelled; if its code cannot be cancelled, the program is killed.
 */

typedef struct {
  GCancellable *cancellable;
  int           signal;
} SignalSource;

#define GRACE_MS 100

/* Message that each further signal prints while the program must not be killed; NULL: it may be
 * killed. The signal thread reads this variable. */
static const char *hold_message;
static int may_end;

static gboolean
end_by_signal (gpointer data)
{
  SignalSource *source_data = data;

  signal (source_data->signal, SIG_DFL);
  raise (source_data->signal);
  return G_SOURCE_REMOVE;
}

static void
schedule_end (SignalSource *source_data)
{
  g_autoptr(GSource) source = g_timeout_source_new (GRACE_MS);

  g_source_set_callback (source, end_by_signal, source_data, NULL);
  g_source_attach (source, g_main_context_get_thread_default ());
}

static gboolean
on_signal (gpointer data)
{
  SignalSource *source_data = data;
  const char *message = g_atomic_pointer_get (&hold_message);

  if (g_cancellable_is_cancelled (source_data->cancellable) && message != NULL)
    g_printerr ("\n%s\n", message);
  else if (g_cancellable_is_cancelled (source_data->cancellable))
    end_by_signal (source_data);
  else
    {
      g_cancellable_cancel (source_data->cancellable);
      if (g_atomic_int_get (&may_end))
        schedule_end (source_data);
    }
  return G_SOURCE_CONTINUE;
}

static void
add_signal (GMainContext *context, GCancellable *cancellable, int number)
{
  g_autoptr(GSource) source = g_unix_signal_source_new (number);
  SignalSource *source_data = g_new0 (SignalSource, 1);

  source_data->cancellable = cancellable;
  source_data->signal = number;
  g_source_set_callback (source, on_signal, source_data, g_free);
  g_source_attach (source, context);
}

static gpointer
run_signal_thread (gpointer data)
{
  g_autoptr(GMainLoop) loop = g_main_loop_new (data, FALSE);

  g_main_context_push_thread_default (data);
  g_main_loop_run (loop);
  return NULL;
}

void
cli_interrupts_init (GCancellable *cancellable)
{
  GMainContext *context = g_main_context_new ();

  add_signal (context, cancellable, SIGINT);
  add_signal (context, cancellable, SIGTERM);
  add_signal (context, cancellable, SIGHUP);
  g_thread_unref (g_thread_new ("signals", run_signal_thread, context));
}

void
cli_interrupts_hold (const char *message)
{
  g_atomic_pointer_set (&hold_message, (gpointer) message);
}

void
cli_interrupts_may_end (gboolean may)
{
  g_atomic_int_set (&may_end, may);
}
