/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-sample-layout.c - the common field layout of all samples of a program, and the meanings
 * of numbers, for display
 *
 * To keep samples small, two 4-byte fields share an 8-byte word, even if a wider field is declared
 * between them.
 */
#include "core/language/gilk-sample-layout.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-format.h"
#include "core/language/gilk-typing.h"

#define BAD_NAME "bad"
#define NAME_ROOM (sizeof ((struct ilk_field *) 0)->name - 1)

/* ---- names of fields ---- */

/* Returns the node that is the last name (member, variable, register or event) in the text of
 * @node; NULL: none. */
static const GilkNode *
find_last_name (const GilkNode *node)
{
  const GilkNode *found;

  if (node == NULL)
    return NULL;
  if (node->kind == GILK_NODE_MEMBER || node->kind == GILK_NODE_NAME || node->kind == GILK_NODE_REGISTER ||
      (node->kind == GILK_NODE_EVENT && node->name != NULL) ||
      (node->meaning != NULL && node->meaning->kind == GILK_MEANS_LOCAL))
    return node;
  found = find_last_name (node->second);

  return found != NULL ? found : find_last_name (node->first);
}

/* Converts @name to a valid column name: [a-z_][a-z0-9_]*. */
static void
write_name (char *out, const char *name)
{
  gsize n = 0;

  for (gsize i = 0; name[i] != '\0' && n < NAME_ROOM; i++)
    {
      const char c = g_ascii_tolower (name[i]);

      if (n == 0 && !g_ascii_isalpha (c) && c != '_')
        out[n++] = '_';
      if (n < NAME_ROOM)
        out[n++] = c;
    }
  out[n] = '\0';
}

static gboolean
is_name_taken (const struct ilk_field *fields, guint count, const char *name)
{
  for (guint i = 0; i < count; i++)
    if (strcmp (fields[i].name, name) == 0)
      return TRUE;

  return strcmp (name, BAD_NAME) == 0;
}

static void
make_unique (struct ilk_field *fields, guint count)
{
  char *name = fields[count].name;
  g_autofree char *base = g_strdup (name);

  for (guint number = 2; is_name_taken (fields, count, name); number++)
    {
      g_autofree char *tail = g_strdup_printf ("%u", number);

      g_snprintf (name, NAME_ROOM + 1, "%.*s%s", (int) (NAME_ROOM - strlen (tail)), base, tail);
    }
}

/* ---- names and types of the fields of one sample ---- */

static void
set_type (struct ilk_field *field, const GilkNode *value)
{
  const gboolean narrow = gilk_ctype_size (&value->type) < 8;
  const gboolean is_signed = gilk_ctype_is_signed (&value->type);

  field->size = narrow ? 4 : 8;
  if (gilk_typing_words (value) > 0)
    {
      field->type = ILK_FIELD_TEXT;
      field->size = (uint16_t) (8 * gilk_typing_words (value));
    }
  else if (gilk_ctype_is_pointer (&value->type))
    field->type = ILK_FIELD_HEX64;
  else if (narrow)
    field->type = is_signed ? ILK_FIELD_S32 : ILK_FIELD_U32;
  else
    field->type = is_signed ? ILK_FIELD_S64 : ILK_FIELD_U64;
}

gboolean
gilk_node_is_time (const GilkNode *value)
{
  switch (value->kind)
    {
    case GILK_NODE_NS:
      return TRUE;
    case GILK_NODE_NAME:
      return value->meaning != NULL && value->meaning->kind == GILK_MEANS_LET && value->meaning->is_time;
    case GILK_NODE_CAST:
      return gilk_node_is_time (value->first);
    case GILK_NODE_BINARY:
      return (value->mark == GILK_MARK ('+') || value->mark == GILK_MARK ('-')) && gilk_node_is_time (value->first) &&
             gilk_node_is_time (value->second);
    default:
      return FALSE;
    }
}

