// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-modules.c - loads ilk and the instruments
 *
 * From a few fixed folders, loads only ilk itself and modules that depend on ilk: a name in a
 * request can only choose among these modules. The dependencies of a compressed file cannot be
 * read: only its name is checked, for the prefix of Gilk's modules.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "gilkd-files.h"
#include "gilkd-modules.h"

#define LIST_MAX	(64u << 10)
#define MODULE_FILE_MAX	(64l << 20)
#define COMPRESSED_FILE	4	/* MODULE_INIT_COMPRESSED_FILE of linux/module.h, since 5.17 */

static const char *const folders[] = {
	"/usr/lib/gilk/modules/%s",
	"/lib/modules/%s/updates/gilk",
	"/lib/modules/%s/updates/dkms",
	"/lib/modules/%s/extra/gilk",
	"/lib/modules/%s/extra",
};

#define FOLDER_COUNT	(sizeof(folders) / sizeof(folders[0]))

static void get_folder_path(size_t i, char *path, size_t size)
{
	struct utsname name;

	snprintf(path, size, folders[i], uname(&name) ? "unknown" : name.release);
}

/* Returns whether @list, a .modinfo string "depends=a,b" that ends before @end, names ilk. */
static bool depends_on_ilk(const char *list, const char *end)
{
	while (list < end && *list) {
		size_t length = strcspn(list, ",");

		if (length == 3 && !memcmp(list, "ilk", 3))
			return true;
		list += length;
		if (*list == ',')
			list++;
	}

	return false;
}

/*
 * Returns whether the file of a module lists ilk as a dependency, as instruments call functions of
 * ilk.
 */
static bool is_instrument(const char *path)
{
	static const char key[] = "depends=";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	char *bytes;
	const char *at;
	bool found = false;

	if (fd < 0)
		return false;
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size > MODULE_FILE_MAX) {
		close(fd);
		return false;
	}

	bytes = malloc(st.st_size + 1);
	if (bytes && read(fd, bytes, st.st_size) == st.st_size) {
		bytes[st.st_size] = '\0';
		at = memmem(bytes, st.st_size, key, sizeof(key) - 1);
		found = at && depends_on_ilk(at + sizeof(key) - 1, bytes + st.st_size);
	}
	free(bytes);
	close(fd);

	return found;
}

static const char *const prefixes[] = { "ilk_", "ilk-", "" };
static const char *const suffixes[] = { ".ko", ".ko.xz", ".ko.zst", ".ko.gz" };

#define PREFIX_COUNT	(sizeof(prefixes) / sizeof(prefixes[0]))
#define SUFFIX_COUNT	(sizeof(suffixes) / sizeof(suffixes[0]))

/*
 * Returns where the suffix of a module's file name starts, such as ".ko.xz", or NULL if there is
 * none.
 */
static const char *find_suffix(const char *file)
{
	size_t length = strlen(file), s;

	for (s = 0; s < SUFFIX_COUNT; s++) {
		size_t end = strlen(suffixes[s]);

		if (length > end && !strcmp(file + length - end, suffixes[s]))
			return file + length - end;
	}

	return NULL;
}

static bool is_compressed(const char *file)
{
	const char *suffix = find_suffix(file);

	return suffix && strcmp(suffix, ".ko");
}

/* Returns the length of the prefix of Gilk's modules if the file's name starts with it, else 0. */
static size_t get_prefix_length(const char *file)
{
	size_t p;

	for (p = 0; strncmp(file, prefixes[p], strlen(prefixes[p])); p++)
		;

	return strlen(prefixes[p]);
}

/*
 * Returns whether a client may load the module @path: it must be an instrument, and not an arena
 * module.
 */
static bool may_load_module(const char *path)
{
	const char *file = strrchr(path, '/') + 1;
	size_t prefix = get_prefix_length(file);

	if (prefix && !strncmp(file + prefix, "arena", 5))
		return false;
	return is_compressed(path) ? prefix > 0 : is_instrument(path);
}

/* Finds NAME.ko, with or without Gilk's prefix, compressed or not. Returns 0 or an errno. */
static int find_module_file(const char *name, bool instrument, char *path, size_t size)
{
	char folder[160];
	size_t f, p, s;

	for (f = 0; f < FOLDER_COUNT; f++) {
		get_folder_path(f, folder, sizeof(folder));
		for (p = instrument ? 0 : PREFIX_COUNT - 1; p < PREFIX_COUNT; p++) {
			for (s = 0; s < SUFFIX_COUNT; s++) {
				snprintf(path, size, "%s/%s%s%s", folder, prefixes[p], name,
					 suffixes[s]);
				if (!access(path, F_OK) && (!instrument || may_load_module(path)))
					return 0;
			}
		}
	}

	return ENOENT;
}

