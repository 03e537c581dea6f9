import { validateSchema } from '@askema/core';
import { normalFormOf, verifyCertificate } from '@askema/normal-form';
import { quoted } from '../conceptual/name-lookup.ts';
import { type DesignFindingCode, reporterInto, rowsFor } from '../finding-table.ts';
import type { DesignFinding, LogicalDesign } from '../model/index.ts';
import { KEY_LIMITS } from './choose-key.ts';

const { error } = rowsFor('logical-designer');

/** What `checkDesign` can find. */
export const DESIGN_CODES = {
  'schema-breach': error('The schema breaks Definition 1 (Text2Schema, section 2.2).'),
  'certificate-invalid': error('The certificate of a decomposition proves nothing.'),
  'relation-below-3nf': error('A relation is not in third normal form by its dependencies.'),
} as const satisfies Readonly<Record<string, DesignFindingCode>>;

/**
 * What code can check of a design whoever made it: the schema against Definition 1, the certificates of its
 * decompositions, and the normal form of each relation by its dependencies. It does not repeat `design.findings`.
 * Codes: {@link DESIGN_CODES}. Never throws.
 */
export function checkDesign(design: LogicalDesign): DesignFinding[] {
  const findings: DesignFinding[] = [];
  const add = reporterInto(findings, DESIGN_CODES);
  for (const { subject, message, rule } of validateSchema(design.schema))
    add('schema-breach', subject, message, `Mend it (\`${rule}\`), so that the schema can be created.`);
  for (const decomposition of design.decompositions) {
    const { valid, problems } = verifyCertificate(decomposition);
    if (valid) continue;
    const name = decomposition.original.name;
    add(
      'certificate-invalid',
      name,
      `The certificate of ${quoted(name)} does not hold: ${problems.map(({ message }) => message).join(' ')}`,
      'Let the tools decompose it again.',
    );
  }
  const attributes = Map.groupBy(design.schema.attributes, ({ relation }) => relation);
  for (const { relation, name, dependencies } of design.relations) {
    const own = (attributes.get(relation) ?? []).map((attribute) => attribute.name);
    // Edited by hand, dependencies may name what is gone.
    const known = dependencies.filter(({ left, right }) => [...left, ...right].every((one) => own.includes(one)));
    if (own.length === 0 || new Set(own).size < own.length || own.some((one) => one === '')) continue;
    const { violations } = normalFormOf({ name, attributes: own, dependencies: known }, KEY_LIMITS);
    for (const { breaks, reason } of violations)
      if (breaks !== 'BCNF')
        add('relation-below-3nf', name, reason, 'Decompose the relation, or correct the dependency.');
  }
  return findings;
}

/** A design that came from a person: its errors are found anew, because they may be mended, or new. */
export function editedDesign(design: LogicalDesign): LogicalDesign {
  const warnings = design.findings.filter(({ severity }) => severity !== 'error');
  return { ...design, findings: [...warnings, ...checkDesign(design)] };
}
