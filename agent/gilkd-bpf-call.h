/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilkd-bpf-call.h - calls bpf(2)
 */
#ifndef GILKD_BPF_CALL_H
#define GILKD_BPF_CALL_H

#include <linux/bpf.h>
#include <stdint.h>

int gilkd_bpf_call_map(const char *name, uint32_t bytes);
int gilkd_bpf_call_event_map(const char *name, uint32_t count);
int gilkd_bpf_call_set_element(int map, uint32_t key, uint32_t value);

/**
 * struct gilkd_bpf_program_type - the type of a BPF program and how it is attached
 * @type: enum bpf_prog_type
 * @attach: enum bpf_attach_type; 0: any
 * @function: for BPF_TRACE_FENTRY: id of the function in the kernel's BTF
 */
struct gilkd_bpf_program_type {
	uint32_t type, attach, function;
};

int gilkd_bpf_call_program(struct gilkd_bpf_program_type type, const char *name,
			   const struct bpf_insn *insns,
			   uint32_t count, char *log, uint32_t log_bytes, uint32_t log_level);
int gilkd_bpf_call_link(int program, int target);
int gilkd_bpf_call_link_cookie(int program, int target, uint64_t cookie);
int gilkd_bpf_call_link_multi(int program, const uint64_t *sites, const uint64_t *cookies,
			      uint32_t count);
int gilkd_bpf_call_tracepoint(int program, const char *name);
int gilkd_bpf_call_run(int program, const void *context, uint32_t bytes);
int gilkd_bpf_call_info(int fd, void *info, uint32_t bytes);

#endif /* GILKD_BPF_CALL_H */
