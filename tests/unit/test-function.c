/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-function.c - derives functions from symbols, with their parts and aliases; looks up and
 * searches functions
 */
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"
#include "core/cfg/gilk-call-graph.h"
#include "core/cfg/gilk-cfg.h"
#include "core/cfg/gilk-function-private.h"
#include "core/cfg/gilk-locate.h"

#define BASE 0xffffffff81000000ull

/* Code of the functions. The number at the start of each line is the offset of a symbol. */
static const uint8_t text[0x90] = {
  /* 00 pipe_write */ 0x75, 0x4e, 0xc3,                     /* jne +0x50, ret */
  /* 10 twin a     */ [0x10] = 0x74, 0x4f, 0xc3,            /* je  +0x61, ret */
  /* 20 twin b     */ [0x20] = 0x74, 0x4e, 0xc3,            /* je  +0x70, ret */
  /* 30 into       */ [0x30] = 0xeb, 0x11,                  /* jmp +0x43, inside pipe_read */
  /* 40 pipe_read  */ [0x40] = 0x85, 0xc0, 0x90, 0x31, 0xc0, 0xc3,
  /* 50 pipe_write.cold */ [0x50] = 0x0f, 0x0b,
  /* 60 twin.cold  */ [0x60] = 0x90, 0x0f, 0x0b,
  /* 70 twin.cold  */ [0x70] = 0x0f, 0x0b,
  /* 80 vmap       */ [0x80] = 0xc3,
};

static const char kallsyms[] =
  "ffffffff81000000 T _stext\n"
  "ffffffff81000000 t pipe_write\n"
  "ffffffff81000000 T pipe_alias\n"
  "ffffffff81000010 t twin\n"
  "ffffffff81000020 t twin\n"
  "ffffffff81000030 t into\n"
  "ffffffff81000038 t __pfx_pipe_read\n"
  "ffffffff81000040 t pipe_read\n"
  "ffffffff81000050 t pipe_write.cold\n"
  "ffffffff81000060 t twin.cold\n"
  "ffffffff81000070 t twin.cold\n"
  "ffffffff81000080 T vmap\n"
  "ffffffff81000090 T _etext\n";

typedef struct {
  GilkImage     *image;
  GilkFunctions *functions;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkSymbols) symbols = gilk_symbols_new_parse (kallsyms, strlen (kallsyms), &error);

  g_assert_no_error (error);
  f->image = gilk_image_new_static (symbols, BASE, text, sizeof text, NULL, 0);
  f->functions = gilk_functions_new (f->image);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  gilk_functions_unref (f->functions);
  gilk_image_unref (f->image);
}

static void
test_parts (Fixture *f, gconstpointer data)
{
  guint count;
  const GilkFunction *all = gilk_functions_all (f->functions, &count);

  /* The six functions are pipe_write (named by its global alias), two named twin, into, pipe_read,
   * and vmap. */
  g_assert_cmpuint (count, ==, 6);
  g_assert_cmpstr (all[0].name, ==, "pipe_alias");
  g_assert_cmpuint (all[0].n_aliases, >=, 1);
  g_assert_cmphex (all[0].hot.end, ==, BASE + 0x10);
  g_assert_cmphex (all[0].cold.start, ==, BASE + 0x50);
  g_assert_cmphex (all[0].cold.end, ==, BASE + 0x60);

  /* each of two functions with the same name gets the cold part to which it jumps */
  g_assert_cmphex (all[1].cold.start, ==, BASE + 0x60);
  g_assert_cmphex (all[2].cold.start, ==, BASE + 0x70);

  g_assert_cmphex (all[3].hot.end, ==, BASE + 0x38);
  g_assert_cmpuint (all[5].refusal, ==, GILK_REFUSAL_OWN_PATH);
  g_assert_true (gilk_functions_at (f->functions, BASE + 0x61) == &all[1]);
  g_assert_true (gilk_functions_at (f->functions, BASE + 0x4f) == &all[4]);
  g_assert_null (gilk_functions_at (f->functions, BASE + 0x3a));
  g_assert_null (gilk_functions_at (f->functions, BASE - 1));
}