/* Sets the field's help text to the expression that computes it, as written in the program. */
static void
set_help (struct ilk_field *field, const GilkNode *value, const GilkSource *source)
{
  gsize n = 0;

  for (uint32_t i = 0; i < value->part.length && n < sizeof field->help - 1; i++)
    {
      const char c = source->text[value->part.offset + i];

      field->help[n++] = g_ascii_isprint (c) ? c : ' ';
    }
}

static void
describe_field (struct ilk_field *fields, guint at, const GilkNode *node, guint *nameless, const GilkSource *source)
{
  const GilkNode *named = node->name != NULL ? node : find_last_name (node->first);

  fields[at] = (struct ilk_field) { .type = 0 };
  if (named != NULL)
    write_name (fields[at].name, named->name);
  else
    g_snprintf (fields[at].name, sizeof fields[at].name, "v%u", (*nameless)++);
  make_unique (fields, at);
  set_type (&fields[at], node->first);
  set_help (&fields[at], node->first, source);
  if (gilk_node_is_time (node->first))
    g_strlcpy (fields[at].unit, "ns", sizeof fields[at].unit);
}

static gboolean
check_same_fields (const GilkSampleLayout *layout, const struct ilk_field *fields, guint count, const GilkNode *sample,
                   GilkSource *source)
{
  gboolean same = count == layout->count;

  for (guint i = 0; same && i < count; i++)
    same = strcmp (fields[i].name, layout->fields[i].name) == 0 && fields[i].type == layout->fields[i].type &&
           (fields[i].type != ILK_FIELD_TEXT || fields[i].size == layout->fields[i].size);

  return same || gilk_source_fail (source, sample->part,
                                   _("The fields of this sample differ from those of an "
                                     "earlier one. All samples of a program must have fields "
                                     "of the same names and types: name fields with \"NAME "
                                     "=\", and cast where types differ."));
}

/* Keeps the meaning or unit of a field only if all sample statements of the program agree on it;
 * otherwise the field is a plain number. */
static void
note_meanings (GilkSampleLayout *layout, struct ilk_field *fields, const GilkNode *sample)
{
  guint i = 0;

  for (const GilkNode *field = sample->first; field != NULL; field = field->next, i++)
    {
      const char *meaning = field->first->shows;

      if (layout->samples && layout->meanings[i] != meaning)
        meaning = NULL;
      layout->meanings[i] = meaning;
      fields[i].meaning = layout->fields[i].meaning = gilk_value_meaning_code (meaning);
      if (layout->samples && strcmp (layout->fields[i].unit, fields[i].unit) != 0)
        layout->fields[i].unit[0] = '\0';
    }
}

gboolean
gilk_sample_layout_add (GilkSampleLayout *layout,
                        const GilkNode   *sample,
                        GilkSource       *source)
{
  struct ilk_field fields[ILK_FIELDS_MAX];
  guint count = 0, nameless = 0;

  for (const GilkNode *field = sample->first; field != NULL; field = field->next)
    {
      if (count == ILK_FIELDS_MAX)
        return gilk_source_fail (source, field->part, _("A sample has at most %d fields."), ILK_FIELDS_MAX);
      describe_field (fields, count++, field, &nameless, source);
      layout->has_bad |= (field->needs & GILK_NEEDS_CHECK) != 0;
    }
  if (layout->samples && !check_same_fields (layout, fields, count, sample, source))
    return FALSE;
  note_meanings (layout, fields, sample);
  if (layout->samples)
    return TRUE;
  memcpy (layout->fields, fields, sizeof *fields * count);
  layout->count = count;
  layout->samples = TRUE;

  return TRUE;
}

/* ---- positions of fields in a sample ---- */

/* Places @field at the first free position in the sample. Returns FALSE if the sample is full. */
static gboolean
place_field (GilkSampleLayout *layout, struct ilk_field *field)
{
  const guint step = MIN (field->size, 8u), words = MAX (field->size / 8u, 1u);
  const uint8_t mask = step == 8 ? 0xff : 0x0f;

  for (guint at = 0; at + field->size <= ILK_SAMPLE_MAX; at += step)
    {
      const uint8_t bits = (uint8_t) (mask << at % 8);
      gboolean is_free = TRUE;

      for (guint w = 0; w < words; w++)
        is_free &= (layout->used[at / 8 + w] & bits) == 0;
      if (!is_free)
        continue;
      for (guint w = 0; w < words; w++)
        layout->used[at / 8 + w] |= bits;
      field->offset = (uint16_t) at;
      layout->payload = MAX (layout->payload, (at + field->size + 7) / 8 * 8);
      return TRUE;
    }

  return FALSE;
}

