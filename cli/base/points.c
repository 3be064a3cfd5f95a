/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * points.c - replaces a hook by hooks at all addresses of a source line or inlined function, at all
 * functions that match a pattern, or at all returns of a function
 */
#include "cli/base/follow.h"

#include <glib/gi18n.h>
#include <string.h>

#include "cli/base/output.h"
#include "core/base/gilk-format.h"
#include "core/cfg/gilk-cfg.h"
#include "core/cfg/gilk-function.h"
#include "core/cfg/gilk-locate.h"
#include "core/image/gilk-elf.h"
#include "core/image/gilk-image-user.h"

#define FUNCTIONS_LISTED 3      /* maximum number of functions that a note names */

/* ---- replacing a hook by hooks at several locations ---- */

static GilkPlanHook *
make_location_hook (const GilkPlanHook *hook, const GilkDwarfLocation *location, GilkFunctions *functions, guint number)
{
  const GilkFunction *function = gilk_functions_at (functions, location->addr);
  GilkPlanHook *copy;

  if (function == NULL)
    return NULL;
  copy = gilk_plan_hook_copy (hook);
  g_free (copy->function);
  copy->function = gilk_functions_name (functions, function);
  g_clear_pointer (&copy->anchor, g_free);
  if (location->addr == function->hot.start)
    {
      copy->anchor = g_strdup ("entry");
      copy->where = GILK_WHERE_PRE;
    }
  else
    copy->block = gilk_locate_offset_text (function, location->addr);
  if (number > 0)
    {
      g_free (copy->label);
      copy->label = g_strdup_printf ("%s-%u", hook->label, number);
    }

  return copy;
}

static void
append_location (GString *places, const GilkPlanHook *hook, const GilkDwarfLocation *location)
{
  g_string_append_printf (places, "%s%s%s", places->len > 0 ? ", " : "", hook->function,
                          hook->block != NULL ? hook->block : "");
  if (location->function != NULL && g_strcmp0 (location->function, location->into) != 0)
    g_string_append_printf (places, _(" (%s, inlined)"), location->function);
}

/* Replaces hook @index by hooks at @locations in @functions. Returns their number; if there are none,
 * the hook stays. */
static guint
replace_hook (GilkPlan *plan, guint index, const GArray *locations, GilkFunctions *functions, GString *places)
{
  const GilkPlanHook *hook = g_ptr_array_index (plan->hooks, index);
  guint count = 0;

  for (guint i = 0; i < locations->len; i++)
    {
      const GilkDwarfLocation *location = &g_array_index (locations, GilkDwarfLocation, i);
      GilkPlanHook *new = make_location_hook (hook, location, functions, locations->len > 1 ? i + 1 : 0);

      if (new == NULL)
        continue;
      append_location (places, new, location);
      g_ptr_array_insert (plan->hooks, (int) (index + 1 + count++), new);
    }
  if (count > 0)
    g_ptr_array_remove_index (plan->hooks, index);

  return count;
}

/* ---- hooks at a source line ---- */

static gboolean
set_no_code_error (const GilkSourceLine *line, guint nearest, GError **error)
{
  if (nearest != 0)
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("No code starts at %s:%u. The next line with code is %u."), line->file, line->line, nearest);
  else
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("No code found for %s:%u in the kernel and the modules with debug data. Write the end of the path "
                   "as in the source tree, e.g. fs/pipe.c:517."), line->file, line->line);

  return FALSE;
}

