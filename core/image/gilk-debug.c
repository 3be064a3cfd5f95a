/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-debug.c - debug data of a kernel and its modules, or of a program, if this machine has them
 */
#include "core/image/gilk-debug.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/image/gilk-sections.h"
#include "core/link/gilk-request.h"

#define KERNEL "kernel"         /* name that gilk_symbols_module() returns for the kernel itself */
enum { NOTE_BYTES = 36, ID_BYTES = 20, ID_AT = 16, NOTE_GNU_BUILD_ID = 3 };

/* Debug data of a module. The members dwarf and error are both NULL before the first request for
 * the data, or if the target did not answer that request. */
typedef struct {
  GilkDwarf *dwarf;
  GError    *error;
  GHashTable *types;            /* (nullable): table from a compilation unit in @dwarf to its Types,
                                 * filled on first use */
} Entry;

/* The types of one compilation unit, or of all units of a module. */
typedef struct {
  GilkBtf *btf;
  GError  *error;               /* reason why btf is NULL */
} Types;

struct _GilkDebug {
  GilkTarget  *target;          /* (nullable) */
  GilkSymbols *symbols;
  GilkDebugOpen open;           /* (nullable): opens a program's debug data */
  gpointer      open_data;

  GMutex       lock;            /* protects all members below; held during the search for a file */
  char        *user_path;
  GHashTable  *entries;         /* table from a module's name to its Entry */
};

static void
types_free (gpointer data)
{
  Types *types = data;

  g_clear_pointer (&types->btf, gilk_btf_unref);
  g_clear_error (&types->error);
  g_free (types);
}

static void
entry_free (gpointer data)
{
  Entry *entry = data;

  g_clear_pointer (&entry->dwarf, gilk_dwarf_free);
  g_clear_error (&entry->error);
  g_clear_pointer (&entry->types, g_hash_table_unref);
  g_free (entry);
}

GilkDebug *
gilk_debug_new (GilkTarget  *target,
                GilkSymbols *symbols)
{
  GilkDebug *debug = g_new0 (GilkDebug, 1);

  debug->target = target != NULL ? gilk_target_ref (target) : NULL;
  debug->symbols = gilk_symbols_ref (symbols);
  debug->user_path = g_strdup (g_getenv ("GILK_DEBUG"));
  g_mutex_init (&debug->lock);
  debug->entries = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, entry_free);

  return debug;
}

char *
gilk_debug_user_path (GilkDebug *debug)
{
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new (&debug->lock);

  return g_strdup (debug->user_path);
}

GilkDebug *
gilk_debug_new_program (GilkDebug    *kernel,
                        GilkSymbols  *symbols,
                        GilkDebugOpen open,
                        gpointer      data)
{
  GilkDebug *debug = gilk_debug_new (NULL, symbols);

  g_free (debug->user_path);
  debug->user_path = gilk_debug_user_path (kernel);
  debug->open = open;
  debug->open_data = data;

  return debug;
}

void
gilk_debug_free (GilkDebug *debug)
{
  g_hash_table_unref (debug->entries);
  g_clear_pointer (&debug->target, gilk_target_unref);
  gilk_symbols_unref (debug->symbols);
  g_mutex_clear (&debug->lock);
  g_free (debug->user_path);
  g_free (debug);
}

void
gilk_debug_use (GilkDebug  *debug,
                const char *path)
{
  g_mutex_lock (&debug->lock);
  g_free (debug->user_path);
  debug->user_path = g_strdup (path != NULL ? path : g_getenv ("GILK_DEBUG"));
  g_hash_table_remove_all (debug->entries);
  g_mutex_unlock (&debug->lock);
}

void
gilk_debug_set_for_tests (GilkDebug  *debug,
                          const char *module,
                          GilkDwarf  *dwarf)
{
  Entry *entry = g_new0 (Entry, 1);

  entry->dwarf = dwarf;
  g_mutex_lock (&debug->lock);
  g_hash_table_replace (debug->entries, g_strdup (module), entry);
  g_mutex_unlock (&debug->lock);
}

/* ---- opens debug data that match the running code; called with the lock held ---- */

static GArray *
read_sections (GilkDebug *debug, const char *module, GCancellable *cancellable, GError **error)
{
  g_autoptr(GByteArray) answer = gilk_target_request (debug->target, GILK_GET_SECTIONS, module, strlen (module),
                                                      cancellable, error);

  return answer != NULL ? gilk_sections_parse ((const char *) answer->data, answer->len) : NULL;
}

