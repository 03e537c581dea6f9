import {
  type Access,
  type Adapter,
  type AdapterSpec,
  type AskemaError,
  createCallContext,
  type ExecuteOptions,
  isAskemaError,
  QUERY_DEFAULTS,
  qualifiedName,
  quoteIdentifier,
  type ResultEvent,
  type Row,
  resolveAdapter,
  type Schema,
} from '@askema/core';
import type { AdapterFixture, FixtureName } from '../fixture/adapter-fixture.ts';
import { adapterFixture } from '../fixture/fixtures.ts';
import { type HostileName, hostileNames } from '../fixture/names.ts';
import type { HostileStatement } from '../hostile/hostile-statement.ts';
import type { AdapterFactory, AdapterStatements, EngineFeature, LoadedDatabase } from './adapter-factory.ts';
import { defaultStatements } from './default-statements.ts';

/** What a case works with. */
export interface AdapterBench {
  readonly statements: AdapterStatements;
  /** The factory's; the bench of a factory without it throws. */
  ddl(schema: Schema): string;
  /** The hostile names that the engine can have. */
  readonly names: readonly HostileName[];
  /** Of the factory, beside those that the suite knows. */
  readonly hostileStatements: readonly HostileStatement[];
  /** An adapter for reading, shared by the cases of the suite: a case must leave it as it was. */
  open(fixture: FixtureName): Promise<OpenDatabase>;
  /** An adapter of this case alone; with `write` its database is made anew as well. */
  openOwn(fixture: FixtureName, access?: Access): Promise<OpenDatabase>;
  /** An adapter of this case alone, on a database that is made anew; `prepare` runs before it is opened. */
  openFresh(
    fixture: FixtureName,
    access?: Access,
    prepare?: (loaded: LoadedDatabase) => Promise<void>,
  ): Promise<OpenDatabase>;
}

/** One case of the suite. It asserts with vitest's `expect`. */
export interface AdapterCase {
  /** What is promised, in a sentence. */
  readonly title: string;
  /** The engine must have it, or all of them; otherwise the case is skipped. */
  readonly needs?: EngineFeature | readonly EngineFeature[] | undefined;
  /** The factory must give it; otherwise the case is skipped. */
  readonly needsDdl?: true | undefined;
  run(bench: AdapterBench): Promise<void>;
}

export interface OpenDatabase {
  readonly adapter: Adapter;
  readonly spec: AdapterSpec;
  readonly fixture: AdapterFixture;
  readonly loaded: LoadedDatabase;
  /** A relation of the fixture as SQL. */
  table(name: string): string;
  /** A column of the fixture as SQL. */
  column(name: string): string;
  /** The rows of a statement. */
  rows(sql: string): Promise<readonly Row[]>;
}

/** Databases of one suite, and their shared adapters. */
export interface BenchRoom {
  /**
   * A bench for one case. Leaving closes whatever is the case's own, and after a failure also what it shared with
   * others.
   */
  enter(): Promise<{
    readonly bench: AdapterBench;
    /** The statement that the case sent last. */
    lastStatement(): string | undefined;
    leave(failed: boolean): Promise<void>;
  }>;
  dispose(): Promise<void>;
}

