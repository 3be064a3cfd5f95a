/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-maps.c - reports the maps (counters, histograms, maps with keys) that probe programs
 * filled
 *
 * The summary has at most ten keys of a map and two dozen buckets of a histogram; --map and JSON
 * have all of them.
 */
#include "cli/base/reports.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cli/base/output.h"
#include "core/analysis/gilk-map-sums.h"
#include "core/plot/gilk-plot.h"

#define CODE_SHOWN    90        /* characters */
#define KEYS_SHOWN    10
#define STACKS_SHOWN  5
#define BUCKETS_SHOWN 24
#define BAR_WIDTH     32

static gboolean
is_number (const GilkStoredMap *stored)
{
  return stored->kind != GILK_MAP_HISTOGRAM && stored->kind != GILK_MAP_HASH;
}

/* Returns whether the values of the map are signed. Values of a map with keys are always signed,
 * because they may be sums of negative numbers. */
static gboolean
value_is_signed (const GilkStoredMap *stored)
{
  return stored->kind == GILK_MAP_HASH || (stored->kind == GILK_MAP_GLOBAL && stored->is_signed);
}

/* ---- writing maps as JSON ---- */

static void
value_to_json (CliJson *json, const char *key, gint64 value, gboolean is_signed)
{
  if (is_signed)
    cli_json_int (json, key, value);
  else
    cli_json_uint (json, key, (uint64_t) value);
}

static void
cpus_to_json (CliJson *json, const GilkStoredMap *stored, guint first, guint n)
{
  cli_json_array (json, "cpus");
  for (guint i = first; i < first + n; i++)
    {
      const GilkStoreValue *value = &g_array_index (stored->values, GilkStoreValue, i);

      if (value->cpu == G_MAXUINT)
        continue;
      cli_json_row (json, NULL);
      cli_json_uint (json, "cpu", value->cpu);
      value_to_json (json, "value", value->value, value_is_signed (stored));
      cli_json_end (json);
    }
  cli_json_end (json);
}

static void
edges_to_json (CliJson *json, const GilkMapBuckets *buckets, guint i)
{
  g_autofree char *from = gilk_map_edge_text (buckets, i), *to = gilk_map_edge_text (buckets, i + 1);

  cli_json_number_text (json, "from", from);
  cli_json_number_text (json, "to", to);
}

static void
quantile_to_json (CliJson *json, const char *key, const GilkMapBuckets *buckets, double p)
{
  cli_json_row (json, key);
  edges_to_json (json, buckets, gilk_map_quantile (buckets, p));
  cli_json_end (json);
}

static void
histogram_to_json (CliJson *json, const GilkStoredMap *stored)
{
  g_autoptr(GilkMapBuckets) buckets = gilk_map_buckets (stored, stored->bits);
  g_autoptr(GArray) sums = gilk_map_sums (stored);

  cli_json_uint (json, "bits", stored->bits);
  if (stored->meaning != NULL)
    cli_json_string (json, "unit", stored->meaning);
  cli_json_uint (json, "values", buckets->total);
  if (buckets->n > 0)
    {
      quantile_to_json (json, "median_in", buckets, 0.5);
      quantile_to_json (json, "p90_in", buckets, 0.9);
      quantile_to_json (json, "p99_in", buckets, 0.99);
    }
  cli_json_array (json, "buckets");
  for (guint i = 0; i < sums->len; i++)
    {
      const GilkMapSum *sum = &g_array_index (sums, GilkMapSum, i);
      guint bucket = (guint) sum->key - buckets->first;

      cli_json_row (json, NULL);
      edges_to_json (json, buckets, bucket);
      cli_json_uint (json, "values", buckets->counts[bucket]);
      cpus_to_json (json, stored, sum->first, sum->n);
      cli_json_end (json);
    }
  cli_json_end (json);
}

static gboolean
has_stacks (const GilkStoredMap *map)
{
  return g_strcmp0 (map->meaning, GILK_MEANING_STACK) == 0;
}

