/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-btf-names.c - finds types, functions, variables and constants by name
 *
 * One hash table has all names, about 200,000 for a kernel; it is built together with the types. A
 * name that occurs twice is in the table twice, in the order of the BTF. Lookups search the table
 * of a module before the kernel's.
 */
#include "core/types/gilk-btf-private.h"

#include <string.h>

static GilkBtfNameClass
get_class (const struct btf_type *record)
{
  switch (gilk_btf_kind (record))
    {
    case BTF_KIND_INT:
    case BTF_KIND_FLOAT:
    case BTF_KIND_TYPEDEF:
      return GILK_BTF_NAME_PLAIN;
    case BTF_KIND_STRUCT:
      return GILK_BTF_NAME_STRUCT;
    case BTF_KIND_UNION:
      return GILK_BTF_NAME_UNION;
    case BTF_KIND_FWD:
      return GILK_BTF_INFO_FLAG (record->info) ? GILK_BTF_NAME_UNION : GILK_BTF_NAME_STRUCT;
    case BTF_KIND_ENUM:
    case BTF_KIND_ENUM64:
      return GILK_BTF_NAME_ENUM;
    case BTF_KIND_FUNC:
      return GILK_BTF_NAME_FUNCTION;
    case BTF_KIND_VAR:
      return GILK_BTF_NAME_VARIABLE;
    default:
      return GILK_BTF_NAME_NONE;
    }
}

static uint32_t
hash_name (GilkBtfNameClass class, const char *name)
{
  return (g_str_hash (name) ^ (uint32_t) class * 0x9e3779b1u) * 0x85ebca6bu >> 7;
}

static gboolean
is_enum (const struct btf_type *record)
{
  return gilk_btf_kind (record) == BTF_KIND_ENUM || gilk_btf_kind (record) == BTF_KIND_ENUM64;
}

/* ---- construction ---- */

/* Prepends the name to the list of its bucket in the hash table. */
static void
add_name (GilkBtf *btf, guint at, GilkBtfNameClass class, uint32_t offset, guint id, uint32_t value)
{
  uint32_t *bucket = &btf->buckets[hash_name (class, gilk_btf_string (btf, offset)) & btf->bucket_mask];

  btf->names[at] = (GilkBtfName) { .id = id, .value = value, .next = *bucket };
  *bucket = at + 1;
}

static guint
count_names (const GilkBtf *btf)
{
  guint n = btf->n;

  for (guint id = btf->first; id < gilk_btf_end (btf); id++)
    {
      const struct btf_type *record = gilk_btf_record (btf, id);

      if (is_enum (record))
        n += gilk_btf_vlen (record);
    }

  return n;
}

/* Builds the hash table. Adds names from last to first, so that each bucket lists them in the
 * order of the BTF. */
void
gilk_btf_index (GilkBtf *btf)
{
  const guint most = count_names (btf);
  guint n = 0;

  btf->bucket_mask = 1;
  while (btf->bucket_mask < most)
    btf->bucket_mask = btf->bucket_mask << 1 | 1;
  btf->buckets = g_new0 (uint32_t, (gsize) btf->bucket_mask + 1);
  btf->names = g_new (GilkBtfName, MAX (most, 1));
  for (guint id = gilk_btf_end (btf); id-- > btf->first;)
    {
      const struct btf_type *record = gilk_btf_record (btf, id);
      const GilkBtfNameClass class = get_class (record);

      for (guint i = is_enum (record) ? gilk_btf_vlen (record) : 0; i-- > 0;)
        {
          uint32_t name;

          gilk_btf_nth_value (record, i, &name);
          add_name (btf, n++, GILK_BTF_NAME_CONSTANT, name, id, i);
        }
      if (class != GILK_BTF_NAME_NONE && record->name_off != 0)
        add_name (btf, n++, class, record->name_off, id, 0);
    }
}

/* ---- lookup ---- */

static gboolean
has_name (const GilkBtf *btf, const GilkBtfName *entry, GilkBtfNameClass class, const char *name)
{
  const struct btf_type *record = gilk_btf_record (btf, entry->id);
  uint32_t offset = record->name_off;

  if (class != GILK_BTF_NAME_CONSTANT)
    return get_class (record) == class && strcmp (gilk_btf_string (btf, offset), name) == 0;
  /* The enum does not have an enumerator with this index. */
  if (!is_enum (record) || entry->value >= gilk_btf_vlen (record))
    return FALSE;
  gilk_btf_nth_value (record, entry->value, &offset);

  return strcmp (gilk_btf_string (btf, offset), name) == 0;
}

/* Returns the entry called @name that follows @entry in @btf, or the first one if @entry is NULL.
 * Does not search the base. Returns NULL if none exists. */
