/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-meaning.c - guesses whether the numbers of a field are identifiers, from the field's name
 */
#include "core/base/gilk-meaning.h"

gboolean
gilk_meaning_is_identifier (const char *name,
                            const char *unit)
{
  static const char *const names[] = { "pid", "tid", "tgid", "ppid", "uid", "gid", "cpu", "node", "inode", "ino", "dev", "fd",
                                       "irq", "vector", "port", "sport", "dport", "family", "proto", "protocol", "state", "type",
                                       "kind", "flags", "cgroup", "context", "id", "nr", "syscall", "errno", NULL };
  static const char *const ends[] = { "_id", "_pid", "_tid", "_cpu", "_nr", "_fd", "_flags", "_state", "_type", "_addr", "_ptr",
                                      "_port" };

  if (unit != NULL && *unit != '\0')
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++)
    if (g_str_has_suffix (name, ends[i]))
      return TRUE;

  return g_strv_contains (names, name);
}
