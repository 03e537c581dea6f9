import { nearestNames } from '@askema/core';
import {
  ArgumentFault,
  countOf,
  type Fields,
  field,
  isFields,
  listOf,
  requiredText,
  shown,
  textOf,
  truthOf,
  wordOf,
} from './argument-reader.ts';
import {
  type ActionProblem,
  CLAUSE_ACTIONS,
  type ClauseAction,
  type ClauseActionName,
  type ConditionOperand,
  type JoinArgument,
  problemOf,
} from './clause-action.ts';
import { parseCondition } from './parse-condition.ts';

export interface ParsedActions {
  /** Those that could be read, in their order. */
  readonly actions: readonly ClauseAction[];
  /** Of the others; their `action` is the index in the list that was given. */
  readonly problems: readonly ActionProblem[];
}

/** A call of a tool of `CLAUSE_TOOLS`; `arguments` may be JSON text. */
export interface ActionCall {
  readonly name: string;
  readonly arguments: unknown;
}

/**
 * Reads what a model wrote: objects with an `action` (structured output) or tool calls. Lenient in form (case, synonyms
 * of operators, numbers as text, one object where a list belongs), strict in meaning: an unknown action or operator, or
 * an argument that is missing, is a problem and nothing is made up for it. Nothing is ever evaluated; never throws.
 */
export function parseActions(raw: readonly unknown[] | readonly ActionCall[]): ParsedActions {
  const actions: ClauseAction[] = [];
  const problems: ActionProblem[] = [];
  const ids = new Set<string>();
  for (const [index, entry] of raw.entries()) {
    try {
      const action = parseAction(entry);
      if (action.action === 'qa') {
        if (ids.has(action.id))
          throw new ArgumentFault(`The sub-question id \`${action.id}\` is used twice: give each its own.`);
        ids.add(action.id);
      }
      actions.push(action);
    } catch (thrown) {
      if (!(thrown instanceof ArgumentFault)) throw thrown;
      problems.push(problemOf(index, thrown.message, thrown.nearestNames));
    }
  }
  return { actions: actions.map((action) => withSubQuestions(action, ids)), problems };
}

/** A text that is nothing but the mark of a sub-question of this sequence means its answer. */
function withSubQuestions(action: ClauseAction, ids: ReadonlySet<string>): ClauseAction {
  if (action.action !== 'add_where' && action.action !== 'add_having') return action;
  const right = action.right.map((operand): ConditionOperand => {
    const isMark = operand.kind === 'text' && operand.value.startsWith('$') && ids.has(operand.value.slice(1));
    return isMark ? { kind: 'expression', sql: operand.value } : operand;
  });
  return { ...action, right };
}

function parseAction(entry: unknown): ClauseAction {
  if (!isFields(entry)) throw new ArgumentFault(`An action must be an object, not ${shown(entry)}.`);
  const written = field(entry, 'action', 'name', 'function', 'tool');
  const name = nameOf(textOf(written, 'action'));
  const inner = field(entry, 'arguments', 'args', 'parameters', 'input');
  const fields = inner === undefined ? entry : argumentsOf(inner, name);
  try {
    return readAction(name, fields);
  } catch (thrown) {
    if (!(thrown instanceof ArgumentFault)) throw thrown;
    throw new ArgumentFault(`${name}: ${thrown.message}`, thrown.nearestNames);
  }
}

function nameOf(written: string): ClauseActionName {
  const bare = (text: string): string => text.toLowerCase().replace(/[^a-z]+/g, '');
  const wanted = bare(written.slice(0, 100));
  const name = CLAUSE_ACTIONS.find((known) => bare(known) === wanted);
  if (name !== undefined) return name;
  if (wanted === '') throw new ArgumentFault('The name of the action is missing.');
  if (wanted === 'addjoin' || wanted === 'join')
    throw new ArgumentFault('There is no add_join: joins are arguments of `add_from`.', ['add_from']);
  const nearest = nearestNames(written.slice(0, 100), CLAUSE_ACTIONS);
  const hint =
    nearest[0] === undefined ? `It is one of ${CLAUSE_ACTIONS.join(', ')}.` : `Did you mean \`${nearest[0]}\`?`;
  throw new ArgumentFault(`There is no action ${shown(written)}. ${hint}`, nearest);
}

