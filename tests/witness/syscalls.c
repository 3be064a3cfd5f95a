/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * syscalls.c - makes system calls of many kinds, whose results are the same in every run
 *
 * Usage: deeds [ROUNDS]
 *
 * The workload of tests/lab/points.py. It executes many blocks of the kernel. All results of system
 * calls are added to one hash: return values, error numbers, data read, exit statuses of children.
 * Values that differ between runs are left out: addresses, times, process ids. A kernel whose code
 * was moved incorrectly would answer differently.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

static uint64_t hash = 0xcbf29ce484222325ull;

static void
note_bytes (const void *data, size_t length)
{
  const uint8_t *bytes = data;

  for (size_t i = 0; i < length; i++)
    hash = (hash ^ bytes[i]) * 0x100000001b3ull;
}

static void
note_value (long value)
{
  note_bytes (&value, sizeof value);
}

/* Adds a call's result to the hash: a file descriptor or count if it succeeded, else the
 * negative error number. */
static long
note_result (long result)
{
  note_value (result < 0 ? -errno : result);
  return result;
}

static void
quiet_sleep (long ns)
{
  struct timespec time = { 0, ns };

  note_result (nanosleep (&time, NULL));
}

/* ---- system calls on files ---- */

static void
note_stat (const char *path)
{
  struct stat st;

  memset (&st, 0, sizeof st);
  note_result (stat (path, &st));
  note_value (st.st_mode);
  note_value ((long) st.st_nlink);
  if (!S_ISDIR (st.st_mode))
    note_value (st.st_size);
}

static void
use_files (void)
{
  static char block[70000], back[70000];
  struct iovec parts[2] = { { block, 100 }, { block + 100, 5000 } };
  int fd, copy;

  for (size_t i = 0; i < sizeof block; i++)
    block[i] = (char) (i * 7);
  fd = (int) note_result (open ("/tmp/deed", O_RDWR | O_CREAT | O_TRUNC, 0644));
  note_result (write (fd, block, sizeof block));
  note_result (pwrite (fd, block, 10, 100000));
  note_result (lseek (fd, 5, SEEK_SET));
  note_result (read (fd, back, sizeof back));
  note_bytes (back, sizeof back);
  note_result (writev (fd, parts, 2));
  note_result (lseek (fd, 0, SEEK_END));
  note_result (preadv (fd, parts, 2, 3));
  note_result (ftruncate (fd, 5000));
  note_result (fallocate (fd, 0, 0, 9000));
  note_result (fsync (fd));
  copy = (int) note_result (dup (fd));
  note_result (fcntl (copy, F_GETFL));
  note_result (fcntl (copy, F_SETFL, O_APPEND));
  note_result (flock (fd, 2));
  note_result (fchmod (fd, 0600));
  note_result (close (copy));
  note_result (close (fd));
  note_result (close (fd));
  note_stat ("/tmp/deed");
  note_stat ("/tmp/no-such-file");
  note_result (link ("/tmp/deed", "/tmp/deed-link"));
  note_result (symlink ("/tmp/deed", "/tmp/deed-sym"));
  note_result (readlink ("/tmp/deed-sym", back, sizeof back));
  note_result (rename ("/tmp/deed-link", "/tmp/deed-moved"));
  note_result (access ("/tmp/deed-sym", W_OK));
  note_result (truncate ("/tmp/deed-moved", 10));
  note_result (setxattr ("/tmp/deed", "user.deed", "x", 1, 0));
  note_result (utimensat (AT_FDCWD, "/tmp/deed", NULL, 0));
  note_stat ("/tmp/deed-sym");
  note_result (unlink ("/tmp/deed-moved"));
  note_result (unlink ("/tmp/deed-sym"));
  note_result (unlink ("/tmp/deed"));
}

static void
use_folders (void)
{
  char path[64], cwd[100];
  struct statfs fs;
  struct dirent *entry;
  DIR *dir;
  long sum = 0;

  note_result (mkdir ("/tmp/deeds", 0755));
  for (int i = 0; i < 40; i++)
    {
      snprintf (path, sizeof path, "/tmp/deeds/file-%d", i);
      note_result (mknod (path, (i & 1 ? S_IFREG : S_IFIFO) | 0600, 0));
    }
  note_result (chdir ("/tmp/deeds"));
  note_result (getcwd (cwd, sizeof cwd) == NULL ? -1 : 0);
  note_bytes (cwd, strlen (cwd));
  dir = opendir (".");
  while (dir != NULL && (entry = readdir (dir)) != NULL)
    for (const char *c = entry->d_name; *c; c++)
      sum += *c;
  note_value (sum);
  if (dir != NULL)
    closedir (dir);
  note_result (rmdir ("/tmp/deeds"));
  for (int i = 0; i < 40; i++)
    {
      snprintf (path, sizeof path, "file-%d", i);
      note_result (unlink (path));
    }
  note_result (chdir ("/"));
  note_result (rmdir ("/tmp/deeds"));
  note_result (statfs ("/proc", &fs));
  note_value (fs.f_type);
}

