/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shared-file.h - maps a file that a plugin of the emulator shares with a program outside
 */
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

/* Creates a file of @bytes zero bytes at @path, and maps it. Returns NULL on failure. */
static inline void *
shared_file_map (const char *path, size_t bytes)
{
  void *map = MAP_FAILED;
  int fd = open (path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

  if (fd >= 0 && ftruncate (fd, (off_t) bytes) == 0)
    map = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (fd >= 0)
    close (fd);

  return map == MAP_FAILED ? NULL : map;
}
