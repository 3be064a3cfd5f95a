/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan.c - a plan in memory: makes and copies plans and their hooks, makes labels, writes
 * plans as text
 *
 * The text is always written in the same order and form, so that the texts of two plans differ only
 * if the plans differ in meaning. Parsing is in gilk-plan-parse.c.
 */
#include "core/plan/gilk-plan.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-memory.h"
#include "core/base/gilk-progress.h"
#include "core/cfg/gilk-function.h"
#include "core/plan/gilk-plan-point.h"
#include "core/plan/gilk-plan-private.h"
#include "core/plan/gilk-plan-schedule.h"

#define LABEL_NUMBER 12         /* room in a label for "-" and a number that makes it unique */

#define MANY_HOOKS 2000         /* number of hooks from which on a plan is freed in another thread,
                                 * because that takes over a millisecond */

GilkPlan *
gilk_plan_new (void)
{
  GilkPlan *plan = g_new0 (GilkPlan, 1);

  g_atomic_ref_count_init (&plan->ref_count);
  plan->programs = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_plan_program_free);
  plan->program_named = g_hash_table_new (g_str_hash, g_str_equal);
  plan->hooks = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_plan_hook_unref);

  return plan;
}

GILK_DEFINE_REF (GilkPlan, gilk_plan, ref_count)

void
gilk_plan_unref (GilkPlan *plan)
{
  if (plan == NULL || !g_atomic_ref_count_dec (&plan->ref_count))
    return;

  g_hash_table_unref (plan->program_named);
  g_ptr_array_unref (plan->programs);
  g_ptr_array_unref (plan->hooks);
  gilk_free_all (plan->title, plan->kernel, plan->build_id, plan->until, plan);
}

void
gilk_plan_unref_async (GilkPlan *plan)
{
  if (plan != NULL && plan->hooks->len > MANY_HOOKS)
    gilk_discard (plan, (GDestroyNotify) gilk_plan_unref);
  else
    gilk_plan_unref (plan);
}

GilkPlanHook *
gilk_plan_hook_new (const char *label,
                    const char *function,
                    GilkWhere   where,
                    const char *instrument)
{
  GilkPlanHook *hook = g_new0 (GilkPlanHook, 1);

  g_atomic_ref_count_init (&hook->ref_count);
  hook->label = g_strdup (label);
  hook->function = g_strdup (function);
  hook->where = where;
  hook->instrument = g_strdup (instrument);
  hook->params = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  return hook;
}

GILK_DEFINE_REF (GilkPlanHook, gilk_plan_hook, ref_count)

void
gilk_plan_hook_unref (GilkPlanHook *hook)
{
  if (hook == NULL || !g_atomic_ref_count_dec (&hook->ref_count))
    return;

  gilk_free_all (hook->label, hook->function, hook->block, hook->anchor, hook->instrument,
                 hook->watch, hook->leader);
  g_hash_table_unref (hook->params);
  g_free (hook);
}

GilkPlanHook *
gilk_plan_hook_copy (const GilkPlanHook *from)
{
  GilkPlanHook *hook = gilk_plan_hook_new (from->label, from->function, from->where,
                                           from->instrument);
  GHashTableIter iter;
  gpointer name, value;

  hook->block = g_strdup (from->block);
  hook->anchor = g_strdup (from->anchor);
  memcpy (hook->fingerprint, from->fingerprint, sizeof hook->fingerprint);
  hook->is_program = from->is_program;
  hook->start_ns = from->start_ns;
  hook->stop_ns = from->stop_ns;
  hook->leader = g_strdup (from->leader);
  hook->leader_delay_ns = from->leader_delay_ns;
  hook->tactic = from->tactic;
  hook->inner = from->inner;
  hook->triggers = from->triggers;
  hook->trigger_ns = from->trigger_ns;
  hook->control = from->control;
  hook->event = from->event;
  hook->watch = from->watch != NULL ? g_memdup2 (from->watch, sizeof *from->watch) : NULL;
  g_hash_table_iter_init (&iter, from->params);
  while (g_hash_table_iter_next (&iter, &name, &value))
    g_hash_table_insert (hook->params, g_strdup (name), g_strdup (value));

  return hook;
}

/* Makes a copy of the plan without its hooks. */
static GilkPlan *
copy_settings (const GilkPlan *plan)
{
  GilkPlan *copy = gilk_plan_new ();

  copy->title = g_strdup (plan->title);
  copy->kernel = g_strdup (plan->kernel);
  copy->build_id = g_strdup (plan->build_id);
  copy->ring = plan->ring;
  copy->interleave = plan->interleave;
  copy->until = g_strdup (plan->until);
  copy->may_change = plan->may_change;
  copy->crash = plan->crash;
  copy->run_length_ns = plan->run_length_ns;
  for (guint i = 0; i < plan->programs->len; i++)
    {
      const GilkPlanProgram *program = g_ptr_array_index (plan->programs, i);

      gilk_plan_add_program (copy, program->name, program->code);
    }

  return copy;
}

