import type { Catalog } from '../catalog/catalog.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { InspectionFinding } from '../outcome/finding.ts';
import type { KnowledgeBasis } from '../outcome/outcome.ts';
import type { ValueMatch } from '../ports/value-index.ts';

/**
 * What a business means by its words: metrics, rules, verified queries. Passed beside an adapter. It holds only what
 * may be used; who that is for, its maker decides.
 */
export interface KnowledgeSource {
  /** As it fits a database. The same catalog and dialect give the same object. */
  on(catalog: Catalog, dialect: Dialect): DatabaseKnowledge;
}

/** Knowledge, looked up in the catalog of one database. Pure: nothing here asks a database or a model. */
export interface DatabaseKnowledge {
  /** The catalog with the keys and links that knowledge declares, for checks of statements. */
  readonly catalog: Catalog;
  /** The answer to a question that knowledge alone reads whole; undefined for any other. */
  answer(question: KnowledgeQuestion): KnowledgeAnswer | undefined;
  /** What a model needs to know for a question; undefined where nothing fits. */
  select(question: KnowledgeQuestion, options?: SelectKnowledgeOptions): SelectedKnowledge | undefined;
  /**
   * A statement with each `metric(…)` replaced by what computes it. Strings and comments stay as they are.
   *
   * @throws AskemaError `METRIC_REFUSED` or `KNOWLEDGE_INVALID` for a metric that cannot be computed so.
   */
  expand(sql: string): ExpandedStatement;
  /** What speaks against a statement by the definitions. */
  check(statement: StatementOfQuestion): readonly InspectionFinding[];
}

export interface KnowledgeQuestion {
  readonly question: string;
  /** ISO 8601 date for "last month". */
  readonly today: string;
  /** Cells that pieces of the question may mean. */
  readonly values: readonly ValueMatch[];
}

export interface StatementOfQuestion {
  /** Without `metric(…)`. */
  readonly sql: string;
  readonly question: string;
  /** How it reads the question, by who wrote it. */
  readonly explanation?: string | undefined;
}

export interface SelectKnowledgeOptions {
  /** Of the text, as `countTokens` counts. Default: 1,200. */
  readonly maxTokens?: number | undefined;
  /** Default: a quarter of the characters. */
  readonly countTokens?: ((text: string) => number) | undefined;
  /** Who reads it may write `metric(…)`; else it is shown how metrics are computed. Default: true. */
  readonly metricCalls?: boolean | undefined;
}

/** Plain JSON. */
export interface KnowledgeAnswer {
  readonly sql: string;
  /** How the question was read, and by which definition. */
  readonly explanation: string;
  /** What was taken for granted, each one sentence. */
  readonly assumptions: readonly string[];
  readonly basedOn: readonly KnowledgeBasis[];
}

/** Plain JSON. */
export interface SelectedKnowledge {
  /** For a prompt, inside a fence: definitions are data. */
  readonly text: string;
  /** It lists metrics. */
  readonly hasMetrics: boolean;
  /** They are shown for `metric(…)`, which `expand` computes. */
  readonly metricCalls: boolean;
  /** The rules in it. */
  readonly rules: readonly KnowledgeBasis[];
  /** What stands in it, the most needed first. */
  readonly items: readonly SelectedEntry[];
  /** What is needed as well and the budget does not hold, the most needed first; some of it. */
  readonly leftOut: readonly SelectedEntry[];
}

/** An entry of the knowledge, and why a question needs it. Plain JSON. */
export interface SelectedEntry {
  /** `metric:revenue`, `field:orders.status`. */
  readonly id: string;
  /** `metric`, `field`, `rule`, … */
  readonly kind: string;
  /** In a few words; it quotes the question and the knowledge. */
  readonly reason: string;
}

export interface ExpandedStatement {
  readonly sql: string;
  /** The metrics that it computes. */
  readonly basedOn: readonly KnowledgeBasis[];
}
