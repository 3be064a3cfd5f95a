/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-connection.c - the window's connection to a kernel: target, image, functions
 *
 * Each open makes a new GCancellable. A result of a worker thread is discarded if the thread's
 * cancellable is no longer the current one: then a later open or close has replaced the work of
 * that thread.
 */
#include "gui/run/gilk-connection.h"

#include <gio/gio.h>
#include <glib/gi18n.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-memory.h"
#include "core/base/gilk-progress.h"
#include "core/cfg/gilk-function.h"
#include "core/doctor/gilk-doctor.h"
#include "core/emit/gilk-inline.h"
#include "core/image/gilk-image.h"
#include "core/link/gilk-lab.h"

/* An open kernel, as returned by a worker thread. Only one thread at a time may use this struct.
 * The header that declares a member's type says which threads may use the member. */
typedef struct {
  GilkTarget    *target;
  GilkImage     *image;
  GilkFunctions *functions;
  /* Descriptions of the loaded instrument modules (element-type struct ilk_instrument_desc); NULL:
   * no driver. */
  GArray        *descs;
  GStrv          names;                  /* names of all usable instruments */
  /* for each enum gilk_way (driver, BPF): why it cannot hook the kernel; NULL: can, or unknown */
  char          *obstacles[2];
  GError        *warning;                /* what to tell the user: that nothing can be hooked, or
                                          * that BPF is used instead of the driver, with the reason;
                                          * NULL: nothing */
} GilkKernel;

/* Frees the struct and drops its references. Does not close the connection to the target. */
static void gilk_kernel_free (GilkKernel *kernel);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GilkKernel, gilk_kernel_free)

struct _GilkConnection {
  GObject              parent_instance;

  GilkConnectionState  state;
  char                *spec;
  GCancellable        *cancellable;      /* cancels the open in progress */
  char                *step;
  double               fraction;

  GilkTarget          *target;
  gulong               lost_func;        /* id under which target_lost(), which @target calls when
                                          * the connection breaks, is registered */
  GError              *lost;             /* why the connection was lost (state LOST) */
  GilkLoss             loss;
  GilkImage           *image;
  GilkFunctions       *functions;
  GArray              *descs;            /* loaded instruments, element-type
                                          * struct ilk_instrument_desc */
  GStrv                names;
  /* for each enum gilk_way (driver, BPF): why it cannot hook the kernel; NULL: can, or unknown */
  char                *obstacles[2];
  gboolean             switching;        /* the way to hook the kernel is being changed */
};

G_DEFINE_TYPE (GilkConnection, gilk_connection, G_TYPE_OBJECT)

enum { CHANGED, WAY_CHANGED, INSTRUMENTS, FAILED, BOOT_CANCELLED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* ---- progress: worker thread to main thread ---- */

typedef struct {
  GilkConnection *self;
  GCancellable   *cancellable;
  char           *step;
  double          fraction;
} Report;

/* Returns the names of the inline instruments, of the instruments in @descs, and of the instruments
 * that @target (nullable) could load, in this order. (transfer full) */
static GStrv
list_instrument_names (GilkTarget   *target,
                       GArray       *descs,
                       GCancellable *cancellable)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();
  g_auto(GStrv) files = target != NULL ? gilk_target_instrument_files (target, cancellable, NULL) : NULL;
  g_autoptr(GHashTable) seen = g_hash_table_new (g_str_hash, g_str_equal);
  guint n_inlines;
  const GilkInline *inlines = gilk_inlines (&n_inlines);

  for (guint i = 0; i < n_inlines; i++)
    {
      g_strv_builder_add (builder, inlines[i].name);
      g_hash_table_add (seen, (gpointer) inlines[i].name);
    }
  for (guint i = 0; descs != NULL && i < descs->len; i++)
    {
      struct ilk_instrument_desc *desc = &g_array_index (descs, struct ilk_instrument_desc, i);

      if (!gilk_instrument_is_of_tests (desc->name) && g_hash_table_add (seen, desc->name))
        g_strv_builder_add (builder, desc->name);
    }
  for (guint i = 0; files != NULL && files[i] != NULL; i++)
    if (!gilk_instrument_is_of_tests (files[i]) && g_hash_table_add (seen, files[i]))
      g_strv_builder_add (builder, files[i]);

  return g_strv_builder_end (builder);
}

