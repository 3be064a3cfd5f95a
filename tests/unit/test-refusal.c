/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-refusal.c - tests that every refusal and error code has a name and sentences
 *
 * The driver's enum grows independently of the table: every number of the enum must have a
 * sentence before a user can see the number.
 */
/* Promise: Named refusals: every refusal has a name, a cause and a remedy */
#include <gio/gio.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-refusal.h"

static gboolean
is_sentence (const char *text)
{
  return g_ascii_isupper (text[0]) && g_str_has_suffix (text, ".") && !strchr (text, '\n');
}

static void
check_refusal (GHashTable *names,
               guint       refusal)
{
  const char *name = gilk_refusal_name (refusal);

  g_assert_cmpstr (name, !=, "unknown");
  g_assert_true (g_hash_table_add (names, g_strdup (name)));
  for (const char *c = name; *c != '\0'; c++)
    g_assert_true (g_ascii_islower (*c) || *c == '-');
  g_assert_true (is_sentence (gilk_refusal_cause (refusal)));
  g_assert_true (is_sentence (gilk_refusal_remedy (refusal)));
}

/* Ranges of refusal numbers; all numbers from first to last are in use. */
static const struct {
  guint first, last;
} ranges[] = {
  { ILK_REFUSAL_NONE, ILK_REFUSAL_SMP_LOCK },
  { ILK_REFUSAL_LIVEPATCH, ILK_REFUSAL_LIVEPATCH },
  { ILK_REFUSAL_TOO_LARGE, ILK_REFUSAL_TOO_LARGE },
  { GILK_BPF_REFUSED_WATCH_SLOTS, GILK_BPF_REFUSED_WATCH_DENIED },
  { GILK_REFUSAL_UNDECODABLE, GILK_REFUSAL_BREAKPOINT },
  { GILK_REFUSAL_FENTRY, GILK_REFUSAL_NOT_RELOCATABLE },
  { GILK_REFUSAL_UACCESS, GILK_REFUSAL_STACK_UNKNOWN },
  { GILK_REFUSAL_NO_ROOM, GILK_REFUSAL_NO_ROOM },
  { GILK_REFUSAL_CLONE_NEVER_RETURNS, GILK_REFUSAL_CLONE_TRACED },
  { GILK_REFUSAL_CLONE_MIXED, GILK_REFUSAL_CLONE_MIXED },
  { GILK_REFUSAL_LIVE_BYTES, GILK_REFUSAL_LIVE_BYTES },
  { GILK_REFUSAL_LEAVES_EARLY, GILK_REFUSAL_LEAVES_EARLY },
};

static void
test_every_refusal (void)
{
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint range = 0; range < G_N_ELEMENTS (ranges); range++)
    for (guint i = ranges[range].first; i <= ranges[range].last; i++)
      check_refusal (names, i);
}

/* Tests that the name of a refusal can be found by its sentence, so that other programs get the
 * name. */
static void
test_told (void)
{
  for (guint i = GILK_REFUSAL_CLONE_NEVER_RETURNS; i <= GILK_REFUSAL_CLONE_TRACED; i++)
    {
      g_autofree char *text = g_strdup_printf ("pipe_write+0x2 cannot be hooked: %s %s",
                                               gilk_refusal_cause (i), gilk_refusal_remedy (i));

      g_assert_cmpuint (gilk_refusal_in_text (text), ==, i);
    }
  g_assert_cmpuint (gilk_refusal_in_text ("The disk is full."), ==, 0);
}

static void
test_unknown_refusal (void)
{
  g_assert_cmpstr (gilk_refusal_name (9999), ==, "unknown");
  g_assert_true (is_sentence (gilk_refusal_cause (9999)));
  g_assert_true (is_sentence (gilk_refusal_remedy (9999)));
}

static void
test_exit_codes (void)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);

  g_assert_cmpint (gilk_error_exit_code (NULL), ==, 0);
  for (int code = 0; code <= GILK_ERROR_CANCELLED; code++)
    {
      g_autoptr (GError) error = g_error_new (GILK_ERROR, code, "x");
      int exit_code = gilk_error_exit_code (error);

      g_assert_cmpint (exit_code, >, 0);
      g_assert_cmpint (exit_code, <=, 130);
      g_assert_true (g_hash_table_add (seen, GINT_TO_POINTER (exit_code)));
      g_assert_cmpstr (gilk_error_code_name (code), !=, "unknown");
    }
  g_assert_cmpstr (gilk_error_code_name (99), ==, "unknown");
}

static void
test_foreign_errors (void)
{
  g_autoptr (GError) cancelled = g_error_new (G_IO_ERROR, G_IO_ERROR_CANCELLED, "x");
  g_autoptr (GError) other = g_error_new (G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "x");

  g_assert_cmpint (gilk_error_exit_code (cancelled), ==, 130);
  g_assert_cmpint (gilk_error_exit_code (other), ==, 1);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/refusal/every", test_every_refusal);
  g_test_add_func ("/refusal/unknown", test_unknown_refusal);
  g_test_add_func ("/refusal/told", test_told);
  g_test_add_func ("/error/exit-codes", test_exit_codes);
  g_test_add_func ("/error/foreign", test_foreign_errors);

  return g_test_run ();
}
