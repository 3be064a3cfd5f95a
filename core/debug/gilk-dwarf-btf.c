/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-dwarf-btf.c - converts DWARF types to BTF
 *
 * gilk_btf_new() validates the result like any untrusted BTF: it rejects the BTF of a damaged DWARF
 * file, or at worst the types are wrong. The code here limits how much is read and written.
 */
#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/debug/gilk-dwarf-btf-private.h"

enum {
  ENTRIES_MAX = 1 << 26,       /* maximum number of DIEs read */
  PARAMETERS = 6,              /* number of parameters passed in registers */
};

/* ---- converts functions ---- */

/* Returns whether parameter @die is passed in the register that the ABI assigns to parameter
 * @number. Also returns TRUE if its location is unknown or is not a register. */
static gboolean
is_in_abi_register (Dwarf_Die *die, Dwarf_Addr entry, guint number)
{
  static const uint8_t registers[PARAMETERS] = { DW_OP_reg5, DW_OP_reg4, DW_OP_reg1, DW_OP_reg2, DW_OP_reg8, DW_OP_reg9 };
  Dwarf_Attribute attribute;
  Dwarf_Op *ops;
  size_t n;

  if (dwarf_attr (die, DW_AT_location, &attribute) == NULL || dwarf_getlocation_addr (&attribute, entry, &ops, &n, 1) != 1 ||
      n != 1 || ops[0].atom < DW_OP_reg0 || ops[0].atom > DW_OP_reg31)
    return TRUE;

  return ops[0].atom == registers[number];
}

/* Returns whether the parameters are passed in the registers of the ABI. Stops at the first
 * parameter that takes several registers, such as a struct passed by value: the registers of later
 * parameters are unknown. */
static gboolean
is_called_by_abi (GilkDwarfBtf *btf, Dwarf_Die *function)
{
  Dwarf_Addr entry;
  Dwarf_Die die;
  guint number = 0;

  if (dwarf_entrypc (function, &entry) != 0)
    return FALSE;
  for (int found = dwarf_child (function, &die); found == 0; found = dwarf_siblingof (&die, &die))
    {
      GilkDwarfType type;
      gboolean is_word;

      if (!gilk_dwarf_btf_count (btf))
        return FALSE;
      if (dwarf_tag (&die) != DW_TAG_formal_parameter)
        continue;
      gilk_dwarf_type_of (&die, &type);
      is_word = type.stars > 0 || ((type.kind == GILK_DWARF_TYPE_INT || type.kind == GILK_DWARF_TYPE_ENUM) && type.size <= 8);
      g_free (type.name);
      if (!is_word || number == PARAMETERS)
        return TRUE;
      if (!is_in_abi_register (&die, entry, number++))
        return FALSE;
    }

  return TRUE;
}

/* Returns whether the function has code in this unit that is called according to its prototype. */
static gboolean
is_function (GilkDwarfBtf *btf, Dwarf_Die *die)
{
  Dwarf_Attribute attribute;
  Dwarf_Word convention = DW_CC_normal;

  if (dwarf_attr_integrate (die, DW_AT_calling_convention, &attribute) != NULL)
    dwarf_formudata (&attribute, &convention);

  return convention != DW_CC_nocall && *gilk_dwarf_btf_name (die) != '\0' && is_called_by_abi (btf, die);
}

/* Adds a function. Only its abstract instance has the parameters of the source, so the prototype is
 * made from that instance. */
static void
add_function (GilkDwarfBtf *btf, Dwarf_Die *die)
{
  const uint32_t linkage = dwarf_hasattr_integrate (die, DW_AT_external) ? BTF_FUNC_GLOBAL : BTF_FUNC_STATIC;
  Dwarf_Attribute attribute;
  Dwarf_Die source = *die;
  GByteArray *record;
  guint id;

  if (!is_function (btf, die) ||
      (dwarf_attr (die, DW_AT_abstract_origin, &attribute) != NULL && dwarf_formref_die (&attribute, &source) == NULL) ||
      !gilk_dwarf_btf_prototype (btf, &source, 0, &id))
    return;
  record = gilk_dwarf_btf_record (btf, BTF_KIND_FUNC, gilk_dwarf_btf_name (die), id);
  ((struct btf_type *) (gpointer) record->data)->info |= linkage;
  gilk_dwarf_btf_intern (btf, record);
}

