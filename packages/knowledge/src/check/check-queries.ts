import { didYouMeanOneOf, type QueryResult, resultsAgree } from '@askema/core';
import { inspectSql } from '@askema/lint';
import { isSelectOnly, readOnlyText } from '@askema/sql';
import type { Remark, Subject } from '../bind/problem-list.ts';
import type { VerifiedQuery } from '../model/knowledge.ts';
import { allValues } from '../verified/match-question.ts';
import { runnableStatement } from '../verified/runnable-statement.ts';
import { attempt, type CheckHost, reportFailure } from './check-host.ts';
import { questionKey } from './question-key.ts';
import { resultHash } from './result-hash.ts';

/** Rows that are kept of a result, to compare it with others. */
const MAX_ROWS = 10_000;
/** Results that are kept at once: near-equal questions are few. */
const MAX_KEPT = 2_000;

interface KeptResult {
  readonly query: VerifiedQuery;
  readonly result: QueryResult;
}

/** Runs each verified query, and holds its result against what was pinned and against that of the same question. */
export async function checkQueries(host: CheckHost): Promise<void> {
  const queries = host.bound.knowledge.verifiedQueries;
  const byQuestion = Map.groupBy(queries, ({ question }) => questionKey(question));
  const kept = new Map<string, KeptResult[]>();
  for (const query of queries) {
    const same = byQuestion.get(questionKey(query.question)) ?? [];
    if (!same.some(({ standing }) => host.isWanted(standing))) continue;
    const result = await checkQuery(host, query);
    const key = questionKey(query.question);
    if (result === undefined || same.length < 2 || kept.size >= MAX_KEPT) continue;
    const others = kept.get(key) ?? [];
    for (const other of others) compare(host, { query, result }, other);
    kept.set(key, [...others, { query, result }]);
  }
}

function subjectOf({ id, standing }: VerifiedQuery): Subject {
  return { kind: 'query', name: id, standing };
}

async function checkQuery(host: CheckHost, query: VerifiedQuery): Promise<QueryResult | undefined> {
  const subject = subjectOf(query);
  const what = `Verified query \`${query.id}\``;
  const sql = statementOf(host, query, what);
  if (sql === undefined) return undefined;
  if (typeof sql !== 'string') {
    host.report(subject, sql);
    return undefined;
  }
  const unknown = await unknownNames(host, sql, what);
  for (const remark of unknown) host.report(subject, remark);
  if (unknown.length > 0) return undefined;
  const ran = await host.run(what, sql, MAX_ROWS);
  reportFailure(host, subject, what, 'query-fails', ran);
  if (ran.kind !== 'rows') return undefined;
  const { result } = ran;
  if (result.columns.length > 0 && result.rows.length === 0)
    host.report(subject, { severity: 'warning', code: 'query-empty', message: `${what} gives no rows.` });
  if (result.truncated !== undefined) host.skip(`The rows of ${what}`, `Only ${result.rows.length} of them were read.`);
  const stale = staleRemark(query, what, result);
  if (stale !== undefined) host.report(subject, stale);
  return result;
}

/** The statement with values for its holes; a remark where there is none; undefined where it cannot be run here. */
function statementOf(host: CheckHost, query: VerifiedQuery, what: string): string | Remark | undefined {
  const { dialect, knowledge } = host.bound;
  const written = query.dialect ?? knowledge.settings.dialect;
  if (written !== undefined && written.toLowerCase() !== dialect.name) {
    host.skip(what, `It is written for ${written}, and the database is ${dialect.displayName}.`);
    return undefined;
  }
  const values = allValues(query, {}, {});
  if (values === undefined) {
    host.skip(what, 'A parameter has no default.');
    return undefined;
  }
  let refused: string | undefined;
  const sql = attempt(
    () => runnableStatement(query, values, host.bound),
    (message) => {
      refused = message;
    },
  );
  if (sql === undefined)
    return { code: 'query-stale', message: `${what} names what the model does not have: ${refused}` };
  if (isSelectOnly(sql, dialect.lexer)) return sql;
  const verdict = readOnlyText(sql, dialect.lexer);
  return {
    code: 'query-refused',
    message: `${what} is not one query that only reads.${verdict.ok ? '' : ` ${verdict.reason}`}`,
  };
}

/** Names that the catalog does not have: an engine may take one in quotes for a text (SQLite), and run it. */
async function unknownNames(
  { bound, parser, signal }: CheckHost,
  sql: string,
  what: string,
): Promise<readonly Remark[]> {
  if (parser === undefined) return [];
  const { catalog, dialect } = bound;
  const { findings } = await inspectSql(sql, { catalog, dialect, parser, ...(signal !== undefined && { signal }) });
  return findings.flatMap(({ code, severity, message, nearestNames = [] }) => {
    if (severity !== 'error' || (code !== 'unknown-column' && code !== 'unknown-relation')) return [];
    return [
      { code: 'query-stale', message: `${what}: ${message}`, advice: didYouMeanOneOf(nearestNames) || undefined },
    ];
  });
}

function staleRemark({ expected }: VerifiedQuery, what: string, result: QueryResult): Remark | undefined {
  if (expected === undefined) return undefined;
  // The engine decides on the case of a name without quotes.
  const names = result.columns.map(({ name }) => name);
  const lacks = (list: readonly string[], name: string): boolean =>
    !list.some((other) => other.toLowerCase() === name.toLowerCase());
  const gone = expected.columns.filter((name) => lacks(names, name));
  const added = names.filter((name) => lacks(expected.columns, name));
  if (gone.length > 0 || added.length > 0)
    return {
      code: 'query-stale',
      message: `${what} no longer gives the columns that were pinned.${listed(' It lacks', gone)}${listed(' It has', added)}`,
      advice: 'Look at the statement, and accept it anew.',
    };
  if (expected.rows === undefined) return undefined;
  if (result.truncated !== undefined || resultHash(result) === expected.rows) return undefined;
  return {
    code: 'query-stale',
    message: `${what} gives other rows than those that were pinned (now ${result.rows.length}).`,
    advice: 'Accept it anew if the data has changed; leave `rows` out of `expected` where it always does.',
  };
}

function listed(verb: string, names: readonly string[]): string {
  return names.length === 0 ? '' : `${verb} ${names.map((name) => `\`${name}\``).join(', ')}.`;
}

function compare(host: CheckHost, one: KeptResult, other: KeptResult): void {
  // Of a result that was cut, an engine may give other rows each time.
  const isCut = one.result.truncated !== undefined || other.result.truncated !== undefined;
  // What a person proposes may contradict others: who accepts it decides, and it breaks nothing before.
  const isPersonal = [one, other].some(({ query }) => query.standing.by !== undefined);
  if (isCut || isPersonal || resultsAgree(one.result, other.result)) return;
  for (const [{ query }, { query: second }] of [
    [one, other],
    [other, one],
  ] as const)
    host.report(subjectOf(query), {
      code: 'questions-differ',
      message: `The question ${JSON.stringify(query.question)} is also asked in \`${second.id}\`, whose statement gives another result.`,
      advice: 'Keep the right one, or say in the questions how they differ.',
    });
}
