import type { DataType, Dialect } from '@askema/core';
import { type CteShape, nameOfToken, type QueryBlock, type SelectItemShape, significantTokens } from '@askema/sql';
import { typeOfCallNamed } from './query-facts.ts';
import type { OutputColumn, ResolvedColumn } from './resolved-query.ts';
import {
  isMerged,
  matchedParts,
  type OutputsOfBlock,
  outputsOfBlock,
  type ScopeRelation,
  type Scopes,
} from './scope.ts';

/** What the outputs of a block are made from. */
interface OutputContext {
  readonly sql: string;
  readonly dialect: Dialect;
  readonly scopes: Scopes;
  /** The names that WITH or an alias gives to the columns. */
  readonly names: readonly CteShape['name'][];
}

/** The columns of a block's result, those of the blocks inside it being known. */
export function outputsOf(
  context: OutputContext,
  block: QueryBlock,
  columns: readonly ResolvedColumn[],
): OutputsOfBlock | undefined {
  const own = ownOutputs(context, block, columns);
  const { names, scopes } = context;
  const { keys } = scopes;
  if (names.length === 0) return own === undefined ? undefined : outputsOfBlock(own, keys);
  if (own === undefined)
    return outputsOfBlock(
      names.map((name) => ({ ...UNNAMED, name: keys.stored(name) })),
      keys,
    );
  const renamed = own.map((output, index) => {
    const name = names[index];
    return name === undefined ? output : { ...output, name: keys.stored(name) };
  });
  return outputsOfBlock(renamed, keys);
}

const UNNAMED: OutputColumn = {
  name: undefined,
  item: undefined,
  attribute: undefined,
  relation: undefined,
  type: undefined,
};

function ownOutputs(
  context: OutputContext,
  block: QueryBlock,
  columns: readonly ResolvedColumn[],
): readonly OutputColumn[] | undefined {
  if (block.kind === 'set operation' || block.kind === 'other') return outputsOfOperands(context.scopes, block);
  if (block.kind !== 'select' || isValueTable(context.sql, block)) return undefined;
  const outputs: OutputColumn[] = [];
  for (const [index, item] of block.items.entries()) {
    if (item.kind === 'star') {
      const expanded = expandStar(context, block, item, index);
      if (expanded === undefined) return undefined;
      for (const output of expanded) outputs.push(output);
    } else outputs.push(outputOfItem(context, block, item, index, columns));
  }
  return outputs;
}

/** BigQuery's SELECT AS STRUCT and AS VALUE. */
function isValueTable(sql: string, block: QueryBlock): boolean {
  const span = block.clauses.select;
  return (
    span !== undefined &&
    /^SELECT\s+(?:ALL\s+|DISTINCT\s+)?AS\s+(?:STRUCT|VALUE)\b/i.test(sql.slice(span.start, span.start + 60))
  );
}

/** Names come from the first operand; what is not the same in all of them is not known. */
function outputsOfOperands(scopes: Scopes, block: QueryBlock): readonly OutputColumn[] | undefined {
  const [first, ...others] = (block.setOperation?.operands ?? []).map((operand) => scopes.outputs[operand]?.columns);
  return first?.map((output, index) => {
    const same = others.map((columns) => columns?.[index]);
    return {
      name: output.name,
      item: undefined,
      relation: undefined,
      attribute: same.every((other) => other?.attribute === output.attribute) ? output.attribute : undefined,
      type: same.every((other) => other?.type === output.type) ? output.type : undefined,
    };
  });
}

function outputOfItem(
  { sql, dialect, scopes }: OutputContext,
  block: QueryBlock,
  item: SelectItemShape,
  index: number,
  columns: readonly ResolvedColumn[],
): OutputColumn {
  const only = item.kind === 'column' ? item.columns[0] : undefined;
  const shape = only === undefined ? undefined : block.columns[only];
  const resolved = only === undefined ? undefined : columns[only];
  const written = item.alias ?? (shape?.path === undefined ? shape?.name : undefined);
  const name = written === undefined ? undefined : scopes.keys.stored(written);
  if (shape !== undefined && resolved !== undefined && shape.path === undefined) {
    if (resolved.kind === 'attribute')
      return {
        name,
        item: index,
        attribute: resolved.attribute,
        relation: resolved.relation,
        type: scopes.index.attribute(resolved.attribute)?.type,
      };
    if (resolved.kind === 'output')
      return {
        name,
        item: index,
        attribute: resolved.output.attribute,
        relation: resolved.output.attribute === undefined ? undefined : resolved.relation,
        type: resolved.output.type,
      };
  }
  return { ...UNNAMED, name, item: index, type: typeOfExpression(sql, dialect, scopes, block, item, columns) };
}

