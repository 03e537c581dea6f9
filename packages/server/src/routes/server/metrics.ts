import { AskemaError } from '@askema/core';
import { hasScopeForAll } from '../../caller/scopes.ts';
import type { Route } from '../route.ts';

/** What was counted, for Prometheus. */
export const showMetrics: Route = {
  method: 'GET',
  path: '/metrics',
  scope: 'admin',
  summary: 'Counts since the server began, for Prometheus',
  media: ['text/plain'],
  handle({ caller, parts }) {
    if (!hasScopeForAll(caller, 'admin'))
      throw new AskemaError(
        'CALLER_REFUSED',
        'This counts what all do: it needs `admin` for all databases, not for one.',
      );
    const text = parts.metrics.text({
      askema_questions_running: parts.live.count,
      askema_designs_running: parts.designs.count,
      askema_draining: parts.isDraining() ? 1 : 0,
    });
    return new Response(text, { headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' } });
  },
};
