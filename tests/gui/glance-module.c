/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "glance-module.h"

#include <atk/atk.h>
#include <errno.h>
#include <gio/gio.h>
#include <gio/gunixsocketaddress.h>
#include <stdio.h>
#include <unistd.h>

#define MAX_DEPTH 60

static void (*before_answer) (void), (*after_answer) (void);

static void
append_field (GString *out, const char *text)
{
  g_string_append (out, text != NULL ? text : "");
  g_string_append_c (out, '\0');
}

static void
append_states (GString *out, AtkObject *object)
{
  g_autoptr (AtkStateSet) states = atk_object_ref_state_set (object);
  guint64 bits = 0;

  for (int i = 0; states != NULL && i < ATK_STATE_LAST_DEFINED; i++)
    if (atk_state_set_contains_state (states, i))
      bits |= G_GUINT64_CONSTANT (1) << i;
  g_string_append_printf (out, "%" G_GINT64_MODIFIER "x%c", bits, '\0');
}

static void
append_tree (GString *out, AtkObject *object, int depth, int index, int limit)
{
  int n_children = atk_object_get_n_accessible_children (object);

  g_string_append_printf (out, "%d%c%d%c%d%c", depth, '\0', index, '\0', n_children, '\0');
  append_states (out, object);
  append_field (out, atk_role_get_name (atk_object_get_role (object)));
  append_field (out, atk_object_get_name (object));
  append_field (out, atk_object_get_description (object));
  for (int i = 0; i < MIN (n_children, limit) && depth < MAX_DEPTH; i++)
    {
      g_autoptr (AtkObject) child = atk_object_ref_accessible_child (object, i);

      if (child != NULL)
        append_tree (out, child, depth + 1, i, limit);
    }
}

/* Finds the object that the AT-SPI bridge exports as @id. Returns a new reference, or NULL. */
static AtkObject *
find_object (AtkObject *object, guint id, int depth)
{
  AtkObject *found = NULL;

  /* The AT-SPI bridge stores the number at the end of an object's path under this key. */
  if (id == 0 || GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (object), "spi-dbus-id")) == id)
    return g_object_ref (object);
  for (int i = 0; found == NULL && depth < MAX_DEPTH && i < MIN (atk_object_get_n_accessible_children (object), 200); i++)
    {
      g_autoptr (AtkObject) child = atk_object_ref_accessible_child (object, i);

      if (child != NULL)
        found = find_object (child, id, depth + 1);
    }

  return found;
}

static GString *
describe_tree (guint id, int limit)
{
  g_autoptr (AtkObject) start = find_object (atk_get_root (), id, 0);
  GString *out = g_string_new (NULL);

  if (start == NULL)
    return out;
  for (int i = 0; i < ATK_STATE_LAST_DEFINED; i++)
    g_string_append_printf (out, "%s,", atk_state_type_get_name (i));
  g_string_append_c (out, '\0');
  append_tree (out, start, 0, 0, limit);
  append_field (out, "end");

  return out;
}

static gboolean
answer (GSocketService *service, GSocketConnection *connection, GObject *source, gpointer data)
{
  char text[64] = "";
  guint id;
  int limit;

  before_answer ();
  if (g_input_stream_read (g_io_stream_get_input_stream (G_IO_STREAM (connection)), text, sizeof text - 1, NULL, NULL) > 0 &&
      sscanf (text, "%u %d\n", &id, &limit) == 2)
    {
      GString *out = describe_tree (id, limit);

      g_output_stream_write_all (g_io_stream_get_output_stream (G_IO_STREAM (connection)), out->str, out->len, NULL, NULL, NULL);
      g_string_free (out, TRUE);
    }
  after_answer ();

  return TRUE;
}

void
glance_listen (const char *path, void (*begin) (void), void (*end) (void))
{
  g_autofree char *at = g_strdup_printf ("%s.tree.%d", path, (int) getpid ());
  g_autoptr (GSocketAddress) address = g_unix_socket_address_new (at);
  g_autoptr (GError) error = NULL;
  GSocketService *service = g_socket_service_new ();      /* the service is never freed: it lasts as
                                                             long as the program */

  before_answer = begin;
  after_answer = end;
  unlink (at);                                    /* remove the socket that a killed process with
                                                     the same id has left */
  if (!g_socket_listener_add_address (G_SOCKET_LISTENER (service), address, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT,
                                      NULL, NULL, &error))
    g_error ("%s: %s", at, error->message);
  g_signal_connect (service, "incoming", G_CALLBACK (answer), NULL);
}
