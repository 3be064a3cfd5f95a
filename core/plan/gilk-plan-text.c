/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-plan-text.c - writes a plan over an existing file, and keeps the user's formatting of
 * unchanged lines
 *
 * Three texts are compared group by group and key by key: the file as it is, the canonical text of
 * the plan in the file, and the canonical text of the new plan. A line of the file is kept if its
 * key has the same value in both canonical texts.
 *
 * A comment directly above a group's header belongs to that group; a comment directly below other
 * lines belongs to those lines. A comment with empty lines around it belongs to neither, and stays.
 */
#include <string.h>

#include "core/plan/gilk-plan-private.h"

/* A group and the comments directly above it, or lines outside of any group. */
typedef struct {
  char      *name;                /* name of the group, or NULL */
  GPtrArray *above, *lines;       /* (element-type utf8); @lines of a group start with its header */
} Part;

typedef struct {
  GPtrArray  *parts;
  GHashTable *named;              /* table from a group's name to its Part */
} Text;

static void
part_free (gpointer data)
{
  Part *part = data;

  g_free (part->name);
  g_ptr_array_unref (part->above);
  g_ptr_array_unref (part->lines);
  g_free (part);
}

static void
text_free (Text *text)
{
  g_hash_table_unref (text->named);
  g_ptr_array_unref (text->parts);
  g_free (text);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Text, text_free)

/* ---- lines of a plan file ---- */

static gboolean
is_empty (const char *line)
{
  return line[strspn (line, " \t\r\n")] == '\0';
}

/* Returns the group's name; NULL: the line is not a group header. (transfer full) (nullable) */
static char *
parse_group_name (const char *line)
{
  const char *text = line + strspn (line, " \t");
  const char *end = *text == '[' ? strchr (text, ']') : NULL;

  return end != NULL ? g_strndup (text + 1, (gsize) (end - text - 1)) : NULL;
}

/* Returns the key of a line; NULL: none. (transfer full) (nullable) */
static char *
parse_key (const char *line)
{
  const char *text = line + strspn (line, " \t");
  const char *equals = *text != '#' && *text != '[' ? strchr (text, '=') : NULL;

  return equals != NULL ? g_strchomp (g_strndup (text, (gsize) (equals - text))) : NULL;
}

static int
find_key (const Part *part, const char *key)
{
  for (guint i = 0; part != NULL && i < part->lines->len; i++)
    {
      g_autofree char *own = parse_key (part->lines->pdata[i]);

      if (g_strcmp0 (own, key) == 0)
        return (int) i;
    }

  return -1;
}

/* Returns the value of @key, with surrounding blanks if the user wrote any. (nullable) */
static const char *
find_value (const Part *part, const char *key)
{
  int line = find_key (part, key);

  return line >= 0 ? strchr (part->lines->pdata[line], '=') + 1 : NULL;
}

/* ---- splitting of a text into its groups ---- */

static Part *
add_part (Text *text, const char *name)
{
  Part *part = g_new0 (Part, 1);

  part->name = g_strdup (name);
  part->above = g_ptr_array_new_with_free_func (g_free);
  part->lines = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (text->parts, part);
  if (name != NULL)
    g_hash_table_insert (text->named, part->name, part);

  return part;
}

static void
move_lines (GPtrArray *to, GPtrArray *from, guint first, guint end)
{
  for (guint i = first; i < end; i++)
    g_ptr_array_add (to, g_strdup (from->pdata[i]));
}

/*
 * Distributes @between, the comments and empty lines after @part (nullable) and in front of the
 * next group's header. Lines directly below @part are added to @part. Lines directly above the
 * header, and the empty lines above them, are added to @next (NULL: the file ends here). The rest
 * becomes a part of its own.
 */
static void
distribute_lines (Text *text, Part *part, GPtrArray *between, GPtrArray *next)
{
  guint first = 0, last = between->len;

  while (part != NULL && first < last && !is_empty (between->pdata[first]))
    first++;
  while (next != NULL && last > first && !is_empty (between->pdata[last - 1]))
    last--;
  while (next != NULL && last > first && is_empty (between->pdata[last - 1]))
    last--;
  if (part != NULL)
    move_lines (part->lines, between, 0, first);
  if (next != NULL)
    move_lines (next, between, last, between->len);
  if (last > first)
    move_lines (add_part (text, NULL)->lines, between, first, last);
  g_ptr_array_set_size (between, 0);
}

