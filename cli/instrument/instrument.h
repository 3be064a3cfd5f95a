/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instrument.h - creates an instrument's folder, for "gilk instrument new"
 */
#pragma once

#include "cli/base/cli.h"

/**
 * cli_instrument_new:
 * @name: name of the instrument: [a-z][a-z0-9-]*.
 * Creates a folder @name with NAME.c, Kbuild, Makefile and dkms.conf. Fails if anything of that
 * name exists. On failure removes the files that it created.
 */
gboolean cli_instrument_new    (Cli *cli, const char *name, GError **error);
/* Checks that "gilk instrument new" created @folder; else the error says how to create one. */
gboolean cli_instrument_folder (const char *folder, GError **error);
