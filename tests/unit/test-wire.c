/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-wire.c - tests the client with agents that misbehave, and the agent with clients that
 * misbehave
 *
 * The false agent is a thread behind a UNIX socket that sends HELLO and then the bytes that the
 * test gives it. The real agent is the built one.
 */
/* Promise: an agent or client that misbehaves is detected, and the connection ends */
#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "agent/gilkd-driver.h"
#include "core/base/gilk-error.h"
#include "core/link/gilk-stream.h"
#include "core/link/gilk-target-private.h"
#include "tests/unit/real-agent.h"

/* ---- tests of the frame parser, without a connection ---- */

static struct gilk_frame
answer_head (guint    type,
             uint32_t seq,
             uint32_t length)
{
  struct gilk_frame head = gilk_frame_request (type, seq, length);

  return head;
}

static void
test_parse (void)
{
  struct gilk_frame head = answer_head (GILK_PING, 7, 2), out;
  uint8_t bytes[sizeof head + 2] = { 0 };

  memcpy (bytes, &head, sizeof head);
  for (gsize length = 0; length < sizeof bytes; length++)
    g_assert_cmpint (gilk_frame_parse (bytes, length, &out), ==, GILK_FRAME_INCOMPLETE);
  g_assert_cmpint (gilk_frame_parse (bytes, sizeof bytes, &out), ==, GILK_FRAME_COMPLETE);

  head.length = GILK_WIRE_PAYLOAD_MAX + 1;
  memcpy (bytes, &head, sizeof head);
  g_assert_cmpint (gilk_frame_parse (bytes, sizeof bytes, &out), ==, GILK_FRAME_BAD);
  head = answer_head (GILK_PING, 0, 0);
  memcpy (bytes, &head, sizeof head);
  g_assert_cmpint (gilk_frame_parse (bytes, sizeof bytes, &out), ==, GILK_FRAME_BAD);
  bytes[0] ^= 1;
  g_assert_cmpint (gilk_frame_parse (bytes, sizeof bytes, &out), ==, GILK_FRAME_BAD);
}

static void
test_resync (void)
{
  struct gilk_frame head = answer_head (GILK_HELLO, 99, sizeof (struct gilk_hello_answer));
  struct gilk_frame other = answer_head (GILK_HELLO, 98, sizeof (struct gilk_hello_answer));
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  gsize junk;

  g_byte_array_append (bytes, (const uint8_t *) "GILGIGGILK junk", 15);
  g_byte_array_append (bytes, (const uint8_t *) &other, sizeof other);
  junk = bytes->len;
  g_byte_array_append (bytes, (const uint8_t *) &head, sizeof head);
  g_assert_cmpuint (gilk_frame_resync (bytes->data, bytes->len, 99), ==, junk);
  /* The start of a frame is kept as long as the frame can still be valid. */
  g_assert_cmpuint (gilk_frame_resync (bytes->data, junk + 2, 99), ==, junk);
}

static void
test_sentence (void)
{
  g_autofree char *text = gilk_frame_error_text ("bad \xff\n\x1b[31mtext", 14);

  g_assert_true (g_utf8_validate (text, -1, NULL));
  g_assert_null (strpbrk (text, "\n\x1b"));
}

/* ---- tests of the client with a false agent ---- */

typedef struct {
  char       *path;
  int         listener;
  GThread    *thread;
  GByteArray *say;           /* bytes sent after the first request other than HELLO */
  gboolean    wrong_nonce;
  gboolean    silent;        /* keeps the connection open instead of closing it */
  /* Number of patches that STATUS reports. If 0, STATUS is answered like other requests. */
  guint       patches;
} Agent;

/* Replaces the driver's ioctl(). For STATUS it reports @fd patches. */
int
ioctl (int           fd,
       unsigned long request,
       ...)
{
  struct ilk_status *status;
  struct ilk_patch_status *patches;
  va_list args;
  void *argument;

  va_start (args, request);
  argument = va_arg (args, void *);
  va_end (args);
  if (request != ILK_IOC_STATUS)
    return (int) syscall (SYS_ioctl, fd, request, argument);
  status = argument;
  patches = (struct ilk_patch_status *) (uintptr_t) status->patches;
  status->count = (uint32_t) fd;
  for (uint32_t i = 0; i < MIN (status->count, status->capacity); i++)
    patches[i].id = i + 1;

  return 0;
}