/* Returns the build id of the running code; "" if its build-id note is missing or unreadable. */
static char *
read_build_id (GilkDebug *debug, GArray *sections, GCancellable *cancellable)
{
  const GilkSection *section = gilk_sections_find (sections, ".note.gnu.build-id");
  struct gilk_range range = { .len = NOTE_BYTES };
  uint8_t note[NOTE_BYTES];
  uint32_t head[3];
  GString *hex = g_string_new (NULL);

  if (section != NULL)
    {
      range.addr = section->start;
      if (gilk_target_read_text (debug->target, &range, 1, note, NULL, cancellable, NULL))
        {
          memcpy (head, note, sizeof head);
          if (head[0] == 4 && head[1] == ID_BYTES && head[2] == NOTE_GNU_BUILD_ID)
            for (guint i = 0; i < ID_BYTES; i++)
              g_string_append_printf (hex, "%02x", note[ID_AT + i]);
        }
    }

  return g_string_free (hex, FALSE);
}

static gboolean
place_section (const char *name, uint64_t *addr, gpointer data)
{
  const GilkSection *section = gilk_sections_find (data, name);

  if (section != NULL)
    *addr = section->start;

  return section != NULL;
}

static GilkDwarf *
open_kernel (GilkDebug *debug, GError **error)
{
  const GilkDebugWanted wanted = {
    .user_path = debug->user_path, .release = gilk_target_release (debug->target), .module = KERNEL,
    .build_id = gilk_target_build_id (debug->target),
  };
  g_autofree char *path = gilk_debug_find (&wanted, error);
  g_autoptr(GilkDwarf) dwarf = path != NULL ? gilk_dwarf_open (path, NULL, NULL, error) : NULL;
  const uint64_t text = gilk_symbols_address (debug->symbols, "_text");

  if (dwarf == NULL)
    return NULL;
  if (text != 0 && gilk_dwarf_set_bias (dwarf, "_text", text))
    return g_steal_pointer (&dwarf);
  return gilk_fail_null (error, GILK_ERROR_FORMAT,
      _("%s has no symbol _text, so its addresses cannot be matched to the running kernel. Give a vmlinux that "
        "was not stripped."), path);
}

static GilkDwarf *
open_module (GilkDebug *debug, const char *module, GCancellable *cancellable, GError **error)
{
  g_autoptr(GArray) sections = read_sections (debug, module, cancellable, error);
  g_autofree char *build_id = NULL, *path = NULL;
  GilkDebugWanted wanted = { .user_path = debug->user_path, .release = gilk_target_release (debug->target), .module = module };

  if (sections == NULL)
    return NULL;
  build_id = read_build_id (debug, sections, cancellable);
  wanted.build_id = build_id;
  path = gilk_debug_find (&wanted, error);

  return path != NULL ? gilk_dwarf_open (path, place_section, sections, error) : NULL;
}

static GilkDwarf *
open_data (GilkDebug *debug, const char *module, GCancellable *cancellable, GError **error)
{
  if (debug->open != NULL)
    return debug->open (debug->user_path, debug->open_data, cancellable, error);
  if (debug->target == NULL)
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND, _("No kernel is connected whose debug data could be used; "
                                                            "connect to one."));
  else if (strcmp (module, KERNEL) == 0)
    return open_kernel (debug, error);
  else if (gilk_is_module_name (module))
    return open_module (debug, module, cancellable, error);
  else
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND, _("%.60s is not a module with debug data."), module);

  return NULL;
}

/* Returns whether @error is permanent, so that the same request need not be repeated. */
static gboolean
is_final (const GError *error)
{
  return g_error_matches (error, GILK_ERROR, GILK_ERROR_NOT_FOUND) ||
         g_error_matches (error, GILK_ERROR, GILK_ERROR_FORMAT);
}

/* Returns the entry of @module after trying to open its file; sets @error if that fails.
 * (transfer none) */
static Entry *
get_entry (GilkDebug *debug, const char *module, GCancellable *cancellable, GError **error)
{
  Entry *entry = g_hash_table_lookup (debug->entries, module != NULL ? module : KERNEL);
  GError *failed = NULL;

  if (entry == NULL)
    {
      entry = g_new0 (Entry, 1);
      g_hash_table_insert (debug->entries, g_strdup (module != NULL ? module : KERNEL), entry);
    }
  if (entry->dwarf == NULL && entry->error == NULL)
    {
      entry->dwarf = open_data (debug, module != NULL ? module : KERNEL, cancellable, &failed);
      if (failed != NULL && is_final (failed))
        entry->error = g_error_copy (failed);
      if (failed != NULL)
        g_propagate_error (error, failed);
    }
  else if (entry->error != NULL)
    g_propagate_error (error, g_error_copy (entry->error));

  return entry;
}

/* Returns the debug data of @module; NULL with @error. (transfer none) */
static GilkDwarf *
get_dwarf (GilkDebug *debug, const char *module, GCancellable *cancellable, GError **error)
{
  return get_entry (debug, module, cancellable, error)->dwarf;
}

static GilkDwarf *
get_dwarf_at (GilkDebug *debug, uint64_t addr, GCancellable *cancellable, GError **error)
{
  const GilkSymbol *symbol = gilk_symbols_at (debug->symbols, addr);

  return get_dwarf (debug, symbol != NULL ? gilk_symbols_module (debug->symbols, symbol->module) : KERNEL, cancellable, error);
}

