/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-bound-watchpoint.c - resolves watchpoint expressions in one live kernel
 *
 *   0xffffffff82a0d040:                    an address
 *   jiffies_64, "name [module]":           a variable, by its symbol
 *   init_task.se.vruntime, a.b[3].c:       a part of a variable. The variable's type is from the
 *                                          kernel's BTF, which usually has only per-CPU variables,
 *                                          else from debug data or a cast:
 *                                          (struct task_struct) init_task.usage
 *   vfs_write, vfs_write+0x10:             an instruction, for execute watchpoints
 *   ?:                                     an address that programs set at run time
 */
#include "core/bind/gilk-bound-watchpoint.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"
#include "core/base/gilk-strings.h"
#include "core/image/gilk-type-scope.h"
#include "core/plan/gilk-plan-point.h"

#define MODULES_FROM 0xffffffffc0000000ull     /* lowest address of module code and data; per-CPU
                                                * variables of modules are below it */
#define KERNEL_FROM  0xff00000000000000ull
#define NAME_CHARS   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$."

/* The watched object. Members are set while the expression is resolved. */
typedef struct {
  GilkBoundHook    *hook;
  GilkImage        *image;
  GCancellable     *cancellable;
  const char       *text;            /* the expression in the plan */
  const GilkSymbol *symbol;          /* the variable; NULL: the object is an address */
  GilkBtf          *btf;             /* types (BTF) of the symbol's module, or of the kernel; NULL:
                                      * they are not available */
  gboolean          tried_debug;     /* whether adding types from debug data to @btf was tried */
  GError           *no_debug;        /* why types from debug data cannot be added */
  guint             type;            /* 0: unknown */
  uint64_t          addr;
  uint64_t          bytes;           /* size of the object's type; 0: unknown */
} WatchedObject;

static gboolean G_GNUC_PRINTF (4, 5)
fail_watchpoint (const char *text, GError **error, int code, const char *format, ...)
{
  g_autofree char *why = NULL;
  va_list args;

  va_start (args, format);
  why = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, GILK_ERROR, code, _("Cannot watch %s: %s"), text, why);

  return FALSE;
}

static gboolean
fail_refused (GilkBoundHook *hook, guint refusal, GError **error)
{
  hook->choice.refusal = refusal;

  return fail_watchpoint (hook->hook->function, error, GILK_ERROR_REFUSED, "%s %s", gilk_refusal_cause (refusal), gilk_refusal_remedy (refusal));
}

/* ---- type of the watched object ---- */

static gboolean
set_type (WatchedObject *object, guint id)
{
  GilkType type;

  if (!gilk_btf_type (object->btf, id, &type))
    return FALSE;
  object->type = type.id;
  object->bytes = type.kind == GILK_TYPE_ARRAY ? 0 : type.size;

  return TRUE;
}

static gboolean
get_types (WatchedObject *object, const char *module, GError **error)
{
  g_autoptr(GError) local = NULL;

  object->btf = gilk_types_get (gilk_image_types (object->image), module, object->cancellable, &local);
  if (object->btf != NULL || gilk_types_are_missing (local))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local));

  return FALSE;
}

/* Gets the types of the symbol's module, or those of the kernel if the module lacks its own.
 * Returns FALSE if the connection to the target is lost. */
static gboolean
find_types (WatchedObject *object, GError **error)
{
  const char *module = object->symbol != NULL
                       ? gilk_symbols_module (gilk_image_symbols (object->image), object->symbol->module) : NULL;

  return get_types (object, module, error) && (object->btf != NULL || module == NULL || get_types (object, NULL, error));
}

/* Adds types from debug data, at most once. @cast: (nullable): name of a type that is needed.
 * Returns FALSE if the connection to the target is lost; missing debug data are not an error. */
