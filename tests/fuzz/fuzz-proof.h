/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-proof.h - an independent machine that judges accepted code: decoded by Capstone,
 * single-stepped
 */
#pragma once

#include "core/program/gilk-proof.h"

/*
 * Runs @what once with random registers, flags and memory; loads may fault.
 * Returns: NULL, or the rule that was broken
 */
const char *fuzz_proof_judge (const GilkProofCase *what, GRand *rand);
