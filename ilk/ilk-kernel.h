/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-kernel.h - functions and data of the kernel that are not exported
 *
 * Symbols are looked up once, by ilk_kernel_init(). An answer about a site may be out of date at once
 * unless ilk_kernel_text_lock() is held, which locks kprobes, CPU hotplug and text.
 */
#ifndef ILK_KERNEL_H
#define ILK_KERNEL_H

#include <linux/types.h>

#include "ilk-abi.h"
#include "ilk-compat.h"

struct atomic_notifier_head;
struct insn;
struct module;
struct task_struct;

int ilk_kernel_init(void);
void *ilk_kernel_data(const char *name);
void *ilk_kernel_optional(const char *name);
void ilk_kernel_jump_label_lock(void);
void ilk_kernel_jump_label_unlock(void);
struct module *ilk_kernel_module_get(unsigned long addr);
void ilk_kernel_text_lock(void);
void ilk_kernel_text_unlock(void);
struct atomic_notifier_head *ilk_kernel_die_chain(void);
enum ilk_refusal ilk_kernel_check_site(unsigned long site, u32 len, const u8 *old,
				       struct module **target);
bool ilk_kernel_is_live(unsigned long site, const struct module *mod);
bool ilk_kernel_kprobe_in(unsigned long site, u32 len);
enum ilk_refusal ilk_kernel_check_clone(unsigned long site, u32 len);
u32 ilk_kernel_fault_mask(unsigned long site, u32 len);
enum ilk_refusal ilk_kernel_check_faults(unsigned long site, u32 len,
					 const struct ilk_fault *faults, u32 count);
bool ilk_kernel_is_fixup(unsigned long fixup, int data);
bool ilk_kernel_is_livepatched(unsigned long site);
bool ilk_kernel_knows_livepatch(void);
int ilk_kernel_wake(struct task_struct *task, unsigned int states);
int ilk_kernel_each_symbol(ilk_symbol_fn *fn);
bool ilk_kernel_is_core_text(unsigned long addr);
bool ilk_kernel_function(unsigned long addr, unsigned long *start, unsigned long *size);
int ilk_kernel_decode(struct insn *insn, const u8 *bytes, u32 len);
bool ilk_kernel_copy_unprobed(unsigned long addr, u8 *bytes);

#endif /* ILK_KERNEL_H */
