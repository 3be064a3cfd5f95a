/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-function.c - functions from symbols: parts, aliases, look-up, search
 */
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"
#include "core/cfg/gilk-call-graph.h"
#include "core/cfg/gilk-cfg.h"
#include "core/cfg/gilk-function-private.h"

#define BASE 0xffffffff81000000ull

/* Offsets are those of the symbols below. */
static const uint8_t text[0x90] = {
  /* 00 pipe_write */ 0x75, 0x4e, 0xc3,                     /* jne +0x50, ret */
  /* 10 twin a     */ [0x10] = 0x74, 0x4f, 0xc3,            /* je  +0x61, ret */
  /* 20 twin b     */ [0x20] = 0x74, 0x4e, 0xc3,            /* je  +0x70, ret */
  /* 30 into       */ [0x30] = 0xeb, 0x11,                  /* jmp +0x43: inside pipe_read */
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

  /* pipe_write (named by its global alias), twin, twin, into, pipe_read, vmap */
  g_assert_cmpuint (count, ==, 6);
  g_assert_cmpstr (all[0].name, ==, "pipe_alias");
  g_assert_cmpuint (all[0].n_aliases, >=, 1);
  g_assert_cmphex (all[0].hot.end, ==, BASE + 0x10);
  g_assert_cmphex (all[0].cold.start, ==, BASE + 0x50);
  g_assert_cmphex (all[0].cold.end, ==, BASE + 0x60);

  /* each of two equal names gets the cold part it jumps into */
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

  /* the jump from elsewhere starts a block */
  cfg = gilk_cfg_new (f->functions, gilk_functions_at (f->functions, BASE + 0x40), decoder, NULL);
  g_assert_cmpuint (cfg->n_blocks, ==, 2);
  g_assert_cmpint (gilk_cfg_block_at (cfg, BASE + 0x43), ==, 1);
}

/* What the message says to say instead is what finds them. */
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

/* A name is of the function that is there, its number counts all. */
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

  /* The first that there is, of several names; one of two functions is none of them. */
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

/* One that jumps to a function's beginning from elsewhere would be there; these go into the middle. */
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
  g_autoptr(GArray) callees = gilk_call_graph_partners (calls, a, FALSE);
  g_autoptr(GArray) callers = gilk_call_graph_partners (calls, b, TRUE);
  g_autoptr(GArray) of_b = gilk_call_graph_partners (calls, b, FALSE);

  g_assert_cmpuint (callees->len, ==, 2);
  g_assert_true (g_array_index (callees, GilkCallPartner, 0).function == b);
  g_assert_cmpuint (g_array_index (callees, GilkCallPartner, 0).n, ==, 2);
  g_assert_cmphex (g_array_index (callees, GilkCallPartner, 0).site, ==, BASE);
  g_assert_cmpuint (g_array_index (callees, GilkCallPartner, 1).n_tail, ==, 1);
  g_assert_cmpuint (callers->len, ==, 1);
  g_assert_true (g_array_index (callers, GilkCallPartner, 0).function == a);
  g_assert_cmpuint (of_b->len, ==, 1);
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
  g_test_add ("/function/parts", Fixture, NULL, set_up, test_parts, tear_down);
  g_test_add ("/function/inbound", Fixture, NULL, set_up, test_inbound, tear_down);
  g_test_add ("/function/gone", Fixture, NULL, set_up, test_gone, tear_down);
  g_test_add ("/function/lookup", Fixture, NULL, set_up, test_lookup, tear_down);
  g_test_add ("/function/find", Fixture, NULL, set_up, test_find, tear_down);

  return g_test_run ();
}
