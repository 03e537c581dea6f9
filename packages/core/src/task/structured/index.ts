export { jsonSchemaOf } from './json-schema-of.ts';
export type { TextFormat } from './output-prompt.ts';
export * from './parse-structured.ts';
export type { OutputIssue } from './validate-output.ts';