static void
test_inbound (Fixture *f, gconstpointer data)
{
  g_autoptr(GilkDecoder) decoder = gilk_decoder_new ();
  g_autoptr(GilkCfg) cfg = NULL;
  guint count;
  const uint64_t *inbound = gilk_functions_inbound (f->functions, 0, UINT64_MAX, &count);

  g_assert_cmpuint (count, ==, 1);
  g_assert_cmphex (inbound[0], ==, BASE + 0x43);

  /* The jump from another function starts a block. */
  cfg = gilk_cfg_new (f->functions, gilk_functions_at (f->functions, BASE + 0x40), decoder, NULL);
  g_assert_cmpuint (cfg->n_blocks, ==, 2);
  g_assert_cmpint (gilk_cfg_block_at (cfg, BASE + 0x43), ==, 1);
}

/* Checks that the functions are found by the names that the error message @message suggests. */
static void
test_remedy (Fixture *f, const char *message)
{
  g_autoptr(GRegex) words = g_regex_new ("(\\S+) \\((0x[0-9a-f]+)\\)", 0, 0, NULL);
  g_autoptr(GMatchInfo) match = NULL;
  guint n = 0;

  for (g_regex_match (words, message, 0, &match); g_match_info_matches (match);
       g_match_info_next (match, NULL), n++)
    {
      g_autofree char *word = g_match_info_fetch (match, 1), *address = g_match_info_fetch (match, 2);
      const GilkFunction *found = gilk_functions_lookup (f->functions, word, NULL);
      g_autofree char *name = NULL;

      g_assert_nonnull (found);
      g_assert_cmphex (found->hot.start, ==, g_ascii_strtoull (address, NULL, 16));
      name = gilk_functions_name (f->functions, found);
      g_assert_true (gilk_functions_lookup (f->functions, name, NULL) == found);
    }
  g_assert_cmpuint (n, >=, 2);
}

static void
assert_matches (Fixture *f, const char *pattern, const char *names)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) found = gilk_locate_matches (f->functions, pattern, &error);
  g_autoptr(GString) list = g_string_new (NULL);

  g_assert_no_error (error);
  for (guint i = 0; i < found->len; i++)
    {
      g_autofree char *name = gilk_functions_name (f->functions, g_ptr_array_index (found, i));

      g_string_append_printf (list, "%s%s", i > 0 ? " " : "", name);
    }
  g_assert_cmpstr (list->str, ==, names);
}

/* Tests that a pattern finds functions by each of their names and by module, also those that cannot
 * be hooked, and that a function's name is not a pattern. */
