// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-text.c - reads kernel memory, through /proc/kcore or from the kernel's file
 *
 * kcore is an ELF core file whose program headers map kernel addresses to offsets. Any mapped range
 * may be read: a client of the agent can load code into the kernel anyway, and the tables that the
 * client needs are data, not text.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "gilkd-files.h"

#define KCORE_PATH	"/proc/kcore"
#define READ_AT_ONCE	(64u << 10)	/* maximum size of one read: the kernel does not give up
					 * the CPU while it copies */

#define SUMS_AT_ONCE	(1u << 20)	/* size of text that is hashed between two checks
					 * whether the client is gone */

struct gilkd_segment {
	uint64_t addr;
	uint64_t len;
	uint64_t offset;
};

void gilkd_kcore_close(struct gilkd_kcore *kcore)
{
	if (kcore->fd >= 0)
		close(kcore->fd);
	free(kcore->segments);
	*kcore = (struct gilkd_kcore){ .client = kcore->client, .fd = -1, .file = kcore->file };
}

/* Reads @length bytes at @offset; a short read is a failure. */
static int read_exactly(int fd, void *out, size_t length, uint64_t offset)
{
	uint8_t *bytes = out;

	while (length) {
		ssize_t got = pread(fd, bytes, length < READ_AT_ONCE ? length : READ_AT_ONCE, offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got ? errno : EIO;
		bytes += got;
		offset += got;
		length -= got;
	}

	return 0;
}

static int read_segments(struct gilkd_kcore *kcore)
{
	Elf64_Ehdr head;
	Elf64_Phdr *program;
	uint32_t i;
	int error;

	error = read_exactly(kcore->fd, &head, sizeof(head), 0);
	if (error)
		return error;
	if (memcmp(head.e_ident, ELFMAG, SELFMAG) || head.e_ident[EI_CLASS] != ELFCLASS64 ||
	    head.e_phentsize != sizeof(*program))
		return ENOEXEC;

	program = calloc(head.e_phnum + 1u, sizeof(*program));
	kcore->segments = calloc(head.e_phnum + 1u, sizeof(*kcore->segments));
	error = !program || !kcore->segments ? ENOMEM :
		read_exactly(kcore->fd, program, head.e_phnum * sizeof(*program), head.e_phoff);
	for (i = 0; !error && i < head.e_phnum; i++) {
		if (program[i].p_type != PT_LOAD)
			continue;
		kcore->segments[kcore->count++] = (struct gilkd_segment){
			.addr = program[i].p_vaddr,
			.len = program[i].p_filesz,
			.offset = program[i].p_offset,
		};
	}
	free(program);

	return error;
}

static void fail_kcore(struct gilkd_kcore *kcore, int error)
{
	const char *kind = gilkd_get_lockdown(), *reason = strerror(error);

	if (kcore->file >= 0)
		gilkd_fail(kcore->client, error, "Cannot read the kernel's file: %s; give a complete vmlinux.", reason);
	else if (error != EPERM && error != EACCES)
		gilkd_fail(kcore->client, error, "Cannot read live kernel text (" KCORE_PATH ": "
						 "%s); use a kernel with CONFIG_PROC_KCORE, such "
						 "as Debian's.", reason);
	else if (kind && !strcmp(kind, "confidentiality"))	/* "integrity" allows reading */
		gilkd_fail(kcore->client, error, "The kernel is locked down (%s), so its live "
						 "text cannot be read (" KCORE_PATH ": %s); boot "
						 "without Secure Boot or without lockdown=, or "
						 "use a lab.", kind, reason);
	else
		gilkd_fail(kcore->client, error, "No permission to read live kernel text (" KCORE_PATH
						 ": %s); run the agent as root, and lift kernel "
						 "lockdown \"confidentiality\" if it is on.",
			   reason);
}

static bool open_kcore(struct gilkd_kcore *kcore)
{
	int error;

	if (kcore->fd >= 0)
		return true;

	kcore->fd = kcore->file >= 0 ? fcntl(kcore->file, F_DUPFD_CLOEXEC, 0) : open(KCORE_PATH, O_RDONLY | O_CLOEXEC);
	error = kcore->fd < 0 ? errno : read_segments(kcore);
	if (!error)
		return true;

	gilkd_kcore_close(kcore);
	fail_kcore(kcore, error);

	return false;
}

/* Returns the segment that contains the whole range, or NULL. */
static const struct gilkd_segment *find_segment(const struct gilkd_kcore *kcore,
						const struct gilk_range *range)
{
	uint32_t i;

	for (i = 0; i < kcore->count; i++) {
		const struct gilkd_segment *segment = &kcore->segments[i];
		uint64_t into = range->addr - segment->addr;

		if (range->addr >= segment->addr && into <= segment->len &&
		    range->len <= segment->len - into)
			return segment;
	}

	return NULL;
}

/* Buffer for the next part of an answer; a part may contain the bytes of many small ranges. */
struct collector {
	uint8_t *bytes;
	size_t used;
};

static void flush_full(struct gilkd_kcore *kcore, struct collector *c)
{
	if (c->used == GILKD_PART) {
		gilkd_answer_part(kcore->client, c->bytes, c->used);
		c->used = 0;
	}
}

static int collect_bytes(struct gilkd_kcore *kcore, struct collector *c, uint64_t offset,
			 uint64_t length)
{
	uint64_t done = 0;

	while (done < length && !kcore->client->broken) {
		size_t room = GILKD_PART - c->used;
		size_t part = length - done < room ? length - done : room;
		int error = read_exactly(kcore->fd, c->bytes + c->used, part, offset + done);

		if (error)
			return error;
		done += part;
		c->used += part;
		flush_full(kcore, c);
	}

	return 0;
}

static int collect_sums(struct gilkd_kcore *kcore, struct collector *c, uint64_t offset,
			uint64_t length)
{
	static uint8_t text[GILK_WIRE_SUM_BYTES];
	uint64_t done = 0;

	/*
	 * The answer of checksums is so small that it is rarely written: check for a hang-up, which
	 * a failed write would show too late.
	 */
	while (done < length && !kcore->client->broken &&
	       (done % SUMS_AT_ONCE || !gilkd_client_is_hung_up(kcore->client))) {
		size_t part = length - done < sizeof(text) ? length - done : sizeof(text);
		int error = read_exactly(kcore->fd, text, part, offset + done);
		uint64_t sum;

		if (error)
			return error;
		sum = XXH64(text, part, 0);
		memcpy(c->bytes + c->used, &sum, sizeof(sum));
		done += part;
		c->used += sizeof(sum);
		flush_full(kcore, c);
	}

	return 0;
}

typedef int (*collect_fn)(struct gilkd_kcore *kcore, struct collector *c, uint64_t offset,
			  uint64_t length);

/*
 * Calls @collect for each address range of a request, and sends what @collect gathers as the
 * answer.
 */
static void answer_ranges(struct gilkd_kcore *kcore, const uint8_t *payload, size_t length,
			  collect_fn collect)
{
	const struct gilk_range *ranges = (const struct gilk_range *)payload;
	struct collector c = { 0 };
	size_t i;

	if (length % sizeof(*ranges)) {
		gilkd_fail(kcore->client, EINVAL, "Malformed request: its length is not a "
						  "multiple of the size of a range. Client "
						  "and agent may be of different versions.");
		return;
	}
	if (!open_kcore(kcore))
		return;

	c.bytes = malloc(GILKD_PART);
	if (!c.bytes) {
		gilkd_fail(kcore->client, ENOMEM, "The agent is out of memory; free some on the "
						  "target.");
		return;
	}
	for (i = 0; i < length / sizeof(*ranges); i++) {
		const struct gilkd_segment *segment = find_segment(kcore, &ranges[i]);
		int error = segment ? collect(kcore, &c, segment->offset +
					      (ranges[i].addr - segment->addr), ranges[i].len) :
				      EFAULT;

		if (error && kcore->file >= 0) {
			gilkd_fail(kcore->client, error, "The kernel's file lacks memory at 0x%llx (%llu bytes); "
							 "give a complete vmlinux.",
				   (unsigned long long)ranges[i].addr, (unsigned long long)ranges[i].len);
			goto out_free;
		} else if (error) {
			gilkd_fail(kcore->client, error, "Cannot read kernel memory at 0x%llx "
							 "(%llu bytes): %s; if a module was "
							 "unloaded in the meantime, refresh and "
							 "try again.",
				   (unsigned long long)ranges[i].addr,
				   (unsigned long long)ranges[i].len, strerror(error));
			goto out_free;
		}
	}
	gilkd_answer(kcore->client, c.bytes, c.used);

out_free:
	free(c.bytes);
}

void gilkd_do_read_text(struct gilkd_kcore *kcore, uint8_t *payload, size_t length)
{
	answer_ranges(kcore, payload, length, collect_bytes);
}

void gilkd_do_text_sums(struct gilkd_kcore *kcore, uint8_t *payload, size_t length)
{
	answer_ranges(kcore, payload, length, collect_sums);
}
