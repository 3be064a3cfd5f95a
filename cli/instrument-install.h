/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instrument-install.h - an instrument of one's own, for the kernel of this machine
 */
#pragma once

#include "cli/cli.h"

G_BEGIN_DECLS

/**
 * cli_instrument_install:
 * @folder: as "gilk instrument new" made it
 * Builds it, by DKMS for this kernel and later ones where that is there and builds the driver, else for this
 * one; puts it where gilkd looks. What only root may do is done through sudo or pkexec.
 */
gboolean cli_instrument_install (Cli *cli, const char *folder, GError **error);
/* Undoes it. */
gboolean cli_instrument_remove  (Cli *cli, const char *folder, GError **error);

G_END_DECLS
