import { countTokensRoughly, createFlow, defineStep, end } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { createText2Sql } from '../create-text2sql.ts';
import { businessCatalog } from '../fixtures/business-catalog.ts';
import { scriptedAdapter } from '../fixtures/scripted-adapter.ts';
import { scriptedSolver } from '../fixtures/scripted-solver.ts';
import { type FlowDeps, type FlowState, text2SqlFlow } from '../question/flow-spec.ts';
import { readQuestion } from '../question/question-input.ts';
import type { Text2SqlOptions } from '../text2sql-options.ts';
import { getSchema } from './get-schema.ts';
import { schemaOfRelations } from './schema-of-relations.ts';

const catalog = businessCatalog(20);
const idOf = (name: string): string => catalog.schema.relations.find((relation) => relation.name === name)?.id ?? '';

/** What a step of a flow is given for these relations. */
async function textOf(
  relations: readonly string[],
  options: Pick<Text2SqlOptions, 'maxSchemaTokens'> = {},
): Promise<string> {
  let text = '';
  const cut = defineStep<FlowState<object>, FlowDeps<object>>()({
    name: 'cut',
    prep: readQuestion,
    exec: (asked, context) => schemaOfRelations(relations, asked, context),
    post: (state, _asked, found) => {
      text = found;
      state.verdict = { type: 'refused', reason: 'only looked' };
    },
  });
  const flow = createFlow<FlowState<object>, FlowDeps<object>>({ name: 'cut' })
    .step(getSchema, { default: 'cut' })
    .step(cut, { default: end })
    .build();
  await createText2Sql({
    ...options,
    adapter: scriptedAdapter(() => [[1]], { catalog }),
    model: scriptedSolver([]),
    flow: text2SqlFlow({ flow, access: 'read', needs: [], begin: () => ({}), open: () => ({}) }),
  }).ask('Who?');
  return text;
}

describe('schemaOfRelations', () => {
  it('writes the relations that are named and no others, with the keys between them alone', async () => {
    const both = await textOf([idOf('sales_orders'), idOf('sales_customers'), 'nothing']);
    expect([...both.matchAll(/CREATE TABLE (\w+)/g)].map(([, name]) => name)).toEqual([
      'sales_orders',
      'sales_customers',
    ]);
    expect(both).toMatch(/sales_customers[\s\S]*(?:REFERENCES|->|→) ?sales_orders/);
    const alone = await textOf([idOf('sales_customers')]);
    expect(alone).toContain('status');
    expect(alone).not.toContain('sales_orders');
  });

  it('keeps to the token budget of the schema', async () => {
    const all = catalog.schema.relations.map(({ id }) => id);
    expect(countTokensRoughly(await textOf(all))).toBeGreaterThan(300);
    expect(countTokensRoughly(await textOf(all, { maxSchemaTokens: 200 }))).toBeLessThanOrEqual(200);
  });
});
