import type { BoundDataset, BoundField } from '../bind/bound-knowledge.ts';
import type { Subject } from '../bind/problem-list.ts';
import { attempt, type CheckHost, type Ran, reportFailure } from './check-host.ts';
import { expressionText, fromClause } from './from-clause.ts';

interface WrittenField {
  readonly field: BoundField;
  readonly subject: Subject;
  readonly text: string;
}

/** Reads a row of each dataset with all of its fields; where that fails, one field after the other. */
export async function checkDatasets(host: CheckHost): Promise<void> {
  for (const dataset of host.bound.datasets.values()) {
    const { name, standing } = dataset.dataset;
    if (!host.isWanted(standing)) continue;
    const subject: Subject = { kind: 'dataset', name, standing };
    const what = `The source of \`${name}\``;
    const fields = writtenFields(host, dataset);
    const all = await read(host, what, dataset, ['1', ...fields.map(({ text }) => text)]);
    if (all.kind !== 'failed') continue;
    const alone = await read(host, what, dataset, ['1']);
    reportFailure(host, subject, what, 'source-fails', alone);
    if (alone.kind !== 'rows') continue;
    for (const { field, subject: ofField, text } of fields) {
      if (field.expression.kind === 'column' && dataset.relation !== undefined) continue;
      const label = `Field \`${ofField.name}\``;
      reportFailure(host, ofField, label, 'field-fails', await read(host, label, dataset, [text]));
    }
  }
}

function read(host: CheckHost, what: string, dataset: BoundDataset, items: readonly string[]): Promise<Ran> {
  const list = items.map((item, at) => `${item} AS c${at}`).join(', ');
  return host.run(what, `SELECT ${list} FROM ${fromClause(dataset, 't')}`);
}

/** Fields that the engine can be asked for; of the others the reason is told. */
function writtenFields(host: CheckHost, dataset: BoundDataset): readonly WrittenField[] {
  return [...dataset.fields.values()].flatMap((field) => {
    const { name, standing } = dataset.dataset;
    const subject: Subject = { kind: 'field', name: `${name}.${field.field.name}`, standing };
    const text = attempt(
      () => expressionText(field.expression, 't', host.bound),
      (message) =>
        host.report(subject, { code: 'not-on-this-engine', message: `Field \`${subject.name}\`: ${message}` }),
    );
    return text === undefined ? [] : [{ field, subject, text }];
  });
}