static gboolean
replace_at_line (Cli *cli, GilkPlan *plan, guint index, CliKernel *kernel, guint *count, GError **error)
{
  const GilkPlanHook *hook = g_ptr_array_index (plan->hooks, index);
  g_autoptr(GString) places = g_string_new (NULL);
  g_autoptr(GArray) locations = NULL;
  g_auto(GilkSourceLine) line = { 0 };
  guint nearest = 0;

  if (!gilk_source_line_parse (hook->function, &line))
    return TRUE;
  locations = gilk_locate_line (kernel->image, &line, &nearest, cli->cancellable, error);
  if (locations == NULL)
    return FALSE;
  *count = replace_hook (plan, index, locations, kernel->functions, places);
  if (*count == 0)
    return set_no_code_error (&line, locations->len == 0 ? nearest : 0, error);
  cli_note (cli, ngettext ("%s:%u is at %u location: %s.", "%s:%u is at %u locations: %s.", *count), line.file, line.line, *count,
            places->str);

  return TRUE;
}

/* ---- hooks where a function was inlined ---- */

static gboolean
set_not_inlined_error (const char *name, const GArray *locations, GError **error)
{
  if (locations->len > 0)
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("%s is inlined, but only in functions that have no symbol, because the file is stripped. Hook an "
                   "unstripped file, or install the debug package of this file."), name);
  else if (gilk_function_is_user (name))
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("The debug data of this file show no inlined copy of %s. If it is a function of "
                   "its own, write %s:entry."), name, name);
  else
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("%s is not inlined anywhere in the kernel and the modules with debug data. If it is a function of "
                   "its own, write %s:entry."), name, name);

  return FALSE;
}

static gboolean
replace_where_inlined (Cli *cli, GilkPlan *plan, guint index, const char *name, CliKernel *kernel, guint *count, GError **error)
{
  g_autoptr(GString) places = g_string_new (NULL);
  g_autoptr(GArray) locations = NULL;
  GilkFunctions *functions = gilk_locate_functions (kernel->functions, name, error);
  gboolean more = FALSE;

  if (functions == NULL)
    return FALSE;
  locations = gilk_locate_inlined (kernel->functions, name, &more, cli->cancellable, error);
  if (locations == NULL)
    return FALSE;
  if (more)
    g_set_error (error, GILK_ERROR, GILK_ERROR_REFUSED,
                 _("%s is inlined in more than %d places. Choose some of those that \"gilk find %s\" lists."), name,
                 GILK_DWARF_LOCATIONS_MAX, name);
  if (more)
    return FALSE;
  *count = replace_hook (plan, index, locations, functions, places);
  if (*count == 0)
    return set_not_inlined_error (name, locations, error);
  cli_note (cli, ngettext ("%s is inlined in %u place: %s.", "%s is inlined in %u places: %s.", *count), name, *count,
            places->str);

  return TRUE;
}

/* ---- hooks at all functions that match a pattern ---- */

/* Returns the labels of all hooks of @plan but hook @index. */
static GHashTable *
collect_labels (const GilkPlan *plan, guint index)
{
  GHashTable *taken = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < plan->hooks->len; i++)
    if (i != index)
      g_hash_table_add (taken, g_strdup (((const GilkPlanHook *) g_ptr_array_index (plan->hooks, i))->label));

  return taken;
}

/* Reports how many functions match the pattern @text. FALSE with @error: none that can be hooked. */
static gboolean
report_matches (Cli *cli, const char *text, guint count, guint refused, GError **error)
{
  if (count == 0 && refused == 0)
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("No function matches %s. \"gilk find NAME\" lists functions with similar names."), text);
  else if (count == 0)
    g_set_error (error, GILK_ERROR, GILK_ERROR_REFUSED,
                 ngettext ("%u function matches %s, and it cannot be hooked. \"gilk find\" shows why.",
                           "%u functions match %s, and none of them can be hooked. \"gilk find\" shows why.", refused),
                 refused, text);
  else if (count > ILK_BATCH_MAX)
    g_set_error (error, GILK_ERROR, GILK_ERROR_USAGE, _("%u functions match %s, and a plan can have at most %u hooks. Write a "
                                                        "pattern that matches fewer."), count, text, ILK_BATCH_MAX);
  else if (refused == 0)
    cli_note (cli, ngettext ("%s matches %u function.", "%s matches %u functions.", count), text, count);
  else
    cli_note (cli, ngettext ("%s matches %u function that can be hooked, and %u that cannot.",
                             "%s matches %u functions that can be hooked, and %u that cannot.", count), text, count, refused);

  return count > 0 && count <= ILK_BATCH_MAX;
}

