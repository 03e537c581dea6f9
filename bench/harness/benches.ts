/** The files of the benches, in the order of the page; `all` runs them. */
export const BENCHES: readonly string[] = [
  'flow',
  'flows',
  'introspection',
  'command',
  'deadline',
  'whole-run',
  'throughput',
  'rows',
  'tracing',
  'compression',
  'values',
  'normal-form',
  'cte-splitting',
  'query-shapes',
  'knowledge',
];
