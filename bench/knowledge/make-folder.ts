import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** How much stands in a folder. */
export interface Amount {
  readonly metrics: number;
  readonly queries: number;
  readonly fields: number;
}

const FIELDS_OF_DATASET = 40;

/** Writes a folder of knowledge: one model as YAML or JSON, whose datasets all join the first of them, and a file for each verified query. Returns its bytes. */
export function makeFolder(folder: string, { metrics, queries, fields }: Amount, as: 'yaml' | 'json'): number {
  let bytes = 0;
  const write = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
    bytes += Buffer.byteLength(text);
  };
  const datasets = Array.from({ length: Math.ceil(fields / FIELDS_OF_DATASET) }, (_, at) => ({
    name: `dataset_${at}`,
    source: `main.dataset_${at}`,
    primary_key: ['field_0'],
    description: `Rows of the kind ${at}, one each day.`,
    fields: Array.from({ length: Math.min(FIELDS_OF_DATASET, fields - at * FIELDS_OF_DATASET) }, (__, field) => ({
      name: `field_${field}`,
      expression: {
        dialects: [{ dialect: 'ANSI_SQL', expression: field === 6 ? 'field_2 - field_5' : `field_${field}` }],
      },
      dimension: { is_time: field === 1 },
      description: `What the business calls the field ${field} of ${at}.`,
      datatype: field === 1 ? 'Date' : 'Integer',
      ai_context: { synonyms: [`word ${field} ${at}`] },
    })),
    custom_extensions: [{ vendor_name: 'ASKEMA', data: JSON.stringify({ default_time: 'field_1' }, undefined, 2) }],
  }));
  const model = {
    version: '0.2.0.dev0',
    name: 'made',
    datasets,
    relationships: datasets.slice(1).map(({ name }) => ({
      name: `${name}_of`,
      from: name,
      to: 'dataset_0',
      from_columns: ['field_3'],
      to_columns: ['field_0'],
    })),
    metrics: Array.from({ length: metrics }, (_, at) => ({
      name: `metric_${at}`,
      expression: { dialects: [{ dialect: 'ANSI_SQL', expression: `SUM(dataset_${at % datasets.length}.field_2)` }] },
      description: `The sum ${at} that the business goes by.`,
      custom_extensions: [
        { vendor_name: 'ASKEMA', data: JSON.stringify({ unit: 'USD', owner: 'sales', empty: 'zero' }, undefined, 2) },
      ],
    })),
  };
  write('knowledge.yml', 'schema_version: 1\ndialect: sqlite\n');
  write(`models/made.ossie.${as}`, as === 'json' ? JSON.stringify(model, undefined, 2) : yaml(model, ''));
  for (let at = 0; at < queries; at += 1)
    write(
      `sql/query-${at}.md`,
      `---\nnl: How many rows of kind ${at} are there in each month of 2024?\nsql: |\n  SELECT strftime('%Y-%m', field_1), COUNT(*)\n  FROM dataset_${at}\n  WHERE field_1 LIKE '2024%'\n  GROUP BY 1\nsource: user\ntags:\n  - made\nverified_by: ann\nverified_at: "2026-01-02"\n---\n`,
    );
  return bytes;
}

/** Block YAML as people write it. */
function yaml(value: unknown, indent: string): string {
  if (Array.isArray(value)) return value.map((item) => `${indent}- ${yaml(item, `${indent}  `).trimStart()}`).join('');
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .map(([key, each]) => {
        if (typeof each === 'object') return `${indent}${key}:\n${yaml(each, `${indent}  `)}`;
        const text = String(each);
        return text.includes('\n')
          ? `${indent}${key}: |-\n${text.replaceAll(/^/gm, `${indent}  `)}\n`
          : `${indent}${key}: ${text}\n`;
      })
      .join('');
  return `${indent}${String(value)}\n`;
}
