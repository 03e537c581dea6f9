import { type BudgetOptions, createBudget, createCallContext, type ModelRequest, withBudget } from '@askema/core';
import { scriptedModel } from '@askema/testkit';
import { expect, test } from 'vitest';
import type { CallerLimits } from '../contract.ts';
import { forRequest } from '../statements/current-request.ts';
import { budgetOfCallers } from './budget-of-callers.ts';
import { Limiter } from './limiter.ts';

const DAY = 86_400_000;
const PRICES = { 'scripted:scripted': { input: 0, output: 10 } };
const reply = { text: 'ok', usage: { inputTokens: 10, outputTokens: 10 } };
const request = (): ModelRequest => ({
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
  maxOutputTokens: 50,
  sample: 0,
  context: createCallContext(),
});

function modelOf(limits: CallerLimits, given?: BudgetOptions) {
  let now = 0;
  const runtime = { clock: { now: () => now } };
  const limiter = new Limiter({ limits, prices: PRICES, runtime });
  const inner = scriptedModel(() => reply);
  const model = withBudget(inner, budgetOfCallers(limiter, given && { ...given, prices: PRICES, runtime }));
  const as = (subject: string) => {
    const current = { requestId: 'r', caller: { subject, scopes: [] }, route: 'test' };
    return () => forRequest(current, () => model.generate(request()));
  };
  return { model, inner, limiter, as, tomorrow: () => (now += DAY) };
}

test('tokens of a day are those of the caller, in calls under way as well, and new ones come with the next day', async () => {
  const { as, inner, limiter, tomorrow } = modelOf({ tokensPerDay: 100 });
  const both = await Promise.allSettled([as('ada')(), as('ada')()]);
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  for (let call = 0; call < 2; call += 1) await as('ada')();
  await expect(as('ada')()).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
  expect(inner.requests).toHaveLength(3);
  await as('bob')();
  limiter.of({ subject: 'ada', scopes: [] }).beginQuestion();
  tomorrow();
  await as('ada')();
});

test('money as well; a question that cannot be paid for does not begin', async () => {
  const { as, limiter } = modelOf({ costUsdPerDay: 0.0001 });
  await expect(as('ada')()).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
  const { as: other, limiter: others } = modelOf({ costUsdPerDay: 0.0005 });
  await other('ada')();
  await expect(other('ada')()).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
  const spent = others.of({ subject: 'ada', scopes: [] }).budget()?.spent();
  expect(spent).toMatchObject({ calls: 1, inputTokens: 10, outputTokens: 10, costUsd: 0.0001 });
  expect(() => limiter.of({ subject: 'bob', scopes: [] }).beginQuestion()).not.toThrow();
});

test('a limit of the database is that of each request, beside that of the caller', async () => {
  const { as } = modelOf({ tokensPerDay: 1000 }, { maxCalls: 1 });
  const first = as('ada');
  await first();
  await expect(first()).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED', details: { limit: 'maxCalls' } });
  await as('ada')();
});

test('a budget that the application shares counts what all callers use', async () => {
  const shared = createBudget({ maxCalls: 2 });
  const model = withBudget(
    scriptedModel(() => reply),
    budgetOfCallers(new Limiter({}), shared),
  );
  await forRequest({ requestId: 'r', caller: { subject: 'ada', scopes: [] }, route: 't' }, () =>
    model.generate(request()),
  );
  await model.generate(request());
  await expect(model.generate(request())).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
  expect(shared.spent().calls).toBe(2);
});

test('a model without a price is not asked by a caller whose money is limited', async () => {
  const limiter = new Limiter({ limits: { costUsdPerDay: 1 }, prices: {} });
  const inner = scriptedModel(() => reply);
  const model = withBudget(inner, budgetOfCallers(limiter, undefined));
  const asked = forRequest({ requestId: 'r', caller: { subject: 'a', scopes: [] }, route: 't' }, () =>
    model.generate(request()),
  );
  await expect(asked).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  expect(inner.requests).toEqual([]);
});
