// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-open.c - opens the files that a client names, in separate processes
 *
 * A path from a client may lead anywhere: to a device that acts when it is opened, to a FIFO, to a
 * mount whose server is dead. So the agent itself opens no such path:
 *
 *	agent --- socket --- server --- fork --- worker, one per request
 *
 * The worker finds the file without opening it (O_PATH), and opens it only if it is an ordinary
 * file of a file system that stores files. Reading proc or sysfs may have side effects, and FUSE
 * would let a program hold up the agent. The worker answers within TIMEOUT_S or is killed; the
 * server only forks, so it never blocks. Neither process has the agent's stream or /dev/ilk open,
 * so neither can keep a session alive.
 *
 * Of root's capabilities both keep only CAP_SYS_PTRACE: without it /proc/PID/root and /proc/PID/exe
 * of programs in containers cannot be followed.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "gilkd-helper.h"
#include "gilkd-open.h"
#include "gilkd-privileges.h"

#define TIMEOUT_S	10u	/* time limit to find, open and read a file */
#define CHECK_MS	20	/* ms between checks of the sample rings and of the client's
				 * connection, while a worker is busy */
#define PROC_ROOT	"/root/"

/*
 * File systems whose files are stored, although not on a block device of this machine, so that
 * opening them is harmless. Magic numbers that linux/magic.h lacks are in hex.
 */
static const uint32_t stored_file_systems[] = {
	TMPFS_MAGIC, RAMFS_MAGIC, OVERLAYFS_SUPER_MAGIC, BTRFS_SUPER_MAGIC, NFS_SUPER_MAGIC, V9FS_MAGIC,
	CEPH_SUPER_MAGIC, CIFS_SUPER_MAGIC, SMB2_SUPER_MAGIC, AFS_FS_MAGIC,
	0x2fc12fc1,		/* ZFS */
	0xca451a4e,		/* bcachefs */
};

enum open_result {
	OPEN_OK,
	OPEN_FAILED,		/* the file could not be found or opened; see the errno */
	OPEN_NOT_REGULAR,
	OPEN_BAD_FILE_SYSTEM,	/* the file is on a file system whose files are not opened */
	OPEN_NOT_ELF,
	OPEN_READ_FAILED,	/* the file could not be read; see the errno */
	OPEN_TIMED_OUT,
	OPEN_REPLACED,		/* the file is not the one that the request expects */
};

/* Request to the worker that opens a file, followed by @count offsets and the path. */
struct request {
	uint32_t seq;
	uint32_t count;		/* number of pages to map, with GILKD_OPEN_BIND */
	uint64_t offset;
	uint32_t length;
	uint32_t kind;		/* enum gilkd_open_kind */
};

struct answer {
	uint32_t seq;
	uint32_t result;		/* enum open_result */
	int32_t error;		/* errno */
	uint32_t pad;
	uint64_t bytes;
	struct gilk_user_file file;
};

#define REQUEST_MAX	(sizeof(struct request) + GILK_USER_POINTS_MAX * sizeof(uint64_t) + GILK_WIRE_PATH_MAX)

/* ---- the worker: opens one file -------------------------------------------------------- */

/* Returns the part of @path after "/proc/PID/root", or NULL if @path does not start with that. */
static const char *path_in_root(const char *path)
{
	size_t digits;

	if (strncmp(path, "/proc/", 6))
		return NULL;
	digits = strspn(path + 6, "0123456789");
	if (!digits || strncmp(path + 6 + digits, PROC_ROOT, sizeof(PROC_ROOT) - 1))
		return NULL;
	return path + 6 + digits + sizeof(PROC_ROOT) - 1;
}

/*
 * Finds a file. Symbolic links below the root of another process are resolved within that root, as
 * the process would resolve them. Returns an O_PATH descriptor, or -1.
 */
static int open_path(char *path)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT };
	char *inner = (char *)path_in_root(path);
	int root, fd;

	if (!inner)
		return open(path, O_PATH | O_CLOEXEC);
	inner[-1] = '\0';
	root = open(path, O_PATH | O_CLOEXEC | O_DIRECTORY);
	inner[-1] = '/';
	if (root < 0)
		return -1;
	fd = syscall(SYS_openat2, root, inner, &how, sizeof(how));
	close(root);
	return fd;
}

