/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * target.h - chooses the target of a command without --target
 */
#pragma once

#include "cli/base/cli.h"

G_BEGIN_DECLS

/*
 * Must be called before connecting to cli->target. If neither --target nor $GILK_TARGET is given,
 * chooses the target that was named last, or a running lab, and notes it. Fails if there is
 * neither: no lab is booted for this.
 */
gboolean cli_choose_default_target (Cli *cli, GError **error);
/* Remembers cli->target for later commands, if --target named it. */
void     cli_remember_target       (const Cli *cli);

G_END_DECLS
