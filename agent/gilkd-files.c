// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-files.c - sends the few kernel files that a client may read
 *
 * The client selects a file by its enum gilk_file, and a module by its name. The only
 * paths in requests are paths of programs (gilkd-user.c).
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <unistd.h>

#include "gilkd-files.h"

#define SECTIONS_MAX	(512u << 10)
#define LOG_MAX		(64u << 10)
#define DENIED_PATH	GILKD_DEBUGFS "/ilk/denied"	/* list of functions that the driver
							 * never hooks; the file exists if the
							 * driver is loaded */
#define SYSLOG_READ_ALL	3
#define GILKD_TYPES	"/sys/kernel/btf"

/* Reads the first line of a small file, without its newline. Returns 0 or an errno. */
int gilkd_read_small(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	text[0] = '\0';
	if (fd < 0)
		return errno;
	got = read(fd, text, size - 1);
	if (got < 0)
		got = -errno;
	close(fd);
	if (got < 0)
		return -got;
	text[got] = '\0';
	text[strcspn(text, "\n")] = '\0';

	return 0;
}

const char *gilkd_tracefs(void)
{
	if (!access("/sys/kernel/tracing/available_filter_functions", F_OK))
		return "/sys/kernel/tracing";

	return GILKD_DEBUGFS "/tracing";
}

/* Returns whether the first line of a small file contains @word. */
bool gilkd_file_has_word(const char *path, const char *word)
{
	char text[128];

	return !gilkd_read_small(path, text, sizeof(text)) && strstr(text, word);
}

/* Returns the active kind of lockdown ("integrity", "confidentiality"), or NULL. */
const char *gilkd_get_lockdown(void)
{
	static const char *const kinds[] = { "integrity", "confidentiality" };
	char word[32];
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		snprintf(word, sizeof(word), "[%s]", kinds[i]);
		if (gilkd_file_has_word("/sys/kernel/security/lockdown", word))
			return kinds[i];
	}
	return NULL;
}

/* Copies a module's name to a string. Answers the request if it is not a valid name. */
bool gilkd_copy_name(struct gilkd_client *client, const uint8_t *payload, size_t length,
		     char name[GILKD_NAME_MAX])
{
	size_t i;

	for (i = 0; i < length && i < GILKD_NAME_MAX - 1; i++) {
		if (!isalnum(payload[i]) && payload[i] != '_' && payload[i] != '-')
			break;
		name[i] = payload[i];
	}
	name[i] = '\0';
	if (i && i == length)
		return true;

	gilkd_fail(client, EINVAL, "Invalid module name; use at most %d letters, digits, _ and -.",
		   GILKD_NAME_MAX - 1);
	return false;
}

/*
 * Sends the contents of a file as the answer.
 * @more: path of a file to append if it exists; or NULL
 */
static void send_file(struct gilkd_client *client, const char *path, const char *more,
		      const char *remedy)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint8_t *bytes = malloc(GILKD_PART);
	size_t used = 0;
	ssize_t got = 0;
	int error = 0;

	if (fd < 0 || !bytes) {
		error = fd < 0 ? errno : ENOMEM;
		goto out_done;
	}
	/* A read from seq_file returns at most one page: send several pages in each frame. */
	while (!client->broken) {
		got = read(fd, bytes + used, GILKD_PART - used);
		if (got < 0 && errno == EINTR)
			continue;
		if (!got && more) {
			close(fd);
			fd = open(more, O_RDONLY | O_CLOEXEC);
			more = NULL;
			if (fd >= 0)
				continue;
		}
		if (got <= 0)
			break;
		used += got;
		if (used == GILKD_PART) {
			gilkd_answer_part(client, bytes, used);
			used = 0;
		}
	}
	if (got < 0)
		error = errno;

out_done:
	if (error)
		gilkd_fail(client, error, "Cannot read %s: %s; %s.", path, strerror(error), remedy);
	else
		gilkd_answer(client, bytes, used);
	free(bytes);
	if (fd >= 0)
		close(fd);
}

#define REMEDY_ROOT	"run the agent as root"
#define REMEDY_DEBUGFS	"as root, mount -t debugfs none " GILKD_DEBUGFS
#define REMEDY_TRACEFS	"as root, mount -t tracefs none /sys/kernel/tracing"

