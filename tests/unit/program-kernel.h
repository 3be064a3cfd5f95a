/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * program-kernel.h - defines the kernel types that the tests' programs use
 */
#pragma once

#include "core/program/gilk-program.h"
#include "tests/unit/btf-fixture.h"
#include "tests/unit/program-model.h"

/*
 * program_btf() makes these types and functions; the number after a member is its byte offset:
 *   struct inode { u64 i_ino; u32 i_uid; s16 i_small; u8 i_byte; bool i_dirty; struct inode *i_next; };      24 bytes
 *   struct file {
 *     struct inode *f_inode;                           0
 *     u32 f_flags; int f_signed;                       8, 12
 *     union { u64 f_id; struct { u32 low, high; }; };  16
 *     u32 bits_a : 3, bits_b : 8, bits_c : 21;         24
 *     s32 sbits_a : 5, sbits_b : 27;                   28
 *     u8 f_bytes[8]; s32 f_numbers[4];                 32, 40
 *     struct inode f_own;                              56
 *     struct inode *f_table[2];                        80
 *     enum mode f_mode;                                96
 *     u64 wide_bits : 40, wide_rest : 24;             104
 *     struct triple f_triples[4]; (12 bytes each)     112
 *     void (*f_done) (struct file *);                 160
 *     void *f_private;                                168
 *     char f_name[];                                  176
 *   };
 *   struct task_struct { u64 state; int pid; int tgid; struct task_struct *parent; char comm[16]; };
 *   int sys_exec (const char __user *path, char *__user *argv, struct file __user *entry)
 *   int vfs_sync (struct file *file, int how); sync_too() has the same types, sync_long() a long
 *   ssize_t vfs_write (struct file *file, const char *buf, size_t count, int mode, u8 flag, bool yes, u32 late)
 */
static inline guint
program_inode (BtfFile *f, guint u64)
{
  const guint u8 = btf_int (f, "unsigned char", 1, 0), u32 = btf_int (f, "unsigned int", 4, 0);
  const guint s16 = btf_int (f, "short", 2, BTF_INT_SIGNED), boolean = btf_int (f, "_Bool", 1, BTF_INT_BOOL);
  const guint pointer = btf_to (f, BTF_KIND_PTR, NULL, f->next + 1);

  btf_struct (f, "inode", 24, { "i_ino", u64 }, { "i_uid", u32, 64 }, { "i_small", s16, 96 }, { "i_byte", u8, 112 },
              { "i_dirty", boolean, 120 }, { "i_next", pointer, 128 });

  return pointer;
}

/* Returns the type of a pointer to struct file. */
static inline guint
program_file (BtfFile *f, guint u64, guint u32, guint s32, guint u8, guint character)
{
  const guint inode = program_inode (f, u64), nothing = btf_to (f, BTF_KIND_PTR, NULL, 0);
  const guint halves = btf_struct (f, NULL, 8, { "low", u32 }, { "high", u32, 32 });
  const guint either = btf_union (f, NULL, 8, { "f_id", u64 }, { NULL, halves });
  const guint triple = btf_struct (f, "triple", 12, { "x", u32 }, { "y", s32, 32 }, { "z", u32, 64 });
  const guint bytes = btf_array (f, u8, 8), numbers = btf_array (f, s32, 4), table = btf_array (f, inode, 2);
  const guint triples = btf_array (f, triple, 4), name = btf_array (f, character, 0);
  const guint mode = btf_enum (f, FALSE, "mode", { "MODE_OFF", 0 }, { "MODE_ON", 5 });
  const guint proto = btf_proto (f, 0, { "file", f->next + 2 });
  const guint done = btf_to (f, BTF_KIND_PTR, NULL, proto), pointer = btf_to (f, BTF_KIND_PTR, NULL, f->next + 1);

  btf_struct (f, "file", 176, { "f_inode", inode }, { "f_flags", u32, 64 }, { "f_signed", s32, 96 },
              { NULL, either, 128 }, { "bits_a", u32, 192, 3 }, { "bits_b", u32, 195, 8 }, { "bits_c", u32, 203, 21 },
              { "sbits_a", s32, 224, 5 }, { "sbits_b", s32, 229, 27 }, { "f_bytes", bytes, 256 },
              { "f_numbers", numbers, 320 }, { "f_own", inode + 1, 448 }, { "f_table", table, 640 },
              { "f_mode", mode, 768 }, { "wide_bits", u64, 832, 40 }, { "wide_rest", u64, 872, 24 },
              { "f_triples", triples, 896 }, { "f_done", done, 1280 }, { "f_private", nothing, 1344 },
              { "f_name", name, 1408 });

  return pointer;
}