/* Adds the name of @key to the open JSON object if the key has a name. */
static void
key_name_to_json (CliJson *json, const CliMap *map, uint64_t key)
{
  g_autofree char *name = NULL;
  const GArray *stack;

  if (!has_stacks (map->stored))
    {
      name = gilk_stored_name (map->hook_maps->names, map->stored->meaning, key);
      if (name != NULL)
        cli_json_string (json, "key_name", name);
      return;
    }
  stack = gilk_stored_stack (map->hook_maps->names, key);
  cli_json_array (json, "stack");
  for (guint i = 0; stack != NULL && i < stack->len; i++)
    {
      g_autofree char *place = gilk_stored_place (map->hook_maps->names, g_array_index (stack, uint64_t, i));

      cli_json_string (json, NULL, place);
    }
  cli_json_end (json);
  if (stack == NULL || stack->len == 0 || gilk_stored_source (map->hook_maps->names, g_array_index (stack, uint64_t, 0)) == NULL)
    return;
  cli_json_array (json, "lines");
  for (guint i = 0; i < stack->len; i++)
    cli_json_string (json, NULL, gilk_stored_source (map->hook_maps->names, g_array_index (stack, uint64_t, i)));
  cli_json_end (json);
}

static void
map_to_json (CliJson *json, const CliMap *map)
{
  const GilkStoredMap *stored = map->stored;
  g_autoptr(GArray) sums = gilk_map_sums (stored);

  gilk_map_sort_by_value (sums);
  cli_json_uint (json, "slots", stored->slots);
  cli_json_uint (json, "full", gilk_map_missed (map->hook_maps->maps, stored));
  cli_json_array (json, "keys");
  for (guint i = 0; i < sums->len; i++)
    {
      const GilkMapSum *sum = &g_array_index (sums, GilkMapSum, i);

      cli_json_row (json, NULL);
      value_to_json (json, "key", sum->key, stored->is_signed);
      key_name_to_json (json, map, (uint64_t) sum->key);
      cli_json_int (json, "value", sum->value);
      cpus_to_json (json, stored, sum->first, sum->n);
      cli_json_end (json);
    }
  cli_json_end (json);
}

static void
entry_to_json (CliJson *json, const CliMap *entry, gboolean with_hook)
{
  const GilkStoredMap *stored = entry->stored;

  cli_json_object (json, NULL);
  if (with_hook)
    cli_json_string (json, "hook", entry->hook_maps->hook->label);
  cli_json_string (json, "name", stored->name);
  cli_json_string (json, "kind", gilk_stored_map_kind (stored->kind));
  if (stored->unit != NULL)
    cli_json_string (json, "unit", stored->unit);
  if (stored->kind == GILK_MAP_HISTOGRAM)
    histogram_to_json (json, stored);
  else if (stored->kind == GILK_MAP_HASH)
    map_to_json (json, entry);
  else
    {
      value_to_json (json, "value", gilk_map_number (stored), value_is_signed (stored));
      if (stored->kind != GILK_MAP_GLOBAL)
        cpus_to_json (json, stored, 0, stored->values->len);
    }
  cli_json_end (json);
}

static void
programs_to_json (CliJson *json, const GArray *all)
{
  cli_json_array (json, "programs");
  for (guint i = 0; i < all->len; i++)
    {
      const CliHookMaps *hook_maps = &g_array_index (all, CliHookMaps, i);

      cli_json_object (json, NULL);
      cli_json_string (json, "hook", hook_maps->hook->label);
      cli_json_string (json, "name", hook_maps->program->name);
      cli_json_string (json, "code", hook_maps->program->code);
      cli_json_array (json, "maps");
      for (guint k = 0; k < hook_maps->maps->len; k++)
        {
          const CliMap entry = { hook_maps, &g_array_index (hook_maps->maps, GilkStoredMap, k) };

          if (entry.stored->kind != GILK_MAP_MISSED)
            entry_to_json (json, &entry, FALSE);
        }
      cli_json_end (json);
      cli_json_end (json);
    }
  cli_json_end (json);
}

/* ---- printing histograms ---- */

/* Returns a bar whose length is @part of the full width, rounded to an eighth of a character.
 * (transfer full) */
static char *
make_bar (double part)
{
  static const char *const eighths[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
  guint length = (guint) ceil (part * BAR_WIDTH * 8);
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < length / 8; i++)
    g_string_append (text, "█");
  g_string_append (text, eighths[length % 8]);
  return g_string_free (text, FALSE);
}

