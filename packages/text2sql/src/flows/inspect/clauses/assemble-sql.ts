import { type Catalog, type Dialect, indexSchema, type SchemaIndex, type Span } from '@askema/core';
import type { Assembly } from './assembly.ts';
import { type ActionProblem, type ClauseAction, problemOf } from './clause-action.ts';
import type { ClauseConditions } from './condition-tree.ts';
import { operandBrackets, writeSetOperator } from './dialect-forms.ts';
import { type ActionSpan, concat, joinPieces, markedAs, type SqlPiece } from './expression-text.ts';
import { subQuestionsOf, writeOwnName } from './sub-questions.ts';
import { type IndexedAction, type WrittenSegment, writeSegment } from './write-segment.ts';

export interface AssembleOptions {
  readonly dialect: Dialect;
  /**
   * Relations and columns are looked up in it, and quoted as they have to be; without it names stand as they are given.
   */
  readonly catalog?: Catalog | undefined;
  /** Of the same catalog, where the caller has it already. */
  readonly index?: SchemaIndex | undefined;
  /** The SQL of sub-questions by their id. */
  readonly answers?: Readonly<Record<string, string>> | undefined;
  /**
   * How conditions are combined, where the actions do not say it; see `conditionTrees`. Entries without a tree change
   * nothing.
   */
  readonly trees?: readonly Pick<ClauseConditions, 'clause' | 'segment' | 'tree'>[] | undefined;
}

export interface AssembledSql {
  /** One statement, a clause a line; empty where there are problems. */
  readonly sql: string;
  /**
   * What each action wrote, outer before inner. An action has several spans where it stands in several places (a
   * sub-question), and none where it wrote nothing. The keyword of a clause belongs to the action that is the only one
   * of its clause.
   */
  readonly spans: readonly ActionSpan[];
  /** Whatever keeps the actions from being a statement: nothing is left out silently. */
  readonly problems: readonly ActionProblem[];
}

/**
 * Writes the statement that clause actions say. Deterministic; the order of the actions does not matter but for
 * `add_merge`, and for what stands in the order of the list (joins, items, keys). Arguments are checked so that none
 * can end its clause; nothing is evaluated. Where no link says otherwise, conditions are combined by AND. Never throws
 * for what a model can write.
 */
export function assembleSql(actions: readonly ClauseAction[], options: AssembleOptions): AssembledSql {
  const { dialect, catalog, answers = {}, trees = [] } = options;
  const assembly: Assembly = {
    actions,
    dialect,
    catalog,
    index: options.index ?? (catalog === undefined ? undefined : indexSchema(catalog)),
    questions: subQuestionsOf(actions, answers, dialect),
    problems: [],
  };
  const { segments, merges } = splitSegments(actions);
  const written = segments.map((segment, number) => {
    const treesOf = trees.filter((tree) => tree.segment === number);
    return writeSegment(assembly, segment, merges[number] ?? merges.at(-1), treesOf);
  });
  const whole = joinPieces([...commonTables(assembly), combineSegments(written, merges, actions, dialect)], '\n');
  const problems = [...assembly.problems].sort((one, other) => (one.action ?? -1) - (other.action ?? -1));
  if (problems.length > 0) return { sql: '', spans: [], problems };
  return { sql: whole.text, spans: whole.marks, problems: [] };
}

/**
 * The action that wrote the smallest piece around a span: where a finding belongs to. Undefined where no single one
 * wrote it.
 */
export function actionAt(spans: readonly ActionSpan[], span: Span): number | undefined {
  let best: ActionSpan | undefined;
  for (const candidate of spans) {
    if (candidate.span.start > span.start || candidate.span.end < span.end) continue;
    const length = candidate.span.end - candidate.span.start;
    if (best === undefined || length <= best.span.end - best.span.start) best = candidate;
  }
  return best?.action;
}

function splitSegments(actions: readonly ClauseAction[]): {
  readonly segments: readonly (readonly IndexedAction[])[];
  readonly merges: readonly number[];
} {
  const segments: IndexedAction[][] = [[]];
  const merges: number[] = [];
  for (const [index, action] of actions.entries()) {
    if (action.action === 'add_merge') {
      merges.push(index);
      segments.push([]);
    } else segments.at(-1)?.push({ index, action });
  }
  return { segments, merges };
}

/** An order or limit of an earlier query stays inside of it; that of the last belongs to the whole. */
function combineSegments(
  segments: readonly WrittenSegment[],
  merges: readonly number[],
  actions: readonly ClauseAction[],
  dialect: Dialect,
): SqlPiece {
  const [open, close] = operandBrackets(dialect);
  const parts: SqlPiece[] = [];
  for (const [number, { body, tail }] of segments.entries()) {
    const merge = merges[number];
    const operator = merge === undefined ? undefined : actions[merge];
    const whole = tail === undefined ? body : concat(body, '\n', tail);
    parts.push(tail !== undefined && operator !== undefined ? concat(open, whole, close) : whole);
    if (merge !== undefined && operator?.action === 'add_merge')
      parts.push(markedAs(merge, writeSetOperator(operator.operator, dialect)));
  }
  return joinPieces(parts, '\n');
}

function commonTables(assembly: Assembly): readonly SqlPiece[] {
  const tables: SqlPiece[] = [];
  for (const question of assembly.questions.values()) {
    if (question.use !== 'rows') continue;
    if (question.fault !== undefined)
      assembly.problems.push(problemOf(question.action, `qa: The sub-question $${question.id} ${question.fault}.`));
    const name = writeOwnName(question.id, assembly.dialect);
    tables.push(markedAs(question.action, `${name} AS (\n${question.sql ?? ''}\n)`));
  }
  return tables.length === 0 ? [] : [concat('WITH ', joinPieces(tables, ', '))];
}
