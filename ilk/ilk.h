/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk.h - the interface for instrument modules
 *
 * An instrument is a kernel module that registers one struct ilk_instrument.
 * Its function runs at every hit of the hooks bound to it: in process, softirq,
 * hardirq or NMI context, with preemption off, under any lock that the hooked code
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
 * Laid out as the patch pushes them; keep core/emit/gilk-hook-code.c in step.
 * Read-only: the patch restores the registers from here, so a write would
 * change the hooked code's state.
 */
struct ilk_regs {
	u64 r11, r10, r9, r8, rdi, rsi, rdx, rcx, rax, flags;
};

/**
 * typedef ilk_instrument_fn - function that runs at each hit
 * @iid: id of the hook that was hit
 * @regs: saved registers; only valid with ILK_INSTRUMENT_REGS
 */
typedef void (*ilk_instrument_fn)(u32 iid, const struct ilk_regs *regs);

/**
 * struct ilk_instrument - description of an instrument, the function that runs at the hits of hooks
 * @fields: members of its samples' payload; CSV columns, plot axes and forms are derived from
 *     these fields
 */
struct ilk_instrument {
	/* external: filled in by the instrument, constant after registration */
	struct module *owner;
	const char *name;		/* [a-z][a-z0-9-]*, unique */
	const char *help;		/* description: one line, no full stop */
	u32 version;
	u32 flags;			/* ILK_INSTRUMENT_* */
	u32 sample_bytes;
	ilk_instrument_fn fn;
	const struct ilk_field *fields;
	u16 field_count;
	u16 param_count;
	const struct ilk_param *params;

	/* internal: used by ilk only */
	struct list_head node;
	u32 id;
	u32 users;
};

/* Initialises a struct ilk_field for one field of struct S. */
#define ILK_FIELD(S, member, ftype, funit, fhelp) \
	{ .name = #member, .unit = funit, .help = fhelp, .type = ftype, \
	  .offset = offsetof(S, member), .size = sizeof_field(S, member) }

int ilk_instrument_register(struct ilk_instrument *instrument);
void ilk_instrument_unregister(struct ilk_instrument *instrument);

/**
 * ilk_sample() - commit one sample to this CPU's ring
 * @iid: iid of the hook
 * @data: payload of the sample
 * @len: size of the payload; bytes beyond ILK_SAMPLE_MAX are cut off
 *
 * Context: any, NMI included; preemption must be off.
 * Return: true if stored, false if counted as lost.
 */
bool ilk_sample(u32 iid, const void *data, u32 len);

/*
 * Returns parameter @i of hook @iid, or 0 if it has none. Context: same as for
 * ilk_sample().
 */
u64 ilk_param(u32 iid, unsigned int i);

#endif /* ILK_H */