static void
print_buckets (Cli *cli, const GilkMapBuckets *buckets)
{
  g_autoptr(CliTable) table = cli_table_new (_(">FROM|>BELOW|>VALUES|>SHARE|<"));
  uint64_t most = 1;

  for (guint i = 0; i < buckets->n; i++)
    most = MAX (most, buckets->counts[i]);
  for (guint i = 0; i < buckets->n; i++)
    {
      g_autofree char *from = gilk_map_edge_text (buckets, i), *to = gilk_map_edge_text (buckets, i + 1);
      g_autofree char *drawn = make_bar ((double) buckets->counts[i] / (double) most);

      cli_table_cell (table, from);
      cli_table_cell (table, to);
      cli_table_cellf (table, "%" PRIu64, buckets->counts[i]);
      cli_table_cellf (table, "%.2f %%", 100.0 * (double) buckets->counts[i] / (double) buckets->total);
      cli_table_cell (table, drawn);
      cli_table_tint (table, CLI_TINT_ACCENT);
    }
  cli_print_table (cli, table);
}

static void
print_histogram (Cli *cli, const CliMap *entry, gboolean full)
{
  guint bits = entry->stored->bits;
  g_autoptr(GilkMapBuckets) buckets = gilk_map_buckets (entry->stored, bits);
  g_autofree char *n = gilk_format_count ((double) buckets->total);

  if (entry->stored->meaning != NULL)
    cli_print_tinted (cli, CLI_TINT_BOLD, _("\n%s, %s: %s values in %s\n"), entry->hook_maps->hook->label, entry->stored->name, n,
                      entry->stored->meaning);
  else
    cli_print_tinted (cli, CLI_TINT_BOLD, _("\n%s, %s: %s values\n"), entry->hook_maps->hook->label, entry->stored->name, n);
  for (; !full && bits > 0 && buckets->n > BUCKETS_SHOWN; bits--)
    {
      gilk_map_buckets_free (buckets);
      buckets = gilk_map_buckets (entry->stored, bits - 1);
    }
  if (buckets->n > 0)
    print_buckets (cli, buckets);
  if (bits < entry->stored->bits)
    cli_print_tinted (cli, CLI_TINT_DIM, _("Buckets are merged here; --map %s "
                                           "shows each bucket.\n"), entry->stored->name);
}

/* ---- printing maps with keys ---- */

/* Sums the values. Returns FALSE if shares of the sum are meaningless, because a value is negative
 * or all values are 0. */
static gboolean
has_shares (const GArray *sums, double *total)
{
  *total = 0.0;
  for (guint i = 0; i < sums->len; i++)
    {
      if (g_array_index (sums, GilkMapSum, i).value < 0)
        return FALSE;
      *total += (double) g_array_index (sums, GilkMapSum, i).value;
    }
  return *total > 0.0;
}

static void
add_share_cell (CliTable *table, gboolean is_share, double value, double total)
{
  if (is_share)
    cli_table_cellf (table, "%.1f %%", 100.0 * value / total);
  else
    cli_table_cell (table, "-");
}

static void
print_keys (Cli *cli, const CliMap *entry, const GArray *sums, guint shown)
{
  const GilkStoredMap *map = entry->stored;
  const gboolean is_text = g_strcmp0 (map->meaning, GILK_MEANING_TEXT) == 0;
  g_autoptr(CliTable) table = cli_table_new (is_text ? _("~KEY|>VALUE|>SHARE|>CPUS") : _(">KEY|>VALUE|>SHARE|>CPUS"));
  double total;
  gboolean is_share = has_shares (sums, &total);
  uint64_t rest = 0;

  for (guint i = shown; i < sums->len; i++)
    rest += (uint64_t) g_array_index (sums, GilkMapSum, i).value;
  for (guint i = 0; i < MIN (sums->len, shown); i++)
    {
      const GilkMapSum *sum = &g_array_index (sums, GilkMapSum, i);
      g_autofree char *key = gilk_map_key_text (map, sum->key);

      cli_table_cell (table, key);
      cli_table_cellf (table, "%" PRId64, sum->value);
      add_share_cell (table, is_share, (double) sum->value, total);
      if (g_array_index (map->values, GilkStoreValue, sum->first).cpu == G_MAXUINT)
        cli_table_cell (table, _("all"));
      else
        cli_table_cellf (table, "%u", sum->n);
    }
  if (sums->len > shown)
    {
      cli_table_cellf (table, _("(%u more)"), sums->len - shown);
      cli_table_cellf (table, "%" PRId64, (gint64) rest);
      add_share_cell (table, is_share, (double) rest, total);
      cli_table_cell (table, NULL);
    }
  cli_print_table (cli, table);
}

