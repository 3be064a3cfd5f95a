/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-compare-capture.h - GILK's second case study: compares hooks with a capture of the same packets
 */
#pragma once

#include "cli/base/picture.h"
#include "cli/base/session.h"

G_BEGIN_DECLS

typedef struct {
  char      *capture, *filter;     /* pcap file; tcpdump expression (nullable) */
  char      *max_delay;            /* a duration; nullable */
  char     **hooks;                /* labels; NULL: all that take samples */
  CliPicture picture;
} CliCompareCapture;

/* FALSE with an error if options are given that need --compare-capture. */
gboolean cli_compare_capture_check  (const CliCompareCapture *options, GError **error);
gboolean cli_compare_capture_report (Cli *cli, const CliSession *session, const CliCompareCapture *options,
                                     GError **error);
void     cli_compare_capture_clear  (CliCompareCapture *options);

G_END_DECLS
