/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-typing-expression.c - finds the types of expressions, and what is required to evaluate them
 */
#include "core/language/gilk-typing.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-format.h"
#include "core/language/gilk-operators.h"
#include "core/language/gilk-sample-layout.h"
#include "core/language/gilk-source.h"

static gboolean type_node (GilkTyping *typing, GilkNode *node);
static gboolean convert_to_value (GilkTyping *typing, GilkNode *node);

/* ---- types of names ---- */

static gboolean
fail_no_value (GilkTyping *typing, const GilkNode *node)
{
  switch (node->meaning->kind)
    {
    case GILK_MEANS_COUNTER:
    case GILK_MEANS_HISTOGRAM:
    case GILK_MEANS_MAP:
      return gilk_source_fail (typing->source, node->part,
                               _("A program can only add to %s: each CPU has its own copy, and "
                                 "the sum of all copies is shown. Use a global for a value that "
                                 "the program reads."), node->name);
    case GILK_MEANS_TABLE:
      return gilk_source_fail (typing->source, node->part,
                               _("%s is a table: write %s[KEY] or take(%s, KEY)."), node->name, node->name, node->name);
    default:
      return gilk_source_fail (typing->source, node->part,
                               _("comm is a string: it can only be a field of sample() or a map's key by itself, or be compared "
                                 "with a string: comm == \"bash\"."));
    }
}

static gboolean
add_hidden_map (GilkTyping *typing, GilkNode *node, gboolean shared)
{
  const GilkProgramMap hidden = { .kind = GILK_MAP_HIDDEN };

  return gilk_map_add (typing->maps, &hidden, node->kind == GILK_NODE_NAME ? "once" : "", shared, &node->index) ||
         gilk_source_fail (typing->source, node->part, _("The program has too many maps: the limit is %d memory areas, "
                                                         "of maps, globals and limiters together."),
                           GILK_OPS_AREAS);
}

static gboolean
type_name (GilkTyping *typing, GilkNode *node)
{
  node->meaning = gilk_names_find (typing->names, node->name, node->part);
  if (node->meaning == NULL)
    return FALSE;
  node->type = node->meaning->type;
  node->shows = node->meaning->shows;
  switch (node->meaning->kind)
    {
    case GILK_MEANS_COUNTER:
    case GILK_MEANS_HISTOGRAM:
    case GILK_MEANS_MAP:
    case GILK_MEANS_TABLE:
    case GILK_MEANS_COMM:
      return fail_no_value (typing, node);
    case GILK_MEANS_TASK_MEMBER:
      node->needs = GILK_NEEDS_CRITICAL | GILK_NEEDS_GUARD;
      return TRUE;
    case GILK_MEANS_ONCE:
      return add_hidden_map (typing, node, TRUE);
    case GILK_MEANS_LOCAL:
      return gilk_typing_local (typing, node);
    case GILK_MEANS_CONSTANT:
      node->is_constant = TRUE;
      node->value = node->meaning->number;
      return TRUE;
    default:
      return TRUE;
    }
}

static gboolean
type_variable (GilkTyping *typing, GilkNode *node)
{
  const uint64_t address = typing->place->find_variable != NULL
                           ? typing->place->find_variable (node->name, typing->place->data) : 0;
  GilkCType type;
  guint id;

  if (address == 0)
    return gilk_source_fail (typing->source, node->at,
                             _("Cannot read variable %s: the kernel and its modules have none or several of this name, "
                               "or it is per-CPU. See /proc/kallsyms for the names of all symbols."), node->name);
  node->type = gilk_ctype_number (FALSE, 8);
  if (!gilk_names_load_types (typing->names, node->at))
    return FALSE;
  if (typing->place->btf != NULL && gilk_btf_variable (typing->place->btf, node->name, &id) &&
      gilk_ctype_of (typing->place->btf, id, &type))
    node->type = gilk_ctype_pointer_to (&type);
  node->is_constant = TRUE;
  node->value = (int64_t) address;

  return TRUE;
}

