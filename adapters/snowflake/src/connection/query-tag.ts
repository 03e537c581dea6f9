import type { CallContext } from '@askema/core';

/** Snowflake takes 2,000 characters. */
const MAX_LENGTH = 2_000;

/**
 * The QUERY_TAG of a statement, as JSON for QUERY_HISTORY: `{"app":"askema","run":…,"path":…,"tag":…,"tags":{…}}`. Tags that no longer fit
 * are left out.
 */
export function queryTagOf({ runId, path, tags, tenant }: CallContext, tag: string | undefined): string {
  const about = {
    app: 'askema',
    run: runId.slice(0, 200),
    path: path.slice(0, 300),
    tenant: tenant?.slice(0, 200),
    tag,
  };
  const kept: Record<string, string> = {};
  let text = JSON.stringify(about);
  for (const [name, value] of Object.entries(tags)) {
    const longer = JSON.stringify({ ...about, tags: { ...kept, [name]: value } });
    if (longer.length > MAX_LENGTH) continue;
    kept[name] = value;
    text = longer;
  }
  return text.slice(0, MAX_LENGTH);
}