/* Reads files whose contents vary. The hash includes only whether they can be read. */
static void
pseudo_files (void)
{
  static const char *const paths[] = {
    "/proc/self/maps", "/proc/self/status", "/proc/self/stat", "/proc/self/smaps",
    "/proc/stat", "/proc/meminfo", "/proc/cpuinfo", "/proc/mounts", "/proc/interrupts",
    "/proc/vmstat", "/proc/zoneinfo", "/proc/slabinfo", "/proc/loadavg", "/proc/uptime",
    "/proc/self/limits", "/proc/self/io", "/proc/self/wchan", "/proc/self/cmdline",
    "/proc/filesystems", "/proc/devices", "/proc/buddyinfo", "/proc/modules", "/proc/iomem",
    "/sys/kernel/mm/transparent_hugepage/enabled", "/sys/devices/system/cpu/online",
    "/proc/sys/kernel/ostype", "/proc/net/unix", "/proc/swaps", "/proc/timer_list",
  };
  static char data[65536];

  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
    {
      int fd = open (paths[i], O_RDONLY);
      long n = 0, sum = 0;

      note_value (fd < 0 ? -errno : 0);
      while (fd >= 0 && (n = read (fd, data, sizeof data)) > 0)
        sum += n;
      note_value (n);
      note_value (sum > 0);
      if (fd >= 0)
        close (fd);
    }
}

/* ---- system calls on memory ---- */

