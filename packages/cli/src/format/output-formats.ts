/** How results are written to stdout. */
export const ANSWER_FORMATS = ['table', 'json', 'jsonl', 'csv', 'markdown'] as const;

export type AnswerFormat = (typeof ANSWER_FORMATS)[number];

/** Formats of rows alone, which are written as they come. */
const ROW_FORMATS = ['jsonl', 'csv'] as const satisfies readonly AnswerFormat[];

export type RowFormat = (typeof ROW_FORMATS)[number];

export function isRowFormat(format: AnswerFormat): format is RowFormat {
  return (ROW_FORMATS as readonly string[]).includes(format);
}

/** How a schema is written to stdout. */
export const SCHEMA_FORMATS = ['text', 'ddl', 'json', 'mermaid', 'dbml', 'svg', 'prisma', 'drizzle'] as const;

export type SchemaFormat = (typeof SCHEMA_FORMATS)[number];

/** How reports are written to stdout. */
export const REPORT_FORMATS = ['text', 'json'] as const;

export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** How reports of runs are written. */
export const EVALUATION_FORMATS = ['text', 'markdown', 'html'] as const;

export type EvaluationFormat = (typeof EVALUATION_FORMATS)[number];

/** How two runs are held against each other. */
export const COMPARISON_FORMATS = [...EVALUATION_FORMATS, 'json'] as const;

export type ComparisonFormat = (typeof COMPARISON_FORMATS)[number];

/** How verdicts on expectations are added up. */
export const EXPECTATION_FORMATS = ['text', 'markdown', 'json'] as const;

export type ExpectationFormat = (typeof EXPECTATION_FORMATS)[number];
