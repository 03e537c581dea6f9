import type { Access } from '@askema/core';
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { FileProblem, FileRelation, WorkerSettings } from '../protocol.ts';
import type { Driver } from './driver.ts';
import { failureOf } from './engine-failure.ts';
import { createFunctionGuard, type FunctionGuard } from './function-guard.ts';
import { StatementMemory } from './statement-memory.ts';
import { literal, viewStatements } from './view-statements.ts';

/**
 * Rows that wait to be fetched, by what their cells hold. A recursive query gives chunks of one row each, which take a
 * hundred times as much: with DuckDB's own 1 MB its first row came after 26 seconds and 1.2 GB; larger results are not
 * slower with less.
 */
const STREAM_BUFFER = '16KB';

/** The open database of this process. */
export interface Engine {
  /** What a call may be granted at most. */
  readonly access: Access;
  /** The database itself was opened so that it cannot be changed. */
  readonly isReadOnly: boolean;
  readonly guard: FunctionGuard;
  /** Where the database cannot be changed. */
  readonly memory: StatementMemory | undefined;
  readonly problems: readonly FileProblem[];
  /** A connection that nobody uses. */
  take(): Promise<DuckDBConnection>;
  /** Gives one back; its transaction must be over. */
  give(connection: DuckDBConnection): void;
  close(): void;
}

/** The files of a relation that must be there cannot be read. */
export class RelationProblem extends Error {
  override readonly name = 'RelationProblem';
  readonly relation: string;

  constructor(relation: string, cause: unknown) {
    super(`${relation} cannot be read`, { cause });
    this.relation = relation;
  }
}

/**
 * Opens the database, or a new one in memory with a view for each relation of files. From then on no file can be
 * reached but those, no extension can be loaded, and the configuration is locked, for every connection
 * (https://duckdb.org/docs/stable/operations_manual/securing_duckdb/overview).
 */
export async function openEngine(driver: typeof Driver, settings: WorkerSettings): Promise<Engine> {
  const { source } = settings;
  const instance = await driver.DuckDBInstance.create(
    source.type === 'database' ? source.file : ':memory:',
    configurationOf(settings),
  );
  // One for each statement that runs side by side, before the configuration is locked, and one for those that only just
  // end.
  const connections = await Promise.all(Array.from({ length: settings.poolSize + 1 }, () => instance.connect()));
  const [first] = connections;
  if (first === undefined) throw new Error('The driver gave no connection.');
  // Zones of the machine must not change what a query gives.
  await first.run("SET GLOBAL TimeZone = 'UTC'");
  for (const connection of connections) await connection.run(`SET SESSION streaming_buffer_size = '${STREAM_BUFFER}'`);
  const problems = source.type === 'files' ? await createViews(first, source.relations) : [];
  const allowed = source.type === 'files' ? source.relations.flatMap(({ files }) => files) : [];
  // It drops rows outside of the least and the greatest value of the other side of a join before other conditions are
  // computed: where one of these fails tells of masked columns whether a value lies between two others.
  await first.run("SET GLOBAL disabled_optimizers = 'join_filter_pushdown'");
  if (allowed.length > 0) await first.run(`SET GLOBAL allowed_paths = [${allowed.map(literal).join(', ')}]`);
  await first.run('SET GLOBAL enable_external_access = false');
  await first.run('SET GLOBAL lock_configuration = true');
  return engineOf(instance, connections, problems, settings);
}

/** Views over files are made in memory, so that database must take changes. */
function isOpenedReadOnly({ access, source }: Pick<WorkerSettings, 'access' | 'source'>): boolean {
  return source.type === 'database' && access === 'read';
}

function configurationOf({ source, access, threads, maxMemoryBytes, maxTempBytes, tempFolder }: WorkerSettings) {
  return {
    access_mode: isOpenedReadOnly({ access, source }) ? 'READ_ONLY' : 'READ_WRITE',
    threads: String(threads),
    memory_limit: `${Math.floor(maxMemoryBytes / 1024)}KiB`,
    // Without a folder nothing is spilled.
    temp_directory: maxTempBytes === 0 ? '' : tempFolder,
    max_temp_directory_size: `${Math.floor(maxTempBytes / 1024)}KiB`,
    autoload_known_extensions: 'false',
    autoinstall_known_extensions: 'false',
    allow_community_extensions: 'false',
    allow_unsigned_extensions: 'false',
    allow_persistent_secrets: 'false',
    errors_as_json: 'true',
  };
}

/** Views of the relations whose files can be read. */
async function createViews(
  connection: DuckDBConnection,
  relations: readonly FileRelation[],
): Promise<readonly FileProblem[]> {
  const problems: FileProblem[] = [];
  for (const relation of relations) {
    try {
      for (const sql of viewStatements(relation)) await connection.run(sql);
    } catch (thrown) {
      if (relation.required || relations.length === 1) throw new RelationProblem(relation.name, thrown);
      problems.push({ relation: relation.name, message: failureOf(thrown).message });
    }
  }
  const [worst] = problems;
  if (worst !== undefined && problems.length === relations.length)
    throw new RelationProblem(worst.relation, new Error(worst.message));
  return problems;
}

function engineOf(
  instance: DuckDBInstance,
  connections: readonly DuckDBConnection[],
  problems: readonly FileProblem[],
  { access, source, tempFolder }: WorkerSettings,
): Engine {
  const idle = [...connections];
  return {
    access,
    isReadOnly: isOpenedReadOnly({ access, source }),
    guard: createFunctionGuard({ mayChange: access === 'write', ownViews: source.type === 'files', tempFolder }),
    memory: isOpenedReadOnly({ access, source }) ? new StatementMemory() : undefined,
    problems,
    take: async () => idle.pop() ?? (await instance.connect()),
    give: (connection) => {
      idle.push(connection);
    },
    close: () => {
      for (const connection of idle.splice(0)) connection.closeSync();
      instance.closeSync();
    },
  };
}
