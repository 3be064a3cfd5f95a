/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-target-end.c - tests that listeners are called once when a connection ends, whatever the
 * reason; removed listeners are not called
 */
#include "core/base/gilk-error.h"
#include "core/link/gilk-target.h"
#include "tests/unit/false-agent-socket.h"

typedef struct {
  gint   told;       /* atomic */
  gint   inside;     /* atomic */
  gulong slow_us;
  gulong id;
} Listener;

static void
on_end (GilkTarget *target, const GError *error, gpointer data)
{
  Listener *listener = data;

  g_atomic_int_inc (&listener->inside);
  g_assert_nonnull (error);
  g_usleep (listener->slow_us);
  g_atomic_int_inc (&listener->told);
  g_atomic_int_add (&listener->inside, -1);
}

static void
on_end_and_unref (GilkTarget *target, const GError *error, gpointer data)
{
  Listener *listener = data;

  gilk_target_remove_lost_func (target, listener->id);
  g_atomic_int_inc (&listener->told);
}

/* Corrupts the answer to a ping. This ends the connection. */
static guint
hang_up (FalseAgent *agent, struct gilk_frame *head, GByteArray *payload, gpointer data)
{
  if (head->type == GILK_PING)
    head->magic = 0;

  return 1;
}

static GilkTarget *
open_target (FalseSocket *s)
{
  g_autoptr (GError) error = NULL;
  GilkTarget *target = false_socket_open (s, 2, hang_up, NULL);

  return target;
}

static void
lose_connection (GilkTarget *target)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (gilk_target_request (target, GILK_PING, "x", 1, NULL, &error));
  g_assert_nonnull (error);
}

static void
wait_for (gint *value, gint wanted)
{
  for (guint i = 0; i < 2000 && g_atomic_int_get (value) != wanted; i++)
    g_usleep (5000);
  g_assert_cmpint (g_atomic_int_get (value), ==, wanted);
}

static void
test_each_once (void)
{
  Listener one = { 0 }, two = { 0 }, leaver = { 0 }, late = { 0 }, gone = { 0 };
  FalseSocket s;
  GilkTarget *target = open_target (&s);
  gulong id;

  gilk_target_add_lost_func (target, on_end, &one);
  leaver.id = gilk_target_add_lost_func (target, on_end_and_unref, &leaver);
  id = gilk_target_add_lost_func (target, on_end, &gone);
  gilk_target_add_lost_func (target, on_end, &two);
  gilk_target_remove_lost_func (target, id);
  gilk_target_remove_lost_func (target, 0);
  lose_connection (target);
  wait_for (&one.told, 1);
  wait_for (&two.told, 1);
  wait_for (&leaver.told, 1);
  gilk_target_add_lost_func (target, on_end, &late);
  wait_for (&late.told, 1);
  gilk_target_close (target);
  gilk_target_unref (target);
  false_socket_stop (&s);
  g_assert_cmpint (one.told + two.told + leaver.told + late.told, ==, 4);
  g_assert_cmpint (gone.told, ==, 0);
}

static void
test_remove_waits (void)
{
  Listener *slow = g_new0 (Listener, 1);
  FalseSocket s;
  GilkTarget *target = open_target (&s);
  gulong id;

  slow->slow_us = 300000;
  id = gilk_target_add_lost_func (target, on_end, slow);
  lose_connection (target);
  wait_for (&slow->inside, 1);
  gilk_target_remove_lost_func (target, id);
  g_assert_cmpint (g_atomic_int_get (&slow->inside), ==, 0);
  g_assert_cmpint (slow->told, ==, 1);
  g_free (slow);
  gilk_target_unref (target);
  false_socket_stop (&s);
}

/* Adds and removes listeners while the connection to the target is lost. A removed listener must
 * not be called. */
static gpointer
come_and_go (gpointer data)
{
  for (guint i = 0; i < 500; i++)
    {
      Listener *listener = g_new0 (Listener, 1);
      gulong id = gilk_target_add_lost_func (data, on_end, listener);

      if (i % 7 == 0)
        g_usleep (100);
      gilk_target_remove_lost_func (data, id);
      g_assert_cmpint (listener->inside, ==, 0);
      g_assert_cmpint (listener->told, <=, 1);
      g_free (listener);
    }

  return NULL;
}

static void
test_storm (void)
{
  GThread *threads[4];
  FalseSocket s;
  GilkTarget *target = open_target (&s);

  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("listener", come_and_go, target);
  lose_connection (target);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
  gilk_target_unref (target);
  false_socket_stop (&s);
}

static gpointer
close_too (gpointer data)
{
  gilk_target_close (data);
  return NULL;
}

/* Tests that closing a target disconnects it, even if others have references. */
static void
test_close (void)
{
  Listener listener = { 0 };
  g_autoptr (GError) error = NULL;
  FalseSocket s;
  GilkTarget *target = open_target (&s);
  GilkTarget *other = gilk_target_ref (target);
  GThread *thread;

  gilk_target_add_lost_func (target, on_end, &listener);
  wait_for (&s.clients, 1);
  thread = g_thread_new ("close", close_too, other);
  gilk_target_close (target);
  g_thread_join (thread);
  wait_for (&s.clients, 0);
  g_assert_cmpint (listener.told, ==, 1);
  g_assert_null (gilk_target_request (other, GILK_PING, "x", 1, NULL, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_TARGET);
  g_assert_nonnull (strstr (error->message, "was closed"));
  g_assert_cmpstr (gilk_target_release (other), ==, "6.1.0-false");
  gilk_target_close (target);
  gilk_target_unref (target);
  gilk_target_unref (other);
  false_socket_stop (&s);
}

/* Sends requests until one fails. Returns: (transfer full): the error */
static gpointer
ask_on (gpointer data)
{
  GError *error = NULL;
  GByteArray *answer;

  while ((answer = gilk_target_request (data, GILK_PING, "x", 1, NULL, &error)) != NULL)
    g_byte_array_unref (answer);

  return error;
}

/* Tests that the error is the same whether the end is detected during a write or a read. */
static void
test_words (void)
{
  for (guint round = 0; round < 40; round++)
    {
      GThread *threads[4];
      FalseSocket s;
      GilkTarget *target;

      false_socket_start (&s, 2, NULL, NULL);
      target = gilk_target_open (s.spec, NULL, NULL, NULL);
      g_assert_nonnull (target);
      for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
        threads[i] = g_thread_new ("ask", ask_on, target);
      g_usleep (500 * round);
      false_socket_hang_up (&s);
      for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
        {
          g_autoptr (GError) error = g_thread_join (threads[i]);

          g_assert_error (error, GILK_ERROR, GILK_ERROR_TARGET);
          g_assert_nonnull (strstr (error->message, "If that machine still runs"));
        }
      g_assert_cmpint (gilk_target_loss (target), ==, GILK_LOSS_STREAM);
      gilk_target_unref (target);
      false_socket_stop (&s);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/target-end/each-once", test_each_once);
  g_test_add_func ("/target-end/remove-waits", test_remove_waits);
  g_test_add_func ("/target-end/storm", test_storm);
  g_test_add_func ("/target-end/close", test_close);
  g_test_add_func ("/target-end/words", test_words);

  return g_test_run ();
}
