/* SPDX-License-Identifier: (GPL-2.0-or-later WITH Linux-syscall-note) */
/*
 * ilk-abi-memory.h - memory that the code of hooks keeps between hits, and pins of modules that
 * this code calls
 *
 * Part of ilk-abi.h; never included on its own.
 */
#ifndef ILK_ABI_MEMORY_H
#define ILK_ABI_MEMORY_H

#include <linux/types.h>

#include "ilk-abi-assert.h"

/*
 * An area is memory in which the code of hooks keeps data. It is zeroed on all CPUs when it is
 * allocated. The code contains the area's address or per-CPU offset, and the area's size: the
 * driver does not inspect code. All areas of a file form a pool. Each patch of the file that is
 * prepared holds a reference to the pool, so that no area is freed while a thread may be in code
 * that uses it. The pool is freed when the file has given up all of its patches (by
 * ILK_DISARM_FILE with FREE, if this leaves no patch, or by close()) and the last of these patches
 * is retired. Areas requested after that belong to a new pool; until the old one is freed, it
 * counts towards the limits.
 */
#define ILK_AREA_PER_CPU	(1U << 0)	/* one copy per CPU, at a per-CPU offset */

#define ILK_AREA_BYTES_MAX	(1U << 20)	/* maximum size of a shared area */
#define ILK_AREA_CPU_BYTES_MAX	(1U << 15)	/* maximum size of a per-CPU area */
#define ILK_AREAS_MAX		65536		/* maximum number of areas per file */
#define ILK_POOL_BYTES_MAX	(64U << 20)	/* maximum size of all areas of a file, summed
						 * over possible CPUs */

/**
 * struct ilk_area - a piece of memory for emitted code
 * @bytes: size, a multiple of 8, at least 8
 * @flags: ILK_AREA_*
 * @id: out: identifies the area within this file, for READ; never 0
 * @at: out: address, aligned to 8; for a per-CPU area, the per-CPU offset, which need not fit
 *     %gs:disp32
 */
struct ilk_area {
	__u32 bytes;		/* in */
	__u32 flags;		/* in */
	__u32 id;		/* out */
	__u32 pad;
	__u64 at;		/* out */
};

/*
 * Argument of MEMORY, which allocates all areas or none. Returns -E2BIG if one of the limits above
 * is exceeded, -ENOMEM if memory is short.
 */
struct ilk_memory {
	__u32 count;		/* number of areas, 1..ILK_BATCH_MAX */
	__u32 pad;
	__u64 areas;		/* struct ilk_area[count] */
};

/*
 * Argument of MEMORY_READ. Each 8-byte word is read atomically; code may change words in between:
 * the words are not a consistent snapshot. Returns -ENOENT if this file lacks area @id; -EINVAL if
 * the range exceeds the area or is not a multiple of 8, or if the CPU has no copy.
 */
struct ilk_memory_read {
	__u32 id;
	__u32 cpu;		/* CPU whose copy of a per-CPU area is read; 0 for shared areas */
	__u32 offset;		/* bytes */
	__u32 bytes;		/* size of the range, up to ILK_AREA_BYTES_MAX */
	__u64 out;		/* address of the __u64[bytes / 8] to fill in */
};

ILK_ASSERT_SIZE(struct ilk_area, 24);
ILK_ASSERT_SIZE(struct ilk_memory, 16);
ILK_ASSERT_SIZE(struct ilk_memory_read, 24);

/* ---- pins of modules whose functions are called by emitted code ------- */

#define ILK_PINS_MAX		256	/* maximum number of pinned modules per open file,
					 * including modules that stay pinned until memory of the
					 * file is freed */
#define ILK_MODULE_NAME		56	/* size of the name of a module, which is NUL-padded */

/**
 * struct ilk_pin - keeps a module loaded while emitted code may call it
 * @address: the function's address
 * @module: name of the module that is expected to contain the function, NUL-padded
 * @refusal: enum ilk_refusal
 *
 * The pin lives as long as a memory area that is allocated at the same time.
 * Request the pin before the PREPARE of the code that calls the function. It is released when
 * the last patch of the file is freed: by then, no task can return into that patch's code.
 * Functions of the kernel itself need no pin.
 */
struct ilk_pin {
	__u64 address;		/* in */
	char module[ILK_MODULE_NAME];	/* in */
	__u32 refusal;		/* out */
	__u32 pad;
};

ILK_ASSERT_SIZE(struct ilk_pin, 72);
ILK_ASSERT_OFFSET(struct ilk_pin, refusal, 64);

#endif /* ILK_ABI_MEMORY_H */
