/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-text.h - owning and writing footprints in kernel text, and handling traps at them
 *
 * Claims and the text that we write are under ilk_mutex. Text is compared and written under the
 * kernel's locks too, by ilk_kernel_text_lock().
 */
#ifndef ILK_TEXT_H
#define ILK_TEXT_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/types.h>

#include "ilk-abi.h"

#define INT3	0xcc
#define JMP8	0xeb
#define JMP32	0xe9

/* ---- ilk-poke.c: writing executable memory ----------------------- */

int ilk_poke_init(void);
void ilk_poke_exit(void);
void ilk_poke(unsigned long addr, const u8 *bytes, u32 len);

/* ---- ilk-text.c: the only writer of kernel text ---------------------------- */

/* The values are documented in struct ilk_crash_notes. */
enum ilk_text_form {
	ILK_TEXT_OLD,		/* the kernel's own bytes */
	ILK_TEXT_TRAP,		/* int3 on the first byte */
	ILK_TEXT_JUMP,		/* jump, then int3 */
	ILK_TEXT_TAIL,		/* the jump with int3 on its first byte */
};

/**
 * struct ilk_text - a footprint in kernel text
 * @form: form that we wrote last, and that must therefore be in text now
 * @claim: while this node is in the hash table, no other footprint may overlap this one, except
 *     bounces after its jump
 * @nearby: the footprint is the bounce of a patch, not its site
 * @error: result of the last batch for this footprint
 * @stepped: the footprint is part of the current step of that batch
 * @prior: during ilk_text_switch(), the jump in text that @jump replaces; else
 *     NULL
 */
struct ilk_text {
	struct list_head node;
	struct hlist_node claim;
	unsigned long addr;
	u32 len;
	enum ilk_text_form form;
	bool nearby;
	bool stepped;
	int error;
	u8 old[ILK_FOOTPRINT_MAX];
	u8 jump[ILK_FOOTPRINT_MAX];
	const u8 *prior;
};

bool ilk_text_is_poisoned(void);
void ilk_text_sync(void);
int ilk_text_read(unsigned long addr, u8 *bytes, u32 len);
int ilk_text_trap(struct list_head *batch, struct ilk_text **obstacle);
void ilk_text_splice(struct list_head *batch);
void ilk_text_restore(struct list_head *batch);
void ilk_text_vacate(struct list_head *batch);
int ilk_text_place(struct list_head *batch, struct ilk_text **obstacle);
void ilk_text_remove(struct list_head *batch);
int ilk_text_switch(struct list_head *batch, void (*redirect)(struct list_head *patches),
		    struct list_head *patches, struct ilk_text **obstacle);
bool ilk_text_is_ours(const struct ilk_text *text);
void ilk_text_current(const struct ilk_text *text, u8 *bytes);

/* ---- claims on bytes of text -------------------------------------- */

struct ilk_text *ilk_text_owner(unsigned long site, u32 len, const struct ilk_text *but);
void ilk_text_original(unsigned long addr, u8 *bytes, u32 len);
void ilk_text_claim(struct ilk_text *text);
void ilk_text_unclaim(struct ilk_text *text);

/* ---- ilk-trap.c: int3 traps of probe points ---------------------------- */

/*
 * Sites change under ilk_mutex. The trap handler reads the hash of sites under RCU, in NMI context.
 */

/**
 * struct ilk_site - a probe point, as the trap handler sees it
 * @trap_ip: instruction pointer of a trap at the site, @addr + 1; 0: the int3 is gone from text,
 *     and the entry is only kept for late traps
 */
struct ilk_site {
	unsigned long trap_ip;
	unsigned long slot;
	atomic64_t hits;
	struct ilk_site *next;
	unsigned long addr;
	struct rcu_head rcu;
};

int ilk_trap_init(void);
void ilk_trap_exit(void);
void ilk_site_publish(struct ilk_site *site);
void ilk_site_set_live(struct ilk_site *site, bool live);
void ilk_site_withdraw(struct ilk_site *site);

#endif /* ILK_TEXT_H */
