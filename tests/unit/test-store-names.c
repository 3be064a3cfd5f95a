/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-store-names.c - what is written out in SQL is what the code says
 */
#include <string.h>

#include "core/emit/gilk-inline.h"
#include "core/store/gilk-store-private.h"

/* SQL spells the inline instruments out, and schema and reader alike. */
static void
test_inline_names (void)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "../../data/schema.sql", NULL);
  g_autoptr(GString) names = g_string_new ("h.instrument IN (");
  g_autofree char *schema = NULL;
  guint n;
  const GilkInline *all = gilk_inlines (&n);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (names, "%s'%s'", i > 0 ? ", " : "", all[i].name);
  g_string_append_c (names, ')');
  g_assert_true (g_file_get_contents (path, &schema, NULL, NULL));
  g_assert_nonnull (strstr (schema, names->str));
  g_assert_nonnull (strstr (GILK_HITS_KNOWN, names->str));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/store/inline-names", test_inline_names);

  return g_test_run ();
}
