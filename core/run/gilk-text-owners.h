/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-text-owners.h - what the text of a function is now, and whose the bytes are that are not its own
 *
 * A graph is built of what lies below hooks. What runs may differ from it: by jumps and int3s of ours, by what ftrace,
 * static keys and static calls have put at their sites since, by kprobes, and by what another patcher wrote.
 *
 * Threads: any; reading blocks on the target. What was made is not changed any more.
 */
#pragma once

#include "core/cfg/gilk-cfg.h"
#include "core/target/gilk-ftrace-users.h"

G_BEGIN_DECLS

typedef enum {
  GILK_OWNER_NONE,
  GILK_OWNER_ILK,              /* a hook, whoever's */
  GILK_OWNER_FTRACE,           /* at a site of ftrace */
  GILK_OWNER_STATIC_KEY,
  GILK_OWNER_STATIC_CALL,
  GILK_OWNER_KPROBE,           /* of the kernel's own probes, also of one that is disabled */
  GILK_OWNER_OTHER,            /* changed, and nobody's of these */
  GILK_N_OWNERS
} GilkTextOwner;

#define GILK_TEXT_NOW_BYTES 16

typedef struct {
  GilkTextOwner owner;         /* of any byte of the instruction, changed or not */
  gboolean      changed;       /* bytes differ from those of the graph */
  uint8_t       now[GILK_TEXT_NOW_BYTES];     /* from its address on */
  uint32_t      pid;           /* ILK: of the agent on the target */
  GilkFtraceUsers users;       /* FTRACE: who is called there; 0: nobody */
} GilkTextNow;

/* As many as @cfg has instructions; who is called by ftrace is not told. @hooks: (element-type struct ilk_patch_status): all of the driver's, live or not;
 * @kprobes: (element-type GilkKprobe): all of the kernel's; @text: per instruction of the graph, GILK_TEXT_NOW_BYTES from it on, NULL: not known. (transfer full) */
GilkTextNow *gilk_text_owners_of   (const GilkCfg *cfg, const GArray *hooks, const GArray *kprobes,
                                    const uint8_t *const *text);
/* Reads them. NULL: the target fails, or the graph was recorded. (transfer full) */
GilkTextNow *gilk_text_owners_read (const GilkCfg *cfg, GCancellable *cancellable, GError **error);

/* "ilk, 4711", "livepatch, BPF", "static key"; "" for none. What it is, not what it is called in a language. (transfer full) */
char        *gilk_text_now_owner   (const GilkTextNow *now);
/* What runs there now, as text: "jmp 0xffffffffc0401000". (transfer full) */
char        *gilk_text_now_text    (const GilkCfg *cfg, guint insn, const GilkTextNow *now, GilkDecoder *decoder);

G_END_DECLS
