/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instrument-test.h - tests an instrument of the user's own in the lab
 */
#pragma once

#include "cli/base/cli.h"

G_BEGIN_DECLS

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
