import { type ComparedRelation, type ComparedSchema, plainName } from './compared-schema.ts';
import { f1, type SchemaScore, type ScoredSchema } from './schema-score.ts';

/**
 * One-to-one pairs, by position: `tables[i]` is the predicted table of gold table i, `attributes[i][j]` the predicted
 * attribute.
 */
interface PositionMatch {
  readonly tables: readonly (number | undefined)[];
  readonly attributes: readonly (readonly (number | undefined)[])[];
}

/** The score of a one-to-one matching: exact key sets, zeros for what is unmatched, no figure above 1. */
export function scoreOfMatch(gold: ComparedSchema, predicted: ComparedSchema, match: PositionMatch): ScoredSchema {
  const pairs = pairsOf(gold, predicted, match);
  const total = gold.relations.length;
  const share = (count: number): number => (total === 0 ? Number(predicted.relations.length === 0) : count / total);
  const exact = (per: number): number => Number(per === 1 && pairs.length === predicted.relations.length);
  const tableF1 = f1(pairs.length, total, predicted.relations.length);
  const attributeF1s = pairs.map((pair) =>
    f1(pair.columns.size, pair.gold.attributes.length, pair.predicted.attributes.length),
  );
  const attributeF1 = share(attributeF1s.reduce((sum, value) => sum + value, 0));
  const attributeAccuracy = share(attributeF1s.filter((value) => value === 1).length);
  const primaryKeyAccuracy = share(pairs.filter(hasSameKey).length);
  const foreign = compareForeignKeys(gold, predicted, pairs);
  const foreignKeyAccuracy = share(foreign.exactTables);
  const typeAccuracy = typesRight(gold, pairs);
  const score: SchemaScore = {
    tableF1,
    tableAccuracy: Number(tableF1 === 1),
    attributeF1,
    attributeAccuracy,
    attributeSchemaAccuracy: exact(attributeAccuracy),
    primaryKeyAccuracy,
    primaryKeySchemaAccuracy: exact(primaryKeyAccuracy),
    foreignKeyF1: foreign.f1,
    foreignKeyAccuracy,
    foreignKeySchemaAccuracy: exact(foreignKeyAccuracy),
    ...(typeAccuracy === undefined ? {} : { typeAccuracy }),
  };
  return { score, match: { tables: pairs.map(namesOf) } };
}

interface TablePair {
  readonly gold: ComparedRelation;
  readonly predicted: ComparedRelation;
  /** Positions of predicted attributes by those of gold. */
  readonly columns: ReadonlyMap<number, number>;
}

function pairsOf(gold: ComparedSchema, predicted: ComparedSchema, match: PositionMatch): readonly TablePair[] {
  return gold.relations.flatMap((relation, at) => {
    const other = match.tables[at];
    const found = other === undefined ? undefined : predicted.relations[other];
    if (found === undefined) return [];
    const columns = relation.attributes.flatMap((_, column): [number, number][] => {
      const to = match.attributes[at]?.[column];
      return to === undefined ? [] : [[column, to]];
    });
    return [{ gold: relation, predicted: found, columns: new Map(columns) }];
  });
}

function namesOf({ gold, predicted, columns }: TablePair): ScoredSchema['match']['tables'][number] {
  const name = (relation: ComparedRelation, at: number): string => relation.attributes[at]?.name ?? '';
  return {
    gold: gold.name,
    predicted: predicted.name,
    attributes: [...columns].map(([from, to]) => ({ gold: name(gold, from), predicted: name(predicted, to) })),
  };
}

/** What a column of gold is called in the prediction, in plain form; undefined where it has no counterpart. */
function counterpart({ gold, predicted, columns }: TablePair, column: string): string | undefined {
  const at = gold.attributes.findIndex((attribute) => plainName(attribute.name) === plainName(column));
  const to = columns.get(at);
  const name = to === undefined ? undefined : predicted.attributes[to]?.name;
  return name === undefined ? undefined : plainName(name);
}

function hasSameKey(pair: TablePair): boolean {
  const mapped = pair.gold.primaryKey.map((column) => counterpart(pair, column));
  return areSameSets(mapped, pair.predicted.primaryKey.map(plainName));
}

function areSameSets(mapped: readonly (string | undefined)[], other: readonly string[]): boolean {
  const own = new Set(mapped);
  const others = new Set(other);
  return !own.has(undefined) && own.size === others.size && [...others].every((each) => own.has(each));
}

/** Column pairs with their targets, as texts that are the same for the same pair. */
function foreignPairs(relation: ComparedRelation): string[] {
  const pairs = relation.foreignKeys.flatMap((key) =>
    key.attributes.map((column, at) =>
      JSON.stringify([plainName(column), plainName(key.target), plainName(key.targetAttributes[at] ?? '')]),
    ),
  );
  return [...new Set(pairs)];
}

function compareForeignKeys(
  gold: ComparedSchema,
  predicted: ComparedSchema,
  pairs: readonly TablePair[],
): { readonly f1: number; readonly exactTables: number } {
  const pairOf = new Map(pairs.map((pair) => [plainName(pair.gold.name), pair]));
  const goldCount = gold.relations.reduce((sum, relation) => sum + foreignPairs(relation).length, 0);
  const predictedCount = predicted.relations.reduce((sum, relation) => sum + foreignPairs(relation).length, 0);
  let hits = 0;
  let exactTables = 0;
  for (const pair of pairs) {
    const mapped = mappedForeignPairs(pair, pairOf);
    const found = foreignPairs(pair.predicted);
    hits += found.filter((each) => mapped.includes(each)).length;
    if (areSameSets(mapped, found)) exactTables += 1;
  }
  return { f1: f1(hits, goldCount, predictedCount), exactTables };
}

function mappedForeignPairs(pair: TablePair, pairOf: ReadonlyMap<string, TablePair>): readonly (string | undefined)[] {
  const mapped = pair.gold.foreignKeys.flatMap((key) => {
    const target = pairOf.get(plainName(key.target));
    return key.attributes.map((column, at) => {
      const from = counterpart(pair, column);
      const to = target === undefined ? undefined : counterpart(target, key.targetAttributes[at] ?? '');
      if (from === undefined || to === undefined || target === undefined) return undefined;
      return JSON.stringify([from, plainName(target.predicted.name), to]);
    });
  });
  return mapped;
}

function typesRight(gold: ComparedSchema, pairs: readonly TablePair[]): number | undefined {
  const known = gold.relations.flatMap((relation) => relation.attributes.filter((each) => each.type !== undefined));
  if (known.length === 0) return undefined;
  const right = pairs.flatMap(({ gold: own, predicted, columns }) =>
    [...columns].filter(([from, to]) => {
      const type = own.attributes[from]?.type;
      return type !== undefined && type === predicted.attributes[to]?.type;
    }),
  );
  return right.length / known.length;
}
