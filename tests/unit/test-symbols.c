/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-symbols.c - parses the symbol table, and looks up symbols
 */
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/image/gilk-symbols.h"

static const char kallsyms[] =
  "0000000000000000 A fixed_percpu_data\n"
  "ffffffff81000000 T _text\n"
  "ffffffff81000000 T _stext\n"
  "ffffffff81000000 t first\n"
  "ffffffff81000040 T __pi_second\n"
  "ffffffff81000040 T second\n"
  "ffffffff81000040 W second_alias\n"
  "ffffffff81000090 t twin\n"
  "ffffffff810000b0 t twin\n"
  "ffffffff81000100 T _etext\n"
  "ffffffff82000000 D some_data\n"
  "ffffffffc0001000 t mod_fn\t[mod]\n"
  "ffffffffc0001030 t twin\t[mod]\n"
  "ffffffffc0003000 d mod_data\t[mod]\n"
  "ffffffffc0100000 t bpf_prog_x\t[bpf]\n";

static GilkSymbols *
parse_symbols (const char *text)
{
  g_autoptr (GError) error = NULL;
  GilkSymbols *symbols = gilk_symbols_new_parse (text, strlen (text), &error);

  g_assert_no_error (error);
  return symbols;
}

/* Tests that symbols of init functions that ftrace keeps are ignored as stale: a function of
 * another module may now be at their address. */
static void
test_kept_by_ftrace (void)
{
  g_autoptr (GilkSymbols) symbols = parse_symbols (
    "ffffffff81000000 T _text\n"
    "ffffffffc0002010 T exported\t[mod]\n"
    "ffffffffc0002040 t own\t[mod]\n"
    "ffffffffc0003000 t of_other\t[other]\n"
    "ffffffffc0004000 t prog\t[bpf]\n"
    "ffffffffc0003000 T mod_init\t[mod]\n"
    "ffffffffc0002010 T other_init\t[other]\n");
  const GilkSymbol *symbol = gilk_symbols_at (symbols, 0xffffffffc0002010);

  g_assert_null (gilk_symbols_by_name (symbols, "mod_init", NULL));
  g_assert_null (gilk_symbols_by_name (symbols, "other_init", NULL));
  g_assert_cmpstr (symbol->name, ==, "exported");
  g_assert_cmpuint (symbol->size, ==, 0x30);
  g_assert_cmpstr (gilk_symbols_at (symbols, 0xffffffffc0003000)->name, ==, "of_other");
}

static void
test_lookup (void)
{
  g_autoptr (GilkSymbols) symbols = parse_symbols (kallsyms);
  const GilkSymbol *symbol;
  gboolean more;
  guint count;

  gilk_symbols_all (symbols, &count);
  g_assert_cmpuint (count, ==, 15);
  g_assert_cmpuint (gilk_symbols_n_modules (symbols), ==, 3);
  g_assert_cmpstr (gilk_symbols_module (symbols, 0), ==, "kernel");
  g_assert_cmpstr (gilk_symbols_module (symbols, 1), ==, "mod");

  symbol = gilk_symbols_by_name (symbols, "second", &more);
  g_assert_cmphex (symbol->addr, ==, 0xffffffff81000040);
  g_assert_cmpuint (symbol->size, ==, 0x50);
  g_assert_false (more);

  symbol = gilk_symbols_by_name (symbols, "twin", &more);
  g_assert_cmphex (symbol->addr, ==, 0xffffffff81000090);
  g_assert_true (more);
  symbol = gilk_symbols_by_name (symbols, "twin [mod]", &more);
  g_assert_cmphex (symbol->addr, ==, 0xffffffffc0001030);
  g_assert_false (more);
  g_assert_null (gilk_symbols_by_name (symbols, "twin [none]", &more));
  g_assert_null (gilk_symbols_by_name (symbols, "absent", NULL));
  g_assert_cmphex (gilk_symbols_address (symbols, "_etext"), ==, 0xffffffff81000100);
  g_assert_cmphex (gilk_symbols_address (symbols, "absent"), ==, 0);
}

static void
test_at (void)
{
  g_autoptr (GilkSymbols) symbols = parse_symbols (kallsyms);

  /* Order of symbols at one address: functions come before the linker's markers, globals come
   * before aliases of equal rank, and __pi_ names, which are used before relocation, come last. */
  g_assert_cmpstr (gilk_symbols_at (symbols, 0xffffffff81000000)->name, ==, "first");
  g_assert_cmpstr (gilk_symbols_at (symbols, 0xffffffff8100003f)->name, ==, "first");
  g_assert_cmpstr (gilk_symbols_at (symbols, 0xffffffff81000041)->name, ==, "second");
  g_assert_null (gilk_symbols_at (symbols, 0xffffffff80ffffff));
  g_assert_null (gilk_symbols_at (symbols, 0xffffffff82000000));
  g_assert_null (gilk_symbols_at (symbols, 0));
  g_assert_null (gilk_symbols_at (symbols, G_MAXUINT64));
  g_assert_cmpstr (gilk_symbols_at (symbols, 0xffffffffc0001031)->name, ==, "twin");
  /* A module's last function does not extend into its data. */
  g_assert_null (gilk_symbols_at (symbols, 0xffffffffc0002000));
}

static void
expect_error (const char *text,
              gsize       length,
              int         code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (gilk_symbols_new_parse (text, length, &error));
  g_assert_error (error, GILK_ERROR, code);
}