export function createBenchRoom(factory: AdapterFactory): BenchRoom {
  const databases = new Map<FixtureName, Promise<LoadedDatabase>>();
  const shared = new Map<FixtureName, OpenDatabase>();
  let sent: string | undefined;
  const onStatement = (sql: string): void => {
    sent = sql;
  };
  const fixtureOf = (name: FixtureName): AdapterFixture => adapterFixture(name, factory.unusableNames);
  const load = (name: FixtureName): Promise<LoadedDatabase> => {
    const known = databases.get(name) ?? factory.load(fixtureOf(name));
    databases.set(name, known);
    return known;
  };
  const closeShared = async (names: Iterable<FixtureName>): Promise<void> => {
    for (const name of [...names]) {
      const database = shared.get(name);
      shared.delete(name);
      await database?.adapter.close();
    }
  };
  const openShared = async (name: FixtureName): Promise<OpenDatabase> => {
    const database = shared.get(name) ?? openDatabase(await load(name), 'read', fixtureOf(name), onStatement);
    shared.set(name, database);
    return database;
  };
  return {
    async enter() {
      const { dialect } = (await openShared('shop')).adapter;
      sent = undefined;
      const used = new Set<FixtureName>();
      const own: (() => Promise<void>)[] = [];
      const bench: AdapterBench = {
        statements: { ...defaultStatements(dialect), ...factory.statements },
        ddl(schema) {
          if (factory.ddl === undefined) throw new Error('The factory gives no `ddl`.');
          return factory.ddl(schema);
        },
        names: hostileNames(factory.unusableNames),
        hostileStatements: factory.hostileStatements ?? [],
        open(name) {
          used.add(name);
          return openShared(name);
        },
        async openOwn(name, access = 'read') {
          if (access === 'write') return bench.openFresh(name, access);
          const database = openDatabase(await load(name), access, fixtureOf(name), onStatement);
          own.push(() => database.adapter.close());
          return database;
        },
        async openFresh(name, access = 'read', prepare) {
          const loaded = await factory.load(fixtureOf(name));
          own.push(() => loaded.dispose());
          await prepare?.(loaded);
          const database = openDatabase(loaded, access, fixtureOf(name), onStatement);
          own.unshift(() => database.adapter.close());
          return database;
        },
      };
      const leave = async (failed: boolean): Promise<void> => {
        for (const end of own.splice(0)) await end();
        if (failed) await closeShared(used);
      };
      return { bench, lastStatement: () => sent, leave };
    },
    async dispose() {
      await closeShared(shared.keys());
      for (const loaded of databases.values()) await (await loaded).dispose();
    },
  };
}

function openDatabase(
  loaded: LoadedDatabase,
  access: Access,
  fixture: AdapterFixture,
  onStatement: (sql: string) => void,
): OpenDatabase {
  const spec = watched(loaded.open(access), onStatement);
  const adapter = resolveAdapter(spec);
  const { dialect } = adapter;
  return {
    adapter,
    spec,
    fixture,
    loaded,
    table: (relation) => qualifiedName({ ...loaded.location, relation }, dialect, 'always'),
    column: (name) => quoteIdentifier(name, dialect),
    rows: async (sql) => (await adapter.query(sql)).rows,
  };
}

/** The same spec, whose statements are told before they run. */
function watched(spec: AdapterSpec, onStatement: (sql: string) => void): AdapterSpec {
  const executor: AdapterSpec['executor'] = {
    execute(sql, options) {
      onStatement(sql);
      return spec.executor.execute(sql, options);
    },
  };
  return new Proxy(spec, {
    get(target, key) {
      if (key === 'executor') return executor;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** What a promise rejects with, as an AskemaError; a case fails when it resolves or rejects with something else. */
export async function errorOf(promise: Promise<unknown>): Promise<AskemaError> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (thrown: unknown) => ({ thrown }),
  );
  if (!('thrown' in outcome)) throw new Error(`Expected an error, got ${describeValue(outcome.value)}.`);
  if (!isAskemaError(outcome.thrown)) throw outcome.thrown;
  return outcome.thrown;
}

function describeValue(value: unknown): string {
  const text = JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? `${inner}n` : inner));
  return (text ?? String(value)).slice(0, 200);
}

/** Options of an execution, with the defaults of `Adapter.query`. */
export function executeOptions(options: Partial<ExecuteOptions> = {}): ExecuteOptions {
  return { ...QUERY_DEFAULTS, context: createCallContext(), ...options };
}

/** Every event of an execution. */
export async function eventsOf(events: AsyncIterable<ResultEvent>): Promise<ResultEvent[]> {
  const collected: ResultEvent[] = [];
  for await (const event of events) collected.push(event);
  return collected;
}
