import { dependencyText } from '@askema/core';
import type { LogicalProposal } from '../model/index.ts';

/** A proposal: the types of each set, and what determines what. */
export function proposalText({ sets }: LogicalProposal): string {
  return sets
    .map(({ set, attributes, dependencies, preferredKey, relation = '' }) => {
      const types = attributes.map(({ name, type, constraints }) => [name, type, ...constraints].join(' '));
      return [
        `${relation === '' || relation === set ? set : `${set} as ${relation}`}(${types.join(', ')})`,
        ...dependencies.map((dependency) => `  ${dependencyText(dependency)}`),
        ...(preferredKey.length === 0 ? [] : [`  key: ${preferredKey.join(', ')}`]),
      ].join('\n');
    })
    .join('\n');
}
