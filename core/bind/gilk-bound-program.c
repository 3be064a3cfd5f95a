/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-program.c - compiles the programs of a plan for their probe points
 */
#include "core/bind/gilk-bound-private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/bind/gilk-bound-event.h"
#include "core/bind/gilk-bound-watchpoint.h"
#include "core/emit/gilk-bpf-code.h"
#include "core/image/gilk-elf.h"
#include "core/image/gilk-image-user.h"
#include "core/image/gilk-type-scope.h"
#include "core/plan/gilk-plan-point.h"

#define BPF_CLOCK_KHZ 1000000    /* frequency of the clock that programs read with BPF: it counts
                                  * nanoseconds (gilk-wire-bpf.h) */

struct _GilkBoundPrograms {
  GilkBoundPlan   *bound;         /* (unowned) */
  GilkImage       *image;         /* (unowned) */
  GilkTarget      *target;        /* (unowned) (nullable) */
  GCancellable    *cancellable;   /* (unowned) */
  GilkBoundChange  change;
  uint64_t         addr;          /* address of the instruction after the current hook; 0: it is not
                                   * in code */
  GArray          *locals;        /* (element-type GilkDwarfVariable): local variables at @addr;
                                   * NULL: not read yet, or there are none */
  gboolean         asked_locals;
  uint32_t         module;        /* module of the function at the current hook */
  GPtrArray       *types;         /* (element-type GilkBtf): types for the current hook, from debug
                                   * data */
  gboolean         asked;         /* the driver's info was requested: @info or @error is set */
  struct ilk_info  info;
  GError          *error;
};

GilkBoundPrograms *
gilk_bound_programs_new (GilkBoundPlan *bound,
                         GilkFunctions *functions,
                         GilkImage     *image,
                         GilkDecoder   *decoder,
                         GCancellable  *cancellable)
{
  GilkBoundPrograms *programs = g_new0 (GilkBoundPrograms, 1);

  programs->bound = bound;
  programs->image = image;
  programs->target = gilk_image_target (image);
  programs->cancellable = cancellable;
  programs->types = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_btf_unref);
  programs->change = (GilkBoundChange) {
    .functions = functions, .image = image, .decoder = decoder, .cancellable = cancellable,
  };

  return programs;
}

void
gilk_bound_programs_free (GilkBoundPrograms *programs)
{
  g_clear_pointer (&programs->locals, g_array_unref);
  g_ptr_array_unref (programs->types);
  g_clear_error (&programs->error);
  g_free (programs);
}

/* ---- data that depend on the probe point ---- */

/* Sets the members of @info that a BPF program needs to read the current task and the CPU's number:
 * numbers that stand for BPF helpers, and offsets in struct task_struct from the kernel's BTF. */
static void
find_task (GilkBoundPrograms *programs)
{
  g_autoptr(GilkBtf) btf = gilk_bound_types (&programs->change, 0, NULL);
  const guint task = btf != NULL ? gilk_btf_find (btf, "struct task_struct") : 0;
  GilkMember member;

  programs->info.gs_cpu_number = GILK_BPF_GS_CPU;
  programs->info.tsc_khz = BPF_CLOCK_KHZ;
  if (task == 0)
    return;
  programs->info.gs_current_task = GILK_BPF_GS_CURRENT;
  if (gilk_btf_member (btf, task, "pid", &member))
    programs->info.task_pid = (uint32_t) (member.offset / 8);
  if (gilk_btf_member (btf, task, "tgid", &member))
    programs->info.task_tgid = (uint32_t) (member.offset / 8);
  if (gilk_btf_member (btf, task, "comm", &member))
    programs->info.task_comm = (uint32_t) (member.offset / 8);
}

/* Returns whether the target now uses what the plan needs: both use the driver, or both BPF. */
static gboolean
uses_target (const GilkBoundPrograms *programs)
{
  return programs->target != NULL && programs->bound->by_bpf == (gilk_target_way (programs->target) == GILK_WAY_BPF);
}

