/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * debug-locals.c - counts how many of a function's variables can be located by debug data, and in
 * how many bytes of the function's code; measures the cost of a lookup
 *
 *   debug-locals FILE FUNCTION:BYTES...
 *
 * Prints one line per function: the number of variables of each kind, summed over all bytes of
 * code; the time in ms of the first query and of all queries; and the KiB of memory that is not
 * mapped from the file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/debug/gilk-dwarf.h"

#define AT UINT64_C (0xffffffff81000000)      /* load address of each function */

static long
get_own_memory (void)
{
  g_autofree char *status = NULL;
  const char *at;

  g_file_get_contents ("/proc/self/status", &status, NULL, NULL);
  at = status != NULL ? strstr (status, "RssAnon:") : NULL;

  return at != NULL ? atol (at + strlen ("RssAnon:")) : 0;
}

static void
measure_file (const char *path, const char *what)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkDwarf) dwarf = gilk_dwarf_open (path, NULL, NULL, &error);
  g_auto(GStrv) parts = g_strsplit (what, ":", 2);
  guint kinds[GILK_DWARF_COMPUTED + 1] = { 0 }, bytes = parts[1] != NULL ? (guint) atoi (parts[1]) : 0;
  gint64 begin, first = 0;

  if (dwarf == NULL || !gilk_dwarf_set_bias (dwarf, parts[0], AT))
    {
      printf ("%s: %s\n", parts[0], error != NULL ? error->message : "no such symbol");
      return;
    }
  begin = g_get_monotonic_time ();
  for (guint i = 0; i < bytes; i++)
    {
      g_autoptr(GArray) lines = gilk_dwarf_lines (dwarf, AT + i);
      g_autoptr(GArray) variables = gilk_dwarf_variables (dwarf, AT + i);

      for (guint k = 0; k < variables->len; k++)
        kinds[g_array_index (variables, GilkDwarfVariable, k).kind]++;
      if (i == 0)
        first = g_get_monotonic_time () - begin;
    }
  printf ("function=%s bytes=%u value=%u memory=%u gone=%u parts=%u computed=%u first_ms=%.0f all_ms=%.0f kib=%ld\n", parts[0],
          bytes, kinds[GILK_DWARF_VALUE], kinds[GILK_DWARF_MEMORY], kinds[GILK_DWARF_OPTIMIZED_OUT], kinds[GILK_DWARF_PARTS],
          kinds[GILK_DWARF_COMPUTED], (double) first / 1e3, (double) (g_get_monotonic_time () - begin) / 1e3, get_own_memory ());
}

int
main (int argc, char **argv)
{
  for (int i = 2; i < argc; i++)
    measure_file (argv[1], argv[i]);

  return 0;
}
