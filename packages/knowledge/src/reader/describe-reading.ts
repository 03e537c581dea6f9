import { addDays } from '../time/days.ts';
import { fieldName, fieldTitle, metricTitle, type NamedField } from './meaning.ts';
import type { Resolved } from './resolve.ts';

/** What was understood, in one sentence without a full stop. */
export function describeReading({ choice, request }: Resolved): string {
  const { draft, metrics, groups, conditions } = choice;
  const names = metrics.map(metricTitle).join(' and ');
  const grains = (request.by ?? []).flatMap((by) => {
    const grain = typeof by === 'string' && by.startsWith('metric_time:') ? by.slice('metric_time:'.length) : undefined;
    return grain === undefined ? [] : [`${request.fiscal === true ? 'fiscal ' : ''}${grain}`];
  });
  const by = [...grains, ...groups.flatMap((field) => (field === undefined ? [] : [groupTitle(field)]))];
  const where = conditions.map((condition, at) => {
    if (condition.kind === 'filter') return condition.filter.name;
    const values = condition.values.map((value) => JSON.stringify(value)).join(' or ');
    return `${fieldTitle(condition)} is ${draft.conditions[at]?.isNot === true ? 'not ' : ''}${values}`;
  });
  const rank =
    draft.rank && `the ${draft.rank.limit} ${draft.rank.direction === 'desc' ? 'highest' : 'lowest'} of them`;
  return [
    `${names}${by.length > 0 ? ` by ${by.join(' and ')}` : ''}`,
    ...(where.length > 0 ? [`where ${where.join(' and ')}`] : []),
    ...days(draft.time?.range),
    ...(rank === undefined ? [] : [rank]),
  ].join(', ');
}

function groupTitle(field: NamedField): string {
  const { dataset, key } = field;
  return key === undefined ? fieldTitle(field) : `${fieldTitle(field)} of each ${fieldName({ dataset, field: key })}`;
}

function days(range: { from?: string | undefined; to?: string | undefined } = {}): readonly string[] {
  const { from, to } = range;
  const last = to === undefined ? undefined : addDays(to, -1);
  if (from !== undefined && last !== undefined) return [from === last ? `on ${from}` : `from ${from} to ${last}`];
  if (from !== undefined) return [`from ${from} on`];
  return last === undefined ? [] : [`until ${last}`];
}
