/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-changes.c - finds the changes that a program makes in the kernel, as far as its text alone
 * reveals them
 */
#include "core/language/gilk-changes.h"

#include "core/language/gilk-syntax.h"

/* Collects the names that the program declares. An assignment to any other name changes a register
 * or memory of the kernel. */
static void
collect_declared (const GilkSyntax *syntax, GHashTable *declared)
{
  for (guint i = 0; i < syntax->nodes->len; i++)
    {
      const GilkNode *node = g_ptr_array_index (syntax->nodes, i);

      if (node->kind == GILK_NODE_LET || node->kind >= GILK_NODE_GLOBAL)
        g_hash_table_add (declared, (gpointer) node->name);
    }
}

static guint
get_change (const GilkNode *node, GHashTable *declared)
{
  switch (node->kind)
    {
    case GILK_NODE_NULLIFY:
      return GILK_CHANGE_NULLIFY;
    case GILK_NODE_REPLACE:
      return GILK_CHANGE_REPLACE;
    case GILK_NODE_TAKEN:
    case GILK_NODE_PASSED:
      return GILK_CHANGE_BRANCH;
    case GILK_NODE_REGISTER_SET:
      return GILK_CHANGE_REGISTER;
    case GILK_NODE_STORE:
      return GILK_CHANGE_MEMORY;
    case GILK_NODE_SET:
      return g_hash_table_contains (declared, node->name) ? 0 : GILK_CHANGE_REGISTER;
    case GILK_NODE_MAP_SET:
      return g_hash_table_contains (declared, node->name) ? 0 : GILK_CHANGE_MEMORY;
    default:
      return 0;
    }
}

static gboolean
is_type (const char *name, gpointer data)
{
  GilkCType type;

  return gilk_ctype_plain (name, &type);
}

guint
gilk_program_text_changes (const char *text)
{
  GilkSource source = { .text = text };
  g_autoptr(GilkSyntax) syntax = gilk_syntax_new (&source, is_type, NULL);
  g_autoptr(GHashTable) declared = g_hash_table_new (g_str_hash, g_str_equal);
  guint changes = 0;

  g_clear_error (&source.error);
  if (syntax == NULL)
    return 0;
  collect_declared (syntax, declared);
  for (guint i = 0; i < syntax->nodes->len; i++)
    changes |= get_change (g_ptr_array_index (syntax->nodes, i), declared);

  return changes;
}

const char *
gilk_change_name (GilkChange change)
{
  switch (change)
    {
    case GILK_CHANGE_NULLIFY: return "nullify";
    case GILK_CHANGE_REPLACE: return "replace";
    case GILK_CHANGE_BRANCH: return "branch";
    case GILK_CHANGE_REGISTER: return "register";
    case GILK_CHANGE_CRASH: return "crash";
    case GILK_CHANGE_MEMORY:
    default: return "memory";
    }
}
