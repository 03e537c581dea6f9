/** Requests that are not over: those whose response is being made or read. */
export class RunningWork {
  readonly #running = new Set<AbortController>();
  #isDraining = false;
  #wake: () => void = () => {};

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** No new work is taken from now on. */
  drain(): void {
    this.#isDraining = true;
  }

  /** `signal` fires when the sender goes, and with {@link stop}. `over` may be called twice. */
  begin(sender: AbortSignal): { readonly signal: AbortSignal; readonly over: () => void } {
    const controller = new AbortController();
    const stop = (): void => controller.abort(sender.reason);
    if (sender.aborted) stop();
    sender.addEventListener('abort', stop, { once: true });
    this.#running.add(controller);
    const over = (): void => {
      sender.removeEventListener('abort', stop);
      if (this.#running.delete(controller) && this.#running.size === 0) this.#wake();
    };
    return { signal: controller.signal, over };
  }

  /** Resolves when all is over, or after so many milliseconds. */
  async ended(ms: number): Promise<void> {
    if (this.#running.size === 0) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
  }

  stop(): void {
    for (const controller of this.#running) controller.abort();
  }
}
