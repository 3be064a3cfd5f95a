/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-image-areas.c - finds areas of kernel text in which hooks are restricted, and the ftrace
 * sites of functions
 *
 * Safety does not depend on this file, because the driver checks again. This file lets the planner
 * refuse hooks, with a reason, before anything is sent to the kernel.
 */
#include <string.h>

#include "core/base/gilk-array.h"
#include "core/image/gilk-boot-cache.h"
#include "core/image/gilk-image-loader.h"

/* Returns the end of the module's last function, according to the symbols; used for a module
 * without ORC entries. */
static uint64_t
find_symbols_end (GilkLoader       *loader,
                  const GilkModule *module)
{
  guint count;
  const GilkSymbol *all = gilk_symbols_all (loader->image->symbols, &count);
  uint64_t end = module->text_start;

  for (guint i = 0; i < count; i++)
    if (all[i].module == module->index && gilk_symbol_is_text (&all[i]) &&
        all[i].addr >= module->text_start && all[i].addr < module->text_end)
      end = MAX (end, all[i].addr + all[i].size);

  return MIN (end, module->text_end);
}

/* ---- areas of text in which hooks are restricted ---- */

static void
add_marked_area (GilkLoader  *loader,
                 GilkAreaKind kind,
                 const char  *start,
                 const char  *end)
{
  gilk_areas_add (loader->areas, kind, 0,
                  gilk_symbols_address (loader->image->symbols, start),
                  gilk_symbols_address (loader->image->symbols, end));
}

static void
add_kernel_areas (GilkLoader *loader)
{
  gilk_areas_add (loader->areas, GILK_AREA_TEXT, 0, loader->text_start, loader->text_end);
  add_marked_area (loader, GILK_AREA_NOINSTR, "__noinstr_text_start", "__noinstr_text_end");
  add_marked_area (loader, GILK_AREA_NOINSTR, "__cpuidle_text_start", "__cpuidle_text_end");
  add_marked_area (loader, GILK_AREA_ENTRY, "__entry_text_start", "__entry_text_end");
  add_marked_area (loader, GILK_AREA_ENTRY, "__irqentry_text_start", "__irqentry_text_end");
  add_marked_area (loader, GILK_AREA_BLACKLIST, "__kprobes_text_start", "__kprobes_text_end");
  add_marked_area (loader, GILK_AREA_THUNK, "__static_call_text_start", "__static_call_text_end");
  add_marked_area (loader, GILK_AREA_THUNK, "__indirect_thunk_start", "__indirect_thunk_end");
  add_marked_area (loader, GILK_AREA_INIT, "_sinittext", "_einittext");
}

static void
add_thunks (GilkLoader *loader)
{
  guint count;
  const GilkSymbol *all = gilk_symbols_all (loader->image->symbols, &count);

  for (guint i = 0; i < count; i++)
    if (gilk_symbol_is_text (&all[i]) && gilk_name_is_thunk (all[i].name))
      gilk_areas_add (loader->areas, GILK_AREA_THUNK, all[i].module, all[i].addr,
                      all[i].addr + all[i].size);
}

/* Adds the functions in the kernel's kprobe blacklist. A line is
 * "0xffffffff81000000-0xffffffff81000010\tname\n" */
static void
add_blacklist (GilkLoader *loader)
{
  g_auto (GStrv) lines = g_strsplit (loader->blacklist, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *rest = NULL;
      uint64_t start = g_ascii_strtoull (lines[i], &rest, 16);
      const GilkSymbol *symbol;

      if (rest == NULL || *rest != '-')
        continue;
      symbol = gilk_symbols_at (loader->image->symbols, start);
      gilk_areas_add (loader->areas, GILK_AREA_BLACKLIST, symbol != NULL ? symbol->module : 0,
                      start, g_ascii_strtoull (rest + 1, NULL, 16));
    }
}

/* Adds blacklisted functions by name, for kernels without debugfs: NOKPROBE_SYMBOL defines a
 * variable named after each such function. */
