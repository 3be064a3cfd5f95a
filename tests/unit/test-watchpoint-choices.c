/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-watchpoint-choices.c - completes a watchpoint's target: variables, per-CPU variables,
 * members, functions
 */
#include <string.h>

#include "core/bind/gilk-point-complete.h"
#include "tests/unit/btf-fixture.h"

#define BASE 0xffffffff81000000ull

static const char kallsyms[] =
  "0000000000000000 A __per_cpu_start\n"
  "0000000000001000 A softnet_data\n"
  "0000000000002000 A __per_cpu_end\n"
  "ffffffff81000000 T _stext\n"
  "ffffffff81000000 T tick_jiffies\n"
  "ffffffff81000100 T jiffies_read\n"
  "ffffffff81000200 T _etext\n"
  "ffffffff82000000 D jiffies_64\n"
  "ffffffff82000008 d jiffies_lock\n"
  "ffffffff82000010 R jiffies_names\n"
  "ffffffff82000020 r __func__.jiffies\n"
  "ffffffff82001000 D __init_begin\n"
  "ffffffff82001010 d jiffies_setup\n"
  "ffffffff82002000 D __init_end\n"
  "ffffffffc0401000 t jiffies_mod\t[clocks]\n"
  "ffffffffc0403000 d jiffies_seen\t[clocks]\n"
  "ffffffffc0403010 d jiffies_seen\t[clocks]\n";

typedef struct {
  GilkImage     *image;
  GilkFunctions *functions;
} Kernel;

static void
kernel_begin (Kernel *kernel)
{
  static uint8_t text[0x200];
  g_autoptr(GilkSymbols) symbols = gilk_symbols_new_parse (kallsyms, strlen (kallsyms), NULL);
  g_autoptr(BtfFile) file = btf_file_new ();
  g_autoptr(GilkBtf) btf = NULL;
  g_autoptr(GError) error = NULL;
  g_autoptr(GBytes) bytes = NULL;
  guint number = btf_int (file, "unsigned int", 4, 0);
  guint list = btf_struct (file, "list_head", 16, { "next", number, 0 }, { "prev", number, 64 });

  btf_struct (file, "softnet", 32, { "poll_list", list, 0 }, { "processed", number, 128 }, { "process_queue", number, 160 });
  memset (text, 0xc3, sizeof text);
  g_assert_nonnull (symbols);
  kernel->image = gilk_image_new_static (symbols, BASE, text, sizeof text, NULL, 0);
  kernel->functions = gilk_functions_new (kernel->image);
  bytes = btf_bytes (file);
  btf = gilk_btf_new (bytes, NULL, &error);
  g_assert_no_error (error);
  gilk_types_set_for_tests (gilk_image_types (kernel->image), NULL, btf);
}

static void
kernel_end (Kernel *kernel)
{
  gilk_functions_unref (kernel->functions);
  gilk_image_unref (kernel->image);
}

static const GilkWatchpointChoice *
get_choice (GPtrArray *choices, guint i)
{
  g_assert_cmpuint (i, <, choices->len);

  return g_ptr_array_index (choices, i);
}

/* Tests that variables that are never written come last; symbols that are not variables, or were
 * freed after boot, are left out. */
