/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * control-change.c - calls a function of tests/kmod/subject.c, and prints the returned values
 *
 *   control-change KIND IN COUNT [PAUSE_US]
 *
 * Prints "pid N"; then a line "VALUE TIMES" for each returned value; then "entered N", the number
 * of times that gilk_subject_add() was entered during the calls, by any process.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tests/kmod/subject.h"

#define VALUES 64

static struct { int value; long times; } tally[VALUES];

static int count_value(int value)
{
	int i;

	for (i = 0; i < VALUES; i++) {
		if (tally[i].times && tally[i].value != value)
			continue;
		tally[i].value = value;
		tally[i].times++;
		return 0;
	}
	return -1;
}

int main(int argc, char **argv)
{
	struct gilk_subject_call call = { 0 };
	long i, count = argc > 3 ? atol(argv[3]) : 0, pause = argc > 4 ? atol(argv[4]) : 0;
	int device = open("/dev/gilk_subject", O_RDWR), first = -1;

	if (argc < 4 || device < 0) {
		perror("control-change");
		return 1;
	}
	printf("pid %d\n", getpid());
	fflush(stdout);
	for (i = 0; i < count; i++) {
		call.kind = atoi(argv[1]);
		call.in = atoi(argv[2]);
		if (ioctl(device, GILK_SUBJECT_CALL, &call) || count_value(call.out)) {
			perror("control-change: call");
			return 1;
		}
		if (first < 0)
			first = call.entered;
		if (pause)
			usleep(pause);
	}
	for (i = 0; i < VALUES && tally[i].times; i++)
		printf("%d %ld\n", tally[i].value, tally[i].times);
	printf("entered %d\n", call.entered - first);
	return 0;
}
