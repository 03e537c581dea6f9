import {
  type Adapter,
  type AdapterSpec,
  AskemaError,
  type AttributeId,
  type CallContext,
  isAskemaError,
  oneLine,
  type Parameter,
  type RelationId,
  type Schema,
} from '@askema/core';
import { writeDdl } from '@askema/dialects';
import type { TestValue } from '../model/test-plan.ts';
import { bindValue } from '../test-plan/case-value.ts';
import { updateStatement } from '../test-plan/compile-change.ts';
import { type CompileGround, compileGround, relationSql } from '../test-plan/compile-ground.ts';
import { unenforcedConstraints } from '../test-plan/run-test-plan.ts';
import {
  openScratch,
  type ReadyStatement,
  runDdl,
  type ScratchLimits,
  ScratchRows,
} from '../test-plan/scratch-database.ts';
import { insertStatement, isFoundLater, type Statement, typeOf } from '../test-plan/statement.ts';
import type { RowStore } from './row-store.ts';

const DEFAULT_TIMEOUT_MS = 10_000;
/** Messages of databases carry values. */
const MAX_SHOWN = 500;

/** What is wrong with a row, not with the database or the run. */
const REFUSALS: ReadonlySet<string> = new Set(['QUERY_FAILED', 'QUERY_REFUSED', 'INPUT_INVALID']);

/** Rows in a scratch database. */
export interface ScratchStore extends RowStore {
  /** The name of the database's dialect. */
  readonly dialect: string;
  /** Closes the database. */
  close(): Promise<void>;
}

export interface ScratchStoreOptions {
  readonly schema: Schema;
  /** An empty database, opened for writing; called once. */
  readonly scratch: () => AdapterSpec | Promise<AdapterSpec>;
  /** For each statement, in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number | undefined;
  readonly context: CallContext;
}

/**
 * A store on a scratch database, which gets the relations of the schema. Values are bound and never become SQL text.
 *
 * @throws AskemaError `CONFIG_INVALID` for a database that is not empty, was opened for reading, or does not enforce
 * what it declares (then it refuses nothing, and tests of refusals say nothing); what `writeDdl` and the database say
 * of a schema that cannot be created. The database is closed then.
 */
export async function openScratchStore(options: ScratchStoreOptions): Promise<ScratchStore> {
  const { schema, context, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const limits: ScratchLimits = { timeoutMs, context };
  const adapter = await openScratch(options.scratch, limits);
  try {
    const loose = await unenforcedConstraints(adapter, limits);
    if (loose.size > 0)
      throw new AskemaError(
        'CONFIG_INVALID',
        `The scratch database ${JSON.stringify(adapter.name)} does not enforce ${[...loose].join(', ')}, so that it cannot refuse rows. Pass one that does, such as SQLite.`,
      );
    await runDdl(adapter, writeDdl(withRequiredKeys(schema), adapter.dialect), limits);
    return new DatabaseRows(adapter, schema, limits);
  } catch (thrown) {
    await adapter.close();
    throw thrown;
  }
}

/** A key is never NULL; SQLite takes it unless that is said (https://sqlite.org/lang_createtable.html#the_primary_key). */
function withRequiredKeys(schema: Schema): Schema {
  const { primaryKeys, domainConstraints } = schema;
  const required = new Set(
    domainConstraints.filter(({ constraint }) => constraint === 'not null').map(({ attribute }) => attribute),
  );
  const missing = primaryKeys.flatMap(({ attributes }) => attributes.filter((attribute) => !required.has(attribute)));
  return {
    ...schema,
    domainConstraints: [
      ...domainConstraints,
      ...missing.map((attribute) => ({ attribute, constraint: 'not null' as const })),
    ],
  };
}

type Values = ReadonlyMap<AttributeId, TestValue>;

class DatabaseRows implements ScratchStore {
  readonly dialect: string;
  private readonly adapter: Adapter;
  private readonly ground: CompileGround;
  private readonly rows: ScratchRows;

  constructor(adapter: Adapter, schema: Schema, limits: ScratchLimits) {
    this.adapter = adapter;
    this.dialect = adapter.dialect.name;
    this.ground = compileGround({ schema, relations: [], decompositions: [], findings: [] }, adapter.dialect);
    this.rows = new ScratchRows(adapter, this.ground, limits);
  }

  reset(): Promise<void> {
    return this.rows.empty();
  }

  async insert(relation: RelationId, values: Values): Promise<string | undefined> {
    // What is left out is NULL here, not the next number of the database.
    const all = this.ground.index.attributesOf(relation).map(({ id }) => [id, values.get(id) ?? null] as const);
    const outcome = await this.write(insertStatement(this.ground, relation, this.bound(new Map(all))));
    return typeof outcome === 'string' ? outcome : undefined;
  }

  async update(relation: RelationId, key: Values, values: Values): Promise<string | undefined> {
    const where = [...this.bound(key)].map(([attribute, value]) => ({ attribute, value, path: [] }));
    const target = { name: relation, main: relation, relations: [relation] };
    const outcome = await this.write(updateStatement(this.ground, target, relation, this.bound(values), where));
    if (typeof outcome === 'string') return outcome;
    return outcome === 0 ? `${relationSql(this.ground, relation)} has no such row to change.` : undefined;
  }

  close(): Promise<void> {
    return this.adapter.close();
  }

  private bound(values: Values): Map<AttributeId, Parameter> {
    return new Map([...values].map(([id, value]) => [id, bindValue(value, typeOf(this.ground, id)).parameter]));
  }

  private async write(statement: Statement): Promise<number | string | undefined> {
    try {
      return await this.rows.write(ready(statement));
    } catch (thrown) {
      if (!isAskemaError(thrown) || !REFUSALS.has(thrown.code)) throw thrown;
      return oneLine(thrown.message, MAX_SHOWN);
    }
  }
}

function ready({ sql, relation, parameters }: Statement): ReadyStatement {
  return { sql, relation, parameters: parameters.map((bound) => (isFoundLater(bound) ? null : bound)) };
}
