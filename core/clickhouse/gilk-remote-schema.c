/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-remote-schema.c - creates and checks the tables of a store
 *
 * Statements are sent to each node of a cluster separately, with the same user and HTTP port,
 * because ON CLUSTER needs ZooKeeper. Each statement creates only what does not exist, so that two
 * pushes may run the same statement at the same time; the version is written last.
 */
#include "core/clickhouse/gilk-remote-schema.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "core/base/gilk-error.h"

#define LEDGER_COLUMNS \
  "run UInt64, kind UInt8, block UInt32, attempt UInt64, rows UInt64, digest String, complete UInt8, at_s UInt32"

#define RUN_COLUMNS \
  "run UInt64, attempt UInt64, number UInt32, host String, target String, release String, build_id String, " \
  "boot_id String, title String, started String, zero_unix_ns UInt64, duration_ns UInt64, ended String, " \
  "hooks UInt32, samples UInt64, lost UInt64"

#define HOOK_COLUMNS \
  "run UInt64, attempt UInt64, hook UInt32, label String, function String, module String, block String, " \
  "place String, instrument String, tactic String, addr UInt64, start_ns UInt64, stop_ns UInt64, cost UInt32, " \
  "hits UInt64, hits_known UInt8, stored UInt64, lost UInt64, missed UInt64"

#define FIELD_COLUMNS \
  "run UInt64, attempt UInt64, instrument String, position UInt8, name String, unit String, help String, type UInt8"

#define LOSS_COLUMNS \
  "run UInt64, attempt UInt64, hook UInt32, cpu UInt32, from_ns Int64, to_ns Int64, lost UInt64"

#define GAP_COLUMNS "run UInt64, attempt UInt64, cpu UInt32, from_ns Int64, to_ns Int64, lost UInt64"

#define OFF_COLUMNS "run UInt64, attempt UInt64, hook UInt32, from_ns Int64, to_ns Int64"

#define COUNT_POINT_COLUMNS \
  "run UInt64, block UInt32, attempt UInt64, day Date, hook UInt32, t_ns Int64, hits UInt64"

#define SAMPLE_COLUMNS \
  "run UInt64, block UInt32, attempt UInt64, day Date, hook UInt32, cpu UInt32, t_ns Int64, before_ns Int64, " \
  "predecessor UInt8, has UInt16, " \
  "n0 Int64, n1 Int64, n2 Int64, n3 Int64, n4 Int64, n5 Int64, n6 Int64, n7 Int64, n8 Int64, n9 Int64, n10 Int64, " \
  "n11 Int64, s0 String, s1 String, s2 String, s3 String, s4 String, s5 String, s6 String, s7 String, s8 String, " \
  "s9 String, s10 String, s11 String"

G_STATIC_ASSERT (GILK_REMOTE_FIELDS == 12);

typedef struct {
  const char *name, *columns, *order, *shard_by;
  const char *partition;            /* PARTITION BY clause of the table's CREATE statement, or "" */
} Table;

static const Table tables[] = {
  { "gilk_ledger", LEDGER_COLUMNS, "(run, kind, block)", "cityHash64(run, block)", "" },
  { "gilk_run", RUN_COLUMNS, "run", "cityHash64(run)", "" },
  { "gilk_hook", HOOK_COLUMNS, "(run, hook)", "cityHash64(run)", "" },
  { "gilk_field", FIELD_COLUMNS, "(run, instrument, position)", "cityHash64(run)", "" },
  { "gilk_loss", LOSS_COLUMNS, "(run, hook, from_ns)", "cityHash64(run)", "" },
  { "gilk_gap", GAP_COLUMNS, "(run, cpu, from_ns)", "cityHash64(run)", "" },
  { "gilk_off", OFF_COLUMNS, "(run, hook, from_ns)", "cityHash64(run)", "" },
  { "gilk_count_point", COUNT_POINT_COLUMNS, "(run, hook, t_ns)", "cityHash64(run, block)", " PARTITION BY toYYYYMM(day)" },
  { "gilk_sample", SAMPLE_COLUMNS, "(run, hook, t_ns)", "cityHash64(run, block)", " PARTITION BY toYYYYMM(day)" },
};

