// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gilkd-facts-build.c - gathers facts about building and loading modules
 */
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "gilkd-facts.h"
#include "gilkd-files.h"

#define SECURE_BOOT	"/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"
#define SIGNED_MAGIC	"~Module signature appended~\n"
#define MAGIC_BYTES	(sizeof(SIGNED_MAGIC) - 1)
#define SIGNATURE_MAX	(8u << 10)
#define KEYS_MAX	10000
#define CONFIG_LINES	20000
#define COMPILERS_MAX	32
#define COMPILER_NAME	16

/* Size of struct module_signature, which is between the signature and the magic string. */
#define TRAILER_BYTES	12

/* ---- restrictions on loading modules ---------------------------------------------- */

/* Opens the kernel's configuration, which may be compressed. Returns NULL if it is at none of the places
 * where distributions have it. */
static gzFile open_config(const char *release)
{
	static const char *const places[] = {
		"/boot/config-%.100s", "/lib/modules/%.100s/config", "/proc/config.gz",
	};
	char path[160];
	gzFile file;
	size_t i;
	int fd = -1;

	for (i = 0; fd < 0 && i < sizeof(places) / sizeof(places[0]); i++) {
		snprintf(path, sizeof(path), places[i], release);
		fd = open(path, O_RDONLY | O_CLOEXEC);
	}
	if (fd < 0)
		return NULL;
	file = gzdopen(fd, "r");
	if (!file)
		close(fd);
	return file;
}

/* Lists the relevant kernel options that are "=y". */
static void add_config_fact(struct facts *f, const char *release)
{
	static const char *const wanted[] = {
		"MODULE_SIG", "MODULE_SIG_FORCE", "X86_KERNEL_IBT", "CFI_CLANG", "CFI", "FINEIBT",
		"MITIGATION_CALL_DEPTH_TRACKING", "CALL_DEPTH_TRACKING", "RANDSTRUCT",
		"PREEMPT_RT", "LIVEPATCH", "KPROBES", "FUNCTION_TRACER",
	};
	char line[256], words[256] = "", option[64];
	gzFile file = open_config(release);
	size_t i;
	int n;

	if (!file)
		return;
	for (n = 0; n < CONFIG_LINES && gzgets(file, line, sizeof(line)); n++)
		for (i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
			snprintf(option, sizeof(option), "CONFIG_%s=y\n", wanted[i]);
			if (!strcmp(line, option))
				fact_add_word(words, sizeof(words), wanted[i]);
		}
	gzclose(file);
	fact(f, "config", "%s", words);
}

void facts_policy(struct facts *f, const char *release)
{
	char word[64], text[64];
	int fd;

	if (fact_read_bracketed("/sys/kernel/security/lockdown", word, sizeof(word)))
		fact(f, "lockdown", "%s", word);
	/* The file of an EFI variable has four bytes of attributes, then the value. */
	fd = open(SECURE_BOOT, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		if (read(fd, text, 5) == 5)
			fact(f, "secure_boot", "%d", text[4]);
		close(fd);
	}
	fact_file(f, "sig_enforce", "/sys/module/module/parameters/sig_enforce");
	fact_file(f, "modules_disabled", "/proc/sys/kernel/modules_disabled");
	fact_file(f, "kptr_restrict", "/proc/sys/kernel/kptr_restrict");
	add_config_fact(f, release);
}

/* ---- signature of the driver --------------------------------------------------- */

/* Reads the signature at the end of @fd. Returns its size; 0: no signature; -1: it is damaged. */
static int read_signature(int fd, uint8_t *out)
{
	uint8_t tail[TRAILER_BYTES + MAGIC_BYTES];
	off_t end = lseek(fd, 0, SEEK_END);
	uint32_t length;

	if (end < (off_t)sizeof(tail) ||
	    pread(fd, tail, sizeof(tail), end - sizeof(tail)) != sizeof(tail) ||
	    memcmp(tail + TRAILER_BYTES, SIGNED_MAGIC, MAGIC_BYTES))
		return 0;
	length = (uint32_t)tail[8] << 24 | tail[9] << 16 | tail[10] << 8 | tail[11];
	if (!length || length > SIGNATURE_MAX || end < (off_t)(length + sizeof(tail)) ||
	    pread(fd, out, length, end - sizeof(tail) - length) != length)
		return -1;

	return length;
}

/*
 * Copies the name of the issuer of a module's signature, which is the first common name in a PKCS#7
 * message.
 */
static bool copy_common_name(const uint8_t *der, size_t length, char *name, size_t size)
{
	static const uint8_t oid[] = { 0x06, 0x03, 0x55, 0x04, 0x03 };
	const uint8_t *at = memmem(der, length, oid, sizeof(oid));
	size_t left, bytes, i;

	if (!at)
		return false;
	at += sizeof(oid);
	left = der + length - at;
	if (left < 2 || at[1] >= 0x80 || at[1] > left - 2 || at[1] >= size)
		return false;
	bytes = at[1];
	for (i = 0; i < bytes; i++)
		name[i] = isprint(at[2 + i]) ? at[2 + i] : '?';
	name[bytes] = '\0';

	return bytes > 0;
}

