import type { InspectionFinding, RelationId, Span, StatementOfQuestion } from '@askema/core';
import type { ResolvedQuery } from '@askema/lint';
import { isSymbol, isWord, nameOfToken, relationsIn, type SqlToken, significantTokens } from '@askema/sql';
import type { BoundDataset, BoundKnowledge } from '../bind/bound-knowledge.ts';
import { definitionText } from '../bind/definition-text.ts';
import { shortText } from '../bind/knowledge-bases.ts';
import { type AnalysedMetric, analysedOrNone, type Measure } from '../compile/analyse-metric.ts';
import { columnsIn } from '../expression/walk-expression.ts';
import type { Metric } from '../model/semantic-model.ts';
import { lexiconOf } from '../reader/lexicon.ts';
import { phraseKey, type Word, wordsOf, wordsOfName } from '../words/words-of.ts';
import { alwaysHolds } from './always-holds.ts';
import { ComputedStatement } from './compute/computed-statement.ts';
import type { RepeatedRows } from './compute/repeated-rows.ts';

/** More metrics that a metric is made of are not told. */
const MAX_PARTS = 4;

/** The words of a statement. */
interface StatementWords {
  readonly sql: string;
  readonly tokens: readonly SqlToken[];
  /** Names in it, in lower case. */
  readonly names: ReadonlySet<string>;
  /** What is called as a function, in upper case. */
  readonly calls: ReadonlySet<string>;
}

/**
 * What speaks against a statement by the definitions. A metric that the statement, its question or its explanation
 * names is computed otherwise; or the statement aggregates rows of a dataset without the columns of its default filter.
 * Where the statement was parsed and can be followed, what it computes is held against the definition; where not, only
 * its words are: whether it has the columns and aggregates that the metric is made of.
 */
export function checkStatement(
  { sql, question, explanation = '', query }: StatementOfQuestion,
  bound: BoundKnowledge,
): readonly InspectionFinding[] {
  const words = wordsOfStatement(sql, bound);
  const said = `${question}. ${explanation}`;
  const findings: InspectionFinding[] = [];
  const told = new Set<BoundDataset>();
  const named = metricsNamed(words, said, bound);
  const computed = query === undefined ? undefined : computedBy(query, said, [...named.keys()], bound);
  for (const [metric, alias] of named) {
    const analysed = analysedOrNone(metric, bound);
    if (analysed === undefined) continue;
    const found = computed?.check(analysed, (name) => metricOf(wordsOfName(name), bound) === metric);
    if (found?.verdict === 'same') continue;
    const lacking = lackingOf(analysed, words, bound);
    const isSure = found?.verdict === 'other' || found?.verdict === 'repeated';
    if (lacking.length === 0 && !isSure) continue;
    for (const { dataset } of analysed.measures) told.add(dataset);
    const span = isSure ? found.span : (alias ?? { start: 0, end: sql.length });
    const fault =
      found?.verdict === 'repeated'
        ? repeatedText(found.repeated, bound)
        : found?.verdict === 'other'
          ? `\`${shortText(sql.slice(span.start, span.end))}\` is something else.`
          : `The statement lacks ${lacking.join(', ')}.`;
    findings.push({
      code: 'custom/knowledge-metric',
      severity: 'warning',
      message: `\`${metric.name}\` is defined as ${definitionOf(analysed, bound)}. ${fault}`,
      advice: 'Compute it as it is defined, unless the question says otherwise.',
      span,
    });
  }
  return [...findings, ...missingFilters(words, told, bound)];
}

/** The statement as it was parsed, where it is one that this version knows how to read. */
function computedBy(
  query: object,
  said: string,
  named: readonly Metric[],
  bound: BoundKnowledge,
): ComputedStatement | undefined {
  if (!isResolvedQuery(query)) return undefined;
  const others = named.flatMap((metric) => analysedOrNone(metric, bound) ?? []);
  return new ComputedStatement(query, said, others, bound);
}

function isResolvedQuery(query: object): query is ResolvedQuery {
  return 'shape' in query && 'blocks' in query && 'index' in query;
}

function wordsOfStatement(sql: string, { dialect }: BoundKnowledge): StatementWords {
  const tokens = significantTokens(sql, dialect.lexer);
  const names = tokens.flatMap((token) => nameOfToken(token, dialect.lexer)?.toLowerCase() ?? []);
  const calls = tokens.flatMap((token, at) =>
    token.kind === 'word' && isSymbol(tokens[at + 1], '(') ? [token.text.toUpperCase()] : [],
  );
  return { sql, tokens, names: new Set(names), calls: new Set(calls) };
}

type Named = ReadonlyMap<Metric, Span | undefined>;

/** Metrics that stand behind AS, with their place; and those that are said and that nothing else is called. */
function metricsNamed({ tokens, calls }: StatementWords, said: string, bound: BoundKnowledge): Named {
  const named = new Map<Metric, Span | undefined>();
  if (calls.size > 0) for (const metric of metricsIn(wordsOf(said), bound)) named.set(metric, undefined);
  tokens.forEach((token, at) => {
    if (!isWord(tokens[at - 1], 'AS')) return;
    const name = nameOfToken(token, bound.dialect.lexer);
    const metric = name === undefined ? undefined : metricOf(wordsOfName(name), bound);
    if (metric !== undefined) named.set(metric, { start: token.start, end: token.end });
  });
  return named;
}

