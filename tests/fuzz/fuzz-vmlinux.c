/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-vmlinux.c - opens corrupt kernel files
 *
 *   fuzz-vmlinux FILE [--seconds S] [--count N] [--seed S]
 *
 * A mutant is FILE, a small vmlinux, with a few words changed or the end cut off. The agent's code
 * for kernel files opens the mutant and answers each request for a file, types and text, or gives
 * the reason why it cannot. Built with sanitizers if the agent's library is.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "agent/gilkd-files.h"
#include "agent/gilkd-vmlinux.h"
#include "tests/fuzz/fuzz-turns.h"

#define BASE G_GUINT64_CONSTANT (0xffffffff81000000)

typedef struct {
  guint64 random;
  guint8 *whole;
  gsize   length;
  int     file;       /* a memory file with the mutant */
  guint64 taken, refused;
} Fuzz;

static guint32
draw_below (Fuzz *fuzz, guint32 below)
{
  return fuzz_draw (&fuzz->random, below);
}

static guint64
draw_interesting (Fuzz *fuzz)
{
  const guint64 values[] = {
    0, 1, 2, 3, 8, 16, 24, 56, 63, 64, 0xff, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000ull,
    fuzz->length, BASE, BASE + 0x1000, 256u << 20, 0x7fffffffffffffffull, 0x8000000000000000ull, 0xffffffff80000000ull,
    0xfffffffffffff000ull, 0xffffffffffffffffull,
  };

  return values[draw_below (fuzz, G_N_ELEMENTS (values))] + draw_below (fuzz, 5) - 2;
}

/* Writes a mutant to the memory file. The tables of an ELF file are at its start and end. */
static void
write_mutant (Fuzz *fuzz)
{
  g_autofree guint8 *bytes = g_memdup2 (fuzz->whole, fuzz->length);
  gsize length = draw_below (fuzz, 20) == 0 ? draw_below (fuzz, fuzz->length) : fuzz->length;

  for (guint n = draw_below (fuzz, 4); n > 0; n--)
    {
      guint64 value = draw_below (fuzz, 3) ? draw_interesting (fuzz) : draw_below (fuzz, 256);
      guint size = 1u << draw_below (fuzz, 4);
      gsize at = draw_below (fuzz, 3) == 0 ? draw_below (fuzz, 256) : fuzz->length - 8 - draw_below (fuzz, 1200);

      memcpy (bytes + at / size * size, &value, size);
    }
  g_assert_cmpint (ftruncate (fuzz->file, 0), ==, 0);
  g_assert_cmpint (pwrite (fuzz->file, bytes, length, 0), ==, length);
}

static void
look_into_mutant (Fuzz *fuzz, const char *path, struct gilkd_client *client)
{
  struct gilkd_kcore kcore = { .client = client, .fd = -1 };
  struct gilkd_vmlinux vmlinux = { .fd = -1 };
  struct gilk_range ranges[] = { { BASE + draw_below (fuzz, 64), draw_below (fuzz, 64) }, { draw_interesting (fuzz), 8 } };

  gilkd_vmlinux_open (&vmlinux, client, path);
  fuzz->taken += vmlinux.why == NULL;
  fuzz->refused += vmlinux.why != NULL;
  kcore.file = vmlinux.fd;
  for (guint32 file = 0; vmlinux.why == NULL && file <= GILK_FILE_TRACEPOINTS; file++)
    gilkd_vmlinux_do_get_file (&vmlinux, (uint8_t *) &file, sizeof file);
  if (vmlinux.why == NULL)
    {
      gilkd_vmlinux_do_get_types (&vmlinux, NULL, 0);
      gilkd_do_read_text (&kcore, (uint8_t *) ranges, sizeof ranges);
      gilkd_do_text_sums (&kcore, (uint8_t *) ranges, sizeof ranges);
    }
  gilkd_kcore_close (&kcore);
  gilkd_vmlinux_close (&vmlinux);
  g_assert_false (client->broken);
}

int
main (int argc, char **argv)
{
  static struct gilkd_client client = { .audit.fd = -1 };
  static Fuzz fuzz;
  FuzzTurns turns = fuzz_turns_begin (argc - 1, argv + 1, &fuzz.random);
  g_autofree char *path = NULL;

  g_assert_cmpint (argc, >, 1);
  g_assert_true (g_file_get_contents (argv[1], (char **) &fuzz.whole, &fuzz.length, NULL));
  fuzz.file = memfd_create ("mutant", MFD_CLOEXEC);
  client.in = client.out = open ("/dev/null", O_RDWR | O_CLOEXEC);
  path = g_strdup_printf ("/proc/self/fd/%d", fuzz.file);
  while (fuzz_turns_next (&turns))
    {
      write_mutant (&fuzz);
      look_into_mutant (&fuzz, path, &client);
    }
  printf ("1..1\n%sok 1 - %" G_GUINT64_FORMAT " files: %" G_GUINT64_FORMAT " taken, %" G_GUINT64_FORMAT " refused\n",
          fuzz.taken > 0 && fuzz.refused > 0 ? "" : "not ", turns.done, fuzz.taken, fuzz.refused);

  return fuzz.taken > 0 && fuzz.refused > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