static void
answer_status (const Agent             *agent,
               int                      fd,
               const struct gilk_frame *head,
               char                    *payload)
{
  struct gilkd_client client = { .in = fd, .out = fd, .request = *head };
  struct gilkd_driver driver = { .client = &client, .device = (int) agent->patches };

  gilkd_do_status (&driver, (uint8_t *) payload, head->length);
}

static gboolean
read_all (int   fd,
          void *out,
          gsize length)
{
  for (gsize done = 0; done < length;)
    {
      gssize got = read (fd, (char *) out + done, length - done);

      if (got <= 0)
        return FALSE;
      done += got;
    }

  return TRUE;
}

static void
write_all (int         fd,
           const void *bytes,
           gsize       length)
{
  if (length > 0)
    g_assert_cmpint (send (fd, bytes, length, MSG_NOSIGNAL), ==, (gssize) length);
}

static void
say_hello (Agent             *agent,
           int                fd,
           struct gilk_frame *head,
           const void        *payload)
{
  struct gilk_hello_answer answer = { .version = GILK_WIRE_VERSION, .abi = ILK_ABI_VERSION };
  struct gilk_hello hello;

  memcpy (&hello, payload, sizeof hello);
  answer.nonce = hello.nonce + agent->wrong_nonce;
  memset (answer.release, 'x', sizeof answer.release);
  head->length = sizeof answer;
  write_all (fd, "stale bytes GILK", 16);
  write_all (fd, head, sizeof *head);
  write_all (fd, &answer, sizeof answer);
}

/* Returns whether the frame is an answer to a request. The other frames, events, have a sequence
 * number of 0. */
static gboolean
says_answer (const uint8_t *bytes)
{
  struct gilk_frame head;

  memcpy (&head, bytes, sizeof head);
  return head.seq != 0;
}

static gpointer
run_agent (gpointer data)
{
  Agent *agent = data;
  int fd = accept (agent->listener, NULL, NULL);
  struct gilk_frame head;
  char payload[4096];

  while (fd >= 0 && read_all (fd, &head, sizeof head) && head.length <= sizeof payload &&
         read_all (fd, payload, head.length))
    {
      if (head.type == GILK_HELLO)
        {
          say_hello (agent, fd, &head, payload);
          continue;
        }
      if (head.type == GILK_RENEW_LEASE)
        continue;
      if (head.type == GILK_GET_FILE || head.type == GILK_LEASE)      /* every new client sends
                                                                         these requests */
        {
          head.length = 0;
          write_all (fd, &head, sizeof head);
          continue;
        }
      if (head.type == GILK_STATUS && agent->patches > 0)
        {
          answer_status (agent, fd, &head, payload);
          continue;
        }
      if (agent->say->len >= sizeof head && says_answer (agent->say->data))
        memcpy (agent->say->data + offsetof (struct gilk_frame, seq), &head.seq, sizeof head.seq);
      write_all (fd, agent->say->data, agent->say->len);
      if (!agent->silent)
        break;
    }
  close (fd);

  return NULL;
}

static void
agent_start (Agent *agent)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  g_autofree char *dir = g_dir_make_tmp ("gilk-wire-XXXXXX", NULL);

  agent->path = g_build_filename (dir, "s", NULL);
  g_strlcpy (address.sun_path, agent->path, sizeof address.sun_path);
  agent->listener = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  g_assert_cmpint (bind (agent->listener, (struct sockaddr *) &address, sizeof address), ==, 0);
  g_assert_cmpint (listen (agent->listener, 1), ==, 0);
  agent->say = g_byte_array_new ();
  agent->thread = g_thread_new ("agent", run_agent, agent);
}

static void
agent_stop (Agent *agent)
{
  g_autofree char *dir = g_path_get_dirname (agent->path);

  shutdown (agent->listener, SHUT_RDWR);
  g_thread_join (agent->thread);
  close (agent->listener);
  unlink (agent->path);
  rmdir (dir);
  g_byte_array_unref (agent->say);
  g_free (agent->path);
}

static GilkTarget *
connect_to (Agent   *agent,
            GError **error)
{
  g_autofree char *spec = g_strdup_printf ("unix:%s", agent->path);

  return gilk_target_open (spec, NULL, NULL, error);
}

/* Sends a PING, to which the agent answers with the bytes @say, and checks that the error is
 * @code. */
