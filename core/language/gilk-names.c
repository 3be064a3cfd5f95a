/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-names.c - finds the meaning of names in a program
 */
#include "core/language/gilk-names.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-format.h"
#include "core/base/gilk-strings.h"
#include "core/emit/gilk-asm.h"
#include "core/emit/gilk-ops.h"
#include "core/language/gilk-source.h"

#define IN_REGISTERS 6

static const uint8_t argument_registers[IN_REGISTERS] = { GILK_RDI, GILK_RSI, GILK_RDX, GILK_RCX, 8, 9 };

static const char *const own_names[] = {
  "pid", "tid", "cpu", "now", "task", "comm", "once", "retval", "frame", "cgroup", "func",
  "arg0", "arg1", "arg2", "arg3", "arg4", "arg5",
};

static const char *const facts[GILK_FACTS] = { "value", "before", "address", "ip", "context" };

/*
 * Finds the prototype of the function at the probe point. A module's function is looked up in the
 * module's BTF only, because the kernel may have another function of that name.
 */
static void
find_prototype (GilkNames *names)
{
  const GilkProgramPlace *place = names->place;

  if (place->is_event)
    {
      names->has_prototype = place->arguments != NULL;
      if (names->has_prototype)
        names->prototype = *place->arguments;
      return;
    }
  names->has_prototype = place->btf != NULL && place->function != NULL && !place->types_alone &&
                         gilk_btf_own_function (place->btf, place->function, &names->prototype);
  if (!names->has_prototype)
    names->prototype = (GilkPrototype) { .n_arguments = 0 };
  names->prototype.n_arguments = MIN (names->prototype.n_arguments, GILK_BTF_ARGUMENTS);
}

GilkNames *
gilk_names_new (GilkProgramPlace *place,
                GilkSource       *source)
{
  GilkNames *names = g_new0 (GilkNames, 1);

  names->place = place;
  names->source = source;
  names->visible = g_ptr_array_new ();
  names->all = g_ptr_array_new_with_free_func (g_free);
  find_prototype (names);

  return names;
}

/* Returns whether @error means that the request to the target failed or was cancelled, not only
 * that types are missing. */
static gboolean
is_target_failure (const GError *error)
{
  return g_error_matches (error, GILK_ERROR, GILK_ERROR_CANCELLED) || g_error_matches (error, GILK_ERROR, GILK_ERROR_TARGET);
}

/* Adds the types that debug data (DWARF) have at the probe point. Types that were found earlier
 * keep their ids, because added types get ids after those of BTF. */
gboolean
gilk_names_load_more (GilkNames   *names,
                      const char  *name,
                      GilkTextPart at)
{
  GilkBtf *btf;

  if (names->place->debug_types == NULL || names->no_types != NULL ||
      (name == NULL ? names->types_loaded : names->types_searched))
    return !is_target_failure (names->no_types);
  names->types_loaded = TRUE;
  /* for a module, the types of all its compilation units are read at once, so a later search would
   * find nothing new */
  names->types_searched = name != NULL || names->place->types_alone;
  btf = names->place->debug_types (name, names->place->data, &names->no_types);
  if (btf != NULL)
    {
      names->place->btf = btf;
      names->place->types_alone = FALSE;
      if (!names->has_prototype)
        find_prototype (names);
    }

  return btf != NULL || !is_target_failure (names->no_types) ||
         gilk_source_fail (names->source, at, "%s", names->no_types->message);
}

gboolean
gilk_names_load_types (GilkNames   *names,
                       GilkTextPart at)
{
  if (names->place->btf != NULL && !names->place->types_alone)
    return !is_target_failure (names->no_types);

  return gilk_names_load_more (names, NULL, at);
}

/* Returns whether @type is only a forward declaration of a struct or union, without its members. */
static gboolean
is_declaration (const GilkCType *type, const char *name)
{
  return type->base.kind == GILK_TYPE_OTHER && (g_str_has_prefix (name, "struct ") || g_str_has_prefix (name, "union "));
}

gboolean
gilk_names_find_type (GilkNames   *names,
                      const char  *name,
                      GilkTextPart at,
                      GilkCType   *type)
{
  if (gilk_ctype_find (names->place->btf, name, type) && !is_declaration (type, name))
    return TRUE;

  return gilk_names_load_more (names, name, at) && gilk_ctype_find (names->place->btf, name, type);
}

void
gilk_names_free (GilkNames *names)
{
  g_ptr_array_unref (names->visible);
  g_ptr_array_unref (names->all);
  g_clear_error (&names->no_types);
  g_free (names);
}

