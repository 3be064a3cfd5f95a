/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-tables.c - parses the kernel's side tables
 *
 * Supports the formats of Linux 6.1 to 7.3: asm/extable.h, linux/bug.h (relative pointers),
 * linux/jump_label.h, linux/static_call_types.h, asm/orc_types.h. For a module's tables, sysfs has
 * the start address but no length.
 */
#include "core/image/gilk-tables.h"

#include <string.h>

#include "core/base/gilk-array.h"

#define BUGFLAG_WARNING 1u
/* flag of a bug entry without an address: when such a warning traps, rdi points to the entry */
#define BUGFLAG_ARGS    16u

/* Sizes of struct bug_entry; since 7.0 the struct has a format string. */
enum { BUG_SMALL = 12, BUG_LARGE = 16 };

static int32_t
read_word (const GilkTable *table,
           gsize            offset)
{
  int32_t word;

  memcpy (&word, table->bytes + offset, sizeof word);
  return word;
}

/* Returns the address that the self-relative word at @offset points to. */
static uint64_t
read_pointer (const GilkTable *table,
              gsize            offset)
{
  return table->base + offset + (uint64_t) (int64_t) read_word (table, offset);
}

static gboolean
is_end_marker (const GilkTable *table,
               gsize            offset,
               gsize            size)
{
  for (gsize i = 0; i < size; i++)
    if (table->bytes[offset + i] != 0)
      return FALSE;

  return TRUE;
}

static void
add_site (const GilkTable *table,
          GArray          *sites,
          GilkSiteKind     kind,
          uint64_t         addr,
          uint64_t         other,
          int32_t          data)
{
  const GilkSite site = { addr, other, kind, data };

  if (addr >= table->text_start && addr < table->text_end)
    g_array_append_val (sites, site);
}

/* Parses the exception table. An entry is s32 insn, s32 fixup, s32 data. */
void
gilk_table_extable (const GilkTable *table,
                    GArray          *sites)
{
  for (gsize at = 0; at + 12 <= table->length && !is_end_marker (table, at, 12); at += 12)
    add_site (table, sites, GILK_SITE_EXTABLE, read_pointer (table, at), read_pointer (table, at + 4),
              read_word (table, at + 8));
}

gboolean
gilk_table_is_empty (const GilkTable *table)
{
  return table->length < 8 || is_end_marker (table, 0, 8);
}

/* Returns whether at least three quarters of the entries point into text if each has @size bytes.
 * With the wrong size, other members are read as addresses, and most of these do not point into
 * text. Some correct addresses do not point into text either, because init text is freed. */
static gboolean
is_bug_entry_size (const GilkTable *table, gsize size)
{
  gsize n = 0, in_text = 0;

  for (gsize at = 0; at + size <= table->length && !is_end_marker (table, at, size); at += size, n++)
    if (read_pointer (table, at) >= table->text_start && read_pointer (table, at) < table->text_end)
      in_text++;

  return n > 0 && table->length % size == 0 && in_text * 4 >= n * 3;
}

guint
gilk_table_bug_size (const GilkTable *table)
{
  const gboolean small = is_bug_entry_size (table, BUG_SMALL), large = is_bug_entry_size (table, BUG_LARGE);

  return small == large ? 0 : small ? BUG_SMALL : BUG_LARGE;
}

/* Parses the table of BUG() and WARN(). An entry is s32 address, s32 format (only in 16-byte
 * entries), s32 file, u16 line, u16 flags. */
void
gilk_table_bugs (const GilkTable *table,
                 GArray          *sites)
{
  const gsize size = table->bug_size;

  if (size == 0)
    return;
  for (gsize at = 0; at + size <= table->length && !is_end_marker (table, at, size); at += size)
    {
      const guint flags = table->bytes[at + size - 2];
      const gboolean warns = (flags & BUGFLAG_WARNING) != 0;

      if (size == BUG_LARGE && (flags & BUGFLAG_ARGS) != 0)
        continue;
      add_site (table, sites, warns ? GILK_SITE_WARN : GILK_SITE_BUG, read_pointer (table, at), 0, 0);
    }
}

/* Parses the table of static keys. An entry is s32 code, s32 target, s64 key. */
void
gilk_table_jump_labels (const GilkTable *table,
                        GArray          *sites)
{
  for (gsize at = 0; at + 16 <= table->length && !is_end_marker (table, at, 16); at += 16)
    add_site (table, sites, GILK_SITE_JUMP_LABEL, read_pointer (table, at),
              read_pointer (table, at + 4), 0);
}

