/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lab-script.h - lab/lab, which alone knows what a lab is
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Its path; NULL: it is part of Gilk's source, which is not here. (transfer full) */
char    *cli_lab_script (void);

/**
 * cli_lab:
 * @words: of lab/lab, NULL-terminated
 * @output: (out) (optional): what it printed, without the last line's end. Free it
 * What it says of its progress goes to standard error. Ends with @cancellable.
 * Returns: FALSE if it failed; why is on standard error
 */
gboolean cli_lab        (const char *const *words, char **output, GCancellable *cancellable, GError **error);

G_END_DECLS
