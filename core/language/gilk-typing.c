/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-typing.c - typing of statements: finds what their names mean, and what is required to run
 * them
 */
#include "core/language/gilk-typing.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-format.h"
#include "core/language/gilk-operators.h"

enum { MARKER_MOST = 15, NOTICE_MOST = 200 };
enum { MAP_LEAST = 8, MAP_MOST = 32768, HISTOGRAM_BITS = 4 };

static gboolean type_statement (GilkTyping *typing, GilkNode *node);

static gboolean
type_number (GilkTyping *typing, GilkNode *node)
{
  return gilk_typing_counted (typing, node) &&
         (gilk_ctype_is_number (&node->type) ||
          gilk_source_fail (typing->source, node->part, _("A number is expected here. Cast this, as in (u64) p.")));
}

static gboolean
add_map (GilkTyping *typing, GilkNode *node, GilkProgramMap what, gboolean shared, guint *index)
{
  what.is_common = node->is_common;

  return gilk_map_add (typing->maps, &what, node->name, shared, index) ||
         gilk_source_fail (typing->source, node->part, _("The program has too many maps: the limit is %d memory areas, "
                                                         "of maps, globals and limiters together."),
                           GILK_OPS_AREAS);
}

/* ---- typing of declarations ---- */

static gboolean
type_global (GilkTyping *typing, GilkNode *node)
{
  GilkMeaning *meaning = gilk_names_declare (typing->names, node, GILK_MEANS_GLOBAL);

  if (meaning == NULL || !add_map (typing, node, (GilkProgramMap) { .kind = GILK_MAP_GLOBAL }, TRUE, &meaning->map))
    return FALSE;
  gilk_map_at (typing->maps, meaning->map)->initial = (int64_t) node->number;
  /* an initial value other than 0 counts as a stored value; it is a plain number, not a time */
  gilk_map_at (typing->maps, meaning->map)->has_values = node->number != 0;

  return TRUE;
}

static gboolean
type_counter (GilkTyping *typing, GilkNode *node)
{
  GilkMeaning *meaning = gilk_names_declare (typing->names, node, GILK_MEANS_COUNTER);

  return meaning != NULL && add_map (typing, node, (GilkProgramMap) { .kind = GILK_MAP_COUNTER }, FALSE, &meaning->map);
}

static gboolean
type_histogram (GilkTyping *typing, GilkNode *node)
{
  GilkMeaning *meaning = gilk_names_declare (typing->names, node, GILK_MEANS_HISTOGRAM);

  if (node->number > HISTOGRAM_BITS)
    return gilk_source_fail (typing->source, node->at, _("A histogram has 2^0 to 2^%d buckets per octave: write 0 to %d."), HISTOGRAM_BITS, HISTOGRAM_BITS);

  return meaning != NULL &&
         add_map (typing, node, (GilkProgramMap) { .kind = GILK_MAP_HISTOGRAM, .bits = (guint) node->number }, FALSE,
                  &meaning->map);
}

static gboolean
type_map (GilkTyping *typing, GilkNode *node)
{
  const gboolean table = node->kind == GILK_NODE_TABLE;
  GilkMeaning *meaning = gilk_names_declare (typing->names, node, table ? GILK_MEANS_TABLE : GILK_MEANS_MAP);

  if (node->number < MAP_LEAST || node->number > MAP_MOST || (node->number & (node->number - 1)) != 0)
    return gilk_source_fail (typing->source, node->at,
                             table ? _("The number of keys of a table is a power of two from %d "
                                       "to %d.")
                                   : _("The number of keys of a map is a power of two from %d to "
                                       "%d."), MAP_LEAST, MAP_MOST);

  if (meaning == NULL ||
      !add_map (typing, node, (GilkProgramMap) { .kind = GILK_MAP_HASH, .slots = (guint) node->number }, table, &meaning->map))
    return FALSE;
  meaning->number = meaning->map + 1;
  gilk_map_at (typing->maps, meaning->map)->meaning = node->shows;

  return TRUE;
}

/* ---- typing of assignments ---- */

static gboolean
type_let (GilkTyping *typing, GilkNode *node)
{
  if (!gilk_typing_counted (typing, node->first))
    return FALSE;
  node->meaning = gilk_names_declare (typing->names, node, GILK_MEANS_LET);
  if (node->meaning == NULL)
    return FALSE;
  node->meaning->type = node->first->type;
  node->meaning->shows = node->first->shows;
  node->meaning->is_time = gilk_node_is_time (node->first);
  if (gilk_ctype_is_number (&node->meaning->type) && node->meaning->type.base.is_bool)
    node->meaning->type = gilk_ctype_number (FALSE, 1);
  node->needs = node->first->needs;

  return TRUE;
}

