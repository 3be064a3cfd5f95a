/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-image-load.c - reads a kernel's symbols and side tables into an image
 *
 * Requests that do not depend on each other are sent together: over a slow line
 * opening costs a few round trips, not one per module and table.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/target/gilk-image-private.h"
#include "core/target/gilk-target-private.h"

/* A table at the end of a module's memory has no upper bound but this. */
#define TABLE_MAX (256u << 10)

typedef struct {
  char    *name;
  uint32_t index;          /* in the symbol table */
  gboolean ours;           /* ilk or one of its instruments */
  GArray  *sections;       /* GilkSection */
  uint64_t text_start, text_end;
  gboolean end_known;      /* before: text_end is an upper bound */
} Module;

/* One table to read: its place in memory, and what it is of. */
typedef void (*TableFunc) (const GilkTable *table, GArray *sites);

typedef struct {
  const Module     *module;      /* NULL = kernel */
  TableFunc         func;        /* NULL for the halves of an ORC table */
  struct gilk_range range;
  gsize             offset;      /* in the bytes that were read */
} TableJob;

typedef struct {
  GilkTarget         *target;
  const GilkProgress *progress;
  GCancellable       *cancellable;
  GilkImage          *image;
  GArray             *areas;     /* GilkArea, overlapping */
  GPtrArray          *modules;   /* Module */
  GArray             *jobs;      /* TableJob */
  uint64_t            text_start, text_end;
  char               *blacklist; /* NULL if it cannot be had */
  char               *ftrace;
} Loader;

static void
module_free (gpointer data)
{
  Module *module = data;

  g_free (module->name);
  g_clear_pointer (&module->sections, g_array_unref);
  g_free (module);
}

static void
loader_clear (Loader *loader)
{
  g_clear_pointer (&loader->image, gilk_image_unref);
  g_clear_pointer (&loader->areas, g_array_unref);
  g_clear_pointer (&loader->modules, g_ptr_array_unref);
  g_clear_pointer (&loader->jobs, g_array_unref);
  g_free (loader->blacklist);
  g_free (loader->ftrace);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Loader, loader_clear)

/* ---- files ---- */

typedef struct {
  enum gilk_file file;
  gboolean       needed;
  uint32_t       seq;
  char          *text;
  gsize          length;
} FileJob;

static gboolean
wait_file (Loader   *loader,
           FileJob  *job,
           GError  **error)
{
  g_autoptr (GError) local = NULL;
  GByteArray *answer =
    gilk_target_wait (loader->target, GILK_GET_FILE, job->seq, loader->cancellable, &local);

  job->seq = 0;
  if (answer != NULL)
    {
      job->length = answer->len;
      g_byte_array_append (answer, (const uint8_t *) "", 1);
      job->text = (char *) g_byte_array_free (answer, FALSE);
      return TRUE;
    }
  /* What the agent cannot open has a substitute; a lost agent has none. */
  if (!job->needed && !g_error_matches (local, GILK_ERROR, GILK_ERROR_TARGET) &&
      !g_error_matches (local, GILK_ERROR, GILK_ERROR_CANCELLED))
    return TRUE;

  g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

static gboolean
read_files (Loader   *loader,
            FileJob  *jobs,
            guint     count,
            GError  **error)
{
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < count; i++)
    {
      const uint32_t file = jobs[i].file;

      jobs[i].seq = gilk_target_send_bytes (loader->target, GILK_GET_FILE, &file, sizeof file,
                                            error);
      ok = jobs[i].seq != 0;
    }
  for (guint i = 0; i < count; i++)
    {
      if (ok)
        ok = wait_file (loader, &jobs[i], error);
      else if (jobs[i].seq != 0)
        gilk_target_forget (loader->target, jobs[i].seq);
    }

  return ok;
}

/* ---- modules: "name size users a,b, Live 0x0" ---- */

static gboolean
names_ilk (const char *used_by)
{
  return g_str_equal (used_by, "ilk");
}

