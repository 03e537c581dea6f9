import { rememberEach, viewsBehind } from '@askema/adapter-kit';
import type { CallLimits, ViewRead } from '@askema/core';
import { bigqueryDialect } from '@askema/dialects';
import { lexSql, nameOfToken, relationPlaces } from '@askema/sql';
import type { OpenClient } from '../client/create-client.ts';
import { failureOf } from '../errors/rest-failure.ts';
import type { RestTable } from '../rest-types.ts';

const keptOf = new WeakMap<OpenClient, ReturnType<typeof rememberEach<ViewRead | undefined>>>();

/**
 * The views that a statement reads, also through views, by `tables.get`, which is free: one request for each name. Who
 * may read a table and not look at it does not see whether it is a view: it counts as one without a definition.
 *
 * @param now also where one was looked up a moment ago.
 */
export async function readViews(
  client: OpenClient,
  sql: string,
  limits: CallLimits,
  now: boolean,
): Promise<readonly ViewRead[]> {
  const kept = keptOf.get(client) ?? rememberEach<ViewRead | undefined>();
  keptOf.set(client, kept);
  const { lexer } = bigqueryDialect;
  const billing = await client.billingProject(limits);
  const places = relationPlaces(sql, lexer);
  // `FROM t, t.items` reads a column of t.
  const rows = new Set(places.flatMap(({ path, next }) => [path.at(-1), next && nameOfToken(next, lexer)]));
  return viewsBehind(
    sql,
    bigqueryDialect,
    async (path, within) => {
      const parts = path.flatMap((part) => part.split('.'));
      const given = client.defaultDataset(billing);
      const dataset = parts.at(-2) ?? within?.schema ?? given?.dataset;
      const table = parts.at(-1) ?? '';
      const project = parts.slice(0, -2).join('.') || within?.database || (parts.length > 1 ? billing : given?.project);
      const isOwn = dataset === undefined || project === undefined || table.includes('*');
      const isItsMetadata = /^(INFORMATION_SCHEMA|__TABLES__)$/i.test(dataset ?? '') || /^__TABLES/i.test(table);
      if (isOwn || isItsMetadata || parts.some((part) => /^INFORMATION_SCHEMA$/i.test(part))) return undefined;
      const isNamed = within === undefined && !rows.has(path[0]);
      const read = () => lookUp(client, [project, dataset, table], limits, isNamed);
      return kept(`${project}.${dataset}.${table}`, read, now);
    },
    dashedNames(sql),
  );
}

async function lookUp(
  { transport }: OpenClient,
  [project, dataset, table]: readonly [string, string, string],
  limits: CallLimits,
  isNamed: boolean,
): Promise<ViewRead | undefined> {
  const nameParts = { database: project, schema: dataset, relation: table };
  try {
    const path = ['projects', project, 'datasets', dataset, 'tables', table];
    const { type, view, materializedView } = await transport.request<RestTable>({ method: 'GET', path, limits });
    if (type !== 'VIEW' && type !== 'MATERIALIZED_VIEW') return undefined;
    return { nameParts, definition: view?.query ?? materializedView?.query };
  } catch (thrown) {
    const failure = failureOf(thrown);
    if (failure === undefined) throw thrown;
    // What a view reads with the rights of its owner need not be seen.
    return failure.status === 403 && isNamed ? { nameParts } : undefined;
  }
}

/** Names whose project has dashes and no quotes: `my-project.dataset.table`. */
function dashedNames(sql: string): readonly (readonly string[])[] {
  // Texts and comments are blanked out.
  const code = lexSql(sql, bigqueryDialect.lexer)
    .map(({ kind, text }) => (kind === 'string' || kind === 'comment' ? ' ' : text))
    .join('');
  return [...code.matchAll(/(?<![\w.`-])([A-Za-z]\w*(?:-\w+)+)\.`?(\w+)`?\.`?([\w-]+)`?/g)].map(
    ([, ...parts]) => parts,
  );
}
