import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { createProcessClient, createProcessPool } from '@askema/adapter-kit';
import {
  AskemaError,
  type AttributeId,
  type Catalog,
  checkTimer,
  type EmbeddingModel,
  throwIfAborted,
  type ValueIndex,
  type ValueMatch,
} from '@askema/core';
import { DriverProcess, findWorkerFile } from '@askema/core/node';
import type { ValueIndexStats } from '../index-stats.ts';
import { identityOf } from '../store/check-catalog.ts';
import { type EmbeddingsOfIndex, namedEmbeddings } from '../store/embeddings-of-index.ts';
import { missingIndex } from '../store/index-file.ts';
import { embedText } from './find-by-meaning.ts';
import { MEMORY_MARK, PROTOCOL_VERSION, type ValueIndexTalk } from './protocol.ts';
import type { SearchSettings } from './search-index.ts';

export interface OpenValueIndexOptions {
  /**
   * The catalog of now: attributes that have become others are not searched. Without it all are. While a promise is
   * waited for, the process that reads the file starts.
   */
  readonly catalog?: Catalog | Promise<Catalog> | undefined;
  /**
   * The model that made the vectors: texts are also found by their meaning, where nothing is spelled alike. Or what finds
   * it: a function that is told whose vectors these are, and is called only where there are some; undefined leaves
   * meaning out. What it is told stands in the file, which may come from anybody.
   */
  readonly embeddings?: EmbeddingModel | FindEmbeddings | undefined;
  /** For opening the file, and for each look-up. An index that takes longer is read no more. Default: 10,000. */
  readonly timeoutMs?: number | undefined;
  /** Ends the opening. */
  readonly signal?: AbortSignal | undefined;
  /** The program `@askema/value-index/worker`, where a bundler has moved it. */
  readonly workerPath?: string | URL | undefined;
}

/** Finds the model that made the vectors of an index. */
export type FindEmbeddings = (made: EmbeddingsOfIndex) => Promise<EmbeddingModel | undefined>;

/** A value index in a SQLite file. */
export interface SqliteValueIndex extends ValueIndex, AsyncDisposable {
  covers(attribute: AttributeId): Promise<'whole' | 'part' | 'none'>;
  stats(): Promise<ValueIndexStats>;
}

/** Where the best spelling is further away than this, meaning is asked. */
const MEANING_BELOW = 0.75;

/** Vectors of texts that were looked up, kept for the same text in another attribute. */
const MAX_KEPT_VECTORS = 1_000;

/** Bundlers that write CommonJS leave `import.meta` empty. */
const THIS_MODULE: string = import.meta.url ?? '';

/**
 * Opens an index that {@link buildValueIndex} has made, for reading only. `find` first looks for the text and its
 * normalised forms (case, accents, punctuation, order of words, singular and plural, initials, well-known names), and
 * only when that gives nothing near enough for cells that are like it. Text is data: no wildcard, no operator means
 * anything in it.
 *
 * The file is read in a process of its own, which is killed at a time limit and on abort, and a file with other tables
 * than those of an index, or with views or triggers, is refused: it may come from anybody.
 *
 * Rejects with `DATABASE_NOT_FOUND`, `DATABASE_INVALID`, `DATABASE_CORRUPT`, `DATABASE_UNAVAILABLE`,
 * `CONTRACT_MISMATCH` (another format), `CONFIG_INVALID` (the index of another database, vectors of another model),
 * `DEPENDENCY_MISSING`, `QUERY_TIMEOUT`, `ABORTED`.
 */
