import { AskemaError, type CallLimits } from '@askema/core';
import type { ResolvedOptions } from '../options.ts';
import { Session } from './session.ts';

/** Connections, opened when they are needed and closed when nobody has needed them for a while. */
export class SessionPool {
  readonly options: ResolvedOptions;
  readonly #idle: { readonly session: Session; readonly timer: NodeJS.Timeout }[] = [];
  readonly #busy = new Set<Session>();
  readonly #waiting: (() => void)[] = [];
  #open = 0;
  #closing: Promise<void> | undefined;

  constructor(options: ResolvedOptions) {
    this.options = options;
  }

  /** Connections that are open or being opened. */
  get size(): number {
    return this.#open;
  }

  get closed(): boolean {
    return this.#closing !== undefined;
  }

  /**
   * A session for one call; a call waits when all are busy. `fresh`: not one that has been lying idle.
   *
   * Rejects with what ends the limits, `DATABASE_CLOSED`, or why no connection can be opened.
   */
  async acquire(limits: CallLimits, fresh = false): Promise<{ readonly session: Session; readonly reused: boolean }> {
    for (;;) {
      limits.throwIfOver();
      this.#throwIfClosed();
      const idle = fresh ? undefined : this.#takeIdle();
      if (idle !== undefined) return { session: this.#hire(idle), reused: true };
      if (this.#open < this.options.poolSize)
        return { session: this.#hire(await this.#connect(limits)), reused: false };
      const oldest = fresh ? this.#takeIdle() : undefined;
      if (oldest !== undefined) await this.#discard(oldest);
      else await this.#turn(limits);
    }
  }

  /** Gives a session back: one that is usable is kept, any other thrown away. */
  async release(session: Session): Promise<void> {
    this.#busy.delete(session);
    if (!session.usable || this.#closing !== undefined) {
      await this.#discard(session);
      return;
    }
    session.hold(false);
    const timer = setTimeout(() => {
      const index = this.#idle.findIndex((entry) => entry.session === session);
      if (index >= 0) this.#idle.splice(index, 1);
      void this.#discard(session);
    }, this.options.idleTimeoutMs);
    timer.unref();
    this.#idle.push({ session, timer });
    this.#waiting.shift()?.();
  }

  /** Stops what runs on the server and closes all connections. */
  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    for (const wake of this.#waiting.splice(0)) wake();
    const idle = this.#idle.splice(0);
    for (const { timer } of idle) clearTimeout(timer);
    await Promise.all([
      ...idle.map(({ session }) => this.#discard(session)),
      ...[...this.#busy].map(async (session) => {
        await session.stop();
        await session.destroy();
      }),
    ]);
  }

  #takeIdle(): Session | undefined {
    for (let entry = this.#idle.pop(); entry !== undefined; entry = this.#idle.pop()) {
      clearTimeout(entry.timer);
      if (entry.session.usable) return entry.session;
      void this.#discard(entry.session);
    }
    return undefined;
  }

  #hire(session: Session): Session {
    session.hold(true);
    this.#busy.add(session);
    return session;
  }

  async #connect(limits: CallLimits): Promise<Session> {
    this.#open += 1;
    const connecting = Session.connect(this.options);
    try {
      const session = await limits.race(connecting);
      if (this.#closing === undefined) return session;
    } catch (error) {
      // The connection that nobody waits for any more is closed as soon as it is there.
      connecting.then(
        (session) => this.#discard(session),
        () => this.#left(),
      );
      throw error;
    }
    await this.#discard(await connecting);
    throw this.closedError();
  }

  async #discard(session: Session): Promise<void> {
    this.#left();
    await session.destroy();
  }

  #left(): void {
    this.#open -= 1;
    this.#waiting.shift()?.();
  }

  async #turn(limits: CallLimits): Promise<void> {
    let wake: () => void = () => undefined;
    const turn = new Promise<void>((resolve) => {
      wake = resolve;
    });
    this.#waiting.push(wake);
    try {
      await limits.race(turn);
    } catch (error) {
      const index = this.#waiting.indexOf(wake);
      if (index >= 0) this.#waiting.splice(index, 1);
      // It was its turn already: the next one is woken in its place.
      else this.#waiting.shift()?.();
      throw error;
    }
  }

  #throwIfClosed(): void {
    if (this.#closing !== undefined) throw this.closedError();
  }

  /** `DATABASE_CLOSED` */
  closedError(): AskemaError {
    return new AskemaError(
      'DATABASE_CLOSED',
      `The adapter ${JSON.stringify(this.options.name)} is closed; open it again to use it.`,
    );
  }
}
