import type { AdapterSpec, QueryOptions, QueryResult } from './adapter-spec.ts';
import type { Diagnose } from './diagnosis.ts';

type RunQuery = (sql: string, options: QueryOptions) => Promise<QueryResult>;

/** The default of `diagnose`: one query shows that the database answers; what keeps statements from writing is what the adapter says. */
export function createDiagnose(spec: Pick<AdapterSpec, 'dialect' | 'access'>, query: RunQuery): Diagnose {
  return async ({ timeoutMs, context }) => {
    await query('SELECT 1', { timeoutMs, context });
    const reads = spec.access === 'read';
    return {
      server: spec.dialect.displayName,
      readOnly: reads
        ? { by: 'text', explanation: 'The adapter was opened for reading; it does not say what the engine enforces.' }
        : { by: 'nothing', explanation: 'The adapter was opened for writing.' },
      findings: [],
    };
  };
}
