/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fentry.c - attaches an empty BPF fentry program to bpf_fentry_test1
 *
 * The rival of tests/bench/hits.py, by bare system calls so that it runs in the
 * lab's initramfs: finds the function's BTF id in /sys/kernel/btf/vmlinux,
 * loads "r0 = 0; exit", attaches it, runs the command given, detaches.
 * With "-f FUNCTION" first it attaches to that one instead, and says how often the
 * program ran, which the kernel counts while its bpf_stats_enabled is 1.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define FUNCTION "bpf_fentry_test1"

static uint8_t *read_btf(size_t *length)
{
	int fd = open("/sys/kernel/btf/vmlinux", O_RDONLY);
	struct stat st;
	uint8_t *data;
	size_t got = 0;
	ssize_t n;

	if (fd < 0 || fstat(fd, &st) < 0)
		return NULL;
	data = malloc(st.st_size);
	while (data && got < (size_t)st.st_size &&
	       (n = read(fd, data + got, st.st_size - got)) > 0)
		got += n;
	close(fd);
	*length = got;
	return data;
}

/* Bytes that follow a struct btf_type of this kind. */
static size_t tail_bytes(const struct btf_type *type)
{
	unsigned int vlen = BTF_INFO_VLEN(type->info);

	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return 4;
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return vlen * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return vlen * sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return vlen * 12;
	case BTF_KIND_FUNC_PROTO:
		return vlen * sizeof(struct btf_param);
	case BTF_KIND_DATASEC:
		return vlen * sizeof(struct btf_var_secinfo);
	default:
		return 0;
	}
}

static int find_btf_id(const char *name)
{
	size_t length;
	uint8_t *data = read_btf(&length);
	const struct btf_header *header = (const void *)data;
	const uint8_t *at, *end;
	const char *strings;
	int id;

	if (!data || length < sizeof(*header) || header->magic != BTF_MAGIC)
		return -1;
	at = data + header->hdr_len + header->type_off;
	end = at + header->type_len;
	strings = (const char *)data + header->hdr_len + header->str_off;
	for (id = 1; at + sizeof(struct btf_type) <= end; id++) {
		const struct btf_type *type = (const void *)at;

		if (BTF_INFO_KIND(type->info) == BTF_KIND_FUNC &&
		    !strcmp(strings + type->name_off, name))
			return id;
		at += sizeof(*type) + tail_bytes(type);
	}
	return -1;
}

static int bpf(int command, union bpf_attr *attr)
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
	return bpf(BPF_OBJ_GET_INFO_BY_FD, &attr) < 0 ? -1 : (long long)info.run_cnt;
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
	prog = bpf(BPF_PROG_LOAD, &attr);
	if (prog < 0) {
		fprintf(stderr, "fentry: load: %s\n", strerror(errno));
		return 1;
	}
	memset(&attr, 0, sizeof(attr));
	attr.raw_tracepoint.prog_fd = prog;
	link = bpf(BPF_RAW_TRACEPOINT_OPEN, &attr);
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