static gboolean
is_refused (gconstpointer function)
{
  return ((const GilkFunction *) function)->refusal != GILK_REFUSAL_NONE;
}

static gboolean
replace_at_matches (Cli *cli, GilkPlan *plan, guint index, CliKernel *kernel, guint *count, GError **error)
{
  const GilkPlanHook *hook = g_ptr_array_index (plan->hooks, index);
  g_autoptr(GHashTable) taken = collect_labels (plan, index);
  g_autoptr(GPtrArray) all = gilk_locate_matches (kernel->functions, hook->function, error);
  guint found = 0;

  for (guint i = 0; all != NULL && i < all->len; i++)
    found += !is_refused (g_ptr_array_index (all, i));
  if (all == NULL || !report_matches (cli, hook->function, found, all->len - found, error))
    return FALSE;
  for (guint i = 0, n = 0; i < all->len; i++)
    {
      const GilkFunction *function = g_ptr_array_index (all, i);
      g_autofree char *name = is_refused (function) ? NULL : gilk_functions_name (kernel->functions, function);

      if (name == NULL)
        continue;
      n++;
      g_ptr_array_insert (plan->hooks, (int) (index + n), gilk_plan_hook_copy_to (hook, name, taken, found > 1 ? n : 0));
    }
  g_ptr_array_remove_index (plan->hooks, index);
  *count = found;

  return TRUE;
}

gboolean
cli_point_at_locations (Cli *cli, GilkPlan *plan, guint index, const GilkPointText *point, CliKernel *kernel, guint *count,
                        GError **error)
{
  *count = 1;
  if (point->at_line)
    return replace_at_line (cli, plan, index, kernel, count, error);
  if (point->at_inlined)
    return replace_where_inlined (cli, plan, index, point->function, kernel, count, error);

  return point->is_event || !gilk_locate_is_pattern (kernel->functions, point->function) ||
         replace_at_matches (cli, plan, index, kernel, count, error);
}

/* ---- replaces a hook by hooks at all returns of a function ---- */

/* Makes a hook of @plan at the exit @at of a function. The plan identifies a return by its number
 * ("return#2"), and a tail call by the offset and fingerprint of its block. */
static GilkPlanHook *
make_exit_hook (const GilkPlan *plan, const GilkPlanHook *hook, const GilkCfg *cfg, const GilkCfgExit *at, guint number)
{
  g_autofree char *label = g_strdup_printf ("%s-%u", hook->label, number);
  GilkPlanHook *copy = gilk_plan_hook_copy (hook);

  g_clear_pointer (&copy->anchor, g_free);
  if (at->number > 0)
    copy->anchor = g_strdup_printf ("return#%u", at->number);
  else
    {
      copy->block = gilk_cfg_offset_name (cfg, cfg->blocks[at->block].start);
      gilk_cfg_fingerprint (cfg, at->block, copy->fingerprint);
    }
  g_free (copy->label);
  copy->label = gilk_plan_unused_label (plan, label);
  return copy;
}

/* Returns whether the hook's program uses the return value. Such a hook cannot be placed at a tail
 * call, where the value is not computed yet. */
static gboolean
uses_return_value (const GilkPlan *plan, const GilkPlanHook *hook)
{
  const char *code = hook->is_program ? gilk_plan_hook_code (plan, hook) : NULL;

  return code != NULL && strstr (code, "retval") != NULL;
}

static gboolean
has_tail_call (const GArray *exits)
{
  for (guint i = 0; i < exits->len; i++)
    if (g_array_index (exits, GilkCfgExit, i).number == 0)
      return TRUE;
  return FALSE;
}

