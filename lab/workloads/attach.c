// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * attach.c - counts the hits of many functions with one BPF program, to compare with Gilk's BPF
 * hooks
 *
 *   attach [SECONDS] <ADDRESSES
 *
 * Reads the entry addresses of functions from standard input, one hexadecimal address per line.
 * Attaches one program to all of these functions by a single link (BPF_TRACE_KPROBE_MULTI); at each
 * call of a function the program adds 1 to the counter of the function. Prints:
 *
 *   functions N attach NS detach NS hits N
 *
 * Makes the same bpf(2) calls as libbpf's bpf_program__attach_kprobe_multi_opts() when that
 * function gets addresses.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define FUNCTIONS_MAX	65536u

static uint64_t addresses[FUNCTIONS_MAX], cookies[FUNCTIONS_MAX];

static int call_bpf(enum bpf_cmd command, union bpf_attr *attr)
{
	return syscall(SYS_bpf, command, attr, sizeof(*attr));
}

static uint64_t read_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static void die(const char *what)
{
	fprintf(stderr, "attach: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int create_counters(uint32_t count)
{
	union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 8 * count,
		.max_entries = 1, .map_flags = BPF_F_MMAPABLE,
	};
	int map = call_bpf(BPF_MAP_CREATE, &attr);

	if (map < 0)
		die("cannot create the map");
	return map;
}

/*
 * Loads a program that executes counters[cookie & (FUNCTIONS_MAX - 1)]++. Returns its descriptor.
 */
static int load_program(int map)
{
	const struct bpf_insn insns[] = {
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_get_attach_cookie },
		{ .code = BPF_ALU64 | BPF_AND | BPF_K, .dst_reg = 0, .imm = FUNCTIONS_MAX - 1 },
		{ .code = BPF_ALU64 | BPF_LSH | BPF_K, .dst_reg = 0, .imm = 3 },
		{ .code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = 1,
		  .src_reg = BPF_PSEUDO_MAP_VALUE, .imm = map },
		{ 0 },
		{ .code = BPF_ALU64 | BPF_ADD | BPF_X, .dst_reg = 1, .src_reg = 0 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 2, .imm = 1 },
		{ .code = BPF_STX | BPF_ATOMIC | BPF_DW, .dst_reg = 1, .src_reg = 2, .imm = BPF_ADD },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_KPROBE, .expected_attach_type = BPF_TRACE_KPROBE_MULTI,
		.insns = (uintptr_t)insns, .insn_cnt = sizeof(insns) / sizeof(insns[0]),
		.license = (uintptr_t)"GPL",
	};
	int program = call_bpf(BPF_PROG_LOAD, &attr);

	if (program < 0)
		die("cannot load the program");
	return program;
}

static int attach_program(int program, uint32_t count)
{
	union bpf_attr attr = { 0 };
	int link;

	attr.link_create.prog_fd = program;
	attr.link_create.attach_type = BPF_TRACE_KPROBE_MULTI;
	attr.link_create.kprobe_multi.cnt = count;
	attr.link_create.kprobe_multi.addrs = (uintptr_t)addresses;
	attr.link_create.kprobe_multi.cookies = (uintptr_t)cookies;
	link = call_bpf(BPF_LINK_CREATE, &attr);
	if (link < 0)
		die("cannot attach the program");
	return link;
}

int main(int argc, char **argv)
{
	const uint64_t *counters;
	uint64_t begin, attached, ended, hits = 0;
	unsigned long long address;
	uint32_t count = 0, i;
	int map, link;

	while (count < FUNCTIONS_MAX && scanf("%llx", &address) == 1) {
		addresses[count] = address;
		cookies[count] = count;
		count++;
	}
	map = create_counters(FUNCTIONS_MAX);
	counters = mmap(NULL, 8 * FUNCTIONS_MAX, PROT_READ, MAP_SHARED, map, 0);
	if (counters == MAP_FAILED)
		die("cannot map the counters");
	begin = read_clock();
	link = attach_program(load_program(map), count);
	attached = read_clock();
	if (argc > 1)
		sleep(atoi(argv[1]));
	ended = read_clock();
	close(link);
	for (i = 0; i < count; i++)
		hits += counters[i];
	printf("functions %u attach %llu detach %llu hits %llu\n", count,
	       (unsigned long long)(attached - begin), (unsigned long long)(read_clock() - ended),
	       (unsigned long long)hits);
	return 0;
}
