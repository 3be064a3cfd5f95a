/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report-against.h - GILK's second case study: compares hooks with a capture of the same packets
 */
#pragma once

#include "cli/picture.h"
#include "cli/session.h"

G_BEGIN_DECLS

typedef struct {
  char      *capture, *filter;     /* pcap file; tcpdump expression (nullable) */
  char      *held_up;              /* a duration; nullable */
  char     **hooks;                /* labels; NULL: all that take samples */
  CliPicture picture;
} CliAgainst;

/* FALSE with an error if options are given that need --against. */
gboolean cli_against_check  (const CliAgainst *options, GError **error);
gboolean cli_against_report (Cli *cli, const CliSession *session, const CliAgainst *options,
                             GError **error);
void     cli_against_clear  (CliAgainst *options);

G_END_DECLS