/* Updates @unit, the common unit of all values that the program stores in @map, when a statement
 * that stores @value is added. */
static void
update_unit (GilkProgramMap *map, const char **unit, const GilkNode *value)
{
  if (!gilk_node_is_time (value))
    *unit = NULL;                 /* the values are plain numbers, or have different units */
  else if (!map->has_values)
    *unit = GILK_MEANING_NS;
  map->has_values = TRUE;
}

static gboolean
fail_not_settable (GilkTyping *typing, const GilkNode *node)
{
  if (node->meaning == NULL && gilk_names_find (typing->names, node->name, node->at) == NULL)
    return FALSE;
  if (node->meaning != NULL && node->meaning->kind == GILK_MEANS_COUNTER)
    return gilk_source_fail (typing->source, node->at, _("%s is a counter, which can only grow. Use += or ++, or make it "
                                                         "a global."), node->name);

  return gilk_source_fail (typing->source, node->at,
                           _("%s cannot be set. Only a let or a global can be set; if changes "
                             "are allowed, also an argument, the return value, a register or a "
                             "member."), node->name);
}

/* Checks that a pointer assigned to a let points to the same memory as the let's first value: to
 * the kernel's, or to user memory. */
static gboolean
check_same_memory (GilkTyping *typing, const GilkNode *node)
{
  const gboolean is_user = gilk_ctype_is_user (&node->meaning->type);
  const GilkNode *value = node->first;

  if (node->meaning->kind != GILK_MEANS_LET || !gilk_ctype_is_pointer (&value->type) || value->is_constant ||
      gilk_ctype_is_user (&value->type) == is_user)
    return TRUE;

  return gilk_source_fail (typing->source, value->part,
                           is_user ? _("%s points to user memory, but the new value does not. Use another let, or "
                                       "user() if the new value is a user address.")
                                   : _("%s points to kernel memory, but the new value points to user memory. Use "
                                       "another let."),
                           node->name);
}

static gboolean
type_set (GilkTyping *typing, GilkNode *node)
{
  const gboolean add = node->mark == GILK_MARKS ('+', '=');
  GilkProgramMap *map;

  node->meaning = gilk_names_find_declared (typing->names, node->name);
  if (node->meaning == NULL ||
      (node->meaning->kind != GILK_MEANS_LET && node->meaning->kind != GILK_MEANS_GLOBAL &&
       !(node->meaning->kind == GILK_MEANS_COUNTER && add)))
    return gilk_typing_is_register_set (typing, node) ? gilk_typing_register (typing, node)
                                                      : typing->source->error == NULL && fail_not_settable (typing, node);
  if (!gilk_typing_counted (typing, node->first))
    return FALSE;
  node->needs = node->first->needs;
  if (node->meaning->kind != GILK_MEANS_LET)
    {
      map = gilk_map_at (typing->maps, node->meaning->map);
      update_unit (map, &map->unit, node->first);
    }
  if (node->mark != GILK_MARK ('=') && gilk_ctype_is_pointer (&node->meaning->type))
    return (gilk_ctype_is_number (&node->first->type) ||
            gilk_source_fail (typing->source, node->first->part,
                              _("A number is expected here. Cast this, as in (u64) p."))) &&
           gilk_type_scale (typing->place->btf, typing->source, node,
                            &(GilkNode) { .type = node->meaning->type, .part = node->at });

  return gilk_type_fits (typing->place->btf, typing->source, &node->meaning->type, node->first) &&
         check_same_memory (typing, node);
}

/* Finds the table called @node->name. If @node is a "+=", a map of that name is accepted as
 * well. */
static gboolean
find_map (GilkTyping *typing, GilkNode *node)
{
  const GilkMeaning *meaning = gilk_names_find_declared (typing->names, node->name);

  if (node->mark != GILK_MARKS ('+', '=') || (meaning != NULL && meaning->kind == GILK_MEANS_TABLE))
    return gilk_typing_table (typing, node);

  return gilk_typing_declared (typing, node, GILK_MEANS_MAP, "map NAME[1024]");
}

/* Returns whether the name in @node, "NAME[...]", is a pointer. If so, the element is in memory,
 * not in a map. */
static gboolean
is_element (const GilkTyping *typing, const GilkNode *node)
{
  const GilkMeaning *meaning = gilk_names_find_declared (typing->names, node->name);

  if (meaning != NULL)
    return meaning->kind == GILK_MEANS_LET && gilk_ctype_is_pointer (&meaning->type);

  return gilk_names_is_argument (typing->names, node->name);
}

