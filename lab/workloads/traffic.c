/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * traffic.c - runs a server with one thread per connection, and its clients, over the loopback
 * device
 *
 * Usage: traffic [-s SEED] [-p PORT] [SECONDS]
 *
 * The second case study of the GILK paper needs traffic whose spectrum is known beforehand, so that
 * the result of a measurement can be checked. Three clients send at fixed rates, which gives lines
 * in the spectrum at these rates and their multiples; one sends at random, which gives a flat
 * spectrum; and one sends bursts whose lengths and pauses have heavy tails, which gives a spectrum
 * that rises towards low frequencies. Two of the first three clients send at the same times from
 * different CPUs; other tools record equal times for these requests. If the machine is fast enough,
 * the same seed gives the same requests at the same times. A request that is due before the
 * previous one is answered is sent right after the answer and counted as late. After SECONDS or an
 * interrupt, prints the number of requests of each client, the longest time for which a CPU was
 * held up (for example by a busy host), the longest time for which one call used a socket (which
 * delays packets to that socket), and the number of TCP segments that the kernel received.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "lab/workloads/worker.h"

#define BYTES_MAX 4096
#define SECOND    1000000000LL

/* A client's request, padded to @length bytes. The server answers with @wanted bytes. */
struct request {
  uint32_t length, wanted;
};

struct client {
  const char *name;
  int64_t (*pause) (struct client *);   /* returns the time until the next request, ns */
  double hz;                            /* average rate */
  int cpu;                              /* CPU to which the client is pinned if that CPU exists; -1:
                                         * not pinned */
  unsigned int row;                     /* number of requests sent back to back */
  struct request request;
  uint64_t random;
  uint64_t left;                        /* number of remaining requests of a burst */
  uint64_t requests, late;
  pthread_t thread;
};

static in_port_t port = 7007;
static int64_t begin, end;              /* start and end of the traffic, CLOCK_MONOTONIC */
static _Atomic int64_t longest_use;     /* longest use of a socket by one call, ns */
static volatile sig_atomic_t stopped;

static void
exit_with_error (const char *what)
{
  fprintf (stderr, "traffic: %s: %s\n", what, strerror (errno));
  exit (1);
}

static int64_t
now_ns (void)
{
  struct timespec t;

  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * SECOND + t.tv_nsec;
}

