/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-stream-errors.c - explains failed connections from the last output of ssh, sudo or pkexec
 *
 * Their output is long: ssh prints twelve lines about a changed host key. Known messages are
 * replaced by one sentence with the command that helps; unknown messages are quoted. The patterns
 * match messages in the C locale, in which children are started.
 */
#include "core/link/gilk-stream.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/base/gilk-error.h"

/* In a sentence, {host} is replaced by USER@HOST, or HOST if there is no user, and {bare} by HOST
 * alone. */
typedef struct {
  const char *words;
  const char *sentence;
} Known;

static const Known ssh_words[] = {
  { "key is known for",
    N_("ssh does not know the host key of {host} yet; connect once with \"ssh {host}\", and compare the "
       "fingerprint that it shows.") },
  { "Permission denied (",
    N_("{host} accepts none of your ssh keys; add one with \"ssh-copy-id {host}\", and try \"ssh {host}\".") },
  { "Could not resolve hostname",
    N_("ssh cannot resolve the host name {host}; check its spelling, and ~/.ssh/config.") },
  { "Connection refused",
    N_("No ssh server answers on {host}; start one there (apt install openssh-server), and check the port.") },
  { "Connection timed out",
    N_("{host} does not answer ssh; check that it is up, and that no firewall is in the way.") },
  { "No route to host",
    N_("{host} is not reachable from here; check the network, and that {host} is up.") },
  { "gilkd is not installed there",
    N_("gilkd is not installed on {host}; install the package gilkd there, or the same Gilk as here.") },
  { "sudo: not found",
    N_("sudo is not installed on {host}, and gilkd must run as root; connect as root (ssh:root@{bare}), or install sudo "
       "there.") },
  { "sudo: a password is required",
    N_("gilkd must run as root on {host}, and sudo asks for a password there; connect as root "
       "(ssh:root@{bare}), or let sudo start gilkd without a password: put the line \"USER "
       "ALL=(root) NOPASSWD: /usr/libexec/gilk/gilkd\" into /etc/sudoers.d/gilk there.") },
  { "not in the sudoers file",
    N_("gilkd must run as root on {host}, and sudo does not allow you to start it; connect as "
       "root (ssh:root@{bare}), or let an administrator put the line \"USER ALL=(root) "
       "NOPASSWD: /usr/libexec/gilk/gilkd\" into /etc/sudoers.d/gilk there.") },
  /* ssh prints this message last, both for an unknown and for a changed host key;
   * describe_changed_key() handles a changed key. */
  { "Host key verification failed",
    N_("ssh does not know the host key of {host} yet; connect once with \"ssh {host}\", and compare the "
       "fingerprint that it shows.") },
};

/* Messages of sudo and pkexec. The first entry that matches the output is used. */
static const Known local_words[] = {
  { "Request dismissed",
    N_("The password prompt was dismissed; try again and answer it, or run \"sudo -v\" in a terminal first.") },
  { "authentication agent",
    N_("pkexec could not ask for the password, because no polkit authentication agent runs in "
       "this session; run \"apt install mate-polkit\" as root and log in again, or start an "
       "agent for this shell (pkttyagent --process $$ &), or run \"sudo -v\" first.") },
  { "Not authorized",
    N_("polkit does not allow you to start the agent; authenticate as an administrator, or let "
       "an administrator run \"adduser USER gilk\" and \"systemctl enable --now gilkd.socket\".") },
  { "Error getting authority",
    N_("pkexec cannot reach polkit, which is not installed or not running; run \"apt install polkitd\" as root, or run "
       "\"sudo -v\" in a terminal first.") },
  { "Unable to connect to the polkit",
    N_("polkit does not answer; start it (systemctl start polkit), or run \"sudo -v\" first.") },
  { "password is required", N_("sudo asks for a password; run \"sudo -v\" first.") },
  { "not in the sudoers",
    N_("sudo does not allow you to start the agent; have an administrator run \"adduser USER gilk\" and \"systemctl "
       "enable --now gilkd.socket\".") },
};

/* Returns the sentence that belongs to the first known message that @words, the output, contains.
 * (transfer full) (nullable) */
static char *
find_message (const Known *list,
              gsize        count,
              const char  *host,
              const char  *words)
{
  const char *at = strrchr (host, '@');
  GString *sentence;
  gsize i;

  for (i = 0; i < count && strstr (words, list[i].words) == NULL; i++)
    ;
  if (i == count)
    return NULL;

  sentence = g_string_new (_(list[i].sentence));
  g_string_replace (sentence, "{host}", host, 0);
  g_string_replace (sentence, "{bare}", at != NULL ? at + 1 : host, 0);
  return g_string_free (sentence, FALSE);
}

/* Returns a sentence with the command from ssh's message that removes the old key.
 * (transfer full) */
static char *
describe_changed_key (const char *host,
                      const char *words)
{
  g_autoptr (GRegex) command = g_regex_new ("ssh-keygen -f \"[^\"]*\" -R \"[^\"]*\"", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_autofree char *forget = NULL;

  if (g_regex_match (command, words, 0, &match))
    forget = g_match_info_fetch (match, 0);
  else
    forget = g_strdup_printf ("ssh-keygen -R %s", host);

  return g_strdup_printf (_("The host key of %s differs from the one that ssh knows: it was regenerated, or another "
                            "machine answers in its place; if you know the reason, remove the old key with: %s"),
                          host, forget);
}

GError *
gilk_stream_no_agent_error (const char *spec,
                            const char *words)
{
  const gboolean ssh = g_str_has_prefix (spec, "ssh:");
  const char *host = ssh && !g_str_has_prefix (spec, "ssh://") ? spec + strlen ("ssh:") : spec;
  g_autofree char *said = NULL;

  if (words == NULL || *words == '\0')
    return g_error_new (GILK_ERROR, GILK_ERROR_TARGET,
                        _("No agent answers on %s; check that gilkd is installed there and can run as root."), spec);

  if (ssh && strstr (words, "has changed and you have requested strict checking") != NULL)
    said = describe_changed_key (host, words);
  else if (ssh)
    said = find_message (ssh_words, G_N_ELEMENTS (ssh_words), host, words);
  else if (g_str_equal (spec, "local"))
    said = find_message (local_words, G_N_ELEMENTS (local_words), host, words);

  if (said != NULL)
    return g_error_new_literal (GILK_ERROR, ssh ? GILK_ERROR_TARGET : GILK_ERROR_PERMISSION, said);

  return g_error_new (GILK_ERROR, GILK_ERROR_TARGET,
                      _("No agent answers on %s (\"%s\"); check that gilkd is installed there and can run as root."), spec, words);
}
