import {
  type CallContext,
  type Catalog,
  createCallContext,
  type Dialect,
  type InspectionFinding,
  isAskemaError,
  type Planner,
  type PlanVerdict,
  type Severity,
  type Span,
  shortened,
  throwIfAborted,
} from '@askema/core';
import type { ParseResult, SqlParser } from '@askema/sql';
import { resolveQuery } from '../resolve/resolve-query.ts';
import type { ResolvedQuery } from '../resolve/resolved-query.ts';
import { BUILT_IN_RULES } from '../rules/built-in-rules.ts';
import type { InspectionRule } from '../rules/rule.ts';
import { checkSeverities, findingsInOrder, placeOf, withSeverities } from './findings.ts';

export interface InspectSqlOptions {
  readonly catalog: Catalog;
  readonly dialect: Dialect;
  readonly parser: SqlParser;
  /** What the statement is to answer: rules that need it are left out otherwise. */
  readonly question?: string | undefined;
  /** Definitions beside the question: which column a word of it means. */
  readonly evidence?: string | undefined;
  /** Default: {@link BUILT_IN_RULES}. */
  readonly rules?: readonly InspectionRule[] | undefined;
  /** By code; `off` leaves the findings of a code out. */
  readonly severities?: Readonly<Record<string, Severity | 'off'>> | undefined;
  /** Asked last, and only when no finding is an error: the engine's own check, without running the statement. */
  readonly planner?: Planner | undefined;
  /** Of the planner's call. */
  readonly context?: CallContext | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Of the parser and of the planner, each. Default 10,000. */
  readonly timeoutMs?: number | undefined;
}

/** What an inspection found. */
export interface Inspection {
  readonly sql: string;
  /** Undefined when the statement could not be parsed. */
  readonly query?: ResolvedQuery | undefined;
  /** In the order of the source, at one place the most serious first; at most 100 of one rule. */
  readonly findings: readonly InspectionFinding[];
  /** Whether there was a shape, so that rules were checked at all. */
  readonly parsed: boolean;
}

const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * Looks for mistakes in a statement without running it: parses it, resolves its names, checks the rules, and at last
 * asks the engine. Mistakes in the statement are findings, not errors. A rule that throws is reported as a note of its
 * code, and the others go on.
 *
 * @throws AskemaError `CONFIG_INVALID` for a severity of an unknown code, `ABORTED` by the signal, and what the parser
 * rejects with.
 */
export async function inspectSql(sql: string, options: InspectSqlOptions): Promise<Inspection> {
  const {
    catalog,
    dialect,
    parser,
    question,
    evidence,
    rules = BUILT_IN_RULES,
    severities = {},
    planner,
    signal,
  } = options;
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  checkSeverities('severities', severities, rules);
  throwIfAborted(signal, 'The inspection');
  const parsed = await parser.parse(sql, dialect, { signal, timeoutMs });
  const query = parsed.ok
    ? resolveQuery({ sql, shape: parsed.shape, catalog, dialect, question, evidence })
    : undefined;
  const found = parsed.ok ? [] : [parseFinding(sql, parsed)];
  if (query !== undefined)
    for (const rule of rules) {
      throwIfAborted(signal, 'The inspection');
      found.push(...checkRule(rule, query));
    }
  const findings = withoutEchoes(withSeverities(found, severities));
  const isRefusedByParserOnly = findings.every(({ code, severity }) => severity !== 'error' || code === 'syntax');
  if (planner === undefined || severities['engine-error'] === 'off' || !isRefusedByParserOnly)
    return { sql, query, findings: findingsInOrder(findings), parsed: parsed.ok };
  const context = options.context ?? createCallContext({ signal });
  const verdict = await askPlanner(planner, sql, timeoutMs, signal === undefined ? context : { ...context, signal });
  return {
    sql,
    query,
    findings: findingsInOrder(withSeverities(afterPlanner(sql, findings, verdict), severities)),
    parsed: parsed.ok,
  };
}

/** The most findings of one rule that are listed. Whoever has corrected these inspects the statement again. */
const MAX_FINDINGS_OF_RULE = 100;
/** UTF-16 code units of a message and of an advice: a literal of a megabyte is not quoted whole. */
const MAX_TEXT_LENGTH = 2_000;

/**
 * The findings of one rule: the first 100 that it gives, their texts cut at 2,000 characters. None where it needs the
 * question and there is none; a note of its code where it throws.
 */
