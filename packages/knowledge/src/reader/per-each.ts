import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { reachesOne } from '../compile/join-graph.ts';
import { metricTitle, type NamedField } from './meaning.ts';
import type { Choice } from './resolve.ts';

/** "per customer": each customer, or a mean over them. */
function things({ draft, groups }: Choice): readonly NamedField[] {
  return groups.flatMap((field, at) => {
    const slot = draft.groups[at];
    return slot?.kind === 'field' && slot.isPer && field?.isThing === true ? [field] : [];
  });
}

/**
 * That "per" asks for a mean: "revenue per order", where orders are what is added up; "revenue per customer by country",
 * where the country is that of the customer.
 */
export function perProblem(choice: Choice, bound: BoundKnowledge): string | undefined {
  const { draft, groups, metrics, measures } = choice;
  for (const { dataset, field } of things(choice)) {
    const isOwn = measures.some((measure) => measure.dataset === dataset);
    const isOver = groups.some((other, at) => {
      const slot = draft.groups[at];
      const isPlain = slot?.kind === 'field' && !slot.isPer;
      return isPlain && other !== undefined && reachesOne(dataset, other.dataset, bound);
    });
    if (isOwn || isOver)
      return `${metrics.map(metricTitle).join(' and ')} per ${field.field.name} can be meant as a mean, which no definition computes; say "for each".`;
  }
  return undefined;
}

export function perAssumptions(choice: Choice): readonly string[] {
  return things(choice).map(({ field }) => `It is shown for each ${field.field.name}, not divided by their number.`);
}
