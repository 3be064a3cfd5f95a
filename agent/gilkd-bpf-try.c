// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-bpf-try.c - finds out whether the kernel lets the agent hook by BPF
 */
#include <errno.h>
#include <stddef.h>
#include <unistd.h>

#include "gilkd-bpf-call.h"
#include "gilkd-bpf.h"

/*
 * An address at which a kprobe can never be placed: the errno shows whether the agent may place
 * kprobes at all.
 */
#define NO_SITE			1

/* Loads the shortest possible BPF program, as a test. Returns 0 or an errno. */
static int try_program(void)
{
	static const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	int fd = gilkd_bpf_call_program((struct gilkd_bpf_program_type){
		BPF_PROG_TYPE_KPROBE }, "gilk_try", insns, 2, NULL, 0, 0);

	if (fd < 0)
		return -fd;
	close(fd);
	return 0;
}

/**
 * gilkd_bpf_try() - test whether the agent may load BPF programs and place kprobes
 *
 * Returns 0 if hooks by BPF are possible, else an errno. Leaves nothing in the kernel.
 */
int gilkd_bpf_try(struct gilkd_prober *prober)
{
	int error = try_program(), probe = -1;
	uint32_t number;

	if (error)
		return error;
	error = gilkd_prober_open_kprobe(prober, NO_SITE, &probe, &number);
	if (probe >= 0) {
		close(probe);
		gilkd_prober_close(prober, number);
		gilkd_prober_flush(prober);
	}
	return error == EPERM || error == EACCES || error == ENOSYS || error == EBADF ||
	       error == EPIPE ? error : 0;
}
