import type { TestCase, TestRow } from '../model/test-plan.ts';
import { compileDelete, compileUpdate } from './compile-change.ts';
import { type CompileGround, CompileProblem } from './compile-ground.ts';
import { compileInsert, type KeySupply } from './compile-insert.ts';
import { compileQuery } from './compile-query.ts';
import { compileConnect, compileDisconnect } from './compile-relationship.ts';
import { compileTarget } from './compile-target.ts';
import type { CompiledCase } from './compiled-case.ts';

/** @throws CompileProblem for a case that cannot be written against this schema, or that contradicts itself. */
export function compileCase(ground: CompileGround, testCase: TestCase, keys: KeySupply): CompiledCase {
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
export function compileGivenRow(ground: CompileGround, row: TestRow, keys: KeySupply): CompiledCase {
  const target = compileTarget(ground, row.target);
  return target.relationship === undefined
    ? compileInsert(ground, target, row.values, keys)
    : compileConnect(ground, target, row.values, keys);
}
