/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instrument-install.h - installs an instrument of the user's own for this machine's kernel
 */
#pragma once

#include "cli/base/cli.h"

G_BEGIN_DECLS

/**
 * cli_instrument_install:
 * @folder: created by "gilk instrument new"
 * Builds the module, with DKMS for this and later kernels if DKMS builds the driver, else for this
 * kernel only, and installs it where gilkd finds it. Uses sudo or pkexec for what only root may do.
 */
gboolean cli_instrument_install (Cli *cli, const char *folder, GError **error);
/* Removes the installed module. */
gboolean cli_instrument_remove  (Cli *cli, const char *folder, GError **error);

G_END_DECLS
