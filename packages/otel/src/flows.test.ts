import { AskemaError, type JsonValue, type ModelRequest, type Row, textOf } from '@askema/core';
import type { ScriptedReply } from '@askema/testkit';
import { auto, createText2Sql, direct, inspect, plain, react, refine, type Text2SqlFlow } from '@askema/text2sql';
import { expect, it } from 'vitest';
import { expectQuiet, expectSpent } from './test-support/expect-told.ts';
import { CANARY, obligingModel, SQL, shop } from './test-support/shop.ts';
import { telemetry, treeOf } from './test-support/telemetry.ts';

interface Case {
  readonly flow: Text2SqlFlow;
  readonly reply?: Parameters<typeof obligingModel>[0];
  readonly rows?: Parameters<typeof shop>[0];
}

/** Fails the first time that the statement of the answer is run. */
function refusesOnce(): NonNullable<Case['rows']> {
  let refused = false;
  return (sql) => {
    if (sql !== SQL || refused) return [[CANARY.row]];
    refused = true;
    throw new AskemaError('QUERY_FAILED', `no such column ${CANARY.literal}`);
  };
}

/** Another row for each statement, so that no two threads agree. */
function neverTheSame(): NonNullable<Case['rows']> {
  let count = 0;
  return (): readonly Row[] => {
    count += 1;
    return [[`${CANARY.row}-${count}`]];
  };
}

const isFor = ({ output }: ModelRequest, task: string) => output?.name?.replaceAll('_', '-') === `text2sql-${task}`;

/** Clauses as an answer of the flow `inspect` gives them. */
const clauses = (...actions: readonly JsonValue[]): ScriptedReply => ({
  json: { thinking: '', outcome: 'actions', actions: [...actions], explanation: CANARY.literal, not_understood: [] },
});
const from = { action: 'add_from', relation: 'customer', alias: '', joins: [] };
const select = (expression: string) => ({
  action: 'add_select',
  distinct: false,
  items: [{ expression, alias: '' }],
});

/** A sub-question first, whose answer the statement uses. */
function asksFirst(request: ModelRequest): ScriptedReply | undefined {
  if (!isFor(request, 'generate-actions')) return undefined;
  const { content = [] } = request.messages.at(-1) ?? {};
  if (textOf(content).endsWith('Question: What is the mean id?')) return clauses(from, select('AVG(id)'));
  const mean = { action: 'qa', id: 'mean', question: 'What is the mean id?', use: 'value' };
  const where = { action: 'add_where', left: 'id', operator: '>', link: 'none', group: 0 };
  return clauses(mean, from, { ...where, right: [{ kind: 'expression', value: '$mean' }] }, select('name'));
}

/** Of answers that do not agree. */
const chosen: ScriptedReply = { json: { reason: CANARY.literal, choice: 'A' } };

const CASES: Readonly<Record<string, Case>> = {
  plain: { flow: plain() },
  'plain, a statement mended': { flow: plain(), rows: refusesOnce() },
  direct: { flow: direct() },
  'auto, low': { flow: auto({ effort: 'low' }) },
  auto: { flow: auto() },
  'auto, high, doubted to the end': {
    flow: auto({ effort: 'high', refine: { limits: { threads: 2, concurrency: 1 } } }),
    rows: neverTheSame(),
    reply: (request, index) => {
      if (isFor(request, 'choose-answer')) return chosen;
      const sql = `${SQL} AND id <> ${index}4711`;
      return isFor(request, 'revise-sql')
        ? { json: { assessment: CANARY.literal, is_right: 'no', sql, explanation: '' } }
        : undefined;
    },
  },
  react: {
    flow: react(),
    reply: (_request, index) =>
      index === 0 ? { toolCalls: [{ name: 'execute_sql', arguments: { sql: SQL } }] } : undefined,
  },
  refine: { flow: refine({ limits: { threads: 2 } }) },
  'refine, no two agree': {
    flow: refine({ limits: { threads: 2, concurrency: 1 } }),
    rows: neverTheSame(),
    reply: (request) => (isFor(request, 'choose-answer') ? chosen : undefined),
  },
  'refine, paper': { flow: refine({ preset: 'paper', limits: { threads: 2, concurrency: 1, maxIterations: 2 } }) },
  inspect: { flow: inspect() },
  'inspect, with a sub-question': {
    flow: inspect({ actions: 'structured', reviseFrom: 'error', stages: { retriever: false } }),
    reply: asksFirst,
  },
};

it.each(Object.entries(CASES))(
  '1, 4, 8: the spans of %s, without a literal, prompt or row, and its tokens',
  async (_name, { flow, reply, rows }) => {
    using sdk = telemetry();
    const { tracing } = sdk;
    const model = tracing.model(obligingModel(reply));
    await using store = createText2Sql({
      adapter: tracing.adapter(shop(rows)),
      model,
      onEvent: tracing.onEvent,
      flow,
    });
    const outcome = await store.ask(`Who is called ${CANARY.question}?`);
    expect(`${outcome.type}\n${treeOf(sdk.spans())}\n`).toMatchSnapshot();
    expect(sdk.spans()[0]?.attributes['askema.outcome']).toBe(outcome.type);
    await expectQuiet(sdk);
    await expectSpent(sdk, outcome.usage);
  },
);