/* Parses the table of static calls. An entry is s32 address, s32 key; the low two bits of the key
 * are flags. */
void
gilk_table_static_calls (const GilkTable *table,
                         GArray          *sites)
{
  for (gsize at = 0; at + 8 <= table->length && !is_end_marker (table, at, 8); at += 8)
    add_site (table, sites, GILK_SITE_STATIC_CALL, read_pointer (table, at),
              read_pointer (table, at + 4) & ~(uint64_t) 3, 0);
}

static int
compare_sites (gconstpointer a,
               gconstpointer b)
{
  const GilkSite *x = a, *y = b;

  return GILK_ORDER (x->addr, y->addr) ?: (int) x->kind - (int) y->kind;
}

void
gilk_sites_sort (GArray *sites)
{
  g_array_sort (sites, compare_sites);
}

/* ---- ORC tables ---- */

uint64_t
gilk_orc_table_ip (const GilkOrcTable *table,
                   guint               i)
{
  const uint8_t *bytes = g_bytes_get_data (table->ips, NULL);
  int32_t word;

  memcpy (&word, bytes + (gsize) i * sizeof word, sizeof word);
  return table->ips_base + (uint64_t) i * sizeof word + (uint64_t) (int64_t) word;
}

/* Returns whether an entry has neither stack register nor flags: it is undefined, or marks the end
 * of a section. */
static gboolean
is_unknown (const GilkOrcTable *table,
            guint               i)
{
  const uint8_t *entry = (const uint8_t *) g_bytes_get_data (table->entries, NULL) + (gsize) i * GILK_ORC_ENTRY_SIZE;

  return (entry[4] & 0x0f) == 0 && entry[5] == 0;
}

GilkOrcTable *
gilk_orc_table_new (GBytes  *ips,
                    uint64_t ips_base,
                    GBytes  *entries,
                    uint64_t text_start,
                    uint64_t text_end)
{
  const guint most = (guint) MIN (g_bytes_get_size (ips) / sizeof (int32_t),
                                  g_bytes_get_size (entries) / GILK_ORC_ENTRY_SIZE);
  GilkOrcTable *table = g_new0 (GilkOrcTable, 1);
  guint skip = 0;
  uint64_t last = 0;

  table->ips = g_bytes_ref (ips);
  table->ips_base = ips_base;
  /* Skip the entries of freed init text, which come first if that text was below the module's
   * text. */
  while (skip < most && gilk_orc_table_ip (table, skip) < text_start)
    skip++;
  g_bytes_unref (table->ips);

  table->ips = g_bytes_new_from_bytes (ips, skip * sizeof (int32_t),
                                       (most - skip) * sizeof (int32_t));
  table->ips_base = ips_base + skip * sizeof (int32_t);
  table->entries = g_bytes_new_from_bytes (entries, (gsize) skip * GILK_ORC_ENTRY_SIZE,
                                           (gsize) (most - skip) * GILK_ORC_ENTRY_SIZE);
  while (table->count < most - skip)
    {
      uint64_t ip = gilk_orc_table_ip (table, table->count);

      /* An undefined entry at text_end is the terminator. Any other entry at text_end belongs to
       * init text, and other modules' text may be in between. */
      if (ip > text_end || ip < last || (ip == text_end && !is_unknown (table, table->count)))
        break;
      last = ip;
      table->count++;
    }

  return table;
}

void
gilk_orc_table_free (GilkOrcTable *table)
{
  g_bytes_unref (table->ips);
  g_bytes_unref (table->entries);
  g_free (table);
}

gboolean
gilk_orc_table_find (const GilkOrcTable *table,
                     uint64_t            addr,
                     uint8_t             entry[GILK_ORC_ENTRY_SIZE])
{
  const uint8_t *entries = g_bytes_get_data (table->entries, NULL);
  guint low = GILK_BISECT (table->count, i, gilk_orc_table_ip (table, i) <= addr);

  if (low == 0)
    return FALSE;

  memcpy (entry, entries + (gsize) (low - 1) * GILK_ORC_ENTRY_SIZE, GILK_ORC_ENTRY_SIZE);
  return !is_unknown (table, low - 1);
}

#define ORC_SAMPLES 1024     /* number of entries that are examined, enough to detect the register
                              * numbers */

/* Counts, by base register, the entries with a frame of 8 bytes; stops after ORC_SAMPLES of
 * them. */