/* Requests the driver's info for the first hook, and returns the same result for later hooks. Does
 * nothing if the image is not of a running kernel, or if the plan is only checked. */
static gboolean
load_driver_info (GilkBoundPrograms *programs, GError **error)
{
  g_autoptr(GError) local = NULL;

  if (!programs->asked && uses_target (programs) && !programs->bound->partly_checked &&
      ((!gilk_target_has_driver (programs->target) &&
        !gilk_target_load_driver (programs->target, programs->cancellable, &local)) ||
       !gilk_target_driver_info (programs->target, &programs->info, programs->cancellable, &local)))
    g_set_error (&programs->error, local->domain, local->code,
                 _("The driver is needed to look up what the program refers to in the kernel: %s"),
                 local->message);
  if (!programs->asked && programs->bound->by_bpf)
    find_task (programs);
  programs->asked = TRUE;
  if (programs->error != NULL)
    g_propagate_error (error, g_error_copy (programs->error));

  return programs->error == NULL;
}

/* Returns the module whose types the hook's program can use; 0 is the kernel itself, whose types
 * also apply at watchpoints and in user-space functions. */
static uint32_t
types_module (const GilkBoundHook *hook)
{
  const GilkCfg *cfg = hook->cfg;

  if (hook->hook->event.kind != 0)
    return hook->event_module;
  return cfg == NULL || gilk_image_user_path (cfg->image) != NULL ? 0 : cfg->function->module;
}

static gboolean
find_function (const char *name, const char *original, GilkProgramFunction *function, gpointer data, GError **error)
{
  const GilkBoundPrograms *programs = data;

  return gilk_bound_find_function (&programs->change, name, original, function, error);
}

static uint64_t
find_variable (const char *name, gpointer data)
{
  const GilkBoundPrograms *programs = data;

  return gilk_bound_find_variable (&programs->change, name);
}

/* Returns the local variables of the hooked function at the hook. It is not an error if debug data
 * are missing. */
static const GArray *
find_locals (gpointer data, GError **error)
{
  GilkBoundPrograms *programs = data;
  g_autoptr(GError) local = NULL;

  if (programs->asked_locals)
    return programs->locals;
  programs->locals = gilk_debug_variables (gilk_image_debug (programs->image), programs->addr, programs->cancellable, &local);
  if (local != NULL && !g_error_matches (local, GILK_ERROR, GILK_ERROR_NOT_FOUND))
    g_propagate_error (error, g_steal_pointer (&local));
  else
    programs->asked_locals = TRUE;

  return programs->locals;
}

static GilkBtf *
find_debug_types (const char *name, gpointer data, GError **error)
{
  GilkBoundPrograms *programs = data;
  const GilkTypeScope scope = { .module = programs->module, .place = { .code = programs->addr, .type = name } };
  GilkBtf *types = gilk_scope_debug_types (programs->image, &scope, programs->cancellable, error);

  if (types != NULL)
    g_ptr_array_add (programs->types, types);

  return types;
}

static char *
name_location (uint64_t addr, gpointer data)
{
  const GilkBoundPrograms *programs = data;
  g_autofree char *offset = gilk_cfg_offset_name (programs->change.cfg, addr);

  return g_strconcat (programs->change.cfg->function->name, offset, NULL);
}

/* Frees the variables of the previous hook and sets the address of @hook. */
static void
reset_locals (GilkBoundPrograms *programs, const GilkBoundHook *hook)
{
  const GilkCfg *cfg = hook->cfg;
  const GilkBlock *block = &cfg->blocks[hook->block];
  const guint at = hook->where == GILK_WHERE_AT ? 0 : gilk_point_boundary (cfg, hook->block, hook->where);

  g_clear_pointer (&programs->locals, g_array_unref);
  programs->asked_locals = FALSE;
  /* The blocks are not split at hooks yet, so a hook may be in the middle of a block. */
  programs->addr = hook->where == GILK_WHERE_AT ? hook->addr
                   : at < block->first_insn + block->n_insns ? cfg->insns[at].addr : block->end;
}

