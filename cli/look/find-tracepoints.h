/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * find-tracepoints.h - lists tracepoints with their arguments, for gilk find
 */
#pragma once

#include "cli/base/kernel.h"

G_BEGIN_DECLS

/* Lists the tracepoints that match @pattern, which starts with "tracepoint:". @limit: maximum number; 0: no
 * limit */
gboolean cli_find_tracepoints (Cli *cli, const CliKernel *kernel, const char *pattern, guint limit, GError **error);

G_END_DECLS
