import { type AttributeId, type DataType, type Parameter, parameterPlaceholder, type RelationId } from '@askema/core';
import { shownValue } from './case-value.ts';
import { attributeSql, type CompileGround, relationSql } from './compile-ground.ts';

/** A parameter whose value is found while the case runs: the key of a row that the plan names by another attribute. */
export interface FoundLater {
  readonly slot: number;
}

export type Bound = Parameter | FoundLater;

/** A statement with its parameters in order, and what judging it needs. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly Bound[];
  readonly relation: RelationId;
  /** Insert and update: what is written. */
  readonly written: ReadonlyMap<AttributeId, Bound>;
}

/** An attribute and the value that it must have. */
export interface Condition {
  readonly attribute: AttributeId;
  readonly value: Bound;
}

export function isFoundLater(bound: Bound): bound is FoundLater {
  return typeof bound === 'object' && bound !== null && 'slot' in bound;
}

/** Writes SQL and keeps its parameters; nothing of the plan becomes SQL text. */
export class SqlText {
  readonly ground: CompileGround;
  readonly parameters: Bound[] = [];
  readonly pieces: string[] = [];

  constructor(ground: CompileGround) {
    this.ground = ground;
  }

  add(sql: string): this {
    this.pieces.push(sql);
    return this;
  }

  placeholder(value: Bound): string {
    this.parameters.push(value);
    return parameterPlaceholder(this.ground.dialect, this.parameters.length);
  }

  /** `column = ?`, or `column IS NULL`. */
  condition(column: string, value: Bound): string {
    return value === null ? `${column} IS NULL` : `${column} = ${this.placeholder(value)}`;
  }

  statement(relation: RelationId, written: ReadonlyMap<AttributeId, Bound> = new Map()): Statement {
    return { sql: this.pieces.join(''), parameters: this.parameters, relation, written };
  }
}

export function insertStatement(
  ground: CompileGround,
  relation: RelationId,
  values: ReadonlyMap<AttributeId, Bound>,
): Statement {
  const text = new SqlText(ground);
  const entries = [...values];
  const columns = entries.map(([attribute]) => attributeSql(ground, attribute)).join(', ');
  const places = entries.map(([, value]) => text.placeholder(value)).join(', ');
  text.add(`INSERT INTO ${relationSql(ground, relation)} (${columns}) VALUES (${places})`);
  return text.statement(relation, values);
}

/** `SELECT attributes FROM relation WHERE …` on one relation. */
export function selectStatement(
  ground: CompileGround,
  relation: RelationId,
  attributes: readonly AttributeId[],
  conditions: readonly Condition[],
): Statement {
  const text = new SqlText(ground);
  const columns = attributes.length === 0 ? '1' : attributes.map((id) => attributeSql(ground, id)).join(', ');
  text.add(`SELECT ${columns} FROM ${relationSql(ground, relation)}`);
  if (conditions.length > 0)
    text.add(
      ` WHERE ${conditions.map(({ attribute, value }) => text.condition(attributeSql(ground, attribute), value)).join(' AND ')}`,
    );
  return text.statement(relation);
}

export function typeOf({ index }: CompileGround, attribute: AttributeId): DataType {
  return index.attribute(attribute)?.type ?? 'TEXT';
}

/** The statement as reports show it: its parameters in a comment behind it. */
export function shownStatement(sql: string, parameters: readonly Parameter[]): string {
  return parameters.length === 0 ? sql : `${sql} -- ${parameters.map(shownValue).join(', ')}`;
}