static int
find_hook_index (const char *label, gpointer data)
{
  const GilkPlan *plan = ((const GilkBoundPrograms *) data)->bound->plan;

  for (guint i = 0; i < plan->hooks->len; i++)
    if (strcmp (((const GilkPlanHook *) g_ptr_array_index (plan->hooks, i))->label, label) == 0)
      return (int) i;

  return -1;
}

static gboolean
is_movable_hook (int hook, gpointer data)
{
  const GilkPlan *plan = ((const GilkBoundPrograms *) data)->bound->plan;
  const GilkPlanHook *planned = g_ptr_array_index (plan->hooks, (guint) hook);

  return planned->watch != NULL && planned->watch->is_movable;
}

/* Returns a GilkProgramPlace in which only the members that do not depend on the probe point are
 * set. */
static GilkProgramPlace
make_common_place (GilkBoundPrograms *programs, GilkBtf *btf)
{
  return (GilkProgramPlace) {
    .btf = btf,
    .current_task = programs->info.gs_current_task, .cpu_number = programs->info.gs_cpu_number,
    .task_pid = programs->info.task_pid, .task_tgid = programs->info.task_tgid,
    .task_comm = programs->info.task_comm, .tsc_khz = programs->info.tsc_khz,
    .find_function = find_function, .find_variable = find_variable, .hook = find_hook_index, .moves = is_movable_hook, .data = programs,
  };
}

/* The start of a function counts as its entry, where arguments can be read, only if no branch leads
 * back to it: after such a branch, argument registers may hold other values. */
void
gilk_bound_program_fill_point (GilkProgramPlace *place,
                               const GilkCfg    *cfg,
                               guint             number,
                               GilkWhere         where,
                               gboolean          returns)
{
  const GilkBlock *block = &cfg->blocks[number];
  gboolean post = where == GILK_WHERE_POST;

  place->is_user = gilk_image_user_path (cfg->image) != NULL;
  place->function = place->is_user ? NULL : cfg->function->name;
  place->function_start = place->is_user ? 0 : cfg->function->hot.start;
  place->is_go = place->is_user && gilk_image_user_runtime (cfg->image) == GILK_ELF_GO;
  place->loops_to_entry = where == GILK_WHERE_PRE && number == cfg->entry && block->n_in > 0;
  place->at_entry = where == GILK_WHERE_PRE && number == cfg->entry && block->n_in == 0;
  place->at_return = returns || (post && block->ending == GILK_END_RETURN);
  place->at_exit = place->at_return || (post && block->ending == GILK_END_TAIL_CALL);
}

static GilkProgramPlace
make_place (GilkBoundPrograms *programs, const GilkBoundHook *hook, GilkBtf *btf)
{
  GilkProgramPlace place = make_common_place (programs, btf);

  gilk_bound_program_fill_point (&place, hook->cfg, hook->block,
                                 hook->at != 0 && hook->where == GILK_WHERE_PRE ? GILK_WHERE_AT : hook->where, hook->returns);

  return place;
}

/* ---- compiles the programs of hooks ---- */

