/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * calls.c - calls one kernel path an exact number of times from pinned threads
 *
 * Usage: calls [-n CALLS] [-t THREADS] [-o PATH] [-w]
 *
 * Tests use it to check that a hook on a path that is called N times counts exactly N. Each thread
 * is pinned to its own CPU and makes an equal share of the calls; the total is printed as "calls
 * N". Nothing else in the program uses the chosen path. "wrong N" is the number of calls that
 * should have failed but did not fail with the expected error. With -w the program first waits for
 * a line on standard input.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define THREADS_MAX 64

typedef long (*path_fn) (void);

/* Make raw system calls, because the C library might answer from its cache. */
static long call_getppid (void)  { return syscall (SYS_getppid); }
static long call_getpgid (void)  { return syscall (SYS_getpgid, 0); }
static long call_umask (void)    { return syscall (SYS_umask, 022); }
static long call_sched (void)    { return syscall (SYS_sched_yield); }

/* Fails at once with EBADF, on the same kernel path every time. */
static long call_fsync (void)    { return syscall (SYS_fsync, -1); }

/* Bad addresses of strings. @nowhere is not mapped. The string at @edge has no final 0: it ends
 * with its page, and the next page is not mapped. */
static char *const nowhere = (char *) 8;
static char *edge;

static long call_badpath (void)  { return syscall (SYS_openat, AT_FDCWD, nowhere, O_RDONLY); }
static long call_edgepath (void) { return syscall (SYS_openat, AT_FDCWD, edge, O_RDONLY); }
static long call_baduname (void) { return syscall (SYS_uname, nowhere); }

/* @absent: a page that is mapped but not present. @name_end: end of a mapped page that is followed
 * by an unmapped page, for file names that end exactly there. */
static char *absent, *name_end;

/* Makes the kernel read a file name from @absent. This makes the page present, so madvise() drops
 * the page again. */
static long
call_absent (void)
{
  long result = syscall (SYS_openat, AT_FDCWD, absent, O_RDONLY);
  int error = errno;

  madvise (absent, (size_t) sysconf (_SC_PAGESIZE), MADV_DONTNEED);
  errno = error;
  return result;
}

/* Creates and removes a file with a new name: /tmp/calls-1, -2, .. Must run in one thread only. */
static long
call_create (void)
{
  static unsigned int number;
  char name[32];
  int length = snprintf (name, sizeof name, "/tmp/calls-%u", ++number) + 1;
  long fd;

  memcpy (name_end - length, name, (size_t) length);
  fd = syscall (SYS_openat, AT_FDCWD, name_end - length, O_RDWR | O_CREAT, 0600);
  close ((int) fd);
  unlink (name);
  return fd;
}

static const struct { const char *name; path_fn fn; int error; } paths[] = {
  { "getppid", call_getppid, 0 },
  { "getpgid", call_getpgid, 0 },
  { "umask", call_umask, 0 },
  { "sched_yield", call_sched, 0 },
  { "fsync", call_fsync, EBADF },
  { "badpath", call_badpath, EFAULT },
  { "edgepath", call_edgepath, EFAULT },
  { "baduname", call_baduname, EFAULT },
  { "absent", call_absent, ENOENT },
  { "create", call_create, 0 },
};

struct worker {
  pthread_t thread;
  unsigned int cpu;
  uint64_t calls, wrong;
  size_t path;
};

static void *
run_worker (void *data)
{
  struct worker *w = data;
  cpu_set_t set;
  uint64_t i;

  CPU_ZERO (&set);
  CPU_SET (w->cpu, &set);
  if (sched_setaffinity (0, sizeof set, &set) != 0)
    {
      fprintf (stderr, "calls: cannot use CPU %u: %s\n", w->cpu, strerror (errno));
      exit (1);
    }
  for (i = 0; i < w->calls; i++)
    {
      long result = paths[w->path].fn ();

      if (paths[w->path].error != 0 && (result != -1 || errno != paths[w->path].error))
        w->wrong++;
    }
  return NULL;
}

/* Maps @edge, which is seven letters at the end of a page that is followed by unmapped memory. Also
 * maps @absent, a page that is not present. */
static void
map_edge (void)
{
  size_t page = (size_t) sysconf (_SC_PAGESIZE);
  char *pages = mmap (NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

  if (pages == MAP_FAILED || mprotect (pages + page, page, PROT_NONE) != 0)
    {
      perror ("calls");
      exit (1);
    }
  name_end = pages + page;
  edge = name_end - 7;
  memset (edge, 'x', 7);
  absent = mmap (NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (absent == MAP_FAILED)
    {
      perror ("calls");
      exit (1);
    }
}

static size_t
find_call_path (const char *name)
{
  size_t i;

  for (i = 0; i < sizeof paths / sizeof *paths; i++)
    if (strcmp (paths[i].name, name) == 0)
      return i;
  fprintf (stderr, "calls: no path \"%s\"; there are:", name);
  for (i = 0; i < sizeof paths / sizeof *paths; i++)
    fprintf (stderr, " %s", paths[i].name);
  fputc ('\n', stderr);
  exit (2);
}

int
main (int argc, char **argv)
{
  static struct worker workers[THREADS_MAX];
  unsigned int cpus = (unsigned int) sysconf (_SC_NPROCESSORS_ONLN);
  unsigned int threads = cpus, i;
  uint64_t calls = 1000000, sum = 0, wrong = 0;
  size_t path = 0;
  struct timespec a, b;
  double ns;
  int option, wait = 0;

  while ((option = getopt (argc, argv, "n:t:o:w")) != -1)
    switch (option)
      {
      case 'n': calls = strtoull (optarg, NULL, 0); break;
      case 't': threads = (unsigned int) strtoul (optarg, NULL, 0); break;
      case 'o': path = find_call_path (optarg); break;
      case 'w': wait = 1; break;
      default: return 2;
      }
  if (threads == 0 || threads > THREADS_MAX)
    {
      fprintf (stderr, "calls: threads must be 1 to %d\n", THREADS_MAX);
      return 2;
    }
  if (wait && getchar () == EOF)
    return 1;
  map_edge ();
  clock_gettime (CLOCK_MONOTONIC, &a);
  for (i = 0; i < threads; i++)
    {
      workers[i].cpu = i % cpus;
      workers[i].path = path;
      workers[i].calls = calls / threads + (i < calls % threads);
      if (pthread_create (&workers[i].thread, NULL, run_worker, &workers[i]) != 0)
        {
          fprintf (stderr, "calls: cannot start thread %u\n", i);
          return 1;
        }
    }
  for (i = 0; i < threads; i++)
    {
      pthread_join (workers[i].thread, NULL);
      sum += workers[i].calls;
      wrong += workers[i].wrong;
    }
  clock_gettime (CLOCK_MONOTONIC, &b);
  ns = (double) (b.tv_sec - a.tv_sec) * 1e9 + (double) (b.tv_nsec - a.tv_nsec);
  printf ("calls %llu\nthreads %u\nns_per_call %.1f\n", (unsigned long long) sum, threads,
          sum ? ns * threads / (double) sum : 0);
  if (paths[path].error != 0)
    printf ("wrong %llu\n", (unsigned long long) wrong);
  return 0;
}
