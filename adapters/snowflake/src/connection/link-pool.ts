import { AskemaError, type CallLimits } from '@askema/core';
import { closeLink, type Link } from './link.ts';

/** Sessions that are used again. */
export interface LinkPool {
  /** A session that nobody else uses: a free one, a new one, or the next that becomes free. */
  take(limits: CallLimits): Promise<Link>;
  /** Gives a session back. One whose state is in doubt is logged out instead. */
  give(link: Link, state: 'healthy' | 'doubtful'): void;
  /** Logs all sessions out, those in use too. Bounded, and never rejects. */
  close(): Promise<void>;
}

/** At most `size` sessions at a time. */
export function createLinkPool(size: number, open: (limits: CallLimits) => Promise<Link>): LinkPool {
  const idle: Link[] = [];
  const used = new Set<Link>();
  const waiting: (() => void)[] = [];
  const farewells = new Set<Promise<void>>();
  let opening = 0;
  let closed = false;

  const leave = (link: Link): void => {
    const farewell = closeLink(link).finally(() => farewells.delete(farewell));
    farewells.add(farewell);
  };
  const next = (): void => waiting.shift()?.();

  const take = async (limits: CallLimits): Promise<Link> => {
    for (let isTurn = false; ; isTurn = true) {
      // Whose limits are over when it is his turn passes it on.
      if (isTurn && limits.signal.aborted) next();
      limits.throwIfOver();
      if (closed) throw closedError();
      const free = idle.pop();
      if (free !== undefined) {
        used.add(free);
        return free;
      }
      if (used.size + opening < size) return login(limits);
      await turn(limits);
    }
  };

  const login = async (limits: CallLimits): Promise<Link> => {
    opening += 1;
    let link: Link;
    try {
      link = await open(limits);
    } catch (error) {
      opening -= 1;
      next();
      throw error;
    }
    opening -= 1;
    if (closed) {
      leave(link);
      throw closedError();
    }
    used.add(link);
    return link;
  };

  const turn = async (limits: CallLimits): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    try {
      await limits.race(promise);
    } catch (error) {
      const index = waiting.indexOf(resolve);
      // Whose turn it was passes it on.
      if (index >= 0) waiting.splice(index, 1);
      else next();
      throw error;
    }
  };

  return {
    take,
    give(link, state) {
      if (!used.delete(link)) return;
      if (state === 'healthy' && !closed) idle.push(link);
      else leave(link);
      next();
    },
    async close() {
      closed = true;
      for (const wake of waiting.splice(0)) wake();
      for (const link of idle.splice(0)) leave(link);
      for (const link of used) leave(link);
      used.clear();
      await Promise.all(farewells);
    },
  };
}

function closedError(): AskemaError {
  return new AskemaError('DATABASE_CLOSED', 'The Snowflake adapter is closed; open it again to use it.');
}
