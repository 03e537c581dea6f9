/** What was read is read again after this time. */
const FRESH_MS = 30_000;

/** Keeps what a reading gave for half a minute, for one adapter; a reading that rejects is not kept. */
export function remember<T>(): (read: () => Promise<T>) => Promise<T> {
  let known: { readonly value: T; readonly at: number } | undefined;
  return async (read) => {
    if (known !== undefined && performance.now() - known.at < FRESH_MS) return known.value;
    const value = await read();
    known = { value, at: performance.now() };
    return value;
  };
}

/** Keys that are kept; the one that was read first goes first. */
const MOST_KEPT = 1_000;

/** {@link remember} for each of many keys: who asks while one is read shares that reading. `now` reads it again. */
export function rememberEach<T>(): (key: string, read: () => Promise<T>, now?: boolean) => Promise<T> {
  const known = new Map<string, { readonly value: Promise<T>; readonly at: number }>();
  return (key, read, now = false) => {
    const before = known.get(key);
    if (!now && before !== undefined && performance.now() - before.at < FRESH_MS) return before.value;
    const value = read();
    known.delete(key);
    known.set(key, { value, at: performance.now() });
    value.catch(() => known.delete(key));
    const [oldest] = known.keys();
    if (known.size > MOST_KEPT && oldest !== undefined) known.delete(oldest);
    return value;
  };
}