static void
test_match (Fixture *f, gconstpointer data)
{
  g_autoptr(GError) error = NULL;

  assert_matches (f, "pipe_*", "pipe_alias pipe_read");
  assert_matches (f, "*_write", "pipe_alias");
  assert_matches (f, "tw?n", "twin@1 twin@2");
  assert_matches (f, "kernel:*ma?", "vmap");
  assert_matches (f, "v* [ker*]", "vmap");
  assert_matches (f, "ext4:*", "");
  assert_matches (f, "*.cold", "");
  assert_matches (f, "*", "pipe_alias twin@1 twin@2 into pipe_read vmap");
  assert_matches (f, "v*", "vmap");
  g_assert_null (gilk_locate_matches (f->functions, "tw?n@2", &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
  g_clear_error (&error);
  g_assert_null (gilk_locate_matches (f->functions, "user:*", &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
  g_assert_false (gilk_locate_is_pattern (f->functions, "user:/a*b:main.(*Conn).Close"));
  g_assert_true (gilk_locate_is_pattern (f->functions, "pipe_*"));
  g_assert_false (gilk_locate_is_pattern (f->functions, "pipe_write"));
}

/* Tests that functions of one name are numbered, including those that no longer exist, and that a
 * name without a number is accepted if only one of its functions still exists. */
static void
test_gone (Fixture *f, gconstpointer data)
{
  GilkFunction *twin = f->functions->all + 2;

  g_assert_null (gilk_functions_lookup (f->functions, "twin", NULL));
  twin->refusal = GILK_REFUSAL_INIT;
  g_assert_true (gilk_functions_lookup (f->functions, "twin", NULL) == twin - 1);
  g_assert_true (gilk_functions_lookup (f->functions, "twin@2", NULL) == twin);
  twin[-1].refusal = GILK_REFUSAL_INIT;
  g_assert_null (gilk_functions_lookup (f->functions, "twin", NULL));
}

/* Tests that a function that the compiler renamed is found by its name in the source, and that a
 * part of a function is not. */
static void
test_variants (void)
{
  static const char symbols_text[] =
    "ffffffff81000000 T _stext\nffffffff81000000 t alone.isra.0\nffffffff81000010 t many.isra.0\n"
    "ffffffff81000020 t many.constprop.0\nffffffff81000030 t piece.part.0\nffffffff81000040 t deep.constprop.1.isra.0\n"
    "ffffffff81000050 t whole\nffffffff81000060 t whole.isra.0\nffffffff81000090 T _etext\n";
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkSymbols) symbols = gilk_symbols_new_parse (symbols_text, strlen (symbols_text), &error);
  g_autoptr(GilkImage) image = gilk_image_new_static (symbols, BASE, text, sizeof text, NULL, 0);
  g_autoptr(GilkFunctions) functions = gilk_functions_new (image);

  g_assert_cmpstr (gilk_functions_lookup (functions, "alone", NULL)->name, ==, "alone.isra.0");
  g_assert_cmpstr (gilk_functions_lookup (functions, "kernel:alone", NULL)->name, ==, "alone.isra.0");
  g_assert_cmpstr (gilk_functions_lookup (functions, "deep", NULL)->name, ==, "deep.constprop.1.isra.0");
  g_assert_cmpstr (gilk_functions_lookup (functions, "whole", NULL)->name, ==, "whole");
  g_assert_null (gilk_functions_lookup (functions, "many", &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_AMBIGUOUS);
  g_assert_nonnull (strstr (error->message, "many.constprop.0 or kernel:many.isra.0"));
  g_clear_error (&error);
  g_assert_null (gilk_functions_lookup (functions, "piece", &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_null (gilk_functions_lookup (functions, "alon", &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND);
}

static void
test_lookup (Fixture *f, gconstpointer data)
{
  g_autoptr(GError) error = NULL;
  const GilkFunction *write = gilk_functions_at (f->functions, BASE);

  g_assert_true (gilk_functions_lookup (f->functions, "pipe_write", NULL) == write);
  g_assert_true (gilk_functions_lookup (f->functions, "pipe_alias", NULL) == write);
  g_assert_true (gilk_functions_lookup (f->functions, "pipe_write [kernel]", NULL) == write);
  g_assert_true (gilk_functions_lookup (f->functions, "kernel:pipe_write", NULL) == write);
  g_assert_true (gilk_functions_lookup (f->functions, "0xffffffff81000052", NULL) == write);

  /* If several names are given, the first that exists is found; a name that two functions have is
   * ambiguous. */
  g_assert_true (gilk_functions_lookup (f->functions, "anon_pipe_write|pipe_write", NULL) == write);
  g_assert_true (gilk_functions_lookup (f->functions, "pipe_write|pipe_read", NULL) == write);
  g_assert_true (gilk_function_is_named ("anon_pipe_write|pipe_write", "pipe_write"));
  g_assert_true (gilk_function_is_named ("f [ext4]", "f [ext4]"));
  g_assert_false (gilk_function_is_named ("anon_pipe_write|pipe_write", "write"));
  g_assert_null (gilk_functions_lookup (f->functions, "twin|pipe_write", &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_AMBIGUOUS);
  g_clear_error (&error);
  g_assert_null (gilk_functions_lookup (f->functions, "none|pipe_wirte", &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "did you mean pipe_write"));
  g_clear_error (&error);
  g_assert_null (gilk_functions_lookup (f->functions, "|", &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_null (gilk_functions_lookup (f->functions, "", &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND);
  g_clear_error (&error);
  g_assert_null (gilk_functions_lookup (f->functions, "write", &error));
  g_assert_nonnull (strstr (error->message, "did you mean pipe_write"));
  g_clear_error (&error);

  g_assert_null (gilk_functions_lookup (f->functions, "pipe_wirte", &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "did you mean pipe_write"));
  g_clear_error (&error);

  g_assert_null (gilk_functions_lookup (f->functions, "twin", &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_AMBIGUOUS);
  g_assert_nonnull (strstr (error->message, "0xffffffff81000010"));
  test_remedy (f, error->message);
  g_clear_error (&error);

  g_assert_null (gilk_functions_lookup (f->functions, "0x1234", &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND);
  g_clear_error (&error);

  g_assert_null (gilk_functions_lookup (f->functions, "ext4:pipe_write", &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND);
}

static void
test_find (Fixture *f, gconstpointer data)
{
  g_autoptr(GArray) all = gilk_functions_find (f->functions, "", 10);
  g_autoptr(GArray) pieces = gilk_functions_find (f->functions, "pipe_re", 10);
  g_autoptr(GArray) scattered = gilk_functions_find (f->functions, "prd", 10);
  g_autoptr(GArray) glob = gilk_functions_find (f->functions, "pipe_*", 10);
  g_autoptr(GArray) one = gilk_functions_find (f->functions, "pipe_*", 1);
  g_autoptr(GArray) none = gilk_functions_find (f->functions, "xyz", 10);
  const GilkMatch *match;

  g_assert_cmpuint (all->len, ==, 6);
  g_assert_cmpuint (glob->len, ==, 2);
  g_assert_cmpuint (one->len, ==, 1);
  g_assert_cmpuint (none->len, ==, 0);

  match = &g_array_index (pieces, GilkMatch, 0);
  g_assert_cmpstr (match->function->name, ==, "pipe_read");
  g_assert_cmphex (match->matched, ==, 0x7f);

  match = &g_array_index (scattered, GilkMatch, 0);
  g_assert_cmpstr (match->function->name, ==, "pipe_read");
  g_assert_cmphex (match->matched, ==, 0x121);
}

/* Tests that calls and tail calls are found, and that a jump to the function's own start is a loop,
 * not a call. */
static void
test_calls (void)
{
  static const uint8_t code[0x30] = {
    [0x00] = 0xe8, 0x0b, 0, 0, 0, 0xe8, 0x06, 0, 0, 0, 0xe9, 0x11, 0, 0, 0,      /* a: call b, call b, jmp c */
    [0x10] = 0xe8, 0xeb, 0xff, 0xff, 0xff, 0xeb, 0xf9, 0xc3,                     /* b: call a, jmp b: a loop */
    [0x20] = 0xc3,
  };
  static const char symbols_text[] = "ffffffff81000000 T _stext\nffffffff81000000 t a\nffffffff81000010 t b\n"
                                     "ffffffff81000020 t c\nffffffff81000030 T _etext\n";
  g_autoptr(GilkSymbols) symbols = gilk_symbols_new_parse (symbols_text, strlen (symbols_text), NULL);
  g_autoptr(GilkImage) image = gilk_image_new_static (symbols, BASE, code, sizeof code, NULL, 0);
  g_autoptr(GilkFunctions) functions = gilk_functions_new (image);
  g_autoptr(GilkCallGraph) calls = gilk_call_graph_new (functions, NULL, NULL, NULL);
  const GilkFunction *a = gilk_functions_lookup (functions, "a", NULL), *b = gilk_functions_lookup (functions, "b", NULL);
  g_autoptr(GArray) callees = gilk_call_graph_partners (calls, a, FALSE, NULL);
  g_autoptr(GArray) callers = gilk_call_graph_partners (calls, b, TRUE, NULL);
  g_autoptr(GArray) of_b = gilk_call_graph_partners (calls, b, FALSE, NULL);

  g_assert_cmpuint (callees->len, ==, 2);
  g_assert_true (g_array_index (callees, GilkCallPartner, 0).function == b);
  g_assert_cmpuint (g_array_index (callees, GilkCallPartner, 0).n, ==, 2);
  g_assert_cmphex (g_array_index (callees, GilkCallPartner, 0).site, ==, BASE);
  g_assert_cmpuint (g_array_index (callees, GilkCallPartner, 1).n_tail, ==, 1);
  g_assert_cmpuint (callers->len, ==, 1);
  g_assert_true (g_array_index (callers, GilkCallPartner, 0).function == a);
  g_assert_cmpuint (of_b->len, ==, 1);
}

/* main calls f and printk; f calls g and printk; g calls f; 250 other functions call printk. */
#define N_OTHERS 250

static GilkFunctions *
make_hub (void)
{
  g_autoptr(GString) symbols_of = g_string_new ("ffffffff81000000 T _stext\n");
  g_autofree uint8_t *code = g_malloc0 (16 * (N_OTHERS + 8));
  guint n = N_OTHERS + 4;
  const struct { guint from, to[2]; guint n; } calls[] = { { 0, { 1, 3 }, 2 }, { 1, { 2, 3 }, 2 }, { 2, { 1 }, 1 } };
  g_autoptr(GilkSymbols) symbols = NULL;
  g_autoptr(GilkImage) image = NULL;

  memset (code, 0xc3, 16 * n);
  for (guint i = 0; i < n; i++)
    {
      static const char *const named[] = { "main", "f", "g", "printk" };
      g_autofree char *name = i < 4 ? g_strdup (named[i]) : g_strdup_printf ("other%u", i);
      guint k = 0;

      g_string_append_printf (symbols_of, "%llx t %s\n", BASE + 16 * i, name);
      for (guint c = 0; c < G_N_ELEMENTS (calls); c++)
        for (guint t = 0; calls[c].from == i && t < calls[c].n; t++, k++)
          {
            gint32 by = (gint32) (16 * calls[c].to[t]) - (gint32) (16 * i + 5 * k + 5);

            code[16 * i + 5 * k] = 0xe8;
            memcpy (&code[16 * i + 5 * k + 1], &by, 4);
          }
      if (i >= 4)
        {
          gint32 by = 16 * 3 - (gint32) (16 * i + 5);

          code[16 * i] = 0xe8;
          memcpy (&code[16 * i + 1], &by, 4);
        }
    }
  g_string_append_printf (symbols_of, "%llx T _etext\n", BASE + 16 * n);
  symbols = gilk_symbols_new_parse (symbols_of->str, symbols_of->len, NULL);
  image = gilk_image_new_static (symbols, BASE, code, 16 * n, NULL, 0);

  return gilk_functions_new (image);
}

static int
find_node (const GilkCallAround *around, const char *name)
{
  for (guint i = 0; i < around->n_nodes; i++)
    if (around->nodes[i].more == 0 && strcmp (around->nodes[i].function->name, name) == 0)
      return (int) i;

  return -1;
}

/* Tests that in the call graph around a function, callees with very many callers are not expanded,
 * and are left out below the first level; a cycle is shown once. */
static void
test_around (void)
{
  g_autoptr(GilkFunctions) functions = make_hub ();
  g_autoptr(GilkCallGraph) calls = gilk_call_graph_new (functions, NULL, NULL, NULL);
  const GilkFunction *start = gilk_functions_lookup (functions, "main", NULL), *hub = gilk_functions_lookup (functions, "printk", NULL);
  const GilkIndirectCall through = { start, gilk_functions_lookup (functions, "other9", NULL), 0, 77 };
  g_autoptr(GArray) seen = g_array_new (FALSE, FALSE, sizeof (GilkIndirectCall));
  const GilkAroundOptions deep = { .up = 1, .down = 3, .seen = seen }, back = { .up = 2, .limit = 4 };
  g_autoptr(GilkCallAround) around = NULL, of_hub = gilk_call_around_new (calls, hub, &back);
  guint n_back = 0, n_more = 0;

  g_array_append_val (seen, through);
  around = gilk_call_around_new (calls, start, &deep);
  g_assert_cmpuint (gilk_call_graph_n_callers (calls, hub), ==, N_OTHERS + 2);
  g_assert_cmpint (find_node (around, "main"), ==, 0);
  g_assert_cmpint (around->nodes[find_node (around, "g")].level, ==, 2);
  g_assert_cmpint (find_node (around, "printk"), >, 0);
  g_assert_cmpint (find_node (around, "other9"), >, 0);
  for (guint i = 0; i < around->n_edges; i++)
    {
      n_back += around->edges[i].back;
      g_assert_cmpuint (around->edges[i].seen, ==, (int) around->edges[i].to == find_node (around, "other9") ? 77 : 0);
    }
  g_assert_cmpuint (n_back, ==, 1);

  for (guint i = 0; i < of_hub->n_nodes; i++)
    n_more += of_hub->nodes[i].more;
  g_assert_cmpuint (n_more, ==, N_OTHERS + 2 - 4);
}

static void
test_names (void)
{
  g_assert_cmpuint (gilk_function_cold_base ("foo.cold"), ==, 3);
  g_assert_cmpuint (gilk_function_cold_base ("foo.isra.0.cold.12"), ==, 10);
  g_assert_cmpuint (gilk_function_cold_base ("foo.coldish"), ==, 0);
  g_assert_cmpuint (gilk_function_cold_base ("foo.cold."), ==, 0);
  g_assert_cmpuint (gilk_function_cold_base (".cold"), ==, 0);

  g_assert_cmpuint (gilk_function_name_refusal ("notify_die", "kernel"), ==,
                    GILK_REFUSAL_OWN_PATH);
  g_assert_cmpuint (gilk_function_name_refusal ("on_each_cpu_cond_mask", "kernel"), ==,
                    GILK_REFUSAL_OWN_PATH);
  g_assert_cmpuint (gilk_function_name_refusal ("__SCT__might_resched", "kernel"), ==,
                    GILK_REFUSAL_THUNK);
  g_assert_cmpuint (gilk_function_name_refusal ("ilk_open", "ilk"), ==, GILK_REFUSAL_OWN_PATH);
  g_assert_cmpuint (gilk_function_name_refusal ("bpf_prog_1", "bpf"), ==,
                    GILK_REFUSAL_GENERATED);
  g_assert_cmpuint (gilk_function_name_refusal ("vmap_page_range", "kernel"), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/function/names", test_names);
  g_test_add_func ("/function/calls", test_calls);
  g_test_add_func ("/function/around", test_around);
  g_test_add ("/function/parts", Fixture, NULL, set_up, test_parts, tear_down);
  g_test_add ("/function/inbound", Fixture, NULL, set_up, test_inbound, tear_down);
  g_test_add ("/function/match", Fixture, NULL, set_up, test_match, tear_down);
  g_test_add ("/function/gone", Fixture, NULL, set_up, test_gone, tear_down);
  g_test_add_func ("/function/variants", test_variants);
  g_test_add ("/function/lookup", Fixture, NULL, set_up, test_lookup, tear_down);
  g_test_add ("/function/find", Fixture, NULL, set_up, test_find, tear_down);

  return g_test_run ();
}
