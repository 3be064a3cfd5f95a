/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * position-report.h - what positioning is good for, told and judged
 */
#pragma once

#include "cli/position.h"

G_BEGIN_DECLS

/* By what was counted alone, before anything is changed. NULL: it may help; else a word and, through @why, a sentence. */
const char *cli_position_hopeless (const CliPositions *positions, const char **why);
/* With what was measured. NULL: nothing speaks against it; else as above. */
const char *cli_position_harmful  (const CliPositions *positions, const char **why);
/* Functions, figures before and after, times. */
void        cli_position_show     (const CliPositions *positions);
/* @word: "kept", "nothing-to-gain", "slower" */
void        cli_position_verdict  (const CliPositions *positions, const char *word, const char *why, double kept_s);

G_END_DECLS
