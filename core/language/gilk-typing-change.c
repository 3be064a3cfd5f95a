/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-typing-change.c - checks statements that change the kernel's behaviour: whether they are
 * allowed, and the types of their values
 */
#include "core/language/gilk-typing.h"

#include <glib/gi18n.h>

#include "core/base/gilk-refusal.h"
#include "core/language/gilk-ctype.h"
#include "core/language/gilk-operators.h"

enum { RSP = 4, RBP = 5, CALLS = 16 };

/* ---- checks whether changes to the kernel are allowed ---- */

static gboolean
check_change_allowed (GilkTyping *typing, const GilkNode *node, GilkChange change)
{
  typing->changes |= change;
  gilk_typing_add_act (typing, node, change);
  if (typing->place->is_user)
    return gilk_source_fail (typing->source, node->part, _("Only the kernel can be changed, not programs. Hook a kernel "
                                                           "function."));

  if (typing->place->is_watch)
    return gilk_source_fail (typing->source, node->part, _("A watchpoint's program runs after the access, and cannot "
                                                           "change it. Hook the function that makes the access."));

  if (typing->place->is_event)
    return gilk_source_fail (typing->source, node->part, _("A program at a tracepoint or timer cannot change the kernel. Hook a "
                                                           "function by the driver."));

  return typing->place->may_change ||
         gilk_source_fail (typing->source, node->part, "%s %s", gilk_refusal_cause (GILK_REFUSAL_CHANGE_NOT_ALLOWED),
                           gilk_refusal_remedy (GILK_REFUSAL_CHANGE_NOT_ALLOWED));
}

/* Fails if constant @value does not fit @type. */
static gboolean
is_in_range (GilkTyping *typing, const GilkCType *type, const GilkNode *value)
{
  g_autofree char *name = NULL;

  if (!value->is_constant || gilk_ctype_is_pointer (type) || gilk_type_narrowed (type, value->value) == value->value)
    return TRUE;
  name = gilk_ctype_name (typing->place->btf, type);

  return gilk_source_fail (typing->source, value->part, _("The value is out of range for %s. Use a value within its "
                                                          "range, or cast it."), name);
}

static gboolean
type_new_value (GilkTyping *typing, const GilkCType *type, GilkNode *value)
{
  return gilk_typing_counted (typing, value) && is_in_range (typing, type, value) &&
         gilk_type_fits (typing->place->btf, typing->source, type, value);
}

/* ---- nullify, replace and branch ---- */

/* The function whose prototype applies: the hooked function, or the function called at the
 * point. */
typedef struct {
  const char    *name;
  const GilkBtf *btf;
  GilkPrototype  prototype;
  gboolean       is_known;       /* whether the prototype is known */
} Entered;

static gboolean
find_entered_function (GilkTyping *typing, const GilkNode *node, Entered *entered)
{
  const GilkProgramPlace *place = typing->place;

  if (place->at_entry && !gilk_names_load_types (typing->names, node->part))
    return FALSE;
  if (place->at_entry)
    *entered = (Entered) { place->function, place->btf, typing->names->prototype, typing->names->has_prototype };
  else if (place->callee != NULL)
    *entered = (Entered) { .name = place->callee, .btf = place->callee_btf };
  else
    return gilk_source_fail (typing->source, node->part,
                             _("No function to change here: hook the entry of a function, or a block that starts with a "
                               "direct call."));
  if (place->at_entry && !place->may_return)
    return gilk_source_fail (typing->source, node->part, "%s %s", gilk_refusal_cause (GILK_REFUSAL_NO_RETURN),
                             gilk_refusal_remedy (GILK_REFUSAL_NO_RETURN));
  if (!place->at_entry)
    entered->is_known = entered->btf != NULL && gilk_btf_own_function (entered->btf, entered->name, &entered->prototype);

  return TRUE;
}

/*
 * Sets the type of the returned value. If the function's prototype is unknown, the program must
 * specify the type with a cast.
 */
static gboolean
type_return_value (GilkTyping *typing, GilkNode *node, const Entered *entered)
{
  if (entered->is_known)
    return gilk_ctype_of (entered->btf, entered->prototype.returns, &node->type) ||
           gilk_source_fail (typing->source, node->part, _("The type that %s returns is not known."), entered->name);
  if (node->first == NULL || node->first->kind != GILK_NODE_CAST)
    return gilk_source_fail (typing->source, node->part,
                             _("The type that %s returns is not known: its kernel or module has "
                               "no type information (BTF). Give the type by a cast, for example "
                               "\"nullify((int) -5)\"."), entered->name);
  if (!gilk_typing_counted (typing, node->first))
    return FALSE;
  node->type = node->first->type;

  return TRUE;
}

gboolean
gilk_typing_nullify (GilkTyping *typing,
                     GilkNode   *node)
{
  Entered entered;
  gboolean is_void;

  if (!check_change_allowed (typing, node, GILK_CHANGE_NULLIFY) || !find_entered_function (typing, node, &entered))
    return FALSE;
  if (!type_return_value (typing, node, &entered))
    return FALSE;
  is_void = node->type.stars == 0 && node->type.base.kind == GILK_TYPE_VOID;
  if (is_void)
    return node->first == NULL ||
           gilk_source_fail (typing->source, node->first->part, _("%s returns nothing. Write nullify()."), entered.name);
  if (node->first == NULL)
    return gilk_source_fail (typing->source, node->part, _("%s returns a value. Write nullify(VALUE)."), entered.name);
  if (!gilk_ctype_is_number (&node->type) && !gilk_ctype_is_pointer (&node->type))
    return gilk_source_fail (typing->source, node->part, _("%s returns a struct, and programs cannot create one."),
                             entered.name);
  if (entered.is_known && !type_new_value (typing, &node->type, node->first))
    return FALSE;
  node->needs = node->first->needs;

  return TRUE;
}

