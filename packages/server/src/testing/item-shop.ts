import { type AdapterSpec, AskemaError, type ModelRequest, textOf } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { type ScriptedReply, scriptedModel } from '@askema/testkit';
import { plain } from '@askema/text2sql';
import type { ServedDatabase } from '../contract.ts';
import { SHOP } from './shop-catalog.ts';

/** A call of the model that was sent, and so is paid. */
export interface PaidCall {
  readonly process: number;
  readonly item: string;
  /** What it was asked for. */
  readonly call: 'write' | 'ask-back' | 'repair';
  readonly key: string;
}

export interface ItemShopOptions {
  readonly onCall: (call: PaidCall) => Promise<void> | void;
  readonly onStatement?: ((sql: string, signal: AbortSignal | undefined) => Promise<void> | void) | undefined;
}

/**
 * A database and a language model by script. A question names an item, as `item-7`: the first statement for it fails, the
 * second gives a row that names the item and the tenant. A question about an `undated` item is asked back before.
 */
export function itemShop({ onCall, onStatement }: ItemShopOptions): ServedDatabase {
  const model = scriptedModel(async (request): Promise<ScriptedReply> => {
    const paid = paidCallOf(request);
    await onCall(paid);
    const { item, call } = paid;
    if (call === 'repair') return { json: { explanation: 'the right name', sql: `SELECT '${item}'` } };
    const read = { explanation: 'Placed or shipped?', not_understood: [] };
    if (call === 'ask-back') return { json: { ...read, outcome: 'needs_clarification', sql: '' } };
    return { json: { ...read, outcome: 'sql', sql: `SELECT '${item} broken'` } };
  });
  const spec = (tenant: string): AdapterSpec => ({
    contract: 1,
    dialect: sqliteDialect,
    name: 'items',
    access: 'read',
    executor: {
      async *execute(sql, { context }) {
        const [, item, broken] = /'(item-\d+)( broken)?'/.exec(sql) ?? [];
        // What is looked up beside questions has no part in the script.
        if (item === undefined) throw new AskemaError('QUERY_FAILED', 'No answer.');
        await onStatement?.(sql, context.signal);
        if (broken !== undefined)
          throw new AskemaError('QUERY_FAILED', 'no such column', { details: { errorClass: 'identifier' } });
        yield { type: 'columns', columns: [{ name: 'found', nativeType: '', type: 'TEXT' }] };
        yield { type: 'rows', rows: [[`${item} of ${tenant}`]] };
        yield { type: 'end' };
      },
    },
    introspector: { introspect: async () => SHOP },
    planner: { check: async () => ({ verdict: 'ok' }) },
    scope: () => spec(tenant),
    close: async () => undefined,
  });
  return {
    open: ({ tenant = 'nobody' }) => ({
      adapter: spec(tenant),
      text2sql: { model, flow: plain(), linkValues: false, sampleValues: 0 },
    }),
  };
}

function paidCallOf({ messages, context }: ModelRequest): PaidCall {
  const text = messages.map(({ content }) => textOf(content)).join('\n');
  const [item = 'none'] = /item-\d+/.exec(text) ?? [];
  const isAskedBack = text.includes('undated item') && !text.includes('shipped, please');
  const call = text.includes('no such column') ? 'repair' : isAskedBack ? 'ask-back' : 'write';
  return { process: process.pid, item, call, key: context.idempotencyKey };
}
