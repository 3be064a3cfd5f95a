/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-run-lines.c - stores source lines of a run's addresses when the run ends
 *
 * The debug data are on the client; when the session is read they may be gone, or of another
 * kernel.
 */
#include "core/run/gilk-run-private.h"

#include "core/store/gilk-store-names.h"

#define LOCATIONS_MAX (1u << 14)          /* per run: parsing a line's unit may take a while */

void
gilk_run_store_line (GilkRun *run,
                     uint64_t address,
                     gboolean returns)
{
  g_autoptr(GArray) found = NULL;
  GilkStoreLine lines[GILK_LINES_DEEP];
  guint n = 0;

  if (run->n_lines >= LOCATIONS_MAX)
    return;
  found = gilk_debug_lines (gilk_image_debug (run->image), address - (returns ? 1 : 0), NULL, NULL);
  run->n_lines++;
  for (guint i = 0; found != NULL && i < MIN (found->len, GILK_LINES_DEEP); i++)
    {
      const GilkDwarfLine *line = &g_array_index (found, GilkDwarfLine, i);

      if (line->file == NULL || line->line == 0)
        break;
      lines[n++] = (GilkStoreLine) { line->function, line->file, line->line };
    }
  gilk_store_add_lines (run->store, run->run, address, lines, n, NULL);
}

void
gilk_run_store_lines (GilkRun *run)
{
  g_autoptr(GArray) hooks = gilk_store_hooks (run->store, run->run, NULL);

  for (guint i = 0; hooks != NULL && i < hooks->len; i++)
    gilk_run_store_line (run, g_array_index (hooks, GilkStoredHook, i).addr, FALSE);
}