static bool stores_files(const struct stat *st, const struct statfs *fs)
{
	const uint32_t type = fs->f_type;
	size_t i;

	if (type == FUSE_SUPER_MAGIC)
		return false;
	if (major(st->st_dev))
		return true;
	for (i = 0; i < sizeof(stored_file_systems) / sizeof(stored_file_systems[0]); i++)
		if (type == stored_file_systems[i])
			return true;
	return false;
}

static void fill_file_identity(const struct stat *st, struct gilk_user_file *file)
{
	file->device = st->st_dev;
	file->inode = st->st_ino;
	file->bytes = st->st_size;
	file->changed_s = st->st_mtim.tv_sec;
	file->changed_ns = st->st_mtim.tv_nsec;
}

/*
 * Reads @length bytes, or fewer at the end of the file. Returns the number of bytes read, or
 * -errno.
 */
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

static int set_failure(struct answer *answer, enum open_result why, int error)
{
	answer->result = why;
	answer->error = error;
	return -1;
}

/* Returns a readable descriptor of a program, or -1 with the reason in @answer. */
static int open_program(char *path, struct answer *answer)
{
	char again[64], magic[4];
	struct statfs fs;
	struct stat st;
	int found, fd;

	found = open_path(path);
	if (found < 0 || fstat(found, &st) || fstatfs(found, &fs))
		return set_failure(answer, OPEN_FAILED, errno);
	if (!S_ISREG(st.st_mode))
		return set_failure(answer, OPEN_NOT_REGULAR, ENOEXEC);
	if (!stores_files(&st, &fs))
		return set_failure(answer, OPEN_BAD_FILE_SYSTEM, ENOEXEC);
	snprintf(again, sizeof(again), "/proc/self/fd/%d", found);
	fd = open(again, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return set_failure(answer, OPEN_FAILED, errno);
	close(found);
	if (read_at(fd, (uint8_t *)magic, sizeof(magic), 0) != sizeof(magic) || memcmp(magic, "\177ELF", 4))
		return set_failure(answer, OPEN_NOT_ELF, ENOEXEC);
	fill_file_identity(&st, &answer->file);
	return fd;
}

/* Reads a part of a program. Returns a memfd with the bytes, or -1 if no byte was read. */
static int read_program(int fd, const struct request *request, struct answer *answer)
{
	int out = memfd_create("gilkd-look", MFD_CLOEXEC);
	uint8_t *bytes = MAP_FAILED;
	ssize_t got;

	if (!request->length)
		return -1;
	if (out >= 0 && !ftruncate(out, request->length))
		bytes = mmap(NULL, request->length, PROT_READ | PROT_WRITE, MAP_SHARED, out, 0);
	if (bytes == MAP_FAILED)
		return set_failure(answer, OPEN_READ_FAILED, errno);
	got = read_at(fd, bytes, request->length, request->offset);
	if (got < 0)
		return set_failure(answer, OPEN_READ_FAILED, -got);
	answer->bytes = got;
	return out;
}

/*
 * Maps the pages of a program that contain the points of hooks. Ignores errors: a page that cannot
 * be mapped here cannot be mapped in another process either.
 */
static void map_points(int fd, const uint64_t *offsets, uint32_t count)
{
	const uint64_t page = sysconf(_SC_PAGESIZE);
	uint32_t i;

	for (i = 0; i < count; i++)
		mmap(NULL, page, PROT_READ, MAP_PRIVATE, fd, offsets[i] & ~(page - 1));
}

/*
 * Handles one request to open a file: answers it, and keeps pages mapped until the agent releases
 * them.
 * @keep_mapped_fd: end of a pipe that the agent closes to release the pages; -1: no pages are kept
 */
static void handle_request(uint8_t *bytes, size_t length, int keep_mapped_fd)
{
	const struct request *request = (const struct request *)bytes;
	const uint64_t *offsets = (const uint64_t *)(request + 1);
	char *path = (char *)(offsets + request->count);
	struct answer answer = { .seq = request->seq };
	struct iovec part = { &answer, sizeof(answer) };
	int fd, out = -1;
	char byte;

	alarm(TIMEOUT_S);
	bytes[length] = '\0';
	fd = open_program(path, &answer);
	if (fd >= 0 && request->kind == GILKD_OPEN_BIND) {
		map_points(fd, offsets, request->count);
		out = fd;
	} else if (fd >= 0) {
		out = read_program(fd, request, &answer);
	}
	gilkd_message_send(GILKD_HELPER_FD, &part, 1, out);
	alarm(0);
	close(GILKD_HELPER_FD);
	if (keep_mapped_fd >= 0 && out >= 0)
		while (read(keep_mapped_fd, &byte, 1) < 0 && errno == EINTR)
			;
}

/* ---- the server: forks a worker for each request --------------------------------------- */

static void run_server(const void *data)
{
	static uint8_t bytes[REQUEST_MAX + 1] __attribute__((aligned(8)));
	ssize_t got;
	int keep_mapped_fd;

	signal(SIGCHLD, SIG_IGN);
	for (;;) {
		got = gilkd_message_receive(GILKD_HELPER_FD, bytes, sizeof(bytes) - 1, &keep_mapped_fd);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= (ssize_t)sizeof(struct request))
			return;
		if (!fork()) {
			handle_request(bytes, got, keep_mapped_fd);
			_exit(EXIT_SUCCESS);
		}
		if (keep_mapped_fd >= 0)
			close(keep_mapped_fd);
	}
}