GilkPlan *
gilk_plan_copy (const GilkPlan *plan)
{
  GilkPlan *copy = copy_settings (plan);

  for (guint i = 0; i < plan->hooks->len; i++)
    g_ptr_array_add (copy->hooks, gilk_plan_hook_copy (g_ptr_array_index (plan->hooks, i)));

  return copy;
}

GilkPlan *
gilk_plan_share (const GilkPlan *plan)
{
  GilkPlan *copy = copy_settings (plan);

  g_ptr_array_set_size (copy->hooks, (int) plan->hooks->len);
  for (guint i = 0; i < plan->hooks->len; i++)
    copy->hooks->pdata[i] = gilk_plan_hook_ref (g_ptr_array_index (plan->hooks, i));

  return copy;
}

GilkPlanHook *
gilk_plan_edit_hook (GilkPlan *plan,
                     guint     index)
{
  GilkPlanHook *hook = g_ptr_array_index (plan->hooks, index);
  GilkPlanHook *own;

  if (g_atomic_ref_count_compare (&hook->ref_count, 1))
    return hook;
  own = gilk_plan_hook_copy (hook);
  plan->hooks->pdata[index] = own;
  gilk_plan_hook_unref (hook);

  return own;
}

void
gilk_plan_set_origin (GilkPlan   *plan,
                      const char *kernel,
                      const char *build_id)
{
  if (plan->kernel == NULL && plan->build_id == NULL)
    plan->build_id = g_strdup (build_id);
  if (plan->kernel == NULL)
    plan->kernel = g_strdup (kernel);
}

gboolean
gilk_plan_matches_kernel (const GilkPlan *plan,
                          const char     *kernel,
                          const char     *build_id)
{
  if (plan->build_id != NULL && build_id != NULL)
    return strcmp (plan->build_id, build_id) == 0;

  return plan->kernel == NULL || kernel == NULL || strcmp (plan->kernel, kernel) == 0;
}

static gboolean
has_label (const GilkPlan *plan, const char *label)
{
  for (guint i = 0; i < plan->hooks->len; i++)
    if (strcmp (((GilkPlanHook *) g_ptr_array_index (plan->hooks, i))->label, label) == 0)
      return TRUE;

  return FALSE;
}

char *
gilk_plan_unused_label (const GilkPlan *plan,
                        const char     *base)
{
  char *label = g_strdup (base);

  for (guint n = 2; has_label (plan, label); n++)
    {
      g_free (label);
      label = g_strdup_printf ("%s-%u", base, n);
    }

  return label;
}

/* Joins both parts of a label, with "_" for characters that no label has. A long name in @start is
 * cut, so that there is room for @rest and for a number. */
static char *
join_label (const char *start, const char *rest)
{
  char *label = g_strdup_printf ("%.*s%s", (int) MAX (0, GILK_LABEL_MAX - LABEL_NUMBER - (int) strlen (rest)), start, rest);

  return g_strcanon (label, GILK_LABEL_CHARS, '_');
}

/* Returns the start of a label of a hook in @function. */
static char *
make_label_start (const char *function)
{
  const char *slash = gilk_function_is_user (function) ? strrchr (function, '/') : NULL;

  return g_strcanon (g_strdup (slash != NULL ? slash + 1 : function), GILK_LABEL_CHARS, '_');
}

char *
gilk_plan_make_label (const GilkPlan *plan,
                      const char     *function,
                      const char     *block,
                      GilkWhere       where)
{
  g_autofree char *start = make_label_start (function);
  g_autofree char *rest = g_strdup_printf ("%s-%s", block != NULL ? block : "", gilk_where_name (where));
  g_autofree char *base = join_label (start, rest);

  return gilk_plan_unused_label (plan, base);
}

