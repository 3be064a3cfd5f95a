/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pages.c - faults in memory in several ways, and checks its contents
 *
 * Usage: pages [-t THREADS] [-s SEED] ROUNDS
 *
 * In each round a thread maps new memory, has the kernel copy a source page into some of its pages
 * through a pipe, writes other pages itself, asks the kernel for copies to unmapped addresses,
 * which must fail, forks a child that writes to pages shared with its parent, and compares every
 * byte with its expected value. If the kernel loses the address of a page fault, or copies wrongly,
 * bytes differ or the process is killed.
 *
 * Prints "pages N", the number of compared pages, and "wrong N", the number of wrong pages and
 * results.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab/workloads/worker.h"

#define THREADS_MAX 64
#define PAGE        4096u
#define PAGES       64u

struct worker {
  pthread_t thread;
  unsigned long number;
  uint64_t random;
  unsigned long rounds, pages, wrong;
  int pipe[2];
  unsigned char source[PAGE];
};

/* An address where nothing is mapped. It is in a variable because the compiler assumes that no
 * object is at such a low constant address. */
static char *volatile nowhere = (char *) 8;

static void
exit_with_error (const char *what)
{
  fprintf (stderr, "pages: %s: %s\n", what, strerror (errno));
  exit (1);
}

static void
fill_source (struct worker *w)
{
  for (size_t i = 0; i < PAGE; i += sizeof (uint64_t))
    {
      uint64_t word = draw_random (&w->random);

      memcpy (w->source + i, &word, sizeof word);
    }
}

/* Makes the kernel copy the source into @page in two parts. The kernel's copy is the first access
 * to @page. */
static void
copy_through_pipe (struct worker *w, unsigned char *page)
{
  size_t first = 1 + draw_random (&w->random) % (PAGE - 1);

  if (write (w->pipe[1], w->source, PAGE) != PAGE || read (w->pipe[0], page, first) != (ssize_t) first ||
      read (w->pipe[0], page + first, PAGE - first) != (ssize_t) (PAGE - first))
    w->wrong++;
}

/* Makes the kernel copy to and from unmapped memory, which must fail, and to memory whose end is
 * unmapped. Empties the pipe afterwards. */
static void
copy_to_nowhere (struct worker *w, unsigned char *end)
{
  unsigned char rest[PAGE];
  ssize_t n;

  if (write (w->pipe[1], w->source, PAGE) != PAGE)
    w->wrong++;
  errno = 0;
  if (read (w->pipe[0], nowhere, 100) != -1 || errno != EFAULT)
    w->wrong++;
  errno = 0;
  if (write (w->pipe[1], end, 100) != -1 || errno != EFAULT)
    w->wrong++;
  n = read (w->pipe[0], end - 10, 100);
  if (n == -1 && errno != EFAULT)
    w->wrong++;
  fcntl (w->pipe[0], F_SETFL, O_NONBLOCK);
  while (read (w->pipe[0], rest, sizeof rest) > 0)
    ;
  fcntl (w->pipe[0], F_SETFL, 0);
}

/* Forks a child that writes to the memory that it got from its parent; the parent's pages must not
 * change. */
static void
share_with_child (struct worker *w, unsigned char *memory)
{
  int status = 0;
  pid_t child = fork ();

  if (child < 0)
    exit_with_error ("fork");
  if (child == 0)
    {
      for (unsigned int i = 0; i < PAGES; i += 3)
        memory[i * PAGE + 5] ^= 0xff;
      _exit (7);
    }
  if (waitpid (child, &status, 0) != child || !WIFEXITED (status) || WEXITSTATUS (status) != 7)
    w->wrong++;
}

static void
compare_pages (struct worker *w, const unsigned char *memory)
{
  static const unsigned char zeros[PAGE];

  for (unsigned int i = 0; i < PAGES; i++, w->pages++)
    if (memcmp (memory + i * PAGE, i % 3 == 2 ? zeros : w->source, PAGE) != 0)
      w->wrong++;
}

static void
run_round (struct worker *w, unsigned long round)
{
  /* The last page is inaccessible. */
  unsigned char *memory = mmap (NULL, (PAGES + 1) * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (memory == MAP_FAILED || mprotect (memory + PAGES * PAGE, PAGE, PROT_NONE) != 0)
    exit_with_error ("memory");
  fill_source (w);
  for (unsigned int i = 0; i < PAGES; i++)
    if (i % 3 == 0)
      copy_through_pipe (w, memory + i * PAGE);
    else if (i % 3 == 1)
      memcpy (memory + i * PAGE, w->source, PAGE);
  if (round % 16 == 0)
    share_with_child (w, memory);
  compare_pages (w, memory);
  copy_to_nowhere (w, memory + PAGES * PAGE);
  munmap (memory, (PAGES + 1) * PAGE);
}

static void *
run_worker (void *data)
{
  struct worker *w = data;
  if (pin_to_cpu (w->number) != 0 || pipe (w->pipe) != 0)
    exit_with_error ("a thread");
  for (unsigned long i = 0; i < w->rounds; i++)
    run_round (w, i);
  return NULL;
}

int
main (int argc, char **argv)
{
  static struct worker workers[THREADS_MAX];
  unsigned long threads = 1, pages = 0, wrong = 0;
  uint64_t seed = 1;
  int option;

  while ((option = getopt (argc, argv, "t:s:")) != -1)
    switch (option)
      {
      case 't': threads = strtoul (optarg, NULL, 0); break;
      case 's': seed = strtoull (optarg, NULL, 0); break;
      default: return 2;
      }
  if (threads < 1 || threads > THREADS_MAX || optind + 1 != argc)
    return 2;
  for (unsigned long i = 0; i < threads; i++)
    {
      workers[i].number = i;
      workers[i].random = seed * THREADS_MAX + i;
      workers[i].rounds = strtoul (argv[optind], NULL, 0);
      if (pthread_create (&workers[i].thread, NULL, run_worker, &workers[i]) != 0)
        exit_with_error ("a thread");
    }
  for (unsigned long i = 0; i < threads; i++)
    {
      pthread_join (workers[i].thread, NULL);
      pages += workers[i].pages;
      wrong += workers[i].wrong;
    }
  printf ("pages %lu\nwrong %lu\n", pages, wrong);
  return 0;
}
