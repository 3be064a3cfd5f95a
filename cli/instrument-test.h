/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * instrument-test.h - an instrument of one's own, run in the lab
 */
#pragma once

#include "cli/cli.h"

G_BEGIN_DECLS

/**
 * cli_instrument_test:
 * @folder: as "gilk instrument new" made it
 * @hook: FUNCTION@ANCHOR:pre or the like, where it is to be hit
 * @duration: "5s"
 * Boots the lab that is the target if it is not up, builds the module for its kernel, loads it, records at @hook while
 * files are read there, tells what came of it, and takes the module out again. Fails if it was not
 * hit, if a hit was not accounted for, or if the kernel complained.
 */
gboolean cli_instrument_test (Cli *cli, const char *folder, const char *hook, const char *duration, GError **error);

G_END_DECLS