/* Instruments are the modules that the line of ilk lists as its users. */
static void
parse_modules (Loader     *loader,
               const char *text)
{
  g_autoptr (GHashTable) instruments = g_hash_table_new_full (g_str_hash, g_str_equal, g_free,
                                                              NULL);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) words = g_strsplit (lines[i], " ", 6);
      Module *module;

      if (g_strv_length (words) < 5)
        continue;
      if (names_ilk (words[0]))
        {
          g_auto (GStrv) users = g_strsplit (words[3], ",", -1);

          for (guint k = 0; users[k] != NULL; k++)
            g_hash_table_add (instruments, g_strdup (users[k]));
        }
      /* A module that is still coming may yet be patched by the kernel. */
      if (!g_str_equal (words[4], "Live"))
        continue;
      module = g_new0 (Module, 1);
      module->name = g_strdup (words[0]);
      g_ptr_array_add (loader->modules, module);
    }

  for (guint i = 0; i < loader->modules->len; i++)
    {
      Module *module = g_ptr_array_index (loader->modules, i);

      module->ours = names_ilk (module->name) || g_hash_table_contains (instruments, module->name);
    }
}

/* A module without symbols has no functions to show, and one that left has no sections. */
static gboolean
read_sections (Loader  *loader,
               GError **error)
{
  g_autofree uint32_t *seqs = g_new0 (uint32_t, loader->modules->len + 1);
  gboolean ok = TRUE;

  for (guint i = 0; ok && i < loader->modules->len; i++)
    {
      const Module *module = g_ptr_array_index (loader->modules, i);

      seqs[i] = gilk_target_send_bytes (loader->target, GILK_GET_SECTIONS, module->name,
                                        strlen (module->name), error);
      ok = seqs[i] != 0;
    }
  for (guint i = 0; i < loader->modules->len; i++)
    {
      Module *module = g_ptr_array_index (loader->modules, i);
      g_autoptr (GByteArray) answer = NULL;
      g_autoptr (GError) local = NULL;

      if (seqs[i] == 0)
        break;
      if (!ok)
        {
          gilk_target_forget (loader->target, seqs[i]);
          continue;
        }
      answer = gilk_target_wait (loader->target, GILK_GET_SECTIONS, seqs[i],
                                 loader->cancellable, &local);
      if (answer != NULL)
        module->sections = gilk_sections_parse ((const char *) answer->data, answer->len);
      else if (!g_error_matches (local, GILK_ERROR, GILK_ERROR_NOT_FOUND))
        {
          g_propagate_error (error, g_steal_pointer (&local));
          ok = FALSE;
        }
    }

  return ok;
}

/* Where the text of a module without ORC entries ends: behind its last function. */
static uint64_t
end_of_symbols (Loader       *loader,
                const Module *module)
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

/* Start of a module's text, and a bound for its end that ORC makes exact later. */
static void
bound_module (Loader *loader,
              Module *module)
{
  int index = gilk_symbols_find_module (loader->image->symbols, module->name);

  if (module->sections == NULL || index < 0)
    return;
  module->index = (uint32_t) index;
  for (guint i = 0; i < module->sections->len; i++)
    {
      const GilkSection *section = &g_array_index (module->sections, GilkSection, i);

      if (!gilk_section_is_text (section))
        continue;
      if (module->text_start == 0)
        module->text_start = section->start;
      module->text_end = section->end;
    }
}

/* ---- tables ---- */

static void
add_job (Loader       *loader,
         const Module *module,
         TableFunc     func,
         uint64_t      start,
         uint64_t      end)
{
  const TableJob job = { module, func, { start, end - start }, 0 };

  if (start != 0 && start < end)
    g_array_append_val (loader->jobs, job);
}