static gboolean
check_prototypes (GilkTyping *typing, const GilkNode *node, const Entered *entered, const GilkProgramFunction *function)
{
  GilkPrototype prototype;
  const GilkBtf *btf = function->btf;
  g_autofree char *wrong = NULL, *differs = NULL;

  wrong = entered->is_known ? gilk_prototype_in_registers (entered->btf, &entered->prototype, entered->name) : NULL;
  if (wrong != NULL)
    return gilk_source_fail (typing->source, node->at, "%s", wrong);
  if (function->vouched)
    return TRUE;
  if (!entered->is_known || btf == NULL || !gilk_btf_own_function (btf, node->name, &prototype))
    return gilk_source_fail (typing->source, node->at,
                             _("Cannot check whether %s may replace %s: the kernel or module has "
                               "no type information (BTF). Write ILK_STANDS_IN(%s, %s), from "
                               "ilk-stand-in.h, into the module of the replacement."), node->name,
                             entered->name, node->name, entered->name);
  differs = gilk_prototype_differs (entered->btf, &entered->prototype, btf, &prototype);

  return differs == NULL ||
         gilk_source_fail (typing->source, node->at,
                           _("%s cannot replace %s: %s. Write a function with the same prototype."),
                           node->name, entered->name, differs);
}

static gboolean
find_function (GilkTyping *typing, GilkNode *node, const Entered *entered, GilkProgramFunction *function)
{
  const GilkProgramPlace *place = typing->place;
  g_autoptr(GError) local = NULL;

  if (g_strcmp0 (node->name, entered->name) == 0)
    return gilk_source_fail (typing->source, node->at, _("%s would replace itself. Name another function."), node->name);
  if (place->find_function == NULL)
    return gilk_source_fail (typing->source, node->at, _("No kernel is loaded, so functions cannot be looked up."));

  return place->find_function (node->name, entered->name, function, place->data, &local) ||
         gilk_source_fail (typing->source, node->at, "%s", local->message);
}

gboolean
gilk_typing_replace (GilkTyping *typing,
                     GilkNode   *node)
{
  GilkProgramFunction function = { 0 };
  GilkProgramCall call;
  Entered entered;
  gboolean good;

  if (!check_change_allowed (typing, node, GILK_CHANGE_REPLACE) || !find_entered_function (typing, node, &entered) ||
      !find_function (typing, node, &entered, &function))
    return FALSE;
  good = check_prototypes (typing, node, &entered, &function);
  g_clear_pointer (&function.btf, gilk_btf_unref);
  if (!good)
    return FALSE;
  if (typing->calls->len == CALLS)
    {
      gilk_source_fail (typing->source, node->part, _("The program calls more than %d functions."), CALLS);
      return FALSE;
    }
  node->value = (int64_t) function.address;
  call = (GilkProgramCall) { g_strdup (node->name), g_strdup (function.module), function.address };
  g_array_append_val (typing->calls, call);

  return TRUE;
}

gboolean
gilk_typing_branch (GilkTyping *typing,
                    GilkNode   *node)
{
  return check_change_allowed (typing, node, GILK_CHANGE_BRANCH) &&
         (typing->place->at_branch ||
          gilk_source_fail (typing->source, node->part,
                            _("No conditional branch to force here: hook the end of a block that ends with one.")));
}

/* ---- assignments to registers ---- */

gboolean
gilk_typing_is_register_set (GilkTyping *typing,
                             GilkNode   *node)
{
  GilkMeaning *meaning = gilk_names_find_declared (typing->names, node->name) == NULL
                         ? gilk_names_find (typing->names, node->name, node->at) : NULL;

  if (meaning == NULL || meaning->kind != GILK_MEANS_REGISTER || meaning->number == RSP)
    return FALSE;
  node->kind = GILK_NODE_REGISTER_SET;
  node->number = (uint64_t) meaning->number;
  node->meaning = meaning;

  return TRUE;
}

gboolean
gilk_typing_register (GilkTyping *typing,
                      GilkNode   *node)
{
  node->type = node->meaning != NULL ? node->meaning->type : gilk_ctype_number (FALSE, 8);
  if (!check_change_allowed (typing, node, GILK_CHANGE_REGISTER))
    return FALSE;
  if (node->number == RSP || node->number == RBP)
    return gilk_source_fail (typing->source, node->part, _("The stack pointer cannot be set."));
  if (node->mark != GILK_MARK ('=') && gilk_ctype_is_pointer (&node->type))
    return gilk_source_fail (typing->source, node->part, _("This is a pointer: write p = p + N."));
  node->needs = 0;
  if (node->meaning == NULL)
    {
      if (!gilk_typing_counted (typing, node->first))
        return FALSE;
    }
  else if (!type_new_value (typing, &node->type, node->first))
    return FALSE;
  node->needs = node->first->needs;

  return TRUE;
}

/* ---- assignments to kernel memory ---- */

gboolean
gilk_typing_store (GilkTyping *typing,
                   GilkNode   *node)
{
  if (!check_change_allowed (typing, node, GILK_CHANGE_MEMORY) || !gilk_typing_object (typing, node->first))
    return FALSE;
  if (node->mark != GILK_MARK ('=') && gilk_ctype_is_pointer (&node->first->type))
    return gilk_source_fail (typing->source, node->part, _("This is a pointer: write p = p + N."));
  if (!type_new_value (typing, &node->first->type, node->second))
    return FALSE;
  node->needs = node->first->needs | node->second->needs | GILK_NEEDS_CRITICAL | GILK_NEEDS_GUARD | GILK_NEEDS_CHECK;
  typing->bad = TRUE;

  return TRUE;
}
