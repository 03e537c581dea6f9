import type { DomainConstraint, Schema } from '@askema/core';
import { nearestNames } from '@askema/core';
import { foldedName, hint, quoted } from '../conceptual/name-lookup.ts';
import { type DesignFindingCode, reporterInto, rowsFor } from '../finding-table.ts';
import type { DesignFinding, LogicalDesign, NamedSchema, RelationRules } from '../model/index.ts';
import { checkDesign } from './check-design.ts';
import { designOfNamed } from './named-schema.ts';

const { error } = rowsFor('logical-designer');

/** What `designOfDraft` can find beside what stands in every schema with names. */
export const DRAFT_CODES = {
  'rule-attribute-unknown': error('`unique`, `required` or a dependency names what is no attribute; it was left out.'),
} as const satisfies Readonly<Record<string, DesignFindingCode>>;

/**
 * The design of a schema with names and the rules of its relations, which stand in the same order: unique and required
 * attributes come into D, and each relation is checked against third normal form by its key and the dependencies that
 * were named.
 */
export function designOfDraft(named: NamedSchema, rules: readonly RelationRules[]): LogicalDesign {
  const findings: DesignFinding[] = [];
  const add = reporterInto(findings, DRAFT_CODES);
  const known = new Map(
    named.relations.map(({ name, attributes }, at) => [
      foldedName(name),
      { names: attributes.map((one) => one.name), rules: rules[at] },
    ]),
  );
  const find = (relation: string, name: string): string | undefined => {
    const names = known.get(foldedName(relation))?.names ?? [];
    const found = names.find((one) => foldedName(one) === foldedName(name));
    if (found === undefined)
      add(
        'rule-attribute-unknown',
        relation,
        `A rule of ${quoted(relation)} names ${quoted(name)}, which is no attribute of it.${hint(nearestNames(name, names))}`,
        'Name an attribute of the relation, or leave the rule out.',
      );
    return found;
  };
  const all = (relation: string, names: readonly string[]) =>
    names.map((name) => find(relation, name)).filter((name) => name !== undefined);
  const design = designOfNamed(named, (relation) =>
    (known.get(foldedName(relation))?.rules?.dependencies ?? [])
      .map(({ left, right }) => ({ left: all(relation, left), right: all(relation, right) }))
      .filter(({ left, right }) => left.length > 0 && right.length > 0),
  );
  const constraints: DomainConstraint[] = design.schema.relations.flatMap(({ id, name }) => {
    const own = known.get(foldedName(name))?.rules;
    const idOf = (attribute: string) =>
      design.schema.attributes.find((one) => one.relation === id && one.name === attribute)?.id ?? '';
    return [
      ...all(name, own?.unique ?? []).map((one) => ({ attribute: idOf(one), constraint: 'unique' as const })),
      ...all(name, own?.required ?? []).map((one) => ({ attribute: idOf(one), constraint: 'not null' as const })),
    ];
  });
  const schema = withConstraints(design.schema, constraints);
  const whole = { ...design, schema, findings: [...design.findings, ...findings] };
  return { ...whole, findings: [...whole.findings, ...checkDesign(whole)] };
}

function withConstraints(schema: Schema, more: readonly DomainConstraint[]): Schema {
  const byText = new Map(
    [...schema.domainConstraints, ...more].map((one) => [`${one.attribute}\n${one.constraint}`, one]),
  );
  return { ...schema, domainConstraints: [...byText.values()] };
}
