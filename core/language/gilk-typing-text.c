/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-typing-text.c - checks uses of text: comm, string() and comparisons of the thread's name
 */
#include "core/language/gilk-typing.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-format.h"
#include "core/language/gilk-source.h"

enum { COMM_MOST = 15, COMM_WORDS = 2 };

/* Minimum and maximum size in bytes of a string; whether it fits in a sample is checked later. */
enum { STRING_LEAST = 8, STRING_MOST = 8 * GILK_TEXT_WORDS };

guint
gilk_typing_words (const GilkNode *node)
{
  if (node->kind == GILK_NODE_STRING)
    return (guint) node->number / 8;

  return node->kind == GILK_NODE_NAME && node->meaning != NULL && node->meaning->kind == GILK_MEANS_COMM ? COMM_WORDS : 0;
}

gboolean
gilk_typing_string (GilkTyping *typing,
                    GilkNode   *node)
{
  if (node->number < STRING_LEAST || node->number > STRING_MOST || node->number % 8 != 0)
    return gilk_source_fail (typing->source, node->at,
                             _("The length of a string is from %d to %d bytes, and a multiple of "
                               "8."), STRING_LEAST,
                             STRING_MOST);
  if (gilk_ctype_size (&node->first->type) != 8)
    return gilk_source_fail (typing->source, node->first->part,
                             _("A string's address has 64 bits. Use a pointer, an array or a u64."));
  node->type = gilk_ctype_number (FALSE, 8);
  node->needs = GILK_NEEDS_CRITICAL | GILK_NEEDS_GUARD | GILK_NEEDS_CHECK;

  return TRUE;
}

gboolean
gilk_typing_key (GilkTyping     *typing,
                 const GilkNode *node)
{
  GilkProgramMap *map = gilk_map_at (typing->maps, node->meaning->map);
  const guint words = gilk_typing_words (node->first);

  if (words != map->words && (map->has_keys || map->meaning != NULL))
    return gilk_source_fail (typing->source, node->first->part,
                             _("%s has other keys elsewhere. All keys of a map are numbers, or text of the same length, such as "
                               "comm or string(p, 64)."), node->name);
  if (words != map->words && !gilk_map_set_words (typing->maps, node->meaning->map, words))
    return gilk_source_fail (typing->source, node->first->part,
                             _("%s would be too large with keys of %u bytes. Declare fewer keys, or take shorter text."),
                             node->name, 8 * words);
  map->has_keys = TRUE;
  map->is_signed &= words > 0 || gilk_ctype_is_signed (&node->first->type);    /* a hash is what names it in value_name */
  if (map->meaning == NULL)
    map->meaning = words > 0 ? g_intern_static_string (GILK_MEANING_TEXT) : node->first->shows;

  return TRUE;
}

gboolean
gilk_typing_text (GilkTyping     *typing,
                  const GilkNode *node)
{
  return gilk_source_fail (typing->source, node->part, _("A string can only be compared with the thread's name, as in "
                                                         "comm == \"bash\"."));
}

gboolean
gilk_typing_comm (GilkTyping *typing,
                  GilkNode   *node)
{
  const GilkNode *text = node->second->kind == GILK_NODE_TEXT ? node->second : node->first;
  const GilkNode *name = text == node->second ? node->first : node->second;

  if (name->kind != GILK_NODE_NAME || strcmp (name->name, "comm") != 0 ||
      (node->mark != GILK_MARKS ('=', '=') && node->mark != GILK_MARKS ('!', '=')))
    return gilk_typing_text (typing, text);
  node->meaning = gilk_names_find (typing->names, name->name, name->part);
  if (node->meaning == NULL)
    return FALSE;
  if (node->meaning->kind != GILK_MEANS_COMM)
    return gilk_typing_text (typing, text);
  if (strlen (text->name) > COMM_MOST)
    return gilk_source_fail (typing->source, text->part, _("A thread's name has at most %d bytes."), COMM_MOST);
  node->kind = GILK_NODE_COMM_IS;
  node->name = text->name;
  node->type = gilk_ctype_number (TRUE, 8);
  node->needs = GILK_NEEDS_CRITICAL | GILK_NEEDS_GUARD;

  return TRUE;
}
