import type { RelationId } from '@askema/core';
import type { SchemaRole } from '../model/role-id.ts';
import type { CaseResult, RefusingConstraint, TestCase, TestExpectation } from '../model/test-plan.ts';
import { rowDifference, shownCells, shownRows } from './compare-rows.ts';
import { type CompileGround, isReported, namesOf } from './compile-ground.ts';
import { foldWords } from './fold-words.ts';
import type { CaseOutcome } from './run-case.ts';

/** A case compared with its expectation. */
export type Judgement = Pick<CaseResult, 'status' | 'actual' | 'role'>;

export function shownExpectation(expected: TestExpectation): string {
  if (expected.outcome === 'accepted') return 'accepted';
  if (expected.outcome === 'rejected') return `rejected by ${expected.by}`;
  return expected.rows.length === 0 ? 'no rows' : `rows ${expected.rows.map(shownCells).join(' ')}`;
}

/** Says whether a case passed; where not, who is likely to be able to mend it. */
export function judgeCase(
  ground: CompileGround,
  { operation, expected }: Pick<TestCase, 'operation' | 'expected'>,
  outcome: CaseOutcome,
  loose: ReadonlySet<RefusingConstraint>,
): Judgement {
  switch (outcome.kind) {
    case 'error':
      return {
        status: 'failed',
        actual: `It did not run: ${outcome.words}`,
        role: outcome.isSchemaFault ? 'logical-designer' : undefined,
      };
    case 'rows':
      return judgeRows(expected, outcome);
    case 'accepted':
      return judgeAccepted(operation, expected, outcome.changed, loose);
    case 'no room': {
      const actual = `Not stored: ${outcome.words}.`;
      if (expected.outcome === 'rejected' && outcome.by.includes(expected.by)) return passed(actual);
      if (expected.outcome === 'rejected')
        return failed(`${actual} That is ${outcome.by[0]}, not ${expected.by}.`, 'qa-engineer');
      return failed(
        actual,
        outcome.by.includes('referential integrity') || outcome.isSame ? 'qa-engineer' : 'conceptual-designer',
      );
    }
    case 'rejected': {
      const { rejection, words } = outcome;
      const by = rejection.by[0] ?? rejection.other ?? 'another constraint';
      if (expected.outcome !== 'rejected')
        return failed(`Rejected by ${by}: ${words}`, roleForRejection(ground, outcome));
      if (rejection.by.includes(expected.by)) return passed(`Rejected by ${expected.by}: ${words}`);
      return failed(`Rejected by ${by}, not by ${expected.by}: ${words}`, 'qa-engineer');
    }
  }
}

function judgeRows(expected: TestExpectation, { rows, columns }: Extract<CaseOutcome, { kind: 'rows' }>): Judgement {
  const actual = `Found ${shownRows(rows, columns)}.`;
  if (expected.outcome !== 'rows') return passed(actual);
  const difference = rowDifference(expected.rows, rows, columns);
  return difference === undefined ? passed(actual) : failed(`${difference} ${actual}`, 'qa-engineer');
}

function judgeAccepted(
  operation: TestCase['operation'],
  expected: TestExpectation,
  changed: number | undefined,
  loose: ReadonlySet<RefusingConstraint>,
): Judgement {
  if (changed === 0 && operation !== 'insert')
    return failed('Accepted, but no row is like that: nothing was changed.', 'qa-engineer');
  const actual =
    changed === undefined ? 'Accepted.' : `Accepted; ${changed} ${changed === 1 ? 'row' : 'rows'} changed.`;
  if (expected.outcome !== 'rejected') return passed(actual);
  if (loose.has(expected.by))
    return {
      status: 'not run',
      actual: `Accepted, but this database does not enforce it (${expected.by}): the case says nothing about the schema.`,
    };
  const role = expected.by === 'referential integrity' ? 'conceptual-designer' : 'logical-designer';
  return failed(`${actual} No constraint of the schema refuses it.`, role);
}

/** Who can mend that something legal was refused. */
function roleForRejection(
  ground: CompileGround,
  { rejection, statement }: Extract<CaseOutcome, { kind: 'rejected' }>,
): SchemaRole {
  const [by] = rejection.by;
  if (by === undefined) return 'qa-engineer';
  if (by === 'referential integrity') {
    const targets = ground.index.foreignKeysFrom(statement.relation).map(({ target }) => target);
    const subjects = ground.report?.subjects.map(({ name }) => foldWords(name));
    const isKnown = targets.some((target) =>
      namesOf(ground, target).some((name) => subjects?.includes(foldWords(name)) ?? true),
    );
    return isKnown || targets.length === 0 || statement.written.size === 0 ? 'qa-engineer' : 'conceptual-designer';
  }
  if (rejection.attribute !== undefined || by === 'not null') {
    const attribute = rejection.attribute;
    const name = attribute === undefined ? undefined : ground.index.attribute(attribute)?.name;
    const isForgotten = attribute !== undefined && !statement.written.has(attribute);
    return isForgotten && name !== undefined && (ground.report === undefined || isReported(ground, name))
      ? 'qa-engineer'
      : 'logical-designer';
  }
  return roleForKey(ground, statement.relation);
}

/**
 * A key that is too narrow: where not all participants of a relationship set are in it, by its cardinalities; else by
 * the dependencies.
 */
function roleForKey({ index, designed }: CompileGround, relation: RelationId): SchemaRole {
  const key = index.primaryKey(relation)?.attributes ?? [];
  const isKeyedByAll = index
    .foreignKeysFrom(relation)
    .every(({ pairs }) => pairs.every(({ from }) => key.includes(from)));
  return designed.get(relation)?.source.kind === 'relationship' && !isKeyedByAll
    ? 'conceptual-designer'
    : 'logical-designer';
}

function passed(actual: string): Judgement {
  return { status: 'passed', actual };
}

function failed(actual: string, role: SchemaRole): Judgement {
  return { status: 'failed', actual, role };
}
