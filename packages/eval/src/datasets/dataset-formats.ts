import { AskemaError, didYouMean } from '@askema/core';
import { askema } from './formats/askema.ts';
import { bird } from './formats/bird.ts';
import { defog } from './formats/defog.ts';
import { csv, jsonl } from './formats/plain.ts';
import { spider } from './formats/spider.ts';
import { spider2Lite, spider2Snow } from './formats/spider2.ts';
import type { DatasetFormatSpec } from './read/dataset-format.ts';

/** All formats, in the order in which they are listed. */
export const FORMATS = {
  askema,
  spider,
  bird,
  'spider2-lite': spider2Lite,
  'spider2-snow': spider2Snow,
  defog,
  jsonl,
  csv,
} as const satisfies Readonly<Record<string, DatasetFormatSpec>>;

/** The name of a format. */
export type DatasetFormat = keyof typeof FORMATS;

/** The formats that {@link loadDataset} reads. */
export const DATASET_FORMATS = Object.keys(FORMATS) as readonly DatasetFormat[];

/** What a format looks like, for help texts. */
export interface DatasetFormatDescription {
  readonly format: DatasetFormat;
  /** A name for readers: `BIRD and its mini-dev`. */
  readonly title: string;
  /** Files and fields by which it is recognised, in one line. */
  readonly layout: string;
}

/** What each format looks like, in the order of {@link DATASET_FORMATS}; for help texts. */
export function describeFormats(): readonly DatasetFormatDescription[] {
  return DATASET_FORMATS.map((format) => ({ format, title: FORMATS[format].title, layout: FORMATS[format].layout }));
}

/**
 * A format by its name, as users write it.
 *
 * @throws AskemaError `INPUT_INVALID` with the nearest names.
 */
export function readDatasetFormat(name: string): DatasetFormat {
  const found = DATASET_FORMATS.find((format) => format === name);
  if (found !== undefined) return found;
  const schemas = /^r-?schema$/i.test(name)
    ? ' RSchema holds schemas, not questions: `askema eval design` measures on it.'
    : '';
  throw new AskemaError(
    'INPUT_INVALID',
    `There is no dataset format \`${name}\`.${schemas} ${didYouMean(name, DATASET_FORMATS)} There are: ${DATASET_FORMATS.join(', ')}.`.replace(
      / {2,}/g,
      ' ',
    ),
  );
}
