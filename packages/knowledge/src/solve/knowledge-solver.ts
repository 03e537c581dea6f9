import {
  AskemaError,
  type CallContext,
  type Catalog,
  type Dialect,
  GENERATE_SQL_TASK_ID,
  type GenerateSqlInput,
  type GenerateSqlOutput,
  type Solved,
  type Solver,
  type Task,
  throwIfAborted,
  UNKNOWN_USAGE,
} from '@askema/core';
import { bindKnowledge } from '../bind/bind-knowledge.ts';
import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { usableKnowledge } from '../folder/usable-knowledge.ts';
import type { Knowledge } from '../model/knowledge.ts';
import { answerFromKnowledge } from './answer-from-knowledge.ts';

/**
 * Solves the generate task of text2sql from knowledge alone, without a model, a network or a key: a verified query
 * whose question is the same, else metrics, dimensions, filters and periods that are read by their names and compiled.
 * Only what is accepted and did not fail its last check is used. What it cannot read it declines, with the words that
 * it did not understand.
 *
 * `solve` rejects with `TASK_UNSUPPORTED` for every other task, `INPUT_INVALID` for an input of another shape, and
 * `ABORTED`.
 */
export function knowledgeSolver(knowledge: Knowledge): Solver {
  const usable = usableKnowledge(knowledge).knowledge;
  const catalogs = new WeakMap<Catalog, { readonly dialect: Dialect; readonly bound: BoundKnowledge }>();
  const boundTo = ({ catalog, dialect }: GenerateSqlInput): BoundKnowledge => {
    const known = catalogs.get(catalog);
    if (known?.dialect === dialect) return known.bound;
    const bound = bindKnowledge(usable, { catalog, dialect });
    catalogs.set(catalog, { dialect, bound });
    return bound;
  };
  return {
    name: 'knowledge',
    needs: ['values'],
    supports: (taskId) => taskId === GENERATE_SQL_TASK_ID,
    async solve<In, Out>(task: Task<In, Out>, input: In, context: CallContext): Promise<Solved<Out>> {
      throwIfAborted(context.signal, 'The knowledge solver');
      if (task.id !== GENERATE_SQL_TASK_ID) throw unsupported(task.id);
      const known = checkInput(input);
      const { output, readings, assumptions } = answerFromKnowledge(known, boundTo(known));
      return {
        value: await checkOutput(task, output),
        readings,
        assumptions,
        usage: UNKNOWN_USAGE,
        calls: 0,
        solvedBy: 'knowledge',
        warnings: [],
      };
    },
  };
}

function unsupported(taskId: string): AskemaError {
  return new AskemaError(
    'TASK_UNSUPPORTED',
    `The knowledge solver answers only the task ${GENERATE_SQL_TASK_ID}, not ${JSON.stringify(taskId)}; use a model for it.`,
  );
}

function checkInput(input: unknown): GenerateSqlInput {
  const candidate = input as Partial<GenerateSqlInput> | null | undefined;
  const complete =
    typeof candidate?.question === 'string' &&
    typeof candidate.catalog?.schema === 'object' &&
    typeof candidate.dialect?.identifiers === 'object';
  if (complete) return input as GenerateSqlInput;
  throw new AskemaError(
    'INPUT_INVALID',
    'The knowledge solver needs an input with `question`, `catalog` and `dialect`; see GenerateSqlInput in @askema/core.',
  );
}

/** The task's own output schema has the last word on the shape. */
async function checkOutput<In, Out>(task: Task<In, Out>, answer: GenerateSqlOutput): Promise<Out> {
  const checked = await task.output['~standard'].validate(answer);
  if (checked.issues === undefined) return checked.value;
  throw new AskemaError(
    'TASK_UNSUPPORTED',
    `The output of the task ${task.id} has a different shape than the one of @askema/core that the knowledge solver gives: ${checked.issues[0]?.message ?? 'unknown'}.`,
  );
}
