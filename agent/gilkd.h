/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilkd.h - shared by the files of gilkd
 *
 * One process, one thread, one stream, one session at a time. All state hangs off struct gilkd;
 * ending a session closes /dev/ilk, and the driver restores every byte that the session changed.
 */
#ifndef GILKD_H
#define GILKD_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gilk-wire.h"

#define GILKD_BUFFER	(sizeof(struct gilk_frame) + GILK_WIRE_PAYLOAD_MAX)
#define GILKD_PART	(256u << 10)	/* payload of one frame of a long answer */
#define GILKD_NAME_MAX	56		/* the kernel's MODULE_NAME_LEN */
#define GILKD_URGENT	1u		/* real-time priority while a ring is filling: the lowest */
#define GILKD_STALL_MS	1000		/* an older partial frame may be a left-over */
#define GILKD_LEASE_CHECKS	6		/* checks within the time of a lease */
#define GILKD_OPEN_TIMEOUT_S	10u		/* to find, open and read a file */

/* Most bytes of a packed record, with all that may be written after it. */
#define GILKD_PACK_ROOM	192u

/**
 * struct gilkd_pack - a frame of packed samples under construction
 * @at: where the next record goes
 * @cells: packed so far
 * @tsc, @iid, @len, @words: of the previous record
 */
struct gilkd_pack {
	uint8_t *at;
	size_t cells;
	uint64_t tsc;
	uint32_t iid, len;
	uint64_t words[GILK_PACKED_WORDS];
};

/**
 * struct gilkd_ring - one CPU's ring
 * @tail, @head: positions, see ilk-abi-ring.h
 * @first: tail from which on everything should have been sent
 * @gap: the next gap
 * @told: samples missing up to the last gap that the tail reached
 * @owed: those of them not sent yet
 * @last_tsc: of the last record sent
 * @gap_tsc: of the last record before the gap, if @gap_begun
 */
struct gilkd_ring {
	const uint8_t *cells;
	uint64_t tail, head, first;
	struct ilk_gap gap;
	uint64_t reported_lost, unsent_lost;
	uint64_t last_tsc, gap_tsc;
	bool has_gap_tsc;
};

/**
 * struct gilkd_rings - the sample rings between SAMPLES_START and SAMPLES_STOP
 * @device: second descriptor of /dev/ilk, which holds the claim; -1: none
 * @mode: enum ilk_ring_mode; rings of modes other than ILK_RING_DROP are read once they are @frozen
 * @words: for CONSUME: tails, heads and gaps of all CPUs
 * @used: bytes in the fullest ring, when last checked
 * @used_max: the same, maximum since SAMPLES_START
 * @urgent: the priority is GILKD_URGENT
 * @out: frame under construction
 */
struct gilkd_rings {
	int device;
	bool running;
	uint32_t nr_cpus;
	uint64_t ring_bytes;
	uint32_t mode;
	bool frozen;
	struct gilkd_ring *rings;
	uint64_t *words;
	uint64_t used, used_max;
	bool urgent;
	uint32_t period_ms;
	uint64_t next_ms;
	uint8_t *out;
};

/**
 * struct gilkd_backlog - frames of samples that wait for the stream, in a circular buffer
 * @from: offset of the first byte
 * @used: number of bytes
 * @begun: of these, the rest of a frame that was partly sent
 * @most: maximum of @used since it was empty
 */
struct gilkd_backlog {
	uint8_t *bytes;
	size_t size, from, used, partly_sent, used_max;
};

/**
 * struct gilkd_kcore - /proc/kcore and its memory ranges
 */
struct gilkd_kcore {
	int fd;
	uint32_t count;
	struct gilkd_segment {
		uint64_t addr;
		uint64_t len;
		uint64_t offset;
	} *segments;
};

/**
 * struct gilkd_arenas - when to look for unused arena modules
 * @next_ms: time of the next look
 * @until_ms: time after which to stop; 0: do not look
 */
struct gilkd_arenas {
	uint64_t next_ms;
	uint64_t until_ms;
};

/**
 * struct gilkd_audit - log of what is done to the kernel
 * @path: of the log's socket
 * @fd: socket to send from, -1: none
 * @who: the client, in words
 * @untold: number of acts that could not be logged since the last that was
 * @prepared: patches since the last ARM
 * @live: patches that are armed, and not known to be restored
 */
struct gilkd_audit {
	const char *path;
	int fd;
	char who[112];
	unsigned int unlogged;
	uint32_t prepared, live;
};

