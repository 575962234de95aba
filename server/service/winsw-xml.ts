import { xmlText } from './xml-text.ts';

export interface WinswOptions {
  id: string;
  node: string;
  program: string;
  data: string;
  /** `HOLDPOINT_SERVICE`. */
  told: string;
}

/**
 * The service of Windows as WinSW 3 reads it (its docs/xml-config-file.md): Node.js is no service by itself. WinSW sends Ctrl+C to
 * the console, which Node.js hands over as SIGINT, and waits. A local service, and not the system's own account.
 */
export function winswXml({ id, node, program, data, told }: WinswOptions): string {
  return `<service>
  <id>${xmlText(id)}</id>
  <name>Holdpoint server</name>
  <description>Quality and inventory records for all who work at this machine</description>
  <executable>${xmlText(node)}</executable>
  <arguments>"${xmlText(program)}" serve</arguments>
  <env name="HOLDPOINT_DATA" value="${xmlText(data)}" />
  <env name="HOLDPOINT_SERVICE" value="${xmlText(told)}" />
  <serviceaccount>
    <username>NT AUTHORITY\\LocalService</username>
  </serviceaccount>
  <startmode>Automatic</startmode>
  <onfailure action="restart" delay="1 sec" />
  <onfailure action="restart" delay="1 min" />
  <stoptimeout>60 sec</stoptimeout>
  <logpath>${xmlText(`${data}\\logs`)}</logpath>
  <log mode="roll" />
</service>
`;
}
