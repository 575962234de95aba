/** The record with each value made into another one. */
export function mapped<Value, Made>(
  record: Record<string, Value>,
  make: (value: Value, name: string) => Made,
): Record<string, Made> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, make(value, name)]));
}