static const struct {
  const char *start, *stop;      /* symbols of the kernel's table */
  const char *section;           /* of a module's */
  TableFunc   func;
} tables[] = {
  { "__start___ex_table", "__stop___ex_table", "__ex_table", gilk_table_extable },
  { "__start___bug_table", "__stop___bug_table", "__bug_table", gilk_table_bugs },
  { "__start___jump_table", "__stop___jump_table", "__jump_table", gilk_table_jump_labels },
  { "__start_static_call_sites", "__stop_static_call_sites", ".static_call_sites",
    gilk_table_static_calls },
};

static void
collect_jobs (Loader *loader)
{
  GilkSymbols *symbols = loader->image->symbols;

  for (gsize t = 0; t < G_N_ELEMENTS (tables); t++)
    {
      add_job (loader, NULL, tables[t].func, gilk_symbols_address (symbols, tables[t].start),
               gilk_symbols_address (symbols, tables[t].stop));
      for (guint i = 0; i < loader->modules->len; i++)
        {
          const Module *module = g_ptr_array_index (loader->modules, i);
          const GilkSection *section = gilk_sections_find (module->sections, tables[t].section);

          if (section != NULL && module->text_start != 0)
            add_job (loader, module, tables[t].func, section->start,
                     MIN (section->end, section->start + TABLE_MAX));
        }
    }

  /* The halves of an ORC table follow each other. */
  for (guint i = 0; i < loader->modules->len; i++)
    {
      const Module *module = g_ptr_array_index (loader->modules, i);
      const GilkSection *ips = gilk_sections_find (module->sections, ".orc_unwind_ip");
      const GilkSection *entries = gilk_sections_find (module->sections, ".orc_unwind");

      if (ips == NULL || entries == NULL || module->text_start == 0)
        continue;
      add_job (loader, module, NULL, ips->start, MIN (ips->end, ips->start + TABLE_MAX));
      add_job (loader, module, NULL, entries->start,
               MIN (entries->end, entries->start + TABLE_MAX * 3 / 2));
    }
}

/* Text of a module ends where its last function does: the last ORC entry marks it. */
static void
take_orc (Loader   *loader,
          TableJob *ips,
          TableJob *entries,
          GBytes   *bytes)
{
  Module *module = (Module *) ips->module;
  g_autoptr (GBytes) ip_bytes = g_bytes_new_from_bytes (bytes, ips->offset, ips->range.len);
  g_autoptr (GBytes) entry_bytes = g_bytes_new_from_bytes (bytes, entries->offset,
                                                           entries->range.len);
  GilkOrcTable *table = gilk_orc_table_new (ip_bytes, ips->range.addr, entry_bytes,
                                            module->text_start, module->text_end);

  if (table->count > 0)
    {
      module->text_end = MIN (module->text_end, gilk_orc_table_ip (table, table->count - 1));
      module->end_known = TRUE;
    }
  g_ptr_array_add (loader->image->module_orc, table);
}

static gboolean
read_tables (Loader   *loader,
             GError  **error)
{
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (struct gilk_range));
  g_autoptr (GBytes) bytes = NULL;
  uint8_t *out;
  gsize total = 0;

  collect_jobs (loader);
  for (guint i = 0; i < loader->jobs->len; i++)
    {
      TableJob *job = &g_array_index (loader->jobs, TableJob, i);

      job->offset = total;
      total += job->range.len;
      g_array_append_val (ranges, job->range);
    }
  out = g_malloc (total + 1);
  bytes = g_bytes_new_take (out, total);
  if (!gilk_target_read_text (loader->target,
                              (const struct gilk_range *) (gpointer) ranges->data,
                              ranges->len, out, NULL, loader->cancellable, error))
    return FALSE;

  for (guint i = 0; i < loader->jobs->len; i++)
    {
      TableJob *job = &g_array_index (loader->jobs, TableJob, i);
      const GilkTable table = {
        .bytes = out + job->offset,
        .length = job->range.len,
        .base = job->range.addr,
        .text_start = job->module != NULL ? job->module->text_start : loader->text_start,
        .text_end = job->module != NULL ? job->module->text_end : loader->text_end,
      };

      if (job->func != NULL)
        job->func (&table, loader->image->sites);
      else if (i + 1 < loader->jobs->len)
        {
          take_orc (loader, job, job + 1, bytes);
          i++;
        }
    }

  return TRUE;
}