gboolean
gilk_sample_layout_finish (GilkSampleLayout *layout,
                           const GilkNode   *last,
                           GilkSource       *source)
{
  if (layout->has_bad)
    {
      if (layout->count == ILK_FIELDS_MAX)
        return gilk_source_fail (source, last->part, _("A sample has at most %d fields, and one of them reports which of "
                                                       "the others could not be read. Remove one."), ILK_FIELDS_MAX);
      layout->fields[layout->count++] = (struct ilk_field) {
        .name = BAD_NAME, .help = "bit mask of the fields that could not be read", .type = ILK_FIELD_U32, .size = 4,
      };
    }
  for (guint i = 0; i < layout->count; i++)
    if (!place_field (layout, &layout->fields[i]))
      return gilk_source_fail (source, last->part, _("The sample is too large: the limit is %d bytes. Remove a field."), ILK_SAMPLE_MAX);

  return TRUE;
}

/* ---- finds the meaning of an expression's number, for display ---- */

/*
 * Returns whether the type is a struct of function pointers, such as struct file_operations. A
 * pointer to such a struct is shown as a symbol name, because most of these structs are static
 * data.
 */
static gboolean
is_function_table (const GilkCType *type)
{
  return type->stars == 0 && type->base.kind == GILK_TYPE_STRUCT &&
         (g_str_has_suffix (type->base.name, "_operations") || g_str_has_suffix (type->base.name, "_ops"));
}

static const char *
find_type_meaning (const GilkBtf *btf, const GilkCType *type)
{
  GilkCType target;

  if (gilk_ctype_is_pointer (type))
    return !gilk_ctype_is_user (type) && gilk_ctype_target (btf, type, &target) &&
           ((target.stars == 0 && target.base.kind == GILK_TYPE_FUNCTION) || is_function_table (&target)) ? GILK_MEANING_SYMBOL : NULL;
  if (btf != NULL && type->stars == 0 && type->base.kind == GILK_TYPE_ENUM && type->base.id != 0)
    {
      g_autofree char *name = gilk_btf_type_name (btf, type->base.id);

      return name != NULL && g_str_has_prefix (name, GILK_MEANING_ENUM) && gilk_btf_find (btf, name) != 0
             ? g_intern_string (name) : NULL;
    }

  return NULL;
}

static gboolean
is_retval (const GilkNode *value)
{
  return value->kind == GILK_NODE_NAME && value->meaning != NULL && value->meaning->kind == GILK_MEANS_REGISTER &&
         strcmp (value->name, "retval") == 0;
}

const char *
gilk_value_meaning (const GilkBtf  *btf,
                    const GilkNode *value)
{
  const gboolean number = gilk_ctype_is_number (&value->type);

  if (value->kind == GILK_NODE_SYMBOL)
    return GILK_MEANING_SYMBOL;
  if (is_retval (value) && number && value->type.base.kind == GILK_TYPE_INT && gilk_ctype_is_signed (&value->type) &&
      gilk_ctype_size (&value->type) >= 4)
    return GILK_MEANING_ERRNO;

  return find_type_meaning (btf, &value->type);
}

uint16_t
gilk_value_meaning_code (const char *meaning)
{
  if (meaning == NULL)
    return ILK_MEANING_NONE;
  if (strcmp (meaning, GILK_MEANING_SYMBOL) == 0)
    return ILK_MEANING_SYMBOL;
  if (strcmp (meaning, GILK_MEANING_STACK) == 0)
    return ILK_MEANING_STACK;

  return strcmp (meaning, GILK_MEANING_ERRNO) == 0 ? ILK_MEANING_ERRNO : ILK_MEANING_ENUM;
}