/* Finds out whether the kernel could be hooked in the way not in use (driver or BPF), and stores
 * the reason if not. @why: (nullable): reason to store if the target reports none */
static void
find_obstacles (GilkKernel   *kernel,
                const char   *why,
                GCancellable *cancellable)
{
  const enum gilk_way other = gilk_target_way (kernel->target) == GILK_WAY_BPF ? GILK_WAY_ILK : GILK_WAY_BPF;
  g_autoptr(GHashTable) facts = gilk_target_doctor (kernel->target, cancellable, NULL);

  if (facts != NULL)
    kernel->obstacles[other] = gilk_doctor_find_obstacle (facts, other);
  if (kernel->obstacles[other] == NULL)
    kernel->obstacles[other] = g_strdup (why);
}

/* Prepares the way to hook the kernel (driver or BPF): @way or, if it is not possible, the other
 * one. If neither is possible, sets a warning and no error, because the kernel can still be
 * explored. */
static void
choose_way (GilkKernel         *kernel,
            enum gilk_way       way,
            const GilkProgress *progress,
            GCancellable       *cancellable)
{
  g_autofree char *why = NULL;

  if (gilk_target_kernel_file (kernel->target) != NULL)
    {
      g_set_error_literal (&kernel->warning, GILK_ERROR, GILK_ERROR_PERMISSION,
                           _("This is the file of a kernel, so nothing can be hooked. Code that a kernel patches at boot "
                             "(ftrace, static calls, jump labels, alternatives, return thunks) is as it was built."));
      return;
    }
  if (way != GILK_WAY_BPF || !gilk_target_switch_way (kernel->target, way, cancellable, NULL))
    {
      gilk_progress (progress, _("Loading the driver"), -1);
      if (!gilk_target_choose_way (kernel->target, &why, cancellable, &kernel->warning))
        return;
      if (why != NULL)
        g_set_error_literal (&kernel->warning, GILK_ERROR, GILK_ERROR_PERMISSION, why);
    }
  find_obstacles (kernel, why, cancellable);

  gilk_target_start_clock (kernel->target);
  kernel->descs = gilk_target_instruments (kernel->target, cancellable, why == NULL ? &kernel->warning : NULL);
}

static GilkKernel *
open_kernel (const char         *spec,
             enum gilk_way       way,
             const GilkProgress *progress,
             GCancellable       *cancellable,
             GError            **error)
{
  g_autoptr(GilkKernel) kernel = g_new0 (GilkKernel, 1);

  kernel->target = gilk_target_open (spec, progress, cancellable, error);
  if (kernel->target == NULL)
    return NULL;
  gilk_target_use_cache (kernel->target);
  kernel->image = gilk_image_open (kernel->target, progress, cancellable, error);
  if (kernel->image == NULL)
    return NULL;

  gilk_progress (progress, _("Finding functions"), -1);
  kernel->functions = gilk_functions_new (kernel->image);
  choose_way (kernel, way, progress, cancellable);
  kernel->names = list_instrument_names (kernel->target, kernel->descs, cancellable);

  return g_steal_pointer (&kernel);
}

static void
gilk_kernel_free (GilkKernel *kernel)
{
  g_clear_pointer (&kernel->functions, gilk_functions_unref);
  g_clear_pointer (&kernel->image, gilk_image_unref);
  g_clear_pointer (&kernel->target, gilk_target_unref);
  g_clear_pointer (&kernel->descs, g_array_unref);
  g_clear_pointer (&kernel->names, g_strfreev);
  gilk_free_all (kernel->obstacles[0], kernel->obstacles[1]);
  g_clear_error (&kernel->warning);
  g_free (kernel);
}

static void
report_free (gpointer data)
{
  Report *report = data;

  g_object_unref (report->self);
  g_object_unref (report->cancellable);
  g_free (report->step);
  g_free (report);
}

static gboolean
apply_report (gpointer data)
{
  Report *report = data;
  GilkConnection *self = report->self;

  if (self->cancellable == report->cancellable)
    {
      g_free (self->step);
      self->step = g_strdup (report->step);
      self->fraction = report->fraction;
      g_signal_emit (self, signals[CHANGED], 0);
    }

  return G_SOURCE_REMOVE;
}

