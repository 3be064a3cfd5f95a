/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instrument.h - the parts of "gilk instrument"
 */
#pragma once

#include "cli/base/cli.h"

G_BEGIN_DECLS

/* ---- instrument-install ---- */

/**
 * cli_instrument_install:
 * @folder: created by "gilk instrument new"
 * Builds the module, with DKMS for this and later kernels if DKMS builds the driver, else for this
 * kernel only, and installs it where gilkd finds it. Uses sudo or pkexec for what only root may do.
 */
gboolean cli_instrument_install (Cli *cli, const char *folder, GError **error);
/* Removes the installed module. */
gboolean cli_instrument_remove  (Cli *cli, const char *folder, GError **error);

/* ---- instrument-new ---- */

/**
 * cli_instrument_new:
 * @name: name of the instrument: [a-z][a-z0-9-]*
 * Creates a folder @name with NAME.c, Kbuild, Makefile and dkms.conf. Fails if anything of that
 * name exists; on failure nothing is left.
 */
gboolean cli_instrument_new    (Cli *cli, const char *name, GError **error);
/* Checks that "gilk instrument new" created @folder; else the error says how to create one. */
gboolean cli_instrument_folder (const char *folder, GError **error);

/* ---- instrument-test ---- */

/**
 * cli_instrument_test:
 * @folder: created by "gilk instrument new"
 * @hook: point to hook, such as FUNCTION@ANCHOR:pre
 * @duration: "5s"
 * Boots the target lab if necessary, builds the module for its kernel, loads it, records at @hook
 * while files are read there, reports the result, and unloads the module. Fails if the hook was not
 * hit, if a hit was not accounted for, or if the kernel logged a problem.
 */
gboolean cli_instrument_test (Cli *cli, const char *folder, const char *hook, const char *duration, GError **error);

G_END_DECLS
