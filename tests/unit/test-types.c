/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-types.c - tests that the types of the kernel and of each module are transferred once, and
 * only valid module names are accepted
 */
#include "core/base/gilk-error.h"

#include <gio/gio.h>

#include "core/image/gilk-image.h"
#include "tests/unit/false-agent-socket.h"

/* Traffic between client and agent. */
typedef struct {
  guint    asked;              /* number of complete answers to GET_TYPES */
  gboolean spoil;              /* TRUE: truncate the answers */
} Watch;

typedef struct {
  FalseSocket s;
  Watch       watch;
  GilkTarget *target;
  GilkImage  *image;
} Kernel;

static guint
watch_types (FalseAgent *agent, struct gilk_frame *head, GByteArray *payload, gpointer data)
{
  Watch *watch = data;

  if (head->type != GILK_GET_TYPES)
    return 1;
  watch->asked += (head->flags & GILK_FRAME_MORE) == 0;
  if (watch->spoil && payload->len > 100)
    {
      g_byte_array_set_size (payload, 100);
      head->length = payload->len;
    }

  return 1;
}

static void
kernel_begin (Kernel *kernel)
{
  g_autoptr (GError) error = NULL;

  *kernel = (Kernel) { 0 };
  kernel->target = false_socket_open (&kernel->s, 2, watch_types, &kernel->watch);
  kernel->image = gilk_image_open (kernel->target, NULL, NULL, &error);
  g_assert_no_error (error);
}

static void
kernel_end (Kernel *kernel)
{
  gilk_image_unref (kernel->image);
  gilk_target_unref (kernel->target);
  false_socket_stop (&kernel->s);
}

static GilkBtf *
types_of (Kernel *kernel, const char *module)
{
  g_autoptr (GError) error = NULL;
  GilkBtf *btf = gilk_types_get (gilk_image_types (kernel->image), module, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (btf);

  return btf;
}

static void
assert_fails (Kernel *kernel, const char *module, GilkErrorCode code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (gilk_types_get (gilk_image_types (kernel->image), module, NULL, &error));
  g_assert_error (error, GILK_ERROR, (int) code);
  g_assert_true (g_str_has_suffix (error->message, "."));
}

static void
assert_function (GilkBtf *btf, const char *name, const char *first)
{
  g_autofree char *type = NULL;
  GilkPrototype prototype;

  g_assert_true (gilk_btf_function (btf, name, &prototype));
  type = gilk_btf_type_name (btf, prototype.arguments[0]);
  g_assert_cmpstr (type, ==, first);
}

static void
test_kernel (void)
{
  g_autoptr (GilkBtf) btf = NULL;
  g_autoptr (GilkBtf) again = NULL;
  g_autoptr (GilkBtf) by_name = NULL;
  Kernel kernel;

  kernel_begin (&kernel);
  g_assert_cmpuint (kernel.watch.asked, ==, 0);          /* types are not requested yet */
  btf = types_of (&kernel, NULL);
  again = types_of (&kernel, NULL);
  by_name = types_of (&kernel, "kernel");
  g_assert_true (btf == again && btf == by_name);
  g_assert_cmpuint (kernel.watch.asked, ==, 1);
  assert_function (btf, "fn_3", "struct file *");
  kernel_end (&kernel);
}

/* Tests that types stay valid after the image is freed. */
static void
test_module (void)
{
  g_autoptr (GilkBtf) module = NULL;
  g_autoptr (GilkBtf) kernel_own = NULL;
  g_autofree char *path = NULL;
  Kernel kernel;

  kernel_begin (&kernel);
  module = types_of (&kernel, "mod");
  kernel_own = types_of (&kernel, NULL);
  g_assert_cmpuint (kernel.watch.asked, ==, 2);
  kernel_end (&kernel);

  assert_function (module, "mod_a", "struct mod_item *");
  assert_function (module, "fn_0", "struct file *");
  path = gilk_btf_path_at (module, gilk_btf_find (module, "struct mod_item"), 8, 8);
  g_assert_cmpstr (path, ==, "file");
  g_assert_cmpuint (gilk_btf_find (kernel_own, "struct mod_item"), ==, 0);
}

/* Tests that missing types are reported with a message, and requested only once. */
static void
test_none (void)
{
  g_autoptr (GilkBtf) btf = NULL;
  Kernel kernel;

  kernel_begin (&kernel);
  assert_fails (&kernel, "other", GILK_ERROR_NOT_FOUND);
  assert_fails (&kernel, "other", GILK_ERROR_NOT_FOUND);
  /* The kernel's types and the module's types took one answer each. */
  g_assert_cmpuint (kernel.watch.asked, ==, 2);
  btf = types_of (&kernel, "mod");
  kernel_end (&kernel);

  kernel_begin (&kernel);
  kernel.s.agent->no_types = TRUE;
  assert_fails (&kernel, NULL, GILK_ERROR_NOT_FOUND);
  assert_fails (&kernel, "mod", GILK_ERROR_NOT_FOUND);
  g_assert_cmpuint (kernel.watch.asked, ==, 1);
  kernel_end (&kernel);
}

/* Tests that if the kernel's types have a newer format than this program can read, the connection
 * is kept. */
static void
test_spoilt (void)
{
  g_autoptr (GHashTable) facts = NULL;
  g_autoptr (GError) error = NULL;
  Kernel kernel;

  kernel_begin (&kernel);
  kernel.watch.spoil = TRUE;
  assert_fails (&kernel, NULL, GILK_ERROR_FORMAT);
  assert_fails (&kernel, NULL, GILK_ERROR_FORMAT);
  g_assert_cmpuint (kernel.watch.asked, ==, 1);
  facts = gilk_target_doctor (kernel.target, NULL, &error);
  g_assert_no_error (error);
  kernel_end (&kernel);
}

static void
test_names (void)
{
  static const char *const wrong[] = {
    "", "..", "../kallsyms", "mod/../vmlinux", "a b", "a\nb",
    "a234567890123456789012345678901234567890123456789012345678901234",
  };
  Kernel kernel;

  kernel_begin (&kernel);
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;

      g_assert_null (gilk_target_types (kernel.target, wrong[i], NULL, &error));
      g_assert_error (error, GILK_ERROR, GILK_ERROR_USAGE);
    }
  g_assert_cmpuint (kernel.watch.asked, ==, 0);
  kernel_end (&kernel);
}

