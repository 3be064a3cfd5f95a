/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-wire.h - the framed protocol between libgilk and gilkd
 *
 * One byte stream (a child's stdio, ssh, a virtio-serial port), little-endian, length-prefixed
 * frames. The client sends requests, each with a fresh seq; the agent answers with one or more
 * frames of that seq: zero or more with GILK_FRAME_MORE, then exactly one without. Frames with
 * seq 0 are events, sent by the agent: SAMPLES after SAMPLES_START, BYE at any time. Requests are
 * answered in order.
 *
 * Status is 0 or a positive errno; with an errno the payload of the last frame is one sentence
 * (UTF-8, no NUL, no newline): cause and remedy. Parts of an answer are never empty.
 *
 * Resynchronisation: a port that outlives its client may hold stale bytes. The agent discards input
 * until a HELLO frame parses; the client chooses the seq of its HELLO at random, and discards
 * input until an answer has that seq and echoes the nonce of the HELLO; the client may repeat the
 * HELLO. A HELLO ends any earlier session. The frame header and the HELLO request are the same in
 * every version.
 *
 * Includes only ilk-abi.h, its own parts and fixed-width types: agent and client share it.
 */
#ifndef GILK_WIRE_H
#define GILK_WIRE_H

#include <stdint.h>
#include "../ilk/ilk-abi.h"
#include "gilk-wire-bpf.h"
#include "gilk-wire-watch.h"

#define GILK_WIRE_VERSION	12
#define GILK_WIRE_MAGIC		0x4b4c4947u	/* "GILK" */
#define GILK_WIRE_PAYLOAD_MAX	(16u << 20)	/* maximum payload of a frame; a longer frame
						 * ends the connection. Enough for a request
						 * with about 50,000 hooks */

/* Limits that each side enforces on the other. */
#define GILK_WIRE_SENTENCE_MAX	1024u
#define GILK_WIRE_CPUS_MAX	8192u		/* maximum number of CPUs: NR_CPUS of the
						 * largest x86-64 kernels */
#define GILK_WIRE_HOOKS_MAX	(1u << 20)	/* maximum number of hooks; larger than
						 * @hooks_max of any driver */
#define GILK_WIRE_COUNTERS_MAX	(4u << 20)	/* maximum size of a COUNTERS answer; a larger
						 * one fails with E2BIG */

#define GILK_WIRE_MEMORY_MAX	(4u << 20)	/* maximum size of a MEMORY_READ answer; a
						 * larger one fails with E2BIG */

#define GILK_WIRE_PATH_MAX	4095u
#define GILK_WIRE_SUM_BYTES	(64u << 10)	/* number of bytes of text for which TEXT_SUMS
						 * returns one checksum */
#define GILK_WIRE_USER_MAX	(4u << 20)	/* maximum size of a USER_READ answer */

#define GILK_WIRE_LEASE_MS_MAX	3600000u

#define GILK_WIRE_CALLS_MAX	100000000ull	/* maximum number of calls per GILK_CALLS request */
#define GILK_WIRE_CALLS_MS_MAX	2000u		/* maximum time limit of a GILK_CALLS request */
#define GILK_WIRE_THREADS_MAX	64u		/* maximum number of calling threads; also
						 * limited by the number of processors */

#define GILK_FRAME_MORE		1u

struct gilk_frame {
	uint32_t magic;
	uint32_t length;	/* number of payload bytes that follow, <= GILK_WIRE_PAYLOAD_MAX */
	uint16_t type;		/* enum gilk_frame_type */
	uint16_t flags;		/* GILK_FRAME_* */
	uint32_t seq;		/* seq of the request that the frame belongs to; 0: event */
	uint32_t status;	/* errno; 0 in requests */
	uint32_t reserved;	/* 0 */
};

enum gilk_frame_type {
	/* each line: payload of the request; payload of the answer */
	GILK_HELLO		= 1,	/* request: gilk_hello; answer: gilk_hello_answer */
	GILK_BYE		= 2,	/* request: no payload; answer: empty. The agent disarms
					 * all hooks and ends the session. As an event: the agent
					 * started (or ended the session after a bad frame); all
					 * earlier state is gone */
	GILK_PING		= 3,	/* request: any payload; answer: the same payload */
	GILK_LEASE		= 4,	/* request: u32 duration in ms, <=
					 * GILK_WIRE_LEASE_MS_MAX; answer: empty. The session
					 * ends when the client sends nothing for this time; 0:
					 * only when the stream ends */
	GILK_RENEW_LEASE		= 5,	/* no payload, no answer; shows that the client
						 * is alive (see LEASE) */

	GILK_GET_FILE		= 10,	/* request: u32 enum gilk_file; answer: contents of the
					 * file, in parts */
	GILK_GET_SECTIONS	= 11,	/* request: module name; answer: lines "name
					 * hex-address\n" */
	GILK_READ_TEXT		= 12,	/* request: gilk_range[]; answer: the bytes,
					 * concatenated, in parts. If one range is unreadable,
					 * the whole request fails. */
	GILK_DOCTOR		= 13,	/* request: no payload; answer: lines "key=value\n":
					 * facts about this machine */
	GILK_KERNEL_LOG		= 14,	/* request: no payload; answer: the last 64 KiB of the
					 * kernel log */
	GILK_GET_TYPES		= 15,	/* request: module name, or none for the kernel itself;
					 * answer: BTF of the module or kernel, in parts. ENOENT:
					 * it was built without BTF */

	GILK_TEXT_SUMS		= 16,	/* request: gilk_range[]; answer: u64[] in parts: XXH64
					 * checksums (seed 0), one for each GILK_WIRE_SUM_BYTES
					 * of each range. The last one of a range may cover fewer
					 * bytes */

	GILK_DRIVER_LOAD	= 20,	/* request: no payload; answer: empty. Loads ilk.ko if it
					 * is not loaded */
	GILK_DRIVER_UNLOAD	= 21,	/* request: no payload; answer: empty. Unloads ilk.ko */
	GILK_DRIVER_INFO	= 22,	/* request: no payload; answer: struct ilk_info */
	GILK_INSTRUMENTS	= 23,	/* request: no payload; answer: struct
					 * ilk_instrument_desc[], of the loaded instruments */
	GILK_INSTRUMENT_FILES	= 24,	/* request: no payload; answer: lines "name\n" of
					 * instruments that can be loaded */
	GILK_INSTRUMENT_LOAD	= 25,	/* request: name of the instrument; answer: empty */
	GILK_INSTRUMENT_UNLOAD	= 26,	/* request: name of the instrument; answer: empty */

	GILK_RESERVE		= 30,	/* request: gilk_batch, patches, hooks; answer: the same
					 * items, with the out members filled in */
	GILK_PREPARE		= 31,	/* request: gilk_batch, patches, hooks, blob (code and
					 * entries of all patches); answer: the same without the
					 * blob, with errors filled in. In the items @code, @orc
					 * and @faults are offsets into the blob. */
	GILK_ARM		= 32,	/* request: no payload; answer: struct ilk_arm */
	GILK_DISARM		= 33,	/* request: struct ilk_disarm, u32 ids[]; answer: struct
					 * ilk_disarm, filled in */
	GILK_STATUS		= 34,	/* request: struct ilk_status (capacity unused); answer:
					 * the same, filled in, then ilk_patch_status[] in parts */
	GILK_COUNTERS		= 35,	/* request: u32 flags, u32 iids[]; answer: struct
					 * ilk_counter[], at most GILK_WIRE_COUNTERS_MAX bytes */
	GILK_CLOCKS		= 36,	/* request: u32 (0: read the clock; 1: also compare all
					 * CPUs); answer: gilk_clocks, then struct
					 * ilk_cpu_clock[] */
	GILK_MEASURE		= 37,	/* request: struct ilk_measure (out unused); answer:
					 * struct ilk_measure_result[] */
	GILK_INTERVALS		= 38,	/* request: struct ilk_intervals (on unused), u8 on[];
					 * answer: empty */
	GILK_INTERVAL_TIMES	= 39,	/* request: no payload; answer: u64[]: start times of
					 * intervals, as in struct ilk_interval_times */
	GILK_MEMORY		= 60,	/* request: struct ilk_area[]; answer: the same, with the
					 * out members filled in */
	GILK_MEMORY_READ	= 61,	/* request: struct ilk_memory_read[] (out unused);
					 * answer: the bytes read, concatenated, at most
					 * GILK_WIRE_MEMORY_MAX */

	GILK_WATCH_STATUS		= 74,	/* request: gilk_watch_status[] with iids, up to
						 * GILK_WATCHES_MAX; answer: the same, filled in */
	GILK_WATCH_BIND		= 75,	/* request: gilk_watch_point[], up to GILK_WATCHES_MAX;
					 * answer: the same items, with errors filled in. Allowed
					 * only after GILK_USE with GILK_WAY_BPF */
	GILK_PIN		= 76,	/* request: struct ilk_pin; answer: the same, with
					 * @refusal filled in */

	GILK_SAMPLES_START	= 40,	/* request: gilk_samples_start; answer: gilk_rings.
					 * Claims the rings */
	GILK_SAMPLES_STOP	= 41,	/* request: no payload; answer: gilk_samples_end, after
					 * the last SAMPLES event. Releases the rings */
	GILK_SAMPLES		= 42,	/* event: gilk_samples, whole records of one CPU */
	GILK_SAMPLES_PACKED	= 43,	/* event: gilk_samples, packed; gilkd sends all samples
					 * in this form */
	GILK_SAMPLES_FREEZE	= 44,	/* request: no payload; answer: empty. Stops recording,
					 * and makes the agent send the contents of the rings */
	GILK_RINGS		= 45,	/* request: no payload; answer: gilk_rings */

	GILK_USER_READ		= 79,	/* request: gilk_user_read, path; answer: gilk_user_file,
					 * then bytes of the file, fewer than requested at the
					 * end of the file. ENOEXEC: the file is not a program */
	GILK_USER_BIND		= 80,	/* request: gilk_user_bind, gilk_user_point[], path;
					 * answer: the points, with errors filled in. ESTALE: the
					 * file was replaced */

	GILK_EVENTS		= 82,	/* request: gilk_events, gilk_event_counter[]; answer:
					 * the same, filled in. Allowed only after GILK_USE with
					 * GILK_WAY_BPF */
	GILK_CRASH		= 83,	/* request: struct ilk_crash; answer: the same, with
					 * @refusal filled in */

	GILK_EVENT_BIND		= 91,	/* request: gilk_event_point[]; answer: the same items,
					 * with errors filled in. Allowed only after GILK_USE
					 * with GILK_WAY_BPF */
	GILK_USE		= 90,	/* request: gilk_use; answer: empty. See gilk-wire-bpf.h */

	GILK_CALLS		= 50,	/* request: gilk_calls; answer: gilk_calls_made. Samples
					 * are sent in the meantime */
};

struct gilk_hello {
	uint32_t version;
	uint32_t abi;		/* ILK_ABI_VERSION of the client */
	uint64_t nonce;
};

struct gilk_hello_answer {
	uint32_t version;
	uint32_t abi;
	uint64_t nonce;
	uint32_t pid;		/* gilkd's process ID */
	uint32_t driver;	/* 1: /dev/ilk exists, 0: it does not */
	char release[64];	/* uname -r */
	char machine[16];
	char hostname[64];
};

enum gilk_file {
	GILK_FILE_KALLSYMS	= 1,	/* /proc/kallsyms */
	GILK_FILE_MODULES	= 2,	/* /proc/modules */
	GILK_FILE_NOTES		= 3,	/* /sys/kernel/notes */
	GILK_FILE_BLACKLIST	= 4,	/* contents of kprobes/blacklist, then ilk/denied, both
					 * in debugfs */
	GILK_FILE_FTRACE	= 5,	/* tracefs available_filter_functions_addrs if the
					 * kernel has it ("hex name [module]"), else
					 * available_filter_functions ("name [module]") */
	GILK_FILE_CPUINFO	= 6,
	GILK_FILE_CMDLINE	= 7,
	GILK_FILE_KPROBES	= 8,	/* debugfs kprobes/list */
	/* 9 is reserved: older agents send /proc/iomem for it */
	GILK_FILE_BOOT_ID	= 10,	/* /proc/sys/kernel/random/boot_id, which differs from
					 * boot to boot */
	GILK_FILE_ENABLED	= 11,	/* tracefs enabled_functions */
	GILK_FILE_TRACEPOINTS	= 12,	/* tracefs available_events: lines "system:name" */
};

/*
 * A workload with a known number of calls, for self-tests: threads of the agent, each on a
 * different processor, make system calls that change nothing. The number of calls made is
 * reported exactly; other programs on the target may make the same calls.
 */
enum gilk_calls_path {
	GILK_CALLS_RR_INTERVAL	= 1,	/* sched_rr_get_interval(-1), which fails with EINVAL */
	GILK_CALLS_OVERRUN	= 2,	/* timer_getoverrun(-1): EINVAL */
	GILK_CALLS_PGID		= 3,	/* getpgid(0) */
	GILK_CALLS_PRIORITY	= 4,	/* sched_get_priority_min(SCHED_FIFO) */
};

#define GILK_CALLS_KILL_AGENT	1u	/* flag: the agent kills itself (as a test) after half of
					 * the time limit */

struct gilk_calls {
	uint32_t path;		/* enum gilk_calls_path */
	uint32_t threads;	/* number of calling threads; 0: one per processor */
	uint64_t calls;		/* number of calls, summed over all threads, <=
				 * GILK_WIRE_CALLS_MAX */
	uint32_t limit_ms;	/* time limit for all calls, 1..GILK_WIRE_CALLS_MS_MAX */
	uint32_t flags;		/* GILK_CALLS_KILL_AGENT, or 0 */
};

struct gilk_calls_made {
	uint64_t calls;		/* number of calls made */
	uint64_t wrong;		/* number of calls with an unexpected result */
	uint64_t ns;		/* CPU time used by the calls, summed over threads */
	uint32_t threads;
	uint32_t pad;
};

struct gilk_range {
	uint64_t addr;
	uint64_t len;
};

struct gilk_batch {
	uint32_t patch_count;
	uint32_t hook_count;
	uint32_t blob_bytes;	/* size of the code and entries that follow the items; only for
				 * PREPARE */
	uint32_t failed;	/* answer: number of items with an error */
	uint32_t refusal;	/* answer to RESERVE: ILK_REFUSAL_*, or 0 */
	uint32_t reserved;
};

/* First part of the answer to GILK_CLOCKS: struct ilk_clocks without its pointer. */
struct gilk_clocks {
	struct ilk_timestamp_pair pair;
	uint32_t reference;
	uint32_t count;		/* number of items that follow: one per CPU, or 0 */
};

/*
 * Payload of SAMPLES_START. ilk-abi-ring.h describes the ring modes. With ILK_RING_STOP the agent
 * freezes all rings when one of them is full.
 */
struct gilk_samples_start {
	uint32_t period_ms;	/* time between two checks of the rings, by the agent */
	uint32_t mode;		/* enum ilk_ring_mode */
	uint64_t ring_bytes;	/* size of one CPU's ring; 0: the driver's default */
	uint64_t window_ns;
};

struct gilk_rings {
	uint64_t ring_bytes;	/* size of one CPU's ring */
	uint64_t used;		/* number of bytes in the fullest ring */
	uint64_t used_max;	/* maximum of @used since SAMPLES_START */
	uint32_t frozen;	/* 1: the rings are frozen; else 0 */
	uint32_t pad;
};

/*
 * Format of the records (samples) in SAMPLES events. They include gap records, which stand where
 * samples were lost and have the iid ILK_IID_GAP: see ilk-abi-ring.h.
 *
 * Packed samples: the records follow each other without padding. Each record encodes the
 * differences from the previous record of the frame; the first record is compared with a record of
 * zeros.
 *
 * 	u8	bits 0-3: n, size of the TSC's difference in bytes, 0..8; GILK_PACKED_*; others 0
 * 	u32	iid, with GILK_PACKED_IID; else that of the previous record
 * 	u8	len, with GILK_PACKED_LEN; else that of the previous record
 * 	n bytes	difference of the TSCs modulo 2^64, little-endian
 * 	masks	one bit for each word of 8 payload bytes, from the lowest bit of the first byte:
 * 		set if the word differs from the previous word at the same index. The last word
 * 		of a payload is padded with zeros. If a payload has fewer words than the previous
 * 		one, the other words keep their values for the next record
 * 	for each bit set:
 * 	  u8	bits 0-3: m, 1..8; bits 4-6: s, 0..7; m + s <= 8
 * 	  m bytes	little-endian, shifted left by s bytes, then XORed into the word
 */
#define GILK_PACKED_IID		0x10u
#define GILK_PACKED_LEN		0x20u
#define GILK_PACKED_WORDS	((ILK_SAMPLE_MAX + 7) / 8)
#define GILK_WIRE_CELLS_MAX	(4u << 20)	/* maximum size of the records in one event
						 * before packing, in bytes of 32-byte ring cells */

struct gilk_samples {
	uint32_t cpu;
	uint32_t bytes;		/* size of the records that follow, before packing: whole 32-byte
				 * ring cells */
};

struct gilk_samples_end {
	uint64_t produced_cells;	/* number of 32-byte cells that producers have reserved
					 * in all rings since SAMPLES_START */
	uint64_t sent_cells;		/* number of cells sent; fewer than @produced_cells if
					 * the agent gave up emptying the rings */
};

/* Identifies one version of a file. For any other file or version, at least one member differs. */
struct gilk_user_file {
	uint64_t device;
	uint64_t inode;
	uint64_t bytes;
	uint64_t changed_s;
	uint32_t changed_ns;
	uint32_t pad;
};

struct gilk_user_read {
	uint64_t offset;
	uint32_t length;	/* <= GILK_WIRE_USER_MAX */
	uint32_t pad;
};

struct gilk_user_bind {
	struct gilk_user_file file;	/* identity of the file, from GILK_USER_READ */
	uint32_t count;			/* number of points, 1..GILK_USER_POINTS_MAX */
	uint32_t pad;
};

_Static_assert(sizeof(struct gilk_frame) == 24, "gilk_frame changed size");
_Static_assert(sizeof(struct gilk_hello) == 16, "gilk_hello changed size");
_Static_assert(sizeof(struct gilk_hello_answer) == 168, "gilk_hello_answer changed size");
_Static_assert(sizeof(struct gilk_range) == 16, "gilk_range changed size");
_Static_assert(sizeof(struct gilk_batch) == 24, "gilk_batch changed size");
_Static_assert(sizeof(struct gilk_clocks) == 32, "gilk_clocks changed size");
_Static_assert(sizeof(struct gilk_samples_start) == 24, "gilk_samples_start changed size");
_Static_assert(sizeof(struct gilk_rings) == 32, "gilk_rings changed size");
_Static_assert(sizeof(struct gilk_calls) == 24, "gilk_calls changed size");
_Static_assert(sizeof(struct gilk_calls_made) == 32, "gilk_calls_made changed size");
_Static_assert(sizeof(struct gilk_samples) == 8, "gilk_samples changed size");
_Static_assert(sizeof(struct gilk_samples_end) == 16, "gilk_samples_end changed size");

_Static_assert(sizeof(struct gilk_user_file) == 40, "gilk_user_file changed size");
_Static_assert(sizeof(struct gilk_user_read) == 16, "gilk_user_read changed size");
_Static_assert(sizeof(struct gilk_user_bind) == 48, "gilk_user_bind changed size");

#endif /* GILK_WIRE_H */
