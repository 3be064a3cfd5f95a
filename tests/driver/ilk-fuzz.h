/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-fuzz.h - shared by the files of the fuzzer
 *
 * A process that may open the device may run code in the kernel, so the fuzzer never lets a wrong
 * patch run. There are two kinds of files. On a file that may arm patches, the code of a patch is
 * valid for the patch's slot and site. The fuzzer corrupts only fields that cannot make the driver
 * run the code elsewhere. On a blind file the fuzzer corrupts any field, and neither arms nor
 * measures code.
 */
#ifndef ILK_FUZZ_H
#define ILK_FUZZ_H

#include <stdatomic.h>
#include <stdint.h>

#include "ilk-selftest.h"

#define FUZZ_ERRORS	140	/* greater than any errno */
#define FUZZ_SITES	96
#define FUZZ_FILES	6	/* number of files per client; only the first half may arm patches,
				 * the second half is blind */
#define FUZZ_ARENA	65536	/* size of the memory for a call's arguments, which ends at an
				 * unmapped page */
#define FUZZ_PATCHES	4	/* patches per transaction */

/* Kinds of calls, in the order of fuzz_names. */
enum {
	CALL_INFO, CALL_RESERVE, CALL_PREPARE, CALL_ARM, CALL_DISARM, CALL_STATUS, CALL_COUNTERS,
	CALL_INSTRUMENTS, CALL_CLAIM, CALL_CONSUME, CALL_FREEZE, CALL_CLOCKS, CALL_BLOCKS, CALL_BLOCKS_TOLD,
	CALL_MEASURE, CALL_MEMORY, CALL_MEMORY_READ, CALL_CRASH, CALL_OTHER, CALL_OPEN, CALL_MMAP,
	CALL_READ, CALL_POLL,
	CALL_FORK, CALL_CLOSE, CALL_WRITE,
	FUZZ_CALLS,			/* number of kinds */
};

/* Memory that all clients share and write. */
struct fuzz_shared {
	atomic_ulong done;		/* number of sequences run */
	atomic_ulong armed;		/* number of patches armed */
	atomic_ulong results[FUZZ_CALLS][FUZZ_ERRORS];
	atomic_ulong ns[FUZZ_CALLS];	/* total time of the ioctls of each kind */
	unsigned long wanted;
};

/* One thread of a client. */
struct fuzzer {
	uint64_t random;
	uint8_t *arena;			/* memory for arguments: FUZZ_ARENA bytes, followed by an
					 * unmapped page; not the driver's arena */
	struct code codes[FUZZ_PATCHES];
};

extern struct fuzz_shared *fuzz_shared;
extern const char * const fuzz_names[FUZZ_CALLS];
extern struct point fuzz_sites[FUZZ_SITES];
extern uint32_t fuzz_site_count;

/* ---- random numbers and pointers ----------------------------------------------- */

uint32_t fuzz_below(struct fuzzer *fuzzer, uint32_t below);
bool one_in(struct fuzzer *fuzzer, uint32_t n);
uint64_t draw_nasty(struct fuzzer *fuzzer);
void *place_object(struct fuzzer *fuzzer, uint32_t offset, uint32_t bytes);
uint64_t place_half_mapped(struct fuzzer *fuzzer);
uint64_t draw_bad_pointer(struct fuzzer *fuzzer);
void corrupt_object(struct fuzzer *fuzzer, void *object, uint32_t bytes, uint32_t odds);

/* ---- random calls of the driver ------------------------------------------------ */

int fuzz_ioctl(int fd, uint32_t call, void *argument);

/* defined in ilk-fuzz-crash.c */
void fuzz_crash(struct fuzzer *fuzzer, int fd, bool arms);


void fuzz_sequence(struct fuzzer *fuzzer, uint32_t file);

/*
 * Reopens a file with its old descriptor. A client's descriptors start at 100 and are reused, so
 * each descriptor always belongs to the same kind of file.
 */
void fuzz_open_file(uint32_t file);

#endif /* ILK_FUZZ_H */
