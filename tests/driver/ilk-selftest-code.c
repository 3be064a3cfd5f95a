// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ilk-selftest-code.c - finds points to hook, and emits code for them
 *
 * The decoder handles only instructions that are common at the start of functions. Points with
 * other instructions are skipped.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ilk-selftest.h"

/* ---- finding points to hook ---------------------------------------------------- */

/* Returns the length of ModRM, SIB and displacement. @rip: offset of a RIP-relative displacement */
static int modrm_length(const uint8_t *b, int *rip)
{
	int mod = b[0] >> 6, rm = b[0] & 7, n = 1;

	*rip = -1;
	if (mod == 3)
		return 1;
	if (rm == 4) {
		n++;
		if (mod == 0 && (b[1] & 7) == 5)
			return n + 4;
	} else if (mod == 0 && rm == 5) {
		*rip = 1;
		return 5;
	}
	return n + (mod == 1 ? 1 : mod == 2 ? 4 : 0);
}

/* Returns the length of an instruction that can be relocated, or 0 if the instruction is unknown.
 * */
static int decode_length(const uint8_t *b, int *rip)
{
	static const uint8_t with_modrm[] = {
		0x01, 0x03, 0x09, 0x0b, 0x21, 0x23, 0x29, 0x2b, 0x31, 0x33, 0x38, 0x39, 0x3a,
		0x3b, 0x63, 0x84, 0x85, 0x88, 0x89, 0x8a, 0x8b, 0x8d, 0xd1, 0xd3,
	};
	int n = 0, m;
	bool wide = false;

	*rip = -1;
	while (b[n] == 0x65)
		n++;
	if ((b[n] & 0xf0) == 0x40)
		wide = b[n++] & 8;
	if (b[n] >= 0x50 && b[n] <= 0x5f)
		return n + 1;
	if (b[n] >= 0xb8 && b[n] <= 0xbf)
		return wide ? n + 9 : n + 5;
	if (b[n] == 0x25 || b[n] == 0x3d || b[n] == 0x05 || b[n] == 0x2d || b[n] == 0xa9)
		return n + 5;
	if (b[n] == 0x80 || b[n] == 0x83 || b[n] == 0xc1 || b[n] == 0xc6)
		m = 1;
	else if (b[n] == 0x81 || b[n] == 0xc7)
		m = 4;
	else if (b[n] == 0x0f && (b[n + 1] == 0xb6 || b[n + 1] == 0xb7 || b[n + 1] == 0x1f))
		n++, m = 0;
	else if (memchr(with_modrm, b[n], sizeof(with_modrm)))
		m = 0;
	else
		return 0;
	n++;
	n += modrm_length(b + n, rip) + m;
	if (*rip >= 0)
		*rip = n - m - 4;
	return n;
}

/* Returns whether the bytes at any offset of the function decode as a jump into the footprint. The
 * offset need not be the start of an instruction. */
static bool is_jumped_into(uint64_t function, uint64_t size, const struct point *point)
{
	static uint8_t b[16384];
	uint64_t i, target;
	int32_t rel;

	if (size > sizeof(b) - 8 || kernel_read(function, b, size))
		return true;
	for (i = 0; i + 6 < size; i++) {
		if ((b[i] & 0xf0) == 0x70 || b[i] == 0xeb || (b[i] & 0xfc) == 0xe0) {
			target = function + i + 2 + (int8_t)b[i + 1];
		} else if (b[i] == 0xe9 || b[i] == 0xe8) {
			memcpy(&rel, b + i + 1, 4);
			target = function + i + 5 + rel;
		} else if (b[i] == 0x0f && (b[i + 1] & 0xf0) == 0x80) {
			memcpy(&rel, b + i + 2, 4);
			target = function + i + 6 + rel;
		} else {
			continue;
		}
		if (target > point->site && target < point->site + point->len)
			return true;
	}
	return false;
}

