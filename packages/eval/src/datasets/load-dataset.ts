import path from 'node:path';
import type { Dataset } from './dataset.ts';
import type { DatasetFormat } from './dataset-format.ts';
import { loadAskema } from './formats/askema.ts';
import { loadBird } from './formats/bird.ts';
import { loadDefog } from './formats/defog.ts';
import { loadPlain } from './formats/plain.ts';
import { loadSpider } from './formats/spider.ts';
import { loadSpider2 } from './formats/spider2.ts';
import type { LoadDatasetOptions } from './load-dataset-options.ts';
import { type FoundDataset, recogniseFormat } from './recognise-format.ts';

export type { LoadDatasetOptions } from './load-dataset-options.ts';

const LOADERS: Readonly<Record<DatasetFormat, (found: FoundDataset, options: LoadDatasetOptions) => Promise<Dataset>>> =
  {
    askema: loadAskema,
    spider: loadSpider,
    bird: loadBird,
    'spider2-lite': loadSpider2,
    'spider2-snow': loadSpider2,
    defog: loadDefog,
    jsonl: loadPlain,
    csv: loadPlain,
  };

/**
 * Reads a dataset: a folder, or the file with its questions. The format is recognised by the files that are there, or named in
 * `options.format`; `describeFormats` lists them. Files are read row by row, and may be gzip. A row that cannot be used, repeats an
 * id, or names a database that is not there stands in `problems` with its line; the others stay.
 *
 * @throws AskemaError `DATASET_INVALID` when no format is recognised, a file cannot be read, or no row can be used.
 */
export async function loadDataset(place: string, options: LoadDatasetOptions = {}): Promise<Dataset> {
  const found = await recogniseFormat(path.resolve(place), options.format);
  const databaseFolder = options.databaseFolder === undefined ? undefined : path.resolve(options.databaseFolder);
  return LOADERS[found.format](found, { ...options, databaseFolder });
}