static Text *
text_new (const char *content)
{
  g_auto(GStrv) lines = g_strsplit (content, "\n", -1);
  guint count = g_strv_length (lines);
  g_autoptr(GPtrArray) between = g_ptr_array_new_with_free_func (g_free);
  Text *text = g_new0 (Text, 1);
  Part *part = NULL;

  text->parts = g_ptr_array_new_with_free_func (part_free);
  text->named = g_hash_table_new (g_str_hash, g_str_equal);
  if (count > 0 && *lines[count - 1] == '\0')
    count--;                      /* ignore the empty string after the last newline */
  for (guint i = 0; i < count; i++)
    {
      g_autofree char *group = parse_group_name (lines[i]);
      g_autofree char *key = parse_key (lines[i]);
      g_autoptr(GPtrArray) above = g_ptr_array_new_with_free_func (g_free);

      if (group != NULL)
        {
          distribute_lines (text, part, between, above);
          part = add_part (text, group);
          move_lines (part->above, above, 0, above->len);
        }
      else if (key != NULL && part != NULL)
        {
          move_lines (part->lines, between, 0, between->len);
          g_ptr_array_set_size (between, 0);
        }
      g_ptr_array_add (group != NULL || (key != NULL && part != NULL) ? part->lines : between, g_strdup (lines[i]));
    }
  distribute_lines (text, part, between, NULL);

  return text;
}

/* ---- merging a group ---- */

/* Returns TRUE if the key has not changed. The version is compared with the file itself, because
 * the canonical text always has version 2. */
static gboolean
is_key_unchanged (const Part *file, const Part *canonical, const Part *wanted, const char *key)
{
  const char *now = find_value (wanted, key);
  g_autofree char *version = g_strcmp0 (key, "version") == 0 ? g_strstrip (g_strdup (find_value (file, key))) : NULL;

  return g_strcmp0 (version != NULL ? version : find_value (canonical, key), now) == 0;
}

static void
append_lines (GString *out, const GPtrArray *lines)
{
  for (guint i = 0; i < lines->len; i++)
    g_string_append_printf (out, "%s\n", (const char *) lines->pdata[i]);
}

/*
 * Appends a group of the file with the changes of the new plan. @file, @canonical, @wanted: the
 * group in the file, in the canonical text of the file's plan, and in the canonical text of the new
 * plan
 */
static void
append_changed (GString *out, const Part *file, const Part *canonical, const Part *wanted)
{
  g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func (g_free);
  guint end = 1;                  /* index after the last key: new keys are inserted here */

  for (guint i = 0; i < file->lines->len; i++)
    {
      const char *line = file->lines->pdata[i];
      g_autofree char *key = parse_key (line);
      int now = key != NULL ? find_key (wanted, key) : -1;

      if (key == NULL || is_key_unchanged (file, canonical, wanted, key))
        g_ptr_array_add (lines, g_strdup (line));
      else if (now >= 0)
        g_ptr_array_add (lines, g_strdup (wanted->lines->pdata[now]));
      if (key != NULL)
        end = lines->len;
    }
  for (guint i = 1; i < wanted->lines->len; i++)
    {
      g_autofree char *key = parse_key (wanted->lines->pdata[i]);

      if (key != NULL && find_key (file, key) < 0 && !is_key_unchanged (file, canonical, wanted, key))
        g_ptr_array_insert (lines, (int) end++, g_strdup (wanted->lines->pdata[i]));
    }
  append_lines (out, file->above);
  append_lines (out, lines);
}

static void
append_new (GString *out, const Part *wanted)
{
  g_string_append_c (out, '\n');
  append_lines (out, wanted->lines);
}

/* ---- merging all groups ---- */

/* Return whether a group is a program or a hook. Programs and hooks are ordered separately, each
 * kind as in the plan. */
static gboolean
is_program (const Part *part)
{
  return part->name != NULL && g_str_has_prefix (part->name, GILK_PROGRAM_PREFIX);
}

static gboolean
is_hook (const Part *part)
{
  return part->name != NULL && !is_program (part) && strcmp (part->name, GILK_PLAN_GROUP) != 0;
}

typedef struct {
  GString *out;
  Text    *file, *canonical, *wanted;
} Merge;

