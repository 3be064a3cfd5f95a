/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * interrupt.c - turns Ctrl-C, SIGTERM and SIGHUP into cancellation
 *
 * A separate thread handles the signals, because calls of the library block the main thread. It has
 * a main context of its own and calls only thread-safe functions. While exiting would lose data,
 * such as while a run is stopping, interrupts are held: a signal only prints the reason. A command
 * that only reads is cancelled; if its code cannot be cancelled, the program is killed.
 */
#include <glib-unix.h>
#include <signal.h>

#include "cli/base/cli.h"

typedef struct {
  GCancellable *cancellable;
  int           signal;
} SignalSource;

#define GRACE_MS 100

/* Printed at each interrupt while interrupts are held; NULL: not held. The signal thread reads
 * it. */
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
