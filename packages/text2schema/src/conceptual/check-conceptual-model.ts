import { AskemaError } from '@askema/core';
import type { ConceptualModel, DesignFinding, RequirementReport } from '../model/index.ts';

/** What code can check of a conceptual model: the reviewer's rules (SchemaAgent, Listing 3), in a stable order. */
export function checkConceptualModel(_model: ConceptualModel, _report?: RequirementReport): DesignFinding[] {
  throw new AskemaError('INTERNAL', 'checkConceptualModel is not there yet.');
}