export async function openValueIndex(path: string, options: OpenValueIndexOptions = {}): Promise<SqliteValueIndex> {
  const given = options.embeddings;
  const timeoutMs = checkTimer('timeoutMs', options.timeoutMs ?? 10_000);
  throwIfAborted(options.signal, 'Opening the value index');
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) throw missingIndex(path);
  const name = `The value index ${JSON.stringify(path)}`;
  const pool = createProcessPool<ValueIndexTalk>({
    name,
    processes: 1,
    perProcess: 1,
    // Nothing but a kill stops the driver.
    stopGraceMs: 0,
    leaveMs: 0,
    idleTimeoutMs: 600_000,
    start: () => startReader(options.workerPath),
  });
  const client = createProcessClient(
    pool,
    ({ code, message, details, retryable }) => new AskemaError(code, message, { details, retryable }),
  );
  let tooSlow: AskemaError | undefined;
  const call = async <Value>(request: ValueIndexTalk['request'], signal?: AbortSignal): Promise<Value> => {
    if (pool.closing.aborted) throw new AskemaError('DATABASE_CLOSED', `${name} is closed; open it again.`);
    if (tooSlow !== undefined) throw tooSlow;
    try {
      return await client.value<Value>(request, { what: 'Looking a value up', timeoutMs, signal });
    } catch (thrown) {
      if (!(thrown instanceof AskemaError) || thrown.code !== 'QUERY_TIMEOUT') throw thrown;
      // Each further look-up would take as long.
      tooSlow = new AskemaError(
        'QUERY_TIMEOUT',
        `${name} did not answer within ${timeoutMs} ms and is read no more; build it again with \`askema index\`, or ask without it.`,
      );
      throw tooSlow;
    }
  };
  const close = (): Promise<void> => pool.close();
  let settings: SearchSettings | undefined;
  let embeddings: EmbeddingModel | undefined;
  const vectors = new Map<string, Float32Array>();
  const ask = async <Value>(request: ValueIndexTalk['request'], signal?: AbortSignal): Promise<Value> => {
    const answered = await call<{ readonly value: Value } | undefined>(request, signal);
    if (answered !== undefined) return answered.value;
    if (settings === undefined) throw new AskemaError('INTERNAL', `${name} was not opened.`);
    await call({ type: 'open', ...settings }, signal);
    return ask(request, signal);
  };
  try {
    pool.warmUp();
    const catalog = await options.catalog;
    const identity = catalog === undefined ? undefined : identityOf(catalog);
    const openWith = (model: EmbeddingModel | undefined) => {
      settings = { path: resolve(path), catalog: identity, model: model && namedEmbeddings(model) };
      return call<{ readonly embeddings?: EmbeddingsOfIndex }>({ type: 'open', ...settings }, options.signal);
    };
    if (typeof given === 'function') {
      const { embeddings: made } = await openWith(undefined);
      embeddings = made === undefined ? undefined : await given(made);
    } else embeddings = given;
    if (embeddings !== undefined || given === undefined) await openWith(embeddings);
  } catch (thrown) {
    await close();
    throw thrown;
  }
  return {
    async find({ text, attributes, limit, minScore = 0, context }) {
      const { signal } = context;
      throwIfAborted(signal, 'Looking a value up');
      const look = (vector?: Float32Array) =>
        ask<readonly ValueMatch[]>({ type: 'find', text, attributes, limit, minScore, vector }, signal);
      const found = await look();
      if (embeddings === undefined || Math.max(minScore, found[0]?.score ?? 0) >= MEANING_BELOW) return found;
      if (vectors.size >= MAX_KEPT_VECTORS) vectors.clear();
      const vector = vectors.get(text) ?? (await embedText(embeddings, text, context));
      vectors.set(text, vector);
      return look(vector);
    },
    covers: (attribute) => ask({ type: 'covers', attribute }),
    stats: () => ask({ type: 'stats' }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function startReader(workerPath: string | URL | undefined): DriverProcess<ValueIndexTalk> {
  return new DriverProcess<ValueIndexTalk>({
    file: findWorkerFile({ packageName: '@askema/value-index', module: THIS_MODULE, workerPath }),
    protocol: PROTOCOL_VERSION,
    settings: {},
    names: {
      process: 'The process that reads the value index',
      driver: 'SQLite driver better-sqlite3',
      install: 'npm install better-sqlite3@13',
      packageName: '@askema/value-index',
    },
    memoryMark: MEMORY_MARK,
  });
}
