/** Waits for a promise, but no longer than `timeoutMs`. */
export async function within(timeoutMs: number, done: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([done, timeout]);
  clearTimeout(timer);
}
