import { AskemaError, chooseRunIds, isAskemaError, type Journal, type RunJournal, type Runtime } from '@askema/core';
import type { Caller } from '../contract.ts';
import { journalOf } from '../databases/journal-of.ts';
import { digestOf, ownerKey } from './owner-key.ts';
import { newRecordId, RECORD_ID } from './record-id.ts';
import { headerOf, markEntry, type RunMark, type RunRecord, type RunRequest, readRecord } from './run-record.ts';
import { whenFree } from './when-free.ts';

/** A record that is open for writing, by this process alone. */
export interface OpenRecord {
  /** Undefined for one that is new. */
  readonly before: RunRecord | undefined;
  begin(request: RunRequest): Promise<void>;
  mark(mark: RunMark): Promise<void>;
}

const ID = new RegExp(`^${RECORD_ID}$`);

/**
 * What the server was asked to do and by whom, in the journal beside the runs themselves. A record stands under the key
 * of its owner: the id of somebody else is not found, whatever it is.
 */
export class RunRecords {
  readonly #journal: Journal;
  readonly #runtime: Pick<Runtime, 'clock' | 'sleep' | 'logger'>;
  readonly #looking = new Map<string, Promise<boolean>>();
  readonly #claims = new Map<string, Promise<string>>();

  constructor(journal: Journal, runtime: Pick<Runtime, 'clock' | 'sleep' | 'logger'>) {
    this.#journal = journal;
    this.#runtime = runtime;
  }

  /** The part of the journal that is this caller's. */
  journalOf(caller: Caller, part: 'chat' | 'design'): Journal {
    return journalOf(this.#journal, `${ownerKey(caller)}.${part}`);
  }

  /** A new id. Later ones sort behind earlier ones. */
  newId(): string {
    return newRecordId(this.#runtime.clock.now());
  }

  /** Rejects with `RUN_NOT_FOUND` for an id that is not there, and for one of somebody else. */
  async find(caller: Caller, id: string, kind: RunRequest['kind']): Promise<RunRecord> {
    const record = ID.test(id) ? readRecord(id, await this.#journal.read(keyOf(caller, id))) : undefined;
    if (record?.kind === kind) return record;
    throw new AskemaError('RUN_NOT_FOUND', `There is no ${kind} ${JSON.stringify(id.slice(0, 60))} of this caller.`);
  }

  /** Undefined for one that is new. */
  async read(caller: Caller, id: string): Promise<RunRecord | undefined> {
    return readRecord(id, await this.#journal.read(keyOf(caller, id)));
  }

  /** Opens a record for a moment: waits for others who have it open. */
  update<T>(caller: Caller, id: string, work: (record: OpenRecord) => Promise<T>): Promise<T> {
    return whenFree(this.#runtime, () => this.whileOpen(caller, id, work));
  }

  /**
   * Opens a record for as long as `work` takes. Rejects with `JOURNAL_LOCKED` while another process has it open.
   */
  async whileOpen<T>(caller: Caller, id: string, work: (record: OpenRecord) => Promise<T>): Promise<T> {
    const key = keyOf(caller, id);
    await this.#looking.get(key)?.catch(() => false);
    const run = await this.#journal.open(key);
    try {
      return await work(this.#opened(key, id, run));
    } finally {
      await run.close();
    }
  }

  /** Whether some process works on it now. Whoever begins meanwhile waits for the answer. */
  async isOpen(caller: Caller, id: string): Promise<boolean> {
    const key = keyOf(caller, id);
    const looking = this.#looking.get(key) ?? this.#isLocked(key);
    this.#looking.set(key, looking);
    try {
      return await looking;
    } finally {
      if (this.#looking.get(key) === looking) this.#looking.delete(key);
    }
  }

  /**
   * The id that belongs to an idempotency key: a new one the first time, unless `onNew` throws. Rejects with
   * `REQUEST_CONFLICT` where the key was used with another body.
   */
  async claim(caller: Caller, key: string, body: string, onNew: () => void): Promise<string> {
    const place = `${ownerKey(caller)}.key.${digestOf(key).slice(0, 32)}`;
    const before = this.#claims.get(place) ?? Promise.resolve('');
    const claimed = before.catch(() => '').then(() => this.#claim(place, digestOf(body), onNew));
    this.#claims.set(place, claimed);
    try {
      return await claimed;
    } finally {
      if (this.#claims.get(place) === claimed) this.#claims.delete(place);
    }
  }

  /**
   * Those of a caller, newest first: at most so many, older than the id `before`, without any that cannot be read. `last`
   * is the id that more may stand behind.
   */
  async list(
    caller: Caller,
    most: number,
    before: string | undefined,
  ): Promise<{ readonly records: readonly RunRecord[]; readonly last: string | undefined }> {
    const prefix = `${ownerKey(caller)}.run.`;
    const chosen = { startsWith: prefix, before: before === undefined ? before : prefix + before, last: most };
    // A journal of an application may know no options and list more.
    const ids = chooseRunIds(await this.#journal.runIds(chosen), chosen);
    const records = await Promise.all(ids.map((id) => this.#readable(id, id.slice(prefix.length))));
    return {
      records: records.filter((record) => record !== undefined),
      last: ids.length < most ? undefined : ids.at(-1)?.slice(prefix.length),
    };
  }

  async #readable(key: string, id: string): Promise<RunRecord | undefined> {
    try {
      return readRecord(id, await this.#journal.read(key));
    } catch (thrown) {
      if (!isAskemaError(thrown) || thrown.code !== 'JOURNAL_INVALID') throw thrown;
      this.#runtime.logger.warn('A record of the journal cannot be read', { error: thrown.toJSON() });
      return undefined;
    }
  }

  async #isLocked(key: string): Promise<boolean> {
    try {
      const run = await this.#journal.open(key);
      await run.close();
      return false;
    } catch (thrown) {
      if (isAskemaError(thrown) && thrown.code === 'JOURNAL_LOCKED') return true;
      throw thrown;
    }
  }

  #opened(key: string, id: string, run: RunJournal): OpenRecord {
    const now = () => this.#runtime.clock.now();
    return {
      before: readRecord(id, run.entries),
      begin: (request) => run.append([headerOf(key, request, now())]),
      mark: (mark) => run.append([markEntry(mark, now())]),
    };
  }

  async #claim(place: string, body: string, onNew: () => void): Promise<string> {
    const run = await whenFree(this.#runtime, () => this.#journal.open(place));
    try {
      const [claimed] = run.entries;
      if (claimed?.kind !== 'run') {
        onNew();
        const id = this.newId();
        const request: RunRequest = { kind: 'question', database: '', text: body, options: { id } };
        await run.append([headerOf(place, request, this.#runtime.clock.now())]);
        return id;
      }
      const { text, options } = readRecord(place, run.entries) ?? {};
      if (text === body && typeof options?.id === 'string') return options.id;
    } finally {
      await run.close();
    }
    throw new AskemaError(
      'REQUEST_CONFLICT',
      'This `Idempotency-Key` was used for another request. Send each request with a key of its own.',
    );
  }
}

function keyOf(caller: Caller, id: string): string {
  return `${ownerKey(caller)}.run.${id}`;
}
