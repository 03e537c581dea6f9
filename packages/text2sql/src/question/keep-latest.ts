/** Keeps the latest results of a pure function, by the identity of its arguments. */
export function keepLatest<Arguments extends readonly unknown[], Result>(
  most: number,
  compute: (...given: Arguments) => Result,
): (...given: Arguments) => Result {
  const kept: { readonly given: Arguments; readonly result: Result }[] = [];
  const fits = (entry: (typeof kept)[number] | undefined, given: Arguments): boolean =>
    entry?.given.every((value, index) => Object.is(value, given[index])) === true;
  return (...given) => {
    const [newest] = kept;
    if (newest !== undefined && fits(newest, given)) return newest.result;
    const at = kept.findIndex((entry) => fits(entry, given));
    const [entry = { given, result: compute(...given) }] = at < 0 ? [] : kept.splice(at, 1);
    kept.unshift(entry);
    if (kept.length > most) kept.pop();
    return entry.result;
  };
}