static gboolean
add_debug_types (WatchedObject *object, const char *cast, GError **error)
{
  const GilkTypeScope scope = {
    .module = object->symbol != NULL ? object->symbol->module : 0,
    .place = { .data = object->symbol != NULL ? object->symbol->addr : 0, .type = cast },
  };
  GilkBtf *btf;

  if (object->tried_debug)
    return TRUE;
  object->tried_debug = TRUE;
  btf = gilk_scope_debug_types (object->image, &scope, object->cancellable, &object->no_debug);
  if (btf != NULL)
    {
      g_clear_pointer (&object->btf, gilk_btf_unref);
      object->btf = btf;
    }
  else if (!gilk_types_are_missing (object->no_debug))
    {
      g_propagate_error (error, g_steal_pointer (&object->no_debug));
      return FALSE;
    }

  return TRUE;
}

static gboolean
fail_cast (const WatchedObject *object, const char *name, GError **error)
{
  if (object->btf == NULL && object->no_debug != NULL)
    return fail_watchpoint (object->text, error, GILK_ERROR_NOT_FOUND,
                            _("this kernel has no type information (BTF), and its debug data "
                              "cannot be used: %s You can also give an address, or the variable "
                              "with a size in bytes."), object->no_debug->message);

  return fail_watchpoint (object->text, error, GILK_ERROR_NOT_FOUND,
                          _("the kernel has no type \"%s\". Write it as in C, for example "
                            "\"struct task_struct\" or \"u32\"."), name);
}

/* Sets the type of @object to the one that a cast names, such as "struct task_struct" or "u32". */
static gboolean
apply_cast (WatchedObject *object, const char *name, GError **error)
{
  guint id = object->btf != NULL ? gilk_btf_find (object->btf, name) : 0;

  if (id == 0)
    {
      if (!add_debug_types (object, name, error))
        return FALSE;
      id = object->btf != NULL ? gilk_btf_find (object->btf, name) : 0;
    }
  if (id == 0 || !set_type (object, id))
    return fail_cast (object, name, error);

  return TRUE;
}

/* Sets the type of the variable, if it is known. Reads debug data only if the expression has a path
 * to a part of the variable. */
static gboolean
apply_own_type (WatchedObject *object, gboolean has_path, GError **error)
{
  const char *name = object->symbol->name;
  guint id;

  if (object->btf != NULL && gilk_btf_variable (object->btf, name, &id))
    set_type (object, id);
  if (object->type != 0 || !has_path)
    return TRUE;
  if (!add_debug_types (object, NULL, error))
    return FALSE;
  if (object->btf != NULL && gilk_btf_variable (object->btf, name, &id))
    set_type (object, id);

  return TRUE;
}

static gboolean
enter_member (WatchedObject *object, const char *name, GError **error)
{
  GilkMember member;

  if (!gilk_btf_member (object->btf, object->type, name, &member))
    {
      g_autofree char *type = gilk_btf_type_name (object->btf, object->type);

      return fail_watchpoint (object->text, error, GILK_ERROR_NOT_FOUND, _("%s has no member \"%s\". See its declaration."),
                              type != NULL ? type : "?", name);
    }
  if (member.bits != 0)
    return fail_watchpoint (object->text, error, GILK_ERROR_REFUSED, _("\"%s\" is a bit field. Watch the bytes that contain it: "
                                                                       "NAME:w4 at the start of the struct, or an address."), name);
  object->addr += member.offset / 8;

  return set_type (object, member.type);
}

static gboolean
enter_element (WatchedObject *object, uint64_t index, GError **error)
{
  GilkType type, element;

  if (!gilk_btf_type (object->btf, object->type, &type) || type.kind != GILK_TYPE_ARRAY ||
      !gilk_btf_type (object->btf, type.target, &element))
    return fail_watchpoint (object->text, error, GILK_ERROR_USAGE, _("[%" PRIu64 "] follows something that is not an array. Remove "
                                                                     "it."), (guint64) index);
  if (index >= type.count)
    return fail_watchpoint (object->text, error, GILK_ERROR_USAGE, _("[%" PRIu64 "] is past the end of the array, which has %u "
                                                                     "elements."), (guint64) index,
                            type.count);
  object->addr += index * element.size;

  return set_type (object, type.target);
}

