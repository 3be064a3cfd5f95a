// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-bpf-code.c - checks and loads BPF programs
 *
 * Code from a client names a map by a handle, which becomes the map's descriptor in a copy of the
 * code. The code cannot name any other descriptor of the agent: each 64-bit load must be of a
 * handle, of an event counter's key or of a plain number. The code can only observe: it can call
 * only those helpers that the client's emitter needs, and no helper that changes a process or the
 * return value of a function. The kernel's verifier checks everything else.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gilkd-bpf-call.h"
#include "gilkd-bpf.h"

#define LOG_BYTES	(64u << 10)
#define LOG_STEPS	1		/* level of the verifier's log: all steps, and errors */
#define LOG_ERRORS	4		/* level of the verifier's log: errors and statistics
					 * only */
#define QUOTE_MAX	300u

#define WIDE		(BPF_LD | BPF_IMM | BPF_DW)	/* opcode of a load of 64 bits */

/* ---- helpers that a program may call ---- */

static const int32_t helpers[] = {
	BPF_FUNC_ktime_get_ns, BPF_FUNC_get_smp_processor_id, BPF_FUNC_get_current_task,
	BPF_FUNC_probe_read_kernel, BPF_FUNC_get_attach_cookie, BPF_FUNC_get_stack, BPF_FUNC_get_func_arg,
	BPF_FUNC_perf_event_read, BPF_FUNC_probe_read_user, BPF_FUNC_probe_read_user_str, BPF_FUNC_get_func_ip,
};

/*
 * Returns a refusal if @insn calls anything but one of @helpers, the BPF helpers that a program may
 * call; else ILK_REFUSAL_NONE.
 */
static uint32_t check_call(const struct bpf_insn *insn)
{
	size_t i;

	if ((BPF_CLASS(insn->code) != BPF_JMP && BPF_CLASS(insn->code) != BPF_JMP32) ||
	    BPF_OP(insn->code) != BPF_CALL)
		return ILK_REFUSAL_NONE;
	for (i = 0; i < sizeof(helpers) / sizeof(helpers[0]); i++)
		if (insn->code == (BPF_JMP | BPF_CALL) && !insn->src_reg && insn->imm == helpers[i])
			return ILK_REFUSAL_NONE;
	return ILK_REFUSAL_BAD_ITEM;
}

/* ---- handles of maps in a program's code ---- */

/* Returns the 64-bit number that the pair of instructions at @insn loads. */
static uint64_t get_wide(const struct bpf_insn *insn)
{
	return (uint32_t)insn[0].imm | (uint64_t)(uint32_t)insn[1].imm << 32;
}

/*
 * Checks a load of a 64-bit number, which takes two instructions, at @insn: the number must be the
 * handle of a map, the key of a counter, or a plain number. Returns a refusal, or ILK_REFUSAL_NONE.
 */
static uint32_t check_wide_load(struct gilkd_bpf *bpf, const struct bpf_insn *insn)
{
	const struct gilkd_bpf_map *map;
	int error;

	if (!insn[0].src_reg)
		return ILK_REFUSAL_NONE;
	if (insn[0].src_reg == BPF_PSEUDO_MAP_FD)
		return gilkd_bpf_event_find(bpf, get_wide(insn)) >= 0 ?
			ILK_REFUSAL_NONE : ILK_REFUSAL_BAD_ITEM;
	if (insn[0].src_reg != BPF_PSEUDO_MAP_VALUE)
		return ILK_REFUSAL_BAD_ITEM;
	error = gilkd_bpf_map_find(bpf, insn[0].imm, &map);
	if (error)
		return error == ENOMEM ? ILK_REFUSAL_TOO_MANY : ILK_REFUSAL_BAD_ITEM;
	return (uint32_t)insn[1].imm < map->bytes ? ILK_REFUSAL_NONE : ILK_REFUSAL_BAD_ITEM;
}

/*
 * Checks the size of a program's code, the helpers that it calls and the maps that it names.
 * Returns a refusal.
 */
uint32_t gilkd_bpf_code_check(struct gilkd_bpf *bpf, const uint8_t *code, uint32_t bytes)
{
	const uint32_t count = bytes / sizeof(struct bpf_insn);
	struct bpf_insn insn[2];
	uint32_t refusal, i;

	if (!bytes || bytes % sizeof(struct bpf_insn))
		return ILK_REFUSAL_BAD_ITEM;
	if (count > GILK_BPF_INSNS_MAX)
		return ILK_REFUSAL_TOO_LARGE;
	for (i = 0; i < count; i++) {
		memcpy(insn, code + i * sizeof(*insn), sizeof(*insn));
		refusal = check_call(insn);
		if (refusal)
			return refusal;
		if (insn[0].code != WIDE)
			continue;
		if (++i == count)
			return ILK_REFUSAL_BAD_ITEM;
		memcpy(insn + 1, code + i * sizeof(*insn), sizeof(*insn));
		refusal = check_wide_load(bpf, insn);
		if (refusal)
			return refusal;
	}
	return ILK_REFUSAL_NONE;
}

/*
 * Replaces the handles of maps and the keys of event counters in checked code by descriptors of
 * their maps.
 */
