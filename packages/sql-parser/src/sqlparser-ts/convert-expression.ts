import { at, field, isNode, isPresent, list, text, variant } from '../tree/json-node.ts';
import type { Expression, TestOperator, TreeCall, TreeLiteral, TreeName, TreeQuery, TreeWindow } from '../tree/tree.ts';
import { convertName, type Place } from './convert-name.ts';

/** What the conversion of expressions needs of the whole. */
export interface Converter {
  readonly place: Place;
  query(node: unknown): TreeQuery;
}

/**
 * An expression of sqlparser-rs. Variants that carry no meaning for a shape become `other` with the expressions in
 * them.
 */
export function convertExpression(node: unknown, converter: Converter): Expression {
  const [tag, content] = variant(node);
  const convert = (inner: unknown): Expression => convertExpression(inner, converter);
  const all = (inner: unknown): readonly Expression[] => list(inner).map(convert);
  switch (tag) {
    case 'Identifier':
      return { kind: 'column', parts: [convertName(content, converter.place)] };
    case 'CompoundIdentifier':
      return { kind: 'column', parts: list(content).map((part) => convertName(part, converter.place)) };
    case 'CompoundFieldAccess':
      return convertAccess(content, converter);
    case 'JsonAccess': {
      const value = convert(field(content, 'value'));
      const inner = list(at(content, 'path', 'path')).flatMap((step) => {
        const key = at(step, 'Bracket', 'key');
        return key === undefined ? [] : [convert(key)];
      });
      if (value.kind === 'column') return { ...value, inner: [...(value.inner ?? []), ...inner] };
      return { kind: 'other', children: [value, ...inner] };
    }
    case 'Value':
      return convertLiteral(field(content, 'value'));
    case 'TypedString': {
      const literal = convertLiteral(at(content, 'value', 'value'));
      return { ...literal, type: 'typed', dataType: typeName(field(content, 'data_type')) };
    }
    case 'Nested':
      return { kind: 'brackets', operand: convert(content) };
    case 'BinaryOp':
      return convertBinary(content, converter);
    case 'UnaryOp': {
      const operand = convert(field(content, 'expr'));
      const operator = field(content, 'op');
      if (operator === 'Not') return { kind: 'not', operand };
      if (operator === 'Minus' && operand.kind === 'literal' && operand.type === 'number')
        return { ...operand, value: `-${operand.value}` };
      return { kind: 'other', children: [operand] };
    }
    case 'Between':
      return {
        kind: 'test',
        operator: 'between',
        symbols: ['BETWEEN'],
        negated: isPresent(field(content, 'negated')),
        left: convert(field(content, 'expr')),
        right: [convert(field(content, 'low')), convert(field(content, 'high'))],
      };
    case 'InList':
      return test('in', ['IN'], content, all(field(content, 'list')), converter);
    case 'InSubquery':
      return test(
        'in',
        ['IN'],
        content,
        [{ kind: 'query', role: 'in', query: converter.query(field(content, 'subquery')) }],
        converter,
      );
    case 'InUnnest':
      return test(
        'in',
        ['IN'],
        content,
        [{ kind: 'other', children: [convert(field(content, 'array_expr'))] }],
        converter,
      );
    case 'Like':
      return test('like', ['LIKE'], content, [convert(field(content, 'pattern'))], converter);
    case 'ILike':
      return test('ilike', ['ILIKE'], content, [convert(field(content, 'pattern'))], converter);
    case 'RLike':
      return test('regexp', ['RLIKE', 'REGEXP'], content, [convert(field(content, 'pattern'))], converter);
    case 'SimilarTo':
      return test('regexp', ['SIMILAR'], content, [convert(field(content, 'pattern'))], converter);
    case 'IsNull':
    case 'IsNotNull':
    case 'IsTrue':
    case 'IsNotTrue':
    case 'IsFalse':
    case 'IsNotFalse':
    case 'IsUnknown':
    case 'IsNotUnknown': {
      const operator = `is ${tag.replace(/^Is(Not)?/, '').toLowerCase()}` as TestOperator;
      const symbols = operator === 'is null' ? ['IS', 'ISNULL', 'NOTNULL'] : ['IS'];
      return { kind: 'test', operator, symbols, negated: tag.startsWith('IsNot'), left: convert(content), right: [] };
    }
    case 'IsDistinctFrom':
    case 'IsNotDistinctFrom': {
      const [left, right] = list(content);
      const negated = tag === 'IsNotDistinctFrom';
      return {
        kind: 'test',
        operator: 'is distinct from',
        symbols: ['IS'],
        negated,
        left: convert(left),
        right: [convert(right)],
      };
    }
    case 'AnyOp':
    case 'AllOp':
      return convertQuantified(content, converter);
    case 'Exists':
      return {
        kind: 'exists',
        query: converter.query(field(content, 'subquery')),
        negated: isPresent(field(content, 'negated')),
      };
    case 'Subquery':
      return { kind: 'query', role: 'scalar', query: converter.query(content) };
    case 'Function':
      return convertCall(content, converter);
    case 'Case':
      return {
        kind: 'other',
        children: [
          ...(isPresent(field(content, 'operand')) ? [convert(field(content, 'operand'))] : []),
          ...list(field(content, 'conditions')).flatMap((when) => [
            convert(field(when, 'condition')),
            convert(field(when, 'result')),
          ]),
          ...(isPresent(field(content, 'else_result')) ? [convert(field(content, 'else_result'))] : []),
        ],
      };
    case 'Lambda':
      return { kind: 'other', children: [] };
    case 'QualifiedWildcard':
      return { kind: 'star', qualifier: convertParts(list(content)[0], converter.place), children: [] };
    case 'Wildcard':
      return { kind: 'star', qualifier: [], children: [] };
    default:
      return { kind: 'other', children: expressionsIn(content, converter) };
  }
}

