// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-user.c - programs and libraries: what is in their files, and hooks there
 *
 * The client names a file by its path, and gets no byte of what is no program: a regular file that begins as ELF files
 * do. It reads symbols and code by itself, piece by piece; each piece tells which file it is of, so that one
 * that was put in its place meanwhile is noticed, here again when hooks are bound.
 *
 * Whether the kernel can put an uprobe on an instruction it tells when some process maps the file. So until ARM is
 * over this one does.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gilkd.h"

struct gilkd_map {
	void *at;
	size_t length;
};

/* ---- files ---- */

static void describe(const struct stat *st, struct gilk_user_file *file)
{
	memset(file, 0, sizeof(*file));
	file->device = st->st_dev;
	file->inode = st->st_ino;
	file->bytes = st->st_size;
	file->changed_s = st->st_mtim.tv_sec;
	file->changed_ns = st->st_mtim.tv_nsec;
}

/* As much of it as a sentence has room for. */
static const char *shown(const char *path)
{
	static char text[513];

	snprintf(text, sizeof(text), "%.512s", path);
	return text;
}

/* An absolute path without a NUL, from the end of a request. */
static bool copy_path(struct gilkd *d, const uint8_t *text, size_t length, char path[GILK_WIRE_PATH_MAX + 1])
{
	if (!length || length > GILK_WIRE_PATH_MAX || text[0] != '/' || memchr(text, '\0', length)) {
		gilkd_fail(d, EINVAL, "The request names no file by a path from / on, of %u bytes at most; write the "
			   "whole path.", GILK_WIRE_PATH_MAX);
		return false;
	}
	memcpy(path, text, length);
	path[length] = '\0';
	return true;
}

/* Returns -1, and the request has failed: it is no program that can be read. */
static int open_program(struct gilkd *d, const char *path, struct gilk_user_file *file)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	char magic[SELFMAG];
	struct stat st;

	if (fd < 0) {
		gilkd_fail(d, errno, "%s cannot be opened: %s; check the path, which is the target's own, and that "
			   "root may read it as any owner may.", shown(path), strerror(errno));
		return -1;
	}
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || pread(fd, magic, SELFMAG, 0) != SELFMAG ||
	    memcmp(magic, ELFMAG, SELFMAG)) {
		gilkd_fail(d, ENOEXEC, "%s is no program and no library: it is not an ELF file; name one that "
			   "is.", shown(path));
		close(fd);
		return -1;
	}
	describe(&st, file);
	return fd;
}

/* Up to the end of the file. Returns bytes, or -errno. */
static ssize_t read_at(int fd, uint8_t *out, size_t length, uint64_t offset)
{
	size_t used = 0;
	ssize_t got;

	while (used < length) {
		got = pread(fd, out + used, length - used, offset + used);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (!got)
			break;
		used += got;
	}
	return used;
}

void gilkd_do_user_read(struct gilkd *d, uint8_t *payload, size_t length)
{
	char path[GILK_WIRE_PATH_MAX + 1];
	struct gilk_user_file file;
	struct gilk_user_read wish;
	ssize_t got = -ENOMEM;
	uint8_t *bytes;
	int fd;

	memcpy(&wish, payload, sizeof(wish));
	if (wish.pad || wish.length > GILK_WIRE_USER_MAX || wish.offset > INT64_MAX - GILK_WIRE_USER_MAX) {
		gilkd_fail(d, EINVAL, "The request asks for more of a file than one answer holds; make sure that "
			   "client and agent are of the same release.");
		return;
	}
	if (!copy_path(d, payload + sizeof(wish), length - sizeof(wish), path))
		return;
	fd = open_program(d, path, &file);
	if (fd < 0)
		return;
	bytes = malloc(wish.length + 1);
	if (bytes)
		got = read_at(fd, bytes, wish.length, wish.offset);
	if (got < 0) {
		gilkd_fail(d, -got, "%s cannot be read: %s; try again.", shown(path), strerror(-got));
	} else {
		gilkd_answer_part(d, &file, sizeof(file));
		gilkd_answer(d, bytes, got);
	}
	free(bytes);
	close(fd);
}

/* ---- hooks ---- */

void gilkd_user_unmap(struct gilkd_users *users)
{
	size_t i;

	for (i = 0; i < users->count; i++)
		munmap(users->maps[i].at, users->maps[i].length);
	free(users->maps);
	users->maps = NULL;
	users->count = 0;
}

/* The page that a point is in. Where that cannot be, a process that maps it will be told nothing either. */
static void map_point(struct gilkd_users *users, int fd, uint64_t offset)
{
	const uint64_t page = sysconf(_SC_PAGESIZE);
	struct gilkd_map *more, map = { .length = page };

	map.at = mmap(NULL, map.length, PROT_READ, MAP_PRIVATE, fd, offset & ~(page - 1));
	if (map.at == MAP_FAILED)
		return;
	more = realloc(users->maps, (users->count + 1) * sizeof(*more));
	if (!more) {
		munmap(map.at, map.length);
		return;
	}
	users->maps = more;
	users->maps[users->count++] = map;
}

static void bind_points(struct gilkd *d, int fd, struct ilk_user_point *points, uint32_t count)
{
	struct ilk_user call = { .count = count, .points = (uintptr_t)points };
	int error;
	uint32_t i;

	for (i = 0; i < count; i++)
		points[i].fd = fd;
	error = ioctl(d->device, ILK_IOC_USER, &call) ? errno : 0;
	if (error && !call.failed) {
		gilkd_driver_fail(d, "bind hooks to a program", error);
		return;
	}
	for (i = 0; i < count; i++) {
		points[i].fd = -1;
		if (!error)
			map_point(&d->users, fd, points[i].offset);
	}
	gilkd_answer(d, points, count * sizeof(*points));
}

void gilkd_do_user_bind(struct gilkd *d, uint8_t *payload, size_t length)
{
	char path[GILK_WIRE_PATH_MAX + 1];
	struct gilk_user_bind head;
	struct gilk_user_file file;
	uint8_t *points = payload + sizeof(head);
	size_t bytes;
	int fd;

	memcpy(&head, payload, sizeof(head));
	bytes = head.count * sizeof(struct ilk_user_point);
	if (!head.count || head.count > ILK_USER_POINTS_MAX || length - sizeof(head) < bytes) {
		gilkd_fail(d, EINVAL, "The request's count does not fit its length; make sure that client and agent "
			   "are of the same release.");
		return;
	}
	if (!copy_path(d, points + bytes, length - sizeof(head) - bytes, path))
		return;
	fd = open_program(d, path, &file);
	if (fd < 0)
		return;
	if (memcmp(&file, &head.file, sizeof(file)))
		gilkd_fail(d, ESTALE, "%s was replaced since its functions were read; connect again to see it as it "
			   "is now.", shown(path));
	else if (gilkd_driver_open(d))
		bind_points(d, fd, (struct ilk_user_point *)points, head.count);
	close(fd);
}
