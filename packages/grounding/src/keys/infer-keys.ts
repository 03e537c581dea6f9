import {
  type Adapter,
  type Attribute,
  type CallContext,
  type Catalog,
  type Dialect,
  type ForeignKey,
  foreignKeyId,
  type InferredKeyEvidence,
  indexSchema,
  type NameParts,
  qualifiedName,
  quoteIdentifier,
  throwIfAborted,
  toAskemaError,
  type Value,
} from '@askema/core';
import pLimit from 'p-limit';
import { countOf } from '../explore/profile-relation.ts';
import { boundedSource } from '../explore/profile-statement.ts';
import { type KeyCandidate, keyCandidates } from './key-candidates.ts';
import { numberRange, valueCandidates } from './value-candidates.ts';

export interface InferKeysOptions {
  readonly context: CallContext;
  /** For all statements together; candidates that are not tested by then are left out. Default 10,000. */
  readonly timeoutMs?: number | undefined;
  /** Statements that are sent. Default 400. */
  readonly maxStatements?: number | undefined;
  /** Rows of the pointing relation that are read. Default 100,000. */
  readonly maxRows?: number | undefined;
  /** Statements that run at the same time. Default 4. */
  readonly concurrency?: number | undefined;
}

/** A foreign key that nobody declared. */
export interface InferredKey extends InferredKeyEvidence {
  readonly foreignKey: ForeignKey;
}

/** Real data has orphans. Below this share, the names are alike by chance. */
const LEAST_SHARE = 0.9;

/** Without values, or with a single one, only names of this likeness are believed. */
const SURE_LIKENESS = 0.95;

/**
 * Foreign keys that nobody declared. Names suggest them (see `keyCandidates`), or ranges of numbers (see
 * `valueCandidates`); the values that stand there must confirm them. Each is tested with one bounded read statement. Two
 * targets that fit equally well infer nothing.
 *
 * What cannot be read in time, or fails, is left out.
 *
 * @throws AskemaError `ABORTED` when the signal of the context fires.
 */
export async function inferKeys(
  adapter: Adapter,
  catalog: Catalog,
  options: InferKeysOptions,
): Promise<readonly InferredKey[]> {
  const { context, maxRows = 100_000 } = options;
  const index = indexSchema(catalog);
  const limit = pLimit(options.concurrency ?? 4);
  const deadline = Date.now() + (options.timeoutMs ?? 10_000);
  let left = options.maxStatements ?? 400;

  /** Undefined where the statement fails: types that do not compare, rights that are missing, no time. */
  const firstRow = (sql: string): Promise<readonly Value[] | undefined> =>
    limit(async () => {
      const timeoutMs = Math.floor(deadline - Date.now());
      left -= 1;
      if (timeoutMs < 1 || left < 0) return undefined;
      const limits = { maxRows: 1, maxBytes: 4096, timeoutMs, access: 'read', context } as const;
      return adapter.query(sql, limits).then(
        ({ rows }) => rows[0],
        (thrown: unknown) => {
          if (toAskemaError(thrown).code === 'ABORTED') throw thrown;
          return undefined;
        },
      );
    });
  const sources = keySources(adapter.dialect, catalog, maxRows);
  const test = async (candidates: readonly KeyCandidate[]): Promise<readonly TestedKey[]> => {
    const tested = await Promise.all(
      candidates.map(async (candidate) => testedKey(candidate, await firstRow(testStatement(sources, candidate)))),
    );
    return tested.flatMap((key) => (key === undefined || !isBelieved(key) ? [] : [key]));
  };

  const named = keyCandidates(catalog, index).toSorted((one, other) => other.likeness - one.likeness);
  const byName = await test(named);
  const connected = new Set(named.map(({ from }) => from.id));
  const byValue = await valueCandidates(catalog, index, connected, async (attribute) =>
    numberRange((await firstRow(rangeStatement(sources, attribute))) ?? []),
  );
  const groups = Map.groupBy([...byName, ...(await test(byValue))], ({ from }) => from.id);
  throwIfAborted(context.signal, 'The search for keys');
  return [...groups.values()].flatMap((group) => bestOf(group) ?? []);
}