static gboolean
type_limiter (GilkTyping *typing, GilkNode *node)
{
  node->type = gilk_ctype_number (TRUE, 8);
  node->needs = GILK_NEEDS_CRITICAL;
  if (node->number == 0 || node->number > INT64_MAX)
    return gilk_source_fail (typing->source, node->at, _("Write a number of at least 1."));
  if (node->kind == GILK_NODE_CHANCE && node->number > 100)
    return gilk_source_fail (typing->source, node->at, _("A chance is a percentage: write 1 to 100."));

  return add_hidden_map (typing, node, FALSE);
}

/* ---- sizeof and casts ---- */

static gboolean
find_type (GilkTyping *typing, const GilkNode *node, GilkCType *type)
{
  static const char *const plain[] = { "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "int", "long", "char",
                                       "bool", "void", "short", "unsigned", "size_t" };
  g_autofree char *nearest = NULL;
  GilkSimilar near;

  if (!gilk_ctype_plain (node->name, type) && !gilk_names_load_types (typing->names, node->at))
    return FALSE;
  if (gilk_names_find_type (typing->names, node->name, node->at, type))
    {
      type->stars += node->stars;
      return TRUE;
    }
  if (typing->source->error != NULL)
    return FALSE;
  gilk_similar_init (&near, node->name);
  for (guint i = 0; i < G_N_ELEMENTS (plain); i++)
    gilk_similar_add (&near, plain[i]);
  nearest = gilk_similar_finish (&near);
  if (nearest != NULL)
    return gilk_source_fail (typing->source, node->at,
                             _("Unknown type %s. Did you mean %s?"), node->name, nearest);
  if (typing->names->no_types != NULL && typing->place->types_alone)
    return gilk_source_fail (typing->source, node->at,
                             _("Unknown type %s. The module has no BTF types of its own, and its debug data cannot be "
                               "used: %s"), node->name, typing->names->no_types->message);
  if (typing->place->btf == NULL && typing->names->no_types != NULL)
    return gilk_source_fail (typing->source, node->at,
                             _("Unknown type %s: this kernel has no type information (BTF), and its debug data cannot be "
                               "used: %s"), node->name, typing->names->no_types->message);
  if (typing->place->btf == NULL)
    return gilk_source_fail (typing->source, node->at,
                             _("Unknown type %s: this kernel has no type information. Use u8 to u64, s8 to s64."),
                             node->name);

  return gilk_source_fail (typing->source, node->at,
                           _("Unknown type %s. Write \"struct\", \"union\" or \"enum\" in front "
                             "of the name of such a type."),
                           node->name);
}

static gboolean
type_sizeof (GilkTyping *typing, GilkNode *node)
{
  GilkCType type;

  if (!find_type (typing, node, &type))
    return FALSE;
  node->type = gilk_ctype_number (FALSE, 8);
  node->is_constant = TRUE;
  node->value = (int64_t) gilk_ctype_size (&type);

  return node->value > 0 || gilk_source_fail (typing->source, node->at,
                                              _("The size of %s is not known."), node->name);
}

static gboolean
type_cast (GilkTyping *typing, GilkNode *node)
{
  GilkCType type;

  if (!find_type (typing, node, &type) || !gilk_typing_value (typing, node->first) ||
      !gilk_type_cast (typing->place->btf, typing->source, node, &type))
    return FALSE;
  node->type.to_user = gilk_ctype_is_pointer (&type) && gilk_ctype_is_user (&node->first->type);

  return TRUE;
}

/* ---- members of structs ---- */

static void
offer_member (const char *name, guint type, gpointer near)
{
  gilk_similar_add (near, name);
}

static gboolean
fail_no_member (GilkTyping *typing, const GilkNode *node, const GilkCType *of)
{
  g_autofree char *nearest = NULL, *type = gilk_ctype_name (typing->place->btf, of);
  GilkSimilar near;

  gilk_similar_init (&near, node->name);
  gilk_btf_members (typing->place->btf, of->base.id, "", offer_member, &near);
  nearest = gilk_similar_finish (&near);
  if (nearest != NULL)
    return gilk_source_fail (typing->source, node->at, _("%s has no member %s. Did you mean %s?"), type, node->name,
                             nearest);

  return gilk_source_fail (typing->source, node->at, _("%s has no member %s."), type, node->name);
}