/** Keys whose content names things that are no columns. */
const NAMES = new Set([
  'data_type',
  'collation',
  'name',
  'alias',
  'field',
  'leading_field',
  'last_field',
  'fields',
  'column_name',
  'window_name',
  'trim_where',
  'charset',
  'options',
]);
const EXPRESSIONS = new Set(
  'Identifier CompoundIdentifier CompoundFieldAccess JsonAccess Value TypedString Nested BinaryOp UnaryOp Between InList InSubquery InUnnest Like ILike RLike SimilarTo IsNull IsNotNull IsTrue IsNotTrue IsFalse IsNotFalse IsUnknown IsNotUnknown IsDistinctFrom IsNotDistinctFrom AnyOp AllOp Exists Subquery Function Case Cast Convert Extract Ceil Floor Position Substring Trim Overlay Collate AtTimeZone Interval Array Struct Named Tuple Rollup Cube GroupingSets Dictionary Map Prior Prefixed MatchAgainst'.split(
    ' ',
  ),
);

/** The expressions that stand anywhere in a node, in its order. */
export function expressionsIn(node: unknown, converter: Converter): readonly Expression[] {
  if (Array.isArray(node)) return node.flatMap((inner) => expressionsIn(inner, converter));
  if (!isNode(node)) return [];
  const keys = Object.keys(node);
  if (keys.length === 1 && EXPRESSIONS.has(keys[0] ?? '')) return [convertExpression(node, converter)];
  return keys.filter((key) => !NAMES.has(key)).flatMap((key) => expressionsIn(node[key], converter));
}

function test(
  operator: TestOperator,
  symbols: readonly string[],
  content: unknown,
  right: readonly Expression[],
  converter: Converter,
): Expression {
  const left = convertExpression(field(content, 'expr'), converter);
  return { kind: 'test', operator, symbols, negated: isPresent(field(content, 'negated')), left, right };
}

const COMPARISONS: Readonly<Record<string, readonly [TestOperator, readonly string[]]>> = {
  Eq: ['=', ['=', '==']],
  Spaceship: ['=', ['<=>']],
  NotEq: ['<>', ['<>', '!=']],
  Lt: ['<', ['<']],
  LtEq: ['<=', ['<=']],
  Gt: ['>', ['>']],
  GtEq: ['>=', ['>=']],
  Regexp: ['regexp', ['REGEXP', 'RLIKE']],
  PGRegexMatch: ['regexp', ['~']],
  PGRegexIMatch: ['regexp', ['~*']],
};

function convertBinary(content: unknown, converter: Converter): Expression {
  const operator = variant(field(content, 'op'))[0];
  if (operator === 'And' || operator === 'Or') {
    // The left side is the long one: a chain becomes one node without recursion.
    const operands: unknown[] = [];
    let left = content;
    for (;;) {
      operands.unshift(field(left, 'right'));
      const next = field(left, 'left');
      const inner = at(next, 'BinaryOp');
      if (inner === undefined || field(inner, 'op') !== operator) {
        operands.unshift(next);
        break;
      }
      left = inner;
    }
    const kind = operator === 'And' ? 'and' : 'or';
    return { kind, operands: operands.map((operand) => convertExpression(operand, converter)) };
  }
  const left = convertExpression(field(content, 'left'), converter);
  const right = convertExpression(field(content, 'right'), converter);
  const comparison = COMPARISONS[operator];
  if (comparison === undefined) return { kind: 'other', children: [left, right], isXor: operator === 'Xor' };
  return { kind: 'test', operator: comparison[0], symbols: comparison[1], negated: false, left, right: [right] };
}

