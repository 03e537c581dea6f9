import {
  type Catalog,
  castType,
  type Dialect,
  fillProbe,
  qualifiedName,
  quoteIfNeeded,
  quoteString,
  type SchemaIndex,
} from '@askema/core';
import {
  type Column,
  type Expression,
  type Literal,
  type OrderItem,
  type Predicate,
  type Query,
  type Source,
  visitQueries,
} from './query.ts';

export interface WriteOptions {
  readonly catalog: Catalog;
  readonly index: SchemaIndex;
  readonly dialect: Dialect;
}

/** How one statement is written: names of sources, and whether columns need them. */
interface Writer extends WriteOptions {
  readonly aliases: ReadonlyMap<Source, string>;
  /** False when there is only one source in the whole statement. */
  readonly qualified: boolean;
}

/**
 * A query as one statement in the dialect, without a semicolon. Names are quoted where the dialect needs it, texts
 * always.
 */
export function writeSql(query: Query, options: WriteOptions): string {
  const sources: Source[] = [];
  visitQueries(query, (inner) => sources.push(inner.from, ...inner.joins.map((join) => join.source)));
  const writer: Writer = { ...options, aliases: nameSources(sources, options), qualified: sources.length > 1 };
  return writeQuery(query, writer);
}

/**
 * A relation's own name where it is free, else with a number behind. Names that differ only in case are the same to
 * most engines.
 */
function nameSources(sources: readonly Source[], { catalog, index }: WriteOptions): ReadonlyMap<Source, string> {
  const taken = new Set(sources.map((source) => bareName(source, catalog, index).toLowerCase()));
  const used = new Set<string>();
  const aliases = new Map<Source, string>();
  for (const source of sources) {
    const name = bareName(source, catalog, index);
    let alias = name;
    for (
      let number = 2;
      used.has(alias.toLowerCase()) || (alias !== name && taken.has(alias.toLowerCase()));
      number += 1
    ) {
      alias = `${name}_${number}`;
    }
    used.add(alias.toLowerCase());
    aliases.set(source, alias);
  }
  return aliases;
}

function bareName(source: Source, catalog: Catalog, index: SchemaIndex): string {
  return catalog.relations[source.relation]?.nameParts.relation ?? index.relation(source.relation)?.name ?? '';
}

function writeQuery(query: Query, writer: Writer): string {
  const lines = [
    `SELECT ${query.distinct ? 'DISTINCT ' : ''}${writeSelect(query, writer)}`,
    `FROM ${writeSource(query.from, writer)}`,
  ];
  for (const join of query.joins) {
    const on = join.on.map(({ left, right }) => `${writeColumn(left, writer)} = ${writeColumn(right, writer)}`);
    lines.push(`JOIN ${writeSource(join.source, writer)} ON ${on.join(' AND ')}`);
  }
  if (query.where.length > 0) lines.push(`WHERE ${writeAll(query.where, writer)}`);
  if (query.groupBy.length > 0)
    lines.push(`GROUP BY ${query.groupBy.map((item) => writeExpression(item, writer)).join(', ')}`);
  if (query.having.length > 0) lines.push(`HAVING ${writeAll(query.having, writer)}`);
  if (query.orderBy.length > 0) {
    const items = query.orderBy.map(
      (item) =>
        `${writeExpression(item.expression, writer)}${item.direction === 'descending' ? ' DESC' : ''}${nullsLast(item, query, writer)}`,
    );
    lines.push(`ORDER BY ${items.join(', ')}`);
  }
  if (query.limit !== undefined) lines.push(`LIMIT ${query.limit}`);
  return lines.join(' ');
}

/**
 * An unknown value is neither the greatest nor the least: where the engine would put it first, it goes behind. A list
 * that is not cut keeps the unknown ones in front of the lowest, as most engines have it.
 */
function nullsLast({ expression, direction }: OrderItem, query: Query, writer: Writer): string {
  const { nullOrder } = writer.dialect;
  const comesFirst =
    nullOrder === 'high'
      ? direction === 'descending'
      : nullOrder === 'low' && direction === 'ascending' && query.limit !== undefined;
  return comesFirst && mayBeNull(expression, query, writer) ? ' NULLS LAST' : '';
}

function mayBeNull(expression: Expression, query: Query, writer: Writer): boolean {
  switch (expression.kind) {
    case 'column':
      return !(
        writer.index.isNotNull(expression.attribute) ||
        query.where.some(
          (predicate) =>
            predicate.kind === 'null' &&
            predicate.negated &&
            predicate.column.source === expression.source &&
            predicate.column.attribute === expression.attribute,
        )
      );
    case 'aggregate':
    case 'numeric':
      return mayBeNull(expression.argument, query, writer);
    case 'product':
      return expression.factors.some((factor) => mayBeNull(factor, query, writer));
    case 'scalar':
      return expression.query.select[0]?.kind !== 'count';
    default:
      return false;
  }
}

function writeSelect(query: Query, writer: Writer): string {
  if (query.everythingOf !== undefined) return writer.qualified ? `${alias(query.everythingOf, writer)}.*` : '*';
  return query.select.length === 0 ? '1' : query.select.map((item) => writeExpression(item, writer)).join(', ');
}