function argumentsOf(inner: unknown, name: string): Fields {
  if (isFields(inner)) return inner;
  if (typeof inner === 'string') {
    try {
      const parsed: unknown = JSON.parse(inner);
      if (isFields(parsed)) return parsed;
    } catch {
      // Said below.
    }
  }
  throw new ArgumentFault(`${name}: the arguments must be a JSON object, not ${shown(inner)}.`);
}

function readAction(action: ClauseActionName, fields: Fields): ClauseAction {
  switch (action) {
    case 'add_from':
      return { action, ...relationOf(fields), joins: listOf(field(fields, 'joins', 'join')).map(parseJoin) };
    case 'add_where':
      return { action, ...parseCondition(fields) };
    case 'add_having':
      return { action, ...parseCondition(fields) };
    case 'add_group_by':
      return {
        action,
        expressions: texts(field(fields, 'expressions', 'expression', 'columns', 'column'), 'expressions'),
      };
    case 'add_order_by':
      return {
        action,
        keys: some(listOf(field(fields, 'keys', 'key', 'expressions', 'columns') ?? fields).map(parseKey), 'keys'),
      };
    case 'add_limit': {
      const count = countOf(field(fields, 'count', 'limit', 'n'), 'count');
      const offset = countOf(field(fields, 'offset', 'skip'), 'offset');
      if (count === undefined) throw new ArgumentFault('count is missing.');
      return { action, count, ...(offset ? { offset } : {}) };
    }
    case 'add_select': {
      const items = listOf(field(fields, 'expressions', 'items', 'item', 'columns')).map(parseItem);
      const [isLeading, all] = withoutDistinct(some(items, 'expressions'));
      return { action, distinct: isLeading || truthOf(field(fields, 'distinct'), 'distinct'), items: all };
    }
    case 'add_merge': {
      const operators = ['union', 'union all', 'intersect', 'except'] as const;
      const written = field(fields, 'operator', 'op', 'kind', 'type');
      return {
        action,
        operator: wordOf(written, 'The operator', operators, {
          'union distinct': 'union',
          'intersect distinct': 'intersect',
          'except distinct': 'except',
          minus: 'except',
        }),
      };
    }
    default: {
      const id = requiredText(field(fields, 'id', 'name'), 'id').replace(/^\$/, '');
      if (!/^[A-Za-z_]\w{0,62}$/.test(id)) throw new ArgumentFault(`The id ${shown(id)} must be a word, such as q1.`);
      return {
        action,
        id,
        question: requiredText(field(fields, 'question', 'text'), 'question'),
        use: wordOf(field(fields, 'use', 'kind', 'as'), 'use', ['value', 'list', 'rows'], {
          scalar: 'value',
          single: 'value',
          values: 'list',
          table: 'rows',
          cte: 'rows',
        }),
      };
    }
  }
}

/** `orders`, `orders AS o`; a field of its own says the alias otherwise. */
function relationOf(fields: Fields): { readonly relation: string; readonly alias?: string } {
  const written = requiredText(field(fields, 'relation', 'table', 'tablename', 'name', 'from'), 'relation');
  const alias = textOf(field(fields, 'alias', 'as'), 'alias');
  if (alias !== '') return { relation: written, alias };
  const [, relation, ownAlias] = /^(\S.*)\sas\s+([A-Za-z_]\w*)$/is.exec(written) ?? [];
  return relation === undefined || ownAlias === undefined
    ? { relation: written }
    : { relation: relation.trim(), alias: ownAlias };
}

