/**
 * Aborted with any of the signals, and once its reader has left. `AbortSignal.any` with a listener would stay in memory
 * for as long as none fires.
 */
export function leavingWith(...signals: readonly AbortSignal[]): AbortController {
  const left = new AbortController();
  for (const signal of signals) {
    const leave = (): void => left.abort(signal.reason);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  }
  return left;
}
