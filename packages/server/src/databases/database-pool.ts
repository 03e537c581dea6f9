import { createHash } from 'node:crypto';
import {
  type Adapter,
  AskemaError,
  checkTimer,
  checkWhole,
  fromModel,
  isBudget,
  isLanguageModel,
  type Journal,
  type Logger,
  type Runtime,
  type Solver,
  systemRuntime,
  withBudget,
} from '@askema/core';
import type { SqlParser } from '@askema/sql';
import { createText2Sql, type Text2Sql } from '@askema/text2sql';
import type { AuditLog, Caller, OpenServed, ServedDatabase } from '../contract.ts';
import { serverClosing } from '../errors/server-closing.ts';
import { budgetOfCallers } from '../limits/budget-of-callers.ts';
import type { Limiter } from '../limits/limiter.ts';
import { forServer } from '../statements/current-request.ts';
import { type DatabaseView, guardDatabase } from './guard-database.ts';
import { journalOf } from './journal-of.ts';
import { loggedFailures } from './logged-failures.ts';

export interface PoolOptions {
  readonly databases: ReadonlyMap<string, ServedDatabase>;
  readonly limiter: Limiter;
  /** Of what is hidden and masked. */
  readonly parser: SqlParser;
  readonly audit?: AuditLog | undefined;
  readonly journal?: Journal | undefined;
  /** Default: that of the system, which is silent. */
  readonly runtime?: Partial<Runtime> | undefined;
  readonly maxOpen?: number | undefined;
  readonly idleMs?: number | undefined;
}

/** A database that is open, as callers of one tenant and role see it. */
export interface OpenDatabase {
  readonly name: string;
  readonly title?: string | undefined;
  readonly text2sql: Text2Sql;
  /** The one that `text2sql` asks. */
  readonly adapter: Adapter;
  /** Its part of the journal: for runs and conversations of these callers. */
  readonly journal?: Journal | undefined;
  /** False where it has no model: it takes SQL only. */
  readonly answersQuestions: boolean;
  /** Whether something of it is hidden or masked. Then its knowledge, which names all, is not for these callers. */
  readonly keepsBack: boolean;
  /** Its model, for what is read beside its questions: counted for who asks. */
  readonly reader: Solver;
}

/** A database while somebody uses it. */
export interface DatabaseLease {
  readonly database: OpenDatabase;
  /** Once it is not used any more; twice is allowed. */
  release(): void;
}

interface Entry {
  readonly opening: Promise<OpenDatabase>;
  users: number;
  /** Counts up with each use: the least one was used longest ago. */
  lastUse: number;
  idle?: ReturnType<typeof setTimeout> | undefined;
}

/** Databases that are open, one for each name, tenant, role, `hide` and `mask`; callers who share all of them share it. */
export class DatabasePool {
  readonly #options: PoolOptions;
  readonly #logger: Logger;
  readonly #maxOpen: number;
  readonly #idleMs: number;
  readonly #entries = new Map<string, Entry>();
  readonly #closing = new Set<Promise<void>>();
  #uses = 0;
  #isClosed = false;

  /** @throws AskemaError `CONFIG_INVALID` for numbers out of their range. */
  constructor(options: PoolOptions) {
    this.#options = options;
    this.#logger = systemRuntime(options.runtime).logger;
    this.#maxOpen = checkWhole('maxOpen', options.maxOpen ?? 64);
    this.#idleMs = checkTimer('idleMs', options.idleMs ?? 300_000);
  }