static const Part *
find_part (Text *text, const char *name)
{
  return name != NULL ? g_hash_table_lookup (text->named, name) : NULL;
}

/*
 * Appends parts (groups) of one kind to the output, in the order of the new plan, from part *@at
 * on. Stops in front of the first part that the old file contains, too. @slot: the old file has a
 * part of this kind at the current position, so one such part is written here before the function
 * stops. Thus reordered hooks keep their comments, and new hooks stay next to their neighbours.
 */
static void
append_kind (Merge *merge, gboolean (*is_kind) (const Part *), guint *at, gboolean slot)
{
  for (; *at < merge->wanted->parts->len; (*at)++)
    {
      const Part *wanted = merge->wanted->parts->pdata[*at];
      const Part *file = find_part (merge->file, wanted->name);

      if (!is_kind (wanted))
        continue;
      if (file != NULL && !slot)
        return;
      if (file == NULL)
        append_new (merge->out, wanted);
      else
        append_changed (merge->out, file, find_part (merge->canonical, wanted->name), wanted);
      slot = slot && file == NULL;
    }
}

static gboolean
has_kind (const Text *text, gboolean (*is_kind) (const Part *))
{
  for (guint i = 0; i < text->parts->len; i++)
    if (is_kind (text->parts->pdata[i]))
      return TRUE;

  return FALSE;
}

static char *
merge_texts (Text *file, Text *canonical, Text *wanted)
{
  Merge merge = { g_string_new (NULL), file, canonical, wanted };
  gboolean programs_here = has_kind (file, is_program);
  guint programs = 0, hooks = 0;

  for (guint i = 0; i < file->parts->len; i++)
    {
      const Part *part = file->parts->pdata[i];
      const Part *now = find_part (wanted, part->name);

      if (part->name == NULL)
        append_lines (merge.out, part->lines);
      else if (now != NULL && is_program (part))
        append_kind (&merge, is_program, &programs, TRUE);
      else if (now != NULL && is_hook (part))
        append_kind (&merge, is_hook, &hooks, TRUE);
      else if (now != NULL)
        append_changed (merge.out, part, find_part (canonical, part->name), now);
      if (g_strcmp0 (part->name, GILK_PLAN_GROUP) == 0 && !programs_here)
        append_kind (&merge, is_program, &programs, FALSE);
    }
  append_kind (&merge, is_program, &programs, FALSE);
  append_kind (&merge, is_hook, &hooks, FALSE);

  return g_string_free (merge.out, FALSE);
}

/* Checks the result: a text must not be written unless it parses to the same plan as @plan_text. */
static gboolean
parses_to (const char *text, const char *plan_text)
{
  g_autoptr(GilkPlan) plan = gilk_plan_parse (text, strlen (text), "", NULL);
  g_autofree char *again = plan != NULL ? gilk_plan_to_text (plan) : NULL;

  return g_strcmp0 (again, plan_text) == 0;
}

char *
gilk_plan_to_text_like (const GilkPlan *plan,
                        const char     *before,
                        gsize           length)
{
  g_autoptr(GilkPlan) held = gilk_plan_parse (before, length, "", NULL);
  g_autofree char *plan_text = gilk_plan_to_text (plan);
  g_autofree char *held_text = NULL, *merged = NULL, *content = NULL;
  g_autoptr(Text) file = NULL, canonical = NULL, wanted = NULL;

  if (held == NULL)
    return g_steal_pointer (&plan_text);
  held_text = gilk_plan_to_text (held);
  content = g_strndup (before, length);
  file = text_new (content);
  canonical = text_new (held_text);
  wanted = text_new (plan_text);
  merged = merge_texts (file, canonical, wanted);

  return parses_to (merged, plan_text) ? g_steal_pointer (&merged) : g_steal_pointer (&plan_text);
}

gboolean
gilk_plan_save_like (const GilkPlan *plan,
                     const char     *path,
                     const char     *like,
                     GError        **error)
{
  g_autofree char *before = NULL, *text = NULL;
  gsize length = 0;

  if (like == NULL || !g_file_get_contents (like, &before, &length, NULL))
    return gilk_plan_save (plan, path, error);
  text = gilk_plan_to_text_like (plan, before, length);

  return gilk_plan_save_text (text, path, error);
}
