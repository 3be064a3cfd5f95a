/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-writers.h - who made the accesses that watches saw
 */
#pragma once

#include "cli/session.h"

G_BEGIN_DECLS

/* Of each watch of the run, or with @labels of those: a table, or "writers" in the document. @asked: a run without watches
 * is an error, else nothing is said of it. */
gboolean cli_writers_report (Cli *cli, const CliSession *session, char *const *labels, gboolean asked, GError **error);

G_END_DECLS