/* Prints an entry of a map whose key is a stack: the value, and then the stack's frames, innermost
 * first. */
static void
print_stack (Cli *cli, const CliMap *entry, const GilkMapSum *sum, gboolean is_share, double total)
{
  const GArray *stack = gilk_stored_stack (entry->hook_maps->names, (uint64_t) sum->key);
  g_autofree char *value = gilk_format_count ((double) sum->value);

  if (is_share)
    cli_print_tinted (cli, CLI_TINT_ACCENT, "\n%s  %.1f %%\n", value, 100.0 * (double) sum->value / total);
  else
    cli_print_tinted (cli, CLI_TINT_ACCENT, "\n%s\n", value);
  if (stack == NULL)
    cli_print_tinted (cli, CLI_TINT_DIM, "    %s\n", sum->key == 0 ? _("(no stack)") : _("(stack not recorded)"));
  for (guint i = 0; stack != NULL && i < stack->len; i++)
    {
      g_autofree char *place = gilk_stored_place (entry->hook_maps->names, g_array_index (stack, uint64_t, i));
      const char *line = gilk_stored_source (entry->hook_maps->names, g_array_index (stack, uint64_t, i));

      cli_print (cli, "    %s", place);
      if (line != NULL)
        cli_print_tinted (cli, CLI_TINT_DIM, "  %s", line);
      cli_print (cli, "\n");
    }
}

static void
print_stacks (Cli *cli, const CliMap *entry, const GArray *sums, guint shown)
{
  double total;
  gboolean is_share = has_shares (sums, &total);

  for (guint i = 0; i < MIN (sums->len, shown); i++)
    print_stack (cli, entry, &g_array_index (sums, GilkMapSum, i), is_share, total);
  if (sums->len > shown)
    cli_print_tinted (cli, CLI_TINT_DIM, ngettext ("\n(%u more; --map %s shows all)\n", "\n(%u more; --map %s shows all)\n",
                                                   sums->len - shown), sums->len - shown, entry->stored->name);
}

/* Returns whether the program declares the map as a table. Tables hold state between hits, and are shown only on request. */
static gboolean
is_table (const CliMap *entry)
{
  g_autofree char *name = g_regex_escape_string (entry->stored->name, -1);
  g_autofree char *declared = g_strdup_printf ("\\btable\\s+%s\\b", name);

  return g_regex_match_simple (declared, entry->hook_maps->program->code, G_REGEX_RAW, 0);
}

static void
print_map (Cli *cli, const CliMap *entry, gboolean full)
{
  g_autoptr(GArray) sums = gilk_map_sums (entry->stored);
  uint64_t missed = gilk_map_missed (entry->hook_maps->maps, entry->stored);
  g_autofree char *unit = NULL;

  if (!full && is_table (entry))
    return;
  gilk_map_sort_by_value (sums);
  unit = entry->stored->unit != NULL ? g_strdup_printf (_(", values in %s"), entry->stored->unit) : g_strdup ("");
  cli_print_tinted (cli, CLI_TINT_BOLD, ngettext ("\n%s, %s: %u key%s\n", "\n%s, %s: %u keys%s\n", sums->len),
                    entry->hook_maps->hook->label, entry->stored->name, sums->len, unit);
  if (has_stacks (entry->stored))
    print_stacks (cli, entry, sums, full ? G_MAXUINT : STACKS_SHOWN);
  else if (sums->len > 0)
    print_keys (cli, entry, sums, full ? G_MAXUINT : KEYS_SHOWN);
  if (missed > 0)
    cli_print_tinted (cli, CLI_TINT_WARN,
                      _("%" PRIu64 " insertions failed because the map was full: declare the map with more than %u "
                        "keys.\n"), missed, entry->stored->slots);
}

/* ---- printing counters and global variables ---- */

/* If @stored is the counter "slow_calls", returns it as a share of the counter "calls". Returns NaN
 * otherwise, or if the number of calls is 0. */
