import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import type { MetricRequest } from './metric-request.ts';
import type { RequestPlan } from './plan-request.ts';
import type { Branch } from './plan-scans.ts';

/** What somebody who reads the numbers should know, each one sentence. */
export function notesOn(
  { fillGaps, fiscal }: MetricRequest,
  { dimensions }: RequestPlan,
  branches: readonly Branch[],
  { knowledge }: BoundKnowledge,
  groupsOverlap: boolean,
): readonly string[] {
  const notes = new Set<string>();
  if (groupsOverlap) notes.add('A row counts once in each group that it belongs to: groups overlap and do not add up.');
  for (const { scan } of branches) {
    const { name, defaultFilter } = scan.dataset.dataset;
    if (defaultFilter !== undefined) notes.add(`Of \`${name}\`, only rows with ${defaultFilter} count.`);
    const { lasting, metric } = scan;
    if (lasting !== undefined)
      notes.add(`\`${metric}\` takes the ${lasting.choice} value of each group and does not add up over time.`);
  }
  const grains = new Set(dimensions.flatMap(({ grain }) => (grain === undefined ? [] : [grain])));
  if (fillGaps !== true) for (const grain of grains) notes.add(`A ${grain} without data may have no row.`);
  if (fiscal === true && (grains.has('quarter') || grains.has('year')))
    notes.add(`Fiscal years begin in month ${knowledge.settings.fiscalYearStart ?? 1}.`);
  return [...notes];
}