static GilkMeaning *
new_meaning (GilkNames *names, GilkMeaningKind kind, const char *name, GilkCType type, int64_t number)
{
  GilkMeaning *meaning = g_new0 (GilkMeaning, 1);

  *meaning = (GilkMeaning) { .kind = kind, .name = name, .type = type, .number = number };
  g_ptr_array_add (names->all, meaning);

  return meaning;
}

GilkMeaning *
gilk_names_find_declared (const GilkNames *names,
                          const char      *name)
{
  for (guint i = names->visible->len; i-- > 0;)
    {
      GilkMeaning *meaning = g_ptr_array_index (names->visible, i);

      if (strcmp (meaning->name, name) == 0)
        return meaning;
    }

  return NULL;
}

GilkMeaning *
gilk_names_declare (GilkNames      *names,
                    const GilkNode *node,
                    GilkMeaningKind  kind)
{
  GilkMeaning *meaning;

  if (gilk_names_find_declared (names, node->name) != NULL)
    {
      gilk_source_fail (names->source, node->at, _("%s is already defined. Choose another name."), node->name);
      return NULL;
    }
  meaning = new_meaning (names, kind, node->name, gilk_ctype_number (TRUE, 8), 0);
  g_ptr_array_add (names->visible, meaning);

  return meaning;
}

/* ---- errors for unknown and unavailable names ---- */

gboolean
gilk_names_fail_unknown (GilkNames   *names,
                         const char  *name,
                         GilkTextPart at)
{
  g_autofree char *nearest = NULL;
  const GArray *locals;
  GilkSimilar near;

  gilk_similar_init (&near, name);
  for (guint i = 0; i < names->visible->len; i++)
    gilk_similar_add (&near, ((GilkMeaning *) g_ptr_array_index (names->visible, i))->name);
  for (guint i = 0; i < names->prototype.n_arguments; i++)
    gilk_similar_add (&near, names->prototype.names[i]);
  for (guint i = 0; i < G_N_ELEMENTS (own_names); i++)
    gilk_similar_add (&near, own_names[i]);
  for (guint i = 0; names->place->is_watch && i < GILK_FACTS; i++)
    gilk_similar_add (&near, facts[i]);
  if (names->place->is_event && !names->place->has_arguments)
    gilk_similar_add (&near, "ip");
  locals = names->place->locals != NULL ? names->place->locals (names->place->data, NULL) : NULL;
  for (guint i = 0; locals != NULL && i < locals->len; i++)
    gilk_similar_add (&near, g_array_index (locals, GilkDwarfVariable, i).name);
  nearest = gilk_similar_finish (&near);
  if (nearest != NULL)
    return gilk_source_fail (names->source, at,
                             _("Unknown name %s. Did you mean %s?"), name, nearest);
  if (names->no_types != NULL && names->place->types_alone)
    return gilk_source_fail (names->source, at,
                             _("Unknown name %s. The module has no BTF types of its own, and its debug data cannot be "
                               "used: %s"), name, names->no_types->message);
  if (!names->has_prototype && names->place->at_entry)
    return gilk_source_fail (names->source, at,
                             _("Unknown name %s. The function's argument names are not known: use arg0 to arg5."), name);
  if (locals == NULL && names->place->locals != NULL)
    return gilk_source_fail (names->source, at,
                             _("Unknown name %s. Use the name of a let or an argument, or one of "
                               "pid, tid, cpu, now, task; the function's local variables need "
                               "its debug data (see gilk doctor)."), name);

  return gilk_source_fail (names->source, at,
                           _("Unknown name %s. Use the name of a let or an argument, or one of "
                             "pid, tid, cpu, now, task."), name);
}

static GilkMeaning *
fail_unavailable (GilkNames *names, const char *name, GilkTextPart at)
{
  gilk_source_fail (names->source, at, _("%s is not available on this kernel."), name);

  return NULL;
}

/* ---- argument registers and local variables of the hooked function ---- */

/* Returns how many registers an argument of @type takes; 0 if it is passed in memory. */
static guint
count_registers (const GilkCType *type)
{
  const guint64 size = gilk_ctype_size (type);

  if (size > 16 || type->base.kind == GILK_TYPE_OTHER)
    return 0;

  return size > 8 ? 2 : 1;
}

