/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * real-agent.h - starts the agent as built, connected to a socket of the test
 */
#pragma once

#include <glib.h>
#include <sys/socket.h>
#include <unistd.h>

#define GILKD GILK_BUILD_DIR "/agent/gilkd"

/* Starts the agent with one end of a socket as its standard streams; @fd: (out): the other end. The
 * caller closes @fd and waits for the child. */
static inline pid_t
real_agent_start (int *fd)
{
  int pair[2];
  pid_t child;

  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM, 0, pair), ==, 0);
  child = fork ();
  if (child == 0)
    {
      dup2 (pair[1], 0);
      dup2 (pair[1], 1);
      close (pair[0]);
      execl (GILKD, GILKD, "--stdio", NULL);
      _exit (127);
    }
  close (pair[1]);
  *fd = pair[0];

  return child;
}
