/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bpf-programs.c - attaches BPF programs to the start of a function, or to its start and end
 *
 * Usage: bpf-programs PROGRAM FUNCTION COMMAND...
 *
 * tests/bench/program-costs.py compares these BPF programs with programs of Gilk. Each BPF program does
 * the same as its counterpart in program-costs.py, in the fastest way that BPF allows: per-CPU maps, no
 * wakeups. The BPF programs are loaded by system calls only, so that they run in the lab's
 * initramfs.
 *
 *   register   increments a counter if the first argument is above 4096
 *   member     the same for a 4-byte member at 0x38 of the struct to which it points
 *   ring       if that member is 7, writes a record: time, process, the argument, a member of
 *              8 bytes at 0x40
 *   map        increments the value of the process in a map
 *   histogram  increments a bucket of the argument, with four buckets per octave
 *   span       a histogram of the duration of calls, with start times in a map by thread: by a
 *              kprobe and a kretprobe
 *   span-fexit the same by fentry and fexit
 */
#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bpf-btf.h"

#define ARGUMENT	112	/* offset of di, the first argument's register, in struct pt_regs */
#define MEMBER		0x38
#define WIDE_MEMBER	0x40
#define INSNS_MAX	128

struct code {
	struct bpf_insn insns[INSNS_MAX];
	int count;
	int exits[16];		/* indices of the instructions that jump to the end of the
				 * program */
	int exit_count;
};

static int call_bpf(int command, union bpf_attr *attr)
{
	return syscall(SYS_bpf, command, attr, sizeof(*attr));
}

static int make_map(enum bpf_map_type type, unsigned int key, unsigned int value, unsigned int entries)
{
	union bpf_attr attr = { .map_type = type, .key_size = key, .value_size = value, .max_entries = entries };
	int fd = call_bpf(BPF_MAP_CREATE, &attr);

	if (fd < 0) {
		fprintf(stderr, "bpf-programs: map: %s\n", strerror(errno));
		exit(1);
	}
	return fd;
}

/* ---- functions that emit BPF instructions ---- */

static void add_insn(struct code *c, uint8_t code, uint8_t dst, uint8_t src, int16_t off, int32_t imm)
{
	c->insns[c->count++] = (struct bpf_insn) {
		.code = code, .dst_reg = dst, .src_reg = src, .off = off, .imm = imm,
	};
}

static void add_mov(struct code *c, int dst, int src)
{
	add_insn(c, BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0);
}

static void add_mov_imm(struct code *c, int dst, int32_t imm)
{
	add_insn(c, BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, imm);
}

static void add_op_imm(struct code *c, int op, int dst, int32_t imm)
{
	add_insn(c, BPF_ALU64 | op | BPF_K, dst, 0, 0, imm);
}

static void add_load(struct code *c, int size, int dst, int src, int off)
{
	add_insn(c, BPF_LDX | BPF_MEM | size, dst, src, off, 0);
}

static void add_store(struct code *c, int size, int dst, int off, int src)
{
	add_insn(c, BPF_STX | BPF_MEM | size, dst, src, off, 0);
}

static void add_call(struct code *c, int helper)
{
	add_insn(c, BPF_JMP | BPF_CALL, 0, 0, 0, helper);
}

static void load_map(struct code *c, int dst, int fd)
{
	add_insn(c, BPF_LD | BPF_DW | BPF_IMM, dst, BPF_PSEUDO_MAP_FD, 0, fd);
	add_insn(c, 0, 0, 0, 0, 0);
}

/* Emits a jump to the end of the program, taken if comparing @reg with @imm by @op gives true. */
static void add_leave_if(struct code *c, int op, int reg, int32_t imm)
{
	c->exits[c->exit_count++] = c->count;
	add_insn(c, BPF_JMP | op | BPF_K, reg, 0, 0, imm);
}

