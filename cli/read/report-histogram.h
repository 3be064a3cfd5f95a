/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-histogram.h - reports a histogram as a table or in the document
 */
#pragma once

#include "cli/base/report-figures.h"
#include "core/stats/gilk-histogram.h"

G_BEGIN_DECLS

void cli_histogram_report (Cli *cli, const CliDataSource *data, const GilkHistogram *histogram);

G_END_DECLS