static void
use_memory (void)
{
  const size_t length = 1 << 20;
  char *map = mmap (NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  char *shared = mmap (NULL, 65536, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  unsigned char there[256];
  int status = 0;

  note_value (map != MAP_FAILED && shared != MAP_FAILED);
  for (size_t i = 0; i < length; i += 4096)
    map[i] = (char) (i >> 12);
  note_result (mprotect (map + 8192, 8192, PROT_READ));
  note_result (madvise (map + 65536, 65536, MADV_DONTNEED));
  note_value (map[65536]);
  note_result (mincore (map, length, there));
  note_bytes (there, 256);
  note_result (mlock (map, 8192));
  note_result (munlock (map, 8192));
  if (fork () == 0)
    {
      for (size_t i = 0; i < 65536; i += 512)
        shared[i] = map[i] = 3;         /* causes a fault at the read-only page */
      _exit (5);
    }
  note_result (wait (&status) > 0 ? 0 : -1);
  note_value (status);
  note_value (shared[4096]);
  map = mremap (map, length, 2 * length, MREMAP_MAYMOVE);
  note_value (map != MAP_FAILED && map[4096] == 1);
  note_result (munmap (map, 2 * length));
  note_result (munmap (shared, 65536));
  note_result (mmap (NULL, 0, PROT_READ, MAP_PRIVATE, -1, 0) == MAP_FAILED ? -1 : 0);
}

/* ---- system calls on processes ---- */

static void *
thread_body (void *data)
{
  for (int i = 0; i < 20; i++)
    sched_yield ();
  *(int *) data += 1;
  return NULL;
}

static volatile sig_atomic_t caught;

static void
on_signal (int number)
{
  caught += number;
}

static void
use_processes (void)
{
  char *const arguments[] = { "true", NULL };
  struct sigaction action = { .sa_handler = on_signal };
  struct rusage usage;
  pthread_t threads[4];
  int counts[4] = { 0 }, status = 0;

  for (int i = 0; i < 3; i++)
    {
      pid_t child = fork ();

      if (child == 0)
        {
          if (i == 0)
            execv ("/bin/true", arguments);
          if (i == 1)
            raise (SIGKILL);
          _exit (i);
        }
      note_result (waitpid (child, &status, 0) == child ? 0 : -1);
      note_value (status);
    }
  note_result (waitpid (-1, &status, 0));
  for (int i = 0; i < 4; i++)
    note_value (pthread_create (&threads[i], NULL, thread_body, &counts[i]));
  for (int i = 0; i < 4; i++)
    {
      note_value (pthread_join (threads[i], NULL));
      note_value (counts[i]);
    }
  note_result (sigaction (SIGUSR1, &action, NULL));
  note_result (kill (getpid (), SIGUSR1));
  note_result (raise (SIGUSR1));
  note_value (caught);
  caught = 0;
  note_result (getpriority (PRIO_PROCESS, 0));
  note_result (setpriority (PRIO_PROCESS, 0, 1));
  note_result (setpriority (PRIO_PROCESS, 0, 0));
  note_result (getrusage (RUSAGE_SELF, &usage));
  note_result (prctl (PR_SET_NAME, "deeds"));
  note_result (sched_getscheduler (0));
  note_result (kill (999999, 0));
  note_result (getuid ());
  note_result (umask (022));
  note_result (getppid () > 0);
}

/* ---- system calls for communication, waiting and other purposes ---- */

static void
use_pipes (void)
{
  static char data[30000];
  int ends[2], status;
  long sum = 0, n;

  note_result (pipe (ends));
  if (fork () == 0)
    {
      close (ends[0]);
      for (int i = 0; i < 20; i++)
        if (write (ends[1], data, sizeof data) != sizeof data)
          _exit (1);
      _exit (0);
    }
  close (ends[1]);
  while ((n = read (ends[0], data, sizeof data)) > 0)
    sum += n;
  note_value (sum);
  note_result (wait (&status) > 0 ? 0 : -1);
  note_value (status);
  close (ends[0]);
  note_result (pipe2 (ends, O_NONBLOCK));
  note_result (read (ends[0], data, 10));
  note_result (vmsplice (ends[1], &(struct iovec) { data, 4096 }, 1, 0));
  note_result (fcntl (ends[0], F_GETPIPE_SZ));
  note_result (splice (ends[0], NULL, ends[1], NULL, 100, 0));
  close (ends[0]);
  signal (SIGPIPE, SIG_IGN);
  note_result (write (ends[1], data, 10));
  close (ends[1]);
}

static void
use_sockets (void)
{
  struct sockaddr_un name = { .sun_family = AF_UNIX, .sun_path = "/tmp/deed-socket" };
  struct sockaddr *addr = (struct sockaddr *) &name;
  char data[3000] = "deed", control[64] = { 0 };
  struct iovec part = { data, sizeof data };
  struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
  int pair[2], server, client, other, size = 40000;

  for (int type = SOCK_STREAM; type <= SOCK_DGRAM; type++)
    {
      note_result (socketpair (AF_UNIX, type, 0, pair));
      note_result (setsockopt (pair[0], SOL_SOCKET, SO_SNDBUF, &size, sizeof size));
      note_result (send (pair[0], data, 1000, 0));
      note_result (sendmsg (pair[0], &message, 0));
      note_result (recv (pair[1], data, 500, MSG_PEEK));
      note_result (recv (pair[1], data, sizeof data, 0));
      message.msg_control = control;
      message.msg_controllen = sizeof control;
      note_result (recvmsg (pair[1], &message, MSG_DONTWAIT));
      message.msg_control = NULL;
      message.msg_controllen = 0;
      note_result (recv (pair[1], data, 10, MSG_DONTWAIT));
      note_result (shutdown (pair[0], SHUT_WR));
      close (pair[0]);
      close (pair[1]);
    }
  server = (int) note_result (socket (AF_UNIX, SOCK_STREAM, 0));
  note_result (bind (server, addr, sizeof name));
  note_result (listen (server, 3));
  client = (int) note_result (socket (AF_UNIX, SOCK_STREAM, 0));
  note_result (connect (client, addr, sizeof name));
  other = (int) note_result (accept (server, NULL, NULL));
  note_result (write (client, data, 100));
  note_result (read (other, data, 100));
  close (other);
  note_result (read (client, data, 1));
  close (client);
  close (server);
  note_result (unlink (name.sun_path));
  note_result (socket (AF_UNIX, 77, 0));
}

static void
use_waiting (void)
{
  struct epoll_event event = { .events = EPOLLIN }, got;
  struct itimerspec soon = { .it_value = { 0, 1000000 } };
  struct pollfd polled;
  sigset_t set;
  uint64_t value = 3;
  int epoll, fd, timer, signals;

  epoll = (int) note_result (epoll_create1 (0));
  fd = (int) note_result (eventfd (0, EFD_NONBLOCK));
  note_result (epoll_ctl (epoll, EPOLL_CTL_ADD, fd, &event));
  note_result (epoll_wait (epoll, &got, 1, 0));
  note_result (write (fd, &value, 8));
  note_result (epoll_wait (epoll, &got, 1, 100));
  note_result (read (fd, &value, 8));
  note_value ((long) value);
  note_result (read (fd, &value, 8));
  timer = (int) note_result (timerfd_create (CLOCK_MONOTONIC, 0));
  note_result (timerfd_settime (timer, 0, &soon, NULL));
  note_result (read (timer, &value, 8));
  polled = (struct pollfd) { .fd = fd, .events = POLLIN };
  note_result (poll (&polled, 1, 2));
  sigemptyset (&set);
  sigaddset (&set, SIGUSR2);
  note_result (sigprocmask (SIG_BLOCK, &set, NULL));
  signals = (int) note_result (signalfd (-1, &set, SFD_NONBLOCK));
  note_result (kill (getpid (), SIGUSR2));
  note_result (read (signals, &(struct signalfd_siginfo) { 0 }, sizeof (struct signalfd_siginfo)) > 0);
  note_result (sigprocmask (SIG_UNBLOCK, &set, NULL));
  quiet_sleep (200000);
  note_result (syscall (SYS_futex, &(int) { 4 }, 0, 5, NULL, NULL, 0));
  close (signals);
  close (timer);
  close (fd);
  close (epoll);
}

static void
use_ipc (void)
{
  struct { long type; char text[64]; } message = { 1, "deed" };
  struct sembuf up = { 0, 1, 0 }, down = { 0, -1, IPC_NOWAIT };
  int queue = msgget (IPC_PRIVATE, 0600), sem = semget (IPC_PRIVATE, 1, 0600);
  int memory_id = shmget (IPC_PRIVATE, 8192, 0600), notify;
  char *at, events[512];

  note_result (msgsnd (queue, &message, 64, 0));
  note_result (msgrcv (queue, &message, 64, 0, IPC_NOWAIT));
  note_bytes (message.text, 64);
  note_result (msgrcv (queue, &message, 64, 0, IPC_NOWAIT));
  note_result (msgctl (queue, IPC_RMID, NULL));
  note_result (semop (sem, &up, 1));
  note_result (semop (sem, &down, 1));
  note_result (semop (sem, &down, 1));
  note_result (semctl (sem, 0, IPC_RMID));
  at = shmat (memory_id, NULL, 0);
  if (at != (void *) -1)
    at[5000] = 1;
  note_result (shmdt (at));
  note_result (shmctl (memory_id, IPC_RMID, NULL));
  notify = (int) note_result (inotify_init1 (IN_NONBLOCK));
  note_result (inotify_add_watch (notify, "/tmp", IN_CREATE));
  close (open ("/tmp/deed-seen", O_CREAT | O_WRONLY, 0600));
  note_result (read (notify, events, sizeof events));
  note_result (unlink ("/tmp/deed-seen"));
  close (notify);
}

static void
use_others (void)
{
  struct utsname name;
  struct rlimit limit;
  struct timespec time;
  char random[16];
  int fd;

  note_result (uname (&name));
  note_bytes (name.sysname, 5);
  note_result (getrlimit (RLIMIT_NOFILE, &limit));
  note_result (syscall (SYS_clock_gettime, CLOCK_MONOTONIC, &time));
  note_result (syscall (SYS_clock_getres, CLOCK_REALTIME, &time));
  note_result (syscall (SYS_getrandom, random, 16, 0));
  note_result (syscall (SYS_memfd_create, "deed", 0));
  note_result (close (3));
  note_result (syscall (9999));
  note_result (syscall (SYS_sysinfo, NULL));
  note_result (syscall (SYS_getcpu, NULL, NULL, NULL));
  fd = (int) note_result (open ("/dev/zero", O_RDWR));
  note_result (read (fd, random, 16));
  note_bytes (random, 16);
  note_result (ioctl (fd, 0x5401, random));
  close (fd);
}

int
main (int argc, char **argv)
{
  static void (*const deeds[]) (void) = {
    use_files, use_folders, pseudo_files, use_memory, use_processes, use_pipes, use_sockets, use_waiting, use_ipc, use_others,
  };
  int rounds = argc > 1 ? atoi (argv[1]) : 1;

  for (int round = 0; round < rounds; round++)
    for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++)
      deeds[i] ();
  printf ("hash %016llx\n", (unsigned long long) hash);

  return 0;
}
