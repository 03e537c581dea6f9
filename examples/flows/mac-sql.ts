/**
 * MAC-SQL (Wang et al., 2023, https://arxiv.org/abs/2312.11242): three agents in a row. The selector cuts a large schema
 * down to the relations that matter, the decomposer answers sub-question by sub-question until the last one is the
 * question, the refiner runs the statement, and mends it while it fails or finds nothing. Prompts are our own, and hold
 * no demonstrations.
 */
import {
  type Catalog,
  createFlow,
  type Dialect,
  defineStep,
  defineTask,
  end,
  fence,
  qualifiedName,
} from '@askema/core';
import {
  cleanSql,
  executeSql,
  type FlowDeps,
  type FlowState,
  getSchema,
  type PromptInput,
  readQuestion,
  recordSpent,
  schemaOfRelations,
  sqlInput,
  taskMessages,
  text2SqlFlow,
} from '@askema/text2sql';
import * as z from 'zod';

export interface MacSqlOptions {
  /** Attributes of a schema that is shown whole; a larger one is cut. Default: 30. */
  readonly maxAttributes?: number | undefined;
  /** How often the refiner mends. Default: 3. */
  readonly maxRepairs?: number | undefined;
}

interface MacSqlSlice {
  readonly maxAttributes: number;
  readonly maxRepairs: number;
}
type State = FlowState<MacSqlSlice>;
type Deps = FlowDeps<object>;

const sql = z.string().describe('The whole statement, without a trailing semicolon.');

const select = defineTask({
  id: 'mac-sql.select',
  version: 1,
  render: (input: PromptInput) =>
    taskMessages(input, {
      job: 'Others will write the statement, and they see only the relations that you keep. Keep each one that the statement may read, and each one that joins two of these. When in doubt, keep it.',
    }),
  output: z.object({
    reasoning: z.string().describe('What the question needs, and where it stands.'),
    relations: z.array(z.string()).describe('The names of the relations to keep, as the schema has them.'),
  }),
});

const decompose = defineTask({
  id: 'mac-sql.decompose',
  version: 1,
  render: (input: PromptInput) =>
    taskMessages(input, {
      job: 'Take the question apart: begin with the simplest sub-question, and let each further one build on those before it, until the last one is the question itself. Write a statement for each. A simple question is its own only step.',
    }),
  output: z.object({
    steps: z.array(z.object({ sub_question: z.string(), sql: z.string() })),
    sql: sql.describe('The statement of the last step, which answers the question.'),
  }),
});

const refine = defineTask({
  id: 'mac-sql.refine',
  version: 1,
  render: (input: PromptInput & { readonly failed: string; readonly problem: string }) =>
    taskMessages(input, {
      job: 'The statement below was run, and what came of it stands behind it. Find the cause, and write the statement anew so that it answers the question.',
      sections: [fence('statement', input.failed), fence('what came of it', input.problem)],
    }),
  output: z.object({ cause: z.string(), sql }),
});

const step = defineStep<State, Deps>();

const selectStep = step({
  name: 'select',
  prep: (state) => ({ asked: readQuestion(state), maxAttributes: state.flow.maxAttributes }),
  exec: async ({ asked, maxAttributes }, context) => {
    const input = await sqlInput(asked, context.deps, context);
    if (input.catalog.schema.attributes.length <= maxAttributes) return null;
    const solved = await context.deps.solver.solve(select, input, context);
    const kept = relationsNamed(solved.value.relations, input);
    if (kept.length === 0) return { ...solved, schemaText: asked.schemaText, values: asked.values };
    const { attributes } = input.catalog.schema;
    const shown = new Set(attributes.flatMap(({ id, relation }) => (kept.includes(relation) ? [id] : [])));
    const values = asked.values.filter(({ attribute }) => shown.has(attribute));
    return { ...solved, schemaText: await schemaOfRelations(kept, asked, context), values };
  },
  post: (state, _start, selected) => {
    if (selected === null) return;
    recordSpent(state, selected);
    state.schema = selected.schemaText;
    state.values = selected.values;
  },
});

/** The relations that a model means; a name may be qualified and quoted, or not. */
function relationsNamed(
  names: readonly string[],
  { catalog, dialect }: { readonly catalog: Catalog; readonly dialect: Dialect },
): readonly string[] {
  const plain = (name: string): string => `.${name.replaceAll(/["`[\]\s]/g, '').toLowerCase()}`;
  const wanted = names.map(plain);
  return Object.entries(catalog.relations).flatMap(([id, { nameParts }]) => {
    const whole = plain(qualifiedName(nameParts, dialect));
    return wanted.some((name) => whole.endsWith(name) || name.endsWith(whole)) ? [id] : [];
  });
}

const decomposeStep = step({
  name: 'decompose',
  prep: readQuestion,
  exec: async (asked, context) =>
    context.deps.solver.solve(decompose, await sqlInput(asked, context.deps, context), context),
  post: (state, _asked, solved) => {
    recordSpent(state, solved);
    const { steps: taken, sql: whole } = solved.value;
    state.generatedSql = cleanSql(whole) || cleanSql(taken.at(-1)?.sql ?? '');
    state.maxDebugAttempts = state.flow.maxRepairs + 1;
  },
});

/** An empty result counts as an attempt that failed, as long as another one is left. */
const checkResult = step({
  name: 'check-result',
  actions: ['fine', 'empty'],
  exec: async () => null,
  post: (state) => {
    const isEmpty = state.finalResult?.length === 0;
    if (!isEmpty || state.debugAttempts + 1 >= state.maxDebugAttempts) return 'fine';
    state.debugAttempts += 1;
    const { sql = '' } = state.candidates.pop() ?? {};
    state.candidates.push({ sql, status: 'rejected', reason: EMPTY });
    return 'empty';
  },
});

const EMPTY = 'It ran and gave no rows.';

const refineStep = step({
  name: 'refine',
  prep: (state) => ({
    ...readQuestion(state),
    failed: state.generatedSql ?? '',
    problem: state.executionError?.message ?? EMPTY,
  }),
  exec: async (asked, context) =>
    context.deps.solver.solve(refine, await sqlInput(asked, context.deps, context), context),
  post: (state, _asked, solved) => {
    recordSpent(state, solved);
    state.generatedSql = cleanSql(solved.value.sql);
    state.explanation = solved.value.cause.trim() || null;
    state.executionError = null;
  },
});

const steps = createFlow<State, Deps>({ name: 'mac-sql' })
  .step(getSchema, { default: 'select' })
  .step(selectStep, { default: 'decompose' })
  .step(decomposeStep, { default: 'execute-sql' })
  .step(executeSql, { default: 'check-result', error_retry: 'refine', failed: end })
  .step(checkResult, { fine: end, empty: 'refine' })
  .step(refineStep, { default: 'execute-sql' })
  .build();

/** The flow. It only reads. */
export function macSql({ maxAttributes = 30, maxRepairs = 3 }: MacSqlOptions = {}) {
  return text2SqlFlow({
    flow: steps,
    access: 'read',
    needs: 'model',
    begin: (): MacSqlSlice => ({ maxAttributes, maxRepairs }),
    open: (): object => ({}),
  });
}
