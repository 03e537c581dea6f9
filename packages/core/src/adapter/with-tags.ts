import type { Explorer } from '../explore/explorer.ts';
import type { CallContext } from '../task/call-context.ts';
import type { AdapterSpec } from './adapter-spec.ts';

/**
 * A view on an adapter that adds tags to the context of every call. The view's tags win over those of the
 * call, so that no call can pass for another tenant. Closing the view leaves the adapter below open.
 */
export function withTags(spec: AdapterSpec, tags: Readonly<Record<string, string>>): AdapterSpec {
  const tagged = <T extends { readonly context: CallContext }>(options: T): T => ({
    ...options,
    context: { ...options.context, tags: { ...options.context.tags, ...tags } },
  });
  const { executor, introspector, planner, explorer, sampleValues } = spec;
  return {
    ...spec,
    executor: { execute: (sql, options) => executor.execute(sql, tagged(options)) },
    introspector: { introspect: (options) => introspector.introspect(tagged(options)) },
    planner: planner && { check: (sql, options) => planner.check(sql, tagged(options)) },
    explorer: explorer && taggedExplorer(explorer, tagged),
    sampleValues: sampleValues && ((attributes, options) => sampleValues(attributes, tagged(options))),
    close: async () => undefined,
  };
}

function taggedExplorer(
  { profile, probes, explore }: Partial<Explorer>,
  tagged: <T extends { readonly context: CallContext }>(options: T) => T,
): Partial<Explorer> {
  return {
    ...(profile && { profile: (attribute, options) => profile(attribute, tagged(options)) }),
    ...(probes && { probes }),
    ...(explore && { explore: (catalog, question, options) => explore(catalog, question, tagged(options)) }),
  };
}
