import { reporterInto } from '../finding-table.ts';
import type { ConceptualModel, DesignFinding, RequirementReport } from '../model/index.ts';
import { checkConnections } from './check-connections.ts';
import { checkCoverage } from './check-coverage.ts';
import { checkKeyAttributes } from './check-key-attributes.ts';
import { checkNames } from './check-names.ts';
import { checkParticipants } from './check-participants.ts';
import { CONCEPTUAL_CODES } from './conceptual-codes.ts';

/**
 * What code can check of a conceptual model (SchemaAgent, section 4.1 and Listing 3), in a stable order: names,
 * participants, keys that stand as attributes, sets that nothing connects and, with a report, what the model lost of
 * it. Every finding is the conceptual designer's to mend; {@link CONCEPTUAL_CODES} lists the codes. Never throws.
 */
export function checkConceptualModel(model: ConceptualModel, report?: RequirementReport): DesignFinding[] {
  const findings: DesignFinding[] = [];
  const add = reporterInto(findings, CONCEPTUAL_CODES);
  checkNames(model, add);
  checkParticipants(model, add);
  checkKeyAttributes(model, add);
  checkConnections(model, report, add);
  if (report !== undefined) checkCoverage(model, report, add);
  return findings;
}
