/** Scans anywhere in the app. */
export function ScanListener() {
  return null;
}
