import { entryKey } from '../model/entries.ts';
import type { KnowledgeProblem } from '../model/knowledge.ts';
import type { KnowledgeCheck } from './knowledge-check.ts';

/**
 * The check as JUnit XML, as CI services read it: a test case for each entry, a failure for each that failed. What is
 * wrong with a whole file is a case of its own. Names and messages may hold any character.
 */
export function checkToJunit(check: KnowledgeCheck): string {
  const byEntry = Map.groupBy(check.findings, ({ entry, place }) => entryKey(entry, place));
  const cases = check.entries.map(({ id, place, state }) =>
    caseOf(place.file, id, byEntry.get(entryKey(id, place)) ?? [], state === 'failed'),
  );
  const files = check.findings.filter(({ entry }) => entry === undefined);
  cases.push(
    ...files.map((finding) => caseOf(finding.place.file, finding.code, [finding], finding.severity === 'error')),
  );
  const skipped = check.skipped.map(
    ({ what, reason }) =>
      `    <testcase classname="skipped" name="${escaped(what)}"><skipped message="${escaped(reason)}"/></testcase>`,
  );
  const failures = check.entries.filter(({ state }) => state === 'failed').length;
  const failedFiles = files.filter(({ severity }) => severity === 'error').length;
  const counts = `tests="${cases.length + skipped.length}" failures="${failures + failedFiles}" skipped="${skipped.length}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="knowledge" ${counts}>`,
    ...cases,
    ...skipped,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function caseOf(file: string, name: string, findings: readonly KnowledgeProblem[], hasFailed: boolean): string {
  const open = `    <testcase classname="${escaped(file)}" name="${escaped(name)}"`;
  if (findings.length === 0) return `${open}/>`;
  const texts = findings.map(({ code, message, advice, place: { line } }) => {
    const at = line === undefined ? '' : `line ${line}: `;
    return `${code}: ${at}${message}${advice === undefined ? '' : ` ${advice}`}`;
  });
  const first = findings.find(({ severity }) => severity === 'error') ?? findings[0];
  const body = hasFailed
    ? `<failure type="${escaped(first?.code ?? '')}" message="${escaped(first?.message ?? '')}">${escaped(texts.join('\n'))}</failure>`
    : `<system-out>${escaped(texts.join('\n'))}</system-out>`;
  return `${open}>${body}</testcase>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};
/** What XML 1.0 cannot hold, not even escaped (section 2.2), and lone surrogates. */
const NOT_IN_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

function escaped(text: string): string {
  return text
    .replace(NOT_IN_XML, (found) => `\\u${(found.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)
    .replace(/[&<>"\n\r\t]/g, (found) => ENTITIES[found] ?? '');
}
