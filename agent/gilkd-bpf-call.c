// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-bpf-call.c - calls bpf(2)
 *
 * Makes the few commands of bpf(2) that the agent needs. libbpf could do this, but requires libelf,
 * which Debian 13 lacks as a complete static library, and the agent is linked statically.
 *
 * All calls return a descriptor or 0, or -errno.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gilkd-bpf-call.h"

#define LOAD_TRIES	5	/* maximum number of tries to load a program, as the verifier
				 * returns EAGAIN while a signal is pending */

/*
 * Calls bpf(2) with the size of the whole union, which older kernels accept as long as the members
 * that they lack are 0.
 */
static int call_bpf(enum bpf_cmd command, union bpf_attr *attr)
{
	int result = syscall(SYS_bpf, command, attr, sizeof(*attr));

	return result < 0 ? -errno : result;
}

/* Creates an array map with one element of @bytes bytes, which can be mapped with mmap(). */
int gilkd_bpf_call_map(const char *name, uint32_t bytes)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = BPF_MAP_TYPE_ARRAY;
	attr.key_size = sizeof(uint32_t);
	attr.value_size = bytes;
	attr.max_entries = 1;
	attr.map_flags = BPF_F_MMAPABLE;
	snprintf(attr.map_name, sizeof(attr.map_name), "%s", name);
	return call_bpf(BPF_MAP_CREATE, &attr);
}

/* Creates an empty map for @count perf events. */
int gilkd_bpf_call_event_map(const char *name, uint32_t count)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_type = BPF_MAP_TYPE_PERF_EVENT_ARRAY;
	attr.key_size = sizeof(uint32_t);
	attr.value_size = sizeof(uint32_t);
	attr.max_entries = count;
	snprintf(attr.map_name, sizeof(attr.map_name), "%s", name);
	return call_bpf(BPF_MAP_CREATE, &attr);
}

/* Sets element @key of the map. */
int gilkd_bpf_call_set_element(int map, uint32_t key, uint32_t value)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.map_fd = map;
	attr.key = (uintptr_t)&key;
	attr.value = (uintptr_t)&value;
	return call_bpf(BPF_MAP_UPDATE_ELEM, &attr);
}

/*
 * Loads a program.
 * @log: set to the verifier's log; NULL: none
 * @log_level: BPF_LOG_* flags of the kernel; ignored without @log
 */
int gilkd_bpf_call_program(struct gilkd_bpf_program_type type, const char *name, const struct bpf_insn *insns,
			   uint32_t count, char *log, uint32_t log_bytes, uint32_t log_level)
{
	union bpf_attr attr;
	int tries = LOAD_TRIES, fd;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = type.type;
	attr.expected_attach_type = type.attach;
	attr.attach_btf_id = type.function;
	attr.insns = (uintptr_t)insns;
	attr.insn_cnt = count;
	attr.license = (uintptr_t)"GPL";
	attr.log_buf = (uintptr_t)log;
	attr.log_size = log ? log_bytes : 0;
	attr.log_level = log ? log_level : 0;
	snprintf(attr.prog_name, sizeof(attr.prog_name), "%s", name);
	do
		fd = call_bpf(BPF_PROG_LOAD, &attr);
	while (fd == -EAGAIN && --tries);
	return fd;
}

/*
 * Makes a program run at the hits of the perf event @target.
 * @cookie: value that bpf_get_attach_cookie() returns to the program
 */
int gilkd_bpf_call_link_cookie(int program, int target, uint64_t cookie)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = program;
	attr.link_create.target_fd = target;
	attr.link_create.attach_type = BPF_PERF_EVENT;
	attr.link_create.perf_event.bpf_cookie = cookie;
	return call_bpf(BPF_LINK_CREATE, &attr);
}

int gilkd_bpf_call_link(int program, int target)
{
	return gilkd_bpf_call_link_cookie(program, target, 0);
}

/*
 * Makes a program run at the entries of @count functions.
 * @sites: addresses of the functions, without duplicates
 * @cookies: values that bpf_get_attach_cookie() returns at these sites
 */
int gilkd_bpf_call_link_multi(int program, const uint64_t *sites, const uint64_t *cookies,
			      uint32_t count)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.link_create.prog_fd = program;
	attr.link_create.attach_type = BPF_TRACE_KPROBE_MULTI;
	attr.link_create.kprobe_multi.cnt = count;
	attr.link_create.kprobe_multi.addrs = (uintptr_t)sites;
	attr.link_create.kprobe_multi.cookies = (uintptr_t)cookies;
	return call_bpf(BPF_LINK_CREATE, &attr);
}

/*
 * Makes a program run at the hits of a tracepoint, or at the entry of the function for which it was
 * loaded. Returns the descriptor of the link.
 * @name: NULL: the function's entry
 */
int gilkd_bpf_call_tracepoint(int program, const char *name)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.raw_tracepoint.name = (uintptr_t)name;
	attr.raw_tracepoint.prog_fd = program;
	return call_bpf(BPF_RAW_TRACEPOINT_OPEN, &attr);
}

/* Runs a raw tracepoint's program once, on this CPU, with @context as its arguments. */
int gilkd_bpf_call_run(int program, const void *context, uint32_t bytes)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.test.prog_fd = program;
	attr.test.ctx_in = (uintptr_t)context;
	attr.test.ctx_size_in = bytes;
	return call_bpf(BPF_PROG_TEST_RUN, &attr);
}

/* Gets the properties of a program or a link. Members that the kernel lacks stay unchanged. */
int gilkd_bpf_call_info(int fd, void *info, uint32_t bytes)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.info.bpf_fd = fd;
	attr.info.info = (uintptr_t)info;
	attr.info.info_len = bytes;
	return call_bpf(BPF_OBJ_GET_INFO_BY_FD, &attr);
}
