/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-shares.c - cache of how much of each function is hookable
 */
#include "gui/functions/gilk-function-rows.h"

#include "gui/base/gilk-object.h"

#define STEP_FUNCTIONS 8            /* the worker thread ends after this number of functions, or
                                     * after STEP_US microseconds */
#define STEP_US   60000

struct _GilkFunctionShares {
  GObject        parent_instance;

  GilkFunctions *functions;
  GHashTable    *known;        /* results so far: const GilkFunction * -> GilkHookShare * */
  GPtrArray     *wanted;       /* functions (const GilkFunction *) that are requested but not
                                * started; NULL: none */
  GCancellable  *finding;
};

G_DEFINE_FINAL_TYPE (GilkFunctionShares, gilk_function_shares, G_TYPE_OBJECT)

typedef struct {
  GilkFunctions *functions;
  guint          n, done;
  const GilkFunction *of[STEP_FUNCTIONS];
  GilkHookShare  shares[STEP_FUNCTIONS];
} Step;

static void
step_free (gpointer data)
{
  Step *step = data;

  gilk_functions_unref (step->functions);
  g_free (step);
}

static void
find_thread (GTask        *task,
             gpointer      source,
             gpointer      task_data,
             GCancellable *cancellable)
{
  Step *step = task_data;
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  gint64 until = g_get_monotonic_time () + STEP_US;

  while (step->done < step->n && !g_cancellable_is_cancelled (cancellable) &&
         (step->done == 0 || g_get_monotonic_time () < until))
    {
      gilk_hook_share (step->functions, step->of[step->done], decoder, &step->shares[step->done]);
      step->done++;
    }
  g_task_return_boolean (task, TRUE);
}

static void find_next (GilkFunctionShares *self);

static void
found_cb (GObject      *object,
          GAsyncResult *result,
          gpointer      user_data)
{
  GilkFunctionShares *self = GILK_FUNCTION_SHARES (object);
  const Step *step = g_task_get_task_data (G_TASK (result));

  if (!g_task_propagate_boolean (G_TASK (result), NULL))
    return;
  g_clear_object (&self->finding);
  for (guint i = 0; i < step->done; i++)
    g_hash_table_insert (self->known, (gpointer) step->of[i], g_memdup2 (&step->shares[i], sizeof step->shares[i]));
  g_signal_emit_by_name (self, "changed");
  find_next (self);
}

static void
find_next (GilkFunctionShares *self)
{
  g_autoptr(GTask) task = NULL;
  Step *step;

  if (self->finding != NULL || self->wanted == NULL)
    return;
  step = g_new0 (Step, 1);
  step->functions = gilk_functions_ref (self->functions);
  for (guint i = 0; i < self->wanted->len && step->n < STEP_FUNCTIONS; i++)
    if (!g_hash_table_contains (self->known, self->wanted->pdata[i]))
      step->of[step->n++] = self->wanted->pdata[i];
  if (step->n == 0)
    {
      step_free (step);
      g_clear_pointer (&self->wanted, g_ptr_array_unref);
      return;
    }
  self->finding = g_cancellable_new ();
  task = g_task_new (self, self->finding, found_cb, NULL);
  g_task_set_task_data (task, step, step_free);
  g_task_set_priority (task, G_PRIORITY_LOW);
  g_task_run_in_thread (task, find_thread);
}

void
gilk_function_shares_request (GilkFunctionShares *self,
                              GPtrArray          *functions)
{
  g_clear_pointer (&self->wanted, g_ptr_array_unref);
  self->wanted = functions;
  find_next (self);
}

const GilkHookShare *
gilk_function_shares_lookup (GilkFunctionShares *self,
                             const GilkFunction *function)
{
  return g_hash_table_lookup (self->known, function);
}

/* Cancels the task in progress. As the task holds a reference to @object, the owner must call
 * g_object_run_dispose(): dropping the owner's reference alone would not dispose of @object. */
static void
gilk_function_shares_dispose (GObject *object)
{
  GilkFunctionShares *self = GILK_FUNCTION_SHARES (object);

  gilk_cancel (&self->finding);
  g_clear_pointer (&self->wanted, g_ptr_array_unref);
  G_OBJECT_CLASS (gilk_function_shares_parent_class)->dispose (object);
}

static void
gilk_function_shares_finalize (GObject *object)
{
  GilkFunctionShares *self = GILK_FUNCTION_SHARES (object);

  g_hash_table_unref (self->known);
  gilk_functions_unref (self->functions);
  G_OBJECT_CLASS (gilk_function_shares_parent_class)->finalize (object);
}

static void
gilk_function_shares_class_init (GilkFunctionSharesClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = gilk_function_shares_dispose;
  G_OBJECT_CLASS (klass)->finalize = gilk_function_shares_finalize;
  gilk_add_signal (klass, "changed", 0);
}

static void
gilk_function_shares_init (GilkFunctionShares *self)
{
  self->known = g_hash_table_new_full (NULL, NULL, NULL, g_free);
}

GilkFunctionShares *
gilk_function_shares_new (GilkFunctions *functions)
{
  GilkFunctionShares *self = g_object_new (GILK_TYPE_FUNCTION_SHARES, NULL);

  self->functions = gilk_functions_ref (functions);

  return self;
}
