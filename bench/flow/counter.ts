/** The state of all contenders: each step reads the count, adds one and writes it back. */
export interface Counter {
  count: number;
}

/** Fails a bench whose contender did not do the work. */
export function expectCount(found: number | undefined, wanted: number): void {
  if (found !== wanted) throw new Error(`The work ended with ${found} in place of ${wanted}.`);
}
