// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-fuzz-user.c - makes corrupted hooks in a user program, the fuzzer itself
 *
 * Each point is one of many successive nops, so any hook there is at the start of an instruction.
 * If a hook may be armed, the fuzzer corrupts only fields that cannot move the hook elsewhere.
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "ilk-fuzz.h"

#define NOPS	8u

void fuzz_user_site(void);

asm(".globl fuzz_user_site\n"
    ".type fuzz_user_site, @function\n"
    "fuzz_user_site:\n"
    "	.fill 8, 1, 0x90\n"
    "	ret\n");

static uint64_t site_offset(void)
{
	static uint64_t known;

	known = known ?: file_offset((unsigned long)fuzz_user_site);
	return known;
}

/* Opens the program file to hook, or occasionally another file. Return: the file descriptor. */
static int open_program(struct fuzzer *fuzzer)
{
	static const char *const odd[] = { "/dev/zero", "/proc/self/maps", "/tmp", "/dev/null", "/proc/self/mem" };

	if (one_in(fuzzer, 8))
		return open(odd[fuzz_below(fuzzer, 5)], O_RDONLY | O_CLOEXEC);
	return open("/proc/self/exe", one_in(fuzzer, 16) ? O_PATH | O_CLOEXEC : O_RDONLY | O_CLOEXEC);
}

static void corrupt_point(struct fuzzer *fuzzer, struct ilk_user_point *point)
{
	switch (fuzz_below(fuzzer, 9)) {
	case 0: point->patch = draw_nasty(fuzzer); break;
	case 1: point->fd = draw_nasty(fuzzer); break;
	case 2: point->offset = draw_nasty(fuzzer) | 1ull << 40; break;
	case 3: point->len = one_in(fuzzer, 2) ? 0 : 2 + draw_nasty(fuzzer) % 0xffffff; break;
	case 4: point->flags = 2 + draw_nasty(fuzzer); break;
	case 5: point->error = draw_nasty(fuzzer); break;
	case 6: point->refusal = draw_nasty(fuzzer); break;
	case 7: point->old[0] ^= 1 + fuzz_below(fuzzer, 255); break;
	default: point->old[1 + fuzz_below(fuzzer, 15)] = 1 + fuzz_below(fuzzer, 255);
	}
}

/* Emits code that increments @counter and preserves all registers except rax. */
static void make_code(struct code *code, uint64_t slot, uint64_t counter)
{
	static const uint8_t begin[] = { 0xf3, 0x0f, 0x1e, 0xfa, 0x48, 0xb8 }, end[] = { 0x65, 0x48, 0xff, 0x00, 0xc3 };

	code_start(code, slot);
	code_bytes(code, begin, sizeof(begin));
	code_bytes(code, &counter, 8);
	code_bytes(code, end, sizeof(end));
}

static void corrupt_patch(struct fuzzer *fuzzer, struct ilk_prepare_patch *patch)
{
	switch (fuzz_below(fuzzer, 6)) {
	case 0: patch->flags |= 1u << fuzz_below(fuzzer, 32); break;
	case 1: patch->flags = draw_nasty(fuzzer) & ~ILK_PATCH_CALIBRATION; break;
	case 2: patch->tactic = draw_nasty(fuzzer); break;
	case 3: patch->len = 1 + fuzz_below(fuzzer, 40); break;
	case 4: patch->replaces = draw_nasty(fuzzer); break;
	default: patch->aux = draw_nasty(fuzzer) | 1;
	}
}

struct users {
	uint32_t count;
	struct ilk_reserve_patch slots[FUZZ_PATCHES];
	struct ilk_reserve_hook cells[FUZZ_PATCHES];
	struct ilk_prepare_patch patches[FUZZ_PATCHES];
	struct ilk_prepare_hook hooks[FUZZ_PATCHES];
};

static int reserve_users(struct fuzzer *fuzzer, int fd, struct users *users)
{
	struct ilk_reserve call = {
		.patch_count = users->count, .patches = (uintptr_t)users->slots,
		.hook_count = users->count, .hooks = (uintptr_t)users->cells,
	};
	uint32_t i;

	for (i = 0; i < users->count; i++)
		users->slots[i].bytes = 64;
	return fuzz_ioctl(fd, CALL_RESERVE, &call);
}

