/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instrument-new.h - a folder with an instrument that works, to begin from
 */
#pragma once

#include "cli/cli.h"

G_BEGIN_DECLS

/**
 * cli_instrument_new:
 * @name: as it will be bound: [a-z][a-z0-9-]*
 * Makes a folder @name with NAME.c, Kbuild, Makefile and dkms.conf. What is there already is not touched, and is an
 * error; on failure nothing is left.
 */
gboolean cli_instrument_new    (Cli *cli, const char *name, GError **error);
/* Is @folder one that it made? Else an error that says how to make one. */
gboolean cli_instrument_folder (const char *folder, GError **error);

G_END_DECLS