/* Returns the type of a pointer that is marked __user. */
static inline guint
program_user_pointer (BtfFile *f, guint type)
{
  return btf_to (f, BTF_KIND_PTR, NULL, btf_to (f, BTF_KIND_TYPE_TAG, "user", type));
}

static inline GilkBtf *
program_btf (void)
{
  g_autoptr(BtfFile) f = btf_file_new ();
  g_autoptr(GError) error = NULL;
  g_autoptr(GBytes) bytes = NULL;
  const guint u64 = btf_int (f, "unsigned long", 8, 0), s64 = btf_int (f, "long", 8, BTF_INT_SIGNED);
  const guint u32 = btf_int (f, "unsigned int", 4, 0), s32 = btf_int (f, "int", 4, BTF_INT_SIGNED);
  const guint u8 = btf_int (f, "unsigned char", 1, 0), boolean = btf_int (f, "_Bool", 1, BTF_INT_BOOL);
  const guint character = btf_int (f, "char", 1, BTF_INT_SIGNED | BTF_INT_CHAR);
  const guint comm = btf_array (f, character, 16), text = btf_to (f, BTF_KIND_PTR, NULL, character);
  const guint file = program_file (f, u64, u32, s32, u8, character);
  const guint task = btf_to (f, BTF_KIND_PTR, NULL, f->next + 1);
  GilkBtf *btf;

  btf_struct (f, "task_struct", 40, { "state", u64 }, { "pid", s32, 64 }, { "tgid", s32, 96 },
              { "parent", task, 128 }, { "comm", comm, 192 });
  btf_to (f, BTF_KIND_FUNC, "vfs_write",
          btf_proto (f, s64, { "file", file }, { "buf", text }, { "count", u64 }, { "mode", s32 }, { "flag", u8 },
                     { "yes", boolean }, { "late", u32 }));
  btf_to (f, BTF_KIND_FUNC, "by_value", btf_proto (f, 0, { "whole", file + 1 }, { "after", s32 }));
  btf_to (f, BTF_KIND_FUNC, "vfs_sync", btf_proto (f, s32, { "file", file }, { "how", s32 }));
  btf_to (f, BTF_KIND_FUNC, "sync_too", btf_proto (f, s32, { "of", file }, { "what", s32 }));
  btf_to (f, BTF_KIND_FUNC, "sys_exec",
          btf_proto (f, s32, { "path", program_user_pointer (f, btf_to (f, BTF_KIND_CONST, NULL, character)) },
                     { "argv", program_user_pointer (f, text) }, { "entry", program_user_pointer (f, file + 1) }));
  btf_to (f, BTF_KIND_FUNC, "sync_long", btf_proto (f, s32, { "file", file }, { "how", s64 }));
  bytes = btf_bytes (f);
  btf = gilk_btf_new (bytes, NULL, &error);
  g_assert_no_error (error);

  return btf;
}

static inline int
program_hook (const char *label, gpointer data)
{
  static const char *const labels[] = { "first", "second", "the-third" };

  for (guint i = 0; i < G_N_ELEMENTS (labels); i++)
    if (strcmp (labels[i], label) == 0)
      return (int) i + 10;

  return -1;
}

/* Returns a description of the probe point at the entry of vfs_write(). */
static inline GilkProgramPlace
program_place (GilkBtf *btf)
{
  return (GilkProgramPlace) {
    .btf = btf, .function = "vfs_write", .at_entry = TRUE, .current_task = MODEL_TASK_OFFSET,
    .cpu_number = MODEL_CPU_OFFSET, .task_pid = 8, .task_tgid = 12, .task_comm = 24, .tsc_khz = 2600000,
    .hook = program_hook, .crash = TRUE,
  };
}