static void
count_beginnings (const GilkOrcTable *table, guint by_reg[16])
{
  const uint8_t *entries = g_bytes_get_data (table->entries, NULL);
  guint n = 0;

  for (guint i = 0; i < table->count && n < ORC_SAMPLES; i++)
    {
      const uint8_t *entry = entries + (gsize) i * GILK_ORC_ENTRY_SIZE;
      int16_t offset;

      memcpy (&offset, entry, sizeof offset);
      if (offset != 8 || (entry[4] & 15) == 0)
        continue;
      by_reg[entry[4] & 15]++;
      n++;
    }
}

const GilkOrcNumbers *
gilk_orc_numbers_of (const GilkOrcTable *table)
{
  static const GilkOrcNumbers known[] = {
    { .sp = 5, .bp = 4, .bp_indirect = 8 },         /* since 4.14 */
    { .sp = 3, .bp = 4, .bp_indirect = 10 },        /* since 7.2 */
  };
  guint by_reg[16] = { 0 }, all = 0;

  count_beginnings (table, by_reg);
  for (guint i = 0; i < G_N_ELEMENTS (by_reg); i++)
    all += by_reg[i];
  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    if (all > 0 && by_reg[known[i].sp] >= all - all / 10)
      return &known[i];

  return NULL;
}

GilkFrameBase
gilk_orc_base (const GilkOrcNumbers *numbers,
               const uint8_t         entry[6])
{
  const guint reg = entry[4] & 15;

  if (numbers == NULL)
    return GILK_FRAME_OTHER;

  return reg == numbers->sp ? GILK_FRAME_SP : reg == numbers->bp ? GILK_FRAME_BP
         : reg == numbers->bp_indirect ? GILK_FRAME_BP_INDIRECT : GILK_FRAME_OTHER;
}

/* ---- areas of text, made disjoint ---- */

void
gilk_areas_add (GArray      *areas,
                GilkAreaKind kind,
                uint32_t     module,
                uint64_t     start,
                uint64_t     end)
{
  const GilkArea area = { start, end, kind, module };

  if (start != 0 && start < end)
    g_array_append_val (areas, area);
}

/* Returns how strictly an area restricts hooks; a higher number is stricter. */
static guint
get_strictness (GilkAreaKind kind)
{
  switch (kind)
    {
    case GILK_AREA_INIT: return 5;
    case GILK_AREA_ENTRY: return 4;
    case GILK_AREA_NOINSTR: return 3;
    case GILK_AREA_THUNK: return 2;
    case GILK_AREA_BLACKLIST: return 1;
    case GILK_AREA_TEXT:
    default: return 0;
    }
}

#define STRICTNESSES 6

typedef struct {
  uint64_t        at;
  const GilkArea *area;
  gboolean        opens;
} Edge;

GILK_DEFINE_ORDER (compare_edges, Edge, at)

static void
append_flat (GArray         *flat,
             const GilkArea *like,
             uint64_t        start,
             uint64_t        end)
{
  GilkArea *last = flat->len > 0 ? &g_array_index (flat, GilkArea, flat->len - 1) : NULL;

  if (last != NULL && last->end == start && last->kind == like->kind &&
      last->module == like->module)
    last->end = end;
  else
    gilk_areas_add (flat, like->kind, like->module, start, end);
}

/* Visits the starts and ends of all areas in order of address. open[] has, for each strictness, the
 * number of areas that contain the current address. */
GArray *
gilk_areas_flatten (GArray *areas)
{
  g_autoptr (GArray) edges = g_array_sized_new (FALSE, FALSE, sizeof (Edge), areas->len * 2 + 1);
  GArray *flat = g_array_new (FALSE, FALSE, sizeof (GilkArea));
  const GilkArea *latest[STRICTNESSES] = { NULL };
  guint open[STRICTNESSES] = { 0 };

  for (guint i = 0; i < areas->len; i++)
    {
      const GilkArea *area = &g_array_index (areas, GilkArea, i);
      const Edge both[] = { { area->start, area, TRUE }, { area->end, area, FALSE } };

      g_array_append_vals (edges, both, G_N_ELEMENTS (both));
    }
  g_array_sort (edges, compare_edges);

  for (guint i = 0; i < edges->len; i++)
    {
      const Edge *edge = &g_array_index (edges, Edge, i);
      guint strict = get_strictness (edge->area->kind);
      guint top = STRICTNESSES;

      open[strict] += edge->opens ? 1 : -1;
      if (edge->opens)
        latest[strict] = edge->area;
      if (i + 1 == edges->len || edge[1].at == edge->at)
        continue;
      while (top > 0 && open[top - 1] == 0)
        top--;
      if (top > 0)
        append_flat (flat, latest[top - 1], edge->at, edge[1].at);
    }

  return flat;
}

