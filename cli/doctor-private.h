/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * doctor-private.h - what the doctor's checks share
 */
#pragma once

#include "cli/doctor-checks.h"

G_BEGIN_DECLS

typedef struct {
  GArray     *checks;
  GHashTable *facts;
  const char *name;            /* of the check that is being made */
} Doctor;

/* A row of a table of checks: it says once at most, and nothing where its facts are not known. */
typedef struct {
  const char *name;            /* stable, for JSON */
  void      (*judge) (Doctor *doctor);
} DoctorRow;

const char *doctor_fact (const Doctor *doctor, const char *key);
gboolean    doctor_is   (const Doctor *doctor, const char *key, const char *value);
/* Is it one of the words of a fact? */
gboolean    doctor_has  (const Doctor *doctor, const char *key, const char *word);
/* 0: not known, or none */
guint64     doctor_number (const Doctor *doctor, const char *key);
/* All are copied. @remedy, @command: (nullable) */
void        doctor_say  (Doctor *doctor, CliCheckState state, const char *value, const char *remedy,
                         const char *command);

/* ---- doctor-modules.c: what may be loaded, and what it is built with ---- */
void doctor_lockdown    (Doctor *doctor);
void doctor_secure_boot (Doctor *doctor);
void doctor_modules     (Doctor *doctor);
void doctor_signatures  (Doctor *doctor);
void doctor_driver      (Doctor *doctor);
void doctor_headers     (Doctor *doctor);
void doctor_compiler    (Doctor *doctor);

/* ---- doctor-machine.c: the machine, and who else changes its kernel ---- */
void doctor_taint       (Doctor *doctor);
void doctor_others      (Doctor *doctor);
void doctor_untried     (Doctor *doctor);
void doctor_mitigations (Doctor *doctor);
void doctor_memory      (Doctor *doctor);
void doctor_processors  (Doctor *doctor);
void doctor_preemption  (Doctor *doctor);
void doctor_clock       (Doctor *doctor);

/* ---- doctor-events.c ---- */
void doctor_counters     (Doctor *doctor);
void doctor_crash_kernel (Doctor *doctor);

G_END_DECLS
