import { at, field, isNode, isPresent, list, text } from '../tree/json-node.ts';
import type { TreeAlias, TreeFactor, TreeJoinKind, TreeName, TreeSource } from '../tree/tree.ts';
import { convertExpression, expressionsIn, isQueryNode, type NodeConverter, nameText } from './convert-expression.ts';
import { NotConverted } from './convert-query.ts';

/** FROM as a flat list; a relation behind a comma joins with `comma`. */
export function convertFrom(node: unknown, converter: NodeConverter): readonly TreeSource[] {
  const entries = isNode(node) ? [...list(node.expr), ...list(node.joins)] : list(node);
  return entries
    .filter((entry) => field(entry, 'type') !== 'dual')
    .map((entry, index) => {
      const factor = convertFactor(entry, converter);
      const words = (text(field(entry, 'join')) ?? '').toUpperCase();
      if (index === 0 && words === '') return { factor };
      const on = field(entry, 'on');
      return {
        factor,
        join: {
          kind: joinKind(words),
          natural: words.includes('NATURAL'),
          on: isPresent(on) ? convertExpression(on, converter) : undefined,
          using: list(field(entry, 'using')).flatMap((name): TreeName[] => {
            const known = nameText(name) ?? nameText(field(name, 'column'));
            return known === undefined ? [] : [{ text: known }];
          }),
        },
      };
    });
}

function joinKind(words: string): TreeJoinKind {
  if (words === '') return 'comma';
  const known = ['LEFT', 'RIGHT', 'FULL', 'CROSS', 'SEMI', 'ANTI', 'ASOF'].find((word) => words.includes(word));
  if (known !== undefined) return known.toLowerCase() as TreeJoinKind;
  return words.endsWith('JOIN') ? 'inner' : 'other';
}

function convertFactor(node: unknown, converter: NodeConverter): TreeFactor {
  const alias = convertAlias(node);
  const lateral = /lateral/i.test(text(field(node, 'prefix')) ?? '');
  const inner = field(node, 'expr');
  if (field(node, 'type') === 'unnest') {
    const offset = nameText(at(node, 'with_offset', 'as'));
    const args = [convertExpression(inner, converter)];
    return { kind: 'unnest', args, lateral, alias: withOffset(alias, offset) };
  }
  if (text(field(node, 'table')) !== undefined)
    return { kind: 'table', name: relationNameParts(node, converter), alias };
  if (isQueryNode(inner)) return { kind: 'derived', query: converter.query(inner), alias, lateral };
  if (field(inner, 'type') === 'values') {
    const rows = expressionsIn(field(inner, 'values'), converter);
    const query = {
      recursive: false,
      ctes: [],
      body: { kind: 'values', rows },
      orderBy: [],
      hasLimit: false,
      limitExpressions: [],
    } as const;
    return { kind: 'derived', query, alias, lateral };
  }
  if (field(inner, 'type') === 'flatten') {
    const args = expressionsIn(field(inner, 'args'), converter);
    return { kind: 'function', name: [{ text: 'flatten' }], args, alias, lateral };
  }
  let called = convertExpression(inner, converter);
  // TABLE (f(x)) is f(x).
  if (called.kind === 'call' && called.name[0]?.text.toUpperCase() === 'TABLE' && called.args[0]?.kind === 'call')
    called = called.args[0];
  if (called.kind === 'call') return { kind: 'function', name: called.name, args: called.args, alias, lateral };
  throw new NotConverted('a relation of FROM');
}

function convertAlias(node: unknown): TreeAlias | undefined {
  const alias = field(node, 'as');
  const name = nameText(alias) ?? nameText(at(alias, 'name')) ?? nameText(list(at(alias, 'name', 'name'))[0]);
  if (name === undefined) return undefined;
  // `t(a, b)` is one string there.
  const [first = '', columns] = name.split('(', 2);
  const names = columns === undefined ? [] : columns.replace(/\)$/, '').split(',');
  return { name: { text: first.trim() }, columns: names.map((column) => ({ text: column.trim() })) };
}

function withOffset(alias: TreeAlias | undefined, offset: string | undefined): TreeAlias | undefined {
  if (offset === undefined) return alias;
  return { name: alias?.name, columns: [{ text: offset }] };
}

/** BigQuery's `project.dataset.table` in one pair of backticks is one name there. */
function relationNameParts(node: unknown, converter: NodeConverter): readonly TreeName[] {
  const table = text(field(node, 'table')) ?? '';
  const isOneQuote = at(node, 'surround', 'table') === '`' && table.includes('.');
  const outer = [
    ...new Set([field(node, 'catalog'), field(node, 'server'), field(node, 'db'), field(node, 'schema')]),
  ].flatMap((part) => nameText(part) ?? []);
  const offset = at(node, 'loc', 'start', 'offset');
  const position = typeof offset === 'number' ? offset + converter.base : undefined;
  return [...outer, ...(isOneQuote ? table.split('.') : [table])].map((part, index) => ({
    text: part,
    at: index === 0 ? position : undefined,
  }));
}
