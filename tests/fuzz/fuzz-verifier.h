/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-verifier.h - runs accepted code on a simulated CPU that is independent of the verifier
 */
#pragma once

#include "core/verify/gilk-verify.h"

/* Runs the code of @what once with random registers, flags and memory; loads may fault. Returns:
 * (nullable): the rule that the code broke */
const char *fuzz_verifier_interpret (const GilkVerifyInput *what, GRand *rand);