static GilkMeaning *
make_register_meaning (GilkNames *names, const char *name, GilkTextPart at, guint number, const GilkCType *type)
{
  if (names->place->is_go)
    gilk_source_fail (names->source, at,
                      _("%s: Go does not pass arguments in C's registers but in %%rax, %%rbx, "
                        "%%rcx, %%rdi, %%rsi, %%r8 to %%r11, in this order. Use those registers "
                        "at the function's entry."), name);
  else if (names->place->loops_to_entry)
    gilk_source_fail (names->source, at,
                      _("%s is an argument, but this function also jumps back to its entry, where the argument registers "
                        "may hold other values. Read the register itself, such as %%rdi."), name);
  else if (!names->place->at_entry)
    gilk_source_fail (names->source, at,
                      _("%s is an argument, and arguments are available only at the function's entry. Hook its entry, or "
                        "use a register such as %%rdi."), name);
  else if (!gilk_ctype_is_number (type) && !gilk_ctype_is_pointer (type))
    gilk_source_fail (names->source, at, _("%s is a struct passed by value, which is not available here. Use arg0 to "
                                           "arg5 or registers."), name);
  else if (number >= IN_REGISTERS)
    gilk_source_fail (names->source, at, _("%s is passed on the stack. Load it with *(u64 *) (%%rsp + OFFSET)."), name);
  else
    return new_meaning (names, GILK_MEANS_REGISTER, name, *type, argument_registers[number]);

  return NULL;
}

/* Returns variable @name from debug data. NULL if the variable does not exist; NULL with an error
 * set on failure. */
static GilkMeaning *
find_local (GilkNames *names, const char *name, GilkTextPart at)
{
  const GArray *locals;
  g_autoptr(GError) local = NULL;
  GilkMeaning *meaning;

  if (names->place->locals == NULL)
    return NULL;
  locals = names->place->locals (names->place->data, &local);
  if (local != NULL)
    gilk_source_fail (names->source, at, "%s", local->message);
  for (guint i = 0; locals != NULL && i < locals->len; i++)
    if (strcmp (g_array_index (locals, GilkDwarfVariable, i).name, name) == 0)
      {
        meaning = new_meaning (names, GILK_MEANS_LOCAL, name, gilk_ctype_number (FALSE, 8), 0);
        meaning->local = &g_array_index (locals, GilkDwarfVariable, i);
        return meaning;
      }

  return NULL;
}

/* Returns whether the argument is in a single register at the function's entry. */
static gboolean
is_passed (const GilkCType *type, guint words)
{
  return words == 1 && (gilk_ctype_is_number (type) || gilk_ctype_is_pointer (type));
}

/* ---- arguments, ip of a timer, return value, and frame of a call ---- */

/* Returns N if @name is "argN", from "arg0" to "arg11"; -1 for any other name. */
static int
number_of (const char *name)
{
  guint64 number;

  if (!g_str_has_prefix (name, "arg") || (name[3] == '0' && name[4] != '\0') ||
      !gilk_parse_unsigned (name + 3, 10, 0, GILK_BTF_ARGUMENTS - 1, &number))
    return -1;

  return (int) number;
}

/* Sets @type to the type of argument @i of a tracepoint. Fails if the argument is not a number or
 * pointer. */
static gboolean
get_event_type (GilkNames *names, const char *name, GilkTextPart at, guint i, GilkCType *type)
{
  if (!gilk_ctype_of (names->place->btf, names->prototype.arguments[i], type) ||
      (!gilk_ctype_is_number (type) && !gilk_ctype_is_pointer (type)))
    return gilk_source_fail (names->source, at, _("%s is a struct passed by value, which is not available here. Use arg%u, its "
                                                  "first 64 bits."), name, i);

  return TRUE;
}

/* Finds argument @name of a tracepoint. @meaning and the return value are as in find_argument(). */
static gboolean
find_event_argument (GilkNames *names, const char *name, GilkTextPart at, GilkMeaning **meaning)
{
  GilkCType type = gilk_ctype_number (FALSE, 8);
  const int number = number_of (name);

  for (guint i = 0; *name != '\0' && i < names->prototype.n_arguments; i++)
    if (g_strcmp0 (names->prototype.names[i], name) == 0)
      {
        *meaning = get_event_type (names, name, at, i, &type) ? new_meaning (names, GILK_MEANS_CONTEXT, name, type, i) : NULL;
        return TRUE;
      }
  if (number < 0)
    return FALSE;
  if (!names->place->has_arguments)
    gilk_source_fail (names->source, at, _("%s is an argument, and a timer has none. Use ip or a register."), name);
  else if (names->has_prototype && (guint) number >= names->prototype.n_arguments)
    gilk_source_fail (names->source, at,
                      ngettext ("%s does not exist: the tracepoint has %u argument.",
                                "%s does not exist: the tracepoint has %u arguments.", names->prototype.n_arguments),
                      name, names->prototype.n_arguments);
  else
    {
      *meaning = new_meaning (names, GILK_MEANS_CONTEXT, name, type, number);
      return TRUE;
    }
  *meaning = NULL;

  return TRUE;
}

