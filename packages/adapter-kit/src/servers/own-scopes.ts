import { type AdapterSpec, AskemaError } from '@askema/core';

/**
 * An adapter whose role is that of the login: each role of `scope` is an adapter with connections of its own, closed with
 * this one, or before. Tags alone share the connections.
 *
 * @param open gives the adapter in a role.
 */
export function ownScopes(spec: Omit<AdapterSpec, 'scope'>, open: (role: string) => AdapterSpec): AdapterSpec {
  const views = new Set<AdapterSpec>();
  const whole: AdapterSpec = {
    ...spec,
    scope({ role, namespace }) {
      if (namespace !== undefined)
        throw new AskemaError(
          'CAPABILITY_UNSUPPORTED',
          `The adapter ${JSON.stringify(spec.name)} cannot narrow itself to a namespace; name it in the options.`,
        );
      if (role === undefined) return { ...whole, close: async () => undefined };
      const inner = open(role);
      const view: AdapterSpec = {
        ...inner,
        close() {
          views.delete(view);
          return inner.close();
        },
      };
      views.add(view);
      return view;
    },
    async close() {
      await Promise.all([spec.close(), ...[...views].map((view) => view.close())]);
    },
  };
  return whole;
}