void
gilk_bound_programs_bind (GilkBoundPrograms *programs,
                          GilkBoundHook     *hook)
{
  g_autoptr(GilkBtf) btf = NULL, callee_btf = NULL;
  g_autoptr(GError) local = NULL;
  gboolean types_alone = FALSE;
  GilkPrototype arguments;
  GilkProgramPlace place;

  hook->code = hook->hook->watch != NULL && !hook->hook->is_program ? gilk_watchpoint_code ()
               : gilk_plan_hook_code (programs->bound->plan, hook->hook);
  if (hook->code == NULL)
    {
      gilk_plan_check_programs (programs->bound->plan, &hook->error);
      return;
    }
  if (!load_driver_info (programs, &hook->error))
    return;
  btf = gilk_bound_types (&programs->change, types_module (hook), &local);
  if (btf == NULL && local == NULL && types_module (hook) != 0)
    {
      btf = gilk_bound_types (&programs->change, 0, &local);
      types_alone = TRUE;
    }
  if (local != NULL)
    {
      hook->error = g_steal_pointer (&local);
      return;
    }
  programs->change.cfg = hook->cfg;
  programs->addr = 0;
  g_ptr_array_set_size (programs->types, 0);
  if (hook->cfg != NULL)
    reset_locals (programs, hook);
  place = hook->cfg != NULL ? make_place (programs, hook, btf) : make_common_place (programs, btf);
  place.is_watch = hook->hook->watch != NULL;
  place.is_event = hook->hook->event.kind != 0;
  place.has_arguments = hook->hook->event.kind == GILK_EVENT_TRACEPOINT;
  if (gilk_bound_event_arguments (btf, hook->hook->function, &arguments))
    place.arguments = &arguments;
  place.types_alone = types_alone;
  programs->module = types_module (hook);
  if (!place.is_user)
    place.debug_types = find_debug_types;
  if (hook->cfg != NULL && !place.is_user)
    {
      place.locals = find_locals;
      place.address_name = name_location;
    }
  if (hook->cfg != NULL &&
      !gilk_bound_change_fill_place (&programs->change, programs->bound->plan, hook, &place, &hook->error))
    return;
  callee_btf = place.callee_btf;
  hook->program = gilk_program_new (hook->code, &place, &hook->program_error, &local);
  if (hook->program == NULL)
    g_set_error (&hook->error, local->domain, local->code, _("Program %s: %s"), hook->hook->instrument, local->message);
  else
    hook->takes_samples = gilk_program_samples (hook->program);
}

gboolean
gilk_bound_hook_has_op (const GilkBoundHook *hook,
                        GilkOpKind           kind)
{
  const GArray *ops = hook->program != NULL ? gilk_program_ops (hook->program)->ops : NULL;

  for (guint i = 0; ops != NULL && i < ops->len; i++)
    if (g_array_index (ops, GilkOp, i).kind == kind)
      return TRUE;

  return FALSE;
}

/* ---- control of other hooks ---- */

/* Records that the program of hook @by starts or stops hook @of. If any program starts it, hook @of
 * is off at the start of the run. */
static void
add_control (GilkBoundPlan *bound, const GilkBoundHook *by, guint of, GilkControl how)
{
  GilkBoundHook *hook = gilk_bound_hook (bound, of);
  gboolean timed = hook->hook->start_ns != 0 || hook->hook->stop_ns != 0;

  hook->control = MAX (hook->control, how);
  if (hook->error != NULL)
    return;
  if (hook == by)
    g_set_error (&hook->error, GILK_ERROR, GILK_ERROR_USAGE,
                 _("Program %s starts or stops its own hook %s. Let another hook do that."), by->hook->instrument,
                 hook->hook->label);
  else if (timed || gilk_plan_is_switched (bound->plan, hook->hook))
    g_set_error (&hook->error, GILK_ERROR, GILK_ERROR_USAGE,
                 _("Hook %s is started or stopped by program %s, so it cannot have a start or stop of its own, nor be "
                   "switched off and on in intervals. Remove those, or make it a control hook (control=yes)."),
                 hook->hook->label, by->hook->instrument);
}

static void
add_controls (GilkBoundPlan *bound, const GilkBoundHook *by)
{
  const GArray *ops = gilk_program_ops (by->program)->ops;
  guint n_gates;
  const int *gates = gilk_program_gates (by->program, &n_gates);

  for (guint i = 0; i < ops->len; i++)
    {
      const GilkOp *op = &g_array_index (ops, GilkOp, i);

      if (op->kind == GILK_OP_GATE)
        add_control (bound, by, (guint) gates[op->imm], op->imm2 != 0 ? GILK_CONTROL_STARTED : GILK_CONTROL_STOPPED);
    }
}

/* ---- fields and maps shared between programs ---- */

