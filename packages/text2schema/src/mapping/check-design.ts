import { normalFormOf, validateSchema, verifyCertificate } from '@askema/core';
import { quoted } from '../conceptual/name-lookup.ts';
import type { DesignFinding, LogicalDesign } from '../model/index.ts';

/** What `checkDesign` can find. */
export const DESIGN_CODES = {
  'schema-breach': { severity: 'error', meaning: 'The schema breaks Definition 1 (Text2Schema, section 2.2).' },
  'certificate-invalid': { severity: 'error', meaning: 'The certificate of a decomposition proves nothing.' },
  'relation-below-3nf': { severity: 'error', meaning: 'A relation is not in third normal form by its dependencies.' },
} as const;

/**
 * What code can check of a design whoever made it: the schema against Definition 1, the certificates of its decompositions, and the normal
 * form of each relation by its dependencies. It does not repeat `design.findings`. Codes: {@link DESIGN_CODES}. Never throws.
 */
export function checkDesign(design: LogicalDesign): DesignFinding[] {
  const findings: DesignFinding[] = [];
  const add = (code: keyof typeof DESIGN_CODES, subject: string, message: string, remedy: string): void => {
    findings.push({ code, severity: DESIGN_CODES[code].severity, subject, message, remedy, role: 'logical-designer' });
  };
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
  const attributes = new Map<string, string[]>();
  for (const { relation, name } of design.schema.attributes)
    attributes.set(relation, [...(attributes.get(relation) ?? []), name]);
  for (const { relation, name, dependencies } of design.relations) {
    const own = attributes.get(relation) ?? [];
    // Edited by hand, dependencies may name what is gone.
    const known = dependencies.filter(({ left, right }) => [...left, ...right].every((one) => own.includes(one)));
    if (own.length === 0 || new Set(own).size < own.length || own.some((one) => one === '')) continue;
    const { violations } = normalFormOf({ name, attributes: own, dependencies: known }, { maxSteps: 5_000 });
    for (const { breaks, reason } of violations)
      if (breaks !== 'BCNF')
        add('relation-below-3nf', name, reason, 'Decompose the relation, or correct the dependency.');
  }
  return findings;
}
