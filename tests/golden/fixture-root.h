/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fixture-root.h - included before each file of gilkd: makes gilkd read its files below a folder
 *
 * So the doctor can be tested on machines with one defect each. The installed agent is not
 * affected: it reads fixed files.
 */
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

int fixture_open(const char *path, int flags);
FILE *fixture_fopen(const char *path, const char *mode);
int fixture_access(const char *path, int mode);
DIR *fixture_opendir(const char *path);
ssize_t fixture_readlink(const char *path, char *out, size_t size);
int fixture_uname(struct utsname *name);
uid_t fixture_geteuid(void);

struct gilkd_prober;
int gilkd_bpf_try(struct gilkd_prober *prober);

#define open(path, flags)		fixture_open(path, flags)
#define fopen(path, mode)		fixture_fopen(path, mode)
#define access(path, mode)		fixture_access(path, mode)
#define opendir(path)			fixture_opendir(path)
#define readlink(path, out, size)	fixture_readlink(path, out, size)
#define uname(name)			fixture_uname(name)
#define geteuid()			fixture_geteuid()

/* Hides the event counters of the machine that runs the test. */
#undef SYS_perf_event_open
#define SYS_perf_event_open		(-1)
