import { isLanguageModel } from '@askema/core';
import { conversation } from './conversation/conversation.ts';
import { auto } from './flows/auto/auto.ts';
import { plain } from './flows/plain/plain.ts';
import { openText2Sql } from './open-text2sql.ts';
import type { Text2SqlFlow } from './question/flow-spec.ts';
import type { Text2Sql } from './text2sql.ts';
import type { Text2SqlOptions } from './text2sql-options.ts';

/**
 * Puts an adapter, a model and a flow together:
 *
 * ```ts
 * const model = openai({ model: 'gpt-5-mini' });
 * const text2sql = createText2Sql({ adapter: sqlite({ file: 'store.sqlite' }), model });
 * const outcome = await text2sql.ask('Which five customers spent the most?');
 * if (outcome.type === 'answered') console.log(outcome.sql, outcome.result.rows);
 * await text2sql.close();
 * ```
 *
 * @throws AskemaError `CONFIG_INVALID` for options that contradict each other, and numbers out of range;
 * `CONTRACT_MISMATCH` for an adapter of another contract.
 */
export function createText2Sql(options: Text2SqlOptions): Text2Sql {
  const store = openText2Sql(options, defaultFlow);
  return {
    ...store,
    conversation({ name = 'database', model = options.model, runtime = options.runtime, ...given } = {}) {
      return conversation({ ...given, databases: { [name]: store }, model, runtime });
    },
  };
}

function defaultFlow({ model, access, sampleValues }: Text2SqlOptions): Text2SqlFlow {
  if (access === 'write' || !isLanguageModel(model)) return plain();
  // A revision shows the model rows of a result.
  return auto(sampleValues === 0 ? { effort: 'low' } : {});
}