static void
expect_ping_error (const void *say,
                   gsize       length,
                   int         code)
{
  Agent agent = { 0 };
  g_autoptr (GError) error = NULL;
  GilkTarget *target;

  agent_start (&agent);
  g_byte_array_append (agent.say, say, length);
  target = connect_to (&agent, &error);
  g_assert_no_error (error);
  g_assert_null (gilk_target_request (target, GILK_PING, "x", 1, NULL, &error));
  g_assert_error (error, GILK_ERROR, code);
  g_clear_error (&error);
  /* The stream is broken, so later requests fail at once. */
  g_assert_null (gilk_target_request (target, GILK_PING, "x", 1, NULL, &error));
  g_assert_nonnull (error);
  gilk_target_unref (target);
  agent_stop (&agent);
}

static void
test_hostile_agent (void)
{
  struct gilk_frame head = answer_head (GILK_PING, 1, 100);
  struct gilk_frame failed = answer_head (GILK_PING, 1, 3);
  uint8_t with_text[sizeof failed + 3];
  struct gilk_frame huge = answer_head (GILK_PING, 1, G_MAXUINT32);
  struct gilk_frame bye = answer_head (GILK_BYE, 0, 0);
  uint8_t junk[64];

  memset (junk, 0xa5, sizeof junk);
  expect_ping_error ("", 0, GILK_ERROR_TARGET);
  expect_ping_error (junk, sizeof junk, GILK_ERROR_PROTOCOL);
  expect_ping_error (&head, sizeof head, GILK_ERROR_TARGET);
  expect_ping_error (&head, 5, GILK_ERROR_TARGET);
  expect_ping_error (&huge, sizeof huge, GILK_ERROR_PROTOCOL);
  expect_ping_error (&bye, sizeof bye, GILK_ERROR_TARGET);

  failed.status = EPERM;
  memcpy (with_text, &failed, sizeof failed);
  memcpy (with_text + sizeof failed, "no.", 3);
  expect_ping_error (with_text, sizeof with_text, GILK_ERROR_PERMISSION);
}

/* Tests an agent that dies in the middle of a frame and restarts: its BYE is inside the old
 * frame. */
