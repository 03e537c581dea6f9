import type { Diagnosis, DiagnosisFinding } from '@askema/core';
import type { VisibleContent } from './visible-content.ts';

/** What is worth knowing of how read-only is assured, beside what the adapter says itself. */
export function standingFindings({ readOnly, findings }: Diagnosis): readonly DiagnosisFinding[] {
  // Where the adapter names the trouble, with its fix, this says nothing more.
  if (findings.some(({ severity }) => severity !== 'info')) return [];
  const fix = 'Connect as a user who may only read: the page of the adapter in docs/adapters has the grants to copy.';
  if (readOnly.by === 'nothing')
    return [{ severity: 'error', code: 'not-read-only', message: 'Nothing keeps statements from writing.', fix }];
  if (readOnly.by === 'text') {
    const message = 'Only the text of a statement is looked at: no text tells what a function does.';
    return [{ severity: 'warning', code: 'read-only-by-text', message, fix }];
  }
  return [];
}

/** What is worth knowing of what can be seen. */
export function contentFindings(content: VisibleContent, isFiltered: boolean): readonly DiagnosisFinding[] {
  const findings: DiagnosisFinding[] = [];
  if (content.relations === 0)
    findings.push({
      severity: isFiltered ? 'info' : 'warning',
      code: 'nothing-visible',
      message: isFiltered ? 'No table or view fits --include.' : 'No table and no view can be seen.',
      fix: isFiltered
        ? undefined
        : 'Check the database, schema or dataset in the address, and that who connects may use and read what is in it.',
    });
  const unread = content.unread.filter(({ affects }) => affects !== 'counts');
  if (unread.length > 0)
    findings.push({
      severity: 'warning',
      code: 'not-all-read',
      message: `${unread.length === 1 ? 'One part' : `${unread.length} parts`} of the schema could not be read, and questions about ${unread.length === 1 ? 'it' : 'them'} are answered without.`,
      fix: 'The reasons stand above; most often a right to read is missing.',
    });
  if (content.relations > 1 && content.foreignKeys === 0)
    findings.push({
      severity: 'info',
      code: 'no-foreign-keys',
      message: 'No foreign keys are declared: joins are told from names.',
      fix: 'Declare foreign keys (warehouses take them as NOT ENFORCED), or say in the documents of a question what belongs together.',
    });
  if (content.filtersRequired.length > 0)
    findings.push({
      severity: 'info',
      code: 'filter-required',
      message: `Only with a filter on the partition: ${content.filtersRequired
        .slice(0, 5)
        .map(({ relation, attributes }) => `${relation} (${attributes.join(', ')})`)
        .join('; ')}${content.filtersRequired.length > 5 ? ' and others' : ''}.`,
    });
  return findings;
}