/* Reports progress. Called in the worker thread. */
static void
send_report (const char *step,
             double      fraction,
             gpointer    user_data)
{
  GTask *task = user_data;
  Report *report = g_new0 (Report, 1);

  report->self = g_object_ref (g_task_get_source_object (task));
  report->cancellable = g_object_ref (g_task_get_cancellable (task));
  report->step = g_strdup (step);
  report->fraction = fraction;
  g_main_context_invoke_full (NULL, G_PRIORITY_DEFAULT, apply_report, report, report_free);
}

/* ---- opening a target ---- */

typedef struct {
  char    *spec;
  enum gilk_way way;
  gboolean booted, left_running;          /* results of a cancelled open: it had booted a lab
                                           * (@booted), and could not stop the lab
                                           * (@left_running) */
} Opening;

static void
opening_free (gpointer data)
{
  Opening *opening = data;

  g_free (opening->spec);
  g_free (opening);
}

static void
open_thread (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  Opening *opening = task_data;
  GilkProgress progress = { send_report, task };
  const char *lab = gilk_lab_name (opening->spec);
  const gboolean ran = lab != NULL && gilk_lab_is_running (lab);
  GError *error = NULL;
  GilkKernel *kernel = open_kernel (opening->spec, opening->way, &progress, cancellable, &error);

  opening->booted = lab != NULL && !ran && g_cancellable_is_cancelled (cancellable) && gilk_lab_is_running (lab);
  opening->left_running = opening->booted && !gilk_lab_stop (lab, NULL);
  if (kernel == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, kernel, (GDestroyNotify) gilk_kernel_free);
}

static gpointer
close_thread (gpointer data)
{
  GilkKernel *old = data;

  gilk_target_close (old->target);
  gilk_kernel_free (old);

  return NULL;
}

/* Closes the target in a thread of its own, because closing may block. Other objects, such as the
 * last run, may still hold references to the target. */
static void
close_async (GilkConnection *self)
{
  GilkKernel *old = g_new0 (GilkKernel, 1);

  gilk_target_remove_lost_func (self->target, self->lost_func);
  old->target = g_steal_pointer (&self->target);
  g_thread_unref (g_thread_new ("gilk-close", close_thread, old));
}

/* Cancels an open in progress and closes the target. Keeps the kernel's image and functions, so
 * that they can still be shown. */
static void
drop_target (GilkConnection *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (self->target != NULL)
    close_async (self);
  g_clear_pointer (&self->step, g_free);
  self->switching = FALSE;
}

/* Stores the names of the usable instruments, @names (transfer full). Emits "instruments-changed"
 * only if they differ from the previous names, so that a list of instruments that the user has open
 * is not filled again. */
static void
set_names (GilkConnection *self,
           GStrv           names)
{
  gboolean same = g_strv_equal ((const char *const *) self->names, (const char *const *) names);

  g_strfreev (self->names);
  self->names = names;
  if (!same)
    g_signal_emit (self, signals[INSTRUMENTS], 0);
}

static void
clear_obstacles (GilkConnection *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->obstacles); i++)
    g_clear_pointer (&self->obstacles[i], g_free);
}

/* Moves the reasons why the driver or BPF cannot hook the kernel from @kernel to @self. */
static void
take_obstacles (GilkConnection *self,
                GilkKernel     *kernel)
{
  clear_obstacles (self);
  for (guint i = 0; i < G_N_ELEMENTS (self->obstacles); i++)
    self->obstacles[i] = g_steal_pointer (&kernel->obstacles[i]);
}

static void
drop_kernel (GilkConnection *self)
{
  GilkKernel *old = g_new0 (GilkKernel, 1);

  old->functions = g_steal_pointer (&self->functions);
  old->image = g_steal_pointer (&self->image);
  if (old->image != NULL)
    gilk_discard (old, (GDestroyNotify) gilk_kernel_free);
  else
    gilk_kernel_free (old);
  g_clear_pointer (&self->descs, g_array_unref);
  clear_obstacles (self);
  g_clear_error (&self->lost);
  self->loss = GILK_LOSS_NONE;
}

static void
drop_all (GilkConnection *self)
{
  drop_target (self);
  drop_kernel (self);
  self->state = GILK_CONNECTION_NONE;
}

/* Sets the state after a failed or cancelled open: LOST if the kernel of an earlier connection is
 * still shown, else NONE. */
