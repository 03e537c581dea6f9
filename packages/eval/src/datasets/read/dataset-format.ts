import type { Dataset } from './dataset.ts';

/** A format of datasets: what it looks like, where its questions are, and how it is read. */
export interface DatasetFormatSpec {
  /** A name for readers: `BIRD and its mini-dev`. */
  readonly title: string;
  /** Files and fields by which it is recognised, in one line. */
  readonly layout: string;
  /** In which files it has its questions, the first one that is there; each may have `.gz` behind its name. */
  readonly files: readonly string[];
  readonly load: (found: FoundDataset, options: DatabaseOptions) => Promise<Dataset>;
}

/** What a path turned out to be. */
export interface FoundDataset {
  readonly format: string;
  /** The folder in which, or beside which, databases and gold are looked for. */
  readonly root: string;
  /** The file with the questions. */
  readonly file: string;
}

/** Where a dataset has its databases. */
export interface DatabaseOptions {
  /**
   * Where the databases are. `files`: each must be in the folder. `elsewhere`: on a server, for example; then `file` of
   * a database is where it would be, and nothing is looked for there. Default: `files`.
   */
  readonly databases?: 'files' | 'elsewhere' | undefined;
  /**
   * A folder with the database files, where they are not where the format has them: `<id>.sqlite` or
   * `<id>/<id>.sqlite`.
   */
  readonly databaseFolder?: string | undefined;
  /**
   * The one database of all questions that name none (formats `jsonl` and `csv`): a file, or an address. A file becomes
   * its path, anything else stands in `file` of the database as it is given here.
   */
  readonly database?: string | undefined;
  /**
   * Dialect of the gold SQL where a dataset has it in several (`defog`: `sqlite` or `postgres`). Default: that of the
   * database files.
   */
  readonly dialect?: string | undefined;
}