static void
add_blacklist_by_name (GilkLoader *loader)
{
  static const char prefix[] = "_kbl_addr_";
  guint count;
  const GilkSymbol *all = gilk_symbols_all (loader->image->symbols, &count);

  for (guint i = 0; i < count; i++)
    {
      const GilkSymbol *symbol;

      if (!g_str_has_prefix (all[i].name, prefix))
        continue;
      symbol = gilk_symbols_by_name (loader->image->symbols, all[i].name + strlen (prefix), NULL);
      for (; symbol != NULL; symbol = gilk_symbols_next_namesake (loader->image->symbols, symbol))
        gilk_areas_add (loader->areas, GILK_AREA_BLACKLIST, symbol->module, symbol->addr,
                        symbol->addr + symbol->size);
    }
}

/* Blacklists functions such as "name.part.0" that the compiler split off a blacklisted function.
 * Kprobes and the driver do the same. */
static void
add_blacklist_parts (GilkLoader *loader)
{
  g_autoptr (GHashTable) listed = g_hash_table_new (NULL, NULL);
  guint count;
  const GilkSymbol *all = gilk_symbols_all (loader->image->symbols, &count);

  for (guint i = 0; i < loader->areas->len; i++)
    {
      const GilkArea *area = &g_array_index (loader->areas, GilkArea, i);

      if (area->kind == GILK_AREA_BLACKLIST)
        g_hash_table_add (listed, GSIZE_TO_POINTER (area->start));
    }
  for (guint i = 0; i < count; i++)
    {
      const char *dot = strchr (all[i].name, '.');
      g_autofree char *whole = NULL;
      const GilkSymbol *symbol;

      if (dot == NULL || !gilk_symbol_is_text (&all[i]))
        continue;
      whole = g_strndup (all[i].name, dot - all[i].name);
      symbol = gilk_symbols_by_name (loader->image->symbols, whole, NULL);
      if (symbol != NULL && g_hash_table_contains (listed, GSIZE_TO_POINTER (symbol->addr)))
        gilk_areas_add (loader->areas, GILK_AREA_BLACKLIST, all[i].module, all[i].addr,
                        all[i].addr + all[i].size);
    }
}

static GilkAreaKind
get_section_kind (const GilkModule  *module,
                  const GilkSection *section)
{
  if (module->ours || g_str_has_prefix (section->name, ".kprobes"))
    return GILK_AREA_BLACKLIST;
  if (g_str_has_prefix (section->name, ".noinstr") ||
      g_str_has_prefix (section->name, ".cpuidle"))
    return GILK_AREA_NOINSTR;
  if (g_str_has_prefix (section->name, ".static_call"))
    return GILK_AREA_THUNK;
  if (g_str_has_prefix (section->name, ".exit"))
    return GILK_AREA_INIT;

  return GILK_AREA_TEXT;
}

static void
add_module_areas (GilkLoader *loader,
                  GilkModule *module)
{
  if (!module->end_known)
    module->text_end = find_symbols_end (loader, module);

  for (guint i = 0; module->sections != NULL && i < module->sections->len; i++)
    {
      const GilkSection *section = &g_array_index (module->sections, GilkSection, i);
      uint64_t end = MIN (section->end, module->text_end);

      if (!gilk_section_is_text (section) || section->start >= end)
        continue;
      gilk_areas_add (loader->areas, get_section_kind (module, section), module->index,
                      section->start, end);
      gilk_symbols_limit_text (loader->image->symbols, module->index, section->start, end);
    }
  if (module->text_start != 0)
    gilk_image_add_region (loader->image, module->index, module->text_start, module->text_end);
}

/* ---- ftrace sites ---- */

static gboolean
is_endbr (const uint8_t *bytes)
{
  static const uint8_t live[] = { 0xf3, 0x0f, 0x1e, 0xfa };
  static const uint8_t sealed[] = { 0x66, 0x0f, 0x1f, 0x00 };
  static const uint8_t poison[] = { 0x0f, 0x1f, 0x40, 0xd6 };      /* since 6.16 */

  return memcmp (bytes, live, 4) == 0 || memcmp (bytes, sealed, 4) == 0 || memcmp (bytes, poison, 4) == 0;
}