static void replace_handles(struct gilkd_bpf *bpf, struct bpf_insn *insns, uint32_t count)
{
	const struct gilkd_bpf_map *map;
	uint32_t i;

	for (i = 0; i < count; i++) {
		if (insns[i].code != WIDE)
			continue;
		if (insns[i].src_reg == BPF_PSEUDO_MAP_FD) {
			insns[i].imm = gilkd_bpf_event_find(bpf, get_wide(&insns[i]));
			insns[i + 1].imm = 0;
		} else if (insns[i].src_reg && !gilkd_bpf_map_find(bpf, insns[i].imm, &map)) {
			insns[i].imm = map->fd;
		}
		i++;
	}
}

/* ---- loading a program, and the verifier's complaint ---- */

/* Returns the start of the line of text that ends before @end. */
static char *find_line(char *text, char *end)
{
	while (end > text && end[-1] != '\n')
		end--;
	return end;
}

/*
 * Cuts the verifier's log down to the error: the last line before the statistics, or before the
 * explanation that newer kernels add; and the line before that if it is an instruction. Joins both
 * to one line.
 */
static const char *cut_complaint(char *log)
{
	static const char *const ends[] = {
		"\nVerification failed: ", "\nverification time ", "\nprocessed ",
	};
	char *end = log + strlen(log), *begin, *before, *at;
	size_t i;

	for (i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		at = strstr(log, ends[i]);
		if (at && at < end)
			end = at;
	}
	while (end > log && isspace((unsigned char)end[-1]))
		end--;
	*end = '\0';
	begin = find_line(log, end);
	before = begin > log ? find_line(log, begin - 1) : begin;
	if (isdigit((unsigned char)*before))
		begin = before;
	for (at = begin; *at; at++)
		if (!isprint((unsigned char)*at))
			*at = ' ';
	return strlen(begin) > QUOTE_MAX ? begin + strlen(begin) - QUOTE_MAX : begin;
}

/**
 * struct program - a BPF program to load
 * @item: PREPARE item of the patch that the program is for
 */
struct program {
	const struct ilk_prepare_patch *item;
	struct bpf_insn *insns;
	uint32_t count;
	struct gilkd_bpf_program_type type;
};

static int load_insns(const struct program *program, char *log, uint32_t level)
{
	char name[BPF_OBJ_NAME_LEN];

	snprintf(name, sizeof(name), "gilk_%u", program->item->id);
	return gilkd_bpf_call_program(program->type, name, program->insns, program->count, log,
				      LOG_BYTES, level);
}

/*
 * Answers the request with the reason why the kernel did not load a program. Kernels before 6.4 cut
 * off the end of a long log, where the error is; in that case, loads the program again for a log of
 * errors only.
 */
static void fail_load(struct gilkd_bpf *bpf, const struct program *program, int error)
{
	char *log = calloc(1, LOG_BYTES);
	const char *complaint = "";
	int fd = log ? load_insns(program, log, LOG_STEPS) : -1;

	if (fd == -ENOSPC) {
		memset(log, 0, LOG_BYTES);
		fd = load_insns(program, log, LOG_ERRORS);
	}
	if (fd >= 0)		/* the program was loaded at the second try: drop it, as the
				 * request fails anyway */
		close(fd);
	if (log)
		complaint = cut_complaint(log);
	if (*complaint) {
		gilkd_audit_log(&bpf->client->audit, "the kernel's verifier refused a program: %s",
				complaint);
		gilkd_fail(bpf->client, EACCES, "The kernel's verifier refused the program of patch "
						"%u: %s; please report this.", program->item->id,
			   complaint);
	} else if (error == EPERM) {
		gilkd_fail(bpf->client, error, "The kernel does not let the agent load BPF "
					       "programs; run it as root, or use the driver "
					       "ilk.");
	} else {
		gilkd_fail(bpf->client, error, "The kernel did not load the program of patch %u: "
					       "%s; use fewer hooks, or free some memory on the "
					       "target.", program->item->id,
			   strerror(error));
	}
	free(log);
}

/*
 * Loads code that gilkd_bpf_code_check() has accepted. Returns the program's descriptor, or -errno;
 * does not answer the request.
 */
int gilkd_bpf_code_try(struct gilkd_bpf *bpf, const struct ilk_prepare_patch *item,
		       struct gilkd_bpf_program_type type, const uint8_t *code)
{
	struct program program = {
		.item = item, .insns = malloc(item->code_len), .type = type,
		.count = item->code_len / sizeof(struct bpf_insn),
	};
	int fd;

	if (!program.insns)
		return -ENOMEM;
	memcpy(program.insns, code, item->code_len);
	replace_handles(bpf, program.insns, program.count);
	fd = load_insns(&program, NULL, 0);
	free(program.insns);
	return fd;
}

/*
 * Loads code that gilkd_bpf_code_check() has accepted. Returns the program's descriptor; or -1,
 * with the request answered by the verifier's error, for which a PREPARE item has no room.
 */
int gilkd_bpf_code_load(struct gilkd_bpf *bpf, const struct ilk_prepare_patch *item,
			struct gilkd_bpf_program_type type, const uint8_t *code)
{
	struct program program = {
		.item = item, .type = type, .insns = malloc(item->code_len),
		.count = item->code_len / sizeof(struct bpf_insn),
	};
	int fd;

	if (!program.insns) {
		gilkd_fail(bpf->client, ENOMEM, "The agent is out of memory; free some on the "
						"target.");
		return -1;
	}
	memcpy(program.insns, code, item->code_len);
	replace_handles(bpf, program.insns, program.count);
	fd = load_insns(&program, NULL, 0);
	if (fd < 0)
		fail_load(bpf, &program, -fd);
	free(program.insns);
	return fd < 0 ? -1 : fd;
}