function typeOfExpression(
  sql: string,
  dialect: Dialect,
  scopes: Scopes,
  block: QueryBlock,
  item: SelectItemShape,
  columns: readonly ResolvedColumn[],
): DataType | undefined {
  const { start, end } = item.expression;
  const call = item.calls[0] === undefined ? undefined : block.calls[item.calls[0]];
  if (call !== undefined && call.span.start === start && call.span.end === end)
    return typeOfCallNamed(sql, block, call, (column) => typeOfResolved(scopes, columns[column]));
  const subquery = block.subqueries.find(({ span }) => span.start === start && span.end === end);
  if (subquery?.role === 'scalar') return scopes.outputs[subquery.block]?.columns[0]?.type;
  if (subquery?.role === 'exists') return 'BOOL';
  if (end - start > 100 || item.columns.length > 0 || item.calls.length > 0) return undefined;
  const [token, more] = significantTokens(sql.slice(start, end), dialect.lexer);
  if (more !== undefined) return undefined;
  return token?.kind === 'number' ? 'NUMERIC' : token?.kind === 'string' ? 'TEXT' : undefined;
}

function typeOfResolved(scopes: Pick<Scopes, 'index'>, column: ResolvedColumn | undefined): DataType | undefined {
  if (column?.kind === 'attribute') return scopes.index.attribute(column.attribute)?.type;
  return column?.kind === 'output' ? column.output.type : undefined;
}

/** `*` and `t.*`, also with EXCEPT and EXCLUDE; undefined where a relation's columns are not known, or are too many. */
function expandStar(
  context: OutputContext,
  block: QueryBlock,
  item: SelectItemShape,
  index: number,
): readonly OutputColumn[] | undefined {
  const { scopes, sql, dialect } = context;
  const { keys } = scopes;
  const left = leftOut(sql.slice(item.expression.start, item.expression.end), dialect, scopes);
  if (left === undefined) return undefined;
  const all = scopes.relations[block.id] ?? [];
  const parts = item.qualifier.map((part) => keys.key(part));
  const relations =
    parts.length === 0 ? all : all.filter((relation) => matchedParts(relation, parts) === parts.length).slice(0, 1);
  if (relations.length === 0) return undefined;
  const outputs: OutputColumn[] = [];
  const seen = new Set<string>();
  for (const relation of relations) {
    const columns = columnsOf(scopes, relation);
    if (columns === undefined) return undefined;
    scopes.starColumns -= columns.length;
    if (scopes.starColumns < 0) return undefined;
    const isWhole = item.qualifier.length === 0;
    for (const column of columns) {
      const key = column.name === undefined ? undefined : keys.keyOfStored(column.name);
      if (key !== undefined && isWhole && seen.has(key) && isMerged(scopes, block, relation, key)) continue;
      if (key !== undefined) seen.add(key);
      if (key === undefined || !left.has(key)) outputs.push({ ...column, item: index });
    }
  }
  return outputs;
}

function columnsOf(scopes: Scopes, relation: ScopeRelation): readonly OutputColumn[] | undefined {
  const { resolved, isOpen, ref } = relation;
  if (isOpen) return undefined;
  if (resolved.kind === 'relation')
    return scopes.index.attributesOf(resolved.id).map(({ id, name, type }) => ({
      name,
      item: undefined,
      attribute: id,
      relation: ref,
      type,
    }));
  if (resolved.kind !== 'block') return undefined;
  return scopes.outputs[resolved.block]?.columns.map((output) => ({
    ...output,
    relation: output.attribute === undefined ? undefined : ref,
  }));
}

/**
 * The keys of the names behind EXCEPT or EXCLUDE; undefined for anything else that follows a star (REPLACE, RENAME,
 * ILIKE).
 */
function leftOut(text: string, dialect: Dialect, scopes: Scopes): ReadonlySet<string> | undefined {
  const tokens = significantTokens(text, dialect.lexer);
  const star = tokens.findIndex((token) => token.text === '*');
  const [word, ...rest] = tokens.slice(star + 1);
  if (word === undefined) return new Set();
  if (!/^(EXCEPT|EXCLUDE)$/i.test(word.text)) return undefined;
  const names = rest.flatMap((token) => nameOfToken(token, dialect.lexer) ?? []);
  const marks = rest.filter((token) => !/^[(),]$/.test(token.text));
  return marks.length === names.length ? new Set(names.map((name) => scopes.keys.keyOfStored(name))) : undefined;
}
