/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lab-wire.h - defines the format of the frames between lab-ctl (host) and lab-guest (in the lab)
 *
 * A virtio-serial port runs one shell command at a time:
 *
 *   host                                guest
 *   HELLO nonce         ->              kills a running command
 *                       <-  HELLO nonce
 *   EXEC command line   ->              sh -c in a new session
 *   INPUT bytes ... , END_INPUT ->
 *                       <-  OUTPUT bytes, ERRORS bytes ...
 *                       <-  EXIT u32: exit code, or 128 + signal
 *
 * When the host disconnects, the guest kills the command's session. A port may contain stale bytes
 * of an earlier client. The guest skips them up to the next magic number. The host repeats HELLO
 * and skips all bytes up to the answer with its own nonce.
 */
#ifndef LAB_WIRE_H
#define LAB_WIRE_H

#include <stdint.h>

#define LAB_MAGIC 0x4342414cu           /* "LABC" */
#define LAB_PAYLOAD_MAX 65536u

enum lab_frame_type {
  LAB_HELLO = 1,
  LAB_EXEC = 2,
  LAB_INPUT = 3,
  LAB_END_INPUT = 4,
  LAB_OUTPUT = 5,
  LAB_ERRORS = 6,
  LAB_EXIT = 7,
};

struct lab_frame {
  uint32_t magic;
  uint32_t type;
  uint32_t length;                      /* number of payload bytes that follow */
};

_Static_assert (sizeof (struct lab_frame) == 12, "lab_frame changed size");

#endif