/* Returns whether the bytes are those of an ftrace site: a 5-byte NOP, or the call that replaces it
 * during tracing. */
static gboolean
is_fentry (const uint8_t *bytes)
{
  static const uint8_t nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };

  return memcmp (bytes, nop, 5) == 0 || bytes[0] == 0xe8;
}

#define ENTRY_BYTES 9
#define ENDBR_BYTES 4
#define ENTRIES     "entries"

/* Returns the ftrace sites of the kernel that were found earlier since it was booted, sorted.
 * (transfer full) (element-type uint64_t) */
static GArray *
read_known_sites (GilkLoader *loader)
{
  GArray *known = g_array_new (FALSE, FALSE, sizeof (uint64_t));
  g_autofree char *file = NULL;
  gsize length = 0;

  if (loader->image->boot_key != NULL)
    file = gilk_boot_cache_read (loader->image->boot_key, ENTRIES, &length);
  if (file != NULL && length % sizeof (uint64_t) == 0)
    g_array_append_vals (known, file, (guint) (length / sizeof (uint64_t)));

  return known;
}

/* Caches the ftrace sites in the kernel's own text, unless all of them are in @known. Text of a
 * module may become another module's, so its sites are not cached. */
static void
keep_sites (GilkLoader *loader, const GArray *known)
{
  g_autoptr (GArray) sites = g_array_new (FALSE, FALSE, sizeof (uint64_t));

  for (guint i = 0; i < loader->image->sites->len; i++)
    {
      const GilkSite *site = &g_array_index (loader->image->sites, GilkSite, i);

      if (site->kind == GILK_SITE_FENTRY && site->addr >= loader->text_start && site->addr < loader->text_end)
        g_array_append_val (sites, site->addr);
    }
  if (loader->image->boot_key == NULL || sites->len <= known->len)
    return;
  g_array_sort (sites, gilk_order_uint64);
  gilk_boot_cache_write (loader->image->boot_key, ENTRIES, sites->data, sites->len * sizeof (uint64_t));
}

/* Adds the sites in @known that are at the start of a function in @starts, or after its ENDBR, and
 * removes these functions from @starts. Both arrays are sorted. */
static void
add_known_sites (GilkLoader   *loader,
                 const GArray *known,
                 GArray       *starts)
{
  guint kept = 0, at = 0;

  for (guint i = 0; i < starts->len; i++)
    {
      const uint64_t start = g_array_index (starts, uint64_t, i);
      GilkSite site = { .kind = GILK_SITE_FENTRY };

      while (at < known->len && g_array_index (known, uint64_t, at) < start)
        at++;
      site.addr = at < known->len ? g_array_index (known, uint64_t, at) : 0;
      if (site.addr == start || site.addr == start + ENDBR_BYTES)
        g_array_append_val (loader->image->sites, site);
      else
        g_array_index (starts, uint64_t, kept++) = start;
    }
  g_array_set_size (starts, kept);
}

/* Reads the first bytes of functions and adds the ftrace sites found there. */
static gboolean
verify_entries (GilkLoader *loader,
                GArray     *starts,
                GError    **error)
{
  g_autoptr (GArray) ranges = g_array_sized_new (FALSE, FALSE, sizeof (struct gilk_range),
                                                 starts->len + 1);
  g_autofree uint8_t *bytes = g_malloc ((gsize) starts->len * ENTRY_BYTES + 1);

  for (guint i = 0; i < starts->len; i++)
    {
      const struct gilk_range range = { g_array_index (starts, uint64_t, i), ENTRY_BYTES };

      g_array_append_val (ranges, range);
    }
  if (!gilk_target_read_text (loader->target,
                              (const struct gilk_range *) (gpointer) ranges->data, ranges->len,
                              bytes, NULL, loader->cancellable, error))
    return FALSE;

  for (guint i = 0; i < starts->len; i++)
    {
      const uint8_t *entry = bytes + (gsize) i * ENTRY_BYTES;
      const guint skip = is_endbr (entry) ? ENDBR_BYTES : 0;
      const GilkSite site = {
        .addr = g_array_index (starts, uint64_t, i) + skip,
        .kind = GILK_SITE_FENTRY,
      };

      if (is_fentry (entry + skip))
        g_array_append_val (loader->image->sites, site);
    }

  return TRUE;
}