function convertQuantified(content: unknown, converter: Converter): Expression {
  const comparison = COMPARISONS[text(field(content, 'compare_op')) ?? ''];
  const left = convertExpression(field(content, 'left'), converter);
  const inner = convertExpression(field(content, 'right'), converter);
  const right: Expression =
    inner.kind === 'query' ? { ...inner, role: 'quantified' } : { kind: 'other', children: [inner] };
  if (comparison === undefined) return { kind: 'other', children: [left, right] };
  return { kind: 'test', operator: comparison[0], symbols: comparison[1], negated: false, left, right: [right] };
}

/** `a.b[0].c`: names in front of the first bracket belong to the column, what follows is its path. */
function convertAccess(content: unknown, converter: Converter): Expression {
  const root = convertExpression(field(content, 'root'), converter);
  const inner: Expression[] = [];
  const names: TreeName[] = [];
  let isPath = root.kind !== 'column';
  for (const step of list(field(content, 'access_chain'))) {
    const [tag, link] = variant(step);
    const name = at(link, 'Identifier');
    if (tag === 'Dot' && name !== undefined) {
      if (!isPath) names.push(convertName(name, converter.place));
    } else {
      isPath = true;
      if (tag === 'Subscript') inner.push(...expressionsIn(link, converter));
      else if (!isPath) inner.push(convertExpression(link, converter));
    }
  }
  if (root.kind === 'column')
    return { ...root, parts: [...root.parts, ...names], inner: [...(root.inner ?? []), ...inner] };
  return { kind: 'other', children: [root, ...inner] };
}

function convertLiteral(value: unknown): TreeLiteral {
  const [tag, content] = variant(value);
  if (tag === 'Number') return { kind: 'literal', type: 'number', value: String(list(content)[0] ?? '') };
  if (tag === 'Boolean') return { kind: 'literal', type: 'boolean', value: String(content) };
  if (tag === 'Null') return { kind: 'literal', type: 'null', value: 'null' };
  if (tag === 'Placeholder') return { kind: 'literal', type: 'parameter', value: String(content) };
  const string = text(content) ?? text(field(content, 'value'));
  return { kind: 'literal', type: string === undefined ? 'other' : 'string', value: string ?? '' };
}

function typeName(node: unknown): string {
  return variant(node)[0].toUpperCase();
}

function convertParts(node: unknown, place: Place): readonly TreeName[] {
  const [tag, content] = variant(node);
  const parts = tag === 'ObjectName' ? content : Array.isArray(node) ? node : [];
  return convertObjectName(parts, place);
}

/** The parts of the name of a relation or function. */
export function convertObjectName(node: unknown, place: Place): readonly TreeName[] {
  return list(node).map((part) => convertName(field(part, 'Identifier') ?? at(part, 'Function', 'name'), place));
}

function convertCall(content: unknown, converter: Converter): TreeCall | Expression {
  const convert = (node: unknown): Expression => convertExpression(node, converter);
  const name = convertObjectName(field(content, 'name'), converter.place);
  const subquery = at(content, 'args', 'Subquery');
  const args: Expression[] = [];
  if (subquery !== undefined) {
    const isArray = name.at(-1)?.text.toUpperCase() === 'ARRAY';
    args.push({ kind: 'query', role: isArray ? 'array' : 'scalar', query: converter.query(subquery) });
  }
  args.push(...convertArguments(at(content, 'args', 'List', 'args'), converter));
  const over = field(content, 'over');
  const filter = field(content, 'filter');
  return {
    kind: 'call',
    name,
    distinct: at(content, 'args', 'List', 'duplicate_treatment') === 'Distinct',
    args,
    modifiers: [
      ...expressionsIn(at(content, 'args', 'List', 'clauses'), converter),
      ...list(field(content, 'within_group')).map((order) => convert(field(order, 'expr'))),
      ...(isPresent(filter) ? [convert(filter)] : []),
    ],
    over: isPresent(over) ? convertWindow(over, converter) : undefined,
  };
}

/** Arguments of a function: a star, a named one and one in place are alike here. */
export function convertArguments(node: unknown, converter: Converter): readonly Expression[] {
  return list(node).map((argument) => {
    const [tag, content] = variant(argument);
    const inner = tag === 'Unnamed' ? content : field(content, 'arg');
    const [innerTag, expression] = variant(inner);
    return convertExpression(innerTag === 'Expr' ? expression : inner, converter);
  });
}

function convertWindow(node: unknown, converter: Converter): TreeWindow {
  const [tag, content] = variant(node);
  if (tag === 'NamedWindow') return { name: text(field(content, 'value')), partitionBy: [], orderBy: [] };
  return {
    name: text(at(content, 'window_name', 'value')),
    partitionBy: list(field(content, 'partition_by')).map((part) => convertExpression(part, converter)),
    orderBy: list(field(content, 'order_by')).map((order) => convertExpression(field(order, 'expr'), converter)),
  };
}
