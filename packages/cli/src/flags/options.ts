import type { Command } from 'commander';

/** What the argument DATABASE may be. */
export const DATABASE = 'a path, an address such as postgres://host/database, or a name of askema.config.ts';

/** Several values: the option repeated, or separated by commas. */
export function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, ...value.split(',').filter((each) => each !== '')];
}

/** Of the commands that read a database. */
export const ALLOW_FUNCTION = [
  '--allow-function <schema.name>',
  'of a server: a function of your own that only reads, and may be called; repeatable',
  collect,
] as const;

/** `--hide` and `--mask` of the commands that open one database. */
export const HIDE = [
  '--hide <pattern>',
  'relations and columns that nobody gets to see, such as hr.* or users.ssn; may be repeated',
  collect,
] as const;
export const MASK = [
  '--mask <pattern>',
  'columns whose values nobody gets, such as *.email; may be repeated',
  collect,
] as const;

/** `--timeout` of the commands that limit each statement by itself. */
export const STATEMENT_TIMEOUT = ['--timeout <time>', 'of each statement: 500ms, 2s, 1m (default: 30s)'] as const;

/** What goes with each question, of the commands that answer several. */
export const EVIDENCE = [
  '--evidence <text>',
  'what all questions take for granted: definitions, meanings; `@file` reads a file',
] as const;
export const DOCUMENT = [
  '--document <file>',
  'a text that all questions take for granted; may be repeated',
  collect,
] as const;

/** `--knowledge` and `--no-knowledge` of the commands that answer questions. */
export const KNOWLEDGE = [
  '--knowledge <folder>',
  'definitions of `askema knowledge` to answer by (default: knowledge.folder of the configuration)',
] as const;
export const NO_KNOWLEDGE = ['--no-knowledge', 'without the folder of the configuration'] as const;

/** Options of the commands that ask a model. */
export function withModelOptions(command: Command): Command {
  return command
    .option('-m, --model <name>', 'provider:model, or a name of askema.config.ts; `askema models` lists them')
    .option(
      '--flow <name>',
      'auto, plain, refine, inspect, react, direct, or a name of askema.config.ts (default: auto; plain with --write, and without a language model)',
    )
    .option(
      '--effort <name>',
      'with --flow auto: low, medium or high: what a doubt may cost (default: medium; low with --no-samples)',
    )
    .option('--confidence <file>', 'with --flow auto: a table of `askema eval calibrate`, to say how sure an answer is')
    .option('--preset <name>', 'with --flow refine: askema, paper or v5 (default: askema)')
    .option('--threads <count>', 'with --flow refine: independent attempts (default: that of the preset)')
    .option(
      '--without <part>',
      'with --flow refine: leaves out format, exploration, profile, consistency, cte or choose; with --flow inspect: retriever, detector or planner',
      collect,
    )
    .option('--cte-only', 'with --flow refine: refines CTE by CTE only')
    .option('--conversation', 'with --flow refine: each thread is one continuing chat')
    .option('--inspect', 'with --flow refine: inspects each statement before it runs, as the flow inspect does')
    .option('--max-inspections <count>', 'with --flow inspect: how often a statement is revised')
    .option('--engine-errors', 'with --flow inspect: the errors of the database take the place of the detector')
    .option('--max-rows <count>', 'rows of an answer (default: 10000; ask with csv or jsonl: all)')
    .option('--max-schema-tokens <count>', 'of a prompt; what does not fit is chosen by the question (default: 8000)')
    .option(
      '--compression <name>',
      'of the schema in a prompt: lossless, or paper or v5, which hide columns, for comparison (default: lossless; with --flow refine that of the preset)',
    )
    .option('--ask-back <when>', 'a question with two readings: never, equal or always (default: equal; eval: never)')
    .option('--align-values', 'write the values of conditions as the database stores them, and say each')
    .option('--no-samples', 'show the model no values of the database, only its schema')
    .option(...ALLOW_FUNCTION)
    .option('--config <file>', 'instead of the nearest askema.config.ts');
}
