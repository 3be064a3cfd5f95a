/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ilk-call.h - code of hooks that is called as a function: ILK_PATCH_CALLED
 */
#ifndef ILK_CALL_H
#define ILK_CALL_H

#include "ilk-internal.h"

struct pt_regs;

/**
 * ilk_call() - run the code in a slot
 * @facts: of a watch's; else NULL
 * @follows: it may follow addresses of the process as it finds them
 * Context: Any. The patch is ARMED, and stays.
 */
void ilk_call(const struct ilk_slot *slot, struct pt_regs *regs, const struct ilk_watch_facts *facts, bool follows);

#endif /* ILK_CALL_H */
