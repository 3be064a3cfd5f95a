/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * target.h - the target of a command that was given none
 */
#pragma once

#include "cli/cli.h"

G_BEGIN_DECLS

/*
 * Must be called before cli->target is connected to. Where neither --target nor $GILK_TARGET named one, it becomes the
 * one that was named last, or a lab that is up, and is said; no lab is booted for that, so it may also fail.
 */
gboolean cli_settle_target   (Cli *cli, GError **error);
/* Has later commands go to cli->target, if --target named it. */
void     cli_remember_target (const Cli *cli);

G_END_DECLS
