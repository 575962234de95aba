#!/bin/sh
# Installs or updates a central on a Linux with systemd and Node.js 24 or later. Run as root, in the unpacked folder.
#   install.sh [--hosts NAMES]     names and addresses by which stations reach it, separated by commas
# Data (/var/lib/holdpoint) and settings (/etc/holdpoint/central.env) stay as they are. DESTDIR: below which folder instead.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=${DESTDIR-}
settings=$root/etc/holdpoint/central.env
hosts=
case ${1-} in
'') ;;
--hosts) hosts=${2:?'Give names after --hosts, such as central.example,10.0.0.5.'} ;;
*)
  echo "$1 is not known. Use: install.sh [--hosts NAMES]" >&2
  exit 2
  ;;
esac
node -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 24 ? 0 : 1)' || {
  echo 'Node.js 24 or later must be there.' >&2
  exit 1
}
if ! grep -qs '^HOLDPOINT_HOSTS=.' "$settings" && [ -z "$hosts" ]; then
  # Without a name stations cannot be sure whom they reach, and browsers are refused.
  hosts=$(hostname -f 2>/dev/null || hostname)
  if [ -t 0 ]; then
    printf 'Names by which stations reach this central, separated by commas [%s]: ' "$hosts"
    read -r answer
    hosts=${answer:-$hosts}
  fi
fi
case $hosts in
*[!A-Za-z0-9.,:_-]*)
  echo "$hosts: give host names and addresses, separated by commas, without spaces." >&2
  exit 2
  ;;
esac
id holdpoint >/dev/null 2>&1 ||
  useradd --system --home-dir /var/lib/holdpoint --shell /usr/sbin/nologin holdpoint
rm -rf "$root/opt/holdpoint.new"
mkdir -p "$root/opt/holdpoint.new" "$root/etc/holdpoint" "$root/etc/systemd/system" "$root/usr/local/bin"
cp -R "$here/dist" "$here/package.json" "$here/LICENSE" "$here/README" "$here/holdpoint" "$root/opt/holdpoint.new/"
[ -e "$settings" ] || {
  install -m 0640 "$here/central.env" "$settings"
  chgrp holdpoint "$settings"
}
if [ -n "$hosts" ]; then
  grep -q '^HOLDPOINT_HOSTS=' "$settings" || echo 'HOLDPOINT_HOSTS=' >>"$settings"
  sed -i "s/^HOLDPOINT_HOSTS=.*/HOLDPOINT_HOSTS=$hosts/" "$settings"
fi
install -m 0644 "$here/holdpoint-central.service" "$root/etc/systemd/system/holdpoint-central.service"
systemctl stop holdpoint-central.service 2>/dev/null || true
rm -rf "$root/opt/holdpoint"
mv "$root/opt/holdpoint.new" "$root/opt/holdpoint"
ln -sf ../../../opt/holdpoint/holdpoint "$root/usr/local/bin/holdpoint"
systemctl daemon-reload
systemctl enable --now holdpoint-central.service
grep '^HOLDPOINT_HOSTS=' "$settings"
echo 'The central runs. Its first sign-in: journalctl -u holdpoint-central'
