/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * interrupt.c - Ctrl-C, SIGTERM and SIGHUP as a cancellation
 *
 * The library's calls block, so the signals are taken by a thread of their own
 * with a main context of its own; what it does is safe from any thread. Where
 * ending at once would lose data (a run that is being stopped) the signals are
 * held: they print why and change nothing.
 */
#include <errno.h>
#include <glib-unix.h>
#include <signal.h>

#include "cli/cli.h"

typedef struct {
  GCancellable *cancellable;
  int           signal;
} Watch;

/* The message while held; read by the signal thread. */
static const char *held;

static gboolean
on_signal (gpointer data)
{
  Watch *watch = data;
  const char *message = g_atomic_pointer_get (&held);

  if (!g_cancellable_is_cancelled (watch->cancellable))
    g_cancellable_cancel (watch->cancellable);
  else if (message != NULL)
    g_printerr ("\n%s\n", message);
  else
    {
      signal (watch->signal, SIG_DFL);
      raise (watch->signal);
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
