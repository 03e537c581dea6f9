import type { Catalog, Solver, Value } from '@askema/core';
import { expect, it } from 'vitest';
import { createText2Sql } from '../create-text2sql.ts';
import { businessCatalog, shardedCatalog } from '../fixtures/business-catalog.ts';
import { scriptedAdapter, shopCatalog } from '../fixtures/scripted-adapter.ts';
import { scriptedSolver } from '../fixtures/scripted-solver.ts';
import { showMessages } from '../fixtures/show-messages.ts';

/** The first prompt of the default flow, as a model gets it. */
async function promptOf(catalog: Catalog, question: string, access: 'read' | 'write' = 'read'): Promise<string> {
  const few: readonly Value[] = ['closed', 'open'];
  const many = Array.from({ length: 12 }, (_, at) => `Name ${String.fromCharCode(65 + at)}`);
  const adapter = {
    ...scriptedAdapter(() => [[1]], { catalog, access }),
    sampleValues: async (ids: readonly string[]) =>
      Object.fromEntries(ids.map((id) => [id, id.endsWith('status') ? few : id.endsWith('name') ? many : []])),
  };
  let prompt = '';
  const inner = scriptedSolver(['SELECT 1'], { supports: () => true });
  const solve: Solver['solve'] = (task, input, context) => {
    prompt = showMessages(task.render(input));
    return inner.solve(task, input, context);
  };
  await createText2Sql({ adapter, model: { ...inner, solve }, access, linkValues: false }).ask(question, {
    today: '2026-11-29',
  });
  return `${prompt}\n`;
}

it.each([
  ['small', shopCatalog(), 'How many customers are called Ann?', 'read'],
  ['109-relations', businessCatalog(109), 'Which support tickets are still open, and what was paid for them?', 'read'],
  ['20000-relations', businessCatalog(20_000), 'Which support tickets are still open?', 'read'],
  ['warehouse-families', shardedCatalog(366), 'How many events were closed on 3 March 2024?', 'read'],
  ['write', shopCatalog(), 'Delete the customer with the id 3.', 'write'],
] as const)('the whole prompt: %s', async (name, catalog, question, access) => {
  await expect(await promptOf(catalog, question, access)).toMatchFileSnapshot(`__snapshots__/whole/${name}.md`);
});
