/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * layout-report.h - reports and judges the effect of a new code layout
 */
#pragma once

#include "cli/record/layout.h"

G_BEGIN_DECLS

/* Judges by counts alone, before anything is changed. NULL: it may help; else an identifier of the
 * reason, and a sentence in @why. */
const char *cli_layout_check_gain     (const CliLayout *layout, const char **why);
/* Judges by the measurements. NULL: no harm was found; else as above. */
const char *cli_layout_check_slowdown (const CliLayout *layout, const char **why);
/* Shows functions, figures of both layouts, durations. */
void        cli_layout_show           (const CliLayout *layout);
/* @word: "kept", "nothing-to-gain", "slower" */
void        cli_layout_print_verdict  (const CliLayout *layout, const char *word, const char *why, double kept_s);

G_END_DECLS
