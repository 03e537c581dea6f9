import type { Catalog, Diagnosis } from '@askema/core';
import type { Restriction } from './restriction.ts';
import { beforeEngineWords, mentions } from './shown-catalog.ts';

/** A diagnosis without the words of the engine, hidden names and what counts hidden rows; it says how much is kept back. */
export function shownDiagnosis(diagnosis: Diagnosis, restriction: Restriction): Diagnosis {
  const schemas = schemasOf(restriction);
  const isSecret = mentions(restriction.secretNames);
  const namesHiddenSchema = (text: string): boolean =>
    (text.match(/[\p{L}\p{N}_$]+/gu) ?? []).some((word) => schemas.whole.has(word) && !schemas.shown.has(word));
  return {
    ...diagnosis,
    // It grows with what is hidden.
    place: Object.fromEntries(Object.entries(diagnosis.place ?? {}).filter(([key]) => key !== 'size')),
    findings: [
      ...diagnosis.findings
        .filter((finding) => !isSecret(JSON.stringify(finding)))
        // They count what is hidden as well.
        .filter(({ message }) => !/\d+ (?:\w+ ){0,2}(?:rows?|keys?|tables?)\b/.test(message))
        .map(({ fix, ...finding }) => (fix === undefined || namesHiddenSchema(fix) ? finding : { ...finding, fix }))
        .map((finding) => ({ ...finding, message: beforeEngineWords(finding.message) })),
      { severity: 'info', code: 'kept-back', message: describe(restriction) },
    ],
  };
}

function schemasOf({ whole, catalog }: Restriction) {
  const of = ({ relations }: Catalog): ReadonlySet<string | undefined> =>
    new Set(Object.values(relations).map(({ nameParts }) => nameParts.schema));
  return { whole: of(whole), shown: of(catalog) };
}

function describe({ hiddenRelations, hidden, masked, opaque, whole }: Restriction): string {
  const columns = whole.schema.attributes.filter(
    ({ id, relation }) => hidden.has(id) && !hiddenRelations.has(relation),
  );
  const maskedCount = [...masked].filter((id) => !hidden.has(id)).length;
  const views =
    opaque.size === 0
      ? ''
      : ` Of the hidden ones ${opaque.size} are views whose definition the database does not tell.`;
  return `Kept back by \`hide\` and \`mask\`: ${hiddenRelations.size} relations and ${columns.length} further columns are hidden, ${maskedCount} columns are masked.${views}`;
}
