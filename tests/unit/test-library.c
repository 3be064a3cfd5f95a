/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-library.c - libraries that are loaded when they are first needed
 */
#include <link.h>
#include <math.h>
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/base/gilk-library.h"
#include "core/capture/gilk-capture.h"

#define FUNCTIONS(F) F (floor) F (hypot)

FUNCTIONS (GILK_LIBRARY_POINTER)
static const GilkLibraryFunction functions[] = { FUNCTIONS (GILK_LIBRARY_ENTRY) };

static gpointer present_function, absent_function;
static const GilkLibraryFunction absent[] = { { "ceil", &present_function }, { "gilk_no_such_function", &absent_function } };

static void
test_is_called (void)
{
  g_autoptr(GError) error = NULL;

  for (guint i = 0; i < 2; i++)
    {
      g_assert_true (gilk_library_load ("libm.so.6", functions, G_N_ELEMENTS (functions), &error));
      g_assert_no_error (error);
      g_assert_cmpfloat (sym_floor (3.5), ==, 3);
      g_assert_cmpfloat (sym_hypot (3, 4), ==, 5);
    }
}

static void
test_missing_library (void)
{
  static gpointer address;
  const GilkLibraryFunction none[] = { { "floor", &address } };
  g_autoptr(GError) error = NULL;

  g_assert_false (gilk_library_load ("libgilk-absent.so.1", none, G_N_ELEMENTS (none), &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND);
  g_assert_nonnull (strstr (error->message, "libgilk-absent.so.1"));
  g_assert_null (address);
}

/* Fails at each call, not only at the first one. */
static void
test_missing_function (void)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr(GError) error = NULL;

      g_assert_false (gilk_library_load ("libm.so.6", absent, G_N_ELEMENTS (absent), &error));
      g_assert_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND);
      g_assert_nonnull (strstr (error->message, "gilk_no_such_function"));
    }
}

static int
find_pcap (struct dl_phdr_info *info, size_t size, void *found)
{
  if (strstr (info->dlpi_name, "libpcap") != NULL)
    *(gboolean *) found = TRUE;

  return 0;
}

static void
test_loaded_when_needed (void)
{
  g_autoptr(GilkCapture) capture = NULL;
  g_autoptr(GError) error = NULL;
  gboolean before = FALSE, after = FALSE;

  dl_iterate_phdr (find_pcap, &before);
  capture = gilk_capture_read ("/dev/null", NULL, NULL, &error);
  dl_iterate_phdr (find_pcap, &after);
  g_assert_null (capture);
  g_assert_false (before);
  g_assert_true (after);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/library/is-called", test_is_called);
  g_test_add_func ("/library/missing-library", test_missing_library);
  g_test_add_func ("/library/missing-function", test_missing_function);
  g_test_add_func ("/library/loaded-when-needed", test_loaded_when_needed);

  return g_test_run ();
}
