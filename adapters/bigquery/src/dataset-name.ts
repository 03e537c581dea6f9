import { AskemaError } from '@askema/core';

/** A dataset by its full name. */
export interface DatasetName {
  readonly project: string;
  readonly dataset: string;
}

/** Lower case, digits and dashes; older ones carry a domain in front: `example.com:project`. */
const PROJECT = /^(?:[a-z0-9][a-z0-9.-]{0,252}:)?[a-z0-9][a-z0-9-]{0,62}$/i;

/** https://cloud.google.com/bigquery/docs/datasets#dataset-naming */
const DATASET = /^[\p{L}\p{N}_-]{1,1024}$/u;

/** `dataset` or `project.dataset`; backticks around it or its parts are allowed. @throws AskemaError `CONFIG_INVALID` */
export function readDataset(option: string, text: unknown): { readonly project?: string; readonly dataset: string } {
  if (typeof text === 'string') {
    const plain = text.trim().replaceAll('`', '');
    const dot = plain.lastIndexOf('.');
    const project = dot < 0 ? undefined : plain.slice(0, dot);
    const dataset = plain.slice(dot + 1);
    if (DATASET.test(dataset) && (project === undefined || PROJECT.test(project)))
      return project === undefined ? { dataset } : { project, dataset };
  }
  throw new AskemaError(
    'CONFIG_INVALID',
    `\`${option}\` has ${JSON.stringify(text)}; a dataset is written as dataset or project.dataset.`,
  );
}

/** @throws AskemaError `CONFIG_INVALID` */
export function readProject(option: string, text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (typeof text === 'string' && PROJECT.test(text)) return text;
  throw new AskemaError(
    'CONFIG_INVALID',
    `\`${option}\` is ${JSON.stringify(text)}; it must be the id of a project, such as my-project-123 (not its name or number in words).`,
  );
}
