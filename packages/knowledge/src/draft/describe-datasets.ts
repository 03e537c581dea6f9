import { type CallContext, isAskemaError, type Solver } from '@askema/core';
import type { Loss } from '../formats/conversion.ts';
import { sameName } from '../model/same-name.ts';
import type { AiContext, Dataset, Field, SemanticModel } from '../model/semantic-model.ts';
import { type DescribeDatasetOutput, describeDatasetTask } from './describe-dataset-task.ts';
import { plainLine } from './plain-line.ts';

/** Longer texts are cut: they go into every prompt later. */
const MAX_DESCRIPTION = 300;
const MAX_WORDS = 40;
const MAX_SYNONYMS = 3;
/** Fields of one prompt. */
const MAX_FIELDS = 200;
const MAX_TABLES = 200;

/** The model with what a language model says where nobody has said it: descriptions, labels, synonyms. */
export async function describeDatasets(
  model: SemanticModel,
  solver: Solver,
  context: CallContext,
  lost: Loss[],
): Promise<SemanticModel> {
  const tables = model.datasets.slice(0, MAX_TABLES).map(({ name }) => plainLine(name));
  const datasets: Dataset[] = [];
  for (const dataset of model.datasets) {
    try {
      const input = { tables, dataset: linesOf(dataset, model) };
      const { value } = await solver.solve(describeDatasetTask, input, context);
      datasets.push(withDescriptions(dataset, value, `model:${solver.name}`));
    } catch (thrown) {
      if (!isAskemaError(thrown) || thrown.code === 'ABORTED') throw thrown;
      datasets.push(dataset);
      lost.push({
        what: `dataset ${dataset.name}: descriptions of the model`,
        place: dataset.standing.place,
        reason: plainLine(thrown.message).replace(/\.$/, ''),
      });
    }
  }
  return { ...model, datasets };
}

function linesOf(dataset: Dataset, model: SemanticModel): string {
  const joins = model.relationships.filter(({ from }) => from === dataset.name);
  const lines = [
    `table ${dataset.name}${dataset.description === undefined ? '' : ` -- ${dataset.description}`}`,
    ...dataset.fields.slice(0, MAX_FIELDS).map((field) => {
      const values = field.values.map(({ value, meaning }) =>
        meaning === undefined ? value : `${value} = ${meaning}`,
      );
      return [
        `${/^\w+$/.test(field.name) ? field.name : JSON.stringify(field.name)} ${field.type ?? ''}`.trimEnd(),
        ...(dataset.primaryKey.includes(field.name) ? ['key'] : []),
        ...(values.length === 0 ? [] : [`values ${values.join(' | ')}`]),
        ...(field.description === undefined ? [] : [`-- ${field.description}`]),
      ].join(', ');
    }),
    ...joins.map(({ fromColumns, to }) => `${fromColumns.join(', ')} points to ${to}`),
  ];
  return lines.map((line) => plainLine(line)).join('\n');
}

function withDescriptions(dataset: Dataset, said: DescribeDatasetOutput, source: string): Dataset {
  const fields = dataset.fields.map((field): Field => {
    const own = said.fields.find((one) => sameName(one.name, plainLine(field.name)));
    if (own === undefined) return field;
    const label = cut(own.label, MAX_WORDS);
    return {
      ...field,
      ...(label !== '' && !sameName(label, field.name) && { label }),
      ...descriptionOf(field, own.description),
      ...synonymsOf(field, own.synonyms),
    };
  });
  const changed = { ...descriptionOf(dataset, said.description), ...synonymsOf(dataset, said.synonyms) };
  return { ...dataset, ...changed, fields, standing: { ...dataset.standing, source } };
}

/** What the database says itself stays. */
function descriptionOf(one: Dataset | Field, said: string): { readonly description?: string } {
  const text = cut(said, MAX_DESCRIPTION);
  return one.description !== undefined || text === '' ? {} : { description: text };
}

function synonymsOf(one: Dataset | Field, said: readonly string[]): { readonly ai?: AiContext } {
  const words = said.map((word) => cut(word, MAX_WORDS)).filter((word) => word !== '');
  const others = words.filter((word) => !sameName(word, one.name));
  const synonyms = [...new Set(others)].slice(0, MAX_SYNONYMS);
  return synonyms.length === 0 ? {} : { ai: { synonyms, examples: [] } };
}

function cut(text: string, length: number): string {
  return Array.from(plainLine(text)).slice(0, length).join('');
}
