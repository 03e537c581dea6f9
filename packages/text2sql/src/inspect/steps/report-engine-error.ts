import { defineStep } from '@askema/core';
import type { Text2SqlDeps } from '../../text2sql-deps.ts';
import type { Text2SqlState } from '../../text2sql-state.ts';
import { engineFinding } from '../engine-finding.ts';

/** After a statement that the database refused: its error becomes a finding about the try that stood, which is revised then. */
export const reportEngineError = defineStep<Text2SqlState, Text2SqlDeps>()({
  name: 'report-engine-error',
  exec: async () => null,
  post: (state) => {
    const { inspect, executionError } = state;
    const chosen = inspect.chosen ?? inspect.base;
    inspect.tries = inspect.tries.map((tried, position) => {
      if (position !== chosen) return tried;
      const findings = executionError === null ? [] : [engineFinding(executionError, tried.sql)];
      return { ...tried, failed: true, findings: [...tried.findings, ...findings] };
    });
    inspect.base = chosen;
    inspect.chosen = null;
  },
});
