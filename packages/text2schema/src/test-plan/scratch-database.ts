import {
  type Adapter,
  type AdapterSpec,
  AskemaError,
  type AttributeId,
  type CallContext,
  isAskemaError,
  type Parameter,
  type QueryResult,
  type RelationId,
  referencedFirst,
  resolveAdapter,
} from '@askema/core';
import { splitStatements } from '@askema/sql';
import { attributeSql, type CompileGround, relationSql } from './compile-ground.ts';

/** A statement with everything filled in. */
export interface ReadyStatement {
  readonly sql: string;
  readonly parameters: readonly Parameter[];
  readonly relation: RelationId;
}

/** Limits of every statement of a test run. */
export interface ScratchLimits {
  readonly timeoutMs: number;
  readonly context: CallContext;
}

/** Rows of a query of the plan; more than anybody expects by hand. */
const MAX_ROWS = 1_000;

/**
 * Opens the scratch database.
 *
 * @throws AskemaError `CONFIG_INVALID` where it may not be written to, or has relations in it: nothing of a user's is
 * ever changed.
 */
export async function openScratch(
  scratch: () => AdapterSpec | Promise<AdapterSpec>,
  { context }: ScratchLimits,
): Promise<Adapter> {
  const adapter = resolveAdapter(await scratch());
  try {
    if (adapter.access !== 'write')
      throw new AskemaError(
        'CONFIG_INVALID',
        `The scratch database ${JSON.stringify(adapter.name)} was opened for reading; tests write rows. Open it with \`access: 'write'\`.`,
      );
    const { schema, incomplete } = await adapter.introspect({ context });
    const unread = incomplete.filter(({ affects }) => affects !== 'counts');
    if (schema.relations.length > 0 || unread.length > 0)
      throw new AskemaError(
        'CONFIG_INVALID',
        `The scratch database ${JSON.stringify(adapter.name)} is not empty (${
          schema.relations.length === 0
            ? unread[0]?.reason
            : schema.relations
                .slice(0, 3)
                .map(({ name }) => name)
                .join(', ')
        }); tests create and empty tables. Pass an empty database.`,
      );
    return adapter;
  } catch (thrown) {
    await adapter.close();
    throw thrown;
  }
}

/** Runs DDL, statement by statement. Rejects with what the database says. */
export async function runDdl(adapter: Adapter, ddl: string, { timeoutMs, context }: ScratchLimits): Promise<void> {
  for (const { start, end } of splitStatements(ddl, adapter.dialect.lexer))
    await adapter.query(ddl.slice(start, end), { access: 'write', timeoutMs, context });
}

/** The rows of the scratch database: written, taken back, emptied. */
export class ScratchRows {
  private readonly adapter: Adapter;
  private readonly ground: CompileGround;
  private readonly limits: ScratchLimits;
  /** What was written since the database was empty, in order. */
  private log: ReadyStatement[] = [];
  private readonly touched = new Set<RelationId>();

  constructor(adapter: Adapter, ground: CompileGround, limits: ScratchLimits) {
    this.adapter = adapter;
    this.ground = ground;
    this.limits = limits;
  }

  read({ sql, parameters }: ReadyStatement): Promise<QueryResult> {
    return this.adapter.query(sql, { ...this.limits, parameters, maxRows: MAX_ROWS });
  }

  /** Rows changed; undefined where the adapter does not say. */
  async write(statement: ReadyStatement): Promise<number | undefined> {
    this.touched.add(statement.relation);
    const { sql, parameters } = statement;
    const { affectedRows } = await this.adapter.query(sql, { ...this.limits, parameters, access: 'write' });
    this.log.push(statement);
    return affectedRows;
  }

  /** Where the rows stand now, for {@link rewind}. */
  get position(): number {
    return this.log.length;
  }

  /** Takes back what was written since a position: the rows are written anew up to it. */
  async rewind(position: number): Promise<void> {
    if (position === this.log.length) return;
    const kept = this.log.slice(0, position);
    await this.empty();
    for (const statement of kept) await this.write(statement);
  }

  /** Deletes all rows that were written, those that refer to others first. */
  async empty(): Promise<void> {
    const relations = referencedFirst(this.ground.index, [...this.touched]).reverse();
    const left = await this.deleteAll(relations);
    if (left.length > 0) {
      for (const relation of left) await this.clearReferences(relation);
      const [stuck] = await this.deleteAll(left);
      if (stuck !== undefined)
        throw new AskemaError(
          'QUERY_FAILED',
          `The rows of ${relationSql(this.ground, stuck)} cannot be deleted from the scratch database: foreign keys hold them in a cycle.`,
        );
    }
    this.log = [];
    this.touched.clear();
  }

  private async deleteAll(relations: readonly RelationId[]): Promise<RelationId[]> {
    const left: RelationId[] = [];
    for (const relation of relations)
      if (!(await this.attempt(`DELETE FROM ${relationSql(this.ground, relation)}`))) left.push(relation);
    // What went may have held the others, where references lead in a circle and there is no right order.
    return left.length === 0 || left.length === relations.length ? left : this.deleteAll(left);
  }

  private async clearReferences(relation: RelationId): Promise<void> {
    const { index } = this.ground;
    const key: readonly AttributeId[] = index.primaryKey(relation)?.attributes ?? [];
    const columns = index
      .foreignKeysFrom(relation)
      .flatMap(({ pairs }) => pairs.map(({ from }) => from))
      .filter((attribute) => !key.includes(attribute) && !index.isNotNull(attribute))
      .map((attribute) => `${attributeSql(this.ground, attribute)} = NULL`);
    if (columns.length > 0)
      await this.attempt(`UPDATE ${relationSql(this.ground, relation)} SET ${[...new Set(columns)].join(', ')}`);
  }

  private async attempt(sql: string): Promise<boolean> {
    try {
      await this.adapter.query(sql, { ...this.limits, access: 'write' });
      return true;
    } catch (thrown) {
      if (isAskemaError(thrown) && thrown.code === 'QUERY_FAILED') return false;
      throw thrown;
    }
  }
}
