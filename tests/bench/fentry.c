/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fentry.c - attaches an empty BPF fentry program to bpf_fentry_test1
 *
 * tests/bench/hits.py compares the BPF program with Gilk. Finds the function's BTF id in
 * /sys/kernel/btf/vmlinux, loads "r0 = 0; exit", attaches it, runs the given command, detaches.
 * Uses only system calls, so that it runs in the lab's initramfs. If the first argument is
 * "-f FUNCTION", attaches to that function instead, and prints how often the BPF program ran: the
 * kernel counts this while bpf_stats_enabled is 1.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bpf-btf.h"

#define FUNCTION "bpf_fentry_test1"

static int call_bpf(int command, union bpf_attr *attr)
{
	return syscall(SYS_bpf, command, attr, sizeof(*attr));
}

static long long count_runs(int prog)
{
	struct bpf_prog_info info = { 0 };
	union bpf_attr attr = { 0 };

	attr.info.bpf_fd = prog;
	attr.info.info_len = sizeof(info);
	attr.info.info = (uintptr_t)&info;
	return call_bpf(BPF_OBJ_GET_INFO_BY_FD, &attr) < 0 ? -1 : (long long)info.run_cnt;
}

int main(int argc, char **argv)
{
	static const struct bpf_insn program[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr = { 0 };
	const char *function = argc > 3 && !strcmp(argv[1], "-f") ? argv[2] : NULL;
	int prog, link, status, id = find_btf_id(function ? function : FUNCTION);

	if (function)
		argv += 2;
	if (argc < 2 || id < 0) {
		fprintf(stderr, "usage: fentry [-f FUNCTION] COMMAND...; needs the function's BTF\n");
		return 2;
	}
	attr.prog_type = BPF_PROG_TYPE_TRACING;
	attr.expected_attach_type = BPF_TRACE_FENTRY;
	attr.attach_btf_id = id;
	attr.insns = (uintptr_t)program;
	attr.insn_cnt = 2;
	attr.license = (uintptr_t)"GPL";
	prog = call_bpf(BPF_PROG_LOAD, &attr);
	if (prog < 0) {
		fprintf(stderr, "fentry: load: %s\n", strerror(errno));
		return 1;
	}
	memset(&attr, 0, sizeof(attr));
	attr.raw_tracepoint.prog_fd = prog;
	link = call_bpf(BPF_RAW_TRACEPOINT_OPEN, &attr);
	if (link < 0) {
		fprintf(stderr, "fentry: attach: %s\n", strerror(errno));
		return 1;
	}
	if (fork() == 0) {
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	wait(&status);
	if (function)
		printf("runs %lld\n", count_runs(prog));
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