static const GilkBtfName *
find_next_named (const GilkBtf *btf, const GilkBtfName *entry, GilkBtfNameClass class, const char *name)
{
  uint32_t next = entry != NULL ? entry->next : btf->buckets[hash_name (class, name) & btf->bucket_mask];

  for (; next != 0; next = btf->names[next - 1].next)
    if (has_name (btf, &btf->names[next - 1], class, name))
      return &btf->names[next - 1];

  return NULL;
}

/* Returns the id of the first type called @name that is defined or, if none is, of the first that
 * is only declared; 0: none. */
static guint
find_class (const GilkBtf *btf, GilkBtfNameClass class, const char *name)
{
  guint declared = 0;

  for (const GilkBtf *own = btf; own != NULL; own = own->base)
    for (const GilkBtfName *entry = NULL; (entry = find_next_named (own, entry, class, name)) != NULL;)
      {
        if (gilk_btf_kind (gilk_btf_record (own, entry->id)) != BTF_KIND_FWD)
          return entry->id;
        if (declared == 0)
          declared = entry->id;
      }

  return declared;
}

/* Returns the class of names, such as structs, that the first word of @name selects. @rest: (out):
 * the text after that word */
static GilkBtfNameClass
parse_class (const char *name, const char **rest)
{
  static const struct { const char *word; GilkBtfNameClass class; } words[] = {
    { "struct ", GILK_BTF_NAME_STRUCT },
    { "union ", GILK_BTF_NAME_UNION },
    { "enum ", GILK_BTF_NAME_ENUM },
  };

  *rest = name;
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_has_prefix (name, words[i].word))
      {
        *rest = name + strlen (words[i].word);
        return words[i].class;
      }

  return GILK_BTF_NAME_PLAIN;
}

guint
gilk_btf_find (const GilkBtf *btf, const char *name)
{
  const char *rest;
  const GilkBtfNameClass class = parse_class (name, &rest);

  return find_class (btf, class, rest);
}

void
gilk_btf_names_with_prefix (const GilkBtf *btf, const char *prefix,
                            void (*visit) (const char *name, gpointer data), gpointer data)
{
  const char *rest;
  const GilkBtfNameClass class = parse_class (prefix, &rest);

  for (const GilkBtf *own = btf; own != NULL; own = own->base)
    for (guint id = own->first; id < gilk_btf_end (own); id++)
      {
        const struct btf_type *record = gilk_btf_record (own, id);
        const char *name = gilk_btf_string (own, record->name_off);

        if (get_class (record) == class && *name != '\0' && g_str_has_prefix (name, rest))
          visit (name, data);
      }
}

static void
visit_constants (const GilkBtf *btf, const struct btf_type *record, const char *prefix,
                 void (*visit) (const char *name, gpointer data), gpointer data)
{
  for (guint i = 0; i < gilk_btf_vlen (record); i++)
    {
      const char *name;
      uint32_t offset;

      gilk_btf_nth_value (record, i, &offset);
      name = gilk_btf_string (btf, offset);
      if (g_str_has_prefix (name, prefix))
        visit (name, data);
    }
}

void
gilk_btf_constants_with_prefix (const GilkBtf *btf, const char *prefix,
                                void (*visit) (const char *name, gpointer data), gpointer data)
{
  for (const GilkBtf *own = btf; own != NULL; own = own->base)
    for (guint id = own->first; id < gilk_btf_end (own); id++)
      {
        const struct btf_type *record = gilk_btf_record (own, id);

        if (is_enum (record))
          visit_constants (own, record, prefix, visit, data);
      }
}

/* ---- functions and variables ---- */

static void
describe_prototype (const GilkBtf *btf, guint id, GilkPrototype *prototype)
{
  const struct btf_type *record = gilk_btf_record (btf, id);
  const struct btf_param *params = gilk_btf_rest (record);
  guint n = gilk_btf_vlen (record);

  *prototype = (GilkPrototype) { .returns = record->type };
  if (n > 0 && params[n - 1].type == 0 && params[n - 1].name_off == 0)
    {
      prototype->variadic = TRUE;
      n--;
    }
  prototype->n_arguments = MIN (n, GILK_BTF_ARGUMENTS);
  for (guint i = 0; i < prototype->n_arguments; i++)
    {
      prototype->arguments[i] = params[i].type;
      prototype->names[i] = gilk_btf_string (btf, params[i].name_off);
    }
}

static gboolean
is_same (const GilkPrototype *a, const GilkPrototype *b)
{
  if (a->n_arguments != b->n_arguments || a->returns != b->returns || a->variadic != b->variadic)
    return FALSE;
  for (guint i = 0; i < a->n_arguments; i++)
    if (a->arguments[i] != b->arguments[i] || strcmp (a->names[i], b->names[i]) != 0)
      return FALSE;

  return TRUE;
}

/* Returns the first entry called @name. Sets *@btf to the BTF that has the entry: *@btf itself or
 * its base. */
