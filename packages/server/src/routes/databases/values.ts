import { AskemaError, type AttributeId, type Catalog, createCallContext, didYouMean } from '@askema/core';
import { likeIndex } from '@askema/value-index';
import * as z from 'zod';
import type { Route } from '../route.ts';

const QUERY = z.strictObject({
  text: z.string().min(1).max(200),
  attribute: z.string().max(1_000).optional().describe('The id of one, from the catalog. Default: all.'),
  limit: z.coerce.number().int().min(1).max(100).optional().describe('Default: 20.'),
});
const FOUND = z.object({
  values: z.array(z.object({ attribute: z.string(), value: z.string(), score: z.number().min(0).max(1) })),
});

/** Cells that a text may mean. */
export const findValues: Route = {
  method: 'GET',
  path: '/v1/databases/:database/values',
  scope: 'catalog',
  summary: 'Find cells by their text',
  description:
    'The database is asked, for at most 5 seconds; what was found until then is given, the most alike first.',
  query: QUERY,
  output: FOUND,
  async handle(call) {
    const { text, attribute, limit = 20 } = call.query(QUERY);
    const { adapter, text2sql } = await call.database(call.param('database'));
    const { signal, caller } = call;
    const catalog = await text2sql.catalog({ signal });
    const attributes = attribute === undefined ? undefined : [attributeOf(catalog, attribute)];
    const context = createCallContext({ path: 'values', signal, tenant: caller.tenant });
    const found = await likeIndex(adapter, catalog).find({ text, attributes, limit, context });
    return { values: found.map(({ attribute: of, value, score }) => ({ attribute: of, value, score })) };
  },
};

function attributeOf(catalog: Catalog, given: string): AttributeId {
  const ids = catalog.schema.attributes.map(({ id }) => id);
  const found = ids.find((id) => id === given);
  if (found !== undefined) return found;
  const hint = didYouMean(given, ids);
  throw new AskemaError(
    'INPUT_INVALID',
    `The catalog has no attribute ${JSON.stringify(given.slice(0, 200))}. ${hint}`.trim(),
  );
}