typedef struct {
  char    *cluster;                 /* name of the cluster; NULL: none */
  GPtrArray *hosts;                 /* distinct hosts of the cluster's nodes; empty without a
                                     * cluster */
  gboolean replicated;
} Layout;

static void
layout_clear (Layout *layout)
{
  g_clear_pointer (&layout->cluster, g_free);
  g_clear_pointer (&layout->hosts, g_ptr_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Layout, layout_clear)

/* ---- checks existing tables ---- */

/* Returns whether the database has a table of this name. */
static gboolean
has_table (GilkRemote *remote, const char *name, gboolean *has, GError **error)
{
  g_autofree char *sql = g_strdup_printf ("SELECT count() FROM system.tables WHERE database = '%s' AND name = '%s'",
                                          gilk_remote_url (remote)->database, name);
  g_autoptr(GilkRemoteRows) rows = gilk_remote_query (remote, "u", sql, error);

  if (rows == NULL)
    return FALSE;
  *has = rows->n == 1 && gilk_remote_rows_uint (rows, 0, 0) > 0;

  return TRUE;
}

static gboolean
refuse_version (const GilkRemote *remote, uint64_t version, GError **error)
{
  return gilk_fail (error, GILK_ERROR_PROTOCOL,
      _("The tables of database \"%s\" at %s have schema version %" PRIu64 ", and this Gilk supports version "
        "%d. Use %s, or another database."), gilk_remote_url (remote)->database,
      gilk_remote_name (remote), version, GILK_REMOTE_SCHEMA,
      version > GILK_REMOTE_SCHEMA ? _("a newer Gilk") : _("an older Gilk"));
}

/* Reads the version of the schema. @found: (out): FALSE if the store is empty. */
static gboolean
read_version (GilkRemote *remote, gboolean *found, GError **error)
{
  const char *database = gilk_remote_url (remote)->database;
  g_autofree char *sql = g_strdup_printf ("SELECT DISTINCT toUInt64(version) FROM %s.gilk_schema ORDER BY 1", database);
  g_autoptr(GilkRemoteRows) rows = NULL;

  if (!has_table (remote, "gilk_schema", found, error))
    return FALSE;
  if (!*found)
    return TRUE;
  rows = gilk_remote_query (remote, "u", sql, error);
  if (rows == NULL)
    return FALSE;
  for (guint i = 0; i < rows->n; i++)
    if (gilk_remote_rows_uint (rows, i, 0) != GILK_REMOTE_SCHEMA)
      return refuse_version (remote, gilk_remote_rows_uint (rows, i, 0), error);
  *found = rows->n > 0;             /* also FALSE if a push died before it wrote the version */

  return TRUE;
}

gboolean
gilk_remote_schema_check (GilkRemote *remote,
                          GError    **error)
{
  gboolean found;

  if (!read_version (remote, &found, error))
    return FALSE;
  if (!found)
    g_set_error (error, GILK_ERROR, GILK_ERROR_NOT_FOUND,
                 _("Database \"%s\" at %s has no pushed runs yet. Push some with \"gilk push SESSION URL\", or give "
                   "the right database after the host."), gilk_remote_url (remote)->database, gilk_remote_name (remote));

  return found;
}

/* ---- chooses the cluster ---- */

static gboolean
refuse_ambiguous_cluster (const GilkRemote *remote, const GilkRemoteRows *rows, GError **error)
{
  g_autoptr(GString) names = g_string_new (NULL);

  for (guint i = 0; i < rows->n; i++)
    g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", gilk_remote_rows_text (rows, i, 0));
  return gilk_fail (error, GILK_ERROR_AMBIGUOUS,
      _("The server at %s is in several clusters: %s. Select one by \"?cluster=NAME\" at the end of the URL, "
        "or none by \"?cluster=\"."), gilk_remote_name (remote), names->str);
}

/* Chooses the cluster named in the URL, else the server's only cluster with more than one node. */
static gboolean
choose_cluster (GilkRemote *remote, char **cluster, GError **error)
{
  const char *wanted = gilk_remote_url (remote)->cluster;
  g_autoptr(GilkRemoteRows) rows = NULL;

  if (wanted != NULL && *wanted == '\0')
    return TRUE;
  rows = gilk_remote_query (remote, "su", "SELECT cluster, toUInt64(count()) FROM system.clusters GROUP BY cluster "
                            "HAVING max(is_local) = 1 AND count() > 1 ORDER BY cluster", error);
  if (rows == NULL)
    return FALSE;
  if (wanted == NULL && rows->n > 1)
    return refuse_ambiguous_cluster (remote, rows, error);
  if (wanted == NULL)
    *cluster = rows->n > 0 ? g_strdup (gilk_remote_rows_text (rows, 0, 0)) : NULL;
  else
    *cluster = g_strdup (wanted);

  return TRUE;
}

static gboolean
list_hosts (GilkRemote *remote, Layout *layout, GError **error)
{
  g_autofree char *sql = g_strdup_printf ("SELECT DISTINCT host_name FROM system.clusters WHERE cluster = '%s' "
                                          "ORDER BY 1", layout->cluster);
  g_autoptr(GilkRemoteRows) rows = gilk_remote_query (remote, "s", sql, error);

  if (rows == NULL)
    return FALSE;
  for (guint i = 0; i < rows->n; i++)
    g_ptr_array_add (layout->hosts, g_strdup (gilk_remote_rows_text (rows, i, 0)));
  if (rows->n > 0)
    return TRUE;
  return gilk_fail (error, GILK_ERROR_NOT_FOUND,
      _("The server at %s has no cluster \"%s\". List its clusters with \"SELECT DISTINCT cluster FROM "
        "system.clusters\"."), gilk_remote_name (remote), layout->cluster);
}

static gboolean
find_replication (GilkRemote *remote, Layout *layout, GError **error)
{
  g_autoptr(GilkRemoteRows) rows = gilk_remote_query (remote, "uu",
    "SELECT (SELECT count() FROM system.tables WHERE database = 'system' AND name = 'zookeeper'), "
    "(SELECT count() FROM system.macros WHERE macro IN ('shard', 'replica'))", error);

  if (rows == NULL)
    return FALSE;
  layout->replicated = rows->n == 1 && gilk_remote_rows_uint (rows, 0, 0) == 1 && gilk_remote_rows_uint (rows, 0, 1) == 2;

  return TRUE;
}

static gboolean
find_layout (GilkRemote *remote, Layout *layout, GError **error)
{
  layout->hosts = g_ptr_array_new_with_free_func (g_free);

  return choose_cluster (remote, &layout->cluster, error) &&
         (layout->cluster == NULL ||
          (list_hosts (remote, layout, error) && find_replication (remote, layout, error)));
}

/* ---- creates tables ---- */

static gboolean G_GNUC_PRINTF (3, 4)
execute_format (GilkRemote *remote, GError **error, const char *format, ...)
{
  g_autofree char *sql = NULL;
  va_list args;

  va_start (args, format);
  sql = g_strdup_vprintf (format, args);
  va_end (args);

  return gilk_remote_execute (remote, sql, error);
}

static gboolean
make_rows (GilkRemote *remote, const Layout *layout, const Table *table, GError **error)
{
  const char *database = gilk_remote_url (remote)->database, *suffix = layout->cluster != NULL ? "_shard" : "";
  g_autofree char *engine = layout->replicated
    ? g_strdup_printf ("ReplicatedMergeTree('/clickhouse/tables/{shard}/%s.%s%s', '{replica}')", database,
                       table->name, suffix)
    : g_strdup ("MergeTree");

  return execute_format (remote, error, "CREATE TABLE IF NOT EXISTS %s.%s%s (%s) ENGINE = %s%s ORDER BY %s", database,
                         table->name, suffix, table->columns, engine, table->partition, table->order);
}

static gboolean
make_distributed (GilkRemote *remote, const Layout *layout, const Table *table, GError **error)
{
  const char *database = gilk_remote_url (remote)->database;

  return execute_format (remote, error, "CREATE TABLE IF NOT EXISTS %s.%s (%s) ENGINE = Distributed('%s', '%s', '%s_shard', %s)",
                         database, table->name, table->columns, layout->cluster, database, table->name, table->shard_by);
}

/* The views for users, which contain only valid rows (gilk-remote-schema.h). */
static const struct { const char *view, *table; GilkLedgerKind kind; gboolean in_blocks; } views[] = {
  { "gilk_runs", "gilk_run", GILK_LEDGER_METADATA, FALSE },
  { "gilk_hooks", "gilk_hook", GILK_LEDGER_METADATA, FALSE },
  { "gilk_count_points", "gilk_count_point", GILK_LEDGER_READINGS, TRUE },
  { "gilk_samples", "gilk_sample", GILK_LEDGER_SAMPLES, TRUE },
};

static gboolean
make_views (GilkRemote *remote, GError **error)
{
  const char *database = gilk_remote_url (remote)->database;

  for (guint i = 0; i < G_N_ELEMENTS (views); i++)
    {
      const char *key = views[i].in_blocks ? "run, block" : "run";

      if (!execute_format (remote, error, "CREATE VIEW IF NOT EXISTS %s.%s AS SELECT * FROM %s.%s WHERE (%s, attempt) GLOBAL IN "
                           "(SELECT %s, min(attempt) FROM (SELECT %s, attempt FROM %s.gilk_ledger WHERE kind = %d GROUP BY %s, "
                           "attempt HAVING min(complete) = 1) GROUP BY %s)", database, views[i].view, database, views[i].table, key, key,
                           key, database, views[i].kind, key, key))
        return FALSE;
    }

  return TRUE;
}

static gboolean
make_tables (GilkRemote *remote, const Layout *layout, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    if (!make_rows (remote, layout, &tables[i], error) ||
        (layout->cluster != NULL && !make_distributed (remote, layout, &tables[i], error)))
      return FALSE;

  return make_views (remote, error);
}

/* Creates the database, tables and views that a node lacks, but does not write the version. */
static gboolean
make_node (GilkRemote *remote, const Layout *layout, GError **error)
{
  const GilkRemoteUrl *url = gilk_remote_url (remote);
  gboolean found;

  if (!url->database_given && !execute_format (remote, error, "CREATE DATABASE IF NOT EXISTS %s", url->database))
    return FALSE;
  if (!read_version (remote, &found, error))
    return FALSE;

  return found || (make_tables (remote, layout, error) &&
                   execute_format (remote, error, "CREATE TABLE IF NOT EXISTS %s.gilk_schema (version UInt32) ENGINE = MergeTree "
                                   "ORDER BY version", url->database));
}

static gboolean
seal_node (GilkRemote *remote, GError **error)
{
  gboolean found;

  return read_version (remote, &found, error) &&
         (found || execute_format (remote, error, "INSERT INTO %s.gilk_schema VALUES (%d)", gilk_remote_url (remote)->database,
                                   GILK_REMOTE_SCHEMA));
}

static gboolean
make_nodes (GilkRemote *remote, const Layout *layout, GError **error)
{
  g_autoptr(GPtrArray) nodes = g_ptr_array_new_with_free_func ((GDestroyNotify) gilk_remote_free);

  for (guint i = 0; i < layout->hosts->len; i++)
    {
      GilkRemote *node = gilk_remote_open_host (remote, layout->hosts->pdata[i], error);

      if (node == NULL)
        {
          g_prefix_error (error, _("Cannot create the tables of cluster %s on each of its nodes. "), layout->cluster);
          return FALSE;
        }
      g_ptr_array_add (nodes, node);
      if (!make_node (node, layout, error))
        return FALSE;
    }
  for (guint i = 0; i < nodes->len; i++)
    if (!seal_node (nodes->pdata[i], error))
      return FALSE;

  return TRUE;
}

gboolean
gilk_remote_schema_make (GilkRemote *remote,
                         GError    **error)
{
  g_auto(Layout) layout = { 0 };
  gboolean found;

  if (!read_version (remote, &found, error) || found)
    return found;
  if (!find_layout (remote, &layout, error))
    return FALSE;
  if (layout.cluster != NULL)
    return make_nodes (remote, &layout, error);

  return make_node (remote, &layout, error) && seal_node (remote, error);
}
