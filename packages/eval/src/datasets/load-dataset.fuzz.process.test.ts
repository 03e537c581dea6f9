import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { isAskemaError } from '@askema/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../../scripts/testing/any-character.ts';
import { propertyRuns } from '../../../../scripts/testing/property-runs.ts';
import { DATASET_FORMATS, type DatasetFormat } from './dataset-formats.ts';
import { datasetFolder } from './fixtures/dataset-folder.ts';
import { loadDataset } from './load-dataset.ts';

/** Every file that a format reads, so that noise in each of them is met. */
const FILES: Readonly<Record<DatasetFormat, readonly string[]>> = {
  askema: ['questions.jsonl'],
  spider: ['dev.json'],
  bird: ['dev.json'],
  'spider2-lite': ['tasks.jsonl', 'gold-sql.jsonl', 'gold-results.jsonl', 'documents.jsonl'],
  'spider2-snow': [
    'spider2-snow.jsonl',
    'evaluation_suite/gold/spider2snow_eval.jsonl',
    'evaluation_suite/gold/exec_result/a.csv',
  ],
  defog: ['questions_gen_sqlite.csv'],
  jsonl: ['questions.jsonl'],
  csv: ['questions.csv'],
};

/** A folder for all cases of a test: to make one for each would take longer than to read what is in it. */
function folderOf(format: DatasetFormat) {
  const root = datasetFolder(Object.fromEntries(FILES[format].map((name) => [name, ''])));
  return {
    root,
    write: (contents: readonly (string | Uint8Array)[]) => {
      for (const [at, name] of FILES[format].entries()) writeFileSync(path.join(root, name), contents[at] ?? '');
    },
  };
}

/** Either a dataset or an error of Askema, and never a question that lacks what it must have. */
async function loads(place: string, format: DatasetFormat | undefined): Promise<void> {
  try {
    const { questions, databases } = await loadDataset(place, { format, databases: 'elsewhere' });
    for (const { id, question, databaseId, line } of questions) {
      expect([id === '', question === '', line > 0, Object.hasOwn(databases, databaseId)]).toEqual([
        false,
        false,
        true,
        true,
      ]);
    }
  } catch (error) {
    if (!isAskemaError(error)) throw error;
    expect(['DATASET_INVALID', 'INPUT_INVALID']).toContain(error.code);
  }
}

const FIELDS =
  'id db_id question gold_sql sql query SQL evidence database db db_name instance_id instruction set condition_cols ignore_order toks gold_files gold_id file csv name text external_knowledge order_matters __proto__ constructor answer features'.split(
    ' ',
  );
const anyValue = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      'a',
      'lite',
      'snow',
      'SELECT 1',
      '../x',
      '',
      0,
      true,
      null,
      [0],
      [[0], []],
      [null],
      ['a'],
    ),
  },
  fc.anything({ maxDepth: 2 }),
);
/** Rows that are nearly right. */
const row = fc.dictionary(fc.constantFrom(...FIELDS), anyValue, { noNullPrototype: true, maxKeys: 12 });

describe.each(DATASET_FORMATS)('%s', (format) => {
  it('reads bytes of any kind, or says what is wrong with them', { timeout: 60_000 }, async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc.string({ unit: anyCharacter }),
      fc.stringMatching(/^[[\]{}",;:\n\t\\a1]{0,60}$/),
    );
    const { root, write } = folderOf(format);
    await fc.assert(
      fc.asyncProperty(fc.array(bytes, { minLength: 4, maxLength: 4 }), fc.boolean(), async (contents, named) => {
        write(contents);
        await loads(root, named ? format : undefined);
      }),
      { numRuns: propertyRuns(40) },
    );
  });

  it('reads rows of any values, or says what is wrong with them', { timeout: 60_000 }, async () => {
    const { root, write } = folderOf(format);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(row, { maxLength: 5 }), { minLength: 4, maxLength: 4 }),
        fc.boolean(),
        async (contents, named) => {
          write(FILES[format].map((name, at) => written(name, contents[at] ?? [])));
          await loads(named ? root : path.join(root, FILES[format][0] ?? ''), named ? format : undefined);
        },
      ),
      { numRuns: propertyRuns(40) },
    );
  });
});

const jsonOf = (value: unknown): string => {
  try {
    return JSON.stringify(value, (_, member) => (typeof member === 'bigint' ? String(member) : member)) ?? 'null';
  } catch {
    return 'null';
  }
};

function written(name: string, rows: readonly Readonly<Record<string, unknown>>[]): string {
  if (!name.endsWith('.csv')) return rows.map(jsonOf).join('\n');
  const names = [...new Set(rows.flatMap((entry) => Object.keys(entry)))];
  return [names.join(','), ...rows.map((entry) => names.map((field) => jsonOf(entry[field])).join(','))].join('\n');
}