static void
set_failed_state (GilkConnection *self)
{
  if (self->lost == NULL && self->image != NULL)
    {
      self->loss = GILK_LOSS_CLOSED;
      g_set_error (&self->lost, GILK_ERROR, GILK_ERROR_TARGET, _("The connection to %s was closed; connect again."), self->spec);
    }
  self->state = self->lost != NULL ? GILK_CONNECTION_LOST : GILK_CONNECTION_NONE;
}

/* ---- lost connection: reader thread to main thread ---- */

typedef struct {
  GilkConnection *self;
  GilkTarget     *target;                /* the lost target; only compared, never dereferenced */
  GError         *error;
  GilkLoss        loss;
} LostReport;

static gboolean
apply_lost (gpointer data)
{
  LostReport *lost = data;

  if (lost->self->target == lost->target)
    {
      drop_target (lost->self);
      g_set_error_literal (&lost->self->lost, GILK_ERROR, GILK_ERROR_TARGET, lost->error->message);
      lost->self->loss = lost->loss;
      lost->self->state = GILK_CONNECTION_LOST;
      g_signal_emit (lost->self, signals[CHANGED], 0);
    }
  g_object_unref (lost->self);
  g_error_free (lost->error);
  g_free (lost);

  return G_SOURCE_REMOVE;
}

static void
target_lost (GilkTarget   *target,
             const GError *error,
             gpointer      user_data)
{
  LostReport *lost = g_new0 (LostReport, 1);

  lost->self = g_object_ref (user_data);
  lost->target = target;
  lost->loss = gilk_target_loss (target);
  lost->error = error != NULL ? g_error_copy (error)
                              : g_error_new_literal (GILK_ERROR, GILK_ERROR_TARGET,
                                                     _("The connection to the target ended; its agent has restored the "
                                                       "kernel."));
  g_idle_add_full (G_PRIORITY_DEFAULT, apply_lost, lost, NULL);
}

static void
target_opened_cb (GObject      *object,
                  GAsyncResult *result,
                  gpointer      user_data)
{
  GilkConnection *self = GILK_CONNECTION (object);
  GTask *task = G_TASK (result);
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkKernel) opened = g_task_propagate_pointer (task, &error);

  if (self->cancellable != g_task_get_cancellable (task))
    {                                    /* a later open or close has replaced this open */
      const Opening *opening = g_task_get_task_data (task);

      if (opening->booted)
        g_signal_emit (self, signals[BOOT_CANCELLED], 0, gilk_lab_name (opening->spec), opening->left_running);
      return;
    }

  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->step, g_free);
  if (opened == NULL)
    {
      set_failed_state (self);
      g_signal_emit (self, signals[CHANGED], 0);
      g_signal_emit (self, signals[FAILED], 0, error);
      return;
    }

  drop_kernel (self);
  self->target = g_steal_pointer (&opened->target);
  self->image = g_steal_pointer (&opened->image);
  self->functions = g_steal_pointer (&opened->functions);
  self->descs = g_steal_pointer (&opened->descs);
  take_obstacles (self, opened);
  self->state = GILK_CONNECTION_READY;
  set_names (self, g_steal_pointer (&opened->names));
  self->lost_func = gilk_target_add_lost_func (self->target, target_lost, self);
  g_signal_emit (self, signals[CHANGED], 0);
  if (opened->warning != NULL)
    g_signal_emit (self, signals[FAILED], 0, opened->warning);
}

void
gilk_connection_open (GilkConnection *self,
                      const char     *spec,
                      enum gilk_way   way)
{
  g_autoptr(GTask) task = NULL;
  g_autofree char *wanted = g_strdup (spec);
  Opening *opening;

  drop_target (self);
  if (g_strcmp0 (self->spec, wanted) != 0)
    {
      drop_kernel (self);
      set_names (self, list_instrument_names (NULL, NULL, NULL));
    }
  g_free (self->spec);
  self->spec = g_steal_pointer (&wanted);
  self->state = GILK_CONNECTION_CONNECTING;
  self->step = g_strdup_printf (_("Connecting to %s"), self->spec);
  self->fraction = -1;
  self->cancellable = g_cancellable_new ();

  task = g_task_new (self, self->cancellable, target_opened_cb, NULL);
  opening = g_new0 (Opening, 1);
  opening->spec = g_strdup (self->spec);
  opening->way = way;
  g_task_set_task_data (task, opening, opening_free);
  g_task_run_in_thread (task, open_thread);
  g_signal_emit (self, signals[CHANGED], 0);
}

