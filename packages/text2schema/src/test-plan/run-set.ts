import type { CaseResult, RefusingConstraint, TestCase, TestRow, TestSet } from '../model/test-plan.ts';
import { shownCells } from './compare-rows.ts';
import { compileDelete, compileUpdate, meantCells, withNotice } from './compile-change.ts';
import { type CompileGround, CompileProblem } from './compile-ground.ts';
import { compileInsert, type KeySupply, keySupply } from './compile-insert.ts';
import { compileConnect, compileDisconnect, relationshipKeys } from './compile-relationship.ts';
import { JoinedRows, reachAttribute } from './compile-rows.ts';
import { compileTarget, type Target } from './compile-target.ts';
import type { CompiledCase, ReadColumn } from './compiled-case.ts';
import { type Judgement, judgeCase, shownExpectation } from './judge-case.ts';
import { type CaseOutcome, type RunCase, runCase } from './run-case.ts';
import type { ScratchRows } from './scratch-database.ts';
import { SqlText, typeOf } from './statement.ts';

/** Runs the cases of one set on an empty database. Given rows have a result only where they could not be written. */
export async function runSet(
  ground: CompileGround,
  rows: ScratchRows,
  { given, cases }: TestSet,
  set: number,
  loose: ReadonlySet<RefusingConstraint>,
): Promise<CaseResult[]> {
  await rows.empty();
  const keys = keySupply();
  const results = await writeGiven(ground, rows, given, set, keys);
  let broken = results[0] === undefined ? undefined : `A given row is missing: ${results[0].actual}`;
  for (const [at, testCase] of cases.entries()) {
    const base = baseOf(testCase, set, at + 1);
    if (broken !== undefined) {
      results.push({ ...base, status: 'not run', sql: [], actual: broken });
      continue;
    }
    const position = rows.position;
    const compiled = compiledOrProblem(() => compileCase(ground, testCase, keys));
    const isWrite = testCase.operation !== 'query' && testCase.expected.outcome === 'accepted';
    if (compiled instanceof CompileProblem) {
      results.push({ ...base, status: 'not compiled', sql: [], actual: compiled.message, role: compiled.role });
      if (isWrite) broken = `Case ${at + 1} could not be written, and this one needs its rows.`;
      continue;
    }
    const { outcome, sql } = await runCase(ground, rows, compiled);
    const judged = judgeCase(ground, testCase, outcome, loose);
    results.push({ ...base, sql, ...withNotices(judged, compiled) });
    if (judged.status === 'passed') continue;
    if (isWrite) broken = `Case ${at + 1} failed, and this one needs its rows.`;
    else if (testCase.expected.outcome === 'rejected') await rows.rewind(position);
  }
  return results;
}

/**
 * Given rows are facts without an order: one that refers to a row which is written later is tried again behind it.
 */
async function writeGiven(
  ground: CompileGround,
  rows: ScratchRows,
  given: readonly TestRow[],
  set: number,
  keys: ReturnType<typeof keySupply>,
): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  let waiting: { readonly row: TestRow; readonly compiled: CompiledCase }[] = [];
  for (const row of given) {
    const compiled = compiledOrProblem(() => compileGivenRow(ground, row, keys));
    if (compiled instanceof CompileProblem)
      results.push({
        ...givenBase(row, set),
        status: 'not compiled',
        sql: [],
        actual: compiled.message,
        role: compiled.role,
      });
    else waiting.push({ row, compiled });
  }
  while (waiting.length > 0) {
    const again: { readonly entry: (typeof waiting)[number]; readonly run: RunCase }[] = [];
    for (const entry of waiting) {
      const run = await runCase(ground, rows, entry.compiled);
      if (isThere(run.outcome)) continue;
      if (mayFollow(run.outcome)) again.push({ entry, run });
      else results.push(givenResult(ground, entry.row, set, entry.compiled, run));
    }
    if (again.length === waiting.length) {
      for (const { entry, run } of again) results.push(givenResult(ground, entry.row, set, entry.compiled, run));
      break;
    }
    waiting = again.map(({ entry }) => entry);
  }
  return results;
}

function isThere(outcome: CaseOutcome): boolean {
  return outcome.kind === 'accepted' || (outcome.kind === 'no room' && outcome.isSame);
}

/** The row that it refers to may still come. */
function mayFollow(outcome: CaseOutcome): boolean {
  if (outcome.kind === 'rejected') return outcome.rejection.by.includes('referential integrity');
  return outcome.kind === 'no room' && outcome.by.includes('referential integrity');
}

