/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * health-module.c - loaded into the workbench by GTK_MODULES: reports when its main thread was
 * blocked, and warnings of GTK or GLib
 *
 * An iteration of the main loop starts when poll() returns and ends when poll() is called again.
 * During an iteration the program processes no further key, click or frame. Each iteration over
 * LIMIT_MS, and each warning, is a line of the file $GILK_HEALTH, with stacks, the innermost frame
 * first:
 *
 *   pause PID WALL CPU ASLEEP SERVER PAGED          milliseconds
 *   complaint PID DOMAIN: TEXT
 *   at MS FRAME FRAME...                            where the thread was MS after the start
 *
 * CPU is the CPU time of the main thread. The other times are sampled every LOOK_MS. ASLEEP: the
 * thread waited in a system call. SERVER: it waited for the X server. PAGED: it waited for a page
 * to be read from disk. For the rest of WALL the thread was runnable but did not run.
 *
 * A datagram to the socket $GILK_HEALTH.PID is answered once the main loop has nothing left to do,
 * including layout and drawing. AT-SPI answers earlier, with outdated positions. If the program
 * crashes, the module prints the location of the crash on standard error.
 */
#include "glance-module.h"

#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <gio/gio.h>
#include <glib-unix.h>
#include <gmodule.h>
#include <gtk/gtk.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#define LIMIT_MS 50
#define LOOK_MS  10
#define FILES_READ_MS 1000
#define FRAME_MS      40              /* maximum delay of a frame that is due */
#define N_STACKS 12
#define N_FRAMES 64

typedef struct {
  int   ms, n;
  void *frames[N_FRAMES];
} Stack;

static struct {
  GPollFunc   poll;
  FILE       *out;
  pthread_t   main;
  clockid_t   cpu_clock;
  atomic_long begin;                    /* time at which the iteration started, in ns; 0: the
                                         * thread is in poll() */
  atomic_int  asleep_ms, server_ms, paged_ms, n_stacks;
  uintptr_t   xcb_begin, xcb_end;       /* address range of libxcb's code */
  long        cpu_begin;
  Stack       stacks[N_STACKS];
} health;

G_MODULE_EXPORT void gtk_module_init (int *argc, char ***argv);

static long
get_now (clockid_t clock)
{
  struct timespec t;

  clock_gettime (clock, &t);
  return t.tv_sec * 1000000000L + t.tv_nsec;
}

static int
ms_since (long begin, clockid_t clock)
{
  return (int) ((get_now (clock) - begin) / 1000000);
}

static gboolean
is_in_xcb (void *const *frames, int n)
{
  for (int i = 0; i < n; i++)
    if ((uintptr_t) frames[i] >= health.xcb_begin && (uintptr_t) frames[i] < health.xcb_end)
      return TRUE;
  return FALSE;
}

/* Runs in the main thread as a signal handler: records the thread's stack. */
static void
take_stack (int signal)
{
  int i = atomic_load (&health.n_stacks);
  long begin = atomic_load (&health.begin);

  if (begin == 0 || i >= N_STACKS)
    return;
  health.stacks[i].n = backtrace (health.stacks[i].frames, N_FRAMES);
  health.stacks[i].ms = ms_since (begin, CLOCK_MONOTONIC);
  atomic_store (&health.n_stacks, i + 1);
}

/* Handles the signal that the watchdog sends while the main thread waits in a system call: notes
 * whether it waits for the X server. */
static void
take_wait (int signal)
{
  void *frames[12];

  if (is_in_xcb (frames, backtrace (frames, G_N_ELEMENTS (frames))))
    atomic_fetch_add (&health.server_ms, LOOK_MS);
}

/* Gets the number of the system call in which the thread waits, or -1 if it waits for a page.
 * Returns FALSE if the thread is running or runnable. */
static gboolean
is_main_waiting (int syscall, int *call)
{
  char text[512] = "";

  return pread (syscall, text, sizeof text - 1, 0) > 0 && sscanf (text, "%d", call) == 1;
}

static gpointer
watch_main_loop (gpointer data)
{
  FILE *syscall = data;
  long last = 0, next = 0;

  for (;;)
    {
      long begin;
      int call;

      g_usleep (LOOK_MS * 1000);
      begin = atomic_load (&health.begin);
      if (begin == 0)
        continue;
      if (begin != last)
        next = LOOK_MS;
      last = begin;
      if (is_main_waiting (fileno (syscall), &call))
        {
          atomic_fetch_add (call >= 0 ? &health.asleep_ms : &health.paged_ms, LOOK_MS);
          pthread_kill (health.main, SIGRTMAX - 2);
        }
      if (ms_since (begin, CLOCK_MONOTONIC) < next)
        continue;
      next = next < LIMIT_MS ? next + LOOK_MS : next * 2;
      pthread_kill (health.main, SIGRTMAX - 1);
    }
  return NULL;
}