static void
test_variables (void)
{
  static const char *const expected[] = { "jiffies_64", "jiffies_lock", "jiffies_seen [clocks]", "jiffies_names" };
  Kernel kernel;
  g_autoptr(GPtrArray) choices = NULL;

  kernel_begin (&kernel);
  choices = gilk_watchpoint_choices (kernel.image, "jiffies", 100, NULL);
  g_assert_cmpuint (choices->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    g_assert_cmpstr (get_choice (choices, i)->text, ==, expected[i]);
  g_assert_cmpuint (get_choice (choices, 0)->matched, ==, 0x7f);
  g_assert_false (get_choice (choices, 0)->per_cpu);
  g_clear_pointer (&choices, g_ptr_array_unref);

  choices = gilk_watchpoint_choices (kernel.image, "jiffies", 2, NULL);
  g_assert_cmpuint (choices->len, ==, 2);
  g_clear_pointer (&choices, g_ptr_array_unref);

  choices = gilk_watchpoint_choices (kernel.image, "sftdt", 100, NULL);
  g_assert_cmpuint (choices->len, ==, 1);
  g_assert_true (get_choice (choices, 0)->per_cpu);
  g_clear_pointer (&choices, g_ptr_array_unref);
  kernel_end (&kernel);
}

static void
test_members (void)
{
  static const char *const expected[] = { "poll_list", "processed", "process_queue" };
  Kernel kernel;
  g_autoptr(GPtrArray) choices = NULL;

  kernel_begin (&kernel);
  choices = gilk_watchpoint_choices (kernel.image, "(struct softnet) softnet_data.", 100, NULL);
  g_assert_cmpuint (choices->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autofree char *whole = g_strconcat ("(struct softnet) softnet_data.", expected[i], NULL);

      g_assert_cmpstr (get_choice (choices, i)->text, ==, whole);
    }
  g_assert_cmpstr (get_choice (choices, 0)->note, ==, "struct list_head");
  g_clear_pointer (&choices, g_ptr_array_unref);

  choices = gilk_watchpoint_choices (kernel.image, "(struct softnet) softnet_data.poll_list.pr", 100, NULL);
  g_assert_cmpuint (choices->len, ==, 1);
  g_assert_cmpstr (get_choice (choices, 0)->text, ==, "(struct softnet) softnet_data.poll_list.prev");
  g_clear_pointer (&choices, g_ptr_array_unref);
  kernel_end (&kernel);
}

static void
test_types (void)
{
  Kernel kernel;
  g_autoptr(GPtrArray) choices = NULL, plain = NULL;

  kernel_begin (&kernel);
  choices = gilk_watchpoint_choices (kernel.image, "(struct so", 100, NULL);
  g_assert_cmpuint (choices->len, ==, 1);
  g_assert_cmpstr (get_choice (choices, 0)->text, ==, "(struct softnet) ");
  plain = gilk_watchpoint_choices (kernel.image, "(unsi", 100, NULL);
  g_assert_cmpstr (get_choice (plain, 0)->text, ==, "(unsigned int) ");
  g_clear_pointer (&plain, g_ptr_array_unref);
  plain = gilk_watchpoint_choices (kernel.image, "(struct softnet) softn", 100, NULL);
  g_assert_cmpuint (plain->len, ==, 1);
  g_assert_cmpstr (get_choice (plain, 0)->text, ==, "(struct softnet) softnet_data");
  g_assert_cmpuint (get_choice (plain, 0)->matched, ==, 0x1full << strlen ("(struct softnet) "));
  kernel_end (&kernel);
}

/* Tests that incomplete or invalid text gets no completions. */
static void
test_nothing (void)
{
  static const char *const texts[] = { "", ".", "..", "(", "(nothing", "(struct softnet)", "(struct nothing) softnet_data.", "0xffffffff82000000",
                                       "0xffffffff82000000.x", "softnet_data.", "softnet_data[", "jiffies_64.x", "\xff\xfe", " ", "xyz" };
  Kernel kernel;

  kernel_begin (&kernel);
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr(GPtrArray) choices = gilk_watchpoint_choices (kernel.image, texts[i], 100, NULL);
      g_autoptr(GPtrArray) code = gilk_watchpoint_code_choices (kernel.functions, texts[i], 100);

      g_assert_cmpuint (choices->len, ==, 0);
      g_assert_nonnull (code);
    }
  kernel_end (&kernel);
}

static void
test_code (void)
{
  Kernel kernel;
  g_autoptr(GPtrArray) choices = NULL, none = NULL;

  kernel_begin (&kernel);
  choices = gilk_watchpoint_code_choices (kernel.functions, "jiff", 100);
  g_assert_cmpuint (choices->len, >=, 2);
  g_assert_cmpstr (get_choice (choices, 0)->text, ==, "jiffies_read");
  none = gilk_watchpoint_code_choices (kernel.functions, "tick_jiffies+0x1", 100);
  g_assert_cmpuint (none->len, ==, 0);
  kernel_end (&kernel);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/watch-choices/variables", test_variables);
  g_test_add_func ("/watch-choices/members", test_members);
  g_test_add_func ("/watch-choices/types", test_types);
  g_test_add_func ("/watch-choices/nothing", test_nothing);
  g_test_add_func ("/watch-choices/code", test_code);

  return g_test_run ();
}