function parseJoin(raw: unknown): JoinArgument {
  if (!isFields(raw))
    throw new ArgumentFault(`A join must be an object with kind, relation and on, not ${shown(raw)}.`);
  const written = textOf(field(raw, 'kind', 'jointype', 'type'), 'The kind of a join').toLowerCase();
  const word = written.replace(/\b(outer|join)\b/g, '').trim();
  const kind = word === '' ? 'inner' : wordOf(word, 'The kind of a join', ['inner', 'left', 'right', 'full', 'cross']);
  const on: { left: string; right: string }[] = [];
  const conditions = [textOf(field(raw, 'condition'), 'condition')];
  for (const pair of listOf(field(raw, 'on'))) {
    if (isFields(pair)) {
      on.push({
        left: requiredText(field(pair, 'left', 'from'), 'left of on'),
        right: requiredText(field(pair, 'right', 'to'), 'right of on'),
      });
      continue;
    }
    const text = requiredText(pair, 'on');
    const [left, right, ...others] = text.split('=').map((side) => side.trim());
    const isPair = left && right && others.length === 0 && !/[<>!()]|\s(?:and|or|not)\s/i.test(text);
    if (isPair) on.push({ left, right });
    else conditions.push(text);
  }
  const condition = conditions.filter((text) => text !== '');
  if (condition.length > 1) throw new ArgumentFault('Put one expression into condition, and pairs of columns into on.');
  return { kind, ...relationOf(raw), on, ...(condition[0] === undefined ? {} : { condition: condition[0] }) };
}

/** `SUM(weight) DESC NULLS LAST`: what is sorted by, and how. */
const KEY = /^(.*?\S)(?:\s+(asc|desc)(?:ending)?)?(?:\s+nulls\s+(first|last))?$/is;

type OrderKey = Extract<ClauseAction, { action: 'add_order_by' }>['keys'][number];

function parseKey(raw: unknown): OrderKey {
  const fields = isFields(raw) ? raw : {};
  const written = requiredText(
    isFields(raw) ? field(fields, 'expression', 'column', 'key') : raw,
    'The expression of a key',
  );
  const [, bare, order, place] = KEY.exec(written) ?? [];
  const expression = bare ?? written;
  const direction = (textOf(field(fields, 'direction', 'order', 'dir'), 'direction') || (order ?? '')).toLowerCase();
  const nulls = (textOf(field(fields, 'nulls'), 'nulls') || (place ?? '')).toLowerCase();
  return {
    expression,
    direction:
      direction === ''
        ? 'asc'
        : wordOf(direction, 'The direction', ['asc', 'desc'], { ascending: 'asc', descending: 'desc' }),
    ...(nulls === '' || nulls === 'none'
      ? {}
      : { nulls: wordOf(nulls, 'nulls', ['first', 'last'], { 'nulls first': 'first', 'nulls last': 'last' }) }),
  };
}

interface SelectItem {
  readonly expression: string;
  readonly alias?: string;
}

/** `DISTINCT` in front of the first item is about the whole rows; `DISTINCT ON` of PostgreSQL stays as it is. */
function withoutDistinct(items: readonly SelectItem[]): readonly [boolean, readonly SelectItem[]] {
  const [first, ...others] = items;
  const bare = /^distinct\s+(?!on\b)(.*)$/is.exec(first?.expression ?? '')?.[1];
  return first === undefined || bare === undefined
    ? [false, items]
    : [true, [{ ...first, expression: bare }, ...others]];
}

function parseItem(raw: unknown): SelectItem {
  if (!isFields(raw)) {
    const written = requiredText(raw, 'The expression of an item');
    const [, bare, name] = /^(.*\S)\s+as\s+([A-Za-z_]\w*)$/is.exec(written) ?? [];
    return bare === undefined || name === undefined ? { expression: written } : { expression: bare, alias: name };
  }
  const alias = textOf(field(raw, 'alias', 'as'), 'alias');
  const expression = requiredText(field(raw, 'expression', 'column', 'sql'), 'The expression of an item');
  return { expression, ...(alias === '' ? {} : { alias }) };
}

function texts(value: unknown, what: string): readonly string[] {
  return some(
    listOf(value).map((entry) => requiredText(isFields(entry) ? field(entry, 'expression', 'column') : entry, what)),
    what,
  );
}

function some<T>(list: readonly T[], what: string): readonly T[] {
  if (list.length === 0) throw new ArgumentFault(`${what} is empty: name at least one.`);
  return list;
}