/* Follows a path of members and elements, such as ".se.vruntime" or "[3].x", from the variable to
 * the watched part. */
static gboolean
follow_path (WatchedObject *object, const char *path, GError **error)
{
  while (*path != '\0')
    {
      gsize n = strspn (path + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
      g_autofree char *word = g_strndup (path + 1, n);
      uint64_t index;

      if (object->type == 0)
        return fail_watchpoint (object->text, error, GILK_ERROR_NOT_FOUND, _("the variable's type is not known, so "
                                                                             "\"%s\" cannot be found in it. Write "
                                                                             "the type in front: \"(struct TYPE) "
                                                                             "NAME.MEMBER:w\", or install debug data "
                                                                             "(see gilk doctor)."), path);
      if (*path == '.' && n > 0)
        {
          if (!enter_member (object, word, error))
            return FALSE;
          path += 1 + n;
        }
      else if (*path == '[' && path[1 + n] == ']' && gilk_parse_unsigned (word, 10, 0, G_MAXUINT32, &index))
        {
          if (!enter_element (object, index, error))
            return FALSE;
          path += 2 + n;
        }
      else
        return fail_watchpoint (object->text, error, GILK_ERROR_USAGE,
                                _("\"%s\" is not a path within a variable. Write .MEMBER or "
                                  "[NUMBER]. Pointers are not followed: instead of a pointer, "
                                  "give the address that it holds."), path);
    }

  return TRUE;
}

/* ---- names in an expression ---- */

/* Finds the longest prefix of @text that is a symbol's name; some names contain dots. @rest: (out):
 * the text after the name */
static const GilkSymbol *
find_symbol (GilkSymbols *symbols, const char *text, const char **rest, gboolean *more)
{
  gsize n = strspn (text, NAME_CHARS);

  if (strstr (text + n, " [") == text + n && strchr (text + n, ']') != NULL)
    n = (gsize) (strchr (text + n, ']') + 1 - text);
  while (n > 0)
    {
      g_autofree char *name = g_strndup (text, n);
      const GilkSymbol *symbol = gilk_symbols_by_name (symbols, name, more);

      *rest = text + n;
      if (symbol != NULL)
        return symbol;
      do
        n--;
      while (n > 0 && text[n] != '.');
    }

  return NULL;
}

gboolean
gilk_watchpoint_is_per_cpu (GilkSymbols *symbols, const GilkSymbol *symbol)
{
  uint64_t start = gilk_symbols_address (symbols, "__per_cpu_start");
  uint64_t end = gilk_symbols_address (symbols, "__per_cpu_end");

  if (symbol->module != 0)
    return symbol->addr < MODULES_FROM;

  return end > start && symbol->addr >= start && symbol->addr < end;
}

static gboolean
is_per_cpu (const WatchedObject *object)
{
  return object->symbol != NULL && gilk_watchpoint_is_per_cpu (gilk_image_symbols (object->image), object->symbol);
}

/* ---- number of bytes to watch ---- */

/*
 * Returns the largest number of bytes that a debug register can watch at the object's address,
 * given its alignment. If the object's type is unknown, the size of its symbol is a limit as well.
 */
static guint
natural_size (const WatchedObject *object)
{
  guint bytes = 8;

  while (bytes > 1 && (object->addr % bytes != 0 ||
                       (object->symbol != NULL && object->type == 0 &&
                        object->addr + bytes > object->symbol->addr + MAX (object->symbol->size, 1))))
    bytes /= 2;

  return bytes;
}

static gboolean
choose_bytes (const WatchedObject *object, const GilkPlanWatchpoint *planned, struct gilk_watch_point *watch, GError **error)
{
  watch->bytes = planned->bytes;
  if (watch->bytes == 0 && object->type == 0)
    watch->bytes = natural_size (object);
  if (watch->bytes == 0 && (object->bytes == 1 || object->bytes == 2 || object->bytes == 4 || object->bytes == 8))
    watch->bytes = (uint32_t) object->bytes;
  if (watch->bytes == 0 || object->addr % watch->bytes != 0)
    return fail_refused (object->hook, GILK_BPF_REFUSED_WATCH_ALIGN, error);

  return TRUE;
}

/* ---- public functions ---- */

static gboolean
set_cpu (const WatchedObject *object, const GilkPlanWatchpoint *planned, struct gilk_watch_point *watch, GError **error)
{
  if (!is_per_cpu (object))
    {
      if (planned->cpu != GILK_WATCHPOINT_NO_CPU)
        return fail_watchpoint (object->text, error, GILK_ERROR_USAGE, _("the variable is not a per-CPU variable. "
                                                                         "Remove cpu=."));
      return object->addr >= KERNEL_FROM || fail_refused (object->hook, GILK_BPF_REFUSED_WATCH_ADDRESS, error);
    }
  if (planned->cpu == GILK_WATCHPOINT_NO_CPU)
    return fail_watchpoint (object->text, error, GILK_ERROR_USAGE,
                            _("the variable is a per-CPU variable. Write cpu=N to see the accesses of all processors "
                              "to processor N's copy, or cpu=each to see each processor's accesses to its own "
                              "copy."));
  watch->flags |= GILK_WATCH_PER_CPU;
  watch->cpu = planned->cpu == GILK_WATCHPOINT_EACH_CPU ? GILK_WATCH_EACH_CPU : (uint32_t) planned->cpu;

  return TRUE;
}

static gboolean
find_data (WatchedObject *object, const char *text, GError **error)
{
  const char *rest = "", *close = *text == '(' ? strchr (text, ')') : NULL;
  g_autofree char *cast = close != NULL ? g_strstrip (g_strndup (text + 1, (gsize) (close - text - 1))) : NULL;
  gboolean more = FALSE;
  char *end;

  if (close != NULL)
    for (text = close + 1; *text == ' '; text++)
      ;
  if (g_str_has_prefix (text, "0x"))
    {
      object->addr = g_ascii_strtoull (text, &end, 16);
      rest = end;
    }
  else
    {
      object->symbol = find_symbol (gilk_image_symbols (object->image), text, &rest, &more);
      if (object->symbol == NULL)
        return fail_watchpoint (object->text, error, GILK_ERROR_NOT_FOUND, _("this kernel has no variable of that name. Look it up "
                                                                             "in /proc/kallsyms, or give an address such as "
                                                                             "0xffffffff82a0d040."));
      if (more)
        return fail_watchpoint (object->text, error, GILK_ERROR_AMBIGUOUS, _("several variables have that name. Write \"NAME "
                                                                             "[MODULE]\", or the address of one (see /proc/kallsyms)."));
      if (gilk_symbols_is_code (gilk_image_symbols (object->image), object->symbol))
        return fail_refused (object->hook, GILK_BPF_REFUSED_WATCH_ADDRESS, error);
      object->addr = object->symbol->addr;
    }
  if (!find_types (object, error))
    return FALSE;
  if (cast != NULL && !apply_cast (object, cast, error))
    return FALSE;
  if (cast == NULL && object->symbol != NULL && !apply_own_type (object, *rest != '\0', error))
    return FALSE;

  return follow_path (object, rest, error);
}

GilkBtf *
gilk_watchpoint_type (GilkImage *image, const char *what, guint *type, GCancellable *cancellable)
{
  GilkPlanHook plan = { .function = (char *) what };
  GilkBoundHook hook = { .hook = &plan };
  WatchedObject object = { .hook = &hook, .image = image, .cancellable = cancellable, .text = what };

  if (find_data (&object, what, NULL) && object.type != 0)
    *type = object.type;
  else
    g_clear_pointer (&object.btf, gilk_btf_unref);
  g_clear_error (&object.no_debug);

  return object.btf;
}

gboolean
gilk_watchpoint_needs_cpu (GilkImage *image, const char *what)
{
  const char *close = *what == '(' ? strchr (what, ')') : NULL, *rest = "";
  WatchedObject object = { .image = image };
  gboolean more;

  for (what = close != NULL ? close + 1 : what; *what == ' '; what++)
    ;
  object.symbol = find_symbol (gilk_image_symbols (image), what, &rest, &more);

  return is_per_cpu (&object);
}

static gboolean
find_code (const char *text, GilkFunctions *functions, GilkDecoder *decoder, uint64_t *addr, guint *module, GError **error)
{
  const char *plus = strrchr (text, '+');
  g_autofree char *name = plus != NULL ? g_strndup (text, (gsize) (plus - text)) : g_strdup (text);
  const GilkFunction *function;
  g_autoptr(GilkCfg) cfg = NULL;

  if (g_str_has_suffix (name, ".cold") && plus != NULL)
    {
      plus = name + strlen (name) - strlen (".cold");
      name[strlen (name) - strlen (".cold")] = '\0';
      plus = text + strlen (name);
    }
  function = gilk_functions_lookup (functions, name, error);
  cfg = function != NULL ? gilk_cfg_new (functions, function, decoder, error) : NULL;
  if (cfg == NULL)
    return FALSE;
  *addr = function->hot.start;
  *module = function->module;
  if (plus != NULL && !gilk_cfg_parse_offset (cfg, plus, addr))
    return fail_watchpoint (text, error, GILK_ERROR_USAGE,
                            _("\"%s\" is not an offset in the function. Write an offset such as "
                              "+0x1f."), plus);
  for (guint i = 0; i < cfg->n_insns; i++)
    if (cfg->insns[i].addr == *addr)
      return TRUE;

  return fail_watchpoint (text, error, GILK_ERROR_USAGE, _("no instruction starts at this offset. See gilk cfg %s."),
                          name);
}

static gboolean
require_target (GilkImage *image, const char *text, GError **error)
{
  return gilk_image_target (image) != NULL ||
         fail_watchpoint (text, error, GILK_ERROR_TARGET, _("the functions shown are not from a running kernel. "
                                                            "Connect to a target first."));
}

static gboolean
resolve_watchpoint (GilkBoundHook *hook, GilkFunctions *functions, GilkImage *image, GilkDecoder *decoder, gboolean by_bpf,
                    GCancellable *cancellable, GError **error)
{
  const GilkPlanWatchpoint *planned = hook->hook->watch;
  const char *text = hook->hook->function;
  WatchedObject object = { .hook = hook, .image = image, .cancellable = cancellable, .text = text };
  guint module = 0;
  gboolean good;

  hook->watch = (struct gilk_watch_point) {
    .access = planned->access, .bytes = 8, .rate_limit = (uint32_t) MIN (planned->rate_limit, GILK_WATCH_RATE_MAX),
  };
  if (!require_target (image, text, error) || (!by_bpf && !fail_refused (hook, GILK_REFUSAL_NEEDS_BPF, error)))
    return FALSE;
  if (planned->is_movable)
    {
      hook->watch.flags = GILK_WATCH_MOVABLE;
      hook->watch.bytes = planned->bytes != 0 ? planned->bytes : 8;
      return TRUE;
    }
  if (planned->access == GILK_WATCH_EXECUTE && !g_str_has_prefix (text, "0x"))
    good = find_code (text, functions, decoder, &object.addr, &module, error);
  else if (planned->access == GILK_WATCH_EXECUTE)
    good = find_data (&object, text, error);
  else
    good = find_data (&object, text, error) && choose_bytes (&object, planned, &hook->watch, error);
  good = good && set_cpu (&object, planned, &hook->watch, error);
  if (good)
    {
      hook->watch.address = hook->addr = object.addr;
      if (object.symbol != NULL)
        module = object.symbol->module;
      hook->watch_module = gilk_symbols_module (gilk_image_symbols (image), module);
      if (module != 0)
        g_strlcpy (hook->watch.module, hook->watch_module, sizeof hook->watch.module);
    }
  g_clear_pointer (&object.btf, gilk_btf_unref);
  g_clear_error (&object.no_debug);

  return good;
}

void
gilk_bound_watchpoint_bind (GilkBoundHook *hook,
                            GilkFunctions *functions,
                            GilkImage     *image,
                            GilkDecoder   *decoder,
                            gboolean       by_bpf,
                            GCancellable  *cancellable)
{
  hook->watch_module = "kernel";
  hook->takes_samples = TRUE;
  hook->choice.tactic = GILK_TACTIC_BREAKPOINT;
  hook->where = hook->hook->where;
  resolve_watchpoint (hook, functions, image, decoder, by_bpf, cancellable, &hook->error);
}

void
gilk_bound_watchpoints_check_count (GilkBoundPlan *bound)
{
  guint n = 0;

  for (guint i = 0; i < bound->hooks->len; i++)
    {
      GilkBoundHook *hook = &g_array_index (bound->hooks, GilkBoundHook, i);

      if (hook->hook->watch == NULL || hook->error != NULL)
        continue;
      if (n == GILK_WATCHES_MAX)
        fail_refused (hook, GILK_BPF_REFUSED_WATCH_SLOTS, &hook->error);
      else
        hook->watch.slot = n++;
    }
}

gboolean
gilk_bound_watchpoint_is_same (const GilkBoundHook *a,
                               const GilkBoundHook *b)
{
  g_autofree char *of_a = a->hook->watch != NULL ? gilk_plan_watchpoint_text (a->hook) : NULL;
  g_autofree char *of_b = b->hook->watch != NULL ? gilk_plan_watchpoint_text (b->hook) : NULL;

  return of_a != NULL && g_strcmp0 (of_a, of_b) == 0 && a->hook->start_ns == b->hook->start_ns &&
         a->hook->stop_ns == b->hook->stop_ns && a->control == b->control && g_strcmp0 (a->code, b->code) == 0 &&
         (!a->hook->watch->is_movable || strcmp (a->hook->label, b->hook->label) == 0);
}

const char *
gilk_watchpoint_code (void)
{
  return "sample (ip = ip, value = value, before = before, address = address, pid = pid, context = context, comm = comm)";
}

void
gilk_watchpoint_desc (struct ilk_instrument_desc *desc)
{
#define FIELD(member, kind, does, words) \
  { .name = #member, .help = words, .type = kind, .offset = offsetof (struct gilk_watch_sample, member), \
    .size = sizeof ((struct gilk_watch_sample *) NULL)->member, .meaning = does }
  static const struct ilk_field fields[] = {
    FIELD (ip, ILK_FIELD_HEX64, ILK_MEANING_SYMBOL, "address of the next instruction"),
    FIELD (value, ILK_FIELD_HEX64, ILK_MEANING_NONE, "current value"),
    FIELD (before, ILK_FIELD_HEX64, ILK_MEANING_NONE, "value at the previous access"),
    FIELD (address, ILK_FIELD_HEX64, ILK_MEANING_NONE, "address watched"),
    FIELD (pid, ILK_FIELD_U32, ILK_MEANING_NONE, "process id"),
    FIELD (context, ILK_FIELD_U32, ILK_MEANING_NONE, "0 task, 1 softirq, 2 hardirq, 3 NMI"),
    FIELD (comm, ILK_FIELD_TEXT, ILK_MEANING_NONE, "name of the thread"),
  };
#undef FIELD

  *desc = (struct ilk_instrument_desc) {
    .version = 1, .sample_bytes = sizeof (struct gilk_watch_sample), .field_count = G_N_ELEMENTS (fields),
  };
  g_strlcpy (desc->name, GILK_WATCHPOINT_INSTRUMENT, sizeof desc->name);
  g_strlcpy (desc->help, "Records accesses to a variable", sizeof desc->help);
  memcpy (desc->fields, fields, sizeof fields);
}
