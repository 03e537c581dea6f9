/** How reports of runs are written. */
export const EVALUATION_FORMATS = ['text', 'markdown', 'html'] as const;

export type EvaluationFormat = (typeof EVALUATION_FORMATS)[number];
