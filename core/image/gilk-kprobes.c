/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-kprobes.c - reads the list of the kernel's own kprobes from debugfs
 *
 * A line is "ffffffff81234567  k  vfs_read+0x0  [DISABLED][OPTIMIZED][FTRACE]" (kernel/kprobes.c,
 * report_probe()).
 */
#include "core/image/gilk-text-owners.h"

#include <string.h>

#define JUMP_BYTES  5
#define PROBES_MAX 100000

static gboolean
parse_line (const char *line, GilkKprobe *probe)
{
  char *end;

  probe->addr = g_ascii_strtoull (line, &end, 16);
  if (end == line || *end != ' ' || probe->addr == 0)
    return FALSE;
  probe->disabled = strstr (end, "[DISABLED]") != NULL;
  probe->ftrace = strstr (end, "[FTRACE]") != NULL;
  probe->len = strstr (end, "[OPTIMIZED]") != NULL || probe->ftrace ? JUMP_BYTES : 1;

  return TRUE;
}

static int
compare_kprobes (gconstpointer a, gconstpointer b)
{
  const GilkKprobe *one = a, *other = b;

  return one->addr < other->addr ? -1 : one->addr > other->addr;
}

GArray *
gilk_kprobes_parse (const char *text,
                    gsize       length)
{
  GArray *probes = g_array_new (FALSE, FALSE, sizeof (GilkKprobe));
  g_autofree char *copy = g_strndup (text, length);
  g_auto(GStrv) lines = g_strsplit (copy, "\n", PROBES_MAX);

  for (guint i = 0; lines[i] != NULL; i++)
    {
      GilkKprobe probe;

      if (parse_line (lines[i], &probe))
        g_array_append_val (probes, probe);
    }
  g_array_sort (probes, compare_kprobes);

  return probes;
}

GArray *
gilk_kprobes_read (GilkTarget   *target,
                   GCancellable *cancellable)
{
  gsize length = 0;
  g_autofree char *text = gilk_target_file (target, GILK_FILE_KPROBES, &length, cancellable, NULL);

  return gilk_kprobes_parse (text != NULL ? text : "", length);
}

const GilkKprobe *
gilk_kprobes_at (const GArray *probes,
                 uint64_t      addr,
                 guint         length)
{
  for (guint i = 0; i < probes->len; i++)
    {
      const GilkKprobe *probe = &g_array_index (probes, GilkKprobe, i);

      if (probe->addr >= addr + length)
        break;
      if (addr < probe->addr + probe->len)
        return probe;
    }

  return NULL;
}
