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
  const char *name;            /* name of the check that is running */
} GilkDoctor;

/* A row of the table of checks. A check reports at most one result, and none if the facts that it
 * uses are unknown. */
typedef struct {
  const char *name;            /* name of the check in JSON, which never changes */
  void      (*check) (GilkDoctor *doctor);
} GilkDoctorRow;

const char *gilk_doctor_fact (const GilkDoctor *doctor, const char *key);
gboolean    gilk_doctor_fact_is   (const GilkDoctor *doctor, const char *key, const char *value);
/* Returns TRUE if the value of fact @key contains @word. */
gboolean    gilk_doctor_fact_has  (const GilkDoctor *doctor, const char *key, const char *word);
/* Returns the value of fact @key as a number; 0 if the fact is unknown. */
guint64     gilk_doctor_fact_number (const GilkDoctor *doctor, const char *key);
/* Appends the result of the current check. All strings are copied. @remedy, @command: (nullable) */
void        gilk_doctor_report  (GilkDoctor *doctor, GilkCheckState state, const char *value, const char *remedy,
                         const char *command);

G_END_DECLS