GilkOrcTable *
gilk_image_load_kernel_orc (GilkImage *image)
{
  GilkSymbols *symbols = image->symbols;
  const uint64_t ips = gilk_symbols_address (symbols, "__start_orc_unwind_ip");
  const uint64_t ips_end = gilk_symbols_address (symbols, "__stop_orc_unwind_ip");
  const uint64_t entries = gilk_symbols_address (symbols, "__start_orc_unwind");
  const uint64_t entries_end = gilk_symbols_address (symbols, "__stop_orc_unwind");
  const struct gilk_range ranges[] = {
    { ips, ips_end - ips }, { entries, entries_end - entries },
  };
  g_autoptr (GBytes) ip_bytes = NULL;
  g_autoptr (GBytes) entry_bytes = NULL;
  g_autoptr (GBytes) bytes = NULL;
  uint8_t *out;

  if (ips == 0 || ips >= ips_end || entries == 0 || entries >= entries_end ||
      ranges[0].len + ranges[1].len > (256u << 20))
    return NULL;

  out = g_malloc (ranges[0].len + ranges[1].len);
  bytes = g_bytes_new_take (out, ranges[0].len + ranges[1].len);
  if (!gilk_target_read_text (image->target, ranges, G_N_ELEMENTS (ranges), out, NULL, NULL, NULL))
    return NULL;

  ip_bytes = g_bytes_new_from_bytes (bytes, 0, ranges[0].len);
  entry_bytes = g_bytes_new_from_bytes (bytes, ranges[0].len, ranges[1].len);
  return gilk_orc_table_new (ip_bytes, ips, entry_bytes, 0, G_MAXUINT64);
}

/* ---- areas ---- */

static void
add_marked (Loader       *loader,
            GilkAreaKind  kind,
            const char   *start,
            const char   *end)
{
  gilk_areas_add (loader->areas, kind, 0,
                  gilk_symbols_address (loader->image->symbols, start),
                  gilk_symbols_address (loader->image->symbols, end));
}

static void
add_kernel_areas (Loader *loader)
{
  gilk_areas_add (loader->areas, GILK_AREA_TEXT, 0, loader->text_start, loader->text_end);
  add_marked (loader, GILK_AREA_NOINSTR, "__noinstr_text_start", "__noinstr_text_end");
  add_marked (loader, GILK_AREA_NOINSTR, "__cpuidle_text_start", "__cpuidle_text_end");
  add_marked (loader, GILK_AREA_ENTRY, "__entry_text_start", "__entry_text_end");
  add_marked (loader, GILK_AREA_ENTRY, "__irqentry_text_start", "__irqentry_text_end");
  add_marked (loader, GILK_AREA_BLACKLIST, "__kprobes_text_start", "__kprobes_text_end");
  add_marked (loader, GILK_AREA_THUNK, "__static_call_text_start", "__static_call_text_end");
  add_marked (loader, GILK_AREA_THUNK, "__indirect_thunk_start", "__indirect_thunk_end");
  add_marked (loader, GILK_AREA_INIT, "_sinittext", "_einittext");
}

static void
add_thunks (Loader *loader)
{
  guint count;
  const GilkSymbol *all = gilk_symbols_all (loader->image->symbols, &count);

  for (guint i = 0; i < count; i++)
    if (gilk_symbol_is_text (&all[i]) && gilk_name_is_thunk (all[i].name))
      gilk_areas_add (loader->areas, GILK_AREA_THUNK, all[i].module, all[i].addr,
                      all[i].addr + all[i].size);
}

/* "0xffffffff81000000-0xffffffff81000010\tname\n" */
static void
add_blacklist (Loader *loader)
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

