import type { BoundDataset, BoundKnowledge } from '../bind/bound-knowledge.ts';
import { bindCondition } from '../compile/bind-names.ts';
import type { Expression } from '../expression/expression.ts';

/** The default filter of a dataset; none where it has none, or one that cannot be used. */
export function alwaysHolds({ dataset }: BoundDataset, bound: BoundKnowledge): readonly Expression[] {
  const { name, defaultFilter } = dataset;
  if (defaultFilter === undefined) return [];
  try {
    return [
      bindCondition(defaultFilter, { bound, home: name, where: `The default filter of \`${name}\``, columns: true }),
    ];
  } catch {
    return [];
  }
}
