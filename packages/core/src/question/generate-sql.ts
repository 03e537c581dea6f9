import type { Catalog } from '../catalog/catalog.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { ValueMatch } from '../ports/value-index.ts';
import type { RelationId } from '../schema/schema.ts';
import { type PlainValue, plainOutput } from '../task/structured/plain-output.ts';
import type { SelectedKnowledge } from './knowledge-source.ts';

/**
 * The contract of the task that every text2sql pipeline has: a question and a database give SQL, or a reason why not.
 * It stands in core because solvers of other packages answer it. The prompt belongs to the pipeline.
 */
export const GENERATE_SQL_TASK_ID = 'text2sql.generate-sql';

export interface GenerateSqlInput {
  readonly question: string;
  readonly catalog: Catalog;
  readonly dialect: Dialect;
  /** The catalog as prompt text. */
  readonly schemaText: string;
  /** What the user or the benchmark says beside the question: definitions, enum meanings. */
  readonly evidence?: string | undefined;
  /** Of documents that the question takes for granted: what stands in the prompt. */
  readonly documents?: string | undefined;
  /** Of the knowledge about the database: what stands in the prompt. */
  readonly meanings?: Pick<SelectedKnowledge, 'text' | 'hasMetrics' | 'metricCalls'> | undefined;
  /** In a conversation: the question before, which this one changes, and the statement that answered it. */
  readonly follows?:
    | { readonly question: string; readonly sql: string; readonly message?: string | undefined }
    | undefined;
  /** Cells that pieces of the question may mean. */
  readonly values: readonly ValueMatch[];
  /** Relations whose cells were not all looked through for `values`; undefined where nobody kept count. */
  readonly unsearched?: readonly RelationId[] | undefined;
  /** ISO 8601 date for "today" and "last month". */
  readonly today: string;
  /** True when the user allowed statements that change data. */
  readonly allowWrite: boolean;
}

/**
 * Every field is required, which strict structured output of vendors asks for; what does not apply is an empty string
 * or list. Solvers without a model may leave `other_readings` out: theirs are in `Solved.readings`; and `would_agree`.
 */
export const generateSqlOutput = plainOutput({
  outcome: {
    oneOf: ['sql', 'needs_clarification', 'unanswerable'],
    description:
      'sql: the statement below answers the question. needs_clarification: nobody can write it before something is said. unanswerable: the database does not hold it.',
  },
  sql: { description: 'One statement without a trailing semicolon; empty unless outcome is sql.' },
  explanation: {
    description:
      'One or two sentences: how the question was read, and what a code or an opaque name was taken to mean where nothing shown says it; or what is missing.',
  },
  not_understood: {
    isList: true,
    description: 'The words of the question that match nothing in the database; usually empty.',
  },
  other_readings: {
    objects: {
      meaning: { description: 'What the question asks for in this reading, in one sentence.' },
      sql: { description: 'The statement for it, without a trailing semicolon.' },
      likelihood: {
        oneOf: ['equal', 'lower'],
        description: 'equal: nothing speaks for the reading of `sql` rather than for this one.',
      },
    },
    description: 'Other natural readings of the question that give other rows; usually empty.',
  },
  would_agree: {
    oneOf: ['ten', 'nine', 'eight', 'fewer'],
    // An answer that does not say it is never sure.
    fallback: 'fewer',
    description:
      'Of ten careful analysts who see only this prompt: how many would write a statement that gives the same columns and the same rows.',
  },
});

type Output = PlainValue<typeof generateSqlOutput.fields>;

type MayMiss = 'other_readings' | 'would_agree';

export type GenerateSqlOutput = Omit<Output, MayMiss> & Partial<Pick<Output, MayMiss>>;
