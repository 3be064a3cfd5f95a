/* SPDX-License-Identifier: (GPL-2.0-or-later WITH Linux-syscall-note) */
/*
 * ilk-abi-memory.h - what the code of hooks keeps between hits
 *
 * A part of ilk-abi.h, which includes it; nobody else does.
 */
#ifndef ILK_ABI_MEMORY_H
#define ILK_ABI_MEMORY_H

#include <linux/types.h>

#include "ilk-abi-assert.h"

/*
 * An area is zeros when it is given, on all CPUs. Emitted code has its address, or offset, and knows its size:
 * the driver does not look into code. All areas of a file are a pool: each of its patches that is prepared
 * holds it, so that none is freed while a thread may be in code that leads there; it is freed when the file has given
 * up all of its patches by itself (ILK_DISARM_OWN with FREE that leaves none, close()) and the last of them is retired.
 * Areas that are asked for behind that are another pool's; until the first is freed it counts for the bounds.
 */
#define ILK_AREA_PER_CPU	(1U << 0)	/* each CPU has its own, at a per-CPU offset; else one at an address */

#define ILK_AREA_BYTES_MAX	(1U << 20)	/* of one of all CPUs */
#define ILK_AREA_CPU_BYTES_MAX	(1U << 15)	/* of one that is each CPU's: the kernel's allocator gives no more */
#define ILK_AREAS_MAX		65536		/* of one file */
#define ILK_POOL_BYTES_MAX	(64U << 20)	/* of one file, times the CPUs that may come for those of each CPU */

/**
 * struct ilk_area - a piece of memory for emitted code
 * @bytes: a multiple of 8, from 8 on
 * @flags: ILK_AREA_*
 * @id: of this file, for READ; never 0
 * @at: aligned to 8; of one that is each CPU's a per-CPU offset, which need not fit %gs:disp32
 */
struct ilk_area {
	__u32 bytes;		/* in */
	__u32 flags;		/* in */
	__u32 id;		/* out */
	__u32 pad;
	__u64 at;		/* out */
};

/* All or none. -E2BIG: beyond a bound above; -ENOMEM. */
struct ilk_memory {
	__u32 count;		/* 1..ILK_BATCH_MAX */
	__u32 pad;
	__u64 areas;		/* struct ilk_area[count] */
};

/*
 * Each word of 8 bytes is read in one step, while code may change it; words are not of one moment. -ENOENT for an id
 * that is none of this file's; -EINVAL beyond the area, for what is no multiple of 8, or for a CPU where it has none.
 */
struct ilk_memory_read {
	__u32 id;
	__u32 cpu;		/* of one that is each CPU's, below INFO's nr_cpus; else 0 */
	__u32 offset;		/* bytes */
	__u32 bytes;		/* up to ILK_AREA_BYTES_MAX */
	__u64 out;		/* __u64[bytes / 8] */
};

ILK_ASSERT_SIZE(struct ilk_area, 24);
ILK_ASSERT_SIZE(struct ilk_memory, 16);
ILK_ASSERT_SIZE(struct ilk_memory_read, 24);

#endif /* ILK_ABI_MEMORY_H */
