import { AskemaError, type Catalog, type Dialect, throwIfAborted } from '@askema/core';
import { resolveQuery } from '@askema/lint';
import type { SqlParser } from '@askema/sql';
import type { Expression } from '../expression/expression.ts';
import { quotedText } from '../expression/quoted-text.ts';
import { columnsIn } from '../expression/walk-expression.ts';
import { entryId, type Knowledge } from '../model/knowledge.ts';
import { chooseConditions } from './choose-conditions.ts';
import { chooseJoins } from './choose-joins.ts';
import { chooseMetrics } from './choose-metrics.ts';
import { type CollectedShapes, collectShapes, type StatementShape } from './collect-shapes.ts';
import { refusedMetrics } from './compiling.ts';
import { type DatasetsOf, datasetsOf } from './defined-names.ts';
import { addEvidence, type Evidence, isEnough, noEvidence, runsOfAll, together } from './evidence.ts';
import { exampleOf, namesOf } from './example-of.ts';
import { type GatheredCondition, GatheredFacts } from './gather-facts.ts';
import { bindBoth, knownDefinitions, ofAll } from './known-definitions.ts';
import { type LoggedStatement, MINE_DEFAULTS, type MineLimits } from './logged-statement.ts';
import type { MinedKnowledge, WithheldReason } from './mined-knowledge.ts';
import { type Proposed, propose } from './propose.ts';
import { readStatement } from './read-statement.ts';
import { type Sides, sidesOf } from './sides.ts';

/** In long logs, what stands in less than one of so many runs may be chance. */
const RUNS_OF_ONE = 2_000;

/** The database whose statements are read, and what counts. */
export interface MineOptions extends Partial<{ readonly [Key in keyof MineLimits]: MineLimits[Key] | undefined }> {
  readonly catalog: Catalog;
  /** In which the statements are written. */
  readonly dialect: Dialect;
  readonly parser: SqlParser;
  /** What is accepted or proposed is not proposed again. */
  readonly knowledge?: Knowledge | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told now and then: statements that were read, then different ones that were parsed. */
  readonly onProgress?: ((done: number, of: 'read' | 'parsed') => void) | undefined;
}

/**
 * Proposes what people really run: joins, metrics, filters and names. Statements that differ only in literals are parsed
 * once; nothing of them is run. Literals are dropped, but for short texts that stand in one condition of several users
 * on a column compared with at most 20 values; `values` keeps them all.
 *
 * @throws AskemaError `INPUT_INVALID` for limits that are no whole numbers above 0, `ABORTED`.
 */
export async function mineKnowledge(
  statements: Iterable<LoggedStatement> | AsyncIterable<LoggedStatement>,
  options: MineOptions,
): Promise<MinedKnowledge> {
  const { catalog, dialect, signal, onProgress } = options;
  const knowledge = options.knowledge && ofAll(options.knowledge);
  const given = limitsOf(options);
  const collected = await collectShapes(statements, dialect, given, {
    signal,
    onProgress: onProgress && ((read) => onProgress(read, 'read')),
  });
  const bounds = knowledge === undefined ? [] : bindBoth(knowledge, { catalog, dialect });
  const names = datasetsOf(catalog, bounds);
  const sides = sidesOf(catalog);
  const facts = new GatheredFacts(names.column);
  const used = await gather(collected, facts, {
    options,
    limits: given,
    names,
    known: namesOf(catalog),
    sides,
  });
  const limits = {
    ...given,
    minCount: options.minCount ?? Math.max(given.minCount, Math.ceil(runsOfAll(used) / RUNS_OF_ONE)),
  };

  const conditions = chooseConditions(facts, limits, { isListed: listedIn(names), isMasked: maskedIn(catalog, names) });
  const { metrics, withheld, unsettled } = chooseMetrics(facts, conditions, limits);
  const joins = chooseJoins(facts, catalog, sides, limits);
  const found = { facts, joins, metrics, always: conditions.always, named: conditions.named };
  const definitions = knownDefinitions(bounds, names.column);
  const { model, proposals, known } = withoutRefused(propose(found, names, definitions, knowledge, limits), {
    ...options,
    knowledge,
  });
  return {
    knowledge: {
      models: proposals.length === 0 ? [] : [model],
      settings: { dialect: catalog.dialect },
      texts: [],
      verifiedQueries: [],
    },
    lost: [],
    proposals,
    statements: collected.statements,
    used: used.count,
    skipped: Object.fromEntries(collected.skipped),
    known,
    withheld: withoutZeros({
      'values of few': withheld + conditions.withheld,
      'no settled condition': unsettled,
      'not in the language of definitions': [...facts.unsaid.values()].filter((one) => isEnough(one, limits)).length,
    }),
  };
}

function withoutZeros(counts: Record<WithheldReason, number>): MinedKnowledge['withheld'] {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
}

