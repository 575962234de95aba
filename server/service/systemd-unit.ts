export interface UnitOptions {
  /** `central`, or `serve` for the server of a machine. */
  role: 'central' | 'serve';
  description: string;
  documentation: string;
  /** The command line that runs the bundle: `/usr/bin/env node`, or the Node.js that comes along. */
  node: string;
  /** The bundle's `main.js`. */
  program: string;
  /** A file of lines NAME=value. */
  settings: string;
  /** Below `/var/lib`: the data folder, systemd's StateDirectory. */
  state: string;
  /** Below `/run`: where the server of a machine says to all where it is. */
  run?: string;
  /** Without `.service`. */
  name: string;
}

/**
 * The service of systemd, of a central and of a machine's server: one sandbox, which leaves it its data folder and the places for
 * backups. No filter of system calls: which of them Node.js needs changes with its versions.
 */
export function systemdUnit(options: UnitOptions): string {
  const { role, description, documentation, node, program, settings, state, run, name } = options;
  const told =
    run === undefined
      ? ''
      : `Environment=HOLDPOINT_SERVICE=/run/${run}/server.json\nRuntimeDirectory=${run}\nRuntimeDirectoryMode=0755\n`;
  return `# ${description} as a service of systemd; settings stand in ${settings}.
[Unit]
Description=${description}
Documentation=${documentation}
After=network-online.target
Wants=network-online.target

[Service]
Type=exec
User=holdpoint
Group=holdpoint
EnvironmentFile=-${settings}
Environment=HOLDPOINT_DATA=/var/lib/${state}
${told}ExecStart=${node} ${program} run ${role}
StateDirectory=${state}
StateDirectoryMode=0750
# 78: a setting is wrong, or the port is taken; starting again would not help.
Restart=on-failure
RestartPreventExitStatus=78
RestartSec=1
# Running requests finish and the store closes before it ends.
KillSignal=SIGTERM
TimeoutStopSec=60
UMask=0027
NoNewPrivileges=yes
ProtectSystem=strict
# Where backups and checkpoints go, other disks and shares; who may write there the folders themselves say. Another place:
# systemctl edit ${name}, with ReadWritePaths= in a section [Service].
ReadWritePaths=-/mnt -/media -/srv -/var/backups
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectHostname=yes
ProtectProc=invisible
ProtectKernelLogs=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectControlGroups=yes
# AF_NETLINK: by which Node.js asks for the machine's own addresses.
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
SystemCallArchitectures=native
CapabilityBoundingSet=

[Install]
WantedBy=multi-user.target
`;
}
