// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * deny-modules.c - runs inside a lab: forbids loading modules without a file, by a security module
 * (a BPF program)
 *
 *   deny-modules
 *
 * Writes "ready" once the security module is in effect. The security module stays in effect until
 * this program is killed.
 */
#include <errno.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define HOOK		"bpf_lsm_kernel_load_data"
#define TYPES_MAX	(32u << 20)

static void exit_with_error(const char *what)
{
	fprintf(stderr, "deny-modules: %s: %s\n", what, strerror(errno));
	exit(1);
}

static int call_bpf(int command, union bpf_attr *attr)
{
	return syscall(SYS_bpf, command, attr, sizeof(*attr));
}

/* Returns the number of bytes that follow a struct btf_type of this kind. */
static size_t more_of(const struct btf_type *type)
{
	const uint32_t count = BTF_INFO_VLEN(type->info);

	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return 4;
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_DATASEC:
	case BTF_KIND_ENUM64:
		return count * 12;
	case BTF_KIND_ENUM:
	case BTF_KIND_FUNC_PROTO:
		return count * 8;
	default:
		return 0;
	}
}

static uint32_t find_hook(void)
{
	FILE *file = fopen("/sys/kernel/btf/vmlinux", "r");
	uint8_t *bytes = malloc(TYPES_MAX), *at, *end;
	const struct btf_header *head = (void *)bytes;
	const char *names;
	uint32_t id;

	if (!file || !bytes || !fread(bytes, 1, TYPES_MAX, file))
		exit_with_error("types");
	fclose(file);
	at = bytes + head->hdr_len + head->type_off;
	end = at + head->type_len;
	names = (const char *)bytes + head->hdr_len + head->str_off;
	for (id = 1; at < end; id++) {
		const struct btf_type *type = (void *)at;

		if (BTF_INFO_KIND(type->info) == BTF_KIND_FUNC && !strcmp(names + type->name_off, HOOK))
			return id;
		at += sizeof(*type) + more_of(type);
	}
	errno = ENOENT;
	exit_with_error(HOOK);
	return 0;
}

int main(void)
{
	struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .imm = -EPERM },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr load = {
		.prog_type = BPF_PROG_TYPE_LSM, .expected_attach_type = BPF_LSM_MAC,
		.insns = (uintptr_t)insns, .insn_cnt = 2, .license = (uintptr_t)"GPL",
	};
	union bpf_attr attach = { 0 };

	load.attach_btf_id = find_hook();
	attach.raw_tracepoint.prog_fd = call_bpf(BPF_PROG_LOAD, &load);
	if ((int)attach.raw_tracepoint.prog_fd < 0)
		exit_with_error("program");
	if (call_bpf(BPF_RAW_TRACEPOINT_OPEN, &attach) < 0)
		exit_with_error("attach");
	puts("ready");
	fflush(stdout);
	pause();
	return 0;
}