static void add_exit(struct code *c)
{
	int i;

	for (i = 0; i < c->exit_count; i++)
		c->insns[c->exits[i]].off = c->count - c->exits[i] - 1;
	add_mov_imm(c, 0, 0);
	add_insn(c, BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
}

/* Emits code that increments a value in @map. The 4-byte key is on the stack at offset -4. */
static void add_one(struct code *c, int map)
{
	add_mov(c, 2, 10);
	add_op_imm(c, BPF_ADD, 2, -4);
	load_map(c, 1, map);
	add_call(c, BPF_FUNC_map_lookup_elem);
	add_leave_if(c, BPF_JEQ, 0, 0);
	add_load(c, BPF_DW, 1, 0, 0);
	add_op_imm(c, BPF_ADD, 1, 1);
	add_store(c, BPF_DW, 0, 0, 1);
}

/* Emits code that copies @size bytes from r6 + @off to the stack at offset -@at. */
static void read_member(struct code *c, int at, int size, int off)
{
	add_mov(c, 1, 10);
	add_op_imm(c, BPF_ADD, 1, -at);
	add_mov_imm(c, 2, size);
	add_mov(c, 3, 6);
	add_op_imm(c, BPF_ADD, 3, off);
	add_call(c, BPF_FUNC_probe_read_kernel);
}

/* ---- functions that emit whole BPF programs ---- */

static void count_one(struct code *c)
{
	add_mov_imm(c, 1, 0);
	add_store(c, BPF_W, 10, -4, 1);
	add_one(c, make_map(BPF_MAP_TYPE_PERCPU_ARRAY, 4, 8, 1));
}

static void by_register(struct code *c)
{
	add_load(c, BPF_DW, 6, 1, ARGUMENT);
	add_leave_if(c, BPF_JLE, 6, 4096);
	count_one(c);
}

static void by_member(struct code *c)
{
	add_load(c, BPF_DW, 6, 1, ARGUMENT);
	read_member(c, 8, 4, MEMBER);
	add_load(c, BPF_W, 7, 10, -8);
	add_leave_if(c, BPF_JLE, 7, 4096);
	count_one(c);
}

static void add_ring_output(struct code *c)
{
	int ring = make_map(BPF_MAP_TYPE_RINGBUF, 0, 0, 1 << 20);

	add_load(c, BPF_DW, 6, 1, ARGUMENT);
	read_member(c, 8, 4, MEMBER);
	add_load(c, BPF_W, 7, 10, -8);
	add_leave_if(c, BPF_JNE, 7, 7);
	read_member(c, 8, 8, WIDE_MEMBER);
	load_map(c, 1, ring);
	add_mov_imm(c, 2, 32);
	add_mov_imm(c, 3, 0);
	add_call(c, BPF_FUNC_ringbuf_reserve);
	add_leave_if(c, BPF_JEQ, 0, 0);
	add_mov(c, 7, 0);
	add_call(c, BPF_FUNC_ktime_get_ns);
	add_store(c, BPF_DW, 7, 0, 0);
	add_call(c, BPF_FUNC_get_current_pid_tgid);
	add_op_imm(c, BPF_RSH, 0, 32);
	add_store(c, BPF_DW, 7, 8, 0);
	add_store(c, BPF_DW, 7, 16, 6);
	add_load(c, BPF_DW, 1, 10, -8);
	add_store(c, BPF_DW, 7, 24, 1);
	add_mov(c, 1, 7);
	add_mov_imm(c, 2, BPF_RB_NO_WAKEUP);
	add_call(c, BPF_FUNC_ringbuf_submit);
}

/*
 * Emits code that increments the current process's value in a map. If the map lacks the process,
 * the code adds the process with the value 1.
 */
static void by_process(struct code *c)
{
	int map = make_map(BPF_MAP_TYPE_PERCPU_HASH, 4, 8, 64), there;

	add_call(c, BPF_FUNC_get_current_pid_tgid);
	add_op_imm(c, BPF_RSH, 0, 32);
	add_store(c, BPF_W, 10, -4, 0);
	add_mov(c, 2, 10);
	add_op_imm(c, BPF_ADD, 2, -4);
	load_map(c, 1, map);
	add_call(c, BPF_FUNC_map_lookup_elem);
	there = c->count;
	add_insn(c, BPF_JMP | BPF_JNE | BPF_K, 0, 0, 0, 0);
	add_mov_imm(c, 1, 1);
	add_store(c, BPF_DW, 10, -16, 1);
	load_map(c, 1, map);
	add_mov(c, 2, 10);
	add_op_imm(c, BPF_ADD, 2, -4);
	add_mov(c, 3, 10);
	add_op_imm(c, BPF_ADD, 3, -16);
	add_mov_imm(c, 4, BPF_ANY);
	add_call(c, BPF_FUNC_map_update_elem);
	add_leave_if(c, BPF_JA, 0, 0);
	c->insns[there].off = c->count - there - 1;
	add_load(c, BPF_DW, 1, 0, 0);
	add_op_imm(c, BPF_ADD, 1, 1);
	add_store(c, BPF_DW, 0, 0, 1);
}

/* Emits code that sets r8 to the number of the highest set bit of r7. The code clobbers r9. */
static void add_highest_bit(struct code *c)
{
	int shift;

	add_mov_imm(c, 8, 0);
	add_mov(c, 9, 7);
	for (shift = 32; shift > 0; shift /= 2) {
		add_mov(c, 1, 9);
		add_op_imm(c, BPF_RSH, 1, shift);
		add_insn(c, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 2, 0);
		add_mov(c, 9, 1);
		add_op_imm(c, BPF_ADD, 8, shift);
	}
}

#define BUCKETS 256
static int buckets = -1;	/* map with the counts of add_to_bucket() */

/* Emits code that increments the histogram bucket for the value in r7. */
static void add_to_bucket(struct code *c)
{
	int small;

	add_mov(c, 6, 7);
	small = c->count;
	add_insn(c, BPF_JMP | BPF_JLT | BPF_K, 7, 0, 0, 4);
	add_highest_bit(c);
	add_mov(c, 1, 8);
	add_op_imm(c, BPF_SUB, 1, 2);
	add_mov(c, 6, 7);
	add_insn(c, BPF_ALU64 | BPF_RSH | BPF_X, 6, 1, 0, 0);
	add_op_imm(c, BPF_AND, 6, 3);
	add_op_imm(c, BPF_SUB, 8, 1);
	add_op_imm(c, BPF_LSH, 8, 2);
	add_insn(c, BPF_ALU64 | BPF_ADD | BPF_X, 6, 8, 0, 0);
	c->insns[small].off = c->count - small - 1;
	add_store(c, BPF_W, 10, -4, 6);
	buckets = make_map(BPF_MAP_TYPE_PERCPU_ARRAY, 4, 8, BUCKETS);
	add_one(c, buckets);
}

static void by_bucket(struct code *c)
{
	add_load(c, BPF_DW, 7, 1, ARGUMENT);
	add_to_bucket(c);
}

static int begins;		/* map with the start times of calls, keyed by thread */

/* Emits code that loads a pointer to the key and the map. The key, the thread's id, is on the stack
 * at offset -24. */
static void add_key_pointer(struct code *c)
{
	add_mov(c, 2, 10);
	add_op_imm(c, BPF_ADD, 2, -24);
	load_map(c, 1, begins);
}

static void begin_span(struct code *c)
{
	begins = make_map(BPF_MAP_TYPE_HASH, 8, 8, 4096);
	add_call(c, BPF_FUNC_get_current_pid_tgid);
	add_store(c, BPF_DW, 10, -24, 0);
	add_call(c, BPF_FUNC_ktime_get_ns);
	add_store(c, BPF_DW, 10, -16, 0);
	add_key_pointer(c);
	add_mov(c, 3, 10);
	add_op_imm(c, BPF_ADD, 3, -16);
	add_mov_imm(c, 4, BPF_ANY);
	add_call(c, BPF_FUNC_map_update_elem);
}

static void end_span(struct code *c)
{
	add_call(c, BPF_FUNC_get_current_pid_tgid);
	add_store(c, BPF_DW, 10, -24, 0);
	add_key_pointer(c);
	add_call(c, BPF_FUNC_map_lookup_elem);
	add_leave_if(c, BPF_JEQ, 0, 0);
	add_load(c, BPF_DW, 6, 0, 0);
	add_call(c, BPF_FUNC_ktime_get_ns);
	add_mov(c, 7, 0);
	add_insn(c, BPF_ALU64 | BPF_SUB | BPF_X, 7, 6, 0, 0);
	add_to_bucket(c);
	add_key_pointer(c);
	add_call(c, BPF_FUNC_map_delete_elem);
}

static const struct {
	const char *name;
	void (*write)(struct code *c);
	void (*write_end)(struct code *c);	/* emits the program that runs at the end of a
						 * call */
	int tracing;				/* 1: attached by fentry and fexit; 0: by kprobes */
} programs[] = {
	{ "register", by_register }, { "member", by_member }, { "ring", add_ring_output },
	{ "map", by_process }, { "histogram", by_bucket },
	{ "span", begin_span, end_span }, { "span-fexit", begin_span, end_span, 1 },
};

/* ---- loading and attaching the programs ---- */

/* Loads a program. @type: BPF_TRACE_FENTRY, BPF_TRACE_FEXIT, or 0 for a kprobe */
static int load_program(const struct code *c, int type, const char *function)
{
	static char log[65536];
	union bpf_attr attr = {
		.prog_type = type ? BPF_PROG_TYPE_TRACING : BPF_PROG_TYPE_KPROBE,
		.insns = (uintptr_t)c->insns, .insn_cnt = c->count,
		.license = (uintptr_t)"GPL", .log_buf = (uintptr_t)log, .log_size = sizeof(log), .log_level = 1,
	};
	int fd;

	if (type) {
		attr.expected_attach_type = type;
		attr.attach_btf_id = find_btf_id(function);
	}
	fd = call_bpf(BPF_PROG_LOAD, &attr);
	if (fd < 0) {
		fprintf(stderr, "bpf-programs: load: %s\n%s\n", strerror(errno), log);
		exit(1);
	}
	return fd;
}

static void attach_tracing(int program)
{
	union bpf_attr attr = { .raw_tracepoint.prog_fd = program };

	if (call_bpf(BPF_RAW_TRACEPOINT_OPEN, &attr) < 0) {
		fprintf(stderr, "bpf-programs: attach: %s\n", strerror(errno));
		exit(1);
	}
}

static void attach_kprobe(int program, const char *function, int at_end)
{
	struct perf_event_attr attr = { .size = sizeof(attr), .config1 = (uintptr_t)function };
	FILE *file = fopen("/sys/bus/event_source/devices/kprobe/type", "r");
	unsigned int type;
	int fd;

	if (!file || fscanf(file, "%u", &type) != 1) {
		fprintf(stderr, "bpf-programs: the kernel has no kprobe events\n");
		exit(1);
	}
	fclose(file);
	attr.type = type;
	attr.config = at_end;	/* bit 0 of a kprobe event's configuration: "retprobe" */
	fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0);
	if (fd < 0 || ioctl(fd, PERF_EVENT_IOC_SET_BPF, program) < 0 || ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) < 0) {
		fprintf(stderr, "bpf-programs: attach: %s\n", strerror(errno));
		exit(1);
	}
}

