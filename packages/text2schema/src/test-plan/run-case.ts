import { type AskemaError, isAskemaError, type Parameter, type Row } from '@askema/core';
import type { RefusingConstraint } from '../model/test-plan.ts';
import { comparedText } from './case-value.ts';
import { classifyRejection, isSchemaFault, type Rejection } from './classify-rejection.ts';
import type { CompileGround } from './compile-ground.ts';
import type { CompiledCase, ReadColumn, Step } from './compiled-case.ts';
import type { ReadyStatement, ScratchRows } from './scratch-database.ts';
import { type Bound, isFoundLater, type Statement, shownStatement } from './statement.ts';

/** What really happened. */
export type CaseOutcome =
  | { readonly kind: 'accepted'; readonly changed: number | undefined }
  | { readonly kind: 'rejected'; readonly rejection: Rejection; readonly statement: Statement; readonly words: string }
  /**
   * Nothing could be written, because the schema has no room for it: a second row on the `one` side of a foreign key.
   */
  | {
      readonly kind: 'no room';
      readonly by: readonly RefusingConstraint[];
      readonly words: string;
      /** The very same relationship is there already. */
      readonly isSame: boolean;
    }
  | { readonly kind: 'rows'; readonly rows: readonly Row[]; readonly columns: readonly ReadColumn[] }
  /** An error that is no refusal: a time limit, a statement that this database does not take. */
  | {
      readonly kind: 'error';
      readonly words: string;
      /** The schema itself is wrong: a foreign key refers to no key. */
      readonly isSchemaFault: boolean;
    };

export interface RunCase {
  readonly outcome: CaseOutcome;
  /** The statements that ran, as reports show them. */
  readonly sql: readonly string[];
}

/**
 * Runs the steps of a case; what it wrote before a refusal is taken back. Rejects with `ABORTED` or a `DATABASE_*`
 * code.
 */
export async function runCase(ground: CompileGround, rows: ScratchRows, { steps }: CompiledCase): Promise<RunCase> {
  const position = rows.position;
  const sql: string[] = [];
  const found = new Map<number, Parameter>();
  let outcome: CaseOutcome = { kind: 'accepted', changed: undefined };
  for (const step of steps) {
    const ready = fill(step.statement, found);
    try {
      outcome = (await runStep(rows, step, ready, found, sql)) ?? outcome;
    } catch (thrown) {
      outcome = outcomeOfError(ground, step, thrown);
    }
    if (outcome.kind !== 'accepted') break;
  }
  if (outcome.kind !== 'accepted' && outcome.kind !== 'rows') await rows.rewind(position);
  return { outcome, sql };
}

async function runStep(
  rows: ScratchRows,
  step: Step,
  ready: ReadyStatement,
  found: Map<number, Parameter>,
  sql: string[],
): Promise<CaseOutcome | undefined> {
  if (step.kind === 'write' && step.unless !== undefined) {
    const unless = fill(step.unless, found);
    if ((await rows.read(unless)).rows.length > 0) return undefined;
  }
  sql.push(shownStatement(ready.sql, ready.parameters));
  if (step.kind === 'write') return { kind: 'accepted', changed: await rows.write(ready) };
  const result = await rows.read(ready);
  switch (step.kind) {
    case 'read':
      return { kind: 'rows', rows: result.rows, columns: step.columns };
    case 'find': {
      const cell = result.rows[0]?.[0] ?? null;
      found.set(step.slot.slot, isParameter(cell) ? cell : step.otherwise);
      return undefined;
    }
    case 'vacant':
      return vacancy(step, result.rows, found);
  }
}

function isParameter(cell: unknown): cell is Exclude<Parameter, null> {
  return cell !== null && (typeof cell !== 'object' || cell instanceof Uint8Array);
}

function vacancy(
  step: Extract<Step, { kind: 'vacant' }>,
  rows: readonly Row[],
  found: ReadonlyMap<number, Parameter>,
): CaseOutcome | undefined {
  const [row] = rows;
  if (row === undefined)
    return {
      kind: 'no room',
      by: ['referential integrity'],
      isSame: false,
      words: `there is no such row of ${JSON.stringify(step.subject)}, and the relationship is stored in that row`,
    };
  const held = step.wanted.filter((_, at) => (row[at] ?? null) !== null);
  if (held.length === 0) return undefined;
  const isSame = step.wanted.every(({ type, value }, at) => {
    const wanted = filled(value, found);
    return comparedText(row[at] ?? null, type) === comparedText(wanted, type);
  });
  const names = held.map(({ name }) => JSON.stringify(name)).join(', ');
  return {
    kind: 'no room',
    by: ['entity integrity', 'unique'],
    isSame,
    words: isSame
      ? `the row of ${JSON.stringify(step.subject)} holds this relationship already, in ${names}`
      : `the row of ${JSON.stringify(step.subject)} holds another one already, in ${names}, which has room for one`,
  };
}

/** What is wrong with a statement, not with the database or the run. */
const STATEMENT_ERRORS: ReadonlySet<string> = new Set([
  'QUERY_FAILED',
  'QUERY_TIMEOUT',
  'QUERY_REFUSED',
  'INPUT_INVALID',
]);

function outcomeOfError(ground: CompileGround, step: Step, thrown: unknown): CaseOutcome {
  if (!isAskemaError(thrown) || !STATEMENT_ERRORS.has(thrown.code)) throw thrown;
  const words = wordsOf(thrown);
  const rejection =
    step.kind === 'write' && thrown.code === 'QUERY_FAILED'
      ? classifyRejection(ground, step.statement, thrown)
      : undefined;
  return rejection === undefined
    ? { kind: 'error', words, isSchemaFault: isSchemaFault(thrown) }
    : { kind: 'rejected', rejection, statement: step.statement, words };
}

/** Values of hostile length are in messages, too. */
function wordsOf({ message }: AskemaError): string {
  return message.length > 500 ? `${message.slice(0, 500)} …` : message;
}

function fill({ sql, parameters, relation }: Statement, found: ReadonlyMap<number, Parameter>): ReadyStatement {
  return { sql, relation, parameters: parameters.map((parameter) => filled(parameter, found)) };
}

function filled(bound: Bound, found: ReadonlyMap<number, Parameter>): Parameter {
  return isFoundLater(bound) ? (found.get(bound.slot) ?? null) : bound;
}
