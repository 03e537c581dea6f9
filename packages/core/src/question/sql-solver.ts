import type { CallContext } from '../context/call-context.ts';
import { AskemaError, throwIfAborted } from '../errors/askema-error.ts';
import { UNKNOWN_USAGE } from '../model/usage.ts';
import type { Solved, Solver, Task } from '../task/task.ts';
import { GENERATE_SQL_TASK_ID, type GenerateSqlInput, type GenerateSqlOutput } from './generate-sql.ts';

/** What a solver without a model makes of a question, and what else is known of it: see `Solved`. */
export interface SqlAnswer extends Pick<Solved<GenerateSqlOutput>, 'readings' | 'assumptions'> {
  readonly output: GenerateSqlOutput;
}

/**
 * A solver of the generate task of text2sql that asks no model: `answer` is all that it does. It wants the cells that
 * the question mentions.
 *
 * `solve` rejects with `TASK_UNSUPPORTED` for every other task, `INPUT_INVALID` for an input of another shape,
 * `ABORTED`, and with what `answer` throws.
 */
export function sqlSolver(name: string, answer: (input: GenerateSqlInput) => SqlAnswer): Solver {
  return {
    name,
    needs: ['values'],
    supports: (taskId) => taskId === GENERATE_SQL_TASK_ID,
    async solve<In, Out>(task: Task<In, Out>, input: In, context: CallContext): Promise<Solved<Out>> {
      throwIfAborted(context.signal, `The ${name} solver`);
      if (task.id !== GENERATE_SQL_TASK_ID)
        throw new AskemaError(
          'TASK_UNSUPPORTED',
          `The ${name} solver answers only the task ${GENERATE_SQL_TASK_ID}, not ${JSON.stringify(task.id)}; use a model for it.`,
        );
      const { output, readings, assumptions } = answer(checkInput(input, name));
      return {
        value: await checkOutput(task, output, name),
        readings,
        assumptions,
        usage: UNKNOWN_USAGE,
        calls: 0,
        solvedBy: name,
        warnings: [],
      };
    },
  };
}

function checkInput(input: unknown, name: string): GenerateSqlInput {
  const candidate = input as Partial<GenerateSqlInput> | null | undefined;
  const complete =
    typeof candidate?.question === 'string' &&
    typeof candidate.catalog?.schema === 'object' &&
    typeof candidate.dialect?.identifiers === 'object';
  if (complete) return input as GenerateSqlInput;
  throw new AskemaError(
    'INPUT_INVALID',
    `The ${name} solver needs an input with \`question\`, \`catalog\` and \`dialect\`; see GenerateSqlInput in @askema/core.`,
  );
}

/** The task's own output schema has the last word on the shape. */
async function checkOutput<In, Out>(task: Task<In, Out>, answer: GenerateSqlOutput, name: string): Promise<Out> {
  const checked = await task.output['~standard'].validate(answer);
  if (checked.issues === undefined) return checked.value;
  throw new AskemaError(
    'TASK_UNSUPPORTED',
    `The output of the task ${task.id} has a different shape than the one of @askema/core that the ${name} solver gives: ${checked.issues[0]?.message ?? 'unknown'}.`,
  );
}
