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