/* Without debugfs: NOKPROBE_SYMBOL leaves a variable named after each function. */
static void
add_blacklist_by_name (Loader *loader)
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

static GilkAreaKind
section_kind (const Module      *module,
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
add_module_areas (Loader *loader,
                  Module *module)
{
  if (!module->end_known)
    module->text_end = end_of_symbols (loader, module);

  for (guint i = 0; module->sections != NULL && i < module->sections->len; i++)
    {
      const GilkSection *section = &g_array_index (module->sections, GilkSection, i);
      uint64_t end = MIN (section->end, module->text_end);

      if (!gilk_section_is_text (section) || section->start >= end)
        continue;
      gilk_areas_add (loader->areas, section_kind (module, section), module->index,
                      section->start, end);
      gilk_symbols_limit_text (loader->image->symbols, module->index, section->start, end);
    }
  if (module->text_start != 0)
    gilk_image_add_region (loader->image, module->index, module->text_start, module->text_end);
}

/* ---- function tracer ---- */

static gboolean
is_endbr (const uint8_t *bytes)
{
  static const uint8_t live[] = { 0xf3, 0x0f, 0x1e, 0xfa };
  static const uint8_t sealed[] = { 0x66, 0x0f, 0x1f, 0x00 };

  return memcmp (bytes, live, 4) == 0 || memcmp (bytes, sealed, 4) == 0;
}

/* The 5-byte NOP that the kernel leaves, or the call that it writes while tracing. */
static gboolean
is_fentry (const uint8_t *bytes)
{
  static const uint8_t nop[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };

  return memcmp (bytes, nop, 5) == 0 || bytes[0] == 0xe8;
}

#define ENTRY_BYTES 9

/* Looks at the first bytes of functions to tell where, and whether, the site is. */
static gboolean
verify_entries (Loader   *loader,
                GArray   *starts,
                GError  **error)
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
      const guint skip = is_endbr (entry) ? 4 : 0;
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
in_text (Loader   *loader,
         uint64_t  addr)
{
  if (addr >= loader->text_start && addr < loader->text_end)
    return TRUE;
  for (guint i = 0; i < loader->modules->len; i++)
    {
      const Module *module = g_ptr_array_index (loader->modules, i);

      if (addr >= module->text_start && addr < module->text_end)
        return TRUE;
    }

  return FALSE;
}

/* Lines "name [module]": several functions may have a name, the bytes decide. */
static void
add_named_starts (Loader     *loader,
                  const char *name,
                  GArray     *starts)
{
  const GilkSymbol *symbol = gilk_symbols_by_name (loader->image->symbols, name, NULL);

  for (; symbol != NULL; symbol = gilk_symbols_next_namesake (loader->image->symbols, symbol))
    if (gilk_symbol_is_text (symbol) && in_text (loader, symbol->addr))
      g_array_append_val (starts, symbol->addr);
}

static void
add_all_starts (Loader *loader,
                GArray *starts)
{
  guint count;
  const GilkSymbol *all = gilk_symbols_all (loader->image->symbols, &count);

  for (guint i = 0; i < count; i++)
    if (gilk_symbol_is_text (&all[i]) && all[i].size >= ENTRY_BYTES &&
        in_text (loader, all[i].addr) && (i == 0 || all[i].addr != all[i - 1].addr))
      g_array_append_val (starts, all[i].addr);
}

static int
compare_addresses (gconstpointer a,
                   gconstpointer b)
{
  const uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;

  return x < y ? -1 : x > y;
}

static void
sort_unique (GArray *addresses)
{
  guint kept = 0;

  g_array_sort (addresses, compare_addresses);
  for (guint i = 0; i < addresses->len; i++)
    if (kept == 0 || g_array_index (addresses, uint64_t, i) !=
                     g_array_index (addresses, uint64_t, kept - 1))
      g_array_index (addresses, uint64_t, kept++) = g_array_index (addresses, uint64_t, i);
  g_array_set_size (addresses, kept);
}

static gboolean
add_fentry_sites (Loader   *loader,
                  GError  **error)
{
  g_autoptr (GArray) starts = g_array_new (FALSE, FALSE, sizeof (uint64_t));
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
      /* Where each line begins with the site's address there is nothing to guess. */
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

  return starts->len == 0 || verify_entries (loader, starts, error);
}

/* ---- all together ---- */

static gboolean
find_kernel_text (Loader   *loader,
                  GError  **error)
{
  GilkSymbols *symbols = loader->image->symbols;

  loader->text_start = gilk_symbols_address (symbols, "_stext");
  loader->text_end = gilk_symbols_address (symbols, "_etext");
  if (loader->text_start != 0 && loader->text_start < loader->text_end &&
      loader->text_end - loader->text_start < (1u << 30))
    {
      gilk_symbols_limit_text (symbols, 0, loader->text_start, loader->text_end);
      gilk_image_add_region (loader->image, 0, loader->text_start, loader->text_end);
      return TRUE;
    }

  g_set_error (error, GILK_ERROR, GILK_ERROR_FORMAT,
               "The kernel's symbols do not say where its text begins and ends; it needs "
               "CONFIG_KALLSYMS_ALL, as Debian's kernels have it");
  return FALSE;
}

static gboolean
load_symbols (Loader   *loader,
              GError  **error)
{
  FileJob jobs[] = {
    { .file = GILK_FILE_KALLSYMS, .needed = TRUE },
    { .file = GILK_FILE_MODULES, .needed = TRUE },
    { .file = GILK_FILE_BLACKLIST },
    { .file = GILK_FILE_FTRACE },
  };
  g_autoptr (GilkSymbols) symbols = NULL;

  gilk_progress (loader->progress, "Reading symbols", 0);
  if (read_files (loader, jobs, G_N_ELEMENTS (jobs), error))
    symbols = gilk_symbols_new_parse (jobs[0].text, jobs[0].length, error);
  if (symbols != NULL)
    {
      loader->image = gilk_image_new_empty (loader->target, symbols);
      parse_modules (loader, jobs[1].text);
    }
  loader->blacklist = g_steal_pointer (&jobs[2].text);
  loader->ftrace = g_steal_pointer (&jobs[3].text);
  g_free (jobs[0].text);
  g_free (jobs[1].text);

  return symbols != NULL && find_kernel_text (loader, error);
}

GilkImage *
gilk_image_open (GilkTarget          *target,
                 const GilkProgress  *progress,
                 GCancellable        *cancellable,
                 GError             **error)
{
  g_auto (Loader) loader = {
    .target = target,
    .progress = progress,
    .cancellable = cancellable,
    .areas = g_array_new (FALSE, FALSE, sizeof (GilkArea)),
    .modules = g_ptr_array_new_with_free_func (module_free),
    .jobs = g_array_new (FALSE, FALSE, sizeof (TableJob)),
  };

  if (!load_symbols (&loader, error))
    return NULL;

  gilk_progress (progress, "Reading tables", 0.6);
  if (!read_sections (&loader, error))
    return NULL;
  for (guint i = 0; i < loader.modules->len; i++)
    bound_module (&loader, g_ptr_array_index (loader.modules, i));
  if (!read_tables (&loader, error))
    return NULL;

  gilk_progress (progress, "Reading function entries", 0.8);
  if (!add_fentry_sites (&loader, error))
    return NULL;

  add_kernel_areas (&loader);
  for (guint i = 0; i < loader.modules->len; i++)
    add_module_areas (&loader, g_ptr_array_index (loader.modules, i));
  add_thunks (&loader);
  if (loader.blacklist != NULL)
    add_blacklist (&loader);
  else
    add_blacklist_by_name (&loader);
  gilk_image_seal (loader.image, g_steal_pointer (&loader.areas));
  gilk_progress (progress, "Reading function entries", 1);

  return g_steal_pointer (&loader.image);
}