void gilkd_do_get_file(struct gilkd_client *client, uint8_t *payload, size_t length)
{
	static const struct {
		const char *path, *remedy;
	} files[] = {
		[GILK_FILE_KALLSYMS] = { "/proc/kallsyms", REMEDY_ROOT },
		[GILK_FILE_MODULES] = { "/proc/modules", REMEDY_ROOT },
		[GILK_FILE_NOTES] = { "/sys/kernel/notes", REMEDY_ROOT },
		[GILK_FILE_BLACKLIST] = { GILKD_DEBUGFS "/kprobes/blacklist", REMEDY_DEBUGFS },
		[GILK_FILE_FTRACE] = { NULL, REMEDY_TRACEFS },
		[GILK_FILE_CPUINFO] = { "/proc/cpuinfo", REMEDY_ROOT },
		[GILK_FILE_CMDLINE] = { "/proc/cmdline", REMEDY_ROOT },
		[GILK_FILE_KPROBES] = { GILKD_DEBUGFS "/kprobes/list", REMEDY_DEBUGFS },
		[GILK_FILE_BOOT_ID] = { "/proc/sys/kernel/random/boot_id", REMEDY_ROOT },
		[GILK_FILE_ENABLED] = { NULL, REMEDY_TRACEFS },
		[GILK_FILE_TRACEPOINTS] = { NULL, REMEDY_TRACEFS },
	};
	char path[64];
	uint32_t file;

	memcpy(&file, payload, sizeof(file));
	if (file >= sizeof(files) / sizeof(files[0]) || !files[file].remedy) {
		gilkd_fail(client, EINVAL, "The agent does not know file %u; install the same "
					   "release of Gilk on both sides.", file);
		return;
	}
	if (file == GILK_FILE_FTRACE) {
		/*
		 * Try the file with addresses first: since Linux 6.5, it has the address of each
		 * function before its name.
		 */
		snprintf(path, sizeof(path), "%s/available_filter_functions_addrs", gilkd_tracefs());
		if (access(path, R_OK))
			*strrchr(path, '_') = '\0';
	} else if (file == GILK_FILE_ENABLED) {
		snprintf(path, sizeof(path), "%s/enabled_functions", gilkd_tracefs());
	} else if (file == GILK_FILE_TRACEPOINTS) {
		snprintf(path, sizeof(path), "%s/available_events", gilkd_tracefs());
	} else {
		snprintf(path, sizeof(path), "%s", files[file].path);
	}
	send_file(client, path, file == GILK_FILE_BLACKLIST ? DENIED_PATH : NULL,
		  files[file].remedy);
}

/* Appends the line "name hex-address\n" of a module's section to @out. */
static size_t append_section_line(const char *folder, const char *name, char *out, size_t room)
{
	unsigned long long address;
	char path[512], text[32];
	int length;

	length = snprintf(path, sizeof(path), "%s/%s", folder, name);
	if (length >= (int)sizeof(path) || gilkd_read_small(path, text, sizeof(text)) ||
	    sscanf(text, "%llx", &address) != 1)
		return 0;
	length = snprintf(out, room, "%s %llx\n", name, address);

	return length > 0 && (size_t)length < room ? length : 0;
}

void gilkd_do_get_sections(struct gilkd_client *client, uint8_t *payload, size_t length)
{
	char name[GILKD_NAME_MAX], folder[128];
	struct dirent *entry;
	size_t used = 0;
	char *text;
	DIR *dir;

	if (!gilkd_copy_name(client, payload, length, name))
		return;
	snprintf(folder, sizeof(folder), "/sys/module/%s/sections", name);
	dir = opendir(folder);
	text = malloc(SECTIONS_MAX);
	if (!dir || !text) {
		gilkd_fail(client, dir ? ENOMEM : errno, "Cannot read the sections of module %s: "
							 "%s; check that it is loaded and that "
							 "the agent runs as root.", name,
			   strerror(dir ? ENOMEM : errno));
		goto out_done;
	}
	while ((entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			used += append_section_line(folder, entry->d_name, text + used,
						    SECTIONS_MAX - used);
	gilkd_answer(client, text, used);

out_done:
	free(text);
	if (dir)
		closedir(dir);
}

/* Answers GET_TYPES: sends the BTF of a module, or of the kernel if the module's name is empty. */
void gilkd_do_get_types(struct gilkd_client *client, uint8_t *payload, size_t length)
{
	char name[GILKD_NAME_MAX] = "", path[128];

	if (length && !gilkd_copy_name(client, payload, length, name))
		return;
	snprintf(path, sizeof(path), GILKD_TYPES "/%s", length ? name : "vmlinux");
	if (!access(path, F_OK) || errno != ENOENT)
		send_file(client, path, NULL, REMEDY_ROOT);
	else if (length)
		gilkd_fail(client, ENOENT, "Module %s has no type information (" GILKD_TYPES
					   "/%s is missing); check that it is loaded and was "
					   "built with BTF.", name, name);
	else
		gilkd_fail(client, ENOENT, "This kernel has no type information (%s is missing); "
					   "use one that was built with CONFIG_DEBUG_INFO_BTF, "
					   "such as Debian's.", path);
}

char *gilkd_read_kernel_log(int *length)
{
	char *text = malloc(LOG_MAX + 1);
	int error;

	if (!text)
		return NULL;
	*length = klogctl(SYSLOG_READ_ALL, text, LOG_MAX);
	if (*length < 0) {
		error = errno;
		free(text);
		errno = error;
		return NULL;
	}
	text[*length] = '\0';

	return text;
}

void gilkd_do_kernel_log(struct gilkd_client *client, uint8_t *payload, size_t length)
{
	int got;
	char *text = gilkd_read_kernel_log(&got);

	if (text)
		gilkd_answer(client, text, got);
	else
		gilkd_fail(client, errno, "Cannot read the kernel log: %s; run the agent as root.", strerror(errno));
	free(text);
}
