/**
 * Aborted with a signal, and once its reader has left. `AbortSignal.any` with a listener would stay in memory for as long
 * as neither fires.
 */
export function leavingWith(signal: AbortSignal): AbortController {
  const left = new AbortController();
  const leave = (): void => left.abort(signal.reason);
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, { once: true });
  return left;
}
