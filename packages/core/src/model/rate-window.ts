/** The time over which vendors count. */
const WINDOW_MS = 60_000;

export interface RateWindowLimits {
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
}

/** What keeps a call from being sent now. `delayMs` is Infinity where only the end of a call under way can help. */
export interface RateDelay {
  readonly delayMs: number;
  readonly limit: 'requests' | 'tokens' | 'vendor';
}

/** A call that was sent and has not ended: its tokens are held until it says how many they were. */
export interface SentCall {
  /** Once; later ones count for nothing. Output counts from now on, input from when the call was sent. */
  settle(inputTokens: number, outputTokens: number, now: number): void;
}

interface Spent {
  readonly at: number;
  readonly amount: number;
}

/**
 * Requests and tokens of the last 60 seconds, as a window that slides: in no 60 seconds are there more than the limits,
 * whereas a bucket that refills lets up to twice as many through. Times are milliseconds and never go back.
 */
export class RateWindow {
  readonly #limits: RateWindowLimits;
  readonly #requests = new SlidingSum();
  readonly #tokens = new SlidingSum();
  #heldTokens = 0;
  #callsUnderWay = 0;
  #pausedUntil = Number.NEGATIVE_INFINITY;

  constructor(limits: RateWindowLimits) {
    this.#limits = limits;
  }

  /**
   * Undefined when a call of so many tokens may be sent now. One that is larger than the limit itself goes when nothing
   * else counts.
   */
  delay(tokens: number, now: number): RateDelay | undefined {
    if (this.#pausedUntil > now) return { delayMs: this.#pausedUntil - now, limit: 'vendor' };
    const { requestsPerMinute, tokensPerMinute } = this.#limits;
    if (requestsPerMinute !== undefined) {
      const delayMs = this.#requests.delayUntilBelow(requestsPerMinute - 1, now);
      if (delayMs > 0) return { delayMs, limit: 'requests' };
    }
    if (tokensPerMinute === undefined) return undefined;
    const room = tokensPerMinute - tokens - this.#heldTokens;
    if (room < 0 && this.#callsUnderWay > 0) return { delayMs: Number.POSITIVE_INFINITY, limit: 'tokens' };
    const delayMs = this.#tokens.delayUntilBelow(Math.max(0, room), now);
    return delayMs > 0 ? { delayMs, limit: 'tokens' } : undefined;
  }

  send(tokens: number, now: number): SentCall {
    // What is not limited is not counted either: nothing would ever take it out again.
    if (this.#limits.requestsPerMinute !== undefined) this.#requests.add(now, 1);
    this.#heldTokens += tokens;
    this.#callsUnderWay += 1;
    let settled = false;
    return {
      settle: (inputTokens, outputTokens, endedAt) => {
        if (settled) return;
        settled = true;
        this.#heldTokens -= tokens;
        this.#callsUnderWay -= 1;
        if (this.#limits.tokensPerMinute === undefined) return;
        this.#tokens.add(now, inputTokens);
        this.#tokens.add(endedAt, outputTokens);
      },
    };
  }

  /** Nothing is sent before that time: the vendor said so. */
  pauseUntil(time: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, time);
  }
}

/** Amounts by time, of which those of the last 60 seconds count. */
class SlidingSum {
  #entries: Spent[] = [];
  #sum = 0;

  add(at: number, amount: number): void {
    if (amount <= 0) return;
    let place = this.#entries.length;
    while (place > 0 && (this.#entries[place - 1]?.at ?? 0) > at) place -= 1;
    this.#entries.splice(place, 0, { at, amount });
    this.#sum += amount;
  }

  /** How long until the sum is no more than this; 0 when it is now. */
  delayUntilBelow(most: number, now: number): number {
    const expired = this.#entries.findIndex(({ at }) => at + WINDOW_MS > now);
    const gone = this.#entries.splice(0, expired === -1 ? this.#entries.length : expired);
    for (const { amount } of gone) this.#sum -= amount;
    let rest = this.#sum;
    let delayMs = 0;
    for (const { at, amount } of this.#entries) {
      if (rest <= most) break;
      rest -= amount;
      delayMs = at + WINDOW_MS - now;
    }
    return delayMs;
  }
}