/* ---- requests for files, source lines, variables and types ---- */

char *
gilk_debug_file (GilkDebug    *debug,
                 const char   *module,
                 GCancellable *cancellable,
                 GError      **error)
{
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new (&debug->lock);
  GilkDwarf *dwarf = get_dwarf (debug, module, cancellable, error);

  return dwarf != NULL ? g_strdup (gilk_dwarf_path (dwarf)) : NULL;
}

GArray *
gilk_debug_lines (GilkDebug    *debug,
                  uint64_t      addr,
                  GCancellable *cancellable,
                  GError      **error)
{
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new (&debug->lock);
  GilkDwarf *dwarf = get_dwarf_at (debug, addr, cancellable, error);

  return dwarf != NULL ? gilk_dwarf_lines (dwarf, addr) : NULL;
}

GArray *
gilk_debug_variables (GilkDebug    *debug,
                      uint64_t      addr,
                      GCancellable *cancellable,
                      GError      **error)
{
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new (&debug->lock);
  GilkDwarf *dwarf = get_dwarf_at (debug, addr, cancellable, error);

  return dwarf != NULL ? gilk_dwarf_variables (dwarf, addr) : NULL;
}

/* Returns the types of compilation unit @unit, which it reads on first use. (transfer none) */
static const Types *
get_types (Entry *entry, uint64_t unit, GilkBtf *base)
{
  Types *types;

  if (entry->types == NULL)
    entry->types = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, types_free);
  types = g_hash_table_lookup (entry->types, &unit);
  if (types == NULL)
    {
      types = g_new0 (Types, 1);
      types->btf = gilk_btf_new_debug (entry->dwarf, base, unit, &types->error);
      g_hash_table_insert (entry->types, g_memdup2 (&unit, sizeof unit), types);
    }

  return types;
}

static gboolean
is_defined (const GilkBtf *btf, const char *name)
{
  const guint id = gilk_btf_find (btf, name);
  GilkType type;

  return id != 0 && gilk_btf_type (btf, id, &type) && type.kind != GILK_TYPE_OTHER;
}

/* Returns the types of @btf and more types: those that are local to the functions around the code,
 * and type @scope->type if @btf does not define it. (transfer full) */
static GilkBtf *
add_types (Entry *entry, const GilkDwarfScope *scope, GilkBtf *btf)
{
  const GilkDwarfScope named = { .type = scope->type };
  GilkBtf *local = scope->code != 0 ? gilk_btf_new_debug_local (entry->dwarf, btf, scope->code, NULL) : NULL;
  g_autoptr(GilkBtf) own = local != NULL ? local : gilk_btf_ref (btf);
  GilkBtf *more = NULL;
  uint64_t unit;

  if (scope->type != NULL && !is_defined (own, scope->type) && gilk_dwarf_find_unit (entry->dwarf, &named, &unit))
    more = gilk_btf_new_debug (entry->dwarf, own, unit, NULL);

  return more != NULL ? more : g_steal_pointer (&own);
}

GilkBtf *
gilk_debug_types (GilkDebug            *debug,
                  const char           *module,
                  const GilkDwarfScope *scope,
                  GilkBtf              *base,
                  GCancellable         *cancellable,
                  GError              **error)
{
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new (&debug->lock);
  Entry *entry = get_entry (debug, module, cancellable, error);
  uint64_t unit = GILK_DWARF_ALL_UNITS;
  const Types *types;

  if (entry->dwarf == NULL)
    return NULL;
  if (strcmp (module, KERNEL) == 0 && !gilk_dwarf_find_unit (entry->dwarf, scope, &unit))
    return gilk_fail_null (error, GILK_ERROR_NOT_FOUND,
        _("%s has no types for this. Write the name as in C, for example \"struct "
          "file\" or \"u32\"."), gilk_dwarf_path (entry->dwarf));
  types = get_types (entry, unit, base);
  if (types->btf != NULL)
    return add_types (entry, scope, types->btf);
  g_propagate_error (error, g_error_copy (types->error));

  return NULL;
}

GArray *
gilk_debug_locations (GilkDebug    *debug,
                      const char   *module,
                      const char   *file,
                      guint         line,
                      guint        *nearest,
                      GCancellable *cancellable,
                      GError      **error)
{
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new (&debug->lock);
  GilkDwarf *dwarf = get_dwarf (debug, module, cancellable, error);

  return dwarf != NULL ? gilk_dwarf_locations (dwarf, file, line, nearest) : NULL;
}

GArray *
gilk_debug_inlined (GilkDebug            *debug,
                    const char           *module,
                    const GilkDwarfMatch *match,
                    gboolean             *more,
                    GCancellable         *cancellable,
                    GError              **error)
{
  g_autoptr(GMutexLocker) locker = g_mutex_locker_new (&debug->lock);
  GilkDwarf *dwarf = get_dwarf (debug, module, cancellable, error);

  return dwarf != NULL ? gilk_dwarf_inlined (dwarf, match, more) : NULL;
}
