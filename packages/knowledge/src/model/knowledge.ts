import type { SemanticModel } from './semantic-model.ts';
import type { Place, Standing } from './standing.ts';

/** What a business means by its words, as plain readonly JSON. `loadKnowledge` reads it from a folder. */
export interface Knowledge {
  readonly schemaVersion: 1;
  readonly settings: KnowledgeSettings;
  readonly models: readonly SemanticModel[];
  readonly verifiedQueries: readonly VerifiedQuery[];
  /** Rules, caveats, the glossary and notes on metrics: one for each heading of their files. */
  readonly texts: readonly KnowledgeText[];
  /** What could not be read as it was meant. What is left out because of it is not in the lists above. */
  readonly problems: readonly KnowledgeProblem[];
}

/** `knowledge.yml`. */
export interface KnowledgeSettings {
  /** The name of a dialect in which verified queries are written: `postgres`. */
  readonly dialect?: string | undefined;
  /** How a text of a question is compared with cells where nothing else is said. */
  readonly matching?: 'exact' | 'insensitive' | 'contains' | undefined;
  /** IANA name: `Europe/Berlin`. Kept for who reads it: nothing is converted, days are those that the database stores. */
  readonly timeZone?: string | undefined;
  /** 1 to 12: the month in which fiscal years begin. A fiscal year has the number of the calendar year in which it ends. */
  readonly fiscalYearStart?: number | undefined;
  /** The day on which weeks begin. Default: monday. */
  readonly weekStart?: 'monday' | 'sunday' | undefined;
}

/** A question with the SQL that answers it, which somebody has checked. */
export interface VerifiedQuery {
  /** Its file without `sql/` and `.md`. */
  readonly id: string;
  readonly question: string;
  readonly sql: string;
  /** The name of a dialect; that of the settings when left out. */
  readonly dialect?: string | undefined;
  /** `logical`: datasets and fields of the model; `physical`: relations and columns. */
  readonly names: 'physical' | 'logical';
  /** Holes of the question and the statement: `{name}` in the question, `:name` in the SQL. */
  readonly parameters: readonly QueryParameter[];
  readonly verifiedBy?: string | undefined;
  /** ISO 8601. */
  readonly verifiedAt?: string | undefined;
  /** Shown to people who ask for the first time. */
  readonly isOnboarding?: boolean | undefined;
  readonly tags: readonly string[];
  /** The columns of its result and the SHA-256 of its rows, where they were pinned. */
  readonly expected?: { readonly columns: readonly string[]; readonly rows?: string | undefined } | undefined;
  /** What stands below the front matter. */
  readonly notes?: string | undefined;
  /** Front matter of other tools, as it was read. */
  readonly other?: Readonly<Record<string, unknown>> | undefined;
  readonly standing: Standing;
}

/** A hole of a verified query. */
export interface QueryParameter {
  readonly name: string;
  readonly type: 'text' | 'number' | 'date' | 'boolean';
  readonly description?: string | undefined;
  readonly default?: string | number | boolean | undefined;
}

/** A piece of prose: one heading of a file with what stands below it. */
export interface KnowledgeText {
  /** Its file without `.md`, with `#` and the heading where a file has several. */
  readonly id: string;
  /** `note`: prose about a metric. */
  readonly kind: 'rule' | 'caveat' | 'glossary' | 'note';
  readonly title: string;
  readonly text: string;
  /** Datasets, fields and terms that it is about; the whole knowledge when empty. */
  readonly appliesTo: readonly string[];
  /** Higher comes first. Default: 0. */
  readonly priority: number;
  readonly standing: Standing;
}

/** Something that is wrong with a file or an entry. */
export interface KnowledgeProblem {
  readonly severity: 'error' | 'warning' | 'note';
  /** Kebab-case and stable: `duplicate-name`. `docs/guide/knowledge-check.md` lists them. */
  readonly code: string;
  /** See {@link entryId}; undefined where a whole file is meant. */
  readonly entry?: string | undefined;
  readonly place: Place;
  /** What is wrong, with which value. */
  readonly message: string;
  /** What to do about it, as one sentence, where it is known. */
  readonly advice?: string | undefined;
}

/** Kinds of what has an id of its own. A field is `field:orders.status`, the others carry their name: `metric:revenue`. */
export type EntryKind =
  | 'model'
  | 'dataset'
  | 'field'
  | 'relationship'
  | 'metric'
  | 'filter'
  | 'query'
  | 'rule'
  | 'caveat'
  | 'glossary'
  | 'note';

/** How checks, states and commands name an entry. */
export function entryId(kind: EntryKind, name: string): string {
  return `${kind}:${name}`;
}