  /**
   * Opens a database for a caller, or takes the one that is open. Rejects with `DATABASE_NOT_FOUND` for a name that
   * nobody serves, with `DATABASE_UNAVAILABLE` while as many as may be open are all in use, and with what its `open`
   * rejects with; the next call tries again.
   */
  async lease(name: string, caller: Pick<Caller, keyof DatabaseView>): Promise<DatabaseLease> {
    const served = this.#options.databases.get(name);
    if (served === undefined)
      throw new AskemaError('DATABASE_NOT_FOUND', `There is no database ${JSON.stringify(name)}.`);
    if (this.#isClosed) throw serverClosing();
    const view = this.#viewOf(name, served, caller);
    const key = keyOf(name, view);
    const entry = this.#entries.get(key) ?? this.#add(key, name, served, view);
    this.#use(entry);
    let released = false;
    const release = (): void => {
      if (released) return;
      released = true;
      this.#leave(key, entry);
    };
    try {
      return { database: await entry.opening, release };
    } catch (thrown) {
      release();
      throw thrown;
    }
  }

  /** Closes all, also those in use. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const key of [...this.#entries.keys()]) this.#drop(key);
    await Promise.all(this.#closing);
  }

  #add(key: string, name: string, served: ServedDatabase, view: DatabaseView): Entry {
    this.#makeRoom();
    const entry: Entry = { opening: this.#open(key, name, served, view), users: 0, lastUse: 0 };
    this.#entries.set(key, entry);
    entry.opening.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    });
    return entry;
  }

  async #open(key: string, name: string, served: ServedDatabase, view: DatabaseView): Promise<OpenDatabase> {
    const { limiter, audit, parser } = this.#options;
    const opened = await served.open({ tenant: view.tenant, role: view.role });
    try {
      const id = createHash('sha256').update(key).digest('hex').slice(0, 24);
      const adapter = guardDatabase(opened, view, { name, key: id, served, audit, limiter, parser });
      // A role that may not be taken on is told before anything is done for the caller.
      if (view.role !== undefined && served.opensRole !== true) await forServer(() => adapter.query('SELECT 1'));
      const whole = this.#options.journal ?? opened.text2sql?.journal;
      const journal = whole && journalOf(whole, id);
      const questions = questionsOf(opened, limiter);
      const text2sql = createText2Sql({ ...questions, journal, adapter });
      const answersQuestions = opened.text2sql !== undefined;
      return {
        ...{ name, title: served.title, adapter, journal, answersQuestions },
        text2sql: forTenant(loggedFailures(text2sql, this.#logger), view.tenant),
        keepsBack: [view.hide, view.mask].flat().length > 0,
        reader: readerOf(questions),
      };
    } catch (thrown) {
      await Promise.resolve(opened.adapter.close()).catch(() => undefined);
      throw thrown;
    }
  }

  /** What is hidden from all and from this caller; of patterns with `@name` those of this database. */
  #viewOf(name: string, served: ServedDatabase, { tenant, role, hide, mask }: DatabaseView): DatabaseView {
    const { databases } = this.#options;
    const here = (pattern: string): readonly string[] => {
      const at = pattern.lastIndexOf('@');
      // Any other pattern is read as it is, and fails where it names nothing.
      if (at === -1 || !databases.has(pattern.slice(at + 1))) return [pattern];
      return pattern.slice(at + 1) === name ? [pattern.slice(0, at)] : [];
    };
    const both = (ofAll: readonly string[] = [], own: readonly string[] = []) =>
      [...new Set([...ofAll, ...own.flatMap(here)])].sort();
    return { tenant, role, hide: both(served.hide, hide), mask: both(served.mask, mask) };
  }

  #use(entry: Entry): void {
    clearTimeout(entry.idle);
    entry.users += 1;
    this.#uses += 1;
    entry.lastUse = this.#uses;
  }

  #leave(key: string, entry: Entry): void {
    entry.users -= 1;
    if (entry.users > 0 || this.#entries.get(key) !== entry) return;
    entry.idle = setTimeout(() => this.#drop(key), this.#idleMs);
    entry.idle.unref();
  }

  #makeRoom(): void {
    if (this.#entries.size < this.#maxOpen) return;
    const unused = [...this.#entries].filter(([, { users }]) => users === 0);
    const [oldest] = unused.sort(([, left], [, right]) => left.lastUse - right.lastUse);
    if (oldest === undefined)
      throw new AskemaError(
        'DATABASE_UNAVAILABLE',
        `${this.#maxOpen} databases are open, as many as \`maxOpen\` allows, and all of them are in use. Try again in a moment.`,
        { retryable: true },
      );
    this.#drop(oldest[0]);
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    clearTimeout(entry.idle);
    const closed = entry.opening
      .then(({ text2sql }) => text2sql.close())
      // One that cannot be opened or closed is gone all the same.
      .catch(() => undefined)
      .finally(() => this.#closing.delete(closed));
    this.#closing.add(closed);
  }
}

/** Names as they are: nothing that looks alike is the same. */
function keyOf(name: string, { tenant, role, hide, mask }: DatabaseView): string {
  return JSON.stringify([name, tenant ?? null, role ?? null, hide ?? [], mask ?? []]);
}

type Questions = NonNullable<OpenServed['text2sql']>;

function questionsOf({ text2sql }: OpenServed, limiter: Limiter): Questions {
  if (text2sql === undefined) return { model: NO_MODEL };
  const { budget } = text2sql;
  return isLanguageModel(text2sql.model) ? { ...text2sql, budget: budgetOfCallers(limiter, budget) } : text2sql;
}

function readerOf({ model, budget, runtime }: Questions): Solver {
  if (!isLanguageModel(model)) return model;
  return fromModel(budget !== undefined && isBudget(budget) ? withBudget(model, budget) : model, { runtime });
}

const NO_MODEL: Solver = {
  name: 'none',
  // Whoever asks is told why there is no answer; the flow would refuse to begin.
  supports: () => true,
  solve: () =>
    Promise.reject(
      new AskemaError('TASK_UNSUPPORTED', 'This database answers no questions, only SQL: it has no model.'),
    ),
};

/** Every call says for whom it is, whatever the route has said. */
function forTenant(text2sql: Text2Sql, tenant: string | undefined): Text2Sql {
  return {
    ...text2sql,
    ask: (question, options) => text2sql.ask(question, { ...options, tenant }),
    stream: (source, options) => text2sql.stream(source, { ...options, tenant }),
    catalog: (options) => text2sql.catalog({ ...options, tenant }),
    conversation: (options) => text2sql.conversation({ ...options, tenant }),
  };
}