/**
 * struct gilkd_opener - the process that opens files, see gilkd-open.c
 * @socket: to the process
 * @life: closing it releases what is mapped; -1: nothing is
 * @life_end: the pipe's other end
 * @seq: of the last request
 */
struct gilkd_opener {
	int socket;
	int keep_mapped_fd, keep_mapped_peer;
	uint32_t seq;
};

enum gilkd_open_kind {
	GILKD_OPEN_READ_BYTES,	/* @length bytes, from @offset on */
	GILKD_OPEN_BIND,	/* pages of @offsets stay mapped until gilkd_opener_release() */
};

enum gilkd_open_result {
	GILKD_OPEN_OK,
	GILKD_OPEN_FAILED,	/* failed with an errno */
	GILKD_OPEN_NOT_REGULAR,	/* not an ordinary file */
	GILKD_OPEN_BAD_FILE_SYSTEM,	/* on a file system whose files are not opened */
	GILKD_OPEN_NOT_ELF,
	GILKD_OPEN_READ_FAILED,	/* failed with an errno */
	GILKD_OPEN_TIMED_OUT,	/* timed out */
	GILKD_OPEN_REPLACED,	/* not the file that was expected */
};

/**
 * struct gilkd_open_request - what to do with a file
 * @expected: the file must be this one; NULL: any
 */
struct gilkd_open_request {
	enum gilkd_open_kind kind;
	uint64_t offset;
	uint32_t length;
	uint32_t count;
	const uint64_t *offsets;
	const struct gilk_user_file *expected;
};

struct gilkd_opened {
	struct gilk_user_file file;
	uint64_t bytes;
	int fd;
};

/**
 * struct gilkd - the agent
 * @edges: epoll instance of a port, wakes when its state changes
 * @hello: a session is open
 * @broken: the stream can no longer be written; the session is about to end
 * @unsaid: a session ended by a hang-up, and the next client must be informed
 * @buffer: input not yet consumed, a frame starts at its first byte
 * @begun_ms: start of the session
 * @last_input_ms: time of the last input
 * @lease_ms: silence that counts as a hang-up; 0: none
 * @silent_ms: silence so far, up to @looked_ms
 * @device: /dev/ilk of this session; -1: not opened yet
 * @request: header of the request being answered
 */
struct gilkd {
	int in;
	int out;
	int edges;
	bool port;
	bool in_session;
	bool broken;
	bool must_announce;
	uint8_t *buffer;
	size_t used;
	uint64_t started_ms;
	uint64_t last_input_ms;
	uint32_t lease_ms, silent_ms;
	uint64_t checked_ms;
	int device;
	struct gilkd_kcore kcore;
	struct gilkd_opener opener;
	struct gilkd_rings samples;
	struct gilkd_backlog backlog;
	struct gilkd_arenas arenas;
	struct gilkd_audit audit;
	struct gilk_frame request;
};

/*
 * Files use only those declared above them here: main uses request, which uses session, which uses
 * the handlers.
 */