/* Returns 4 if @bytes are an ENDBR, intact or sealed by a kernel with IBT; otherwise 0. */
int endbr_bytes(const uint8_t *bytes)
{
	static const uint8_t forms[][4] = {
		{ 0xf3, 0x0f, 0x1e, 0xfa }, { 0x66, 0x0f, 0x1f, 0x00 }, { 0x0f, 0x1f, 0x40, 0xd6 },
	};
	size_t i;

	for (i = 0; i < sizeof(forms) / sizeof(*forms); i++)
		if (!memcmp(bytes, forms[i], sizeof(forms[i])))
			return sizeof(forms[i]);
	return 0;
}

bool point_find(uint64_t function, uint64_t size, struct point *point)
{
	static const uint8_t fentry[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };
	uint8_t b[64];
	int at = 0, n, rip;

	memset(point, 0, sizeof(*point));
	if (!function || kernel_read(function, b, sizeof(b)))
		return false;
	at = endbr_bytes(b);
	point->has_fentry = !memcmp(b + at, fentry, 5);
	at += point->has_fentry ? 5 : 0;
	point->site = function + at;
	while (point->len < 5) {
		n = decode_length(b + at + point->len, &rip);
		if (!n)
			return false;
		if (rip >= 0)
			point->rip[point->rip_count++] = point->len + rip;
		point->len += n;
	}
	memcpy(point->old, b + at, point->len);
	return !size || !is_jumped_into(function, size, point);
}

/* ---- emitting code --------------------------------------------------------------- */

void code_bytes(struct code *code, const void *bytes, uint32_t len)
{
	if (code->len + len > sizeof(code->bytes))
		die("code too long");
	memcpy(code->bytes + code->len, bytes, len);
	code->len += len;
}

#define EMIT(code, ...) do { \
		const uint8_t bytes_[] = { __VA_ARGS__ }; \
		code_bytes(code, bytes_, sizeof(bytes_)); \
	} while (0)

static void emit_u32(struct code *code, uint32_t value)
{
	code_bytes(code, &value, 4);
}

static void emit_rel(struct code *code, uint64_t target)
{
	emit_u32(code, (uint32_t)(target - (code->at + code->len + 4)));
}

/* Emits a call (e8) or a jump (e9). */
void code_jump(struct code *code, uint8_t opcode, uint64_t target)
{
	code_bytes(code, &opcode, 1);
	emit_rel(code, target);
}

void code_start(struct code *code, uint64_t at)
{
	memset(code, 0, sizeof(*code));
	code->at = at;
}

static bool is_near(uint64_t counter)
{
	return counter == (uint64_t)(int32_t)counter;
}

uint32_t code_count_bytes(uint64_t counter)
{
	return is_near(counter) ? 9 : 16;
}

void code_count(struct code *code, uint64_t counter)
{
	if (is_near(counter)) {
		EMIT(code, 0x65, 0x48, 0xff, 0x04, 0x25);	/* incq %gs:disp32 */
		emit_u32(code, counter);
		return;
	}
	EMIT(code, 0x50, 0x48, 0xb8);				/* push %rax; mov $imm64,%rax */
	code_bytes(code, &counter, 8);
	EMIT(code, 0x65, 0x48, 0xff, 0x00, 0x58);		/* incq %gs:(%rax); pop %rax */
}

/* Emits code that jumps over the next @skip bytes while the hook's gate, a byte in memory, is 0. */
void code_gate(struct code *code, uint64_t gate, uint32_t skip)
{
	EMIT(code, 0x80, 0x3d);					/* cmpb $0,gate(%rip) */
	emit_u32(code, (uint32_t)(gate - (code->at + code->len + 5)));
	EMIT(code, 0x00, 0x74, skip);				/* je */
}

static void gs_op(struct code *code, uint8_t opcode, uint8_t modrm, int32_t offset)
{
	EMIT(code, 0x65, opcode, modrm, 0x25);
	emit_u32(code, offset);
}

