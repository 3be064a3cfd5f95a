/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-relay.c - an agent behind a socket, reached through standard input and output of gilkd --socket, as through ssh
 */
#include "core/base/gilk-error.h"
#include "core/target/gilk-target-private.h"
#include "tests/unit/false-agent-socket.h"

#define GILKD GILK_BUILD_DIR "/agent/gilkd"

static void
test_through (void)
{
  g_autofree char *big = g_malloc0 (2 << 20), *spec = NULL;
  g_autoptr(GError) error = NULL;
  FalseSocket socket;
  GilkTarget *target;

  false_socket_start (&socket, 2, NULL, NULL);
  spec = g_strdup_printf ("exec:" GILKD " --socket %s", socket.spec + strlen ("unix:"));
  target = gilk_target_open (spec, NULL, NULL, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr(GByteArray) answer = gilk_target_request (target, GILK_PING, big, 2 << 20, NULL, &error);

      g_assert_no_error (error);
      g_assert_cmpuint (answer->len, ==, 2 << 20);
    }
  gilk_target_unref (target);
  while (g_atomic_int_get (&socket.clients) > 0)      /* the agent sees the end */
    g_usleep (1000);
  false_socket_stop (&socket);
}

static void
test_nobody_listens (void)
{
  g_autoptr(GError) error = NULL;

  g_assert_null (gilk_target_open ("exec:" GILKD " --socket /nowhere/at/all", NULL, NULL, &error));
  g_assert_nonnull (strstr (error->message, "/nowhere/at/all"));
}

int
main (int    argc,
      char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/relay/through", test_through);
  g_test_add_func ("/relay/nobody-listens", test_nobody_listens);

  return g_test_run ();
}
