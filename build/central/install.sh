#!/bin/sh
# Installs or updates a central on a Linux with systemd and Node.js 24 or later. Run as root, in the unpacked folder.
# Data (/var/lib/holdpoint) and settings (/etc/holdpoint/central.env) stay as they are.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
node -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 24 ? 0 : 1)' || {
  echo 'Node.js 24 or later must be there.' >&2
  exit 1
}
id holdpoint >/dev/null 2>&1 ||
  useradd --system --home-dir /var/lib/holdpoint --shell /usr/sbin/nologin holdpoint
rm -rf /opt/holdpoint.new
mkdir -p /opt/holdpoint.new /etc/holdpoint
cp -R "$here/dist" "$here/package.json" "$here/LICENSE" "$here/README" /opt/holdpoint.new/
[ -e /etc/holdpoint/central.env ] || install -m 0640 -g holdpoint "$here/central.env" /etc/holdpoint/central.env
install -m 0644 "$here/holdpoint-central.service" /etc/systemd/system/holdpoint-central.service
systemctl stop holdpoint-central.service 2>/dev/null || true
rm -rf /opt/holdpoint
mv /opt/holdpoint.new /opt/holdpoint
systemctl daemon-reload
systemctl enable --now holdpoint-central.service
echo 'The central runs. Its first sign-in: journalctl -u holdpoint-central'
