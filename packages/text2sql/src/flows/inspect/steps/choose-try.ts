import { AskemaError } from '@askema/core';
import type { OtherReading } from '../../../question/question-state.ts';
import { isSameWords, readAsText } from '../../../steps/read-as.ts';
import type { ClauseAction } from '../clauses/clause-action.ts';
import type { ActionSequence, InspectFlowState, InspectTry } from '../state/inspect-state.ts';
import { bestTry } from './open-findings.ts';

/**
 * Lets a try stand: the given one, else the best. What became of the values of the first sequence is told, read off the
 * actions. `failed`: no sequence made a statement, or the database refused each of them.
 */
export function chooseTry(state: InspectFlowState, agreed?: number): 'default' | 'failed' {
  const { flow } = state;
  const chosen = agreed ?? bestTry(flow.tries, flow.plan);
  const tried = chosen === undefined ? undefined : flow.tries[chosen];
  if (chosen === undefined || tried === undefined || tried.sql === '' || tried.failed === true) return giveUp(state);
  flow.chosen = chosen;
  state.generatedSql = tried.sql;
  const changes = valueChanges(flow.tries, chosen);
  const sentences = changes.map(changeText);
  state.explanation = [tried.explanation ?? '', ...sentences].filter((text) => text !== '').join(' ') || null;
  for (const change of changes) if (!isRespelled(change)) warnOnce(state, changeText(change));
  state.otherReadings = state.otherReadings.flatMap((reading) => readingAfter(reading, changes) ?? []);
  return 'default';
}

/**
 * Another reading with the stored spelling of the values that it shares with the first sequence: it was written before
 * they were looked up. Undefined where such a value was given up, or is stored in another column.
 */
function readingAfter(reading: OtherReading, changes: readonly ValueChange[]): OtherReading | undefined {
  let isLost = false;
  const sql = reading.sql.replaceAll(/'((?:[^']|'')*)'/g, (literal, inner: string) => {
    const change = changes.find(({ value }) => value === inner.replaceAll("''", "'"));
    if (change === undefined) return literal;
    if (change.type === 'replaced') return `'${change.by.replaceAll("'", "''")}'`;
    isLost = true;
    return literal;
  });
  return isLost ? undefined : { ...reading, sql };
}

function giveUp(state: InspectFlowState): 'failed' {
  const refused = state.candidates.findLast(({ error }) => error !== undefined)?.error;
  const findings = state.flow.tries.at(-1)?.findings ?? [];
  const why = findings.map(({ message }) => message).slice(0, 3);
  const message = `The model's actions make no statement that could be run: ${why.join(' ') || 'there are none.'}`;
  const error = refused ?? new AskemaError('MODEL_OUTPUT_INVALID', message).toJSON();
  state.finalError = error;
  state.verdict = { type: 'failed', error };
  return 'failed';
}

function warnOnce(state: InspectFlowState, text: string): void {
  if (!state.warnings.includes(text)) state.warnings.push(text);
}

/** What became of a value that the first sequence compared with. */
export type ValueChange =
  | { readonly type: 'replaced'; readonly value: string; readonly by: string; readonly column: string }
  | { readonly type: 'moved'; readonly value: string; readonly column: string; readonly to: string }
  | { readonly type: 'dropped'; readonly value: string; readonly column: string };

interface LiteralUse {
  readonly value: string;
  /** Relation and column, as far as the sequence tells. */
  readonly column: string;
}

/**
 * How the texts that conditions compare with differ between the first sequence and the one that stands. Read off the
 * actions: what a model says that it did counts for nothing here, so that no value is ever replaced in silence.
 */
export function valueChanges(tries: readonly InspectTry[], chosen: number): readonly ValueChange[] {
  const [first] = tries;
  const last = tries[chosen];
  if (first === undefined || last === undefined || first === last) return [];
  const before = literalsOf(first);
  const after = literalsOf(last);
  const fresh = after.filter(({ value }) => !before.some((one) => one.value === value));
  return before.flatMap((use): ValueChange[] => {
    const { value, column } = use;
    const stays = after.filter((one) => one.value === value);
    if (stays.some((one) => one.column === column)) return [];
    const [moved] = stays;
    if (moved !== undefined) return [{ type: 'moved', value, column, to: moved.column }];
    const position = replacementOf(use, fresh, tries.slice(0, chosen + 1));
    const [by] = position < 0 ? [] : fresh.splice(position, 1);
    return [
      by === undefined
        ? { type: 'dropped', value, column }
        : { type: 'replaced', value, by: by.value, column: by.column },
    ];
  });
}

/** One change as a sentence for the person who asked. */
function changeText(change: ValueChange): string {
  const { value, column } = change;
  switch (change.type) {
    case 'replaced':
      return readAsText({ value, stored: change.by, column });
    case 'moved':
      return `${quoted(value)} was looked for in ${change.to || 'another column'}, not in ${column || 'the first one'}.`;
    case 'dropped':
      return `The condition on ${quoted(value)}${ofColumn(column)} was left out, because no such value is stored there.`;
  }
}

function isRespelled(change: ValueChange): boolean {
  return change.type === 'replaced' && isSameWords(change.value, change.by);
}

function replacementOf(use: LiteralUse, fresh: readonly LiteralUse[], tries: readonly InspectTry[]): number {
  const cells = new Set(
    tries.flatMap(({ findings }) =>
      findings
        .filter(({ value }) => value === use.value)
        .flatMap((finding) => (finding.cells ?? []).map((cell) => cell.value)),
    ),
  );
  const byCell = fresh.findIndex(({ value }) => cells.has(value));
  return byCell >= 0 ? byCell : fresh.findIndex(({ column }) => column === use.column);
}

function literalsOf(sequence: ActionSequence): LiteralUse[] {
  const relations = relationsByAlias(sequence.actions);
  const own = sequence.actions.flatMap((action): LiteralUse[] => {
    if (action.action !== 'add_where' && action.action !== 'add_having') return [];
    const column = columnOf(action.left, relations);
    return action.right.flatMap((operand) => (operand.kind === 'text' ? [{ value: operand.value, column }] : []));
  });
  return [...own, ...Object.values(sequence.answers).flatMap(literalsOf)];
}

function relationsByAlias(actions: readonly ClauseAction[]): ReadonlyMap<string, string> {
  const relations = new Map<string, string>();
  for (const action of actions) {
    if (action.action !== 'add_from') continue;
    for (const { alias, relation } of [action, ...action.joins])
      relations.set((alias ?? relation).toLowerCase(), relation);
  }
  return relations;
}

/** `T1.name` as `author.name`; other expressions as they stand. */
function columnOf(left: string, relations: ReadonlyMap<string, string>): string {
  const text = left.trim();
  const dot = text.indexOf('.');
  const only = relations.size === 1 ? [...relations.values()][0] : undefined;
  if (dot < 0) return /^[\p{L}\p{N}_"`]+$/u.test(text) && only !== undefined ? `${only}.${text}` : text;
  const relation = relations.get(text.slice(0, dot).toLowerCase());
  return relation === undefined ? text : `${relation}${text.slice(dot)}`;
}

function ofColumn(column: string): string {
  return column === '' ? '' : ` of ${column}`;
}

function quoted(value: string): string {
  return `“${value}”`;
}