static gboolean
is_struct (const GilkCType *type)
{
  return type->stars == 0 && type->base.kind == GILK_TYPE_STRUCT;
}

/* Sets @of to the type of the struct whose member a "->" or "." accesses. */
static gboolean
type_owner (GilkTyping *typing, GilkNode *node, GilkCType *of)
{
  const gboolean arrow = node->mark == GILK_MARKS ('-', '>');
  GilkNode *first = node->first, target = { .kind = node->kind };

  if (!type_node (typing, first))
    return FALSE;
  if (!arrow && gilk_ctype_is_pointer (&first->type))
    return gilk_source_fail (typing->source, node->at, _("This is a pointer: write \"->\" in front of %s."), node->name);
  if (arrow && is_struct (&first->type))
    return gilk_source_fail (typing->source, node->at, _("This is a struct, not a pointer: write \".\" in front of %s."),
                             node->name);
  *of = first->type;
  if (!arrow)
    {
      node->is_user = first->is_user;
      return TRUE;
    }
  if (!convert_to_value (typing, first) || !gilk_type_target (typing->place->btf, typing->source, &target, first))
    return FALSE;
  *of = target.type;
  node->is_user = gilk_ctype_is_user (&first->type);

  return TRUE;
}

static gboolean
type_member (GilkTyping *typing, GilkNode *node)
{
  GilkCType of;
  g_autofree char *name = NULL;

  if (!type_owner (typing, node, &of))
    return FALSE;
  if (!is_struct (&of) || of.base.id == 0)
    {
      name = gilk_ctype_name (typing->place->btf, &of);
      return gilk_source_fail (typing->source, node->at, _("%s has no members: it is not a struct."), name);
    }
  if (!gilk_btf_member (typing->place->btf, of.base.id, node->name, &node->member) ||
      !gilk_ctype_of (typing->place->btf, node->member.type, &node->type))
    return fail_no_member (typing, node, &of);
  node->needs = node->first->needs;
  node->is_object = TRUE;
  if (node->member.bits == 0 && node->member.offset % 8 == 0)
    return TRUE;
  if (node->member.bits > 0 && gilk_ctype_is_number (&node->type) &&
      node->member.offset % 8 + node->member.bits <= 64)
    return TRUE;

  return gilk_source_fail (typing->source, node->at, _("Bit field %s spans more than 64 bits and cannot be read at once. "
                                                       "Read its bytes through a cast."), node->name);
}

/* ---- tables, built-in functions, elements and addresses ---- */

gboolean
gilk_typing_declared (GilkTyping     *typing,
                      GilkNode       *node,
                      GilkMeaningKind kind,
                      const char     *what)
{
  node->meaning = gilk_names_find_declared (typing->names, node->name);
  if (node->meaning != NULL && node->meaning->kind == kind)
    return TRUE;
  if (node->meaning == NULL)
    return gilk_source_fail (typing->source, node->at, _("There is no %s named %s. Declare it at the top: %s."),
                             kind == GILK_MEANS_MAP ? "map" : kind == GILK_MEANS_TABLE ? "table" : "histogram",
                             node->name, what);

  return gilk_source_fail (typing->source, node->at,
                           _("%s is declared as something else. Declare another name at the top: "
                             "%s."),
                           node->name, what);
}

gboolean
gilk_typing_table (GilkTyping *typing,
                   GilkNode   *node)
{
  const GilkMeaning *meaning = gilk_names_find_declared (typing->names, node->name);

  if (meaning != NULL && meaning->kind == GILK_MEANS_MAP)
    return gilk_source_fail (typing->source, node->at,
                             _("%s is a per-CPU map, and a program can only add to it. Declare "
                               "it as a table, which all CPUs share."), node->name);

  return gilk_typing_declared (typing, node, GILK_MEANS_TABLE, "table NAME[1024]");
}

/* Sets the type of an element of a table. If the table lacks the key, the value is 0; so the value
 * is never bad, and needs no check. */