void
gilk_connection_close (GilkConnection *self)
{
  drop_all (self);
  set_names (self, list_instrument_names (NULL, NULL, NULL));
  g_clear_pointer (&self->spec, g_free);
  g_signal_emit (self, signals[CHANGED], 0);
}

void
gilk_connection_cancel (GilkConnection *self)
{
  if (self->cancellable == NULL)
    return;

  drop_target (self);
  set_failed_state (self);
  g_signal_emit (self, signals[CHANGED], 0);
}

void
gilk_connection_abandon (GilkConnection *self,
                         const char     *why)
{
  if (self->target != NULL)
    gilk_target_abandon (self->target, why);
}

/* ---- reading the loaded instruments ---- */

static void
instruments_thread (GTask        *task,
                    gpointer      source,
                    gpointer      task_data,
                    GCancellable *cancellable)
{
  GError *error = NULL;
  GArray *descs = gilk_target_instruments (task_data, cancellable, &error);

  if (descs == NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, descs, (GDestroyNotify) g_array_unref);
}

static void
instruments_cb (GObject      *object,
                GAsyncResult *result,
                gpointer      user_data)
{
  GilkConnection *self = GILK_CONNECTION (object);
  GArray *descs = g_task_propagate_pointer (G_TASK (result), NULL);

  if (descs == NULL)
    return;
  if (self->target != g_task_get_task_data (G_TASK (result)))
    {
      g_array_unref (descs);
      return;
    }
  g_clear_pointer (&self->descs, g_array_unref);
  self->descs = descs;
  g_signal_emit (self, signals[CHANGED], 0);
}

void
gilk_connection_refresh_instruments (GilkConnection *self)
{
  g_autoptr(GTask) task = NULL;

  if (self->target == NULL)
    return;
  task = g_task_new (self, NULL, instruments_cb, NULL);
  g_task_set_task_data (task, gilk_target_ref (self->target), (GDestroyNotify) gilk_target_unref);
  g_task_run_in_thread (task, instruments_thread);
}

/* ---- change between the ways to hook the kernel: driver and BPF ---- */

typedef struct {
  GilkTarget   *target;
  enum gilk_way way, before;
} Switch;

static void
switch_free (gpointer data)
{
  Switch *wanted = data;

  gilk_target_unref (wanted->target);
  g_free (wanted);
}

/* Changes the way to hook the kernel. The result is a GilkKernel in which only the target is set,
 * and what depends on the way: instruments and obstacles. */
