/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * false-agent.c - runs a fake agent, without a kernel, for gilk's --target; prints its listening
 * address, and serves until standard input ends
 */
#include <stdio.h>

#include "tests/unit/false-agent-socket.h"

int
main (void)
{
  FalseSocket agent;

  false_socket_start (&agent, 2, NULL, NULL);
  printf ("%s\n", agent.spec);
  fflush (stdout);
  while (getchar () != EOF)
    ;
  false_socket_stop (&agent);

  return 0;
}