static void
test_hostile (void)
{
  static const char *const bad[] = {
    "x", "ffffffff81000000", "ffffffff81000000 ", "ffffffff81000000 T", "ffffffff81000000 T ",
    "ffffffff81000000 T \n", "ffffffff81000000T a\n", "ffffffff810000000 T a\n", "\n",
    "ffffffff81000000 T a b\n", "ffffffff81000000 T a\t\n", "ffffffff81000000 T a\t[\n",
    "ffffffff81000000 T a\t[]x\n", "ffffffff81000000 T a\tmod\n", "ffffffff81000000 \x01 a\n",
    "ffffffff81000000 T a\t[m] x\n",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    expect_error (bad[i], strlen (bad[i]), GILK_ERROR_FORMAT);
  expect_error ("", 0, GILK_ERROR_FORMAT);
  expect_error ("ffff\0ffff T a\n", 14, GILK_ERROR_FORMAT);
}

static void
test_hidden (void)
{
  const char *text = "0000000000000000 T a\n0000000000000000 T b\n";

  expect_error (text, strlen (text), GILK_ERROR_PERMISSION);
}

static void
assert_covers (GilkSymbols *symbols, uint64_t addr, const char *name)
{
  const GilkSymbol *symbol = gilk_symbols_covering (symbols, addr);

  g_assert_cmpstr (symbol != NULL ? symbol->name : NULL, ==, name);
}

/* Tests that the name of a section bound, such as _edata, is used only for its own address, and
 * only if no other symbol has that address. */
static void
test_covering (void)
{
  g_autoptr (GilkSymbols) symbols = parse_symbols (
    "ffffffff82000000 D _sdata\n"
    "ffffffff82000000 D __start_them\n"
    "ffffffff82000000 d one\n"
    "ffffffff82000010 d __two\n"
    "ffffffff82000010 D two\n"
    "ffffffff82000010 d alias\n"
    "ffffffff82000018 D const_task\n"
    "ffffffff82000018 d task\n"
    "ffffffff82000020 D __stop_them\n"
    "ffffffff82000030 D _edata\n"
    "ffffffff82000040 b last\n"
    "ffffffffc0001000 d mine\t[mod]\n"
    "ffffffffc0001010 r other\t[mod]\n");

  assert_covers (symbols, 0xffffffff81ffffff, NULL);
  assert_covers (symbols, 0xffffffff82000000, "one");
  assert_covers (symbols, 0xffffffff8200000f, "one");
  assert_covers (symbols, 0xffffffff82000010, "two");
  assert_covers (symbols, 0xffffffff82000017, "two");
  assert_covers (symbols, 0xffffffff82000018, "task");
  assert_covers (symbols, 0xffffffff82000020, "__stop_them");
  assert_covers (symbols, 0xffffffff82000021, NULL);
  assert_covers (symbols, 0xffffffff82000038, NULL);
  assert_covers (symbols, 0xffffffff82000040, "last");
  /* No symbol follows this one, so its length is unknown. */
  assert_covers (symbols, 0xffffffff82000041, NULL);
  assert_covers (symbols, 0xffffffffc000100f, "mine");
  assert_covers (symbols, 0xffffffffc0001011, NULL);
  assert_covers (symbols, 0xffffffffc0001010, "other");
}

/* Tests that a function may be named like a section bound, and keeps its name. */
static void
test_covering_code (void)
{
  g_autoptr (GilkSymbols) symbols = parse_symbols (
    "ffffffff81000000 T _stext\n"
    "ffffffff81000000 T first_start\n"
    "ffffffff81000100 t __start_timer\n"
    "ffffffff81000200 T kernel_fpu_end\n"
    "ffffffff81000300 t seq_stop\n"
    "ffffffff81000400 T read_begin\n"
    "ffffffff81000500 T __sched_text_start\n"
    "ffffffff81000500 T __schedule\n"
    "ffffffff81000600 T __sched_text_end\n"
    "ffffffff81000700 T _etext\n"
    "ffffffffc0001000 t mine_start\t[mod]\n"
    "ffffffffc0001100 t mine\t[mod]\n");

  assert_covers (symbols, 0xffffffff81000010, "first_start");
  assert_covers (symbols, 0xffffffff81000110, "__start_timer");
  assert_covers (symbols, 0xffffffff81000210, "kernel_fpu_end");
  assert_covers (symbols, 0xffffffff81000310, "seq_stop");
  assert_covers (symbols, 0xffffffff81000410, "read_begin");
  assert_covers (symbols, 0xffffffff81000510, "__schedule");
  assert_covers (symbols, 0xffffffff81000610, NULL);
  assert_covers (symbols, 0xffffffffc0001010, "mine_start");
}

/* Tests that truncated or corrupted text gives an error or a table, but no crash. */
static void
test_mutations (void)
{
  for (guint i = 0; i < 20000; i++)
    {
      g_autofree char *text = g_strdup (kallsyms);
      gsize length = g_test_rand_int_range (0, sizeof kallsyms);
      GilkSymbols *symbols;

      for (int k = g_test_rand_int_range (0, 4); k > 0 && length > 0; k--)
        text[g_test_rand_int_range (0, length)] = (char) g_test_rand_int_range (0, 256);
      symbols = gilk_symbols_new_parse (text, length, NULL);
      if (symbols == NULL)
        continue;
      gilk_symbols_at (symbols, 0xffffffff81000041);
      gilk_symbols_by_name (symbols, "twin [mod]", NULL);
      gilk_symbols_unref (symbols);
    }
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/symbols/lookup", test_lookup);
  g_test_add_func ("/symbols/kept-by-ftrace", test_kept_by_ftrace);
  g_test_add_func ("/symbols/at", test_at);
  g_test_add_func ("/symbols/covering", test_covering);
  g_test_add_func ("/symbols/covering-code", test_covering_code);
  g_test_add_func ("/symbols/hostile", test_hostile);
  g_test_add_func ("/symbols/hidden", test_hidden);
  g_test_add_func ("/symbols/mutations", test_mutations);

  return g_test_run ();
}
