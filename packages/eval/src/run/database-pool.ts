import { type Adapter, AskemaError, resolveAdapter, toAskemaError } from '@askema/core';
import type { DatasetDatabase } from '../datasets/read/dataset.ts';
import type { EvaluationOptions, Pipeline } from './evaluation-options.ts';

/** Databases that are open although nothing uses them, at most: another question may need them. */
const MAX_IDLE = 16;

interface OpenDatabase {
  readonly adapter: Adapter;
  readonly pipeline: Pipeline;
}

/** The databases of a run, each opened when it is first needed. What could not be opened is not tried again. */
export interface DatabasePool {
  use<T>(databaseId: string, work: (database: OpenDatabase) => Promise<T>): Promise<T>;
  /** Another file with the schema of a database. */
  useVariant<T>(databaseId: string, file: string, work: (adapter: Adapter) => Promise<T>): Promise<T>;
  closeAll(): Promise<void>;
}

/**
 * `left` says how often each database will be used, where that is known: it is closed after the last time. Without it,
 * those that were not used for longest are closed when too many are open.
 */
export function openDatabasePool(
  options: Pick<EvaluationOptions, 'dataset' | 'connect' | 'pipeline'>,
  left?: Map<string, number> | undefined,
): DatabasePool {
  const databases = new IdlePool<OpenDatabase>(async ({ adapter, pipeline }) => {
    try {
      await pipeline.close?.();
    } finally {
      await adapter.close();
    }
  });
  const variants = new IdlePool<Adapter>((adapter) => adapter.close());
  return {
    async use(id, work) {
      try {
        return await databases.use(id, () => openDatabase(options, find(options, id)), work);
      } finally {
        const rest = (left?.get(id) ?? 0) - 1;
        left?.set(id, rest);
        if (left !== undefined && rest <= 0) await databases.closeIdle(id);
      }
    },
    useVariant(id, file, work) {
      const database = find(options, id);
      if (database.variants?.includes(file) !== true)
        throw new AskemaError('INPUT_INVALID', `Database ${id} has no variant ${file}.`);
      const open = async (): Promise<Adapter> =>
        resolveAdapter(await options.connect({ ...database, file, variants: undefined }));
      return variants.use(file, open, work);
    },
    async closeAll() {
      await Promise.all([databases.closeAll(), variants.closeAll()]);
    },
  };
}

function find({ dataset }: Pick<EvaluationOptions, 'dataset'>, id: string): DatasetDatabase {
  const database = Object.hasOwn(dataset.databases, id) ? dataset.databases[id] : undefined;
  if (database === undefined) throw new AskemaError('DATASET_INVALID', `The dataset has no database ${id}.`);
  return database;
}

async function openDatabase(
  options: Pick<EvaluationOptions, 'connect' | 'pipeline'>,
  database: DatasetDatabase,
): Promise<OpenDatabase> {
  const adapter = resolveAdapter(await options.connect(database));
  try {
    return { adapter, pipeline: await options.pipeline(adapter, database) };
  } catch (thrown) {
    await adapter.close();
    throw toAskemaError(thrown);
  }
}

interface Entry<Resource> {
  readonly opening: Promise<Resource>;
  users: number;
  failed: boolean;
}

/** Resources by key, kept open for a while after their use. The one that was used last stands last. */
class IdlePool<Resource> {
  readonly #entries = new Map<string, Entry<Resource>>();
  readonly #close: (resource: Resource) => Promise<void>;

  constructor(close: (resource: Resource) => Promise<void>) {
    this.#close = close;
  }

  async use<T>(key: string, open: () => Promise<Resource>, work: (resource: Resource) => Promise<T>): Promise<T> {
    const entry = this.#entries.get(key) ?? this.#begin(open);
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    entry.users += 1;
    try {
      return await work(await entry.opening);
    } finally {
      entry.users -= 1;
      await this.#trim();
    }
  }

  async closeIdle(key: string): Promise<void> {
    if (this.#entries.get(key)?.users === 0) await this.#end(key);
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#entries.keys()].map((key) => this.#end(key)));
  }

  #begin(open: () => Promise<Resource>): Entry<Resource> {
    const entry: Entry<Resource> = { opening: open(), users: 0, failed: false };
    entry.opening.catch(() => {
      entry.failed = true;
    });
    return entry;
  }

  async #trim(): Promise<void> {
    const idle = [...this.#entries].filter(([, entry]) => entry.users === 0 && !entry.failed);
    for (const [key] of idle.slice(0, Math.max(0, idle.length - MAX_IDLE))) await this.#end(key);
  }

  /** What fails to close is no reason to end a run. */
  async #end(key: string): Promise<void> {
    const entry = this.#entries.get(key);
    this.#entries.delete(key);
    try {
      if (entry !== undefined) await this.#close(await entry.opening);
    } catch {
      // It was never open, or cannot be closed.
    }
  }
}