/* ---- converts the types of a unit ---- */

static void
add_types (GilkDwarfBtf *btf, Dwarf_Die *scope)
{
  Dwarf_Die die;
  guint id;

  for (int found = dwarf_child (scope, &die); found == 0 && gilk_dwarf_btf_count (btf); found = dwarf_siblingof (&die, &die))
    switch (dwarf_tag (&die))
      {
      case DW_TAG_structure_type:
      case DW_TAG_union_type:
        if (*gilk_dwarf_btf_name (&die) != '\0')         /* a nameless type is converted only if
                                                          * another type refers to it */
          gilk_dwarf_btf_type (btf, &die, 0, &id);
        break;
      case DW_TAG_enumeration_type:
      case DW_TAG_typedef:
        gilk_dwarf_btf_type (btf, &die, 0, &id);
        break;
      default:
        break;
      }
}

/* Adds the variables that the unit defines. Skips declarations, which lack a location. */
static void
add_variables (GilkDwarfBtf *btf, Dwarf_Die *unit)
{
  const uint32_t linkage = BTF_VAR_GLOBAL_ALLOCATED;
  Dwarf_Die die;
  guint id;

  for (int found = dwarf_child (unit, &die); found == 0 && gilk_dwarf_btf_count (btf); found = dwarf_siblingof (&die, &die))
    if (dwarf_tag (&die) == DW_TAG_variable && dwarf_hasattr (&die, DW_AT_location) && *gilk_dwarf_btf_name (&die) != '\0' &&
        gilk_dwarf_btf_type_of (btf, &die, 0, &id) && id != 0)
      {
        GByteArray *record = gilk_dwarf_btf_record (btf, BTF_KIND_VAR, gilk_dwarf_btf_name (&die), id);

        gilk_dwarf_btf_words (record, 1, &linkage);
        gilk_dwarf_btf_intern (btf, record);
      }
}

/* Returns whether the unit has types, or imports a unit that may have types. In a unit without
 * types (-g1), functions seem to lack parameters and results. */
static gboolean
has_types (GilkDwarfBtf *btf, Dwarf_Die *unit)
{
  Dwarf_Die die;

  for (int found = dwarf_child (unit, &die); found == 0 && gilk_dwarf_btf_count (btf); found = dwarf_siblingof (&die, &die))
    if (dwarf_tag (&die) == DW_TAG_base_type || dwarf_tag (&die) == DW_TAG_structure_type || dwarf_tag (&die) == DW_TAG_imported_unit)
      return TRUE;

  return FALSE;
}

static void
add_functions (GilkDwarfBtf *btf, Dwarf_Die *unit)
{
  Dwarf_Die die;

  for (int found = dwarf_child (unit, &die); found == 0 && gilk_dwarf_btf_count (btf); found = dwarf_siblingof (&die, &die))
    if (dwarf_tag (&die) == DW_TAG_subprogram)
      add_function (btf, &die);
}

static void
add_unit (GilkDwarfBtf *btf, Dwarf_Die *unit)
{
  g_hash_table_remove_all (btf->entries);
  add_types (btf, unit);
  if (has_types (btf, unit))
    add_functions (btf, unit);
  add_variables (btf, unit);
  gilk_dwarf_btf_fill (btf);
}

/* Adds types that are local to functions, innermost first. The local types of a function that was
 * inlined, or compiled several times, are in its abstract instance. */
static void
add_local_types (GilkDwarfBtf *btf, uint64_t addr)
{
  GilkDwarfScopes scopes;

  gilk_dwarf_scopes (btf->dwarf, addr, &scopes);
  for (guint i = scopes.n; i-- > 1;)
    {
      Dwarf_Attribute attribute;
      Dwarf_Die origin;

      add_types (btf, &scopes.dies[i]);
      if (dwarf_attr (&scopes.dies[i], DW_AT_abstract_origin, &attribute) != NULL &&
          dwarf_formref_die (&attribute, &origin) != NULL)
        add_types (btf, &origin);
    }
  gilk_dwarf_btf_fill (btf);
  gilk_dwarf_btf_resolve (btf);
}

