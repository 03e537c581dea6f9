import type { RelationId } from '@askema/core';
import type { ColumnName, Expression } from '../expression/expression.ts';
import { columnsIn, walkExpression } from '../expression/walk-expression.ts';
import { addEvidence, type Evidence, evidenceOf, noEvidence } from './evidence.ts';
import { type NameOf, textOfExpression } from './expression-text.ts';
import type { StatementFacts } from './read-statement.ts';
import type { UsedColumn } from './statement-reader.ts';

export interface GatheredJoin {
  readonly relations: readonly [RelationId, RelationId];
  readonly columns: readonly (readonly [UsedColumn, UsedColumn])[];
  readonly evidence: Evidence;
}

/** A condition with what it says, wherever it was used. */
export interface GatheredCondition {
  readonly text: string;
  readonly relation: RelationId;
  /** Its columns, as definitions name them. */
  readonly columns: readonly string[];
  /** Texts and numbers in it that may be personal. */
  readonly values: readonly string[];
  readonly expression: Expression;
  readonly evidence: Evidence;
  /** Where its relation is what the statement is about. */
  readonly ofBase: Evidence;
}

/** The same aggregate under the same conditions and name. */
export interface AggregateUse {
  readonly conditions: readonly string[];
  readonly alias: string | undefined;
  readonly evidence: Evidence;
  /** Runs under conditions whose values are not known. */
  unknown: number;
}

export interface GatheredAggregate {
  readonly text: string;
  readonly relation: RelationId;
  readonly expression: Expression;
  readonly uses: Map<string, AggregateUse>;
}

/** What all statements taught, added up. */
export class GatheredFacts {
  readonly joins = new Map<string, GatheredJoin>();
  readonly aggregates = new Map<string, GatheredAggregate>();
  /** By their text. */
  readonly conditions = new Map<string, GatheredCondition>();
  /** Statements that are about a relation, and that read it. */
  readonly about = new Map<RelationId, Evidence>();
  readonly reads = new Map<RelationId, Evidence>();
  /** Other names of columns, by relation and column. */
  readonly names = new Map<
    string,
    { readonly column: ColumnName; readonly relation: RelationId; readonly aliases: Map<string, Evidence> }
  >();
  /** Aggregates that definitions have no words for. */
  readonly unsaid = new Map<string, Evidence>();
  readonly #nameOf: NameOf;

  constructor(nameOf: NameOf) {
    this.#nameOf = nameOf;
  }

  add(facts: StatementFacts, evidence: Evidence): void {
    this.#addJoins(facts, evidence);
    this.#addRelations(facts, evidence);
    for (const { relation, expression, conditions, alias, hasUnknown } of facts.aggregates) {
      const text = textOfExpression(expression, this.#nameOf);
      const key = `${relation}\n${text}`;
      const known = this.aggregates.get(key) ?? { text, relation, expression, uses: new Map<string, AggregateUse>() };
      this.aggregates.set(key, known);
      const texts = conditions.map((one) => textOfExpression(one, this.#nameOf)).sort();
      const useKey = JSON.stringify([texts, alias]);
      const use = known.uses.get(useKey) ?? { conditions: texts, alias, evidence: noEvidence(), unknown: 0 };
      known.uses.set(useKey, use);
      addEvidence(use.evidence, evidence);
      if (hasUnknown) use.unknown += evidence.count;
      // Those inside of an aggregate stand in no WHERE.
      for (const condition of conditions) this.#condition(condition, relation);
    }
    for (const text of new Set(facts.unsaid)) addEvidence(evidenceOf(this.unsaid, text), evidence);
    for (const { column, relation, alias } of facts.names) {
      const key = this.#nameOf(column);
      const known = this.names.get(key) ?? { column, relation, aliases: new Map<string, Evidence>() };
      this.names.set(key, known);
      addEvidence(evidenceOf(known.aliases, alias), evidence);
    }
  }

  #addJoins({ joins }: StatementFacts, evidence: Evidence): void {
    const seen = new Set<string>();
    for (const { relations, pairs } of joins) {
      const [a, b] = relations;
      const texts = pairs.map(([left, right]) => [this.#nameOf(left), this.#nameOf(right)] as const);
      const isTurned = texts.map(([left]) => left).join() > texts.map(([, right]) => right).join();
      const turned = pairs.map(([left, right]) => (isTurned ? ([right, left] as const) : ([left, right] as const)));
      const columns = [...new Map(turned.map((pair) => [pair.map(this.#nameOf).join(' = '), pair])).entries()].sort(
        ([one], [other]) => (one < other ? -1 : 1),
      );
      const key = columns.map(([text]) => text).join(' AND ');
      if (seen.has(key)) continue;
      seen.add(key);
      const known = this.joins.get(key) ?? {
        relations: isTurned ? ([b, a] as const) : relations,
        columns: columns.map(([, pair]) => pair),
        evidence: noEvidence(),
      };
      this.joins.set(key, known);
      addEvidence(known.evidence, evidence);
    }
  }

  #addRelations({ relations, aggregates }: StatementFacts, evidence: Evidence): void {
    const read = new Set(relations.map(({ relation }) => relation));
    const about = new Set(relations.flatMap(({ relation, isBase }) => (isBase ? [relation] : [])));
    for (const relation of read) addEvidence(evidenceOf(this.reads, relation), evidence);
    for (const relation of about) addEvidence(evidenceOf(this.about, relation), evidence);
    const seen = new Map<GatheredCondition, boolean>();
    const inside = aggregates.map((one) => ({ ...one, isBase: true }));
    for (const { relation, isBase, conditions } of [...relations, ...inside])
      for (const condition of conditions) {
        const found = this.#condition(condition, relation);
        if (found !== undefined && found.relation === relation) seen.set(found, (seen.get(found) ?? false) || isBase);
      }
    for (const [found, isBase] of seen) {
      addEvidence(found.evidence, evidence);
      if (isBase) addEvidence(found.ofBase, evidence);
    }
  }

  #condition(expression: Expression, relation: RelationId): GatheredCondition | undefined {
    const text = textOfExpression(expression, this.#nameOf);
    const known = this.conditions.get(text);
    if (known !== undefined) return known;
    const columns = [...new Set(columnsIn(expression).map(this.#nameOf))];
    if (columns.length === 0) return undefined;
    const values = valuesIn(expression);
    const made = { text, relation, columns, values, expression, evidence: noEvidence(), ofBase: noEvidence() };
    this.conditions.set(text, made);
    return made;
  }
}

/** Texts and numbers in a condition that may be personal. */
function valuesIn(condition: Expression): readonly string[] {
  const values: string[] = [];
  walkExpression(condition, (part) => {
    if (part.kind === 'literal' && (isText(part) || (part.type === 'number' && !/^[01]$/.test(part.value))))
      values.push(part.value);
  });
  return values;
}

/** The same of what is computed: numbers that nothing is compared with are no values of rows. */
export function computesWithValue(expression: Expression): boolean {
  let found = false;
  walkExpression(expression, (part) => {
    if (part.kind === 'call' && part.filter !== undefined) found ||= hasValue(part.filter);
    if (part.kind === 'case') {
      const { operand, branches } = part;
      found ||= branches.some(({ when }) => hasValue(when)) || (operand !== undefined && hasValue(operand));
    }
    found ||= isText(part);
  });
  return found;
}

function hasValue(condition: Expression): boolean {
  return valuesIn(condition).length > 0;
}

function isText(part: Expression): boolean {
  return part.kind === 'literal' && part.type !== 'number' && part.type !== 'boolean' && part.type !== 'null';
}
