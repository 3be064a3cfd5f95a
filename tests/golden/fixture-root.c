// SPDX-License-Identifier: GPL-2.0-or-later
/* fixture-root.c - makes gilkd read its files below the folder $GILK_FIXTURE_ROOT */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "fixture-root.h"

#undef open
#undef fopen
#undef access
#undef opendir
#undef readlink
#undef uname
#undef geteuid

static const char *under_root(const char *path, char whole[PATH_MAX])
{
	const char *root = getenv("GILK_FIXTURE_ROOT");

	snprintf(whole, PATH_MAX, "%s%s", root ? root : "/nonexistent", path);
	return whole;
}

int fixture_open(const char *path, int flags)
{
	char whole[PATH_MAX];

	return open(under_root(path, whole), flags);
}

FILE *fixture_fopen(const char *path, const char *mode)
{
	char whole[PATH_MAX];

	return fopen(under_root(path, whole), mode);
}

int fixture_access(const char *path, int mode)
{
	char whole[PATH_MAX];

	return access(under_root(path, whole), mode);
}

DIR *fixture_opendir(const char *path)
{
	char whole[PATH_MAX];

	return opendir(under_root(path, whole));
}

ssize_t fixture_readlink(const char *path, char *out, size_t size)
{
	char whole[PATH_MAX];

	return readlink(under_root(path, whole), out, size);
}

static void read_word(const char *path, char *out, size_t size)
{
	FILE *file = fixture_fopen(path, "re");

	if (!file || !fgets(out, (int)size, file))
		snprintf(out, size, "?");
	if (file)
		fclose(file);
	out[strcspn(out, "\n")] = '\0';
}

int fixture_uname(struct utsname *name)
{
	memset(name, 0, sizeof(*name));
	read_word("/proc/sys/kernel/osrelease", name->release, sizeof(name->release));
	read_word("/proc/sys/kernel/version", name->version, sizeof(name->version));
	read_word("/proc/sys/kernel/hostname", name->nodename, sizeof(name->nodename));
	read_word("/proc/sys/kernel/arch", name->machine, sizeof(name->machine));

	return 0;
}

/* Returns the error number in the file /bpf, as if hooks by BPF met this error; 0 without the
 * file. */
int gilkd_bpf_try(struct gilkd_prober *prober)
{
	char word[16];

	read_word("/bpf", word, sizeof(word));
	return atoi(word);
}

uid_t fixture_geteuid(void)
{
	char word[16];

	read_word("/euid", word, sizeof(word));
	return strtoul(word, NULL, 10);
}
