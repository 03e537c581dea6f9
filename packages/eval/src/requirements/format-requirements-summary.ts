import { textTable } from '../report/text/document.ts';
import type { RequirementsSummary } from './build-requirements.ts';

/** Beyond this, remarks are only counted. */
const LISTED = 10;

/** Where a data set of requirements stands, for a terminal, without colours. */
export function formatRequirementsSummary(summary: RequirementsSummary): string {
  const { name, samples, states, agreed, waiting, calls, failures, problems } = summary;
  const over = states.accepted + states.deleted;
  const listed = (title: string, remarks: RequirementsSummary['failures']): readonly string[] =>
    remarks.length === 0
      ? []
      : [
          `${title}: ${remarks.length}`,
          ...remarks.slice(0, LISTED).map(({ id, message }) => `  ${id}${id === '' ? '' : ': '}${message}`),
          ...(remarks.length > LISTED ? [`  and ${remarks.length - LISTED} more`] : []),
        ];
  return [
    `${name}: ${samples} ${samples === 1 ? 'sample' : 'samples'}`,
    ...textTable(['state', 'samples'], [Object.entries(states).map(([state, number]) => [state, String(number)])]),
    ...(over === 0 ? [] : [`Annotator and expert agreed on ${agreed} of ${over}.`]),
    `${calls} model calls, ${summary.inputTokens.toLocaleString('en')} tokens in, ${summary.outputTokens.toLocaleString('en')} out`,
    ...(waiting === 0
      ? []
      : [`${waiting} reviews wait: set \`verdict\` in reviews.jsonl to accept or revise, and start again.`]),
    ...listed('Failed, to be tried again at the next start', failures),
    ...listed('Cannot be used', problems),
  ].join('\n');
}