interface TestedKey extends KeyCandidate {
  readonly share: number;
  readonly values: number;
}

/** How attributes stand in statements. */
interface KeySources {
  name(attribute: Attribute): string;
  /** A bounded piece of its relation. */
  some(attribute: Attribute, alias: string): string;
  /** Its whole relation. */
  all(attribute: Attribute): string;
}

function keySources(dialect: Dialect, catalog: Catalog, maxRows: number): KeySources {
  const nameOf = ({ relation }: Attribute): NameParts => catalog.relations[relation]?.nameParts ?? { relation };
  return {
    name: ({ name }) => quoteIdentifier(name, dialect),
    some: (attribute, alias) =>
      boundedSource({ dialect, maxRows, relation: nameOf(attribute) }, [attribute.name], alias),
    all: (attribute) => qualifiedName(nameOf(attribute), dialect, 'always'),
  };
}

/** One row: the different values that point, how many of them the target has, and how many of the target's repeat. */
function testStatement(sources: KeySources, { from, to }: KeyCandidate): string {
  const [child, parent] = [sources.name(from), sources.name(to)];
  const values = `(SELECT DISTINCT c.${child} AS v FROM ${sources.some(from, 'c')} WHERE c.${child} IS NOT NULL) AS s`;
  const known = `SELECT p.${parent} FROM ${sources.all(to)} AS p WHERE p.${parent} IS NOT NULL`;
  return [
    'SELECT COUNT(*)',
    `SUM(CASE WHEN s.v IN (${known}) THEN 1 ELSE 0 END)`,
    `(SELECT COUNT(t.${parent}) - COUNT(DISTINCT t.${parent}) FROM ${sources.some(to, 't')}) FROM ${values}`,
  ].join(', ');
}

function testedKey(candidate: KeyCandidate, row: readonly Value[] | undefined): TestedKey | undefined {
  if (row === undefined) return undefined;
  const [values = 0, matched = 0, repeated = 0] = row.map(countOf);
  return repeated > 0 ? undefined : { ...candidate, values, share: values === 0 ? 0 : matched / values };
}

function rangeStatement(sources: KeySources, attribute: Attribute): string {
  const name = `c.${sources.name(attribute)}`;
  return `SELECT MIN(${name}), MAX(${name}), COUNT(DISTINCT ${name}) FROM ${sources.some(attribute, 'c')}`;
}

function isBelieved({ likeness, share, values }: TestedKey): boolean {
  // No name speaks for it: then every value must.
  if (likeness === 0) return share === 1;
  return (values === 0 || share >= LEAST_SHARE) && (values > 1 || likeness >= SURE_LIKENESS);
}

/** The one whose name fits best; none where two fit equally well. */
function bestOf(group: readonly TestedKey[]): InferredKey | undefined {
  const [best, next] = group.toSorted((one, other) => other.likeness - one.likeness || other.share - one.share);
  if (best === undefined || (next?.likeness === best.likeness && next.share === best.share)) return undefined;
  const { from, to, share, values } = best;
  const pairs = [{ from: from.id, to: to.id }];
  const id = foreignKeyId(from.relation, to.relation, pairs);
  return {
    foreignKey: { id, relation: from.relation, target: to.relation, pairs },
    matchedShare: share,
    valueCount: values,
  };
}

/** The catalog with these keys among its foreign keys. Its fingerprint stays: it is of what the database declares. */
export function withInferredKeys(catalog: Catalog, keys: readonly InferredKey[]): Catalog {
  if (keys.length === 0) return catalog;
  const foreignKeys = [...catalog.schema.foreignKeys, ...keys.map(({ foreignKey }) => foreignKey)];
  const standing = keys.map(({ foreignKey }) => [foreignKey.id, 'inferred'] as const);
  const evidence = keys.map(({ foreignKey, ...found }) => [foreignKey.id, found] as const);
  return {
    ...catalog,
    schema: { ...catalog.schema, foreignKeys },
    keyStanding: { ...catalog.keyStanding, ...Object.fromEntries(standing) },
    inferredKeys: { ...catalog.inferredKeys, ...Object.fromEntries(evidence) },
  };
}
