import { AskemaError } from '@askema/core';
import type { DesignFinding, LogicalDesign } from '../model/index.ts';

/**
 * What code can check of a design whoever made it: the schema against Definition 1 (`schema-breach`), the certificates of its
 * decompositions, and the normal form of each relation by its dependencies. It does not repeat `design.findings`.
 */
export function checkDesign(_design: LogicalDesign): DesignFinding[] {
  throw new AskemaError('INTERNAL', 'checkDesign is not there yet.');
}
