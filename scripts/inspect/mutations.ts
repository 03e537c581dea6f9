import {
  type Adapter,
  type AttributeId,
  compareResults,
  createCallContext,
  type QueryResult,
  quoteIdentifier,
} from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { wrongColumns } from './mutate-columns.ts';
import { missingGroups } from './mutate-groups.ts';
import { droppedJoins, swappedForeignKeys } from './mutate-joins.ts';
import { type LiteralMutation, unheldLiterals } from './mutate-literals.ts';
import { type Mutation, type MutationSource, randomOf } from './mutation.ts';

/** Of one statement and one kind of mistake: how many are tried until one changes the result. */
const MAX_TRIES = 12;

const CAPS = { maxRows: 50_000, maxBytes: 32 * 1024 * 1024, timeoutMs: 5_000 } as const;

export interface MutationRequest extends Omit<MutationSource, 'random'> {
  readonly adapter: Adapter;
  /** Of the whole set; every statement draws from numbers of its own. */
  readonly seed: string;
  /** Names the statement among the others. */
  readonly id: string;
  readonly orderMatters: boolean;
}

/** A mutation whose result is another than that of the statement, or that fails. */
export interface KeptMutation extends Mutation {
  readonly effect: 'fails' | 'other result';
}

/**
 * Breaks a statement in each way that fits it, and keeps what really changes its result on the database: at most one
 * for each kind of mistake and what a detector may see of it (`subKind`).
 */
export async function mutationsOf(request: MutationRequest): Promise<readonly KeptMutation[]> {
  const gold = await run(request, request.sql);
  if (gold === undefined) return [];
  const kept = new Map<string, KeptMutation>();
  const tries = new Map<string, number>();
  const makers = [wrongColumns, droppedJoins, swappedForeignKeys, missingGroups, unheldLiterals];
  for (const maker of makers) {
    const random = randomOf(`${request.seed}/${request.id}/${maker.name}`);
    for (const mutation of maker({ ...request, random })) {
      const key = `${mutation.kind}/${groupOf(mutation)}`;
      const tried = tries.get(key) ?? 0;
      if (kept.has(key) || tried >= MAX_TRIES) continue;
      tries.set(key, tried + 1);
      if ('attribute' in mutation && (await isHeld(request, mutation as LiteralMutation))) continue;
      const result = await run(request, mutation.sql);
      const isSame = result !== undefined && compareResults(gold, result, { orderMatters: request.orderMatters }).match;
      if (!isSame) kept.set(key, { ...mutation, effect: result === undefined ? 'fails' : 'other result' });
    }
  }
  return [...kept.values()];
}

/** Of wrong columns one for each place where the column lives, in whatever clause it stands. */
function groupOf({ kind, subKind }: Mutation): string {
  return kind === 'wrong-column' ? (subKind.split(',')[0] ?? '') : subKind;
}

async function run({ adapter }: MutationRequest, sql: string): Promise<QueryResult | undefined> {
  try {
    return await adapter.query(sql, { ...CAPS, context: createCallContext() });
  } catch {
    return undefined;
  }
}

async function isHeld(request: MutationRequest, { attribute, value }: LiteralMutation): Promise<boolean> {
  const { index, adapter } = request;
  const name = index.attribute(attribute as AttributeId);
  const relation = name === undefined ? undefined : index.relation(name.relation);
  if (name === undefined || relation === undefined) return true;
  const quoted = (text: string): string => quoteIdentifier(text, sqliteDialect);
  const sql = `SELECT 1 FROM ${quoted(relation.name)} WHERE ${quoted(name.name)} = ? LIMIT 1`;
  const found = await adapter.query(sql, { ...CAPS, parameters: [value], context: createCallContext() });
  return found.rows.length > 0;
}
