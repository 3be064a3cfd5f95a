/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilkd-bpf-call.h - bpf(2)
 */
#ifndef GILKD_BPF_CALL_H
#define GILKD_BPF_CALL_H

#include <linux/bpf.h>
#include <stdint.h>

int gilkd_bpf_call_map(const char *name, uint32_t bytes);
int gilkd_bpf_call_program(uint32_t type, const char *name, const struct bpf_insn *insns,
			   uint32_t count, char *log, uint32_t log_bytes, uint32_t log_level);
int gilkd_bpf_call_link(int program, int target);
int gilkd_bpf_call_info(int fd, void *info, uint32_t bytes);

#endif /* GILKD_BPF_CALL_H */