static gboolean
type_of_table (GilkTyping *typing, GilkNode *node)
{
  if (!gilk_typing_table (typing, node) || !gilk_typing_field (typing, node->first))
    return FALSE;
  node->type = gilk_ctype_number (TRUE, 8);
  node->needs = node->first->needs | GILK_NEEDS_CRITICAL;
  node->shows = node->meaning->shows;

  return gilk_typing_key (typing, node);
}

static gboolean
type_ns (GilkTyping *typing, GilkNode *node)
{
  if (!gilk_typing_value (typing, node->first))
    return FALSE;
  node->type = gilk_ctype_number (FALSE, 8);
  node->needs = node->first->needs;
  if (!gilk_ctype_is_number (&node->first->type))
    return gilk_source_fail (typing->source, node->first->part, _("A number is expected here. Cast this, as in (u64) p."));

  return typing->place->tsc_khz != 0 ||
         gilk_source_fail (typing->source, node->part, _("The clock rate of this kernel is not known. Omit ns(), and "
                                                         "count in clock ticks."));
}

/* Sets the type of symbol(). Its operand may have any type of 8 bytes, and is taken as a kernel
 * address. */
static gboolean
type_symbol (GilkTyping *typing, GilkNode *node)
{
  if (!gilk_typing_value (typing, node->first))
    return FALSE;
  node->type = gilk_ctype_number (FALSE, 8);
  node->needs = node->first->needs;

  return gilk_ctype_size (&node->first->type) == 8 ||
         gilk_source_fail (typing->source, node->first->part,
                           _("A kernel address has 64 bits, and this value has fewer. Use a pointer, a register or a u64."));
}

/* Sets the type of user(). Its operand must be a pointer; user() has the same type, but points into
 * the memory of the current task. */
static gboolean
type_user (GilkTyping *typing, GilkNode *node)
{
  g_autofree char *name = NULL;

  if (!gilk_typing_value (typing, node->first))
    return FALSE;
  if (typing->place->is_user)
    return gilk_source_fail (typing->source, node->part, _("This hook is in a user program, and reads the memory of its "
                                                           "process anyway. Remove user()."));
  node->type = node->first->type;
  node->type.to_user = TRUE;
  node->needs = node->first->needs;
  if (gilk_ctype_is_pointer (&node->type))
    return TRUE;
  name = gilk_ctype_name (typing->place->btf, &node->first->type);

  return gilk_source_fail (typing->source, node->first->part,
                           _("This is %s, not a pointer. Cast it to one, as in user((char *) %%rsi)."), name);
}

static gboolean
is_table (const GilkTyping *typing, const GilkNode *node)
{
  const GilkMeaning *meaning = node->kind == GILK_NODE_NAME ? gilk_names_find_declared (typing->names, node->name) : NULL;

  return meaning != NULL && meaning->kind == GILK_MEANS_TABLE;
}

static gboolean
type_index (GilkTyping *typing, GilkNode *node)
{
  if (is_table (typing, node->first))
    {
      node->kind = GILK_NODE_GET;
      node->name = node->first->name;
      node->at = node->first->part;
      node->first = node->second;
      return type_of_table (typing, node);
    }
  if (!gilk_typing_value (typing, node->first) || !gilk_typing_value (typing, node->second) ||
      !gilk_type_target (typing->place->btf, typing->source, node, node->first) ||
      !gilk_type_scale (typing->place->btf, typing->source, node, node->first))
    return FALSE;
  if (!gilk_ctype_is_number (&node->second->type))
    return gilk_source_fail (typing->source, node->second->part, _("An index must be a number. Cast this, as in (u64) p."));
  node->needs = node->first->needs | node->second->needs;
  node->is_object = TRUE;
  node->is_user = gilk_ctype_is_user (&node->first->type);

  return TRUE;
}

static gboolean
type_address (GilkTyping *typing, GilkNode *node)
{
  const GilkNode *of = node->first;

  if (!type_node (typing, node->first))
    return FALSE;
  if (!of->is_object)
    return gilk_source_fail (typing->source, node->part, _("This has no address: only objects in memory have one."));
  if (of->kind == GILK_NODE_MEMBER && of->member.bits > 0)
    return gilk_source_fail (typing->source, node->part, _("A bit field has no address."));
  node->type = gilk_ctype_pointer_to (&of->type);
  node->type.to_user = of->is_user;
  node->needs = of->needs;

  return TRUE;
}