function givenResult(
  ground: CompileGround,
  row: TestRow,
  set: number,
  compiled: CompiledCase,
  run: RunCase,
): CaseResult {
  const expectation = { operation: 'insert', expected: { outcome: 'accepted' } } as const;
  const judged = judgeCase(ground, expectation, run.outcome, new Set());
  return { ...givenBase(row, set), sql: run.sql, ...withNotices(judged, compiled) };
}

function givenBase(
  { target, values }: TestRow,
  set: number,
): Pick<CaseResult, 'set' | 'case' | 'operation' | 'purpose' | 'expected'> {
  return { set, case: 0, operation: 'insert', purpose: `Given: ${target} ${shownCells(values)}`, expected: 'accepted' };
}

export function baseOf(
  { operation, purpose, expected }: TestCase,
  set: number,
  number: number,
): Pick<CaseResult, 'set' | 'case' | 'operation' | 'purpose' | 'expected'> {
  return { set, case: number, operation, purpose, expected: shownExpectation(expected) };
}

function compiledOrProblem(compile: () => CompiledCase): CompiledCase | CompileProblem {
  try {
    return compile();
  } catch (thrown) {
    if (thrown instanceof CompileProblem) return thrown;
    throw thrown;
  }
}

function withNotices(judged: Judgement, { notices }: CompiledCase): Judgement {
  return notices.length === 0 ? judged : { ...judged, actual: [judged.actual, ...notices].join(' ') };
}

/** @throws CompileProblem for a case that cannot be written against this schema, or that contradicts itself. */
function compileCase(ground: CompileGround, testCase: TestCase, keys: KeySupply): CompiledCase {
  const { operation, expected } = testCase;
  if ((operation === 'query') !== (expected.outcome === 'rows') && expected.outcome !== 'accepted')
    throw new CompileProblem(
      'qa-engineer',
      operation === 'query'
        ? 'A query is expected to be rejected, and no constraint rejects one; expect rows.'
        : `Rows are expected of ${operation === 'insert' ? 'an insert' : operation === 'update' ? 'an update' : 'a delete'}; expect it to be accepted or rejected, and query the rows behind it.`,
    );
  const target = compileTarget(ground, testCase.target);
  if (operation === 'query') return compileQuery(ground, target, testCase);
  if (operation === 'update') return compileUpdate(ground, target, testCase, keys);
  const isForeignKey = target.relationship !== undefined;
  if (operation === 'delete')
    return isForeignKey ? compileDisconnect(ground, target, testCase) : compileDelete(ground, target, testCase);
  return isForeignKey
    ? compileConnect(ground, target, testCase.values, keys)
    : compileInsert(ground, target, testCase.values, keys);
}

/** @throws CompileProblem */
function compileGivenRow(ground: CompileGround, row: TestRow, keys: KeySupply): CompiledCase {
  const target = compileTarget(ground, row.target);
  return target.relationship === undefined
    ? compileInsert(ground, target, row.values, keys)
    : compileConnect(ground, target, row.values, keys);
}

/**
 * A query: the attributes asked for and those of the expected rows, each under the name of the plan. Without any, all
 * of the target.
 *
 * @throws CompileProblem
 */
function compileQuery(ground: CompileGround, target: Target, { values, where, expected }: TestCase): CompiledCase {
  const named = [...values, ...(expected.outcome === 'rows' ? expected.rows.flat() : [])].map(
    ({ attribute }) => attribute,
  );
  const all = ground.index.attributesOf(target.main).map(({ name }) => name);
  const names = [...new Set(named.length === 0 ? all : named)];
  const rows = new JoinedRows(ground, target.main);
  const text = new SqlText(ground);
  const columns: ReadColumn[] = [];
  const sql = names.map((name) => {
    const reached = reachAttribute(ground, target, name);
    columns.push({ name, type: typeOf(ground, reached.attribute) });
    return rows.column(reached);
  });
  const meant = meantCells(ground, target, where);
  const conditions = meant.cells.map((cell) => text.condition(rows.column(cell), cell.value));
  if (target.relationship !== undefined)
    for (const { pairs } of relationshipKeys(ground, target))
      for (const { from } of pairs) conditions.push(`${rows.column({ attribute: from, path: [] })} IS NOT NULL`);
  text.add(`SELECT ${sql.join(', ')} ${rows.from()}`);
  if (conditions.length > 0) text.add(` WHERE ${conditions.join(' AND ')}`);
  return {
    steps: [{ kind: 'read', statement: text.statement(target.main), columns }],
    notices: withNotice(target, meant.notices),
  };
}
