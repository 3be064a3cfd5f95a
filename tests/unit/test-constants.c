/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-constants.c - tests that constant data is read with few requests, and unreadable ranges do
 * not affect the other ranges
 */
#include "core/base/gilk-error.h"
#include "core/image/gilk-image.h"
#include "tests/unit/false-agent-socket.h"

#define RODATA      (FALSE_MODULE + 0x1600)        /* end of the data in false_do_sections() */
#define MEMORY_END  (FALSE_MODULE + FALSE_MODULE_BYTES)
#define PAGE        4096

static guint
count_reads (FalseAgent *agent, struct gilk_frame *head, GByteArray *payload, gpointer data)
{
  *(guint *) data += head->type == GILK_READ_TEXT;

  return 1;
}

static void
assert_bytes (GBytes *bytes, const uint8_t *expected, gsize length)
{
  gsize got;
  const uint8_t *data = g_bytes_get_data (bytes, &got);

  g_assert_cmpmem (data, got, expected, length);
  g_bytes_unref (bytes);
}

static void
test_read (void)
{
  const uint64_t addrs[] = { RODATA, RODATA + 0x100, MEMORY_END - 8 };
  GBytes *bytes[G_N_ELEMENTS (addrs)] = { NULL };
  g_autoptr (GilkImage) image = NULL;
  g_autoptr (GError) error = NULL;
  guint reads = 0, before;
  const uint8_t *module;
  GilkTarget *target;
  FalseSocket s;

  false_socket_start (&s, 2, count_reads, &reads);
  for (guint i = 0x1600; i < FALSE_MODULE_BYTES; i++)
    s.agent->module[i] = (uint8_t) (i * 7);
  module = s.agent->module;
  target = gilk_target_open (s.spec, NULL, NULL, &error);
  image = gilk_image_open (target, NULL, NULL, &error);
  g_assert_no_error (error);

  g_assert_true (gilk_image_is_constant (image, RODATA));
  g_assert_false (gilk_image_is_constant (image, RODATA - 1));
  g_assert_false (gilk_image_is_constant (image, FALSE_TEXT));

  before = reads;
  g_assert_true (gilk_image_constants (image, addrs, 2, 64, bytes, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (reads - before, ==, 1);
  assert_bytes (bytes[0], module + 0x1600, 64);
  assert_bytes (bytes[1], module + 0x1700, 64);

  /* The last range would extend past the end of the address space. */
  g_assert_true (gilk_image_constants (image, addrs, 3, 64, bytes, NULL, &error));
  g_assert_no_error (error);
  assert_bytes (bytes[0], module + 0x1600, 64);
  assert_bytes (bytes[1], module + 0x1700, 64);
  assert_bytes (bytes[2], module + FALSE_MODULE_BYTES - 8, 8);

  /* Nothing is mapped at the first address. */
  g_assert_true (gilk_image_constants (image, (const uint64_t[]) { MEMORY_END + PAGE / 2, RODATA }, 2, 64, bytes, NULL,
                                       &error));
  assert_bytes (bytes[0], NULL, 0);
  assert_bytes (bytes[1], module + 0x1600, 64);

  false_socket_hang_up (&s);
  g_assert_false (gilk_image_constants (image, addrs, 2, 64, bytes, NULL, &error));
  g_assert_error (error, GILK_ERROR, GILK_ERROR_TARGET);

  g_clear_pointer (&image, gilk_image_unref);
  gilk_target_unref (target);
  false_socket_stop (&s);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/constants/read", test_read);

  return g_test_run ();
}