static gboolean
type_unary (GilkTyping *typing, GilkNode *node)
{
  if (node->mark == GILK_MARK ('&'))
    return type_address (typing, node);
  if (!gilk_typing_value (typing, node->first))
    return FALSE;
  if (node->mark != GILK_MARK ('*'))
    return gilk_type_sign (typing->source, node);
  node->needs = node->first->needs;
  node->is_object = TRUE;
  node->is_user = gilk_ctype_is_user (&node->first->type);

  return gilk_type_target (typing->place->btf, typing->source, node, node->first);
}

/* Sets the type of stack(), whose result is a stack trace. Adds to the program a memory area for
 * stack traces. */
static gboolean
type_stack (GilkTyping *typing, GilkNode *node)
{
  const GilkProgramMap stacks = { .kind = GILK_MAP_STACKS, .is_common = TRUE };

  if (typing->place->is_user)
    return gilk_source_fail (typing->source, node->at,
                             _("stack() reads the kernel stack, but this hook is in a user "
                               "program, which has another stack. Remove stack(), or hook a "
                               "kernel function."));
  node->type = gilk_ctype_number (FALSE, 8);
  node->shows = g_intern_static_string (GILK_MEANING_STACK);
  node->needs = GILK_NEEDS_CRITICAL | GILK_NEEDS_GUARD;
  if (typing->stacks == GILK_NO_MAP && !gilk_map_add (typing->maps, &stacks, "stack()", TRUE, &typing->stacks))
    return gilk_source_fail (typing->source, node->part, _("The program has too many maps: the limit is %d memory areas, "
                                                           "of maps, globals and limiters together."),
                             GILK_OPS_AREAS);
  node->index = typing->stacks;

  return TRUE;
}

/* ---- expressions of any kind ---- */

static gboolean
type_node (GilkTyping *typing, GilkNode *node)
{
  switch (node->kind)
    {
    case GILK_NODE_NUMBER:
      node->type = gilk_ctype_number (!node->is_unsigned, 8);
      node->is_constant = TRUE;
      node->value = (int64_t) node->number;
      return TRUE;
    case GILK_NODE_NAME:
      if (node->first != NULL && !gilk_names_is_taken (typing->names, node->name))
        {
          const char *name = node->name;
          GilkNode *next = node->next;
          gboolean good;

          *node = *node->first;
          node->next = next;
          good = type_node (typing, node);
          node->name = name;
          return good;
        }
      return type_name (typing, node);
    case GILK_NODE_REGISTER:
      if (typing->place->has_arguments)
        return gilk_source_fail (typing->source, node->part, _("Registers are not available at a tracepoint. Use its arguments, or "
                                                               "hook a function."));
      node->type = gilk_ctype_number (FALSE, 8);
      return TRUE;
    case GILK_NODE_UNARY:
      return type_unary (typing, node);
    case GILK_NODE_TEXT:
      return gilk_typing_text (typing, node);
    case GILK_NODE_BINARY:
      if (node->first->kind == GILK_NODE_TEXT || node->second->kind == GILK_NODE_TEXT)
        return gilk_typing_comm (typing, node);
      return gilk_typing_value (typing, node->first) && gilk_typing_value (typing, node->second) &&
             gilk_type_binary (typing->place->btf, typing->source, node);
    case GILK_NODE_CAST:
      return type_cast (typing, node);
    case GILK_NODE_SIZEOF:
      return type_sizeof (typing, node);
    case GILK_NODE_MEMBER:
      return type_member (typing, node);
    case GILK_NODE_INDEX:
      return type_index (typing, node);
    case GILK_NODE_TAKE:
      return type_of_table (typing, node);
    case GILK_NODE_NS:
      return type_ns (typing, node);
    case GILK_NODE_STACK:
      return type_stack (typing, node);
    case GILK_NODE_SYMBOL:
      return type_symbol (typing, node);
    case GILK_NODE_USER:
      return type_user (typing, node);
    case GILK_NODE_VARIABLE:
      return type_variable (typing, node);
    case GILK_NODE_EVENT:
      return gilk_typing_event (typing, node);
    case GILK_NODE_STRING:
      return gilk_source_fail (typing->source, node->part, _("string() can only be a field of sample() or a map's key by itself."));
    default:
      return type_limiter (typing, node);
    }
}