static void bind_points(struct fuzzer *fuzzer, int fd, const struct users *users)
{
	struct ilk_user_point *points = place_object(fuzzer, 0, FUZZ_PATCHES * sizeof(*points));
	struct ilk_user call = { .count = users->count, .points = (uintptr_t)points };
	int program = open_program(fuzzer);
	uint32_t i;

	memset(points, 0, FUZZ_PATCHES * sizeof(*points));
	for (i = 0; i < users->count; i++) {
		points[i] = (struct ilk_user_point){
			.patch = users->slots[i].id, .fd = program, .len = 1, .old = { 0x90 },
			.offset = site_offset() + fuzz_below(fuzzer, NOPS), .flags = one_in(fuzzer, 4) ? ILK_USER_RETURNS : 0,
		};
		/* A return hook is placed at the start of a function. */
		if (points[i].flags)
			points[i].offset = site_offset();
		if (one_in(fuzzer, 6))
			corrupt_point(fuzzer, &points[i]);
	}
	corrupt_object(fuzzer, &call, sizeof(call), 12);
	fuzz_ioctl(fd, CALL_USER, one_in(fuzzer, 24) ? (void *)draw_bad_pointer(fuzzer) : &call);
	if (program >= 0 && !one_in(fuzzer, 64))
		close(program);
}

static void prepare_users(struct fuzzer *fuzzer, int fd, struct users *users)
{
	struct ilk_prepare call = {
		.patch_count = users->count, .patches = (uintptr_t)users->patches,
		.hook_count = users->count, .hooks = (uintptr_t)users->hooks,
	};
	uint32_t i;

	for (i = 0; i < users->count; i++) {
		make_code(&fuzzer->codes[i], users->slots[i].slot, users->cells[i].counter);
		users->patches[i] = (struct ilk_prepare_patch){
			.id = users->slots[i].id, .tactic = ILK_TACTIC_USER, .flags = ILK_PATCH_CALLED,
			.site = (unsigned long)fuzz_user_site, .code = (uintptr_t)fuzzer->codes[i].bytes,
			.code_len = fuzzer->codes[i].len,
		};
		users->hooks[i] = (struct ilk_prepare_hook){
			.iid = users->cells[i].iid, .patch = users->slots[i].id,
			.start_ns = one_in(fuzzer, 4) ? fuzz_below(fuzzer, 3000000) : 0,
		};
		if (one_in(fuzzer, 4))
			users->hooks[i].stop_ns = users->hooks[i].start_ns + 1 + fuzz_below(fuzzer, 3000000);
		if (one_in(fuzzer, 6))
			corrupt_patch(fuzzer, &users->patches[i]);
	}
	fuzz_ioctl(fd, CALL_PREPARE, &call);
}

static void give_up(struct fuzzer *fuzzer, int fd, const struct users *users)
{
	uint32_t ids[FUZZ_PATCHES], i;
	struct ilk_disarm call = { .what = ILK_DISARM_LIST, .count = users->count, .patches = (uintptr_t)ids };

	for (i = 0; i < users->count; i++)
		ids[i] = users->slots[i].id;
	if (one_in(fuzzer, 3))
		call.what = ILK_DISARM_FILE;
	if (!one_in(fuzzer, 3))
		call.what |= ILK_DISARM_FREE;
	fuzz_ioctl(fd, CALL_DISARM, &call);
}

void fuzz_users(struct fuzzer *fuzzer, int fd, bool arm)
{
	struct users users = { .count = 1 + fuzz_below(fuzzer, FUZZ_PATCHES) };
	struct ilk_arm call;
	uint32_t i;

	if (!site_offset() || reserve_users(fuzzer, fd, &users))
		return;
	bind_points(fuzzer, fd, &users);
	if (one_in(fuzzer, 6))
		bind_points(fuzzer, fd, &users);
	prepare_users(fuzzer, fd, &users);
	if (arm && !fuzz_ioctl(fd, CALL_ARM, &call))
		atomic_fetch_add(&fuzz_shared->armed, 1);
	for (i = 0; i < 16; i++)
		fuzz_user_site();
	if (!arm || !one_in(fuzzer, 4))
		give_up(fuzzer, fd, &users);
}