static void
sleep_until (int64_t at)
{
  struct timespec t = { .tv_sec = at / SECOND, .tv_nsec = at % SECOND };

  while (clock_nanosleep (CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
    ;
}

static void
on_signal (int number)
{
  (void) number;
  stopped = 1;
}

/* ---- random numbers ---- */

/* Returns a random number greater than 0 and at most 1. */
static double
draw_uniform (struct client *c)
{
  return (double) ((draw_random (&c->random) >> 11) + 1) / 9007199254740992.0;
}

static int64_t
draw_even_pause (struct client *c)
{
  return (int64_t) ((double) SECOND / c->hz);
}

/* Draws a pause of a Poisson process. */
static int64_t
draw_poisson_pause (struct client *c)
{
  return (int64_t) (-log (draw_uniform (c)) * (double) SECOND / c->hz);
}

/* Draws from a Pareto distribution that is truncated at @most. Its heavy tail gives bursts of all
 * lengths. */
static double
draw_pareto (struct client *c, double least, double most)
{
  return fmin (least * pow (draw_uniform (c), -1 / 1.4), most);
}

/* Returns the next pause: 2 ms between requests of a burst; a long random pause after the burst. */
static int64_t
draw_burst_pause (struct client *c)
{
  if (c->left > 0)
    {
      c->left--;
      return SECOND / 500;
    }
  c->left = (uint64_t) draw_pareto (c, 8, 400);
  return (int64_t) (draw_pareto (c, 0.05, 2) * (double) SECOND);
}

static struct client clients[] = {
  { .name = "paced-45", .pause = draw_even_pause, .hz = 45, .cpu = -1, .row = 3, .request = { 200, 1000 } },
  { .name = "paced-125", .pause = draw_even_pause, .hz = 125, .cpu = 0, .row = 1, .request = { 64, 300 } },
  { .name = "twin-125", .pause = draw_even_pause, .hz = 125, .cpu = 1, .row = 1, .request = { 64, 300 } },
  { .name = "random", .pause = draw_poisson_pause, .hz = 60, .cpu = -1, .row = 1, .request = { 500, 64 } },
  { .name = "bursts", .pause = draw_burst_pause, .cpu = -1, .row = 1, .request = { 100, 2000 } },
};

#define N_CLIENTS (sizeof clients / sizeof *clients)

/* ---- sending and receiving bytes ---- */

/* Updates the longest duration of a call that uses a socket, if the call that started at @since
 * took longer. The duration includes waits for the CPU. */
static void
note_use_since (int64_t since)
{
  int64_t took = now_ns () - since, most = atomic_load (&longest_use);

  while (took > most && !atomic_compare_exchange_weak (&longest_use, &most, took))
    ;
}

static int
send_all (int fd, const void *data, size_t length)
{
  const char *p = data;

  while (length > 0)
    {
      int64_t since = now_ns ();
      ssize_t n = send (fd, p, length, MSG_NOSIGNAL);

      note_use_since (since);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return -1;
      p += n;
      length -= (size_t) n;
    }
  return 0;
}

/*
 * Receives @length bytes. Returns 0, or -1 at the end of the stream or on an error. Waiting does
 * not count as use of the socket.
 */
static int
receive_all (int fd, void *data, size_t length)
{
  struct pollfd ready = { .fd = fd, .events = POLLIN };
  char *p = data;

  while (length > 0)
    {
      int64_t since;
      ssize_t n;

      poll (&ready, 1, -1);
      since = now_ns ();
      n = recv (fd, p, length, MSG_DONTWAIT);
      note_use_since (since);
      if (n < 0 && (errno == EINTR || errno == EAGAIN))
        continue;
      if (n <= 0)
        return -1;
      p += n;
      length -= (size_t) n;
    }
  return 0;
}

/* Disables Nagle's algorithm, so that segments are sent at once. */
static void
set_no_delay (int fd)
{
  int one = 1;

  if (setsockopt (fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) != 0)
    exit_with_error ("TCP_NODELAY");
}

/* ---- threads of the server ---- */

static void *
serve_client (void *data)
{
  char bytes[BYTES_MAX];
  int fd = (int) (intptr_t) data;
  struct request r;

  set_no_delay (fd);
  while (receive_all (fd, bytes, sizeof r) == 0)
    {
      memcpy (&r, bytes, sizeof r);
      if (r.length < sizeof r || r.length > BYTES_MAX || r.wanted > BYTES_MAX ||
          receive_all (fd, bytes + sizeof r, r.length - sizeof r) != 0 || send_all (fd, bytes, r.wanted) != 0)
        break;
    }
  close (fd);
  return NULL;
}

static void *
accept_clients (void *data)
{
  int listener = (int) (intptr_t) data;

  for (;;)
    {
      int fd = accept (listener, NULL, NULL);
      pthread_t thread;

      if (fd < 0 && errno != EINTR && errno != ECONNABORTED)
        return NULL;
      if (fd < 0)
        continue;
      if (pthread_create (&thread, NULL, serve_client, (void *) (intptr_t) fd) != 0)
        exit_with_error ("a thread of the server");
      pthread_detach (thread);
    }
}

static struct sockaddr_in
make_address (void)
{
  return (struct sockaddr_in) {
    .sin_family = AF_INET, .sin_port = htons (port), .sin_addr.s_addr = htonl (INADDR_LOOPBACK),
  };
}

static void
start_server (void)
{
  struct sockaddr_in at = make_address ();
  int fd = socket (AF_INET, SOCK_STREAM, 0), one = 1;
  pthread_t thread;

  if (fd < 0 || setsockopt (fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) != 0 ||
      bind (fd, (struct sockaddr *) &at, sizeof at) != 0 || listen (fd, 16) != 0)
    exit_with_error ("the server cannot listen");
  if (pthread_create (&thread, NULL, accept_clients, (void *) (intptr_t) fd) != 0)
    exit_with_error ("the server's thread");
  pthread_detach (thread);
}

/* ---- threads of the clients ---- */

static int
open_client (void)
{
  struct sockaddr_in at = make_address ();
  int fd = socket (AF_INET, SOCK_STREAM, 0);

  if (fd < 0 || connect (fd, (struct sockaddr *) &at, sizeof at) != 0)
    exit_with_error ("a client cannot connect");
  set_no_delay (fd);
  return fd;
}

/* Pins the thread to a CPU, if that CPU exists. */
static void
pin_thread_to_cpu (int cpu)
{
  cpu_set_t set;

  if (cpu < 0 || cpu >= sysconf (_SC_NPROCESSORS_ONLN))
    return;
  CPU_ZERO (&set);
  CPU_SET (cpu, &set);
  if (sched_setaffinity (0, sizeof set, &set) != 0)
    exit_with_error ("a client cannot choose its CPU");
}

/* Sends one request and receives its answer. */
static void
send_request (struct client *c, int fd, char *bytes)
{
  if (send_all (fd, bytes, c->request.length) != 0 || receive_all (fd, bytes + sizeof c->request, c->request.wanted) != 0)
    exit_with_error ("a client lost its server");
}

static void *
run_client (void *data)
{
  char bytes[sizeof (struct request) + BYTES_MAX] = { 0 };
  struct client *c = data;
  int fd = open_client ();
  int64_t at = begin;

  pin_thread_to_cpu (c->cpu);
  memcpy (bytes, &c->request, sizeof c->request);
  while ((at += c->pause (c)) < end && !stopped)
    {
      if (now_ns () > at)
        c->late++;
      else
        sleep_until (at);
      for (unsigned int i = 0; i < c->row; i++, c->requests++)
        send_request (c, fd, bytes);
    }
  /* Wait until the server closes the connection: all segments must arrive before they are
   * counted. */
  shutdown (fd, SHUT_WR);
  receive_all (fd, bytes, 1);
  close (fd);
  return NULL;
}

/* ---- times for which CPUs were held up ---- */

#define CPUS_MAX 64
#define LOOK     (SECOND / 100)

static struct watch_delay {
  int cpu;
  int64_t held_up;
  pthread_t thread;
} watches[CPUS_MAX];

/*
 * Reads the clock a hundred times a second. A long gap between two reads means that the CPU was
 * held up.
 */
static void *
watch_delay (void *data)
{
  struct watch_delay *w = data;
  int64_t last, at;

  pin_thread_to_cpu (w->cpu);
  for (last = now_ns (); last < end && !stopped; last = at)
    {
      sleep_until (last + LOOK);
      at = now_ns ();
      if (at - last > w->held_up)
        w->held_up = at - last;
    }
  return NULL;
}

static int
start_watches (void)
{
  int n = (int) sysconf (_SC_NPROCESSORS_ONLN), i;

  n = n < CPUS_MAX ? n : CPUS_MAX;
  for (i = 0; i < n; i++)
    {
      watches[i].cpu = i;
      if (pthread_create (&watches[i].thread, NULL, watch_delay, &watches[i]) != 0)
        exit_with_error ("a thread that watches a CPU");
    }
  return n;
}

static int64_t
end_watches (int n)
{
  int64_t most = 0;

  while (n-- > 0)
    {
      pthread_join (watches[n].thread, NULL);
      if (watches[n].held_up > most)
        most = watches[n].held_up;
    }
  return most;
}

/* Returns the number of TCP segments received since boot, from /proc/net/snmp, or -1 if it is not
 * available.
   */
static long long
count_segments (void)
{
  char names[1024], values[1024], *name, *value, *rest_n, *rest_v;
  FILE *file = fopen ("/proc/net/snmp", "r");
  long long found = -1;

  while (file != NULL && found < 0 && fgets (names, sizeof names, file) != NULL &&
         fgets (values, sizeof values, file) != NULL)
    {
      if (strncmp (names, "Tcp:", 4) != 0)
        continue;
      name = strtok_r (names, " \n", &rest_n);
      value = strtok_r (values, " \n", &rest_v);
      while (name != NULL && value != NULL && strcmp (name, "InSegs") != 0)
        {
          name = strtok_r (NULL, " \n", &rest_n);
          value = strtok_r (NULL, " \n", &rest_v);
        }
      if (name != NULL && value != NULL)
        found = atoll (value);
    }
  if (file != NULL)
    fclose (file);
  return found;
}

int
main (int argc, char **argv)
{
  uint64_t seed = 1, requests = 0;
  long long before;
  int option, n_watches;
  size_t i;

  while ((option = getopt (argc, argv, "s:p:")) != -1)
    switch (option)
      {
      case 's': seed = strtoull (optarg, NULL, 0); break;
      case 'p': port = (in_port_t) strtoul (optarg, NULL, 0); break;
      default: return 2;
      }
  signal (SIGINT, on_signal);
  signal (SIGTERM, on_signal);
  before = count_segments ();
  start_server ();
  begin = now_ns ();
  end = begin + (int64_t) ((optind < argc ? atof (argv[optind]) : 10) * (double) SECOND);
  n_watches = start_watches ();
  for (i = 0; i < N_CLIENTS; i++)
    {
      clients[i].random = seed * N_CLIENTS + i;
      if (pthread_create (&clients[i].thread, NULL, run_client, &clients[i]) != 0)
        exit_with_error ("a client's thread");
    }
  for (i = 0; i < N_CLIENTS; i++)
    {
      pthread_join (clients[i].thread, NULL);
      printf ("client %s requests %llu late %llu\n", clients[i].name,
              (unsigned long long) clients[i].requests, (unsigned long long) clients[i].late);
      requests += clients[i].requests;
    }
  printf ("held-up-ns %lld\nin-use-ns %lld\n", (long long) end_watches (n_watches), (long long) atomic_load (&longest_use));
  sleep_until (now_ns () + SECOND / 5);
  printf ("requests %llu\nsegments %lld\n", (unsigned long long) requests, count_segments () - before);
  return 0;
}