function writeSource(source: Source, writer: Writer): string {
  const { catalog, index, dialect } = writer;
  const nameParts = catalog.relations[source.relation]?.nameParts ?? { relation: bareName(source, catalog, index) };
  const name = qualifiedName(nameParts, dialect);
  const called = alias(source, writer);
  return name === called || !writer.qualified ? name : `${name} AS ${called}`;
}

function alias(source: Source, writer: Writer): string {
  return quoteIfNeeded(writer.aliases.get(source) ?? bareName(source, writer.catalog, writer.index), writer.dialect);
}

function writeColumn(column: Column, writer: Writer): string {
  const name = quoteIfNeeded(writer.index.attribute(column.attribute)?.name ?? '', writer.dialect);
  return writer.qualified ? `${alias(column.source, writer)}.${name}` : name;
}

function writeExpression(expression: Expression, writer: Writer): string {
  switch (expression.kind) {
    case 'column':
      return writeColumn(expression, writer);
    case 'number':
    case 'bool':
    case 'text':
      return writeLiteral(expression, writer);
    case 'count': {
      const argument = expression.argument === undefined ? '*' : writeColumn(expression.argument, writer);
      return `COUNT(${expression.distinct ? 'DISTINCT ' : ''}${argument})`;
    }
    case 'aggregate':
      return `${expression.function.toUpperCase()}(${writeExpression(expression.argument, writer)})`;
    case 'product':
      return expression.factors.map((factor) => writeExpression(factor, writer)).join(' * ');
    case 'numeric':
      return `CAST(${writeExpression(expression.argument, writer)} AS ${castType('NUMERIC', writer.dialect)})`;
    case 'scalar':
      return `(${writeQuery(expression.query, writer)})`;
    case 'time-part': {
      const skeleton = writer.dialect.probes[`${expression.unit}Of`] ?? TIME_PARTS[expression.unit];
      return fillProbe(skeleton, { attribute: writeColumn(expression.argument, writer) });
    }
    case 'share':
      return `AVG(CASE WHEN ${writeAll(expression.predicates, writer)} THEN 100.0 ELSE 0 END)`;
  }
}

/** As most engines write them; a dialect's probes may say otherwise. */
const TIME_PARTS = {
  year: 'EXTRACT(YEAR FROM {attribute})',
  quarter: 'EXTRACT(QUARTER FROM {attribute})',
  month: 'EXTRACT(MONTH FROM {attribute})',
} as const;

function writeLiteral(literal: Literal, writer: Writer): string {
  if (literal.kind === 'text') return quoteString(literal.value, writer.dialect);
  // SQLite knows TRUE and FALSE from 3.23 on: https://sqlite.org/lang_expr.html, section 12.
  return literal.kind === 'bool' ? String(literal.value).toUpperCase() : writeNumber(literal.value);
}

/** Never in scientific notation, which some engines read as an inexact type. */
function writeNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) >= 1e21) return BigInt(value).toString();
  const text = String(value);
  return text.includes('e') ? value.toFixed(20).replace(/\.?0+$/u, '') : text;
}

/** A column as text: enumerations, UUIDs and the like have no LOWER in some engines. */
function writeText(column: Column, writer: Writer): string {
  const written = writeColumn(column, writer);
  const nativeType = writer.catalog.attributes[column.attribute]?.nativeType ?? '';
  const isText = nativeType === '' || /char|text|string|clob/iu.test(nativeType);
  return isText ? written : `CAST(${written} AS ${castType('TEXT', writer.dialect)})`;
}

function writeAll(predicates: readonly Predicate[], writer: Writer): string {
  return predicates.map((predicate) => writePredicate(predicate, writer)).join(' AND ');
}

function writePredicate(predicate: Predicate, writer: Writer): string {
  switch (predicate.kind) {
    case 'compare':
      return `${writeExpression(predicate.left, writer)} ${predicate.comparison} ${writeExpression(predicate.right, writer)}`;
    case 'in': {
      const column = writeColumn(predicate.column, writer);
      const [only, second] = predicate.values;
      if (only !== undefined && second === undefined)
        return `${column} ${predicate.negated ? '<>' : '='} ${writeLiteral(only, writer)}`;
      const values = predicate.values.map((value) => writeLiteral(value, writer)).join(', ');
      return `${column} ${predicate.negated ? 'NOT IN' : 'IN'} (${values})`;
    }
    case 'like': {
      const pattern = quoteString(predicate.pattern.toLowerCase(), writer.dialect);
      return `LOWER(${writeText(predicate.column, writer)}) ${predicate.negated ? 'NOT LIKE' : 'LIKE'} ${pattern}`;
    }
    case 'null':
      return `${writeColumn(predicate.column, writer)} ${predicate.negated ? 'IS NOT NULL' : 'IS NULL'}`;
    case 'exists':
      return `${predicate.negated ? 'NOT EXISTS' : 'EXISTS'} (${writeQuery(predicate.query, writer)})`;
    case 'or':
      return `(${predicate.options.map((option) => (option.length > 1 ? `(${writeAll(option, writer)})` : writeAll(option, writer))).join(' OR ')})`;
  }
}
