import { didYouMean, type Value } from '@askema/core';
import type { BoundDataset, BoundField } from '../bind/bound-knowledge.ts';
import type { Subject } from '../bind/problem-list.ts';
import { attempt, type CheckHost, reportFailure } from './check-host.ts';
import { expressionText, fromClause } from './from-clause.ts';
import { shownCell } from './shown-cell.ts';

/** Distinct cells of a field with listed values; one with more is no list. */
const MAX_CELLS = 1_000;
/** Cells without a meaning that a message names. */
const MAX_SHOWN = 5;

/** Holds the values that a field is said to have against its cells. */
export async function checkValues(host: CheckHost): Promise<void> {
  for (const dataset of host.bound.datasets.values())
    for (const field of dataset.fields.values())
      if (field.field.values.length > 0 && host.isWanted(dataset.dataset.standing))
        await checkField(host, dataset, field);
}

async function checkField(host: CheckHost, dataset: BoundDataset, { field, expression }: BoundField): Promise<void> {
  const { name, standing } = dataset.dataset;
  const subject: Subject = { kind: 'field', name: `${name}.${field.name}`, standing };
  const what = `The values of \`${subject.name}\``;
  // That it cannot be written was told already.
  const text = attempt(
    () => expressionText(expression, 't', host.bound),
    () => undefined,
  );
  if (text === undefined) return;
  const sql = `SELECT DISTINCT ${text} AS c0 FROM ${fromClause(dataset, 't')} WHERE ${text} IS NOT NULL`;
  const ran = await host.run(what, sql, MAX_CELLS + 1);
  reportFailure(host, subject, what, 'field-fails', ran);
  if (ran.kind !== 'rows') return;
  const isBoolean = field.values.some(({ value }) => typeof value === 'boolean');
  const cells = new Map(ran.result.rows.map(([cell = null]) => [comparedText(cell, isBoolean), cell]));
  const isWhole = ran.result.truncated === undefined && cells.size <= MAX_CELLS;
  if (!isWhole) {
    host.skip(what, `It has more than ${MAX_CELLS} different cells.`);
    return;
  }
  // An empty table contradicts nothing.
  if (cells.size === 0) return;
  const listed = new Map(field.values.map(({ value }) => [comparedText(value, isBoolean), value]));
  for (const [key, value] of listed)
    if (!cells.has(key))
      host.report(subject, {
        severity: 'warning',
        code: 'value-missing',
        message: `No cell of \`${subject.name}\` is ${shownCell(value)}.`,
        advice: didYouMean(key, cells.keys()) || 'Leave the value out if it can no longer occur.',
      });
  const unknown = [...cells].filter(([key]) => !listed.has(key)).map(([, cell]) => shownCell(cell));
  if (unknown.length > 0)
    host.report(subject, {
      severity: 'note',
      code: 'value-without-meaning',
      message: `${unknown.length} of ${cells.size} different cells of \`${subject.name}\` are not among its values: ${unknown.slice(0, MAX_SHOWN).join(', ')}${unknown.length > MAX_SHOWN ? ', …' : ''}.`,
      advice: 'Say what they mean.',
    });
}

/** As engines give numbers and truth values in different forms: 1, 1n, "1", true. */
function comparedText(value: Value, isBoolean: boolean): string {
  if (isBoolean && (typeof value === 'boolean' || /^(0|1|t|f|true|false)$/i.test(String(value))))
    return /^(1|t|true)$/i.test(String(value)) ? 'true' : 'false';
  return String(value);
}