static double
get_slow_share (const CliHookMaps *hook_maps, const GilkStoredMap *stored)
{
  for (guint i = 0; i < hook_maps->maps->len; i++)
    {
      const GilkStoredMap *all = &g_array_index (hook_maps->maps, GilkStoredMap, i);

      if (stored->kind == GILK_MAP_COUNTER && all->kind == GILK_MAP_COUNTER && strcmp (stored->name, "slow_calls") == 0 &&
          strcmp (all->name, "calls") == 0 && gilk_map_number (all) > 0)
        return (double) gilk_map_number (stored) / (double) gilk_map_number (all);
    }
  return NAN;
}

static void
print_numbers (Cli *cli, const CliHookMaps *hook_maps)
{
  g_autoptr(CliTable) table = cli_table_new (_("<NAME|<KIND|>VALUE"));

  for (guint i = 0; i < hook_maps->maps->len; i++)
    {
      const GilkStoredMap *stored = &g_array_index (hook_maps->maps, GilkStoredMap, i);
      g_autofree char *value = NULL;

      if (stored->kind != GILK_MAP_GLOBAL && stored->kind != GILK_MAP_COUNTER)
        continue;
      value = gilk_map_value_text (stored, gilk_map_number (stored));
      cli_table_cell (table, stored->name);
      cli_table_cell (table, gilk_stored_map_kind (stored->kind));
      if (isnan (get_slow_share (hook_maps, stored)))
        cli_table_cell (table, value);
      else
        cli_table_cellf (table, _("%s, %.2g %% of calls"), value, 100.0 * get_slow_share (hook_maps, stored));
    }
  if (cli_table_n_rows (table) > 0)
    cli_print_table (cli, table);
}

static void
print_number (Cli *cli, const CliMap *entry)
{
  const GilkStoredMap *stored = entry->stored;
  g_autofree char *sum = gilk_map_value_text (stored, gilk_map_number (stored));
  g_autoptr(CliTable) table = cli_table_new (_(">CPU|>VALUE"));

  cli_print_tinted (cli, CLI_TINT_BOLD, _("\n%s, %s: %s\n"), entry->hook_maps->hook->label, stored->name, sum);
  for (guint i = 0; i < stored->values->len; i++)
    {
      const GilkStoreValue *value = &g_array_index (stored->values, GilkStoreValue, i);
      g_autofree char *text = gilk_map_value_text (stored, value->value);

      if (value->cpu == G_MAXUINT)
        continue;
      cli_table_cellf (table, "%u", value->cpu);
      cli_table_cell (table, text);
    }
  if (cli_table_n_rows (table) > 0)
    cli_print_table (cli, table);
}

/* ---- printing programs with their maps ---- */

/* Skips the declarations at the start of the code, because the report lists the maps anyway. Code
 * that consists only of declarations is returned unchanged. */
static const char *
skip_declarations (const char *code)
{
  static const char *const words[] = { "global", "counter", "histogram", "map", "table", "common" };
  const char *at = code;
  gboolean skipped = TRUE;

  while (skipped)
    {
      skipped = FALSE;
      at += strspn (at, " \t\r\n");
      for (guint i = 0; i < G_N_ELEMENTS (words) && !skipped; i++)
        {
          gsize length = strlen (words[i]);
          const char *end = strchr (at, ';');

          skipped = end != NULL && strncmp (at, words[i], length) == 0 && strchr (" \t\r\n", at[length]) != NULL;
          if (skipped)
            at = end + 1;
        }
    }
  return *at != '\0' ? at : code;
}

/* Returns the code on one line, without leading and trailing spaces. (transfer full) */
static char *
join_lines (const char *code)
{
  g_autoptr(GString) line = g_string_new (NULL);
  gboolean space = FALSE;
  guint letters = 0;

  for (const char *c = code; *c != '\0'; c = g_utf8_next_char (c))
    {
      gunichar letter = g_utf8_get_char (c);

      if (g_unichar_isspace (letter))
        {
          space = line->len > 0;
          continue;
        }
      if (letters + space >= CODE_SHOWN)
        {
          g_string_append (line, " …");
          break;
        }
      if (space)
        g_string_append_c (line, ' ');
      g_string_append_unichar (line, g_unichar_iscntrl (letter) ? 0xfffd : letter);
      letters += 1 + space;
      space = FALSE;
    }
  return g_strdup (line->str);
}

