/** One question of a dataset, with the SQL that is right. */
export interface DatasetQuestion {
  readonly id: string;
  readonly databaseId: string;
  readonly question: string;
  readonly evidence?: string | undefined;
  /** Any of them is right. Empty where the dataset has no gold SQL for this question, only `goldResults`. */
  readonly goldSql: readonly string[];
  /** Result files of the dataset that are accepted, any of them; in the order of its own evaluator. */
  readonly goldResults?: readonly GoldResult[] | undefined;
  /** How the dataset's own evaluator judges, beyond what stands above. */
  readonly official?: OfficialRule | undefined;
  /** Names of the dataset's documents that belong to the question; see {@link Dataset.documents}. */
  readonly documents?: readonly string[] | undefined;
  readonly category: string;
  readonly difficulty: string;
  /** True when the order of the rows is part of the answer. */
  readonly orderMatters: boolean;
  readonly features: readonly string[];
  /** 1-based line of the file. */
  readonly line: number;
}

/** An accepted result file. */
export interface GoldResult {
  /** As the dataset names it. */
  readonly file: string;
  /** Its place, from 0, among all accepted files of the question, also those that are not there. */
  readonly position: number;
  /** CSV with a header. */
  readonly csv: string;
}

/** What the evaluator of a benchmark needs beside the gold. */
export type OfficialRule =
  | { readonly benchmark: 'spider' }
  | { readonly benchmark: 'bird' }
  | {
      readonly benchmark: 'spider2';
      /**
       * 0-based columns of gold that count; of all files, or of each in the order of `position`. Empty: all columns.
       */
      readonly conditionColumns: readonly number[] | readonly (readonly number[])[];
      readonly ignoreOrder: boolean;
      /** How many files are accepted, also those that are not there. */
      readonly files: number;
    };

/** A database that questions are about. */
export interface DatasetDatabase {
  readonly id: string;
  /** The database file, as a path; where it would be, for one that is not a file. */
  readonly file: string;
  /** Further files with the same schema and other contents (test-suite accuracy), sorted by name. */
  readonly variants?: readonly string[] | undefined;
  /** Dialect in which the gold SQL of this database is written, where the dataset says so. */
  readonly dialect?: string | undefined;
}

/** A row that could not be read; it is reported, never silently dropped. */
export interface DatasetProblem {
  readonly line: number;
  readonly id?: string | undefined;
  readonly message: string;
}

/** The figure of a benchmark's own program, and of what it is a part where not all is asked. */
export interface OfficialSet {
  /** Id of the metric that judges as the program does. */
  readonly metric: string;
  /** Tasks of the whole set, those included that cannot be used or are left out. */
  readonly tasks: number;
}

/** Questions that are not asked, for one reason; see `leaveOut`. */
export interface LeftOut {
  /** To be read behind their number: `on bigquery, ...`. */
  readonly reason: string;
  readonly questions: number;
}

/** Questions, their databases, and what could not be read. */
export interface Dataset {
  readonly name: string;
  readonly directory: string;
  readonly questions: readonly DatasetQuestion[];
  readonly databases: Readonly<Record<string, DatasetDatabase>>;
  /** Which kind of dataset it is. Default: `askema` (questions.jsonl and databases/). */
  readonly format?: string | undefined;
  /** Texts of external knowledge by name. */
  readonly documents?: Readonly<Record<string, string>> | undefined;
  /** Of a benchmark whose program gives one figure for the whole set. */
  readonly official?: OfficialSet | undefined;
  /** Absent where nothing is left out. */
  readonly leftOut?: readonly LeftOut[] | undefined;
  readonly problems: readonly DatasetProblem[];
  /** SHA-256 over the questions, those included that are left out, in hexadecimal. */
  readonly fingerprint: string;
}
