/** How long a run takes until its end, at the pace that it has had since this start. */
export interface Pace {
  /** One more is done. */
  step(): void;
  read(): { readonly elapsedMs: number; readonly remainingMs: number | undefined };
}

/** `left` is how many are to be done in this start. */
export function startPace(left: number, now: () => number): Pace {
  const started = now();
  let done = 0;
  return {
    step() {
      done += 1;
    },
    read() {
      const elapsedMs = now() - started;
      if (left === 0) return { elapsedMs, remainingMs: 0 };
      const remainingMs = done === 0 ? undefined : Math.round((elapsedMs / done) * Math.max(0, left - done));
      return { elapsedMs, remainingMs };
    },
  };
}
