/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-doctor-private.h - interfaces between the doctor's files
 */
#pragma once

#include "core/doctor/gilk-doctor.h"

G_BEGIN_DECLS

typedef struct {
  GArray     *checks;
  GHashTable *facts;
  const char *name;            /* name of the current check */
} GilkDoctor;

/* A row of the table of checks. A check reports at most once, and nothing if its facts are
 * unknown. */
typedef struct {
  const char *name;            /* stable name, for JSON */
  void      (*check) (GilkDoctor *doctor);
} GilkDoctorRow;

const char *gilk_doctor_fact (const GilkDoctor *doctor, const char *key);
gboolean    gilk_doctor_fact_is   (const GilkDoctor *doctor, const char *key, const char *value);
/* Returns TRUE if the value of fact @key contains @word. */
gboolean    gilk_doctor_fact_has  (const GilkDoctor *doctor, const char *key, const char *word);
/* Returns the fact as a number; 0 if it is unknown. */
guint64     gilk_doctor_fact_number (const GilkDoctor *doctor, const char *key);
/* Appends a result. All strings are copied. @remedy, @command: (nullable) */
void        gilk_doctor_report  (GilkDoctor *doctor, GilkCheckState state, const char *value, const char *remedy,
                         const char *command);

/* ---- gilk-doctor-modules.c: loading and building the driver ---- */
void gilk_doctor_check_lockdown    (GilkDoctor *doctor);
void gilk_doctor_check_secure_boot (GilkDoctor *doctor);
void gilk_doctor_check_modules     (GilkDoctor *doctor);
void gilk_doctor_check_signatures  (GilkDoctor *doctor);
void gilk_doctor_check_driver      (GilkDoctor *doctor);
void gilk_doctor_check_headers     (GilkDoctor *doctor);
void gilk_doctor_check_compiler    (GilkDoctor *doctor);

/* ---- gilk-doctor-machine.c: the machine, and other tools that change its kernel ---- */
void gilk_doctor_check_taint       (GilkDoctor *doctor);
void gilk_doctor_check_other_tools (GilkDoctor *doctor);
void gilk_doctor_check_integrity   (GilkDoctor *doctor);
void gilk_doctor_check_untested    (GilkDoctor *doctor);
void gilk_doctor_check_mitigations (GilkDoctor *doctor);
void gilk_doctor_check_memory      (GilkDoctor *doctor);
void gilk_doctor_check_processors  (GilkDoctor *doctor);
void gilk_doctor_check_preemption  (GilkDoctor *doctor);
void gilk_doctor_check_clock       (GilkDoctor *doctor);

/* ---- gilk-doctor-events.c ---- */
void gilk_doctor_check_counters     (GilkDoctor *doctor);
void gilk_doctor_check_crash_kernel (GilkDoctor *doctor);

G_END_DECLS