/* Finds "ip", the address of the instruction that a timer interrupted. @meaning and the return
 * value are as in find_argument(). */
static gboolean
find_ip (GilkNames *names, const char *name, GilkTextPart at, GilkMeaning **meaning)
{
  if (!names->place->is_event || strcmp (name, "ip") != 0)
    return FALSE;
  *meaning = NULL;
  if (names->place->has_arguments)
    gilk_source_fail (names->source, at, _("ip is not available at a tracepoint, whose programs get its arguments and no "
                                           "registers. Hook a function instead."));
  else
    {
      *meaning = new_meaning (names, GILK_MEANS_CONTEXT, name, gilk_ctype_number (FALSE, 8), GILK_OPS_CONTEXT_IP);
      (*meaning)->shows = g_intern_static_string (GILK_MEANING_SYMBOL);
    }

  return TRUE;
}

/*
 * Finds argument @name. Returns FALSE if there is none. Otherwise sets @meaning, to NULL (with the
 * error set) if the argument cannot be read here.
 */
static gboolean
find_argument (GilkNames *names, const char *name, GilkTextPart at, GilkMeaning **meaning)
{
  const GilkPrototype *prototype = &names->prototype;
  GilkCType type = gilk_ctype_number (FALSE, 8);
  guint at_register = 0;

  if (names->place->is_event)
    return find_event_argument (names, name, at, meaning);
  for (guint i = 0; i < prototype->n_arguments; i++)
    {
      guint words;

      if (!gilk_ctype_of (names->place->btf, prototype->arguments[i], &type))
        return FALSE;
      words = count_registers (&type);
      if (words > 0 && at_register < IN_REGISTERS && at_register + words > IN_REGISTERS)
        words = 0;  /* the argument needs more registers than are left, so it is on the stack; a
                     * later, smaller one may still get a register */
      if (*name != '\0' && g_strcmp0 (prototype->names[i], name) == 0)
        {
          *meaning = names->place->at_entry && is_passed (&type, words) ? NULL : find_local (names, name, at);
          if (*meaning == NULL && names->source->error == NULL)
            *meaning = make_register_meaning (names, name, at, words > 0 ? at_register : IN_REGISTERS, &type);
          return TRUE;
        }
      at_register += words;
    }
  if (strlen (name) != 4 || strncmp (name, "arg", 3) != 0 || name[3] < '0' || name[3] > '5')
    return FALSE;
  type = gilk_ctype_number (FALSE, 8);
  *meaning = make_register_meaning (names, name, at, (guint) (name[3] - '0'), &type);

  return TRUE;
}

gboolean
gilk_names_is_taken (GilkNames  *names,
                     const char *name)
{
  if (gilk_names_find_declared (names, name) != NULL)
    return TRUE;
  if (!gilk_names_load_types (names, (GilkTextPart) { 0, 0 }))
    return TRUE;
  for (guint i = 0; i < names->prototype.n_arguments; i++)
    if (g_strcmp0 (names->prototype.names[i], name) == 0)
      return TRUE;

  return FALSE;
}

gboolean
gilk_names_is_argument (GilkNames  *names,
                        const char *name)
{
  if (!gilk_names_load_types (names, (GilkTextPart) { 0, 0 }))
    return TRUE;
  for (guint i = 0; i < names->prototype.n_arguments; i++)
    if (g_strcmp0 (names->prototype.names[i], name) == 0)
      return TRUE;

  return strlen (name) == 4 && strncmp (name, "arg", 3) == 0 && name[3] >= '0' && name[3] <= '5';
}

static GilkMeaning *
find_retval (GilkNames *names, const char *name, GilkTextPart at)
{
  GilkCType type = gilk_ctype_number (FALSE, 8);

  if (names->place->is_event)
    gilk_source_fail (names->source, at, _("A tracepoint or timer is in no function, so it has no return value."));
  else if (!names->place->at_return)
    gilk_source_fail (names->source, at,
                      _("The return value is available only where the function returns. Hook its return."));
  else if (names->has_prototype && !gilk_ctype_of (names->place->btf, names->prototype.returns, &type))
    fail_unavailable (names, name, at);
  else if (!gilk_ctype_is_number (&type) && !gilk_ctype_is_pointer (&type))
    gilk_source_fail (names->source, at, _("The function does not return a number. Use %%rax if you want that register."));
  else
    return new_meaning (names, GILK_MEANS_REGISTER, name, type, GILK_RAX);

  return NULL;
}

