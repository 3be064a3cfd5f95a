/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-lab.c - reads the list of running labs from the script's output
 */
#include <glib/gstdio.h>

#include "core/link/gilk-lab.h"
#include "tests/unit/own-path.h"

static char *
script_that (const char *says)
{
  char *path = own_path ("lab-script");
  g_autofree char *text = g_strdup_printf ("#!/bin/sh\n[ \"$*\" = status ] || exit 1\n%s\n", says);
  g_autoptr(GError) error = NULL;

  g_assert_true (g_file_set_contents_full (path, text, -1, G_FILE_SET_CONTENTS_NONE, 0700, &error));
  g_setenv ("GILK_LAB", path, TRUE);

  return path;
}

static void
expect_labs (const char *says,
             const char *names)
{
  g_autofree char *path = script_that (says), *joined = NULL;
  g_auto(GStrv) running = gilk_lab_list_running ();

  joined = g_strjoinv (" ", running);
  g_assert_cmpstr (joined, ==, names);
  g_remove (path);
}

static void
test_running (void)
{
  expect_labs ("echo 'NAME FLAVOUR RELEASE STATE'; echo 'a 6.1 6.1.0 up'; echo 'b 6.1 6.1.0 booting'; echo 'c-2 sid 7.3 up  '", "a c-2");
  expect_labs ("echo 'NAME FLAVOUR RELEASE STATE'", "");
  expect_labs ("echo 'lab: no' >&2; exit 1", "");
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lab/running", test_running);

  return g_test_run ();
}