/* Emits a call of an instrument's function. Return: the offset of the return address. */
uint32_t code_call(struct code *code, const struct ilk_info *info, uint64_t fn, uint32_t iid,
		   uint64_t dropped)
{
	uint32_t to_drop, to_out, call_end;

	/* pushf; push rax rcx rdx rsi rdi r8 r9 r10 r11; cld */
	EMIT(code, 0x9c, 0x50, 0x51, 0x52, 0x56, 0x57, 0x41, 0x50, 0x41, 0x51, 0x41, 0x52, 0x41,
	     0x53, 0xfc);
	gs_op(code, 0xff, 0x04, info->gs_preempt_count);	/* incl %gs:pc */
	gs_op(code, 0x8b, 0x04, info->gs_preempt_count);	/* mov %gs:pc,%eax */
	EMIT(code, 0x25);					/* and $mask,%eax */
	emit_u32(code, info->context_mask);
	gs_op(code, 0x8b, 0x0c, info->gs_guard);		/* mov %gs:guard,%ecx */
	EMIT(code, 0x39, 0xc8, 0x74, 0);			/* cmp %ecx,%eax; je drop */
	to_drop = code->len;
	EMIT(code, 0x51);					/* push %rcx */
	gs_op(code, 0x89, 0x04, info->gs_guard);		/* mov %eax,%gs:guard */
	EMIT(code, 0xbf);					/* mov $iid,%edi */
	emit_u32(code, iid);
	EMIT(code, 0x48, 0x8d, 0x74, 0x24, 0x08);		/* lea 8(%rsp),%rsi */
	EMIT(code, 0xe8);
	emit_rel(code, fn);
	call_end = code->len;
	EMIT(code, 0x59);					/* pop %rcx */
	gs_op(code, 0x89, 0x0c, info->gs_guard);		/* mov %ecx,%gs:guard */
	EMIT(code, 0xeb, 0);					/* jmp out */
	to_out = code->len;
	code->bytes[to_drop - 1] = code->len - to_drop;
	EMIT(code, 0x48, 0xb8);					/* drop: mov $dropped,%rax */
	code_bytes(code, &dropped, 8);
	EMIT(code, 0x65, 0x48, 0xff, 0x00);			/* incq %gs:(%rax) */
	code->bytes[to_out - 1] = code->len - to_out;
	gs_op(code, 0xff, 0x0c, info->gs_preempt_count);	/* out: decl %gs:pc */
	EMIT(code, 0x41, 0x5b, 0x41, 0x5a, 0x41, 0x59, 0x41, 0x58, 0x5f, 0x5e, 0x5a, 0x59, 0x58,
	     0x9d);
	return call_end;
}

/* Emits the overwritten instructions, relocated, and the jump back to the code after them. */
void code_finish(struct code *code, const struct point *point)
{
	uint32_t start = code->len, i;
	int32_t disp;

	code_bytes(code, point->old, point->len);
	for (i = 0; i < point->rip_count; i++) {
		memcpy(&disp, point->old + point->rip[i], 4);
		disp += (int32_t)(point->site - (code->at + start));
		memcpy(code->bytes + start + point->rip[i], &disp, 4);
	}
	EMIT(code, 0xe9);
	emit_rel(code, point->site + point->len);
}

/*
 * Writes an unwind entry in this kernel's format. The frame's CFA is @cfa bytes above the stack
 * pointer.
 */
void unwind_by_sp(struct ilk_orc *orc, uint16_t offset, int16_t cfa)
{
	static struct ilk_info info;

	if (!info.abi)
		close(ilk_open(&info));
	*orc = (struct ilk_orc){ .offset = offset };
	memcpy(orc->entry, &cfa, sizeof(cfa));
	orc->entry[4] = info.orc_sp;
	orc->entry[5] = kernel_is_6_1() ? 0 : 2;	/* type UNWIND_HINT_TYPE_CALL on 6.1,
							 * ORC_TYPE_CALL later */
}
