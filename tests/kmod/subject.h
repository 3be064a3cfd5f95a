/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * subject.h - interface to the functions that tests change
 *
 * The ioctl GILK_SUBJECT_CALL of /dev/gilk_subject calls the function @kind with @in; @out is its
 * result.
 */
#ifndef GILK_SUBJECT_H
#define GILK_SUBJECT_H

#include <linux/ioctl.h>

struct gilk_subject_call {
	int kind;
	int in;
	int out;
	int entered;		/* number of calls of gilk_subject_add() so far */
};

enum {
	GILK_SUBJECT_ADD,	/* gilk_subject_add(in, 3) */
	GILK_SUBJECT_TWICE,	/* gilk_subject_twice(in): gilk_subject_add(in, in) + 1 */
	GILK_SUBJECT_SIGN,	/* gilk_subject_sign(in): -1 or 1 */
	GILK_SUBJECT_LEVEL,	/* gilk_subject_level(): the level of gilk_subject_state */
	GILK_SUBJECT_KINDS,
};

#define GILK_SUBJECT_CALL	_IOWR('g', 1, struct gilk_subject_call)

#endif /* GILK_SUBJECT_H */
