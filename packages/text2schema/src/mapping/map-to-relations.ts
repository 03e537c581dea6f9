import { AskemaError } from '@askema/core';
import type { ConceptualModel, LogicalDesign, LogicalProposal } from '../model/index.ts';

export interface MappingOptions {
  /** Puts the constraints of the proposal into D beside those of the primary keys. Default: false. */
  readonly explicitConstraints?: boolean | undefined;
}

/** Makes relations in third normal form of a conceptual model and a proposal. Never throws; what is wrong stands in `findings`. */
export function mapToRelations(
  _model: ConceptualModel,
  _proposal: LogicalProposal,
  _options: MappingOptions = {},
): LogicalDesign {
  throw new AskemaError('INTERNAL', 'mapToRelations is not there yet.');
}
