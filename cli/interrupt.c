/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * interrupt.c - turns Ctrl-C, SIGTERM and SIGHUP into cancellation
 *
 * The library's calls block, so a thread with a main context of its own takes the signals; what it
 * calls is safe from any thread. Where exiting at once would lose data (a run that is stopping) the
 * signals are held: they print the reason and have no other effect. A command that only reads is
 * cancelled, and ended by the signal if it is in code that cannot be cancelled.
 */
#include <errno.h>
#include <glib-unix.h>
#include <signal.h>

#include "cli/cli.h"

typedef struct {
  GCancellable *cancellable;
  int           signal;
} Watch;

#define PATIENCE_MS 100

/* The message while held; the signal thread reads it. */
static const char *held;
static int may_end;

static gboolean
end_by_signal (gpointer data)
{
  Watch *watch = data;

  signal (watch->signal, SIG_DFL);
  raise (watch->signal);
  return G_SOURCE_REMOVE;
}

static void
end_soon (Watch *watch)
{
  g_autoptr(GSource) source = g_timeout_source_new (PATIENCE_MS);

  g_source_set_callback (source, end_by_signal, watch, NULL);
  g_source_attach (source, g_main_context_get_thread_default ());
}

static gboolean
on_signal (gpointer data)
{
  Watch *watch = data;
  const char *message = g_atomic_pointer_get (&held);

  if (g_cancellable_is_cancelled (watch->cancellable) && message != NULL)
    g_printerr ("\n%s\n", message);
  else if (g_cancellable_is_cancelled (watch->cancellable))
    end_by_signal (watch);
  else
    {
      g_cancellable_cancel (watch->cancellable);
      if (g_atomic_int_get (&may_end))
        end_soon (watch);
    }
  return G_SOURCE_CONTINUE;
}

static void
add_watch (GMainContext *context, GCancellable *cancellable, int number)
{
  g_autoptr(GSource) source = g_unix_signal_source_new (number);
  Watch *watch = g_new0 (Watch, 1);

  watch->cancellable = cancellable;
  watch->signal = number;
  g_source_set_callback (source, on_signal, watch, g_free);
  g_source_attach (source, context);
}

static gpointer
serve (gpointer data)
{
  g_autoptr(GMainLoop) loop = g_main_loop_new (data, FALSE);

  g_main_context_push_thread_default (data);
  g_main_loop_run (loop);
  return NULL;
}

void
cli_interrupts_begin (GCancellable *cancellable)
{
  GMainContext *context = g_main_context_new ();

  add_watch (context, cancellable, SIGINT);
  add_watch (context, cancellable, SIGTERM);
  add_watch (context, cancellable, SIGHUP);
  g_thread_unref (g_thread_new ("signals", serve, context));
}

void
cli_interrupts_hold (const char *message)
{
  g_atomic_pointer_set (&held, (gpointer) message);
}

void
cli_interrupts_may_end (gboolean may)
{
  g_atomic_int_set (&may_end, may);
}
