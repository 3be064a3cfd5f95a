/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gilk-doctor-targets.c - finds the kinds of targets that this machine can reach, and a target's
 * debug data on it
 *
 * Only looks for programs and files: does not ask for a password and starts nothing.
 */
#include "core/doctor/gilk-doctor.h"

#include <glib/gi18n.h>
#include <unistd.h>

#include "core/base/gilk-array.h"
#include "core/base/gilk-build-dir.h"
#include "core/base/gilk-error.h"
#include "core/image/gilk-debug.h"

#define SOCKET "/run/gilk/gilkd.sock"

static void
add_check (GArray *checks, const char *name, GilkCheckState state, const char *value, const char *remedy,
           const char *command)
{
  GilkCheck check = { name, state, g_strdup (value), g_strdup (remedy), g_strdup (command) };

  g_array_append_val (checks, check);
}

static gboolean
has_program (const char *name)
{
  g_autofree char *path = g_find_program_in_path (name);

  return path != NULL;
}

static gboolean
has_file (const char *root, const char *path)
{
  g_autofree char *whole = g_strconcat (root, path, NULL);

  return g_file_test (whole, G_FILE_TEST_EXISTS);
}

static void
check_lab (GArray *checks, const char *root)
{
  if (!has_program ("qemu-system-x86_64"))
    add_check (checks, "lab", GILK_CHECK_WARN, _("QEMU not found"),
               _("A lab is a stock kernel in QEMU, which needs no root."), "sudo apt install qemu-system-x86");
  else
    add_check (checks, "lab", GILK_CHECK_GOOD,
               has_file (root, "/dev/kvm") ? _("QEMU, with /dev/kvm if it works") : _("QEMU, without hardware acceleration"), NULL, NULL);
}

/* Returns whether a process with this name shows polkit's dialog. The kernel truncates such names
 * (comm) to 15 characters. */
static gboolean
is_polkit_agent (const char *comm)
{
  static const char *const names[] = {
    "polkit-gnome-au", "polkit-kde-auth", "polkit-mate-aut", "lxpolkit", "lxqt-policykit", "xfce-polkit",
    "gnome-shell", "cinnamon", "phosh", "budgie-polkit-d", "hyprpolkitagent", "dde-polkit-agen", "mate-polkit",
    "pantheon-agent-", "pkttyagent", "soteria",
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_has_prefix (comm, names[i]))
      return TRUE;
  return FALSE;
}

static gboolean
has_polkit_agent (const char *root)
{
  g_autofree char *folder = g_strconcat (root, "/proc", NULL);
  GDir *dir = g_dir_open (folder, 0, NULL);
  gboolean found = FALSE;
  const char *name;

  while (dir != NULL && !found && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (folder, name, "comm", NULL);
      g_autofree char *comm = NULL;

      if (g_ascii_isdigit (name[0]) && g_file_get_contents (path, &comm, NULL, NULL))
        found = is_polkit_agent (comm);
    }
  if (dir != NULL)
    g_dir_close (dir);
  return found;
}

static gboolean
is_on_desktop (void)
{
  return g_getenv ("DISPLAY") != NULL || g_getenv ("WAYLAND_DISPLAY") != NULL;
}

/* Checks the local agent. Reports only the first missing requirement, with the command that fixes
 * it. */
static void
check_local (GArray *checks, const char *root, gboolean is_root)
{
  const gboolean sudo = has_program ("sudo"), pkexec = has_program ("pkexec");

  if (is_root)
    add_check (checks, "local", GILK_CHECK_GOOD, _("as root"), NULL, NULL);
  else if (!pkexec && !sudo)
    add_check (checks, "local", GILK_CHECK_WARN, _("neither pkexec nor sudo found"),
               _("Install pkexec or sudo: one of them must start gilkd as root."),
               "su -c 'apt install pkexec polkitd'");
  else if (pkexec && !has_file (root, "/usr/share/dbus-1/system-services/org.freedesktop.PolicyKit1.service"))
    add_check (checks, "local", sudo ? GILK_CHECK_NOTE : GILK_CHECK_WARN, _("pkexec found, but not polkit"),
               sudo ? _("sudo works in a terminal; the workbench needs polkit to ask for the password.")
              : _("pkexec needs polkit, which is not installed."), "sudo apt install polkitd");
  else if (pkexec && !is_on_desktop () && sudo)
    add_check (checks, "local", GILK_CHECK_GOOD, _("gilkd is started with sudo"), NULL, NULL);
  else if (pkexec && is_on_desktop () && !has_polkit_agent (root))
    add_check (checks, "local", sudo ? GILK_CHECK_NOTE : GILK_CHECK_WARN, _("no polkit authentication agent is running to ask "
                                                                            "for the password"),
               sudo ? _("sudo works in a terminal; the workbench needs the desktop's polkit agent: install one, and log in again.")
              : _("Install the desktop's polkit agent, and log in again."), "sudo apt install policykit-1-gnome");
  else if (!pkexec)
    add_check (checks, "local", GILK_CHECK_NOTE, _("gilkd is started with sudo; pkexec not found"),
               _("In a terminal sudo is enough; the workbench asks for the password through pkexec."),
               "sudo apt install pkexec polkitd");
  else
    add_check (checks, "local", GILK_CHECK_GOOD, _("gilkd is started with pkexec or sudo"), NULL, NULL);
}

