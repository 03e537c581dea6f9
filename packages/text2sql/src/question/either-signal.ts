/**
 * A signal that fires with either of two, until it is let go. `AbortSignal.any` would leave something behind in `lasting`
 * for each signal that has been there, for as long as `lasting` is.
 */
export function eitherSignal(
  signal: AbortSignal | undefined,
  lasting: AbortSignal,
): { readonly signal: AbortSignal; readonly letGo: () => void } {
  if (signal === undefined) return { signal: lasting, letGo: () => undefined };
  const either = new AbortController();
  const sources = [signal, lasting];
  const stop = (): void => either.abort(sources.find(({ aborted }) => aborted)?.reason);
  for (const source of sources) source.addEventListener('abort', stop, { once: true });
  if (sources.some(({ aborted }) => aborted)) stop();
  return {
    signal: either.signal,
    letGo: () => {
      for (const source of sources) source.removeEventListener('abort', stop);
    },
  };
}
