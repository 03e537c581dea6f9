import { type CallLimitsOptions, isAskemaError } from '@askema/core';
import type { Database } from '../database.ts';
import type { LeftOut, RawAttribute, RawCatalog, RawColumns, RawRelation } from '../protocol.ts';
import { nameOfToken, significantTokens } from '../sql/tokens.ts';

/** One relation whose columns take longer is left out. */
const RELATION_MS = 2_000;

type Limits = CallLimitsOptions & { readonly timeoutMs: number };

/**
 * With the columns of views and virtual tables. A view may keep SQLite busy for ever, and nothing but a kill of the
 * worker ends that: the relation at which it was busy is left out, and so are views that name it.
 */
export async function withColumns(client: Database['client'], raw: RawCatalog, limits: Limits): Promise<RawCatalog> {
  const attributes: RawAttribute[] = [];
  const leftOut: LeftOut[] = [...raw.leftOut];
  const deadline = performance.now() + limits.timeoutMs;
  const known = new Set(leftOut.map(([name]) => name));
  let left: readonly RawRelation[] = raw.relations.filter(([name, kind]) => kind !== 'table' && !known.has(name));
  while (left.length > 0) {
    const timeoutMs = Math.min(RELATION_MS, Math.ceil(deadline - performance.now()));
    if (timeoutMs <= 0) {
      const why = `the relations before it took all of the ${limits.timeoutMs} ms that there are for their columns`;
      leftOut.push(...left.map(([name]): LeftOut => [name, why]));
      break;
    }
    let done = 0;
    try {
      const request = { type: 'columns', relations: left.map(([name]) => name) } as const;
      for await (const rows of client.rows(request, { ...limits, timeoutMs })) {
        const [[relation, why], ...columns] = rows as unknown as RawColumns;
        if (why === null) attributes.push(...columns);
        else leftOut.push([relation, why]);
        done += 1;
      }
      left = [];
    } catch (thrown) {
      if (!isAskemaError(thrown) || !/^(QUERY_|DATABASE_UNAVAILABLE)/.test(thrown.code)) throw thrown;
      left = left.slice(done);
      const isTime = thrown.code === 'QUERY_TIMEOUT';
      const [slow] = left;
      // One that only waited for a worker can be tried again.
      if (done > 0 || (isTime && thrown.retryable) || slow === undefined) continue;
      leftOut.push([slow[0], isTime ? `SQLite did not find its columns within ${timeoutMs} ms` : thrown.message]);
      left = withoutThoseThatName(slow[0], left.slice(1), leftOut);
    }
  }
  return { ...raw, attributes: [...raw.attributes, ...attributes], leftOut };
}

function withoutThoseThatName(slow: string, left: readonly RawRelation[], leftOut: LeftOut[]): readonly RawRelation[] {
  const out = new Map([[slow.toLowerCase(), slow]]);
  return left.filter(([name, , sql]) => {
    const named = [...significantTokens(sql ?? '')].flatMap((token) => {
      const text = nameOfToken(token)?.toLowerCase();
      return text === undefined || text === name.toLowerCase() ? [] : (out.get(text) ?? []);
    })[0];
    if (named === undefined) return true;
    out.set(name.toLowerCase(), name);
    leftOut.push([name, `it names ${named}, whose columns could not be read`]);
    return false;
  });
}
