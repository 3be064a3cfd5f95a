/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-backlog.c - sends samples that wait in the agent for a slow stream, and answers that
 * overtake these samples
 */
/* Promise: samples wait for a slow stream, and answers overtake them */
#include "agent/gilkd-client.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <glib.h>

#define FRAMES 3000
#define PAYLOAD_MOST 5000

typedef struct {
  struct gilkd_client client;
  int                 reader;
} Stream;

static void
stream_begin (Stream  *stream,
              gboolean blocks)
{
  const int little = 4096;
  int pair[2];

  memset (stream, 0, sizeof *stream);
  g_assert_cmpint (socketpair (AF_UNIX, SOCK_STREAM, 0, pair), ==, 0);
  g_assert_cmpint (setsockopt (pair[1], SOL_SOCKET, SO_SNDBUF, &little, sizeof little), ==, 0);
  if (!blocks)
    g_assert_cmpint (fcntl (pair[1], F_SETFL, O_NONBLOCK), ==, 0);
  stream->reader = pair[0];
  stream->client.out = pair[1];
  g_assert_cmpint (gilkd_backlog_start (&stream->client), ==, 0);
}

static void
stream_end (Stream *stream)
{
  gilkd_backlog_end (&stream->client);
  close (stream->client.out);
  if (stream->reader >= 0)
    close (stream->reader);
}

/* Returns the payload length of frame @number. Each frame has another length, which identifies
 * it. */
static guint
length_of (guint number)
{
  return number * 7919 % PAYLOAD_MOST;
}

static void
put_frame (Stream *stream,
           guint   number,
           guint   type)
{
  struct gilk_frame head = { .magic = GILK_WIRE_MAGIC, .length = length_of (number), .type = type,
                             .seq = number };
  uint8_t payload[PAYLOAD_MOST];

  memset (payload, (int) number, sizeof payload);
  if (type == GILK_SAMPLES_PACKED)
    gilkd_backlog_put (&stream->client, &head, payload);
  else
    gilkd_send (&stream->client, &head, payload);
}

/* ---- reading and checking the frames received ---- */

static gpointer
read_all (gpointer data)
{
  Stream *stream = data;
  GByteArray *all = g_byte_array_new ();
  uint8_t some[777];
  gssize got;

  while ((got = read (stream->reader, some, sizeof some)) > 0)
    g_byte_array_append (all, some, (guint) got);

  return all;
}

/* Checks that all frames are complete, and that frames of one type are in order. Returns the number
 * of frames of @type. */
static guint
check_frames (GByteArray *all,
              guint       type)
{
  guint n = 0, last[2] = { 0, 0 };

  for (guint at = 0; at < all->len;)
    {
      struct gilk_frame head;
      guint samples;

      g_assert_cmpuint (all->len - at, >=, sizeof head);
      memcpy (&head, all->data + at, sizeof head);
      at += sizeof head;
      g_assert_cmpuint (head.magic, ==, GILK_WIRE_MAGIC);
      g_assert_cmpuint (head.length, ==, length_of (head.seq));
      g_assert_cmpuint (all->len - at, >=, head.length);
      for (guint i = 0; i < head.length; i++)
        g_assert_cmpuint (all->data[at + i], ==, head.seq & 0xff);
      at += head.length;
      samples = head.type == GILK_SAMPLES_PACKED;
      g_assert_cmpuint (head.seq, >, last[samples]);
      last[samples] = head.seq;
      n += head.type == type;
    }

  return n;
}

/* ---- tests ---- */

/* Tests that each frame arrives once, and that frames of one type arrive in order. Frames of
 * different types may overtake each other. */