static void
write_stack (const Stack *stack)
{
  fprintf (health.out, "at %d", stack->ms);
  for (int i = 0; i < stack->n; i++)
    {
      Dl_info info;

      if (dladdr (stack->frames[i], &info) != 0 && info.dli_fname != NULL)
        fprintf (health.out, " %s@%#zx@%s", info.dli_fname, (size_t) ((char *) stack->frames[i] - (char *) info.dli_fbase),
                 info.dli_sname != NULL ? info.dli_sname : "?");
    }
  fputc ('\n', health.out);
}

static void
end_stretch (void)
{
  long begin = atomic_exchange (&health.begin, 0);
  int wall = ms_since (begin, CLOCK_MONOTONIC);

  if (begin != 0 && wall > LIMIT_MS)
    {
      fprintf (health.out, "pause %d %d %d %d %d %d\n", (int) getpid (), wall, ms_since (health.cpu_begin, health.cpu_clock),
               MIN (atomic_load (&health.asleep_ms), wall), atomic_load (&health.server_ms), atomic_load (&health.paged_ms));
      for (int i = 0; i < atomic_load (&health.n_stacks); i++)
        write_stack (&health.stacks[i]);
      fflush (health.out);
    }
  atomic_store (&health.n_stacks, 0);
  atomic_store (&health.asleep_ms, 0);
  atomic_store (&health.server_ms, 0);
  atomic_store (&health.paged_ms, 0);
}

/* The time taken by an answer to a test: it keeps the main thread busy, but is not counted as a
 * pause. */
static struct {
  long begin, cpu_begin;
  int  asleep_ms, server_ms, paged_ms;
} answering;

static void
begin_answer (void)
{
  answering.begin = get_now (CLOCK_MONOTONIC);
  answering.cpu_begin = get_now (health.cpu_clock);
  answering.asleep_ms = atomic_load (&health.asleep_ms);
  answering.server_ms = atomic_load (&health.server_ms);
  answering.paged_ms = atomic_load (&health.paged_ms);
}

static void
end_answer (void)
{
  atomic_store (&health.asleep_ms, answering.asleep_ms);
  atomic_store (&health.server_ms, answering.server_ms);
  atomic_store (&health.paged_ms, answering.paged_ms);
  health.cpu_begin += get_now (health.cpu_clock) - answering.cpu_begin;
  atomic_fetch_add (&health.begin, get_now (CLOCK_MONOTONIC) - answering.begin);
}

static int
poll_and_note (GPollFD *fds, guint n_fds, int timeout)
{
  int result;

  end_stretch ();
  result = health.poll (fds, n_fds, timeout);
  health.cpu_begin = get_now (health.cpu_clock);
  atomic_store (&health.begin, get_now (CLOCK_MONOTONIC));

  return result;
}

static void
take_complaint (const char *domain, GLogLevelFlags level, const char *text, gpointer data)
{
  if ((level & (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING)) != 0)
    {
      long begin = get_now (health.cpu_clock);
      Stack stack = { 0 };

      stack.n = backtrace (stack.frames, N_FRAMES);
      fprintf (health.out, "complaint %d %s: %s\n", (int) getpid (), domain, text);
      write_stack (&stack);
      fflush (health.out);
      /* Do not count the time of this report as a pause. */
      if (pthread_equal (pthread_self (), health.main))
        health.cpu_begin += get_now (health.cpu_clock) - begin;
    }
  else
    g_log_default_handler (domain, level, text, data);
}

static int
find_xcb (struct dl_phdr_info *info, size_t size, void *data)
{
  if (strstr (info->dlpi_name, "/libxcb.so") == NULL)
    return 0;
  health.xcb_begin = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; i++)
    health.xcb_end = MAX (health.xcb_end, info->dlpi_addr + info->dlpi_phdr[i].p_vaddr + info->dlpi_phdr[i].p_memsz);
  return 1;
}

/* ---- disabling the leak checker while a file chooser is shown ---- */

typedef void (*Switch) (void);

static gboolean
switch_later (gpointer func)
{
  ((Switch) func) ();

  return G_SOURCE_REMOVE;
}

/*
 * Disables the leak checker while a file chooser is shown, and for a short time after. GTK's file
 * chooser leaks names if it is closed while it reads a folder. No suppression can match these
 * leaks, because the stacks of their allocations end in g_malloc().
 */
static gboolean
dialog_shown (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer func)
{
  if (GTK_IS_FILE_CHOOSER_DIALOG (g_value_get_object (&values[0])))
    {
      if (g_str_equal (g_signal_name (hint->signal_id), "map"))
        ((Switch) func) ();
      else
        g_timeout_add (FILES_READ_MS, switch_later, func);
    }

  return TRUE;
}

