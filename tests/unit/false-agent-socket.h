/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * false-agent-socket.h - serves the false agent on a UNIX socket, one client at a time, in a
 * thread, and starts a run on it
 */
#pragma once

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "core/run/gilk-run.h"
#include "tests/unit/false-agent.h"

typedef struct {
  FalseAgent *agent;
  char       *spec;           /* "unix:PATH" */
  int         listener;
  gint        clients;        /* atomic: number of clients connected */
  gint        fd;             /* atomic: descriptor of the last client */
  GThread    *thread;
} FalseSocket;

static inline gboolean
false_socket_read (int fd, void *out, gsize length)
{
  for (gsize done = 0; done < length;)
    {
      gssize got = read (fd, (char *) out + done, length - done);

      if (got <= 0)
        return FALSE;
      done += (gsize) got;
    }

  return TRUE;
}

static inline gboolean
false_socket_write (int fd, const uint8_t *bytes, gsize length)
{
  for (gsize done = 0; done < length;)
    {
      gssize put = send (fd, bytes + done, length - done, MSG_NOSIGNAL);

      if (put <= 0)
        return FALSE;
      done += (gsize) put;
    }

  return TRUE;
}

static inline gpointer
false_socket_serve (gpointer data)
{
  FalseSocket *s = data;
  int fd;

  while ((fd = accept (s->listener, NULL, NULL)) >= 0)
    {
      gboolean good = TRUE;
      struct gilk_frame head;

      g_atomic_int_set (&s->fd, fd);
      g_atomic_int_inc (&s->clients);
      while (good && false_socket_read (fd, &head, sizeof head))
        {
          g_autofree uint8_t *payload = g_malloc (head.length + 1);
          g_autoptr (GByteArray) out = g_byte_array_new ();

          good = false_socket_read (fd, payload, head.length);
          if (good)
            false_agent_answer (s->agent, &head, payload, out);
          good = good && false_socket_write (fd, out->data, out->len);
        }
      close (fd);
      g_atomic_int_add (&s->clients, -1);
    }

  return NULL;
}

static inline void
false_socket_start (FalseSocket *s, guint n_cpus, FalseTamper tamper, gpointer data)
{
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  g_autofree char *dir = g_dir_make_tmp ("gilk-false-XXXXXX", NULL);

  *s = (FalseSocket) { .agent = false_agent_new (n_cpus) };
  s->agent->tamper = tamper;
  s->agent->tamper_data = data;
  s->spec = g_strdup_printf ("unix:%s/s", dir);
  g_strlcpy (address.sun_path, s->spec + strlen ("unix:"), sizeof address.sun_path);
  s->listener = socket (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  g_assert_cmpint (bind (s->listener, (struct sockaddr *) &address, sizeof address), ==, 0);
  g_assert_cmpint (listen (s->listener, 4), ==, 0);
  s->thread = g_thread_new ("false-agent", false_socket_serve, s);
}

/* Starts a false agent and connects to it. */
static inline GilkTarget *
false_socket_open (FalseSocket *s, guint n_cpus, FalseTamper tamper, gpointer data)
{
  g_autoptr(GError) error = NULL;
  GilkTarget *target;

  false_socket_start (s, n_cpus, tamper, data);
  target = gilk_target_open (s->spec, NULL, NULL, &error);
  g_assert_no_error (error);

  return target;
}

/* Closes the connection of the current client, even in the middle of a request. */
static inline void
false_socket_hang_up (FalseSocket *s)
{
  shutdown (g_atomic_int_get (&s->fd), SHUT_RDWR);
}

static inline void
false_socket_stop (FalseSocket *s)
{
  g_autofree char *dir = g_path_get_dirname (s->spec + strlen ("unix:"));

  shutdown (s->listener, SHUT_RDWR);
  g_thread_join (s->thread);
  close (s->listener);
  unlink (s->spec + strlen ("unix:"));
  rmdir (dir);
  g_free (s->spec);
  false_agent_free (s->agent);
}

/* ---- starts a run with two stamp hooks on the kernel of a false agent ---- */

/* Starts the run. @store: (transfer none): must stay open until the run has ended */
static inline GilkRun *
false_run_new (const char *spec, GilkStore *store, uint64_t duration_ns, GError **error)
{
  static const char text[] =
    "[gilk-plan]\nversion=1\n[hook a]\nfunction=fn_1\nblock=+0x18\nwhere=pre\ninstrument=stamp\n"
    "[hook b]\nfunction=fn_2\nblock=+0x18\nwhere=pre\ninstrument=stamp\n";
  g_autoptr(GilkTarget) target = gilk_target_open (spec, NULL, NULL, error);
  g_autoptr(GilkPlan) plan = gilk_plan_parse (text, sizeof text - 1, "false-run", NULL);
  g_autoptr(GilkFunctions) functions = NULL;
  g_autoptr(GilkImage) image = NULL;
  GilkBoundPlan *bound;

  if (target == NULL || !gilk_target_load_driver (target, NULL, error))
    return NULL;
  image = gilk_image_open (target, NULL, NULL, error);
  if (image == NULL)
    return NULL;
  functions = gilk_functions_new (image);
  bound = gilk_bound_plan_new (plan, functions, image, NULL, NULL, error);
  if (bound == NULL)
    return NULL;

  return gilk_run_new (bound, image, store, duration_ns, GILK_CONSENT_NONE);
}