static void
print_entry (Cli *cli, const CliMap *entry, gboolean full)
{
  if (entry->stored->kind == GILK_MAP_HISTOGRAM)
    print_histogram (cli, entry, full);
  else if (entry->stored->kind == GILK_MAP_HASH)
    print_map (cli, entry, full);
  else if (full)
    print_number (cli, entry);
}

static gboolean
has_program_name (const CliHookMaps *hook_maps)
{
  return hook_maps->program->name != NULL && *hook_maps->program->name != '\0';
}

/* Prints the program of a hook and what it kept. @others: number of hooks that run the same program
 * and kept nothing of their own */
static void
print_program (Cli *cli, const CliHookMaps *hook_maps, guint others)
{
  g_autofree char *code = join_lines (skip_declarations (hook_maps->program->code));
  const char *name = hook_maps->program->name, *label = hook_maps->hook->label;

  if (!has_program_name (hook_maps))
    cli_print_tinted (cli, CLI_TINT_BOLD, _("\n%s runs: "), label);
  else if (others > 0)
    cli_print_tinted (cli, CLI_TINT_BOLD, ngettext ("\n%s and %u more hook run %s: ", "\n%s and %u more hooks run %s: ", others),
                      label, others, name);
  else
    cli_print_tinted (cli, CLI_TINT_BOLD, _("\n%s runs %s: "), label, name);
  cli_print (cli, "%s\n", code);
  print_numbers (cli, hook_maps);
  for (guint i = 0; i < hook_maps->maps->len; i++)
    {
      const CliMap entry = { hook_maps, &g_array_index (hook_maps->maps, GilkStoredMap, i) };

      if (!is_number (entry.stored))
        print_entry (cli, &entry, FALSE);
    }
}

/* The hooks that run one program. */
typedef struct {
  guint first;          /* index of the first of them, with which the program is printed */
  guint others;         /* number of later hooks that kept nothing of their own */
} ProgramUsers;

static char *
make_program_key (const CliHookMaps *hook_maps)
{
  return g_strconcat (hook_maps->program->name != NULL ? hook_maps->program->name : "", "\n", hook_maps->program->code, NULL);
}

/* Returns the users of each program. (transfer full) (element-type utf8 ProgramUsers) */
static GHashTable *
collect_programs (const GArray *stored)
{
  GHashTable *programs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (guint i = 0; i < stored->len; i++)
    {
      const CliHookMaps *hook_maps = &g_array_index (stored, CliHookMaps, i);
      char *key = make_program_key (hook_maps);
      ProgramUsers *users = g_hash_table_lookup (programs, key);

      if (users == NULL)
        {
          users = g_new0 (ProgramUsers, 1);
          users->first = i;
          g_hash_table_insert (programs, key, users);
          continue;
        }
      g_free (key);
      users->others += hook_maps->maps->len == 0;
    }

  return programs;
}

void
cli_programs_report (Cli *cli, const GArray *stored)
{
  g_autoptr(GHashTable) programs = NULL;

  if (cli->doc != NULL)
    {
      programs_to_json (cli->doc, stored);
      return;
    }
  programs = collect_programs (stored);
  for (guint i = 0; i < stored->len; i++)
    {
      const CliHookMaps *hook_maps = &g_array_index (stored, CliHookMaps, i);
      g_autofree char *key = make_program_key (hook_maps);
      const ProgramUsers *users = g_hash_table_lookup (programs, key);

      if (users->first == i || hook_maps->maps->len > 0 || !has_program_name (hook_maps))
        print_program (cli, hook_maps, users->first == i ? users->others : 0);
    }
}

gboolean
cli_maps_report (Cli *cli, const CliSession *session, const char *name, char *const *hooks, GError **error)
{
  g_autoptr(GArray) all = cli_maps_read (session, hooks, error);
  g_autoptr(GArray) entries = all != NULL ? cli_maps_find (all, name, error) : NULL;

  if (entries == NULL)
    return FALSE;
  cli_json_array (cli->doc, "maps");
  for (guint i = 0; i < entries->len; i++)
    if (cli->doc != NULL)
      entry_to_json (cli->doc, &g_array_index (entries, CliMap, i), TRUE);
    else
      print_entry (cli, &g_array_index (entries, CliMap, i), TRUE);
  cli_json_end (cli->doc);
  return TRUE;
}