static void
switch_thread (GTask        *task,
               gpointer      source,
               gpointer      task_data,
               GCancellable *cancellable)
{
  const Switch *wanted = task_data;
  g_autoptr(GilkKernel) kernel = g_new0 (GilkKernel, 1);
  GError *error = NULL;

  if (!gilk_target_switch_way (wanted->target, wanted->way, cancellable, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  kernel->target = gilk_target_ref (wanted->target);
  find_obstacles (kernel, NULL, cancellable);
  gilk_target_start_clock (kernel->target);
  kernel->descs = gilk_target_instruments (kernel->target, cancellable, &error);
  if (kernel->descs == NULL)
    {
      gilk_target_switch_way (wanted->target, wanted->before, cancellable, NULL);
      g_task_return_error (task, error);
      return;
    }
  kernel->names = list_instrument_names (kernel->target, kernel->descs, cancellable);
  g_task_return_pointer (task, g_steal_pointer (&kernel), (GDestroyNotify) gilk_kernel_free);
}

static void
switched_cb (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  GilkConnection *self = GILK_CONNECTION (object);
  const Switch *wanted = g_task_get_task_data (G_TASK (result));
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkKernel) kernel = g_task_propagate_pointer (G_TASK (result), &error);

  if (self->target != wanted->target)
    return;
  self->switching = FALSE;
  if (kernel != NULL)
    {
      g_clear_pointer (&self->descs, g_array_unref);
      self->descs = g_steal_pointer (&kernel->descs);
      take_obstacles (self, kernel);
      set_names (self, g_steal_pointer (&kernel->names));
      g_signal_emit (self, signals[WAY_CHANGED], 0);
    }
  g_signal_emit (self, signals[CHANGED], 0);
  if (error != NULL)
    g_signal_emit (self, signals[FAILED], 0, error);
}

void
gilk_connection_use (GilkConnection *self,
                     enum gilk_way   way)
{
  g_autoptr(GTask) task = NULL;
  Switch *wanted;

  g_return_if_fail (self->target != NULL && !self->switching);
  task = g_task_new (self, NULL, switched_cb, NULL);
  wanted = g_new0 (Switch, 1);
  wanted->target = gilk_target_ref (self->target);
  wanted->way = way;
  wanted->before = gilk_target_way (self->target);
  g_task_set_task_data (task, wanted, switch_free);
  self->switching = TRUE;
  g_task_run_in_thread (task, switch_thread);
  g_signal_emit (self, signals[CHANGED], 0);
}

/* ---- getters, and GObject life cycle ---- */

enum gilk_way
gilk_connection_way (GilkConnection *self)
{
  return self->target != NULL ? gilk_target_way (self->target) : GILK_WAY_ILK;
}

const char *
gilk_connection_way_obstacle (GilkConnection *self,
                              enum gilk_way   way)
{
  return self->obstacles[way];
}

gboolean
gilk_connection_is_switching (GilkConnection *self)
{
  return self->switching;
}

GilkConnectionState
gilk_connection_state (GilkConnection *self)
{
  return self->state;
}

const char *
gilk_connection_spec (GilkConnection *self)
{
  return self->spec;
}

const char *
gilk_connection_release (GilkConnection *self)
{
  return self->target != NULL ? gilk_target_release (self->target) : NULL;
}

const char *
gilk_connection_build_id (GilkConnection *self)
{
  return self->target != NULL ? gilk_target_build_id (self->target) : NULL;
}

const char *
gilk_connection_progress (GilkConnection *self,
                          double         *fraction)
{
  *fraction = self->fraction;
  return self->step;
}

const char *
gilk_connection_lost_reason (GilkConnection *self,
                             GilkLoss       *loss)
{
  *loss = self->loss;
  return self->lost != NULL ? self->lost->message : NULL;
}

GilkTarget *
gilk_connection_target (GilkConnection *self)
{
  return self->target;
}

GilkImage *
gilk_connection_image (GilkConnection *self)
{
  return self->image;
}

GilkFunctions *
gilk_connection_functions (GilkConnection *self)
{
  return self->functions;
}

gboolean
gilk_connection_has_driver (GilkConnection *self)
{
  return self->state == GILK_CONNECTION_READY && self->descs != NULL;
}

const char *const *
gilk_connection_instruments (GilkConnection *self)
{
  return (const char *const *) self->names;
}

const struct ilk_instrument_desc *
gilk_connection_instrument (GilkConnection *self,
                            const char     *name)
{
  for (guint i = 0; self->descs != NULL && i < self->descs->len; i++)
    {
      struct ilk_instrument_desc *desc = &g_array_index (self->descs, struct ilk_instrument_desc, i);

      if (g_strcmp0 (desc->name, name) == 0)
        return desc;
    }

  return NULL;
}

static void
gilk_connection_finalize (GObject *object)
{
  GilkConnection *self = GILK_CONNECTION (object);

  drop_all (self);
  g_strfreev (self->names);
  g_free (self->spec);
  G_OBJECT_CLASS (gilk_connection_parent_class)->finalize (object);
}

static void
gilk_connection_class_init (GilkConnectionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = gilk_connection_finalize;
  signals[CHANGED] = g_signal_new ("changed", GILK_TYPE_CONNECTION, G_SIGNAL_RUN_LAST,
                                   0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[WAY_CHANGED] = g_signal_new ("way-changed", GILK_TYPE_CONNECTION, G_SIGNAL_RUN_LAST,
                                       0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[INSTRUMENTS] = g_signal_new ("instruments-changed", GILK_TYPE_CONNECTION, G_SIGNAL_RUN_LAST,
                                       0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[BOOT_CANCELLED] = g_signal_new ("boot-cancelled", GILK_TYPE_CONNECTION, G_SIGNAL_RUN_LAST,
                                          0, NULL, NULL, NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_BOOLEAN);
  signals[FAILED] = g_signal_new ("failed", GILK_TYPE_CONNECTION, G_SIGNAL_RUN_LAST,
                                  0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);
}

static void
gilk_connection_init (GilkConnection *self)
{
  self->names = list_instrument_names (NULL, NULL, NULL);
}

GilkConnection *
gilk_connection_new (void)
{
  return g_object_new (GILK_TYPE_CONNECTION, NULL);
}