/**
 * gilkd_opener_start() - start the process that opens files
 *
 * Must be called before privileges are dropped, and before any descriptor of a client is open.
 * Returns 0 or an errno.
 */
int gilkd_opener_start(struct gilkd_opener *opener)
{
	static const struct gilkd_helper helper = {
		.name = "gilkd-look", .caps = GILKD_CAPS_OPEN, .serve = run_server,
	};

	opener->keep_mapped_fd = -1;
	return gilkd_helper_start(&helper, &opener->socket, NULL);
}

/* ---- the agent: sends requests to the server --------------------------------------------- */

/* Returns as much of the path as fits in a message. */
static const char *shorten_path(const char *path)
{
	static char text[513];

	snprintf(text, sizeof(text), "%.512s", path);
	return text;
}

static void fail_open_request(struct gilkd_client *client, const char *path,
			      const struct answer *answer)
{
	switch (answer->result) {
	case OPEN_FAILED:
		gilkd_fail(client, answer->error, "Cannot open %s: %s; check that the path "
						  "exists on the target, and that its "
						  "permissions allow root to read it, as the "
						  "agent does not bypass them.",
						  shorten_path(path),
			   strerror(answer->error));
		break;
	case OPEN_NOT_REGULAR:
		gilkd_fail(client, answer->error, "%s was not opened because it is not a regular "
						  "file; name a program or a library.",
			   shorten_path(path));
		break;
	case OPEN_BAD_FILE_SYSTEM:
		gilkd_fail(client, answer->error, "%s was not opened because it is on a pseudo "
						  "file system, such as proc or sysfs, or on "
						  "FUSE; name a program on a disk, in memory or "
						  "on a network file system.", shorten_path(path));
		break;
	case OPEN_NOT_ELF:
		gilkd_fail(client, answer->error, "%s is not a program or library (not an ELF "
						  "file); name one that is.", shorten_path(path));
		break;
	case OPEN_TIMED_OUT:
		gilkd_fail(client, answer->error, "Cannot reach %s: its file system or a stuck "
						  "process did not answer within %u s; check "
						  "mounts and try again.", shorten_path(path),
			   TIMEOUT_S);
		break;
	case OPEN_REPLACED:
		gilkd_fail(client, answer->error, "%s was replaced after its functions were "
						  "read; connect again to read the new file.",
			   shorten_path(path));
		break;
	default:
		gilkd_fail(client, answer->error, "Cannot read %s: %s; try again.",
			   shorten_path(path), strerror(answer->error));
	}
}

