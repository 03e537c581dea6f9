import type { DatasetFormat } from './dataset-format.ts';

/** What `loadDataset` takes beside the place. */
export interface LoadDatasetOptions {
  /** Default: it is recognised by the files that are there. */
  readonly format?: DatasetFormat | undefined;
  /**
   * Where the databases are. `files`: each must be in the folder. `elsewhere`: on a server, for example; then `file` of a database is where it
   * would be, and nothing is looked for there. Default: `files`.
   */
  readonly databases?: 'files' | 'elsewhere' | undefined;
  /** A folder with the database files, where they are not where the format has them: `<id>.sqlite` or `<id>/<id>.sqlite`. */
  readonly databaseFolder?: string | undefined;
  /**
   * The one database of all questions that name none (formats `jsonl` and `csv`): a file, or an address. A file becomes its path,
   * anything else stands in `file` of the database as it is given here.
   */
  readonly database?: string | undefined;
  /** Dialect of the gold SQL where a dataset has it in several (`defog`: `sqlite` or `postgres`). Default: that of the database files. */
  readonly dialect?: string | undefined;
}