static void attach_program(void (*write)(struct code *c), const char *function, int tracing, int at_end)
{
	struct code c = { .count = 0 };

	write(&c);
	add_exit(&c);
	if (tracing)
		attach_tracing(load_program(&c, at_end ? BPF_TRACE_FEXIT : BPF_TRACE_FENTRY, function));
	else
		attach_kprobe(load_program(&c, 0, function), function, at_end);
}

/* ---- output of the results ---- */

static unsigned long long add_bucket_update(unsigned int key)
{
	unsigned long long each[256] = { 0 }, sum = 0;
	union bpf_attr attr = { .map_fd = buckets, .key = (uintptr_t)&key, .value = (uintptr_t)each };
	size_t i;

	if (call_bpf(BPF_MAP_LOOKUP_ELEM, &attr) < 0)
		return 0;
	for (i = 0; i < sizeof(each) / sizeof(*each); i++)
		sum += each[i];
	return sum;
}

/* Prints the number of the histogram bucket that contains the median. */
static void print_median(void)
{
	unsigned long long all = 0, below = 0;
	unsigned int key;

	for (key = 0; key < BUCKETS; key++)
		all += add_bucket_update(key);
	for (key = 0; key < BUCKETS && (below += add_bucket_update(key)) * 2 < all; key++)
		;
	if (all)
		printf("median %llu %llu of %llu\n",
		       key < 4 ? key : (4ULL + key % 4) << (key / 4 - 1),
		       key < 4 ? key + 1 : (5ULL + key % 4) << (key / 4 - 1), all);
}

int main(int argc, char **argv)
{
	size_t i = 0;
	int status;

	while (argc > 3 && i < sizeof(programs) / sizeof(*programs) && strcmp(programs[i].name, argv[1]))
		i++;
	if (argc <= 3 || i == sizeof(programs) / sizeof(*programs)) {
		fprintf(stderr, "usage: bpf-programs PROGRAM FUNCTION COMMAND...\n");
		return 2;
	}
	attach_program(programs[i].write, argv[2], programs[i].tracing, 0);
	if (programs[i].write_end)
		attach_program(programs[i].write_end, argv[2], programs[i].tracing, 1);
	if (fork() == 0) {
		execvp(argv[3], argv + 3);
		_exit(127);
	}
	wait(&status);
	if (buckets >= 0)
		print_median();
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
