import {
  AskemaError,
  createCallContext,
  fromModel,
  isLanguageModel,
  type Schema,
  type Solved,
  type Solver,
} from '@askema/core';
import * as z from 'zod';
import type { StoredDesignRun } from '../schemas/compare/read-design-run.ts';
import type { ComparedSchema } from '../schemas/compared-schema.ts';
import type { SchemaDataset } from '../schemas/load-schema-dataset.ts';
import { sha256 } from '../sha256.ts';
import { type ExpectationsLine, expectationsLine, type VerdictsLine, verdictsLine } from './expectation.ts';
import { type ExpectationsSummary, expectationsSummary } from './expectations-summary.ts';
import { costFields, fillLines, type LinesProgress } from './fill-lines.ts';
import { type JudgeExpectationsOutput, judgeTaskFor, type LetteredDesign } from './judge-expectations-task.ts';
import type { ExpectationsModel } from './list-expectations.ts';
import { readLines } from './read-lines.ts';
import { schemaLines } from './schema-lines.ts';

/** Who takes part under a name: a run of designs, or gold. */
export interface JudgedDesigns {
  /** What figures call it; the judge never sees it. */
  readonly name: string;
  readonly designs: StoredDesignRun | SchemaDataset;
}

/** What is judged, by whom, and into which file. */
export interface JudgeExpectationsOptions {
  /** The file of `listExpectations`. */
  readonly expectations: string;
  /** At most 8. */
  readonly designs: readonly JudgedDesigns[];
  /** A JSONL file, one line a requirement; a second start goes on. */
  readonly out: string;
  readonly judge: ExpectationsModel;
  /** Draws the order in which designs are shown. Default: 1. */
  readonly seed?: number | undefined;
  /** Requirements at a time. Default: 1. */
  readonly concurrency?: number | undefined;
  readonly onProgress?: ((progress: LinesProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

const LETTERS = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H'];

/**
 * Has a model say for each expectation whether each design meets it. One prompt a requirement shows the designs without
 * their names, in an order that the seed and the id draw. A result without a schema is not shown and fails everywhere.
 * A requirement of which a run has no result, or which it designed by other words, is left out and stands in
 * `problems`.
 *
 * @throws AskemaError `INPUT_INVALID` for no design, for more than 8, and for a name that comes twice or is none;
 * `DATASET_INVALID` where the expectations cannot be read; `CONFIG_INVALID` where another model, seed or other names
 * began the file; `JOURNAL_INVALID` for a broken file; `JOURNAL_LOCKED` while another process writes it.
 */
export async function judgeExpectations(options: JudgeExpectationsOptions): Promise<ExpectationsSummary> {
  const { designs, judge, seed = 1, signal } = options;
  const names = checkNames(designs);
  const { lines, problems } = await readLines(options.expectations, expectationsLine, {
    what: 'list of expectations',
    command: 'askema eval list-expectations',
  });
  const items = lines.map((line) => toJudge(line, designs, seed));
  const solver = isLanguageModel(judge.model) ? fromModel(judge.model) : judge.model;
  const filled = await fillLines<ToJudge, VerdictsLine>({
    file: options.out,
    items: items.filter(({ missing }) => missing.length === 0),
    isLine: (line) => verdictsLine.safeParse(line).success,
    differs: (line) => differenceOf(line, { model: judge.label, seed, names }),
    isDone: ({ shownHash }, line) => line.shownHash === shownHash,
    make: (item) => judgeOne(item, { solver, label: judge.label, seed, signal }),
    concurrency: options.concurrency,
    onProgress: options.onProgress,
    signal,
  });
  const leftOut = items.flatMap(({ id, missing }) => missing.map((message) => ({ id, message })));
  return expectationsSummary({ ...filled, requirements: items.length, problems: [...problems, ...leftOut] });
}

/** @throws AskemaError `INPUT_INVALID`. */
function checkNames(designs: readonly JudgedDesigns[]): readonly string[] {
  const names = designs.map(({ name }) => name);
  const repeated = names.find((name, at) => names.indexOf(name) !== at);
  if (repeated !== undefined)
    throw new AskemaError('INPUT_INVALID', `Two designs are called ${repeated}; give each a name of its own.`);
  const strange = names.find((name) => !/^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/.test(name));
  if (strange !== undefined)
    throw new AskemaError(
      'INPUT_INVALID',
      `${JSON.stringify(strange)} is no name of a design; take 1 to 40 letters, digits, \`.\`, \`_\` and \`-\`.`,
    );
  if (names.length === 0 || names.length > LETTERS.length)
    throw new AskemaError(
      'INPUT_INVALID',
      `${names.length} designs cannot be judged in one prompt; name 1 to ${LETTERS.length}.`,
    );
  return names;
}

/** A requirement with what the judge is to see. */
interface ToJudge extends Pick<ExpectationsLine, 'id' | 'requirement' | 'expectations'> {
  /** Of all designs, as they were given. */
  readonly names: readonly string[];
  /** Why it cannot be judged. */
  readonly missing: readonly string[];
  /** In the order of their letters. */
  readonly shown: readonly (LetteredDesign & { readonly name: string })[];
  readonly shownHash: string;
}

function toJudge(line: ExpectationsLine, designs: readonly JudgedDesigns[], seed: number): ToJudge {
  const { id, requirement, expectations } = line;
  const missing: string[] = [];
  const shown: Omit<ToJudge['shown'][number], 'letter'>[] = [];
  for (const { name, designs: source } of designs) {
    const found = designOf(source, id);
    if (found === undefined) missing.push(`${name} has no result.`);
    else if (found.requirement !== undefined && found.requirement !== requirement)
      missing.push(`${name} was designed by another text than the expectations were listed from.`);
    else if (found.schema !== undefined) {
      const { schema, assumptions = [] } = found;
      shown.push({ name, text: designText(schema, assumptions), hasAssumptions: assumptions.length > 0 });
    }
  }
  const drawn = (name: string): string => sha256(JSON.stringify([seed, id, name]));
  const lettered = shown
    .sort((a, b) => (drawn(a.name) < drawn(b.name) ? -1 : 1))
    .map((design, at) => ({ ...design, letter: LETTERS[at] ?? '' }));
  const shownHash = sha256(JSON.stringify([requirement, expectations, lettered]));
  const names = designs.map(({ name }) => name);
  return { id, requirement, expectations, names, missing, shown: lettered, shownHash };
}

interface FoundDesign {
  /** By which it was designed; undefined where the design threw. */
  readonly requirement: string | undefined;
  readonly schema?: Schema | ComparedSchema | undefined;
  readonly assumptions: readonly string[];
}

function designOf(source: StoredDesignRun | SchemaDataset, id: string): FoundDesign | undefined {
  if ('items' in source) {
    const item = source.items.find((each) => each.id === id);
    return item && { requirement: item.requirement, schema: item.gold, assumptions: [] };
  }
  const result = source.results.find((each) => each.id === id);
  if (result === undefined) return undefined;
  const { outcome } = result;
  if (outcome === undefined) return { requirement: undefined, assumptions: [] };
  const schema = 'schema' in outcome ? outcome.schema : undefined;
  return { requirement: outcome.requirement, schema, assumptions: assumptionsOf(outcome) };
}

/** Runs of older versions have none. */
function assumptionsOf(outcome: object): readonly string[] {
  const read = z.object({ assumptions: z.array(z.string()) }).safeParse(outcome);
  return read.success ? read.data.assumptions : [];
}

function designText(schema: Schema | ComparedSchema, assumptions: readonly string[]): string {
  const stated = assumptions.length === 0 ? [] : ['Assumptions:', ...assumptions.map((each) => `- ${each}`)];
  return [schemaLines(schema), ...stated].join('\n');
}

function differenceOf(
  line: VerdictsLine,
  { model, seed, names }: { readonly model: string; readonly seed: number; readonly names: readonly string[] },
): string | undefined {
  if (line.model !== model) return `${line.model} judged, now ${model} would`;
  if (line.seed !== seed) return `the seed was ${line.seed} and is ${seed}`;
  const before = Object.keys(line.expectations[0]?.designs ?? {}).sort();
  const now = [...names].sort();
  return before.length === 0 || JSON.stringify(before) === JSON.stringify(now)
    ? undefined
    : `the designs were ${before.join(', ')} and are ${now.join(', ')}`;
}

async function judgeOne(
  item: ToJudge,
  by: {
    readonly solver: Solver;
    readonly label: string;
    readonly seed: number;
    readonly signal: AbortSignal | undefined;
  },
): Promise<VerdictsLine> {
  const { id, requirement, expectations, names, shown, shownHash } = item;
  const input = { requirement, expectations, designs: shown };
  const context = createCallContext({ runId: `expectations-${shownHash}`, path: id, signal: by.signal });
  const solved: Pick<Solved<JudgeExpectationsOutput>, 'value' | 'calls' | 'usage'> = shown.length === 0
    ? { value: { expectations: [] }, calls: 0, usage: {} }
    : await by.solver.solve(judgeTaskFor(input), input, context);
  const answers = new Map(solved.value.expectations.map((answer) => [answer.number, answer]));
  return {
    schemaVersion: 1,
    id,
    requirement,
    model: by.label,
    seed: by.seed,
    shownHash,
    order: shown.map(({ name }) => name),
    ...costFields(solved),
    expectations: expectations.map(({ number, kind, certainty, says }) => ({
      number,
      kind,
      certainty,
      says,
      designs: Object.fromEntries(names.map((name) => [name, verdictOn(name, shown, answers.get(number))])),
    })),
  };
}

type DesignVerdict = VerdictsLine['expectations'][number]['designs'][string];

function verdictOn(
  name: string,
  shown: ToJudge['shown'],
  answer: JudgeExpectationsOutput['expectations'][number] | undefined,
): DesignVerdict {
  const letter = shown.find((design) => design.name === name)?.letter;
  if (letter === undefined) return { verdict: 'fails', reason: 'There is no schema.' };
  if (answer?.holds.includes(letter)) return { verdict: 'holds' };
  if (answer?.stated.includes(letter)) return { verdict: 'stated' };
  const reason = answer?.fails.find(({ designs }) => designs.includes(letter))?.reason;
  return { verdict: 'fails', ...(reason === undefined ? {} : { reason }) };
}
