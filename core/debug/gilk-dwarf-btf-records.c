/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-dwarf-btf-records.c - creates BTF records without duplicates, and stores their names
 */
#include <string.h>

#include "core/debug/gilk-dwarf-btf-private.h"

enum {
  BYTES_MAX = 48 << 20,        /* maximum size of records and names in bytes, below GILK_BTF_MAX */
  NAME_LONGEST = 512,
};

gboolean
gilk_dwarf_btf_count (GilkDwarfBtf *btf)
{
  if (btf->left == 0 || btf->bytes > BYTES_MAX)
    btf->over_limit = TRUE;
  else
    btf->left--;

  return !btf->over_limit;
}

const char *
gilk_dwarf_btf_name (Dwarf_Die *die)
{
  const char *name = dwarf_diename (die);

  return name != NULL && strnlen (name, NAME_LONGEST) < NAME_LONGEST ? name : "";
}

uint32_t
gilk_dwarf_btf_string (GilkDwarfBtf *btf,
                       const char   *name)
{
  gpointer found = g_hash_table_lookup (btf->offsets, name);
  uint32_t offset;

  if (*name == '\0')
    return 0;
  if (found != NULL)
    return btf->base->first_string + GPOINTER_TO_UINT (found) - 1;
  offset = (uint32_t) btf->strings->len;
  g_string_append_len (btf->strings, name, (gssize) strlen (name) + 1);
  g_hash_table_insert (btf->offsets, g_strdup (name), GUINT_TO_POINTER (offset + 1));
  btf->bytes += strlen (name) + 1;

  return btf->base->first_string + offset;
}

void
gilk_dwarf_btf_words (GByteArray     *record,
                      guint           n,
                      const uint32_t *words)
{
  g_byte_array_append (record, (const guint8 *) words, n * sizeof *words);
}

void
gilk_dwarf_btf_append (GByteArray     *record,
                       guint           n,
                       const uint32_t *words)
{
  struct btf_type *head = (gpointer) record->data;

  if ((head->info & 0xffffff) == 0xffffff)
    return;
  head->info++;
  gilk_dwarf_btf_words (record, n, words);
}

GByteArray *
gilk_dwarf_btf_record (GilkDwarfBtf *btf,
                       guint         kind,
                       const char   *name,
                       uint32_t      size_or_type)
{
  const uint32_t words[] = { gilk_dwarf_btf_string (btf, name), kind << 24, size_or_type };
  GByteArray *record = g_byte_array_new ();

  gilk_dwarf_btf_words (record, G_N_ELEMENTS (words), words);

  return record;
}

guint
gilk_dwarf_btf_add (GilkDwarfBtf *btf,
                    GByteArray   *record)
{
  g_ptr_array_add (btf->records, record);
  btf->bytes += record->len;

  return btf->base->first + btf->records->len - 1;
}

guint
gilk_dwarf_btf_intern (GilkDwarfBtf *btf,
                       GByteArray   *record)
{
  gpointer found = g_hash_table_lookup (btf->interned, record);
  guint id;

  if (found != NULL)
    {
      g_byte_array_unref (record);
      return GPOINTER_TO_UINT (found);
    }
  id = gilk_dwarf_btf_add (btf, record);
  g_hash_table_insert (btf->interned, record, GUINT_TO_POINTER (id));

  return id;
}

guint
gilk_dwarf_btf_hash (gconstpointer data)
{
  const GByteArray *record = data;
  guint hash = 5381;

  for (guint i = 0; i < record->len; i++)
    hash = hash * 33 + record->data[i];

  return hash;
}

gboolean
gilk_dwarf_btf_equal (gconstpointer a,
                      gconstpointer b)
{
  const GByteArray *x = a, *y = b;

  return x->len == y->len && memcmp (x->data, y->data, x->len) == 0;
}
