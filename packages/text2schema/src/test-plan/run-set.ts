import type { RefusingConstraint, TestCase, TestRow, TestSet } from '../model/test-plan.ts';
import type { CaseResult } from '../model/test-run.ts';
import { shownCells } from './compare-rows.ts';
import { compileCase, compileGivenRow } from './compile-case.ts';
import { type CompileGround, CompileProblem } from './compile-ground.ts';
import { keySupply } from './compile-insert.ts';
import type { CompiledCase } from './compiled-case.ts';
import { type Judgement, judgeCase, shownExpectation } from './judge-case.ts';
import { type CaseOutcome, type RunCase, runCase } from './run-case.ts';
import type { ScratchRows } from './scratch-database.ts';

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