/*
 * Finds "frame", the address on the stack where the return address is stored. It identifies a call:
 * until the call returns, no other call in any thread has the same value.
 */
static GilkMeaning *
find_frame (GilkNames *names, const char *name, GilkTextPart at)
{
  if (names->place->at_entry || names->place->at_exit)
    return new_meaning (names, GILK_MEANS_REGISTER, name, gilk_ctype_number (FALSE, 8), GILK_RSP);
  gilk_source_fail (names->source, at,
                    _("frame identifies a call, and is available only at the function's entry and returns. Hook one of "
                      "them."));

  return NULL;
}

/* Returns whether the hooked function has an argument called "func". */
static gboolean
has_argument_func (const GilkNames *names)
{
  for (guint i = 0; i < names->prototype.n_arguments; i++)
    if (g_strcmp0 (names->prototype.names[i], "func") == 0)
      return TRUE;

  return FALSE;
}

/* Finds "func", the address of the hooked function, which is shown as its name. It is refused where
 * an argument has this name, because a program at many functions would mix the two. */
static GilkMeaning *
find_func (GilkNames *names, const char *name, GilkTextPart at)
{
  GilkMeaning *meaning;

  if (has_argument_func (names))
    {
      gilk_source_fail (names->source, at, _("func is the hooked function, but also an argument of this function. For the "
                                             "argument, write its number, such as arg1."));
      return NULL;
    }
  if (names->place->function_start == 0)
    {
      gilk_source_fail (names->source, at, _("func is the hooked function of the kernel, and this hook is not in one."));
      return NULL;
    }
  meaning = new_meaning (names, GILK_MEANS_CONSTANT, name, gilk_ctype_number (FALSE, 8), (int64_t) names->place->function_start);
  meaning->shows = g_intern_static_string (GILK_MEANING_SYMBOL);

  return meaning;
}

/* ---- values of the current task and CPU ---- */

static GilkMeaning *
find_task (GilkNames *names, const char *name, GilkTextPart at)
{
  GilkCType type;

  if (names->place->current_task == 0)
    return fail_unavailable (names, name, at);
  if (!gilk_ctype_find (names->place->btf, "struct task_struct", &type))
    gilk_ctype_plain ("void", &type);

  return new_meaning (names, GILK_MEANS_TASK, name, gilk_ctype_pointer_to (&type), names->place->current_task);
}

/* Returns the meaning of a name that stands for a member of struct task_struct. The member is at
 * @offset or, if @offset is 0, at the offset that BTF has for @member_name. */
static GilkMeaning *
find_task_member (GilkNames *names, const char *name, GilkTextPart at, GilkMeaningKind kind, uint32_t offset,
                  const char *member_name)
{
  const GilkBtf *btf = names->place->btf;
  const guint id = btf != NULL ? gilk_btf_find (btf, "struct task_struct") : 0;
  GilkMember member;

  if (offset == 0 && id != 0 && gilk_btf_member (btf, id, member_name, &member) && member.bits == 0)
    offset = member.offset / 8;
  if (names->place->current_task == 0 || offset == 0)
    return fail_unavailable (names, name, at);

  return new_meaning (names, kind, name, gilk_ctype_number (TRUE, 4), offset);
}

static GilkMeaning *
find_builtin (GilkNames *names, const char *name, GilkTextPart at)
{
  const GilkProgramPlace *place = names->place;

  if (strcmp (name, "cgroup") == 0)
    return fail_unavailable (names, name, at);
  if (strcmp (name, "retval") == 0)
    return find_retval (names, name, at);
  if (strcmp (name, "frame") == 0)
    return find_frame (names, name, at);
  if (strcmp (name, "func") == 0)
    return find_func (names, name, at);
  if (strcmp (name, "pid") == 0)
    return find_task_member (names, name, at, GILK_MEANS_TASK_MEMBER, place->task_tgid, "tgid");
  if (strcmp (name, "tid") == 0)
    return find_task_member (names, name, at, GILK_MEANS_TASK_MEMBER, place->task_pid, "pid");
  if (strcmp (name, "comm") == 0)
    return find_task_member (names, name, at, GILK_MEANS_COMM, place->task_comm, "comm");
  if (strcmp (name, "task") == 0)
    return find_task (names, name, at);
  if (strcmp (name, "now") == 0)
    return new_meaning (names, GILK_MEANS_NOW, name, gilk_ctype_number (FALSE, 8), 0);
  if (strcmp (name, "once") == 0)
    return new_meaning (names, GILK_MEANS_ONCE, name, gilk_ctype_number (TRUE, 8), 0);
  if (place->cpu_number == 0)
    return fail_unavailable (names, name, at);

  return new_meaning (names, GILK_MEANS_CPU_NUMBER, name, gilk_ctype_number (FALSE, 4), place->cpu_number);
}