static gboolean
type_map_set (GilkTyping *typing, GilkNode *node)
{
  GilkProgramMap *map;

  if (is_element (typing, node))
    {
      node->kind = GILK_NODE_STORE;
      node->first = node->third;
      return gilk_typing_store (typing, node);
    }
  if (!find_map (typing, node) || !gilk_typing_field (typing, node->first) ||
      (node->second->kind == GILK_NODE_NUMBER ? !gilk_typing_value (typing, node->second)
                                              : !type_number (typing, node->second)))
    return FALSE;
  typing->bad |= (node->first->needs & GILK_NEEDS_CHECK) != 0;
  node->needs = node->first->needs | node->second->needs | GILK_NEEDS_CRITICAL;
  if (!gilk_typing_key (typing, node))
    return FALSE;
  map = gilk_map_at (typing->maps, node->meaning->map);
  update_unit (map, &map->unit, node->second);
  if (node->mark == GILK_MARK ('='))
    node->meaning->shows = node->second->shows;

  return TRUE;
}

static gboolean
type_histogram_add (GilkTyping *typing, GilkNode *node)
{
  GilkProgramMap *map;

  if (gilk_names_find_declared (typing->names, node->name) == NULL)
    return gilk_source_fail (typing->source, node->at,
                             _("Unknown statement %s. Statements of this form are sample(), "
                               "count(), start(), stop(), watch(), marker(), notify() and "
                               "crash(), or start with the name of a declared histogram."),
                             node->name);
  if (!gilk_typing_declared (typing, node, GILK_MEANS_HISTOGRAM, "histogram NAME") || !type_number (typing, node->first))
    return FALSE;
  node->needs = node->first->needs;
  map = gilk_map_at (typing->maps, node->meaning->map);
  update_unit (map, &map->meaning, node->first);

  return TRUE;
}

/* ---- samples, and actions such as "stop run" ---- */

static gboolean
type_sample (GilkTyping *typing, GilkNode *node)
{
  node->needs = GILK_NEEDS_CRITICAL;
  for (GilkNode *field = node->first; field != NULL; field = field->next)
    {
      if (!gilk_typing_field (typing, field->first))
        return FALSE;
      field->needs = field->first->needs;
      node->needs |= field->needs;
    }
  typing->last_sample = node;

  return gilk_sample_layout_add (&typing->layout, node, typing->source);
}

static gboolean
find_hook (GilkTyping *typing, GilkNode *node, int *number)
{
  const int hook = typing->place->hook != NULL ? typing->place->hook (node->name, typing->place->data) : -1;

  if (hook < 0)
    return gilk_source_fail (typing->source, node->at,
                             _("No hook of the plan is labelled %s. Give one that label."),
                             node->name);
  *number = hook;
  for (node->index = 0; node->index < typing->gates->len; node->index++)
    if (g_array_index (typing->gates, int, node->index) == hook)
      return TRUE;
  g_array_append_val (typing->gates, hook);

  return TRUE;
}

static gboolean
type_gate (GilkTyping *typing, GilkNode *node)
{
  int hook;

  return find_hook (typing, node, &hook);
}

static gboolean
type_watch (GilkTyping *typing, GilkNode *node)
{
  int hook;

  if (!find_hook (typing, node, &hook) || !gilk_typing_counted (typing, node->first))
    return FALSE;
  node->needs = node->first->needs | GILK_NEEDS_CRITICAL | GILK_NEEDS_GUARD;
  if (typing->place->moves == NULL || !typing->place->moves (hook, typing->place->data))
    return gilk_source_fail (typing->source, node->at,
                             _("%s is not a watchpoint whose address a program sets. Declare one: [watchpoint %s] with "
                               "what=?:w8, or --watchpoint '%s=?:w8'."), node->name, node->name, node->name);

  return gilk_ctype_size (&node->first->type) == 8 ||
         gilk_source_fail (typing->source, node->first->part,
                           _("A kernel address has 64 bits, and this value has fewer. Use a pointer, a register or a u64."));
}

/* Checks the statements "stop run" and notify(). At a hit, each of them increments a counter that
 * the client polls. */
static gboolean
type_signal (GilkTyping *typing, GilkNode *node)
{
  const gboolean stops = node->kind == GILK_NODE_STOP_RUN;
  g_autofree char *name = stops ? g_strdup ("stop run") : g_strdup_printf ("notify: %s", node->name);
  const GilkProgramMap what = { .kind = GILK_MAP_COUNTER, .signal = stops ? GILK_SIGNAL_STOP : GILK_SIGNAL_NOTIFY };

  if (!stops && (*node->name == '\0' || strlen (node->name) > NOTICE_MOST))
    return gilk_source_fail (typing->source, node->at, _("A notice has 1 to %d bytes."), NOTICE_MOST);
  for (guint i = 0; i < typing->maps->maps->len; i++)
    if (gilk_map_at (typing->maps, i)->signal == what.signal && strcmp (gilk_map_at (typing->maps, i)->name, name) == 0)
      {
        node->index = i;
        return TRUE;
      }

  return add_map (typing, &(GilkNode) { .name = name, .part = node->part, .is_common = TRUE }, what, FALSE, &node->index);
}