/** The metric that a phrase means, where it means nothing else. */
function metricOf(words: readonly Word[], bound: BoundKnowledge): Metric | undefined {
  const meanings = lexiconOf(bound).meanings.get(phraseKey(words)) ?? [];
  const [only, other] = meanings;
  return other === undefined && only?.kind === 'metric' && only.onlyCounted !== true ? only.metric : undefined;
}

/** Of phrases that overlap, the longest one counts. */
function metricsIn(words: readonly Word[], bound: BoundKnowledge): readonly Metric[] {
  const { longest, meanings } = lexiconOf(bound);
  const found: Metric[] = [];
  for (let at = 0; at < words.length; at += 1) {
    for (let length = Math.min(longest, words.length - at); length > 0; length -= 1) {
      const phrase = words.slice(at, at + length);
      if (!meanings.has(phraseKey(phrase))) continue;
      const metric = metricOf(phrase, bound);
      if (metric !== undefined) found.push(metric);
      at += length - 1;
      break;
    }
  }
  return found;
}

/** What a statement that computes the metric would have, as somebody reads it. */
function lackingOf({ measures }: AnalysedMetric, words: StatementWords, bound: BoundKnowledge): readonly string[] {
  const lacking = new Set<string>();
  for (const measure of measures) {
    const { call, dataset, filters } = measure;
    const conditions = [...filters, ...alwaysHolds(dataset, bound)];
    const columns = [...(countsRows(measure) ? [] : columnsIn(call)), ...conditions.flatMap(columnsIn)];
    for (const { bound: column } of columns)
      if (column !== undefined && !words.names.has(column.column.toLowerCase()))
        lacking.add(`${column.dataset}.${column.column}`);
    if (!countsRows(measure) && !hasCall(call.name, words.calls)) lacking.add(call.name);
  }
  return [...lacking];
}

/** `COUNT` of a key is the number of rows, however it is written. */
function countsRows({ call, dataset }: Measure): boolean {
  if (call.name !== 'COUNT') return false;
  const columns = columnsIn(call).flatMap(({ bound }) => bound?.column.toLowerCase() ?? []);
  return (
    columns.length === 0 ||
    dataset.keys.some((key) => key.length === 1 && columns.every((one) => one === key[0]?.toLowerCase()))
  );
}

/** Other ways to write an aggregate. */
const WRITTEN_AS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  SUM: [['SUM'], ['TOTAL'], ['COUNT']],
  COUNT: [['COUNT'], ['SUM']],
  AVG: [['AVG'], ['SUM', 'COUNT']],
  MIN: [['MIN']],
  MAX: [['MAX']],
};

function hasCall(name: string, calls: ReadonlySet<string>): boolean {
  const ways = WRITTEN_AS[name];
  // Engines write others in many ways.
  return ways === undefined || ways.some((way) => way.every((one) => calls.has(one)));
}

/** With the metrics that it is made of, and what always holds of its rows. */
function definitionOf({ metric, measures, madeOf }: AnalysedMetric, { metrics, dialect }: BoundKnowledge): string {
  const parts = madeOf
    .flatMap((name) => metrics.get(name.toLowerCase()) ?? [])
    .filter((part) => part !== metric)
    .slice(0, MAX_PARTS)
    .map((part) => `\`${part.name}\` = ${shortText(definitionText(part, dialect))}`);
  const datasets = new Set(measures.map(({ dataset }) => dataset.dataset));
  const filters = [...datasets].flatMap(({ name, defaultFilter }) =>
    defaultFilter === undefined ? [] : [` and always of rows of \`${name}\` with ${shortText(defaultFilter)}`],
  );
  const made = parts.length === 0 ? '' : `, with ${parts.join(', ')}`;
  return `${shortText(definitionText(metric, dialect))}${made}${filters.join('')}`;
}

function repeatedText({ of, by }: RepeatedRows, { catalog }: BoundKnowledge): string {
  const name = (id: RelationId): string => `\`${catalog.relations[id]?.nameParts.relation ?? id}\``;
  return `Each row of ${name(of)} counts once, and the join repeats it for each row of ${by.map(name).join(' and ')}.`;
}

const AGGREGATES: ReadonlySet<string> = new Set(['SUM', 'COUNT', 'AVG', 'MIN', 'MAX', 'TOTAL', 'MEDIAN']);

function missingFilters(
  { sql, names, calls }: StatementWords,
  told: ReadonlySet<BoundDataset>,
  bound: BoundKnowledge,
): readonly InspectionFinding[] {
  if (![...calls].some((call) => AGGREGATES.has(call))) return [];
  const read = new Set(relationsIn(sql, bound.dialect.lexer).map((path) => path.at(-1)?.toLowerCase()));
  return [...bound.datasets.values()].flatMap((dataset): InspectionFinding[] => {
    const { relation, dataset: defined } = dataset;
    const name = relation === undefined ? undefined : bound.catalog.relations[relation]?.nameParts.relation;
    if (defined.defaultFilter === undefined || told.has(dataset) || !read.has(name?.toLowerCase())) return [];
    const columns = alwaysHolds(dataset, bound).flatMap(columnsIn);
    if (columns.length === 0 || columns.some(({ bound: one }) => one && names.has(one.column.toLowerCase()))) return [];
    return [
      {
        code: 'custom/knowledge-filter',
        severity: 'warning',
        message: `Of \`${defined.name}\`, only rows with ${shortText(defined.defaultFilter)} count, and the statement aggregates all.`,
        advice: 'Add the condition, unless the question asks for the others, too.',
        span: { start: 0, end: sql.length },
      },
    ];
  });
}
