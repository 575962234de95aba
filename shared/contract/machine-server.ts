import { z } from 'zod';
import { desktopPolicySchema } from './machine-policy.ts';

/**
 * What the server of a machine says of itself to all who work at it: `holdpoint service status`, and the desktop app, which is
 * its client. Nothing secret.
 */
export const machineServerSchema = z.object({
  /** Where the interface is; on this machine alone, whatever the file says. */
  origin: z.url({ protocol: /^http$/, hostname: /^127\.0\.0\.1$/ }),
  /** Number of its process, and as whom that runs. */
  process: z.int().min(1),
  user: z.string(),
  /** Data folder. */
  folder: z.string(),
  version: z.string(),
  /** What the machine's administrators decided for the app. */
  policy: desktopPolicySchema,
});

export type MachineServer = z.infer<typeof machineServerSchema>;

/** Where the service of a machine is on a system; only administrators write in these places, but for the last two. */
export interface MachineServerPlaces {
  /** By which the system knows the service. */
  service: string;
  /** Of its definitions any: the service is installed. The first one is what `holdpoint service install` writes. */
  definitions: [string, ...string[]];
  /** Settings, as lines NAME=value. */
  settings: string;
  /** Data folder. */
  data: string;
  /** In which the running server says where it is (`HOLDPOINT_SERVICE`). */
  told: string;
}

/** @param env on Windows, where `%ProgramData%` and `%ProgramFiles%` are */
export function machineServerPlaces(
  platform: string,
  env: Record<string, string | undefined>,
): MachineServerPlaces {
  if (platform === 'win32') {
    const data = `${env.ProgramData || 'C:\\ProgramData'}\\Holdpoint Server`;
    const programs = `${env.ProgramW6432 || env.ProgramFiles || 'C:\\Program Files'}\\Holdpoint Server`;
    return {
      service: 'holdpoint-server',
      definitions: [`${programs}\\holdpoint-server.xml`],
      settings: `${programs}\\holdpoint-server.xml`,
      data: `${data}\\data`,
      told: `${data}\\run\\server.json`,
    };
  }
  if (platform === 'darwin') {
    const data = '/Library/Application Support/Holdpoint Server';
    return {
      service: 'io.holdpoint.server',
      definitions: ['/Library/LaunchDaemons/io.holdpoint.server.plist'],
      settings: '/Library/LaunchDaemons/io.holdpoint.server.plist',
      data: `${data}/data`,
      told: `${data}/run/server.json`,
    };
  }
  return {
    service: 'holdpoint-server',
    definitions: [
      '/etc/systemd/system/holdpoint-server.service',
      '/usr/lib/systemd/system/holdpoint-server.service',
    ],
    settings: '/etc/holdpoint/server.env',
    data: '/var/lib/holdpoint-server',
    told: '/run/holdpoint-server/server.json',
  };
}
