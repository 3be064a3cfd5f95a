/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test-stream-errors.c - tests that error output of ssh and pkexec becomes one sentence with cause
 * and remedy
 */
#include <string.h>

#include "core/base/gilk-error.h"
#include "core/link/gilk-stream.h"

typedef struct {
  const char *spec, *words;
  const char *sentence;    /* expected part of the message */
} Case;

static const Case cases[] = {
  { "ssh:me@there", "me@there: Permission denied (publickey).", "\"ssh-copy-id me@there\"" },
  { "ssh:there", "No ED25519 host key is known for there and you have requested strict checking.  "
    "Host key verification failed.", "does not know the host key of there yet" },
  { "ssh:there", "remove with:    ssh-keygen -f \"/home/me/known hosts\" -R \"[there]:23\"  Host key "
    "for [there]:23 has changed and you have requested strict checking.  Host key verification failed.",
    "remove the old key with: ssh-keygen -f \"/home/me/known hosts\" -R \"[there]:23\"" },
  { "ssh:there", "Host key for there has changed and you have requested strict checking.",
    "remove the old key with: ssh-keygen -R there" },
  { "ssh:me@there", "sudo: a password is required", "ssh:root@there" },
  { "ssh://me@there:23", "ssh: connect to host there port 23: Connection refused",
    "No ssh server answers on ssh://me@there:23;" },
  { "ssh:there", "gilkd is not installed there", "gilkd is not installed on there;" },
  { "local", "Error creating textual authentication agent: Error opening current controlling terminal",
    "no polkit authentication agent runs" },
  { "local", "Error executing command as another user: No authentication agent found.", "apt install mate-polkit" },
  { "local", "Error executing command as another user: Not authorized  This incident has been reported.",
    "polkit does not allow you" },
  { "local", "Error executing command as another user: Request dismissed", "was dismissed" },
  { "local", "Error getting authority: Error initializing authority: Could not connect: No such file",
    "apt install polkitd" },
  { "local", "sudo: a password is required", "\"sudo -v\"" },
  { "local", "gilkd: out of memory", "(\"gilkd: out of memory\")" },
  /* The text comes from another program, so it is quoted. */
  { "exec:false", "Permission denied (publickey).", "No agent answers on exec:false (\"Permission" },
  { "ssh:there", "%s %n never heard of", "(\"%s %n never heard of\")" },
  { "ssh:there", "", "No agent answers on ssh:there; check" },
  { "local", NULL, "No agent answers on local; check" },
};

static void
test_sentences (void)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = gilk_stream_no_agent_error (cases[i].spec, cases[i].words);

      g_assert_true (error->domain == GILK_ERROR);
      g_assert_true (error->code == GILK_ERROR_TARGET ||
                     (error->code == GILK_ERROR_PERMISSION && g_str_equal (cases[i].spec, "local")));
      if (strstr (error->message, cases[i].sentence) == NULL)
        g_error ("\"%s\" is not in: %s", cases[i].sentence, error->message);
      g_assert_null (strchr (error->message, '{'));
      g_assert_true (g_str_has_suffix (error->message, ".") || strstr (error->message, "ssh-keygen") != NULL);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stream/words", test_sentences);

  return g_test_run ();
}
