/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lab-script.h - runs lab/lab, which manages the labs
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Returns the path of lab/lab, or NULL: only Gilk's source tree contains it. (transfer full) */
char    *cli_lab_script (void);

/**
 * cli_lab:
 * @words: arguments of lab/lab, NULL-terminated
 * @output: (out) (optional) (transfer full): its standard output, without the last newline.
 * Progress goes to standard error. Ends when @cancellable is cancelled.
 * Returns: FALSE if it failed; the reason is on standard error
 */
gboolean cli_lab        (const char *const *words, char **output, GCancellable *cancellable, GError **error);

G_END_DECLS
