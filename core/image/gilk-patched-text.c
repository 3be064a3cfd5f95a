/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-patched-text.c - reads the other owners of patched kernel text: kprobes and users of
 * ftrace sites
 *
 * A line is "ffffffff81234567  k  vfs_read+0x0  [DISABLED][OPTIMIZED][FTRACE]" (kernel/kprobes.c,
 * report_probe()).
 */
#include "core/image/gilk-text-owners.h"

#include <string.h>

#include "core/base/gilk-array.h"

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

GILK_DEFINE_ORDER (compare_kprobes, GilkKprobe, addr)

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

/*
 * Reads the users of a function's ftrace site from tracefs.
 *
 * A line is "cmdline_proc_show (1)  I  \ttramp: 0xffffffffc04aa000 (klp_ftrace_handler+0x0/0x110)
 * ->…", with the number of callbacks and flags: R saves registers, I may change the instruction
 * pointer, D is called directly and named in a further line,
 * "\tdirect-->bpf_trampoline_6442522591+0x0/0x1000" (kernel/trace/ftrace.c, t_show()). Names of a
 * module's functions are followed by " [module]".
 */

static gboolean
has_flag (const char *behind, char flag)
{
  const char *close = strchr (behind, ')');

  for (const char *c = close != NULL ? close + 1 : ""; *c != '\0' && *c != '\t'; c++)
    if (*c == flag)
      return TRUE;

  return FALSE;
}

/* Returns the kinds of users that are named in a line and in the further lines that belong to it.
 * Flag I alone does not prove a livepatch: kprobes with a post-handler have this flag, too. */
static GilkFtraceUsers
get_users (const char *behind, const char *more)
{
  const gboolean kprobe = strstr (behind, "kprobe_ftrace_handler") != NULL;
  const gboolean livepatch = strstr (behind, "klp_ftrace_handler") != NULL || (has_flag (behind, 'I') && !kprobe);
  const gboolean bpf = has_flag (behind, 'D') && (strstr (more, "bpf_trampoline_") != NULL || strstr (behind, "bpf_trampoline_") != NULL);
  const guint64 count = g_ascii_strtoull (behind, NULL, 10), known = (guint64) kprobe + livepatch + bpf;

  return (kprobe ? GILK_FTRACE_USER_KPROBE : 0) | (livepatch ? GILK_FTRACE_USER_LIVEPATCH : 0) |
         (bpf ? GILK_FTRACE_USER_BPF : 0) | (known == 0 || count > known ? GILK_FTRACE_USER_OTHER : 0);
}

GilkFtraceUsers
gilk_ftrace_users_parse (const char *text,
                         gsize       length,
                         const char *name,
                         const char *module)
{
  g_autofree char *copy = g_strndup (text, length);
  g_autofree char *head = module != NULL ? g_strdup_printf ("%s [%s] (", name, module) : g_strdup_printf ("%s (", name);
  g_auto(GStrv) lines = g_strsplit (copy, "\n", -1);
  GilkFtraceUsers users = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autoptr(GString) more = NULL;
      GilkFtraceUsers here;

      if (!g_str_has_prefix (lines[i], head))
        continue;
      more = g_string_new (NULL);
      for (guint k = i + 1; lines[k] != NULL && lines[k][0] == '\t'; k++)
        g_string_append (more, lines[k]);
      here = get_users (lines[i] + strlen (head), more->str);
      users = users == 0 || users == here ? here : GILK_FTRACE_USER_OTHER;
    }

  return users;
}

GilkFtraceUsers
gilk_ftrace_users_read (GilkTarget   *target,
                        const char   *name,
                        const char   *module,
                        GCancellable *cancellable)
{
  gsize length = 0;
  g_autofree char *text = gilk_target_file (target, GILK_FILE_ENABLED, &length, cancellable, NULL);
  GilkFtraceUsers users = text != NULL ? gilk_ftrace_users_parse (text, length, name, module) : 0;

  return users != 0 ? users : GILK_FTRACE_USER_OTHER;
}
