import { xmlText } from './xml-text.ts';

export interface PlistOptions {
  /** By which launchd knows it. */
  label: string;
  node: string;
  program: string;
  data: string;
  /** `HOLDPOINT_SERVICE`. */
  told: string;
}

/**
 * A daemon of launchd: `serve` and not `run`, because launchd starts again whatever ended, also what refused to start; what
 * `serve` supervises it starts again itself, and ends with 78 where that would not help, which is tried anew each minute.
 */
export function launchdPlist({ label, node, program, data, told }: PlistOptions): string {
  const string = (value: string) => `<string>${xmlText(value)}</string>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>${string(label)}
  <key>ProgramArguments</key>
  <array>${[node, program, 'serve'].map(string).join('')}</array>
  <key>EnvironmentVariables</key>
  <dict>
    <key>HOLDPOINT_DATA</key>${string(data)}
    <key>HOLDPOINT_SERVICE</key>${string(told)}
  </dict>
  <key>UserName</key><string>_holdpoint</string>
  <key>GroupName</key><string>_holdpoint</string>
  <key>Umask</key><integer>23</integer>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><true/>
  <key>ThrottleInterval</key><integer>60</integer>
  <key>ExitTimeOut</key><integer>60</integer>
  <key>ProcessType</key><string>Background</string>
  <key>StandardOutPath</key>${string(`${data}/logs/server.log`)}
  <key>StandardErrorPath</key>${string(`${data}/logs/server.log`)}
</dict>
</plist>
`;
}