/** What is no metric of an engine is none that people could mean. */
function withoutRefused(proposed: Proposed, { knowledge, catalog, dialect }: MineOptions): Proposed {
  const refused = refusedMetrics(proposed.model, knowledge, { catalog, dialect });
  const ids = new Set([...refused].map((name) => entryId('metric', name)));
  return {
    ...proposed,
    model: { ...proposed.model, metrics: proposed.model.metrics.filter(({ name }) => !refused.has(name)) },
    proposals: proposed.proposals.filter(({ id }) => !ids.has(id)),
  };
}

function limitsOf(options: MineOptions): MineLimits {
  const given = Object.fromEntries(
    Object.keys(MINE_DEFAULTS).flatMap((key) => {
      const value = options[key as keyof MineLimits];
      return value === undefined ? [] : [[key, value]];
    }),
  );
  const limits: MineLimits = { ...MINE_DEFAULTS, ...given };
  for (const key of ['minCount', 'minUsers', 'toolRuns'] as const)
    if (!Number.isSafeInteger(limits[key]) || limits[key] < 1)
      throw new AskemaError('INPUT_INVALID', `${key} is ${limits[key]}; it must be a whole number of at least 1.`);
  return limits;
}

interface Gathering {
  readonly options: MineOptions;
  readonly limits: MineLimits;
  readonly names: DatasetsOf;
  readonly known: ReadonlySet<string>;
  readonly sides: Sides;
}

/** Parses each shape and adds up what it teaches; returns what counts. */
async function gather(collected: CollectedShapes, facts: GatheredFacts, gathering: Gathering): Promise<Evidence> {
  const { signal, onProgress } = gathering.options;
  const { skipped } = collected;
  const skip = (reason: 'by a tool' | 'not parsed', count: number): void => {
    if (count > 0) skipped.set(reason, (skipped.get(reason) ?? 0) + count);
  };
  const used = noEvidence();
  for (const [at, shape] of collected.shapes.entries()) {
    throwIfAborted(signal, 'Reading the log');
    onProgress?.(at, 'parsed');
    const variants = [...shape.variants.values()].map(({ values, uses }) => {
      const evidence = noEvidence();
      for (const [origin, use] of uses)
        if (!gathering.limits.withTools && collected.tools.has(origin)) skip('by a tool', use.count);
        else addEvidence(evidence, use);
      return { values, evidence };
    });
    const counting = variants.filter(({ evidence }) => evidence.count > 0);
    const all = together(counting.map(({ evidence }) => evidence));
    if (all.count === 0) continue;
    if (await read(shape, counting, facts, gathering)) addEvidence(used, all);
    else skip('not parsed', all.count);
  }
  return used;
}

type Counting = readonly { readonly values: readonly (string | undefined)[]; readonly evidence: Evidence }[];

async function read(
  { sql, texts, unknown }: StatementShape,
  variants: Counting,
  facts: GatheredFacts,
  { options, names, known, sides }: Gathering,
): Promise<boolean> {
  const { parser, dialect, catalog, signal } = options;
  const parsed = await parser.parse(sql, dialect, { signal });
  if (!parsed.ok) return false;
  const query = resolveQuery({ sql, shape: parsed.shape, catalog, dialect });
  const example = exampleOf(query, known);
  for (const { values, evidence } of variants) {
    evidence.example = example;
    const given = new Map(texts.map((start, at) => [start, values[at]]));
    facts.add(readStatement(query, { texts: given, unknown }, names, sides), evidence);
  }
  return true;
}

/** Conditions whose values the knowledge lists for the field: they are known, whoever asks for them. */
function listedIn(names: DatasetsOf): (condition: GatheredCondition) => boolean {
  return ({ relation, columns, text }) => {
    const [only, second] = columns;
    const dataset = names.datasetOf(relation);
    if (dataset === undefined || only === undefined || second !== undefined) return false;
    const field = dataset.fields.find(({ name }) => only.replaceAll('"', '') === `${dataset.name}.${name}`);
    const values = field?.values.map(({ value }) => quotedText(String(value))) ?? [];
    const texts = text.match(/'(?:[^']|'')*'/g) ?? [];
    return texts.length > 0 && texts.every((one) => values.includes(one));
  };
}

function maskedIn({ schema, attributes }: Catalog, names: DatasetsOf): (expression: Expression) => boolean {
  const key = (dataset: string, column: string): string => JSON.stringify([dataset, column]);
  const masked = new Set(
    schema.attributes.flatMap(({ id, relation, name }) =>
      attributes[id]?.masked === true ? [key(names.dataset(relation), name)] : [],
    ),
  );
  return (expression) =>
    columnsIn(expression).some(({ bound }) => bound !== undefined && masked.has(key(bound.dataset, bound.column)));
}
