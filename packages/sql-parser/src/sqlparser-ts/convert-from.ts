import { at, field, isNode, isPresent, list, variant } from '../tree/json-node.ts';
import type { Expression, TreeAlias, TreeFactor, TreeJoinKind, TreeSource } from '../tree/tree.ts';
import {
  type Converter,
  convertArguments,
  convertExpression,
  convertObjectName,
  expressionsIn,
} from './convert-expression.ts';
import { convertName, type Place } from './convert-name.ts';

/** FROM as a flat list; a relation behind a comma joins with `comma`. */
export function convertFrom(node: unknown, converter: Converter): readonly TreeSource[] {
  return list(node).flatMap((item, index) => {
    const factor = convertFactor(field(item, 'relation'), converter);
    const first: TreeSource = index === 0 ? { factor } : { factor, join: { kind: 'comma', natural: false, using: [] } };
    return [first, ...list(field(item, 'joins')).map((join) => convertJoin(join, converter))];
  });
}

const JOIN_KINDS: Readonly<Record<string, TreeJoinKind>> = {
  Join: 'inner',
  Inner: 'inner',
  StraightJoin: 'inner',
  Left: 'left',
  LeftOuter: 'left',
  Right: 'right',
  RightOuter: 'right',
  FullOuter: 'full',
  CrossJoin: 'cross',
  CrossApply: 'cross',
  Semi: 'semi',
  LeftSemi: 'semi',
  RightSemi: 'semi',
  Anti: 'anti',
  LeftAnti: 'anti',
  RightAnti: 'anti',
  AsOf: 'asof',
};

function convertJoin(node: unknown, converter: Converter): TreeSource {
  const [tag, content] = variant(field(node, 'join_operator'));
  const constraint = tag === 'AsOf' ? field(content, 'constraint') : content;
  const [constraintTag, condition] = variant(constraint);
  return {
    factor: convertFactor(field(node, 'relation'), converter),
    join: {
      kind: JOIN_KINDS[tag] ?? 'other',
      natural: constraintTag === 'Natural',
      match: tag === 'AsOf' ? convertExpression(field(content, 'match_condition'), converter) : undefined,
      on: constraintTag === 'On' ? convertExpression(condition, converter) : undefined,
      using:
        constraintTag === 'Using' ? list(condition).flatMap((name) => convertObjectName(name, converter.place)) : [],
    },
  };
}

function convertFactor(node: unknown, converter: Converter): TreeFactor {
  const [tag, content] = variant(node);
  const alias = convertAlias(field(content, 'alias'), converter.place);
  const lateral = isPresent(field(content, 'lateral'));
  switch (tag) {
    case 'Table': {
      const name = convertObjectName(field(content, 'name'), converter.place);
      const args = at(content, 'args', 'args');
      if (Array.isArray(args))
        return { kind: 'function', name, args: convertArguments(args, converter), alias, lateral };
      return { kind: 'table', name, alias, lateral };
    }
    case 'Function': {
      const name = convertObjectName(field(content, 'name'), converter.place);
      return { kind: 'function', name, args: convertArguments(field(content, 'args'), converter), alias, lateral };
    }
    case 'TableFunction': {
      const call = convertExpression(field(content, 'expr'), converter);
      if (call.kind === 'call') return { kind: 'function', name: call.name, args: call.args, alias, lateral };
      return { kind: 'function', name: [], args: [call], alias, lateral };
    }
    case 'UNNEST': {
      const offset = field(content, 'with_offset_alias');
      const args = expressionsIn(field(content, 'array_exprs'), converter);
      return { kind: 'unnest', args, alias: withOffset(alias, offset, converter.place), lateral };
    }
    case 'Derived':
      return { kind: 'derived', query: converter.query(field(content, 'subquery')), alias, lateral };
    case 'NestedJoin':
      return { kind: 'joins', from: convertFrom([field(content, 'table_with_joins')], converter), alias, lateral };
    default: {
      // PIVOT, UNPIVOT, MATCH_RECOGNIZE: the relation that they work on, and the expressions in them.
      const { table, ...rest } = isNode(content) ? content : { table: undefined };
      const args: readonly Expression[] = expressionsIn(rest, converter);
      if (table !== undefined)
        return { kind: 'modified', factor: convertFactor(table, converter), args, alias, lateral };
      return { kind: 'function', name: [], args, alias, lateral };
    }
  }
}

function convertAlias(node: unknown, place: Place): TreeAlias | undefined {
  if (!isPresent(node)) return undefined;
  return {
    name: convertName(field(node, 'name'), place),
    columns: list(field(node, 'columns')).map((column) => convertName(field(column, 'name'), place)),
  };
}

/** The name of the position (BigQuery: WITH OFFSET AS o) is one more column. */
function withOffset(alias: TreeAlias | undefined, offset: unknown, place: Place): TreeAlias | undefined {
  if (!isPresent(offset)) return alias;
  const column = convertName(offset, place);
  return alias === undefined
    ? { name: undefined, columns: [column] }
    : { ...alias, columns: [...alias.columns, column] };
}