static gboolean
type_marker (GilkTyping *typing, GilkNode *node)
{
  if (*node->name == '\0' || strlen (node->name) > MARKER_MOST)
    return gilk_source_fail (typing->source, node->at, _("The name of a marker has 1 to %d bytes."), MARKER_MOST);
  if (node->first != NULL && !gilk_typing_counted (typing, node->first))
    return FALSE;
  node->needs = (node->first != NULL ? node->first->needs : 0) | GILK_NEEDS_CRITICAL | GILK_NEEDS_GUARD;

  return TRUE;
}

static gboolean
type_freeze (GilkNode *node)
{
  node->needs = GILK_NEEDS_CRITICAL | GILK_NEEDS_GUARD;

  return TRUE;
}

/* Checks and types a statement in a scope of its own: a "let" in it is not visible after the
 * statement. */
static gboolean
type_scope (GilkTyping *typing, GilkNode *node)
{
  const guint before = typing->names->visible->len;
  const gboolean good = type_statement (typing, node);

  for (guint i = typing->names->visible->len; good && i-- > before;)
    if (((GilkMeaning *) g_ptr_array_index (typing->names->visible, i))->kind == GILK_MEANS_LET)
      g_ptr_array_remove_index (typing->names->visible, i);

  return good;
}

static gboolean
type_if (GilkTyping *typing, GilkNode *node)
{
  if (!gilk_typing_counted (typing, node->first) || !type_scope (typing, node->second) ||
      (node->third != NULL && !type_scope (typing, node->third)))
    return FALSE;
  node->needs = node->first->needs | node->second->needs | (node->third != NULL ? node->third->needs : 0);

  return TRUE;
}

static gboolean
type_block (GilkTyping *typing, GilkNode *node)
{
  for (GilkNode *each = node->first; each != NULL; each = each->next)
    {
      if (each->kind == GILK_NODE_BLOCK ? !type_scope (typing, each) : !type_statement (typing, each))
        return FALSE;
      node->needs |= each->needs;
    }

  return TRUE;
}

static gboolean
type_statement (GilkTyping *typing, GilkNode *node)
{
  switch (node->kind)
    {
    case GILK_NODE_BLOCK: return type_block (typing, node);
    case GILK_NODE_IF: return type_if (typing, node);
    case GILK_NODE_LET: return type_let (typing, node);
    case GILK_NODE_SET: return type_set (typing, node);
    case GILK_NODE_MAP_SET: return type_map_set (typing, node);
    case GILK_NODE_HISTOGRAM_ADD: return type_histogram_add (typing, node);
    case GILK_NODE_SAMPLE: return type_sample (typing, node);
    case GILK_NODE_START:
    case GILK_NODE_STOP: return type_gate (typing, node);
    case GILK_NODE_STOP_RUN:
    case GILK_NODE_NOTIFY: return type_signal (typing, node);
    case GILK_NODE_MARKER: return type_marker (typing, node);
    case GILK_NODE_WATCH: return type_watch (typing, node);
    case GILK_NODE_FREEZE: return type_freeze (node);
    case GILK_NODE_CRASH: return gilk_typing_crash (typing, node);
    case GILK_NODE_GLOBAL: return type_global (typing, node);
    case GILK_NODE_COUNTER: return type_counter (typing, node);
    case GILK_NODE_HISTOGRAM: return type_histogram (typing, node);
    case GILK_NODE_MAP:
    case GILK_NODE_TABLE: return type_map (typing, node);
    case GILK_NODE_NULLIFY: return gilk_typing_nullify (typing, node);
    case GILK_NODE_REPLACE: return gilk_typing_replace (typing, node);
    case GILK_NODE_TAKEN:
    case GILK_NODE_PASSED: return gilk_typing_branch (typing, node);
    case GILK_NODE_REGISTER_SET: return gilk_typing_register (typing, node);
    case GILK_NODE_STORE: return gilk_typing_store (typing, node);
    default: return TRUE;
    }
}

gboolean
gilk_typing_program (GilkTyping *typing,
                     GilkNode   *program)
{
  typing->bad_map = typing->stacks = GILK_NO_MAP;
  if (!type_block (typing, program))
    return FALSE;
  typing->needs = program->needs;
  if (typing->layout.samples && !gilk_sample_layout_finish (&typing->layout, typing->last_sample, typing->source))
    return FALSE;

  typing->bad |= typing->layout.has_bad;

  return !typing->bad || add_map (typing, &(GilkNode) { .name = "bad", .part = program->part },
                                  (GilkProgramMap) { .kind = GILK_MAP_BAD }, FALSE, &typing->bad_map);
}