static void
test_restart_in_frame (void)
{
  struct {
    struct gilk_frame half;
    uint8_t           part[10];
    struct gilk_frame bye;
  } __attribute__ ((packed)) say = {
    .half = answer_head (GILK_PING, 1, 1000), .bye = answer_head (GILK_BYE, 0, 0),
  };
  Agent agent = { .silent = TRUE };
  g_autoptr (GError) error = NULL;
  GilkTarget *target;

  agent_start (&agent);
  g_byte_array_append (agent.say, (const uint8_t *) &say, sizeof say);
  target = connect_to (&agent, &error);
  g_assert_no_error (error);
  g_assert_null (gilk_target_request (target, GILK_PING, "x", 1, NULL, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_TARGET);
  g_assert_nonnull (strstr (error->message, "restarted"));
  gilk_target_unref (target);
  agent_stop (&agent);
}

/* Checks that the wait ends with an error if an answer does not arrive, or arrives only in part. */
static void
expect_standstill (gsize       length,
                   const char *words)
{
  struct gilk_frame half = answer_head (GILK_PING, 1, 1000);
  Agent agent = { .silent = TRUE };
  g_autoptr (GError) error = NULL;
  GilkTarget *target;
  uint32_t seq;

  agent_start (&agent);
  g_byte_array_append (agent.say, (const uint8_t *) &half, length);
  target = connect_to (&agent, &error);
  g_assert_no_error (error);
  seq = gilk_target_send_bytes (target, GILK_PING, "x", 1, &error);
  g_assert_cmpuint (seq, !=, 0);
  g_assert_null (gilk_target_wait_for (target, GILK_PING, seq, G_USEC_PER_SEC / 5, NULL, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_TARGET);
  g_assert_nonnull (strstr (error->message, words));

  shutdown (agent.listener, SHUT_RDWR);
  agent.silent = FALSE;          /* the BYE is answered by closing the connection */
  gilk_target_unref (target);
  agent_stop (&agent);
}

static void
test_standstill (void)
{
  expect_standstill (0, "has not answered");
  expect_standstill (sizeof (struct gilk_frame), "in the middle of an answer");
}

/* Tests more patches than one request can arm or one frame can hold. */
static void
test_many_patches (void)
{
  static const guint counts[] = { ILK_BATCH_MAX + 100, GILK_WIRE_PAYLOAD_MAX / sizeof (struct ilk_patch_status) + 100 };

  for (gsize i = 0; i < G_N_ELEMENTS (counts); i++)
    {
      Agent agent = { .patches = counts[i] };
      g_autoptr (GError) error = NULL;
      g_autoptr (GArray) patches = NULL;
      GilkTarget *target;

      agent_start (&agent);
      target = connect_to (&agent, &error);
      g_assert_no_error (error);
      patches = gilk_target_status (target, TRUE, NULL, NULL, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (patches->len, ==, counts[i]);
      for (guint k = 0; k < patches->len; k++)
        g_assert_cmpuint (g_array_index (patches, struct ilk_patch_status, k).id, ==, k + 1);
      gilk_target_unref (target);
      agent_stop (&agent);
    }
}

static void
test_wrong_nonce (void)
{
  Agent agent = { .wrong_nonce = TRUE };
  g_autoptr (GError) error = NULL;

  agent_start (&agent);
  g_assert_null (connect_to (&agent, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_PROTOCOL);
  agent_stop (&agent);
}

static gpointer
cancel_soon (gpointer data)
{
  g_usleep (100000);
  g_cancellable_cancel (data);
  return NULL;
}

static void
test_cancel (void)
{
  Agent agent = { .silent = TRUE };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  GilkTarget *target;
  GThread *thread;

  agent_start (&agent);
  target = connect_to (&agent, &error);
  g_assert_no_error (error);
  thread = g_thread_new ("cancel", cancel_soon, cancellable);
  g_assert_null (gilk_target_request (target, GILK_PING, "x", 1, cancellable, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_CANCELLED);
  g_thread_join (thread);
  g_clear_error (&error);
  g_assert_null (gilk_target_request (target, GILK_PING, "x", 1, cancellable, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_CANCELLED);

  shutdown (agent.listener, SHUT_RDWR);
  agent.silent = FALSE;          /* the BYE is answered by closing the connection */
  gilk_target_unref (target);
  agent_stop (&agent);
}

static void
test_specs (void)
{
  static const struct {
    const char *spec;
    int code;
  } bad[] = {
    { "nonsense", GILK_ERROR_USAGE }, { "ssh:", GILK_ERROR_USAGE },
    { "ssh:-oProxyCommand=x", GILK_ERROR_USAGE }, { "lab:../x", GILK_ERROR_USAGE },
    { "lab:", GILK_ERROR_USAGE }, { "unix:/nowhere/at/all", GILK_ERROR_TARGET },
    { "exec:exit 3", GILK_ERROR_TARGET }, { "exec:echo no; echo why >&2", GILK_ERROR_TARGET },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (gilk_target_open (bad[i].spec, NULL, NULL, &error));
      g_assert_error (error, GILK_ERROR, bad[i].code);
    }
}

/* ---- tests of the real agent ---- */

static void
test_true_agent (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GilkTarget) target = gilk_target_open ("exec:" GILKD " --stdio", NULL, NULL, &error);
  g_autofree uint8_t *big = g_malloc0 (GILK_WIRE_PAYLOAD_MAX);
  g_autoptr (GByteArray) answer = NULL;
  g_autofree char *modules = NULL;
  uint32_t hostile[64];

  g_assert_no_error (error);
  answer = gilk_target_request (target, GILK_PING, big, GILK_WIRE_PAYLOAD_MAX, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (answer->len, ==, GILK_WIRE_PAYLOAD_MAX);
  g_assert_null (gilk_target_request (target, GILK_PING, big, (gsize) GILK_WIRE_PAYLOAD_MAX + 1,
                                      NULL, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
  g_clear_error (&error);

  /* A request of any type with garbage as payload gets an error, and the agent continues. */
  memset (hostile, 0xff, sizeof hostile);
  for (guint type = GILK_PING + 1; type < 60; type++)
    {
      g_autoptr (GByteArray) ignored = NULL;

      if (type >= GILK_DRIVER_LOAD && type <= GILK_INSTRUMENT_UNLOAD)
        continue;
      for (gsize length = 4; length <= sizeof hostile; length += 4)
        {
          ignored = gilk_target_request (target, type, hostile, length, NULL, &error);
          g_assert_null (ignored);
          g_assert_nonnull (error);
          g_clear_error (&error);
        }
    }
  g_clear_pointer (&answer, g_byte_array_unref);
  answer = gilk_target_request (target, GILK_PING, "still", 5, NULL, &error);
  g_assert_no_error (error);
}

static void
test_wrong_version (void)
{
  struct {
    struct gilk_frame head;
    struct gilk_hello hello;
  } request = { .hello = { .version = 999, .abi = 7 } };
  struct gilk_frame answer;
  char text[512] = "";
  pid_t child;
  int fd;

  request.head = answer_head (GILK_HELLO, 5, sizeof request.hello);
  child = real_agent_start (&fd);
  write_all (fd, "rubbish first", 13);
  write_all (fd, &request, sizeof request);
  g_assert_true (read_all (fd, &answer, sizeof answer));
  g_assert_cmpuint (answer.status, ==, EPROTO);
  g_assert_cmpuint (answer.length, <, sizeof text);
  g_assert_true (read_all (fd, text, answer.length));
  g_assert_nonnull (strstr (text, "release"));
  close (fd);
  g_assert_cmpint (waitpid (child, NULL, 0), ==, child);
}

/* A pseudo-terminal that replaces the agent's port: like a port, it outlives clients and may
 * contain stale bytes. */
typedef struct {
  int   master;
  pid_t child;
} Port;

static void
port_start (Port *port)
{
  struct termios raw;
  const char *name;

  port->master = posix_openpt (O_RDWR | O_NOCTTY);
  g_assert_cmpint (port->master, >=, 0);
  g_assert_cmpint (grantpt (port->master), ==, 0);
  g_assert_cmpint (unlockpt (port->master), ==, 0);
  name = ptsname (port->master);
  tcgetattr (port->master, &raw);
  cfmakeraw (&raw);
  tcsetattr (port->master, TCSANOW, &raw);
  port->child = fork ();
  if (port->child == 0)
    {
      close (port->master);
      execl (GILKD, GILKD, "--port", name, NULL);
      _exit (127);
    }
}

static void
port_stop (Port *port)
{
  kill (port->child, SIGKILL);
  waitpid (port->child, NULL, 0);
  close (port->master);
}

static void
port_hello (Port    *port,
            uint32_t seq)
{
  struct {
    struct gilk_frame head;
    struct gilk_hello hello;
  } request = { .hello = { GILK_WIRE_VERSION, ILK_ABI_VERSION, seq } };

  request.head = answer_head (GILK_HELLO, seq, sizeof request.hello);
  g_assert_cmpint (write (port->master, &request, sizeof request), ==, sizeof request);
}

static gboolean
port_answers (Port    *port,
              uint32_t seq)
{
  struct {
    struct gilk_frame head;
    struct gilk_hello_answer answer;
  } answer;
  struct pollfd fd = { .fd = port->master, .events = POLLIN };

  return poll (&fd, 1, 10000) == 1 && read_all (port->master, &answer, sizeof answer) &&
         answer.head.seq == seq && answer.answer.nonce == seq;
}

static gboolean
port_says_bye (Port *port)
{
  struct gilk_frame bye;
  struct pollfd fd = { .fd = port->master, .events = POLLIN };

  return poll (&fd, 1, 10000) == 1 && read_all (port->master, &bye, sizeof bye) &&
         bye.seq == 0 && bye.type == GILK_BYE;
}

static void
test_port (void)
{
  struct gilk_frame half = answer_head (GILK_PING, 3, 1000);
  Port port;

  port_start (&port);
  g_assert_true (port_says_bye (&port));
  port_hello (&port, 11);
  g_assert_true (port_answers (&port, 11));
  /* A client died in the middle of a request; the next client takes over. */
  g_assert_cmpint (write (port.master, &half, sizeof half), ==, sizeof half);
  port_hello (&port, 12);
  g_assert_true (port_answers (&port, 12));
  /* One client sends garbage; the next client is served. */
  g_assert_cmpint (write (port.master, "nonsense nonsense nonsense", 26), ==, 26);
  g_assert_true (port_says_bye (&port));
  port_hello (&port, 13);
  g_assert_true (port_answers (&port, 13));
  port_stop (&port);
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGPIPE, SIG_IGN);
  g_test_add_func ("/wire/parse", test_parse);
  g_test_add_func ("/wire/resync", test_resync);
  g_test_add_func ("/wire/sentence", test_sentence);
  g_test_add_func ("/wire/hostile-agent", test_hostile_agent);
  g_test_add_func ("/wire/restart-in-frame", test_restart_in_frame);
  g_test_add_func ("/wire/standstill", test_standstill);
  g_test_add_func ("/wire/many-patches", test_many_patches);
  g_test_add_func ("/wire/wrong-nonce", test_wrong_nonce);
  g_test_add_func ("/wire/cancel", test_cancel);
  g_test_add_func ("/wire/specs", test_specs);
  g_test_add_func ("/wire/true-agent", test_true_agent);
  g_test_add_func ("/wire/wrong-version", test_wrong_version);
  g_test_add_func ("/wire/port", test_port);

  return g_test_run ();
}
