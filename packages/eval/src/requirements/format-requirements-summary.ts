import { textTable } from '../report/text/document.ts';
import type { Remark } from '../schemas/design-summary.ts';
import type { RequirementsSummary } from './build-requirements.ts';

/** Beyond this, remarks are only counted. */
const LISTED = 10;

/** Where a data set of requirements stands, for a terminal, without colours. */
export function formatRequirementsSummary(summary: RequirementsSummary): string {
  const { name, samples, states, agreed, waiting, calls, failures, problems } = summary;
  const over = states.accepted + states.deleted;
  return [
    `${name}: ${samples} ${samples === 1 ? 'sample' : 'samples'}`,
    ...textTable(['state', 'samples'], [Object.entries(states).map(([state, number]) => [state, String(number)])]),
    ...(over === 0 ? [] : [`Annotator and expert agreed on ${agreed} of ${over}.`]),
    `${calls} model calls, ${summary.inputTokens.toLocaleString('en')} tokens in, ${summary.outputTokens.toLocaleString('en')} out`,
    ...(waiting === 0
      ? []
      : [`${waiting} reviews wait: set \`verdict\` in reviews.jsonl to accept or revise, and start again.`]),
    ...listedRemarks('Failed, to be tried again at the next start', failures),
    ...listedRemarks('Cannot be used', problems),
  ].join('\n');
}

/** Remarks for a terminal, the first ten of them; nothing where there are none. */
export function listedRemarks(title: string, remarks: readonly Remark[]): readonly string[] {
  if (remarks.length === 0) return [];
  return [
    `${title}: ${remarks.length}`,
    ...remarks.slice(0, LISTED).map(({ id, message }) => `  ${id}${id === '' ? '' : ': '}${message}`),
    ...(remarks.length > LISTED ? [`  and ${remarks.length - LISTED} more`] : []),
  ];
}
