// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * user-rivals.c - runs inside a lab: counts the hits of an uprobe by perf and by BPF while a
 * command runs
 *
 *   user-rivals [-r] [-p|-b] FILE OFFSET COMMAND...
 *
 * -r: where the function at OFFSET returns; -p, -b: only perf or only BPF. Uses bare system calls.
 * Prints the counts on standard error: "perf N", "bpf N".
 */
#include <errno.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CPUS_MAX	256

static void exit_with_error(const char *what)
{
	fprintf(stderr, "user-rivals: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int open_uprobe(const char *path, uint64_t offset, bool returns, int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .config = returns, .config1 = (uintptr_t)path, .config2 = offset,
	};
	FILE *file = fopen("/sys/bus/event_source/devices/uprobe/type", "r");
	unsigned int type;
	int fd;

	if (!file || fscanf(file, "%u", &type) != 1)
		exit_with_error("the kernel has no uprobe events");
	fclose(file);
	attr.type = type;
	fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, 0);
	if (fd < 0)
		exit_with_error("perf_event_open");
	return fd;
}

static int call_bpf(int command, union bpf_attr *attr)
{
	return syscall(SYS_bpf, command, attr, sizeof(*attr));
}

/* Attaches a program that increments a per-CPU counter. Return: the map. */
static int attach_bpf(int event)
{
	union bpf_attr map = { .map_type = BPF_MAP_TYPE_PERCPU_ARRAY, .key_size = 4, .value_size = 8, .max_entries = 1 };
	int fd = call_bpf(BPF_MAP_CREATE, &map);
	struct bpf_insn insns[] = {
		{ .code = BPF_ST | BPF_MEM | BPF_W, .dst_reg = 10, .off = -4, .imm = 0 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 2, .src_reg = 10 },
		{ .code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = 2, .imm = -4 },
		{ .code = BPF_LD | BPF_DW | BPF_IMM, .dst_reg = 1, .src_reg = BPF_PSEUDO_MAP_FD, .imm = fd },
		{ .code = 0 },
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_map_lookup_elem },
		{ .code = BPF_JMP | BPF_JEQ | BPF_K, .dst_reg = 0, .off = 3, .imm = 0 },
		{ .code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = 1, .src_reg = 0 },
		{ .code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = 1, .imm = 1 },
		{ .code = BPF_STX | BPF_MEM | BPF_DW, .dst_reg = 0, .src_reg = 1 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr load = {
		.prog_type = BPF_PROG_TYPE_KPROBE, .insns = (uintptr_t)insns, .insn_cnt = sizeof(insns) / sizeof(*insns),
		.license = (uintptr_t)"GPL",
	};
	int program;

	if (fd < 0)
		exit_with_error("map");
	program = call_bpf(BPF_PROG_LOAD, &load);
	if (program < 0)
		exit_with_error("program");
	if (ioctl(event, PERF_EVENT_IOC_SET_BPF, program) || ioctl(event, PERF_EVENT_IOC_ENABLE, 0))
		exit_with_error("attach");
	return fd;
}

static unsigned long long read_map(int map)
{
	uint64_t values[CPUS_MAX] = { 0 }, sum = 0;
	uint32_t key = 0;
	union bpf_attr attr = { .map_fd = map, .key = (uintptr_t)&key, .value = (uintptr_t)values };
	int i;

	if (call_bpf(BPF_MAP_LOOKUP_ELEM, &attr))
		exit_with_error("map");
	for (i = 0; i < CPUS_MAX; i++)
		sum += values[i];
	return sum;
}

int main(int argc, char **argv)
{
	bool returns = false, by_perf = true, by_bpf = true;
	int events[CPUS_MAX], cpus = sysconf(_SC_NPROCESSORS_ONLN), map = -1, status, option, i;
	unsigned long long sum = 0, value;
	uint64_t offset;

	while ((option = getopt(argc, argv, "+rpb")) > 0) {
		returns |= option == 'r';
		by_bpf &= option != 'p';
		by_perf &= option != 'b';
	}
	if (argc - optind < 3)
		return 2;
	offset = strtoull(argv[optind + 1], NULL, 0);
	for (i = 0; by_perf && i < cpus; i++)
		events[i] = open_uprobe(argv[optind], offset, returns, i);
	if (by_bpf)
		map = attach_bpf(open_uprobe(argv[optind], offset, returns, 0));
	if (!fork()) {
		execvp(argv[optind + 2], argv + optind + 2);
		_exit(127);
	}
	wait(&status);
	for (i = 0; by_perf && i < cpus; i++) {
		if (read(events[i], &value, sizeof(value)) != sizeof(value))
			exit_with_error("read");
		sum += value;
	}
	if (by_perf)
		fprintf(stderr, "perf %llu\n", sum);
	if (by_bpf)
		fprintf(stderr, "bpf %llu\n", read_map(map));
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