static void
watch_dialogs (void)
{
  gpointer disable = dlsym (RTLD_DEFAULT, "__lsan_disable"), enable = dlsym (RTLD_DEFAULT, "__lsan_enable");

  if (disable == NULL || enable == NULL)
    return;
  g_type_class_ref (GTK_TYPE_WIDGET);
  g_signal_add_emission_hook (g_signal_lookup ("map", GTK_TYPE_WIDGET), 0, dialog_shown, disable, NULL);
  g_signal_add_emission_hook (g_signal_lookup ("unmap", GTK_TYPE_WIDGET), 0, dialog_shown, enable, NULL);
}

/* ---- answers to the question whether the program is idle ---- */

typedef struct {
  int                fd;
  struct sockaddr_un from;
  socklen_t          length;
} Question;

static gboolean
answer_question (gpointer data)
{
  Question *question = data;

  sendto (question->fd, "", 0, 0, (struct sockaddr *) &question->from, question->length);

  return G_SOURCE_REMOVE;
}

/* Runs after a frame was drawn, if one was due. Schedules the answer for when the main loop is
 * idle. */
static gboolean
answer_when_idle (gpointer data)
{
  g_idle_add_full (G_PRIORITY_LOW, answer_question, data, g_free);

  return G_SOURCE_REMOVE;
}

static gboolean
take_question (int fd, GIOCondition condition, gpointer data)
{
  Question *question = g_new0 (Question, 1);
  char text[8];

  question->fd = fd;
  question->length = sizeof question->from;
  if (recvfrom (fd, text, sizeof text, 0, (struct sockaddr *) &question->from, &question->length) >= 0)
    g_timeout_add (FRAME_MS, answer_when_idle, question);
  else
    g_free (question);

  return G_SOURCE_CONTINUE;
}

static void
listen_for_questions (const char *path)
{
  struct sockaddr_un at = { .sun_family = AF_UNIX };
  int fd = socket (AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

  g_snprintf (at.sun_path, sizeof at.sun_path, "%s.%d", path, (int) getpid ());
  unlink (at.sun_path);                         /* remove the socket that a killed process with the
                                                 * same id has left */
  if (fd < 0 || bind (fd, (struct sockaddr *) &at, sizeof at) != 0)
    g_error ("%s: %s", at.sun_path, g_strerror (errno));
  g_unix_fd_add (fd, G_IO_IN, take_question, NULL);
}

static void
on_signal (int number, void (*func) (int))
{
  struct sigaction action = { .sa_handler = func, .sa_flags = SA_RESTART };

  sigaction (number, &action, NULL);
}

/* ---- reporting where the program crashed ---- */

/* Prints the location on standard error, and lets the signal kill the program. */
static void
report_crash (int number)
{
  static const char words[] = "the workbench dies here:\n";
  void *frames[N_FRAMES];

  if (write (STDERR_FILENO, words, sizeof words - 1) < 0)
    _exit (1);
  backtrace_symbols_fd (frames, backtrace (frames, N_FRAMES), STDERR_FILENO);
  raise (number);
}

/* Installs handlers that report crashes, unless a sanitizer has handlers of its own, which report
 * more. */
static void
watch_crashes (void)
{
  static const int numbers[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
  const struct sigaction action = { .sa_handler = report_crash, .sa_flags = SA_RESETHAND | SA_NODEFER };
  struct sigaction before;

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (sigaction (numbers[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
      sigaction (numbers[i], &action, NULL);
}

void
gtk_module_init (int *argc, char ***argv)
{
  const char *path = g_getenv ("GILK_HEALTH");
  g_autofree char *syscall = g_strdup_printf ("/proc/self/task/%d/syscall", (int) getpid ());
  void *first[4];
  FILE *file;

  /* Skip other desktop programs, which the D-Bus daemon starts and which load this module, too. */
  if (path == NULL || !g_str_has_prefix (program_invocation_short_name, "gilk-"))
    return;
  health.out = fopen (path, "a");
  file = fopen (syscall, "r");
  if (health.out == NULL || file == NULL)
    g_error ("%s cannot be written", path);
  backtrace (first, G_N_ELEMENTS (first));      /* load libgcc now, because a signal handler must
                                                 * not */
  health.main = pthread_self ();
  pthread_getcpuclockid (health.main, &health.cpu_clock);
  dl_iterate_phdr (find_xcb, NULL);
  watch_crashes ();
  on_signal (SIGRTMAX - 1, take_stack);
  on_signal (SIGRTMAX - 2, take_wait);
  g_log_set_default_handler (take_complaint, NULL);
  watch_dialogs ();
  listen_for_questions (path);
  glance_listen (path, begin_answer, end_answer);
  health.poll = g_main_context_get_poll_func (NULL);
  g_main_context_set_poll_func (NULL, poll_and_note);
  g_thread_unref (g_thread_new ("health", watch_main_loop, file));
}