/*
 * Reports whether a kernel keyring has a key named @signer. The key need not be trusted for
 * modules.
 */
static void add_key_fact(struct facts *f, const char *signer)
{
	FILE *file = fopen("/proc/keys", "re");
	char line[512];
	bool known = false;
	int n;

	if (!file)
		return;
	for (n = 0; n < KEYS_MAX && !known && fgets(line, sizeof(line), file); n++)
		known = strstr(line, "asymmetri") && strstr(line, signer);
	fclose(file);
	fact(f, "driver_key_known", "%d", known);
}

void facts_signature(struct facts *f, const char *driver)
{
	uint8_t signature[SIGNATURE_MAX];
	const char *suffix = strrchr(driver, '.');
	char name[128];
	int fd, length;

	/* The signature of a compressed file cannot be read. */
	if (!suffix || strcmp(suffix, ".ko"))
		return;
	fd = open(driver, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	length = read_signature(fd, signature);
	close(fd);
	fact(f, "driver_signed", "%d", length > 0);
	if (length > 0 && copy_common_name(signature, length, name, sizeof(name))) {
		fact(f, "driver_signer", "%s", name);
		add_key_fact(f, name);
	}
}

/* ---- build tools ------------------------------------------------- */

/*
 * Adds the version of the compiler that built the kernel: gets "gcc-12 ... 12.2.0" from "Linux
 * version R (who@where) (gcc-12 ... 12.2.0, ...) #1 ..."
 */
static void add_kernel_compiler_fact(struct facts *f)
{
	char text[512], *at, *end;

	if (gilkd_read_small("/proc/version", text, sizeof(text)))
		return;
	at = strstr(text, ") (");
	if (!at)
		return;
	at += 3;
	end = strstr(at, ", ");
	if (end)
		*end = '\0';
	fact(f, "compiler", "%.120s", at);
}

/* Returns whether @name is the name of a compiler: gcc, gcc-12, clang, clang-16. */
static bool is_compiler(const char *name)
{
	if (!strncmp(name, "gcc", 3))
		name += 3;
	else if (!strncmp(name, "clang", 5))
		name += 5;
	else
		return false;
	if (!*name)
		return true;
	if (*name++ != '-' || !*name)
		return false;
	while (isdigit(*name))
		name++;

	return !*name;
}

static int compare_names(const void *a, const void *b)
{
	return strverscmp(a, b);
}

static void add_compilers_fact(struct facts *f)
{
	char names[COMPILERS_MAX][COMPILER_NAME], list[512] = "", link[PATH_MAX];
	DIR *dir = opendir("/usr/bin");
	struct dirent *entry;
	size_t count = 0, i;
	ssize_t length;

	while (dir && count < COMPILERS_MAX && (entry = readdir(dir)))
		if (is_compiler(entry->d_name) && strlen(entry->d_name) < COMPILER_NAME)
			strcpy(names[count++], entry->d_name);
	if (!dir)
		return;
	closedir(dir);
	qsort(names, count, COMPILER_NAME, compare_names);
	for (i = 0; i < count; i++)
		fact_add_word(list, sizeof(list), names[i]);
	fact(f, "compilers", "%s", list);
	length = readlink("/usr/bin/gcc", link, sizeof(link) - 1);
	if (length > 0) {
		link[length] = '\0';
		fact(f, "gcc_default", "%.60s", strrchr(link, '/') ? strrchr(link, '/') + 1 : link);
	}
}

/* Adds the ID of the distribution, such as "debian", from os-release. */
static void add_distro_fact(struct facts *f)
{
	FILE *file = fopen("/etc/os-release", "re");
	char line[128], *value;

	while (file && fgets(line, sizeof(line), file)) {
		if (strncmp(line, "ID=", 3))
			continue;
		value = line + 3 + (line[3] == '"');
		value[strcspn(value, "\"\n")] = '\0';
		fact(f, "distro", "%s", value);
	}
	if (file)
		fclose(file);
}

void facts_build(struct facts *f, const char *release)
{
	static const char *const keys[] = { "/var/lib/dkms/mok.pub", "/var/lib/shim-signed/mok/MOK.der" };
	char path[160];
	size_t i;

	snprintf(path, sizeof(path), "/lib/modules/%.100s/build", release);
	if (!access(path, F_OK))
		fact(f, "headers", "%s", path);
	add_kernel_compiler_fact(f);
	add_compilers_fact(f);
	add_distro_fact(f);
	fact(f, "make", "%d", !access("/usr/bin/make", F_OK));
	fact(f, "dkms", "%d", !access("/usr/sbin/dkms", F_OK) || !access("/usr/bin/dkms", F_OK));
	fact(f, "dkms_ilk", "%d", !access("/var/lib/dkms/ilk", F_OK));
	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (!access(keys[i], F_OK)) {
			fact(f, "mok_key", "%s", keys[i]);
			break;
		}
}