/* Finds the file of one of the driver's modules ("ilk", "ilk-arena"). Returns 0 or an errno. */
int gilkd_module_file(const char *name, char *path, size_t size)
{
	return find_module_file(name, false, path, size);
}

/*
 * Answers the request when loading @path failed with EPERM: finds out which of the possible causes
 * applies.
 */
static void fail_not_permitted(struct gilkd_client *client, const char *path)
{
	if (gilkd_file_has_word("/proc/sys/kernel/modules_disabled", "1")) {
		gilkd_fail(client, EPERM, "The kernel loads no modules until the next boot, so "
					  "%s cannot be loaded; boot without "
					  "kernel.modules_disabled=1, or use a lab.", path);
		return;
	}
	gilkd_fail(client, EPERM, "The kernel does not allow loading %s; run the agent as root, "
				  "outside of containers.", path);
}

/*
 * Answers the request if lockdown forbids loading @path. Returns whether it does. Also called for a
 * bad signature, which the kernel reports before it checks lockdown: under lockdown, a valid
 * signature would not help.
 */
static bool fail_locked_down(struct gilkd_client *client, const char *path, int error)
{
	const char *kind = error == EPERM || error == ENOKEY || error == EKEYREJECTED ? gilkd_get_lockdown() : NULL;

	if (kind)
		gilkd_fail(client, error, "The kernel is locked down (%s) against modification, "
					  "so it does not load %s, signed or not; boot without "
					  "Secure Boot or without lockdown=, or use a lab.", kind,
			   path);
	return kind;
}

/*
 * Answers the request with the reason that the driver wrote last to the kernel log. Returns whether
 * there is one.
 */
static bool fail_with_logged_reason(struct gilkd_client *client, int error)
{
	static const char mark[] = "ilk: not loaded: ";
	char *reason = NULL;
	int length;
	char *text = gilkd_read_kernel_log(&length);
	bool found;

	for (char *at = text; at && (at = strstr(at, mark)); )
		reason = at += strlen(mark);
	found = reason;
	if (found) {
		reason[strcspn(reason, "\n")] = '\0';
		gilkd_fail(client, error, "The driver does not load here: %s.", reason);
	}
	free(text);

	return found;
}

void gilkd_fail_load(struct gilkd_client *client, const char *path, int error)
{
	struct utsname name;

	uname(&name);
	if (error == EOPNOTSUPP && strstr(path, "/ilk.ko") && fail_with_logged_reason(client, error))
		return;
	if (is_compressed(path) && (error == EOPNOTSUPP || error == EINVAL)) {
		gilkd_fail(client, error, "%s is compressed, and this kernel (%s) cannot "
					  "decompress it; decompress it in place (xz -d, zstd -d "
					  "or gzip -d) and run depmod.", path, name.release);
		return;
	}
	if (fail_locked_down(client, path, error))
		return;
	switch (error) {
	case EPERM:
		fail_not_permitted(client, path);
		break;
	case ENOKEY:
	case EKEYREJECTED:
		gilkd_fail(client, error, "The kernel loads only signed modules, and %s is not "
					  "signed with a key that it trusts; enrol a key as gilk "
					  "doctor describes.", path);
		break;
	case ENOEXEC:
	case EINVAL:
		gilkd_fail(client, error, "%s was built for another kernel than %s, or is damaged; "
					  "rebuild it against the headers of this kernel.",
			   path, name.release);
		break;
	case ENOENT:
		gilkd_fail(client, error, "%s needs a symbol that this kernel does not export; "
					  "load the driver first, and make sure that both are of "
					  "the same build.", path);
		break;
	default:
		gilkd_fail(client, error, "Cannot load %s: %s; see the end of the kernel log for "
					  "the reason.", path, strerror(error));
	}
}

/*
 * Loads the module in the file @path, and writes this to the audit log. Returns 0 or an errno;
 * EEXIST: it is loaded already.
 */
int gilkd_module_load(struct gilkd_audit *audit, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int error = 0;

	if (fd < 0 || syscall(SYS_finit_module, fd, "",
			      is_compressed(path) ? COMPRESSED_FILE : 0))
		error = errno;
	if (fd >= 0)
		close(fd);
	if (!error)
		gilkd_audit_log(audit, "loaded the module %s", path);
	else if (error != EEXIST)
		gilkd_audit_log(audit, "could not load the module %s: %s", path, strerror(error));

	return error;
}

