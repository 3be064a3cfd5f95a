/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz-proof.h - a machine of its own to judge code that was accepted: decoded by Capstone, one step at a time
 */
#pragma once

#include "core/program/gilk-proof.h"

/*
 * Runs @what once with random registers, flags and memory; loads may fault.
 * Returns: NULL, or which rule was broken
 */
const char *fuzz_proof_judge (const GilkProofCase *what, GRand *rand);
