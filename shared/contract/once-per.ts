/** What is made when it is first asked for, and no second time. */
export function once<Made extends object>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/**
 * What is made for a key is made once and shared by all who ask with the same one. So are schemas of fields that are alike: there are some
 * thousand, and every start of a server waits for them.
 */
export function oncePer<Key extends readonly (string | number)[], Made>(
  make: (...key: Key) => Made,
): (...key: Key) => Made {
  const made = new Map<string, Made>();
  return (...key) => {
    const known = made.get(key.join(' '));
    if (known !== undefined) return known;
    const fresh = make(...key);
    made.set(key.join(' '), fresh);
    return fresh;
  };
}

/** As `oncePer`, of something that does not change, for as long as it is there: what a write asks of each family. */
export function oncePerObject<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const made = new WeakMap<Key, Made>();
  return key => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const fresh = make(key);
    made.set(key, fresh);
    return fresh;
  };
}
