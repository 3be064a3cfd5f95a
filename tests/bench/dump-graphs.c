/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dump-graphs.c - writes the graphs of a live kernel as text, and measures the cost of making them
 *
 *   dump-graphs TARGET DIRECTORY
 *
 * Scans all functions of TARGET, prints "key value" lines, and writes for the scripts in this
 * folder:
 *
 *   text     u64 start, u64 length, bytes; for each part of a function
 *   sites    kind address other
 *   graphs   F name start end cold-start cold-end refusal, then for that function
 *            lines "i" (starts of instructions) and "b" (starts of blocks), addresses in hex
 *   targets  "noreturn|return|indirect address": kind and address of each function that is the
 *            target of a call or jump
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/gilk-refusal.h"
#include "core/cfg/gilk-scan.h"

#define ROUNDS 5

typedef struct {
  FILE       *graphs, *targets;
  GilkImage  *image;
  GHashTable *seen;         /* targets already written */
} Dump;

static double
cpu_seconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double) now.tv_sec + (double) now.tv_nsec * 1e-9;
}

static long
get_peak_kib (void)
{
  g_autofree char *status = NULL;
  const char *line;

  if (!g_file_get_contents ("/proc/self/status", &status, NULL, NULL))
    return 0;
  line = strstr (status, "VmHWM:");
  return line ? atol (line + strlen ("VmHWM:")) : 0;
}

static void
exit_with_error (const char *what, GError *error)
{
  fprintf (stderr, "dump-graphs: %s: %s\n", what, error ? error->message : "failed");
  exit (1);
}

static FILE *
open_file (const char *directory, const char *name)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);
  FILE *file = fopen (path, "wb");

  if (file == NULL)
    exit_with_error (path, NULL);
  return file;
}

static void
print_target (Dump *dump, uint64_t addr)
{
  const char *kind = gilk_image_is_noreturn (dump->image, addr) ? "noreturn" :
                     gilk_image_is_return_thunk (dump->image, addr) ? "return" :
                     gilk_image_is_indirect_thunk (dump->image, addr) ? "indirect" : NULL;

  if (kind != NULL && g_hash_table_add (dump->seen, GSIZE_TO_POINTER (addr)))
    fprintf (dump->targets, "%s %" G_GINT64_MODIFIER "x\n", kind, addr);
}

static void
write_graph (const GilkCfg *cfg, gpointer user_data)
{
  Dump *dump = user_data;
  const GilkFunction *f = cfg->function;

  fprintf (dump->graphs, "F %s %" G_GINT64_MODIFIER "x %" G_GINT64_MODIFIER "x %"
           G_GINT64_MODIFIER "x %" G_GINT64_MODIFIER "x %s\ni", f->name, f->hot.start,
           f->hot.end, f->cold.start, f->cold.end, gilk_refusal_name (cfg->refusal));
  for (guint i = 0; i < cfg->n_insns; i++)
    {
      fprintf (dump->graphs, " %" G_GINT64_MODIFIER "x", cfg->insns[i].addr);
      if (cfg->insns[i].target)
        print_target (dump, cfg->insns[i].target);
    }
  fputs ("\nb", dump->graphs);
  for (guint i = 0; i < cfg->n_blocks; i++)
    fprintf (dump->graphs, " %" G_GINT64_MODIFIER "x", cfg->blocks[i].start);
  fputc ('\n', dump->graphs);
}

static void
write_part (FILE *text, GilkImage *image, const GilkRange *range)
{
  uint64_t head[2] = { range->start, range->end - range->start };
  const uint8_t *bytes;

  if (range->start == 0)
    return;
  bytes = gilk_image_bytes (image, head[0], head[1], NULL);
  if (bytes == NULL)
    return;
  fwrite (head, sizeof head, 1, text);
  fwrite (bytes, 1, head[1], text);
}

static void
write_tables (const char *directory, GilkImage *image, GilkFunctions *functions)
{
  static const char *const kinds[] = { "extable", "bug", "warn", "key", "static-call", "fentry" };
  FILE *sites_file = open_file (directory, "sites"), *text = open_file (directory, "text");
  guint count;
  const GilkSite *sites = gilk_image_sites (image, 0, UINT64_MAX, &count);
  const GilkFunction *all;

  for (guint i = 0; i < count; i++)
    fprintf (sites_file, "%s %" G_GINT64_MODIFIER "x %" G_GINT64_MODIFIER "x\n",
             kinds[sites[i].kind], sites[i].addr, sites[i].other);

  all = gilk_functions_all (functions, &count);
  for (guint i = 0; i < count; i++)
    if (all[i].refusal != GILK_REFUSAL_INIT && all[i].refusal != GILK_REFUSAL_GENERATED)
      {
        write_part (text, image, &all[i].hot);
        write_part (text, image, &all[i].cold);
      }

  fclose (sites_file);
  fclose (text);
}

/* Returns the median duration of several scans. Each scan finds all functions and makes their
 * graphs. */
static double
measure_scan (GilkImage *image, GilkScan *scan)
{
  double times[ROUNDS];

  for (guint i = 0; i < ROUNDS; i++)
    {
      g_autoptr(GError) error = NULL;
      double before = cpu_seconds (), now;
      g_autoptr(GilkFunctions) functions = gilk_functions_new (image);
      guint at = i;

      if (!gilk_scan (functions, NULL, NULL, scan, NULL, NULL, &error))
        exit_with_error ("scan", error);
      now = cpu_seconds () - before;
      for (; at > 0 && times[at - 1] > now; at--)
        times[at] = times[at - 1];
      times[at] = now;
    }

  return times[ROUNDS / 2];
}

static void
print_figures (double seconds, const GilkScan *scan)
{
  printf ("cpu-seconds %.4f\npeak-kib %ld\nfunctions %u\nrefused %u\nblocks %u\nedges %u\n"
          "insns %u\nbytes %" G_GUINT64_FORMAT "\nshort-blocks %u\n", seconds, get_peak_kib (),
          scan->functions, scan->refused, scan->blocks, scan->edges, scan->insns,
          scan->bytes, scan->short_blocks);
  for (guint i = 1; i < G_N_ELEMENTS (scan->by_refusal); i++)
    if (scan->by_refusal[i])
      printf ("refused-%s %u\n", gilk_refusal_name (i), scan->by_refusal[i]);
}

int
main (int argc, char **argv)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GilkTarget) target = NULL;
  g_autoptr(GilkImage) image = NULL;
  g_autoptr(GilkFunctions) functions = NULL;
  GilkScan scan;
  double seconds;
  Dump dump;

  if (argc != 3)
    {
      fputs ("usage: dump-graphs TARGET DIRECTORY\n", stderr);
      return 2;
    }

  target = gilk_target_open (argv[1], NULL, NULL, &error);
  if (target == NULL)
    exit_with_error (argv[1], error);
  image = gilk_image_open (target, NULL, NULL, &error);
  if (image == NULL || !gilk_image_load_all (image, NULL, NULL, &error))
    exit_with_error ("text", error);

  seconds = measure_scan (image, &scan);
  print_figures (seconds, &scan);

  functions = gilk_functions_new (image);
  dump = (Dump) { open_file (argv[2], "graphs"), open_file (argv[2], "targets"), image,
                  g_hash_table_new (NULL, NULL) };
  if (!gilk_scan (functions, write_graph, &dump, NULL, NULL, NULL, &error))
    exit_with_error ("scan", error);
  fclose (dump.graphs);
  fclose (dump.targets);
  g_hash_table_unref (dump.seen);
  write_tables (argv[2], image, functions);
  return 0;
}