GilkPlanHook *
gilk_plan_hook_copy_to (const GilkPlanHook *hook,
                        const char         *name,
                        GHashTable         *labels,
                        guint               number)
{
  g_autofree char *pattern = make_label_start (hook->function), *start = make_label_start (name), *base = NULL;
  GilkPlanHook *copy = gilk_plan_hook_copy (hook);

  if (g_str_has_prefix (hook->label, pattern) && strspn (hook->label + strlen (pattern), "-+.") > 0)
    base = join_label (start, hook->label + strlen (pattern));
  else
    base = number > 0 ? g_strdup_printf ("%s-%u", hook->label, number) : g_strdup (hook->label);
  g_free (copy->label);
  copy->label = g_strdup (base);
  for (guint n = 2; g_hash_table_contains (labels, copy->label); n++)
    {
      g_free (copy->label);
      copy->label = g_strdup_printf ("%s-%u", base, n);
    }
  g_hash_table_add (labels, g_strdup (copy->label));
  g_free (copy->function);
  copy->function = g_strdup (name);

  return copy;
}

/* Makes the label of a watchpoint from the last name in its expression, ignoring a cast. */
static char *
make_watch_label (const GilkPlan *plan, const GilkPlanHook *hook)
{
  const char *close = strrchr (hook->function, ')');
  g_autofree char *name = g_strstrip (g_strdup (close != NULL && close[1] != '\0' ? close + 1 : hook->function));
  g_autofree char *base = g_strdup_printf ("%.100s-%s", name, gilk_access_name (hook->watch->access));

  g_strcanon (base, GILK_LABEL_CHARS, '_');

  return gilk_plan_unused_label (plan, base);
}

GilkPlanHook *
gilk_plan_watchpoint_hook_new (const GilkPlan *plan,
                               const char     *text,
                               GError        **error)
{
  GilkPlanHook *hook = gilk_plan_hook_new (NULL, NULL, GILK_WHERE_POST, GILK_WATCHPOINT_INSTRUMENT);

  if (!gilk_plan_hook_set_watchpoint (hook, text, error))
    {
      gilk_plan_hook_unref (hook);
      return NULL;
    }
  hook->label = make_watch_label (plan, hook);

  return hook;
}

const char *
gilk_where_name (GilkWhere where)
{
  return where == GILK_WHERE_POST ? "post" : where == GILK_WHERE_AT ? "at" : "pre";
}

/* ---- writing of a plan as text ---- */

static void
append_params (GKeyFile *file, const char *group, GHashTable *params)
{
  g_autoptr(GList) names = g_list_sort (g_hash_table_get_keys (params), (GCompareFunc) strcmp);

  for (GList *l = names; l != NULL; l = l->next)
    {
      g_autofree char *key = g_strconcat (GILK_PARAM_PREFIX, l->data, NULL);

      g_key_file_set_string (file, group, key, g_hash_table_lookup (params, l->data));
    }
}

static void
append_place (GKeyFile *file, const char *group, const GilkPlanHook *hook)
{
  g_key_file_set_string (file, group, "function", hook->function);
  if (hook->anchor != NULL)
    g_key_file_set_string (file, group, "anchor", hook->anchor);
  else
    g_key_file_set_string (file, group, "block", hook->block != NULL ? hook->block : "+0x0");
  g_key_file_set_string (file, group, "where", gilk_where_name (hook->where));
  if (hook->fingerprint[0] != '\0' && hook->anchor == NULL)
    g_key_file_set_string (file, group, "fingerprint", hook->fingerprint);
  g_key_file_set_string (file, group, hook->is_program ? "program" : "instrument", hook->instrument);
}

static void
append_watch (GKeyFile *file, const char *group, const GilkPlanHook *hook)
{
  g_autofree char *what = gilk_plan_watchpoint_text (hook);

  g_key_file_set_string (file, group, "what", what);
  if (hook->is_program)
    g_key_file_set_string (file, group, "program", hook->instrument);
}

static void
append_event (GKeyFile *file, const char *group, const GilkPlanHook *hook)
{
  g_key_file_set_string (file, group, "what", hook->function);
  g_key_file_set_string (file, group, hook->is_program ? "program" : "instrument", hook->instrument);
}

/* Returns the prefix of the header of the hook's group, such as "watchpoint " or "event ". */
static const char *
get_prefix (const GilkPlanHook *hook)
{
  return hook->watch != NULL ? GILK_WATCHPOINT_PREFIX : hook->event.kind != 0 ? GILK_EVENT_PREFIX : GILK_HOOK_PREFIX;
}

/* Returns TRUE if the hook's leader still has a stop time. If it has none, the hook's start and
 * stop are written as plain times, so that the text can be parsed. */
static gboolean
has_valid_leader (const GilkPlan *plan, const GArray *leader_of, guint index)
{
  guint leader = leader_of != NULL ? g_array_index (leader_of, guint, index) : G_MAXUINT;

  return leader != G_MAXUINT && ((const GilkPlanHook *) g_ptr_array_index (plan->hooks, leader))->stop_ns != 0;
}

