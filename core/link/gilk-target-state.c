/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-target-state.c - state of a connection, and notification of its loss
 *
 * All other gilk-target files depend on this file, which sends no requests.
 */
#include "core/base/gilk-error.h"
#include "core/link/gilk-lab.h"

#include <glib/gi18n.h>
#include "core/link/gilk-target-private.h"

/* ---- loss of the target ---- */

GError *
gilk_target_await_lost (GilkTarget *target,
                        guint       ms)
{
  const gint64 end = g_get_monotonic_time () + ms * (gint64) G_TIME_SPAN_MILLISECOND;
  GError *error;

  g_mutex_lock (&target->lock);
  while (target->lost == NULL && g_cond_wait_until (&target->changed, &target->lock, end))
    ;
  error = target->lost != NULL ? g_error_copy (target->lost) : NULL;
  g_mutex_unlock (&target->lock);

  return error;
}

GError *
gilk_target_lost_error (GilkTarget *target)
{
  return gilk_target_await_lost (target, 0);
}

/* Returns why a target was lost if the other side closed the stream. For a lab, the other side is
 * the virtual machine, which has the socket. */
static GilkLoss
get_end_loss (const char *spec)
{
  if (gilk_lab_name (spec) != NULL)
    return GILK_LOSS_MACHINE;
  if (g_str_equal (spec, "local") || g_str_has_prefix (spec, "exec:") || g_str_has_prefix (spec, "file:"))
    return GILK_LOSS_AGENT;

  return GILK_LOSS_STREAM;
}

static void
note_loss (GilkTarget *target,
           GilkLoss    loss)
{
  g_mutex_lock (&target->lock);
  if (target->loss == GILK_LOSS_NONE)
    target->loss = loss;
  g_mutex_unlock (&target->lock);
}

GError *
gilk_target_end_of_stream (GilkTarget *target)
{
  static const char *const sentences[] = {
    [GILK_LOSS_AGENT] = N_("The agent of %s exited%s; the driver restores everything that was armed there. Connect again."),
    [GILK_LOSS_MACHINE] = N_("The machine of %s stopped%s, and its memory is lost, including all hooks; connecting again "
                             "boots it."),
    [GILK_LOSS_STREAM] = N_("The connection to %s was lost%s. If that machine still runs, it restores everything that "
                            "was armed; connect again."),
  };
  const GilkLoss loss = get_end_loss (target->spec);
  g_autofree char *words = gilk_stream_last_output (target->stream);
  g_autofree char *quoted = NULL;

  if (!target->synced)
    return gilk_stream_no_agent_error (target->spec, words);

  note_loss (target, loss);
  quoted = words != NULL && *words != '\0' ? g_strdup_printf (" (\"%s\")", words) : g_strdup ("");
  return g_error_new (GILK_ERROR, GILK_ERROR_TARGET, _(sentences[loss]), target->spec, quoted);
}

GError *
gilk_target_agent_restarted (GilkTarget *target)
{
  note_loss (target, GILK_LOSS_AGENT);
  return g_error_new (GILK_ERROR, GILK_ERROR_TARGET,
                      _("The agent on %s exited and was restarted; everything that was armed there is restored. Connect "
                        "again."), target->spec);
}

GilkLoss
gilk_target_loss (GilkTarget *target)
{
  GilkLoss loss;

  g_mutex_lock (&target->lock);
  loss = target->lost != NULL ? target->loss : GILK_LOSS_NONE;
  g_mutex_unlock (&target->lock);

  return loss;
}

/* Marks the target as lost and stores @error as the reason, unless it is already lost. Consumes
 * @error. Must be called with the lock held. */
static void
set_lost (GilkTarget *target,
          GError     *error)
{
  if (target->lost == NULL && target->closing)
    target->loss = GILK_LOSS_CLOSED;
  else if (target->loss == GILK_LOSS_NONE)
    target->loss = GILK_LOSS_STREAM;
  if (target->lost == NULL && target->closing)
    target->lost = g_error_new (GILK_ERROR, GILK_ERROR_TARGET,
                                _("The connection to %s was closed; connect again."), target->spec);
  else if (target->lost == NULL)
    target->lost = g_steal_pointer (&error);
  g_clear_error (&error);
  g_cond_broadcast (&target->changed);
}

static GilkLostListener *
find_listener (GilkTarget *target,
               gulong      id)
{
  for (guint i = 0; i < target->listeners->len; i++)
    {
      GilkLostListener *l = &g_array_index (target->listeners, GilkLostListener, i);

      if (id != 0 ? l->id == id : !l->called)
        return l;
    }

  return NULL;
}

/*
 * Marks the target as lost and calls all listeners. While a listener runs, other listeners can be
 * added and removed; the error @lost no longer changes. If a listener is added after the loss,
 * gilk_target_add_lost_func() calls it.
 */