static void
add_units (GilkDwarfBtf *btf, uint64_t only)
{
  GArray *units;

  gilk_dwarf_index (btf->dwarf);
  units = btf->dwarf->units;
  for (guint i = 0; i < units->len && !btf->over_limit; i++)
    {
      const Dwarf_Off offset = g_array_index (units, Dwarf_Off, i);
      Dwarf_Die unit;

      if ((only == GILK_DWARF_ALL_UNITS || only == offset) && dwarf_offdie (btf->dwarf->dwarf, offset, &unit) != NULL &&
          (dwarf_tag (&unit) == DW_TAG_compile_unit || dwarf_tag (&unit) == DW_TAG_partial_unit))
        add_unit (btf, &unit);
    }
  gilk_dwarf_btf_resolve (btf);
}

/* ---- converts all units, and writes the result ---- */

static GBytes *
write_btf (const GilkDwarfBtf *btf)
{
  GByteArray *bytes = g_byte_array_new ();
  struct btf_header head = { .magic = BTF_MAGIC, .version = BTF_VERSION, .hdr_len = sizeof head };

  g_byte_array_append (bytes, (const guint8 *) &head, sizeof head);
  for (guint i = 0; i < btf->records->len; i++)
    {
      const GByteArray *record = g_ptr_array_index (btf->records, i);

      g_byte_array_append (bytes, record->data, record->len);
    }
  head.type_len = head.str_off = bytes->len - (uint32_t) sizeof head;
  head.str_len = (uint32_t) btf->strings->len;
  g_byte_array_append (bytes, (const guint8 *) btf->strings->str, head.str_len);
  memcpy (bytes->data, &head, sizeof head);

  return g_byte_array_free_to_bytes (bytes);
}

static void
init_btf (GilkDwarfBtf *btf)
{
  btf->records = g_ptr_array_new_with_free_func ((GDestroyNotify) g_byte_array_unref);
  btf->strings = g_string_new (NULL);
  g_string_append_c (btf->strings, '\0');
  btf->offsets = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  btf->interned = g_hash_table_new (gilk_dwarf_btf_hash, gilk_dwarf_btf_equal);
  btf->entries = g_hash_table_new (NULL, NULL);
  btf->sources = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  btf->layouts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  btf->complete = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  btf->declared = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  btf->pending = g_array_new (FALSE, FALSE, sizeof (GilkDwarfPending));
  btf->left = ENTRIES_MAX;
}

static void
clear_btf (GilkDwarfBtf *btf)
{
  g_hash_table_unref (btf->interned);
  g_ptr_array_unref (btf->records);
  g_string_free (btf->strings, TRUE);
  g_hash_table_unref (btf->offsets);
  g_hash_table_unref (btf->entries);
  g_hash_table_unref (btf->sources);
  g_hash_table_unref (btf->layouts);
  g_hash_table_unref (btf->complete);
  g_hash_table_unref (btf->declared);
  g_array_unref (btf->pending);
}

static GBytes *
finish_btf (GilkDwarfBtf *btf, GError **error)
{
  GBytes *bytes = NULL;

  if (btf->over_limit)
    g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
                 _("%s has too many types to read. Build the module with BTF instead: that needs "
                   "the kernel's vmlinux in the folder of the kernel's headers."),
                 btf->dwarf->path);
  else if (btf->records->len == 0)
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("%s has debug data, but no types. Build the module with -g, and not with -gsplit-dwarf or -g1."),
                 btf->dwarf->path);
  else
    bytes = write_btf (btf);
  clear_btf (btf);

  return bytes;
}

GBytes *
gilk_dwarf_btf (GilkDwarf           *dwarf,
                const GilkDwarfBase *base,
                uint64_t             unit,
                GError             **error)
{
  GilkDwarfBtf btf = { .dwarf = dwarf, .base = base };

  init_btf (&btf);
  add_units (&btf, unit);

  return finish_btf (&btf, error);
}

GBytes *
gilk_dwarf_local_btf (GilkDwarf           *dwarf,
                      const GilkDwarfBase *base,
                      uint64_t             addr,
                      GError             **error)
{
  GilkDwarfBtf btf = { .dwarf = dwarf, .base = base };

  init_btf (&btf);
  add_local_types (&btf, addr - dwarf->bias);

  return finish_btf (&btf, error);
}