static void
test_cancelled (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GilkBtf) btf = NULL;
  Kernel kernel;

  kernel_begin (&kernel);
  g_cancellable_cancel (cancellable);
  g_assert_null (gilk_types_get (gilk_image_types (kernel.image), NULL, cancellable, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_CANCELLED);
  btf = types_of (&kernel, NULL);
  kernel_end (&kernel);
}

/* Tests that a lost target is reported as lost, not as a kernel without types. */
static void
test_lost (void)
{
  Kernel kernel;

  kernel_begin (&kernel);
  false_socket_hang_up (&kernel.s);
  assert_fails (&kernel, NULL, GILK_ERROR_TARGET);
  kernel_end (&kernel);
}

static gpointer
get_types (gpointer data)
{
  return types_of (data, "mod");
}

static void
test_together (void)
{
  GThread *threads[8];
  GilkBtf *first = NULL;
  Kernel kernel;

  kernel_begin (&kernel);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("types", get_types, &kernel);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      GilkBtf *btf = g_thread_join (threads[i]);

      g_assert_true (first == NULL || btf == first);
      first = btf;
      gilk_btf_unref (btf);
    }
  g_assert_cmpuint (kernel.watch.asked, ==, 2);
  kernel_end (&kernel);
}

/* Tests that a static image has the types that were put into it. */
static void
test_put (void)
{
  g_autoptr (GilkTypes) types = gilk_types_new (NULL);
  g_autoptr (GBytes) bytes = false_types (FALSE);
  g_autoptr (GilkBtf) given = gilk_btf_new (bytes, NULL, NULL);
  g_autoptr (GilkBtf) btf = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_null (gilk_types_get (types, NULL, NULL, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND);
  gilk_types_set_for_tests (types, NULL, given);
  btf = gilk_types_get (types, "kernel", NULL, NULL);
  g_assert_true (btf == given);
}

/* Checks the answers of the real gilkd, on any kernel. */
static void
test_true_agent (void)
{
  static const struct { const char *name; GilkErrorCode code; const char *says; } cases[] = {
    { "no_such_module", GILK_ERROR_NOT_FOUND, "/sys/kernel/btf/no_such_module" },
    { "../notes", GILK_ERROR_FAILED, "Invalid module name" },
    { "a23456789012345678901234567890123456789012345678901234567", GILK_ERROR_FAILED, "" },
  };
  g_autoptr (GError) error = NULL;
  GilkTarget *target = gilk_target_open ("exec:" GILK_BUILD_DIR "/agent/gilkd --stdio", NULL, NULL, &error);

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GByteArray) answer =
        gilk_target_request (target, GILK_GET_TYPES, cases[i].name, strlen (cases[i].name), NULL, &error);

      g_assert_null (answer);
      g_assert_error (error, GILK_ERROR, (int) cases[i].code);
      g_assert_nonnull (strstr (error->message, cases[i].says));
      g_clear_error (&error);
    }
  gilk_target_unref (target);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/types/kernel", test_kernel);
  g_test_add_func ("/types/module", test_module);
  g_test_add_func ("/types/none", test_none);
  g_test_add_func ("/types/spoilt", test_spoilt);
  g_test_add_func ("/types/names", test_names);
  g_test_add_func ("/types/cancelled", test_cancelled);
  g_test_add_func ("/types/lost", test_lost);
  g_test_add_func ("/types/together", test_together);
  g_test_add_func ("/types/put", test_put);
  g_test_add_func ("/types/true-agent", test_true_agent);

  return g_test_run ();
}