/* Checks the socket on which systemd listens and starts agents. Reports nothing if the
 * administrator has not set it up. */
static void
check_socket (GArray *checks, const char *root)
{
  g_autofree char *path = g_strconcat (root, SOCKET, NULL);

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return;
  if (access (path, W_OK) == 0)
    add_check (checks, "socket", GILK_CHECK_GOOD, _("systemd starts gilkd, without a password"), NULL, NULL);
  else
    add_check (checks, "socket", GILK_CHECK_NOTE, _("systemd starts gilkd for the group gilk, and you are not in it"),
               _("Members of this group can run code in the kernel. Log out and in after joining."), "sudo adduser $USER gilk");
}

static void
check_ssh (GArray *checks)
{
  if (has_program ("ssh"))
    add_check (checks, "ssh", GILK_CHECK_GOOD, _("ssh:HOST, by your ssh client and its configuration"), NULL, NULL);
  else
    add_check (checks, "ssh", GILK_CHECK_WARN, _("ssh not found"),
               _("ssh is needed to connect to other hosts."),
               "sudo apt install openssh-client");
}

GArray *
gilk_doctor_list_targets (const char *root, gboolean is_root)
{
  GArray *checks = gilk_array_new (sizeof (GilkCheck), (GDestroyNotify) gilk_check_clear);

  check_lab (checks, root);
  check_local (checks, root, is_root);
  check_socket (checks, root);
  check_ssh (checks);
  return checks;
}

GilkTarget *
gilk_doctor_open_without_root (GCancellable *cancellable)
{
  g_autofree char *built = gilk_build_dir_path ("agent/gilkd");
  g_autofree char *spec =
    g_strdup_printf ("exec:exec \"${GILK_GILKD:-$(PATH=$PATH:" GILK_LIBEXECDIR " command -v gilkd || echo '%s')}\" --stdio",
                     built != NULL ? built : "gilkd");

  return gilk_target_open (spec, NULL, cancellable, NULL);
}

/* ---- checks for debug data of a target's kernel on this machine ---- */

/* Returns how to get the debug data of a kernel of the target's distribution. (transfer full) */
static char *
describe_debug_package (GHashTable *facts, const char *release)
{
  const char *distro = g_hash_table_lookup (facts, "distro");

  if (distro == NULL || g_str_equal (distro, "debian"))
    return g_strdup_printf (_("Debug data provide source lines and local variables: install the package linux-image-%s-dbg, or give its "
                              "vmlinux with --debug."), release);
  if (g_str_equal (distro, "ubuntu"))
    return g_strdup_printf (_("Debug data provide source lines and local variables: install the package linux-image-%s-dbgsym of Ubuntu's "
                              "archive of debug symbols, or give its vmlinux with --debug."), release);
  if (g_str_equal (distro, "fedora"))
    return g_strdup_printf (_("Debug data provide source lines and local variables: run \"sudo dnf debuginfo-install kernel-core-%s\", or "
                              "give the kernel's vmlinux with --debug."), release);

  return g_strdup (_("Debug data provide source lines and local variables: give the vmlinux of this very kernel with --debug."));
}

void
gilk_doctor_add_debug (const char *hand, GilkTarget *target, GHashTable *facts, GArray *checks)
{
  const GilkDebugWanted wanted = {
    .user_path = hand != NULL ? hand : g_getenv ("GILK_DEBUG"), .release = gilk_target_release (target),
    .module = "kernel", .build_id = gilk_target_build_id (target),
  };
  g_autoptr(GError) local = NULL;
  GilkCheck check = { .name = "debug-data", .value = gilk_debug_find (&wanted, &local) };

  if (check.value == NULL)
    {
      check.value = g_strdup (_("none found"));
      check.state = g_error_matches (local, GILK_ERROR, GILK_ERROR_NOT_FOUND) ? GILK_CHECK_NOTE : GILK_CHECK_WARN;
      check.remedy = check.state == GILK_CHECK_WARN
                     ? g_strdup (local->message)
                     : describe_debug_package (facts, wanted.release);
    }
  g_array_append_val (checks, check);
}