/* ---- functions recognised by their names ---- */

/*
 * Functions that never return: those in objtool's lists of 6.1 (check.c), 6.12 and 7.3
 * (noreturns.h), and static functions that end in BUG() on each path.
 */
static const char *const noreturns[] = {
  "__fortify_panic", "__ia32_sys_exit", "__ia32_sys_exit_group", "__invalid_creds",
  "__kunit_abort", "__module_put_and_kthread_exit", "__reiserfs_panic", "__stack_chk_fail",
  "__tdx_hypercall_failed", "__ubsan_handle_builtin_unreachable", "__x64_sys_exit",
  "__x64_sys_exit_group", "acpi_processor_ffh_play_dead", "arch_cpu_idle_dead", "bch2_trans_in_restart_error",
  "bch2_trans_restart_error", "bch2_trans_unlocked_error", "cpu_bringup_and_idle",
  "cpu_startup_entry", "do_exit", "do_group_exit", "do_task_dead", "ex_handler_msr_mce",
  "fortify_panic", "handle_stack_overflow", "hlt_play_dead", "hv_ghcb_terminate",
  "kthread_complete_and_exit", "kthread_do_exit", "kthread_exit", "kunit_try_catch_throw", "lbug_with_loc",
  "machine_real_restart", "make_task_dead", "mpt_halt_firmware", "mwait_play_dead", "nmi_panic_self_stop",
  "panic", "panic_smp_self_stop", "play_dead", "rest_init", "rewind_stack_and_make_dead",
  "rust_begin_unwind", "rust_helper_BUG", "sev_es_terminate", "skb_over_panic", "skb_panic",
  "skb_under_panic", "snp_abort", "start_kernel", "stop_this_cpu", "usercopy_abort", "vpanic",
  "x86_64_start_kernel", "x86_64_start_reservations", "xen_cpu_bringup_again",
  "xen_start_kernel",
};

/*
 * Matches Rust's panic functions by their mangled names. The crate's disambiguator changes with the
 * compiler, so only the path and the start or end of the last word are compared (objtool:
 * is_rust_noreturn()).
 */
static gboolean
is_rust_panic (const char *name)
{
  static const struct { const char *path, *begins, *ends; } ways[] = {
    { "_4core9panicking", "panic", "" },
    { "_4core9panicking", "assert_failed", "" },
    { "_4core3num14overflow_panic", "", "" },
    { "_4core4cell", "panic_already", "" },
    { "_4core6option", "unwrap_failed", "" },
    { "_4core6option", "expect_failed", "" },
    { "_4core6result", "unwrap_failed", "" },
    { "_4core5slice5index", "slice_", "_fail" },
  };

  /* Accept plain and generic functions, but not methods, many of which are Debug::fmt(). */
  if (!g_str_has_prefix (name, "_RNvN") && !g_str_has_prefix (name, "_RINvN"))
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (ways); i++)
    {
      const char *word = strstr (name, ways[i].path);

      if (word == NULL)
        continue;
      word += strlen (ways[i].path);
      word += strspn (word, "0123456789");
      if (g_str_has_prefix (word, ways[i].begins) && g_str_has_suffix (word, ways[i].ends))
        return TRUE;
    }

  return FALSE;
}

gboolean
gilk_name_is_noreturn (const char *name)
{
  if (is_rust_panic (name))
    return TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (noreturns); i++)
    if (name[0] == noreturns[i][0] && g_str_equal (name, noreturns[i]))
      return TRUE;

  return FALSE;
}

gboolean
gilk_name_is_return_thunk (const char *name)
{
  return g_str_has_suffix (name, "_return_thunk") && !g_str_has_prefix (name, "__pfx_");
}

gboolean
gilk_name_is_indirect_thunk (const char *name)
{
  return g_str_has_prefix (name, "__x86_indirect_");
}

gboolean
gilk_name_is_thunk (const char *name)
{
  static const char *const prefixes[] = {
    "__SCT__", "__x86_", "its_return", "retbleed_", "srso_", "call_depth_return",
    "zen_untrain", "entry_untrain", "entry_ibpb", "clear_bhb", "write_ibpb",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (prefixes); i++)
    if (g_str_has_prefix (name, prefixes[i]))
      return TRUE;

  return FALSE;
}