/*
 * Waits for the answer to request @seq, and discards late answers to earlier requests. Sets @fd to
 * the descriptor that came with the answer, or -1.
 */
static void wait_for_answer(struct gilkd_opener *opener, struct gilkd_samples *samples,
			    uint32_t seq, struct answer *answer, int *fd)
{
	struct pollfd poll_fd = { .fd = opener->socket, .events = POLLIN };
	uint64_t until = gilkd_now_ms() + TIMEOUT_S * 1000;

	*fd = -1;
	while (gilkd_now_ms() < until && !samples->client->broken) {
		if (poll(&poll_fd, 1, CHECK_MS) > 0) {
			if (gilkd_message_receive(poll_fd.fd, answer, sizeof(*answer), fd) != sizeof(*answer)) {
				set_failure(answer, OPEN_READ_FAILED, EPIPE);
				return;
			}
			if (answer->seq == seq)
				return;
			if (*fd >= 0)
				close(*fd);
			*fd = -1;
		}
		gilkd_samples_tick(samples);
		if (gilkd_client_is_hung_up(samples->client))
			break;
	}
	set_failure(answer, OPEN_TIMED_OUT, ETIMEDOUT);
}

/*
 * Creates the pipe through which the agent makes workers release the pages that they keep mapped,
 * unless it exists. Returns the workers' end; -1: failure. When the agent closes its own end, the
 * workers release their mappings.
 */
static int get_keep_mapped_peer(struct gilkd_opener *opener)
{
	int pair[2];

	if (opener->keep_mapped_fd < 0) {
		if (pipe2(pair, O_CLOEXEC))
			return -1;
		opener->keep_mapped_fd = pair[1];
		opener->keep_mapped_peer = pair[0];
	}
	return opener->keep_mapped_peer;
}

/**
 * gilkd_open_request() - find and open a program, and read it or keep it mapped
 * @samples: rings to drain while waiting, and the client to answer
 * @ask: what to do with the file
 * @found: set to the file's identity and to a descriptor, either of the file itself or of a memfd
 *     that has @found->bytes bytes of the file
 *
 * Returns false, with the request answered, if the path is not a readable program.
 */
bool gilkd_open_request(struct gilkd_opener *opener, struct gilkd_samples *samples, const char *path,
			const struct gilkd_open_request *ask, struct gilkd_opened *found)
{
	struct request request = {
		.seq = ++opener->seq, .kind = ask->kind, .count = ask->count,
		.offset = ask->offset, .length = ask->length,
	};
	struct iovec parts[] = {
		{ &request, sizeof(request) },
		{ (void *)ask->offsets, ask->count * sizeof(*ask->offsets) },
		{ (void *)path, strlen(path) },
	};
	struct answer answer = { 0 };
	int keep_mapped_fd = ask->kind == GILKD_OPEN_BIND ? get_keep_mapped_peer(opener) : -1;

	found->fd = -1;
	if (!gilkd_message_send(opener->socket, parts, 3, keep_mapped_fd))
		set_failure(&answer, OPEN_READ_FAILED, errno);
	else
		wait_for_answer(opener, samples, request.seq, &answer, &found->fd);
	if (!answer.result && ask->expected && memcmp(&answer.file, ask->expected, sizeof(answer.file)))
		set_failure(&answer, OPEN_REPLACED, ESTALE);
	if (answer.result) {
		if (found->fd >= 0)
			close(found->fd);
		fail_open_request(samples->client, path, &answer);
		return false;
	}
	found->file = answer.file;
	found->bytes = answer.bytes;
	return true;
}

/* Makes the workers release the pages that they keep mapped. */
void gilkd_opener_release(struct gilkd_opener *opener)
{
	if (opener->keep_mapped_fd < 0)
		return;
	close(opener->keep_mapped_fd);
	close(opener->keep_mapped_peer);
	opener->keep_mapped_fd = -1;
}
