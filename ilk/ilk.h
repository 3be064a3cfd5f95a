/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk.h - what an instrument module sees of ilk
 *
 * An instrument is a kernel module that registers one struct ilk_instrument.
 * Its function runs at every hit of the hooks bound to it: in process, softirq,
 * hardirq or NMI context, with preemption off, under any lock the hooked code
 * holds. It must not sleep, lock, allocate, print, use the FPU or touch a timer.
 * See instruments/template.c for a skeleton to copy.
 */
#ifndef ILK_H
#define ILK_H

#include <linux/types.h>
#include <linux/module.h>
#include "ilk-abi.h"

/**
 * struct ilk_regs - the registers of the hooked code, as the patch saved them
 *
 * Laid out as the patch pushes them; core/emit/gilk-hook-code.c keeps in step.
 * Read-only: what is written here is put back into the hooked code.
 */
struct ilk_regs {
	u64 r11, r10, r9, r8, rdi, rsi, rdx, rcx, rax, flags;
};

/**
 * typedef ilk_instrument_fn - runs at a hit
 * @iid: the hook that was hit
 * @regs: saved registers; only meaningful if ILK_INSTRUMENT_REGS was asked for
 */
typedef void (*ilk_instrument_fn)(u32 iid, const struct ilk_regs *regs);

/**
 * struct ilk_instrument - an instrument describes itself
 * @fields: the payload of its samples; CSV columns, plot axes and forms follow it
 */
struct ilk_instrument {
	/* external: filled in by the instrument, constant after registration */
	struct module *owner;
	const char *name;		/* [a-z][a-z0-9-]*, unique */
	const char *help;		/* one line, no full stop */
	u32 version;
	u32 flags;			/* ILK_INSTRUMENT_* */
	u32 sample_bytes;
	ilk_instrument_fn fn;
	const struct ilk_field *fields;
	u16 field_count;
	u16 param_count;
	const struct ilk_param *params;

	/* internal: owned by ilk */
	struct list_head node;
	u32 id;
	u32 users;
};

/* One field of struct S as an ilk_field initialiser. */
#define ILK_FIELD(S, member, ftype, funit, fhelp) \
	{ .name = #member, .unit = funit, .help = fhelp, .type = ftype, \
	  .offset = offsetof(S, member), .size = sizeof_field(S, member) }

int ilk_instrument_register(struct ilk_instrument *instrument);
void ilk_instrument_unregister(struct ilk_instrument *instrument);

/**
 * ilk_sample() - commit one sample to this CPU's ring
 * Context: any, NMI included; preemption must be off.
 * Return: true if stored, false if counted as lost.
 */
bool ilk_sample(u32 iid, const void *data, u32 len);

/* Value of parameter @i of hook @iid, 0 if it has none. Context: as above. */
u64 ilk_param(u32 iid, unsigned int i);

#endif /* ILK_H */
