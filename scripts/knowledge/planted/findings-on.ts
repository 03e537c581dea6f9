import { type Catalog, resolveAdapter } from '@askema/core';
import { checkKnowledge } from '../../../packages/knowledge/src/index.ts';
import type { LoadedEngine } from '../../same-answers/engines.ts';
import { PLANTED } from './planted-knowledge.ts';

/**
 * What a check of the planted knowledge finds on an engine that holds its tables; the engine is stopped.
 *
 * @param adapt changes the catalog before the check
 */
export async function findingsOn(
  engine: Pick<LoadedEngine, 'open' | 'stop'>,
  adapt: (catalog: Catalog) => Catalog = (catalog) => catalog,
): Promise<readonly string[]> {
  const adapter = resolveAdapter(engine.open());
  try {
    const catalog = adapt(await adapter.introspect());
    const { findings, skipped } = await checkKnowledge({ knowledge: PLANTED, adapter, catalog });
    const found = findings.map(({ entry, code, message }) => `${entry} ${code}: ${withoutOwnWords(message)}`);
    return [...found, ...skipped.map(({ what, reason }) => `${what} was skipped: ${reason}`)];
  } finally {
    await adapter.close();
    await engine.stop();
  }
}

/** What an engine says of a statement that fails is its own, and so is the case of a column that it names. */
function withoutOwnWords(message: string): string {
  return message.replace(/(?<= does not run: ).*/s, '…').replace(/(?<=It has )`\w+`/, (name) => name.toLowerCase());
}