static void
note_tail_calls (Cli *cli, const char *function, guint count)
{
  if (count > 0)
    cli_note (cli, ngettext ("In %u block, %s jumps into another function. Calls of %s that leave by "
                             "that jump do not pass any of its returns.",
                             "In %u blocks, %s jumps into other functions. Calls of %s that leave by "
                             "these jumps do not pass any of its returns.", count),
              count, function, function);
}

/* Removes tail calls from @exits. Returns the number of blocks that leave the function by a
 * jump. */
static guint
drop_tail_calls (const GilkCfg *cfg, GArray *exits)
{
  guint count = 0;

  for (guint i = exits->len; i-- > 0;)
    if (g_array_index (exits, GilkCfgExit, i).number == 0)
      {
        g_array_remove_index (exits, i);
        count++;
      }
  for (guint i = 0; i < cfg->n_blocks; i++)
    count += cfg->blocks[i].ending == GILK_END_INDIRECT && (cfg->blocks[i].n_in > 0 || i == cfg->entry);
  return count;
}

/* Replaces hook @index by hooks at all returns of its function. Returns the number of blocks by which
 * calls leave the function without passing one of them. */
static guint
place_at_returns (GilkPlan *plan, guint index, CliKernel *kernel)
{
  const GilkPlanHook *hook = g_ptr_array_index (plan->hooks, index);
  const gboolean is_user = gilk_function_is_user (hook->function);
  const GilkFunction *function = NULL;
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  g_autoptr(GilkCfg) cfg = NULL;
  g_autoptr(GArray) exits = NULL;
  guint passed_by = 0;
  gboolean whole;

  function = gilk_functions_lookup (kernel->functions, hook->function, NULL);
  cfg = function != NULL ? gilk_cfg_new (kernel->functions, function, decoder, NULL) : NULL;
  if (cfg == NULL)
    return 0;
  exits = gilk_cfg_exits (cfg, &whole);
  /* Hooks at the exits of a function in a user program may miss some returns or the return value.
   * If so, keep the single return hook, which the kernel runs at every return. */
  if (is_user && (!whole || (uses_return_value (plan, hook) && has_tail_call (exits) &&
                             gilk_image_user_runtime (cfg->image) == GILK_ELF_RETURNS)))
    return 0;
  if (!is_user || uses_return_value (plan, hook))
    passed_by = drop_tail_calls (cfg, exits);
  if (exits->len < 2)
    return passed_by;
  for (guint i = 0; i < exits->len; i++)
    {
      const GilkCfgExit *at = &g_array_index (exits, GilkCfgExit, i);

      g_ptr_array_insert (plan->hooks, (int) (index + 1 + i), make_exit_hook (plan, hook, cfg, at, at->number > 0 && !is_user ? at->number : i + 1));
    }
  g_ptr_array_remove_index (plan->hooks, index);

  return passed_by;
}

void
cli_point_at_returns (Cli *cli, GilkPlan *plan, guint index, guint count, CliKernel *kernel)
{
  g_autoptr(GPtrArray) functions = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *names = NULL;
  guint blocks = 0;

  while (count-- > 0)
    {
      g_autofree char *name = g_strdup (((const GilkPlanHook *) g_ptr_array_index (plan->hooks, index + count))->function);
      const guint passed_by = place_at_returns (plan, index + count, kernel);

      blocks += passed_by;
      if (passed_by > 0)
        g_ptr_array_insert (functions, 0, g_steal_pointer (&name));
    }
  if (functions->len == 1)
    note_tail_calls (cli, g_ptr_array_index (functions, 0), blocks);
  names = gilk_list_names (functions, FUNCTIONS_LISTED);
  if (functions->len > 1)
    cli_note (cli, _("Calls that leave by a jump into another function do not pass any return. There are such jumps in %s."), names);
}