/*
 * Loads a module. Succeeds if the module is loaded already. Answers the request if loading
 * fails.
 */
bool gilkd_load_or_fail(struct gilkd_client *client, const char *path)
{
	int error = gilkd_module_load(&client->audit, path);

	if (!error || error == EEXIST)
		return true;

	gilkd_fail_load(client, path, error);
	return false;
}

/*
 * Unloads a module, and writes this to the audit log. Returns 0 or an errno; EWOULDBLOCK: the
 * module is in use.
 */
int gilkd_module_unload(struct gilkd_audit *audit, const char *name)
{
	if (syscall(SYS_delete_module, name, O_NONBLOCK))
		return errno;

	gilkd_audit_log(audit, "unloaded the module %s", name);
	return 0;
}

/* Unloads a module. Answers the request if this fails. */
bool gilkd_unload_or_fail(struct gilkd_client *client, const char *module)
{
	int error = gilkd_module_unload(&client->audit, module);

	if (!error)
		return true;
	if (error == ENOENT)
		gilkd_fail(client, error, "Module %s is not loaded; there is nothing to unload.",
			   module);
	else if (error == EAGAIN || error == EBUSY || error == EWOULDBLOCK)
		gilkd_fail(client, EBUSY, "Module %s is in use; disarm the hooks that need it "
					  "and try again.", module);
	else
		gilkd_fail(client, error, "Cannot unload module %s: %s; run the agent as root.",
			   module, strerror(error));
	return false;
}

/*
 * Copies an instrument's name as users see it: the name of its file without prefix and suffix.
 * Returns false if the file is not an instrument.
 */
static bool copy_shown_name(const char *folder, const char *file, char *name, size_t size)
{
	const char *suffix = find_suffix(file);
	size_t prefix = suffix ? get_prefix_length(file) : 0;
	char path[512];

	if (!suffix || suffix <= file + prefix || suffix - file >= (long)size)
		return false;
	if (snprintf(path, sizeof(path), "%s/%s", folder, file) >= (int)sizeof(path) ||
	    !may_load_module(path))
		return false;
	snprintf(name, size, "%.*s", (int)(suffix - file - prefix), file + prefix);

	return true;
}

void gilkd_do_instrument_files(struct gilkd_client *client, uint8_t *payload, size_t length)
{
	char *list = calloc(1, LIST_MAX);
	size_t used = 0, f;

	for (f = 0; list && f < FOLDER_COUNT; f++) {
		char folder[160], name[GILKD_NAME_MAX];
		struct dirent *entry;
		DIR *dir;

		get_folder_path(f, folder, sizeof(folder));
		dir = opendir(folder);
		while (dir && (entry = readdir(dir))) {
			if (!copy_shown_name(folder, entry->d_name, name, sizeof(name)))
				continue;
			if (used + strlen(name) + 1 < LIST_MAX)
				used += sprintf(list + used, "%s\n", name);
		}
		if (dir)
			closedir(dir);
	}
	if (list)
		gilkd_answer(client, list, used);
	else
		gilkd_fail(client, ENOMEM, "The agent is out of memory; free some on the target.");
	free(list);
}

void gilkd_do_instrument_load(struct gilkd_client *client, uint8_t *payload, size_t length)
{
	char name[GILKD_NAME_MAX], path[256];

	if (!gilkd_copy_name(client, payload, length, name))
		return;
	if (find_module_file(name, true, path, sizeof(path))) {
		gilkd_fail(client, ENOENT, "There is no instrument \"%s\" on the target; choose "
					   "one of those that gilk doctor lists, or install its "
					   "module.", name);
		return;
	}
	if (gilkd_load_or_fail(client, path))
		gilkd_answer(client, NULL, 0);
}

void gilkd_do_instrument_unload(struct gilkd_client *client, uint8_t *payload, size_t length)
{
	char name[GILKD_NAME_MAX], path[256];
	const char *base;
	char *c;

	if (!gilkd_copy_name(client, payload, length, name))
		return;
	if (find_module_file(name, true, path, sizeof(path))) {
		gilkd_fail(client, ENOENT, "There is no instrument \"%s\" on the target; choose "
					   "one of those that gilk doctor lists.", name);
		return;
	}
	/*
	 * The kernel writes a module's name with underscores, and the file name may have hyphens.
	 */
	base = strrchr(path, '/') + 1;
	snprintf(name, sizeof(name), "%.*s", (int)(find_suffix(base) - base), base);
	for (c = name; *c; c++)
		if (*c == '-')
			*c = '_';
	if (gilkd_unload_or_fail(client, name))
		gilkd_answer(client, NULL, 0);
}
