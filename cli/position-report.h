/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * position-report.h - reports and judges the effect of a new code layout
 */
#pragma once

#include "cli/position.h"

G_BEGIN_DECLS

/* Judges by counts alone, before anything is changed. NULL: it may help; else an identifier of the
 * reason, and a sentence in @why. */
const char *cli_position_hopeless (const CliPositions *positions, const char **why);
/* Judges by the measurements. NULL: no harm was found; else as above. */
const char *cli_position_harmful  (const CliPositions *positions, const char **why);
/* Shows functions, figures of both layouts, durations. */
void        cli_position_show     (const CliPositions *positions);
/* @word: "kept", "nothing-to-gain", "slower" */
void        cli_position_verdict  (const CliPositions *positions, const char *word, const char *why, double kept_s);

G_END_DECLS