/* gilkd-audit.c */
void gilkd_audit_open(struct gilkd_audit *audit, int stream, const char *path);
void gilkd_audit_close(struct gilkd_audit *audit);
void gilkd_audit_log(struct gilkd_audit *audit, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* gilkd-out.c */
uint64_t gilkd_now_ms(void);
bool gilkd_client_is_hung_up(const struct gilkd *d);
bool gilkd_client_is_gone(const struct gilkd *d);
int gilkd_backlog_start(struct gilkd *d);
void gilkd_backlog_end(struct gilkd *d);
size_t gilkd_backlog_room(const struct gilkd *d);
void gilkd_backlog_put(struct gilkd *d, const struct gilk_frame *head, const void *payload);
void gilkd_backlog_push(struct gilkd *d);
void gilkd_backlog_flush(struct gilkd *d);
void gilkd_send(struct gilkd *d, const struct gilk_frame *head, const void *payload);

/* gilkd-frame.c */
enum gilkd_parse {
	GILKD_PARSE_MORE,	/* the frame is incomplete */
	GILKD_PARSE_FRAME,
	GILKD_PARSE_BAD,	/* not a frame */
};

enum gilkd_parse gilkd_frame_parse(const uint8_t *bytes, size_t length, struct gilk_frame *head);
size_t gilkd_frame_resync(const uint8_t *bytes, size_t length);
void gilkd_answer_part(struct gilkd *d, const void *payload, size_t length);
void gilkd_answer(struct gilkd *d, const void *payload, size_t length);
void gilkd_fail(struct gilkd *d, int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* gilkd-reference.c */
int gilkd_reference_ioctl(struct gilkd *d, unsigned long command, void *argument);

/* gilkd-driver.c */
bool gilkd_driver_exists(void);
int gilkd_driver_open_file(void);
bool gilkd_driver_open(struct gilkd *d);
bool gilkd_driver_info(struct gilkd *d, struct ilk_info *info);
void gilkd_driver_close(struct gilkd *d);
void gilkd_driver_fail(struct gilkd *d, const char *what, int error);
void gilkd_do_driver_info(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_do_instruments(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_do_reserve(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_do_prepare(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_do_arm(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_do_disarm(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_do_status(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_do_counters(struct gilkd *d, uint8_t *payload, size_t length);

/* gilkd-time.c */
void gilkd_do_clocks(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_do_measure(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_do_intervals(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_do_interval_times(struct gilkd *d, uint8_t *payload, size_t length);

/* gilkd-memory.c */
void gilkd_do_memory(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_do_memory_read(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_do_events(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_do_crash(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_do_pin(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_do_watch(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_do_watch_status(struct gilkd *d, uint8_t *payload, size_t length);

/* gilkd-open.c */
int gilkd_opener_start(struct gilkd_opener *opener);
bool gilkd_open_request(struct gilkd *d, const char *path, const struct gilkd_open_request *ask, struct gilkd_opened *found);
void gilkd_opener_release(struct gilkd_opener *opener);

/* gilkd-user.c */
void gilkd_do_user_read (struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_do_user_bind (struct gilkd *d, uint8_t *payload, size_t length);

/* gilkd-pack.c */
void gilkd_pack_start(struct gilkd_pack *p, uint8_t *out);
void gilkd_pack(struct gilkd_pack *p, const uint8_t *ring, uint64_t ring_bytes, uint64_t cell);

/* gilkd-samples.c */
void gilkd_do_samples_freeze(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_do_rings(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_do_samples_start(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_do_samples_stop(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_samples_tick(struct gilkd *d);
void gilkd_samples_end(struct gilkd *d);

/* gilkd-text.c */
void gilkd_do_read_text(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_kcore_close(struct gilkd *d);

/* gilkd-files.c */
int gilkd_read_small(const char *path, char *text, size_t size);
void gilkd_do_get_file(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_do_get_sections(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_do_get_types(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_do_kernel_log(struct gilkd *d, uint8_t *payload, size_t length);
const char *gilkd_tracefs(void);
#define GILKD_DEBUGFS "/sys/kernel/debug"

/* gilkd-modules.c */
bool gilkd_copy_name(struct gilkd *d, const uint8_t *payload, size_t length,
		     char name[GILKD_NAME_MAX]);
void gilkd_do_driver_load(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_do_driver_unload(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_do_instrument_files(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_do_instrument_load(struct gilkd *d, uint8_t *payload, size_t length);
void gilkd_do_instrument_unload(struct gilkd *d, uint8_t *payload, size_t length);
int gilkd_module_file(const char *name, char *path, size_t size);
int gilkd_module_load(struct gilkd *d, const char *path);
int gilkd_module_unload(struct gilkd *d, const char *name);
void gilkd_fail_load(struct gilkd *d, const char *path, int error);
/* Returns the active kind of lockdown ("integrity", "confidentiality"), or NULL. */
const char *gilkd_get_lockdown(void);

/* gilkd-arenas.c */
bool gilkd_arenas_grow(struct gilkd *d, uint32_t missing, uint32_t *grown);
uint64_t gilkd_arenas_count_unloaded(void);
bool gilkd_arenas_unload(struct gilkd *d);
void gilkd_arenas_release(struct gilkd *d);
void gilkd_arenas_tick(struct gilkd *d);
void gilkd_arenas_end(struct gilkd *d);

/* gilkd-doctor.c */
void gilkd_do_doctor(struct gilkd *d, uint8_t *payload, size_t length);

/* gilkd-calls.c */
void gilkd_do_calls(struct gilkd *d, uint8_t *payload, size_t length);

/* gilkd-relay.c */
int gilkd_relay(const char *path);

/* gilkd-session.c */
void gilkd_session_end(struct gilkd *d);

/* gilkd-request.c */
void gilkd_dispatch(struct gilkd *d, uint8_t *payload, size_t length);

/* gilkd-privileges.c */
#define GILKD_CAPS		(1ull << 16 | 1ull << 17 | 1ull << 34)	/* SYS_MODULE, SYS_RAWIO, SYSLOG */
#define GILKD_CAPS_OPEN	(1ull << 19)				/* SYS_PTRACE */
int gilkd_drop_privileges(uint64_t needed);

#endif /* GILKD_H */
