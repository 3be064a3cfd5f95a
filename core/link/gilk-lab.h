/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-lab.h - controls labs, and reads their state, through the lab script and its files
 *
 * A lab is a virtual machine that outlives the process that booted it. It can be queried and
 * stopped without a connection, and the console log of its kernel can be read after the lab has
 * ended.
 *
 * Threads: any. gilk_lab_list_running() and gilk_lab_stop() block on the script, which takes some
 * 100 ms. Outputs are untouched on failure.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the name of the lab that @spec selects: NAME of "lab:NAME", the default lab for "lab";
 * NULL if @spec is not a lab. */
const char *gilk_lab_name       (const char *spec);
/* Returns the path of the script, lab/lab. (transfer full) */
char       *gilk_lab_script     (GError **error);
/* Returns the directory with the lab's sockets and log, which need not exist: see lab/lib.sh. (transfer
 * full) */
char       *gilk_lab_folder     (const char *name);
/* Returns the last message in @text, the output of the script, without the message's prefix and
 * full stop. (transfer full) */
char       *gilk_lab_error_text (const char *text);

/* Returns the names of running labs; none if the script fails. (transfer full) */
char   **gilk_lab_list_running   (void);
/* Returns whether the lab's virtual machine runs, including while it boots. */
gboolean gilk_lab_is_running      (const char *name);
/* Returns whether the lab's clock counts instructions (icount). Idle time of such a lab does not
 * take real time. */
gboolean gilk_lab_counts_instructions (const char *name);
/* Returns up to @max bytes from the end of the lab's console log, as whole lines of valid UTF-8,
 * even after the machine's end. (transfer full) (nullable) */
char    *gilk_lab_console_tail (const char *name, gsize max);
/* Returns the most informative line of @log: the first line of a panic or BUG, else the last line.
 * (transfer full) */
char    *gilk_lab_key_line (const char *log);
/* Returns gilk_lab_key_line() of the console log if @spec is a lab whose machine has died.
 * (transfer full) (nullable) */
char    *gilk_lab_cause_of_death   (const char *spec);
/* Stops the lab's virtual machine, even if clients are connected to it. */
gboolean gilk_lab_stop      (const char *name, GError **error);

G_END_DECLS