/*
 * Converts a typed node to a value: an object is loaded, but an array becomes the address of its
 * first element. A pointer that is loaded from user memory counts as a pointer to user memory: a
 * process must not choose which kernel memory is read.
 */
static gboolean
convert_to_value (GilkTyping *typing, GilkNode *node)
{
  g_autofree char *name = NULL;
  GilkCType target;

  if (!node->is_object)
    return TRUE;
  node->is_object = FALSE;
  if (gilk_ctype_is_number (&node->type) || gilk_ctype_is_pointer (&node->type))
    {
      node->is_loaded = TRUE;
      node->type.to_user = node->is_user && gilk_ctype_is_pointer (&node->type);
      node->needs |= GILK_NEEDS_CRITICAL | GILK_NEEDS_GUARD | GILK_NEEDS_CHECK;
      return TRUE;
    }
  if (node->type.base.kind == GILK_TYPE_ARRAY && gilk_ctype_target (typing->place->btf, &node->type, &target))
    {
      node->type = gilk_ctype_pointer_to (&target);
      node->type.to_user = node->is_user;
      return TRUE;
    }
  name = gilk_ctype_name (typing->place->btf, &node->type);

  return gilk_source_fail (typing->source, node->part, _("%s is not a number or a pointer. Name a member of it, or take "
                                                         "its address with &."), name);
}

/* Each node must be typed only once: if "->" typed its operand twice, a chain would take
 * exponential time. */
gboolean
gilk_typing_value (GilkTyping *typing,
                   GilkNode   *node)
{
  if (!type_node (typing, node) || !convert_to_value (typing, node))
    return FALSE;
  if (node->shows == NULL)
    node->shows = gilk_value_meaning (typing->place->btf, node);

  return TRUE;
}

gboolean
gilk_typing_object (GilkTyping *typing,
                    GilkNode   *node)
{
  if (!type_node (typing, node))
    return FALSE;
  if (!node->is_object)
    return gilk_source_fail (typing->source, node->part, _("This is not an object in kernel memory: write p->member, *p "
                                                           "or p[N]."));
  if (node->is_user)
    return gilk_source_fail (typing->source, node->part, _("Only the kernel's memory can be changed, not that of a "
                                                           "process."));
  if (node->kind == GILK_NODE_MEMBER && node->member.bits > 0)
    return gilk_source_fail (typing->source, node->part, _("A bit field cannot be set: its neighbours would be "
                                                           "overwritten too."));

  return gilk_ctype_is_number (&node->type) || gilk_ctype_is_pointer (&node->type) ||
         gilk_source_fail (typing->source, node->part, _("Only numbers and pointers can be set. Name a member of this."));
}

gboolean
gilk_typing_counted (GilkTyping *typing,
                     GilkNode   *node)
{
  if (!gilk_typing_value (typing, node))
    return FALSE;
  typing->bad |= (node->needs & GILK_NEEDS_CHECK) != 0;

  return TRUE;
}

gboolean
gilk_typing_field (GilkTyping *typing,
                   GilkNode   *node)
{
  if (node->kind == GILK_NODE_STRING)
    return gilk_typing_value (typing, node->first) && gilk_typing_string (typing, node);
  if (node->kind != GILK_NODE_NAME || strcmp (node->name, "comm") != 0)
    return gilk_typing_value (typing, node);
  node->meaning = gilk_names_find (typing->names, node->name, node->part);
  if (node->meaning == NULL)
    return FALSE;
  if (node->meaning->kind != GILK_MEANS_COMM)
    return gilk_typing_value (typing, node);
  node->type = node->meaning->type;
  node->needs = GILK_NEEDS_CRITICAL | GILK_NEEDS_GUARD;

  return TRUE;
}
