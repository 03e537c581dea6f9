import type { CallContext } from '@askema/core';

/** https://cloud.google.com/bigquery/docs/labels-intro#requirements */
const MAX_LABELS = 64;
const MAX_CHARACTERS = 63;

/**
 * The labels of a job: `askema-run` (the run's id), `askema-tenant`, those of the options, and the call's tags. Keys and values become what
 * BigQuery takes: lower case, digits, dashes and underscores, 63 characters; what would be empty then is left out. Tags win over the options.
 */
export function jobLabels(
  own: Readonly<Record<string, string>>,
  { runId, tags, tenant }: CallContext,
): Readonly<Record<string, string>> {
  const wanted = { ...own, ...tags, ...(tenant === undefined ? {} : { 'askema-tenant': tenant }), 'askema-run': runId };
  const labels = new Map<string, string>();
  for (const [key, value] of Object.entries(wanted).reverse()) {
    const name = labelText(key).replace(/^[^\p{Ll}\p{Lo}]{1,63}/u, '');
    if (name !== '' && !labels.has(name) && labels.size < MAX_LABELS) labels.set(name, labelText(String(value)));
  }
  return Object.fromEntries(labels);
}

function labelText(text: string): string {
  const allowed = text
    .slice(0, 1_000)
    .toLowerCase()
    .replace(/[^\p{Ll}\p{Lo}\p{N}_-]/gu, '_');
  return [...allowed].slice(0, MAX_CHARACTERS).join('');
}
