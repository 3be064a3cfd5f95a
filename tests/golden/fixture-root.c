// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fixture-root.c - linked into an agent of the tests: makes gilkd read its files below the folder
 * $GILK_FIXTURE_ROOT
 *
 * So the doctor can be tested on machines with one defect each. The installed agent is not
 * affected: it reads fixed files.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

/* Calls of f() in gilkd are linked to __wrap_f(); the original function is called __real_f(). See
 * --wrap in ld(1). */
int __real_open64(const char *path, int flags, ...);
FILE *__real_fopen64(const char *path, const char *mode);
int __real_access(const char *path, int mode);
DIR *__real_opendir(const char *path);
ssize_t __real_readlink(const char *path, char *out, size_t size);
long __real_syscall(long number, long a, long b, long c, long d, long e, long f);

int __wrap_open64(const char *path, int flags, ...);
FILE *__wrap_fopen64(const char *path, const char *mode);
int __wrap_access(const char *path, int mode);
DIR *__wrap_opendir(const char *path);
ssize_t __wrap_readlink(const char *path, char *out, size_t size);
int __wrap_uname(struct utsname *name);
uid_t __wrap_geteuid(void);
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f);

struct gilkd_prober;
int gilkd_bpf_try(struct gilkd_prober *prober);

static const char *under_root(const char *path, char whole[PATH_MAX])
{
	const char *root = getenv("GILK_FIXTURE_ROOT");

	snprintf(whole, PATH_MAX, "%s%s", root ? root : "/nonexistent", path);
	return whole;
}

int __wrap_open64(const char *path, int flags, ...)
{
	char whole[PATH_MAX];

	return __real_open64(under_root(path, whole), flags);
}

FILE *__wrap_fopen64(const char *path, const char *mode)
{
	char whole[PATH_MAX];

	return __real_fopen64(under_root(path, whole), mode);
}

int __wrap_access(const char *path, int mode)
{
	char whole[PATH_MAX];

	return __real_access(under_root(path, whole), mode);
}

DIR *__wrap_opendir(const char *path)
{
	char whole[PATH_MAX];

	return __real_opendir(under_root(path, whole));
}

ssize_t __wrap_readlink(const char *path, char *out, size_t size)
{
	char whole[PATH_MAX];

	return __real_readlink(under_root(path, whole), out, size);
}

static void read_word(const char *path, char *out, size_t size)
{
	FILE *file = __wrap_fopen64(path, "re");

	if (!file || !fgets(out, (int)size, file))
		snprintf(out, size, "?");
	if (file)
		fclose(file);
	out[strcspn(out, "\n")] = '\0';
}

int __wrap_uname(struct utsname *name)
{
	memset(name, 0, sizeof(*name));
	read_word("/proc/sys/kernel/osrelease", name->release, sizeof(name->release));
	read_word("/proc/sys/kernel/version", name->version, sizeof(name->version));
	read_word("/proc/sys/kernel/hostname", name->nodename, sizeof(name->nodename));
	read_word("/proc/sys/kernel/arch", name->machine, sizeof(name->machine));

	return 0;
}

/* Returns the error number in the file /bpf of the fixture, as if BPF hooks had failed with this
 * error; 0 if the file does not exist. */
int gilkd_bpf_try(struct gilkd_prober *prober)
{
	char word[16];

	read_word("/bpf", word, sizeof(word));
	return atoi(word);
}

uid_t __wrap_geteuid(void)
{
	char word[16];

	read_word("/euid", word, sizeof(word));
	return strtoul(word, NULL, 10);
}

/* Hides the performance counters of the machine that runs the test. */
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f)
{
	if (number == SYS_perf_event_open) {
		errno = ENOSYS;
		return -1;
	}
	return __real_syscall(number, a, b, c, d, e, f);
}