static GilkMeaning *
find_fact (GilkNames *names, const char *name)
{
  for (guint i = 0; names->place->is_watch && i < GILK_FACTS; i++)
    if (strcmp (facts[i], name) == 0)
      {
        GilkMeaning *meaning = new_meaning (names, GILK_MEANS_FACT, name, gilk_ctype_number (FALSE, i == GILK_FACT_CONTEXT ? 4 : 8), i);

        meaning->shows = i == GILK_FACT_IP ? g_intern_static_string (GILK_MEANING_SYMBOL) : NULL;
        return meaning;
      }

  return NULL;
}

GilkMeaning *
gilk_names_find (GilkNames   *names,
                 const char  *name,
                 GilkTextPart at)
{
  GilkMeaning *meaning = gilk_names_find_declared (names, name);
  int64_t constant;

  if (meaning != NULL)
    return meaning;
  if (!gilk_names_load_types (names, at))
    return NULL;
  if (strcmp (name, "func") == 0 && !names->place->is_event)
    return find_func (names, name, at);
  if (find_argument (names, name, at, &meaning) || find_ip (names, name, at, &meaning))
    return meaning;
  meaning = find_fact (names, name);
  if (meaning != NULL)
    return meaning;
  for (guint i = 0; i < G_N_ELEMENTS (own_names); i++)
    if (strcmp (own_names[i], name) == 0)
      return find_builtin (names, name, at);
  meaning = find_local (names, name, at);
  if (meaning != NULL || names->source->error != NULL)
    return meaning;
  if (names->place->btf != NULL && gilk_btf_constant (names->place->btf, name, &constant))
    return new_meaning (names, GILK_MEANS_CONSTANT, name, gilk_ctype_number (TRUE, 8), constant);
  if (!gilk_names_load_more (names, NULL, at))
    return NULL;
  if (names->place->btf != NULL && gilk_btf_constant (names->place->btf, name, &constant))
    return new_meaning (names, GILK_MEANS_CONSTANT, name, gilk_ctype_number (TRUE, 8), constant);
  gilk_names_fail_unknown (names, name, at);

  return NULL;
}

/* Calls @visit for each local variable whose value debug data can locate at the probe point. */
static void
offer_locals (GilkNames *names, void (*visit) (const char *name, const GilkCType *type, gpointer data), gpointer data)
{
  const GArray *locals = names->place->locals != NULL ? names->place->locals (names->place->data, NULL) : NULL;

  for (guint i = 0; locals != NULL && i < locals->len; i++)
    {
      const GilkDwarfVariable *local = &g_array_index (locals, GilkDwarfVariable, i);

      if (local->kind == GILK_DWARF_VALUE || local->kind == GILK_DWARF_MEMORY)
        visit (local->name, NULL, data);
    }
}

void
gilk_names_foreach (GilkNames *names, void (*visit) (const char *name, const GilkCType *type, gpointer data), gpointer data)
{
  const GilkTextPart nowhere = { 0, 0 };
  GilkMeaning *meaning;

  for (guint i = 0; i < names->prototype.n_arguments; i++)
    if ((names->place->at_entry || names->place->is_event) && find_argument (names, names->prototype.names[i], nowhere, &meaning) && meaning != NULL)
      visit (names->prototype.names[i], &meaning->type, data);
  offer_locals (names, visit, data);
  for (guint i = 0; i < G_N_ELEMENTS (own_names); i++)
    {
      if (!find_argument (names, own_names[i], nowhere, &meaning))
        meaning = strcmp (own_names[i], "cgroup") == 0 ? NULL : find_builtin (names, own_names[i], nowhere);
      if (meaning != NULL || strcmp (own_names[i], "cgroup") == 0)
        visit (own_names[i], meaning != NULL ? &meaning->type : NULL, data);
    }
}
