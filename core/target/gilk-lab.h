/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-lab.h - labs, as the script that makes them knows them
 *
 * A lab is a virtual machine that outlives who booted it, so that it can be asked for and ended
 * without a connection, and what its kernel said can be read when there is none any more.
 *
 * Threads: any; all but gilk_lab_name() block, on a script that takes some 20 ms. Outputs are untouched on failure.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Of "lab:NAME"; of "lab" the preset one. NULL: @spec is no lab. */
const char *gilk_lab_name      (const char *spec);
/* The script, lab/lab. (transfer full) */
char       *gilk_lab_script    (GError **error);
/* Where its sockets and its log are. (transfer full) */
char       *gilk_lab_folder    (const char *script, const char *name, GError **error);
/* The script's last complaint in @text without its name and full stop. (transfer full) */
char       *gilk_lab_complaint (const char *text);

/* Names of those that are up, as the script lists them; none if it cannot be asked. (transfer full) */
char      **gilk_lab_running   (void);
/* Is its machine there, up or on its way up? */
gboolean    gilk_lab_runs      (const char *name);
/* Is its clock the number of instructions that ran, so that an idle second there takes no time here? */
gboolean    gilk_lab_counts_instructions (const char *name);
/* The last @max bytes of what its kernel wrote on the console, whole lines of valid UTF-8; also when
 * the machine is gone. (transfer full) (nullable) */
char       *gilk_lab_last_said (const char *name, gsize max);
/* The line of it that tells most: the first of a panic or a BUG, else the last. (transfer full) */
char       *gilk_lab_telling_line (const char *log);
/* That line, if @spec is of a lab whose machine has died. (transfer full) (nullable) */
char       *gilk_lab_died_of   (const char *spec);
/* Ends the machine, whoever is connected. */
gboolean    gilk_lab_stop      (const char *name, GError **error);

G_END_DECLS