static gboolean
is_in_text (GilkLoader *loader,
            uint64_t    addr)
{
  if (addr >= loader->text_start && addr < loader->text_end)
    return TRUE;
  for (guint i = 0; i < loader->modules->len; i++)
    {
      const GilkModule *module = g_ptr_array_index (loader->modules, i);

      if (addr >= module->text_start && addr < module->text_end)
        return TRUE;
    }

  return FALSE;
}

/* Adds all functions called @name to @starts, as functions that may have an ftrace site;
 * verify_entries() then checks their bytes. */
static void
add_named_starts (GilkLoader *loader,
                  const char *name,
                  GArray     *starts)
{
  const GilkSymbol *symbol = gilk_symbols_by_name (loader->image->symbols, name, NULL);

  for (; symbol != NULL; symbol = gilk_symbols_next_namesake (loader->image->symbols, symbol))
    if (gilk_symbol_is_text (symbol) && is_in_text (loader, symbol->addr))
      g_array_append_val (starts, symbol->addr);
}

static void
add_all_starts (GilkLoader *loader,
                GArray     *starts)
{
  guint count;
  const GilkSymbol *all = gilk_symbols_all (loader->image->symbols, &count);

  for (guint i = 0; i < count; i++)
    if (gilk_symbol_is_text (&all[i]) && all[i].size >= ENTRY_BYTES &&
        is_in_text (loader, all[i].addr) && (i == 0 || all[i].addr != all[i - 1].addr))
      g_array_append_val (starts, all[i].addr);
}

static void
sort_unique (GArray *addresses)
{
  guint kept = 0;

  g_array_sort (addresses, gilk_order_uint64);
  for (guint i = 0; i < addresses->len; i++)
    if (kept == 0 || g_array_index (addresses, uint64_t, i) !=
                     g_array_index (addresses, uint64_t, kept - 1))
      g_array_index (addresses, uint64_t, kept++) = g_array_index (addresses, uint64_t, i);
  g_array_set_size (addresses, kept);
}

gboolean
gilk_loader_add_fentry_sites (GilkLoader *loader,
                              GError    **error)
{
  g_autoptr (GArray) starts = g_array_new (FALSE, FALSE, sizeof (uint64_t)), known = NULL;
  char *at = loader->ftrace;

  if (at == NULL)
    add_all_starts (loader, starts);
  while (at != NULL && *at != '\0')
    {
      char *line = at;
      char *end = line + strcspn (line, "\n");
      char *rest = NULL;
      GilkSite site = { .kind = GILK_SITE_FENTRY };

      at = *end != '\0' ? end + 1 : end;
      *end = '\0';
      /* If the line starts with the site's address, add the site without a lookup by name. */
      site.addr = g_ascii_strtoull (line, &rest, 16);
      if (rest - line >= 16 && *rest == ' ')
        {
          g_array_append_val (loader->image->sites, site);
          continue;
        }
      line[strcspn (line, " \t")] = '\0';
      add_named_starts (loader, line, starts);
    }
  sort_unique (starts);

  known = read_known_sites (loader);
  add_known_sites (loader, known, starts);
  if (starts->len == 0)
    return TRUE;
  if (!verify_entries (loader, starts, error))
    return FALSE;
  keep_sites (loader, known);

  return TRUE;
}

/* ---- adds areas of all kinds ---- */

void
gilk_loader_add_areas (GilkLoader *loader)
{
  add_kernel_areas (loader);
  for (guint i = 0; i < loader->modules->len; i++)
    add_module_areas (loader, g_ptr_array_index (loader->modules, i));
  add_thunks (loader);
  if (loader->blacklist != NULL)
    add_blacklist (loader);
  else
    add_blacklist_by_name (loader);
  add_blacklist_parts (loader);
}