const char *
gilk_bound_find_differing_field (const GilkProgram *a,
                                 const GilkProgram *b)
{
  guint n_a, n_b;
  const struct ilk_field *of_a = gilk_program_fields (a, &n_a), *of_b = gilk_program_fields (b, &n_b);

  for (guint i = 0; i < MIN (n_a, n_b); i++)
    {
      struct ilk_field a_field = of_a[i], b_field = of_b[i];

      /* The meanings of numbers, which are only for display, may differ, so they are not
       * compared. */
      a_field.meaning = b_field.meaning = ILK_MEANING_NONE;
      if (memcmp (&a_field, &b_field, sizeof a_field) != 0)
        return of_b[i].name;
    }
  if (n_a != n_b)
    return n_a > n_b ? of_a[n_b].name : of_b[n_a].name;

  return NULL;
}

/* Checks that the samples of a program have the same fields at all hooks that use it, because a
 * session stores the program as one instrument. */
static void
check_same_fields (GilkBoundPlan *bound, GHashTable *firsts, GilkBoundHook *hook)
{
  const GilkBoundHook *first = g_hash_table_lookup (firsts, hook->hook->instrument);
  const char *field;

  if (first == NULL)
    {
      g_hash_table_insert (firsts, hook->hook->instrument, hook);
      return;
    }
  field = gilk_bound_find_differing_field (first->program, hook->program);
  if (field != NULL)
    g_set_error (&hook->error, GILK_ERROR, GILK_ERROR_USAGE,
                 _("Samples of program %s differ between hooks %s and %s in field %s. Split the program in two, or cast "
                   "the value to one type."), hook->hook->instrument,
                 first->hook->label, hook->hook->label, field);
}

/* A map that several hooks share, as declared by the first of these hooks. */
typedef struct {
  const GilkBoundHook *hook;
  const GilkProgramMap      *map;
  gboolean             per_cpu;
} SharedMap;

static gboolean
is_same_map (const SharedMap *a, const SharedMap *b)
{
  return a->map->kind == b->map->kind && a->per_cpu == b->per_cpu && a->map->bits == b->map->bits &&
         a->map->slots == b->map->slots && a->map->words == b->map->words && a->map->initial == b->map->initial;
}

/* Checks the maps that the hook's program shares with other programs. @commons: hash table from map
 * name to SharedMap */
static void
check_shared_maps (GHashTable *commons, GilkBoundHook *hook)
{
  const GArray *areas = gilk_program_ops (hook->program)->areas;
  guint n_maps;
  const GilkProgramMap *map = gilk_program_maps (hook->program, &n_maps);

  for (guint i = 0; i < n_maps; i++)
    {
      const SharedMap own = { hook, &map[i], g_array_index (areas, GilkOpsArea, map[i].area).per_cpu };
      const SharedMap *first = g_hash_table_lookup (commons, map[i].name);

      if (!map[i].is_common || map[i].kind == GILK_MAP_MISSED)
        continue;
      if (first == NULL)
        g_hash_table_insert (commons, map[i].name, g_memdup2 (&own, sizeof own));
      else if (!is_same_map (first, &own) && hook->error == NULL)
        g_set_error (&hook->error, GILK_ERROR, GILK_ERROR_USAGE,
                     _("%s is shared by hooks %s and %s, but their programs declare it "
                       "differently. Declare it with the same kind, size and initial value in "
                       "both programs, with keys of one kind, or use two names."), map[i].name, first->hook->hook->label,
                     hook->hook->label);
    }
}

void
gilk_bound_programs_check_shared (GilkBoundPlan *bound)
{
  g_autoptr(GHashTable) firsts = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr(GHashTable) commons = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);

  for (guint i = 0; i < bound->hooks->len; i++)
    if (gilk_bound_hook (bound, i)->program != NULL && gilk_bound_hook (bound, i)->error == NULL)
      {
        check_same_fields (bound, firsts, gilk_bound_hook (bound, i));
        check_shared_maps (commons, gilk_bound_hook (bound, i));
      }
  for (guint i = 0; i < bound->hooks->len; i++)
    if (gilk_bound_hook (bound, i)->program != NULL)
      add_controls (bound, gilk_bound_hook (bound, i));
}
