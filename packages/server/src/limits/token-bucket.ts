/** Lets so many through in a minute, and as many at once after a pause. Times are milliseconds and never go back. */
export class TokenBucket {
  readonly #perMinute: number;
  #left: number;
  #at: number;

  constructor(perMinute: number, now: number) {
    this.#perMinute = perMinute;
    this.#left = perMinute;
    this.#at = now;
  }

  /** Takes one; or says after how many milliseconds there is one. */
  take(now: number): number | undefined {
    const wait = this.wait(now);
    if (wait === undefined) this.#left -= 1;
    return wait;
  }

  /** After how many milliseconds there is one; undefined where there is one now. */
  wait(now: number): number | undefined {
    this.#refill(now);
    return this.#left < 1 ? Math.ceil(((1 - this.#left) * 60_000) / this.#perMinute) : undefined;
  }

  /** True when nothing of the last minute counts any more. */
  isFull(now: number): boolean {
    this.#refill(now);
    return this.#left >= this.#perMinute;
  }

  #refill(now: number): void {
    this.#left = Math.min(this.#perMinute, this.#left + ((now - this.#at) * this.#perMinute) / 60_000);
    this.#at = now;
  }
}