static const GilkBtfName *
find_first_named (const GilkBtf **btf, GilkBtfNameClass class, const char *name)
{
  const GilkBtfName *entry = NULL;

  while (*btf != NULL && (entry = find_next_named (*btf, NULL, class, name)) == NULL)
    *btf = (*btf)->base;

  return entry;
}

/* Describes function @name. @entry: first function with this name in @btf; NULL: none. Returns
 * FALSE if there is none, or if several functions with this name have different prototypes. */
static gboolean
describe_functions (const GilkBtf *btf, const GilkBtfName *entry, const char *name, GilkPrototype *prototype)
{
  if (entry == NULL)
    return FALSE;
  describe_prototype (btf, gilk_btf_record (btf, entry->id)->type, prototype);
  while ((entry = find_next_named (btf, entry, GILK_BTF_NAME_FUNCTION, name)) != NULL)
    {
      GilkPrototype other;

      describe_prototype (btf, gilk_btf_record (btf, entry->id)->type, &other);
      if (!is_same (prototype, &other))
        return FALSE;
    }

  return TRUE;
}

gboolean
gilk_btf_function (const GilkBtf *btf, const char *name, GilkPrototype *prototype)
{
  const GilkBtfName *entry = find_first_named (&btf, GILK_BTF_NAME_FUNCTION, name);

  return describe_functions (btf, entry, name, prototype);
}

guint
gilk_btf_function_id (const GilkBtf *btf, const char *name)
{
  const GilkBtfName *entry = find_next_named (btf, NULL, GILK_BTF_NAME_FUNCTION, name);

  return entry != NULL && find_next_named (btf, entry, GILK_BTF_NAME_FUNCTION, name) == NULL ? entry->id : 0;
}

gboolean
gilk_btf_own_function (const GilkBtf *btf, const char *name, GilkPrototype *prototype)
{
  return describe_functions (btf, find_next_named (btf, NULL, GILK_BTF_NAME_FUNCTION, name), name, prototype);
}

/* Removes the first argument of a tracepoint's prototype, which is the private data of a registered
 * probe, not an argument of the tracepoint. */
static gboolean
drop_first_argument (GilkPrototype *prototype)
{
  if (prototype->n_arguments == 0)
    return FALSE;
  prototype->n_arguments--;
  memmove (prototype->arguments, prototype->arguments + 1, prototype->n_arguments * sizeof prototype->arguments[0]);
  memmove (prototype->names, prototype->names + 1, prototype->n_arguments * sizeof prototype->names[0]);

  return TRUE;
}

/* Finds the arguments of tracepoint @name. They are in the prototype of __traceiter_NAME, the
 * function that calls the probes; there they have names. If that function is missing, they are in
 * btf_trace_NAME, the type of the probes. */
gboolean
gilk_btf_tracepoint (const GilkBtf *btf, const char *name, GilkPrototype *prototype)
{
  g_autofree char *function = g_strconcat ("__traceiter_", name, NULL), *probe = g_strconcat ("btf_trace_", name, NULL);
  guint id;

  if (gilk_btf_function (btf, function, prototype))
    return drop_first_argument (prototype);
  id = gilk_btf_find (btf, probe);
  id = id != 0 ? gilk_btf_strip (btf, id) : 0;
  if (id == 0 || gilk_btf_kind (gilk_btf_record (btf, id)) != BTF_KIND_PTR)
    return FALSE;
  id = gilk_btf_strip (btf, gilk_btf_record (btf, id)->type);
  if (id == 0 || gilk_btf_kind (gilk_btf_record (btf, id)) != BTF_KIND_FUNC_PROTO)
    return FALSE;
  describe_prototype (btf, id, prototype);

  return drop_first_argument (prototype);
}

gboolean
gilk_btf_variable (const GilkBtf *btf, const char *name, guint *type)
{
  const GilkBtfName *entry = find_first_named (&btf, GILK_BTF_NAME_VARIABLE, name);

  if (entry == NULL)
    return FALSE;
  *type = gilk_btf_record (btf, entry->id)->type;
  while ((entry = find_next_named (btf, entry, GILK_BTF_NAME_VARIABLE, name)) != NULL)
    if (gilk_btf_record (btf, entry->id)->type != *type)
      return FALSE;

  return TRUE;
}

gboolean
gilk_btf_constant (const GilkBtf *btf, const char *name, int64_t *value)
{
  const GilkBtfName *entry = find_first_named (&btf, GILK_BTF_NAME_CONSTANT, name);
  uint32_t offset;

  if (entry == NULL)
    return FALSE;
  *value = gilk_btf_nth_value (gilk_btf_record (btf, entry->id), entry->value, &offset);
  while ((entry = find_next_named (btf, entry, GILK_BTF_NAME_CONSTANT, name)) != NULL)
    if (gilk_btf_nth_value (gilk_btf_record (btf, entry->id), entry->value, &offset) != *value)
      return FALSE;

  return TRUE;
}
