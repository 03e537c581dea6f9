import {
  type CallContext,
  countTokensRoughly,
  type GenerateSqlInput,
  isAskemaError,
  type Solved,
  type Solver,
  type Task,
} from '@askema/core';
import type { FitSchema, QuestionDeps } from '../question/question-deps.ts';
import { knowledgeOf, renderSchema } from './render-schema.ts';

/** What a prompt is made of whose schema can be made smaller. */
type WithSchema = Pick<GenerateSqlInput, 'schemaText' | 'catalog' | 'question' | 'evidence' | 'documents' | 'meanings'>;

/**
 * For one run: where a model answers that a prompt is too long, it is asked once more, with half the schema; so are all
 * further prompts of the run. What a model was shown beyond the first schema is not in it.
 */
export function createFitSchema(deps: Pick<QuestionDeps, 'adapter' | 'catalogs' | 'schemaOptions'>): FitSchema {
  const { countTokens = countTokensRoughly } = deps.schemaOptions;
  let most: number | undefined;
  const shrink = async <In extends WithSchema>(
    input: In,
    maxSchemaTokens: number,
    context: CallContext,
    warnings: string[],
  ): Promise<In> => {
    const { catalog, question, evidence, documents, meanings } = input;
    const knowledge = knowledgeOf(evidence, documents, meanings?.text);
    const smaller = { ...deps, schemaOptions: { ...deps.schemaOptions, maxSchemaTokens } };
    const { text } = await renderSchema(catalog, { question, knowledge }, smaller, context, warnings);
    return { ...input, schemaText: text };
  };
  return async (input, context, ask) => {
    const warnings: string[] = [];
    const before = most;
    const first = before === undefined || !hasSchema(input) ? input : await shrink(input, before, context, warnings);
    try {
      return { answer: await ask(first), warnings: [] };
    } catch (thrown) {
      const isTooLong = isAskemaError(thrown) && thrown.code === 'MODEL_CONTEXT_TOO_LONG';
      if (!isTooLong || before !== undefined || !hasSchema(input) || input.schemaText === '') throw thrown;
      most ??= Math.floor(countTokens(input.schemaText) / 2);
      const answer = await ask(await shrink(input, most, context, warnings));
      const said = `The prompt was too long for the model, which was asked again with at most ${most} tokens of the schema. Set \`maxSchemaTokens\` (--max-schema-tokens) to begin with so many.`;
      return { answer, warnings: [said, ...warnings] };
    }
  };
}

/** The solvers of one run, which are asked so. */
export function fittedSolvers(fit: FitSchema): (solver: Solver) => Solver {
  const made = new Map<Solver, Solver>();
  const fitted = (solver: Solver): Solver => ({
    name: solver.name,
    needs: solver.needs,
    supports: (taskId) => solver.supports(taskId),
    async solve<In, Out>(task: Task<In, Out>, input: In, context: CallContext): Promise<Solved<Out>> {
      const { answer, warnings } = await fit(input, context, (one) => solver.solve(task, one, context));
      return warnings.length === 0 ? answer : { ...answer, warnings: [...answer.warnings, ...warnings] };
    },
  });
  return (solver) => {
    const one = made.get(solver) ?? fitted(solver);
    made.set(solver, one);
    return one;
  };
}

function hasSchema<In>(input: In): input is In & WithSchema {
  return typeof (input as Partial<WithSchema> | undefined)?.schemaText === 'string';
}
