import { AskemaError, type Dialect } from '@askema/core';
import { bindKnowledge } from '../bind/bind-knowledge.ts';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { compileMetrics } from '../compile/compile-metrics.ts';
import type { CompiledMetrics } from '../compile/metric-request.ts';
import { disagreement, isSettled } from './agreement.ts';
import { isReachable } from './plain-metrics.ts';
import { knowledgeOf, requestOf } from './plain-model.ts';
import type { PlainRequest, PlainStar } from './plain-star.ts';
import { starCatalog } from './star-tables.ts';

export type Run = (sql: string) => readonly (readonly unknown[])[] | Promise<readonly (readonly unknown[])[]>;

export interface BoundStar {
  readonly star: PlainStar;
  readonly bound: BoundKnowledge;
}

export function bindStar(star: PlainStar, dialect: Dialect, catalog = starCatalog(star, dialect)): BoundStar {
  const bound = bindKnowledge(knowledgeOf(star), { catalog, dialect });
  const [problem] = bound.problems;
  if (problem !== undefined) throw new Error(`The star does not fit its tables: ${problem.message}`);
  return { star, bound };
}

/**
 * What is wrong with the statement for a request, or with its rows; undefined where nothing is. Whatever can only be
 * answered over a join that repeats rows must be refused; what is not settled may be refused, and must not crash.
 */
export async function faultOf(
  { star, bound }: BoundStar,
  request: PlainRequest,
  run: Run,
): Promise<string | undefined> {
  const compiled = compiledOrRefused({ star, bound }, request);
  if (!isReachable(star, request))
    return typeof compiled === 'string' ? undefined : `It is not refused, though rows repeat: ${compiled.sql}`;
  if (typeof compiled === 'string') return isSettled(star, request) ? `It is refused: ${compiled}` : undefined;
  let rows: readonly (readonly unknown[])[];
  try {
    rows = await run(compiled.sql);
  } catch (thrown) {
    return `The engine refuses it: ${(thrown as Error).message}\n${compiled.sql}`;
  }
  const fault = isSettled(star, request) ? disagreement(star, request, rows) : undefined;
  return fault === undefined ? undefined : `${fault}\n${compiled.sql}`;
}

const REFUSALS: ReadonlySet<string> = new Set(['METRIC_REFUSED', 'KNOWLEDGE_INVALID']);

/** The statement, or why it was refused. Throws what is not a refusal. */
export function compiledOrRefused({ star, bound }: BoundStar, request: PlainRequest): CompiledMetrics | string {
  try {
    return compileMetrics(requestOf(star, request), bound);
  } catch (thrown) {
    if (thrown instanceof AskemaError && REFUSALS.has(thrown.code)) return thrown.message;
    throw thrown;
  }
}