export function checkRule(rule: InspectionRule, query: ResolvedQuery): readonly InspectionFinding[] {
  if (rule.needsQuestion === true && query.question === undefined) return [];
  const findings: InspectionFinding[] = [];
  try {
    for (const finding of rule.check(query)) {
      findings.push({
        ...finding,
        message: shortened(finding.message, MAX_TEXT_LENGTH),
        advice: shortened(finding.advice, MAX_TEXT_LENGTH),
        code: rule.code,
        severity: finding.severity ?? rule.severity,
      });
      if (findings.length === MAX_FINDINGS_OF_RULE) break;
    }
    return findings;
  } catch (error) {
    return [
      {
        code: rule.code,
        severity: 'note',
        message: shortened(
          `The rule ${rule.code} broke and says nothing: ${error instanceof Error ? error.message : String(error)}`,
          MAX_TEXT_LENGTH,
        ),
        advice: 'Nothing has to be changed for this; report the broken rule.',
        span: query.shape.statement,
      },
    ];
  }
}

/** A value in double quotes is also reported as an unknown column; that finding is left out. */
function withoutEchoes(findings: readonly InspectionFinding[]): InspectionFinding[] {
  const meant = new Set(findings.flatMap(({ code, span }) => (code === 'dialect-syntax' ? [placeOf(span)] : [])));
  return findings.filter(({ code, span }) => code !== 'unknown-column' || !meant.has(placeOf(span)));
}

function parseFinding(sql: string, failed: Extract<ParseResult, { readonly ok: false }>): InspectionFinding {
  if (failed.failure === 'syntax')
    return {
      code: 'syntax',
      severity: 'error',
      message: `The statement is no valid SQL: ${failed.reason}`,
      advice: 'Rewrite the statement so that it is valid SQL of this database.',
      span: spanAt(sql, failed.position),
    };
  return {
    code: 'not-parsed',
    severity: 'note',
    message: `The statement was not inspected: ${failed.reason}`,
    advice: 'Nothing has to be changed for this; a simpler statement could be inspected.',
    span: { start: 0, end: sql.length },
  };
}

/** The word at a place; the whole statement where no place is known. */
function spanAt(sql: string, position: number | undefined): Span {
  if (position === undefined || position < 0 || position > sql.length) return { start: 0, end: sql.length };
  const word = /^(?:[\p{L}\p{N}_$]{1,200}|\S)/u.exec(sql.slice(position, position + 400))?.[0] ?? '';
  return { start: position, end: position + word.length };
}

async function askPlanner(
  planner: Planner,
  sql: string,
  timeoutMs: number,
  context: CallContext,
): Promise<PlanVerdict | { readonly verdict: 'failed'; readonly reason: string }> {
  try {
    return await planner.check(sql, { timeoutMs, context });
  } catch (error) {
    if (!isAskemaError(error) || error.code === 'ABORTED') throw error;
    return { verdict: 'failed', reason: error.message };
  }
}

/** The engine has the last word: what it takes is no syntax error, and what it refuses is told in its own words. */
function afterPlanner(
  sql: string,
  findings: readonly InspectionFinding[],
  verdict: Awaited<ReturnType<typeof askPlanner>>,
): readonly InspectionFinding[] {
  if (verdict.verdict === 'ok')
    return findings.map((finding) =>
      finding.code === 'syntax'
        ? {
            ...finding,
            code: 'not-parsed',
            severity: 'note',
            message: `The statement was not inspected: the database accepts it, but the parser does not. ${finding.message}`,
            advice: 'Nothing has to be changed for this.',
          }
        : finding,
    );
  if (verdict.verdict === 'failed')
    return [
      ...findings,
      {
        code: 'engine-error',
        severity: 'note',
        message: `The database could not be asked whether it accepts the statement: ${verdict.reason}`,
        advice: 'Nothing has to be changed for this.',
        span: { start: 0, end: sql.length },
      },
    ];
  if (verdict.verdict !== 'invalid') return findings;
  const { message = 'It gave no reason.', details } = verdict.error ?? {};
  const near = details?.nearestNames;
  const nearestNames = Array.isArray(near) ? near.filter((name) => typeof name === 'string') : [];
  return [
    ...findings.filter(({ code }) => code !== 'syntax'),
    {
      code: 'engine-error',
      severity: 'error',
      // What `hide` and `mask` refuse, no database has seen.
      message: details?.code === 'QUERY_REFUSED' ? message : `The database refuses the statement: ${message}`,
      advice:
        nearestNames.length === 0
          ? 'Change the statement so that the database accepts it.'
          : `Change the statement so that the database accepts it; names that exist: ${nearestNames.join(', ')}.`,
      span: spanAt(sql, offsetOf(details?.position)),
      ...(nearestNames.length === 0 ? {} : { nearestNames }),
    },
  ];
}

function offsetOf(position: unknown): number | undefined {
  const offset = typeof position === 'object' && position !== null && 'offset' in position ? position.offset : position;
  return typeof offset === 'number' && Number.isInteger(offset) ? offset : undefined;
}
