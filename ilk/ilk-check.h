/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-check.h - checks whether bytes of the kernel may be changed
 *
 * Checks of a site (an address to be probed) need ilk_mutex. ilk_mutex also protects the list of
 * livepatched modules (ilk-livepatch.c) and the results that ilk-decode.c caches.
 */
#ifndef ILK_CHECK_H
#define ILK_CHECK_H

#include <linux/types.h>

#include "ilk-abi.h"

struct insn;
struct module;

/* ---- ilk-denied.c: functions that no patch may touch ------------------------ */

int ilk_denied_init(void);
void ilk_denied_exit(void);
bool ilk_denied_has(unsigned long site, u32 len);
bool ilk_denied_clone(unsigned long site);

/* ---- ilk-decode.c: boundaries of instructions --------------------------------- */

u32 ilk_decode(unsigned long addr, struct insn *insn);
void ilk_decode_reset(void);
enum ilk_refusal ilk_decode_check(unsigned long site, u32 len, bool filler);
enum ilk_refusal ilk_decode_check_function(unsigned long site);

/* ---- ilk-permit.c: whether code may still be loaded into this kernel ------------------- */

int ilk_permit_init(void);
bool ilk_permit_is_locked_down(void);
enum ilk_refusal ilk_permit_known(void);
enum ilk_refusal ilk_permit_check(void);

/* ---- ilk-reserved.c: bytes reserved by the kernel ------- */

int ilk_reserved_init(void);
void ilk_reserved_exit(void);
enum ilk_refusal ilk_reserved_check(unsigned long site, u32 len, bool core);

/* ---- ilk-livepatch.c: functions that livepatches replace ------------------- */

enum ilk_refusal ilk_livepatch_check(unsigned long site);
int ilk_livepatch_on_module(struct module *mod, unsigned long event);

#endif /* ILK_CHECK_H */
