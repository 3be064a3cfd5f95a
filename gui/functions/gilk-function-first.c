/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-function-first.c - functions shown first in the full list
 */
#include "gui/functions/gilk-function-first.h"

#include <string.h>

/* Well-known entry points into the kernel. "|" separates the names in different kernels. */
static const char *const known_names[] = {
  "vfs_read", "vfs_write", "do_sys_openat2|do_sys_open", "pipe_write|anon_pipe_write", "pipe_read|anon_pipe_read", "tcp_sendmsg",
  "tcp_v4_rcv", "ip_rcv", "try_to_wake_up", "handle_mm_fault", "submit_bio_noacct", "do_syscall_64",
};

static void
collect_first (const GilkFunctionMarks *marks,
               GilkFunctions           *functions,
               GHashTable              *first)
{
  for (guint i = 0; i < marks->recent->len; i++)
    g_hash_table_add (first, marks->recent->pdata[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (known_names); i++)
    {
      const GilkFunction *function = gilk_functions_lookup (functions, known_names[i], NULL);

      if (function != NULL && function->refusal == 0)
        g_hash_table_add (first, (gpointer) function);
    }
}

void
gilk_function_first_promote (const GilkFunctionMarks *marks,
                             GilkFunctions           *functions,
                             GilkFound               *found)
{
  g_autoptr(GHashTable) first = g_hash_table_new (g_direct_hash, g_direct_equal);
  g_autofree guint *others = g_new (guint, found->n_rows + 1);
  guint n = 0, n_others = 0;

  collect_first (marks, functions, first);
  for (guint i = 0; i < found->n_rows; i++)
    if (g_hash_table_contains (first, gilk_finder_row (marks->finder, found->rows[i], NULL)))
      found->rows[n++] = found->rows[i];
    else
      others[n_others++] = found->rows[i];
  memcpy (found->rows + n, others, n_others * sizeof *others);
}
