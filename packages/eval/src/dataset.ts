/** One question of a dataset, with the SQL that is right. */
export interface DatasetQuestion {
  readonly id: string;
  readonly databaseId: string;
  readonly question: string;
  readonly evidence?: string | undefined;
  /** Any of them is right. */
  readonly goldSql: readonly string[];
  readonly category: string;
  readonly difficulty: string;
  /** True when the order of the rows is part of the answer. */
  readonly orderMatters: boolean;
  readonly features: readonly string[];
  /** 1-based line of the file. */
  readonly line: number;
}

export interface DatasetDatabase {
  readonly id: string;
  /** The database file, as a path. */
  readonly file: string;
}

/** A row that could not be read; it is reported, never silently dropped. */
export interface DatasetProblem {
  readonly line: number;
  readonly id?: string | undefined;
  readonly message: string;
}

export interface Dataset {
  readonly name: string;
  readonly directory: string;
  readonly questions: readonly DatasetQuestion[];
  readonly databases: Readonly<Record<string, DatasetDatabase>>;
  readonly problems: readonly DatasetProblem[];
  /** SHA-256 over the questions, in hexadecimal. */
  readonly fingerprint: string;
}