static void
test_overtaken (gconstpointer blocks)
{
  g_autoptr (GByteArray) all = NULL;
  Stream stream;
  GThread *reader;
  guint answers = 0;

  stream_begin (&stream, GPOINTER_TO_INT (blocks));
  reader = g_thread_new ("reader", read_all, &stream);
  for (guint i = 1; i <= FRAMES; i++)
    {
      put_frame (&stream, i, GILK_SAMPLES_PACKED);
      if (i % 3 == 0)
        gilkd_backlog_push (&stream.client);
      if (i % 100 == 0)
        put_frame (&stream, ++answers, GILK_COUNTERS);
    }
  gilkd_backlog_flush (&stream.client);
  g_assert_false (stream.client.broken);
  g_assert_cmpuint (stream.client.backlog.used, ==, 0);
  shutdown (stream.client.out, SHUT_WR);
  all = g_thread_join (reader);
  g_assert_cmpuint (check_frames (all, GILK_SAMPLES_PACKED), ==, FRAMES);
  g_assert_cmpuint (check_frames (all, GILK_COUNTERS), ==, answers);
  stream_end (&stream);
}

/* Tests that no call blocks if no client reads, and that the backlog keeps as many frames as fit,
 * even if it wraps around. */
static void
test_full (gconstpointer blocks)
{
  const gsize most = sizeof (struct gilk_frame) + PAYLOAD_MOST;
  g_autoptr (GByteArray) all = NULL;
  Stream stream;
  GThread *reader;
  guint n = 0;

  stream_begin (&stream, GPOINTER_TO_INT (blocks));
  stream.client.backlog.size = 1 << 20;
  /* The queue starts near the end of the ring buffer, as after earlier use. */
  stream.client.backlog.from = (1 << 20) - 5;
  while (gilkd_backlog_room (&stream.client) >= most)
    {
      put_frame (&stream, ++n, GILK_SAMPLES_PACKED);
      gilkd_backlog_push (&stream.client);
    }
  g_assert_cmpuint (n, >, (1 << 20) / most);
  reader = g_thread_new ("reader", read_all, &stream);
  gilkd_backlog_flush (&stream.client);
  shutdown (stream.client.out, SHUT_WR);
  all = g_thread_join (reader);
  g_assert_cmpuint (check_frames (all, GILK_SAMPLES_PACKED), ==, n);
  stream_end (&stream);
}

/* Tests that if a session ends in the middle of a frame, the next session can still use the
 * stream. */
static void
test_end (void)
{
  g_autoptr (GByteArray) all = NULL;
  Stream stream;
  GThread *reader;
  guint sent;

  stream_begin (&stream, FALSE);
  for (guint i = 1; i <= 100; i++)
    put_frame (&stream, i, GILK_SAMPLES_PACKED);
  gilkd_backlog_push (&stream.client);
  g_assert_cmpuint (stream.client.backlog.partly_sent, >, 0);
  reader = g_thread_new ("reader", read_all, &stream);
  gilkd_backlog_end (&stream.client);
  put_frame (&stream, 1, GILK_BYE);
  shutdown (stream.client.out, SHUT_WR);
  all = g_thread_join (reader);
  sent = check_frames (all, GILK_SAMPLES_PACKED);
  g_assert_cmpuint (sent, >, 0);
  g_assert_cmpuint (sent, <, 100);
  g_assert_cmpuint (check_frames (all, GILK_BYE), ==, 1);
  stream_end (&stream);
}

static void
test_hung_up (void)
{
  Stream stream;

  stream_begin (&stream, FALSE);
  for (guint i = 1; i <= 100; i++)
    put_frame (&stream, i, GILK_SAMPLES_PACKED);
  gilkd_backlog_push (&stream.client);
  close (stream.reader);
  stream.reader = -1;
  gilkd_backlog_flush (&stream.client);
  g_assert_true (stream.client.broken);
  put_frame (&stream, 101, GILK_COUNTERS);
  stream_end (&stream);
}

int
main (int    argc,
      char **argv)
{
  signal (SIGPIPE, SIG_IGN);
  alarm (60);
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/backlog/overtaken", GINT_TO_POINTER (FALSE), test_overtaken);
  g_test_add_data_func ("/backlog/overtaken-in-a-stream-that-blocks", GINT_TO_POINTER (TRUE),
                        test_overtaken);
  g_test_add_data_func ("/backlog/full", GINT_TO_POINTER (FALSE), test_full);
  g_test_add_data_func ("/backlog/full-in-a-stream-that-blocks", GINT_TO_POINTER (TRUE), test_full);
  g_test_add_func ("/backlog/end", test_end);
  g_test_add_func ("/backlog/hung-up", test_hung_up);

  return g_test_run ();
}