static void
append_hook (GKeyFile *file, const GilkPlan *plan, const GArray *leader_of, guint index)
{
  const GilkPlanHook *hook = g_ptr_array_index (plan->hooks, index);
  const GilkPlanHook alone = { .start_ns = hook->start_ns, .stop_ns = hook->stop_ns };
  gboolean follows = has_valid_leader (plan, leader_of, index);
  g_autofree char *group = g_strconcat (get_prefix (hook), hook->label, NULL);
  g_autofree char *start = gilk_plan_start_text (follows ? hook : &alone);
  g_autofree char *stop = gilk_plan_stop_text (follows ? hook : &alone);

  if (hook->watch != NULL)
    append_watch (file, group, hook);
  else if (hook->event.kind != 0)
    append_event (file, group, hook);
  else
    append_place (file, group, hook);
  g_key_file_set_string (file, group, "start", start);
  if (stop != NULL)
    g_key_file_set_string (file, group, "stop", stop);
  if (hook->triggers)
    {
      g_autofree char *trigger = gilk_format_duration (hook->trigger_ns);

      g_key_file_set_string (file, group, "trigger", trigger);
    }
  if (hook->control)
    g_key_file_set_string (file, group, "control", "yes");
  append_params (file, group, hook->params);
  if (hook->tactic != ILK_TACTIC_NONE)
    g_key_file_set_string (file, group, "tactic",
                           hook->inner ? GILK_TACTIC_INNER : gilk_tactic_name (hook->tactic));
}

static void
append_program (GKeyFile *file, const GilkPlanProgram *program)
{
  g_autofree char *group = g_strconcat (GILK_PROGRAM_PREFIX, program->name, NULL);

  g_key_file_set_string (file, group, "code", program->code);
}

static void
append_ring (GKeyFile *file, const GilkPlanRing *ring)
{
  g_autofree char *bytes = gilk_format_ring_bytes (ring->bytes);
  g_autofree char *window = gilk_format_duration (ring->window_ns);

  if (ring->bytes != 0)
    g_key_file_set_string (file, GILK_PLAN_GROUP, "ring", bytes);
  if (ring->mode != ILK_RING_DROP)
    g_key_file_set_string (file, GILK_PLAN_GROUP, "ring-mode", gilk_ring_mode_name (ring->mode));
  if (ring->window_ns != 0)
    g_key_file_set_string (file, GILK_PLAN_GROUP, "ring-window", window);
}

char *
gilk_plan_to_text (const GilkPlan *plan)
{
  g_autoptr(GKeyFile) file = g_key_file_new ();
  g_autoptr(GArray) leader_of = gilk_plan_leader_indices (plan);

  g_key_file_set_integer (file, GILK_PLAN_GROUP, "version", GILK_PLAN_VERSION);
  if (plan->title != NULL)
    g_key_file_set_string (file, GILK_PLAN_GROUP, "title", plan->title);
  if (plan->kernel != NULL)
    g_key_file_set_string (file, GILK_PLAN_GROUP, "kernel", plan->kernel);
  if (plan->build_id != NULL)
    g_key_file_set_string (file, GILK_PLAN_GROUP, "build-id", plan->build_id);
  if (plan->may_change)
    g_key_file_set_string (file, GILK_PLAN_GROUP, "changes", "yes");
  if (plan->crash != GILK_CRASH_NEVER)
    g_key_file_set_string (file, GILK_PLAN_GROUP, "crash", plan->crash == GILK_CRASH_WITH_DUMP ? "yes" : "without-dump");
  append_ring (file, &plan->ring);
  if (plan->interleave.period_ns != 0)
    {
      g_autofree char *interleave = gilk_format_interleave (&plan->interleave);

      g_key_file_set_string (file, GILK_PLAN_GROUP, "interleave", interleave);
    }
  if (plan->until != NULL)
    g_key_file_set_string (file, GILK_PLAN_GROUP, "until", plan->until);
  for (guint i = 0; i < plan->programs->len; i++)
    append_program (file, g_ptr_array_index (plan->programs, i));
  for (guint i = 0; i < plan->hooks->len; i++)
    append_hook (file, plan, leader_of, i);

  return g_key_file_to_data (file, NULL, NULL);
}

gboolean
gilk_plan_save_text (const char *text,
                     const char *path,
                     GError    **error)
{
  g_autoptr(GError) local = NULL;

  if (g_file_set_contents (path, text, -1, &local))
    return TRUE;

  return gilk_unwritable_by (path, local, error);
}

gboolean
gilk_plan_save (const GilkPlan *plan,
                const char     *path,
                GError        **error)
{
  g_autofree char *text = gilk_plan_to_text (plan);

  return gilk_plan_save_text (text, path, error);
}
