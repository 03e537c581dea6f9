import { type Catalog, type Dialect, didYouMean, nearestNames, type SchemaIndex } from '@askema/core';
import { type ActionProblem, type ClauseAction, problemOf } from './clause-action.ts';
import { concat, type ExpressionText, readExpression, type SqlPiece } from './expression-text.ts';
import { columnText, type ScopeRelation } from './name-scope.ts';
import { type SubQuestion, withAnswers } from './sub-questions.ts';

/** What every writer of a clause reads, and the list of problems that it adds to. */
export interface Assembly {
  readonly actions: readonly ClauseAction[];
  readonly dialect: Dialect;
  readonly catalog: Catalog | undefined;
  readonly index: SchemaIndex | undefined;
  readonly questions: ReadonlyMap<string, SubQuestion>;
  readonly problems: ActionProblem[];
}

/** An argument as SQL. */
export interface WrittenExpression {
  readonly piece: SqlPiece;
  readonly isCompound: boolean;
  readonly isLoose: boolean;
  readonly isList: boolean;
  readonly isBracketed: boolean;
}

const NOTHING: WrittenExpression = {
  piece: concat(''),
  isCompound: false,
  isLoose: false,
  isList: false,
  isBracketed: false,
};

export function report(assembly: Assembly, action: number, message: string, nearest: readonly string[] = []): void {
  const name = assembly.actions[action]?.action ?? 'action';
  assembly.problems.push(problemOf(action, `${name}: ${message}`, nearest));
}

/**
 * Columns quoted as needed, sub-questions filled in; empty, with a problem, for what is no expression. `what` names the
 * argument.
 */
export function writeExpression(
  assembly: Assembly,
  action: number,
  what: string,
  written: string,
  scope: readonly ScopeRelation[],
  ownNames: readonly string[] = [],
): WrittenExpression {
  const column = columnText(written, scope, assembly, ownNames);
  if (column !== undefined) return { ...NOTHING, piece: concat(column) };
  const read = readArgument(assembly, action, what, written);
  if (read === undefined) return NOTHING;
  const piece = withAnswers(read.tokens, assembly.dialect, (id) => questionNamed(assembly, action, id));
  return {
    piece,
    isCompound: read.isCompound,
    isLoose: read.isLoose,
    isList: read.isList,
    isBracketed: read.isBracketed,
  };
}

function readArgument(assembly: Assembly, action: number, what: string, written: string): ExpressionText | undefined {
  const read = readExpression(written, assembly.dialect.lexer);
  if (!('fault' in read)) return read;
  report(assembly, action, `${what} ${read.fault}.`);
  return undefined;
}

/** The sub-question of an id; a problem where there is none or its answer is no query. */
export function questionNamed(assembly: Assembly, action: number, id: string): SubQuestion | undefined {
  const question = assembly.questions.get(id);
  if (question === undefined) {
    const ids = [...assembly.questions.keys()];
    const hint = didYouMean(id, ids);
    const known = ids.length === 0 ? 'No `qa` asks one.' : `There are ${ids.map((known) => `$${known}`).join(', ')}.`;
    const nearest = nearestNames(id, ids);
    const message = `There is no sub-question $${id}. ${hint === '' ? known : hint}`;
    report(assembly, action, message, nearest.length > 0 ? nearest : ids.slice(0, 3));
  } else if (question.fault !== undefined) {
    report(assembly, action, `The sub-question $${id} ${question.fault}.`);
  }
  return question?.fault === undefined ? question : undefined;
}

export function inBrackets(piece: SqlPiece, isNeeded: boolean): SqlPiece {
  return isNeeded ? concat('(', piece, ')') : piece;
}
