import { createCallContext, type Solved, type Solver } from '@askema/core';
import type { SchemaSource } from './load-schema-sources.ts';
import type { ReviewName, SampleContent, SampleProgress, SampleStep, SampleStepName } from './requirement-sample.ts';
import {
  type RefineSampleOutput,
  type ReviewSampleInput,
  refineSampleTask,
  reviewSampleTask,
  writeRequirementTask,
} from './requirement-tasks.ts';
import { schemaFindings, schemaWords } from './schema-words.ts';

/** Who answers a step, and under which name. */
interface StepSolver {
  readonly solver: Solver;
  readonly label: string;
}

/** A step of a sample that a model is to do. */
interface StepToDo {
  readonly source: SchemaSource;
  readonly step: SampleStepName;
  /** Of the step: `library/2`. */
  readonly id: string;
  readonly progress: SampleProgress;
  readonly runId: string;
  readonly signal: AbortSignal | undefined;
}

/** Has a model do a step. Rejects with what the model rejects with. */
export async function solveStep(todo: StepToDo, { solver, label }: StepSolver): Promise<SampleStep> {
  const { source, step, progress } = todo;
  const context = createCallContext({ runId: todo.runId, path: todo.id, signal: todo.signal });
  const { content } = progress;
  if (step === 'write' || content === undefined) {
    const solved = await solver.solve(
      writeRequirementTask,
      { schema: schemaWords(source.answer, source.types) },
      context,
    );
    const { requirement, domain, scenario } = solved.value;
    return done(todo, label, solved, { remarks: scenario, content: { requirement, domain, answer: source.answer } });
  }
  const input = reviewInput(source, content, progress);
  if (step === 'refine') {
    const solved = await solver.solve(refineSampleTask, input, context);
    const { remarks, requirement, tables } = solved.value;
    const answer = tables === null ? content.answer : answerOf(tables);
    return done(todo, label, solved, { remarks, verdict: 'accept', content: { ...content, requirement, answer } });
  }
  const solved = await solver.solve(reviewSampleTask, { ...input, review: step }, context);
  return done(todo, label, solved, solved.value);
}

function reviewInput(source: SchemaSource, content: SampleContent, { opinions }: SampleProgress): ReviewSampleInput {
  return {
    requirement: content.requirement,
    schema: schemaWords(content.answer, source.types),
    findings: schemaFindings(content.answer),
    opinions,
  };
}

function answerOf(tables: NonNullable<RefineSampleOutput['tables']>): SampleContent['answer'] {
  return Object.fromEntries(
    tables.map(({ name, attributes, primaryKey, foreignKeys }) => {
      const foreign = foreignKeys.map(({ attribute, table, targetAttribute }) => [
        attribute,
        { [table]: targetAttribute },
      ]);
      return [name, { Attributes: attributes, 'Primary key': primaryKey, 'Foreign key': Object.fromEntries(foreign) }];
    }),
  );
}

function done(
  { source, step, id }: StepToDo,
  by: string,
  { usage, calls }: Pick<Solved<unknown>, 'usage' | 'calls'>,
  made: Pick<SampleStep, 'remarks' | 'content' | 'verdict'>,
): SampleStep {
  return {
    schemaVersion: 1,
    id,
    sample: source.id,
    step,
    by,
    ...made,
    ...(usage.inputTokens === undefined ? {} : { inputTokens: usage.inputTokens }),
    ...(usage.outputTokens === undefined ? {} : { outputTokens: usage.outputTokens }),
    calls,
    finishedAt: new Date().toISOString(),
  };
}

/** A step that a person did in the file of reviews. */
export function personStep(
  review: SampleContent & { readonly id: string; readonly sample: string; readonly remarks: string },
  step: ReviewName,
  verdict: SampleStep['verdict'],
): SampleStep {
  const { id, sample, remarks, requirement, answer, domain } = review;
  return {
    schemaVersion: 1,
    id,
    sample,
    step,
    by: 'person',
    ...(step === 'refine' ? { content: { requirement, answer, domain } } : {}),
    verdict,
    remarks,
    calls: 0,
    finishedAt: new Date().toISOString(),
  };
}
