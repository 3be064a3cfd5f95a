/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * witness.c - counts every kernel instruction that the emulator runs, as a QEMU plugin
 *
 *   -plugin libwitness.so,forms=PATH
 *
 * tests/lab/points.py compares Gilk's counts with these counts, which are independent of Gilk.
 * There is one count for each address and each form of the bytes that were executed there. Other
 * programs can map the file of counts and read it while the machine runs. The bytes of a patch and
 * the original bytes are different forms with separate counts, so each count is exact without
 * knowing when the text changed. The machine must have one CPU, because counts are not updated
 * atomically. QEMU's plugin interface, version 1, is declared here because Debian 12 lacks a header
 * for it.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tests/witness/shared-file.h"

#define EXPORT __attribute__ ((visibility ("default")))

struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef void (*tb_trans_fn) (uint64_t id, struct qemu_plugin_tb *tb);

void   qemu_plugin_register_vcpu_tb_trans_cb (uint64_t id, tb_trans_fn fn);
size_t qemu_plugin_tb_n_insns (const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn (const struct qemu_plugin_tb *tb, size_t index);
const void *qemu_plugin_insn_data (const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size (const struct qemu_plugin_insn *insn);
uint64_t qemu_plugin_insn_vaddr (const struct qemu_plugin_insn *insn);
/* Performs @op whenever @insn runs. If @op is 0, adds @value to the u64 at @counter. */
void   qemu_plugin_register_vcpu_insn_exec_inline (struct qemu_plugin_insn *insn, int op,
                                                   void *counter, uint64_t value);

EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install (uint64_t id, const void *info, int argc, char **argv);

#define KERNEL  0xffffffff80000000ull     /* lowest address of kernel text and modules; all
                                           * higher addresses count as kernel */
#define FORMS   (1u << 22)
#define BUCKETS (1u << 23)

/* One form of the bytes at an address. tests/python/witness.py reads the same layout. */
typedef struct {
  uint64_t addr;                /* address of the bytes; 0: end of the list */
  uint64_t count;
  uint8_t  len;
  uint8_t  bytes[15];
} Form;

static Form *forms;
static uint32_t n_forms, buckets[BUCKETS];      /* form index + 1; 0: empty */

static uint32_t
bucket_of (uint64_t addr, const uint8_t *bytes, size_t len)
{
  uint64_t hash = addr * 0x9e3779b97f4a7c15ull;

  for (size_t i = 0; i < len; i++)
    hash = (hash ^ bytes[i]) * 0x100000001b3ull;

  return (uint32_t) (hash >> 32) % BUCKETS;
}

/* Returns the counter for @bytes at @addr, or NULL if the file is full. */
static uint64_t *
counter_of (uint64_t addr, const uint8_t *bytes, size_t len)
{
  uint32_t at = bucket_of (addr, bytes, len);
  Form *form;

  for (; buckets[at] != 0; at = (at + 1) % BUCKETS)
    {
      form = &forms[buckets[at] - 1];
      if (form->addr == addr && form->len == len && memcmp (form->bytes, bytes, len) == 0)
        return &form->count;
    }
  if (n_forms == FORMS - 1)
    return NULL;

  form = &forms[n_forms++];
  form->len = (uint8_t) len;
  memcpy (form->bytes, bytes, len);
  form->addr = addr;
  buckets[at] = n_forms;

  return &form->count;
}

static void
on_block_translated (uint64_t id, struct qemu_plugin_tb *tb)
{
  size_t n = qemu_plugin_tb_n_insns (tb);

  (void) id;
  for (size_t i = 0; i < n; i++)
    {
      struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn (tb, i);
      uint64_t addr = qemu_plugin_insn_vaddr (insn), *counter;
      size_t len = qemu_plugin_insn_size (insn);

      if (addr < KERNEL || len > sizeof forms->bytes)
        continue;
      counter = counter_of (addr, qemu_plugin_insn_data (insn), len);
      if (counter != NULL)
        qemu_plugin_register_vcpu_insn_exec_inline (insn, 0, counter, 1);
    }
}

EXPORT int
qemu_plugin_install (uint64_t id, const void *info, int argc, char **argv)
{
  (void) info;
  for (int i = 0; i < argc; i++)
    if (strncmp (argv[i], "forms=", 6) == 0)
      forms = shared_file_map (argv[i] + 6, FORMS * sizeof (Form));
  if (forms == NULL)
    {
      fprintf (stderr, "witness: needs forms=PATH, of a file that can be written\n");
      return -1;
    }
  qemu_plugin_register_vcpu_tb_trans_cb (id, on_block_translated);

  return 0;
}
