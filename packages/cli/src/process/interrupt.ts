import { type Host, STOP_SIGNALS, type StopSignal } from './host.ts';

/** How long the first signal waits for the work to end before the process is ended. */
const GRACE_MS = 3_000;

/** Turns Ctrl-C into an abort. */
export interface Interrupt {
  readonly signal: AbortSignal;
  /** The exit code that the received signal asks for; undefined while there was none. */
  exitCode(): number | undefined;
  dispose(): void;
}

/**
 * The first signal aborts, so that the model call and the query stop and the database is closed. A second one, or work that does
 * not end within three seconds, ends the process.
 */
export function listenForInterrupt(host: Host): Interrupt {
  const controller = new AbortController();
  let received: StopSignal | undefined;
  let timer: NodeJS.Timeout | undefined;
  const stop = host.onStopSignal((signal) => {
    if (received !== undefined) return host.exit(STOP_SIGNALS[received]);
    received = signal;
    timer = setTimeout(() => host.exit(STOP_SIGNALS[signal]), GRACE_MS);
    controller.abort(new DOMException(`Stopped by ${signal}.`, 'AbortError'));
  });
  return {
    signal: controller.signal,
    exitCode: () => (received === undefined ? undefined : STOP_SIGNALS[received]),
    dispose() {
      stop();
      clearTimeout(timer);
    },
  };
}
