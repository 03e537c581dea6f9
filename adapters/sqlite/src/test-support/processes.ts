/** True when a process with that id exists; a zombie still does until its parent has waited for it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Looks again and again until the condition holds; false when it does not within `timeoutMs`. */
export async function eventually(condition: () => boolean, timeoutMs = 10_000): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  while (!condition()) {
    if (performance.now() > end) return false;
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
  return true;
}