void
gilk_target_notify_lost (GilkTarget *target,
                         GError     *error)
{
  GilkLostListener *next;

  g_mutex_lock (&target->lock);
  set_lost (target, error);
  while ((next = find_listener (target, 0)) != NULL)
    {
      const GilkLostListener now = *next;

      next->called = TRUE;
      target->calling = now.id;
      target->caller = g_thread_self ();
      g_mutex_unlock (&target->lock);
      now.func (target, target->lost, now.data);
      g_mutex_lock (&target->lock);
      target->calling = 0;
      g_cond_broadcast (&target->changed);
    }
  target->all_called = TRUE;
  g_mutex_unlock (&target->lock);
}

gulong
gilk_target_add_lost_func (GilkTarget  *target,
                           GilkLostFunc func,
                           gpointer     user_data)
{
  GilkLostListener listener = { .func = func, .data = user_data };

  g_mutex_lock (&target->lock);
  listener.id = ++target->last_listener;
  listener.called = target->all_called;
  g_array_append_val (target->listeners, listener);
  g_mutex_unlock (&target->lock);
  if (listener.called)
    func (target, target->lost, user_data);

  return listener.id;
}

void
gilk_target_remove_lost_func (GilkTarget *target,
                              gulong      id)
{
  GilkLostListener *listener;

  if (id == 0)
    return;
  g_mutex_lock (&target->lock);
  while (target->calling == id && target->caller != g_thread_self ())
    g_cond_wait (&target->changed, &target->lock);
  listener = find_listener (target, id);
  if (listener != NULL)
    g_array_remove_index_fast (target->listeners,
                               listener - (GilkLostListener *) (gpointer) target->listeners->data);
  g_mutex_unlock (&target->lock);
}

gboolean
gilk_target_reject_answer (GilkTarget *target,
                           GError     *wrong,
                           GError    **error)
{
  if (error != NULL)
    *error = g_error_copy (wrong);
  g_mutex_lock (&target->lock);
  set_lost (target, wrong);
  if (target->stream != NULL)
    gilk_stream_shut (target->stream);
  g_mutex_unlock (&target->lock);

  return FALSE;
}

void
gilk_target_abandon (GilkTarget *target,
                     const char *why)
{
  gilk_target_reject_answer (target, g_error_new_literal (GILK_ERROR, GILK_ERROR_TARGET, why), NULL);
}

gpointer
gilk_target_check_parsed (GilkTarget *target,
                          gpointer    read,
                          GError     *wrong,
                          GError    **error)
{
  if (read == NULL)
    gilk_target_reject_answer (target, wrong, error);

  return read;
}

/* ---- accessors ---- */

const char *
gilk_target_kernel_file (GilkTarget *target)
{
  return g_str_has_prefix (target->spec, "file:") ? target->spec + strlen ("file:") : NULL;
}

const char *
gilk_target_spec (GilkTarget *target)
{
  return target->spec;
}

const char *
gilk_target_release (GilkTarget *target)
{
  return target->hello.release;
}

const char *
gilk_target_hostname (GilkTarget *target)
{
  return target->hello.hostname;
}

const char *
gilk_target_build_id (GilkTarget *target)
{
  return target->build_id != NULL ? target->build_id : "";
}

gboolean
gilk_target_has_driver (GilkTarget *target)
{
  return g_atomic_int_get (&target->has_driver);
}

void
gilk_target_set_has_driver (GilkTarget *target,
                            gboolean    there)
{
  g_atomic_int_set (&target->has_driver, there);
}

void
gilk_target_set_samples_func (GilkTarget     *target,
                              GilkSamplesFunc func,
                              gpointer        user_data)
{
  g_mutex_lock (&target->samples_lock);
  target->samples_func = func;
  target->samples_data = user_data;
  g_mutex_unlock (&target->samples_lock);
}

gboolean
gilk_target_reads_samples (GilkTarget *target)
{
  gboolean reads;

  g_mutex_lock (&target->samples_lock);
  reads = target->samples_func != NULL;
  g_mutex_unlock (&target->samples_lock);

  return reads;
}

gboolean
gilk_target_copy_struct (GilkTarget       *target,
                         const GByteArray *answer,
                         void             *out,
                         gsize             length,
                         GError          **error)
{
  GError *wrong = NULL;

  if (answer == NULL)
    return FALSE;

  return gilk_answer_struct (answer, out, length, &wrong) ||
         gilk_target_reject_answer (target, wrong, error);
}

GilkLimits
gilk_target_limits (GilkTarget *target)
{
  GilkLimits limits;

  g_mutex_lock (&target->lock);
  limits = target->limits;
  g_mutex_unlock (&target->lock);

  return limits;
}
