/**
 * Calls `work` with 0, 1, … up to `count`, at most `concurrency` of them at once, each as soon as there is room.
 * Resolves when all are over. `work` must neither throw nor reject: whoever wants to stop lets the calls that are left
 * return at once.
 */
export function runLimited(count: number, concurrency: number, work: (index: number) => Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    let next = 0;
    let running = 0;
    const begin = (): void => {
      for (; running < concurrency && next < count; next += 1) {
        running += 1;
        work(next).then(over);
      }
      if (running === 0) resolve();
    };
    const over = (): void => {
      running -= 1;
      begin();
    };
    begin();
  });
}
